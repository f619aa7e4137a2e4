//! Coverage of a build that an AFL compiler made: a map in shared memory, one byte for an edge, named by `__AFL_SHM_ID`.
//!
//! Every script has a process of its own. Builds for AFL run so whenever nobody answers their fork server's greeting.

use super::functions::CoverError;
use super::source::LEAST;
use super::{Coverage, Reached};
use crate::run::{Observation, RunError, RunRequest, RunSettings, Runner, Way, runner};
use crate::target::Target;
use std::io;
use std::ptr::NonNull;

/// The size of the map. Builds of whole solvers have more edges than the 65,536 that are usual.
const MAP: usize = 1 << 21;

/// Runs scripts on an AFL build.
pub struct AflMap {
    memory: Memory,
    runner: Box<dyn Runner>,
}

impl AflMap {
    /// Watches an AFL build. One that leaves no trace in the map is refused.
    pub fn new(target: &Target, settings: &RunSettings) -> Result<AflMap, CoverError> {
        let memory = Memory::new(MAP).map_err(CoverError::Exchange)?;
        let mut target = target.clone();
        target.env.push(("__AFL_SHM_ID".to_owned(), memory.id.to_string()));
        target.env.push(("AFL_MAP_SIZE".to_owned(), MAP.to_string()));
        let untold = |why: String| CoverError::Untold(target.program.clone(), why);
        let runner = runner(&target, Way::OneShot, settings).map_err(|error| untold(error.to_string()))?;
        let mut map = AflMap { memory, runner };
        let (_, reached) = map.run(&RunRequest::new(LEAST)).map_err(|error| untold(error.to_string()))?;
        if reached.count() == 0 {
            return Err(untold("it does not write to the map of AFL".to_owned()));
        }
        Ok(map)
    }
}

impl Coverage for AflMap {
    fn places(&self) -> usize {
        MAP
    }

    fn kind(&self) -> &'static str {
        "edges"
    }

    fn name(&self, _: usize) -> Option<&str> {
        None
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError> {
        self.memory.wipe();
        let observation = self.runner.run(request)?;
        Ok((observation, self.memory.reached()))
    }
}

/// Memory that is shared by number. It is marked for removal at once, so that it goes with the last process that has it.
struct Memory {
    id: i32,
    start: NonNull<u8>,
    size: usize,
}

// The memory belongs to this value alone on our side, and other processes write only bytes.
unsafe impl Send for Memory {}

impl Memory {
    fn new(size: usize) -> io::Result<Memory> {
        // SAFETY: the calls take numbers; what they answer is checked.
        unsafe {
            let id = libc::shmget(libc::IPC_PRIVATE, size, libc::IPC_CREAT | 0o600);
            if id < 0 {
                return Err(io::Error::last_os_error());
            }
            let start = libc::shmat(id, std::ptr::null(), 0);
            let failed = io::Error::last_os_error();
            libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut());
            match NonNull::new(start.cast::<u8>()) {
                Some(start) if start.as_ptr() as isize != -1 => Ok(Memory { id, start, size }),
                _ => Err(failed),
            }
        }
    }

    fn wipe(&mut self) {
        // SAFETY: the memory is attached, and as large as it was asked for.
        unsafe { self.start.as_ptr().write_bytes(0, self.size) }
    }

    fn reached(&self) -> Reached {
        let mut bytes = vec![0; self.size];
        // SAFETY: as above. A process that still runs may write at the same time; any byte is as good as another then.
        unsafe { self.start.as_ptr().copy_to_nonoverlapping(bytes.as_mut_ptr(), self.size) }
        Reached::from_bytes(&bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was attached at this address.
        unsafe {
            libc::shmdt(self.start.as_ptr().cast());
        }
    }
}
