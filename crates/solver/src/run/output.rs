//! Collects the output of a solver up to a limit.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use std::io;

/// The non-blocking read ends of a solver's output.
#[derive(Debug)]
pub(super) struct Pipes {
    stdout: OwnedFd,
    stderr: OwnedFd,
    chunk: Box<[u8]>,
}

/// The write ends, for the solver.
pub(super) struct Ends {
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
}

/// The output so far.
#[derive(Debug, Default)]
pub(super) struct Printed {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// How many more bytes are kept.
    pub room: u64,
    /// Whether there was more.
    pub overflowed: bool,
}

impl Printed {
    pub fn with_room(room: u64) -> Printed {
        Printed { room, ..Printed::default() }
    }
}

impl Pipes {
    /// A pair of pipes.
    pub fn new() -> io::Result<(Pipes, Ends)> {
        let pair = || -> io::Result<(OwnedFd, OwnedFd)> {
            let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
            rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK)?;
            Ok((reader, writer))
        };
        let (stdout, stdout_end) = pair()?;
        let (stderr, stderr_end) = pair()?;
        let chunk = vec![0; 64 << 10].into_boxed_slice();
        Ok((Pipes { stdout, stderr, chunk }, Ends { stdout: stdout_end, stderr: stderr_end }))
    }

    pub fn stdout(&self) -> BorrowedFd<'_> {
        self.stdout.as_fd()
    }

    pub fn stderr(&self) -> BorrowedFd<'_> {
        self.stderr.as_fd()
    }

    /// Reads available standard output. Returns false if there is no more for now.
    pub fn take_stdout(&mut self, printed: &mut Printed) -> io::Result<bool> {
        take(&self.stdout, &mut self.chunk, &mut printed.stdout, &mut printed.room, &mut printed.overflowed)
    }

    /// Reads available standard error. Returns false if there is no more for now.
    pub fn take_stderr(&mut self, printed: &mut Printed) -> io::Result<bool> {
        take(&self.stderr, &mut self.chunk, &mut printed.stderr, &mut printed.room, &mut printed.overflowed)
    }

    /// Reads all available output. Nobody may be printing any more.
    pub fn drain(&mut self, printed: &mut Printed) -> io::Result<()> {
        while self.take_stdout(printed)? {}
        while self.take_stderr(printed)? {}
        Ok(())
    }
}

fn take(
    fd: &OwnedFd,
    chunk: &mut [u8],
    to: &mut Vec<u8>,
    room: &mut u64,
    overflowed: &mut bool,
) -> io::Result<bool> {
    loop {
        match rustix::io::read(fd, &mut *chunk) {
            Ok(0) => return Ok(false),
            Ok(count) => {
                let kept = (count as u64).min(*room) as usize;
                to.extend_from_slice(&chunk[..kept]);
                *room -= kept as u64;
                *overflowed |= kept < count;
                return Ok(count == chunk.len());
            }
            Err(Errno::AGAIN) => return Ok(false),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
