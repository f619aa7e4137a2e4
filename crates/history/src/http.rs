//! Requests that come through: rate limits are waited out, servers that stumble are asked again, and what has not changed is not
//! sent twice.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// So many times a request is made before it is given up.
const TRIES: u32 = 8;
/// The longest pause after a fault.
const LONGEST_PAUSE: u64 = 60;
/// No limit is waited for longer than this.
const LONGEST_WAIT: u64 = 2 * 3600;
/// The largest answer that is read, in bytes.
const LARGEST: u64 = 32 << 20;

/// What tells the time, so that tests need not wait.
pub trait Clock {
    /// Seconds since 1970.
    fn now(&self) -> u64;
    /// Waits, and says why to whoever looks.
    fn wait(&mut self, time: Duration, why: &str);
}

/// The time of the system.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    fn wait(&mut self, time: Duration, why: &str) {
        eprintln!("waiting {} s: {why}", time.as_secs());
        std::thread::sleep(time);
    }
}

/// Why a collection could not go on. Everything that was collected before is kept.
#[derive(Debug)]
pub enum CollectError {
    /// The server refused a request for good.
    Refused {
        /// What was asked for.
        url: String,
        /// The status.
        status: u16,
    },
    /// The server could not be reached, or never came to an answer.
    Unreachable {
        /// What was asked for.
        url: String,
        /// Why not.
        reason: String,
    },
    /// The answer is not what the interface promises.
    Unexpected {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What was collected could not be kept.
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A repository is not named as owner/name.
    Repository(String),
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollectError::Refused { url, status } => write!(f, "{url} was refused with status {status}"),
            CollectError::Unreachable { url, reason } => write!(f, "{url} cannot be had: {reason}"),
            CollectError::Unexpected { url, reason } => {
                write!(f, "{url} gave an unexpected answer: {reason}")
            }
            CollectError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            CollectError::Repository(name) => write!(f, "`{name}` does not name a repository"),
        }
    }
}

impl std::error::Error for CollectError {}

impl CollectError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            CollectError::Refused { status: 401, .. } => {
                "the token in GITHUB_TOKEN is not valid: renew it, or leave it out"
            }
            CollectError::Refused { status: 404, .. } => {
                "check the name of the repository; a private one needs a token in GITHUB_TOKEN"
            }
            CollectError::Refused { .. } => "set GITHUB_TOKEN to a token that may read the repository",
            CollectError::Unreachable { .. } => "run the same command again: it goes on where it stopped",
            CollectError::Unexpected { .. } => "check that --api names a server with GitHub's interface",
            CollectError::Io { .. } => "make room, or name another folder with --out",
            CollectError::Repository(_) => "write it as owner/name, such as Z3Prover/z3",
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A new one.
    New {
        /// The text.
        body: String,
        /// What tells it from later ones.
        etag: Option<String>,
        /// Where the next page is.
        next: Option<String>,
    },
    /// The same as the last time.
    Unchanged,
    /// There is no such thing, or not any more.
    Gone,
}

/// Makes requests.
pub(crate) struct Client<'a> {
    agent: ureq::Agent,
    /// The beginning of the addresses that the token is for.
    api: String,
    token: Option<String>,
    clock: &'a mut dyn Clock,
    /// How many requests were made.
    pub requests: u64,
    /// Seconds spent waiting.
    pub waited: u64,
    /// No request may be made before this time.
    free_from: u64,
}

/// What one try came to.
enum Try {
    Done(Answer),
    /// Again after so many seconds, with the reason.
    Later(u64, String),
    Refused(u16),
}

