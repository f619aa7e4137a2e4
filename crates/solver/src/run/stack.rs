//! Where a solver was when a signal killed it. A bare signal says nothing about the bug behind it, so crashes are told apart by the
//! functions on the stack: the preloaded library prints their addresses, the executable's own symbols have the names.

use super::classify::Outcome;
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// The variable that asks the preloaded library for stacks.
pub(super) const ASKED: &str = "ELENCHUS_STACKS";
/// What the line with the addresses begins with.
const MARK: &[u8] = b"\nelenchus-stack:";
/// How many functions a signature names.
const NAMED: usize = 3;
/// The most that is shown of one name.
const LONGEST_NAME: usize = 80;

/// Takes the line with the addresses out of what a solver printed.
pub(super) fn take(stderr: &mut Vec<u8>) -> Vec<u64> {
    let Some(start) = stderr.windows(MARK.len()).position(|window| window == MARK) else { return Vec::new() };
    let length = stderr[start + MARK.len()..].iter().position(|byte| *byte == b'\n');
    let end = length.map_or(stderr.len(), |length| start + MARK.len() + length + 1);
    let line: Vec<u8> = stderr.drain(start..end).skip(MARK.len()).collect();
    let line = String::from_utf8_lossy(&line).into_owned();
    line.split_ascii_whitespace().filter_map(|word| u64::from_str_radix(word, 16).ok()).collect()
}

/// Whether a run came to a crash of which nothing is known but the signal.
pub(super) fn is_bare(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Crash { signature } if signature.starts_with("SIG") && !signature.contains(' '))
}

/// The outcome with the functions on the stack in its signature, if it is a bare signal and they have names.
pub(super) fn placed(outcome: Outcome, program: &Path, addresses: &[u64]) -> Outcome {
    match outcome {
        Outcome::Crash { signature } if !addresses.is_empty() && !signature.contains(' ') => {
            let place = Symbols::of(program).place(addresses);
            let signature =
                place.map_or_else(|| signature.clone(), |place| format!("{signature} in {place}"));
            Outcome::Crash { signature }
        }
        other => other,
    }
}

/// The functions of a program: where each begins, where it ends, and its name.
#[derive(Default)]
struct Symbols(BTreeMap<u64, (u64, String)>);

impl Symbols {
    /// The functions of a program, read once. None if it is no executable with symbols.
    fn of(program: &Path) -> Arc<Symbols> {
        static KNOWN: OnceLock<Mutex<HashMap<PathBuf, Arc<Symbols>>>> = OnceLock::new();
        let mut known =
            KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let read = || Arc::new(Symbols::read(program).unwrap_or_default());
        known.entry(program.to_owned()).or_insert_with(read).clone()
    }

    fn read(program: &Path) -> Option<Symbols> {
        let data = std::fs::read(program).ok()?;
        let file = object::File::parse(&*data).ok()?;
        let functions =
            file.symbols().chain(file.dynamic_symbols()).filter(|symbol| symbol.kind() == SymbolKind::Text);
        let named = functions.filter_map(|symbol| {
            let (start, name) = (symbol.address(), symbol.name().ok()?);
            (start > 0).then(|| (start, (start + symbol.size().max(1), name.to_owned())))
        });
        Some(Symbols(named.collect()))
    }

    /// The name of the function that an address belongs to. Most addresses are those of what comes after a call, which may be the
    /// last thing in its function.
    fn name(&self, address: u64) -> Option<String> {
        let (_, (end, name)) = self.0.range(..=address).next_back()?;
        (address <= *end).then(|| readable(name))
    }

    /// The innermost functions, without repetitions.
    fn place(&self, addresses: &[u64]) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for name in addresses.iter().filter_map(|&address| self.name(address)) {
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() == NAMED {
                break;
            }
        }
        (!names.is_empty()).then(|| names.join(" < "))
    }
}

/// The name of a function as people write it, without arguments: `smt::context::pop` for `_ZN3smt7context3popEj`. Names that are
/// made in another way stay as they are.
fn readable(symbol: &str) -> String {
    let parts = parts(symbol).filter(|parts| !parts.is_empty());
    let mut name = parts.map_or_else(|| symbol.to_owned(), |parts| parts.join("::"));
    if let Some((at, _)) = name.char_indices().nth(LONGEST_NAME) {
        name.truncate(at);
    }
    name
}

/// The words of a C++ name, up to the first that is not plain, without the hash at the end of a Rust one.
fn parts(symbol: &str) -> Option<Vec<&str>> {
    let mut rest = symbol.strip_prefix("_Z")?;
    let nested = rest.strip_prefix('N');
    rest = nested.unwrap_or(rest).trim_start_matches(['K', 'V', 'r']);
    let mut parts = Vec::new();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = rest[..digits].parse::<usize>() else { break };
        let word = rest.get(digits..digits + length)?;
        parts.push(word);
        rest = &rest[digits + length..];
        if nested.is_none() {
            break;
        }
    }
    let is_hash = |word: &&str| word.len() == 17 && word.starts_with('h');
    if parts.last().is_some_and(is_hash) {
        parts.pop();
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_taken_out() {
        let mut printed = b"before\n\nelenchus-stack: 0000000000401000 00000000000000ff\nafter\n".to_vec();
        assert_eq!(take(&mut printed), [0x40_1000, 0xff]);
        assert_eq!(printed, b"before\nafter\n");
        assert!(take(&mut printed).is_empty());
    }

    #[test]
    fn names_are_made_readable() {
        let table = [
            ("_ZN3smt7context3popEj", "smt::context::pop"),
            ("_ZNK7solver25checkERK5thing", "solver2::check"),
            ("_Z9run_solveP3abc", "run_solve"),
            ("_ZN4wild4fall17h0123456789abcdefE", "wild::fall"),
            ("main", "main"),
            ("_ZTV3abc", "_ZTV3abc"),
        ];
        for (symbol, expected) in table {
            assert_eq!(readable(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn functions_are_found_by_address() {
        let symbols = Symbols(
            [(10, (20, "a".to_owned())), (20, (30, "b".to_owned())), (50, (60, "c".to_owned()))].into(),
        );
        let table: [(&[u64], Option<&str>); 4] =
            [(&[5, 15, 25, 25], Some("a < b")), (&[40, 70], None), (&[60, 12], Some("c < a")), (&[], None)];
        for (addresses, expected) in table {
            assert_eq!(symbols.place(addresses).as_deref(), expected, "{addresses:?}");
        }
    }
}
