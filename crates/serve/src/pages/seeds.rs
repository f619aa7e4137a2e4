//! What each seed contributed.

use super::View;
use super::layout::{layout, live};
use super::table::table;
use crate::data::DataError;
use crate::html::{Html, el};
use crate::http::{Request, encoded};
use crate::links::Page;
use store::SeedEntry;

/// How many seeds a page shows.
const PAGE: u64 = 100;

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let number: u64 = request.value("page").and_then(|text| text.parse().ok()).unwrap_or(1).clamp(1, 1 << 32);
    let (total, seeds) = view.data.seeds((number - 1) * PAGE, PAGE)?;
    let row = |(seed, name): (SeedEntry, String)| -> Vec<Html> {
        let shown = match view.is_live() {
            true => Html::from(
                el("a")
                    .attr("href", format!("{}?seed={}", view.links.page(Page::Findings), encoded(&name)))
                    .add(&name),
            ),
            false => name.into(),
        };
        vec![
            shown,
            el("code").add(seed.hash).into(),
            seed.findings.into(),
            seed.cases.into(),
            seed.strategies.replace(',', ", ").into(),
            el("a").attr("href", view.links.page(Page::Finding(&seed.example))).add("a finding").into(),
        ]
    };
    let headings = ["seed", "hash", "#findings", "#cases", "strategies", "example"];
    let list = table(
        &format!("{total} seeds whose cases showed a finding"),
        &headings,
        seeds.into_iter().map(row).collect(),
    );
    let last = total.div_ceil(PAGE);
    let link = |to: u64, text: &str| {
        (1..=last).contains(&to).then(|| el("a").attr("href", format!("/seeds?page={to}")).add(text))
    };
    let pages = (last > 1 && view.is_live()).then(|| {
        el("nav")
            .class("pages")
            .attr("aria-label", "Pages of seeds")
            .maybe(link(number.saturating_sub(1), "Previous"))
            .add(format!(" Page {number} of {last} "))
            .maybe(link(number + 1, "Next"))
    });
    let body = Html::all([
        Html::from(el("h1").add("Seeds")),
        el("p").add("Seeds whose cases showed a finding, those with the most findings first.").into(),
        live("seeds", Html::all([list, Html::all(pages)])),
    ]);
    Ok(layout(view, Page::Seeds, "Seeds", body))
}
