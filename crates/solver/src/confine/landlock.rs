//! Landlock, the part of Linux by which a process gives up access to files. See landlock(7).

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_FOLDER: u64 = 1 << 3;
const REMOVE_FOLDER: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_FOLDER: u64 = 1 << 7;
const MAKE_FILE: u64 = 1 << 8;
const MAKE_FIFO: u64 = 1 << 10;
const MAKE_LINK: u64 = 1 << 12;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL: u64 = 1 << 15;

/// What applies to a file that is no folder.
const OF_FILES: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL;

/// Binding and connecting of TCP sockets.
const TCP: u64 = 3;
/// Abstract sockets of others, and signals to them.
const OTHERS: u64 = 3;

/// What a program may do with a file, or with everything below a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Read and execute.
    Read,
    /// Read, write, create and remove.
    Write,
}

impl Access {
    fn rights(self) -> u64 {
        let read = READ_FILE | READ_FOLDER;
        match self {
            Access::Read => read | EXECUTE,
            Access::Write => {
                let files = WRITE_FILE | REMOVE_FILE | MAKE_FILE | MAKE_FIFO | MAKE_LINK | TRUNCATE;
                read | files | REMOVE_FOLDER | MAKE_FOLDER | REFER | IOCTL
            }
        }
    }
}

/// The kernel's `struct landlock_ruleset_attr`.
#[repr(C)]
struct RulesetAttributes {
    files: u64,
    network: u64,
    scopes: u64,
}

/// The kernel's `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct PathAttributes {
    rights: u64,
    parent: i32,
}

/// What this kernel has to confine a process with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// The version of Landlock; 0 if the kernel has none.
    pub landlock: i32,
    /// Whether system calls can be filtered.
    pub filters: bool,
}

impl Support {
    /// What is missing here, in the words of a user.
    pub fn missing(&self) -> Vec<&'static str> {
        let mut missing = Vec::new();
        match self.landlock {
            ..=0 => missing.push("solvers can read and write the user's files (no Landlock)"),
            1 | 2 => missing.push("solvers can truncate the user's files (Landlock is older than Linux 6.2)"),
            3..=5 => missing
                .push("solvers can send signals to other processes (Landlock is older than Linux 6.12)"),
            _ => {}
        }
        if !self.filters {
            missing.push("solvers can use the network (no seccomp filters)");
        }
        missing
    }
}

/// What this kernel has.
pub fn support() -> Support {
    static FOUND: OnceLock<Support> = OnceLock::new();
    *FOUND.get_or_init(|| {
        const VERSION: u32 = 1;
        // SAFETY: with this flag the call reads no memory and returns a number.
        let version = unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION)
        };
        // SAFETY: the call takes numbers only. It fails if the kernel has no filters.
        let filters = unsafe { libc::prctl(libc::PR_GET_SECCOMP) } >= 0;
        Support { landlock: i32::try_from(version).unwrap_or(0).max(0), filters }
    })
}

/// A set of rules that a process can bind itself to.
#[derive(Debug)]
pub(crate) struct Ruleset {
    rules: OwnedFd,
    /// The rights that this kernel knows.
    known: u64,
}

impl Ruleset {
    /// A set of rules that allows nothing. `None` if the kernel has no Landlock.
    pub fn new() -> io::Result<Option<Ruleset>> {
        let version = support().landlock;
        let newest = match version {
            ..=0 => return Ok(None),
            1 => MAKE_LINK,
            2 => REFER,
            3 | 4 => TRUNCATE,
            _ => IOCTL,
        };
        let known = newest | (newest - 1);
        let attributes = RulesetAttributes { files: known, network: TCP, scopes: OTHERS };
        let size: usize = match version {
            ..4 => 8,
            4 | 5 => 16,
            _ => 24,
        };
        let attributes = &raw const attributes;
        // SAFETY: the attributes outlive the call, which reads at most their size.
        let rules = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, attributes, size, 0u32) };
        let rules = i32::try_from(rules).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?;
        // SAFETY: the kernel has just created the descriptor for us. It is closed on exec.
        Ok(Some(Ruleset { rules: unsafe { OwnedFd::from_raw_fd(rules) }, known }))
    }

    /// Allows access to a file, or to everything below a folder. A path that does not exist needs no rule.
    pub fn allow(&self, path: &Path, access: Access) -> io::Result<()> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the path ends with a NUL.
        let file = unsafe { libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC) };
        if file < 0 {
            return Ok(());
        }
        // SAFETY: the descriptor is new and nobody else's.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let is_folder = rustix::fs::fstat(&file).is_ok_and(|data| {
            rustix::fs::FileType::from_raw_mode(data.st_mode) == rustix::fs::FileType::Directory
        });
        let rights = access.rights() & self.known & if is_folder { u64::MAX } else { OF_FILES };
        let rule = PathAttributes { rights, parent: file.as_raw_fd() };
        const PATH_BENEATH: i32 = 1;
        // SAFETY: the rule and both descriptors outlive the call.
        let added = unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.rules.as_raw_fd(),
                PATH_BENEATH,
                &raw const rule,
                0u32,
            )
        };
        match added {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl AsFd for Ruleset {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.rules.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::Support;

    #[test]
    fn old_kernels_lack_protection() {
        let table = [(0, true, 1), (0, false, 2), (1, true, 1), (3, true, 1), (6, true, 0), (7, false, 1)];
        for (landlock, filters, missing) in table {
            assert_eq!(Support { landlock, filters }.missing().len(), missing, "{landlock} {filters}");
        }
    }
}
