//! What a finding claims about its solvers, so that a plain run can reproduce it.

use case::{
    Answer, AskedScript, Claim, Class, Clause, CrashPattern, Evidence, Outcome, Predicate, SolverRun,
    Statement,
};

/// The claims that a finding of this class with this evidence makes about its runs; `None` if no plain run can reproduce it.
pub fn claims(class: Class, evidence: &[Evidence], runs: &[SolverRun]) -> Option<Predicate> {
    let suspects = || runs.iter().filter(|run| run.suspect);
    let clauses: Vec<Clause> = match class {
        Class::Crash => suspects().filter_map(crash).collect(),
        Class::InvalidModel => suspects()
            .map(|run| match run.result.outcome {
                Outcome::InvalidModel { .. } => clause(run, Claim::OwnModelCheck),
                _ => clause(run, Claim::WrongModel),
            })
            .collect(),
        Class::WrongRewrite
        | Class::WrongValue
        | Class::WrongOptimum
        | Class::WrongConsequence
        | Class::RepeatedModel
        | Class::WrongPrinting => {
            let kind = misstated(evidence)?;
            by_suspicion(runs, &Claim::Misstates(kind), &Claim::RefutesStatement)
        }
        Class::InvalidProof => {
            let claim = rejecting(evidence).map_or(Claim::OwnProofCheck, Claim::RejectedProof);
            suspects().map(|run| clause(run, claim.clone())).collect()
        }
        Class::InvalidCore => by_suspicion(runs, &Claim::WrongCore, &Claim::SatisfiesCore),
        Class::Performance => by_suspicion(runs, &Claim::Slow(None), &Claim::Fast(None)),
        Class::WrongUnsat | Class::WrongSat | Class::Contradiction => answers(runs),
        Class::Incompleteness => runs.iter().filter_map(given_up).collect(),
        Class::StateLeak | Class::WrongLabel => Vec::new(),
    };
    (!clauses.is_empty()).then_some(Predicate { clauses })
}

/// The kind of statement that is wrong by the evidence.
fn misstated(evidence: &[Evidence]) -> Option<Statement> {
    evidence.iter().find_map(|one| match one {
        Evidence::Misstated { misstatement, .. } => Some(misstatement.kind),
        _ => None,
    })
}

/// The checker that rejects a proof by the evidence.
fn rejecting(evidence: &[Evidence]) -> Option<String> {
    evidence.iter().find_map(|one| match one {
        Evidence::ProofRejected { checker, .. } => Some(checker.clone()),
        _ => None,
    })
}

fn clause(run: &SolverRun, claim: Claim) -> Clause {
    Clause { spec: run.spec.clone(), options: run.options.clone(), claim }
}

/// The clause of a crash. The solver may crash in the check of its own model, so that check stays on.
fn crash(run: &SolverRun) -> Option<Clause> {
    let Outcome::Crash(crash) = &run.result.outcome else { return None };
    let mut clause = clause(run, Claim::Crashes(CrashPattern::Like(crash.clone())));
    clause.options.extend(run.checks.iter().cloned());
    Some(clause)
}

fn by_suspicion(runs: &[SolverRun], suspect: &Claim, other: &Claim) -> Vec<Clause> {
    runs.iter().map(|run| clause(run, if run.suspect { suspect.clone() } else { other.clone() })).collect()
}

/// The clause of a solver that gives up, or of one that answers.
fn given_up(run: &SolverRun) -> Option<Clause> {
    let answer = run.result.answers.first().copied()?;
    (run.suspect || answer.is_decided()).then(|| clause(run, Claim::Says(answer)))
}

