//! Cross-examination: the evaluator that judges solvers is itself questioned. Random ground terms are evaluated here and
//! put before solvers; whatever they value differently is a mistake of one side.

mod ask;
mod explained;
mod report;

pub use ask::{Claim, Said};
pub use report::{Disagreement, Report, Row, Tally};

use ask::Witness;
use semantics::{Definitions, collect_definitions};
use semantics::{Evaluator, Model, Reason};
use smt::{Arena, Scope, Signatures};
use solver::{RunError, Target};
use std::collections::BTreeMap;
use std::sync::Arc;
use strategies::Random;
use strategies::ground::{GroundTerm, GroundTerms, Subject};

/// How many terms are put to the solvers at a time, in the end. The first batches are small, to learn what each solver takes.
const BATCH: u64 = 2048;
const FIRST_BATCH: u64 = 128;
/// A rank that a solver has refused or left undecided this often, and not much oftener decided, is not put to it again.
const PATIENCE: u32 = 6;

/// Values with longer texts are left alone: they cost much and show little.
const LONGEST: usize = 1000;

/// What is to be examined.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many terms are made.
    pub terms: u64,
    /// The seed of the random choices.
    pub seed: u64,
    /// The theories to keep to; all if there are none.
    pub theories: Vec<String>,
}

/// A term with its value.
struct Evaluated {
    subject: Subject,
    term: GroundTerm,
    value: String,
}

/// What a solver has said about a rank so far.
#[derive(Clone, Copy, Default)]
struct Standing {
    helpful: u32,
    unhelpful: u32,
}

