//! The terminal while the live view has it: the alternate screen, without echo, so that a resize or the end leaves nothing behind.
//!
//! There is one terminal, so this is one global state: signals, panics and messages of other threads must reach it.

use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};
use std::io::{Write, stdin, stdout};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes the alternate screen, hides the cursor and stops wrapping lines.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";

/// Undoes [`ENTER`].
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// How many messages are kept until the end.
const MOST_MESSAGES: usize = 200;

/// Who has the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The shell.
    Off,
    /// The live view.
    On,
    /// The shell, until this job continues in the foreground.
    Suspended,
}

/// The terminal.
struct Screen {
    state: State,
    /// The mode of the keyboard before, if it is a terminal.
    before: Option<Termios>,
    /// Messages to print when the terminal is given back.
    held: Vec<String>,
}

static SCREEN: Mutex<Screen> = Mutex::new(Screen { state: State::Off, before: None, held: Vec::new() });

fn screen() -> MutexGuard<'static, Screen> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this process may use the terminal: a job in the background is stopped if it tries.
pub fn is_in_foreground() -> bool {
    tcgetpgrp(stdout()).is_ok_and(|group| group == getpgrp())
}

/// Takes the terminal.
pub fn enter() {
    take(&mut screen());
}

/// Takes the terminal again after [`suspend`]. If the live view has it, sets its modes again, since a shell may have changed them.
pub fn resume() {
    let mut screen = screen();
    if screen.state != State::Off && is_in_foreground() {
        take(&mut screen);
    }
}

/// Gives the terminal back for good.
pub fn leave() {
    give_back(&mut screen(), State::Off);
}

/// Gives the terminal back until [`resume`].
pub fn suspend() {
    let mut screen = screen();
    if screen.state == State::On {
        give_back(&mut screen, State::Suspended);
    }
}

fn take(screen: &mut Screen) {
    if screen.before.is_none() {
        screen.before = tcgetattr(stdin()).ok();
    }
    if let Some(before) = &screen.before {
        let mut keys = before.clone();
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        // A read waits for a key for at most a tenth of a second.
        keys.special_codes[SpecialCodeIndex::VMIN] = 0;
        keys.special_codes[SpecialCodeIndex::VTIME] = 1;
        // Without it, keys need Return.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &keys);
    }
    screen.state = State::On;
    write(ENTER);
}

/// Gives the terminal back, without the keys that nobody read, and prints the messages that were held.
fn give_back(screen: &mut Screen, state: State) {
    if screen.state == State::On {
        write(LEAVE);
    }
    screen.state = state;
    if let Some(before) = screen.before.take() {
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &before);
    }
    for message in screen.held.drain(..) {
        eprintln!("{message}");
    }
}

/// Whether the live view has the terminal.
pub fn is_active() -> bool {
    screen().state == State::On
}

/// Writes to the terminal, if the live view has it.
pub fn draw(text: &str) {
    let screen = screen();
    if screen.state == State::On {
        write(text);
    }
}

/// Prints a message to standard error; while the live view has the terminal, it waits.
pub fn message(text: String) {
    let mut screen = screen();
    if screen.state != State::On {
        eprintln!("{text}");
    } else if screen.held.len() < MOST_MESSAGES {
        screen.held.push(text);
    }
}

/// Keeps the message of a panic until the terminal is given back. `false` if the live view does not have the terminal.
pub fn holds_panic(text: &str) -> bool {
    // The panic may be in this very module.
    let Ok(mut screen) = SCREEN.try_lock() else { return false };
    let active = screen.state == State::On;
    if active {
        screen.held.push(text.to_owned());
    }
    active
}

/// A closed terminal is no reason to stop fuzzing.
fn write(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
