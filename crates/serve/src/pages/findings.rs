//! The list of findings: filtered, sorted, searched, counted over time.

use super::View;
use super::layout::{layout, live, section};
use super::table::table;
use crate::charts::{Kind, LineChart, Series, short};
use crate::data::DataError;
use crate::html::{Element, Html, el};
use crate::http::{Request, encoded};
use crate::links::{Links, Page};
use crate::time::{moment, now};
use case::Class;
use store::{FacetKind, FindingFilter, FindingOrder, FindingPage, Listed, Status};

/// How many findings a page shows.
pub const PAGE: u64 = 50;
/// How many parts the counts over time have.
const PARTS: u64 = 80;

/// The orders by name.
const ORDERS: [(&str, &str, FindingOrder); 5] = [
    ("severity", "most severe", FindingOrder::Severity),
    ("newest", "newest", FindingOrder::Newest),
    ("last-seen", "seen last", FindingOrder::LastSeen),
    ("cases", "most cases", FindingOrder::Cases),
    ("size", "smallest script", FindingOrder::Size),
];

/// The filter of a query; what is not understood is the sentence of the error.
pub fn filter_of(request: &Request) -> Result<FindingFilter, DataError> {
    let unknown = |what: &str, value: &str| DataError::Missing(format!("{what} `{value}`"));
    let class = |name| Class::from_name(name).ok_or_else(|| unknown("class", name));
    let status = |name| Status::from_name(name).ok_or_else(|| unknown("status", name));
    let kinds = FacetKind::ALL.into_iter();
    let facets = kinds.filter_map(|kind| Some((kind, request.value(kind.name())?.to_owned())));
    Ok(FindingFilter {
        text: request.value("q").map(str::to_owned),
        class: request.value("class").map(class).transpose()?,
        status: request.value("status").map(status).transpose()?,
        bug: match request.value("rank") {
            Some("bug") => Some(true),
            Some("candidate") => Some(false),
            Some(other) => return Err(unknown("rank", other)),
            None => None,
        },
        facets: facets.collect(),
        merged: request.value("merged") == Some("1"),
        since: request.value("since").and_then(|text| text.parse().ok()),
    })
}

/// The order of a query.
pub fn order_of(request: &Request) -> FindingOrder {
    let named = request.value("order").and_then(|name| ORDERS.iter().find(|order| order.0 == name));
    named.map_or_else(FindingOrder::default, |order| order.2)
}

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let filter = filter_of(request)?;
    let number = request.value("page").and_then(|text| text.parse().ok()).unwrap_or(1).clamp(1, 1 << 32);
    let found = view.data.page(&filter, order_of(request), (number - 1) * PAGE, PAGE)?;
    let form = if view.is_live() { form(view, request)? } else { quick_filter() };
    let body = Html::all([
        Html::from(el("h1").add("Findings")),
        form,
        live("list", Html::all([list(view, &found), pages(view, request, found.total, number)])),
        live("times", section("Found over time", times(view)?)),
    ]);
    Ok(layout(view, Page::Findings, "Findings", body))
}

/// The table of a page of findings.
fn list(view: &View<'_>, found: &FindingPage) -> Html {
    let total = match found.total {
        1 => "1 finding".to_owned(),
        total => format!("{total} findings"),
    };
    let rows = found.findings.iter().map(|(listed, status)| row(view, listed, *status)).collect();
    let headings = ["severity", "finding", "solver", "status", "#cases", "#bytes", "first seen"];
    table(&total, &headings, rows)
}

fn row(view: &View<'_>, listed: &Listed, status: Status) -> Vec<Html> {
    let solvers: Vec<&str> = listed.solvers.iter().map(|solver| solver.id.as_str()).collect();
    let link =
        el("a").class("title").attr("href", view.links.page(Page::Finding(&listed.id))).add(&listed.title);
    let name = el("code").class("id").add(&listed.id);
    let merged =
        listed.merged_into.as_ref().map(|other| el("span").class("more").add(format!(" same as {other}")));
    vec![
        severity(listed).into(),
        el("div").add(link).add(" ").add(name).maybe(merged).into(),
        solvers.join(", ").into(),
        badge(status).into(),
        listed.count.into(),
        listed.reduced_bytes.map_or_else(|| "-".into(), Html::from),
        moment(listed.first_seen).into(),
    ]
}

/// The severity of a finding as a label with a colour.
pub fn severity(listed: &Listed) -> Element {
    let class = if listed.bug { "badge bug" } else { "badge candidate" };
    el("span").class(class).add(listed.severity.name())
}

/// A status as a label.
pub fn badge(status: Status) -> Element {
    el("span").class(&format!("badge status-{}", status.name())).add(status.words())
}

/// The query of a request without some names, for links.
fn rest(request: &Request, without: &[&str]) -> String {
    let kept =
        request.query.iter().filter(|(name, value)| !without.contains(&name.as_str()) && !value.is_empty());
    kept.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect::<Vec<_>>().join("&")
}

