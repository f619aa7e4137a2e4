//! Unsatisfiable cores: a solver that says `unsat` is asked for a core, and the others for a model of it. A core that has one,
//! by our own evaluation, is wrong, whatever the right answer to the whole script is.

use super::{Leave, Message, Worker};
use crate::confirm::{Context, finding};
use crate::duplicates::hash;
use case::{AskedScript, Finding};
use solver::run::Want;
use solver::{Answer, Observation, Outcome};
use std::time::Duration;
use strategies::{Case, Step};
use triage::{ModelOpinion, core_alone, core_question};

/// How a core is asked for and checked.
#[derive(Clone, Copy)]
enum Heat {
    Warm(Duration),
    Cold,
}

/// A model of a core.
struct Satisfied {
    /// What the solver said that gave the core.
    giver: Observation,
    /// The core.
    core: String,
    /// Who has a model of it, by place.
    by: usize,
    /// What that one said to the core alone.
    model: Observation,
}

impl Worker<'_> {
    /// Asks for cores of a case that solvers call unsatisfiable, and for models of them; one case in so many, as it is set. `seen`
    /// is what the solvers did with the case.
    pub(super) fn check_cores(
        &mut self,
        context: &Context<'_>,
        seen: &[Observation],
        limit: Duration,
    ) -> Result<(), Leave> {
        let one_in = self.shared.settings.cores;
        let says = |answer: Answer| seen.iter().any(|run| says(run, answer));
        // Where somebody says `sat`, the answers are looked into already.
        if one_in == 0
            || !hash(&context.case.text).is_multiple_of(one_in)
            || !says(Answer::Unsat)
            || says(Answer::Sat)
        {
            return Ok(());
        }
        let Some(text) = core_question(&context.case.text) else { return Ok(()) };
        let mut case: Case = Case { text, ..context.case.clone() };
        case.lineage.push(Step {
            action: "cores".into(),
            before: "the assertions".to_owned(),
            after: "the same, with names".to_owned(),
        });
        // Some solvers stop at the error that a question for a model is after `unsat`.
        let want = Want { model: false, ..context.want };
        let context = Context { case: &case, want, ..*context };
        let mut asked = Vec::with_capacity(context.places.len());
        for &place in context.places {
            let run = self.solver_pool.run_warm_within(place, &case.text, want, limit);
            asked.push(run.map_err(Leave::Failed)?);
        }
        // With names the same question goes other ways, on which solvers crash and contradict each other too.
        self.judged(&context, &asked)?;
        for (&place, run) in context.places.iter().zip(asked) {
            let Some(found) = self.satisfied(&context, place, run, Heat::Warm(limit))? else { continue };
            self.told_core(&context, place, &found)?;
        }
        Ok(())
    }

    /// Looks for a model of the core in a run of the solver at `place`. The others are asked; a solver that is alone answers for
    /// itself.
    fn satisfied(
        &mut self,
        context: &Context<'_>,
        place: usize,
        giver: Observation,
        heat: Heat,
    ) -> Result<Option<Satisfied>, Leave> {
        let Some(core) = giver.core().filter(|_| says(&giver, Answer::Unsat)).map(str::to_owned) else {
            return Ok(None);
        };
        if matches!(heat, Heat::Warm(_)) {
            self.counted.cores += 1;
        }
        let Some(alone) = core_alone(&context.case.text, &core) else { return Ok(None) };
        let others = context.places.iter().copied().filter(|other| *other != place);
        let mut asked: Vec<usize> = others.collect();
        if asked.is_empty() {
            asked.push(place);
        }
        for by in asked {
            let run = match heat {
                Heat::Warm(limit) => self.solver_pool.run_warm(by, &alone, limit),
                Heat::Cold => {
                    self.solver_pool.run_cold(by, &alone, Want { model: true, ..self.shared.settings.want() })
                }
            };
            let run = run.map_err(Leave::Failed)?;
            let model = run.model().filter(|_| says(&run, Answer::Sat));
            let opinion = model.map(|model| self.judge.opinion(&alone, model));
            if opinion == Some(ModelOpinion::Confirmed) {
                return Ok(Some(Satisfied { giver, core, by, model: run }));
            }
        }
        Ok(None)
    }

    /// Tells of a wrong core, once the plain executables have shown it again.
    fn told_core(&mut self, context: &Context<'_>, place: usize, warm: &Satisfied) -> Result<(), Leave> {
        let bug = self.core_bug(context, place, warm);
        if let Some(signature) = self.confirmed.get(&bug.signature.key()).cloned() {
            self.hit(context, false);
            return self.send(Message::Again { signature, origin: context.origin.clone() });
        }
        let giver =
            self.solver_pool.run_cold(place, &context.case.text, Want::default()).map_err(Leave::Failed)?;
        let Some(cold) = self.satisfied(context, place, giver, Heat::Cold)? else {
            self.counted.unrepeatable += 1;
            return Ok(());
        };
        let bug = self.core_bug(context, place, &cold);
        let both = Context { places: &[place, cold.by], ..*context };
        let mut found: Finding =
            finding(&both, &bug, &[cold.giver, cold.model], &self.solver_pool, Want::default());
        for other in found.runs.iter_mut().filter(|run| !run.suspect) {
            other.asked = AskedScript::CoreAlone;
        }
        self.confirmed.insert(bug.signature.key(), bug.signature.key());
        self.hit(context, true);
        let (case, seed) = (context.case.text.clone(), context.seed.text.clone());
        self.send(Message::Found { finding: Box::new(found), case, seed })
    }

    fn core_bug(&self, context: &Context<'_>, place: usize, found: &Satisfied) -> triage::Bug {
        let (giver, by) = (self.solver_pool.target(place), self.solver_pool.target(found.by));
        triage::wrong_core(&context.question(), (&giver.id, &giver.name), &found.core, &by.id)
    }
}

/// Whether a run came to an end with this answer to its last question.
fn says(run: &Observation, answer: Answer) -> bool {
    run.outcome == Outcome::Answered && run.answer() == Some(answer)
}
