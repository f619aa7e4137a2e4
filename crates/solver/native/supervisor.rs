//! The supervisor: a tiny process between Elenchus and the solvers.
//!
//! It starts one program at a time on request, enforces its limits, and reaps everything that the solver forks. It is small,
//! so that starting a program is cheap however much memory Elenchus uses. When Elenchus dies, for whatever reason, the
//! supervisor's socket closes: it kills the running program, removes the working folder and exits.

#![no_std]
#![no_main]

mod confine;
mod libc;
mod protocol;
mod runtime;
mod supervise;

use confine::confine;
use core::mem::size_of;
use libc::*;
use protocol::{COVER_MAP_FD, COVER_PLAN_FD, Header, Limits, PRELOAD_FD, SERVER_FD, Start, kind};
use supervise::{
    limit, now, read_exactly, reap_descendants, send_header, send_report, separate, supervise,
};

/// The maximal number of descriptors that come with a message.
const FDS: usize = 6;

/// A growing block of memory that is never freed.
struct Buffer {
    start: *mut u8,
    size: usize,
}

impl Buffer {
    fn reserve(&mut self, size: usize) -> *mut u8 {
        if size > self.size {
            // SAFETY: `start` is null or came from `realloc`. Callers do not keep pointers into a block that grows.
            self.start = unsafe { realloc(self.start.cast(), size) }.cast();
            self.size = size;
            if self.start.is_null() {
                exit(71)
            }
        }
        self.start
    }
}

/// What the child needs between `clone` and `execve`. It shares its memory with the supervisor, which waits.
struct Launch {
    program: *const c_char,
    folder: *const c_char,
    arguments: *const *const c_char,
    variables: *const *const c_char,
    limits: Limits,
    stdin: c_int,
    server: c_int,
    preload: c_int,
    coverage: [c_int; 2],
    ruleset: c_int,
    confined: bool,
    error: c_int,
}

extern "C" fn become_program(launch: *mut c_void) -> c_int {
    // SAFETY: `start` passes a valid `Launch` and does not touch it while the child runs.
    let launch = unsafe { &mut *launch.cast::<Launch>() };
    // The calls are allowed in a child that shares its parent's memory.
    // SAFETY: the strings end with NULs, the tables with null pointers, and all of them live until `execve`.
    unsafe {
        separate();
        limit(&launch.limits);
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] {
            signal(number, SIG_DFL);
        }
        let descriptors = [
            (launch.stdin, 0),
            (launch.server, SERVER_FD),
            (launch.preload, PRELOAD_FD),
            (launch.coverage[0], COVER_PLAN_FD),
            (launch.coverage[1], COVER_MAP_FD),
        ];
        for (from, to) in descriptors {
            if from >= 0 && dup2(from, to) < 0 {
                launch.error = errno();
                _exit(127);
            }
        }
        if chdir(launch.folder) == 0 && (!launch.confined || confine(launch.ruleset)) {
            execve(launch.program, launch.arguments, launch.variables);
        }
        launch.error = errno();
        _exit(127)
    }
}

/// Reads a header and its attached descriptors. Returns false if the runner is gone.
fn receive(control: c_int, header: &mut Header, fds: &mut [c_int; FDS]) -> bool {
    #[repr(C, align(8))]
    struct Rights {
        length: usize,
        level: c_int,
        kind: c_int,
        fds: [c_int; FDS],
    }
    let mut rights = Rights { length: 0, level: 0, kind: 0, fds: [-1; FDS] };
    let mut part = iovec { base: (&raw mut *header).cast(), len: size_of::<Header>() };
    let mut message = msghdr {
        name: core::ptr::null_mut(),
        namelen: 0,
        iov: &raw mut part,
        iovlen: 1,
        control: (&raw mut rights).cast(),
        controllen: size_of::<Rights>(),
        flags: 0,
    };
    let got = loop {
        // SAFETY: the message points to a header and to room for descriptors, both of the stated sizes.
        let got = unsafe { recvmsg(control, &mut message, MSG_CMSG_CLOEXEC) };
        if got >= 0 || errno() != EINTR {
            break got;
        }
    };
    if got <= 0 {
        return false;
    }
    if message.controllen >= 16 && rights.level == SOL_SOCKET && rights.kind == SCM_RIGHTS {
        let count = (rights.length - 16) / size_of::<c_int>();
        for (slot, fd) in fds.iter_mut().zip(&rights.fds[..count.min(FDS)]) {
            *slot = *fd;
        }
    }
    let rest = size_of::<Header>() - got as usize;
    let at = (&raw mut *header).cast::<u8>().wrapping_add(got as usize);
    // SAFETY: `rest` bytes of the header are left at `at`.
    rest == 0 || unsafe { read_exactly(control, at, rest) }
}

/// The next NUL-terminated string of a message.
///
/// # Safety
/// There must be one at `at`.
unsafe fn take_string(at: &mut *const u8) -> *const c_char {
    let text = (*at).cast::<c_char>();
    // SAFETY: the caller vouches for the NUL.
    *at = at.wrapping_add(unsafe { strlen(text) } + 1);
    text
}

