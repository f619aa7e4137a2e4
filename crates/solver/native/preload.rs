//! The preloaded library, which turns a release executable into a fork server.
//!
//! It replaces the C library's functions that open and read a file. The solver reads its input file as usual. The first read
//! returns a warm-up script, padded with blanks so that the solver's buffer is exactly full and the whole warm-up runs before
//! the next read. At that second read the server stops and forks: each child gets its own script as the rest of the file.
//!
//! If the runner asks for it, a child exits when it reads beyond its script, which is padded likewise: it has run everything
//! by then, and freeing all its memory would be a third of its work.
//!
//! A solver that reads the file in another way stops when it opens the file, loaded but cold. There the runner writes the
//! script into the file before it asks for a child.

#![no_std]

mod cover;
mod huge;
mod libc;
mod prefork;
mod protocol;
mod runtime;
mod serve;
mod stack;
mod supervise;

use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering::Relaxed};
use libc::*;
use serve::serve;

/// The state of the server: no read yet, warm-up read, or a child with its script.
mod stage {
    pub const FRESH: i32 = 0;
    pub const WARM: i32 = 1;
    pub const CHILD: i32 = 2;
}

/// The path of the solver's input; null if this process is no server.
static INPUT: AtomicPtr<c_char> = AtomicPtr::new(null_mut());
/// The warm-up script; null if the server stops when the file is opened.
static WARM_UP: AtomicPtr<c_char> = AtomicPtr::new(null_mut());
/// The size of the solver's input buffer in bytes.
static PADDING: AtomicUsize = AtomicUsize::new(0);
/// The descriptor of the opened input.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static STAGE: AtomicI32 = AtomicI32::new(stage::FRESH);
/// The unread part of a child's script.
static REST: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static REST_LENGTH: AtomicUsize = AtomicUsize::new(0);
/// Whether a child exits when it has read everything.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Reads the settings and removes them from the environment, so that programs of the solver do not become servers.
extern "C" fn set_up() {
    cover::install();
    stack::install();
    // SAFETY: the loader calls this before the program, with one thread. All names end with a NUL.
    unsafe {
        let input = getenv(c"ELENCHUS_SERVE_INPUT".as_ptr());
        if input.is_null() {
            // Loaded for coverage or stacks alone.
            unsetenv(c"LD_PRELOAD".as_ptr());
            close(protocol::PRELOAD_FD);
            return;
        }
        INPUT.store(copy(input), Relaxed);
        let warm_up = getenv(c"ELENCHUS_SERVE_WARM_UP".as_ptr());
        if !warm_up.is_null() {
            WARM_UP.store(copy(warm_up), Relaxed);
        }
        let padding = getenv(c"ELENCHUS_SERVE_BUFFER".as_ptr());
        if !padding.is_null() {
            PADDING.store(atoi(padding).max(0) as usize, Relaxed);
        }
        for name in
            [c"LD_PRELOAD", c"ELENCHUS_SERVE_INPUT", c"ELENCHUS_SERVE_WARM_UP", c"ELENCHUS_SERVE_BUFFER"]
        {
            unsetenv(name.as_ptr());
        }
        close(protocol::PRELOAD_FD);
        fcntl(protocol::SERVER_FD, F_SETFD, FD_CLOEXEC);
    }
}

/// Makes the loader call [`set_up`] before the solver starts.
#[used]
#[unsafe(link_section = ".init_array")]
static SET_UP: extern "C" fn() = set_up;

/// Copies a string to memory that is never freed.
///
/// # Safety
/// `text` must end with a NUL.
unsafe fn copy(text: *const c_char) -> *mut c_char {
    // SAFETY: the caller vouches for the text, and the copy has the same length.
    unsafe {
        let length = strlen(text) + 1;
        let copied: *mut c_char = malloc(length).cast();
        if copied.is_null() {
            exit(71);
        }
        core::ptr::copy_nonoverlapping(text, copied, length);
        copied
    }
}

/// Whether `path` is the path of the solver's input.
///
/// # Safety
/// `path` must be null or end with a NUL.
unsafe fn is_input(path: *const c_char) -> bool {
    let input = INPUT.load(Relaxed);
    // SAFETY: both end with a NUL.
    !input.is_null() && !path.is_null() && unsafe { strcmp(path, input) } == 0
}

/// Becomes the server, and returns in each child.
fn stop_and_serve() {
    STAGE.store(stage::CHILD, Relaxed);
    cover::save_hits();
    let query = serve();
    cover::restore_hits();
    REST.store(query.start.cast_mut(), Relaxed);
    REST_LENGTH.store(query.length, Relaxed);
    ENDS.store(query.ends, Relaxed);
}

/// Called before the input is opened.
fn before_open() {
    if WARM_UP.load(Relaxed).is_null() && STAGE.load(Relaxed) == stage::FRESH {
        stop_and_serve();
    }
}

