//! The state of a campaign, live.

use super::View;
use super::layout::{layout, live, section};
use super::table::table;
use crate::charts::{Kind, LineChart, Series, bar, short};
use crate::data::{DataError, Machine, MachineState};
use crate::html::{Html, el};
use crate::http::{Request, encoded};
use crate::links::Page;
use crate::time::{moment, now, span};
use campaign::present::text::percent;
use campaign::{Purpose, Statistics, share};
use case::Class;
use store::shared::{JobCount, WorkKind};
use store::{CampaignEntry, CampaignState};

/// How many points a chart has.
const POINTS: usize = 160;
/// The most processes in the list.
const MACHINES: usize = 200;
/// How many parts the time of found bugs has.
const PARTS: u64 = 120;
/// The ranges to choose from: name, words, milliseconds.
const RANGES: [(&str, &str, u64); 5] = [
    ("all", "All", u64::MAX),
    ("1h", "1 hour", 3_600_000),
    ("6h", "6 hours", 21_600_000),
    ("1d", "1 day", 86_400_000),
    ("7d", "7 days", 604_800_000),
];

/// The campaign that a request names, or the latest.
pub fn chosen(view: &View<'_>, request: &Request) -> Result<Option<CampaignEntry>, DataError> {
    match request.value("campaign") {
        Some(text) => {
            let id = text.parse().map_err(|_| DataError::Missing(format!("campaign `{text}`")))?;
            view.data.campaign(id).map(Some)
        }
        None => Ok(view.data.campaigns()?.into_iter().next()),
    }
}

/// The statistics of a campaign in a range of its time, with the last ones.
pub struct Course {
    pub entry: CampaignEntry,
    pub now: Statistics,
    pub points: Vec<(u64, Statistics)>,
}

impl Course {
    fn read(view: &View<'_>, entry: CampaignEntry, range: u64) -> Result<Course, DataError> {
        let now = view.data.totals(entry.id)?;
        let from = entry.elapsed.saturating_sub(range);
        let mut points = view.data.samples(entry.id, from, entry.elapsed, POINTS)?;
        if range >= entry.elapsed {
            points.insert(0, (0, Statistics::default()));
        }
        if points.last().is_none_or(|(elapsed, _)| *elapsed < entry.elapsed) {
            points.push((entry.elapsed, now.clone()));
        }
        Ok(Course { entry, now, points })
    }

    /// A series of values at each point.
    pub fn series(&self, name: &str, value: impl Fn(&Statistics) -> f64) -> Series {
        let point = |(elapsed, statistics): &(u64, Statistics)| (*elapsed as f64, value(statistics));
        Series { name: name.to_owned(), points: self.points.iter().map(point).collect(), faint: false }
    }

    /// A series of values of each part between two points.
    fn rates(&self, name: &str, value: impl Fn(&Statistics, &Statistics, f64) -> Option<f64>) -> Series {
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        let rate = |((before, old), (after, new)): (&(u64, Statistics), &(u64, Statistics))| {
            let seconds = (after - before) as f64 / 1000.0;
            Some((*after as f64, value(old, new, seconds).filter(|_| seconds > 0.0)?))
        };
        Series { name: name.to_owned(), points: pairs.filter_map(rate).collect(), faint: false }
    }
}

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let Some(entry) = chosen(view, request)? else {
        let body = Html::all([
            Html::from(el("h1").add("Overview")),
            el("p").add("No campaign has run in this folder yet. `elenchus fuzz` starts one.").into(),
        ]);
        return Ok(layout(view, Page::Overview, "Overview", body));
    };
    let range = request.value("range").and_then(|name| RANGES.iter().find(|range| range.0 == name));
    let range = range.unwrap_or(&RANGES[0]);
    let course = Course::read(view, entry, range.2)?;
    let other = match request.value("compare").and_then(|text| text.parse().ok()) {
        Some(id) if id != course.entry.id => Some(Course::read(view, view.data.campaign(id)?, range.2)?),
        _ => None,
    };
    let body = Html::all([
        Html::from(el("h1").add("Overview")),
        live("state", state(view, &course)?),
        if view.is_live() { choices(view, request, &course, range.0)? } else { Html::none() },
        live("charts", el("div").class("grid").each(charts(view, &course, other.as_ref(), range.2)?)),
        live("yields", section("Strategies and solvers", yields(view, &course)?)),
        live("answers", section("Answers of the solvers", answers(&course.now))),
        live("workers", section("Machines and workers", workers(view, &course)?)),
    ]);
    Ok(layout(view, Page::Overview, "Overview", body))
}

