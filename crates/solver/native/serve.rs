//! The loop of a fork server: one process that has done the expensive start once, and forks for every script.

use super::libc::*;
use super::protocol::{Header, Limits, SERVER_FD, kind};
use super::supervise::{confine, now, read_exactly, say, supervise, tell};
use core::mem::size_of;

/// A script that a forked child is to run.
pub struct Query {
    /// Its first byte.
    pub start: *const u8,
    /// How many bytes it has.
    pub length: usize,
    /// Whether the child is to be ended when it has read them all; our own drivers end without ado in any case.
    #[allow(dead_code)]
    pub ends: bool,
}

/// Says that the server is ready, then forks a child for every query. Returns in each child with its script, and
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
    loop {
        let mut header = Header::default();
        if !read_exactly(control, (&raw mut header).cast(), size_of::<Header>()) {
            unsafe { _exit(0) }
        }
        let length = header.length as usize;
        if length > size {
            text = unsafe { realloc(text.cast(), length) }.cast();
            size = length;
        }
        if (text.is_null() && length > 0) || !read_exactly(control, text, length) {
            unsafe { _exit(71) }
        }
        // A `KILL` that arrives here came too late: its child had ended by itself.
        if header.kind != kind::QUERY {
            continue;
        }
        let limits = unsafe { text.cast::<Limits>().read_unaligned() };
        let begin = now();
        match unsafe { fork() } {
            0 => {
                confine(&limits);
                unsafe { close(control) };
                let skip = size_of::<Limits>();
                return Query {
                    start: text.wrapping_add(skip),
                    length: length - skip,
                    ends: header.value == 1,
                };
            }
            pid if pid > 0 => {
                unsafe { setpgid(pid, pid) };
                let (report, runner_there) = supervise(pid, begin, control, &limits);
                if !runner_there || !tell(control, &report) {
                    unsafe { _exit(0) }
                }
            }
            _ => {
                if !say(control, kind::FAILED, errno() as u32) {
                    unsafe { _exit(0) }
                }
            }
        }
    }
}
