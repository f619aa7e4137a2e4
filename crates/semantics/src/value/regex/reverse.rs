//! The reversal of a language.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::automaton::post_order;
use super::syntax::{Kind, Regex};
use crate::value::limits::{Limits, Outcome};

impl Regex {
    /// Z3's `(re.reverse a)`
    pub fn reverse(&self, limits: &Limits) -> Outcome<Regex> {
        let mut done: HashMap<usize, Regex, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
        let mut last = self.clone();
        for regex in post_order(self, limits)? {
            // Children come first, so they are already reversed.
            let child = |child: &Regex| done.get(&child.address()).cloned().unwrap_or_else(Regex::none);
            last = match regex.kind() {
                Kind::None | Kind::Range(..) => regex.clone(),
                Kind::Literal(text) => Regex::literal(text.reverse()),
                Kind::Concat(a, b) => child(b).concat(&child(a)),
                Kind::Union(a, b) => child(a).union(&child(b)),
                Kind::Intersection(a, b) => child(a).intersection(&child(b)),
                Kind::Complement(a) => child(a).complement(),
                Kind::Repeat(a, low, Some(high)) => child(a).repeat(*low, *high),
                Kind::Repeat(a, low, None) => child(a).at_least(*low),
            };
            done.insert(regex.address(), last.clone());
        }
        Ok(last)
    }
}
