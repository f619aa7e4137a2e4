//! A rectangle for each part of a whole, as large as the part, in rectangles of groups.

use crate::html::{Element, Html, el};
use case::text::shortened;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 520.0;
/// The height of the name of a group, and the smallest group that shows its parts.
const NAME: f64 = 17.0;
const OPEN: (f64, f64) = (70.0, 55.0);
/// The smallest rectangle with a label, and the width of a character.
const LABELLED: (f64, f64) = (46.0, 17.0);
const CHARACTER: f64 = 7.2;

/// A part of a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size: f64,
    /// A share from 0 to 1 that decides its shade.
    pub share: f64,
    /// What to say about it.
    pub text: String,
    /// What it consists of.
    pub parts: Vec<Part>,
}

/// A rectangle: left, top, width, height.
type Place = (f64, f64, f64, f64);

/// A treemap.
pub fn treemap(label: &str, parts: &[Part]) -> Html {
    let picture = el("svg")
        .class("treemap")
        .attr("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
        .attr("role", "img")
        .attr("aria-label", label);
    let places = placed(parts, (0.0, 0.0, WIDTH, HEIGHT));
    places.into_iter().fold(picture, |picture, (part, place)| picture.add(group(part, place))).into()
}

/// The parts with their places, the largest first.
fn placed(parts: &[Part], place: Place) -> Vec<(&Part, Place)> {
    let mut parts: Vec<&Part> = parts.iter().filter(|part| part.size > 0.0).collect();
    parts.sort_by(|one, other| other.size.total_cmp(&one.size).then(one.name.cmp(&other.name)));
    let total: f64 = parts.iter().map(|part| part.size).sum();
    let scale = place.2 * place.3 / total.max(1e-9);
    let areas: Vec<f64> = parts.iter().map(|part| part.size * scale).collect();
    parts.into_iter().zip(places(&areas, place)).collect()
}

/// A group: its name above its parts, if there is room for them.
fn group(part: &Part, place: Place) -> Element {
    let (x, y, width, height) = place;
    if part.parts.len() < 2 || width < OPEN.0 || height < OPEN.1 {
        return cell(part, place);
    }
    let inside = (x + 2.0, y + NAME, width - 4.0, height - NAME - 2.0);
    let cells = placed(&part.parts, inside).into_iter().map(|(part, place)| cell(part, place));
    let name = el("text").class("on-light").attr("x", number(x + 5.0)).attr("y", number(y + 12.5));
    el("g")
        .add(rectangle("back", place).add(el("title").add(format!("{}: {}", part.name, part.text))))
        .add(name.add(fitting(&part.name, width)))
        .each(cells)
        .add(rectangle("group", place))
}

fn cell(part: &Part, place: Place) -> Element {
    let (x, y, width, height) = place;
    let shade = (part.share * 9.0).round().clamp(0.0, 9.0);
    let title = el("title").add(format!("{}: {}", part.name, part.text));
    let cell = el("g").add(rectangle(&format!("h{shade}"), place).add(title));
    if width < LABELLED.0 || height < LABELLED.1 {
        return cell;
    }
    let class = if shade >= 5.0 { "on-dark" } else { "on-light" };
    let label = el("text").class(class).attr("x", number(x + 4.0)).attr("y", number(y + 12.5));
    cell.add(label.add(fitting(&part.name, width)))
}

/// The beginning of a name that fits into a width.
fn fitting(name: &str, width: f64) -> String {
    let room = ((width - 8.0) / CHARACTER) as usize;
    if name.chars().count() <= room {
        name.to_owned()
    } else {
        shortened(name, room.saturating_sub(1).max(1))
    }
}

/// A rectangle with a gap to the next one.
fn rectangle(class: &str, (x, y, width, height): Place) -> Element {
    el("rect")
        .class(class)
        .attr("x", number(x))
        .attr("y", number(y))
        .attr("width", number((width - 1.0).max(0.2)))
        .attr("height", number((height - 1.0).max(0.2)))
}

fn number(value: f64) -> String {
    format!("{value:.1}")
}

/// Places for areas that fill a rectangle, by falling size: rows along the shorter side, each as long as its rectangles stay nearly
/// square.
fn places(areas: &[f64], (mut x, mut y, mut width, mut height): Place) -> Vec<Place> {
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
        let places = places(&areas, (0.0, 0.0, WIDTH, HEIGHT));
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
