//! The options of cvc5 and CVC4: the descriptions of the library, or the help text completed by queries.

use super::info::{Level, OptionInfo, OptionKind};
use crate::install::InstallError;

/// Reads lines of a level, a tab, and `OptionInfo{ name, alias | type | value | default v | extra }`.
pub fn parse(text: &str) -> Vec<OptionInfo> {
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<OptionInfo> {
    let (level, described) = line.split_once('\t')?;
    let inside = described.trim().strip_prefix("OptionInfo{")?.strip_suffix('}')?.trim();
    let mut parts = inside.split(" | ");
    let mut names = parts.next()?.split(", ").map(|name| name.trim().to_owned());
    let name = names.next()?;
    let kind_word = parts.next().unwrap_or("void").trim();
    let mut default = None;
    let mut bounds = (None, None);
    let mut modes = Vec::new();
    for part in parts {
        if let Some(value) = part.strip_prefix("default ") {
            default = Some(value.trim().to_owned());
        } else if let Some(list) = part.strip_prefix("modes: ") {
            modes = list.split(',').map(|mode| mode.trim().to_owned()).collect();
        } else if part.contains(" <= x") || part.contains("x <= ") {
            bounds = parse_bounds(part);
        }
    }
    let (low, high) = bounds;
    let kind = match kind_word {
        "bool" => OptionKind::Bool,
        "void" => OptionKind::Void,
        "int64_t" => OptionKind::Int {
            min: low.and_then(|low| low.parse().ok()).or(Some(i64::MIN)),
            max: high.and_then(|high| high.parse().ok()).or(Some(i64::MAX as u64)),
        },
        "uint64_t" => OptionKind::Int {
            min: low.and_then(|low| low.parse().ok()).or(Some(0)),
            max: high.and_then(|high| high.parse().ok()).or(Some(u64::MAX)),
        },
        "double" => OptionKind::Real {
            min: low.and_then(|low| low.parse().ok()),
            max: high.and_then(|high| high.parse().ok()),
        },
        "mode" => OptionKind::Enum { values: modes },
        _ => OptionKind::String,
    };
    Some(OptionInfo {
        name,
        aliases: names.collect(),
        module: None,
        kind,
        default: default.filter(|default| !default.is_empty() && default != "\"\""),
        help: String::new(),
        level: match level {
            "common" => Some(Level::Common),
            "regular" => Some(Level::Regular),
            "expert" => Some(Level::Expert),
            "undocumented" => Some(Level::Undocumented),
            _ => None,
        },
    })
}

/// The bounds in `0 <= x <= 1`, either of which may be missing.
fn parse_bounds(text: &str) -> (Option<&str>, Option<&str>) {
    let (before, after) = text.split_once('x').unwrap_or((text, ""));
    let number = |side: &'static str, text| -> Option<&str> {
        let text: &str = text;
        let number =
            if side == "low" { text.trim().strip_suffix("<=") } else { text.trim().strip_prefix("<=") };
        number.map(str::trim).filter(|number| !number.is_empty())
    };
    (number("low", before), number("high", after))
}

/// A script that prints the name and value of every option.
pub fn script_of_defaults(options: &[OptionInfo]) -> String {
    let ask = |option: &OptionInfo| format!("(echo \"@{0}\")\n(get-option :{0})\n", option.name);
    options.iter().map(ask).collect()
}

/// Adds what the help text lacks: the defaults in the output of [`script_of_defaults`], and the modes that
/// `--option=help` lists.
pub fn complete(
    mut options: Vec<OptionInfo>,
    defaults: &str,
    mut output_of: impl FnMut(&[&str]) -> Result<String, InstallError>,
) -> Vec<OptionInfo> {
    let mut lines = defaults.lines().peekable();
    while let Some(line) = lines.next() {
        let name = line.trim_matches('"').strip_prefix('@');
        let value = lines.peek().map(|value| value.trim());
        let option = name.and_then(|name| options.iter_mut().find(|option| option.name == name));
        if let (Some(option), Some(value)) = (option, value) {
            let plausible = match option.kind {
                OptionKind::Bool => matches!(value, "true" | "false"),
                OptionKind::Int { .. } => value.parse::<i128>().is_ok(),
                OptionKind::Real { .. } => value.parse::<f64>().is_ok(),
                _ => false,
            };
            if plausible {
                option.default = Some(value.to_owned());
            }
        }
    }
    for option in &mut options {
        if !matches!(option.kind, OptionKind::Enum { .. }) {
            continue;
        }
        let request = format!("--{}=help", option.name);
        let (values, default) = output_of(&[&request]).map(|text| parse_modes(&text)).unwrap_or_default();
        if values.is_empty() {
            option.kind = OptionKind::Symbol;
            continue;
        }
        let values = match &default {
            Some(default) if !values.contains(default) => {
                values.into_iter().chain([default.clone()]).collect()
            }
            _ => values,
        };
        option.kind = OptionKind::Enum { values };
        option.default = default;
    }
    options
}

