//! How much of the solvers was reached: by namespace, over time and by strategy.

use super::View;
use super::layout::{layout, live, section};
use super::overview::chosen;
use super::table::table;
use crate::charts::{Kind, LineChart, Part, Series, short, treemap};
use crate::data::{CoveredAreas, DataError};
use crate::html::{Html, el};
use crate::http::Request;
use crate::links::Page;
use crate::time::span;
use campaign::Statistics;
use campaign::present::text::percent;
use campaign::share;
use std::collections::{BTreeMap, BTreeSet};

/// How many points a chart has, and how many namespaces the table lists.
const POINTS: usize = 160;
const LISTED: usize = 40;
/// How many namespaces the picture shows, and how many classes of each.
const SPACES: usize = 90;
const CLASSES: usize = 30;

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let mut pieces = vec![Html::from(el("h1").add("Coverage"))];
    let all = view.data.covered_areas()?;
    let samples = match chosen(view, request)? {
        Some(entry) => {
            let mut samples = view.data.samples(entry.id, 0, entry.elapsed, POINTS)?;
            samples.insert(0, (0, Statistics::default()));
            samples.push((entry.elapsed, view.data.totals(entry.id)?));
            samples
        }
        None => Vec::new(),
    };
    let solvers: BTreeSet<&String> = samples.iter().flat_map(|(_, at)| at.reached.keys()).collect();
    if all.is_empty() && solvers.is_empty() {
        pieces.push(
            el("p")
                .class("empty")
                .add("This campaign does not measure coverage. `elenchus fuzz --coverage` does.")
                .into(),
        );
    }
    for areas in &all {
        pieces.push(section(&format!("Functions of {}", areas.solver), map(areas)));
    }
    for solver in solvers {
        pieces.push(live(
            &format!("growth-{}", pieces.len()),
            section(&format!("Growth in {solver}"), growth(solver, &samples)),
        ));
    }
    Ok(layout(view, Page::Coverage, "Coverage", Html::all(pieces)))
}

/// The namespaces of a solver, as a picture and as a table.
fn map(areas: &CoveredAreas) -> Html {
    let mut spaces: BTreeMap<&str, Vec<Part>> = BTreeMap::new();
    for area in &areas.areas {
        let name = area.path.first().map_or("(no namespace)", String::as_str);
        let class = area.path.get(1).map_or("(no class)", String::as_str);
        spaces.entry(name).or_default().push(part(class, area.functions, area.reached, Vec::new()));
    }
    let mut all: Vec<Part> =
        spaces.into_iter().map(|(name, classes)| sum(name, gathered(classes, CLASSES))).collect();
    all.sort_by(|one, other| other.size.total_cmp(&one.size).then(one.name.cmp(&other.name)));
    let row = |part: &Part| -> Vec<Html> {
        vec![(&part.name).into(), (part.size as u64).into(), (&part.text).into()]
    };
    let listed = all.len().min(LISTED);
    let rows = all.iter().take(LISTED).map(row).collect();
    let list = el("details")
        .add(el("summary").add(format!("The {listed} largest of {} as a table", all.len())))
        .add(table("Functions by namespace", &["namespace or class", "#functions", "#reached"], rows));
    let total = sum("", all.clone()).text;
    let label = format!("The functions of {} by namespace and class: {total}", areas.solver);
    let what = format!(
        "{total}. A rectangle is as large as its class has functions, and as dark as many of them were reached."
    );
    let shade = |step| el("span").class(&format!("swatch h{step}")).attr("aria-hidden", "true");
    let steps = (0..=9).map(|step| el("li").add(shade(step)).add(format!("{}%", step * 100 / 9)));
    let legend =
        el("ul").class("legend").attr("aria-label", "Share of the functions that were reached").each(steps);
    Html::all([
        Html::from(el("p").add(what)),
        treemap(&label, &gathered(all, SPACES)),
        legend.into(),
        list.into(),
    ])
}

fn part(name: &str, functions: u64, reached: u64, parts: Vec<Part>) -> Part {
    let share = share(reached, functions);
    let text = format!("{reached} of {functions} functions, {}", percent(share));
    Part { name: name.to_owned(), size: functions as f64, share: share.unwrap_or(0.0), text, parts }
}

/// The parts as one.
fn sum(name: &str, parts: Vec<Part>) -> Part {
    let functions: f64 = parts.iter().map(|part| part.size).sum();
    let reached: f64 = parts.iter().map(|part| part.size * part.share).sum();
    part(name, functions.round() as u64, reached.round() as u64, parts)
}

/// The largest parts, and all others as one.
fn gathered(mut parts: Vec<Part>, most: usize) -> Vec<Part> {
    parts.sort_by(|one, other| other.size.total_cmp(&one.size).then(one.name.cmp(&other.name)));
    if parts.len() > most {
        let small = parts.split_off(most - 1);
        parts.push(Part { parts: Vec::new(), ..sum(&format!("{} smaller ones", small.len()), small) });
    }
    parts
}

/// The functions that each strategy reached over time.
fn growth(solver: &str, samples: &[(u64, Statistics)]) -> Html {
    let of = |at: &Statistics| at.reached.get(solver).cloned().unwrap_or_default();
    let strategies: BTreeSet<String> =
        samples.iter().flat_map(|(_, at)| of(at).strategies.into_keys()).collect();
    let series = |name: &str, value: &dyn Fn(&Statistics) -> u64| Series {
        name: name.to_owned(),
        points: samples.iter().map(|(elapsed, at)| (*elapsed as f64, value(at) as f64)).collect(),
        faint: false,
    };
    let mut all = vec![series("all strategies", &|at| of(at).reached)];
    all.extend(
        strategies.iter().map(|name| series(name, &|at| of(at).strategies.get(name).copied().unwrap_or(0))),
    );
    let time = |milliseconds: f64| span(milliseconds as u64);
    LineChart {
        title: "Functions reached, by strategy",
        kind: Kind::Lines,
        series: all,
        time: &time,
        value: &short,
        top: None,
    }
    .html()
}
