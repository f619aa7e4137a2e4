//! Testers at work, each in a thread of its own for as long as a reduction lasts.

use crate::test::{Abort, Need, Shown, Tester};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::Scope;
use std::time::Duration;

/// What a tester said of a candidate.
pub type Answer = Result<Option<Shown>, Abort>;

/// What a worker is told.
enum Order {
    /// Test a script; the answer goes by the number.
    Test(u64, String, Need),
    /// Use fresh processes from now on.
    GoCold,
}

/// A worker's answer.
struct Done {
    place: usize,
    number: u64,
    answer: Answer,
    took: Duration,
}

/// The workers, and who of them has nothing to do.
pub struct Workers {
    desks: Vec<Sender<Order>>,
    finished: Receiver<Done>,
    /// Those that have tested something and wait for more.
    idle: Vec<usize>,
    /// How many have been given anything so far.
    used: usize,
    /// How many are at work.
    busy: usize,
    numbers: u64,
    /// What the first test took, with the start of whatever it needed.
    first: Option<Duration>,
    /// What all later tests took together.
    spent: Duration,
}

impl Workers {
    /// Puts each tester into a thread.
    pub fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        testers: &'env mut [Box<dyn Tester>],
    ) -> Workers {
        let (results, finished) = mpsc::channel();
        let mut desks = Vec::with_capacity(testers.len());
        for (place, tester) in testers.iter_mut().enumerate() {
            let (desk, orders) = mpsc::channel();
            let results = results.clone();
            scope.spawn(move || {
                for order in orders {
                    match order {
                        Order::GoCold => tester.go_cold(),
                        Order::Test(number, text, need) => {
                            // Whoever waits for the answer gets one in any case.
                            let tested = catch_unwind(AssertUnwindSafe(|| tester.test(&text, need)));
                            let panicked = |_| Err(Abort("a test ended in a panic".to_owned()));
                            let answer = tested.unwrap_or_else(panicked);
                            let done = Done { place, number, answer, took: tester.took() };
                            if results.send(done).is_err() {
                                return;
                            }
                        }
                    }
                }
            });
            desks.push(desk);
        }
        Workers {
            desks,
            finished,
            idle: Vec::new(),
            used: 0,
            busy: 0,
            numbers: 0,
            first: None,
            spent: Duration::ZERO,
        }
    }

    /// Whether someone can take a test now. A further worker costs the start of its solvers, so it joins only when the tests so
    /// far have cost as much again for every worker that there is.
    pub fn has_room(&self) -> bool {
        let worth_it = match self.first {
            _ if self.used == 0 => true,
            Some(first) => self.spent >= first * self.used as u32,
            None => false,
        };
        !self.idle.is_empty() || (self.used < self.desks.len() && worth_it)
    }

    /// Whether anybody is at work.
    pub fn is_busy(&self) -> bool {
        self.busy > 0
    }

    /// Has someone test a script, where there is room. The answer goes by the number that is returned.
    pub fn give(&mut self, text: &str, need: Need) -> u64 {
        let place = self.idle.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        let number = self.numbers;
        self.numbers += 1;
        self.busy += 1;
        let _ = self.desks[place].send(Order::Test(number, text.to_owned(), need));
        number
    }

    /// Waits for the next answer; nothing if no worker is left.
    pub fn wait(&mut self) -> Option<(u64, Answer)> {
        let done = self.finished.recv().ok()?;
        self.busy -= 1;
        self.idle.push(done.place);
        match self.first {
            None => self.first = Some(done.took),
            Some(_) => self.spent += done.took,
        }
        Some((done.number, done.answer))
    }

    /// What the first test took, with the start of whatever it needed.
    pub fn first(&self) -> Duration {
        self.first.unwrap_or_default()
    }

    /// What all later tests took together.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Tells everybody to use fresh processes.
    pub fn go_cold(&mut self) {
        for desk in &self.desks {
            let _ = desk.send(Order::GoCold);
        }
    }
}
