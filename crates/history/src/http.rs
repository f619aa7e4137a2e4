//! Requests: waits out rate limits, retries after server errors, sends the token to the API alone, and stays within the limits.

use crate::address::{Address, Policy, PolicyResolver, Purpose};
use crate::clock::Clock;
use crate::error::CollectError;
use crate::limits::Limits;
use std::io::Read;
use std::time::Duration;
use ureq::http::HeaderValue;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Body, http};

/// The longest pause before a retry, in seconds, where the server does not ask for one.
const LONGEST_BACKOFF: u64 = 60;
/// Redirects followed for one request.
const MAX_REDIRECTS: u32 = 5;

/// An answer of the API.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Something new.
    New {
        /// The text.
        body: String,
        /// The version tag, for a later conditional request.
        etag: Option<String>,
        /// The URL of the next page.
        next: Option<String>,
    },
    /// The same as the last time.
    Unchanged,
    /// It does not exist, or not any more.
    Gone,
}

/// What became of an attachment.
#[derive(Debug)]
pub(crate) enum Attachment {
    /// Its text.
    Text(String),
    /// Why it was skipped.
    Skipped(String),
}

/// Makes requests.
pub(crate) struct Client<'a> {
    agent: ureq::Agent,
    policy: Policy,
    /// The URL that the paths of the API are appended to.
    api: String,
    authorization: Option<HeaderValue>,
    clock: &'a mut dyn Clock,
    limits: &'a Limits,
    /// Requests made.
    pub requests: u64,
    /// Seconds spent waiting.
    pub waited: u64,
    /// Bytes received.
    received: u64,
    /// The API takes no request before this time.
    blocked_until: u64,
}

/// The result of one attempt.
enum Attempt {
    Done(Answer),
    /// Worth retrying, after the seconds that the server asks for.
    Retry(Option<u64>, String),
    Redirect(String),
    /// Refused with a status.
    Refused(u16),
    /// Not worth retrying.
    Failed(String),
}

