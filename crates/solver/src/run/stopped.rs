//! Continues processes that Ctrl-Z met while they were being started.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;

/// Continues all children of this process.
///
/// Until a new process has a group of its own, it is in ours, so Ctrl-Z stops it, too. The shell continues only our group, and the thread
/// that starts the process would wait for it forever.
pub fn continue_children() {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return };
    for thread in threads.flatten() {
        // A kernel without these files has no such list.
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)) {
            // It may have ended meanwhile.
            let _ = kill_process(child, Signal::CONT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn a_stopped_child_continues() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
        let wait_for = |is_stopped: bool| {
            let path = format!("/proc/{}/stat", child.id());
            while fs::read_to_string(&path).unwrap().contains(") T ") != is_stopped {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        wait_for(true);
        continue_children();
        wait_for(false);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
