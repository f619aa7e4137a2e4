//! What a process leaves behind, according to the system.

use std::fs;
use std::time::{Duration, Instant};

/// The resources of this process.
pub struct Traces {
    /// The number of open file descriptors.
    pub descriptors: usize,
    /// Its children.
    pub children: Vec<i32>,
    /// Its resident memory in KiB.
    pub resident_kib: u64,
}

impl Traces {
    /// The resources at this moment.
    pub fn now() -> Traces {
        let descriptors = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        let own = std::process::id();
        let children = processes().into_iter().filter(|pid| parent(*pid) == Some(own)).collect();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        let resident_kib = line.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0);
        Traces { descriptors, children, resident_kib }
    }
}

fn processes() -> Vec<i32> {
    let names = fs::read_dir("/proc").into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn parent(pid: i32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may contain anything; the next fields are the state and the parent.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The processes that run this very program with `variable` in their environment.
pub fn marked_processes(variable: &str) -> Vec<i32> {
    let own_program = fs::read_link("/proc/self/exe").ok();
    let mark = format!("{variable}=");
    let marked = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let has_mark = environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(mark.as_bytes()));
        has_mark && fs::read_link(format!("/proc/{pid}/exe")).ok() == own_program
    };
    processes().into_iter().filter(marked).collect()
}

/// Waits for a condition that must hold soon.
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
