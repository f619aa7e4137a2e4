//! The solvers of a campaign: releases, profiles, health.

use super::View;
use super::layout::{layout, live};
use super::overview::chosen;
use super::table::table;
use crate::data::DataError;
use crate::html::{Html, el};
use crate::http::{Request, encoded};
use crate::links::Page;
use campaign::present::text::percent;
use campaign::{TargetTally, share};
use solver::Profile;

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let mut pieces = vec![Html::from(el("h1").add("Solvers"))];
    let statistics = match chosen(view, request)? {
        Some(entry) => view.data.totals(entry.id)?,
        None => campaign::Statistics::default(),
    };
    if statistics.targets.is_empty() {
        pieces.push(el("p").class("empty").add("No solver has run yet.").into());
    }
    for (number, (id, tally)) in statistics.targets.iter().enumerate() {
        pieces.push(live(&format!("solver-{number}"), one(view, id, tally)));
    }
    Ok(layout(view, Page::Solvers, "Solvers", Html::all(pieces)))
}

fn one(view: &View<'_>, id: &str, tally: &TargetTally) -> Html {
    let (name, release) = id.split_once('@').unwrap_or((id, "unknown"));
    let bad = tally.errors + tally.refused;
    let health: Vec<(&str, String, &str)> = vec![
        ("runs", tally.runs.to_string(), ""),
        ("answered", percent(share(tally.sat + tally.unsat, tally.runs)), ""),
        ("time limits", tally.timeouts.to_string(), ""),
        ("other limits", tally.limits.to_string(), ""),
        ("crashes", tally.crashes.to_string(), if tally.crashes > 0 { "bad" } else { "" }),
        (
            "refused or in error",
            percent(share(bad, tally.runs)),
            if bad * 2 > tally.runs { "bad" } else { "" },
        ),
        ("mean time", format!("{:.1} ms", share(tally.time, tally.runs * 1000).unwrap_or(0.0)), ""),
    ];
    let health = health.into_iter().map(|(name, value, class)| {
        el("li").add(el("span").class("name").add(name)).add(el("strong").class(class).add(value))
    });
    let notes = [
        ("It is restarted for some scripts: ", &tally.fallback),
        ("The first error message: ", &tally.error_sample),
    ];
    let notes = notes
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(words, text)| el("p").class("note").add(words).add(el("code").add(text)));
    let findings = view.is_live().then(|| {
        el("p").add(
            el("a")
                .attr("href", format!("{}?solver={}", view.links.page(Page::Findings), encoded(id)))
                .add("Its findings"),
        )
    });
    el("section")
        .class("card")
        .add(el("h2").add(id))
        .add(el("ul").class("numbers").each(health))
        .each(notes)
        .add(profile(name, release))
        .maybe(findings)
        .into()
}

/// What the profile says.
fn profile(name: &str, release: &str) -> Html {
    let Ok(profile) = Profile::built_in(name) else {
        return el("p").add(format!("Release {release}. Its profile does not come with the program.")).into();
    };
    let profile = profile.at(release);
    let row = |name: &str, value: String| -> Vec<Html> { vec![name.into(), value.into()] };
    let rows = vec![
        row("name", profile.title.clone()),
        row("release", release.to_owned()),
        row("executables", profile.executables.join(", ")),
        row("theories", profile.theories.join(", ")),
        row("kept warm between scripts", if profile.fork.is_some() { "yes" } else { "no" }.to_owned()),
    ];
    table("Profile", &["property", "value"], rows)
}
