//! The supervisor: a tiny process between Elenchus and the solvers. It starts one program at a time on request, holds
//! it to its limits, and leaves nothing of it behind. It is small, so that starting a program is cheap however much
//! memory Elenchus itself holds; it is the reaper of everything the solver forks; and when Elenchus dies, however it
//! dies, the supervisor's socket closes, and it kills what runs, removes the working folder and ends.

#![no_std]
#![no_main]

mod libc;
mod protocol;
mod runtime;
mod supervise;

use core::mem::size_of;
use libc::*;
use protocol::{Header, Limits, PRELOAD_FD, SERVER_FD, Start, kind};
use supervise::{limit, now, read_exactly, reap_descendants, say, separate, supervise, tell};

/// A growing block of memory that lives as long as the process.
struct Buffer {
    start: *mut u8,
    size: usize,
}

impl Buffer {
    fn reserve(&mut self, size: usize) -> *mut u8 {
        if size > self.size {
            self.start = unsafe { realloc(self.start.cast(), size) }.cast();
            self.size = size;
            if self.start.is_null() {
                unsafe { _exit(71) }
            }
        }
        self.start
    }
}

/// What the child needs between `clone` and `execve`; the memory is shared with the supervisor, which waits.
struct Launch {
    program: *const c_char,
    folder: *const c_char,
    arguments: *const *const c_char,
    variables: *const *const c_char,
    limits: Limits,
    stdin: c_int,
    server: c_int,
    preload: c_int,
    error: c_int,
}

extern "C" fn become_program(launch: *mut c_void) -> c_int {
    let launch = unsafe { &mut *launch.cast::<Launch>() };
    unsafe {
        separate();
        limit(&launch.limits);
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] {
            signal(number, SIG_DFL);
        }
        for (from, to) in [(launch.stdin, 0), (launch.server, SERVER_FD), (launch.preload, PRELOAD_FD)] {
            if from >= 0 && dup2(from, to) < 0 {
                launch.error = errno();
                _exit(127);
            }
        }
        if chdir(launch.folder) == 0 {
            execve(launch.program, launch.arguments, launch.variables);
        }
        launch.error = errno();
        _exit(127)
    }
}

/// Reads a header and the descriptors that come with it; false when the runner is gone.
fn receive(control: c_int, header: &mut Header, fds: &mut [c_int; 3]) -> bool {
    #[repr(C, align(8))]
    struct Rights {
        length: usize,
        level: c_int,
        kind: c_int,
        fds: [c_int; 4],
    }
    let mut rights = Rights { length: 0, level: 0, kind: 0, fds: [-1; 4] };
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
        for (place, fd) in fds.iter_mut().zip(&rights.fds[..count.min(3)]) {
            *place = *fd;
        }
    }
    let rest = size_of::<Header>() - got as usize;
    let at = (&raw mut *header).cast::<u8>().wrapping_add(got as usize);
    rest == 0 || read_exactly(control, at, rest)
}

/// The next NUL-terminated string of a message.
fn take_string(at: &mut *const u8) -> *const c_char {
    let text = (*at).cast::<c_char>();
    *at = at.wrapping_add(unsafe { strlen(text) } + 1);
    text
}

/// Starts the program of a `START` message and watches it; false when the runner is gone.
fn start(
    control: c_int,
    body: *const u8,
    pointers: &mut Buffer,
    stack: *mut u8,
    mut fds: [c_int; 3],
) -> bool {
    let limits = unsafe { body.cast::<Limits>().read_unaligned() };
    let counts = unsafe { body.add(size_of::<Limits>()).cast::<Start>().read_unaligned() };
    let mut at = body.wrapping_add(size_of::<Limits>() + size_of::<Start>());
    let program = take_string(&mut at);
    let folder = take_string(&mut at);
    let (arguments, variables) = (counts.arguments as usize, counts.variables as usize);
    let table: *mut *const c_char =
        pointers.reserve((arguments + variables + 2) * size_of::<*const c_char>()).cast();
    for place in 0..arguments + variables + 2 {
        let ends = place == arguments || place == arguments + variables + 1;
        let text = if ends { core::ptr::null() } else { take_string(&mut at) };
        unsafe { table.add(place).write(text) };
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
        error: 0,
    };
    // A program may have left its output non-blocking, which would outlive it: the pipe is shared.
    for fd in [1, 2] {
        unsafe { fcntl(fd, F_SETFL, 0) };
    }
    let begin = now();
    let pid = unsafe {
        clone(become_program, stack.cast(), CLONE_VM | CLONE_VFORK | SIGCHLD, (&raw mut launch).cast())
    };
    if pid < 0 {
        launch.error = errno();
    }
    for fd in fds {
        if fd >= 0 {
            unsafe { close(fd) };
        }
    }
    if launch.error != 0 {
        reap_descendants(None);
        return say(control, kind::FAILED, launch.error as u32);
    }
    if !say(control, kind::STARTED, pid as u32) {
        unsafe { kill(-pid, SIGKILL) };
        reap_descendants(None);
        return false;
    }
    let (report, runner_there) = supervise(pid, begin, control, &limits, None);
    runner_there && tell(control, &report)
}

extern "C" fn remove_entry(path: *const c_char, _: *const c_void, _: c_int, _: *mut c_void) -> c_int {
    unsafe { remove(path) };
    0
}

/// The entry point; standard input is the socket to the runner, the outputs are the pipes that solvers write to.
#[unsafe(no_mangle)]
pub extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    const STACK: usize = 64 * 1024;
    let stack = unsafe { malloc(STACK).cast::<u8>() };
    if stack.is_null() {
        return 71;
    }
    let stack_top = ((stack as usize + STACK) & !15) as *mut u8;
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
        let mut fds = [-1; 3];
        if !receive(control, &mut header, &mut fds) {
            break;
        }
        let length = header.length as usize;
        let place = if header.kind == kind::FOLDER { &mut folder } else { &mut body };
        let text = place.reserve(length + 1);
        if !read_exactly(control, text, length) {
            break;
        }
        unsafe { text.add(length).write(0) };
        // A `KILL` that arrives here came too late: its program had ended by itself.
        if header.kind == kind::START && !start(control, text, &mut pointers, stack_top, fds) {
            break;
        }
    }
    if folder.size > 0 {
        unsafe { nftw(folder.start.cast(), remove_entry, 16, FTW_PHYS | FTW_DEPTH) };
    }
    0
}
