//! Which server a URL names, and which servers may be asked.

use crate::error::CollectError;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// The hosts that GitHub serves attachments from.
const ATTACHMENT_HOSTS: [&str; 6] = [
    "https://github.com",
    "https://objects.githubusercontent.com",
    "https://user-images.githubusercontent.com",
    "https://private-user-images.githubusercontent.com",
    "https://github-production-repository-file-5c1aeb.s3.amazonaws.com",
    "https://github-production-user-asset-6210df.s3.amazonaws.com",
];

/// Scheme, host and port: the server that a URL names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}:{}", self.scheme, self.host, self.port)
    }
}

/// An absolute http or https URL.
///
/// The HTTP client is handed the same parsed `Uri`, so it cannot connect to another server than `origin` says.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub uri: Uri,
    pub origin: Origin,
}

impl Address {
    /// Parses a URL. Refuses user names and passwords, and anything else that could hide which host is meant.
    pub fn parse(url: &str) -> Result<Address, String> {
        let uri: Uri = url.parse().map_err(|error| format!("{error}"))?;
        let origin = Origin::of(&uri)?;
        Ok(Address { uri, origin })
    }

    /// The target of a redirect from this address.
    fn join(&self, location: &str) -> Result<Address, String> {
        if location.starts_with('/') && !location.starts_with("//") {
            let Origin { scheme, host, port } = &self.origin;
            return Address::parse(&format!("{scheme}://{host}:{port}{location}"));
        }
        Address::parse(location)
    }
}

impl Origin {
    fn of(uri: &Uri) -> Result<Origin, String> {
        let scheme = uri.scheme_str().unwrap_or_default().to_ascii_lowercase();
        let default_port = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return Err("it does not start with `https://` or `http://`".to_owned()),
        };
        let authority = uri.authority().ok_or("it names no host")?;
        if authority.as_str().contains('@') {
            return Err("it holds a user name".to_owned());
        }
        // A trailing dot marks a fully qualified name: the same host to DNS.
        let host = authority.host().to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host);
        if host.is_empty() || host.ends_with('.') {
            return Err("it names no host".to_owned());
        }
        let has_port = authority.as_str().len() > authority.host().len();
        let port = match (authority.port_u16(), has_port) {
            (Some(port), _) => port,
            (None, false) => default_port,
            (None, true) => return Err("its port is no number from 0 to 65535".to_owned()),
        };
        Ok(Origin { scheme, host: host.to_owned(), port })
    }

    /// The host, if it is written as an IP address.
    fn ip(&self) -> Option<IpAddr> {
        self.host.trim_start_matches('[').trim_end_matches(']').parse().ok()
    }
}

/// The servers that a run may ask, and for what.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// The URL of the API.
    api: Address,
    /// Where attachments may come from by default.
    known: Vec<Origin>,
    /// Further servers with attachments, listed by the user.
    added: Vec<Origin>,
    /// Whether the API has a private address. Known once its name is resolved, before any attachment is fetched.
    api_is_private: Arc<AtomicBool>,
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The API. Only these requests carry the token, and they never leave the API's origin.
    Api,
    /// A file linked from an issue. Strangers choose the URL.
    Attachment,
}

impl Policy {
    pub fn new(api: &str, attachment_hosts: &[String]) -> Result<Policy, CollectError> {
        let parse = |url: &str| {
            Address::parse(url).map_err(|reason| CollectError::Address { url: url.to_owned(), reason })
        };
        let origins = |urls: Vec<String>| -> Result<Vec<Origin>, CollectError> {
            urls.iter().map(|url| Ok(parse(url)?.origin)).collect()
        };
        let with_scheme = |host: &String| match host.contains("://") {
            true => host.clone(),
            false => format!("https://{host}"),
        };
        let api = parse(api)?;
        let api_is_private = api.origin.ip().is_some_and(|ip| !is_public(ip));
        Ok(Policy {
            api,
            api_is_private: Arc::new(AtomicBool::new(api_is_private)),
            known: origins(ATTACHMENT_HOSTS.map(str::to_owned).to_vec())?,
            added: origins(attachment_hosts.iter().map(with_scheme).collect())?,
        })
    }

    /// Parses a URL and checks that it may be requested for this purpose.
    pub fn address(&self, url: &str, purpose: Purpose) -> Result<Address, String> {
        self.check(Address::parse(url)?, purpose)
    }

    /// The target of a redirect, if it may be followed.
    pub fn redirect(&self, from: &Address, location: &str, purpose: Purpose) -> Result<Address, String> {
        self.check(from.join(location)?, purpose).map_err(|reason| format!("redirect refused: {reason}"))
    }

    fn check(&self, address: Address, purpose: Purpose) -> Result<Address, String> {
        let origin = &address.origin;
        let is_api = *origin == self.api.origin;
        let allowed = match purpose {
            Purpose::Api => is_api,
            Purpose::Attachment => is_api || self.known.contains(origin) || self.added.contains(origin),
        };
        match (allowed, purpose) {
            (false, Purpose::Api) => Err(format!("{origin} is not the server of the API")),
            (false, Purpose::Attachment) => Err(format!("{origin} is not an allowed attachment host")),
            // A proxy resolves names itself, so an IP address is checked here as well.
            (true, _) if origin.ip().is_some_and(|ip| !self.may_connect(origin, ip)) => {
                Err(format!("{origin} is in a private network"))
            }
            (true, _) => Ok(address),
        }
    }

