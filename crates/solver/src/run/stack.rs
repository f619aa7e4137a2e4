//! The stack of a solver that was killed by a signal.
//!
//! A signal alone does not identify a bug, so crashes are distinguished by the functions on the stack. The preloaded library
//! prints their addresses, and the symbol table of the executable has their names.

use crate::symbols::readable;
use case::{Crash, CrashStack, Outcome};
use object::{Object, ObjectSymbol, SymbolKind};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The variable that makes the preloaded library print stacks.
pub(super) const VARIABLE: &str = "ELENCHUS_STACKS";
/// The prefix of the line with the addresses.
const MARK: &[u8] = b"\nelenchus-stack:";
/// The number of functions in a signature.
const NAMED: usize = 3;
/// Larger addresses belong to libraries, whose load addresses differ from run to run.
const PROGRAM_END: u64 = 1 << 32;

/// The word in the line that marks a stack overflow.
const OVERFLOW: &str = "overflow";

/// The stack that a dying process printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    /// The return addresses, innermost first.
    addresses: Vec<u64>,
    /// Whether it overflowed. Then the innermost functions are arbitrary, but those of the recursion are not.
    overflow: bool,
}

/// Removes the line with the addresses from the output of a solver.
pub(super) fn take(stderr: &mut Vec<u8>) -> Stack {
    let Some(start) = stderr.windows(MARK.len()).position(|window| window == MARK) else {
        return Stack::default();
    };
    let length = stderr[start + MARK.len()..].iter().position(|byte| *byte == b'\n');
    let end = length.map_or(stderr.len(), |length| start + MARK.len() + length + 1);
    let line: Vec<u8> = stderr.drain(start..end).skip(MARK.len()).collect();
    let line = String::from_utf8_lossy(&line).into_owned();
    let words = || line.split_ascii_whitespace();
    Stack {
        addresses: words().filter_map(|word| u64::from_str_radix(word, 16).ok()).collect(),
        overflow: words().any(|word| word == OVERFLOW),
    }
}

/// Whether the outcome is a crash without a message.
pub(super) fn is_bare(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Crash(crash) if crash.is_bare_signal())
}

/// Adds the functions on the stack to a crash without a message, if they have names.
pub(super) fn with_stack(outcome: Outcome, program: &Path, stack: &Stack) -> Outcome {
    match outcome {
        Outcome::Crash(crash) if !stack.addresses.is_empty() && crash.is_bare_signal() => {
            Outcome::Crash(Crash { stack: functions(program, stack), ..crash })
        }
        other => other,
    }
}

/// The function of each address of a program, if known.
type Names = HashMap<u64, Option<String>>;

/// The innermost functions on a stack without repetitions, or the functions of the recursion that made it overflow.
fn functions(program: &Path, stack: &Stack) -> CrashStack {
    let addresses = &stack.addresses;
    // Most crashes recur, and reading all symbols of a solver takes longer than running it.
    static KNOWN: OnceLock<Mutex<HashMap<PathBuf, Names>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let names = known.entry(program.to_owned()).or_default();
    let is_new = |address: &u64| *address < PROGRAM_END && !names.contains_key(address);
    let new: Vec<u64> = addresses.iter().copied().filter(is_new).collect();
    if !new.is_empty() {
        names.extend(
            read_names(program, &new).unwrap_or_else(|| new.iter().map(|&new| (new, None)).collect()),
        );
    }
    let names = addresses.iter().filter_map(|address| names.get(address)?.as_deref());
    match stack.overflow {
        true => stack_of(recursion(names), CrashStack::Recursion),
        false => stack_of(innermost(names), CrashStack::Innermost),
    }
}

/// A stack of the given kind, unless no function is known.
fn stack_of(functions: Vec<String>, kind: fn(Vec<String>) -> CrashStack) -> CrashStack {
    if functions.is_empty() { CrashStack::Unknown } else { kind(functions) }
}

/// The functions of an endless recursion: the most frequent ones, sorted by name, since it is arbitrary which of them is innermost.
fn recursion<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    names.for_each(|name| *times.entry(name).or_default() += 1);
    let most = times.values().max().copied().unwrap_or(0);
    let often = times.into_iter().filter(|(_, times)| times * 2 > most).map(|(name, _)| name.to_owned());
    often.take(NAMED).collect()
}

/// The first names, without repetitions.
fn innermost<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if found.len() < NAMED && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// A memory-mapped file. Reading it would keep as much memory as the largest solver is large.
struct Mapped {
    start: *mut c_void,
    length: usize,
}

impl Mapped {
    fn new(path: &Path) -> Option<Mapped> {
        let file = std::fs::File::open(path).ok()?;
        let length = usize::try_from(file.metadata().ok()?.len()).ok().filter(|length| *length > 0)?;
        let anywhere = std::ptr::null_mut();
        // SAFETY: the system chooses a free address, and nothing writes to the private mapping.
        let start = unsafe { mmap(anywhere, length, ProtFlags::READ, MapFlags::PRIVATE, file, 0) };
        Some(Mapped { start: start.ok()?, length })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: `length` bytes are mapped until drop. The file of a running executable cannot be written to.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.length) }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping belongs to this value, and no slice of it outlives the value.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

/// The names of the functions that addresses belong to. `None` if the program is not an executable.
fn read_names(program: &Path, addresses: &[u64]) -> Option<Names> {
    let data = Mapped::new(program)?;
    let file = object::File::parse(data.bytes()).ok()?;
    let mut names: Names = addresses.iter().map(|&address| (address, None)).collect();
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        // Most addresses are those of what comes after a call, which may be the last thing in its function.
        let covers = |address: u64| (symbol.address()..=symbol.address() + symbol.size()).contains(&address);
        if symbol.kind() != SymbolKind::Text || symbol.address() == 0 {
            continue;
        }
        for &address in addresses.iter().filter(|&&address| covers(address)) {
            let begins = address == symbol.address();
            let name = names.entry(address).or_default();
            if (name.is_none() || !begins)
                && let Ok(symbol) = symbol.name()
            {
                *name = Some(readable(symbol));
            }
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_taken_out() {
        let mut printed = b"before\n\nelenchus-stack: 0000000000401000 00000000000000ff\nafter\n".to_vec();
        assert_eq!(take(&mut printed), Stack { addresses: vec![0x40_1000, 0xff], overflow: false });
        assert_eq!(printed, b"before\nafter\n");
        assert_eq!(take(&mut printed), Stack::default());
        let mut printed = b"\nelenchus-stack: overflow 00000000000000ff\n".to_vec();
        assert_eq!(take(&mut printed), Stack { addresses: vec![0xff], overflow: true });
    }

    #[test]
    fn a_recursion_is_the_same_wherever_it_ran_out_of_room() {
        let turn = ["visit", "apply", "rewrite"];
        for (leaves, skipped) in [(&["malloc", "grow"][..], 0), (&["hash"], 1), (&[], 2)] {
            let turns = std::iter::repeat_n(turn, 9).flatten().skip(skipped);
            let stack = leaves.iter().copied().chain(turns);
            assert_eq!(recursion(stack), ["apply", "rewrite", "visit"], "{skipped}");
        }
        assert!(recursion(std::iter::empty()).is_empty());
    }

    #[test]
    fn the_innermost_functions_are_named_once() {
        let table: [(&[&str], &[&str]); 3] =
            [(&["a", "b", "b", "a", "c", "d"], &["a", "b", "c"]), (&["a", "a"], &["a"]), (&[], &[])];
        for (names, expected) in table {
            assert_eq!(innermost(names.iter().copied()), expected, "{names:?}");
        }
    }
}
