//! `elenchus report`: a finding as it would be filed.

use crate::commands::bisect::{Releases, bisected, save, saved};
use crate::commands::facts::{facts_of, stored_facts};
use crate::commands::functions::told;
use crate::commands::fuzz::store_failure;
use crate::commands::releases::look;
use crate::commands::solve::run_failure;
use crate::commands::subject::{Subject, SubjectArgs, places};
use crate::outcome::{Exit, Failure, Outcome};
use clap::{Args, ValueEnum};
use solver::run::{Limits, RunSettings, Want};
use solver::{Outcome as Ran, RunMode, RunRequest, runner};
use std::path::{Path, PathBuf};
use store::Store;
use triage::bisect::State;
use triage::predicate::{Basis, Claim, Established, Participant};
use triage::report::{Policy, Report, Said, markdown, model_values, page, rank, readable_model, with_model};
use triage::{Class, NoDistinguishingFunctions};

/// Arguments of `elenchus report`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus report wrong-unsat-3f9a                                   a finding, as Markdown
  elenchus report bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat' --format html
  elenchus report --all --to reports                                 all findings, with an index page

A finding that was reduced is reported as what it was reduced to: run `elenchus reduce` first. The releases are bisected
unless that was done before.")]
pub struct ReportArgs {
    /// A script, or the name of a finding
    #[arg(value_name = "FILE|ID", required_unless_present = "all")]
    subject: Option<String>,
    /// What a script shows, such as 'z3@4.8.10 says unsat, cvc5 says sat'
    #[arg(long = "keep", value_name = "CLAIMS")]
    predicate: Option<String>,
    /// The folder of the campaign
    #[arg(long, value_name = "DIR", default_value = crate::commands::fuzz::DEFAULT_OUT)]
    out: PathBuf,
    /// Time limit for a run, in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    timeout: f64,
    /// The form
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// Report every finding of the campaign into a folder
    #[arg(long, conflicts_with = "subject")]
    all: bool,
    /// The folder for --all
    #[arg(long, value_name = "DIR", default_value = "elenchus-reports")]
    to: PathBuf,
    /// Do not look at other releases
    #[arg(long)]
    no_bisect: bool,
}

/// The forms of a report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a tracker
    Markdown,
    /// For machines
    Json,
    /// A page of its own
    Html,
}

impl Format {
    fn render(self, report: &Report) -> String {
        match self {
            Format::Markdown => markdown(report),
            Format::Html => report.html(),
            Format::Json => format!("{:#}\n", serde_json::json!(report)),
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Json => "json",
            Format::Html => "html",
        }
    }
}

/// Runs `elenchus report`.
pub fn run(args: ReportArgs) -> Outcome {
    match &args.subject {
        Some(subject) => {
            print!("{}", args.format.render(&report(&args, subject)?));
            Ok(Exit::Clean)
        }
        None => all(&args),
    }
}

fn report(args: &ReportArgs, subject: &str) -> Result<Report, Failure> {
    let named = SubjectArgs {
        subject: subject.to_owned(),
        predicate: args.predicate.clone(),
        out: args.out.clone(),
        timeout: args.timeout,
    };
    let subject = named.read(true)?;
    let limits = named.limits()?;
    let clauses = subject.clauses()?;
    let established = subject.establish(&clauses, limits)?;
    let releases = match &subject.finding {
        Some((_, _, folder)) if saved(folder).is_some() => saved(folder),
        _ if args.no_bisect => None,
        finding => match bisected(&subject, &established, limits, false, &mut |_| {}) {
            Ok(found) => {
                if let Some((_, _, folder)) = finding {
                    save(folder, &found)?;
                }
                Some(found)
            }
            Err(failure) => {
                eprintln!("note: {failure}");
                None
            }
        },
    };
    compose(args, &subject, &established, releases.as_ref(), limits)
}

