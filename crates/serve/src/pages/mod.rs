//! The pages. Each is a function from data to HTML; what changes while one looks at it is in elements with `data-live`.

mod campaign;
mod coverage;
mod finding;
mod findings;
mod layout;
mod options;
mod overview;
mod seeds;
mod solvers;
mod table;

pub use findings::{PAGE, filter_of, order_of};
pub use layout::message;

use crate::data::{Data, DataError};
use crate::http::Request;
use crate::jobs::JobView;
use crate::links::{Links, Page};
use std::path::Path;

/// What a page is made from besides the request.
pub struct View<'a> {
    /// Where the content comes from.
    pub data: &'a dyn Data,
    /// How pages refer to each other.
    pub links: Links,
    /// Whether the reader may change something.
    pub write: bool,
    /// The jobs, the newest first.
    pub jobs: Vec<JobView>,
    /// The folder of the files, which may have reports as pages of their own.
    pub files: Option<&'a Path>,
}

impl View<'_> {
    /// A page as HTML.
    pub fn page(&self, page: Page<'_>, request: &Request) -> Result<String, DataError> {
        match page {
            Page::Overview => overview::page(self, request),
            Page::Findings => findings::page(self, request),
            Page::Finding(id) => finding::page(self, id, request),
            Page::Coverage => coverage::page(self, request),
            Page::Options => options::page(self, request),
            Page::Seeds => seeds::page(self, request),
            Page::Solvers => solvers::page(self, request),
            Page::Campaign => campaign::page(self, request),
        }
    }

    /// Whether a server answers, so that forms work.
    pub fn is_live(&self) -> bool {
        self.links == Links::Server
    }
}
