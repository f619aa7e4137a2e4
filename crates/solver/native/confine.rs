//! Confines a child before it becomes a solver: no privileges, no files but its own, no network, few processes.

use super::libc::*;
use super::supervise::numbers_in;

/// An instruction of the classic Berkeley Packet Filter.
#[repr(C)]
#[derive(Clone, Copy)]
struct Instruction {
    code: u16,
    if_true: u8,
    if_false: u8,
    value: u32,
}

/// The kernel's `struct sock_fprog`.
#[repr(C)]
struct Program {
    length: u16,
    filter: *const Instruction,
}

const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
// Offsets in the kernel's `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
/// System calls of the x32 ABI have this bit.
const X32: u32 = 0x4000_0000;

/// The tables of system calls of 64-bit programs and of 32-bit programs on the same machine.
#[cfg(target_arch = "x86_64")]
mod table {
    pub const NATIVE: u32 = 0xc000_003e;
    pub const SOCKET: u32 = 41;
    pub const KILL: u32 = 62;
    pub const OTHER: u32 = 0x4000_0003;
    pub const OTHER_SOCKET: u32 = 359;
}
#[cfg(target_arch = "aarch64")]
mod table {
    pub const NATIVE: u32 = 0xc000_00b7;
    pub const SOCKET: u32 = 198;
    pub const KILL: u32 = 129;
    pub const OTHER: u32 = 0x4000_0028;
    pub const OTHER_SOCKET: u32 = 281;
}
use table::*;
/// The same number everywhere. The interface can create sockets.
const IO_URING_SETUP: u32 = 425;
/// Creates sockets in old 32-bit programs.
const OTHER_SOCKETCALL: u32 = 102;

/// The index of the instruction that allows a system call, and of the one that refuses it with `EACCES`.
const ALLOW: usize = 14;
const DENY: usize = 15;

const fn load(offset: u32) -> Instruction {
    Instruction { code: LOAD, if_true: 0, if_false: 0, value: offset }
}

/// A jump at the index `at`.
const fn jump(at: usize, code: u16, value: u32, yes: usize, no: usize) -> Instruction {
    Instruction { code, if_true: (yes - at - 1) as u8, if_false: (no - at - 1) as u8, value }
}

/// Refuses sockets, which leaves pairs of sockets inside the solver, and signals to every process of the user.
static FILTER: [Instruction; 16] = [
    load(ARCHITECTURE),
    jump(1, JUMP_EQUAL, NATIVE, 2, 9),
    load(NUMBER),
    jump(3, JUMP_AT_LEAST, X32, DENY, 4),
    jump(4, JUMP_EQUAL, SOCKET, DENY, 5),
    jump(5, JUMP_EQUAL, IO_URING_SETUP, DENY, 6),
    jump(6, JUMP_EQUAL, KILL, 7, ALLOW),
    load(FIRST_ARGUMENT),
    jump(8, JUMP_EQUAL, u32::MAX, DENY, ALLOW),
    jump(9, JUMP_EQUAL, OTHER, 10, ALLOW),
    load(NUMBER),
    jump(11, JUMP_EQUAL, OTHER_SOCKETCALL, DENY, 12),
    jump(12, JUMP_EQUAL, OTHER_SOCKET, DENY, 13),
    jump(13, JUMP_EQUAL, IO_URING_SETUP, DENY, ALLOW),
    Instruction { code: RETURN, if_true: 0, if_false: 0, value: 0x7fff_0000 },
    Instruction { code: RETURN, if_true: 0, if_false: 0, value: 0x0005_0000 | 13 },
];

/// How many processes and threads the user may have besides those that run now. The limit counts all of them, so it is far above
/// what a solver needs.
const MORE_PROCESSES: u64 = 2048;

/// The kernel's `struct __user_cap_header_struct`, and the version with two sets of 32 capabilities.
#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: c_int,
}
const CAPABILITY_VERSION: u32 = 0x2008_0522;

/// Confines this process and its descendants for ever. `ruleset` lists the files that it may use; negative if the kernel has no
/// Landlock. Returns false if that failed.
pub fn confine(ruleset: c_int) -> bool {
    let program = Program { length: FILTER.len() as u16, filter: FILTER.as_ptr() };
    // SAFETY: the calls take numbers, and a filter that outlives them.
    unsafe {
        if prctl(PR_SET_NO_NEW_PRIVS, 1u64, 0u64, 0u64, 0u64) != 0 {
            return false;
        }
        // The superuser's program has no rights that another user's would not have. Without new privileges it stays so.
        let header = CapabilityHeader { version: CAPABILITY_VERSION, pid: 0 };
        let none = [0u32; 6];
        if syscall(SYS_CAPSET, &raw const header, &raw const none) != 0 {
            return false;
        }
        // A kernel without filters runs the solver all the same; `solver doctor` says so.
        syscall(SYS_SECCOMP, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &raw const program);
    }
    limit_processes();
    // SAFETY: the call takes numbers only.
    ruleset < 0 || unsafe { syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset as i64, 0i64) } == 0
}

/// Limits the number of processes of the user. Does not bind the superuser.
fn limit_processes() {
    let mut path = [0; 64];
    path[..13].copy_from_slice(b"/proc/loadavg");
    // As in `0.10 0.20 0.30 2/813 4711`, where 813 is the number of processes and threads.
    let mut numbers = [0; 8];
    if numbers_in(&path, &mut numbers) == numbers.len() {
        let limit = rlimit { soft: numbers[7] + MORE_PROCESSES, hard: numbers[7] + MORE_PROCESSES };
        // SAFETY: the structure outlives the call, which fails if the limit is lower already.
        unsafe { setrlimit(RLIMIT_NPROC, &limit) };
    }
}
