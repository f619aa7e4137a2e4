//! Which processor cores a thread and what it starts keep to. A worker and the solver that it asks never run at the same time, and on
//! one core neither has to be woken on another, nor finds its caches cold there: small scripts take up to a third less. Processes
//! that do run at the same time, as those of a session that take turns, are better kept apart.
//!
//! The price is that the system cannot move them away from a core that others use, so whoever keeps to one has to look whether
//! it gets enough of it.

use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_getcpu, sched_setaffinity};
use std::io;

/// The cores that this process may use. Those that are no second thread of another come first, and of these the one first on which
/// the caller runs.
pub fn usable() -> io::Result<Vec<usize>> {
    let allowed = sched_getaffinity(None)?;
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let here = sched_getcpu();
    cores.sort_by_key(|&core| (thread_of_core(core), core < here, core));
    Ok(cores)
}

/// Keeps the calling thread, and every process and thread that it starts from now on, to some cores.
pub fn keep_to(cores: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    Ok(sched_setaffinity(None, &set)?)
}

/// Lets another process, and what it starts from now on, use the cores that the calling thread may use.
pub(crate) fn follow(process: u32) -> io::Result<()> {
    let own = sched_getaffinity(None)?;
    Ok(sched_setaffinity(Pid::from_raw(process as i32), &own)?)
}

/// Does something on one core: what is started there stays there, and this thread is free to go anywhere again. If the core is not
/// to be had, everything is only slower.
pub fn on_core<T>(core: usize, act: impl FnOnce() -> T) -> T {
    let all = sched_getaffinity(None);
    let moved = all.is_ok() && keep_to(&[core]).is_ok();
    let done = act();
    if let (Ok(all), true) = (all, moved) {
        // It was allowed before.
        let _ = sched_setaffinity(None, &all);
    }
    done
}

/// The place of a logical core among those that share a real one: 0 for the first; also where that is not known.
fn thread_of_core(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    place_among(core, &std::fs::read_to_string(path).unwrap_or_default())
}

/// The place of a core in a list such as `0,4` or `2-3`.
fn place_among(core: usize, list: &str) -> usize {
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
    fn second_threads_of_a_core_are_told() {
        let table =
            [(0, "0,4\n", 0), (4, "0,4\n", 1), (3, "2-3\n", 1), (2, "2-3", 0), (5, "", 0), (1, "1", 0)];
        for (core, list, place) in table {
            assert_eq!(place_among(core, list), place, "{core} {list}");
        }
    }

    #[test]
    fn a_thread_can_be_kept_to_one_core_and_let_go() {
        let all = usable().unwrap();
        keep_to(&all[..1]).unwrap();
        assert_eq!(usable().unwrap(), all[..1]);
        let started = std::process::Command::new("nproc").output().unwrap();
        assert_eq!(String::from_utf8(started.stdout).unwrap().trim(), "1");
        keep_to(&all).unwrap();
        assert_eq!(usable().unwrap().len(), all.len());
        assert_eq!(on_core(all[0], || usable().unwrap()), all[..1]);
        assert_eq!(usable().unwrap().len(), all.len());
    }
}
