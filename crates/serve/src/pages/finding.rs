//! One finding: everything that a person needs to believe it, and to act on it.

use super::View;
use super::findings::{badge, severity};
use super::layout::{layout, live, section};
use super::table::table;
use crate::data::{DataError, Dossier};
use crate::diff::diff;
use crate::html::{Html, el};
use crate::http::{Request, encoded};
use crate::jobs::{ACTIONS, JobView};
use crate::links::Page;
use crate::script::highlighted;
use crate::time::moment;
use case::table::counted;
use case::text::first_line;
use case::{AskedScript, Evidence, Finding, SolverRun};
use serde_json::Value;
use store::{Listed, Status};
use triage::releases::{Probe, State};

/// How many cases a page lists, and how many steps of the way to a case.
const CASES: u64 = 50;
const STEPS: usize = 100;

/// The page.
pub fn page(view: &View<'_>, id: &str, request: &Request) -> Result<String, DataError> {
    let dossier = view.data.dossier(id)?;
    let listed = &dossier.listed;
    let finding = dossier.finding.as_ref();
    let unreadable = finding
        .err()
        .map(|why| el("p").class("bad").add(format!("The folder of this finding cannot be read: {why}")));
    let body = Html::all([
        Html::from(el("h1").add(&listed.title)),
        live("facts", facts(view, &dossier)),
        Html::all(unreadable),
        live("smallest", script(view, &dossier)),
        Html::all(finding.ok().map(|finding| section("Why it is wrong", evidence(finding)))),
        Html::all(finding.ok().map(|finding| section("Who says what", runs(finding)))),
        live("releases", section("Releases", releases(&dossier))),
        live("needs", section("Required options", options(&dossier))),
        live("workflow", section("Status", workflow(view, &dossier))),
        if view.is_live() {
            live("actions", section("Actions", actions(view, listed)))
        } else {
            Html::none()
        },
        live("about", section("Report", report(view, &dossier))),
        Html::all(finding.ok().map(|finding| section("From the seed to the case", path(&dossier, finding)))),
        live("cases", section("Cases", cases(view, listed, request)?)),
        section("Likely the same bug", duplicates(view, &dossier)),
    ]);
    Ok(layout(view, Page::Finding(id), &listed.title, body))
}

/// What kind of finding it is, and how often and when it was seen.
fn facts(view: &View<'_>, dossier: &Dossier) -> Html {
    let listed = &dossier.listed;
    let status = dossier.history.first().cloned().unwrap_or_default();
    let merged = listed.merged_into.as_ref().map(|other| {
        let link = el("a").attr("href", view.links.page(Page::Finding(other))).add(other);
        el("p").class("note").add("It is the same bug as ").add(link).add(".")
    });
    let seen = format!(
        "{}, first {} UTC, last {} UTC",
        counted(listed.count, "case"),
        moment(listed.first_seen),
        moment(listed.last_seen)
    );
    let line = el("p")
        .class("facts")
        .add(severity(listed))
        .add(" ")
        .add(badge(status.status))
        .add(" ")
        .add(el("code").attr("id", "finding-id").add(&listed.id))
        .add(" ")
        .add(el("span").class("more").add(seen));
    let tag = |(kind, value): (&String, &String)| {
        let text = format!("{kind}: {value}");
        match view.is_live() {
            true => el("li").add(
                el("a")
                    .attr("href", format!("{}?{kind}={}", view.links.page(Page::Findings), encoded(value)))
                    .add(text),
            ),
            false => el("li").add(text),
        }
    };
    let tags = dossier
        .facets
        .iter()
        .flat_map(|(kind, values)| values.iter().take(40).map(move |value| (kind, value)));
    let tags = el("ul").class("tags").attr("aria-label", "Properties").each(tags.map(tag));
    Html::all([Html::from(line), tags.into(), Html::all(merged)])
}

/// The smallest script, and links to all of them.
fn script(view: &View<'_>, dossier: &Dossier) -> Html {
    let id = &dossier.listed.id;
    let name = if dossier.reduced.is_some() { "reduced.smt2" } else { "case.smt2" };
    let copy = el("button")
        .attr("type", "button")
        .attr("data-copy", "#script")
        .flag("hidden", true)
        .add("Copy script");
    let link = |name: &str| {
        el("a").attr("href", view.links.text(id, name)).attr("download", format!("{id}-{name}")).add(name)
    };
    let others = ["case.smt2", "seed.smt2"].into_iter().filter(|other| *other != name);
    let tools = el("p").class("tools").add(copy).add(link(name)).each(others.map(link));
    let shown = el("div").attr("id", "script").add(highlighted(dossier.script()));
    let heading = if dossier.reduced.is_some() { "Reduced script" } else { "Script" };
    section(heading, Html::all([Html::from(shown), tools.into()]))
}

