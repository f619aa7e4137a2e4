//! A child that is forked before its script arrives. It waits on a socket, so that a script need not wait for a fork.

use super::libc::*;
use super::protocol::{Header, Limits, SERVER_FD};
use super::supervise::{limit, open_at, path_of_children, read_exactly, send_exactly, separate};
use core::mem::size_of;

/// The part of a query before the script.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Head {
    pub header: Header,
    pub limits: Limits,
}

/// A script for a forked child. The memory is never freed.
pub struct Query {
    /// Its first byte.
    pub start: *const u8,
    /// Its length in bytes.
    pub length: usize,
    /// Whether the child ends once it has read everything; our own drivers do so in any case.
    #[allow(dead_code)]
    pub ends: bool,
}

/// A waiting child, as its server sees it.
pub struct Preforked {
    pub pid: c_int,
    socket: c_int,
}

impl Preforked {
    /// Forks a waiting child if there is none. Returns `Some` only in that child, once it has its query. The child closes
    /// the descriptors `own`, which belong to the server.
    pub fn refill(next: &mut Option<Preforked>, own: &[c_int]) -> Option<Query> {
        let mut ends = [-1; 2];
        // SAFETY: the array has room for both ends. The process has one thread, so the child may call anything after `fork`.
        unsafe {
            if next.is_some() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.as_mut_ptr()) < 0 {
                return None;
            }
            let [ours, its] = ends;
            match fork() {
                0 => {
                    separate();
                    for fd in own {
                        close(*fd);
                    }
                    close(ours);
                    return Some(await_query(its));
                }
                pid if pid > 0 => {
                    setpgid(pid, pid);
                    *next = Some(Preforked { pid, socket: ours });
                }
                _ => {
                    close(ours);
                }
            }
            close(its);
        }
        None
    }

    /// Sends a query to the child. Returns its process id, or `None` if the child is gone.
    pub fn give(self, query: &[u8]) -> Option<c_int> {
        // SAFETY: the slice is valid for its length.
        let given = unsafe { send_exactly(self.socket, query.as_ptr(), query.len()) };
        // SAFETY: the socket is this value's own, and `wait4` accepts null for what is not needed.
        unsafe {
            close(self.socket);
            if !given {
                // It has been reaped already, or ends with the socket.
                while wait4(self.pid, core::ptr::null_mut(), 0, core::ptr::null_mut()) < 0 && errno() == EINTR
                {
                }
            }
        }
        given.then_some(self.pid)
    }
}

/// Opens the list of this process's children on a high descriptor, away from the solver's files. Negative on failure.
/// Children have to close it.
pub fn open_own_children() -> c_int {
    // SAFETY: these calls work on descriptors only; one that does not exist is an error.
    unsafe {
        let list = open_at(&path_of_children(getpid()));
        let moved = fcntl(list, F_DUPFD_CLOEXEC, SERVER_FD + 2);
        close(list);
        moved
    }
}

/// Waits for a query and applies its limits to this process. Ends the process if the server is gone.
fn await_query(socket: c_int) -> Query {
    let mut head = Head::default();
    // SAFETY: the head is a plain structure of that size.
    if !unsafe { read_exactly(socket, (&raw mut head).cast(), size_of::<Head>()) } {
        exit(0)
    }
    limit(&head.limits);
    let length = head.header.length as usize - size_of::<Limits>();
    // SAFETY: `malloc` has no preconditions.
    let start: *mut u8 = unsafe { malloc(length.max(1)) }.cast();
    // SAFETY: if it is not null, the block has room for `length` bytes.
    if start.is_null() || !unsafe { read_exactly(socket, start, length) } {
        exit(71)
    }
    // SAFETY: the socket is not used again.
    unsafe { close(socket) };
    Query { start, length, ends: head.header.value == 1 }
}
