//! The order of the passes: coarse before fine, until nothing makes the script smaller.

use crate::cost::Cost;
use crate::passes::{commands, definitions, names, new_constants, singles, sorts, symbols, terms, text};
use crate::search::{Halt, Search};
use crate::state::State;
use crate::tester::{Abort, Counts, Tester, Watcher};
use crate::workers::Workers;

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The smallest script that shows the bug.
    pub script: String,
    /// A model that satisfies it, if one is known.
    pub model: Option<String>,
    /// The cost of the original and of the reduced script.
    pub cost: (Cost, Cost),
    /// The work done.
    pub counts: Counts,
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Whether the script was changed as typed terms. Otherwise it does not parse.
    pub typed: bool,
    /// Why it could not continue.
    pub aborted: Option<Abort>,
}

/// Most bugs need fewer bytes than this. A larger result may be a local minimum.
const LARGE: usize = 200;

type Pass = (&'static str, fn(&mut Search<'_>) -> Result<(), Halt>);

/// Run once at the start. They remove most of a large script, or change every line of it, which would make later passes test
/// every term again.
const FIRST: [Pass; 5] = [
    ("assertions", commands::assertions),
    ("commands", commands::any),
    ("unused", commands::unused),
    ("constants", commands::constants),
    ("names", names::shorten),
];

/// Change many terms at once.
const COARSE: [Pass; 6] = [
    ("values", terms::by_value),
    ("defaults", terms::by_default),
    ("parts", terms::by_part),
    ("arguments", terms::by_fewer_arguments),
    ("assertions", commands::assertions),
    ("unused", commands::unused),
];

/// Run to a fixpoint: a script that none of them changes is minimal. Passes over the whole script come before passes over
/// every term.
const FINE: [Pass; 13] = [
    ("assertions", commands::assertions),
    ("unused", commands::unused),
    ("commands", commands::any),
    ("levels", commands::levels),
    ("bare", commands::bare),
    ("constants", commands::constants),
    ("names", names::shorten),
    ("definitions", definitions::inline),
    ("sorts", sorts::narrow),
    ("symbols", symbols::eliminate),
    ("terms", singles::everywhere),
    ("occurrences", singles::one_occurrence),
    ("lists", text::lists),
];

/// Reduces a script as far as possible while the testers say that it shows the bug. The caller makes sure that the original
/// script shows it.
pub fn reduce<'a>(
    script: &str,
    model: Option<String>,
    testers: &'a mut [Box<dyn Tester>],
    watcher: &'a mut dyn Watcher,
) -> Outcome {
    let state = State::read(script.to_owned(), model);
    std::thread::scope(|scope| reduce_with(Search::new(state, Workers::start(scope, testers), watcher)))
}

fn reduce_with(mut search: Search<'_>) -> Outcome {
    let from = search.state.cost;
    let whole_reals = !text::has_decimals(&search.state.text);
    let (stopped, aborted) = match run_all(&mut search, whole_reals) {
        Ok(()) => (false, None),
        Err(Halt::Stopped) => (true, None),
        Err(Halt::Aborted(abort)) => (true, Some(abort)),
    };
    // Whatever ended the search, the result must be confirmed.
    let unconfirmed = aborted.is_none() && !matches!(search.confirm(), Ok(true));
    if unconfirmed && !stopped {
        // The testers use fresh processes now, so this ends.
        let _ = run_all(&mut search, whole_reals).and_then(|()| search.confirm().map(|_| ()));
    }
    Outcome {
        script: search.state.text.clone(),
        model: search.state.model.clone(),
        cost: (from, search.state.cost),
        counts: search.counts(),
        stopped,
        typed: search.state.typed.is_some(),
        aborted,
    }
}

/// Runs all rounds. Ends a detour, whatever ended the rounds.
fn run_all(search: &mut Search<'_>, whole_reals: bool) -> Result<(), Halt> {
    let result = all_rounds(search);
    search.end_detour();
    result?;
    if whole_reals {
        run(search, &[("reals", text::whole_reals)])?;
    }
    Ok(())
}

fn all_rounds(search: &mut Search<'_>) -> Result<(), Halt> {
    if !normalise(search)? {
        search.check_warm_testers()?;
        normalise(search)?;
    }
    search.acquire_model()?;
    if search.state.typed.is_none() {
        run(search, &[("commands", text::commands), ("lists", text::lists)])?;
    }
    run(search, &FIRST)?;
    let early = (search.state.text.clone(), search.state.model.clone());
    descend(search)?;
    // A detour that proves wrong leads back to here.
    let cold = search.cold;
    if !search.confirm()? {
        return if cold { Ok(()) } else { all_rounds(search) };
    }
    while detour_by_new_constants(search)? {}
    if search.state.text.len() > LARGE && detour_by_other_parts(search, early)? {
        while detour_by_new_constants(search)? {}
    }
    // Text passes leave odd spacing.
    normalise(search)?;
    Ok(())
}

/// Runs the passes that change terms, coarse before fine, until nothing makes the script smaller.
fn descend(search: &mut Search<'_>) -> Result<(), Halt> {
    loop {
        search.acquire_model()?;
        let before = search.state.cost.weight;
        let smaller = run(search, &COARSE)?;
        // Once they stop halving the script, the fine passes need fewer tests for the rest.
        if !smaller || search.state.cost.weight * 2 > before {
            break;
        }
    }
    search.acquire_model()?;
    run(search, &[("lets", definitions::lets)])?;
    // With the known model first: that needs no second solver.
    for request_models in [false, true] {
        search.request_models = request_models;
        while run(search, &FINE)? {}
        if search.state.model.is_none() {
            break;
        }
    }
    Ok(())
}

/// Replaces terms by new constants wherever possible, then runs the fine passes again. Returns whether the result is smaller;
/// otherwise restores the script.
fn detour_by_new_constants(search: &mut Search<'_>) -> Result<bool, Halt> {
    if search.state.typed.is_none() {
        return Ok(false);
    }
    search.begin_detour();
    search.allow_larger = true;
    search.pass = "new constants";
    let result = new_constants::everywhere(search);
    search.allow_larger = false;
    result?;
    if search.has_moved() {
        while run(search, &FINE)? {}
    }
    Ok(search.end_detour())
}

/// Reduces an early script again, trying smaller sub-terms first. Returns whether the result is smaller.
fn detour_by_other_parts(search: &mut Search<'_>, early: (String, Option<String>)) -> Result<bool, Halt> {
    search.begin_detour();
    search.smallest_first = true;
    search.set_script(early.0, early.1);
    let result = descend(search);
    search.smallest_first = false;
    result?;
    Ok(search.end_detour())
}

/// Runs passes in order. Returns whether the script became smaller.
fn run(search: &mut Search<'_>, passes: &[Pass]) -> Result<bool, Halt> {
    let before = search.state.cost;
    for (name, pass) in passes {
        search.pass = name;
        pass(search)?;
    }
    Ok(search.state.cost < before)
}

/// Prints the script without comments and layout. Returns whether it still shows the bug.
fn normalise(search: &mut Search<'_>) -> Result<bool, Halt> {
    use crate::search::{Candidate, Offer};
    search.pass = "layout";
    let found = search.take_first(&mut |state, number| match (&state.typed, number) {
        (Some(typed), 0) => Offer::Try(Candidate::preserving_model(typed.script.clone())),
        _ => Offer::End,
    })?;
    Ok(found.is_some())
}
