//! Being a fork server: for drivers of solver libraries, which are programs of our own and need no preloaded library.

use crate::native::{cover, protocol::SERVER_FD, serve};
use std::ffi::OsStr;

/// The variable that asks a driver to be a fork server.
pub(crate) const ASKED: &str = "ELENCHUS_SERVE_DRIVER";
/// The variable with the commands to carry out once, before the first fork.
pub(crate) const WARM_UP: &str = "ELENCHUS_SERVE_WARM_UP";

/// The warm-up script, if this process was started to be a fork server.
pub fn warm_up() -> Option<String> {
    std::env::var_os(ASKED).filter(|value| value == OsStr::new("1"))?;
    let is_socket = rustix::fs::fstat(unsafe { rustix::fd::BorrowedFd::borrow_raw(SERVER_FD) })
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Socket);
    is_socket.then(|| std::env::var(WARM_UP).unwrap_or_default())
}

/// Forks a child for every script that is asked for, and returns in each of them with its script. Never returns in the
/// server itself, which ends with its runner. The process must have one thread, and nothing unwritten in its buffers.
pub fn serve() -> Vec<u8> {
    cover::remember();
    let query = serve::serve();
    cover::recall();
    if query.length == 0 {
        return Vec::new();
    }
    // The child has read the script into memory of its own, which is never freed.
    unsafe { std::slice::from_raw_parts(query.start, query.length) }.to_vec()
}