impl<'a> Client<'a> {
    pub fn new(
        api: &str,
        attachment_hosts: &[String],
        token: Option<&str>,
        limits: &'a Limits,
        clock: &'a mut dyn Clock,
    ) -> Result<Client<'a>, CollectError> {
        let policy = Policy::new(api, attachment_hosts)?;
        let authorization = match token {
            Some(token) => {
                let mut value = HeaderValue::try_from(format!("Bearer {}", token.trim()))
                    .map_err(|_| CollectError::Token)?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        // Redirects are followed here, after the policy has seen them.
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(60)))
            .user_agent(concat!("elenchus/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = PolicyResolver::new(policy.clone());
        let agent = ureq::Agent::with_parts(config, DefaultConnector::default(), resolver);
        Ok(Client {
            agent,
            policy,
            api: api.trim_end_matches('/').to_owned(),
            authorization,
            clock,
            limits,
            requests: 0,
            waited: 0,
            received: 0,
            blocked_until: 0,
        })
    }

    /// The URL that the paths of the API are appended to.
    pub fn api(&self) -> &str {
        &self.api
    }

    /// Asks the API until it answers.
    pub fn get(&mut self, url: &str, etag: Option<&str>) -> Result<Answer, CollectError> {
        let unexpected = |reason| CollectError::Unexpected { url: url.to_owned(), reason };
        let address = self.policy.address(url, Purpose::Api).map_err(unexpected)?;
        let mut last_reason = String::new();
        for attempt in 0..self.limits.attempts {
            let blocked = self.blocked_until.saturating_sub(self.clock.now());
            if blocked > 0 {
                self.wait(url, blocked, "the rate limit of the server is reached")?;
            }
            match self.attempt(&address, Purpose::Api, etag)? {
                Attempt::Done(answer) => return Ok(answer),
                Attempt::Refused(status) => {
                    return Err(CollectError::Refused { url: url.to_owned(), status });
                }
                Attempt::Redirect(reason) | Attempt::Failed(reason) => return Err(unexpected(reason)),
                Attempt::Retry(asked, reason) => {
                    if attempt + 1 < self.limits.attempts {
                        self.wait(url, asked.unwrap_or(backoff(attempt)), &reason)?;
                    }
                    last_reason = reason;
                }
            }
        }
        Err(CollectError::Unreachable { url: url.to_owned(), reason: last_reason })
    }

    /// Fetches an attachment. One that makes trouble is skipped: it must not hold up the collection.
    pub fn attachment(&mut self, url: &str) -> Result<Attachment, CollectError> {
        let address = match self.policy.address(url, Purpose::Attachment) {
            Ok(address) => address,
            Err(reason) => return Ok(Attachment::Skipped(reason)),
        };
        let mut last_reason = String::new();
        for attempt in 0..self.limits.attachment_attempts {
            match self.attempt(&address, Purpose::Attachment, None)? {
                Attempt::Done(Answer::New { body, .. }) => return Ok(Attachment::Text(body)),
                Attempt::Done(Answer::Unchanged | Answer::Gone) => {
                    return Ok(Attachment::Skipped("it does not exist".to_owned()));
                }
                Attempt::Refused(status) => {
                    return Ok(Attachment::Skipped(format!("refused with status {status}")));
                }
                Attempt::Redirect(reason) | Attempt::Failed(reason) => {
                    return Ok(Attachment::Skipped(reason));
                }
                Attempt::Retry(asked, reason) => {
                    let seconds = asked.unwrap_or(backoff(attempt));
                    if seconds > self.limits.attachment_pause {
                        return Ok(Attachment::Skipped(format!("{reason} ({seconds} s)")));
                    }
                    if attempt + 1 < self.limits.attachment_attempts {
                        self.wait(url, seconds, &reason)?;
                    }
                    last_reason = reason;
                }
            }
        }
        Ok(Attachment::Skipped(last_reason))
    }

    fn wait(&mut self, url: &str, seconds: u64, why: &str) -> Result<(), CollectError> {
        if seconds > self.limits.pause {
            return Err(CollectError::LongWait { url: url.to_owned(), seconds });
        }
        if self.waited + seconds > self.limits.waiting {
            return Err(CollectError::LimitReached {
                count: self.limits.waiting,
                unit: "seconds of waiting",
            });
        }
        self.waited += seconds;
        self.clock.wait(Duration::from_secs(seconds), why);
        Ok(())
    }

    /// One attempt, with the redirects that the policy allows.
    fn attempt(
        &mut self,
        address: &Address,
        purpose: Purpose,
        etag: Option<&str>,
    ) -> Result<Attempt, CollectError> {
        let mut address = address.clone();
        for _ in 0..=MAX_REDIRECTS {
            if self.requests >= self.limits.requests {
                return Err(CollectError::LimitReached { count: self.limits.requests, unit: "requests" });
            }
            if self.received >= self.limits.bytes {
                return Err(CollectError::LimitReached { count: self.limits.bytes, unit: "received bytes" });
            }
            self.requests += 1;
            match self.request(&address, purpose, etag) {
                Attempt::Redirect(location) => match self.policy.redirect(&address, &location, purpose) {
                    Ok(target) => address = target,
                    Err(reason) => return Ok(Attempt::Failed(reason)),
                },
                attempt => return Ok(attempt),
            }
        }
        Ok(Attempt::Failed(format!("more than {MAX_REDIRECTS} redirects")))
    }

    fn request(&mut self, address: &Address, purpose: Purpose, etag: Option<&str>) -> Attempt {
        let is_api = purpose == Purpose::Api;
        let mut request = self.agent.get(&address.uri);
        if is_api {
            request = request.header("accept", "application/vnd.github+json");
            if let Some(authorization) = &self.authorization {
                request = request.header("authorization", authorization);
            }
        }
        if let Some(etag) = etag {
            request = request.header("if-none-match", etag);
        }
        let mut response = match request.call() {
            Ok(response) => response,
            Err(error @ (ureq::Error::Other(_) | ureq::Error::BadUri(_))) => {
                return Attempt::Failed(error.to_string());
            }
            Err(error) => return Attempt::Retry(None, error.to_string()),
        };
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let number = |name: &str| header(name).and_then(|text| text.trim().parse::<u64>().ok());
        let reset = number("x-ratelimit-reset").filter(|_| number("x-ratelimit-remaining") == Some(0));
        match status {
            200 => {
                if is_api {
                    // This answer counts, but the next request has to wait.
                    self.blocked_until = reset.map_or(0, |reset| reset.saturating_add(1));
                }
                let (etag, next) = (header("etag").map(str::to_owned), header("link").and_then(next_page));
                let limit = if is_api { self.limits.answer_bytes } else { self.limits.attachment_bytes };
                match self.read(&mut response, limit) {
                    Ok(Some(body)) => Attempt::Done(Answer::New { body, etag, next }),
                    Ok(None) => Attempt::Failed(format!("it is larger than {limit} bytes")),
                    Err(error) => Attempt::Retry(None, format!("the answer broke off: {error}")),
                }
            }
            301 | 302 | 303 | 307 | 308 => match header("location") {
                Some(location) => Attempt::Redirect(location.to_owned()),
                None => Attempt::Failed("redirect without a target".to_owned()),
            },
            304 => Attempt::Done(Answer::Unchanged),
            404 | 410 | 451 => Attempt::Done(Answer::Gone),
            403 | 429 => match (number("retry-after"), reset) {
                (Some(seconds), _) => {
                    Attempt::Retry(Some(seconds.max(1)), "the server asks for a pause".to_owned())
                }
                (None, Some(reset)) => {
                    let seconds = reset.saturating_sub(self.clock.now()).saturating_add(1);
                    Attempt::Retry(Some(seconds), "the rate limit of the server is reached".to_owned())
                }
                // GitHub documents a pause of at least a minute for a limit without a time.
                (None, None) if status == 429 => {
                    Attempt::Retry(Some(LONGEST_BACKOFF), "the server has too many requests".to_owned())
                }
                (None, None) => Attempt::Refused(status),
            },
            500..=599 => Attempt::Retry(None, format!("the server answered with status {status}")),
            _ => Attempt::Refused(status),
        }
    }

    /// The text of an answer; `None` if it is longer than `limit` bytes.
    ///
    /// The limit of the HTTP client counts compressed bytes, so this counts the decompressed ones.
    fn read(&mut self, response: &mut http::Response<Body>, limit: u64) -> std::io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let result = response.body_mut().as_reader().take(limit.saturating_add(1)).read_to_end(&mut bytes);
        self.received += bytes.len() as u64;
        result?;
        if bytes.len() as u64 > limit {
            return Ok(None);
        }
        Ok(Some(
            String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        ))
    }
}

/// Seconds before the next attempt.
fn backoff(attempt: u32) -> u64 {
    1u64.checked_shl(attempt).unwrap_or(LONGEST_BACKOFF).min(LONGEST_BACKOFF)
}

/// The URL of the next page in a `Link` header.
fn next_page(link: &str) -> Option<String> {
    link.split(',').find_map(|part| {
        let (url, relations) = part.split_once(';')?;
        let next = relations.split(';').any(|relation| relation.trim() == "rel=\"next\"");
        let url = url.trim().strip_prefix('<')?.strip_suffix('>')?;
        next.then(|| url.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{backoff, next_page};

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

    #[test]
    fn pauses_double_up_to_a_minute() {
        let pauses: Vec<u64> = [0, 1, 5, 6, 63, 64, 200].map(backoff).to_vec();
        assert_eq!(pauses, [1, 2, 32, 60, 60, 60, 60]);
    }
}
