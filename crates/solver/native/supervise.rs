//! Watching one process until it and everything it started is gone. Used by the supervisor process, and by the fork
//! server inside a solver: both are single-threaded and wait on events alone.

use super::libc::*;
use super::protocol::{Header, Limits, Report, cause, kind};
use core::mem::size_of;

/// How often the memory of a running tree is looked at. Short runs end before the first look.
const MEMORY_LOOK_MS: u64 = 50;

/// How many processes of a tree the memory look takes into account.
const TREE: usize = 256;

/// Nanoseconds of a clock that never steps back.
pub fn now() -> u64 {
    let mut time = timespec::default();
    unsafe { clock_gettime(CLOCK_MONOTONIC, &mut time) };
    time.sec as u64 * 1_000_000_000 + time.nsec as u64
}

/// Reads exactly `count` bytes; false at the end of the stream.
pub fn read_exactly(fd: c_int, buffer: *mut u8, count: usize) -> bool {
    let mut done = 0;
    while done < count {
        // The raw call, since the preloaded library replaces `read` itself.
        let got = unsafe { syscall(SYS_READ, fd as i64, buffer.add(done), count - done) };
        if got > 0 {
            done += got as usize;
        } else if got == 0 || errno() != EINTR {
            return false;
        }
    }
    true
}

/// Sends exactly `count` bytes; false if nobody listens.
pub fn send_exactly(fd: c_int, buffer: *const u8, count: usize) -> bool {
    let mut done = 0;
    while done < count {
        let sent = unsafe { send(fd, buffer.add(done).cast(), count - done, MSG_NOSIGNAL) };
        if sent > 0 {
            done += sent as usize;
        } else if errno() != EINTR {
            return false;
        }
    }
    true
}

/// Sends a message without a body.
pub fn say(fd: c_int, kind: u32, value: u32) -> bool {
    let header = Header { kind, value, length: 0 };
    send_exactly(fd, (&raw const header).cast(), size_of::<Header>())
}

/// Sends the report of a finished run.
pub fn tell(fd: c_int, report: &Report) -> bool {
    #[repr(C)]
    struct Message {
        header: Header,
        report: Report,
    }
    let header = Header { kind: kind::REPORT, value: 0, length: size_of::<Report>() as u64 };
    let message = Message { header, report: *report };
    send_exactly(fd, (&raw const message).cast(), size_of::<Message>())
}

/// Gives a fresh child its own process group, and death with its parent.
pub fn separate() {
    unsafe {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL as u64);
    }
}

/// Takes limits upon this process, before it becomes the solver.
pub fn limit(limits: &Limits) {
    let set = |resource, value: u64, slack: u64| {
        if value > 0 {
            let limit = rlimit { soft: value, hard: value + slack };
            unsafe { setrlimit(resource, &limit) };
        }
    };
    set(RLIMIT_AS, limits.address_space, 0);
    set(RLIMIT_CPU, limits.cpu_s, 1);
    set(RLIMIT_FSIZE, limits.file_size, 0);
    unsafe { setrlimit(RLIMIT_CORE, &rlimit { soft: 0, hard: 0 }) };
}

/// A child that waits for its script, with the open list of this process's children: to open it takes most of the time of a look.
#[derive(Clone, Copy)]
pub struct Waiting {
    pub pid: c_int,
    pub list: c_int,
}

