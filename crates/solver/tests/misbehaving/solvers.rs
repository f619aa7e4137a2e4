//! Misbehaving solvers. The test program starts itself as the solver that [`MARK`] names; the argument is its script, or `-`
//! for a session.

use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// The variable that makes the test program a solver.
pub const MARK: &str = "ELENCHUS_MISBEHAVE";

/// Behaves like the solver of that name. Never returns.
pub fn behave(solver: &str) -> ! {
    match solver {
        "ignores-sigterm" => {
            // SAFETY: ignoring a signal installs no handler.
            unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
            hang()
        }
        "leaves-children" => {
            // A child that outlives it, in its own group, and one in a session of its own.
            leave_child(false);
            leave_child(true);
            answer()
        }
        "eats-memory" => {
            let mut hoard: Vec<Vec<u8>> = Vec::new();
            loop {
                hoard.push(vec![1; 4 << 20]);
            }
        }
        "prints-endlessly" => loop {
            println!("{}", "word ".repeat(1000));
        },
        "never-flushes-line" => {
            print!("(define-fun x () Int");
            flush();
            hang()
        }
        "segfaults-in-function" => {
            println!("sat");
            flush();
            read_invalid_address(std::ptr::null());
            hang()
        }
        "segfaults" => {
            println!("sat");
            flush();
            // Without the handler of the Rust runtime, which would return from a signal that is no stack overflow.
            // SAFETY: resetting and raising a signal touches no memory.
            unsafe {
                libc::signal(libc::SIGSEGV, libc::SIG_DFL);
                libc::raise(libc::SIGSEGV);
            }
            hang()
        }
        "exits-with-error" => {
            println!("sat");
            flush();
            std::process::exit(1)
        }
        "closes-input" => {
            // SAFETY: nothing in this process reads standard input any more.
            unsafe { libc::close(0) };
            answer()
        }
        "writes-files" => {
            std::fs::create_dir_all("left/behind").expect("the working folder can be written");
            std::fs::write("left/behind/file", "text").expect("the working folder can be written");
            let locked = std::os::unix::fs::PermissionsExt::from_mode(0o000);
            std::fs::set_permissions("left/behind", locked).expect("the folder is its own");
            std::fs::write("notes", "text").expect("the working folder can be written");
            answer()
        }
        "writes-endless-file" => {
            // Writes a file without end.
            let mut file = std::fs::File::create("hoard").expect("the working folder can be written");
            loop {
                if file.write_all(&[b'x'; 1 << 16]).is_err() {
                    std::process::exit(3);
                }
            }
        }
        "fills-folder" => {
            // Each file is within the limit of a file.
            for number in 0.. {
                let name = format!("hoard-{number}");
                std::fs::write(name, [b'x'; 1 << 19]).expect("the working folder can be written");
                std::thread::sleep(Duration::from_millis(2));
            }
            answer()
        }
        "forks-many" => {
            for _ in 0..400 {
                // SAFETY: the child only sleeps.
                if unsafe { libc::fork() } == 0 {
                    hang()
                }
            }
            hang()
        }
        "unblocks-output" => {
            // Makes its output pipe non-blocking, which the next solver inherits.
            // SAFETY: the call takes numbers only.
            unsafe { libc::fcntl(1, libc::F_SETFL, libc::O_NONBLOCK) };
            answer()
        }
        "session" => session(),
        "file-reader" => file_reader(),
        other => {
            eprintln!("no solver is called {other}");
            std::process::exit(2)
        }
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

fn die() {
    // SAFETY: the signal ends this process.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
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
    let program = std::env::current_exe().expect("the path of this program is known");
    let mut child = Command::new(program);
    child.env(MARK, "ignores-sigterm");
    if far_away {
        // The child leads its own session and group, so no signal to the solver's group reaches it.
        // SAFETY: `setsid` is allowed between fork and exec.
        unsafe {
            child.pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
    }
    // It is not waited for, on purpose.
    drop(child.spawn().expect("a child can be started"));
}

/// Reads its script from a file, so that it can be a fork server, and obeys each line.
fn file_reader() -> ! {
    let path = std::env::args().nth(1).expect("a script is given");
    let script = std::fs::read_to_string(path).expect("the script can be read");
    for line in script.lines() {
        match line.trim() {
            "(check-sat)" => println!("sat"),
            "(die)" => die(),
            "(hang)" => hang(),
            "(babble)" => loop {
                println!("{}", "word ".repeat(1000));
            },
            "(leave)" => leave_child(true),
            "(scribble)" => std::fs::write("notes", "text").expect("the working folder can be written"),
            "(name-descriptors)" => {
                let open = std::fs::read_dir("/proc/self/fd").expect("a process sees its descriptors");
                for entry in open.flatten() {
                    // The descriptor of the folder itself is closed by then, and its link is empty.
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

/// Kills the other children of its parent and waits until they are dead.
fn kill_siblings() {
    // SAFETY: the calls have no preconditions.
    let (own, parent) = unsafe { (libc::getpid(), libc::getppid()) };
    let path = format!("/proc/{parent}/task/{parent}/children");
    let children = std::fs::read_to_string(path).expect("the children of a process can be read");
    for child in children.split_whitespace().filter_map(|number| number.parse().ok()) {
        if child != own {
            // SAFETY: a signal to another process touches no memory of this one.
            unsafe { libc::kill(child, libc::SIGKILL) };
            let lives = |stat: String| !stat.contains(") Z ");
            while std::fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(lives) {
                std::thread::yield_now();
            }
        }
    }
}

/// A session that dies at `(die)`, hangs at `(hang)`, and answers otherwise.
fn session() -> ! {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        match line.trim() {
            "(check-sat)" => println!("sat"),
            "(die)" => die(),
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

/// Reads an invalid address. Its name is on the stack.
#[inline(never)]
fn read_invalid_address(nothing: *const u8) {
    // SAFETY: none: it crashes on purpose, and nothing runs after it.
    println!("{}", unsafe { std::ptr::read_volatile(nothing) });
}
