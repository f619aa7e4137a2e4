//! The addresses of pages: on a server, and as files of a folder.

use crate::http::encoded;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page<'a> {
    /// The state of a campaign.
    Overview,
    /// The list of findings.
    Findings,
    /// One finding.
    Finding(&'a str),
    /// What was reached of the solvers.
    Coverage,
    /// Which options matter to which operations.
    Options,
    /// What seeds contributed.
    Seeds,
    /// The solvers.
    Solvers,
    /// The settings of a campaign.
    Campaign,
}

impl Page<'_> {
    /// The pages of the menu.
    pub const MENU: [Page<'static>; 7] = [
        Page::Overview,
        Page::Findings,
        Page::Coverage,
        Page::Options,
        Page::Seeds,
        Page::Solvers,
        Page::Campaign,
    ];

    /// The word in the menu.
    pub fn name(self) -> &'static str {
        match self {
            Page::Overview => "Overview",
            Page::Findings | Page::Finding(_) => "Findings",
            Page::Coverage => "Coverage",
            Page::Options => "Options",
            Page::Seeds => "Seeds",
            Page::Solvers => "Solvers",
            Page::Campaign => "Campaign",
        }
    }
}

/// How pages refer to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// By addresses of a server.
    Server,
    /// By the names of files in one folder.
    Files,
}

impl Links {
    /// The address of a page.
    pub fn page(self, page: Page<'_>) -> String {
        match (self, page) {
            (Links::Server, Page::Overview) => "/".to_owned(),
            (Links::Server, Page::Finding(id)) => format!("/findings/{}", encoded(id)),
            (Links::Server, page) => format!("/{}", page.name().to_lowercase()),
            (Links::Files, Page::Overview) => "index.html".to_owned(),
            // The name of a file is encoded once where it is written and once more where it is linked.
            (Links::Files, Page::Finding(id)) => encoded(&Links::finding_file(id)),
            (Links::Files, page) => format!("{}.html", page.name().to_lowercase()),
        }
    }

    /// The address of a page of the list of findings, from 1.
    pub fn findings_page(self, number: u64, rest: &str) -> String {
        match self {
            Links::Server => {
                format!("/findings?{rest}{}page={number}", if rest.is_empty() { "" } else { "&" })
            }
            Links::Files if number == 1 => "findings.html".to_owned(),
            Links::Files => format!("findings-{number}.html"),
        }
    }

    /// The address of a file that comes with the pages.
    pub fn asset(self, name: &str) -> String {
        match self {
            Links::Server => format!("/assets/{name}"),
            Links::Files => name.to_owned(),
        }
    }

    /// The address of a text of a finding.
    pub fn text(self, id: &str, name: &str) -> String {
        match self {
            Links::Server => format!("/findings/{}/{name}", encoded(id)),
            Links::Files => encoded(&format!("{}-{name}", encoded(id))),
        }
    }

    /// The name of the file with the page of a finding.
    pub fn finding_file(id: &str) -> String {
        format!("finding-{}.html", encoded(id))
    }
}
