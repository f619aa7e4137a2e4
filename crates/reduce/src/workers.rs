//! Testers, each in its own thread for the length of a reduction.

use crate::tester::{Abort, Need, Reproduced, Tester};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::Scope;
use std::time::Duration;

/// A tester's answer for a candidate.
pub type Answer = Result<Option<Reproduced>, Abort>;

/// A message to a worker.
enum Message {
    /// Test a script. The number identifies the answer.
    Test(u64, String, Need),
    /// Use fresh processes from now on.
    GoCold,
}

/// A finished test.
struct Finished {
    worker: usize,
    number: u64,
    answer: Answer,
    took: Duration,
}

/// The pool of workers.
pub struct Workers {
    queues: Vec<Sender<Message>>,
    finished: Receiver<Finished>,
    /// Workers that have run a test and wait for the next.
    idle: Vec<usize>,
    /// How many workers have been given a test. The rest have not started their solvers.
    started: usize,
    /// How many tests are running.
    running: usize,
    next_number: u64,
    /// The duration of the first test, including the start of solvers.
    first: Option<Duration>,
    /// The total duration of all later tests.
    spent: Duration,
}

impl Workers {
    /// Starts a thread for each tester.
    pub fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        testers: &'env mut [Box<dyn Tester>],
    ) -> Workers {
        let (results, finished) = mpsc::channel();
        let mut queues = Vec::with_capacity(testers.len());
        for (worker, tester) in testers.iter_mut().enumerate() {
            let (queue, messages) = mpsc::channel();
            let results = results.clone();
            scope.spawn(move || {
                for message in messages {
                    match message {
                        Message::GoCold => tester.go_cold(),
                        Message::Test(number, text, need) => {
                            // The search waits for an answer, so it gets one even after a panic.
                            let tested = catch_unwind(AssertUnwindSafe(|| tester.test(&text, need)));
                            let answer =
                                tested.unwrap_or_else(|_| Err(Abort("a tester panicked".to_owned())));
                            let finished = Finished { worker, number, answer, took: tester.took() };
                            if results.send(finished).is_err() {
                                return;
                            }
                        }
                    }
                }
            });
            queues.push(queue);
        }
        Workers {
            queues,
            finished,
            idle: Vec::new(),
            started: 0,
            running: 0,
            next_number: 0,
            first: None,
            spent: Duration::ZERO,
        }
    }

    /// Whether a worker can take a test now.
    ///
    /// A further worker costs the start of its solvers. It joins only when the tests so far have cost as much again for every
    /// worker already started.
    pub fn has_room(&self) -> bool {
        let worth_it = match self.first {
            _ if self.started == 0 => true,
            Some(first) => self.spent >= first * self.started as u32,
            None => false,
        };
        !self.idle.is_empty() || (self.started < self.queues.len() && worth_it)
    }

    /// Whether any test is running.
    pub fn is_busy(&self) -> bool {
        self.running > 0
    }

    /// Submits a script for testing; there must be [room](Self::has_room). Returns the number that identifies the answer.
    pub fn submit(&mut self, text: &str, need: Need) -> u64 {
        let worker = self.idle.pop().unwrap_or_else(|| {
            self.started += 1;
            self.started - 1
        });
        let number = self.next_number;
        self.next_number += 1;
        self.running += 1;
        let _ = self.queues[worker].send(Message::Test(number, text.to_owned(), need));
        number
    }

    /// Waits for the next answer; `None` if no worker is left.
    pub fn wait(&mut self) -> Option<(u64, Answer)> {
        let finished = self.finished.recv().ok()?;
        self.running -= 1;
        self.idle.push(finished.worker);
        match self.first {
            None => self.first = Some(finished.took),
            Some(_) => self.spent += finished.took,
        }
        Some((finished.number, finished.answer))
    }

    /// The duration of the first test, including the start of solvers.
    pub fn first(&self) -> Duration {
        self.first.unwrap_or_default()
    }

    /// The total duration of all later tests.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Makes every worker use fresh processes.
    pub fn go_cold(&mut self) {
        for queue in &self.queues {
            let _ = queue.send(Message::GoCold);
        }
    }
}
