//! A small HTTP server: one thread for each connection, within limits of number, size and time.

mod request;
mod response;

pub use request::{BadRequest, Request, encoded};
pub use response::Response;

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The most connections at a time.
const CONNECTIONS: usize = 256;
/// How long a connection may be idle, and how long a write may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait if no connection can be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers requests.
pub trait Handler: Send + Sync + 'static {
    /// The answer to a request.
    fn respond(&self, request: &Request) -> Response;

    /// Writes events until the listener goes away or `stop` is set.
    fn events(&self, stream: &mut dyn Write, stop: &AtomicBool) -> io::Result<()>;
}

/// Answers the requests of a listener until `stop` is set and somebody connects.
pub fn serve(listener: &TcpListener, handler: &Arc<impl Handler>, stop: &Arc<AtomicBool>) {
    let open = Arc::new(AtomicUsize::new(0));
    while !stop.load(Ordering::Relaxed) {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // The browser went away, or no more files can be opened: neither ends the server.
            Err(_) => {
                thread::sleep(PAUSE);
                continue;
            }
        };
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let connection = Open::new(&open);
        let (handler, stop) = (handler.clone(), stop.clone());
        let answer = move || {
            if let Err(error) = talk(stream, &*handler, &stop, connection.number) {
                tracing::debug!("a connection ended: {error}");
            }
            drop(connection);
        };
        if let Err(error) = thread::Builder::new().name("connection".to_owned()).spawn(answer) {
            tracing::warn!("cannot start a thread for a connection: {error}");
        }
    }
}

/// Counts a connection as long as it lives.
struct Open {
    count: Arc<AtomicUsize>,
    number: usize,
}

impl Open {
    fn new(count: &Arc<AtomicUsize>) -> Open {
        Open { count: count.clone(), number: count.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers the requests of one connection.
fn talk(mut stream: TcpStream, handler: &dyn Handler, stop: &AtomicBool, before: usize) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    if before >= CONNECTIONS {
        return Response::text(503, "too many connections; try again\n").write(&mut stream, false, true);
    }
    let mut left = Vec::new();
    loop {
        let request = match Request::read(&mut stream, &mut left) {
            Ok(request) => request,
            Err(BadRequest::Ended) => return Ok(()),
            Err(BadRequest::Refused(status, why)) => {
                return Response::text(status, format!("{why}\n")).write(&mut stream, false, true);
            }
        };
        let response = handler.respond(&request);
        response.write(&mut stream, request.keep_alive, request.method != "HEAD")?;
        if response.events {
            return handler.events(&mut stream, stop);
        }
        if !request.keep_alive || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
}
