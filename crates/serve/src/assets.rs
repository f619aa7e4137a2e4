//! The files that come with the pages.

use crate::http::Response;

/// The style of all pages.
pub const STYLE: &str = include_str!("../assets/style.css");

/// All of them: name, type, content.
pub const FILES: [(&str, &str, &str); 3] = [
    ("style.css", "text/css; charset=utf-8", STYLE),
    ("page.js", "text/javascript; charset=utf-8", include_str!("../assets/page.js")),
    ("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
];

/// The file with this name.
pub fn respond(name: &str) -> Response {
    match FILES.iter().find(|file| file.0 == name) {
        Some((_, kind, content)) => Response::new(200, kind, *content).with("Cache-Control", "no-cache"),
        None => Response::text(404, "there is no such file\n"),
    }
}
