//! A rectangle for each part of a whole, as large as the part.

use crate::html::{Element, Html, el};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 480.0;
/// The smallest rectangle with a label, and the width of a character.
const LABELLED: (f64, f64) = (44.0, 16.0);
const CHARACTER: f64 = 6.6;

/// A treemap. A part has a name, a size, a share from 0 to 1 that decides its shade, and what to say about it.
pub fn treemap(label: &str, parts: &[(String, f64, f64, String)]) -> Html {
    let mut parts: Vec<&(String, f64, f64, String)> = parts.iter().filter(|part| part.1 > 0.0).collect();
    parts.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let total: f64 = parts.iter().map(|part| part.1).sum();
    let mut picture = el("svg")
        .class("treemap")
        .attr("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
        .attr("role", "img")
        .attr("aria-label", label);
    let scale = WIDTH * HEIGHT / total.max(1e-9);
    let areas: Vec<f64> = parts.iter().map(|part| part.1 * scale).collect();
    for (part, place) in parts.iter().zip(places(&areas)) {
        picture = picture.add(cell(part, place));
    }
    picture.into()
}

/// A rectangle: left, top, width, height.
type Place = (f64, f64, f64, f64);

fn cell((name, _, share, text): &(String, f64, f64, String), (x, y, width, height): Place) -> Element {
    let number = |value: f64| format!("{value:.1}");
    let shade = (share * 9.0).round().clamp(0.0, 9.0);
    let mut group = el("g").add(
        el("rect")
            .class(&format!("h{shade}"))
            .attr("x", number(x))
            .attr("y", number(y))
            .attr("width", number((width - 1.0).max(0.1)))
            .attr("height", number((height - 1.0).max(0.1)))
            .add(el("title").add(format!("{name}: {text}"))),
    );
    if width >= LABELLED.0 && height >= LABELLED.1 {
        let room = ((width - 6.0) / CHARACTER) as usize;
        let shown = case::text::shortened(name, room.saturating_sub(1).max(1));
        let class = if shade >= 5.0 { "on-dark" } else { "on-light" };
        group = group
            .add(el("text").class(class).attr("x", number(x + 4.0)).attr("y", number(y + 13.0)).add(shown));
    }
    group
}

/// Places for areas that fill the picture, by falling size: rows along the shorter side, each as long as its rectangles stay nearly
/// square.
fn places(areas: &[f64]) -> Vec<Place> {
    let (mut x, mut y, mut width, mut height) = (0.0, 0.0, WIDTH, HEIGHT);
    let mut places = Vec::with_capacity(areas.len());
    let mut rest = areas;
    while !rest.is_empty() {
        let side = width.min(height);
        let mut count = 1;
        while count < rest.len() && worst(&rest[..=count], side) <= worst(&rest[..count], side) {
            count += 1;
        }
        let (row, after) = rest.split_at(count);
        let depth = row.iter().sum::<f64>() / side.max(1e-9);
        let mut at = 0.0;
        for area in row {
            let length = area / depth.max(1e-9);
            places.push(match width >= height {
                true => (x, y + at, depth, length),
                false => (x + at, y, length, depth),
            });
            at += length;
        }
        if width >= height {
            (x, width) = (x + depth, (width - depth).max(0.0));
        } else {
            (y, height) = (y + depth, (height - depth).max(0.0));
        }
        rest = after;
    }
    places
}

/// The worst ratio of the sides of the rectangles of a row.
fn worst(row: &[f64], side: f64) -> f64 {
    let sum: f64 = row.iter().sum();
    let ratio = |area: &f64| {
        let (length, depth) = (area * side / sum, sum / side);
        (length / depth).max(depth / length)
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_fill_the_picture_and_do_not_overlap() {
        let areas: Vec<f64> =
            [500.0, 200.0, 200.0, 60.0, 30.0, 10.0].map(|part| part / 1000.0 * WIDTH * HEIGHT).to_vec();
        let places = places(&areas);
        for (area, (x, y, width, height)) in areas.iter().zip(&places) {
            assert!((width * height - area).abs() < 1.0);
            assert!(*x >= 0.0 && x + width <= WIDTH + 0.1 && *y >= 0.0 && y + height <= HEIGHT + 0.1);
        }
        for (at, one) in places.iter().enumerate() {
            for other in &places[..at] {
                let apart = one.0 >= other.0 + other.2 - 0.1
                    || other.0 >= one.0 + one.2 - 0.1
                    || one.1 >= other.1 + other.3 - 0.1
                    || other.1 >= one.1 + one.3 - 0.1;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }
}
