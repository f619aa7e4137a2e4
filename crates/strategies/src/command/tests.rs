//! Cases from printed scripts.

use super::*;
use crate::api::LiveQuestion;
use case::Learned;

/// Prints these outputs, one for each run.
#[derive(Default)]
struct Program {
    outputs: Vec<&'static str>,
    runs: Vec<GeneratorRun>,
    problems: Vec<String>,
    answers: Vec<Learned>,
}

impl Questioner for Program {
    fn ask(&mut self, _question: &LiveQuestion) -> Option<Learned> {
        None
    }

    fn generate(&mut self, run: &GeneratorRun) -> Option<Learned> {
        let text = self.outputs.get(self.runs.len()).copied().unwrap_or_default().to_owned();
        self.runs.push(run.clone());
        let learned = Learned { question: self.answers.len(), solver: "command".to_owned(), sat: None, text };
        self.answers.push(learned.clone());
        Some(learned)
    }

    fn reject(&mut self, problem: String) {
        self.problems.push(problem);
    }
}

fn strategy() -> Command {
    Command::new(Signatures::standard(), CommandSettings::default(), "./gen --seed {seed}")
}

/// The cases of a turn, and the program after it.
fn turn(outputs: &[&'static str]) -> (Vec<Case>, Program) {
    let mut program = Program { outputs: outputs.to_vec(), ..Program::default() };
    let mut mutator = strategy().open(&strategy().own_seed().unwrap(), Random::new(1)).unwrap();
    let cases = std::iter::from_fn(|| mutator.next_case_with(&mut program)).collect();
    (cases, program)
}

#[test]
fn scripts_become_cases_and_others_are_reported() {
    let (cases, program) = turn(&[
        "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n(exit)\n",
        "(assert true)(reset)\n(declare-const x Int)\n(assert (= x #b1))(reset)(set-info :status unsat)(assert false)(check-sat)",
        "",
        "hello\n",
    ]);
    let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n",
            "(assert true)\n(check-sat)\n",
            "(set-info :status unsat)(assert false)(check-sat)\n",
        ]
    );
    assert_eq!(cases[0].expectation, Expectation::Unknown);
    assert_eq!(cases[2].expectation, Expectation::Labelled { answers: vec![Answer::Unsat] });
    assert_eq!(cases[2].lineage[0].after, "script 3 of 3");
    assert!(cases[0].theories.contains("Ints"));
    let run = &program.runs[1];
    assert_eq!(run.command, format!("./gen --seed {}", run.number));
    assert_ne!(run.number, program.runs[0].number);
    let [ill_typed, garbage] = program.problems.as_slice() else { panic!("{:?}", program.problems) };
    let expected = format!("the output of `{}`:3:9: error: `=` does not take", run.command);
    assert!(ill_typed.starts_with(&expected) && ill_typed.contains("(assert (= x #b1))"), "{ill_typed}");
    assert!(garbage.contains(":1:1: error:") && garbage.contains("hello"), "{garbage}");
}

#[test]
fn a_turn_ends_if_nothing_usable_comes() {
    let (cases, program) = turn(&[]);
    assert!(cases.is_empty() && program.runs.len() == MOST_SILENT, "{}", program.runs.len());
    let (cases, program) = turn(&["nothing"; 100]);
    assert!(cases.is_empty() && program.runs.len() == MOST_RUNS, "{}", program.runs.len());
    assert_eq!(program.problems.len(), MOST_RUNS);
}

#[test]
fn cases_are_made_again_from_what_was_printed() {
    let (cases, program) = turn(&["(assert true)(reset)(assert false)", "", "x", "(check-sat)"]);
    let mut seed = strategy().own_seed().unwrap();
    seed.dialogue = program.answers;
    let mut again = strategy().open(&seed, Random::new(1)).unwrap();
    let made: Vec<Case> = std::iter::from_fn(|| again.next_case()).collect();
    assert_eq!(made.len(), 3);
    assert_eq!(made, cases);
}
