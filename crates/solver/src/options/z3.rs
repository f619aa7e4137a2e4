//! The parameters of Z3, from the output of `z3 -pd`.

use super::info::{OptionInfo, OptionKind};

/// Reads lines such as `    max_steps (unsigned int) maximal number of steps (default: 10)` under headings of modules.
pub fn parse(text: &str) -> Vec<OptionInfo> {
    let mut module: Option<String> = None;
    let mut options = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("[module] ") {
            module = heading.split(',').next().map(|name| name.trim().to_owned());
        } else if let Some(option) =
            line.strip_prefix("    ").and_then(|line| parse_line(line, module.as_deref()))
        {
            options.push(option);
        }
    }
    options
}

fn parse_line(line: &str, module: Option<&str>) -> Option<OptionInfo> {
    let (name, rest) = line.split_once(" (")?;
    if name.is_empty() || name.contains(' ') {
        return None;
    }
    let (kind, rest) = rest.split_once(')')?;
    let (help, default) = match rest.rsplit_once("(default: ") {
        Some((help, default)) => {
            (help, Some(default.trim_end().strip_suffix(')').unwrap_or(default).to_owned()))
        }
        None => (rest, None),
    };
    let help = help.trim().to_owned();
    let kind = match kind {
        "bool" => OptionKind::Bool,
        "unsigned int" => match choices(&help) {
            Some(max) => OptionKind::Int { min: Some(0), max: Some(max) },
            None => OptionKind::Int { min: Some(0), max: Some(u64::from(u32::MAX)) },
        },
        "int" => OptionKind::Int { min: Some(i64::from(i32::MIN)), max: Some(i32::MAX as u64) },
        "double" => OptionKind::Real { min: None, max: None },
        "string" => words(&help).map_or(OptionKind::String, |values| OptionKind::Enum { values }),
        "symbol" => words(&help).map_or(OptionKind::Symbol, |values| OptionKind::Enum { values }),
        _ => return None,
    };
    let full = module.map_or_else(|| name.to_owned(), |module| format!("{module}.{name}"));
    Some(OptionInfo {
        name: full,
        aliases: Vec::new(),
        module: module.map(str::to_owned),
        kind,
        default: default.filter(|value| !value.is_empty()),
        help,
        level: None,
    })
}

/// The largest number in a list such as `0 - never, 1 - sometimes, 2 - always`, which Z3 gives in prose only.
fn choices(help: &str) -> Option<u64> {
    let marked = |number: u64| {
        ["-", ":", " -", " =", " :"].iter().any(|mark| {
            let wanted = format!("{number}{mark} ");
            help.match_indices(&wanted).any(|(at, _)| {
                help[..at]
                    .chars()
                    .next_back()
                    .is_none_or(|before| !before.is_ascii_alphanumeric() && before != '.')
            })
        })
    };
    let count = (0..64).take_while(|number| marked(*number)).count() as u64;
    (count >= 2).then(|| count - 1)
}

/// The words in an alternative such as `unicode|bmp|ascii`.
fn words(help: &str) -> Option<Vec<String>> {
    let list = help.split([' ', '(', ')', ',']).find(|word| word.contains('|'))?;
    let values: Vec<String> = list.trim_end_matches('.').split('|').map(str::to_owned).collect();
    values.iter().all(|value| !value.is_empty()).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::{OptionKind, parse};

    #[test]
    fn lines_are_read_with_type_default_and_module() {
        let text = "Global parameters\n    auto_config (bool) use heuristics (default: true)\n    \
                    timeout (unsigned int) (default: infty) timeout in milliseconds. (default: 4294967295)\n    \
                    encoding (string) encoding used: unicode|bmp|ascii (default: unicode)\n\n\
                    To set a module parameter, use <module-name>.<parameter-name>=value\n\n\
                    [module] smt, description: smt solver (core)\n    \
                    phase (unsigned int) 0 - always false, 1 - always true, 2 - caching (default: 2)\n    \
                    logic (symbol) logic used to setup the SMT solver (default: )\n    \
                    arith.ratio (double) a ratio (default: 1.5)\n";
        let int = |max| OptionKind::Int { min: Some(0), max: Some(max) };
        let values = ["unicode", "bmp", "ascii"].map(str::to_owned).to_vec();
        let table = [
            ("auto_config", OptionKind::Bool, Some("true"), "use heuristics"),
            (
                "timeout",
                int(u64::from(u32::MAX)),
                Some("4294967295"),
                "(default: infty) timeout in milliseconds.",
            ),
            ("encoding", OptionKind::Enum { values }, Some("unicode"), "encoding used: unicode|bmp|ascii"),
            ("smt.phase", int(2), Some("2"), "0 - always false, 1 - always true, 2 - caching"),
            ("smt.logic", OptionKind::Symbol, None, "logic used to setup the SMT solver"),
            ("smt.arith.ratio", OptionKind::Real { min: None, max: None }, Some("1.5"), "a ratio"),
        ];
        let options = parse(text);
        assert_eq!(options.len(), table.len());
        for (option, (name, kind, default, help)) in options.iter().zip(table) {
            assert_eq!(
                (option.name.as_str(), &option.kind, option.default.as_deref(), option.help.as_str()),
                (name, &kind, default, help)
            );
        }
        assert_eq!(options[3].module.as_deref(), Some("smt"));
    }
}
