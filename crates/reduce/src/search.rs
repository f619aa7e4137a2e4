//! The search: filters candidates by cost, earlier rejections and the known model, and tests the rest in parallel.
//!
//! Accepts the first candidate that shows the bug, in the order of generation, so the result does not depend on which worker
//! is faster.

use crate::cost::Cost;
use crate::model;
use crate::state::{State, Typed};
use crate::tester::{Abort, Counts, Need, Progress, Reproduced, Watcher};
use crate::workers::{Answer, Workers};
use smt::{FixedState, Script};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash, Hasher};
use std::time::Duration;

/// Confirm in fresh processes when the script has shrunk by this factor. A cold run costs far more than a warm test, and hardly
/// ever disagrees with it.
const CONFIRM_SHRINK: usize = 8;

/// Confirm only when warm tests have taken this many times as long as the first one, which included the start of solvers.
/// A disagreement then costs little, and a short reduction confirms once, at its end.
const CONFIRM_COST: u32 = 8;

/// A changed script.
pub enum Body {
    /// Terms of the state's arena.
    Script(Script),
    /// Text.
    Text(String),
}

/// What a change does to the known model.
pub enum ModelEffect {
    /// It remains a model: the change dropped an assertion, or replaced a term by its value.
    Preserved,
    /// It must be evaluated again.
    Unknown,
    /// It remains a model with this definition added.
    Extended(String),
    /// It remains a model with symbols renamed.
    Renamed(BTreeMap<String, String>),
    /// It does not apply to the changed script.
    Discarded,
}

/// A changed script that may show the bug.
pub struct Candidate {
    /// The script.
    pub body: Body,
    /// What happens to the model.
    pub effect: ModelEffect,
}

impl Candidate {
    /// A script that may or may not have the known model.
    pub fn of_script(script: Script) -> Candidate {
        Candidate { body: Body::Script(script), effect: ModelEffect::Unknown }
    }

    /// A text that may or may not have the known model.
    pub fn of_text(text: String) -> Candidate {
        Candidate { body: Body::Text(text), effect: ModelEffect::Unknown }
    }

    /// A script that has the known model.
    pub fn preserving_model(script: Script) -> Candidate {
        Candidate { body: Body::Script(script), effect: ModelEffect::Preserved }
    }

    /// A script that the known model does not apply to.
    pub fn discarding_model(script: Script) -> Candidate {
        Candidate { body: Body::Script(script), effect: ModelEffect::Discarded }
    }
}

/// A pass's answer to the request for a candidate.
pub enum Offer {
    /// Try this.
    Try(Candidate),
    /// No candidate with this index.
    Skip,
    /// No more candidates.
    End,
}

/// Why a search ended early.
#[derive(Debug)]
pub enum Halt {
    /// The watcher stopped it.
    Stopped,
    /// It cannot continue.
    Aborted(Abort),
}

impl From<Abort> for Halt {
    fn from(abort: Abort) -> Halt {
        Halt::Aborted(abort)
    }
}

/// A candidate being tested.
struct Job {
    index: usize,
    text: String,
    model: Option<String>,
    need: Need,
    answer: Option<Answer>,
}

/// The start of a detour.
struct Detour {
    text: String,
    model: Option<String>,
    cost: Cost,
}

/// A running reduction.
pub struct Search<'a> {
    /// The current script: the best so far, except on a detour.
    pub state: State,
    /// Request a new model from a solver for candidates that the known model does not satisfy.
    pub request_models: bool,
    /// Try candidates that are not smaller than the current script. Only on a detour.
    pub allow_larger: bool,
    /// Among equally deep sub-terms, try the smallest first.
    pub smallest_first: bool,
    /// The name of the running pass.
    pub pass: &'static str,
    workers: Workers,
    watcher: &'a mut dyn Watcher,
    /// Tests still running when an earlier candidate was accepted: the hash of the candidate, by number. Their answers are
    /// worth remembering.
    stale: HashMap<u64, u64, FixedState>,
    rejected: HashSet<u64, FixedState>,
    counts: Counts,
    from: Cost,
    /// The last script that fresh processes confirmed.
    confirmed: (String, Option<String>),
    /// Whether the testers use fresh processes only.
    pub cold: bool,
    /// The start of the current detour. It is the best script until the detour finds a smaller one.
    detour: Option<Detour>,
    /// The time spent on tests when the last confirmation ran.
    spent_at_confirmation: Duration,
}

