//! Starts a site for the folder of a campaign.

use crate::access::{Access, new_token};
use crate::common::Common;
use crate::data::{DataError, FolderData};
use crate::http;
use crate::jobs::Jobs;
use crate::site::Site;
use campaign::place::CommonPlace;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use triage::SolverSource;

/// What to serve, and to whom.
pub struct ServeSettings {
    /// Where the campaign is.
    pub place: Served,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The token; a new one if it is absent.
    pub token: Option<String>,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// Other names of this machine, such as that of a proxy in front.
    pub hosts: Vec<String>,
    /// The list of reported bugs.
    pub known: PathBuf,
}

/// Where a campaign is.
pub enum Served {
    /// In a folder.
    Folder(PathBuf),
    /// In a common store.
    Common(Box<CommonPlace>),
}

/// Why pages cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The campaign cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// A token that others would guess.
    #[error("the token is too short: {0} characters")]
    ShortToken(usize),
    /// The system refuses something else.
    #[error("cannot start the server: {0}")]
    System(#[from] io::Error),
}

impl case::Hinted for ServeError {
    fn hint(&self) -> Option<String> {
        match self {
            ServeError::Data(DataError::Store(error)) => error.hint(),
            ServeError::Listen { .. } => {
                Some("choose another port, as in --listen 127.0.0.1:7172; port 0 takes a free one".to_owned())
            }
            ServeError::ShortToken(_) => {
                Some("use at least 16 characters, or leave it out for a new one".to_owned())
            }
            _ => None,
        }
    }
}

/// The shortest token.
const SHORTEST: usize = 16;

/// A running server. It stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    token: String,
    read_only: bool,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server. `source` finds the solvers for actions on findings.
    pub fn start(
        settings: ServeSettings,
        source: Box<dyn SolverSource + Send>,
    ) -> Result<Server, ServeError> {
        let token = match settings.token {
            Some(token) if token.len() < SHORTEST => return Err(ServeError::ShortToken(token.len())),
            Some(token) => token,
            None => new_token()?,
        };
        let (data, common) = match settings.place {
            Served::Folder(ref folder) => (FolderData::open(folder)?, None),
            Served::Common(place) => {
                let common = Arc::new(Common::follow(*place)?);
                (FolderData::open_common(common.clone())?, Some(common))
            }
        };
        let folder = data.folder().to_owned();
        let failed = |error| ServeError::Listen { address: settings.listen, error };
        let listener = TcpListener::bind(settings.listen).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let access = Access {
            token: token.clone(),
            loopback: address.ip().is_loopback(),
            read_only: settings.read_only,
            hosts: settings.hosts,
            port: address.port(),
        };
        let jobs = match (settings.read_only, common) {
            (true, _) => None,
            (false, Some(common)) => Some(Jobs::start_common(common, source)?),
            (false, None) => Some(Jobs::start(&folder, &settings.known, source)?),
        };
        let site = Arc::new(Site::new(Arc::new(data), access, jobs));
        let stop: Arc<AtomicBool> = Arc::default();
        let own = stop.clone();
        let serve = move || http::serve(&listener, &site, &own);
        let thread = thread::Builder::new().name("server".to_owned()).spawn(serve)?;
        Ok(Server { address, token, read_only: settings.read_only, stop, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// This server as this machine reaches it.
    fn reachable(&self) -> SocketAddr {
        match self.address {
            SocketAddr::V4(address) if address.ip().is_unspecified() => {
                (Ipv4Addr::LOCALHOST, address.port()).into()
            }
            SocketAddr::V6(address) if address.ip().is_unspecified() => {
                (Ipv6Addr::LOCALHOST, address.port()).into()
            }
            address => address,
        }
    }

    /// The address to open in a browser. It has the token if that is good for anything.
    pub fn link(&self) -> String {
        let shown = self.reachable();
        match self.read_only && self.address.ip().is_loopback() {
            true => format!("http://{shown}/"),
            false => format!("http://{shown}/?token={}", self.token),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The listener waits for a connection before it looks.
            let _ = TcpStream::connect_timeout(&self.reachable(), Duration::from_secs(1));
            // A panic there has been printed.
            let _ = thread.join();
        }
    }
}
