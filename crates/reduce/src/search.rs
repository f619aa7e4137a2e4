//! Trying candidates: filtered by cost, memory and model, tested in parallel, taken in order.
//!
//! What is taken does not depend on which worker is faster: of all candidates that show the bug, it is the first.

use crate::cost::Cost;
use crate::model;
use crate::state::{State, Typed};
use crate::test::{Abort, Counts, Need, Progress, Shown, Watcher};
use crate::workers::{Answer, Workers};
use smt::{FixedState, Script};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash, Hasher};
use std::time::Duration;

/// Fresh processes are asked when the script has become so many times smaller, at the least. They cost far more than a warm
/// test, and hardly ever disagree with it.
const CONFIRMED_BY: usize = 8;

/// They are asked only once warm tests have cost so many times what the first one did, which paid for a start too. So little
/// is lost if they disagree, and a short reduction asks them once, at its end.
const CONFIRMED_AFTER: u32 = 8;

/// A changed script.
pub enum Body {
    /// As terms of the state's arena.
    Script(Script),
    /// As text.
    Text(String),
}

/// What a change does to the model in hand.
pub enum Fate {
    /// The model stays one, whatever the solver says: something was left out, or gave way to its value.
    Kept,
    /// It has to be evaluated.
    Checked,
    /// It stays one with this definition added.
    Extended(String),
    /// It stays one with names replaced.
    Renamed(BTreeMap<String, String>),
    /// It is of no use for the changed script.
    Lost,
}

/// A changed script that may show the bug.
pub struct Candidate {
    /// The script.
    pub body: Body,
    /// What becomes of the model.
    pub fate: Fate,
}

impl Candidate {
    /// A script that the model has to be evaluated for.
    pub fn checked(script: Script) -> Candidate {
        Candidate { body: Body::Script(script), fate: Fate::Checked }
    }
}

/// What a pass answers when it is asked for its next candidate.
pub enum Offer {
    /// Try this.
    Try(Candidate),
    /// Nothing at this place.
    Skip,
    /// There are no more.
    End,
}

/// Why a search ended before its end.
#[derive(Debug)]
pub enum Halt {
    /// The watcher asked for it.
    Stopped,
    /// It cannot go on.
    Aborted(Abort),
}

impl From<Abort> for Halt {
    fn from(abort: Abort) -> Halt {
        Halt::Aborted(abort)
    }
}

/// A candidate on its way to a tester.
struct Job {
    index: usize,
    text: String,
    model: Option<String>,
    need: Need,
    answer: Option<Answer>,
}

/// The script from which a way round sets out.
struct Start {
    text: String,
    model: Option<String>,
    cost: Cost,
}

/// A reduction under way.
pub struct Search<'a> {
    /// The best script so far.
    pub state: State,
    /// Whether candidates that the model in hand does not satisfy may get a new model from a solver.
    pub refresh: bool,
    /// Whether candidates are tried that are not smaller than the script in hand. Only on a way round.
    pub larger_too: bool,
    /// Of parts that are equally deep in a term, which is tried first.
    pub smallest_first: bool,
    /// The name of the pass that is at work.
    pub pass: &'static str,
    workers: Workers,
    watcher: &'a mut dyn Watcher,
    /// Tests that were under way when an earlier candidate was taken, by number: what they say is worth remembering.
    stale: HashMap<u64, u64, FixedState>,
    rejected: HashSet<u64, FixedState>,
    counts: Counts,
    from: Cost,
    /// The last script that fresh processes confirmed.
    confirmed: (String, Option<String>),
    /// Whether only fresh processes are trusted.
    pub cold: bool,
    /// Where a way round began: the best script as long as it has not come to a smaller one.
    start: Option<Start>,
    /// What had been spent on tests when fresh processes were last asked.
    spent: Duration,
}

