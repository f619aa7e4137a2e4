//! Takes the place of `collect` in a program that was built without an HTTP client.

use crate::clock::Clock;
use crate::collection::{CollectSettings, Collected, Event};
use crate::error::CollectError;

/// Says that this program cannot collect.
pub fn collect(
    _: &CollectSettings,
    _: &mut dyn Clock,
    _: &mut dyn FnMut(&Event),
) -> Result<Collected, CollectError> {
    Err(CollectError::NotBuiltIn)
}
