//! The stack of a process that dies by a signal: addresses on a line of its standard error, which the runner takes out again and
//! gives names to. Installed where the environment asks for it. What the process does is not changed: it dies by the same signal.

use crate::libc::*;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The variable that asks for stacks.
const ASKED: &core::ffi::CStr = c"ELENCHUS_STACKS";
/// The most addresses: some turns of a recursion through many functions.
const DEPTH: usize = 160;
/// The size of the stack that is left when the other one is used up.
const RESERVE: usize = 1 << 16;
/// The longest line: its mark, a word, and sixteen digits and a blank for each address.
const LINE: usize = 48 + 17 * DEPTH;
/// A fault this near to the end of the stack in use is one of a stack that is used up: no function has that many variables.
const NEAR: usize = 1 << 20;

/// Where the program itself is loaded.
static BASE: AtomicUsize = AtomicUsize::new(0);

/// Has the signals by which programs crash told with their stack.
pub fn install() {
    unsafe {
        if getenv(ASKED.as_ptr()).is_null() {
            return;
        }
        unsetenv(ASKED.as_ptr());
        dl_iterate_phdr(first_module, null_mut());
        // The first call loads what later ones need, which a dying process could not.
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

/// The program itself comes first.
extern "C" fn first_module(info: *const dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    BASE.store(unsafe { (*info).addr } as usize, Relaxed);
    1
}

/// Whether a signal came of a stack that is used up: what could not be reached stands where the stack was to grow.
fn is_overflow(signal: c_int, info: *const c_void, context: *const c_void) -> bool {
    // In `siginfo_t` the address comes third, after three numbers and a gap; in `ucontext_t` the stack pointer is a register.
    const ADDRESS: usize = 16;
    #[cfg(target_arch = "x86_64")]
    const STACK: usize = 160;
    #[cfg(target_arch = "aarch64")]
    const STACK: usize = 184 + 31 * 8;
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
        // It is sent again when this returns, and kills now; a fault would come by itself, a signal from elsewhere would not.
        kill(getpid(), signal);
    }
}