impl<'a> Search<'a> {
    /// A search that begins with a script that shows the bug.
    pub fn new(state: State, workers: Workers, watcher: &'a mut dyn Watcher) -> Search<'a> {
        let from = state.cost;
        let confirmed = (state.text.clone(), state.model.clone());
        Search {
            state,
            refresh: false,
            larger_too: false,
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
            start: None,
            spent: Duration::ZERO,
        }
    }

    /// What has been done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Stands at another script that shows the bug.
    pub fn go_to(&mut self, text: String, model: Option<String>) {
        self.state = State::read(text, model);
        if let Some(typed) = &mut self.state.typed {
            typed.smallest_first = self.smallest_first;
        }
    }

    /// Asks for a model of the script in hand, if a tester can give one.
    pub fn acquire_model(&mut self) -> Result<(), Halt> {
        let one_question = self.state.typed.as_ref().is_some_and(|typed| typed.checks() == 1);
        if self.state.model.is_some() || !one_question {
            return Ok(());
        }
        let text = self.state.text.clone();
        if let Some(Shown { model: Some(model) }) = self.ask(&text, Need::NewModel)? {
            self.go_to(text, Some(model));
        }
        Ok(())
    }

    /// Tries the candidates that `next` offers for 0, 1, 2 and so on, and takes the first that shows the bug; answers with
    /// its number.
    pub fn first(&mut self, next: &mut dyn FnMut(&mut State, usize) -> Offer) -> Result<Option<usize>, Halt> {
        let Some(job) = self.find(next)? else { return Ok(None) };
        let model = match (&job.answer, job.need) {
            (Some(Ok(Some(shown))), Need::NewModel) => shown.model.clone(),
            _ => job.model,
        };
        self.go_to(job.text, model);
        self.counts.accepted += 1;
        if self.start.as_ref().is_none_or(|start| self.state.cost < start.cost) {
            self.watcher.improved(&self.state.text, self.state.model.as_deref())?;
        }
        let smaller = self.state.text.len() * CONFIRMED_BY <= self.confirmed.0.len();
        if smaller && self.workers.spent() - self.spent >= self.workers.first() * CONFIRMED_AFTER {
            self.confirm()?;
        }
        Ok(Some(job.index))
    }

    /// Tries the candidates of one item of a script after the other. When one is taken, the items are listed anew, and the
    /// search goes on where it was. `open` lists the items, and says how the candidates of one are made.
    pub fn by_items<T: Copy, F>(&mut self, open: impl Fn(&Typed) -> (Vec<T>, F)) -> Result<(), Halt>
    where
        F: FnMut(&mut Typed, T) -> Vec<Candidate>,
    {
        let mut from = 0;
        loop {
            let Some(typed) = &self.state.typed else { return Ok(()) };
            let (items, mut candidates) = open(typed);
            let mut place = from;
            let mut waiting: VecDeque<Candidate> = VecDeque::new();
            let mut at = Vec::new();
            let found = self.first(&mut |state, _| {
                let Some(typed) = &mut state.typed else { return Offer::End };
                loop {
                    if let Some(candidate) = waiting.pop_front() {
                        at.push(place - 1);
                        return Offer::Try(candidate);
                    }
                    let Some(&item) = items.get(place) else { return Offer::End };
                    place += 1;
                    waiting.extend(candidates(typed, item));
                }
            })?;
            match found {
                Some(number) => from = at[number],
                None => return Ok(()),
            }
        }
    }

    /// Sets out on a way round: what is taken from here on may be larger, and is not told to the watcher before it is smaller.
    pub fn set_out(&mut self) {
        let State { text, model, cost, .. } = &self.state;
        self.start = Some(Start { text: text.clone(), model: model.clone(), cost: *cost });
    }

    /// Whether a way round has taken any step.
    pub fn has_moved(&self) -> bool {
        self.start.as_ref().is_some_and(|start| start.text != self.state.text)
    }

    /// Ends a way round. If it has not come to a smaller script, the search stands again where it set out. Answers whether it has.
    pub fn arrive(&mut self) -> bool {
        match self.start.take() {
            Some(start) if self.state.cost >= start.cost => {
                self.go_to(start.text, start.model);
                false
            }
            start => start.is_some(),
        }
    }

    /// Makes sure that fresh processes show the bug on the script in hand. If they do not, the search goes back to the last
    /// script that they confirmed and trusts only fresh processes from there. Answers whether it was confirmed.
    pub fn confirm(&mut self) -> Result<bool, Halt> {
        if self.state.text == self.confirmed.0 {
            return Ok(true);
        }
        self.spent = self.workers.spent();
        if self.watcher.confirm(&self.state.text)? {
            self.confirmed = (self.state.text.clone(), self.state.model.clone());
            return Ok(true);
        }
        let unconfirmed = std::mem::take(&mut self.state.text);
        let (text, model) = self.confirmed.clone();
        self.go_to(text, model);
        self.watcher.improved(&self.state.text, self.state.model.as_deref())?;
        self.go_cold();
        for need in [Need::Everything, Need::ModelKnown, Need::NewModel] {
            self.rejected.insert(hash_for(&unconfirmed, need));
        }
        Ok(false)
    }

    /// Makes sure that the testers show the bug on the script in hand, which it does in fresh processes. If warm ones do not
    /// show it, only fresh ones are used from here on.
    pub fn trust(&mut self) -> Result<(), Halt> {
        let text = self.state.text.clone();
        let need = if self.state.model.is_some() { Need::ModelKnown } else { Need::Everything };
        // Once may be chance, such as a limit on a busy machine.
        if !self.cold && self.ask(&text, need)?.is_none() && self.ask(&text, need)?.is_none() {
            self.go_cold();
        }
        Ok(())
    }

    /// Uses fresh processes from now on. What warm ones have refused may show the bug there.
    fn go_cold(&mut self) {
        if !std::mem::replace(&mut self.cold, true) {
            self.workers.go_cold();
            self.rejected.clear();
            self.stale.clear();
        }
    }

    /// Asks one tester about one script.
    fn ask(&mut self, text: &str, need: Need) -> Result<Option<Shown>, Halt> {
        while !self.workers.has_room() {
            let Some((number, answer)) = self.workers.wait() else { return Ok(None) };
            self.note(number, answer)?;
        }
        let asked = self.workers.give(text, need);
        loop {
            let Some((number, answer)) = self.workers.wait() else { return Ok(None) };
            if number == asked {
                return Ok(answer?);
            }
            self.note(number, answer)?;
        }
    }

    /// Remembers what came of a test that nobody waits for any more.
    fn note(&mut self, number: u64, answer: Answer) -> Result<(), Halt> {
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
        let mut place = 0;
        let mut ended = false;
        loop {
            while !ended && self.workers.has_room() {
                match self.prepared(next, &mut place) {
                    None => ended = true,
                    Some(job) => {
                        self.counts.tests += 1;
                        jobs.insert(self.workers.give(&job.text, job.need), job);
                    }
                }
            }
            if jobs.is_empty() && (ended || !self.workers.is_busy()) {
                return Ok(None);
            }
            let Some((number, answer)) = self.workers.wait() else { return Ok(None) };
            match jobs.get_mut(&number) {
                Some(job) => job.answer = Some(answer),
                None => self.note(number, answer)?,
            }
            // In the order in which they were made, whoever was faster.
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
                        self.leave(jobs);
                        return Ok(Some(found));
                    }
                }
            }
            if self.watcher.stopped() {
                return Err(Halt::Stopped);
            }
        }
    }

    /// Lets go of tests that came after the one that is taken. What is known of them already is kept.
    fn leave(&mut self, jobs: BTreeMap<u64, Job>) {
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

    /// The next candidate that is worth a test.
    fn prepared(
        &mut self,
        next: &mut dyn FnMut(&mut State, usize) -> Offer,
        place: &mut usize,
    ) -> Option<Job> {
        let Search { state, rejected, counts, refresh, larger_too, .. } = self;
        let filter = Filter { refresh: *refresh, larger_too: *larger_too, rejected };
        loop {
            let index = *place;
            *place += 1;
            match next(state, index) {
                Offer::End => return None,
                Offer::Skip => {}
                Offer::Try(candidate) => {
                    if let Some(job) = prepare(state, candidate, index, &filter, counts) {
                        return Some(job);
                    }
                }
            }
        }
    }
}

