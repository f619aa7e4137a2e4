//! Answers requests: checks access, then makes pages, texts, JSON and events.

use crate::access::{Access, Rights};
use crate::api;
use crate::assets;
use crate::data::{Data, DataError};
use crate::http::{Handler, Request, Response};
use crate::jobs::Jobs;
use crate::links::{Links, Page};
use crate::pages::{View, message};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a stream of events looks for changes, how often it says at most that something has changed, and how often it says that
/// it is alive.
const LOOK: Duration = Duration::from_millis(200);
const PAUSE: Duration = Duration::from_millis(1500);
const ALIVE: Duration = Duration::from_secs(10);
/// The most streams of events.
const STREAMS: usize = 100;

/// A site about one campaign folder.
pub struct Site {
    data: Arc<dyn Data>,
    access: Access,
    jobs: Option<Jobs>,
    streams: AtomicUsize,
}

impl Site {
    /// A site. Without `jobs`, findings cannot be worked on.
    pub fn new(data: Arc<dyn Data>, access: Access, jobs: Option<Jobs>) -> Site {
        Site { data, access, jobs, streams: AtomicUsize::new(0) }
    }

    /// The answer to a request whose sender has these rights.
    fn answer(&self, request: &Request, rights: Rights) -> Response {
        let path: Vec<&str> = request.path.trim_matches('/').split('/').collect();
        let page = match path.as_slice() {
            ["api", ..] => return api::respond(&*self.data, self.jobs.as_ref(), request),
            ["assets", name] => return assets::respond(name),
            _ if request.method == "POST" => {
                return Response::text(405, "only the interface below /api changes something\n");
            }
            [""] => Page::Overview,
            ["findings"] => Page::Findings,
            ["findings", id] => Page::Finding(id),
            ["findings", id, name] => return self.text(id, name).unwrap_or_else(|error| failed(&error)),
            ["coverage"] => Page::Coverage,
            ["options"] => Page::Options,
            ["seeds"] => Page::Seeds,
            ["solvers"] => Page::Solvers,
            ["campaign"] => Page::Campaign,
            _ => return failed(&DataError::Missing(format!("page {}", request.path))),
        };
        let jobs = self.jobs.as_ref().map(Jobs::list).unwrap_or_default();
        let write = rights.write && self.jobs.is_some();
        let view = View { data: &*self.data, links: Links::Server, write, jobs, files: None };
        match view.page(page, request) {
            Ok(html) => Response::html(200, html),
            Err(error) => failed(&error),
        }
    }

    /// A text of a finding, to download.
    fn text(&self, id: &str, name: &str) -> Result<Response, DataError> {
        let dossier = self.data.dossier(id)?;
        let text = match name {
            "reduced.smt2" => dossier.reduced,
            "case.smt2" => Some(dossier.case),
            "seed.smt2" => Some(dossier.seed),
            "report.md" => Some(dossier.report),
            _ => None,
        };
        let text = text.ok_or_else(|| DataError::Missing(format!("text `{name}` of {id}")))?;
        Ok(Response::text(200, text).with("Content-Disposition", "attachment"))
    }

    fn revision(&self) -> (u64, u64) {
        (self.data.revision(), self.jobs.as_ref().map_or(0, Jobs::revision))
    }
}

/// The page for what cannot be shown.
fn failed(error: &DataError) -> Response {
    match error {
        DataError::Missing(_) => Response::html(404, message("Not found", &format!("{error}."))),
        DataError::Store(_) => Response::html(500, message("This cannot be shown", &error.to_string())),
    }
}

impl Handler for Site {
    fn respond(&self, request: &Request) -> Response {
        let begun = Instant::now();
        let mut response = match self.access.check(request) {
            Ok(rights) => self.answer(request, rights),
            Err(refusal) => refusal,
        };
        if response.events && self.streams.load(Ordering::Relaxed) >= STREAMS {
            response = Response::text(503, "too many pages listen for events\n");
        }
        let milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
        response.with("Server-Timing", format!("total;dur={milliseconds:.1}"))
    }

    fn events(&self, stream: &mut dyn Write, stop: &AtomicBool) -> io::Result<()> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        let told = self.tell(stream, stop);
        self.streams.fetch_sub(1, Ordering::Relaxed);
        told
    }
}

impl Site {
    /// Says whenever something has changed, until nobody listens any more.
    fn tell(&self, stream: &mut dyn Write, stop: &AtomicBool) -> io::Result<()> {
        let mut last = self.revision();
        writeln!(stream, "retry: 2000\nevent: hello\ndata: {}\n", last.0 + last.1)?;
        stream.flush()?;
        let mut spoke = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
            let now = self.revision();
            if now != last && spoke.elapsed() >= PAUSE {
                last = now;
                writeln!(stream, "event: change\ndata: {}\n", now.0 + now.1)?;
            } else if spoke.elapsed() >= ALIVE {
                writeln!(stream, ": alive\n")?;
            } else {
                continue;
            }
            stream.flush()?;
            spoke = Instant::now();
        }
        Ok(())
    }
}
