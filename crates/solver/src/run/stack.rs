//! Where a solver was when a signal killed it. A bare signal says nothing about the bug behind it, so crashes are told apart by the
//! functions on the stack: the preloaded library prints their addresses, the executable's own symbols have the names.

use crate::symbols::readable;
use case::{Crash, CrashStack, Outcome};
use object::{Object, ObjectSymbol, SymbolKind};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The variable that asks the preloaded library for stacks.
pub(super) const VARIABLE: &str = "ELENCHUS_STACKS";
/// What the line with the addresses begins with.
const MARK: &[u8] = b"\nelenchus-stack:";
/// How many functions a signature names.
const NAMED: usize = 3;
/// Addresses beyond are those of libraries, which are loaded far away and elsewhere each time.
const PROGRAM_END: u64 = 1 << 32;

/// What the line with the addresses says besides, where the stack was used up.
const OVERFLOW: &str = "overflow";

/// What a dying process said of its stack.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    /// The addresses of calls, the innermost first.
    addresses: Vec<u64>,
    /// Whether it was used up. Then the innermost functions are a matter of chance, and those that call each other are not.
    overflow: bool,
}

/// Takes the line with the addresses out of what a solver printed.
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

/// Whether a run came to a crash of which nothing is known but the signal.
pub(super) fn is_bare(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Crash(crash) if crash.is_bare_signal())
}

/// The outcome with the functions on the stack in its signature, if it is a bare signal and they have names.
pub(super) fn placed(outcome: Outcome, program: &Path, stack: &Stack) -> Outcome {
    match outcome {
        Outcome::Crash(crash) if !stack.addresses.is_empty() && crash.is_bare_signal() => {
            Outcome::Crash(Crash { stack: functions(program, stack), ..crash })
        }
        other => other,
    }
}

/// What is known of the addresses of a program: the name of the function that each belongs to.
type Names = HashMap<u64, Option<String>>;

/// The innermost functions on a stack, without repetitions; of one that is used up, those that it is full of.
fn functions(program: &Path, stack: &Stack) -> CrashStack {
    let addresses = &stack.addresses;
    // Most crashes come again, and reading all symbols of a solver takes longer than running it.
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
    let (found, kind): (Vec<String>, fn(Vec<String>) -> CrashStack) = match stack.overflow {
        true => (recursion(names), CrashStack::Recursion),
        false => (innermost(names), CrashStack::Innermost),
    };
    if found.is_empty() { CrashStack::Unknown } else { kind(found) }
}

/// The functions of a recursion without end: those that come up again and again, in the order of their names, since it is a
/// matter of chance which of them was the last to find room.
fn recursion<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    names.for_each(|name| *times.entry(name).or_default() += 1);
    let most = times.values().max().copied().unwrap_or(0);
    let often = times.into_iter().filter(|(_, times)| times * 2 > most).map(|(name, _)| name.to_owned());
    often.take(NAMED).collect()
}

/// The first few of several names, without repetitions.
fn innermost<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if found.len() < NAMED && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// A file in memory as long as it is looked at. Reading it would leave as much memory behind as the largest solver has.
struct Mapped {
    start: *mut c_void,
    length: usize,
}

impl Mapped {
    fn new(path: &Path) -> Option<Mapped> {
        let file = std::fs::File::open(path).ok()?;
        let length = usize::try_from(file.metadata().ok()?.len()).ok().filter(|length| *length > 0)?;
        // SAFETY: the mapping is private and read-only, its address is the system's choice, and it lives as long as `Mapped`.
        let start =
            unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::PRIVATE, file, 0) };
        Some(Mapped { start: start.ok()?, length })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped, and nobody writes to them here; an executable in use cannot be written to by others.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.length) }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: it is mapped, and no slice of it outlives this. There is nobody to tell if it does not work.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

/// The names of the functions that addresses belong to; nothing if the program is no executable.
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