    /// Whether a request to `origin` may connect to an address that its name resolves to.
    fn may_connect(&self, origin: &Origin, ip: IpAddr) -> bool {
        is_public(ip)
            || *origin == self.api.origin
            || (self.added.contains(origin) && self.api_is_private.load(Ordering::Relaxed))
    }
}

/// Resolves names, but only to addresses that the policy allows: a public name may point into a private network.
#[derive(Debug)]
pub(crate) struct PolicyResolver {
    policy: Policy,
    inner: DefaultResolver,
}

impl PolicyResolver {
    pub fn new(policy: Policy) -> PolicyResolver {
        PolicyResolver { policy, inner: DefaultResolver::default() }
    }
}

impl Resolver for PolicyResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let resolved = self.inner.resolve(uri, config, timeout)?;
        // The user chose the proxy.
        if config.proxy().is_some_and(|proxy| proxy.uri() == uri) {
            return Ok(resolved);
        }
        let origin = Origin::of(uri).map_err(Error::BadUri)?;
        if origin == self.policy.api.origin && resolved.iter().any(|address| !is_public(address.ip())) {
            self.policy.api_is_private.store(true, Ordering::Relaxed);
        }
        let mut allowed = self.empty();
        for address in resolved.iter() {
            if self.policy.may_connect(&origin, address.ip()) {
                allowed.push(*address);
            }
        }
        match allowed.is_empty() {
            true => Err(Error::Other(Box::new(PrivateAddress(origin)))),
            false => Ok(allowed),
        }
    }
}

/// A name that resolves to nothing but private addresses.
#[derive(Debug, thiserror::Error)]
#[error("{0} resolves to a private address")]
struct PrivateAddress(Origin);

