//! A request of a browser, read within limits.

use std::io::{self, Read};

/// The most bytes of the head of a request.
const HEAD: usize = 16 * 1024;
/// The most headers.
const HEADERS: usize = 64;
/// The most bytes of the body of a request.
const BODY: usize = 64 * 1024;
/// The most pieces in which a request may come: one that comes byte by byte would hold its connection for hours.
const PIECES: usize = 64;

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// The path, decoded, without the query.
    pub path: String,
    /// The names and values of the query, decoded.
    pub query: Vec<(String, String)>,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Whether the browser wants to send more requests on the connection.
    pub keep_alive: bool,
}

/// Why a request cannot be answered.
#[derive(Debug)]
pub enum BadRequest {
    /// The connection ended, or nothing came in time.
    Ended,
    /// It is malformed or too large: the status and a sentence.
    Refused(u16, &'static str),
}

impl From<io::Error> for BadRequest {
    fn from(_: io::Error) -> BadRequest {
        BadRequest::Ended
    }
}

impl Request {
    /// A request for a page, as a browser on this machine sends it.
    pub fn get(target: &str) -> Request {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Request {
            method: "GET".to_owned(),
            path: decoded(path, false),
            query: pairs(query),
            ..Request::default()
        }
    }

    /// Reads a request. `left` has bytes that came with the last one, and receives those of the next one.
    pub fn read(stream: &mut dyn Read, left: &mut Vec<u8>) -> Result<Request, BadRequest> {
        for _ in 0..PIECES {
            let mut headers = [httparse::EMPTY_HEADER; HEADERS];
            let mut head = httparse::Request::new(&mut headers);
            match head.parse(left) {
                Ok(httparse::Status::Complete(length)) => {
                    let mut request = Request::of_head(&head)?;
                    left.drain(..length);
                    request.read_body(stream, left)?;
                    return Ok(request);
                }
                Ok(httparse::Status::Partial) if left.len() >= HEAD => {
                    return Err(BadRequest::Refused(431, "the head of the request is too large"));
                }
                Ok(httparse::Status::Partial) => receive(stream, left)?,
                Err(_) => return Err(BadRequest::Refused(400, "this is not a request")),
            }
        }
        Err(BadRequest::Refused(408, "the request comes too slowly"))
    }

    fn of_head(head: &httparse::Request<'_, '_>) -> Result<Request, BadRequest> {
        let target = head.path.unwrap_or("/");
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let header = |header: &httparse::Header<'_>| {
            (header.name.to_ascii_lowercase(), String::from_utf8_lossy(header.value).trim().to_owned())
        };
        let mut request = Request {
            method: head.method.unwrap_or_default().to_owned(),
            path: decoded(path, false),
            query: pairs(query),
            headers: head.headers.iter().map(header).collect(),
            body: Vec::new(),
            keep_alive: true,
        };
        if request.header("transfer-encoding").is_some() {
            return Err(BadRequest::Refused(411, "a body needs its length"));
        }
        let connection = request.header("connection").unwrap_or_default().to_ascii_lowercase();
        request.keep_alive = head.version == Some(1) && !connection.contains("close");
        Ok(request)
    }

    fn read_body(&mut self, stream: &mut dyn Read, left: &mut Vec<u8>) -> Result<(), BadRequest> {
        let mut lengths = self.headers.iter().filter(|(name, _)| name == "content-length");
        let length = match (lengths.next(), lengths.next()) {
            (None, _) => 0,
            (Some((_, text)), None) if text.bytes().all(|byte| byte.is_ascii_digit()) => text
                .parse()
                .map_err(|_| BadRequest::Refused(400, "the length of the body is not a number"))?,
            _ => return Err(BadRequest::Refused(400, "the length of the body is not a number")),
        };
        if length > BODY {
            return Err(BadRequest::Refused(413, "the body of the request is too large"));
        }
        for _ in 0..PIECES {
            if left.len() >= length {
                break;
            }
            receive(stream, left)?;
        }
        if left.len() < length {
            return Err(BadRequest::Refused(408, "the request comes too slowly"));
        }
        self.body = left.drain(..length).collect();
        Ok(())
    }

    /// The first header with this name, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The value of a name in the query; `None` if it is absent or empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        let value = self.query.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
        value.map(str::trim).filter(|value| !value.is_empty())
    }

    /// The value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let cookies = self.headers.iter().filter(|(own, _)| own == "cookie").map(|(_, value)| value.as_str());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// Whether the body is JSON; otherwise it is a form.
    pub fn is_json(&self) -> bool {
        self.header("content-type").is_some_and(|kind| kind.starts_with("application/json"))
    }

    /// The fields of the body: of a form, or the texts of a JSON object.
    pub fn fields(&self) -> Vec<(String, String)> {
        let text = String::from_utf8_lossy(&self.body);
        if !self.is_json() {
            return pairs(&text);
        }
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let object = json.as_object().into_iter().flatten();
        object.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
    }
}

/// Adds what comes next to `left`.
fn receive(stream: &mut dyn Read, left: &mut Vec<u8>) -> Result<(), BadRequest> {
    let mut buffer = [0; 4096];
    match stream.read(&mut buffer)? {
        0 => Err(BadRequest::Ended),
        length => {
            left.extend_from_slice(&buffer[..length]);
            Ok(())
        }
    }
}

/// The names and values of a query or a form.
fn pairs(text: &str) -> Vec<(String, String)> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decoded(name, true), decoded(value, true))
        })
        .collect()
}

/// Text with `%41` for `A`, and in forms `+` for a space.
fn decoded(text: &str, form: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if form && bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Text for a part of an address.
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'@' => {
                out.push(char::from(byte))
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, BadRequest> {
        Request::read(&mut text.as_bytes(), &mut Vec::new())
    }

    #[test]
    fn requests_are_read_with_their_query_and_body() {
        let text = "POST /a%20b?x=1&text=a+b%26&x=2 HTTP/1.1\r\nHost: h\r\nCookie: a=1; b=2\r\nContent-Length: 7\r\n\r\nq=%C3%A4";
        let request = read(&text.replace("7\r", "8\r")).unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/a b"));
        assert_eq!((request.value("text"), request.value("x")), (Some("a b&"), Some("1")));
        assert_eq!((request.cookie("b"), request.cookie("c")), (Some("2"), None));
        assert_eq!(request.fields(), [("q".to_owned(), "ä".to_owned())]);
        assert!(request.keep_alive);
    }

    #[test]
    fn what_is_malformed_or_too_large_is_refused() {
        let table = [
            (format!("GET /{} HTTP/1.1\r\n", "a".repeat(HEAD)), 431),
            ("GET\r\n\r\n".to_owned(), 400),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n".to_owned(), 413),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".to_owned(), 400),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na".to_owned(), 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(), 411),
        ];
        for (text, expected) in table {
            match read(&text) {
                Err(BadRequest::Refused(status, _)) => assert_eq!(status, expected, "{text:.60}"),
                other => panic!("{other:?} for {text:.60}"),
            }
        }
        assert!(matches!(read("GET / HTTP/1.1\r\nHost"), Err(BadRequest::Ended)));
    }

    #[test]
    fn addresses_are_encoded_and_decoded() {
        for text in ["z3@5.4.0", "bv udiv&=?#", "ä\n\"<>"] {
            assert_eq!(decoded(&encoded(text), true), text);
        }
        assert_eq!(decoded("%zz%4", false), "%zz%4");
    }
}
