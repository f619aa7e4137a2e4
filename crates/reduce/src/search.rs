//! Trying candidates: filtered by cost, memory and model, tested in parallel, taken in order.
//!
//! What is taken does not depend on which worker is faster: of all candidates that show the bug, it is the first.

use crate::cost::Cost;
use crate::model;
use crate::state::{State, Typed};
use crate::test::{Abort, Counts, Need, Progress, Shown, Tester, Watcher};
use smt::{FixedState, Script};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::mpsc;

/// Fresh processes are asked each time that the script has become so many times smaller. They cost far more than a warm test, and
/// hardly ever disagree with it.
const CONFIRMED_BY: usize = 8;

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
    answer: Option<Result<Option<Shown>, Abort>>,
}

/// A reduction under way.
pub struct Search<'a> {
    /// The best script so far.
    pub state: State,
    /// Whether candidates that the model in hand does not satisfy may get a new model from a solver.
    pub refresh: bool,
    /// The name of the pass that is at work.
    pub pass: &'static str,
    testers: &'a mut [Box<dyn Tester>],
    watcher: &'a mut dyn Watcher,
    rejected: HashSet<u64, FixedState>,
    counts: Counts,
    from: Cost,
    /// The last script that fresh processes confirmed.
    confirmed: (String, Option<String>),
    cold: bool,
}

