//! The ways of making a script smaller, one file each. A pass tries its changes on the search until none is taken.

pub mod commands;
pub mod definitions;
pub mod names;
pub mod new_constants;
pub mod replacements;
pub mod singles;
pub mod sorts;
pub mod substitution;
pub mod symbols;
pub mod terms;
pub mod text;

use crate::search::{Candidate, Halt, Offer, Search};
use crate::state::State;

/// Removes or changes as many of a list of items as can be, in chunks that begin with `largest` items and are halved down to
/// one. `items` lists them anew after every success; `change` makes the candidate in which a chunk of them is changed.
pub fn in_chunks<T>(
    search: &mut Search<'_>,
    largest: usize,
    items: &mut dyn FnMut(&mut State) -> Vec<T>,
    change: &mut dyn FnMut(&mut State, &[T]) -> Option<Candidate>,
) -> Result<(), Halt> {
    let mut list = items(&mut search.state);
    let mut size = list.len().min(largest);
    while size >= 1 {
        let mut from = 0;
        while from < list.len() {
            let found = search.first(&mut |state, number| {
                let start = from + number * size;
                match list.get(start..) {
                    None | Some([]) => Offer::End,
                    Some(rest) => {
                        change(state, &rest[..size.min(rest.len())]).map_or(Offer::Skip, Offer::Try)
                    }
                }
            })?;
            let Some(number) = found else { break };
            from += number * size;
            list = items(&mut search.state);
        }
        size = (size / 2).min(list.len());
    }
    Ok(())
}
