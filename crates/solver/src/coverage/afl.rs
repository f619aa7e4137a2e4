//! Coverage of a build by an AFL compiler: a map in shared memory with one byte per edge, named by `__AFL_SHM_ID`.
//!
//! Scripts run in the build's fork server if it works, and in one-shot mode otherwise.

use super::functions::CoverError;
use super::source::MINIMAL_SCRIPT;
use super::{Coverage, CoveragePoint, Reached};
use crate::run::{AflServer, Observation, RunError, RunMode, RunRequest, RunSettings, Runner};
use crate::target::Target;
use std::io;
use std::ptr::NonNull;

/// The size of the map for builds that do not report it. Solvers have more edges than the usual 65,536.
const MAP: usize = 1 << 21;

/// Runs scripts on an AFL build.
pub struct AflMap {
    memory: Memory,
    runner: AflServer,
    /// The number of bytes of the map that are used.
    points: usize,
}

impl AflMap {
    /// Measures an AFL build, with its fork server in [`RunMode::Fork`]. A build that does not write to the map is an error.
    pub fn new(target: &Target, mode: RunMode, settings: &RunSettings) -> Result<AflMap, CoverError> {
        let not_instrumented = |why: String| CoverError::NotInstrumented(target.program.clone(), why);
        let failed = |error: RunError| not_instrumented(error.to_string());
        let mut map = AflMap::with_room(target, settings, MAP)?;
        // A build reports its size only after its start.
        if let Some(size) = map.runner.map().filter(|size| *size > MAP) {
            map = AflMap::with_room(target, settings, size)?;
        }
        if mode != RunMode::Fork {
            map.runner.refuse("one-shot mode was requested");
        }
        let (served, reached) = map.run(&RunRequest::new(MINIMAL_SCRIPT)).map_err(failed)?;
        if reached.count() == 0 {
            return Err(not_instrumented("it does not write to the map of AFL".to_owned()));
        }
        if served.mode == RunMode::Fork {
            let mut plain = AflMap::with_room(target, settings, map.points)?;
            plain.runner.refuse("");
            let (plain, _) = plain.run(&RunRequest::new(MINIMAL_SCRIPT)).map_err(failed)?;
            if (&served.stdout, served.exit) != (&plain.stdout, plain.exit) {
                map.runner.refuse("a forked run differs from a plain one");
            }
        }
        Ok(map)
    }

    fn with_room(target: &Target, settings: &RunSettings, room: usize) -> Result<AflMap, CoverError> {
        let memory = Memory::new(room).map_err(CoverError::Exchange)?;
        let mut target = target.clone();
        target.env.push(("__AFL_SHM_ID".to_owned(), memory.id.to_string()));
        target.env.push(("AFL_MAP_SIZE".to_owned(), room.to_string()));
        let not_instrumented =
            |error: RunError| CoverError::NotInstrumented(target.program.clone(), error.to_string());
        let runner = AflServer::new(&target, settings).map_err(not_instrumented)?;
        let points = runner.map().map_or(room, |size| size.min(room));
        Ok(AflMap { memory, runner, points })
    }
}

impl Coverage for AflMap {
    fn points(&self) -> usize {
        self.points
    }

    fn kind(&self) -> &'static str {
        "edges"
    }

    fn name(&self, _: CoveragePoint) -> Option<&str> {
        None
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError> {
        self.memory.wipe(self.points);
        let observation = self.runner.run(request)?;
        Ok((observation, self.memory.reached(self.points)))
    }
}

/// System V shared memory. It is marked for removal at once, so that it disappears with the last process that uses it.
struct Memory {
    id: i32,
    start: NonNull<u8>,
    size: usize,
}

// SAFETY: in this process the memory belongs to this value alone.
unsafe impl Send for Memory {}

impl Memory {
    fn new(size: usize) -> io::Result<Memory> {
        // SAFETY: the calls take numbers and null pointers, and their results are checked.
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

    /// Clears the first `used` bytes.
    fn wipe(&mut self, used: usize) {
        // SAFETY: `size` bytes are attached at this address.
        unsafe { self.start.as_ptr().write_bytes(0, used.min(self.size)) }
    }

    /// The points that were reached since then, in the first `used` bytes.
    fn reached(&self, used: usize) -> Reached {
        let mut bytes = vec![0; used.min(self.size)];
        // SAFETY: as above. If a process still writes, single bytes are old or new, and both are fine.
        unsafe { self.start.as_ptr().copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) }
        Reached::from_bytes(&bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the memory is attached at this address and not used again.
        unsafe {
            libc::shmdt(self.start.as_ptr().cast());
        }
    }
}