/// Whether an address belongs to the public internet.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast()
        || a == 0
        || a >= 240
        || (a == 100 && b & 0xc0 == 64)
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && b & 0xfe == 18);
    !special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = ip.segments();
    let embedded = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match (a, b, c, d, e, f) {
        // IPv4 addresses inside of IPv6: mapped, compatible (with `::` and `::1`), NAT64 and 6to4.
        (0, 0, 0, 0, 0, 0xffff | 0) | (0x64, 0xff9b, 0, 0, 0, 0) => embedded(g, h),
        (0x2002, ..) => embedded(b, c),
        // Only 2000::/3 is assigned; 2001:db8::/32 is for documentation.
        _ => a & 0xe000 == 0x2000 && !(a == 0x2001 && b == 0xdb8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_parsed_strictly() {
        let table = [
            ("https://api.github.com", Ok("https://api.github.com:443")),
            ("HTTPS://API.GitHub.com/x?y#z", Ok("https://api.github.com:443")),
            ("https://api.github.com.", Ok("https://api.github.com:443")),
            ("https://api.github.com:443/", Ok("https://api.github.com:443")),
            ("http://api.github.com", Ok("http://api.github.com:80")),
            ("https://api.github.com:8443", Ok("https://api.github.com:8443")),
            ("https://api.github.com.evil.org/files/a.txt", Ok("https://api.github.com.evil.org:443")),
            ("http://[::1]:80/", Ok("http://[::1]:80")),
            ("http://127.0.0.1:1808@127.0.0.1:19999/", Err("user name")),
            ("https://api.github.com@evil.org/", Err("user name")),
            ("https://:@api.github.com/", Err("user name")),
            ("https://api.github.com:99999/", Err("port")),
            ("https://api.github.com:/", Err("port")),
            ("https://api.github.com..", Err("no host")),
            ("https://./", Err("no host")),
            ("ftp://api.github.com/", Err("https://")),
            ("file:///etc/passwd", Err("")),
            ("//api.github.com/", Err("")),
            ("/etc/passwd", Err("https://")),
            ("https://", Err("")),
            ("https:///x", Err("")),
            ("https://api.github.com\\@evil.org/", Err("")),
            ("https://api.github.com\n.evil.org/", Err("")),
            ("https://api%2egithub.com/", Err("")),
            ("https://api.github.com\t/", Err("")),
        ];
        for (url, expected) in table {
            match (Address::parse(url), expected) {
                (Ok(address), Ok(expected)) => assert_eq!(address.origin.to_string(), expected, "{url}"),
                (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{url}: {reason}"),
                (parsed, _) => panic!("{url}: {parsed:?}"),
            }
        }
    }

    #[test]
    fn only_listed_servers_are_asked() {
        let policy =
            Policy::new("https://api.github.com/v3/", &["files.example.org:8443".to_owned()]).unwrap();
        let local = Policy::new("http://127.0.0.1:1808", &["http://127.0.0.1:19999".to_owned()]).unwrap();
        let public = Policy::new("https://api.github.com", &["http://127.0.0.1:19999".to_owned()]).unwrap();
        // Policy, URL, whether it may be asked as the API, and for an attachment.
        let table = [
            (&policy, "https://api.github.com/repos/a/b", true, true),
            (&policy, "https://API.github.com:443/repos/a/b", true, true),
            (&policy, "http://api.github.com/repos/a/b", false, false),
            (&policy, "https://api.github.com:444/", false, false),
            (&policy, "https://api.github.com.evil.org/files/a.txt", false, false),
            (&policy, "https://evil.org/api.github.com/files/a.txt", false, false),
            (&policy, "https://api.github.com@evil.org/files/a.txt", false, false),
            (&policy, "https://github.com/x/y/files/1/a.txt", false, true),
            (&policy, "http://github.com/x/y/files/1/a.txt", false, false),
            (&policy, "https://objects.githubusercontent.com/a.txt", false, true),
            (&policy, "https://files.example.org:8443/a.txt", false, true),
            (&policy, "https://files.example.org/a.txt", false, false),
            (&policy, "http://169.254.169.254/files/latest.txt", false, false),
            (&local, "http://127.0.0.1:1808/files/a.txt", true, true),
            (&local, "http://127.0.0.1:18080/files/a.txt", false, false),
            (&local, "http://127.0.0.1:1808@127.0.0.1:19999/files/a.txt", false, false),
            (&local, "http://127.0.0.1:19999/files/a.txt", false, true),
            (&public, "http://127.0.0.1:19999/files/a.txt", false, false),
        ];
        for (policy, url, api, attachment) in table {
            assert_eq!(policy.address(url, Purpose::Api).is_ok(), api, "{url}");
            assert_eq!(policy.address(url, Purpose::Attachment).is_ok(), attachment, "{url}");
        }
        for host in ["user@host", "host:x", "", "ftp://host"] {
            assert!(Policy::new("https://api.github.com", &[host.to_owned()]).is_err(), "{host}");
        }
    }

    #[test]
    fn redirects_obey_the_policy() {
        let policy = Policy::new("https://api.github.com", &[]).unwrap();
        let api = policy.address("https://api.github.com/repos/a/b/issues", Purpose::Api).unwrap();
        let table = [
            (
                "/repositories/1/issues?page=2",
                Some("https://api.github.com:443/repositories/1/issues?page=2"),
            ),
            ("https://api.github.com/repositories/1", Some("https://api.github.com/repositories/1")),
            ("https://github.com/repositories/1", None),
            ("//evil.org/repositories/1", None),
            ("http://api.github.com/repositories/1", None),
            ("issues", None),
            ("", None),
        ];
        for (location, expected) in table {
            let target = policy.redirect(&api, location, Purpose::Api).ok().map(|to| to.uri.to_string());
            assert_eq!(target.as_deref(), expected, "{location}");
        }
    }

    #[test]
    fn private_addresses_are_not_public() {
        let table = [
            ("140.82.112.3", true),
            ("2606:50c0:8000::154", true),
            ("127.0.0.1", false),
            ("127.8.8.8", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("172.32.0.1", true),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("100.128.0.1", true),
            ("0.0.0.0", false),
            ("255.255.255.255", false),
            ("224.0.0.1", false),
            ("198.18.0.1", false),
            ("::", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:140.82.112.3", true),
            ("64:ff9b::10.0.0.1", false),
            ("2002:7f00:1::", false),
            ("fe80::1", false),
            ("fd00::1", false),
            ("ff02::1", false),
            ("2001:db8::1", false),
        ];
        for (ip, public) in table {
            assert_eq!(is_public(ip.parse().unwrap()), public, "{ip}");
        }
    }
    #[test]
    fn names_resolve_to_private_addresses_only_next_to_the_api() {
        // The API, an added host, a URL, and whether it may be connected to.
        let table = [
            ("https://140.82.112.3", "http://localhost:9", "http://localhost:9/", false),
            ("http://localhost:8", "http://localhost:9", "http://localhost:8/", true),
            ("http://127.0.0.1:8", "http://localhost:9", "http://localhost:9/", true),
            ("http://127.0.0.1:8", "http://localhost:9", "http://localhost:10/", false),
            ("http://127.0.0.1:8", "http://localhost:9", "http://127.0.0.1:9/", false),
        ];
        for (api, added, url, allowed) in table {
            let resolver = PolicyResolver::new(Policy::new(api, &[added.to_owned()]).unwrap());
            let resolved =
                resolver.resolve(&url.parse().unwrap(), &Config::default(), NextTimeout::default());
            assert_eq!(resolved.is_ok(), allowed, "{api} {added} {url}: {resolved:?}");
        }
        // The name of the API is resolved before any attachment is.
        let policy = Policy::new("http://localhost:8", &["http://127.0.0.1:9".to_owned()]).unwrap();
        let resolver = PolicyResolver::new(policy.clone());
        assert!(policy.address("http://127.0.0.1:9/", Purpose::Attachment).is_err());
        let api = "http://localhost:8/".parse().unwrap();
        resolver.resolve(&api, &Config::default(), NextTimeout::default()).unwrap();
        assert!(policy.address("http://127.0.0.1:9/", Purpose::Attachment).is_ok());
    }
}
