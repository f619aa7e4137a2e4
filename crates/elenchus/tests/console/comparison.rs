//! Compares what a command printed with what a page shows.

/// A kind of figure that differs from run to run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// `12 s`, `1m 30s`, `0.4 ms`
    Times,
    /// `38 MB`
    Memory,
    /// `48 tests`
    Counts,
}

impl Kind {
    /// The kind that a note names.
    pub fn named(name: &str) -> Option<Kind> {
        match name {
            "times" => Some(Kind::Times),
            "memory" => Some(Kind::Memory),
            "counts" => Some(Kind::Counts),
            _ => None,
        }
    }

    /// The kind of a number that a unit follows.
    fn of_unit(unit: &str) -> Kind {
        match unit {
            "ms" | "s" | "m" | "h" => Kind::Times,
            "kB" | "MB" | "GB" => Kind::Memory,
            _ => Kind::Counts,
        }
    }
}

/// The line that stands for any number of lines that are left out.
pub const ELISION: &str = "…";

/// Whether the lines that a page shows are what was printed.
pub fn agree(shown: &[&str], printed: &[&str], varies: &[Kind]) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| normal(line, varies)).collect();
    let printed: Vec<String> = printed.iter().map(|line| normal(line, varies)).collect();
    agree_from(&shown, &printed)
}

fn agree_from(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == ELISION => {
            (0..=printed.len()).any(|skipped| agree_from(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed.first() == Some(line) && agree_from(rest, &printed[1..]),
    }
}

/// The line with a sign for each figure that varies. Then the width of columns varies, too, so that spaces are joined.
fn normal(line: &str, varies: &[Kind]) -> String {
    if varies.is_empty() {
        return line.trim_end().to_owned();
    }
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let unit = after.strip_prefix(' ').unwrap_or(after);
        let unit_end = unit.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(unit.len());
        let kind = Kind::of_unit(&unit[..unit_end]);
        text.push_str(before);
        // Digits inside a word are part of a name.
        let is_figure = !before.ends_with(|letter: char| letter.is_alphanumeric() || "_.@-".contains(letter));
        if !is_figure || !varies.contains(&kind) {
            text.push_str(number);
            rest = after;
        } else if kind == Kind::Counts {
            text.push('#');
            rest = after;
        } else {
            // A time may have two figures, as in 1m 30s.
            if !text.trim_end().ends_with(&format!("<{kind:?}>")) {
                text.push_str(&format!("<{kind:?}>"));
            }
            rest = &unit[unit_end..];
        }
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
