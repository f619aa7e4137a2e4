//! The turns that the common store has granted to this process, as a source of units for its workers.

use super::block_size::{Demand, TurnTimes};
use super::blocks::HeldBlock;
use crate::made_cases::MadeCases;
use crate::schedule::FRUITLESS;
use crate::strategy_scores::{StrategyScores, TurnResult};
use crate::units::{Unit, UnitNumbers, UnitSource};
use case::{CaseIndex, StrategyIndex};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::shared::{BlockProgress, Incoming, Wish};

/// How often a worker without work looks whether the campaign ends.
const TICK: Duration = Duration::from_millis(50);

/// The granted turns.
pub struct Grants {
    numbers: UnitNumbers,
    /// How many turns each strategy has; `None` for as many as there is time for.
    turns: Vec<Option<u64>>,
    workers: usize,
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
    /// Signalled when there is work.
    changed: Condvar,
    /// How long workers have waited for work, in microseconds.
    waited: AtomicU64,
}

struct State {
    held: Vec<HeldBlock>,
    scores: StrategyScores,
    times: Vec<TurnTimes>,
    /// How many turns of each strategy in a row had no new case.
    fruitless: Vec<u64>,
    /// For each strategy, the turn after the last one that was granted, as far as this process knows.
    reached: Vec<u64>,
    /// Strategies of which the store had no turn at last.
    exhausted: Vec<bool>,
    /// How many processes work on the campaign.
    members: u64,
    /// How many workers wait for work.
    hungry: usize,
    /// Whether all work of the campaign is done.
    finished: bool,
}

impl Grants {
    /// No turns yet. `turns` is how many each strategy has.
    pub fn new(
        numbers: UnitNumbers,
        turns: Vec<Option<u64>>,
        workers: usize,
        stop: Arc<AtomicBool>,
    ) -> Grants {
        let strategies = turns.len();
        let state = State {
            held: Vec::new(),
            scores: StrategyScores::new(strategies),
            times: vec![TurnTimes::default(); strategies],
            fruitless: vec![0; strategies],
            reached: vec![0; strategies],
            exhausted: vec![false; strategies],
            members: 1,
            hungry: 0,
            finished: false,
        };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Grants { numbers, turns, workers, stop, state, changed, waited: AtomicU64::new(0) }
    }

    /// Records the cases of a unit that is done, after its findings were stored.
    pub fn done(&self, unit: u64, made: MadeCases) {
        let (strategy, turn) = self.numbers.turn(unit);
        let mut state = self.lock();
        if let Some(held) = state.held.iter_mut().find(|held| held.has(strategy, turn)) {
            held.finish(turn, made);
        }
    }

    /// How far the blocks are.
    pub fn progress(&self) -> Vec<BlockProgress> {
        self.lock().held.iter().map(HeldBlock::progress).collect()
    }

    /// The turns to ask for.
    pub fn wishes(&self) -> Vec<Wish> {
        let state = self.lock();
        if state.finished || self.stop.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let wanted: Vec<usize> =
            (0..self.turns.len()).filter(|&strategy| !self.has_given_up(&state, strategy)).collect();
        let wish = |&strategy: &usize| {
            let turns = Demand {
                times: state.times[strategy],
                workers: self.workers,
                strategies: wanted.len(),
                left: self.turns[strategy].map(|turns| turns.saturating_sub(state.reached[strategy])),
                members: state.members,
            }
            .turns();
            let blocks = state.held.iter().filter(|held| held.block().strategy == strategy);
            let left: u64 = blocks.map(HeldBlock::left).sum();
            (2 * left < turns).then(|| Wish { strategy, turns: turns - left })
        };
        wanted.iter().filter_map(wish).collect()
    }

    /// Takes in the answer of the store to some progress.
    pub fn receive(&self, sent: &[BlockProgress], answer: &Incoming) {
        let mut state = self.lock();
        let is_over = |progress: &BlockProgress| progress.done >= progress.block.end;
        state.held.retain(|held| {
            let block = held.block();
            let is_known_done = sent.iter().any(|sent| sent.block == block && is_over(sent));
            !is_known_done && !answer.lost.contains(&block)
        });
        for &block in &answer.granted {
            let Some(reached) = state.reached.get_mut(block.strategy) else { continue };
            *reached = (*reached).max(block.end);
            state.held.push(HeldBlock::new(block));
        }
        let all = 0..self.turns.len();
        state.exhausted = all.map(|strategy| answer.exhausted.contains(&strategy)).collect();
        state.finished = answer.finished;
        drop(state);
        self.changed.notify_all();
    }

    /// Sets how many processes work on the campaign.
    pub fn set_members(&self, members: u64) {
        self.lock().members = members;
    }

    /// Whether a worker waits for work.
    pub fn is_hungry(&self) -> bool {
        self.lock().hungry > 0
    }

    /// Whether all work of the campaign is done.
    pub fn is_finished(&self) -> bool {
        self.lock().finished
    }

    /// How long workers have waited for work, in microseconds.
    pub fn waited(&self) -> u64 {
        self.waited.load(Ordering::Relaxed)
    }

    /// Whether a strategy brings nothing new. One whose turns are counted takes all of them.
    fn has_given_up(&self, state: &State, strategy: usize) -> bool {
        self.turns[strategy].is_none() && state.fruitless[strategy] >= FRUITLESS * self.numbers.seeds
    }

