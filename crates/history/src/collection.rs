//! What a collection is asked for, and what it reports.

use crate::limits::Limits;
use std::path::PathBuf;

/// What to collect, from where and to where.
#[derive(Clone, Debug)]
pub struct CollectSettings {
    /// Repositories, as owner/name.
    pub repositories: Vec<String>,
    /// The URL of the API, such as `https://api.github.com`.
    pub api: String,
    /// A token, which raises the rate limit. Sent to the scheme, host and port of `api` alone.
    pub token: Option<String>,
    /// Servers that attachments may come from besides GitHub's own and the API's, as `HOST`, `HOST:PORT` or a URL.
    pub attachment_hosts: Vec<String>,
    /// The output folder.
    pub out: PathBuf,
    /// Issues per page.
    pub page: usize,
    /// Bounds on the run.
    pub limits: Limits,
}

/// What happens during a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An issue was read.
    Issue(Progress),
    /// Part of an issue was skipped.
    Skipped {
        /// The issue, as owner/name#number.
        issue: String,
        /// What was skipped: a link, or a description.
        item: String,
        /// Why it was skipped.
        reason: String,
    },
}

/// The progress of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The repository.
    pub repository: String,
    /// The issue just read.
    pub issue: u64,
    /// The totals so far.
    pub so_far: Collected,
}

/// What a run has collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Issues that are new or have changed.
    pub issues: u64,
    /// Issues among them that report a bug.
    pub bugs: u64,
    /// Formulas written.
    pub formulas: u64,
    /// Attachments and other parts of issues that were skipped.
    pub skipped: u64,
    /// Requests made.
    pub requests: u64,
    /// Seconds spent waiting.
    pub waited: u64,
}
