//! The command line of cvc5's executable, and the descriptions of its options.

use super::cvc5_api::{Api, Object, OptionBuffer, c_string, text};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// The input file; standard input if absent.
    pub file: Option<String>,
    /// What to do instead of solving.
    pub instead: Option<Instead>,
}

/// What to do instead of solving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// Print the version.
    Version,
    /// Print a short help.
    Help,
    /// Print every option with its description.
    ListOptions,
}

/// The one-letter options with the value that they set; `None` takes the next argument.
const LETTERS: &[(&str, &str, Option<&str>)] = &[
    ("-i", "incremental", Some("true")),
    ("-m", "produce-models", Some("true")),
    ("-q", "quiet", Some("true")),
    ("-v", "verbose", Some("true")),
    ("-s", "seed", None),
    ("-o", "output", None),
    ("-t", "trace", None),
    ("-L", "lang", None),
];

/// The folder of the libraries, which is needed before the options can be parsed.
pub fn library_of(arguments: &[String]) -> Option<PathBuf> {
    let index = arguments.iter().position(|argument| argument == "--library");
    let separate = index.and_then(|index| arguments.get(index + 1)).map(String::as_str);
    let joined = || arguments.iter().find_map(|argument| argument.strip_prefix("--library="));
    separate.or_else(joined).map(PathBuf::from)
}

/// Parses the arguments after `cvc5`. `takes_value` says whether an option without `=` takes the next argument.
pub fn read(arguments: &[String], takes_value: &mut dyn FnMut(&str) -> bool) -> Result<CommandLine, String> {
    let mut line = CommandLine::default();
    let mut rest = arguments.iter();
    let value_of = |name: &str, rest: &mut std::slice::Iter<'_, String>| {
        rest.next().cloned().ok_or_else(|| format!("option `{name}' needs a value"))
    };
    while let Some(argument) = rest.next() {
        if let Some((_, name, value)) = LETTERS.iter().find(|(letter, _, _)| letter == argument) {
            let value = match value {
                Some(value) => (*value).to_owned(),
                None => value_of(argument, &mut rest)?,
            };
            line.options.push(((*name).to_owned(), value));
        } else if argument == "-V" || argument == "--version" {
            line.instead = Some(Instead::Version);
        } else if argument == "-h" || argument == "--help" {
            line.instead = Some(Instead::Help);
        } else if argument == "--list-options" {
            line.instead = Some(Instead::ListOptions);
        } else if let Some(long) = argument.strip_prefix("--") {
            match long.split_once('=') {
                Some(("library", _)) => {}
                Some((name, value)) => line.options.push((name.to_owned(), value.to_owned())),
                None if long == "library" => {
                    value_of(argument, &mut rest)?;
                }
                None if takes_value(long) => {
                    let value = value_of(argument, &mut rest)?;
                    line.options.push((long.to_owned(), value));
                }
                None => line.options.push(switch(long)),
            }
        } else if argument != "-" && argument.starts_with('-') {
            return Err(format!("can't understand option `{argument}'"));
        } else if line.file.replace(argument.clone()).is_some() {
            return Err("too many input files specified.".to_owned());
        }
    }
    line.file = line.file.filter(|file| file != "-");
    Ok(line)
}

/// A switch: `name` sets it, `no-name` clears it.
fn switch(long: &str) -> (String, String) {
    match long.strip_prefix("no-") {
        Some(name) => (name.to_owned(), "false".to_owned()),
        None => (long.to_owned(), "true".to_owned()),
    }
}

/// The names of all options of the library.
pub fn names(api: &Api, solver: Object) -> Vec<String> {
    let mut count = 0;
    // SAFETY: the library sets `count` to the length of the array that it returns.
    unsafe {
        let names = (api.get_option_names)(solver, &mut count);
        (0..count).map(|index| text(*names.add(index))).collect()
    }
}

