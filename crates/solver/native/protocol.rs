//! The messages between a runner, the supervisor process and a fork server.
//!
//! They never leave the machine, so they are plain structures in native byte order. This file is compiled into all three
//! programs, and each uses a part of it.

#![allow(dead_code)]

/// The kinds of messages, the first word of every [`Header`].
pub mod kind {
    /// To the supervisor: start a program. Followed by [`super::Limits`], [`super::Start`] and its strings.
    pub const START: u32 = 1;
    /// To the supervisor or a fork server: kill the running program. Nothing follows.
    pub const KILL: u32 = 2;
    /// To the supervisor: the folder to remove when the runner is gone. Followed by its path.
    pub const FOLDER: u32 = 3;
    /// To a fork server: run a script in a child. Followed by [`super::Limits`] and the script. If `value` is 1, the child
    /// exits with [`super::READ_ALL`] when it tries to read beyond the script.
    pub const QUERY: u32 = 4;
    /// From the supervisor: the program has started; `value` is its process id.
    pub const STARTED: u32 = 5;
    /// From the supervisor: the program did not start; `value` is the error number.
    pub const FAILED: u32 = 6;
    /// From a fork server: it is ready for queries.
    pub const READY: u32 = 7;
    /// From the supervisor or a fork server: the program and all its descendants are gone. Followed by [`super::Report`].
    pub const REPORT: u32 = 8;
}

/// Why a program ended, the `cause` of a [`Report`].
pub mod cause {
    /// By itself, or by a signal of another process.
    pub const OWN: u32 = 0;
    /// It reached its wall-clock limit.
    pub const WALL: u32 = 1;
    /// The process tree reached its limit on resident memory.
    pub const MEMORY: u32 = 2;
    /// The runner asked to kill it.
    pub const ASKED: u32 = 3;
    /// The files in its working folder reached their limit.
    pub const FILES: u32 = 4;
    /// The process tree has too many processes.
    pub const PROCESSES: u32 = 5;
}

/// The head of every message: its kind, a small value, and the number of bytes that follow.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Header {
    pub kind: u32,
    pub value: u32,
    pub length: u64,
}

/// The limits of a program; 0 means no limit.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// Wall-clock time in milliseconds.
    pub wall_ms: u64,
    /// CPU time in seconds.
    pub cpu_s: u64,
    /// Address space of each process in bytes.
    pub address_space: u64,
    /// Resident memory of the process tree in bytes.
    pub resident: u64,
    /// Size of a written file in bytes.
    pub file_size: u64,
    /// Size of all files in the working folder in bytes.
    pub folder_size: u64,
}

/// The number of NUL-terminated strings in a `START` message after the program and the working folder.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Start {
    pub arguments: u32,
    pub variables: u32,
    /// Whether the descriptor of standard input is attached.
    pub with_stdin: u32,
    /// Whether the descriptor of a fork server's socket is attached; it becomes [`SERVER_FD`].
    pub with_server: u32,
    /// Whether the descriptor of the preloaded library is attached; it becomes [`PRELOAD_FD`].
    pub with_preload: u32,
    /// Whether the descriptors of function coverage are attached; they become [`COVER_PLAN_FD`] and [`COVER_MAP_FD`].
    pub with_coverage: u32,
    /// Whether the descriptor of a Landlock ruleset is attached.
    pub with_ruleset: u32,
    /// Whether the program is confined.
    pub confined: u32,
}

/// How a program ended, and its resource usage.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Report {
    /// The status of `wait4`.
    pub status: i32,
    /// One of [`cause`].
    pub cause: u32,
    /// Wall-clock time in nanoseconds.
    pub wall_ns: u64,
    /// User and system time of the program and the children it waited for, in microseconds.
    pub cpu_us: u64,
    /// Peak resident memory in KiB.
    pub peak_kib: u64,
    /// The number of processes that outlived the program and were killed.
    pub orphans: u64,
}

/// The exit code of a child that ended after it had read its whole script.
pub const READ_ALL: i32 = 173;
/// The descriptor of a fork server's socket.
pub const SERVER_FD: i32 = 198;
/// The descriptor of the preloaded library while the solver is loaded.
pub const PRELOAD_FD: i32 = 199;
/// The descriptor of the functions to watch, until the breakpoints are set.
pub const COVER_PLAN_FD: i32 = 200;
/// The descriptor of the functions that were reached, until then.
pub const COVER_MAP_FD: i32 = 201;
