//! An answer to a browser.

use serde_json::Value;
use std::io::{self, Write};

/// What every answer says: nothing but our own files may be used, and nothing may be kept or embedded.
const SECURITY: &str = concat!(
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; ",
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'\r\n",
    "X-Content-Type-Options: nosniff\r\n",
    "X-Frame-Options: DENY\r\n",
    // Without a referrer, browsers would not say where a form comes from.
    "Referrer-Policy: same-origin\r\n",
    "Cross-Origin-Opener-Policy: same-origin\r\n",
    "Cross-Origin-Resource-Policy: same-origin\r\n",
);

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The type of the content.
    pub kind: &'static str,
    /// More headers.
    pub headers: Vec<(&'static str, String)>,
    /// The content.
    pub body: Vec<u8>,
    /// Whether events follow, for as long as the browser listens.
    pub events: bool,
}

impl Response {
    /// An answer with this content.
    pub fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Response {
        Response { status, kind, headers: Vec::new(), body: body.into(), events: false }
    }

    /// A page.
    pub fn html(status: u16, page: impl Into<String>) -> Response {
        Response::new(status, "text/html; charset=utf-8", page.into())
    }

    /// JSON.
    pub fn json(status: u16, value: &Value) -> Response {
        Response::new(status, "application/json", format!("{value}\n"))
    }

    /// Plain text.
    pub fn text(status: u16, text: impl Into<String>) -> Response {
        Response::new(status, "text/plain; charset=utf-8", text.into())
    }

    /// Another address to go to.
    pub fn see(address: &str) -> Response {
        Response::text(303, "").with("Location", address)
    }

    /// A stream of events.
    pub fn events() -> Response {
        Response { events: true, ..Response::new(200, "text/event-stream", "") }
    }

    /// The answer with another header. A value never has line breaks.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into().replace(['\r', '\n'], " ")));
        self
    }

    /// Writes the answer.
    pub fn write(&self, stream: &mut dyn Write, keep_alive: bool, with_body: bool) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} {}\r\n{SECURITY}", self.status, reason(self.status));
        head.push_str(&format!("Content-Type: {}\r\n", self.kind));
        if self.headers.iter().all(|(name, _)| *name != "Cache-Control") {
            head.push_str("Cache-Control: no-store\r\n");
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if self.events {
            head.push_str("Connection: close\r\n\r\n");
        } else {
            let connection = if keep_alive { "keep-alive" } else { "close" };
            head.push_str(&format!(
                "Content-Length: {}\r\nConnection: {connection}\r\n\r\n",
                self.body.len()
            ));
        }
        stream.write_all(head.as_bytes())?;
        if with_body {
            stream.write_all(&self.body)?;
        }
        stream.flush()
    }
}

/// The usual word for a status.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        303 => "See Other",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        421 => "Misdirected Request",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "",
    }
}