/// Links to other pages of the list.
fn pages(view: &View<'_>, request: &Request, total: u64, number: u64) -> Html {
    let last = total.div_ceil(PAGE).max(1);
    if last == 1 {
        return Html::none();
    }
    let rest = rest(request, &["page"]);
    let link = |to: u64, text: &str| match (1..=last).contains(&to) && to != number {
        true => el("a").attr("href", view.links.findings_page(to, &rest)).add(text),
        false => el("span").class("quiet").add(text),
    };
    el("nav")
        .class("pages")
        .attr("aria-label", "Pages of the list")
        .add(link(1, "First"))
        .add(link(number.saturating_sub(1), "Previous"))
        .add(el("span").add(format!("Page {number} of {last}")))
        .add(link(number + 1, "Next"))
        .add(link(last, "Last"))
        .into()
}

/// The form with all filters. It works without JavaScript.
fn form(view: &View<'_>, request: &Request) -> Result<Html, DataError> {
    let chosen = |name: &str| request.value(name).unwrap_or_default().to_owned();
    let select = |label: &str, name: &'static str, options: Vec<(String, String)>| {
        let own = chosen(name);
        let option = |(value, words): (String, String)| {
            let selected = value == own;
            el("option").attr("value", value).flag("selected", selected).add(words)
        };
        let any = el("option").attr("value", "").add("any");
        let select = el("select").attr("name", name).add(any).each(options.into_iter().map(option));
        el("label").add(label).add(select)
    };
    let counts = view.data.counts()?;
    let classes =
        counts.classes.iter().map(|(class, count)| (class.name().to_owned(), format!("{class} ({count})")));
    let statuses = Status::ALL.map(|status| {
        let count = counts.statuses.get(status.name()).copied().unwrap_or(0);
        let words = if status == Status::New || count == 0 {
            status.words().to_owned()
        } else {
            format!("{} ({count})", status.words())
        };
        (status.name().to_owned(), words)
    });
    let ranks = [("bug", "bugs"), ("candidate", "candidates")]
        .map(|(name, words)| (name.to_owned(), words.to_owned()));
    let mut form = el("form")
        .class("choices")
        .attr("id", "filter")
        .attr("role", "search")
        .attr("method", "get")
        .attr("action", view.links.page(Page::Findings))
        .add(
            el("label").class("wide").add("Search").add(
                el("input")
                    .attr("type", "search")
                    .attr("name", "q")
                    .attr("id", "search")
                    .attr("value", chosen("q")),
            ),
        )
        .add(select("Class", "class", classes.collect()))
        .add(select("Rank", "rank", ranks.to_vec()))
        .add(select("Status", "status", statuses.to_vec()));
    for (kind, label) in [
        (FacetKind::Solver, "Solver"),
        (FacetKind::Theory, "Theory"),
        (FacetKind::Operator, "Operator"),
        (FacetKind::Release, "Release"),
        (FacetKind::Strategy, "Strategy"),
    ] {
        let mut values = view.data.facet_values(kind)?;
        let own = chosen(kind.name());
        if !own.is_empty() && !values.contains(&own) {
            values.push(own);
        }
        form = form.add(select(
            label,
            kind.name(),
            values.into_iter().map(|value| (value.clone(), value)).collect(),
        ));
    }
    let orders = ORDERS.iter().map(|(name, words, order)| {
        el("option").attr("value", name).flag("selected", *order == order_of(request)).add(*words)
    });
    let merged = el("input")
        .attr("type", "checkbox")
        .attr("name", "merged")
        .attr("value", "1")
        .flag("checked", request.value("merged").is_some());
    let clear = el("a").attr("href", view.links.page(Page::Findings)).add("Clear");
    Ok(form
        .add(el("label").add("Order").add(el("select").attr("name", "order").each(orders)))
        .add(el("label").class("check").add(merged).add(" merged, too"))
        .add(el("button").add("Show"))
        .add(clear)
        .into())
}

/// For files: a field that hides the rows without its text. The script shows it.
fn quick_filter() -> Html {
    let field = el("input").attr("type", "search").attr("id", "search").attr("data-rows", "#list tbody tr");
    el("form")
        .class("choices")
        .attr("id", "filter")
        .attr("role", "search")
        .flag("hidden", true)
        .add(el("label").class("wide").add("Show rows with").add(field))
        .into()
}

/// How many findings there were of each class over time.
fn times(view: &View<'_>) -> Result<Html, DataError> {
    let Some(first) = view.data.campaigns()?.last().map(|campaign| campaign.started) else {
        return Ok(Html::none());
    };
    let until = match view.links {
        Links::Server => now(),
        Links::Files => view.data.counts()?.newest.unwrap_or(first) + 1,
    };
    let width = (until.saturating_sub(first) / PARTS + 1) as f64;
    let series = view.data.found_between(first, until, PARTS)?.into_iter().map(|(class, parts)| {
        let mut points = vec![(0.0, 0.0)];
        points.extend(parts.into_iter().scan(0, |sum, (part, count)| {
            *sum += count;
            Some((part as f64 * width, *sum as f64))
        }));
        points.push((PARTS as f64 * width, points.last().map_or(0.0, |point| point.1)));
        Series { name: class.name().to_owned(), points, faint: false }
    });
    let time = |milliseconds: f64| moment(first + milliseconds as u64)[5..].to_owned();
    let chart = LineChart {
        title: "Findings by class, from the first campaign of the folder",
        kind: Kind::Steps,
        series: series.collect(),
        time: &time,
        value: &short,
        top: None,
    };
    Ok(chart.html())
}
