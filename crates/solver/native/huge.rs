//! The code of a server in huge pages. A fork does not copy the page tables of files: each child would map the solver's code
//! anew, with a fault for every few pages that it runs through. Huge pages of memory are taken over with the fork, by a few
//! entries for all of the code, and the processor finds its way in them with fewer steps.

use super::cover;
use super::libc::*;
use core::ptr::null_mut;

/// The size of a huge page.
const HUGE: usize = 2 << 20;
/// Segments below this size stay as they are: they would have no huge page, or hardly one.
const LEAST: usize = 2 * HUGE;

/// Puts what the modules of this process only read or run into huge pages, if there are any to be had. Costs as much memory as
/// the code has, and some milliseconds. This process must have one thread.
pub fn move_code() {
    // Breakpoints are written into the code.
    if !cover::installed() && unsafe { getpagesize() } == 4096 {
        unsafe { dl_iterate_phdr(move_module, null_mut()) };
    }
}

extern "C" fn move_module(info: *const dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
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
            if length >= LEAST {
                move_segment(start, length, protection);
            }
        }
    }
    0
}

/// Lays a copy in huge pages over a segment; the old pages give way in one step, even while they are run. Without huge pages
/// everything stays as it is.
unsafe fn move_segment(start: usize, length: usize, protection: c_int) {
    unsafe {
        let room = length + 2 * HUGE;
        let memory = mmap(null_mut(), room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if memory == MAP_FAILED {
            return;
        }
        let memory_start = memory as usize;
        // Where pages are moved whole, they must stand as far from a boundary as at the place where they go.
        let copy = memory_start.next_multiple_of(HUGE) + start % HUGE;
        let first = copy.next_multiple_of(HUGE);
        let inner = (copy + length - first) & !(HUGE - 1);
        madvise(copy as *mut c_void, length, MADV_HUGEPAGE);
        core::ptr::copy_nonoverlapping(start as *const u8, copy as *mut u8, length);
        // This fails unless all is huge in the end.
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
