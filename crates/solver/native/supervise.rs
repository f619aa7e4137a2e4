//! Watches one process until it and all its descendants are gone.
//!
//! Used by the supervisor process and by the fork server inside a solver. Both are single-threaded and only wait for events.

use super::libc::*;
use super::protocol::{Header, Limits, Report, cause, kind};
use core::mem::size_of;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The interval between two measurements of a process tree's memory and files. Short runs end before the first one.
const INTERVAL_MS: u64 = 50;

/// The maximal number of processes of a tree whose memory is measured.
const TREE: usize = 256;

/// Nanoseconds of the monotonic clock.
pub fn now() -> u64 {
    let mut time = timespec::default();
    // SAFETY: the structure outlives the call, which writes nothing else.
    unsafe { clock_gettime(CLOCK_MONOTONIC, &mut time) };
    time.sec as u64 * 1_000_000_000 + time.nsec as u64
}

/// Reads exactly `count` bytes. Returns false at the end of the stream.
///
/// # Safety
/// `buffer` must be valid for writes of `count` bytes.
pub unsafe fn read_exactly(fd: c_int, buffer: *mut u8, count: usize) -> bool {
    let mut done = 0;
    while done < count {
        // SAFETY: the caller vouches for the buffer. It is the raw call, since the preloaded library replaces `read`.
        let got = unsafe { syscall(SYS_READ, fd as i64, buffer.add(done), count - done) };
        if got > 0 {
            done += got as usize;
        } else if got == 0 || errno() != EINTR {
            return false;
        }
    }
    true
}

