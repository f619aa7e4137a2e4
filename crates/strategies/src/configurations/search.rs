//! The genetic search of the Falcon paper (Algorithm 3), as questions and answers: it proposes vectors, is told how much code
//! each one reached, and breeds the next generation from the best.

use super::space::{Space, Vector};
use crate::random::Random;
use std::collections::VecDeque;

/// How the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// How many vectors the first generation has.
    pub first: usize,
    /// How many options about differ from their defaults in the first generation.
    pub changed: u64,
    /// How many of the best vectors are parents.
    pub parents: usize,
    /// After how many generations that reach nothing new the search ends.
    pub unchanged: u32,
    /// After how many vectors the search ends.
    pub offspring: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings { first: 4, changed: 4, parents: 3, unchanged: 10, offspring: 100 }
    }
}

/// A search under way.
pub struct Search {
    space: Space,
    settings: SearchSettings,
    random: Random,
    /// Vectors of the present generation that have not been tried, and whether they come of others.
    waiting: VecDeque<(Vector, bool)>,
    /// The vector that was proposed last.
    asked: Option<Vector>,
    /// Whether it comes of others.
    bred: bool,
    /// The vectors of the present generation that were tried, with their fitness.
    tried: Vec<(u64, Vector)>,
    /// The best vectors of all generations before.
    parents: Vec<(u64, Vector)>,
    proposed: usize,
    unchanged: u32,
    progress: bool,
}

impl Search {
    /// A search over a space.
    pub fn new(space: Space, settings: SearchSettings, mut random: Random) -> Search {
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

    /// The same search, with the child of others before all that are drawn.
    pub fn beginning_with(mut self, child: Option<Vector>) -> Search {
        if let Some(child) = child {
            self.waiting.push_front((child, true));
        }
        self
    }

    /// The vector that was proposed last, until it is told what it reached.
    pub fn asked(&self) -> Option<&Vector> {
        self.asked.as_ref()
    }

    /// Whether that one comes of others, or was drawn.
    pub fn is_bred(&self) -> bool {
        self.bred
    }

    /// The space that is searched.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The next vector to try; nothing at the end.
    pub fn ask(&mut self) -> Option<Vector> {
        if self.space.knobs.is_empty() || self.proposed >= self.settings.offspring {
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

    /// Tells the fitness of the vector that was asked for last, and whether it reached anything new. If so, what lies beside it
    /// is tried next.
    pub fn tell(&mut self, fitness: u64, new: bool) {
        self.progress |= new;
        let Some(vector) = self.asked.take() else { return };
        if new {
            let mut beside = vector.clone();
            self.space.mutate(&mut beside, &mut self.random);
            self.waiting.push_front((beside, true));
        }
        self.tried.push((fitness, vector));
    }

    /// The next generation: every two of the best cross over, and their children mutate.
    fn breed(&mut self) {
        self.unchanged = if self.progress { 0 } else { self.unchanged + 1 };
        self.progress = false;
        self.parents.append(&mut self.tried);
        // Of equals the older stays in front, so that the order does not depend on anything else.
        self.parents.sort_by_key(|(fitness, _)| std::cmp::Reverse(*fitness));
        self.parents.truncate(self.settings.parents.max(1));
        let best: Vec<Vector> = self.parents.iter().map(|(_, vector)| vector.clone()).collect();
        for (at, one) in best.iter().enumerate() {
            for other in &best[at + 1..] {
                let (mut p, mut q) = self.space.crossover(one, other, &mut self.random);
                for child in [&mut p, &mut q] {
                    self.space.mutate(child, &mut self.random);
                }
                self.waiting.extend([(p, true), (q, true)]);
            }
        }
        // One parent alone, or none that was tried, cannot cross over.
        if self.waiting.is_empty() {
            self.waiting.push_back((self.space.draw(self.settings.changed, &mut self.random), false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::space;
    use super::*;

    /// The fitness counts options that are set; the search must find vectors with more of them than it began with.
    #[test]
    fn the_best_have_children() {
        let mut search = Search::new(space(), SearchSettings::default(), Random::new(3));
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

    #[test]
    fn it_ends() {
        // What every vector is told, and how many vectors that allows.
        let settings = SearchSettings { offspring: 30, ..SearchSettings::default() };
        let mut search = Search::new(space(), settings, Random::new(1));
        let mut count = 0;
        while search.ask().is_some() {
            search.tell(1, true);
            count += 1;
        }
        assert_eq!(count, 30);
        let mut search = Search::new(space(), SearchSettings::default(), Random::new(1));
        let mut count = 0;
        while search.ask().is_some() {
            search.tell(1, false);
            count += 1;
        }
        // Four at first, then nine generations of six.
        assert_eq!(count, 4 + 9 * 6);
        assert_eq!(Search::new(Space::default(), SearchSettings::default(), Random::new(1)).ask(), None);
    }
}