fn compose(
    args: &ReportArgs,
    subject: &Subject,
    established: &Established,
    releases: Option<&Releases>,
    limits: Limits,
) -> Result<Report, Failure> {
    let blame = triage::blame(established);
    let suspect = &established.participants[*blame.suspects.first().unwrap_or(&0)];
    let script = shown_script(&subject.script, suspect);
    let (model, values) = match &established.basis {
        Basis::Model { model, .. } => (Some(readable_model(model)), model_values(&subject.script, model)),
        Basis::RefutedModel { by, .. } => {
            let place = established.participants.iter().position(|participant| participant.target.id == *by);
            let model = place.and_then(|place| established.seen[place].model()).unwrap_or_default();
            (Some(readable_model(model)), model_values(&subject.script, model))
        }
        Basis::Core(found) => (Some(readable_model(&found.model)), model_values(&found.alone, &found.model)),
        Basis::Itself | Basis::Answers | Basis::Times(_) => (None, None),
    };
    let mut facts = facts_of(&subject.origin, &subject.script, established, releases);
    let distinguishing_functions = match facts.needs_functions().then(|| told(subject, established)) {
        Some(Ok(distinguishing_functions)) => Some(distinguishing_functions),
        Some(Err(NoDistinguishingFunctions::Kind)) | None => None,
        Some(Err(why)) => {
            eprintln!("note: it is not known which functions of the solver matter: {why}");
            None
        }
    };
    facts.functions = distinguishing_functions
        .as_ref()
        .map(|distinguishing_functions| distinguishing_functions.functions.clone())
        .unwrap_or_default();
    let duplicates = stored_facts(&args.out)
        .into_iter()
        .filter(|other| other.name != facts.name && other.same(&facts))
        .map(|other| other.name)
        .collect();
    let title = &suspect.target.profile.title;
    Ok(Report {
        title: title_of(&blame, title, &suspect.target.version, &facts),
        class: blame.class.name().to_owned(),
        severity: rank(blame.class),
        solver: format!("{title} {}", suspect.target.version),
        command: command(suspect),
        actual: actual(suspect, &script, limits)?,
        expected: expected(blame.class),
        blame: blame.reason.clone(),
        others: others(established, &blame.suspects),
        with_model: match &established.basis {
            Basis::Model { model, .. } => asked_with_model(&subject.script, model, established, limits)?,
            Basis::Core(found) => asked_with_model(&found.alone, &found.model, established, limits)?,
            _ => Vec::new(),
        },
        releases: releases.map(Releases::sentence),
        row: releases.map_or_else(Vec::new, |found| {
            found.probes.iter().map(|one| (one.release.clone(), one.state.clone(), one.did.clone())).collect()
        }),
        options: suspect.options.iter().cloned().chain(options_in(&subject.script)).collect(),
        duplicates,
        distinguishing_functions,
        policy: policy(suspect, &subject.script, releases, blame.decided, limits)?,
        signature: facts.signature(),
        origin: subject.origin.clone(),
        model,
        values,
        script,
    })
}

fn title_of(blame: &triage::Blame, title: &str, version: &str, facts: &triage::cluster::Facts) -> String {
    let operators: Vec<&str> = facts.operators.iter().map(String::as_str).take(4).collect();
    let with = if operators.is_empty() { String::new() } else { format!(" with {}", operators.join(", ")) };
    match blame.class {
        Class::WrongUnsat => format!("{title} {version} says unsat to a satisfiable script{with}"),
        Class::WrongSat => format!("{title} {version} says sat to an unsatisfiable script{with}"),
        Class::Crash => format!(
            "{title} {version} crashes{with}: {}",
            facts.crash.split(" < ").next().unwrap_or_default()
        ),
        Class::InvalidModel => format!("{title} {version} gives a model that is none{with}"),
        Class::InvalidProof => format!("{title} {version} finds its own proof wrong{with}"),
        Class::InvalidCore => format!("{title} {version} gives an unsatisfiable core that has a model{with}"),
        Class::Performance => format!("{title} {version} takes far longer than another solver{with}"),
        _ => format!("{title} {version} and another solver contradict each other{with}"),
    }
}

fn expected(class: Class) -> String {
    match class {
        Class::WrongUnsat => "sat (or unknown)",
        Class::WrongSat => "unsat (or unknown)",
        Class::InvalidModel => "a model that makes every assertion true",
        Class::InvalidProof => "a proof that the solver's own check accepts",
        Class::InvalidCore => "a core that is unsatisfiable together with what has no name",
        Class::Crash => "an answer, or an error message",
        Class::Performance => "an answer in about the time that others take",
        _ => "the same answer from both",
    }
    .to_owned()
}