/// Called with the descriptor of the opened input.
fn after_open(fd: c_int) {
    if !WARM_UP.load(Relaxed).is_null() && fd >= 0 {
        DESCRIPTOR.store(fd, Relaxed);
    }
}

/// Returns the warm-up with its padding, or as much of it as fits.
///
/// # Safety
/// `buffer` must be valid for writes of `count` bytes.
unsafe fn give_warm_up(buffer: *mut u8, count: usize) -> isize {
    let warm_up: *const u8 = WARM_UP.load(Relaxed).cast();
    let total = PADDING.load(Relaxed).min(count);
    // SAFETY: the warm-up ends with a NUL, and the buffer has room for `total` bytes.
    unsafe {
        let length = strlen(warm_up.cast()).min(total);
        core::ptr::write_bytes(buffer, b' ', total);
        core::ptr::copy_nonoverlapping(warm_up, buffer, length);
    }
    STAGE.store(stage::WARM, Relaxed);
    total as isize
}

/// Replaces the C library's `read`.
///
/// # Safety
/// As for `read` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    if fd < 0 || fd != DESCRIPTOR.load(Relaxed) {
        // SAFETY: the arguments are those of the caller.
        return unsafe { syscall(SYS_READ, fd as i64, buffer, count) } as isize;
    }
    if STAGE.load(Relaxed) == stage::FRESH {
        // SAFETY: the caller vouches for the buffer.
        return unsafe { give_warm_up(buffer.cast(), count) };
    }
    if STAGE.load(Relaxed) == stage::WARM {
        stop_and_serve();
    }
    let (rest, length) = (REST.load(Relaxed), REST_LENGTH.load(Relaxed));
    if length == 0 && ENDS.load(Relaxed) {
        // SAFETY: null stands for all streams.
        unsafe { fflush(null_mut()) };
        exit(protocol::READ_ALL);
    }
    let part = length.min(count);
    if part > 0 {
        // SAFETY: the script has `length` bytes left, and the buffer has room for `count`.
        unsafe { core::ptr::copy_nonoverlapping(rest.cast_const(), buffer.cast(), part) };
        REST.store(rest.wrapping_add(part), Relaxed);
        REST_LENGTH.store(length - part, Relaxed);
    }
    part as isize
}

/// Replaces the checked form of `read`, which fortified programs call.
///
/// # Safety
/// As for `read` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __read_chk(fd: c_int, buffer: *mut c_void, count: usize, _size: usize) -> isize {
    // SAFETY: the arguments are those of the caller.
    unsafe { read(fd, buffer, count) }
}

/// Opens a file by the raw call, and stops before and after if it is the input.
///
/// # Safety
/// As for `open` itself.
unsafe fn open_file(path: *const c_char, flags: c_int, mode: u32) -> c_int {
    // SAFETY: the path is that of the caller.
    let ours = unsafe { is_input(path) };
    if ours {
        before_open();
    }
    // SAFETY: the arguments are those of the caller.
    let fd = unsafe { syscall(SYS_OPENAT, AT_FDCWD as i64, path, flags as i64, mode as i64) } as c_int;
    if ours {
        after_open(fd);
    }
    fd
}

/// Replaces the C library's `open`. Its optional third argument is always in the same register.
///
/// # Safety
/// As for `open` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: u32) -> c_int {
    // SAFETY: the arguments are those of the caller.
    unsafe { open_file(path, flags, mode) }
}

/// Replaces the C library's `open64`.
///
/// # Safety
/// As for `open` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: u32) -> c_int {
    // SAFETY: the arguments are those of the caller.
    unsafe { open_file(path, flags, mode) }
}

type OpenStream = extern "C" fn(*const c_char, *const c_char) -> *mut c_void;

/// Opens a stream by the C library's function `name`, and stops before and after if it is the input.
///
/// # Safety
/// As for `fopen` itself.
unsafe fn open_stream(name: &core::ffi::CStr, path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the name ends with a NUL.
    let real = unsafe { dlsym(RTLD_NEXT, name.as_ptr()) };
    if real == null::<c_void>().cast_mut() {
        return null_mut();
    }
    // SAFETY: the C library's function of this name has this type.
    let real: OpenStream = unsafe { core::mem::transmute(real) };
    // SAFETY: the path is that of the caller.
    let ours = unsafe { is_input(path) };
    if ours {
        before_open();
    }
    let stream = real(path, mode);
    if ours && !stream.is_null() {
        // SAFETY: the stream was just opened.
        after_open(unsafe { fileno(stream) });
    }
    stream
}

/// Replaces the C library's `fopen`.
///
/// # Safety
/// As for `fopen` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the arguments are those of the caller.
    unsafe { open_stream(c"fopen", path, mode) }
}

/// Replaces the C library's `fopen64`.
///
/// # Safety
/// As for `fopen` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen64(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the arguments are those of the caller.
    unsafe { open_stream(c"fopen64", path, mode) }
}
