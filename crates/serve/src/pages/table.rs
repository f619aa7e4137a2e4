//! Tables that become lists of cards on narrow screens.

use crate::html::{Element, Html, el};

/// A table with a heading for each column. Headings that begin with `#` belong to numbers.
pub fn table(caption: &str, headings: &[&str], rows: Vec<Vec<Html>>) -> Html {
    if rows.is_empty() {
        return el("p").class("empty").add("Nothing yet.").into();
    }
    let name = |heading: &str| heading.trim_start_matches('#').to_owned();
    let class = |heading: &str| heading.starts_with('#').then_some("number");
    let head = headings
        .iter()
        .map(|heading| el("th").attr("scope", "col").attr_if("class", class(heading)).add(name(heading)));
    let row = |cells: Vec<Html>| -> Element {
        let cells = cells.into_iter().zip(headings).map(|(cell, heading)| {
            el("td").attr_if("class", class(heading)).attr("data-label", name(heading)).add(cell)
        });
        el("tr").each(cells)
    };
    let table = el("table")
        .add(el("caption").add(caption))
        .add(el("thead").add(el("tr").each(head)))
        .add(el("tbody").each(rows.into_iter().map(row)));
    el("div").class("table").add(table).into()
}
