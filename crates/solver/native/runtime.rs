//! What a program without the standard library must bring along.

/// Ends the process: there is nobody to tell, and the runner sees the exit code.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { crate::libc::_exit(70) }
}

/// Named by the unwind tables of the core library, never called: nothing here unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
