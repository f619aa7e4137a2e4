//! Whether a campaign runs the newest releases of its solvers.

use case::Hinted;
use case::text::first_line;
use solver::Target;
use solver::install::{self, InstallError, Settings, Version};
use std::thread;

/// The solvers of `targets` whose release the user left open: by naming the solver alone in `specs`, or by naming none.
pub fn unpinned<'a>(targets: &'a [Target], specs: &[String], settings: &Settings) -> Vec<&'a Target> {
    let is_open = |target: &&Target| match specs {
        [] => !settings.blocks.contains_key(&target.id),
        specs => specs.contains(&target.name) && !settings.blocks.contains_key(&target.name),
    };
    targets.iter().filter(is_open).collect()
}

/// What the user should know about the releases of solvers that were chosen for them: which ones they are, and whether there are
/// newer ones. Asks the package index.
pub fn release_notes(chosen: &[&Target], settings: &Settings) -> Vec<String> {
    let ask = |target: &Target| install::newest(&target.name, settings);
    let newest: Vec<Result<Option<Version>, InstallError>> = thread::scope(|scope| {
        let asked: Vec<_> = chosen.iter().map(|&target| scope.spawn(move || ask(target))).collect();
        asked.into_iter().map(|answer| answer.join().unwrap_or(Ok(None))).collect()
    });
    notes(chosen, newest)
}

fn notes(chosen: &[&Target], newest: Vec<Result<Option<Version>, InstallError>>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    let mut why = None;
    for (target, newest) in chosen.iter().zip(newest) {
        let Target { id, name, version, .. } = target;
        if !version.is_empty() && !id.contains(version.as_str()) {
            notes.push(format!("{id} is release {version} ({})", target.program.display()));
        }
        match (newest, Version::parse(version)) {
            (Ok(Some(newest)), Some(own)) if newest > own && !newest.same_release(&own) => {
                let newest = newest.release();
                notes.push(format!(
                    "{name} {newest} is available, but {version} is used; to change that: `elenchus solver install {name}@{newest}`"
                ));
            }
            (Ok(_), _) => {}
            (Err(error), _) => {
                unknown.push(name);
                why = Some(error);
            }
        }
    }
    if let Some(error) = why {
        let hint = Hinted::hint(&error).map(|hint| format!("; {hint}")).unwrap_or_default();
        notes.push(format!(
            "could not check whether there are newer releases of {}: {}{hint}",
            unknown.join(" and "),
            first_line(&error.to_string())
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::Profile;
    use solver::install::SolverBlock;

    fn target(id: &str, name: &str, version: &str) -> Target {
        let target = Target::executable(id, format!("/bin/{name}"), Profile::built_in(name).unwrap());
        Target { version: version.to_owned(), ..target }
    }

    #[test]
    fn old_releases_and_unreachable_indexes_are_told() {
        let version = |text: &str| Ok(Version::parse(text));
        let offline = || Err(InstallError::Network { tool: "pip", detail: "refused".to_owned() });
        let (old, new) = (target("z3@path", "z3", "4.8.12"), target("z3@5.4.0", "z3", "5.4.0"));
        let cvc5 = target("cvc5@path", "cvc5", "1.0.3");
        assert_eq!(notes(&[&new], vec![version("5.4.0.0")]), Vec::<String>::new());
        assert_eq!(
            notes(&[&old], vec![version("5.4.0.0")]),
            [
                "z3@path is release 4.8.12 (/bin/z3)",
                "z3 5.4.0 is available, but 4.8.12 is used; to change that: `elenchus solver install z3@5.4.0`"
            ]
        );
        let told = notes(&[&old, &cvc5], vec![offline(), offline()]);
        assert_eq!(
            told[..2],
            ["z3@path is release 4.8.12 (/bin/z3)", "cvc5@path is release 1.0.3 (/bin/cvc5)"]
        );
        let expected = "could not check whether there are newer releases of z3 and cvc5: pip could not reach its package index";
        assert!(told.len() == 3 && told[2].starts_with(expected), "{told:?}");
    }

    #[test]
    fn a_release_that_the_user_chose_is_not_checked() {
        let mut settings = Settings::new("cache".into(), "driver".into());
        settings.blocks.insert("mine".to_owned(), SolverBlock::default());
        let targets = [target("z3@4.8.7", "z3", "4.8.7"), target("mine", "cvc5", "1.0.3")];
        let ids = |specs: &[&str]| -> Vec<String> {
            let specs: Vec<String> = specs.iter().map(|&spec| spec.to_owned()).collect();
            unpinned(&targets, &specs, &settings).iter().map(|target| target.id.clone()).collect()
        };
        assert_eq!(ids(&[]), ["z3@4.8.7"]);
        assert_eq!(ids(&["z3", "mine"]), ["z3@4.8.7"]);
        assert_eq!(ids(&["z3@4.8.7", "mine"]), Vec::<String>::new());
    }
}
