//! Names of coverage points that tell one part of a solver from another.

use super::{Coverage, CoveragePoint, Reached};
use crate::symbols::readable;
use std::collections::{BTreeSet, HashMap};

/// A name that more functions share belongs to a general container, such as a vector, and says nothing.
const COMMON: usize = 8;

/// The names of all coverage points of a solver.
pub struct Names {
    all: Vec<Option<String>>,
}

impl Names {
    /// The names of all points.
    pub fn of(watched: &dyn Coverage) -> Names {
        Names::from_symbols(CoveragePoint::all(watched.points()).map(|point| watched.name(point)))
    }

    fn from_symbols<'a>(symbols: impl Iterator<Item = Option<&'a str>>) -> Names {
        let mut all: Vec<Option<String>> = symbols.map(|symbol| own(symbol?)).collect();
        let mut counts: HashMap<String, usize> = HashMap::new();
        all.iter().flatten().for_each(|name| *counts.entry(name.clone()).or_default() += 1);
        for name in &mut all {
            if name.as_ref().is_some_and(|name| counts[name] > COMMON) {
                *name = None;
            }
        }
        Names { all }
    }

    /// The name of a point, if it has one that says something.
    pub fn get(&self, point: CoveragePoint) -> Option<&str> {
        self.all.get(point.get())?.as_deref()
    }

    /// The names of some points. Those without a name are left out.
    pub fn list(&self, points: &Reached) -> BTreeSet<String> {
        points.iter().filter_map(|point| self.all.get(point.get())?.clone()).collect()
    }
}

/// The demangled name of a solver's own function. `None` for functions of the standard library and of the compiler.
fn own(symbol: &str) -> Option<String> {
    let name = readable(symbol);
    let foreign = ["_Z", "_GLOBAL__sub", "__gnu_cxx", "std::"];
    (!foreign.iter().any(|prefix| name.starts_with(prefix))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_distinctive_names_are_listed() {
        let mut symbols = vec![
            Some("_ZN3smt7context3popEj"),
            Some("_ZN3smt7context3popEv"),
            Some("_ZNSt6vectorIjE4pushEv"),
            Some("_GLOBAL__sub_I_main.cpp"),
            None,
        ];
        symbols.extend([Some("_ZN6vectorIjE4pushEv"); COMMON + 1]);
        let names = Names::from_symbols(symbols.iter().copied());
        let mut points = Reached::default();
        CoveragePoint::all(symbols.len() + 1).for_each(|point| points.insert(point));
        assert_eq!(names.list(&points), BTreeSet::from(["smt::context::pop".to_owned()]));
    }
}
