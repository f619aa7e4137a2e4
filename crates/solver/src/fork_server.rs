//! Makes a driver of a solver's library a fork server. A driver is our own program and needs no preloaded library.

use crate::native::{cover, protocol::SERVER_FD, serve};
use std::ffi::OsStr;

/// The variable that makes a driver a fork server.
pub(crate) const ENABLED: &str = "ELENCHUS_SERVE_DRIVER";
/// The variable with the commands to run once, before the first fork.
pub(crate) const WARM_UP: &str = "ELENCHUS_SERVE_WARM_UP";

/// The warm-up script, if this process was started to be a fork server.
pub fn warm_up() -> Option<String> {
    std::env::var_os(ENABLED).filter(|value| value == OsStr::new("1"))?;
    // SAFETY: the descriptor is only asked for its kind; one that is not open is an error.
    let socket = unsafe { rustix::fd::BorrowedFd::borrow_raw(SERVER_FD) };
    let is_socket = rustix::fs::fstat(socket)
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Socket);
    is_socket.then(|| std::env::var(WARM_UP).unwrap_or_default())
}

/// Forks a child for every script, and returns in each child with its script.
///
/// Never returns in the server itself, which ends with its runner. The process must have one thread and empty output buffers.
pub fn serve() -> Vec<u8> {
    cover::save_hits();
    let query = serve::serve();
    cover::restore_hits();
    if query.length == 0 {
        return Vec::new();
    }
    // SAFETY: the child has read the script into memory that is never freed.
    unsafe { std::slice::from_raw_parts(query.start, query.length) }.to_vec()
}
