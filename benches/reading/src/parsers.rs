//! The parsers that are compared, and how to run them.

use crate::measure::own_cpu;
use std::any::Any;
use std::path::{Path, PathBuf};

/// The scripts to parse.
pub struct Workload {
    /// The files.
    pub scripts: Vec<PathBuf>,
    /// A file to which the list of scripts can be written, for the parsers in this program.
    pub list: PathBuf,
    /// The total size in bytes.
    pub bytes: usize,
}

/// The result of a parser. The caller decides whether to free it.
type Parsed = Box<dyn Any>;

/// Parses a script.
type Parse = fn(&str) -> Result<Parsed, String>;

/// The parsers in this program: name, output, and function.
const LIBRARIES: &[(&str, &str, Parse)] = &[
    ("elenchus", "typed", ours),
    ("elenchus lexer", "tokens only", ours_tokens),
    ("elenchus print", "printing only", ours_print),
    ("yaspar-ir", "typed", yaspar_ir_typed),
    ("yaspar", "syntax only", yaspar),
    ("oxiz-core", "own terms", oxiz),
    ("smt2parser", "untyped", smt2parser),
    ("aws-smt-ir", "untyped", aws),
];

/// A parser.
pub enum Parser {
    /// A library, called in this program.
    Library { name: &'static str, output: &'static str },
    /// A solver, or the reason why it is not available.
    Solver { name: String, command: Result<Vec<String>, String> },
}

impl Parser {
    /// All parsers.
    pub fn all(z3: Option<&Path>, cvc5: Option<&Path>) -> Vec<Parser> {
        let mut all: Vec<Parser> =
            LIBRARIES.iter().map(|&(name, output, _)| Parser::Library { name, output }).collect();
        for (at, (name, given, flags)) in
            [("z3", z3, &["-smt2"][..]), ("cvc5", cvc5, &["--parse-only", "--lang=smt2"][..])]
                .into_iter()
                .enumerate()
        {
            let (name, command) = match find(name, given) {
                Ok((label, program)) => {
                    let flags = flags.iter().map(|&flag| flag.to_owned());
                    (label, Ok(std::iter::once(program).chain(flags).collect()))
                }
                Err(reason) => (name.to_owned(), Err(reason)),
            };
            all.insert(1 + at, Parser::Solver { name, command });
        }
        all
    }

    /// The name in the table.
    pub fn name(&self) -> &str {
        match self {
            Parser::Library { name, .. } => name,
            Parser::Solver { name, .. } => name,
        }
    }

    /// The kind of result.
    pub fn output(&self) -> &'static str {
        match self {
            Parser::Library { output, .. } => output,
            Parser::Solver { .. } => "typed",
        }
    }

    /// Whether it continues after an error.
    pub fn continues_after_errors(&self) -> bool {
        self.name().starts_with("z3")
    }

    /// The command line that parses the workload.
    pub fn command(&self, work: &Workload) -> Result<Vec<String>, String> {
        match self {
            Parser::Library { name, .. } => {
                let own = std::env::current_exe().map_err(|error| error.to_string())?;
                let names: Vec<String> = work.scripts.iter().map(|path| path.display().to_string()).collect();
                crate::write(&work.list, &names.join("\n"))?;
                let list = work.list.display().to_string();
                Ok(vec![own.display().to_string(), "run".into(), (*name).into(), list])
            }
            Parser::Solver { command, .. } => {
                let [script] = &work.scripts[..] else {
                    return Err(
                        "one process per small script would measure start-up; see the next table".into()
                    );
                };
                let mut command = command.clone()?;
                command.push(script.display().to_string());
                Ok(command)
            }
        }
    }
}

/// Finds a solver: the given path, the installed one, or the one on the PATH. Installs nothing.
fn find(name: &str, given: Option<&Path>) -> Result<(String, String), String> {
    let mut settings = solver::install::Settings::from_environment().map_err(|error| error.to_string())?;
    settings.install_missing = false;
    let spec = given.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    let target = solver::install::resolve(&spec, &settings).map_err(|error| format!("not found: {error}"))?;
    if target.kind != solver::TargetKind::Executable {
        return Err(format!("available only as a library; pass an executable with --{name} PATH"));
    }
    Ok((format!("{name} {}", target.version), target.program.display().to_string()))
}

