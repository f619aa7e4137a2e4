//! The names of external generators, which contain a command.
//!
//! A command may contain commas, colons and plus signs, which have a meaning in other names. Without quotes, it is everything behind
//! `command:`. Settings, `+valfuzz` and further names may follow a command in quotes.

use crate::api::StrategyError;

/// How the names begin.
pub(crate) const PREFIX: &str = "command:";

/// What follows `command:`, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    /// The command, without quotes.
    pub command: &'a str,
    /// What follows the closing quote.
    pub rest: &'a str,
}

/// Takes a name apart; `None` if it is not that of an external generator.
pub(crate) fn parse(name: &str) -> Option<Result<Parts<'_>, StrategyError>> {
    let text = match name.strip_prefix(PREFIX) {
        Some(text) => text.trim_start(),
        None if name == "command" => "",
        None => return None,
    };
    let parts = read(text);
    let follows = |parts: &Parts<'_>| parts.rest.is_empty() || parts.rest.starts_with([':', '+']);
    Some(parts.and_then(|parts| match follows(&parts) {
        true => Ok(parts),
        false => wrong("only settings or `+valfuzz` may follow the closing quote of a command"),
    }))
}

fn wrong<T>(problem: &'static str) -> Result<T, StrategyError> {
    Err(StrategyError::Command { problem })
}

fn read(text: &str) -> Result<Parts<'_>, StrategyError> {
    let parts = match text.chars().next().filter(|first| matches!(first, '\'' | '"')) {
        None => Parts { command: text.trim(), rest: "" },
        Some(quote) => match text[1..].split_once(quote) {
            Some((command, rest)) => Parts { command: command.trim(), rest },
            None => return wrong("the command of the strategy has no closing quote"),
        },
    };
    if parts.command.is_empty() {
        return wrong("the strategy command needs a command that prints scripts");
    }
    Ok(parts)
}

/// The names in a list with commas, as `--strategy` takes it. A command without quotes runs to the end of the list.
pub fn split_names(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut left = list;
    loop {
        let end = match left.strip_prefix(PREFIX).map(|text| read(text.trim_start())) {
            // The rest begins behind the closing quote; without quotes there is none.
            Some(Ok(parts)) => parts.rest.find(',').map(|at| left.len() - parts.rest.len() + at),
            Some(Err(_)) => None,
            None => left.find(','),
        };
        let Some(end) = end else {
            names.push(left.to_owned());
            return names;
        };
        names.push(left[..end].to_owned());
        left = &left[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command and the rest, or a part of the error; `None` for other names.
    type Expected = Option<Result<(&'static str, &'static str), &'static str>>;

    #[test]
    fn names_are_taken_apart() {
        let table: [(&str, Expected); 13] = [
            ("typefuzz", None),
            ("commander:x", None),
            ("command:./gen --seed {seed}", Some(Ok(("./gen --seed {seed}", "")))),
            ("command: ./gen a,b:c=d+valfuzz ", Some(Ok(("./gen a,b:c=d+valfuzz", "")))),
            ("command:'./gen a,b'", Some(Ok(("./gen a,b", "")))),
            ("command:\"./gen 'a b'\":seconds=3", Some(Ok(("./gen 'a b'", ":seconds=3")))),
            ("command:'./gen'+valfuzz:RBASE", Some(Ok(("./gen", "+valfuzz:RBASE")))),
            ("command", Some(Err("needs a command"))),
            ("command:", Some(Err("needs a command"))),
            ("command:' '", Some(Err("needs a command"))),
            ("command:'./gen", Some(Err("no closing quote"))),
            ("command:'./gen' --seed 1", Some(Err("may follow the closing quote"))),
            ("command:'./gen',swap", Some(Err("may follow the closing quote"))),
        ];
        for (name, expected) in table {
            match (parse(name), expected) {
                (None, None) => {}
                (Some(Ok(parts)), Some(Ok(expected))) => {
                    assert_eq!((parts.command, parts.rest), expected, "{name}");
                }
                (Some(Err(error)), Some(Err(expected))) => {
                    assert!(error.to_string().contains(expected), "{name}: {error}");
                }
                (found, _) => panic!("{name}: {found:?}"),
            }
        }
    }

    #[test]
    fn lists_are_split_outside_of_commands() {
        let table: [(&str, &[&str]); 8] = [
            ("", &[""]),
            ("typefuzz", &["typefuzz"]),
            ("typefuzz,opfuzz", &["typefuzz", "opfuzz"]),
            ("typefuzz,command:./gen a,b", &["typefuzz", "command:./gen a,b"]),
            ("command:'./gen a,b',opfuzz", &["command:'./gen a,b'", "opfuzz"]),
            (
                "command:'./gen a,b':seconds=3,command:\"x\",swap",
                &["command:'./gen a,b':seconds=3", "command:\"x\"", "swap"],
            ),
            ("command:'./gen a,b", &["command:'./gen a,b"]),
            ("command,swap", &["command", "swap"]),
        ];
        for (list, expected) in table {
            assert_eq!(split_names(list), expected, "{list}");
        }
    }
}
