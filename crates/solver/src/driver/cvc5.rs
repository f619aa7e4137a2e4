//! The driver of cvc5: an executable over its libraries.
//!
//! It reads a file or standard input, answers each command before it reads the next, and exits like the real executable: with
//! 1 at the first error, with 0 at `(exit)` and at the end of the input.

use super::commands::Commands;
use super::cvc5_api::{Api, Object, c_string, text};
use super::cvc5_options::{self, CommandLine, Instead};
use super::signals;
use crate::fork_server;
use std::cell::LazyCell;
use std::ffi::{CStr, CString, c_int};
use std::io::Read;
use std::ptr::null;

/// The languages of the parser, in the library's numbering.
const SMT_LIB: c_int = 0;
const SYGUS: c_int = 1;

/// Commands that the executable runs after an answer if an option is set: option, answer, command.
const AFTER_ANSWER: &[(&str, &str, &str)] = &[
    ("dump-models", "sat", "(get-model)"),
    ("dump-unsat-cores", "unsat", "(get-unsat-core)"),
    ("dump-proofs", "unsat", "(get-proof)"),
];

/// Runs cvc5 with `arguments` and returns the exit code.
pub fn main(arguments: &[String]) -> i32 {
    signals::install();
    // Which options take a value is known only once the library is loaded, so find its folder first.
    let library = cvc5_options::library_of(arguments).ok_or("option `--library' is missing".to_owned());
    let warm_up = fork_server::warm_up();
    let api = match library.and_then(|folder| Api::load(&folder, warm_up.is_some())) {
        Ok(api) => api,
        Err(error) => return refuse(&error),
    };
    let mut solver = Solver::new(&api);
    // Listing all options takes time, so do it only if there is an option to check.
    let names = LazyCell::new(|| cvc5_options::names(&api, solver.solver));
    let known = |name: &str| names.iter().any(|known| known == name);
    let mut takes_value = |name: &str| known(name) && cvc5_options::takes_value(&api, solver.solver, name);
    let line = match cvc5_options::read(arguments, &mut takes_value) {
        Ok(line) => line,
        Err(error) => return refuse(&format!("Error in option parsing: {error}")),
    };
    if let Some((name, _)) = line.options.iter().find(|(name, _)| !known(name)) {
        return refuse(&format!("Error in option parsing: can't understand option `--{name}'"));
    }
    if let Some(instead) = line.instead {
        do_instead(instead, &api, &solver);
        return 0;
    }
    let language = language(&line);
    let limit = line.options.iter().rev().find(|(name, _)| name == "tlimit");
    if let Some(milliseconds) = limit.and_then(|(_, value)| value.parse().ok()).filter(|limit| *limit > 0) {
        signals::limit_time(milliseconds);
    }
    if let Err(error) = solver.set_up(&line.options) {
        return refuse(&error);
    }
    let status = match &line.file {
        Some(file) => match warm_up {
            Some(warm_up) => solver.run_served(&warm_up, file, language),
            None => solver.run_file(file, language),
        },
        None => solver.run_stdin(language),
    };
    // Exit without freeing all terms, which would only cost time.
    quit(status)
}

/// Prints an error like the executable and returns its exit code.
fn refuse(message: &str) -> i32 {
    eprintln!("(error \"{message}\")");
    1
}

fn do_instead(instead: Instead, api: &Api, solver: &Solver<'_>) {
    match instead {
        Instead::Version => {
            // SAFETY: the solver has not been deleted.
            let version = unsafe { text((api.get_version)(solver.solver)) };
            println!("This is cvc5 version {version} [library, driven by Elenchus]");
        }
        Instead::Help => println!(
            "usage: cvc5 --library FOLDER [option…] [FILE]\n\nOptions are those of cvc5; --list-options shows them."
        ),
        Instead::ListOptions => {
            for line in cvc5_options::list(api, solver.solver) {
                println!("{line}");
            }
        }
    }
}

