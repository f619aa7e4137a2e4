//! The console blocks of all Markdown files show what the program prints.
//!
//! Every command of a ```` ```console ```` block, a line that starts with `$ `, is run by a shell. The blocks of a page run in order in one
//! temporary folder, which starts with the files of `console/files/`. A line `…` stands for lines that are left out. Notes
//! in HTML comments right above a block say more:
//!
//! * `<!-- varies: times, memory, counts -->`: these figures differ from run to run. Everything else must be the same.
//! * `<!-- file: NAME -->`: the block is a file that later commands read.
//! * `<!-- sample: REASON -->`: the block is not run, and why. Its flags must exist all the same. Blocks in `sh`, which
//!   show no output, are always samples.
//!
//! `UPDATE_EXPECT=1` writes what the commands print into the pages.

mod console;

use console::blocks::{Block, blocks};
use console::comparison::{ELISION, Kind, agree};
use console::{pages, shell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Reports that `elenchus report` wrote show how plain solvers are run, without our program.
const REPORTS: &str = "docs/samples";

struct Page {
    name: String,
    path: PathBuf,
    lines: Vec<String>,
    blocks: Vec<Block>,
}

impl Page {
    fn read(path: PathBuf) -> Page {
        let name = path.strip_prefix(pages::root()).unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let blocks = blocks(&lines).unwrap_or_else(|problem| panic!("{name}, {problem}"));
        Page { name, path, lines, blocks }
    }

    fn all() -> Vec<Page> {
        let pages = pages::pages().into_iter().map(Page::read);
        pages.filter(|page| !page.name.starts_with(REPORTS)).collect()
    }

    fn text(&self, block: &Block) -> String {
        self.lines[block.lines.clone()].iter().map(|line| format!("{line}\n")).collect()
    }

    /// Runs the page. Returns what differs, and writes it into the page if that was asked for.
    fn run(&self, folder: &Path, update: bool) -> Vec<String> {
        let mut problems = Vec::new();
        let mut lines = self.lines.clone();
        let mut added: isize = 0;
        for block in &self.blocks {
            if let Some(name) = &block.file {
                std::fs::write(folder.join(name), self.text(block)).unwrap();
            }
            if !block.is_executed() {
                continue;
            }
            for step in block.steps(&self.lines).unwrap_or_else(|problem| panic!("{}, {problem}", self.name))
            {
                let place = format!("{}:{}: `{}`", self.name, step.output.start, step.command);
                let printed = match shell::run(&step.command, folder) {
                    Ok(printed) => printed,
                    Err(problem) => {
                        problems.push(format!("{place}: {problem}"));
                        continue;
                    }
                };
                let shown =
                    trimmed(self.lines[step.output.clone()].iter().map(|line| line.trim_end()).collect());
                let printed = trimmed(printed.lines().map(str::trim_end).collect());
                if agree(&shown, &printed, &block.varies) {
                    continue;
                }
                problems.push(format!(
                    "{place} printed\n{}\nbut the page has\n{}",
                    printed.join("\n"),
                    shown.join("\n")
                ));
                let start = step.output.start.checked_add_signed(added).unwrap();
                let new = embeddable(&printed);
                added += new.len() as isize - shown.len() as isize;
                lines.splice(start..start + shown.len(), new);
            }
        }
        if update && lines != self.lines {
            std::fs::write(&self.path, lines.join("\n") + "\n").unwrap();
        }
        problems
    }
}

/// Lines without empty ones at the end.
fn trimmed(mut lines: Vec<&str>) -> Vec<&str> {
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Lines for a page. A fence among them would end the block, so the rest is left out.
fn embeddable(printed: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> =
        printed.iter().take_while(|line| !line.starts_with("```")).map(|line| line.to_string()).collect();
    if lines.len() < printed.len() {
        lines.push(ELISION.to_owned());
    }
    lines
}

/// The releases that commands name, such as z3@5.4.0.
fn releases(pages: &[Page]) -> BTreeSet<String> {
    let mut releases = BTreeSet::new();
    for page in pages {
        for block in page.blocks.iter().filter(|block| block.is_executed()) {
            for step in block.steps(&page.lines).unwrap_or_default() {
                let words =
                    step.command.split(|letter: char| letter.is_whitespace() || "'\",=".contains(letter));
                let is_release = |word: &&str| {
                    word.split_once('@')
                        .is_some_and(|(_, release)| release.starts_with(|first: char| first.is_ascii_digit()))
                };
                releases.extend(words.filter(is_release).map(str::to_owned));
            }
        }
    }
    releases
}

/// Copies the files that pages start with.
fn copy_files(to: &Path) {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console/files");
    for entry in std::fs::read_dir(files).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn every_console_block_shows_what_is_printed() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut pages = Page::all();
    pages.retain(|page| page.blocks.iter().any(Block::is_executed));
    let cold = tempfile::tempdir().unwrap();
    let install = releases(&pages)
        .into_iter()
        .fold("elenchus solver install".to_owned(), |command, release| command + " " + &release);
    let installed = shell::run(&format!("{install} >installed 2>&1 || cat installed"), cold.path()).unwrap();
    if !installed.is_empty() {
        return testing::skip(installed);
    }
    let problems = Mutex::new(Vec::new());
    let queue = Mutex::new(pages);
    // Most commands wait for solvers; two pages at a time suit two processors.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(page) = queue.lock().unwrap().pop() else { return };
                    let folder = tempfile::tempdir().unwrap();
                    copy_files(folder.path());
                    let found = page.run(folder.path(), update);
                    problems.lock().unwrap().extend(found);
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(
        problems.is_empty() || update,
        "{}\n\n`UPDATE_EXPECT=1` writes what was printed into the pages",
        problems.join("\n\n")
    );
}

#[test]
fn every_block_with_commands_is_run_or_says_why_not() {
    let mut problems = Vec::new();
    let mut samples = Vec::new();
    for page in Page::all() {
        for block in &page.blocks {
            let place = format!("{}:{}", page.name, block.lines.start);
            match &block.sample {
                Some(reason) if block.is_shell() => samples.push(format!("{place}: {reason}")),
                Some(_) => problems.push(format!("{place}: a note `sample` belongs above commands")),
                None if block.language == "console" => {}
                None if block.is_shell() => problems.push(format!(
                    "{place}: commands that are not run need a reason: `<!-- sample: REASON -->`"
                )),
                None => {
                    let commands = page.lines[block.lines.clone()].iter().map(|line| line.trim_start());
                    if commands
                        .into_iter()
                        .any(|line| line.starts_with("$ ") || line.starts_with("elenchus "))
                    {
                        problems.push(format!("{place}: commands belong into a block of the kind `console`"));
                    }
                }
            }
        }
    }
    println!("{} samples:\n{}", samples.len(), samples.join("\n"));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_flags_of_samples_exist() {
    let folder = tempfile::tempdir().unwrap();
    for page in Page::all() {
        for block in page.blocks.iter().filter(|block| block.sample.is_some()) {
            for line in &page.lines[block.lines.clone()] {
                let command = line.trim_start().trim_start_matches("$ ");
                // What follows a pipe, a redirection or a comment is not for our program.
                let command = [" | ", " > ", " #"]
                    .iter()
                    .fold(command, |command, end| command.split(end).next().unwrap());
                if !command.starts_with("elenchus ") {
                    continue;
                }
                let help = shell::run(&format!("{command} --help"), folder.path()).unwrap();
                assert!(help.contains("Usage: elenchus"), "{}:{}: {help}", page.name, block.lines.start);
            }
        }
    }
}

#[test]
fn only_what_varies_may_differ() {
    let (times, all) = (&[Kind::Times][..], &[Kind::Times, Kind::Memory, Kind::Counts][..]);
    // What a page shows, what is printed, what varies, and whether the two agree.
    let table: [(&str, &str, &[Kind], bool); 14] = [
        ("sat", "sat", &[], true),
        ("sat", "unsat", all, false),
        ("z3  12.5 ms  sat", "z3   7.5 ms  sat", times, true),
        ("z3  12.5 ms  sat", "z3   7.5 ms  unsat", times, false),
        ("z3  12.5 ms  38 MB", "z3  7.5 ms  39 MB", times, false),
        ("z3  12.5 ms  38 MB", "z3  7.5 ms  39 MB", all, true),
        ("in 1m 30s", "in 59s", times, true),
        ("48 tests", "47 tests", all, true),
        ("48 tests", "47 tests", times, false),
        ("z3@4.8.7 is wrong", "z3@4.8.8 is wrong", all, false),
        ("a\n…\nd", "a\nb\nc\nd", &[], true),
        ("a\n…\nd", "a\nd", &[], true),
        ("a\n…\nd", "a\nb\nc", &[], false),
        ("a", "a\nb", &[], false),
    ];
    for (shown, printed, varies, expected) in table {
        let lines = |text: &'static str| text.lines().collect::<Vec<_>>();
        assert_eq!(agree(&lines(shown), &lines(printed), varies), expected, "{shown:?} and {printed:?}");
    }
}