/// Waits for the child `pid` (the leader of its own group), which was started at `start`, while listening on
/// `control`. Kills it when a limit passes, when asked to, and when the runner is gone. Returns after the last of its
/// descendants is reaped; the second value is false if the runner is gone. The child `spare` is left alone.
pub fn supervise(
    pid: c_int,
    start: u64,
    control: c_int,
    limits: &Limits,
    spare: Option<Waiting>,
) -> (Report, bool) {
    let mut report = Report::default();
    let mut runner_there = true;
    let mut killed = false;
    let pidfd = unsafe { syscall(SYS_PIDFD_OPEN, pid as i64, 0i64) } as c_int;
    let mut tree = Tree { root: pid, resident: 0, alone: false, worked: 0 };
    let deadline = if limits.wall_ms > 0 { start + limits.wall_ms * 1_000_000 } else { u64::MAX };
    let mut end = |why: u32, report: &mut Report| {
        if !killed {
            killed = true;
            report.cause = why;
        }
        unsafe {
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
        }
    };
    loop {
        let time = now();
        if report.cause == cause::OWN && time >= deadline {
            end(cause::WALL, &mut report);
        }
        let mut wait_ms = i32::MAX as u64;
        if report.cause == cause::OWN {
            if deadline != u64::MAX {
                wait_ms = (deadline - time).div_ceil(1_000_000);
            }
            if limits.resident > 0 {
                wait_ms = wait_ms.min(MEMORY_LOOK_MS);
            }
        }
        let mut fds = [
            pollfd { fd: pidfd, events: POLLIN, revents: 0 },
            pollfd { fd: control, events: POLLIN, revents: 0 },
        ];
        let watched = if runner_there { 2 } else { 1 };
        let ready = unsafe { poll(fds.as_mut_ptr(), watched, wait_ms as c_int) };
        if fds[0].revents != 0 {
            break;
        }
        if watched == 2 && fds[1].revents != 0 {
            let mut header = Header::default();
            if !read_exactly(control, (&raw mut header).cast(), size_of::<Header>()) {
                runner_there = false;
                end(cause::ASKED, &mut report);
            } else if header.kind == kind::KILL {
                end(cause::ASKED, &mut report);
            }
        }
        if ready == 0 && limits.resident > 0 && tree.has_worked() {
            tree.look();
            if tree.resident > limits.resident {
                end(cause::MEMORY, &mut report);
            }
        }
    }
    let mut usage = rusage::default();
    unsafe {
        // While the leader is a zombie its group number cannot be reused, so this reaches its own group alone.
        kill(-pid, SIGKILL);
        while wait4(pid, &mut report.status, 0, &mut usage) < 0 && errno() == EINTR {}
        close(pidfd);
    }
    // Until the system has let go of it, as a shell measures it.
    report.wall_ns = now() - start;
    report.cpu_us =
        ((usage.utime.sec + usage.stime.sec) * 1_000_000 + usage.utime.usec + usage.stime.usec) as u64;
    report.peak_kib = usage.maxrss as u64;
    report.stragglers = reap_descendants(spare);
    (report, runner_there)
}

/// Kills and reaps every remaining descendant of this process, which must be a subreaper, but for the child `spare`, which must
/// have none of its own; returns how many there were.
pub fn reap_descendants(mut spare: Option<Waiting>) -> u64 {
    let mut count = 0;
    loop {
        let mut gone = unsafe { wait4(-1, core::ptr::null_mut(), WNOHANG, core::ptr::null_mut()) };
        if gone < 0 {
            return count;
        }
        if gone == 0 {
            let mut children = [0; TREE];
            let found = match spare {
                Some(waiting) => children_in(waiting.list, &mut children),
                None => children_of(unsafe { getpid() }, &mut children),
            };
            let children = &children[..found];
            match spare {
                // The list is cut off, or not to be had: whether there are others shows when this one is gone.
                Some(waiting) if !children.contains(&waiting.pid) => unsafe {
                    kill(waiting.pid, SIGKILL);
                },
                // Nobody but this process takes a child off the list, so none is missing.
                Some(_) if found == 1 => return count,
                _ => {
                    let waiting = spare.map(|waiting| waiting.pid);
                    for child in children.iter().filter(|child| Some(**child) != waiting) {
                        unsafe { kill(*child, SIGKILL) };
                    }
                }
            }
            // Something was killed, or is on its way to this process: its end is an event to wait for.
            gone = unsafe { wait4(-1, core::ptr::null_mut(), 0, core::ptr::null_mut()) };
        }
        if spare.is_some_and(|waiting| waiting.pid == gone) {
            // Its number may soon be that of another process.
            spare = None;
        } else if gone > 0 {
            count += 1;
        }
    }
}

/// Writes `prefix`, `number`, `suffix` and a NUL into `out`.
fn path_of(prefix: &[u8], number: c_int, middle: &[u8], again: bool, suffix: &[u8], out: &mut [u8; 64]) {
    let mut at = 0;
    let mut put = |bytes: &[u8]| {
        for byte in bytes {
            if at < out.len() - 1 {
                out[at] = *byte;
                at += 1;
            }
        }
        out[at] = 0;
    };
    let mut digits = [0u8; 12];
    let mut first = digits.len();
    let mut rest = number as u32;
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    put(prefix);
    put(&digits[first..]);
    put(middle);
    if again {
        put(&digits[first..]);
    }
    put(suffix);
}

