//! The loop of a fork server: a process that pays for its start once and forks a child for every script.
//!
//! It forks ahead: while one child runs, the next is already there.

use super::huge;
use super::libc::*;
use super::prefork::{Preforked, Query, open_own_children};
use super::protocol::{Header, Limits, SERVER_FD, kind};
use super::supervise::{Spared, now, read_exactly, send_header, send_report, supervise};
use core::mem::size_of;

/// Set in the environment to fork a child only when its script has arrived.
pub const NO_PREFORK: &core::ffi::CStr = c"ELENCHUS_SERVE_NO_PREFORK";
/// Set in the environment to leave the code where it is.
pub const NO_HUGE_PAGES: &core::ffi::CStr = c"ELENCHUS_SERVE_NO_HUGE_PAGES";

/// After this many scripts the server moves its code into huge pages. For fewer scripts that would not pay off.
const SCRIPTS_BEFORE_MOVE: u64 = 32;

/// Reports that the server is ready, then has a child run every query.
///
/// Returns in each child with its script. Never returns in the server, which ends when the runner closes the socket. The
/// process must have one thread.
pub fn serve() -> Query {
    let mut text: *mut u8 = core::ptr::null_mut();
    let mut size = 0;
    let control = SERVER_FD;
    let (prefork, huge_pages) = (!take_variable(NO_PREFORK), !take_variable(NO_HUGE_PAGES));
    // SAFETY: `prctl` gets the argument that this option takes. The streams belong to the C library and live for ever.
    unsafe {
        // Orphans of a child become children of this process, which kills them before it reports.
        prctl(PR_SET_CHILD_SUBREAPER, 1u64);
        fflush(stdout);
        fflush(stderr);
    }
    if !send_header(control, kind::READY, 0) {
        exit(0)
    }
    let list = open_own_children();
    let mut next = None;
    let mut served = 0;
    loop {
        if prefork && let Some(query) = Preforked::refill(&mut next, &[control, list]) {
            return query;
        }
        let mut header = Header::default();
        // SAFETY: the header is a plain structure of that size.
        if !unsafe { read_exactly(control, (&raw mut header).cast(), size_of::<Header>()) } {
            exit(0)
        }
        // The whole query is kept in one piece, because it is passed on as it is.
        let length = size_of::<Header>() + header.length as usize;
        if length > size {
            // SAFETY: `text` is null or came from `realloc`, and nothing else points into it.
            text = unsafe { realloc(text.cast(), length) }.cast();
            size = length;
        }
        if text.is_null() {
            exit(71)
        }
        // SAFETY: `text` has room for `length` bytes, which are the header and what follows it.
        let complete = unsafe {
            text.cast::<Header>().write_unaligned(header);
            read_exactly(control, text.add(size_of::<Header>()), header.length as usize)
        };
        if !complete {
            exit(71)
        }
        // A `KILL` that arrives here is late: its child has ended by itself.
        if header.kind != kind::QUERY {
            continue;
        }
        // SAFETY: the bytes were just initialised, and `text` does not change before the next query.
        let query = unsafe { core::slice::from_raw_parts(text, length) };
        // SAFETY: a query begins with a header and limits.
        let limits = unsafe { text.add(size_of::<Header>()).cast::<Limits>().read_unaligned() };
        let begin = now();
        let mut child = next.take().and_then(|child: Preforked| child.give(query));
        if child.is_none() {
            // There is none yet, it could not be forked, or something else killed it.
            if let Some(query) = Preforked::refill(&mut next, &[control, list]) {
                return query;
            }
            child = next.take().and_then(|child| child.give(query));
        }
        let Some(pid) = child else {
            if !send_header(control, kind::FAILED, errno() as u32) {
                exit(0)
            }
            continue;
        };
        if prefork && let Some(query) = Preforked::refill(&mut next, &[control, list]) {
            return query;
        }
        served += 1;
        let spared = next.as_ref().map(|child| Spared { pid: child.pid, list });
        let (report, has_runner) = supervise(pid, begin, control, &limits, c".".as_ptr(), spared);
        if !has_runner || !send_report(control, &report) {
            exit(0)
        }
        if huge_pages && served == SCRIPTS_BEFORE_MOVE {
            huge::move_code();
        }
    }
}

/// Whether a variable is set. Removes it, so that programs of the solver do not see it.
fn take_variable(name: &core::ffi::CStr) -> bool {
    // SAFETY: the name ends with a NUL, and no other thread reads the environment.
    unsafe {
        let set = !getenv(name.as_ptr()).is_null();
        unsetenv(name.as_ptr());
        set
    }
}
