//! Lines and stacked areas over time.

use super::scale::{short, step};
use super::{COLOURS, swatch};
use crate::html::{Html, el};
use std::fmt::Write;

/// The size of a chart in units of the picture, and the room for the axes.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;

/// A line of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points: time and value, by time.
    pub points: Vec<(f64, f64)>,
    /// Whether it is there to compare with.
    pub faint: bool,
}

/// How the values of a chart are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each series is a line.
    Lines,
    /// Each series is a line that changes in steps.
    Steps,
    /// The series are parts of a whole; all have the same times.
    Stacked,
}

/// A chart.
pub struct LineChart<'a> {
    /// What it shows.
    pub title: &'a str,
    /// How it is drawn.
    pub kind: Kind,
    /// Its lines.
    pub series: Vec<Series>,
    /// What to write at a time.
    pub time: &'a dyn Fn(f64) -> String,
    /// What to write for a value.
    pub value: &'a dyn Fn(f64) -> String,
    /// The largest value that is known beforehand.
    pub top: Option<f64>,
}

impl LineChart<'_> {
    /// The chart with its heading and legend.
    pub fn html(mut self) -> Html {
        self.series.retain(|series| !series.points.is_empty());
        let figure = el("figure").class("chart").add(el("figcaption").add(self.title));
        if self.series.iter().all(|series| series.points.len() < 2) {
            let nothing = el("p").class("empty").add("Nothing to draw yet.");
            return figure.add(nothing).add(self.legend()).into();
        }
        figure.add(self.picture()).add(self.legend()).into()
    }

    /// The last value of each series: what a reader who cannot see the picture needs.
    fn legend(&self) -> Html {
        let entry = |(colour, series): (usize, &Series)| {
            let last = series.points.last().map_or(0.0, |point| point.1);
            el("li").add(swatch(colour)).add(format!("{} ", series.name)).add(el("b").add((self.value)(last)))
        };
        el("ul").class("legend").each(self.series.iter().enumerate().map(entry)).into()
    }

    fn picture(&self) -> Html {
        let times = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
        let (first, last) =
            times.fold((f64::MAX, f64::MIN), |(first, last), time| (first.min(time), last.max(time)));
        let stacks = self.stacks();
        let largest = stacks.iter().flatten().map(|(_, _, upper)| *upper).fold(0.0, f64::max);
        let largest = self.top.unwrap_or(largest).max(largest);
        let unit = step(if largest > 0.0 { largest } else { 1.0 });
        // Rounded shares add up to a little more than the whole.
        let top = ((largest / unit - 0.01).ceil() * unit).max(unit);
        let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * (time - first) / (last - first).max(1e-9);
        let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - (value / top).min(1.0));
        let described: Vec<String> = self
            .series
            .iter()
            .map(|series| {
                format!("{} {}", series.name, (self.value)(series.points.last().map_or(0.0, |point| point.1)))
            })
            .collect();
        let mut picture = el("svg")
            .attr("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
            .attr("role", "img")
            .attr("aria-label", format!("{}; last: {}", self.title, described.join(", ")));
        for line in 0..=(top / unit).round() as u32 {
            let value = f64::from(line) * unit;
            let at = format!("{:.1}", y(value));
            let rule = el("line")
                .class("rule")
                .attr("x1", LEFT)
                .attr("x2", WIDTH - RIGHT)
                .attr("y1", &at)
                .attr("y2", &at);
            let label = el("text")
                .attr("x", LEFT - 5.0)
                .attr("y", format!("{:.1}", y(value) + 3.5))
                .attr("text-anchor", "end");
            picture = picture.add(rule).add(label.add(short_value(self.value, value)));
        }
        for (part, anchor) in [(0.0, "start"), (0.5, "middle"), (1.0, "end")] {
            let time = first + (last - first) * part;
            let label = el("text")
                .attr("x", format!("{:.1}", x(time)))
                .attr("y", HEIGHT - 6.0)
                .attr("text-anchor", anchor);
            picture = picture.add(label.add((self.time)(time)));
        }
        for (colour, (series, stack)) in self.series.iter().zip(&stacks).enumerate() {
            let colour = colour % COLOURS;
            let title = el("title").add(&series.name);
            picture = match self.kind {
                Kind::Stacked => {
                    let upper = stack.iter().map(|(time, _, upper)| (x(*time), y(*upper)));
                    let lower = stack.iter().rev().map(|(time, lower, _)| (x(*time), y(*lower)));
                    let path = path(upper.chain(lower), false) + "Z";
                    picture.add(el("path").class(&format!("f{colour}")).attr("d", path).add(title))
                }
                kind => {
                    let points = stack.iter().map(|(time, _, value)| (x(*time), y(*value)));
                    let look = if series.faint { " faint" } else { "" };
                    let class = format!("line s{colour}{look}");
                    picture
                        .add(el("path").class(&class).attr("d", path(points, kind == Kind::Steps)).add(title))
                }
            };
        }
        picture.into()
    }

    /// For each series its times with the lower and the upper value.
    fn stacks(&self) -> Vec<Vec<(f64, f64, f64)>> {
        let mut below: Vec<f64> = Vec::new();
        let mut stacks = Vec::new();
        for series in &self.series {
            let mut stack = Vec::with_capacity(series.points.len());
            for (index, &(time, value)) in series.points.iter().enumerate() {
                let lower = match self.kind {
                    Kind::Stacked => below.get(index).copied().unwrap_or(0.0),
                    _ => 0.0,
                };
                stack.push((time, lower, lower + value));
            }
            if self.kind == Kind::Stacked {
                below = stack.iter().map(|(_, _, upper)| *upper).collect();
            }
            stacks.push(stack);
        }
        stacks
    }
}

fn short_value(value: &dyn Fn(f64) -> String, number: f64) -> String {
    let text = value(number);
    if text.len() <= 7 { text } else { short(number) }
}

fn path(points: impl Iterator<Item = (f64, f64)>, steps: bool) -> String {
    let mut path = String::new();
    for (x, y) in points {
        // Writing to a string cannot fail.
        let _ = match (path.is_empty(), steps) {
            (true, _) => write!(path, "M{x:.1} {y:.1}"),
            (false, true) => write!(path, "H{x:.1}V{y:.1}"),
            (false, false) => write!(path, "L{x:.1} {y:.1}"),
        };
    }
    path
}