/// The command that a maintainer runs: the solver's own executable, whatever it is called where this was found.
fn command(participant: &Participant) -> String {
    let profile = participant.target.profile.at(&participant.target.version);
    let program = profile.executables.first().cloned().unwrap_or_else(|| participant.target.name.clone());
    let mut options: Vec<String> = Vec::new();
    let want = participant.want(false);
    let wishes = [
        (want.model, &profile.ask.models),
        (want.check_models, &profile.ask.model_check),
        (want.check_proofs, &profile.ask.proof_check),
    ];
    for (wanted, addition) in wishes {
        options.extend(addition.iter().filter(|_| wanted).flat_map(|addition| addition.args.iter().cloned()));
    }
    options.extend(participant.options.iter().cloned());
    std::iter::once(program).chain(options).chain(["bug.smt2".to_owned()]).collect::<Vec<_>>().join(" ")
}

/// The script as it is run plainly: where a model is at fault, it asks for the model itself.
fn shown_script(script: &str, suspect: &Participant) -> String {
    if suspect.claim != Claim::WrongModel || script.contains("(get-model)") {
        return script.to_owned();
    }
    format!("{}\n(get-model)\n", script.trim_end())
}

/// What the plain executable prints.
fn actual(suspect: &Participant, script: &str, limits: Limits) -> Result<String, Failure> {
    let want = Want { model: false, ..suspect.want(false) };
    let request = RunRequest::new(script).options(&suspect.options).limits(limits).want(want);
    let seen = runner(&suspect.target, RunMode::OneShot, &RunSettings::default())
        .and_then(|mut runner| runner.run(&request))
        .map_err(run_failure)?;
    let printed = format!("{}{}", seen.stdout, seen.stderr);
    if matches!(suspect.claim, Claim::Slow(_)) {
        let (did, seconds) = (triage::oracle::describe(&seen), seen.cpu.as_secs_f64());
        return Ok(format!("{did} after {seconds:.2} s of CPU time"));
    }
    Ok(match (&seen.outcome, printed.trim()) {
        (Ran::Crash(crash), "") => crash.to_string(),
        (Ran::Crash(crash), text) if !text.contains(crash.key().as_str()) => {
            format!("{text}\n{crash}")
        }
        (_, text) => text.to_owned(),
    })
}

fn others(established: &Established, suspects: &[usize]) -> Vec<Said> {
    let place = |place: &usize| !suspects.contains(place);
    (0..established.participants.len())
        .filter(place)
        .map(|place| Said {
            solver: established.participants[place].target.id.clone(),
            said: match established.basis {
                Basis::Times(_) => {
                    let seen = &established.seen[place];
                    let seconds = seen.cpu.as_secs_f64();
                    format!("{} after {seconds:.2} s of CPU time", triage::oracle::describe(seen))
                }
                _ => triage::oracle::describe(&established.seen[place]),
            },
        })
        .collect()
}

/// What all solvers that take part say when the model is put into the script, the wrong one too.
fn asked_with_model(
    script: &str,
    model: &str,
    established: &Established,
    limits: Limits,
) -> Result<Vec<Said>, Failure> {
    let Some(script) = with_model(script, model) else { return Ok(Vec::new()) };
    let mut said = Vec::new();
    for participant in &established.participants {
        let request = RunRequest::new(&script).options(&participant.options).limits(limits);
        let seen = runner(&participant.target, RunMode::OneShot, &RunSettings::default())
            .and_then(|mut runner| runner.run(&request))
            .map_err(run_failure)?;
        said.push(Said { solver: participant.target.id.clone(), said: triage::oracle::describe(&seen) });
    }
    Ok(said)
}

