//! Who may read and who may change something. Everything is decided here, from the request alone.

use crate::http::{Request, Response, encoded};
use std::io::Read;
use std::net::IpAddr;

/// The rules of a server.
#[derive(Clone, Debug)]
pub struct Access {
    /// What a browser has to know to change something, and to read if the server listens elsewhere.
    pub token: String,
    /// Whether only this machine can connect.
    pub loopback: bool,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// Other names of this machine, such as that of a proxy in front.
    pub hosts: Vec<String>,
    /// The port, which distinguishes our cookie from those of other servers on this machine.
    pub port: u16,
}

/// What the sender of a request may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    /// Whether it may change something.
    pub write: bool,
}

impl Access {
    /// What the sender of a request may do, or the answer that refuses it.
    pub fn check(&self, request: &Request) -> Result<Rights, Response> {
        self.check_host(request)?;
        if let Some(given) = request.value("token") {
            return Err(if same(given, &self.token) {
                self.welcome(request)
            } else {
                refused(401, "this token is not the one that the server printed when it started")
            });
        }
        let by_cookie = request.cookie(&self.cookie()).is_some_and(|given| same(given, &self.token));
        let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        let by_header = bearer.is_some_and(|given| same(given.trim(), &self.token));
        let known = by_cookie || by_header;
        if !self.loopback && !known {
            return Err(refused(
                401,
                "open the address that the server printed when it started: it has the token",
            ));
        }
        if matches!(request.method.as_str(), "GET" | "HEAD") {
            return Ok(Rights { write: known && !self.read_only });
        }
        if request.method != "POST" {
            return Err(refused(405, "only GET and POST are answered").with("Allow", "GET, HEAD, POST"));
        }
        if self.read_only {
            return Err(refused(403, "this server is read-only"));
        }
        if !known {
            return Err(refused(
                401,
                "changes need the token: open the address that the server printed when it started",
            ));
        }
        if !same_site(request, by_header) {
            return Err(refused(403, "this request comes from another site"));
        }
        Ok(Rights { write: true })
    }

    /// Names that lead to this machine are fine. Any other name may be that of a site that has pointed its name here, and whose
    /// scripts would then read our pages. A server that everybody can reach needs its token for every page, and browsers keep that
    /// apart by name.
    fn check_host(&self, request: &Request) -> Result<(), Response> {
        if !self.loopback {
            return Ok(());
        }
        let host = request.header("host").unwrap_or_default();
        let name = host_name(host);
        let is_loopback = name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if is_loopback || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            return Ok(());
        }
        Err(refused(421, "this server does not have that name; start it with --host NAME if it does"))
    }

    /// Keeps the token in a cookie and leads to the same page without it, so that it is in no history and no link.
    fn welcome(&self, request: &Request) -> Response {
        let rest = request.query.iter().filter(|(name, _)| name != "token");
        let query: Vec<String> =
            rest.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let path: Vec<String> = request.path.split('/').map(encoded).collect();
        // A second slash at the beginning would be the name of another server.
        let path = format!("/{}", path.join("/").trim_start_matches('/'));
        let address = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie(), self.token);
        Response::see(&address).with("Set-Cookie", cookie)
    }

    fn cookie(&self) -> String {
        format!("elenchus_{}", self.port)
    }
}

/// Whether a request that changes something comes from our own pages, or from a program that knows the token.
fn same_site(request: &Request, by_header: bool) -> bool {
    let host = request.header("host").unwrap_or_default();
    let site = request.header("sec-fetch-site");
    let origin = request.header("origin");
    let site_is_ours = site.is_none_or(|site| site == "same-origin");
    let origin_is_ours =
        origin.is_none_or(|origin| origin.split_once("://").is_some_and(|(_, name)| name == host));
    // A browser always says where a form comes from.
    site_is_ours && origin_is_ours && (by_header || site.is_some() || origin.is_some())
}