    /// Whether there is nothing left to wait for. Other processes may still do the last counted turns; if they fail, somebody has
    /// to be there, unless it would be only for them.
    fn is_over(&self, state: &State) -> bool {
        let is_used_up = |strategy: usize| match self.turns[strategy] {
            Some(_) => state.exhausted[strategy],
            None => self.has_given_up(state, strategy),
        };
        let has_open_end = self.turns.contains(&None);
        state.finished || has_open_end && (0..self.turns.len()).all(is_used_up)
    }

    fn take(&self, state: &mut State) -> Option<Unit> {
        let State { held, scores, .. } = state;
        let has_turn =
            |strategy: usize| held.iter().any(|held| held.block().strategy == strategy && held.left() > 0);
        let strategy = scores.next(has_turn)?;
        let mut blocks = held.iter_mut().filter(|held| held.block().strategy == strategy);
        let turn = blocks.find_map(HeldBlock::take)?;
        Some(self.unit(self.numbers.number(strategy, turn), CaseIndex(0)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnitSource for Grants {
    fn unit(&self, number: u64, first_case: CaseIndex) -> Unit {
        self.numbers.unit(number, first_case)
    }

    fn next(&self) -> Option<Unit> {
        let mut state = self.lock();
        let began = Instant::now();
        let mut waits = false;
        let unit = loop {
            if self.stop.load(Ordering::Relaxed) {
                break None;
            }
            if let Some(unit) = self.take(&mut state) {
                break Some(unit);
            }
            if self.is_over(&state) {
                break None;
            }
            if !waits {
                waits = true;
                state.hungry += 1;
            }
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        if waits {
            state.hungry -= 1;
            self.waited.fetch_add(began.elapsed().as_micros() as u64, Ordering::Relaxed);
        }
        unit
    }

    fn finish(&self, unit: &Unit, result: &TurnResult) {
        let mut state = self.lock();
        let strategy = unit.strategy.get();
        let fruitless = &mut state.fruitless[strategy];
        *fruitless = result.fruitless_after(*fruitless);
        state.times[strategy].record(result.took);
        state.scores.record(strategy, result);
    }

    fn reward(&self, strategy: StrategyIndex, worth: f64) {
        self.lock().scores.reward(strategy.get(), worth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::SeedUse;
    use store::shared::Block;

    fn grants(turns: &[Option<u64>]) -> Grants {
        let numbers = UnitNumbers::new(1, vec![SeedUse::Pool; turns.len()]);
        Grants::new(numbers, turns.to_vec(), 1, Arc::default())
    }

    fn block(strategy: usize, first: u64, end: u64) -> Block {
        Block { strategy, first, end, grant: 1 }
    }

    fn granted(blocks: &[Block]) -> Incoming {
        Incoming { granted: blocks.to_vec(), ..Incoming::default() }
    }

    #[test]
    fn workers_take_the_granted_turns_and_report_them() {
        let grants = grants(&[Some(10), Some(10)]);
        grants.receive(&[], &granted(&[block(1, 4, 6)]));
        let units: Vec<Unit> = (0..2).filter_map(|_| grants.next()).collect();
        assert_eq!(units.iter().map(|unit| unit.number).collect::<Vec<_>>(), [9, 11]);
        grants.done(9, MadeCases { cases: 3, digest: 5 });
        let progress = BlockProgress { block: block(1, 4, 6), done: 5, cases: 3, digest: 5 };
        assert_eq!(grants.progress(), [progress]);
        grants.done(11, MadeCases { cases: 1, digest: 1 });
        let progress = BlockProgress { done: 6, cases: 4, digest: 6, ..progress };
        assert_eq!(grants.progress(), [progress]);
        grants.receive(&[progress], &Incoming { finished: true, ..Incoming::default() });
        assert_eq!((grants.progress(), grants.next()), (Vec::new(), None));
    }

    #[test]
    fn lost_blocks_are_dropped_and_their_units_do_not_count() {
        let grants = grants(&[None]);
        grants.receive(&[], &granted(&[block(0, 0, 5)]));
        let unit = grants.next().unwrap();
        let lost = Incoming { lost: vec![block(0, 0, 5)], ..granted(&[block(0, 5, 6)]) };
        grants.receive(&[], &lost);
        grants.done(unit.number, MadeCases { cases: 1, digest: 1 });
        let progress = BlockProgress { block: block(0, 5, 6), done: 5, cases: 0, digest: 0 };
        assert_eq!(grants.progress(), [progress]);
    }

    #[test]
    fn wishes_keep_a_reserve_of_every_strategy() {
        let grants = grants(&[Some(80), Some(80)]);
        grants.set_members(2);
        let wish = |strategy, turns| Wish { strategy, turns };
        assert_eq!(grants.wishes(), [wish(0, 10), wish(1, 10)]);
        grants.receive(&[], &granted(&[block(0, 0, 10), block(1, 40, 42)]));
        assert_eq!(grants.wishes(), [wish(1, 3)], "of 38 turns left, 5 are a fair part");
    }

    #[test]
    fn a_process_waits_for_others_only_if_there_is_an_end() {
        let endless = grants(&[Some(1), None]);
        let exhausted = Incoming { exhausted: vec![0], ..Incoming::default() };
        endless.receive(&[], &exhausted);
        assert!(!endless.is_over(&endless.lock()));
        endless.lock().fruitless[1] = FRUITLESS;
        assert!(endless.is_over(&endless.lock()));
        let counted = grants(&[Some(1)]);
        counted.receive(&[], &exhausted);
        assert!(!counted.is_over(&counted.lock()));
    }
}
