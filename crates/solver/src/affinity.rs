//! Pins threads and their child processes to processor cores.
//!
//! A worker and its solver never run at the same time. On one core neither has to be woken on another core with cold caches,
//! and small scripts take up to a third less time. Processes that do run at the same time, such as the two of a session, are
//! better kept on different cores.
//!
//! The price: the system cannot move them away from a core that others use, so a pinned worker has to check that it gets
//! enough of it.

use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_getcpu, sched_setaffinity};
use std::io;

/// The cores that this process may use. First threads of a physical core come before second ones, and the current core comes
/// first among them.
pub fn available_cores() -> io::Result<Vec<usize>> {
    let allowed = sched_getaffinity(None)?;
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let here = sched_getcpu();
    cores.sort_by_key(|&core| (sibling_index(core), core < here, core));
    Ok(cores)
}

/// Pins the calling thread, and every process and thread that it starts from now on, to some cores.
pub fn pin_to(cores: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    Ok(sched_setaffinity(None, &set)?)
}

/// Lets another process, and what it starts from now on, use the cores of the calling thread.
pub(crate) fn share_with(process: u32) -> io::Result<()> {
    let own = sched_getaffinity(None)?;
    Ok(sched_setaffinity(Pid::from_raw(process as i32), &own)?)
}

/// Runs `act` on one core. Processes that it starts stay there; the calling thread is released afterwards. If the core is not
/// available, everything still works, only slower.
pub fn on_core<T>(core: usize, act: impl FnOnce() -> T) -> T {
    let all = sched_getaffinity(None);
    let moved = all.is_ok() && pin_to(&[core]).is_ok();
    let done = act();
    if let (Ok(all), true) = (all, moved) {
        // Cannot fail: these cores were allowed before.
        let _ = sched_setaffinity(None, &all);
    }
    done
}

/// The index of a logical core among those that share a physical one; 0 if unknown.
fn sibling_index(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    index_in_list(core, &std::fs::read_to_string(path).unwrap_or_default())
}

/// The index of a core in a list such as `0,4` or `2-3`.
fn index_in_list(core: usize, list: &str) -> usize {
    let bounds = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some((first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?))
    };
    let all = list.split(',').filter_map(bounds).flat_map(|(first, last)| first..=last);
    all.take_while(|&other| other != core).filter(|&other| other < core).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_threads_of_a_core_are_recognised() {
        let table =
            [(0, "0,4\n", 0), (4, "0,4\n", 1), (3, "2-3\n", 1), (2, "2-3", 0), (5, "", 0), (1, "1", 0)];
        for (core, list, index) in table {
            assert_eq!(index_in_list(core, list), index, "{core} {list}");
        }
    }

    #[test]
    fn a_thread_can_be_pinned_and_released() {
        let all = available_cores().unwrap();
        pin_to(&all[..1]).unwrap();
        assert_eq!(available_cores().unwrap(), all[..1]);
        let started = std::process::Command::new("nproc").output().unwrap();
        assert_eq!(String::from_utf8(started.stdout).unwrap().trim(), "1");
        pin_to(&all).unwrap();
        assert_eq!(available_cores().unwrap().len(), all.len());
        assert_eq!(on_core(all[0], || available_cores().unwrap()), all[..1]);
        assert_eq!(available_cores().unwrap().len(), all.len());
    }
}