/// The name in a `Host` header, without the port.
fn host_name(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn same(given: &str, expected: &str) -> bool {
    let (given, expected) = (given.as_bytes(), expected.as_bytes());
    given.len() == expected.len()
        && given.iter().zip(expected).fold(0, |different, (one, other)| different | (one ^ other)) == 0
}

fn refused(status: u16, why: &str) -> Response {
    Response::text(status, format!("{why}\n"))
}

/// A new token: 128 random bits.
pub fn new_token() -> std::io::Result<String> {
    let mut bytes = [0_u8; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn access(loopback: bool, read_only: bool) -> Access {
        Access {
            token: TOKEN.to_owned(),
            loopback,
            read_only,
            hosts: vec!["fuzz.example".to_owned()],
            port: 7171,
        }
    }

    fn request(method: &str, target: &str, headers: &[(&str, &str)]) -> Request {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let mut headers: Vec<_> = headers.iter().map(own).collect();
        if headers.iter().all(|(name, _)| name != "host") {
            headers.push(("host".to_owned(), "127.0.0.1:7171".to_owned()));
        }
        Request { method: method.to_owned(), headers, ..Request::get(target) }
    }

    #[test]
    fn rights_follow_from_the_request() {
        let cookie = ("cookie", "elenchus_7171=0123456789abcdef");
        let bearer = ("authorization", "Bearer 0123456789abcdef");
        let wrong = ("authorization", "Bearer 0123456789abcdee");
        let ours = ("origin", "http://127.0.0.1:7171");
        let (foreign, cross) = (("origin", "http://evil.example"), ("sec-fetch-site", "cross-site"));
        let same_origin = ("sec-fetch-site", "same-origin");
        type Row<'a> = (bool, bool, &'a str, &'a [(&'a str, &'a str)], Result<bool, u16>);
        let table: &[Row<'_>] = &[
            // Anybody on this machine may read; changes need the token.
            (true, false, "GET", &[], Ok(false)),
            (true, false, "GET", &[cookie], Ok(true)),
            (true, false, "POST", &[], Err(401)),
            (true, false, "POST", &[ours, same_origin], Err(401)),
            (true, false, "POST", &[cookie, ours, same_origin], Ok(true)),
            (true, false, "POST", &[cookie, ours], Ok(true)),
            // A form of another site, even though the browser sends the cookie.
            (true, false, "POST", &[cookie, foreign], Err(403)),
            (true, false, "POST", &[cookie, cross], Err(403)),
            (true, false, "POST", &[cookie, ("origin", "null")], Err(403)),
            (true, false, "POST", &[cookie, ("sec-fetch-site", "same-site")], Err(403)),
            (true, false, "POST", &[cookie], Err(403)),
            (true, false, "POST", &[bearer], Ok(true)),
            (true, false, "POST", &[wrong], Err(401)),
            (true, false, "DELETE", &[bearer], Err(405)),
            // A name that was pointed to this machine.
            (true, false, "GET", &[("host", "evil.example:7171")], Err(421)),
            (true, false, "GET", &[("host", "evil.example:7171"), cookie], Err(421)),
            (true, false, "GET", &[("host", "")], Err(421)),
            (true, false, "GET", &[("host", "localhost:7171")], Ok(false)),
            (true, false, "GET", &[("host", "[::1]:7171")], Ok(false)),
            (true, false, "GET", &[("host", "fuzz.example")], Ok(false)),
            // Elsewhere, reading needs the token, too.
            (false, false, "GET", &[], Err(401)),
            (false, false, "GET", &[wrong], Err(401)),
            (false, false, "GET", &[cookie, ("host", "build.example:7171")], Ok(true)),
            // A link for everybody who has it: nothing can be changed.
            (false, true, "GET", &[cookie], Ok(false)),
            (false, true, "POST", &[bearer], Err(403)),
            (true, true, "POST", &[cookie, ours], Err(403)),
        ];
        for (loopback, read_only, method, headers, expected) in table {
            let found = access(*loopback, *read_only).check(&request(method, "/", headers));
            let found = found.map(|rights| rights.write).map_err(|response| response.status);
            assert_eq!(found, *expected, "{loopback} {read_only} {method} {headers:?}");
        }
    }

    #[test]
    fn a_token_becomes_a_cookie_and_leaves_the_address() {
        let address = "//findings/a%20b?class=crash&token=0123456789abcdef";
        let response = access(false, false).check(&request("GET", address, &[])).unwrap_err();
        assert_eq!(response.status, 303);
        let header = |name: &str| &response.headers.iter().find(|(own, _)| *own == name).unwrap().1;
        assert_eq!(header("Location"), "/findings/a%20b?class=crash");
        let cookie = header("Set-Cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        let wrong = access(true, false).check(&request("GET", "/?token=guess", &[]));
        assert_eq!(wrong.unwrap_err().status, 401);
    }

    #[test]
    fn tokens_differ() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert!(one.len() == 32 && one != other);
    }
}
