//! Progress events of an installation. The caller draws them.

/// An event of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Waiting for another process that installs the same release.
    Waiting,
    /// A download has started, or its size is known now.
    Fetching {
        /// The package.
        package: &'a str,
        /// Its size in bytes, if known.
        total: Option<u64>,
    },
    /// More of the package has arrived.
    Fetched {
        /// Bytes so far.
        bytes: u64,
    },
    /// The package is complete; unpacking starts.
    Unpacking {
        /// The size in bytes of all files to unpack.
        total: u64,
    },
    /// More of the package has been unpacked.
    Unpacked {
        /// Bytes so far.
        bytes: u64,
    },
}

/// Receives the events of an installation.
pub trait Progress {
    /// Receives the next event.
    fn event(&self, event: Event<'_>);
}

/// Ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _: Event<'_>) {}
}
