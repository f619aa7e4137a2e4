//! The keys of the live view.

use super::screen;
use std::io::{ErrorKind, IsTerminal, Read, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What keys switch.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    /// `q`: the campaign should end. Signals set it, too.
    pub stop: Arc<AtomicBool>,
    /// `p`: the campaign pauses.
    pub pause: Arc<AtomicBool>,
    /// `?`: the help is open.
    pub help: Arc<AtomicBool>,
}

impl Switches {
    /// Handles what arrived from the keyboard at once.
    fn handle(&self, bytes: &[u8]) {
        // The sequences of other keys, such as arrows, begin with escape.
        if bytes.first() == Some(&0x1b) {
            return;
        }
        for byte in bytes {
            match byte {
                b'q' => self.stop.store(true, Ordering::Relaxed),
                b'p' => drop(self.pause.fetch_not(Ordering::Relaxed)),
                b'?' => drop(self.help.fetch_not(Ordering::Relaxed)),
                _ => {}
            }
        }
    }

    /// Handles keys on a thread of its own, if there is a keyboard.
    pub fn listen(&self) {
        if !stdin().is_terminal() {
            return;
        }
        let switches = self.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 64];
            loop {
                // Without the terminal, a read could stop the whole process.
                let read = if screen::is_active() { stdin().read(&mut bytes) } else { Ok(0) };
                match read {
                    Ok(0) => std::thread::sleep(Duration::from_millis(50)),
                    Ok(length) => switches.handle(&bytes[..length]),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_switch() {
        let switches = Switches::default();
        let state =
            || [&switches.stop, &switches.pause, &switches.help].map(|flag| flag.load(Ordering::Relaxed));
        let table: [(&[u8], [bool; 3]); 6] = [
            (b"x\n", [false, false, false]),
            (b"p", [false, true, false]),
            (b"?", [false, true, true]),
            (b"\x1b[q", [false, true, true]),
            (b"p?", [false, false, false]),
            (b"q", [true, false, false]),
        ];
        for (bytes, expected) in table {
            switches.handle(bytes);
            assert_eq!(state(), expected, "{bytes:?}");
        }
    }
}
