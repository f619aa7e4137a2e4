//! Signals that end a command cleanly.

use crate::outcome::Failure;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C and SIGTERM set.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, stop.clone()).map_err(failed)?;
    }
    Ok(stop)
}

/// The same, but a second signal kills.
pub fn stop_flag_once() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_default(signal, stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()))
            .map_err(failed)?;
    }
    Ok(stop)
}

/// Makes a file-size limit an ordinary write error instead of a deadly signal.
pub fn ignore_file_size_limit() -> Result<(), Failure> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ()).map_err(failed)
}

fn failed(error: std::io::Error) -> Failure {
    Failure::new(format!("cannot handle signals: {error}"))
}