/// Sends exactly `count` bytes. Returns false if the other side is gone.
///
/// # Safety
/// `buffer` must be valid for reads of `count` bytes.
pub unsafe fn send_exactly(fd: c_int, buffer: *const u8, count: usize) -> bool {
    let mut done = 0;
    while done < count {
        // SAFETY: the caller vouches for the buffer.
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
pub fn send_header(fd: c_int, kind: u32, value: u32) -> bool {
    let header = Header { kind, value, length: 0 };
    // SAFETY: the header is a plain structure of that size.
    unsafe { send_exactly(fd, (&raw const header).cast(), size_of::<Header>()) }
}

/// Sends the report of a finished run.
pub fn send_report(fd: c_int, report: &Report) -> bool {
    #[repr(C)]
    struct Message {
        header: Header,
        report: Report,
    }
    let header = Header { kind: kind::REPORT, value: 0, length: size_of::<Report>() as u64 };
    let message = Message { header, report: *report };
    // SAFETY: the message is a plain structure of that size, without padding.
    unsafe { send_exactly(fd, (&raw const message).cast(), size_of::<Message>()) }
}

/// Puts a new child into its own process group, and makes it die with its parent.
pub fn separate() {
    // SAFETY: both calls take numbers only.
    unsafe {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL as u64);
    }
}

/// Applies limits to this process, before it becomes the solver.
pub fn limit(limits: &Limits) {
    let set = |resource, value: u64, slack: u64| {
        if value > 0 {
            let limit = rlimit { soft: value, hard: value + slack };
            // SAFETY: the structure outlives the call.
            unsafe { setrlimit(resource, &limit) };
        }
    };
    set(RLIMIT_AS, limits.address_space, 0);
    set(RLIMIT_CPU, limits.cpu_s, 1);
    set(RLIMIT_FSIZE, limits.file_size, 0);
    // SAFETY: as above.
    unsafe { setrlimit(RLIMIT_CORE, &rlimit { soft: 0, hard: 0 }) };
}

/// A child that waits for its script and must survive.
#[derive(Clone, Copy)]
pub struct Spared {
    pub pid: c_int,
    /// The open list of this process's children, kept open since opening it takes most of the time of reading it.
    pub list: c_int,
}

/// Waits for the child `pid`, the leader of its own group, which was started at `start`.
///
/// Kills it at a limit, on request over `control`, and when the runner is gone. Its working folder is `folder`. Returns after the last descendant has been
/// reaped; the second value is false if the runner is gone. The child `spared` is left alone.
pub fn supervise(
    pid: c_int,
    start: u64,
    control: c_int,
    limits: &Limits,
    folder: *const c_char,
    spared: Option<Spared>,
) -> (Report, bool) {
    let mut report = Report::default();
    let mut has_runner = true;
    let mut killed = false;
    // SAFETY: the call takes numbers only.
    let pidfd = unsafe { syscall(SYS_PIDFD_OPEN, pid as i64, 0i64) } as c_int;
    let mut tree = Tree { root: pid, resident: 0, processes: 0, worked: 0 };
    let deadline = if limits.wall_ms > 0 { start + limits.wall_ms * 1_000_000 } else { u64::MAX };
    let mut end = |why: u32, report: &mut Report| {
        if !killed {
            killed = true;
            report.cause = why;
        }
        // SAFETY: the child has not been reaped, so the number is still its own.
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
            if limits.resident > 0 || limits.folder_size > 0 {
                wait_ms = wait_ms.min(INTERVAL_MS);
            }
        }
        let mut fds = [
            pollfd { fd: pidfd, events: POLLIN, revents: 0 },
            pollfd { fd: control, events: POLLIN, revents: 0 },
        ];
        let watched = if has_runner { 2 } else { 1 };
        // SAFETY: the array has at least `watched` entries.
        let ready = unsafe { poll(fds.as_mut_ptr(), watched, wait_ms as c_int) };
        if fds[0].revents != 0 {
            break;
        }
        if watched == 2 && fds[1].revents != 0 {
            let mut header = Header::default();
            // SAFETY: the header is a plain structure of that size.
            if !unsafe { read_exactly(control, (&raw mut header).cast(), size_of::<Header>()) } {
                has_runner = false;
                end(cause::ASKED, &mut report);
            } else if header.kind == kind::KILL {
                end(cause::ASKED, &mut report);
            }
        }
        if ready == 0 && tree.has_worked() {
            if limits.resident > 0 {
                tree.measure();
                if tree.resident > limits.resident {
                    end(cause::MEMORY, &mut report);
                } else if tree.processes == TREE {
                    end(cause::PROCESSES, &mut report);
                }
            }
            if limits.folder_size > 0 && size_of_files(folder) > limits.folder_size {
                end(cause::FILES, &mut report);
            }
        }
    }
    let mut usage = rusage::default();
    // SAFETY: the structures outlive the calls, and the child has not been reaped before.
    unsafe {
        // The group number cannot be reused while the leader is a zombie, so this kills its own group only.
        kill(-pid, SIGKILL);
        while wait4(pid, &mut report.status, 0, &mut usage) < 0 && errno() == EINTR {}
        close(pidfd);
    }
    // Measured after the system has freed the process, as a shell does.
    report.wall_ns = now() - start;
    report.cpu_us =
        ((usage.utime.sec + usage.stime.sec) * 1_000_000 + usage.utime.usec + usage.stime.usec) as u64;
    report.peak_kib = usage.maxrss as u64;
    report.orphans = reap_descendants(spared);
    (report, has_runner)
}

/// Kills and reaps every descendant of this process, which must be a subreaper. Returns how many there were.
///
/// The child `spared` is left alone; it must have no children.
pub fn reap_descendants(mut spared: Option<Spared>) -> u64 {
    let mut count = 0;
    loop {
        // SAFETY: `wait4` accepts null for what is not needed.
        let mut gone = unsafe { wait4(-1, core::ptr::null_mut(), WNOHANG, core::ptr::null_mut()) };
        if gone < 0 {
            return count;
        }
        if gone == 0 {
            let mut children = [0; TREE];
            let found = match spared {
                Some(spared) => children_in(spared.list, &mut children),
                // SAFETY: the call has no preconditions.
                None => children_of(unsafe { getpid() }, &mut children),
            };
            let children = &children[..found];
            match spared {
                // The list is truncated or unavailable. Without this child, `wait4` tells whether there are others.
                Some(spared) if !children.contains(&spared.pid) => {
                    // SAFETY: it has not been reaped, so the number is still its own.
                    unsafe { kill(spared.pid, SIGKILL) };
                }
                // Only this process removes children from the list, so none is missing.
                Some(_) if found == 1 => return count,
                _ => {
                    let spared = spared.map(|spared| spared.pid);
                    for child in children.iter().filter(|child| Some(**child) != spared) {
                        // SAFETY: children that have not been reaped keep their numbers.
                        unsafe { kill(*child, SIGKILL) };
                    }
                }
            }
            // Something was killed or will become a child of this process, so there is an end to wait for.
            // SAFETY: as above.
            gone = unsafe { wait4(-1, core::ptr::null_mut(), 0, core::ptr::null_mut()) };
        }
        if spared.is_some_and(|spared| spared.pid == gone) {
            // Its number may be reused.
            spared = None;
        } else if gone > 0 {
            count += 1;
        }
    }
}

