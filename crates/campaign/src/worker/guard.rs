//! Contains panics of strategies.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs part of a strategy. A panic in it costs one seed, not the campaign, and is reported.
pub fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        tracing::warn!("a strategy panicked: {text}");
        format!("bug in the strategy, please report it: {text}")
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn panics_become_errors_with_their_message() {
        assert_eq!(guarded(|| 1), Ok(1));
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let (fixed, formatted) = (guarded(|| panic!("fixed")), guarded(|| panic!("number {}", 7)));
        std::panic::set_hook(hook);
        let message = |result: Result<(), String>| result.unwrap_err();
        assert!(message(fixed).ends_with(": fixed"));
        assert!(message(formatted).ends_with(": number 7"));
    }
}
