//! The results as one HTML page with plots.

use super::curve::curve;
use super::overlap::{Overlap, overlaps};
use super::table::{Table, bugs, contenders, overview, seconds};
use crate::results::Results;
use serve::charts::{Kind, LineChart, Series};
use serve::html::{Html, el};

/// At most this many groups of an UpSet plot.
const GROUPS: usize = 24;
/// The sizes of an UpSet plot.
const NAMES: usize = 190;
const COLUMN: usize = 24;
const ROW: usize = 20;
const BARS: usize = 120;

/// The page.
pub fn page(results: &Results) -> String {
    let order = results.contenders();
    let mut main =
        el("main").add(el("h1").add("Bugs found: Elenchus and others")).add(table(&overview(results)));
    // Whoever found nothing has no line and no dot.
    let mut finders = order.clone();
    finders.retain(|name| results.releases.iter().any(|release| !release.found_by(name).is_empty()));
    let shown = overlaps(&results.releases, &finders);
    main = main.add(upset(&finders, &shown[..shown.len().min(GROUPS)]));
    for release in &results.releases {
        let series = finders.iter().map(|name| Series {
            name: name.clone(),
            points: curve(release, name),
            faint: false,
        });
        let chart = LineChart {
            title: &format!("{}: bugs over time, mean of the runs", release.release),
            kind: Kind::Steps,
            series: series.collect(),
            time: &seconds,
            value: &|value| format!("{value:.1}"),
            top: None,
        };
        main = main
            .add(chart.html())
            .add(table(&contenders(release, &order)))
            .add(table(&bugs(release, &order)));
    }
    let head = el("head")
        .add(el("meta").attr("charset", "utf-8"))
        .add(el("meta").attr("name", "viewport").attr("content", "width=device-width"))
        .add(el("title").add("Elenchus: benchmark"));
    let html: Html = el("html").attr("lang", "en").add(head).add(el("body").add(main)).into();
    // The style sheet is ours, and nothing in it ends the element.
    let style = format!("<style>{}</style></head>", serve::STYLE);
    format!("<!doctype html>\n{}\n", html.into_string().replacen("</head>", &style, 1))
}

fn table(table: &Table) -> Html {
    let head = el("tr").each(table.head.iter().map(|&name| el("th").add(name)));
    let row = |cells: &Vec<String>| el("tr").each(cells.iter().map(|cell| el("td").add(cell)));
    let body = el("tbody").each(table.rows.iter().map(row));
    let content = el("table").add(el("thead").add(head)).add(body);
    Html::all([el("h2").add(&table.title), el("div").class("scroll").add(content)])
}

/// Bars of how many bugs exactly these contenders found, above a dot for each of them.
fn upset(order: &[String], groups: &[Overlap]) -> Html {
    let largest = groups.iter().map(|group| group.bugs).max().unwrap_or(1).max(1);
    let (width, height) = (NAMES + COLUMN * groups.len() + 10, BARS + 24 + ROW * order.len());
    let mut picture = el("svg")
        .attr("viewBox", format!("0 0 {width} {height}"))
        .attr("role", "img")
        .attr("aria-label", "bugs by exactly who found them; the table of overlaps has the numbers");
    for (row, name) in order.iter().enumerate() {
        let y = BARS + 30 + ROW * row;
        picture = picture
            .add(el("text").attr("x", NAMES - 14).attr("y", y + 4).attr("text-anchor", "end").add(name));
    }
    for (column, group) in groups.iter().enumerate() {
        let x = NAMES + COLUMN * column;
        let bar = (BARS - 20) * group.bugs / largest;
        let title = el("title").add(format!("{}: {}", group.contenders.join(", "), group.bugs));
        let rect = el("rect")
            .class("f0")
            .attr("x", x)
            .attr("y", BARS - bar)
            .attr("width", COLUMN - 8)
            .attr("height", bar.max(1))
            .add(title);
        let number = el("text")
            .attr("x", x + (COLUMN - 8) / 2)
            .attr("y", BARS - bar - 4)
            .attr("text-anchor", "middle")
            .add(group.bugs as u64);
        picture = picture.add(rect).add(number);
        for (row, name) in order.iter().enumerate() {
            let is_in = group.contenders.contains(name);
            picture = picture.add(
                el("circle")
                    .class(if is_in { "f0" } else { "faint" })
                    .attr("cx", x + (COLUMN - 8) / 2)
                    .attr("cy", BARS + 30 + ROW * row)
                    .attr("r", if is_in { 6 } else { 2 }),
            );
        }
    }
    el("figure").class("chart").add(el("figcaption").add("Who finds the same")).add(picture).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::sample;

    #[test]
    fn the_page_has_plots_and_escaped_tables() {
        let mut release = sample();
        release.bugs[0].record.title = "a < b".to_owned();
        let page = page(&Results { releases: vec![release] });
        assert_eq!(page.matches("<svg").count(), 2, "overlaps, and bugs over time");
        assert!(page.contains("<td>a &lt; b</td>") && !page.contains("a < b"));
        assert!(page.contains("elenchus, yinyang-opfuzz: 1") && page.ends_with("</html>\n"));
    }
}
