//! Charts as SVG, drawn by the server: they need no script and no style of their own, and colours follow the theme.

mod lines;
mod scale;
mod treemap;

pub use lines::{Kind, LineChart, Series};
pub use scale::short;
pub use treemap::{Part, treemap};

use crate::html::{Element, Html, el};

/// How many colours there are.
pub const COLOURS: usize = 8;

/// A square of a colour beside a name.
pub fn swatch(colour: usize) -> Element {
    el("span").class(&format!("swatch f{}", colour % COLOURS)).attr("aria-hidden", "true")
}

/// A bar of parts that add up to a whole: name, share from 0 to 1, and what to say about it.
pub fn bar(label: &str, parts: &[(String, f64, String)]) -> Html {
    let mut picture = el("svg")
        .class("bar")
        .attr("viewBox", "0 0 100 8")
        .attr("preserveAspectRatio", "none")
        .attr("role", "img")
        .attr("aria-label", label);
    let mut from = 0.0;
    for (colour, (name, share, text)) in parts.iter().enumerate() {
        let part = el("rect")
            .class(&format!("f{}", colour % COLOURS))
            .attr("x", format!("{from:.2}"))
            .attr("y", 0)
            .attr("width", format!("{:.2}", share * 100.0))
            .attr("height", 8)
            .add(el("title").add(format!("{name}: {text}")));
        picture = picture.add(part);
        from += share * 100.0;
    }
    let entry = |(colour, (name, _, text)): (usize, &(String, f64, String))| {
        el("li").add(swatch(colour)).add(format!("{name} ")).add(el("b").add(text))
    };
    let legend = el("ul").class("legend").each(parts.iter().enumerate().map(entry));
    Html::all([picture, legend])
}
