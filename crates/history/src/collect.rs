//! Collects formulas from closed issues whose titles or labels indicate a bug.
//!
//! Issues are listed by the time of their last change. Every request starts at the last time seen instead of at a page number:
//! an issue that changes during the run moves to the end of the listing and is read there, and no other is skipped.

use crate::clock::Clock;
use crate::collection::{CollectSettings, Collected, Event, Progress};
use crate::error::CollectError;
use crate::github::{Comment, Issue, Timestamp};
use crate::http::{Answer, Attachment, Client};
use crate::limits::Limits;
use crate::markdown::{Extracted, attachments, formulas, formulas_in_code};
use crate::state::{Repository, State, write_atomically};
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use strategies::profile_name;

/// Collects the formulas of repositories. Requests nothing twice, and continues an interrupted run.
pub fn collect(
    settings: &CollectSettings,
    clock: &mut dyn Clock,
    report: &mut dyn FnMut(&Event),
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
    let client = Client::new(
        &settings.api,
        &settings.attachment_hosts,
        settings.token.as_deref(),
        &settings.limits,
        clock,
    )?;
    fs::create_dir_all(&settings.out)
        .map_err(|source| CollectError::Io { path: settings.out.clone(), source })?;
    let state = State::read(&settings.out)?;
    let mut collection = Collection { settings, client, state, so_far: Collected::default(), report };
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
    report: &'a mut dyn FnMut(&Event),
}

/// A page of issues.
struct Page {
    issues: Vec<Issue>,
    /// The URL of the next page.
    next: Option<String>,
    /// The version tag of the page.
    etag: Option<String>,
}

/// Fails once a listing has more pages than the limit, as one that never ends does.
fn check_pages(count: u64, limits: &Limits, unit: &'static str) -> Result<(), CollectError> {
    match count < limits.pages {
        true => Ok(()),
        false => Err(CollectError::LimitReached { count: limits.pages, unit }),
    }
}

fn parse<T: DeserializeOwned>(url: &str, body: &str) -> Result<Vec<T>, CollectError> {
    serde_json::from_str(body)
        .map_err(|error| CollectError::Unexpected { url: url.to_owned(), reason: error.to_string() })
}