impl<'a> Search<'a> {
    /// Starts a search with a script that shows the bug.
    pub fn new(state: State, workers: Workers, watcher: &'a mut dyn Watcher) -> Search<'a> {
        let from = state.cost;
        let confirmed = (state.text.clone(), state.model.clone());
        Search {
            state,
            request_models: false,
            allow_larger: false,
            smallest_first: false,
            pass: "",
            workers,
            watcher,
            stale: HashMap::default(),
            rejected: HashSet::default(),
            counts: Counts::default(),
            from,
            confirmed,
            cold: false,
            detour: None,
            spent_at_confirmation: Duration::ZERO,
        }
    }

    /// The work done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Continues from another script that shows the bug.
    pub fn set_script(&mut self, text: String, model: Option<String>) {
        self.state = State::read(text, model);
        if let Some(typed) = &mut self.state.typed {
            typed.smallest_first = self.smallest_first;
        }
    }

    /// Requests a model of the current script, unless one is known.
    pub fn acquire_model(&mut self) -> Result<(), Halt> {
        let one_check = self.state.typed.as_ref().is_some_and(|typed| typed.checks() == 1);
        if self.state.model.is_some() || !one_check {
            return Ok(());
        }
        let text = self.state.text.clone();
        if let Some(Reproduced { model: Some(model) }) = self.test_one(&text, Need::NewModel)? {
            self.set_script(text, Some(model));
        }
        Ok(())
    }

    /// Tries the candidates that `next` offers for 0, 1, 2 and so on, and accepts the first that shows the bug. Returns its
    /// index.
    pub fn take_first(
        &mut self,
        next: &mut dyn FnMut(&mut State, usize) -> Offer,
    ) -> Result<Option<usize>, Halt> {
        let Some(job) = self.find(next)? else { return Ok(None) };
        let model = match (&job.answer, job.need) {
            (Some(Ok(Some(reproduced))), Need::NewModel) => reproduced.model.clone(),
            _ => job.model,
        };
        self.set_script(job.text, model);
        self.counts.accepted += 1;
        if self.detour.as_ref().is_none_or(|detour| self.state.cost < detour.cost) {
            self.watcher.improved(&self.state.text, self.state.model.as_deref())?;
        }
        let smaller = self.state.text.len() * CONFIRM_SHRINK <= self.confirmed.0.len();
        if smaller && self.workers.spent() - self.spent_at_confirmation >= self.workers.first() * CONFIRM_COST
        {
            self.confirm()?;
        }
        Ok(Some(job.index))
    }

    /// Tries the candidates of each item of the script in turn. After a success, lists the items again and continues at the same
    /// index. `open` lists the items, and returns a function that makes the candidates of one.
    pub fn for_each_item<T: Copy, F>(&mut self, open: impl Fn(&Typed) -> (Vec<T>, F)) -> Result<(), Halt>
    where
        F: FnMut(&mut Typed, T) -> Vec<Candidate>,
    {
        let mut from = 0;
        loop {
            let Some(typed) = &self.state.typed else { return Ok(()) };
            let (items, mut candidates) = open(typed);
            let mut next_item = from;
            let mut waiting: VecDeque<Candidate> = VecDeque::new();
            let mut items_tried = Vec::new();
            let found = self.take_first(&mut |state, _| {
                let Some(typed) = &mut state.typed else { return Offer::End };
                loop {
                    if let Some(candidate) = waiting.pop_front() {
                        items_tried.push(next_item - 1);
                        return Offer::Try(candidate);
                    }
                    let Some(&item) = items.get(next_item) else { return Offer::End };
                    next_item += 1;
                    waiting.extend(candidates(typed, item));
                }
            })?;
            match found {
                Some(index) => from = items_tried[index],
                None => return Ok(()),
            }
        }
    }

    /// Begins a detour: accepted scripts may be larger than its start, and the watcher does not see them until they are smaller.
    pub fn begin_detour(&mut self) {
        let State { text, model, cost, .. } = &self.state;
        self.detour = Some(Detour { text: text.clone(), model: model.clone(), cost: *cost });
    }

    /// Whether the detour has accepted any candidate.
    pub fn has_moved(&self) -> bool {
        self.detour.as_ref().is_some_and(|detour| detour.text != self.state.text)
    }

    /// Ends a detour. Returns whether it found a smaller script; otherwise restores its start.
    pub fn end_detour(&mut self) -> bool {
        match self.detour.take() {
            Some(detour) if self.state.cost >= detour.cost => {
                self.set_script(detour.text, detour.model);
                false
            }
            detour => detour.is_some(),
        }
    }

    /// Confirms the current script in fresh processes. If that fails, goes back to the last confirmed script and uses only fresh
    /// processes from there. Returns whether the script was confirmed.
    pub fn confirm(&mut self) -> Result<bool, Halt> {
        if self.state.text == self.confirmed.0 {
            return Ok(true);
        }
        self.spent_at_confirmation = self.workers.spent();
        if self.watcher.confirm(&self.state.text)? {
            self.confirmed = (self.state.text.clone(), self.state.model.clone());
            return Ok(true);
        }
        let unconfirmed = std::mem::take(&mut self.state.text);
        let (text, model) = self.confirmed.clone();
        self.set_script(text, model);
        self.watcher.improved(&self.state.text, self.state.model.as_deref())?;
        self.go_cold();
        for need in [Need::Everything, Need::ModelKnown, Need::NewModel] {
            self.rejected.insert(hash_for(&unconfirmed, need));
        }
        Ok(false)
    }

    /// Checks that warm testers show the bug on the current script, as fresh processes do. Otherwise goes cold.
    pub fn check_warm_testers(&mut self) -> Result<(), Halt> {
        let text = self.state.text.clone();
        let need = if self.state.model.is_some() { Need::ModelKnown } else { Need::Everything };
        // One failure may be chance, such as a timeout on a busy machine.
        if !self.cold && self.test_one(&text, need)?.is_none() && self.test_one(&text, need)?.is_none() {
            self.go_cold();
        }
        Ok(())
    }

    /// Uses fresh processes from now on. Forgets rejections by warm ones, which may be wrong.
    fn go_cold(&mut self) {
        if !std::mem::replace(&mut self.cold, true) {
            self.workers.go_cold();
            self.rejected.clear();
            self.stale.clear();
        }
    }

    /// Tests one script.
    fn test_one(&mut self, text: &str, need: Need) -> Result<Option<Reproduced>, Halt> {
        while !self.workers.has_room() {
            let Some((number, answer)) = self.workers.wait() else { return Ok(None) };
            self.record_stale(number, answer)?;
        }
        let submitted = self.workers.submit(text, need);
        loop {
            let Some((number, answer)) = self.workers.wait() else { return Ok(None) };
            if number == submitted {
                return Ok(answer?);
            }
            self.record_stale(number, answer)?;
        }
    }

    /// Remembers the answer of a test whose candidate was abandoned.
    fn record_stale(&mut self, number: u64, answer: Answer) -> Result<(), Halt> {
        if let Some(hash) = self.stale.remove(&number)
            && answer?.is_none()
        {
            self.rejected.insert(hash);
        }
        Ok(())
    }

    fn find(&mut self, next: &mut dyn FnMut(&mut State, usize) -> Offer) -> Result<Option<Job>, Halt> {
        let now = self.state.cost;
        let mut jobs: BTreeMap<u64, Job> = BTreeMap::new();
        let mut next_index = 0;
        let mut exhausted = false;
        loop {
            while !exhausted && self.workers.has_room() {
                match self.next_job(next, &mut next_index) {
                    None => exhausted = true,
                    Some(job) => {
                        self.counts.tests += 1;
                        jobs.insert(self.workers.submit(&job.text, job.need), job);
                    }
                }
            }
            if jobs.is_empty() && (exhausted || !self.workers.is_busy()) {
                return Ok(None);
            }
            let Some((number, answer)) = self.workers.wait() else { return Ok(None) };
            match jobs.get_mut(&number) {
                Some(job) => job.answer = Some(answer),
                None => self.record_stale(number, answer)?,
            }
            // In the order of generation, whichever worker was faster.
            while let Some(entry) = jobs.first_entry() {
                let Some(answer) = &entry.get().answer else { break };
                self.watcher.progress(&Progress {
                    from: self.from,
                    now,
                    counts: self.counts,
                    pass: self.pass,
                });
                match answer {
                    Err(abort) => return Err(Halt::Aborted(abort.clone())),
                    Ok(None) => {
                        let job = entry.remove();
                        self.rejected.insert(hash_for(&job.text, job.need));
                    }
                    Ok(Some(_)) => {
                        let found = entry.remove();
                        self.abandon(jobs);
                        return Ok(Some(found));
                    }
                }
            }
            if self.watcher.should_stop() {
                return Err(Halt::Stopped);
            }
        }
    }

    /// Abandons the tests after an accepted candidate. Remembers the answers that are there already.
    fn abandon(&mut self, jobs: BTreeMap<u64, Job>) {
        for (number, job) in jobs {
            let hash = hash_for(&job.text, job.need);
            match job.answer {
                None => {
                    self.stale.insert(number, hash);
                }
                Some(Ok(None)) => {
                    self.rejected.insert(hash);
                }
                _ => {}
            }
        }
    }

    /// The next candidate worth testing.
    fn next_job(
        &mut self,
        next: &mut dyn FnMut(&mut State, usize) -> Offer,
        next_index: &mut usize,
    ) -> Option<Job> {
        let Search { state, rejected, counts, request_models, allow_larger, .. } = self;
        let filter = Filter { request_models: *request_models, allow_larger: *allow_larger, rejected };
        loop {
            let index = *next_index;
            *next_index += 1;
            match next(state, index) {
                Offer::End => return None,
                Offer::Skip => {}
                Offer::Try(candidate) => {
                    if let Some(job) = make_job(state, candidate, index, &filter, counts) {
                        return Some(job);
                    }
                }
            }
        }
    }
}

/// Which candidates are worth testing.
struct Filter<'a> {
    request_models: bool,
    allow_larger: bool,
    rejected: &'a HashSet<u64, FixedState>,
}

