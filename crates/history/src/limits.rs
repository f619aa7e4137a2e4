//! Bounds on what one run takes from servers.

/// Bounds on one run. They are far above what an honest server needs; a hostile one reaches them and the run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests in the whole run.
    pub requests: u64,
    /// Bytes received in the whole run, after decompression.
    pub bytes: u64,
    /// Seconds of waiting in the whole run.
    pub waiting: u64,
    /// Seconds of a single pause that the API asks for.
    pub pause: u64,
    /// Seconds of a single pause for an attachment.
    pub attachment_pause: u64,
    /// Bytes of one answer of the API.
    pub answer_bytes: u64,
    /// Bytes of one attachment.
    pub attachment_bytes: u64,
    /// Pages of one listing: the comments of an issue, or the issues that changed at one moment.
    pub pages: u64,
    /// Attempts at a request to the API.
    pub attempts: u32,
    /// Attempts at an attachment.
    pub attachment_attempts: u32,
    /// Attachments of one issue.
    pub attachments: usize,
    /// Formulas of one issue.
    pub formulas: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            requests: 50_000,
            bytes: 4 << 30,
            waiting: 24 * 3600,
            pause: 2 * 3600,
            attachment_pause: 10,
            answer_bytes: 32 << 20,
            attachment_bytes: 8 << 20,
            pages: 100,
            attempts: 8,
            attachment_attempts: 2,
            attachments: 100,
            formulas: 1000,
        }
    }
}