/// The language of the input, from the options or else from the file's extension.
fn language(line: &CommandLine) -> c_int {
    let said = line.options.iter().rev().find(|(name, _)| name == "lang" || name == "input-language");
    let sygus = match said {
        Some((_, value)) => value.starts_with("sy"),
        None => line.file.as_ref().is_some_and(|file| file.ends_with(".sy") || file.ends_with(".sl")),
    };
    if sygus { SYGUS } else { SMT_LIB }
}

/// What follows a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Continue,
    Failed,
    Exit,
    Reset,
}

/// A solver with its managers, recreated for every `(reset)`.
struct Solver<'a> {
    api: &'a Api,
    terms: Object,
    solver: Object,
    symbols: Object,
    options: Vec<(CString, CString)>,
    /// Commands to run after answers, by the answer.
    after: Vec<(&'static str, &'static str)>,
}

impl<'a> Solver<'a> {
    fn new(api: &'a Api) -> Solver<'a> {
        // SAFETY: the term manager is deleted after the objects that are made from it.
        let (terms, solver, symbols) = unsafe {
            let terms = (api.term_manager_new)();
            (terms, (api.new)(terms), (api.symbol_manager_new)(terms))
        };
        Solver { api, terms, solver, symbols, options: Vec::new(), after: Vec::new() }
    }

    /// Sets the options of the command line, for now and after every reset.
    fn set_up(&mut self, options: &[(String, String)]) -> Result<(), String> {
        // Without a terminal the executable is not incremental by default.
        let default = ("incremental".to_owned(), "false".to_owned());
        let all = std::iter::once(&default).chain(options);
        self.options =
            all.map(|(name, value)| (c_string(name.as_bytes()), c_string(value.as_bytes()))).collect();
        let on = |wanted: &str| options.iter().any(|(name, value)| name == wanted && value == "true");
        self.after = AFTER_ANSWER
            .iter()
            .filter(|(option, _, _)| on(option))
            .map(|(_, answer, command)| (*answer, *command))
            .collect();
        self.apply_options()
    }

    fn apply_options(&self) -> Result<(), String> {
        for (name, value) in &self.options {
            // Older libraries end the process with a message if the value is invalid, like the executable.
            // SAFETY: the solver has not been deleted, and the strings end with a NUL.
            unsafe { (self.api.set_option)(self.solver, name.as_ptr(), value.as_ptr()) };
            if let Some(error) = self.api.take_error() {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Recreates everything and sets the options of the command line again.
    fn reset(&mut self) -> Result<(), String> {
        // SAFETY: no parser is left, and each object is deleted before those that it depends on.
        unsafe {
            (self.api.symbol_manager_delete)(self.symbols);
            (self.api.delete)(self.solver);
            (self.api.term_manager_delete)(self.terms);
        }
        let fresh = Solver::new(self.api);
        (self.terms, self.solver, self.symbols) = (fresh.terms, fresh.solver, fresh.symbols);
        self.apply_options()
    }

    fn run_file(&mut self, file: &str, language: c_int) -> i32 {
        // A reset deletes the solver, which a file's parser would still use, so such a file is read as a stream.
        match std::fs::read(file) {
            Err(_) => refuse(&format!("Couldn't open file: {file}")),
            Ok(bytes) if may_reset(&bytes) => {
                let mut stream = Stream::new(file, language);
                stream.commands.push(&bytes);
                stream.drain(self).or_else(|| stream.finish(self)).unwrap_or(0)
            }
            Ok(_) => {
                let name = c_string(file);
                let parser = Parser::new(self);
                // SAFETY: the parser has not been deleted, and the name ends with a NUL.
                unsafe { (self.api.parser_set_file_input)(parser.parser, language, name.as_ptr()) };
                if let Some(error) = self.api.take_error() {
                    return refuse(&error);
                }
                match self.run_commands(&parser, file) {
                    Next::Failed => 1,
                    Next::Continue | Next::Exit | Next::Reset => 0,
                }
            }
        }
    }

    /// Runs the warm-up once, then each script in a child.
    fn run_served(&mut self, warm_up: &str, file: &str, language: c_int) -> i32 {
        let mut stream = Stream::new(file, language);
        stream.commands.push(warm_up.as_bytes());
        if let Some(status) = stream.drain(self) {
            return status;
        }
        // Open the input before forking, so that the children need not.
        let parser = stream.parser.take().unwrap_or_else(|| Parser::new(self));
        parser.open(&c_string(file), language);
        // SAFETY: null stands for all streams. Without this, children would print the server's output again.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        let script = fork_server::serve();
        if may_reset(&script) {
            stream.parser = Some(parser);
            stream.commands.push(&script);
            return stream.drain(self).or_else(|| stream.finish(self)).unwrap_or(0);
        }
        parser.append(script);
        match self.run_commands(&parser, file) {
            Next::Failed => 1,
            Next::Continue | Next::Exit | Next::Reset => 0,
        }
    }

    fn run_stdin(&mut self, language: c_int) -> i32 {
        let mut stream = Stream::new("<stdin>", language);
        let mut input = std::io::stdin().lock();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return stream.finish(self).unwrap_or(0),
                Ok(read) => {
                    stream.commands.push(&buffer[..read]);
                    if let Some(status) = stream.drain(self) {
                        return status;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return refuse(&error.to_string()),
            }
        }
    }

    /// Runs all commands of the parser, up to one that ends the input.
    fn run_commands(&self, parser: &Parser<'_>, source: &str) -> Next {
        loop {
            let mut message = null();
            // SAFETY: the parser has not been deleted, and the message is copied before the next call.
            let command = unsafe { (self.api.parser_next_command)(parser.parser, &mut message) };
            if command.is_null() {
                let error = if message.is_null() { self.api.take_error() } else { Some(text(message)) };
                let Some(error) = error else { return Next::Continue };
                self.api.take_error();
                print(&format!("(error \"Parse Error: {source}: {}\")\n", error.replace('"', "\"\"")));
                return Next::Failed;
            }
            let next = self.run_command(command);
            if let Some(release) = self.api.cmd_release {
                // SAFETY: the command is not used again.
                unsafe { release(command) };
            }
            if next != Next::Continue {
                return next;
            }
        }
    }

    fn run_command(&self, command: Object) -> Next {
        // SAFETY: the command belongs to a parser of this solver that has not been deleted. Strings are copied at once.
        let name = unsafe { text((self.api.cmd_get_name)(command)) };
        match name.as_str() {
            "exit" => return Next::Exit,
            "reset" => return Next::Reset,
            _ => {}
        }
        // SAFETY: as above.
        let output = unsafe { text((self.api.cmd_invoke)(command, self.solver, self.symbols)) };
        print(plain_answer(&output));
        if let Some(error) = self.api.take_error() {
            print(&format!("(error \"{}\")\n", error.replace('"', "\"\"")));
            return Next::Failed;
        }
        if output.starts_with("(error") {
            return Next::Failed;
        }
        if name.starts_with("check-sat") {
            return self.run_after(output.trim());
        }
        Next::Continue
    }

    /// Runs the commands that options require after an answer.
    fn run_after(&self, answer: &str) -> Next {
        for (_, command) in self.after.iter().filter(|(wanted, _)| *wanted == answer) {
            let parser = Parser::new(self);
            parser.read(c"<options>", SMT_LIB, command.as_bytes().to_vec());
            let next = self.run_commands(&parser, "<options>");
            if next != Next::Continue {
                return next;
            }
        }
        Next::Continue
    }
}

/// A parser of cvc5, deleted on drop.
struct Parser<'a> {
    api: &'a Api,
    parser: Object,
}

impl<'a> Parser<'a> {
    fn new(solver: &Solver<'a>) -> Parser<'a> {
        // SAFETY: both arguments outlive the parser: `reset` is called only without one.
        let parser = unsafe { (solver.api.parser_new)(solver.solver, solver.symbols) };
        Parser { api: solver.api, parser }
    }

    /// Gives it new input with `commands`. It keeps what it has read before.
    fn read(&self, source: &CStr, language: c_int, commands: Vec<u8>) {
        self.open(source, language);
        self.append(commands);
    }

    /// Gives it new, empty input.
    fn open(&self, source: &CStr, language: c_int) {
        // SAFETY: the parser has not been deleted. The string ends with a NUL and is copied.
        unsafe { (self.api.parser_set_inc_str_input)(self.parser, language, source.as_ptr()) };
    }

    /// Appends `commands` to its input.
    fn append(&self, commands: Vec<u8>) {
        let commands = c_string(commands);
        // SAFETY: as above.
        unsafe { (self.api.parser_append_inc_str_input)(self.parser, commands.as_ptr()) };
    }
}

impl Drop for Parser<'_> {
    fn drop(&mut self) {
        // SAFETY: it came from `parser_new` and is deleted once.
        unsafe { (self.api.parser_delete)(self.parser) };
    }
}

/// Input that arrives in pieces.
struct Stream<'s, 'a> {
    source: &'s str,
    language: c_int,
    commands: Commands,
    /// The parser of the commands since the last reset.
    parser: Option<Parser<'a>>,
}

impl<'s, 'a> Stream<'s, 'a> {
    fn new(source: &'s str, language: c_int) -> Self {
        Stream { source, language, commands: Commands::new(), parser: None }
    }

    /// Runs every complete command that has arrived. Returns an exit code at the end of the input.
    ///
    /// The parser gets as many commands at once as possible, since new input costs as much as some answers. A reset must be
    /// the last of them.
    fn drain(&mut self, solver: &mut Solver<'a>) -> Option<i32> {
        while let Some(commands) = self.commands.next_up_to(may_reset) {
            let status = self.run(commands, solver);
            if status.is_some() {
                return status;
            }
        }
        None
    }

    /// Runs what is left at the end of the input.
    fn finish(&mut self, solver: &mut Solver<'a>) -> Option<i32> {
        let rest = self.commands.rest()?;
        self.run(rest, solver)
    }

    fn run(&mut self, commands: Vec<u8>, solver: &mut Solver<'a>) -> Option<i32> {
        let parser = self.parser.get_or_insert_with(|| Parser::new(solver));
        parser.read(&c_string(self.source), self.language, commands);
        match solver.run_commands(parser, self.source) {
            Next::Continue => None,
            Next::Failed => Some(1),
            Next::Exit => Some(0),
            Next::Reset => {
                self.parser = None;
                solver.reset().err().map(|error| refuse(&error))
            }
        }
    }
}

/// Whether `bytes` may contain a command `reset`. The word in a comment or a name counts, too.
fn may_reset(bytes: &[u8]) -> bool {
    let ends =
        |byte: Option<&u8>| !matches!(byte, Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'-');
    let word = b"reset";
    (0..bytes.len()).any(|at| bytes[at..].starts_with(word) && ends(bytes.get(at + word.len())))
}

/// Removes the reason that the library adds to `unknown`, as in `unknown (INCOMPLETE)`.
fn plain_answer(output: &str) -> &str {
    match output.strip_prefix("unknown (") {
        Some(reason) if reason.trim_end().ends_with(')') && !reason.trim_end().contains('\n') => "unknown\n",
        _ => output,
    }
}

/// Writes to standard output at once, after the library's own output.
fn print(output: &str) {
    // SAFETY: null stands for all streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut rest = output.as_bytes();
    while !rest.is_empty() {
        // SAFETY: the slice is valid for its length.
        // SAFETY: the slice is valid for its length.
        let written = unsafe { libc::write(libc::STDOUT_FILENO, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(count) => rest = &rest[count..],
            Err(_) if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            // Nobody reads the output any more.
            Err(_) => quit(1),
        }
    }
}

/// Ends the process without running destructors.
fn quit(status: i32) -> ! {
    // SAFETY: null stands for all streams, and `_exit` never returns.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(status)
    }
}