/// The library's description of the option `name`, as text and as raw bytes.
fn describe(api: &Api, solver: Object, name: &str) -> (String, Box<OptionBuffer>) {
    let mut buffer = Box::new([0; 512]);
    let name = c_string(name);
    // SAFETY: the buffer is larger than the structure that the library writes.
    let described = unsafe {
        (api.get_option_info)(solver, name.as_ptr(), &mut *buffer);
        text((api.option_info_to_string)(&*buffer))
    };
    (described, buffer)
}

/// Whether the option takes a value rather than being a switch.
pub fn takes_value(api: &Api, solver: Object, name: &str) -> bool {
    let (described, _) = describe(api, solver, name);
    let kind = described.split(" | ").nth(1).unwrap_or_default();
    !kind.starts_with("bool") && !kind.starts_with("void")
}

/// How the library encodes an option's level, which its text does not contain and which changed twice.
enum Layout {
    /// Up to 1.2.1: bytes 1 and 2 of the word are the flags "expert" and "regular".
    Marks(usize),
    /// From 1.3.1 on: the upper half of the word is a number.
    Category(usize),
}

impl Layout {
    /// Detects the encoding by an option that is for experts in all releases.
    fn find(api: &Api, solver: Object) -> Option<Layout> {
        let (_, expert) = describe(api, solver, "fp-exp");
        let marked = |word: usize| expert[word] & 0xffff_ff00 == 0x100;
        if marked(4) {
            Some(Layout::Marks(4))
        } else if marked(6) {
            Some(Layout::Marks(6))
        } else if expert[6] >> 32 == 1 {
            Some(Layout::Category(6))
        } else {
            None
        }
    }

    fn level(&self, buffer: &OptionBuffer) -> &'static str {
        match *self {
            Layout::Marks(word) if buffer[word] & 0xff00 != 0 => "expert",
            Layout::Marks(word) if buffer[word] & 0xff_0000 != 0 => "regular",
            Layout::Marks(_) => "common",
            Layout::Category(word) => match buffer[word] >> 32 {
                0 => "regular",
                1 => "expert",
                2 => "common",
                _ => "undocumented",
            },
        }
    }
}

/// Every option as a line: the level, a tab, and the library's description. Aliases are not repeated.
pub fn list(api: &Api, solver: Object) -> Vec<String> {
    let layout = Layout::find(api, solver);
    let mut lines = BTreeMap::new();
    for name in names(api, solver) {
        let (described, buffer) = describe(api, solver, &name);
        let level = layout.as_ref().map_or("", |layout| layout.level(&buffer));
        lines.insert(described.clone(), format!("{level}\t{described}"));
    }
    lines.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::{Instead, read};

    #[test]
    fn command_lines_are_read_as_the_executable_does() {
        type Row = (&'static str, &'static [(&'static str, &'static str)], Option<&'static str>);
        let table: [Row; 6] = [
            ("--seed=3 a.smt2", &[("seed", "3")], Some("a.smt2")),
            ("--seed 3 a.smt2", &[("seed", "3")], Some("a.smt2")),
            ("--incremental --no-sygus -", &[("incremental", "true"), ("sygus", "false")], None),
            ("-i -q -o inst", &[("incremental", "true"), ("quiet", "true"), ("output", "inst")], None),
            ("--library /l a.smt2", &[], Some("a.smt2")),
            ("--library=/l", &[], None),
        ];
        for (line, options, file) in table {
            let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let read = read(&arguments, &mut |name| name == "seed").unwrap();
            let found: Vec<(&str, &str)> =
                read.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!((&found[..], read.file.as_deref()), (options, file), "{line}");
        }
        let version = read(&["--version".to_owned()], &mut |_| false).unwrap();
        assert_eq!(version.instead, Some(Instead::Version));
    }

    #[test]
    fn bad_command_lines_are_refused() {
        for line in ["-x", "a b", "--seed", "--library"] {
            let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert!(read(&arguments, &mut |name| name == "seed").is_err(), "{line}");
        }
    }
}
