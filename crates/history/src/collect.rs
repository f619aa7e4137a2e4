//! Collecting: closed issues whose titles or labels speak of a bug, and the formulas in them.
//!
//! Issues are listed by the time of their last change, and every request begins at the last time that was seen instead of at
//! a page number: an issue that changes under way moves to the end and is met there, and no other is passed over.

use crate::github::{Comment, Issue};
use crate::http::{Answer, Client, Clock, CollectError};
use crate::markdown::{Found, attachments, formulas, in_block};
use crate::options::profile_name;
use crate::state::{Repository, State, write_whole};
use std::fs;
use std::path::{Path, PathBuf};

/// What is collected, from where and to where.
#[derive(Clone, Debug)]
pub struct CollectSettings {
    /// Repositories, as owner/name.
    pub repositories: Vec<String>,
    /// The beginning of the interface's addresses, such as `https://api.github.com`.
    pub api: String,
    /// A token, which raises the limit on requests.
    pub token: Option<String>,
    /// The folder for the formulas.
    pub out: PathBuf,
    /// Issues a page.
    pub page: usize,
}

/// How far a collection is, for whoever looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The repository.
    pub repository: String,
    /// The issue that was just seen.
    pub issue: u64,
    /// All in all.
    pub so_far: Collected,
}

/// What a run has collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Issues that were seen for the first time, or had changed.
    pub issues: u64,
    /// Those that speak of a bug.
    pub bugs: u64,
    /// Formulas that were written.
    pub formulas: u64,
    /// Requests.
    pub requests: u64,
    /// Seconds that limits and faults took.
    pub waited: u64,
}

/// Collects. What has been collected before is not asked for again; a run that was interrupted goes on.
pub fn collect(
    settings: &CollectSettings,
    clock: &mut dyn Clock,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Collected, CollectError> {
    for name in &settings.repositories {
        let plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        if !name.split_once('/').is_some_and(|(owner, rest)| plain(owner) && plain(rest)) {
            return Err(CollectError::Repository(name.clone()));
        }
    }
    let failed = |error| CollectError::Io { path: settings.out.clone(), error };
    fs::create_dir_all(&settings.out).map_err(failed)?;
    let state = State::read(&settings.out)?;
    let client = Client::new(&settings.api, settings.token.clone(), clock);
    let mut collection = Collection { settings, client, state, so_far: Collected::default(), tell };
    for name in &settings.repositories {
        collection.repository(name)?;
    }
    collection.state.save(&settings.out)?;
    Ok(collection.so_far())
}

struct Collection<'a> {
    settings: &'a CollectSettings,
    client: Client<'a>,
    state: State,
    so_far: Collected,
    tell: &'a mut dyn FnMut(&Progress),
}

/// A page of issues.
struct Page {
    issues: Vec<Issue>,
    /// Where the next one is.
    next: Option<String>,
    /// What tells it from later ones.
    etag: Option<String>,
}

