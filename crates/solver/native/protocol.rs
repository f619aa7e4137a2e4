//! The messages between a runner, the supervisor process and a fork server. They never leave the machine, so they
//! are plain structures in native byte order. This file is compiled into all three programs, each of which uses a part of it.

#![allow(dead_code)]

/// What a message asks for or says; the first word of every [`Header`].
pub mod kind {
    /// To the supervisor: start a program. Followed by [`super::Limits`], [`super::Start`] and its strings.
    pub const START: u32 = 1;
    /// To the supervisor or a fork server: end the running program now. Nothing follows.
    pub const KILL: u32 = 2;
    /// To the supervisor: the folder to remove when the runner is gone. Followed by its path.
    pub const FOLDER: u32 = 3;
    /// To a fork server: fork a child on a script. Followed by [`super::Limits`] and the script. If `value` is 1, the child
    /// is ended with [`super::READ_ALL`] when it has read the whole script and asks for more.
    pub const QUERY: u32 = 4;
    /// From the supervisor: the program runs; `value` is its process id.
    pub const STARTED: u32 = 5;
    /// From the supervisor: the program could not be started; `value` is the error number.
    pub const FAILED: u32 = 6;
    /// From a fork server: it is warm and waits for queries.
    pub const READY: u32 = 7;
    /// From the supervisor or a fork server: the program and all that it started are gone. Followed by [`super::Report`].
    pub const REPORT: u32 = 8;
}

/// Why a program ended, the `cause` of a [`Report`].
pub mod cause {
    /// By itself, or by a signal from elsewhere.
    pub const OWN: u32 = 0;
    /// The wall-clock limit passed.
    pub const WALL: u32 = 1;
    /// The resident memory of the process tree passed its limit.
    pub const MEMORY: u32 = 2;
    /// The runner asked for its end.
    pub const ASKED: u32 = 3;
}

/// The start of every message: its kind, a small value, and how many bytes follow.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Header {
    pub kind: u32,
    pub value: u32,
    pub length: u64,
}

/// What a program may use; 0 means no limit.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// Wall-clock time in milliseconds.
    pub wall_ms: u64,
    /// CPU time in seconds.
    pub cpu_s: u64,
    /// Address space in bytes, of each process.
    pub address_space: u64,
    /// Resident memory in bytes, of the whole process tree.
    pub resident: u64,
    /// Size in bytes of any file that is written.
    pub file_size: u64,
}

/// How many NUL-terminated strings follow in a `START` message, after the program and the working folder.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Start {
    pub arguments: u32,
    pub variables: u32,
    /// Whether a descriptor for standard input is attached.
    pub with_stdin: u32,
    /// Whether a descriptor for a fork server's socket is attached; it becomes [`SERVER_FD`].
    pub with_server: u32,
    /// Whether a descriptor of the preloaded library is attached; it becomes [`PRELOAD_FD`].
    pub with_preload: u32,
    pub reserved: u32,
}

/// How a program ended and what it used.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Report {
    /// The status as `wait4` gives it.
    pub status: i32,
    /// One of [`cause`].
    pub cause: u32,
    /// From the start to the end, in nanoseconds.
    pub wall_ns: u64,
    /// User and system time of the program and of the children it waited for, in microseconds.
    pub cpu_us: u64,
    /// The largest resident size in KiB.
    pub peak_kib: u64,
    /// How many processes had outlived the program and were killed.
    pub stragglers: u64,
}

/// The exit code of a child that was ended when it had read its whole script.
pub const READ_ALL: i32 = 173;
/// The descriptor on which a fork server finds its socket.
pub const SERVER_FD: i32 = 198;
/// The descriptor under which the preloaded library stands open while the solver is loaded.
pub const PRELOAD_FD: i32 = 199;
