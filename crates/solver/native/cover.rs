//! Function coverage of an unmodified program: a breakpoint at the first instruction of every function, removed at its first hit.
//!
//! The addresses come from a file that the runner writes (see `src/coverage/plan.rs`). Hits go to a second file, one byte
//! per function, which both sides map. Both files are open when the program starts. On other processors than 64-bit x86 nothing is installed.
//!
//! Used by the preloaded library for executables, and by drivers after they have loaded a solver's library.

#![allow(dead_code)]

use super::libc::*;
use super::protocol::{COVER_MAP_FD, COVER_PLAN_FD};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// The variable that is set if there is a plan.
pub const ENABLED: &core::ffi::CStr = c"ELENCHUS_COVER";

/// The first word of a plan.
pub const MAGIC: u64 = 0x656c_656e_6368_6501;
/// The size in bytes of the module's name in a plan.
pub const NAME: usize = 256;

/// The head of a plan.
///
/// The addresses follow in ascending order, then the original byte at each of them, and from the next page on an image of the
/// code with all breakpoints. Mapping that image over the code costs only the pages that run; writing the breakpoints would
/// copy all of them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: u64,
    /// The number of addresses.
    pub count: u64,
    /// The start of the code.
    pub start: u64,
    /// The end of the code.
    pub end: u64,
    /// Whether addresses are relative to the module.
    pub relative: u64,
    /// The offset of the image in the file. It starts with the page that contains `start`.
    pub image: u64,
    /// The file name of a library, ending with a NUL; empty for the program itself.
    pub name: [u8; NAME],
}

/// The breakpoint instruction.
pub const BREAKPOINT: u8 = 0xcc;

static ADDRESSES: AtomicPtr<u64> = AtomicPtr::new(null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);
static BASE: AtomicUsize = AtomicUsize::new(0);
static ORIGINAL: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static HITS: AtomicPtr<u8> = AtomicPtr::new(null_mut());
/// The hits when the process became a fork server.
static BEFORE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Sets the breakpoints of the plan, if there is one and its module is loaded. Removes the variable and closes the files afterwards.
#[cfg(target_arch = "x86_64")]
pub fn install() {
    // SAFETY: one thread owns the environment, and the plan and the hits were made for this very program.
    unsafe {
        if getenv(ENABLED.as_ptr()).is_null() || !ADDRESSES.load(Relaxed).is_null() {
            return;
        }
        map_image(COVER_PLAN_FD, COVER_MAP_FD);
        close(COVER_PLAN_FD);
        close(COVER_MAP_FD);
        unsetenv(ENABLED.as_ptr());
    }
}