/// Opens a file to read.
pub fn open_at(path: &[u8; 64]) -> c_int {
    unsafe {
        syscall(SYS_OPENAT, AT_FDCWD as i64, path.as_ptr(), (O_RDONLY | O_CLOEXEC) as i64, 0i64) as c_int
    }
}

/// Reads the numbers in the file at `path` into `numbers`; returns how many there were.
fn numbers_in(path: &[u8; 64], numbers: &mut [u64]) -> usize {
    let fd = open_at(path);
    let count = numbers_from(fd, numbers);
    unsafe { close(fd) };
    count
}

/// Reads the numbers in an open file from its beginning into `numbers`; returns how many there were.
fn numbers_from(fd: c_int, numbers: &mut [u64]) -> usize {
    let (mut count, mut value, mut inside, mut offset) = (0, 0u64, false, 0);
    let mut chunk = [0u8; 1024];
    loop {
        let got = unsafe { pread(fd, chunk.as_mut_ptr().cast(), chunk.len(), offset) };
        let bytes = if got > 0 { &chunk[..got as usize] } else { &b" "[..] };
        for byte in bytes {
            if byte.is_ascii_digit() {
                value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                inside = true;
            } else if inside {
                if count < numbers.len() {
                    numbers[count] = value;
                    count += 1;
                }
                value = 0;
                inside = false;
            }
        }
        if got <= 0 {
            return count;
        }
        offset += got as i64;
    }
}

/// Where the list of a process's children is found.
pub fn path_of_children(pid: c_int) -> [u8; 64] {
    let mut path = [0; 64];
    path_of(b"/proc/", pid, b"/task/", true, b"/children", &mut path);
    path
}

fn children_of(pid: c_int, children: &mut [c_int; TREE]) -> usize {
    let list = open_at(&path_of_children(pid));
    let count = children_in(list, children);
    unsafe { close(list) };
    count
}

fn children_in(list: c_int, children: &mut [c_int; TREE]) -> usize {
    let mut numbers = [0u64; TREE];
    let count = numbers_from(list, &mut numbers);
    for (child, number) in children.iter_mut().zip(&numbers[..count]) {
        *child = *number as c_int;
    }
    count
}

/// A process with its descendants.
struct Tree {
    root: c_int,
    /// The memory that was seen in use, in bytes.
    resident: u64,
    /// Whether no descendants were seen.
    alone: bool,
    /// The CPU time of the root at the last look, in nanoseconds.
    worked: u64,
}

impl Tree {
    /// Whether the memory may have changed since the last look. A process that waits for its next question does nothing, and
    /// there are many of them.
    fn has_worked(&mut self) -> bool {
        let mut time = timespec::default();
        // The number of a process's clock, as clock_getcpuclockid(3) computes it.
        let known = unsafe { clock_gettime((!self.root << 3) | 2, &mut time) } == 0;
        let worked = time.sec as u64 * 1_000_000_000 + time.nsec as u64;
        let idle = known && self.alone && worked == self.worked;
        self.worked = worked;
        !idle
    }

    /// Looks how much memory is in use.
    fn look(&mut self) {
        let processes;
        (self.resident, processes) = resident_of_tree(self.root);
        self.alone = processes == 1;
    }
}

/// The resident memory in bytes of `root` and its descendants, and how many processes that are.
fn resident_of_tree(root: c_int) -> (u64, usize) {
    let mut queue = [0; TREE];
    queue[0] = root;
    let (mut next, mut filled, mut pages) = (0, 1, 0u64);
    while next < filled {
        let mut path = [0; 64];
        path_of(b"/proc/", queue[next], b"/statm", false, b"", &mut path);
        let mut sizes = [0; 2];
        if numbers_in(&path, &mut sizes) == 2 {
            pages += sizes[1];
        }
        let mut children = [0; TREE];
        let found = children_of(queue[next], &mut children);
        for child in &children[..found] {
            if filled < TREE {
                queue[filled] = *child;
                filled += 1;
            }
        }
        next += 1;
    }
    (pages * unsafe { getpagesize() } as u64, filled)
}
