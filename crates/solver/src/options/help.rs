//! Help texts with a column of options and a column of prose, as cvc5, CVC4, Yices and others print them.

use super::info::{Level, OptionInfo, OptionKind};
use case::text::collapsed;

/// Reads entries such as `  --rlimit-per=N | --other=N   what it does [*]`, whose prose may continue on the next lines.
pub fn parse(text: &str) -> Vec<OptionInfo> {
    let marks_switches = text.contains("[*]");
    let mut module = None;
    let mut section = Level::Common;
    let has_levels = text.contains("(EXPERTS only)");
    let mut entries: Vec<Entry> = Vec::new();
    // The indentation of the last option while its prose may continue.
    let mut open = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("From the ").and_then(|line| line.split(" module").next()) {
            module = Some(name.to_owned());
            section = Level::Regular;
        } else if line.trim_start().starts_with('-') && indent(line) > 0 && !is_prose(line) {
            let (names, help) = columns(line);
            let deeper = open.is_some_and(|before| indent(line) > before);
            let only_a_letter = !names.starts_with("--") && (help.is_empty() || help.starts_with('<'));
            if let (Some(entry), true) = (entries.last_mut(), open.is_some() && (deeper || only_a_letter)) {
                // Another name of the same option on a separate line.
                entry.names = format!("{}, {names}", entry.names);
                continue;
            }
            open = Some(indent(line));
            entries.push(Entry {
                names: names.to_owned(),
                help: help.to_owned(),
                module: module.clone(),
                level: has_levels.then_some(section),
            });
        } else if line.trim().is_empty() || indent(line) == 0 {
            open = None;
        } else if let (Some(entry), Some(_)) = (entries.last_mut(), open) {
            entry.help = format!("{} {}", entry.help, line.trim()).trim().to_owned();
        }
    }
    entries.into_iter().filter_map(|entry| entry.read(marks_switches)).collect()
}

/// An option in the text.
struct Entry {
    names: String,
    help: String,
    module: Option<String>,
    level: Option<Level>,
}

impl Entry {
    fn read(self, marks_switches: bool) -> Option<OptionInfo> {
        let mut placeholder = None;
        let mut names = Vec::new();
        let mut letters = Vec::new();
        // A placeholder such as `<number of threads>` is one word.
        let mut bracket = false;
        let names_line: String = self
            .names
            .chars()
            .map(|c| {
                bracket = c == '<' || bracket && c != '>';
                if bracket && c == ' ' { '-' } else { c }
            })
            .collect();
        for word in names_line.split([' ', ',', '|']).filter(|word| word.starts_with('-')) {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            placeholder = placeholder.or(value.map(|value| value.trim_matches(['<', '>']).to_owned()));
            match name.strip_prefix("--") {
                Some(long) if !long.is_empty() => names.push(long.to_owned()),
                _ => letters.extend(name.strip_prefix('-').map(str::to_owned)),
            }
        }
        if names.is_empty() {
            names = letters;
        }
        let switch = self.help.contains("[*]");
        let expert = self.help.contains("(EXPERTS only)");
        let mut help = self.help.replace("[*]", "");
        help = help.replace("(EXPERTS only)", "");
        let kind = match placeholder.as_deref() {
            None if switch || !marks_switches => OptionKind::Bool,
            None => OptionKind::Void,
            Some("MODE" | "mode" | "RULE" | "HOW") => OptionKind::Enum { values: Vec::new() },
            Some(number) if is_number(number) => OptionKind::Int { min: None, max: None },
            Some("P" | "F" | "D") => OptionKind::Real { min: None, max: None },
            Some(_) => OptionKind::String,
        };
        let default = stated_default(&help).filter(|value| match kind {
            OptionKind::Int { .. } => value.parse::<i128>().is_ok(),
            OptionKind::Real { .. } => value.parse::<f64>().is_ok(),
            _ => true,
        });
        let mut names = names.into_iter();
        Some(OptionInfo {
            name: names.next().filter(|name| !name.is_empty())?,
            aliases: names.collect(),
            module: self.module,
            kind,
            default,
            help: collapsed(&help),
            level: if expert { Some(Level::Expert) } else { self.level },
        })
    }
}

fn is_number(placeholder: &str) -> bool {
    matches!(placeholder, "N" | "n" | "MS" | "int" | "level" | "timeout" | "number-of-threads")
}