impl Collection<'_> {
    fn so_far(&self) -> Collected {
        Collected { requests: self.client.requests, waited: self.client.waited, ..self.so_far }
    }

    fn repository_state(&mut self, name: &str) -> &mut Repository {
        self.state.repositories.entry(name.to_owned()).or_default()
    }

    fn repository(&mut self, name: &str) -> Result<(), CollectError> {
        loop {
            let since = self.repository_state(name).since.clone();
            let mut url = format!(
                "{}/repos/{name}/issues?state=closed&sort=updated&direction=asc&per_page={}{}",
                self.client.api(),
                self.settings.page,
                if since.is_empty() { String::new() } else { format!("&since={since}") }
            );
            // Turns pages only while every issue on them changed at the time `since`.
            for page in 0.. {
                check_pages(page, &self.settings.limits, "pages of issues that changed at one moment")?;
                let Some(Page { issues, next, etag }) = self.page(name, &url)? else { return Ok(()) };
                let mut any_new = false;
                for issue in &issues {
                    any_new |= self.issue(name, issue)?;
                }
                // Only now: a run killed before must read the page again. Only the first page of the next run is worth
                // a conditional request.
                let state = self.repository_state(name);
                state.etags.clear();
                state.etags.extend(etag.map(|etag| (url.clone(), etag)));
                let Some(last) = issues.last().map(|issue| issue.updated_at.as_str()) else { return Ok(()) };
                if last > since.as_str() {
                    state.since = last.to_owned();
                    state.seen.retain(|_, changed| changed.as_str() >= last);
                    self.state.save(&self.settings.out)?;
                    break;
                }
                match next {
                    Some(next) => url = next,
                    None if any_new => break,
                    None => return Ok(()),
                }
            }
        }
    }

    /// A page of issues; `None` if it has not changed since the last run.
    fn page(&mut self, name: &str, url: &str) -> Result<Option<Page>, CollectError> {
        let etag = self.repository_state(name).etags.get(url).cloned();
        match self.client.get(url, etag.as_deref())? {
            Answer::Unchanged => Ok(None),
            Answer::Gone => Err(CollectError::Refused { url: url.to_owned(), status: 404 }),
            Answer::New { body, etag, next } => Ok(Some(Page { issues: parse(url, &body)?, next, etag })),
        }
    }

    /// Reads one issue, unless this version was read before. Returns whether it was new.
    fn issue(&mut self, name: &str, issue: &Issue) -> Result<bool, CollectError> {
        let changed = issue.updated_at.as_str();
        if self.repository_state(name).seen.get(&issue.number).is_some_and(|seen| seen == changed) {
            return Ok(false);
        }
        self.so_far.issues += 1;
        if let Some(class) = issue.class() {
            self.so_far.bugs += 1;
            let found = self.extract(name, issue)?;
            self.write(name, issue, class, &found)?;
        }
        self.repository_state(name).seen.insert(issue.number, changed.to_owned());
        self.state.save(&self.settings.out)?;
        let so_far = self.so_far();
        (self.report)(&Event::Issue(Progress { repository: name.to_owned(), issue: issue.number, so_far }));
        Ok(true)
    }

    fn skip(&mut self, name: &str, issue: &Issue, item: &str, reason: String) {
        self.so_far.skipped += 1;
        let issue = format!("{name}#{}", issue.number);
        // Strangers wrote the link, and the event may go to a terminal.
        let item = item.escape_debug().to_string();
        (self.report)(&Event::Skipped { issue, item, reason });
    }

    /// The distinct formulas of an issue: of its body, its comments and its attachments.
    fn extract(&mut self, name: &str, issue: &Issue) -> Result<Vec<Extracted>, CollectError> {
        let limits = &self.settings.limits;
        let mut bodies = vec![issue.body.clone().unwrap_or_default()];
        if issue.comments > 0 {
            bodies.extend(self.comments(name, issue)?);
        }
        let mut found: Vec<Extracted> = Vec::new();
        let mut links = HashSet::new();
        for body in &bodies {
            found.extend(formulas(body));
            for link in attachments(body) {
                if !links.insert(link.clone()) {
                    continue;
                }
                if links.len() > limits.attachments {
                    self.skip(name, issue, &link, format!("more than {} attachments", limits.attachments));
                    break;
                }
                match self.client.attachment(&link)? {
                    Attachment::Text(text) => found.extend(formulas_in_code(&text)),
                    Attachment::Skipped(reason) => self.skip(name, issue, &link, reason),
                }
            }
        }
        let mut texts = HashSet::new();
        found.retain(|formula| texts.insert(formula.text.clone()));
        if found.len() > limits.formulas {
            self.skip(name, issue, "formulas", format!("more than {} formulas", limits.formulas));
            found.truncate(limits.formulas);
        }
        Ok(found)
    }

    /// The comments of an issue.
    fn comments(&mut self, name: &str, issue: &Issue) -> Result<Vec<String>, CollectError> {
        let first =
            format!("{}/repos/{name}/issues/{}/comments?per_page=100", self.client.api(), issue.number);
        let mut comments: Vec<Comment> = Vec::new();
        // A comment deleted meanwhile shifts all later ones, and one is missed. Too few comments reveal it: read them again.
        for _ in 0..2 {
            comments.clear();
            let mut url = Some(first.clone());
            for page in 0.. {
                let Some(this) = url.take() else { break };
                check_pages(page, &self.settings.limits, "pages of comments on one issue")?;
                let Answer::New { body, next, .. } = self.client.get(&this, None)? else { break };
                comments.extend(parse::<Comment>(&this, &body)?);
                url = next;
            }
            if comments.len() as u64 >= issue.comments {
                break;
            }
        }
        Ok(comments.into_iter().filter_map(|comment| comment.body).collect())
    }

    /// Writes the formulas of an issue, in place of those of an earlier version of it.
    fn write(
        &mut self,
        name: &str,
        issue: &Issue,
        class: &str,
        found: &[Extracted],
    ) -> Result<(), CollectError> {
        let folder = self.settings.out.join(name);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| CollectError::Io { path, source }
        };
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let prefix = format!("{}-", issue.number);
        for entry in fs::read_dir(&folder).map_err(failed(&folder))?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
            }
        }
        for (index, formula) in found.iter().enumerate() {
            let text = file_text(name, issue.number, class, &issue.updated_at, formula);
            write_atomically(&folder.join(format!("{prefix}{index}.smt2")), &text)?;
            self.so_far.formulas += 1;
        }
        Ok(())
    }
}

/// A formula with comments that say where it is from.
///
/// Nothing that strangers write goes into the comments unchecked: a line break would end the comment.
fn file_text(name: &str, number: u64, class: &str, changed: &Timestamp, formula: &Extracted) -> String {
    let changed = changed.as_str();
    let mut text = format!("; issue: {name}#{number}\n; class: {class}\n; changed: {changed}\n");
    let reported_for = profile_name(name.rsplit('/').next().unwrap_or(name));
    let run = formula.invocation.as_ref();
    // Options of another solver say nothing about the one that the issue is about.
    let run = run.filter(|run| reported_for.is_none_or(|solver| solver == run.solver));
    if let Some(solver) = reported_for.or(run.map(|run| run.solver.as_str())) {
        text.push_str(&format!("; solver: {solver}\n"));
    }
    if let Some(run) = run.filter(|run| !run.options.is_empty()) {
        let words: Vec<String> = run.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        text.push_str(&format!("; options: {}\n", words.join(" ")));
    }
    text.push_str(&formula.text);
    text
}