/// The inner process: `NAME LIST` parses all scripts in the list and prints how many it could parse.
pub fn run(args: &[String]) -> Result<(), String> {
    let [name, list] = args else { return Err("usage: run NAME LIST".into()) };
    let (_, _, parse) = LIBRARIES
        .iter()
        .find(|(known, ..)| known == name)
        .ok_or_else(|| format!("unknown parser `{name}`"))?;
    let list = std::fs::read_to_string(list).map_err(|error| format!("{list}: {error}"))?;
    let single = list.lines().count() == 1;
    let (mut bytes, mut good, mut all) = (0, 0, 0);
    let mut first_error = None;
    for path in list.lines() {
        let source = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        all += 1;
        // A peer may panic on a script; continue with the next one.
        let result = std::panic::catch_unwind(|| parse(&source)).unwrap_or_else(|_| Err("panicked".into()));
        match result {
            Ok(parsed) => {
                // Do not free the result of a single large script: the process of a solver just exits.
                if single {
                    std::mem::forget(parsed);
                }
                good += 1;
                bytes += source.len();
            }
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    println!("read {good} {all} {bytes}");
    if let Some(error) = first_error {
        println!("error {}", error.lines().next().unwrap_or(""));
    }
    Ok(())
}

fn ours(source: &str) -> Result<Parsed, String> {
    let mut arena = smt::Arena::default();
    let script = smt::parse_script(&mut arena, source).map_err(|errors| errors[0].message.clone())?;
    Ok(Box::new((arena, script)))
}

fn ours_tokens(source: &str) -> Result<Parsed, String> {
    let mut lexer = smt::lexer::Lexer::new(source);
    loop {
        match lexer.next_token() {
            Ok(token) if token.kind == smt::lexer::Kind::End => return Ok(Box::new(())),
            Ok(_) => {}
            Err(error) => return Err(error.message),
        }
    }
}

/// Prints a parsed script and reports the time of printing alone.
fn ours_print(source: &str) -> Result<Parsed, String> {
    let mut arena = smt::Arena::default();
    let script = smt::parse_script(&mut arena, source).map_err(|errors| errors[0].message.clone())?;
    let mut text = String::with_capacity(source.len());
    let start = own_cpu()?;
    arena.print_script(&script, &mut text);
    println!("only {}", own_cpu()? - start);
    Ok(Box::new((arena, script)))
}

fn yaspar(source: &str) -> Result<Parsed, String> {
    ::yaspar::Parser::new().parse(source).map(|()| Box::new(()) as Parsed)
}

fn yaspar_ir_typed(source: &str) -> Result<Parsed, String> {
    use yaspar_ir::ast::{Context, Typecheck};
    let commands =
        yaspar_ir::untyped::UntypedAst.parse_script_str(source).map_err(|error| error.to_string())?;
    let mut context = Context::new();
    let typed = commands.type_check(&mut context).map_err(|error| error.to_string())?;
    Ok(Box::new((context, typed, commands)))
}

fn oxiz(source: &str) -> Result<Parsed, String> {
    let mut terms = oxiz_core::ast::TermManager::new();
    let commands = oxiz_core::smtlib::parse_script(source, &mut terms).map_err(|error| error.to_string())?;
    Ok(Box::new((terms, commands)))
}

fn smt2parser(source: &str) -> Result<Parsed, String> {
    let stream =
        ::smt2parser::CommandStream::new(source.as_bytes(), ::smt2parser::concrete::SyntaxBuilder, None);
    let commands = stream.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    Ok(Box::new(commands))
}

fn aws(source: &str) -> Result<Parsed, String> {
    use aws_smt_ir::{Script, Term, logic::ALL};
    let script = Script::<Term<ALL>>::parse(source.as_bytes()).map_err(|error| error.to_string())?;
    Ok(Box::new(script))
}