/// The most important numbers.
fn state(view: &View<'_>, course: &Course) -> Result<Html, DataError> {
    let counts = view.data.counts()?;
    let machines = view.data.machines()?;
    let entry = &course.entry;
    let (state, class) = match entry.state {
        CampaignState::Running if machines.iter().any(|machine| machine.state == MachineState::Working) => {
            ("running", "good")
        }
        CampaignState::Running => ("ended without being stopped", "bad"),
        CampaignState::Stopped => ("stopped", "quiet"),
        CampaignState::Finished => ("finished", "good"),
    };
    let lately = course.rates("", rate).points.last().map_or(0.0, |point| point.1);
    let mean = share(course.now.cases, entry.elapsed / 1000).unwrap_or(0.0);
    let cards = [
        ("State", state.to_owned(), class, format!("campaign {}, seed {}", entry.id, entry.seed)),
        ("Time", span(entry.elapsed), "", format!("since {} UTC", moment(entry.started))),
        (
            "Bugs",
            counts.bugs().to_string(),
            if counts.bugs() > 0 { "bad" } else { "" },
            format!("{} candidates", counts.candidates()),
        ),
        (
            "Last discovery",
            counts.newest.map_or_else(
                || "none".to_owned(),
                |time| format!("{} ago", span(now().saturating_sub(time))),
            ),
            "",
            counts.newest.map_or_else(String::new, |time| format!("{} UTC", moment(time))),
        ),
        ("Cases", short(course.now.cases as f64), "", format!("{mean:.1} per second, {lately:.1} lately")),
        ("Solvers", percent(course.now.solver_share()), "", "of the workers' time".to_owned()),
    ];
    let card = |(name, value, class, more): (&str, String, &str, String)| {
        el("li")
            .add(el("span").class("name").add(name))
            .add(el("strong").class(class).add(value))
            .add(el("span").class("more").add(more))
    };
    Ok(el("ul").class("numbers").each(cards.map(card)).into())
}

/// Cases per second between two points.
fn rate(old: &Statistics, new: &Statistics, seconds: f64) -> Option<f64> {
    Some(new.cases.saturating_sub(old.cases) as f64 / seconds)
}

/// The range, the campaign and the one to compare with.
fn choices(view: &View<'_>, request: &Request, course: &Course, range: &str) -> Result<Html, DataError> {
    let campaigns = view.data.campaigns()?;
    let option = |value: String, text: String, selected: bool| {
        el("option").attr("value", value).flag("selected", selected).add(text)
    };
    let name =
        |entry: &CampaignEntry| format!("{} ({}, {})", entry.id, moment(entry.started), span(entry.elapsed));
    let ranges = RANGES
        .iter()
        .map(|(value, words, _)| option((*value).to_owned(), (*words).to_owned(), *value == range));
    let own =
        campaigns.iter().map(|entry| option(entry.id.to_string(), name(entry), entry.id == course.entry.id));
    let compared = request.value("compare").unwrap_or_default();
    let others = campaigns
        .iter()
        .filter(|entry| entry.id != course.entry.id)
        .map(|entry| option(entry.id.to_string(), name(entry), entry.id.to_string() == compared));
    let none = option(String::new(), "nothing".to_owned(), compared.is_empty());
    let field = |text: &str, select: Html| el("label").add(text).add(" ").add(select);
    Ok(el("form")
        .class("choices")
        .attr("method", "get")
        .attr("action", view.links.page(Page::Overview))
        .add(field("Time range", el("select").attr("name", "range").each(ranges).into()))
        .add(field("Campaign", el("select").attr("name", "campaign").each(own).into()))
        .add(field("Compare with", el("select").attr("name", "compare").add(none).each(others).into()))
        .add(el("button").add("Show"))
        .into())
}

fn charts(
    view: &View<'_>,
    course: &Course,
    other: Option<&Course>,
    range: u64,
) -> Result<Vec<Html>, DataError> {
    let time = |milliseconds: f64| span(milliseconds as u64);
    let percent_of = |value: f64| format!("{:.0}%", value * 100.0);
    let mut charts = vec![found(view, course, range)?];
    let compared = |mut series: Series, name: &str| {
        (series.faint, series.name) =
            (true, format!("{name}, campaign {}", other.map_or(0, |other| other.entry.id)));
        series
    };
    let mut rates = vec![course.rates("all strategies", rate)];
    rates.extend(other.map(|other| compared(other.rates("", rate), "all strategies")));
    charts.push(
        LineChart {
            title: "Cases per second",
            kind: Kind::Lines,
            series: rates,
            time: &time,
            value: &short,
            top: None,
        }
        .html(),
    );
    charts.push(
        LineChart {
            title: "Where the time of the workers goes",
            kind: Kind::Stacked,
            series: time_shares(course),
            time: &time,
            value: &percent_of,
            top: Some(1.0),
        }
        .html(),
    );
    let reach = |statistics: &Statistics, solver: &str| {
        statistics.reached.get(solver).map_or(0.0, |reach| reach.reached as f64)
    };
    let mut covered: Vec<Series> =
        course.now.reached.keys().map(|solver| course.series(solver, |at| reach(at, solver))).collect();
    if let Some(other) = other {
        covered.extend(
            other.now.reached.keys().map(|solver| compared(other.series("", |at| reach(at, solver)), solver)),
        );
    }
    if covered.is_empty() {
        let why = el("p").class("empty").add("Coverage is measured with `elenchus fuzz --coverage`.");
        charts
            .push(el("figure").class("chart").add(el("figcaption").add("Functions reached")).add(why).into());
    } else {
        charts.push(
            LineChart {
                title: "Functions reached",
                kind: Kind::Lines,
                series: covered,
                time: &time,
                value: &short,
                top: None,
            }
            .html(),
        );
    }
    Ok(charts)
}