/// Which candidates are worth a test.
struct Filter<'a> {
    refresh: bool,
    larger_too: bool,
    rejected: &'a HashSet<u64, FixedState>,
}

/// Makes a job of a candidate, unless it is larger, known, or not satisfied by the model.
fn prepare(
    state: &mut State,
    candidate: Candidate,
    index: usize,
    filter: &Filter<'_>,
    counts: &mut Counts,
) -> Option<Job> {
    let text = match (&candidate.body, &state.typed) {
        (Body::Script(script), Some(typed)) => {
            if !filter.larger_too && is_longer(typed, script, state.text.len()) {
                return None;
            }
            typed.arena.script_text(script)
        }
        (Body::Script(_), None) => return None,
        (Body::Text(text), _) => text.clone(),
    };
    if !filter.larger_too && Cost::of(&text) >= state.cost {
        return None;
    }
    let mut job = Job { index, text, model: None, need: Need::Everything, answer: None };
    if let Some(model) = &state.model {
        let kept = match &candidate.fate {
            Fate::Kept => Some(model.clone()),
            Fate::Extended(definition) => Some(model::extend(model, definition)),
            Fate::Renamed(names) => Some(model::rename(model, names)),
            Fate::Lost => None,
            Fate::Checked => holds(state, &candidate.body).then(|| model.clone()),
        };
        if kept.is_none() {
            counts.refuted += 1;
            if !filter.refresh || is_unsatisfiable(state, &candidate.body) {
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

/// Whether a script has more nodes than the one in hand has bytes, so that it need not be written out to be refused.
fn is_longer(typed: &Typed, script: &Script, bytes: usize) -> bool {
    let mut sizes = smt::Sizes::default();
    let terms = script.commands.iter().flat_map(smt::Command::terms);
    terms.fold(0u64, |sum, term| sum.saturating_add(sizes.of(&typed.arena, term))) > bytes as u64
}

/// Whether the model in hand satisfies a changed script.
fn holds(state: &State, body: &Body) -> bool {
    match body {
        Body::Script(script) => state.typed.as_ref().is_some_and(|typed| {
            typed.model.as_ref().is_some_and(|found| model::satisfies(&typed.arena, script, found))
        }),
        Body::Text(text) => Typed::read(text, state.model.as_deref()).is_some_and(|typed| {
            typed.model.as_ref().is_some_and(|found| model::satisfies(&typed.arena, &typed.script, found))
        }),
    }
}

/// Whether a changed script has no model at all: an assertion is false whatever its symbols stand for.
fn is_unsatisfiable(state: &State, body: &Body) -> bool {
    match (body, &state.typed) {
        (Body::Script(script), Some(typed)) => model::refutes_itself(&typed.arena, script),
        (Body::Text(text), _) => {
            Typed::read(text, None).is_some_and(|typed| model::refutes_itself(&typed.arena, &typed.script))
        }
        _ => false,
    }
}

/// A script may show the bug to one question and not to the other, which asks for a model too.
fn hash_for(text: &str, need: Need) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    text.hash(&mut hasher);
    need.hash(&mut hasher);
    hasher.finish()
}
