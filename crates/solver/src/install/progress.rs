//! What an installation tells while it goes on. Drawing it is the business of whoever asked for it.

/// A thing that happened during an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Another process installs the same release; this one waits for it.
    Waiting,
    /// A package of so many bytes, if known, is being fetched.
    Fetching {
        /// The package.
        package: &'a str,
        /// Its size, as far as it is known yet.
        total: Option<u64>,
    },
    /// So many bytes of the package have arrived in all.
    Fetched {
        /// The bytes.
        bytes: u64,
    },
    /// The package is complete and is now checked and unpacked.
    Unpacking {
        /// The size of all files to be unpacked.
        total: u64,
    },
    /// So many bytes have been unpacked in all.
    Unpacked {
        /// The bytes.
        bytes: u64,
    },
}

/// Listens to an installation.
pub trait Progress {
    /// Is told of every event, in order.
    fn event(&self, event: Event<'_>);
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _: Event<'_>) {}
}
