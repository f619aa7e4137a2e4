//! Moves the code of a fork server into huge pages.
//!
//! A fork does not copy the page tables of files, so each child would map the solver's code again, with a page fault for
//! every few pages that it runs. Huge pages of anonymous memory are inherited: a few entries cover all of the code, and the
//! processor walks fewer levels.

use super::cover;
use super::libc::*;
use core::ptr::null_mut;

/// The size of a huge page in bytes.
const HUGE: usize = 2 << 20;
/// Segments below this size stay: they would fill at most one huge page.
const MIN_SEGMENT: usize = 2 * HUGE;

/// Moves the read-only and executable segments of all modules into huge pages, if the system has any. Costs as much memory
/// as there is code, and some milliseconds. The process must have one thread.
pub fn move_code() {
    // SAFETY: the call has no preconditions.
    let page = unsafe { getpagesize() };
    // Breakpoints are in the code and would be lost.
    if !cover::installed() && page == 4096 {
        // SAFETY: the callback has the required type and ignores its data.
        unsafe { dl_iterate_phdr(move_module, null_mut()) };
    }
}

extern "C" fn move_module(info: *const dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description of a module that stays loaded, and its segments are mapped as described.
    unsafe {
        let segments = core::slice::from_raw_parts((*info).segments, (*info).count.into());
        for segment in segments {
            if segment.kind != PT_LOAD || segment.flags & PF_W != 0 {
                continue;
            }
            let start = ((*info).addr + segment.address) as usize & !4095;
            let end = ((*info).addr + segment.address + segment.file_size) as usize;
            let length = end.next_multiple_of(4096) - start;
            let protection = if segment.flags & PF_X != 0 { PROT_READ | PROT_EXEC } else { PROT_READ };
            if length >= MIN_SEGMENT {
                move_segment(start, length, protection);
            }
        }
    }
    0
}

/// Replaces a segment by a copy in huge pages. Changes nothing if there are no huge pages.
///
/// # Safety
/// The `length` bytes at `start` must be whole pages, mapped with `protection`, that nothing writes to.
unsafe fn move_segment(start: usize, length: usize, protection: c_int) {
    // `mremap` replaces the old pages in one step, so code may run in them meanwhile.
    // SAFETY: the new pages have the same bytes and protection, and only fresh memory is unmapped.
    unsafe {
        let room = length + 2 * HUGE;
        let memory = mmap(null_mut(), room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if memory == MAP_FAILED {
            return;
        }
        let memory_start = memory as usize;
        // A huge page moves as a whole only if its offset from a boundary stays the same.
        let copy = memory_start.next_multiple_of(HUGE) + start % HUGE;
        let first = copy.next_multiple_of(HUGE);
        let inner = (copy + length - first) & !(HUGE - 1);
        madvise(copy as *mut c_void, length, MADV_HUGEPAGE);
        core::ptr::copy_nonoverlapping(start as *const u8, copy as *mut u8, length);
        // Collapsing fails unless every page becomes huge.
        let moved = madvise(first as *mut c_void, inner, MADV_COLLAPSE) == 0
            && mprotect(copy as *mut c_void, length, protection) == 0
            && mremap(
                copy as *mut c_void,
                length,
                length,
                MREMAP_MAYMOVE | MREMAP_FIXED,
                start as *mut c_void,
            ) != MAP_FAILED;
        if moved {
            munmap(memory, copy - memory_start);
            munmap((copy + length) as *mut c_void, memory_start + room - copy - length);
        } else {
            munmap(memory, room);
        }
    }
}
