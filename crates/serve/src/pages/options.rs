//! Which options of a solver matter to which operations: what `elenchus learn` found out.

use super::View;
use super::layout::layout;
use super::overview::chosen;
use super::table::table;
use crate::data::DataError;
use crate::html::{Html, el};
use crate::http::{Request, encoded};
use crate::links::Page;
use falcon::Correlations;
use falcon::present::{HeatMap, Pair, correlated, general_options};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// How many options and operations the map shows, and how many pairs the list has.
const COLUMNS: usize = 24;
const ROWS: usize = 60;
const LISTED: usize = 100;

/// What was learned about each solver that is known here, by the name of the source.
fn sources(view: &View<'_>, request: &Request) -> Result<BTreeMap<String, Correlations>, DataError> {
    let mut sources = BTreeMap::new();
    let settings: campaign::Settings = match chosen(view, request)? {
        Some(entry) => serde_json::from_str(&entry.settings).unwrap_or_default(),
        None => campaign::Settings::default(),
    };
    for file in &settings.correlations {
        // A file that was moved since is left out.
        if let Ok(learned) = Correlations::read(Path::new(file)) {
            sources.insert(learned.solver.clone(), learned);
        }
    }
    for (name, learned) in built_in() {
        if !sources.keys().any(|solver: &String| solver.starts_with(name)) {
            sources.insert(learned.solver.clone(), learned.clone());
        }
    }
    Ok(sources)
}

/// What comes with the program, read once.
fn built_in() -> &'static [(&'static str, Correlations)] {
    static BUILT_IN: LazyLock<Vec<(&'static str, Correlations)>> = LazyLock::new(|| {
        ["z3", "cvc5"].into_iter().filter_map(|name| Some((name, Correlations::built_in(name)?))).collect()
    });
    &BUILT_IN
}

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let sources = sources(view, request)?;
    let wanted = request.value("solver").unwrap_or_default();
    let mut pieces = vec![Html::from(el("h1").add("Options"))];
    if view.is_live() {
        pieces.push(form(view, request, &sources));
    }
    let shown: Vec<(&String, &Correlations)> = match (view.is_live(), sources.get_key_value(wanted)) {
        // Files have no form, so they show everything.
        (false, _) => sources.iter().collect(),
        (true, Some(source)) => vec![source],
        (true, None) => sources.iter().next_back().into_iter().collect(),
    };
    for (_, learned) in shown {
        pieces.push(one(learned, request));
    }
    Ok(layout(view, Page::Options, "Options", Html::all(pieces)))
}

fn form(view: &View<'_>, request: &Request, sources: &BTreeMap<String, Correlations>) -> Html {
    let chosen = |name: &str| request.value(name).unwrap_or_default().to_owned();
    let last = sources.keys().next_back().cloned().unwrap_or_default();
    let solver = Some(chosen("solver")).filter(|solver| sources.contains_key(solver)).unwrap_or(last);
    let option = |name: &String| el("option").attr("value", name).flag("selected", *name == solver).add(name);
    let text = |label: &str, name: &'static str| {
        el("label")
            .add(label)
            .add(el("input").attr("type", "search").attr("name", name).attr("value", chosen(name)))
    };
    let orders = [("strength", "strongest first"), ("name", "by name")].map(|(name, words)| {
        el("option").attr("value", name).flag("selected", chosen("order") == name).add(words)
    });
    el("form")
        .class("choices")
        .attr("id", "filter")
        .attr("role", "search")
        .attr("method", "get")
        .attr("action", view.links.page(Page::Options))
        .add(
            el("label")
                .add("Solver")
                .add(el("select").attr("name", "solver").each(sources.keys().map(option))),
        )
        .add(text("Operation", "operation"))
        .add(text("Option", "option"))
        .add(el("label").add("Order").add(el("select").attr("name", "order").each(orders)))
        .add(el("button").add("Show"))
        .into()
}

fn one(learned: &Correlations, request: &Request) -> Html {
    let part = |name: &str| request.value(name).unwrap_or_default().to_owned();
    let (operation, option) = (part("operation"), part("option"));
    let mut pairs = correlated(learned, 0.0);
    pairs.retain(|pair| pair.operation.contains(&operation) && pair.option.contains(&option));
    let picture = map(learned, &pairs, &operation);
    if part("order") != "name" {
        pairs.sort_by(|one, other| {
            other.probability.total_cmp(&one.probability).then(one.operation.cmp(&other.operation))
        });
    }
    let row = |pair: &Pair| -> Vec<Html> {
        vec![
            el("code").add(&pair.operation).into(),
            el("code").add(&pair.option).into(),
            format!("{:.0}%", pair.probability * 100.0).into(),
            format!("{:.0}%", pair.elsewhere * 100.0).into(),
        ]
    };
    let rows = pairs.iter().take(LISTED).map(row).collect();
    let more = pairs.len().saturating_sub(LISTED);
    let more = (more > 0)
        .then(|| el("p").class("more").add(format!("{more} more pairs; search to narrow the list down.")));
    let headings = ["operation", "option", "#makes a difference", "#without the operation"];
    el("section")
        .class("card")
        .add(el("h2").add(&learned.solver))
        .add(el("p").add(format!(
            "Learned from {} formulas in {} runs. Options that matter to most formulas: {}.",
            learned.formulas,
            learned.runs,
            general_options(learned)
        )))
        .add(picture)
        .add(table(&format!("{} pairs of operation and option", pairs.len()), &headings, rows))
        .maybe(more)
        .into()
}

/// The map: a row for each operation, a column for each option. Each cell says its number, so that colour is not needed.
fn map(learned: &Correlations, pairs: &[Pair], operation: &str) -> Html {
    let map = HeatMap::new(learned, pairs, |name| name.contains(operation), COLUMNS);
    if map.rows().is_empty() {
        return el("p").class("empty").add("No option correlates with an operation of that name.").into();
    }
    let heading = |name: &String| el("th").attr("scope", "col").add(el("span").add(name));
    let head = el("tr").add(el("td")).each(map.columns().iter().map(heading));
    let cell = |row: &String, column: &String| {
        let share = learned.probability(row, column).filter(|_| learned.correlate(row, column));
        let text = share.map_or_else(String::new, |share| format!("{:.0}", share * 100.0));
        let shade = share.map(|share| format!("h{:.0}", (share * 9.0).clamp(0.0, 9.0)));
        el("td").attr_if("class", shade).add(text)
    };
    let row = |name: &String| {
        el("tr")
            .add(el("th").attr("scope", "row").add(name))
            .each(map.columns().iter().map(|column| cell(name, column)))
    };
    let rows = el("tbody").each(map.rows().iter().take(ROWS).map(row));
    let caption = format!(
        "Percent of the formulas with the operation in which the option made a difference; the {} strongest options, {} of {} operations",
        map.columns().len(),
        map.rows().len().min(ROWS),
        map.rows().len()
    );
    let table =
        el("table").class("heat").add(el("caption").add(caption)).add(el("thead").add(head)).add(rows);
    let steps = (0..=9).map(|step| {
        el("li")
            .add(el("span").class(&format!("swatch h{step}")).attr("aria-hidden", "true"))
            .add(format!("{}%", step * 100 / 9))
    });
    let legend = el("ul").class("legend").attr("aria-label", "Legend").each(steps);
    let label = format!("Heat map of {}", encoded(&learned.solver));
    Html::all([
        Html::from(
            el("div")
                .class("scroll")
                .attr("tabindex", 0)
                .attr("role", "region")
                .attr("aria-label", label)
                .add(table),
        ),
        legend.into(),
    ])
}
