//! Who reads, and how each of them is called.

use crate::measure::own_cpu;
use std::any::Any;
use std::path::{Path, PathBuf};

/// What there is to read.
pub struct Work {
    /// The scripts, each in a file.
    pub scripts: Vec<PathBuf>,
    /// Where the names of the scripts can be written for the readers of this program.
    pub list: PathBuf,
    /// The size of all scripts together.
    pub bytes: usize,
}

/// What a reader makes of a script; whoever holds it decides whether freeing it is part of the work.
type Kept = Box<dyn Any>;

/// Reads one script, or says why it cannot.
type Read = fn(&str) -> Result<Kept, String>;

/// The readers inside this program: name, whether they type what they read, and how they are called.
const READERS: &[(&str, &str, Read)] = &[
    ("elenchus", "typed", ours),
    ("elenchus lexer", "tokens only", ours_tokens),
    ("elenchus print", "printing only", ours_print),
    ("yaspar-ir", "typed", yaspar_ir_typed),
    ("yaspar", "syntax only", yaspar),
    ("oxiz-core", "own terms", oxiz),
    ("smt2parser", "untyped", smt2parser),
    ("aws-smt-ir", "untyped", aws),
];

/// One of those who are compared.
pub enum Contender {
    /// A reader of this program.
    Reader { name: &'static str, gives: &'static str },
    /// A solver, or why there is none.
    Solver { name: String, command: Result<Vec<String>, String> },
}

impl Contender {
    /// Everyone who can be compared here.
    pub fn all(z3: Option<&Path>, cvc5: Option<&Path>) -> Vec<Contender> {
        let mut all: Vec<Contender> =
            READERS.iter().map(|&(name, gives, _)| Contender::Reader { name, gives }).collect();
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
            all.insert(1 + at, Contender::Solver { name, command });
        }
        all
    }

    /// The name in the table.
    pub fn name(&self) -> &str {
        match self {
            Contender::Reader { name, .. } => name,
            Contender::Solver { name, .. } => name,
        }
    }

    /// What it makes of a script.
    pub fn gives(&self) -> &'static str {
        match self {
            Contender::Reader { gives, .. } => gives,
            Contender::Solver { .. } => "typed",
        }
    }

    /// Whether it reads on after a command that it refuses.
    pub fn goes_on(&self) -> bool {
        self.name().starts_with("z3")
    }

    /// The command line that reads the work.
    pub fn command(&self, work: &Work) -> Result<Vec<String>, String> {
        match self {
            Contender::Reader { name, .. } => {
                let own = std::env::current_exe().map_err(|error| error.to_string())?;
                let names: Vec<String> = work.scripts.iter().map(|path| path.display().to_string()).collect();
                crate::write(&work.list, &names.join("\n"))?;
                let list = work.list.display().to_string();
                Ok(vec![own.display().to_string(), "run".into(), (*name).into(), list])
            }
            Contender::Solver { command, .. } => {
                let [script] = &work.scripts[..] else {
                    return Err(
                        "a process for each small script would measure starting; see the next table".into()
                    );
                };
                let mut command = command.clone()?;
                command.push(script.display().to_string());
                Ok(command)
            }
        }
    }
}

/// The program of a solver: what the user gave, the installed one, or the one on the PATH. Nothing is installed for this.
fn find(name: &str, given: Option<&Path>) -> Result<(String, String), String> {
    let mut settings = solver::install::Settings::from_environment().map_err(|error| error.to_string())?;
    settings.install_missing = false;
    let spec = given.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    let target = solver::install::resolve(&spec, &settings).map_err(|error| format!("not found: {error}"))?;
    if target.kind != solver::TargetKind::Executable {
        return Err(format!("only there as a library; give a program with --{name} PATH"));
    }
    Ok((format!("{name} {}", target.version), target.program.display().to_string()))
}

/// The inner process: `NAME LIST` reads all scripts that the list names and says how many could be read.
pub fn run(args: &[String]) -> Result<(), String> {
    let [name, list] = args else { return Err("usage: run NAME LIST".into()) };
    let (_, _, read) =
        READERS.iter().find(|(known, ..)| known == name).ok_or_else(|| format!("no reader `{name}`"))?;
    let list = std::fs::read_to_string(list).map_err(|error| format!("{list}: {error}"))?;
    let single = list.lines().count() == 1;
    let (mut bytes, mut good, mut all) = (0, 0, 0);
    let mut first_error = None;
    for path in list.lines() {
        let source = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        all += 1;
        // A peer that panics on one script is given the next.
        let result = std::panic::catch_unwind(|| read(&source)).unwrap_or_else(|_| Err("panics".into()));
        match result {
            Ok(kept) => {
                // One large script is measured without freeing it, as a solver's process just ends.
                if single {
                    std::mem::forget(kept);
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

fn ours(source: &str) -> Result<Kept, String> {
    let mut arena = smt::Arena::default();
    let script = smt::parse_script(&mut arena, source).map_err(|errors| errors[0].message.clone())?;
    Ok(Box::new((arena, script)))
}

fn ours_tokens(source: &str) -> Result<Kept, String> {
    let mut lexer = smt::lexer::Lexer::new(source);
    loop {
        match lexer.next_token() {
            Ok(token) if token.kind == smt::lexer::Kind::End => return Ok(Box::new(())),
            Ok(_) => {}
            Err(error) => return Err(error.message),
        }
    }
}

/// Prints what was read before, and reports the time of that alone.
fn ours_print(source: &str) -> Result<Kept, String> {
    let mut arena = smt::Arena::default();
    let script = smt::parse_script(&mut arena, source).map_err(|errors| errors[0].message.clone())?;
    let mut text = String::with_capacity(source.len());
    let start = own_cpu()?;
    arena.print_script(&script, &mut text);
    println!("only {}", own_cpu()? - start);
    Ok(Box::new((arena, script)))
}

fn yaspar(source: &str) -> Result<Kept, String> {
    ::yaspar::Parser::new().parse(source).map(|()| Box::new(()) as Kept)
}

fn yaspar_ir_typed(source: &str) -> Result<Kept, String> {
    use yaspar_ir::ast::{Context, Typecheck};
    let commands =
        yaspar_ir::untyped::UntypedAst.parse_script_str(source).map_err(|error| error.to_string())?;
    let mut context = Context::new();
    let typed = commands.type_check(&mut context).map_err(|error| error.to_string())?;
    Ok(Box::new((context, typed, commands)))
}

fn oxiz(source: &str) -> Result<Kept, String> {
    let mut terms = oxiz_core::ast::TermManager::new();
    let commands = oxiz_core::smtlib::parse_script(source, &mut terms).map_err(|error| error.to_string())?;
    Ok(Box::new((terms, commands)))
}

fn smt2parser(source: &str) -> Result<Kept, String> {
    let stream =
        ::smt2parser::CommandStream::new(source.as_bytes(), ::smt2parser::concrete::SyntaxBuilder, None);
    let commands = stream.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    Ok(Box::new(commands))
}

fn aws(source: &str) -> Result<Kept, String> {
    use aws_smt_ir::{Script, Term, logic::ALL};
    let script = Script::<Term<ALL>>::parse(source.as_bytes()).map_err(|error| error.to_string())?;
    Ok(Box::new(script))
}