impl Collection<'_> {
    fn so_far(&self) -> Collected {
        Collected { requests: self.client.requests, waited: self.client.waited, ..self.so_far }
    }

    fn place(&mut self, name: &str) -> &mut Repository {
        self.state.repositories.entry(name.to_owned()).or_default()
    }

    fn repository(&mut self, name: &str) -> Result<(), CollectError> {
        loop {
            let since = self.place(name).since.clone();
            let first = format!(
                "{}/repos/{name}/issues?state=closed&sort=updated&direction=asc&per_page={}{}",
                self.client.api(),
                self.settings.page,
                if since.is_empty() { String::new() } else { format!("&since={since}") }
            );
            let mut url = first.clone();
            // Pages are turned only while all of them are of one and the same time.
            loop {
                let Some(Page { issues, next, etag }) = self.page(name, &url)? else { return Ok(()) };
                let last = issues.last().map(|issue| issue.updated_at.clone());
                let mut new = false;
                for issue in &issues {
                    new |= self.issue(name, issue)?;
                }
                // Not before all of it was taken in: a run that is killed on the way must see the page again. Only the page
                // that all further runs begin with is worth remembering.
                let place = self.place(name);
                place.etags.clear();
                place.etags.extend(etag.map(|etag| (url.clone(), etag)));
                let Some(last) = last else { return Ok(()) };
                if last > since {
                    let place = self.place(name);
                    place.since = last.clone();
                    place.seen.retain(|_, changed| *changed >= last);
                    self.state.save(&self.settings.out)?;
                    break;
                }
                match next {
                    Some(next) => url = next,
                    None if new => break,
                    None => return Ok(()),
                }
            }
        }
    }

    /// A page of issues; nothing if it is as it was.
    fn page(&mut self, name: &str, url: &str) -> Result<Option<Page>, CollectError> {
        let known = self.place(name).etags.get(url).cloned();
        match self.client.get(url, known.as_deref())? {
            Answer::Unchanged => Ok(None),
            Answer::Gone => Err(CollectError::Refused { url: url.to_owned(), status: 404 }),
            Answer::New { body, etag, next } => {
                let issues: Vec<Issue> = serde_json::from_str(&body).map_err(|error| {
                    CollectError::Unexpected { url: url.to_owned(), reason: error.to_string() }
                })?;
                Ok(Some(Page { issues, next, etag }))
            }
        }
    }

    /// Takes in one issue, unless it was seen as it is. Answers whether it was new.
    fn issue(&mut self, name: &str, issue: &Issue) -> Result<bool, CollectError> {
        if self.place(name).seen.get(&issue.number) == Some(&issue.updated_at) {
            return Ok(false);
        }
        self.so_far.issues += 1;
        if let Some(class) = issue.class() {
            self.so_far.bugs += 1;
            let texts = self.texts(name, issue)?;
            self.keep(name, issue, class, &texts)?;
        }
        self.place(name).seen.insert(issue.number, issue.updated_at.clone());
        self.state.save(&self.settings.out)?;
        let so_far = self.so_far();
        (self.tell)(&Progress { repository: name.to_owned(), issue: issue.number, so_far });
        Ok(true)
    }

    /// The formulas of an issue: of its body, its comments and its attachments.
    fn texts(&mut self, name: &str, issue: &Issue) -> Result<Vec<Found>, CollectError> {
        let mut bodies = vec![issue.body.clone().unwrap_or_default()];
        if issue.comments > 0 {
            bodies.extend(self.comments(name, issue)?);
        }
        let mut found: Vec<Found> = Vec::new();
        for body in &bodies {
            found.extend(formulas(body));
            for url in attachments(body) {
                // An attachment that cannot be had is one formula less, not the end of the collection.
                if let Ok(Answer::New { body, .. }) = self.client.get(&url, None) {
                    found.extend(in_block(&body));
                }
            }
        }
        let mut distinct: Vec<Found> = Vec::new();
        for one in found {
            if !distinct.iter().any(|known| known.text == one.text) {
                distinct.push(one);
            }
        }
        Ok(distinct)
    }

    fn comments(&mut self, name: &str, issue: &Issue) -> Result<Vec<String>, CollectError> {
        let first =
            format!("{}/repos/{name}/issues/{}/comments?per_page=100", self.client.api(), issue.number);
        let mut bodies: Vec<String> = Vec::new();
        // A comment that is deleted under way shifts all that follow: then there are too few, and they are read again.
        for _ in 0..2 {
            bodies.clear();
            let mut url = Some(first.clone());
            while let Some(this) = url.take() {
                let Answer::New { body, next, .. } = self.client.get(&this, None)? else { break };
                let comments: Vec<Comment> = serde_json::from_str(&body).map_err(|error| {
                    CollectError::Unexpected { url: this.clone(), reason: error.to_string() }
                })?;
                bodies.extend(comments.into_iter().filter_map(|comment| comment.body));
                url = next;
            }
            if bodies.len() as u64 >= issue.comments {
                break;
            }
        }
        Ok(bodies)
    }

    /// Writes the formulas of an issue, in the place of those that it had before.
    fn keep(&mut self, name: &str, issue: &Issue, class: &str, found: &[Found]) -> Result<(), CollectError> {
        let folder = self.settings.out.join(name);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| CollectError::Io { path, error }
        };
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let begin = format!("{}-", issue.number);
        for entry in fs::read_dir(&folder).map_err(failed(&folder))?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(&begin) {
                fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
            }
        }
        let repository = name.rsplit('/').next().unwrap_or(name);
        for (at, one) in found.iter().enumerate() {
            let mut text = format!(
                "; issue: {name}#{}\n; class: {class}\n; changed: {}\n",
                issue.number, issue.updated_at
            );
            let own = profile_name(repository).map(str::to_owned);
            let ran = one.run.as_ref().filter(|(solver, _)| own.as_ref().is_none_or(|own| own == solver));
            if let Some(solver) = own.or_else(|| ran.map(|(solver, _)| solver.clone())) {
                text.push_str(&format!("; solver: {solver}\n"));
            }
            if let Some((_, options)) = ran.filter(|(_, options)| !options.is_empty()) {
                let words: Vec<String> =
                    options.iter().map(|(name, value)| format!("{name}={value}")).collect();
                text.push_str(&format!("; options: {}\n", words.join(" ")));
            }
            text.push_str(&one.text);
            write_whole(&folder.join(format!("{}-{at}.smt2", issue.number)), &text)?;
            self.so_far.formulas += 1;
        }
        Ok(())
    }
}
