//! The functions and constants of the C library that the native programs use. 64-bit Linux only.
//!
//! They are declared by hand because the build script compiles these programs without any crate.

#![allow(non_camel_case_types, dead_code)]

pub type c_int = i32;
pub type c_char = core::ffi::c_char;
pub type c_void = core::ffi::c_void;

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct timespec {
    pub sec: i64,
    pub nsec: i64,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct timeval {
    pub sec: i64,
    pub usec: i64,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rusage {
    pub utime: timeval,
    pub stime: timeval,
    pub maxrss: i64,
    pub rest: [i64; 13],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rlimit {
    pub soft: u64,
    pub hard: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct pollfd {
    pub fd: c_int,
    pub events: i16,
    pub revents: i16,
}

#[repr(C)]
pub struct iovec {
    pub base: *mut c_void,
    pub len: usize,
}

#[repr(C)]
pub struct msghdr {
    pub name: *mut c_void,
    pub namelen: u32,
    pub iov: *mut iovec,
    pub iovlen: usize,
    pub control: *mut c_void,
    pub controllen: usize,
    pub flags: c_int,
}

/// The C library's `struct sigaction`.
#[repr(C)]
pub struct sigaction_t {
    pub handler: usize,
    pub mask: [u64; 16],
    pub flags: c_int,
    pub restorer: usize,
}

/// The C library's `stack_t`.
#[repr(C)]
pub struct stack_t {
    pub start: *mut c_void,
    pub flags: c_int,
    pub size: usize,
}

/// The first fields of `struct dl_phdr_info`.
#[repr(C)]
pub struct dl_phdr_info {
    pub addr: u64,
    pub name: *const c_char,
    pub segments: *const segment_t,
    pub count: u16,
}

/// A program header of a module.
#[repr(C)]
pub struct segment_t {
    pub kind: u32,
    pub flags: u32,
    pub offset: u64,
    pub address: u64,
    pub physical_address: u64,
    pub file_size: u64,
    pub size: u64,
    pub alignment: u64,
}

pub const SA_SIGINFO: c_int = 4;
pub const SA_ONSTACK: c_int = 0x0800_0000;
pub const SA_NODEFER: c_int = 0x4000_0000;
pub const SA_RESETHAND: c_int = 0x8000_0000u32 as c_int;
pub const SIGILL: c_int = 4;
pub const SIGABRT: c_int = 6;
pub const SIGBUS: c_int = 7;
pub const SIGFPE: c_int = 8;
pub const SIGSEGV: c_int = 11;
pub const SIGTRAP: c_int = 5;
pub const PROT_READ: c_int = 1;
pub const PROT_WRITE: c_int = 2;
pub const PROT_EXEC: c_int = 4;
pub const MAP_SHARED: c_int = 1;
pub const MAP_PRIVATE: c_int = 2;
pub const MAP_FIXED: c_int = 16;
pub const MAP_ANONYMOUS: c_int = 32;
pub const MAP_FAILED: *mut c_void = -1isize as *mut c_void;
pub const MREMAP_MAYMOVE: c_int = 1;
pub const MREMAP_FIXED: c_int = 2;
pub const MADV_HUGEPAGE: c_int = 14;
pub const MADV_COLLAPSE: c_int = 25;
pub const PT_LOAD: u32 = 1;
pub const PF_X: u32 = 1;
pub const PF_W: u32 = 2;
pub const SEEK_END: c_int = 2;
pub const O_RDONLY: c_int = 0;
pub const O_RDWR: c_int = 2;
pub const O_CLOEXEC: c_int = 0o2000000;
pub const POLLIN: i16 = 1;
pub const SIGINT: c_int = 2;
pub const SIGHUP: c_int = 1;
pub const SIGQUIT: c_int = 3;
pub const SIGKILL: c_int = 9;
pub const SIGPIPE: c_int = 13;
pub const SIGTERM: c_int = 15;
pub const SIG_DFL: usize = 0;
pub const SIG_IGN: usize = 1;
pub const WNOHANG: c_int = 1;
pub const EINTR: c_int = 4;
pub const F_SETFD: c_int = 2;
pub const F_SETFL: c_int = 4;
pub const F_DUPFD_CLOEXEC: c_int = 1030;
pub const FD_CLOEXEC: c_int = 1;
pub const CLOCK_MONOTONIC: c_int = 1;
pub const PR_SET_PDEATHSIG: c_int = 1;
pub const PR_SET_NAME: c_int = 15;
pub const PR_SET_CHILD_SUBREAPER: c_int = 36;
pub const PR_SET_NO_NEW_PRIVS: c_int = 38;
pub const RLIMIT_CPU: c_int = 0;
pub const RLIMIT_FSIZE: c_int = 1;
pub const RLIMIT_CORE: c_int = 4;
pub const RLIMIT_NPROC: c_int = 6;
pub const RLIMIT_AS: c_int = 9;
pub const SYS_PIDFD_OPEN: i64 = 434;
pub const SYS_LANDLOCK_RESTRICT_SELF: i64 = 446;
pub const SECCOMP_SET_MODE_FILTER: i64 = 1;
pub const SECCOMP_FILTER_FLAG_SPEC_ALLOW: i64 = 4;
pub const CLONE_VM: c_int = 0x100;
pub const CLONE_VFORK: c_int = 0x4000;
pub const SIGCHLD: c_int = 17;
pub const AF_UNIX: c_int = 1;
pub const SOCK_STREAM: c_int = 1;
pub const SOCK_CLOEXEC: c_int = 0o2000000;
pub const MSG_CMSG_CLOEXEC: c_int = 0x4000_0000;
pub const MSG_NOSIGNAL: c_int = 0x4000;
pub const SOL_SOCKET: c_int = 1;
pub const SCM_RIGHTS: c_int = 1;
pub const RTLD_NEXT: *mut c_void = -1isize as *mut c_void;
pub const FTW_PHYS: c_int = 1;
pub const FTW_DEPTH: c_int = 8;
#[cfg(target_arch = "x86_64")]
pub const SYS_READ: i64 = 0;
#[cfg(target_arch = "aarch64")]
pub const SYS_READ: i64 = 63;
#[cfg(target_arch = "x86_64")]
pub const SYS_WRITE: i64 = 1;
#[cfg(target_arch = "aarch64")]
pub const SYS_WRITE: i64 = 64;
#[cfg(target_arch = "x86_64")]
pub const SYS_OPENAT: i64 = 257;
#[cfg(target_arch = "aarch64")]
pub const SYS_OPENAT: i64 = 56;
#[cfg(target_arch = "x86_64")]
pub const SYS_CAPSET: i64 = 126;
#[cfg(target_arch = "aarch64")]
pub const SYS_CAPSET: i64 = 91;
#[cfg(target_arch = "x86_64")]
pub const SYS_SECCOMP: i64 = 317;
#[cfg(target_arch = "aarch64")]
pub const SYS_SECCOMP: i64 = 277;
pub const AT_FDCWD: c_int = -100;

#[link(name = "c")]
// SAFETY: these are the signatures of the C library.
unsafe extern "C" {
    pub fn syscall(number: i64, ...) -> i64;
    pub fn pread(fd: c_int, buffer: *mut c_void, count: usize, offset: i64) -> isize;
    pub fn send(fd: c_int, buffer: *const c_void, count: usize, flags: c_int) -> isize;
    pub fn recvmsg(fd: c_int, message: *mut msghdr, flags: c_int) -> isize;
    pub fn socketpair(domain: c_int, kind: c_int, protocol: c_int, ends: *mut c_int) -> c_int;
    pub fn close(fd: c_int) -> c_int;
    pub fn dup2(old: c_int, new: c_int) -> c_int;
    pub fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    pub fn poll(fds: *mut pollfd, count: u64, timeout: c_int) -> c_int;
    pub fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut rusage) -> c_int;
    pub fn kill(pid: c_int, signal: c_int) -> c_int;
    pub fn setpgid(pid: c_int, group: c_int) -> c_int;
    pub fn getpid() -> c_int;
    pub fn getpagesize() -> c_int;
    pub fn getppid() -> c_int;
    pub fn prctl(option: c_int, ...) -> c_int;
    pub fn setrlimit(resource: c_int, limit: *const rlimit) -> c_int;
    pub fn chdir(path: *const c_char) -> c_int;
    pub fn execve(path: *const c_char, argv: *const *const c_char, envp: *const *const c_char) -> c_int;
    pub fn _exit(code: c_int) -> !;
    pub fn fork() -> c_int;
    pub fn clone(
        function: extern "C" fn(*mut c_void) -> c_int,
        stack: *mut c_void,
        flags: c_int,
        argument: *mut c_void,
        ...
    ) -> c_int;
    pub fn signal(number: c_int, handler: usize) -> usize;
    pub fn clock_gettime(clock: c_int, time: *mut timespec) -> c_int;
    pub fn malloc(size: usize) -> *mut c_void;
    pub fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    pub fn getenv(name: *const c_char) -> *const c_char;
    pub fn unsetenv(name: *const c_char) -> c_int;
    pub fn strcmp(a: *const c_char, b: *const c_char) -> c_int;
    pub fn strlen(text: *const c_char) -> usize;
    pub fn atoi(text: *const c_char) -> c_int;
    pub fn fflush(file: *mut c_void) -> c_int;
    pub fn fileno(file: *mut c_void) -> c_int;
    pub fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    pub fn remove(path: *const c_char) -> c_int;
    pub fn nftw(
        path: *const c_char,
        visit: extern "C" fn(*const c_char, *const c_void, c_int, *mut c_void) -> c_int,
        open_folders: c_int,
        flags: c_int,
    ) -> c_int;
    pub fn lseek(fd: c_int, offset: i64, whence: c_int) -> i64;
    pub fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        fd: c_int,
        offset: i64,
    ) -> *mut c_void;
    pub fn munmap(address: *mut c_void, length: usize) -> c_int;
    pub fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
    pub fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    pub fn mremap(old: *mut c_void, old_length: usize, length: usize, flags: c_int, ...) -> *mut c_void;
    pub fn sigaction(number: c_int, action: *const sigaction_t, old: *mut sigaction_t) -> c_int;
    pub fn dl_iterate_phdr(
        visit: extern "C" fn(*const dl_phdr_info, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    pub fn sigaltstack(new: *const stack_t, old: *mut stack_t) -> c_int;
    pub fn backtrace(frames: *mut *mut c_void, most: c_int) -> c_int;
    pub fn __errno_location() -> *mut c_int;
    pub static stdout: *mut c_void;
    pub static stderr: *mut c_void;
}

/// The error number of the last failed call.
pub fn errno() -> c_int {
    // SAFETY: the C library returns a valid pointer to this thread's number.
    unsafe { *__errno_location() }
}

/// Ends the process at once.
pub fn exit(code: c_int) -> ! {
    // SAFETY: the call has no preconditions and never returns.
    unsafe { _exit(code) }
}