/// Findings by class since the campaign began.
fn found(view: &View<'_>, course: &Course, range: u64) -> Result<Html, DataError> {
    let until = match course.entry.state {
        CampaignState::Running => now(),
        _ => (course.entry.started + course.entry.elapsed).max(view.data.counts()?.newest.unwrap_or(0)),
    };
    let until = until.max(course.entry.started + 1);
    let from = course.entry.started.max(until.saturating_sub(range));
    let width = (until - from) / PARTS + 1;
    let series = view.data.found_between(from, until, PARTS)?.into_iter().map(
        |(class, parts): (Class, Vec<(u64, u64)>)| {
            let mut sum = 0;
            let mut points = vec![(0.0, 0.0)];
            for (part, count) in parts {
                sum += count;
                points.push((((part * width) as f64).max(0.0), sum as f64));
            }
            points.push(((until - from) as f64, sum as f64));
            Series { name: class.name().to_owned(), points, faint: false }
        },
    );
    let time = |milliseconds: f64| moment(from + milliseconds as u64)[5..].to_owned();
    let series = series.collect();
    Ok(LineChart {
        title: "Findings over time, by class",
        kind: Kind::Steps,
        series,
        time: &time,
        value: &short,
        top: None,
    }
    .html())
}

/// The share of each purpose in the time between two points.
fn time_shares(course: &Course) -> Vec<Series> {
    let part = |name: &str, of: &dyn Fn(&Statistics) -> u64| {
        course.rates(name, |old, new, _| {
            share(of(new).saturating_sub(of(old)), new.busy.saturating_sub(old.busy)).or(Some(0.0))
        })
    };
    let mut all: Vec<(u64, Series)> = Purpose::ALL
        .iter()
        .map(|purpose| {
            (course.now.time.of(*purpose).total(), part(purpose.name(), &|at| at.time.of(*purpose).total()))
        })
        .collect();
    all.push((course.now.own_time(), part("own code", &Statistics::own_time)));
    all.sort_by_key(|(total, _)| std::cmp::Reverse(*total));
    all.retain(|(total, _)| *total > 0);
    // There are only so many colours; the smallest parts are one.
    let mut series: Vec<Series> = all.into_iter().map(|(_, series)| series).collect();
    if series.len() > crate::charts::COLOURS {
        let rest = series.split_off(crate::charts::COLOURS - 1);
        let mut sum = Series { name: "everything else".to_owned(), ..rest[0].clone() };
        for series in &rest[1..] {
            sum.points.iter_mut().zip(&series.points).for_each(|(sum, point)| sum.1 += point.1);
        }
        series.push(sum);
    }
    series
}

/// Strategies with their yields, and their findings by solver.
fn yields(view: &View<'_>, course: &Course) -> Result<Html, DataError> {
    let yields = view.data.counts()?.yields;
    let solvers: Vec<&String> = course.now.targets.keys().collect();
    let headings: Vec<String> = ["strategy", "#cases", "#answered", "#accepted", "#hits", "#per 1000"]
        .into_iter()
        .map(str::to_owned)
        .chain(solvers.iter().map(|solver| format!("#{solver}")))
        .collect();
    let rows = course.now.strategies.iter().map(|(name, tally)| {
        let per_thousand =
            share(tally.hits * 1000, tally.cases).map_or_else(|| "-".to_owned(), |rate| format!("{rate:.2}"));
        let mut row: Vec<Html> = vec![
            name.into(),
            tally.cases.into(),
            percent(share(tally.answered, tally.cases)).into(),
            percent(share(tally.accepted, tally.runs)).into(),
            tally.hits.into(),
            per_thousand.into(),
        ];
        row.extend(solvers.iter().map(|solver| {
            let found = yields.get(&(name.clone(), (*solver).clone())).copied().unwrap_or(0);
            if found == 0 || !view.is_live() {
                return found.into();
            }
            let address = format!(
                "{}?strategy={}&solver={}",
                view.links.page(Page::Findings),
                encoded(name),
                encoded(solver)
            );
            el("a").attr("href", address).add(found).into()
        }));
        row
    });
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    Ok(table("What each strategy brought, and its findings in each solver", &headings, rows.collect()))
}

