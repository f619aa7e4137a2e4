//! Prints the stack of a process that dies by a signal: one line of addresses on standard error, which the runner removes
//! and symbolizes.
//!
//! Active only if the environment asks for it. The process still dies by the same signal.

use crate::libc::*;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The variable that turns this on.
const ASKED: &core::ffi::CStr = c"ELENCHUS_STACKS";
/// The maximal number of addresses: some rounds of a recursion through many functions.
const DEPTH: usize = 160;
/// The size in bytes of the alternative stack, for when the main one has overflowed.
const RESERVE: usize = 1 << 16;
/// The maximal length of the line: its prefix, a word, and sixteen digits and a blank for each address.
const LINE: usize = 48 + 17 * DEPTH;
/// A fault this close to the stack pointer is a stack overflow: no function has larger variables.
const NEAR: usize = 1 << 20;

/// The address at which the program itself is loaded.
static BASE: AtomicUsize = AtomicUsize::new(0);

/// Installs the handler for the signals of crashes.
pub fn install() {
    // This runs before the program, with one thread.
    // SAFETY: the alternative stack is never freed, and the handler has the type that `SA_SIGINFO` requires.
    unsafe {
        if getenv(ASKED.as_ptr()).is_null() {
            return;
        }
        unsetenv(ASKED.as_ptr());
        dl_iterate_phdr(first_module, null_mut());
        // The first call loads a library, which a dying process could not do.
        let mut frame = null_mut();
        backtrace(&raw mut frame, 1);
        let reserve = stack_t { start: malloc(RESERVE), flags: 0, size: RESERVE };
        if reserve.start.is_null() {
            return;
        }
        sigaltstack(&raw const reserve, null_mut());
        let action = sigaction_t {
            handler: died as *const () as usize,
            mask: [0; 16],
            flags: SA_ONSTACK | SA_RESETHAND | SA_SIGINFO,
            restorer: 0,
        };
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT] {
            sigaction(signal, &action, null_mut());
        }
    }
}

/// Stores the address of the first module, which is the program itself.
extern "C" fn first_module(info: *const dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description.
    let address = unsafe { (*info).addr };
    BASE.store(address as usize, Relaxed);
    1
}

/// Whether the signal is a stack overflow: the address of the fault is close to the stack pointer.
///
/// # Safety
/// `info` and `context` must come from a signal handler.
unsafe fn is_overflow(signal: c_int, info: *const c_void, context: *const c_void) -> bool {
    // The offset of the address in `siginfo_t`, and of the stack pointer in `ucontext_t`.
    const ADDRESS: usize = 16;
    #[cfg(target_arch = "x86_64")]
    const STACK: usize = 160;
    #[cfg(target_arch = "aarch64")]
    const STACK: usize = 184 + 31 * 8;
    // SAFETY: both offsets are inside of the structures that the kernel passes.
    let word = |start: *const c_void, at: usize| unsafe { *start.byte_add(at).cast::<usize>() };
    signal == SIGSEGV && word(info, ADDRESS).abs_diff(word(context, STACK)) < NEAR
}

extern "C" fn died(signal: c_int, info: *const c_void, context: *const c_void) {
    let mut frames = [null_mut(); DEPTH];
    let mut line = [0u8; LINE];
    let mut length = 0;
    let mut put = |byte: u8| {
        line[length] = byte;
        length += 1;
    };
    // `backtrace` was called before, so it allocates nothing. The other calls are allowed in signal handlers.
    // SAFETY: the buffers are as large as stated, and `LINE` has room for all that is put.
    unsafe {
        let count = backtrace(frames.as_mut_ptr(), DEPTH as c_int).max(0) as usize;
        b"\nelenchus-stack:".iter().for_each(|&byte| put(byte));
        if is_overflow(signal, info, context) {
            b" overflow".iter().for_each(|&byte| put(byte));
        }
        for &frame in &frames[..count] {
            put(b' ');
            let address = (frame as usize).wrapping_sub(BASE.load(Relaxed));
            for digit in (0..16).rev() {
                put(b"0123456789abcdef"[address >> (4 * digit) & 15]);
            }
        }
        put(b'\n');
        syscall(SYS_WRITE, 2i64, line.as_ptr(), length);
        // The handler is reset, so the same signal kills the process now. A fault would recur, but a signal from outside not.
        kill(getpid(), signal);
    }
}