/// Whether the maintainers would want it, by their own rules as the profile states them.
fn policy(
    suspect: &Participant,
    script: &str,
    releases: Option<&Releases>,
    decided: bool,
    limits: Limits,
) -> Result<Policy, Failure> {
    let profile = suspect.target.profile.at(&suspect.target.version);
    let mut reasons = Vec::new();
    let mut wanted = true;
    match releases.and_then(|found| found.newest.as_ref()) {
        Some(newest) if newest.state == State::Bad.word() => {
            reasons.push(format!("the newest release, {}, shows it", newest.release));
        }
        Some(newest) => {
            wanted = false;
            reasons.push(format!("the newest release, {}, does not show it", newest.release));
        }
        None => reasons.push("it is not known whether the newest release shows it".to_owned()),
    }
    if !decided {
        wanted = false;
        reasons.push("it is not decided who is wrong".to_owned());
    }
    for option in &suspect.options {
        let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
        if let Some(why) = profile.options.forbidden(name) {
            wanted = false;
            reasons.push(format!("the option {option} is none to report: it {why}"));
        }
    }
    let needed: Vec<String> = suspect.options.iter().cloned().chain(options_in(script)).collect();
    reasons.push(match needed.as_slice() {
        [] => "default options".to_owned(),
        options => format!("it needs {}; default options are looked at first", options.join(" ")),
    });
    if let Some(safe) = &profile.options.safe_mode {
        let mut options = suspect.options.clone();
        options.extend(safe.args.iter().cloned());
        let careful = Participant { options, ..suspect.clone() };
        let (state, did) = look(&careful, script, limits)?;
        if state == State::Bad {
            reasons.push(format!("it shows in safe mode ({})", safe.args.join(" ")));
        } else {
            wanted = false;
            reasons.push(format!("it does not show in safe mode ({}): {did}", safe.args.join(" ")));
        }
    }
    Ok(Policy { wanted, reasons })
}

/// The options that a script sets, beyond asking for more output.
fn options_in(script: &str) -> Vec<String> {
    let mut arena = smt::Arena::default();
    let Ok(parsed) = smt::parse_script(&mut arena, script) else { return Vec::new() };
    let option = |command: &smt::Command| match command {
        smt::Command::SetOption(name, value) => {
            let (name, value) = (arena.name(*name), arena.name(*value));
            (!name.starts_with(":produce-")).then(|| format!("{name} {value}"))
        }
        _ => None,
    };
    parsed.commands.iter().filter_map(option).collect()
}

/// Writes a report for every finding, and an index, the gravest first.
fn all(args: &ReportArgs) -> Outcome {
    let store = Store::look(&args.out).map_err(store_failure)?;
    let findings = store.findings().map_err(store_failure)?;
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text)
            .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
    };
    std::fs::create_dir_all(&args.to)
        .map_err(|error| Failure::new(format!("{} cannot be made: {error}", args.to.display())))?;
    places()?;
    let mut done: Vec<(String, Report)> = Vec::new();
    let mut passed_over = Vec::new();
    for listed in findings {
        match report(args, &listed.id) {
            Ok(report) => {
                let name = format!("{}.{}", listed.id, args.format.extension());
                write(&args.to.join(&name), &args.format.render(&report))?;
                write(&args.to.join(format!("{}.smt2", listed.id)), &report.script)?;
                eprintln!("{name}: {}", report.title);
                done.push((name, report));
            }
            Err(failure) => passed_over.push((listed.id, failure.to_string())),
        }
    }
    done.sort_by_key(|(name, report)| (!report.policy.wanted, report.severity, name.clone()));
    let text = match args.format {
        Format::Html => {
            let line = |(name, report): &(String, Report)| {
                format!(
                    "<li><a href=\"{name}\">{}</a> (severity {}{})</li>",
                    triage::report::escape(&report.title),
                    report.severity,
                    if report.policy.wanted { "" } else { ", not to be filed" }
                )
            };
            let lines: Vec<String> = done.iter().map(line).collect();
            page("Findings", &format!("<h1>Findings</h1>\n<ul>\n{}\n</ul>", lines.join("\n")))
        }
        Format::Json => {
            format!("{:#}\n", serde_json::json!(done.iter().map(|(_, report)| report).collect::<Vec<_>>()))
        }
        Format::Markdown => {
            let line = |(name, report): &(String, Report)| {
                let filed = if report.policy.wanted { "" } else { ", not to be filed" };
                format!("- [{}]({name}), severity {}{filed}", report.title, report.severity)
            };
            format!("# Findings\n\n{}\n", done.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
    };
    let index = args.to.join(format!("index.{}", args.format.extension()));
    write(&index, &text)?;
    for (id, why) in &passed_over {
        eprintln!("{id} is not reported: {}", why.lines().next().unwrap_or_default());
    }
    println!("{} reports, see {}", done.len(), index.display());
    Ok(Exit::Clean)
}
