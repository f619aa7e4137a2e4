//! The passes, one file each. A pass tries its changes until the search accepts none.

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

/// Removes or changes as many items as possible, in chunks of at most `largest` items, halved down to one.
///
/// `items` lists the items; it runs again after every success. `change` makes the candidate for one chunk.
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
            let found = search.take_first(&mut |state, index| {
                let start = from + index * size;
                match list.get(start..) {
                    None | Some([]) => Offer::End,
                    Some(rest) => {
                        change(state, &rest[..size.min(rest.len())]).map_or(Offer::Skip, Offer::Try)
                    }
                }
            })?;
            let Some(index) = found else { break };
            from += index * size;
            list = items(&mut search.state);
        }
        size = (size / 2).min(list.len());
    }
    Ok(())
}