impl<'a> Client<'a> {
    pub fn new(api: &str, token: Option<String>, clock: &'a mut dyn Clock) -> Client<'a> {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .user_agent(concat!("elenchus/", env!("CARGO_PKG_VERSION")))
            .build();
        let api = api.trim_end_matches('/').to_owned();
        Client { agent: config.into(), api, token, clock, requests: 0, waited: 0, free_from: 0 }
    }

    /// The beginning of the interface's addresses.
    pub fn api(&self) -> &str {
        &self.api
    }

    /// Asks until there is an answer.
    pub fn get(&mut self, url: &str, etag: Option<&str>) -> Result<Answer, CollectError> {
        let mut reason = String::new();
        for tried in 0..TRIES {
            let ahead = self.free_from.saturating_sub(self.clock.now());
            if ahead > 0 {
                self.wait(ahead, "the server's limit on requests is reached");
            }
            self.requests += 1;
            match self.once(url, etag, tried) {
                Try::Done(answer) => return Ok(answer),
                Try::Refused(status) => return Err(CollectError::Refused { url: url.to_owned(), status }),
                Try::Later(seconds, why) => {
                    if tried + 1 < TRIES {
                        self.wait(seconds, &why);
                    }
                    reason = why;
                }
            }
        }
        Err(CollectError::Unreachable { url: url.to_owned(), reason })
    }

    fn wait(&mut self, seconds: u64, why: &str) {
        let seconds = seconds.min(LONGEST_WAIT);
        self.waited += seconds;
        self.clock.wait(Duration::from_secs(seconds), why);
    }

    fn once(&mut self, url: &str, etag: Option<&str>, tried: u32) -> Try {
        let pause = (1u64 << tried).min(LONGEST_PAUSE);
        let own = url.starts_with(&self.api);
        let mut request = self.agent.get(url);
        if own {
            request = request.header("accept", "application/vnd.github+json");
        }
        // The token is for the interface alone, not for wherever an attachment is kept.
        if let Some(token) = self.token.as_ref().filter(|_| own) {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if let Some(etag) = etag {
            request = request.header("if-none-match", etag);
        }
        let mut response = match request.call() {
            Ok(response) => response,
            Err(error) => return Try::Later(pause, error.to_string()),
        };
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let number = |name: &str| header(name).and_then(|text| text.trim().parse::<u64>().ok());
        let reset = number("x-ratelimit-reset").filter(|_| number("x-ratelimit-remaining") == Some(0));
        match status {
            200 => {
                // The answer counts; the next request has to wait.
                self.free_from = reset.map_or(0, |reset| reset + 1);
                let (etag, next) = (header("etag").map(str::to_owned), header("link").and_then(next_page));
                match response.body_mut().with_config().limit(LARGEST).read_to_string() {
                    Ok(body) => Try::Done(Answer::New { body, etag, next }),
                    Err(error) => Try::Later(pause, format!("the answer broke off: {error}")),
                }
            }
            304 => Try::Done(Answer::Unchanged),
            404 | 410 | 451 => Try::Done(Answer::Gone),
            403 | 429 => match (number("retry-after"), reset) {
                (Some(seconds), _) => Try::Later(seconds.max(1), "the server asks for a pause".to_owned()),
                (None, Some(reset)) => {
                    let seconds = reset.saturating_sub(self.clock.now()) + 1;
                    Try::Later(seconds, "the server's limit on requests is reached".to_owned())
                }
                // A limit without a time: the documentation asks for a minute at the least.
                (None, None) if status == 429 => {
                    Try::Later(LONGEST_PAUSE, "the server has too many requests".to_owned())
                }
                (None, None) => Try::Refused(status),
            },
            500..=599 => Try::Later(pause, format!("the server answered with status {status}")),
            _ => Try::Refused(status),
        }
    }
}

/// The address of the next page in a `Link` header.
fn next_page(link: &str) -> Option<String> {
    link.split(',').find_map(|part| {
        let (address, relation) = part.split_once(';')?;
        let next = relation.split(';').any(|one| one.trim() == "rel=\"next\"");
        let address = address.trim().strip_prefix('<')?.strip_suffix('>')?;
        next.then(|| address.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::next_page;

    #[test]
    fn links_name_the_next_page() {
        let table = [
            (
                "<https://x/y?page=2>; rel=\"next\", <https://x/y?page=9>; rel=\"last\"",
                Some("https://x/y?page=2"),
            ),
            ("<https://x/y?page=1>; rel=\"prev\"", None),
            ("nonsense", None),
        ];
        for (link, expected) in table {
            assert_eq!(next_page(link).as_deref(), expected, "{link}");
        }
    }
}