/// Starts the program of a `START` message and watches it. Returns false if the runner is gone.
///
/// # Safety
/// `body` must be a complete `START` message, and `stack` the upper end of a free block of memory.
unsafe fn start(
    control: c_int,
    body: *const u8,
    pointers: &mut Buffer,
    stack: *mut u8,
    mut fds: [c_int; FDS],
) -> bool {
    // SAFETY: the message begins with both structures.
    let (limits, counts) = unsafe {
        let limits = body.cast::<Limits>().read_unaligned();
        (limits, body.add(size_of::<Limits>()).cast::<Start>().read_unaligned())
    };
    let mut at = body.wrapping_add(size_of::<Limits>() + size_of::<Start>());
    // SAFETY: the program and the folder come first.
    let (program, folder) = unsafe { (take_string(&mut at), take_string(&mut at)) };
    let (arguments, variables) = (counts.arguments as usize, counts.variables as usize);
    let table: *mut *const c_char =
        pointers.reserve((arguments + variables + 2) * size_of::<*const c_char>()).cast();
    for index in 0..arguments + variables + 2 {
        let ends = index == arguments || index == arguments + variables + 1;
        // SAFETY: the message has that many strings, and the table has room for all of them and two null pointers.
        unsafe {
            let text = if ends { core::ptr::null() } else { take_string(&mut at) };
            table.add(index).write(text);
        }
    }
    let mut given = fds.iter_mut();
    let mut take = |wanted: u32| if wanted != 0 { given.next().map_or(-1, |fd| *fd) } else { -1 };
    let mut launch = Launch {
        program,
        folder,
        arguments: table,
        variables: table.wrapping_add(arguments + 1),
        limits,
        stdin: take(counts.with_stdin),
        server: take(counts.with_server),
        preload: take(counts.with_preload),
        coverage: [take(counts.with_coverage), take(counts.with_coverage)],
        ruleset: take(counts.with_ruleset),
        confined: counts.confined != 0,
        error: 0,
    };
    // A program may have made the shared pipe non-blocking, which would outlive it.
    for fd in [1, 2] {
        // SAFETY: the call takes numbers only.
        unsafe { fcntl(fd, F_SETFL, 0) };
    }
    let begin = now();
    // SAFETY: the stack is free, and this process waits until the child has left it (`CLONE_VFORK`), so `launch` lives.
    let pid = unsafe {
        clone(become_program, stack.cast(), CLONE_VM | CLONE_VFORK | SIGCHLD, (&raw mut launch).cast())
    };
    if pid < 0 {
        launch.error = errno();
    }
    for fd in fds {
        if fd >= 0 {
            // SAFETY: the descriptor is not used again.
            unsafe { close(fd) };
        }
    }
    if launch.error != 0 {
        reap_descendants(None);
        return send_header(control, kind::FAILED, launch.error as u32);
    }
    if !send_header(control, kind::STARTED, pid as u32) {
        // SAFETY: the child has not been reaped, so the number is still its own.
        unsafe { kill(-pid, SIGKILL) };
        reap_descendants(None);
        return false;
    }
    let (report, has_runner) = supervise(pid, begin, control, &limits, folder, None);
    has_runner && send_report(control, &report)
}

extern "C" fn remove_entry(path: *const c_char, _: *const c_void, _: c_int, _: *mut c_void) -> c_int {
    // SAFETY: `nftw` passes a path that ends with a NUL.
    unsafe { remove(path) };
    0
}

/// The entry point. Standard input is the socket to the runner; the outputs are the pipes that solvers write to.
#[unsafe(no_mangle)]
pub extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    const STACK: usize = 64 * 1024;
    // SAFETY: `malloc` has no preconditions.
    let stack = unsafe { malloc(STACK).cast::<u8>() };
    if stack.is_null() {
        return 71;
    }
    let stack_top = ((stack as usize + STACK) & !15) as *mut u8;
    // SAFETY: the calls take numbers and static strings.
    let control = unsafe {
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] {
            signal(number, SIG_IGN);
        }
        prctl(PR_SET_CHILD_SUBREAPER, 1u64);
        prctl(PR_SET_NAME, c"elenchus-super".as_ptr());
        let control = fcntl(0, F_DUPFD_CLOEXEC, 10);
        let null =
            syscall(SYS_OPENAT, AT_FDCWD as i64, c"/dev/null".as_ptr(), (O_RDWR | O_CLOEXEC) as i64, 0i64);
        dup2(null as c_int, 0);
        control
    };
    let mut body = Buffer { start: core::ptr::null_mut(), size: 0 };
    let mut pointers = Buffer { start: core::ptr::null_mut(), size: 0 };
    let mut folder = Buffer { start: core::ptr::null_mut(), size: 0 };
    loop {
        let mut header = Header::default();
        let mut fds = [-1; FDS];
        if !receive(control, &mut header, &mut fds) {
            break;
        }
        let length = header.length as usize;
        let buffer = if header.kind == kind::FOLDER { &mut folder } else { &mut body };
        let text = buffer.reserve(length + 1);
        // SAFETY: the buffer has room for the body and a NUL.
        let complete = unsafe {
            text.add(length).write(0);
            read_exactly(control, text, length)
        };
        if !complete {
            break;
        }
        // A `KILL` that arrives here is late: its program has ended by itself.
        // SAFETY: the runner sends complete messages, and nothing else uses the stack.
        if header.kind == kind::START && !unsafe { start(control, text, &mut pointers, stack_top, fds) } {
            break;
        }
    }
    if folder.size > 0 {
        // SAFETY: the path ends with a NUL, which was written above.
        unsafe { nftw(folder.start.cast(), remove_entry, 16, FTW_PHYS | FTW_DEPTH) };
    }
    0
}