/// The answers of each solver as bars.
fn answers(statistics: &Statistics) -> Html {
    let one = |(solver, tally): (&String, &campaign::TargetTally)| {
        let parts = [
            ("sat", tally.sat),
            ("unsat", tally.unsat),
            ("unknown", tally.unknown),
            ("time limit", tally.timeouts),
            ("other limits", tally.limits),
            ("refused", tally.refused),
            ("errors", tally.errors),
            ("crashes", tally.crashes),
        ];
        let all: u64 = parts.iter().map(|part| part.1).sum();
        let parts =
            parts.map(|(name, count)| (name.to_owned(), share(count, all).unwrap_or(0.0), count.to_string()));
        let mean = share(tally.time, tally.runs * 1000).unwrap_or(0.0);
        el("div")
            .add(el("h3").add(format!("{solver}: {} runs, {mean:.1} ms each", tally.runs)))
            .add(bar(&format!("Answers of {solver}"), &parts))
    };
    if statistics.targets.is_empty() {
        return el("p").class("empty").add("Nothing yet.").into();
    }
    Html::all(statistics.targets.iter().map(one))
}

/// The machines with their heartbeats, and where each worker is.
fn workers(view: &View<'_>, course: &Course) -> Result<Html, DataError> {
    let mut machines = view.data.machines()?;
    let is_shared = machines.iter().any(|machine| machine.process.is_some());
    let unlisted = machines.len().saturating_sub(MACHINES);
    machines.truncate(MACHINES);
    let totals = view.data.shared_totals()?;
    let mut pieces = vec![Html::all(view.data.trouble().map(|trouble| {
        let since = moment(trouble.since);
        el("p").class("bad").add(format!("The store cannot be reached since {since} UTC: {}.", trouble.why))
    }))];
    pieces.push(if is_shared {
        table(
            "Processes, those that work first",
            &["machine", "#process", "#workers", "takes", "version", "state", "last heard of", "#cases/s"],
            machines.into_iter().map(process_row).collect(),
        )
    } else {
        let row = |machine: Machine| -> Vec<Html> {
            vec![machine.name.into(), machine.state.word().into(), heard(machine.heartbeat).into()]
        };
        let rows = machines.into_iter().map(row).collect();
        table("Machines", &["machine", "state", "last heartbeat"], rows)
    });
    if unlisted > 0 {
        pieces.push(el("p").class("more").add(format!("{unlisted} more are not listed.")).into());
    }
    if let Some(totals) = totals {
        let row = |count: &JobCount| -> Vec<Html> {
            vec![count.kind.name().into(), count.waiting.into(), count.running.into(), count.failed.into()]
        };
        let rows = totals.jobs.iter().map(row).collect();
        pieces.push(table("Jobs", &["kind", "#waiting", "#running", "#given up"], rows));
        let blocks = case::table::counted(totals.held, "block");
        pieces.push(el("p").add(format!("Processes hold {blocks} of turns.")).into());
    }
    let worker = |(number, position): (usize, store::Position)| -> Vec<Html> {
        vec![
            (number as u64 + 1).into(),
            position.strategy.into(),
            el("code").add(position.seed_hash).into(),
            position.round.into(),
            position.index.into(),
        ]
    };
    let positions = view.data.positions(course.entry.id)?;
    if !is_shared {
        pieces.push(table(
            "Units of work in progress",
            &["#number", "strategy", "seed", "#round", "#next case"],
            positions.into_iter().enumerate().map(worker).collect(),
        ));
    }
    Ok(Html::all(pieces))
}

/// A process of a campaign that several machines share.
fn process_row(machine: Machine) -> Vec<Html> {
    let class = match machine.state {
        MachineState::Working => "good",
        MachineState::Silent => "bad",
        MachineState::NotWorking | MachineState::Left => "quiet",
    };
    let takes: Vec<&str> = machine.work.iter().map(|kind| kind.name()).collect();
    vec![
        machine.name.into(),
        machine.process.map_or(0, u64::from).into(),
        machine.workers.map_or(0, u64::from).into(),
        if takes.len() == WorkKind::ALL.len() { "everything".into() } else { takes.join(", ").into() },
        machine.version.unwrap_or_default().into(),
        el("span").class(class).add(machine.state.word()).into(),
        heard(machine.heartbeat).into(),
        machine.rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}")).into(),
    ]
}

/// How long ago something was heard of a process.
fn heard(heartbeat: Option<u64>) -> String {
    heartbeat.map_or_else(|| "-".to_owned(), |time| format!("{} ago", span(now().saturating_sub(time))))
}