/// The default in prose such as `(default = 0)`.
fn stated_default(help: &str) -> Option<String> {
    let (_, rest) = help.split_once("(default = ")?;
    rest.split([')', ' ']).next().map(str::to_owned)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line that starts with a dash continues the prose of an option.
fn is_prose(line: &str) -> bool {
    indent(line) > 16 || line.trim_start().starts_with("- ")
}

/// The two columns of a line, separated by at least two spaces, or by one if the first column is too wide.
fn columns(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.split_once("  ") {
        Some((names, help)) => (names, help.trim()),
        None => {
            // A single space: the names end with the last word of an option or alternative.
            let mut end = 0;
            let mut expects_value = false;
            for (start, word) in words(line) {
                let belongs = word.starts_with('-') || word == "|" || expects_value;
                if !belongs {
                    break;
                }
                end = start + word.len();
                let single = word.starts_with('-') && !word.starts_with("--") && word.len() == 2;
                expects_value = single && line[..end].contains('=');
            }
            (&line[..end], line[end..].trim())
        }
    }
}

/// The words of a line with their offsets.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split(' ').scan(0, |offset, word| {
        let start = *offset;
        *offset += word.len() + 1;
        Some((start, word))
    })
}

#[cfg(test)]
mod tests {
    use super::{Level, OptionKind, parse};

    #[test]
    fn the_help_of_cvc5_is_read() {
        let text = "usage: cvc5 [options] [input-file]\n\nMost commonly-used cvc5 options:\n  \
                    --incremental | -i     enable incremental solving [*]\n  \
                    --lang=LANG | --input-language=LANG | -L LANG\n                         force input language\n  \
                    --output=TAG | -o TAG  Enable output tag.\n  \
                    --quiet | -q           decrease verbosity (may be repeated)\n\n\n\
                    From the Arithmetic Theory module:\n  \
                    --arith-prop=MODE      turns on arithmetic propagation (EXPERTS only)\n  \
                    --arith-prop-clauses=N rows shorter than this are propagated\n                         as clauses\n  \
                    --nl-cov               whether to use it [*]\n\n\n\
                    [*] Each of these options has a --no-OPTIONNAME variant, which reverses the\n    sense of the option.\n";
        let modes = OptionKind::Enum { values: Vec::new() };
        let int = OptionKind::Int { min: None, max: None };
        let table = [
            ("incremental", OptionKind::Bool, Level::Common, "enable incremental solving"),
            ("lang", OptionKind::String, Level::Common, "force input language"),
            ("output", OptionKind::String, Level::Common, "Enable output tag."),
            ("quiet", OptionKind::Void, Level::Common, "decrease verbosity (may be repeated)"),
            ("arith-prop", modes, Level::Expert, "turns on arithmetic propagation"),
            ("arith-prop-clauses", int, Level::Regular, "rows shorter than this are propagated as clauses"),
            ("nl-cov", OptionKind::Bool, Level::Regular, "whether to use it"),
        ];
        let options = parse(text);
        let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
        assert_eq!(names, table.iter().map(|row| row.0).collect::<Vec<_>>());
        for (option, (name, kind, level, help)) in options.iter().zip(table) {
            assert_eq!(
                (&option.kind, option.level, option.help.as_str()),
                (&kind, Some(level), help),
                "{name}"
            );
        }
        assert_eq!(options[1].aliases, ["input-language"]);
        assert_eq!(options[4].module.as_deref(), Some("Arithmetic Theory"));
    }

    #[test]
    fn the_help_of_yices_is_read() {
        let text = "Usage: yices-smt2 [option] filename\n\nOption summary:\n    \
                    --version, -V             Show version and exit\n    \
                    --verbosity=<level>       Set verbosity level (default = 0)\n             -v <level>\n    \
                    --delegate=<satsolver>    Use an external SAT solver\n    \
                    --mcsat                   Use the MCSat solver\n    \
                    --nthreads=<number of threads>  Specify the number of threads (default = 0 = main thread only)\n    \
                    -n <number of threads>\n";
        let options = parse(text);
        let found: Vec<(&str, &OptionKind)> =
            options.iter().map(|option| (option.name.as_str(), &option.kind)).collect();
        let int = OptionKind::Int { min: None, max: None };
        assert_eq!(
            found,
            [
                ("version", &OptionKind::Bool),
                ("verbosity", &int),
                ("delegate", &OptionKind::String),
                ("mcsat", &OptionKind::Bool),
                ("nthreads", &int)
            ]
        );
        assert_eq!(options[1].default.as_deref(), Some("0"));
    }
}
