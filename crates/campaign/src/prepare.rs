//! What a strategy wants to know of a seed before it opens it: its questions are put to the solvers of the worker.

use crate::panel::Panel;
use solver::run::Want;
use solver::{Answer, Observation, Outcome, RunError};
use strategies::{Case, Inquiry, Learned, Seed, Strategy};

/// No strategy asks more questions than this about a seed.
const MOST_INQUIRIES: usize = 8;

/// A question with what the solvers did with it.
pub struct Asked {
    /// The question as a case.
    pub case: Case,
    /// Whether the question was the seed itself.
    pub is_seed: bool,
    /// Which solvers were asked.
    pub places: Vec<usize>,
    /// What they did.
    pub seen: Vec<Observation>,
}

/// The seed with what was learned about it, and the questions.
pub fn prepare(
    strategy: &dyn Strategy,
    seed: &Seed,
    panel: &mut Panel,
    want: Want,
) -> Result<(Seed, Vec<Asked>), RunError> {
    let mut seed = seed.clone();
    let mut all = Vec::new();
    for number in 0..MOST_INQUIRIES {
        let Some(inquiry) = strategy.inquire(&seed, number) else { break };
        let want = match inquiry.core {
            true => Want { core: true, ..Want::default() },
            false => Want { model: true, ..want },
        };
        let asked = ask(inquiry, panel, want)?;
        for (&place, observation) in asked.places.iter().zip(&asked.seen) {
            let solver = panel.target(place).name.clone();
            seed.learned.push(learned(number, solver, observation));
        }
        all.push(asked);
    }
    Ok((seed, all))
}

fn ask(inquiry: Inquiry, panel: &mut Panel, want: Want) -> Result<Asked, RunError> {
    let Inquiry { script, is_seed, solvers, theories, .. } = inquiry;
    let case = Case { text: script, solvers, theories, ..Case::default() };
    let places = panel.who_knows(&case);
    let mut seen = Vec::with_capacity(places.len());
    for &place in &places {
        seen.push(panel.run_warm_for(place, &case.text, want)?);
    }
    Ok(Asked { case, is_seed, places, seen })
}

fn learned(inquiry: usize, solver: String, seen: &Observation) -> Learned {
    let answer = seen.answer().filter(|_| seen.outcome == Outcome::Answered);
    let (sat, text) = match answer {
        Some(Answer::Sat) => (Some(true), seen.model()),
        Some(Answer::Unsat) => (Some(false), seen.core()),
        _ => (None, None),
    };
    Learned { inquiry, solver, sat, text: text.unwrap_or_default().to_owned() }
}
