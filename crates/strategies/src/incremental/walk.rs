//! A random walk over the commands of incremental scripts.

use super::IncrementalSettings;
use crate::kit::random::Random;
use smt::sexpr::read_all;

/// An incremental script.
pub(super) struct Walk {
    pub text: String,
    pub checks: usize,
    pub steps: usize,
}

/// The state of a script that is being written.
struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    formulas: Vec<&'a str>,
    /// What the names of new symbols begin with.
    prefix: String,
    level: usize,
    checks: usize,
    definitions: usize,
    /// The literals that an assertion has been tied to, by the number of the formula.
    tied: Vec<usize>,
    /// Whether a check now would ask something new.
    is_new: bool,
}

/// Asks about the formulas of a script with one check step by step. Every declaration comes first, and so do constants that stand for
/// formulas, since assumptions are literals. `None` if there is no formula.
pub(super) fn walk(flat: &str, settings: &IncrementalSettings, random: &mut Random) -> Option<Walk> {
    let (mut heads, mut declarations, mut formulas) = (String::new(), String::new(), Vec::new());
    for command in read_all(flat).ok()? {
        let parts = command.list()?;
        let text = |span: smt::Span| &flat[span.start as usize..span.end as usize];
        match parts.first()?.atom()? {
            "assert" => formulas.push(text(parts.get(1)?.span())),
            name if name.starts_with("declare-") || name.starts_with("define-") => {
                declarations.extend([text(command.span()), "\n"]);
            }
            name if name.starts_with("set-") => heads.extend([text(command.span()), "\n"]),
            _ => {}
        }
    }
    if formulas.is_empty() {
        return None;
    }
    let mut prefix = String::from("q");
    while flat.contains(&prefix) {
        prefix.push('q');
    }
    // Without the option, `reset-assertions` retracts declarations, too.
    let resets = random.chance(1, 6);
    let option = if resets { "(set-option :global-declarations true)\n" } else { "" };
    let mut text = format!("{option}{heads}{declarations}");
    for number in 0..formulas.len() {
        text.push_str(&format!("(declare-const {prefix}{number} Bool)\n"));
    }
    let mut writer = Writer {
        random,
        text,
        formulas,
        prefix,
        level: 0,
        checks: 0,
        definitions: 0,
        tied: Vec::new(),
        is_new: true,
    };
    let steps = 4 + writer.random.index(settings.steps.saturating_sub(4).max(1));
    for _ in 0..steps {
        writer.step(settings.checks, resets);
    }
    // One check alone is no sequence.
    while writer.checks < 2 || writer.is_new {
        if !writer.is_new {
            writer.assert();
        }
        writer.check();
    }
    Some(Walk { text: writer.text, checks: writer.checks, steps })
}

