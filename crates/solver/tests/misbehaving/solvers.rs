//! Solvers that misbehave, each in its own way. The test program starts itself as the solver: the first argument names
//! the animal, the second its script, or `-` for a session.

use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// The variable that turns the test program into a wild solver.
pub const MARK: &str = "ELENCHUS_WILD";

/// Behaves as the animal of that name. Does not return.
pub fn behave(animal: &str) -> ! {
    match animal {
        "deaf" => {
            // Ignores SIGTERM and hangs.
            unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
            hang()
        }
        "parent" => {
            // A child that outlives it, in its own group, and one that has left for a session of its own.
            leave_child(false);
            leave_child(true);
            answer()
        }
        "glutton" => {
            let mut hoard: Vec<Vec<u8>> = Vec::new();
            loop {
                hoard.push(vec![1; 4 << 20]);
            }
        }
        "chatter" => loop {
            println!("{}", "word ".repeat(1000));
        },
        "stutterer" => {
            print!("(define-fun x () Int");
            flush();
            hang()
        }
        "stumbler" => {
            println!("sat");
            flush();
            stumble(std::ptr::null());
            hang()
        }
        "faller" => {
            println!("sat");
            flush();
            // Without the handler of the Rust runtime, which would come back from a signal that is no stack overflow.
            unsafe {
                libc::signal(libc::SIGSEGV, libc::SIG_DFL);
                libc::raise(libc::SIGSEGV);
            }
            hang()
        }
        "grumbler" => {
            println!("sat");
            flush();
            std::process::exit(1)
        }
        "deserter" => {
            // Closes its input early, and answers all the same.
            unsafe { libc::close(0) };
            answer()
        }
        "scribbler" => {
            std::fs::create_dir_all("left/behind").expect("the working folder can be written");
            std::fs::write("left/behind/file", "text").expect("the working folder can be written");
            let locked = std::os::unix::fs::PermissionsExt::from_mode(0o000);
            std::fs::set_permissions("left/behind", locked).expect("the folder is its own");
            std::fs::write("notes", "text").expect("the working folder can be written");
            answer()
        }
        "hoarder" => {
            // Writes a file without end.
            let mut file = std::fs::File::create("hoard").expect("the working folder can be written");
            loop {
                if file.write_all(&[b'x'; 1 << 16]).is_err() {
                    std::process::exit(3);
                }
            }
        }
        "unblocker" => {
            // Leaves the pipe of its output non-blocking, which the next one inherits.
            unsafe { libc::fcntl(1, libc::F_SETFL, libc::O_NONBLOCK) };
            answer()
        }
        "session" => session(),
        "servant" => servant(),
        other => {
            eprintln!("no animal called {other}");
            std::process::exit(2)
        }
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

fn flush() {
    std::io::stdout().flush().expect("standard output can be written");
}

fn answer() -> ! {
    println!("sat");
    flush();
    std::process::exit(0)
}

fn leave_child(far_away: bool) {
    let program = std::env::current_exe().expect("a program knows itself");
    let mut child = Command::new(program);
    child.env(MARK, "deaf");
    if far_away {
        // The child is its own session leader and group: no signal to the solver's group reaches it.
        unsafe {
            child.pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
    }
    // Not waited for: that is the point.
    drop(child.spawn().expect("a child can be started"));
}

/// Reads its script from a file, so that it can be made a fork server, and does what each line says.
fn servant() -> ! {
    let path = std::env::args().nth(1).expect("a script is given");
    let script = std::fs::read_to_string(path).expect("the script can be read");
    for line in script.lines() {
        match line.trim() {
            "(check-sat)" => println!("sat"),
            "(die)" => unsafe {
                libc::kill(libc::getpid(), libc::SIGKILL);
            },
            "(hang)" => hang(),
            "(babble)" => loop {
                println!("{}", "word ".repeat(1000));
            },
            "(leave)" => leave_child(true),
            "(scribble)" => std::fs::write("notes", "text").expect("the working folder can be written"),
            "(name-descriptors)" => {
                let open = std::fs::read_dir("/proc/self/fd").expect("a process sees its descriptors");
                for entry in open.flatten() {
                    // The folder itself is closed again.
                    println!("{}", std::fs::read_link(entry.path()).unwrap_or_default().display());
                }
            }
            "(kill-siblings)" => kill_siblings(),
            _ => {}
        }
        flush();
    }
    std::process::exit(0)
}

/// Kills the other children of its parent, and waits until they are dead.
fn kill_siblings() {
    let (own, parent) = unsafe { (libc::getpid(), libc::getppid()) };
    let path = format!("/proc/{parent}/task/{parent}/children");
    let children = std::fs::read_to_string(path).expect("the children of a process can be read");
    for child in children.split_whitespace().filter_map(|number| number.parse().ok()) {
        if child != own {
            unsafe { libc::kill(child, libc::SIGKILL) };
            let lives = |stat: String| !stat.contains(") Z ");
            while std::fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(lives) {
                std::thread::yield_now();
            }
        }
    }
}

/// A tame session that dies at a `(die)`, hangs at a `(hang)`, and otherwise answers.
fn session() -> ! {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        match line.trim() {
            "(check-sat)" => println!("sat"),
            "(die)" => unsafe {
                libc::kill(libc::getpid(), libc::SIGKILL);
            },
            "(hang)" => hang(),
            "(babble)" => loop {
                println!("{}", "word ".repeat(1000));
            },
            text => {
                if let Some(word) = text.strip_prefix("(echo \"").and_then(|rest| rest.strip_suffix("\")")) {
                    println!("{word}");
                }
            }
        }
        flush();
    }
    std::process::exit(0)
}

/// Reads what is not there. It has a name on the stack.
#[inline(never)]
fn stumble(nothing: *const u8) {
    println!("{}", unsafe { std::ptr::read_volatile(nothing) });
}
