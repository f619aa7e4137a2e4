//! The loop of a fork server: one process that has done the expensive start once, and forks for every script. It forks ahead:
//! while a child runs, the next one is made.

use super::huge;
use super::libc::*;
use super::protocol::{Header, Limits, SERVER_FD, kind};
use super::spare::{Query, Spare, open_own_children};
use super::supervise::{Waiting, now, read_exactly, say, supervise, tell};
use core::mem::size_of;

/// After so many scripts a server has its code moved to huge pages. One that is asked less often would not get back what that costs.
const PROVES_USEFUL: u64 = 32;

/// Says that the server is ready, then has a child run every query. Returns in each child with its script, and
/// never returns in the server, which ends when the runner closes the socket.
pub fn serve() -> Query {
    let mut text: *mut u8 = core::ptr::null_mut();
    let mut size = 0;
    let control = SERVER_FD;
    unsafe {
        // Whatever a child leaves behind falls to this process, which sweeps it up before it reports.
        prctl(PR_SET_CHILD_SUBREAPER, 1u64);
        fflush(stdout);
        fflush(stderr);
    }
    if !say(control, kind::READY, 0) {
        unsafe { _exit(0) }
    }
    let list = open_own_children();
    let mut spare = None;
    let mut asked = 0;
    loop {
        if let Some(query) = Spare::refill(&mut spare, &[control, list]) {
            return query;
        }
        let mut header = Header::default();
        if !read_exactly(control, (&raw mut header).cast(), size_of::<Header>()) {
            unsafe { _exit(0) }
        }
        // The whole query is kept in one piece, as it is passed on.
        let length = size_of::<Header>() + header.length as usize;
        if length > size {
            text = unsafe { realloc(text.cast(), length) }.cast();
            size = length;
        }
        if text.is_null() {
            unsafe { _exit(71) }
        }
        unsafe { text.cast::<Header>().write_unaligned(header) };
        if !read_exactly(control, text.wrapping_add(size_of::<Header>()), header.length as usize) {
            unsafe { _exit(71) }
        }
        // A `KILL` that arrives here came too late: its child had ended by itself.
        if header.kind != kind::QUERY {
            continue;
        }
        let query = unsafe { core::slice::from_raw_parts(text, length) };
        let limits = unsafe { text.add(size_of::<Header>()).cast::<Limits>().read_unaligned() };
        let begin = now();
        let mut child = spare.take().and_then(|spare| spare.give(query));
        if child.is_none() {
            // It was killed from elsewhere, or could not be made: this is the second try.
            if let Some(query) = Spare::refill(&mut spare, &[control, list]) {
                return query;
            }
            child = spare.take().and_then(|spare| spare.give(query));
        }
        let Some(pid) = child else {
            if !say(control, kind::FAILED, errno() as u32) {
                unsafe { _exit(0) }
            }
            continue;
        };
        if let Some(query) = Spare::refill(&mut spare, &[control, list]) {
            return query;
        }
        asked += 1;
        let waiting = spare.as_ref().map(|spare| Waiting { pid: spare.pid, list });
        let (report, runner_there) = supervise(pid, begin, control, &limits, waiting);
        if !runner_there || !tell(control, &report) {
            unsafe { _exit(0) }
        }
        if asked == PROVES_USEFUL {
            huge::move_code();
        }
    }
}