impl Writer<'_> {
    fn step(&mut self, most_checks: usize, resets: bool) {
        let may_check = self.checks + 1 < most_checks;
        match self.random.index(17) {
            0..=5 => self.assert(),
            6..=8 => self.push(),
            9..=11 if self.level > 0 => self.pop(),
            12..=13 if may_check && self.is_new => self.check(),
            14..=15 if may_check => self.assume(),
            16 if resets => {
                self.text.push_str("(reset-assertions)\n");
                self.level = 0;
                self.tied.clear();
                self.is_new = true;
            }
            _ => {}
        }
    }

    /// Asserts a formula: as it is, under a literal that may be assumed, or by a definition of this level.
    fn assert(&mut self) {
        let number = self.random.index(self.formulas.len());
        let (formula, prefix) = (self.formulas[number], &self.prefix);
        let text = match self.random.index(6) {
            kind @ (3 | 4) => {
                self.tied.push(number);
                let connective = if kind == 3 { "=>" } else { "=" };
                format!("(assert ({connective} {prefix}{number} {formula}))\n")
            }
            5 => {
                let name = format!("{prefix}_{}", self.definitions);
                self.definitions += 1;
                format!("(define-fun {name} () Bool {formula})\n(assert {name})\n")
            }
            _ => format!("(assert {formula})\n"),
        };
        self.text.push_str(&text);
        self.is_new = true;
    }

    fn push(&mut self) {
        let levels = if self.random.chance(1, 5) { 2 } else { 1 };
        self.text.push_str(&format!("(push {levels})\n"));
        self.level += levels;
        self.is_new = true;
    }

    fn pop(&mut self) {
        let levels = 1 + self.random.index(self.level.min(2));
        self.text.push_str(&format!("(pop {levels})\n"));
        self.level -= levels;
        self.is_new = true;
    }

    fn check(&mut self) {
        self.text.push_str("(check-sat)\n");
        self.checks += 1;
        self.is_new = false;
    }

    /// Asks under one to three assumptions, most of which occur in assertions.
    fn assume(&mut self) {
        let mut chosen: Vec<usize> = Vec::new();
        for _ in 0..=self.random.index(3) {
            let number = match self.tied.is_empty() || self.random.chance(1, 8) {
                true => self.random.index(self.formulas.len()),
                false => self.tied[self.random.index(self.tied.len())],
            };
            if !chosen.contains(&number) {
                chosen.push(number);
            }
        }
        let literals: Vec<String> = chosen
            .into_iter()
            .map(|number| match self.random.chance(1, 4) {
                true => format!("(not {}{number})", self.prefix),
                false => format!("{}{number}", self.prefix),
            })
            .collect();
        self.text.push_str(&format!("(check-sat-assuming ({}))\n", literals.join(" ")));
        self.checks += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: &str = "(set-logic QF_LIA)\n(declare-const q Int)\n(define-fun f () Int (+ q 1))\n(assert (< q f))\n\
                        (assert (> q 3))\n(check-sat)\n";

    #[test]
    fn scripts_ask_at_least_twice_and_leave_only_open_levels() {
        for seed in 0..400 {
            let settings = IncrementalSettings::default();
            let walk = walk(FLAT, &settings, &mut Random::new(seed)).unwrap();
            let commands: Vec<&str> = walk.text.lines().collect();
            let checks = commands.iter().filter(|line| line.starts_with("(check-sat")).count();
            assert_eq!(checks, walk.checks);
            assert!((2..=settings.checks).contains(&checks), "{}", walk.text);
            assert!(commands.last().unwrap().starts_with("(check-sat"), "{}", walk.text);
            let mut level = 0i64;
            for line in &commands {
                let levels =
                    || line.trim_end_matches(')').rsplit(' ').next().unwrap().parse::<i64>().unwrap();
                match line.split([' ', ')']).next().unwrap() {
                    "(push" => level += levels(),
                    "(pop" => level -= levels(),
                    "(reset-assertions" => {
                        assert_eq!(commands[0], "(set-option :global-declarations true)");
                        level = 0;
                    }
                    _ => {}
                }
                assert!(level >= 0, "{}", walk.text);
            }
        }
    }

    #[test]
    fn every_command_occurs() {
        let walks =
            (0..200).map(|seed| walk(FLAT, &IncrementalSettings::default(), &mut Random::new(seed)).unwrap());
        let all: String = walks.map(|walk| walk.text).collect();
        let parts = [
            "(push 1)",
            "(push 2)",
            "(pop 1)",
            "(pop 2)",
            "(check-sat)",
            "(check-sat-assuming (qq0))",
            "(check-sat-assuming ((not qq1) qq0))",
            "(reset-assertions)",
            "(assert (=> qq0 (< q f)))",
            "(assert (= qq1 (> q 3)))",
            "(define-fun qq_0 () Bool (> q 3))\n(assert qq_0)",
        ];
        for part in parts {
            assert!(all.contains(part), "{part}");
        }
    }

    #[test]
    fn a_script_without_formulas_has_no_walk() {
        assert!(walk("(check-sat)", &IncrementalSettings::default(), &mut Random::new(1)).is_none());
    }
}