/// Writes `prefix`, `number`, `middle`, `number` again if `again`, `suffix` and a NUL into `out`.
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

/// Opens a file for reading. The path must end with a NUL.
pub fn open_at(path: &[u8; 64]) -> c_int {
    debug_assert!(path.contains(&0));
    // SAFETY: the path ends with a NUL: `path_of` writes one, and no other function makes paths.
    unsafe {
        syscall(SYS_OPENAT, AT_FDCWD as i64, path.as_ptr(), (O_RDONLY | O_CLOEXEC) as i64, 0i64) as c_int
    }
}

/// Reads the numbers in the file at `path` into `numbers` and returns their count.
pub fn numbers_in(path: &[u8; 64], numbers: &mut [u64]) -> usize {
    let fd = open_at(path);
    let count = numbers_from(fd, numbers);
    // SAFETY: the descriptor is not used again.
    unsafe { close(fd) };
    count
}

/// Reads the numbers in an open file from its beginning into `numbers` and returns their count.
fn numbers_from(fd: c_int, numbers: &mut [u64]) -> usize {
    let (mut count, mut value, mut inside, mut offset) = (0, 0u64, false, 0);
    let mut chunk = [0u8; 1024];
    loop {
        // SAFETY: the chunk is valid for writes of its length.
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

/// The path of the list of a process's children.
pub fn path_of_children(pid: c_int) -> [u8; 64] {
    let mut path = [0; 64];
    path_of(b"/proc/", pid, b"/task/", true, b"/children", &mut path);
    path
}

fn children_of(pid: c_int, children: &mut [c_int; TREE]) -> usize {
    let list = open_at(&path_of_children(pid));
    let count = children_in(list, children);
    // SAFETY: the descriptor is not used again.
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

/// A process and its descendants.
struct Tree {
    root: c_int,
    /// The resident memory at the last measurement, in bytes.
    resident: u64,
    /// The number of processes then.
    processes: usize,
    /// The CPU time of the root at the last measurement, in nanoseconds.
    worked: u64,
}

impl Tree {
    /// Whether the memory may have changed since the last measurement. Most processes are idle between two scripts.
    fn has_worked(&mut self) -> bool {
        let mut time = timespec::default();
        // The number of a process's clock, as clock_getcpuclockid(3) computes it.
        // SAFETY: the structure outlives the call, which writes nothing else.
        let known = unsafe { clock_gettime((!self.root << 3) | 2, &mut time) } == 0;
        let worked = time.sec as u64 * 1_000_000_000 + time.nsec as u64;
        let idle = known && self.processes == 1 && worked == self.worked;
        self.worked = worked;
        !idle
    }

    /// Measures the memory.
    fn measure(&mut self) {
        (self.resident, self.processes) = resident_of_tree(self.root);
    }
}

/// The resident memory of `root` and its descendants in bytes, and the number of processes.
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
    // SAFETY: the call has no preconditions.
    let page = unsafe { getpagesize() };
    (pages * page as u64, filled)
}

/// The bytes of the files found so far. Only one thread counts.
static BYTES: AtomicU64 = AtomicU64::new(0);

/// The room that the files below a folder take on disk, in bytes. Every entry takes at least a block.
fn size_of_files(folder: *const c_char) -> u64 {
    BYTES.store(0, Relaxed);
    // SAFETY: the path ends with a NUL.
    unsafe { nftw(folder, add_file, 16, FTW_PHYS) };
    BYTES.load(Relaxed)
}

extern "C" fn add_file(_: *const c_char, stat: *const c_void, _: c_int, _: *mut c_void) -> c_int {
    // The offset of `st_blocks`, which counts 512 bytes each.
    // SAFETY: `nftw` passes a complete `struct stat`, which is larger.
    let blocks = unsafe { stat.cast::<u64>().add(8).read() };
    BYTES.fetch_add((blocks * 512).max(4096), Relaxed);
    0
}