impl<'a> Search<'a> {
    /// A search that begins with a script that shows the bug.
    pub fn new(state: State, testers: &'a mut [Box<dyn Tester>], watcher: &'a mut dyn Watcher) -> Search<'a> {
        let from = state.cost;
        let confirmed = (state.text.clone(), state.model.clone());
        Search {
            state,
            refresh: false,
            pass: "",
            testers,
            watcher,
            rejected: HashSet::default(),
            counts: Counts::default(),
            from,
            confirmed,
            cold: false,
        }
    }

    /// What has been done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Asks for a model of the script in hand, if a tester can give one.
    pub fn acquire_model(&mut self) -> Result<(), Halt> {
        let one_question = self.state.typed.as_ref().is_some_and(|typed| typed.checks() == 1);
        if self.state.model.is_some() || !one_question {
            return Ok(());
        }
        let shown = self.testers[0].test(&self.state.text, Need::NewModel)?;
        if let Some(Shown { model: Some(model) }) = shown {
            self.state = State::read(std::mem::take(&mut self.state.text), Some(model));
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
        self.state = State::read(job.text, model);
        self.counts.accepted += 1;
        self.watcher.improved(&self.state.text, self.state.model.as_deref())?;
        if self.state.text.len() * CONFIRMED_BY <= self.confirmed.0.len() {
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

    /// Makes sure that fresh processes show the bug on the script in hand. If they do not, the search goes back to the last
    /// script that they confirmed and trusts only fresh processes from there. Answers whether it was confirmed.
    pub fn confirm(&mut self) -> Result<bool, Halt> {
        if self.state.text == self.confirmed.0 {
            return Ok(true);
        }
        if self.watcher.confirm(&self.state.text)? {
            self.confirmed = (self.state.text.clone(), self.state.model.clone());
            return Ok(true);
        }
        for need in [Need::Everything, Need::ModelKnown, Need::NewModel] {
            self.rejected.insert(hash_for(&self.state.text, need));
        }
        let (text, model) = self.confirmed.clone();
        self.state = State::read(text, model);
        self.watcher.improved(&self.state.text, self.state.model.as_deref())?;
        if !std::mem::replace(&mut self.cold, true) {
            self.testers.iter_mut().for_each(|tester| tester.go_cold());
        }
        Ok(false)
    }

    fn find(&mut self, next: &mut dyn FnMut(&mut State, usize) -> Offer) -> Result<Option<Job>, Halt> {
        let Search { state, testers, watcher, rejected, counts, from, refresh, pass, .. } = self;
        let now = state.cost;
        let mut number = 0;
        let mut make = |counts: &mut Counts, rejected: &HashSet<u64, FixedState>| loop {
            let index = number;
            number += 1;
            match next(state, index) {
                Offer::End => return None,
                Offer::Skip => {}
                Offer::Try(candidate) => {
                    if let Some(job) = prepare(state, candidate, index, *refresh, rejected, counts) {
                        return Some(job);
                    }
                }
            }
        };
        let mut settle =
            |jobs: &mut BTreeMap<u64, Job>, counts: &Counts, rejected: &mut HashSet<u64, FixedState>| {
                while let Some(entry) = jobs.first_entry() {
                    if entry.get().answer.is_none() {
                        break;
                    }
                    let job = entry.remove();
                    watcher.progress(&Progress { from: *from, now, counts: *counts, pass });
                    match &job.answer {
                        Some(Ok(Some(_))) => return Ok(Some(job)),
                        Some(Err(abort)) => return Err(Halt::Aborted(abort.clone())),
                        _ => {
                            rejected.insert(hash_for(&job.text, job.need));
                        }
                    }
                }
                if watcher.stopped() { Err(Halt::Stopped) } else { Ok(None) }
            };
        std::thread::scope(|scope| {
            let (results, finished) = mpsc::channel();
            let mut desks = Vec::new();
            let mut idle: Vec<usize> = (0..testers.len()).rev().collect();
            for (place, tester) in testers.iter_mut().enumerate() {
                let (desk, jobs) = mpsc::channel::<(u64, String, Need)>();
                let results = results.clone();
                scope.spawn(move || {
                    for (key, text, need) in jobs {
                        if results.send((place, key, tester.test(&text, need))).is_err() {
                            return;
                        }
                    }
                });
                desks.push(desk);
            }
            let mut jobs: BTreeMap<u64, Job> = BTreeMap::new();
            let mut key = 0;
            let mut ended = false;
            loop {
                while !ended && let Some(&place) = idle.last() {
                    let Some(job) = make(counts, rejected) else {
                        ended = true;
                        break;
                    };
                    counts.tests += 1;
                    idle.pop();
                    // A worker that is gone has panicked, which the scope tells when it ends.
                    let _ = desks[place].send((key, job.text.clone(), job.need));
                    jobs.insert(key, job);
                    key += 1;
                }
                if jobs.is_empty() {
                    return Ok(None);
                }
                let Ok((place, key, answer)) = finished.recv() else { return Ok(None) };
                idle.push(place);
                if let Some(job) = jobs.get_mut(&key) {
                    job.answer = Some(answer);
                }
                if let Some(job) = settle(&mut jobs, counts, rejected)? {
                    return Ok(Some(job));
                }
            }
        })
    }
}

/// Makes a job of a candidate, unless it is larger, known, or not satisfied by the model.
fn prepare(
    state: &mut State,
    candidate: Candidate,
    index: usize,
    refresh: bool,
    rejected: &HashSet<u64, FixedState>,
    counts: &mut Counts,
) -> Option<Job> {
    let text = match (&candidate.body, &state.typed) {
        (Body::Script(script), Some(typed)) => {
            if is_longer(typed, script, state.text.len()) {
                return None;
            }
            typed.arena.script_text(script)
        }
        (Body::Script(_), None) => return None,
        (Body::Text(text), _) => text.clone(),
    };
    if Cost::of(&text) >= state.cost {
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
            if !refresh {
                return None;
            }
        }
        job.need = if kept.is_some() { Need::ModelKnown } else { Need::NewModel };
        job.model = kept;
    }
    if rejected.contains(&hash_for(&job.text, job.need)) {
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

/// A script may show the bug to one question and not to the other, which asks for a model too.
fn hash_for(text: &str, need: Need) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    text.hash(&mut hasher);
    need.hash(&mut hasher);
    hasher.finish()
}
