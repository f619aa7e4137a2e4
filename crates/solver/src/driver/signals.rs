//! Makes a driver die like the real executable: crashes are signals, and time limits end the process.

use std::os::raw::c_int;

/// The messages of the handler. They are constant, since a handler must not allocate.
const SEGFAULT: &[u8] = b"cvc5 suffered a segfault.\n";
const ILLEGAL: &[u8] = b"cvc5 executed an illegal instruction.\n";
const INTERRUPTED: &[u8] = b"cvc5 interrupted by user.\n";
const TERMINATED: &[u8] = b"cvc5 interrupted by SIGTERM.\n";
const TIMEOUT: &[u8] = b"cvc5 interrupted by timeout.\n";

extern "C" fn report(signal: c_int) {
    let text = match signal {
        libc::SIGSEGV | libc::SIGBUS => SEGFAULT,
        libc::SIGILL => ILLEGAL,
        libc::SIGINT => INTERRUPTED,
        libc::SIGALRM => TIMEOUT,
        _ => TERMINATED,
    };
    let deadly = if signal == libc::SIGALRM { libc::SIGABRT } else { signal };
    // SAFETY: these calls are allowed in signal handlers, and the text is static.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
        libc::signal(deadly, libc::SIG_DFL);
        libc::raise(deadly);
    }
}

/// Replaces the signal handlers of the Rust runtime, so that a crash of the library ends the process by that signal, with a
/// message on standard error.
pub fn install() {
    // After a stack overflow the handler runs on the alternative stack of the Rust runtime (`SA_ONSTACK`).
    // SAFETY: the handler only makes calls that are allowed in handlers.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = report as extern "C" fn(c_int) as usize;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER;
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGINT, libc::SIGTERM, libc::SIGALRM]
        {
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// Ends the process with a timeout after this wall-clock time.
pub fn limit_time(milliseconds: u64) {
    let timer = libc::itimerval {
        it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
        it_value: libc::timeval {
            tv_sec: (milliseconds / 1000).try_into().unwrap_or(libc::time_t::MAX),
            tv_usec: ((milliseconds % 1000) * 1000) as libc::suseconds_t,
        },
    };
    // SAFETY: the structure outlives the call.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, std::ptr::null_mut()) };
}
