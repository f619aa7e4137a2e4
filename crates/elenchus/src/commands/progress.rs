//! The progress of installations: a bar on a terminal, plain lines otherwise.

use case::printable;
use indicatif::{ProgressBar, ProgressStyle};
use solver::install::{Event, Progress};
use std::cell::Cell;
use std::io::IsTerminal;

/// Shows the installation of one solver on standard error.
pub struct InstallProgress {
    name: String,
    /// The bar, on a terminal.
    bar: Option<ProgressBar>,
    /// The last step that was printed, so that each is printed once.
    printed: Cell<u8>,
}

impl InstallProgress {
    /// Shows that the installation starts.
    pub fn new(name: &str) -> InstallProgress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::no_length();
            bar.enable_steady_tick(std::time::Duration::from_millis(120));
            bar
        });
        let progress = InstallProgress { name: name.to_owned(), bar, printed: Cell::new(0) };
        if let Some(bar) = &progress.bar {
            progress.style(bar, "querying the package index", None);
        }
        progress
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn print(&self, step: u8, text: &str) {
        if self.printed.replace(step) != step {
            eprintln!("{}: {text}", self.name);
        }
    }

    /// Starts a new bar for a step; `total` is its size, if known.
    fn style(&self, bar: &ProgressBar, doing: &str, total: Option<u64>) {
        let template = match total {
            Some(_) => "{prefix} {msg} {bar:30} {bytes}/{total_bytes} {eta}",
            None => "{prefix} {msg} {spinner} {bytes}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        match total {
            Some(total) => bar.set_length(total),
            None => bar.unset_length(),
        }
        bar.set_prefix(printable(&self.name).into_owned());
        bar.set_message(printable(doing).into_owned());
        bar.set_position(0);
    }
}

impl Progress for InstallProgress {
    fn event(&self, event: Event<'_>) {
        match (&self.bar, event) {
            (Some(bar), Event::Waiting) => self.style(bar, "waiting for another process", None),
            (Some(bar), Event::Fetching { package, total }) => {
                self.style(bar, &format!("fetching {package}"), total);
            }
            (Some(bar), Event::Unpacking { total }) => self.style(bar, "unpacking", Some(total)),
            (Some(bar), Event::Fetched { bytes } | Event::Unpacked { bytes }) => bar.set_position(bytes),
            (None, Event::Waiting) => self.print(1, "waiting for another process that is installing it"),
            (None, Event::Fetching { package, .. }) => self.print(2, &format!("fetching {package}")),
            (None, Event::Unpacking { .. }) => self.print(3, "checking and unpacking"),
            (None, Event::Fetched { .. } | Event::Unpacked { .. }) => {}
        }
    }
}
