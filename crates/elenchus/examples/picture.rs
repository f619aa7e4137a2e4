//! Draws the screen of a terminal program as an SVG: FILE SECONDS ROWS COLUMNS PROGRAM ARGUMENT...
//!
//! The program runs on a pseudo-terminal, and after the given time its screen is drawn. Then `q` ends it. The picture of the README:
//!
//! ```sh
//! cargo run -p elenchus --example picture -- docs/pictures/fuzz.svg 110 30 110 \
//!     target/release/elenchus fuzz --solver z3@4.8.7 --solver cvc5@1.4.2 --seed 8 --time 2m
//! ```

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use vt100::{Cell, Color, Parser, Screen};

const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/terminal.py");

/// Width and height of a character, and the space around the screen, in pixels.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 18.0;
const MARGIN: f32 = 14.0;

/// The first eight colours of a terminal, and their bright variants.
const PALETTE: [&str; 16] = [
    "#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4", "#7f8794",
    "#ff8791", "#b5e090", "#ffd68a", "#8ac6ff", "#dd9bf0", "#7fd6e0", "#ffffff",
];
const FOREGROUND: &str = "#c8ccd4";
const BACKGROUND: &str = "#1e2127";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, seconds, rows, columns, program @ ..] = &arguments[..] else {
        panic!("usage: picture FILE SECONDS ROWS COLUMNS PROGRAM ARGUMENT...");
    };
    let mut driver = Command::new("python3")
        .args([DRIVER, rows, columns])
        .args(program)
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = driver.stdout.take().unwrap();
    let (sender, output) = channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 65536];
        while let Ok(length @ 1..) = stdout.read(&mut bytes) {
            let _ = sender.send(bytes[..length].to_vec());
        }
    });
    let size = |number: &str| number.parse::<NonZero<u16>>().unwrap();
    let mut parser = Parser::new(size(rows), size(columns), 0);
    let until = Instant::now() + Duration::from_secs(seconds.parse().unwrap());
    while let Ok(bytes) = output.recv_timeout(until.saturating_duration_since(Instant::now())) {
        parser.process(&bytes);
    }
    std::fs::write(file, svg(parser.screen())).unwrap();
    writeln!(driver.stdin.as_mut().unwrap(), r#"["type", "q"]"#).unwrap();
    driver.wait().unwrap();
}

/// The screen as a picture. Empty rows at the end are left out.
fn svg(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let is_empty = |row: u16| (0..columns.get()).all(|column| text_of(screen.cell(row, column)) == " ");
    let rows = (0..rows.get()).rev().find(|row| !is_empty(*row)).map_or(1, |last| last + 1);
    let (width, height) =
        (f32::from(columns.get()) * WIDTH + 2.0 * MARGIN, f32::from(rows) * HEIGHT + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-size=\"14\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n"
    );
    for row in 0..rows {
        let mut column = 0;
        while column < columns.get() {
            let start = column;
            let style = screen.cell(row, start).map(style_of);
            let mut text = String::new();
            while column < columns.get() && screen.cell(row, column).map(style_of) == style {
                text.push_str(text_of(screen.cell(row, column)));
                column += 1;
            }
            draw(&mut svg, row, start, &text, style.unwrap());
        }
    }
    svg + "</svg>\n"
}

fn text_of(cell: Option<&Cell>) -> &str {
    cell.map(Cell::contents).filter(|text| !text.is_empty()).unwrap_or(" ")
}

/// Colours of the text and behind it, and whether the text is bold.
type Style = (&'static str, &'static str, bool);

fn style_of(cell: &Cell) -> Style {
    let foreground = colour(cell.fgcolor(), FOREGROUND);
    let foreground = if cell.dim() && foreground == FOREGROUND { PALETTE[8] } else { foreground };
    let background = colour(cell.bgcolor(), BACKGROUND);
    if cell.inverse() { (background, foreground, cell.bold()) } else { (foreground, background, cell.bold()) }
}

fn colour(colour: Color, default: &'static str) -> &'static str {
    match colour {
        Color::Idx(number) => PALETTE.get(usize::from(number)).copied().unwrap_or(default),
        _ => default,
    }
}

/// Adds a run of characters of one style. Columns are placed one by one with a fixed length, so that they are aligned in any font.
fn draw(svg: &mut String, row: u16, column: u16, text: &str, (foreground, background, bold): Style) {
    let left = |count: usize| MARGIN + (f32::from(column) + count as f32) * WIDTH;
    let top = MARGIN + f32::from(row) * HEIGHT;
    let length = |text: &str| text.chars().count() as f32 * WIDTH;
    if background != BACKGROUND {
        let (x, width) = (left(0), length(text));
        writeln!(svg, "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"{background}\"/>")
            .unwrap();
    }
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let y = top + HEIGHT * 0.75;
    let mut at = 0;
    // Two spaces separate columns.
    for part in text.split_inclusive("  ") {
        let shown = part.trim();
        if !shown.is_empty() {
            let x = left(at + part.chars().take_while(|letter| *letter == ' ').count());
            let width = length(shown);
            let escaped = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{foreground}\"{weight} textLength=\"{width:.1}\">{escaped}</text>"
            )
            .unwrap();
        }
        at += part.chars().count();
    }
}
