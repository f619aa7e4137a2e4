//! Coverage of a build that an AFL compiler made: a map in shared memory, one byte for an edge, named by `__AFL_SHM_ID`.
//!
//! Scripts are run by the fork server that such builds have, where it can be spoken to; else every script has a process of its own.

use super::functions::CoverError;
use super::source::LEAST;
use super::{Coverage, CoveragePoint, Reached};
use crate::run::{AflServer, Observation, RunError, RunMode, RunRequest, RunSettings, Runner};
use crate::target::Target;
use std::io;
use std::ptr::NonNull;

/// The size of the map of a build that does not say how large it must be. Builds of whole solvers have more edges than the 65,536
/// that are usual.
const MAP: usize = 1 << 21;

/// Runs scripts on an AFL build.
pub struct AflMap {
    memory: Memory,
    runner: AflServer,
    /// How many bytes of the map are used.
    points: usize,
}

impl AflMap {
    /// Watches an AFL build, by its fork server if the way is [`RunMode::Fork`]. One that leaves no trace in the map is refused.
    pub fn new(target: &Target, mode: RunMode, settings: &RunSettings) -> Result<AflMap, CoverError> {
        let untold = |why: String| CoverError::NoDistinguishingFunctions(target.program.clone(), why);
        let failed = |error: RunError| untold(error.to_string());
        let mut map = AflMap::with_room(target, settings, MAP)?;
        // What a build says about its size is known after its start only.
        if let Some(size) = map.runner.map().filter(|size| *size > MAP) {
            map = AflMap::with_room(target, settings, size)?;
        }
        if mode != RunMode::Fork {
            map.runner.refuse("a process of its own was asked for");
        }
        let (served, reached) = map.run(&RunRequest::new(LEAST)).map_err(failed)?;
        if reached.count() == 0 {
            return Err(untold("it does not write to the map of AFL".to_owned()));
        }
        if served.mode == RunMode::Fork {
            let mut plain = AflMap::with_room(target, settings, map.points)?;
            plain.runner.refuse("");
            let (plain, _) = plain.run(&RunRequest::new(LEAST)).map_err(failed)?;
            if (&served.stdout, served.exit) != (&plain.stdout, plain.exit) {
                map.runner.refuse("a served run differs from a plain one");
            }
        }
        Ok(map)
    }

    fn with_room(target: &Target, settings: &RunSettings, room: usize) -> Result<AflMap, CoverError> {
        let memory = Memory::new(room).map_err(CoverError::Exchange)?;
        let mut target = target.clone();
        target.env.push(("__AFL_SHM_ID".to_owned(), memory.id.to_string()));
        target.env.push(("AFL_MAP_SIZE".to_owned(), room.to_string()));
        let untold = |error: RunError| {
            CoverError::NoDistinguishingFunctions(target.program.clone(), error.to_string())
        };
        let runner = AflServer::new(&target, settings).map_err(untold)?;
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

    /// Forgets what was reached, in the first `used` bytes.
    fn wipe(&mut self, used: usize) {
        // SAFETY: the memory is attached, and as large as it was asked for.
        unsafe { self.start.as_ptr().write_bytes(0, used.min(self.size)) }
    }

    /// What was reached since, in the first `used` bytes.
    fn reached(&self, used: usize) -> Reached {
        let mut bytes = vec![0; used.min(self.size)];
        // SAFETY: as above. A process that still runs may write at the same time; any byte is as good as another then.
        unsafe { self.start.as_ptr().copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) }
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