/// Maps the image over the code of the plan's module, if that is loaded.
///
/// # Safety
/// The plan must have been made for the module's very file, and the hits must have a byte for each address.
#[cfg(target_arch = "x86_64")]
unsafe fn map_image(plan_fd: c_int, map_fd: c_int) {
    // Apart from breakpoints, whose handler is installed first, the image has the bytes of the code that it replaces.
    // SAFETY: a plan starts with a header and contains everything it counts.
    unsafe {
        let size = lseek(plan_fd, 0, SEEK_END) as usize;
        let plan: *mut u8 = mmap(null_mut(), size, PROT_READ, MAP_PRIVATE, plan_fd, 0).cast();
        if plan.cast() == MAP_FAILED {
            return;
        }
        let header = plan.cast::<Header>().read_unaligned();
        let count = header.count as usize;
        let mut module = Module { name: header.name, base: 0, found: false };
        dl_iterate_phdr(compare_module, (&raw mut module).cast());
        if header.magic != MAGIC || !module.found {
            return;
        }
        let hits = mmap(null_mut(), count, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
        if hits == MAP_FAILED {
            return;
        }
        let base = if header.relative != 0 { module.base } else { 0 };
        let addresses: *mut u64 = plan.add(core::mem::size_of::<Header>()).cast();
        ADDRESSES.store(addresses, Relaxed);
        COUNT.store(count, Relaxed);
        BASE.store(base, Relaxed);
        ORIGINAL.store(addresses.add(count).cast(), Relaxed);
        HITS.store(hits.cast(), Relaxed);
        let action = sigaction_t {
            handler: hit as *const () as usize,
            mask: [0; 16],
            flags: SA_SIGINFO | SA_NODEFER | SA_ONSTACK,
            restorer: 0,
        };
        sigaction(SIGTRAP, &action, null_mut());
        let page = getpagesize() as usize;
        let start = (base + header.start as usize) & !(page - 1);
        let end = (base + header.end as usize).next_multiple_of(page);
        let protection = PROT_READ | PROT_WRITE | PROT_EXEC;
        // If this fails there are no hits, and the runner reports that coverage is not available.
        mmap(
            start as *mut c_void,
            end - start,
            protection,
            MAP_PRIVATE | MAP_FIXED,
            plan_fd,
            header.image as i64,
        );
    }
}

/// Does nothing: breakpoints are available on 64-bit x86 only.
#[cfg(not(target_arch = "x86_64"))]
pub fn install() {}

/// The module to find.
struct Module {
    name: [u8; NAME],
    base: usize,
    found: bool,
}

/// Compares a loaded module with the one to find. The program itself comes first and has no name.
extern "C" fn compare_module(info: *const dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description, and `data` is the `Module` of `map_image`. Both names end with a NUL.
    unsafe {
        let module = &mut *data.cast::<Module>();
        let name = (*info).name;
        let matches = if module.name[0] == 0 {
            true
        } else if name.is_null() {
            false
        } else {
            let length = strlen(name);
            let mut from = length;
            while from > 0 && *name.add(from - 1) as u8 != b'/' {
                from -= 1;
            }
            strcmp(name.add(from), module.name.as_ptr().cast()) == 0
        };
        if matches {
            module.base = (*info).addr as usize;
            module.found = true;
        }
        c_int::from(matches)
    }
}

/// Handles a breakpoint: records the hit, restores the original byte, and continues there.
#[cfg(target_arch = "x86_64")]
extern "C" fn hit(_: c_int, _: *mut c_void, context: *mut c_void) {
    // The instruction pointer is the 17th of the saved registers in `ucontext_t`, which begin after 40 bytes.
    const INSTRUCTION_POINTER: usize = 40 + 16 * 8;
    // SAFETY: the kernel's context is valid, the tables have `COUNT` entries, and the image is mapped writable.
    unsafe {
        let pointer: *mut usize = context.cast::<u8>().add(INSTRUCTION_POINTER).cast();
        let at = pointer.read() - 1;
        let (addresses, base) = (ADDRESSES.load(Relaxed), BASE.load(Relaxed));
        let wanted = at.wrapping_sub(base) as u64;
        let (mut low, mut high) = (0, COUNT.load(Relaxed));
        while low < high {
            let middle = low + (high - low) / 2;
            if addresses.add(middle).read_unaligned() < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low >= COUNT.load(Relaxed) || addresses.add(low).read_unaligned() != wanted {
            // The program's own trap, which would end it without a handler.
            signal(SIGTRAP, SIG_DFL);
            return;
        }
        (at as *mut u8).write_volatile(ORIGINAL.load(Relaxed).add(low).read());
        HITS.load(Relaxed).add(low).write_volatile(1);
        pointer.write(at);
    }
}

/// Whether breakpoints are installed.
pub fn installed() -> bool {
    !HITS.load(Relaxed).is_null()
}

/// Saves the hits so far, when a process becomes a fork server.
pub fn save_hits() {
    let (hits, count) = (HITS.load(Relaxed), COUNT.load(Relaxed));
    if hits.is_null() {
        return;
    }
    // SAFETY: the hits and the copy have `count` bytes each.
    unsafe {
        let before: *mut u8 = malloc(count).cast();
        if !before.is_null() {
            core::ptr::copy_nonoverlapping(hits, before, count);
            BEFORE.store(before, Relaxed);
        }
    }
}

/// Restores the saved hits in a child of a fork server, since the runner has cleared them.
pub fn restore_hits() {
    let (hits, before, count) = (HITS.load(Relaxed), BEFORE.load(Relaxed), COUNT.load(Relaxed));
    if !hits.is_null() && !before.is_null() {
        // SAFETY: both have `count` bytes.
        unsafe { core::ptr::copy_nonoverlapping(before, hits, count) };
    }
}
