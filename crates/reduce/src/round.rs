//! The order of the passes: from the coarse to the fine, until nothing can be made smaller.

use crate::cost::Cost;
use crate::passes::{commands, definitions, names, new_constants, singles, sorts, symbols, terms, text};
use crate::search::{Halt, Search};
use crate::state::State;
use crate::test::{Abort, Counts, Tester, Watcher};
use crate::workers::Workers;

/// What came of a reduction.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The smallest script that shows the bug.
    pub script: String,
    /// A model that satisfies it, where one is known.
    pub model: Option<String>,
    /// The cost at the beginning and at the end.
    pub cost: (Cost, Cost),
    /// What was done.
    pub counts: Counts,
    /// Whether it was stopped before nothing could be made smaller.
    pub stopped: bool,
    /// Whether the script was changed as typed terms; otherwise our parser did not take it.
    pub typed: bool,
    /// Why it could not go on.
    pub aborted: Option<Abort>,
}

/// Most bugs need less than so many bytes. Where more is left, it may be by chance of what was tried first.
const LARGE: usize = 200;

type Pass = (&'static str, fn(&mut Search<'_>) -> Result<(), Halt>);

/// What takes away most of a large script, and what changes every line of it: later changes would have to be tried again.
const FIRST: [Pass; 5] = [
    ("assertions", commands::assertions),
    ("commands", commands::any),
    ("unused", commands::unused),
    ("constants", commands::constants),
    ("names", names::shorten),
];

/// Quick and bold: many terms at once.
const COARSE: [Pass; 6] = [
    ("values", terms::by_value),
    ("defaults", terms::by_default),
    ("parts", terms::by_part),
    ("arguments", terms::by_fewer),
    ("assertions", commands::assertions),
    ("unused", commands::unused),
];

/// Thorough: together they say what a smallest script is. What changes the whole script comes before what tries every term.
const FINE: [Pass; 12] = [
    ("assertions", commands::assertions),
    ("unused", commands::unused),
    ("commands", commands::any),
    ("levels", commands::levels),
    ("constants", commands::constants),
    ("names", names::shorten),
    ("definitions", definitions::inline),
    ("sorts", sorts::narrow),
    ("symbols", symbols::eliminate),
    ("terms", singles::everywhere),
    ("occurrences", singles::one_occurrence),
    ("lists", text::lists),
];

/// Makes a script as small as it gets while the testers say that it shows the bug. The script itself has to show it: that is
/// for the caller to make sure of.
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
    let (stopped, aborted) = match all_the_way(&mut search, whole_reals) {
        Ok(()) => (false, None),
        Err(Halt::Stopped) => (true, None),
        Err(Halt::Aborted(abort)) => (true, Some(abort)),
    };
    // Whatever ended the search, what is handed out has been confirmed.
    let unconfirmed = aborted.is_none() && !matches!(search.confirm(), Ok(true));
    if unconfirmed && !stopped {
        // The testers use fresh processes now, so this ends.
        let _ = all_the_way(&mut search, whole_reals).and_then(|()| search.confirm().map(|_| ()));
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

/// All rounds. Whatever ends them, the search does not stand on a way round then.
fn all_the_way(search: &mut Search<'_>, whole_reals: bool) -> Result<(), Halt> {
    let ended = all_rounds(search);
    search.arrive();
    ended?;
    if whole_reals {
        run(search, &[("reals", text::whole_reals)])?;
    }
    Ok(())
}

fn all_rounds(search: &mut Search<'_>) -> Result<(), Halt> {
    if !normalise(search)? {
        search.trust()?;
        normalise(search)?;
    }
    search.acquire_model()?;
    if search.state.typed.is_none() {
        run(search, &[("commands", text::commands), ("lists", text::lists)])?;
    }
    run(search, &FIRST)?;
    let early = (search.state.text.clone(), search.state.model.clone());
    descend(search)?;
    // So that a way round, if it proves wrong, leads back to here.
    let cold = search.cold;
    if !search.confirm()? {
        return if cold { Ok(()) } else { all_rounds(search) };
    }
    while by_new_constants(search)? {}
    if search.state.text.len() > LARGE && by_other_parts(search, early)? {
        while by_new_constants(search)? {}
    }
    // Changes of plain text leave gaps.
    normalise(search)?;
    Ok(())
}

/// All passes that change terms, the bold and then the thorough, until nothing makes the script smaller.
fn descend(search: &mut Search<'_>) -> Result<(), Halt> {
    loop {
        search.acquire_model()?;
        let before = search.state.cost.weight;
        let smaller = run(search, &COARSE)?;
        // Once it does not do much any more, the thorough passes find the rest with fewer tests.
        if !smaller || search.state.cost.weight * 2 > before {
            break;
        }
    }
    search.acquire_model()?;
    run(search, &[("lets", definitions::lets)])?;
    // With the model in hand first: that costs no other solver a question.
    for refresh in [false, true] {
        search.refresh = refresh;
        while run(search, &FINE)? {}
        if search.state.model.is_none() {
            break;
        }
    }
    Ok(())
}

/// Where nothing makes the script smaller any more: new constants wherever they can stand, and everything else once more from there.
/// Answers whether it came to something smaller; if not, the search stands where it stood.
fn by_new_constants(search: &mut Search<'_>) -> Result<bool, Halt> {
    if search.state.typed.is_none() {
        return Ok(false);
    }
    search.set_out();
    search.larger_too = true;
    search.pass = "new constants";
    let larger = new_constants::everywhere(search);
    search.larger_too = false;
    larger?;
    if search.has_moved() {
        while run(search, &FINE)? {}
    }
    Ok(search.arrive())
}

/// From an early script down once more, with other parts tried first. Answers whether it came to something smaller.
fn by_other_parts(search: &mut Search<'_>, early: (String, Option<String>)) -> Result<bool, Halt> {
    search.set_out();
    search.smallest_first = true;
    search.go_to(early.0, early.1);
    let ended = descend(search);
    search.smallest_first = false;
    ended?;
    Ok(search.arrive())
}

/// Runs passes one after the other; answers whether any made the script smaller.
fn run(search: &mut Search<'_>, passes: &[Pass]) -> Result<bool, Halt> {
    let before = search.state.cost;
    for (name, pass) in passes {
        search.pass = name;
        pass(search)?;
    }
    Ok(search.state.cost < before)
}

/// The script as our printer writes it, which leaves out comments and layout. Answers whether that was taken.
fn normalise(search: &mut Search<'_>) -> Result<bool, Halt> {
    use crate::search::{Body, Candidate, Fate, Offer};
    search.pass = "layout";
    let found = search.first(&mut |state, number| match (&state.typed, number) {
        (Some(typed), 0) => {
            let script = typed.script.clone();
            Offer::Try(Candidate { body: Body::Script(script), fate: Fate::Kept })
        }
        _ => Offer::End,
    })?;
    Ok(found.is_some())
}