/// The evidence, strongest first; each piece opens to what it consists of.
fn evidence(finding: &Finding) -> Html {
    let mut evidence: Vec<&Evidence> = finding.evidence.iter().collect();
    evidence.sort_by_key(|one| one.rank());
    if evidence.is_empty() {
        return el("p").class("empty").add("No evidence was recorded.").into();
    }
    let piece = |one: &Evidence| {
        let parts = serde_json::to_value(one).unwrap_or_default();
        el("details")
            .flag("open", true)
            .add(el("summary").add(first_line(&one.to_string())))
            .add(tree(&parts))
    };
    el("div").class("tree").each(evidence.into_iter().map(piece)).into()
}

/// JSON as a tree that opens and closes.
fn tree(value: &Value) -> Html {
    let branch = |(name, value): (String, &Value)| match value {
        Value::Object(_) | Value::Array(_) => {
            el("li").add(el("details").add(el("summary").add(name)).add(tree(value)))
        }
        Value::String(text) if text.contains('\n') || text.len() > 120 => el("li")
            .add(el("details").add(el("summary").add(name)).add(el("pre").attr("tabindex", 0).add(text))),
        _ => el("li").add(format!("{name}: ")).add(tree(value)),
    };
    match value {
        Value::Object(fields) => el("ul")
            .each(fields.iter().map(|(name, value)| branch((name.replace(['-', '_'], " "), value))))
            .into(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            el("ul").each(items.iter().map(|item| el("li").add(tree(item)))).into()
        }
        Value::Array(items) => el("ul")
            .each(items.iter().zip(1..).map(|(value, number)| branch((number.to_string(), value))))
            .into(),
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// What each solver did.
fn runs(finding: &Finding) -> Html {
    let row = |run: &SolverRun| -> Vec<Html> {
        let asked = match run.asked {
            AskedScript::Case => "the case",
            AskedScript::CoreAlone => "the core alone",
            AskedScript::Doubt => "whether that can be wrong",
            AskedScript::Plain => "the plain form",
        };
        let output = format!("$ {}\n{}{}", run.command, run.stdout, run.stderr);
        let output =
            el("details").add(el("summary").add("output")).add(el("pre").attr("tabindex", 0).add(output));
        let who =
            el("span").add(&run.id).maybe(run.suspect.then(|| el("span").class("badge bug").add("suspect")));
        vec![
            who.into(),
            el("b").add(run.result.to_string()).into(),
            asked.into(),
            run.exit.to_string().into(),
            run.milliseconds.into(),
            output.into(),
        ]
    };
    table(
        "Results of all solvers",
        &["solver", "result", "asked", "exit", "#ms", "output"],
        finding.runs.iter().map(row).collect(),
    )
}

/// The releases as a strip: good, bad, not tested.
fn releases(dossier: &Dossier) -> Html {
    let Some(found) = &dossier.releases else {
        return el("p").class("empty").add("No release has been tested yet.").into();
    };
    let cell = |(release, probe): (&str, Option<&Probe>)| {
        let (class, word) = match probe.map(|probe| probe.state) {
            Some(State::Good) => ("good", found.word(State::Good)),
            Some(State::Bad) => ("bad", found.word(State::Bad)),
            Some(state) => ("unclear", found.word(state)),
            None => ("untested", "not tested"),
        };
        let number = release.rsplit('@').next().unwrap_or_default();
        let did = probe.map(Probe::did);
        el("li")
            .class(class)
            .attr_if("title", did.as_ref())
            .add(el("b").add(number))
            .add(el("span").add(word))
            .maybe(did.map(|did| el("small").add(did)))
    };
    let strip = el("ol")
        .class("strip")
        .attr("aria-label", format!("Releases of {}, oldest first", found.solver))
        .each(found.all().into_iter().map(cell));
    let count =
        format!("{} of {} were tested", found.probes.len(), counted(found.all().len() as u64, "release"));
    let sentence = el("p").add(format!("{}: {}. {count}.", found.solver, found.sentence()));
    Html::all([Html::from(strip), sentence.into()])
}

fn options(dossier: &Dossier) -> Html {
    match dossier.options().as_slice() {
        [] if dossier.triaged.as_ref().is_some_and(|triaged| triaged.needs_options) => {
            let what =
                "The solver's own check of its models or proofs has to be on; the report has the command.";
            el("p").add(what).into()
        }
        [] => el("p").add("None: it shows with default options.").into(),
        options => el("ul").each(options.iter().map(|option| el("li").add(el("code").add(option)))).into(),
    }
}

/// What people decided, and the form to decide more.
fn workflow(view: &View<'_>, dossier: &Dossier) -> Html {
    let row = |change: &store::StatusChange| -> Vec<Html> {
        vec![
            badge(change.status).into(),
            detail(change.status, &change.detail),
            format!("{} UTC", moment(change.changed)).into(),
        ]
    };
    let history = match dossier.history.is_empty() {
        true => el("p").class("empty").add("Nobody has decided anything yet.").into(),
        false => table(
            "History, newest first",
            &["status", "detail", "changed"],
            dossier.history.iter().map(row).collect(),
        ),
    };
    if !view.write {
        return history;
    }
    let now = dossier.history.first().map(|change| change.status).unwrap_or_default();
    let option = |status: Status| {
        let words = match status.needs() {
            Some(needs) => format!("{} ({needs})", status.words()),
            None => status.words().to_owned(),
        };
        el("option").attr("value", status.name()).flag("selected", status == now).add(words)
    };
    let id = &dossier.listed.id;
    let form = el("form")
        .class("choices")
        .attr("method", "post")
        .attr("action", format!("/api/findings/{}/status", encoded(id)))
        .flag("data-post", true)
        .add(el("label").add("Status").add(el("select").attr("name", "status").each(Status::ALL.map(option))))
        .add(
            el("label")
                .class("wide")
                .add("Link, release or reason")
                .add(el("input").attr("name", "detail").attr("maxlength", 500)),
        )
        .add(el("button").add("Change"));
    Html::all([history, form.into()])
}

/// The detail of a status; the link of a report is a link.
fn detail(status: Status, detail: &str) -> Html {
    let is_link =
        status == Status::Filed && (detail.starts_with("https://") || detail.starts_with("http://"));
    match is_link {
        true => el("a").attr("href", detail).attr("rel", "noreferrer noopener").add(detail).into(),
        false => detail.into(),
    }
}

/// What the program can do with the finding now, and what it is doing.
fn actions(view: &View<'_>, listed: &Listed) -> Html {
    let path = format!("/api/findings/{}/jobs", encoded(&listed.id));
    let button = |(name, words, what): (&str, &str, &str)| {
        let link = (name == "known").then(|| {
            el("label")
                .add("Link to the report ")
                .add(el("input").attr("name", "link").attr("type", "url").flag("required", true))
        });
        el("form")
            .attr("method", "post")
            .attr("action", &path)
            .flag("data-post", true)
            .add(el("input").attr("type", "hidden").attr("name", "action").attr("value", name))
            .maybe(link)
            .add(el("button").attr("title", what).add(words))
            .add(el("span").class("more").add(what))
    };
    let forms = match view.write {
        true => Html::from(el("div").class("actions").each(ACTIONS.map(button))),
        false => el("p").class("empty").add("Open the address with the token, which the server printed when it started, to act on this finding.").into(),
    };
    let own = view.jobs.iter().filter(|job| job.finding == listed.id).take(5);
    Html::all([forms, Html::all(own.map(|job| job_card(view, job)))])
}

fn job_card(view: &View<'_>, job: &JobView) -> Html {
    let lines = el("pre").attr("tabindex", 0).add(job.lines.join("\n"));
    let stop = (view.write && job.state.is_open() && !job.queued).then(|| {
        el("form")
            .attr("method", "post")
            .attr("action", format!("/api/jobs/{}/stop", job.number))
            .flag("data-post", true)
            .add(el("button").add("Stop"))
    });
    el("div")
        .class("job")
        .add(el("h3").add(format!("{} · {}", job.title, job.state.word())))
        .maybe(stop)
        .add(lines)
        .into()
}

/// The report as it would be pasted into a tracker.
fn report(view: &View<'_>, dossier: &Dossier) -> Html {
    if dossier.report.is_empty() {
        return el("p").class("empty").add("There is no report yet.").into();
    }
    let id = &dossier.listed.id;
    let copy = el("button")
        .attr("type", "button")
        .attr("data-copy", "#report")
        .flag("hidden", true)
        .add("Copy report");
    let download = el("a")
        .attr("href", view.links.text(id, "report.md"))
        .attr("download", format!("{id}.md"))
        .add("Download report");
    let page = format!("{id}.html");
    let page = view
        .files
        .filter(|folder| folder.join(&page).is_file())
        .map(|_| el("a").attr("href", encoded(&page)).add("The report as a page"));
    let text = el("pre").attr("id", "report").attr("tabindex", 0).add(&dossier.report);
    let shown = el("details").add(el("summary").add("Show the report")).add(text);
    Html::all([Html::from(el("p").class("tools").add(copy).add(download).maybe(page)), shown.into()])
}

/// The steps from the seed to the case.
fn path(dossier: &Dossier, finding: &Finding) -> Html {
    let origin = &finding.origin;
    let sentence = format!(
        "Strategy {} made this case from the seed {} (hash {}): round {}, case {}, campaign seed {}.",
        origin.strategy,
        finding.seed_name,
        origin.seed_hash,
        origin.round,
        origin.index,
        origin.campaign_seed
    );
    let seed = el("details").add(el("summary").add("The seed")).add(highlighted(&dossier.seed));
    let case = el("details").add(el("summary").add("The case")).add(highlighted(&dossier.case));
    let step = |step: &case::Step| {
        el("li").add(el("b").add(step.action.as_ref())).add(diff(&step.before, &step.after))
    };
    let steps = el("ol").class("steps").each(finding.lineage.iter().take(STEPS).map(step));
    let more = finding.lineage.len().saturating_sub(STEPS);
    let more = (more > 0).then(|| el("p").add(format!("{more} more steps are in lineage.txt.")));
    let steps = if finding.lineage.is_empty() {
        el("p").class("empty").add("The case was made in one step.")
    } else {
        steps
    };
    let pieces = [Html::from(el("p").add(sentence)), seed.into(), steps.into(), Html::all(more), case.into()];
    Html::all(pieces)
}

/// All cases that showed it.
fn cases(view: &View<'_>, listed: &Listed, request: &Request) -> Result<Html, DataError> {
    let number: u64 =
        request.value("cases").and_then(|text| text.parse().ok()).unwrap_or(1).clamp(1, 1 << 32);
    let (total, found) = view.data.occurrences(&listed.id, (number - 1) * CASES, CASES)?;
    let row = |case: store::OccurrenceEntry| -> Vec<Html> {
        vec![
            case.strategy.into(),
            el("code").add(case.seed_hash).into(),
            case.campaign_seed.into(),
            case.round.into(),
            case.index.into(),
            if case.finding == listed.id { Html::none() } else { case.finding.into() },
        ]
    };
    let rows = found.into_iter().map(row).collect();
    let list = table(
        &counted(total, "case"),
        &["strategy", "seed", "#campaign seed", "#round", "#case", "merged from"],
        rows,
    );
    let last = total.div_ceil(CASES);
    if last <= 1 || !view.is_live() {
        return Ok(list);
    }
    let address = view.links.page(Page::Finding(&listed.id));
    let link = |to: u64, text: &str| {
        (1..=last)
            .contains(&to)
            .then(|| el("a").attr("href", format!("{address}?cases={to}#cases")).add(text))
    };
    let pages = el("nav")
        .class("pages")
        .attr("aria-label", "Pages of cases")
        .maybe(link(number.saturating_sub(1), "Previous"))
        .add(format!(" Page {number} of {last} "))
        .maybe(link(number + 1, "Next"));
    Ok(Html::all([list, pages.into()]))
}

/// Findings that are the same bug, or look like it.
fn duplicates(view: &View<'_>, dossier: &Dossier) -> Html {
    let item = |listed: &Listed, why: &str| {
        let link = el("a").attr("href", view.links.page(Page::Finding(&listed.id))).add(&listed.title);
        el("li").add(link).add(format!(" ({why})"))
    };
    let merged = dossier.merged.iter().map(|listed| item(listed, "merged: triage found it to be this bug"));
    let similar = dossier.similar.iter().map(|listed| item(listed, "same class, most operators shared"));
    let all: Vec<_> = merged.chain(similar).collect();
    if all.is_empty() {
        return el("p").class("empty").add("None is known.").into();
    }
    el("ul").each(all).into()
}