/// The modes and the default in lines such as `+ both (default)`.
fn parse_modes(text: &str) -> (Vec<String>, Option<String>) {
    let mut default = None;
    let values = text
        .lines()
        .filter_map(|line| line.strip_prefix("+ "))
        .map(|line| {
            let word = line.split_whitespace().next().unwrap_or_default().to_owned();
            if line.contains("(default)") {
                default = Some(word.clone());
            }
            word
        })
        .collect();
    (values, default)
}

#[cfg(test)]
mod tests {
    use super::super::help::parse as parse_help;
    use super::{Level, OptionKind, complete, parse, parse_modes};

    #[test]
    fn descriptions_of_the_library_are_read() {
        let text = "regular\tOptionInfo{ decision, decision-mode | mode | internal | default internal | modes: internal, stoponly }\n\
                    expert\tOptionInfo{ random-freq, random-frequency | double | 0 | default 0 | 0 <= x <= 1 }\n\
                    common\tOptionInfo{ verbose | void }\n\
                    common\tOptionInfo{ seed | uint64_t | 0 | default 0 }\n\
                    expert\tOptionInfo{ levels | int64_t | 0 | default 0 | x <= 9 }\n\
                    \tOptionInfo{ out | string |  | default  }\n";
        let values = ["internal", "stoponly"].map(str::to_owned).to_vec();
        let table = [
            ("decision", OptionKind::Enum { values }, Some("internal"), Some(Level::Regular)),
            (
                "random-freq",
                OptionKind::Real { min: Some(0.0), max: Some(1.0) },
                Some("0"),
                Some(Level::Expert),
            ),
            ("verbose", OptionKind::Void, None, Some(Level::Common)),
            ("seed", OptionKind::Int { min: Some(0), max: Some(u64::MAX) }, Some("0"), Some(Level::Common)),
            ("levels", OptionKind::Int { min: Some(i64::MIN), max: Some(9) }, Some("0"), Some(Level::Expert)),
            ("out", OptionKind::String, None, None),
        ];
        let options = parse(text);
        assert_eq!(options.len(), table.len());
        for (option, (name, kind, default, level)) in options.iter().zip(table) {
            assert_eq!(
                (option.name.as_str(), &option.kind, option.default.as_deref(), option.level),
                (name, &kind, default, level)
            );
        }
        assert_eq!(options[0].aliases, ["decision-mode"]);
    }

    #[test]
    fn defaults_and_modes_are_queried() {
        let text = "  --arith-prop=MODE      how\n  --seed=N               seed\n  --nl-cov               cover [*]\n";
        let printed = "@arith-prop\nboth\n\"@seed\"\n7\n@nl-cov\nunsupported\n";
        let options = complete(parse_help(text), printed, |_| Ok("+ none\n+ both (default)\n".into()));
        let defaults: Vec<Option<&str>> = options.iter().map(|option| option.default.as_deref()).collect();
        assert_eq!(defaults, [Some("both"), Some("7"), None]);
        assert_eq!(options[0].kind, OptionKind::Enum { values: vec!["none".into(), "both".into()] });
    }

    #[test]
    fn modes_are_read_from_the_help_of_one_option() {
        let text = "How it propagates.\nAvailable modes for --arith-prop are:\n+ none\n+ unate\n  Use constraints.\n+ both (default)\n  All.\n";
        let (values, default) = parse_modes(text);
        assert_eq!(values, ["none", "unate", "both"]);
        assert_eq!(default.as_deref(), Some("both"));
    }
}