/// The answers to the first check on which solvers contradict each other, or to the first check if they contradict what is known.
fn answers(runs: &[SolverRun]) -> Vec<Clause> {
    let checks = runs.iter().map(|run| run.result.answers.len()).max().unwrap_or(0);
    let given =
        |check: usize, answer: Answer| runs.iter().any(|run| run.result.answers.get(check) == Some(&answer));
    let contradicted = (0..checks).find(|&check| given(check, Answer::Sat) && given(check, Answer::Unsat));
    let check = contradicted.unwrap_or(0);
    let decided = |run: &SolverRun| {
        let answer = run.result.answers.get(check).copied().filter(|answer| answer.is_decided())?;
        let claim = match run.asked {
            AskedScript::Plain => Claim::SaysPlainly(answer),
            AskedScript::Case | AskedScript::CoreAlone | AskedScript::Doubt => Claim::Says(answer),
        };
        Some(clause(run, claim))
    };
    runs.iter().filter_map(decided).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::{Crash, RunResult};

    fn run(spec: &str, outcome: Outcome, answers: &[Answer], suspect: bool) -> SolverRun {
        SolverRun {
            options: vec!["-o".to_owned()],
            checks: vec!["check".to_owned()],
            ..testing::solver_run(spec, RunResult { outcome, answers: answers.to_vec() }, suspect)
        }
    }

    #[test]
    fn every_class_claims_what_its_runs_did() {
        use Answer::{Sat, Unknown, Unsat};
        let answered = || Outcome::Answered;
        let own = Outcome::InvalidModel { message: "invalid".to_owned() };
        let proof = Outcome::InvalidProof { message: "invalid".to_owned() };
        let two = |one: &[Answer], other: &[Answer]| {
            vec![run("z3@1", answered(), one, true), run("cvc5", answered(), other, false)]
        };
        let plain = |run: SolverRun| SolverRun { asked: AskedScript::Plain, ..run };
        let table = [
            (
                Class::Crash,
                vec![
                    run("z3@1", Outcome::Crash(Crash::signal(11)), &[], true),
                    run("cvc5", answered(), &[Sat], false),
                ],
                Some("z3@1 -o check crashes with SIGSEGV"),
            ),
            (
                Class::InvalidModel,
                vec![run("z3@1", own, &[Sat], true)],
                Some("z3@1 -o finds its model wrong"),
            ),
            (Class::InvalidModel, two(&[Sat], &[Sat]), Some("z3@1 -o gives a wrong model")),
            (
                Class::InvalidProof,
                vec![run("cvc5", proof, &[Unsat], true)],
                Some("cvc5 -o finds its proof wrong"),
            ),
            (
                Class::InvalidCore,
                two(&[Unsat], &[Sat]),
                Some("z3@1 -o gives a wrong core, cvc5 -o satisfies it"),
            ),
            (Class::Performance, two(&[Sat], &[Sat]), Some("z3@1 -o is slow, cvc5 -o is fast")),
            (Class::WrongUnsat, two(&[Unsat], &[Sat]), Some("z3@1 -o says unsat, cvc5 -o says sat")),
            // The second check is the one that they contradict each other on.
            (
                Class::Contradiction,
                two(&[Sat, Unsat], &[Sat, Sat]),
                Some("z3@1 -o says unsat, cvc5 -o says sat"),
            ),
            (
                Class::Contradiction,
                vec![run("z3@1", answered(), &[Unsat], true), plain(run("z3@1", answered(), &[Sat], true))],
                Some("z3@1 -o says unsat, z3@1 -o says sat plainly"),
            ),
            // Nobody contradicts it but its construction.
            (Class::WrongSat, vec![run("z3@1", answered(), &[Sat], true)], Some("z3@1 -o says sat")),
            (Class::Incompleteness, two(&[Unknown], &[Sat]), Some("z3@1 -o says unknown, cvc5 -o says sat")),
            (Class::Incompleteness, two(&[Unknown], &[Unknown]), Some("z3@1 -o says unknown")),
            (Class::StateLeak, two(&[Sat], &[Unsat]), None),
            (Class::Crash, vec![run("z3@1", Outcome::Timeout, &[], true)], None),
        ];
        for (class, runs, expected) in table {
            let found = claims(class, &[], &runs).map(|predicate| predicate.to_string());
            assert_eq!(found.as_deref(), expected, "{class}");
        }
    }
}
