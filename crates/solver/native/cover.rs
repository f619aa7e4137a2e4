//! Function-entry coverage of a program as it is: a breakpoint at the first instruction of every function, taken away at its first
//! hit. The addresses come from a file that the runner wrote (see `src/coverage/plan.rs`); which functions were hit is told in
//! a second file, one byte a function, that both sides have mapped. 64-bit x86 only: elsewhere nothing is installed.
//!
//! Used by the preloaded library, for executables, and by drivers of solver libraries, after they have loaded them.

#![allow(dead_code)]

use super::libc::*;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// The variable with the path of the addresses.
pub const PLAN: &core::ffi::CStr = c"ELENCHUS_COVER";
/// The variable with the path of the bytes that tell what was hit.
pub const MAP: &core::ffi::CStr = c"ELENCHUS_COVER_MAP";

/// The first word of a plan.
pub const MAGIC: u64 = 0x656c_656e_6368_6501;
/// How many bytes of a plan name the module that the addresses belong to.
pub const NAME: usize = 256;

/// The beginning of a plan. The addresses follow, in rising order, then the byte that stands at each of them, and from a whole
/// page on an image of the code with all breakpoints in it. Laying that over the code costs only the pages that are run;
/// writing the breakpoints would copy all of them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: u64,
    /// How many addresses there are.
    pub count: u64,
    /// Where code begins and ends.
    pub start: u64,
    /// Where code ends.
    pub end: u64,
    /// Whether all addresses count from where the module is loaded.
    pub relative: u64,
    /// Where in the file the image of the code begins; its first byte is that of the page of `start`.
    pub image: u64,
    /// The file name of a library, ended by a zero; empty for the program itself.
    pub name: [u8; NAME],
}

/// The instruction of one byte that stops a program.
pub const BREAKPOINT: u8 = 0xcc;

static ADDRESSES: AtomicPtr<u64> = AtomicPtr::new(null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);
static BASE: AtomicUsize = AtomicUsize::new(0);
static ORIGINAL: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static HITS: AtomicPtr<u8> = AtomicPtr::new(null_mut());
/// What had been hit when the process became a server.
static BEFORE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Puts breakpoints into the module that the plan names, if the environment asks for it and the module is loaded. The variables are
/// taken out of the environment once that is done.
#[cfg(target_arch = "x86_64")]
pub fn install() {
    unsafe {
        let (plan_path, map_path) = (getenv(PLAN.as_ptr()), getenv(MAP.as_ptr()));
        if plan_path.is_null() || map_path.is_null() || !ADDRESSES.load(Relaxed).is_null() {
            return;
        }
        let plan_fd = open_file(plan_path, O_RDONLY);
        let map_fd = open_file(map_path, O_RDWR);
        if plan_fd >= 0 && map_fd >= 0 {
            lay_over(plan_fd, map_fd);
        }
        close(plan_fd);
        close(map_fd);
        unsetenv(PLAN.as_ptr());
        unsetenv(MAP.as_ptr());
    }
}

/// Lays the image over the code of the module that the plan names, if it is loaded.
#[cfg(target_arch = "x86_64")]
unsafe fn lay_over(plan_fd: c_int, map_fd: c_int) {
    unsafe {
        let size = lseek(plan_fd, 0, SEEK_END) as usize;
        let plan: *mut u8 = mmap(null_mut(), size, PROT_READ, MAP_PRIVATE, plan_fd, 0).cast();
        if plan.cast() == MAP_FAILED {
            return;
        }
        let header = plan.cast::<Header>().read_unaligned();
        let count = header.count as usize;
        let mut module = Module { name: header.name, base: 0, found: false };
        dl_iterate_phdr(look_at_module, (&raw mut module).cast());
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
        // If this is refused nothing is ever hit, and the runner says that the solver cannot be watched.
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

/// Opens a file by the raw call, since the preloaded library replaces `open` itself.
unsafe fn open_file(path: *const c_char, flags: c_int) -> c_int {
    unsafe { syscall(SYS_OPENAT, AT_FDCWD as i64, path, (flags | O_CLOEXEC) as i64, 0i64) as c_int }
}

/// There are breakpoints for 64-bit x86 only.
#[cfg(not(target_arch = "x86_64"))]
pub fn install() {}

/// The module that is looked for.
struct Module {
    name: [u8; NAME],
    base: usize,
    found: bool,
}

/// Compares one loaded module with the one that is looked for; the program itself comes first and has no name.
extern "C" fn look_at_module(info: *const dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
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

/// The handler of breakpoints: notes the function, puts its first byte back, and goes on there.
#[cfg(target_arch = "x86_64")]
extern "C" fn hit(_: c_int, _: *mut c_void, context: *mut c_void) {
    // In the context of a signal the instruction pointer is the 17th of the saved registers, which begin after 40 bytes.
    const INSTRUCTION_POINTER: usize = 40 + 16 * 8;
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
            // A trap of the program's own: without a handler it would end it.
            signal(SIGTRAP, SIG_DFL);
            return;
        }
        (at as *mut u8).write_volatile(ORIGINAL.load(Relaxed).add(low).read());
        HITS.load(Relaxed).add(low).write_volatile(1);
        pointer.write(at);
    }
}

/// Whether there are breakpoints in the code.
pub fn installed() -> bool {
    !HITS.load(Relaxed).is_null()
}

/// Notes what has been hit so far, when a process becomes a server.
pub fn remember() {
    let (hits, count) = (HITS.load(Relaxed), COUNT.load(Relaxed));
    if hits.is_null() {
        return;
    }
    unsafe {
        let before: *mut u8 = malloc(count).cast();
        if !before.is_null() {
            core::ptr::copy_nonoverlapping(hits, before, count);
            BEFORE.store(before, Relaxed);
        }
    }
}

/// In a child of a server: tells anew what the server had hit, since the runner has wiped it away.
pub fn recall() {
    let (hits, before, count) = (HITS.load(Relaxed), BEFORE.load(Relaxed), COUNT.load(Relaxed));
    if !hits.is_null() && !before.is_null() {
        unsafe { core::ptr::copy_nonoverlapping(before, hits, count) };
    }
}