/// Makes a job of a candidate, unless it is too large, rejected before, or ruled out by the known model.
fn make_job(
    state: &mut State,
    candidate: Candidate,
    index: usize,
    filter: &Filter<'_>,
    counts: &mut Counts,
) -> Option<Job> {
    let text = match (&candidate.body, &state.typed) {
        (Body::Script(script), Some(typed)) => {
            // A script with more nodes than the current one has bytes is larger. It need not be printed to see that.
            if !filter.allow_larger && typed.nodes(script) > state.text.len() as u64 {
                return None;
            }
            typed.arena.script_text(script)
        }
        (Body::Script(_), None) => return None,
        (Body::Text(text), _) => text.clone(),
    };
    if !filter.allow_larger && Cost::of(&text) >= state.cost {
        return None;
    }
    let mut job = Job { index, text, model: None, need: Need::Everything, answer: None };
    if let Some(model) = &state.model {
        let kept = match &candidate.effect {
            ModelEffect::Preserved => Some(model.clone()),
            ModelEffect::Extended(definition) => Some(model::extend(model, definition)),
            ModelEffect::Renamed(names) => Some(model::rename(model, names)),
            ModelEffect::Discarded => None,
            ModelEffect::Unknown => has_known_model(state, &candidate.body).then(|| model.clone()),
        };
        if kept.is_none() {
            counts.refuted += 1;
            if !filter.request_models || is_unsatisfiable(state, &candidate.body) {
                return None;
            }
        }
        job.need = if kept.is_some() { Need::ModelKnown } else { Need::NewModel };
        job.model = kept;
    }
    if filter.rejected.contains(&hash_for(&job.text, job.need)) {
        counts.known += 1;
        return None;
    }
    Some(job)
}

/// Whether the known model satisfies a changed script.
fn has_known_model(state: &State, body: &Body) -> bool {
    match body {
        Body::Script(script) => state.typed.as_ref().is_some_and(|typed| {
            typed.model.as_ref().is_some_and(|found| model::satisfies(&typed.arena, script, found))
        }),
        Body::Text(text) => Typed::read(text, state.model.as_deref()).is_some_and(|typed| {
            typed.model.as_ref().is_some_and(|found| model::satisfies(&typed.arena, &typed.script, found))
        }),
    }
}

/// Whether a changed script has no model at all, because an assertion is false under every model.
fn is_unsatisfiable(state: &State, body: &Body) -> bool {
    match (body, &state.typed) {
        (Body::Script(script), Some(typed)) => model::is_trivially_false(&typed.arena, script),
        (Body::Text(text), _) => Typed::read(text, None)
            .is_some_and(|typed| model::is_trivially_false(&typed.arena, &typed.script)),
        _ => false,
    }
}

/// Identifies a test. A script may show the bug, and still fail the test that also requires a model.
fn hash_for(text: &str, need: Need) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    text.hash(&mut hasher);
    need.hash(&mut hasher);
    hasher.finish()
}
