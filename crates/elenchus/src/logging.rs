//! Warnings of the library crates on standard error. `ELENCHUS_LOG=info` (or debug, trace, off) changes the level.

use crate::view::screen;
use std::fmt;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Prints events up to a level.
struct StandardError(LevelFilter);

/// Prints warnings from now on.
pub fn install() {
    let level = std::env::var("ELENCHUS_LOG").ok().and_then(|level| level.parse().ok());
    // Only this function sets a subscriber, once.
    let _ = tracing::subscriber::set_global_default(StandardError(level.unwrap_or(LevelFilter::WARN)));
}

impl Subscriber for StandardError {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= &self.0
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.0)
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message(String::new());
        event.record(&mut message);
        let level = event.metadata().level().as_str().to_lowercase().replace("warn", "warning");
        screen::message(format!("{level}: {}", message.0));
    }

    // The crates use no spans.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The message of an event, followed by its other fields.
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.0.insert_str(0, &format!("{value:?}")),
            name => self.0.push_str(&format!(" {name}={value:?}")),
        }
    }
}
