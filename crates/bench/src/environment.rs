//! Where a run took place.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine and the programs of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The version of Elenchus that judged.
    pub elenchus: String,
    /// The version of the tool, if it is another one.
    pub tool: String,
    /// The processor.
    pub processor: String,
    /// How many cores the machine has.
    pub cores: usize,
    /// How much memory it has, in MiB.
    pub memory: u64,
    /// The kernel.
    pub kernel: String,
    /// When the run ended, in seconds since 1970.
    pub time: u64,
}

impl Environment {
    /// That of this process.
    pub fn here(tool: String) -> Environment {
        Environment {
            elenchus: env!("CARGO_PKG_VERSION").to_owned(),
            tool,
            processor: field("/proc/cpuinfo", "model name"),
            cores: fields("/proc/cpuinfo", "processor").count(),
            memory: field("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse().unwrap_or(0) >> 10,
            kernel: kernel(),
            time: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        }
    }
}

/// The release of the kernel, without what the builder of it appended.
fn kernel() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    release.trim().split('-').next().unwrap_or_default().to_owned()
}

/// The first value of a key in a file of lines `key: value`.
fn field(file: &str, key: &str) -> String {
    fields(file, key).next().unwrap_or_default()
}

fn fields(file: &str, key: &str) -> impl Iterator<Item = String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let value =
        |line: &str| line.strip_prefix(key)?.trim_start().strip_prefix(':').map(str::trim).map(str::to_owned);
    text.lines().filter_map(value).collect::<Vec<_>>().into_iter()
}