/// Puts random ground terms to solvers and compares values.
pub fn examine(
    targets: &[Target],
    signatures: &Arc<Signatures>,
    plan: &Plan,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, RunError> {
    let mut witnesses = targets.iter().map(Witness::new).collect::<Result<Vec<_>, RunError>>()?;
    let mut standings: Vec<BTreeMap<u32, Standing>> = vec![BTreeMap::new(); witnesses.len()];
    let mut maker = GroundTerms::new(signatures);
    let chosen = |theory: &str| plan.theories.is_empty() || plan.theories.iter().any(|name| name == theory);
    let subjects: Vec<Subject> =
        maker.subjects().into_iter().filter(|&subject| chosen(maker.theory(subject))).collect();
    let ids = witnesses.iter().map(|witness| witness.id().to_owned()).collect();
    let mut report = Report::new(ids, &maker, &subjects, signatures, &chosen);
    let mut random = Random::new(plan.seed);
    let mut made = 0;
    while made < plan.terms && !subjects.is_empty() {
        let size = (made / 2).clamp(FIRST_BATCH, BATCH).min(plan.terms - made);
        let batch = make_batch(&mut maker, &subjects, made, size, &mut random, &mut report, signatures);
        made += size;
        for higher_order in [false, true] {
            let terms: Vec<&Evaluated> =
                batch.iter().filter(|one| one.term.higher_order == higher_order).collect();
            let answers = ask_all(&mut witnesses, &standings, &terms, higher_order)?;
            for (place, said) in answers.into_iter().enumerate() {
                for (at, said) in said {
                    note(&mut standings[place], &terms[at].term, &said);
                    report.add(place, terms[at].subject, &terms[at].term.text, &terms[at].value, said);
                }
            }
        }
        progress(made);
    }
    Ok(report)
}

/// Makes terms for the subjects in turn and evaluates them.
fn make_batch(
    maker: &mut GroundTerms,
    subjects: &[Subject],
    from: u64,
    size: u64,
    random: &mut Random,
    report: &mut Report,
    signatures: &Arc<Signatures>,
) -> Vec<Evaluated> {
    let mut arena = Arena::new(signatures.clone());
    let mut scope = Scope::default();
    let mut definitions = Definitions::new();
    if let Ok(script) = smt::parse_in_scope(&mut arena, &mut scope, GroundTerms::PRELUDE) {
        script.commands.iter().for_each(|command| collect_definitions(command, &mut definitions));
    }
    let mut read = Vec::new();
    for at in from..from + size {
        let subject = subjects[(at % subjects.len() as u64) as usize];
        let draws = if maker.is_open(subject) { 3 } else { 1 };
        for _ in 0..draws {
            let Some(term) = maker.make(subject, random) else {
                report.undrawn(subject);
                continue;
            };
            match smt::parse_term(&mut arena, &mut scope, &term.text) {
                Ok(parsed) => read.push((subject, term, parsed)),
                Err(error) => report.defect(&term.text, &error.to_string()),
            }
        }
    }
    let model = Model::new();
    let mut evaluator = Evaluator::new(&arena, &model, &definitions);
    let (mut batch, mut terms) = (Vec::new(), Vec::new());
    for (subject, term, parsed) in read {
        match evaluator.evaluate(parsed) {
            Ok(value) => {
                let value = value.text(&arena, arena.sort(parsed));
                if value.len() > LONGEST {
                    report.undetermined(subject);
                    continue;
                }
                batch.push(Evaluated { subject, term, value });
                terms.push(parsed);
            }
            Err(Reason::Open(..) | Reason::TooLarge(_) | Reason::Quantifier(_)) => {
                report.undetermined(subject)
            }
            Err(reason) => report.defect(&term.text, &reason.text(&arena)),
        }
    }
    // What is evaluated again goes other ways: it is prepared the second time, and that is used from the third time on.
    for _ in 0..2 {
        evaluator = Evaluator::with_memory(&arena, &model, &definitions, evaluator.into_memory());
        for (first, &parsed) in batch.iter().zip(&terms) {
            let again = evaluator.evaluate(parsed);
            if !again.as_ref().is_ok_and(|value| value.text(&arena, arena.sort(parsed)) == first.value) {
                report.defect(
                    &first.term.text,
                    &format!("is {} first, and {again:?} when evaluated again", first.value),
                );
            }
        }
    }
    batch
}

/// Puts terms to all solvers at the same time; for each, what it said about which of them.
fn ask_all(
    witnesses: &mut [Witness],
    standings: &[BTreeMap<u32, Standing>],
    terms: &[&Evaluated],
    higher_order: bool,
) -> Result<Vec<Vec<(usize, Said)>>, RunError> {
    let ask = |witness: &mut Witness, standing: &BTreeMap<u32, Standing>| {
        let places: Vec<usize> = (0..terms.len())
            .filter(|&at| {
                let term = &terms[at].term;
                let known = if witness.name() == "z3" { term.z3 } else { term.cvc5 };
                known && !term.ranks.iter().any(|rank| standing.get(rank).is_some_and(is_hopeless))
            })
            .collect();
        let claim = |&at: &usize| Claim { term: terms[at].term.text.clone(), value: terms[at].value.clone() };
        let claims: Vec<Claim> = places.iter().map(claim).collect();
        let said = witness.ask(&claims, higher_order)?;
        Ok(places.into_iter().zip(said).collect())
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = witnesses
            .iter_mut()
            .zip(standings)
            .map(|(witness, standing)| scope.spawn(move || ask(witness, standing)))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(answer) => answer,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().map(join).collect()
    })
}

fn is_hopeless(standing: &Standing) -> bool {
    standing.unhelpful >= PATIENCE && standing.helpful < standing.unhelpful * 2
}

fn note(standing: &mut BTreeMap<u32, Standing>, term: &GroundTerm, said: &Said) {
    let unsure = term
        .ranks
        .iter()
        .filter(|rank| standing.get(rank).is_none_or(|one| one.helpful <= one.unhelpful))
        .count();
    for &rank in &term.ranks {
        let one = standing.entry(rank).or_default();
        match said {
            Said::Agrees | Said::Differs(_) | Said::Wavers(_) => one.helpful += 1,
            // Only where all others are known to be taken is it clear whose fault it is.
            _ if unsure <= 1 => one.unhelpful += 1,
            _ => {}
        }
    }
}
