//! What a program without the standard library must provide.

/// Ends the process. The runner sees the exit code.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    crate::libc::exit(70)
}

/// Referenced by the unwind tables of the core library, and never called: nothing here unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
