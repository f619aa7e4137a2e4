//! Signals that end a command cleanly.

use crate::outcome::Failure;
use crate::view::screen;
use signal_hook::consts::{SIGCONT, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use solver::run::continue_children;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C and SIGTERM set.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, stop.clone()).map_err(failed)?;
    }
    continue_with_children()?;
    Ok(stop)
}

/// Lets processes that Ctrl-Z stopped continue when this one does.
fn continue_with_children() -> Result<(), Failure> {
    let mut signals = Signals::new([SIGCONT]).map_err(failed)?;
    std::thread::spawn(move || signals.forever().for_each(|_| continue_children()));
    Ok(())
}

/// Makes Ctrl-C and SIGTERM set a flag. If it is set, they kill.
pub fn stop_once(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_default(signal, stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()))
            .map_err(failed)?;
    }
    continue_with_children()
}

/// The same for a command that draws on the terminal: the terminal is given back before a signal kills or suspends.
pub fn stop_once_on_terminal(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT]).map_err(failed)?;
    let stop = stop.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGINT | SIGTERM if !stop.swap(true, Ordering::Relaxed) => {}
                SIGCONT => {
                    continue_children();
                    screen::resume();
                }
                SIGTSTP => {
                    screen::suspend();
                    // It returns when the job continues, which is another signal.
                    let _ = emulate_default_handler(signal);
                }
                signal => {
                    screen::leave();
                    // It does not return.
                    let _ = emulate_default_handler(signal);
                }
            }
        }
    });
    Ok(())
}

/// Makes a file-size limit an ordinary write error instead of a deadly signal.
pub fn ignore_file_size_limit() -> Result<(), Failure> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ()).map_err(failed)
}

fn failed(error: std::io::Error) -> Failure {
    Failure::new(format!("cannot handle signals: {error}"))
}
