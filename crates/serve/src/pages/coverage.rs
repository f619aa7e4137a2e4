//! How much of the solvers was reached: by namespace, over time and by strategy.

use super::View;
use super::layout::{layout, live, section};
use super::overview::chosen;
use super::table::table;
use crate::charts::{Kind, LineChart, Series, short, treemap};
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
    let mut spaces: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for area in &areas.areas {
        let name = area.path.first().map_or("(no namespace)", String::as_str);
        let (functions, reached) = spaces.entry(name).or_default();
        *functions += area.functions;
        *reached += area.reached;
    }
    let (functions, reached) = spaces.values().fold((0, 0), |sum, space| (sum.0 + space.0, sum.1 + space.1));
    let text = |functions: u64, reached: u64| {
        format!("{reached} of {functions} functions, {}", percent(share(reached, functions)))
    };
    let part = |(name, (functions, reached)): (&&str, &(u64, u64))| {
        (
            (*name).to_owned(),
            *functions as f64,
            share(*reached, *functions).unwrap_or(0.0),
            text(*functions, *reached),
        )
    };
    let parts: Vec<_> = spaces.iter().map(part).collect();
    let label =
        format!("The functions of {} by namespace and class: {}", areas.solver, text(functions, reached));
    let mut largest: Vec<(&&str, &(u64, u64))> = spaces.iter().collect();
    largest.sort_by_key(|(_, (functions, _))| std::cmp::Reverse(*functions));
    let row = |(name, (functions, reached)): &(&&str, &(u64, u64))| -> Vec<Html> {
        vec![
            (**name).into(),
            (*functions).into(),
            (*reached).into(),
            percent(share(*reached, *functions)).into(),
        ]
    };
    let rows = largest.iter().take(LISTED).map(row).collect();
    let list = el("details")
        .add(el("summary").add(format!(
            "The {} largest of {} as a table",
            LISTED.min(spaces.len()),
            spaces.len()
        )))
        .add(table(
            "Functions by namespace",
            &["namespace or class", "#functions", "#reached", "#share"],
            rows,
        ));
    let steps = (0..=9).map(|step| {
        el("li")
            .add(el("span").class(&format!("swatch h{step}")).attr("aria-hidden", "true"))
            .add(format!("{}%", step * 100 / 9))
    });
    let legend =
        el("ul").class("legend").attr("aria-label", "Share of the functions that were reached").each(steps);
    Html::all([
        Html::from(el("p").add(format!("{}. A rectangle is as large as its namespace has functions, and as dark as many of them were reached.", text(functions, reached)))),
        treemap(&label, &parts),
        legend.into(),
        list.into(),
    ])
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
