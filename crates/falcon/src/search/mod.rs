//! The genetic search of the Falcon paper (Algorithm 3) in ask-tell form: it proposes vectors, learns how much code each one
//! reached, and breeds the next generation from the best.

mod elite;

pub use elite::Elite;

use crate::space::{Space, Vector};
use std::collections::VecDeque;
use strategies::{OptionSearch, Random};

/// A running search.
pub struct Search {
    space: Space,
    settings: OptionSearch,
    random: Random,
    /// Untried vectors of the current generation, and whether each was bred from others.
    waiting: VecDeque<(Vector, bool)>,
    /// The vector that was proposed last, until its fitness is known.
    asked: Option<Vector>,
    /// Whether it was bred from others.
    bred: bool,
    /// The tried vectors of the current generation, with their fitness.
    tried: Vec<(u64, Vector)>,
    /// The best vectors of all earlier generations, or of the last one.
    parents: Vec<(u64, Vector)>,
    proposed: u64,
    unchanged: u32,
    progress: bool,
}

impl Search {
    /// Starts a search over a space.
    pub fn new(space: Space, settings: OptionSearch, mut random: Random) -> Search {
        let draw = |_| (space.draw(settings.changed, &mut random), false);
        let waiting = (0..settings.first).map(draw).collect();
        Search {
            space,
            settings,
            random,
            waiting,
            asked: None,
            bred: false,
            tried: Vec::new(),
            parents: Vec::new(),
            proposed: 0,
            unchanged: 0,
            progress: false,
        }
    }

    /// The same search, with a child of earlier configurations before the drawn vectors.
    pub fn starting_with(mut self, child: Option<Vector>) -> Search {
        if let Some(child) = child {
            self.waiting.push_front((child, true));
        }
        self
    }

    /// The vector that was proposed last, until its fitness is known.
    pub fn asked(&self) -> Option<&Vector> {
        self.asked.as_ref()
    }

    /// Whether the last vector was bred from others rather than drawn.
    pub fn is_bred(&self) -> bool {
        self.bred
    }

    /// The searched space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The next vector to try; `None` at the end.
    pub fn ask(&mut self) -> Option<Vector> {
        if self.space.knobs.is_empty() || self.proposed >= self.settings.configurations {
            return None;
        }
        if self.waiting.is_empty() {
            self.breed();
        }
        if self.unchanged >= self.settings.unchanged {
            return None;
        }
        self.proposed += 1;
        let (vector, bred) = self.waiting.pop_front()?;
        self.bred = bred;
        self.asked = Some(vector.clone());
        Some(vector)
    }

    /// Reports the fitness of the last vector, and whether it reached anything new. If so, a neighbour of it may be tried next.
    pub fn tell(&mut self, fitness: u64, new: bool) {
        self.progress |= new;
        let Some(vector) = self.asked.take() else { return };
        if new && self.settings.neighbours {
            let mut neighbour = vector.clone();
            self.space.mutate(&mut neighbour, &mut self.random);
            self.waiting.push_front((neighbour, true));
        }
        self.tried.push((fitness, vector));
    }

    /// Breeds the next generation: each pair of the best crosses over, and the children mutate.
    fn breed(&mut self) {
        self.unchanged = if self.progress { 0 } else { self.unchanged + 1 };
        self.progress = false;
        if !self.settings.elitist && !self.tried.is_empty() {
            self.parents.clear();
        }
        self.parents.append(&mut self.tried);
        // The sort is stable: of two equals the older stays first.
        self.parents.sort_by_key(|(fitness, _)| std::cmp::Reverse(*fitness));
        self.parents.truncate(self.settings.parents.max(1));
        let best: Vec<Vector> = self.parents.iter().map(|(_, vector)| vector.clone()).collect();
        for (index, one) in best.iter().enumerate() {
            for other in &best[index + 1..] {
                let (mut p, mut q) = self.space.crossover(one, other, &mut self.random);
                for child in [&mut p, &mut q] {
                    self.space.mutate(child, &mut self.random);
                }
                self.waiting.extend([(p, true), (q, true)]);
            }
        }
        // Fewer than two parents cannot cross over.
        if self.waiting.is_empty() {
            self.waiting.push_back((self.space.draw(self.settings.changed, &mut self.random), false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::space;

    /// As published, with neighbours.
    fn settings() -> OptionSearch {
        OptionSearch { neighbours: true, ..OptionSearch::as_published() }
    }

    /// The fitness counts changed options; the search must find vectors with more of them than it started with.
    #[test]
    fn fitness_grows_over_the_generations() {
        let mut search = Search::new(space(), settings(), Random::new(3));
        let (mut first, mut best) = (0, 0);
        let mut count = 0;
        while let Some(vector) = search.ask() {
            let fitness = search.space().settings(&vector).len() as u64;
            count += 1;
            if count <= 4 {
                first = first.max(fitness);
            }
            search.tell(fitness, fitness > best);
            best = best.max(fitness);
        }
        assert!(best > first && count <= 100, "{first} {best} {count}");
    }

    /// The fitness falls with every vector, so the best of all are the first ones, and the best of a generation the first of it.
    #[test]
    fn parents_are_of_the_last_generation_or_of_all() {
        for (elitist, expected) in [(false, [96, 95, 94]), (true, [100, 99, 98])] {
            let mut search = Search::new(space(), OptionSearch { elitist, ..settings() }, Random::new(3));
            for fitness in (0..=100).rev().take(4 + 6 + 1) {
                assert!(search.ask().is_some());
                search.tell(fitness, false);
            }
            let parents: Vec<u64> = search.parents.iter().map(|(fitness, _)| *fitness).collect();
            // The eleventh vector is the first of the third generation, which is bred from the second.
            assert_eq!(parents, expected, "{elitist}");
        }
    }

    #[test]
    fn it_ends_at_its_limits() {
        let thirty = OptionSearch { configurations: 30, ..settings() };
        let mut search = Search::new(space(), thirty, Random::new(1));
        let mut count = 0;
        while search.ask().is_some() {
            search.tell(1, true);
            count += 1;
        }
        assert_eq!(count, 30);
        let mut search = Search::new(space(), settings(), Random::new(1));
        let mut count = 0;
        while search.ask().is_some() {
            search.tell(1, false);
            count += 1;
        }
        // Four at first, then nine generations of six.
        assert_eq!(count, 4 + 9 * 6);
        assert_eq!(Search::new(Space::default(), settings(), Random::new(1)).ask(), None);
    }
}
