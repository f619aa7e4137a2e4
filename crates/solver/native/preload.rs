//! The library that turns a release executable into a fork server. It is loaded into the solver before all others and
//! stands in for the C library's functions that open and read a file. The solver reads its input file as always; the
//! first thing it gets is a warm-up script, padded with blanks so that the solver's stream buffer is exactly full and
//! the whole warm-up is carried out before it asks for more. That second request is where the server stops and forks:
//! each child gets its own script as the rest of the file.
//!
//! Where the runner asks for it, a child is ended when it asks for more after its script, which is padded likewise: it has
//! carried everything out by then, and taking all its memory apart would be a third of its work.
//!
//! Solvers that look at the file in another way are stopped at its first opening instead, cold but loaded; there the
//! runner writes the script into the file before it asks for a child.

#![no_std]

mod cover;
mod huge;
mod libc;
mod protocol;
mod runtime;
mod serve;
mod spare;
mod stack;
mod supervise;

use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering::Relaxed};
use libc::*;
use serve::serve;

/// Where the server stands: not yet asked for input, warm-up handed over, or a child with its script.
mod stage {
    pub const FRESH: i32 = 0;
    pub const WARM: i32 = 1;
    pub const CHILD: i32 = 2;
}

/// The input path that the solver was started with; null if this process is not to serve.
static INPUT: AtomicPtr<c_char> = AtomicPtr::new(null_mut());
/// The warm-up script; null if the server stops at the opening of the file.
static WARM_UP: AtomicPtr<c_char> = AtomicPtr::new(null_mut());
/// The size of the solver's stream buffer.
static PADDING: AtomicUsize = AtomicUsize::new(0);
/// The descriptor of the opened input.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static STAGE: AtomicI32 = AtomicI32::new(stage::FRESH);
/// What a child has still to read.
static REST: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static REST_LENGTH: AtomicUsize = AtomicUsize::new(0);
/// Whether a child is ended when it has read everything.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Reads the settings and takes them out of the environment, so that nothing the solver starts is a server too.
extern "C" fn set_up() {
    cover::install();
    stack::install();
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

/// Makes the loader call [`set_up`] before the solver's own start.
#[used]
#[unsafe(link_section = ".init_array")]
static SET_UP: extern "C" fn() = set_up;

fn copy(text: *const c_char) -> *mut c_char {
    unsafe {
        let length = strlen(text) + 1;
        let place: *mut c_char = malloc(length).cast();
        if place.is_null() {
            _exit(71);
        }
        core::ptr::copy_nonoverlapping(text, place, length);
        place
    }
}

fn is_input(path: *const c_char) -> bool {
    let input = INPUT.load(Relaxed);
    !input.is_null() && !path.is_null() && unsafe { strcmp(path, input) } == 0
}

/// Becomes the server; goes on in each child.
fn stop_and_serve() {
    STAGE.store(stage::CHILD, Relaxed);
    cover::remember();
    let query = serve();
    cover::recall();
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

/// Hands out the warm-up with its padding, or as much of it as the solver's buffer takes.
fn give_warm_up(buffer: *mut u8, count: usize) -> isize {
    let warm_up: *const u8 = WARM_UP.load(Relaxed).cast();
    let total = PADDING.load(Relaxed).min(count);
    let length = unsafe { strlen(warm_up.cast()) }.min(total);
    unsafe {
        core::ptr::write_bytes(buffer, b' ', total);
        core::ptr::copy_nonoverlapping(warm_up, buffer, length);
    }
    STAGE.store(stage::WARM, Relaxed);
    total as isize
}

/// Stands in for the C library's `read`.
///
/// # Safety
/// As for `read` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize {
    if fd < 0 || fd != DESCRIPTOR.load(Relaxed) {
        return unsafe { syscall(SYS_READ, fd as i64, buffer, count) } as isize;
    }
    if STAGE.load(Relaxed) == stage::FRESH {
        return give_warm_up(buffer.cast(), count);
    }
    if STAGE.load(Relaxed) == stage::WARM {
        stop_and_serve();
    }
    let (rest, length) = (REST.load(Relaxed), REST_LENGTH.load(Relaxed));
    if length == 0 && ENDS.load(Relaxed) {
        unsafe {
            fflush(null_mut());
            _exit(protocol::READ_ALL);
        }
    }
    let part = length.min(count);
    if part > 0 {
        unsafe { core::ptr::copy_nonoverlapping(rest.cast_const(), buffer.cast(), part) };
        REST.store(rest.wrapping_add(part), Relaxed);
        REST_LENGTH.store(length - part, Relaxed);
    }
    part as isize
}

/// Stands in for the checked form of `read`, which fortified programs call.
///
/// # Safety
/// As for `read` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __read_chk(fd: c_int, buffer: *mut c_void, count: usize, _size: usize) -> isize {
    unsafe { read(fd, buffer, count) }
}

fn open_at_last(path: *const c_char, flags: c_int, mode: u32) -> c_int {
    let ours = is_input(path);
    if ours {
        before_open();
    }
    let fd = unsafe { syscall(SYS_OPENAT, AT_FDCWD as i64, path, flags as i64, mode as i64) } as c_int;
    if ours {
        after_open(fd);
    }
    fd
}

/// Stands in for the C library's `open`, whose third argument comes in the same place whether it is given or not.
///
/// # Safety
/// As for `open` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: u32) -> c_int {
    open_at_last(path, flags, mode)
}

/// Stands in for the C library's `open64`.
///
/// # Safety
/// As for `open` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: u32) -> c_int {
    open_at_last(path, flags, mode)
}

type OpenStream = extern "C" fn(*const c_char, *const c_char) -> *mut c_void;

fn open_stream(name: &core::ffi::CStr, path: *const c_char, mode: *const c_char) -> *mut c_void {
    let real = unsafe { dlsym(RTLD_NEXT, name.as_ptr()) };
    if real == null::<c_void>().cast_mut() {
        return null_mut();
    }
    // The C library's own function of this name has this type.
    let real: OpenStream = unsafe { core::mem::transmute(real) };
    let ours = is_input(path);
    if ours {
        before_open();
    }
    let stream = real(path, mode);
    if ours && !stream.is_null() {
        after_open(unsafe { fileno(stream) });
    }
    stream
}

/// Stands in for the C library's `fopen`.
///
/// # Safety
/// As for `fopen` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> *mut c_void {
    open_stream(c"fopen", path, mode)
}

/// Stands in for the C library's `fopen64`.
///
/// # Safety
/// As for `fopen` itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen64(path: *const c_char, mode: *const c_char) -> *mut c_void {
    open_stream(c"fopen64", path, mode)
}
