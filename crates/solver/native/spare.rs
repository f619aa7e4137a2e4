//! A child that is forked ahead of its script. It has done nothing yet and waits on a socket, so that a script that comes need
//! not wait for a fork.

use super::libc::*;
use super::protocol::{Header, Limits, SERVER_FD};
use super::supervise::{limit, open_at, path_of_children, read_exactly, send_exactly, separate};
use core::mem::size_of;

/// What comes before the script in a query.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Head {
    pub header: Header,
    pub limits: Limits,
}

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

/// A waiting child, as its server knows it.
pub struct Spare {
    pub pid: c_int,
    socket: c_int,
}

impl Spare {
    /// Makes sure that there is a waiting child, if one can be made. In that child itself this returns when it has its query.
    /// The child lets go of what is the server's own.
    pub fn refill(spare: &mut Option<Spare>, own: &[c_int]) -> Option<Query> {
        let mut ends = [-1; 2];
        unsafe {
            if spare.is_some() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.as_mut_ptr()) < 0 {
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
                    *spare = Some(Spare { pid, socket: ours });
                }
                _ => {
                    close(ours);
                }
            }
            close(its);
        }
        None
    }

    /// Hands a query over; the number of the child that runs it, or none if the child is gone.
    pub fn give(self, query: &[u8]) -> Option<c_int> {
        let given = send_exactly(self.socket, query.as_ptr(), query.len());
        unsafe {
            close(self.socket);
            if !given {
                // It is reaped already, or ends with the socket.
                while wait4(self.pid, core::ptr::null_mut(), 0, core::ptr::null_mut()) < 0 && errno() == EINTR
                {
                }
            }
        }
        given.then_some(self.pid)
    }
}

/// The open list of this process's children, out of the way of the solver's own files; negative if it is not to be had. Children
/// have to close it.
pub fn open_own_children() -> c_int {
    unsafe {
        let list = open_at(&path_of_children(getpid()));
        let moved = fcntl(list, F_DUPFD_CLOEXEC, SERVER_FD + 2);
        close(list);
        moved
    }
}

/// Waits for a query, and takes its limits upon this process. Ends the process if the server is gone.
fn await_query(socket: c_int) -> Query {
    let mut head = Head::default();
    if !read_exactly(socket, (&raw mut head).cast(), size_of::<Head>()) {
        unsafe { _exit(0) }
    }
    limit(&head.limits);
    let length = head.header.length as usize - size_of::<Limits>();
    let start: *mut u8 = unsafe { malloc(length.max(1)) }.cast();
    if start.is_null() || !read_exactly(socket, start, length) {
        unsafe { _exit(71) }
    }
    unsafe { close(socket) };
    Query { start, length, ends: head.header.value == 1 }
}
