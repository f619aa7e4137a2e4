//! The live view of `elenchus fuzz` on a pseudo-terminal.

use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use vt100::{Parser, Screen};

/// How long to wait for something to appear before a test fails.
const PATIENCE: Duration = Duration::from_secs(120);

const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/terminal.py");

fn size(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

/// A campaign with a solver that answers at once, and one that is what `body` says, on a terminal.
struct Terminal {
    _folder: tempfile::TempDir,
    driver: Child,
    output: Receiver<Vec<u8>>,
    parser: Parser,
    /// Everything that was written to the terminal.
    raw: String,
}

impl Terminal {
    /// Starts a campaign; `None` without Python.
    fn start(body: &str, variables: &[(&str, &str)]) -> Option<Terminal> {
        if Command::new("python3").arg("--version").output().is_err() {
            testing::skip("there is no python3");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        for (name, body) in [("yes", "echo sat"), ("other", body)] {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\nfor file; do :; done\n{body}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let config = "[solver.yes]\npath = \"./yes\"\nprofile = \"cvc5\"\nversion = \"1.4.0\"\n\
                      [solver.other]\npath = \"./other\"\nprofile = \"z3\"\nversion = \"5.0.0\"\n";
        fs::write(folder.path().join("elenchus.toml"), config).unwrap();
        let mut driver = Command::new("python3")
            .args([
                DRIVER,
                "24",
                "80",
                env!("CARGO_BIN_EXE_elenchus"),
                "fuzz",
                "--solver",
                "yes",
                "--solver",
                "other",
            ])
            .args([
                "--cold",
                "--no-own-checks",
                "--jobs",
                "1",
                "--seed",
                "7",
                "--time",
                "1h",
                "--timeout",
                "60s",
            ])
            .current_dir(folder.path())
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = driver.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 65536];
            while let Ok(length @ 1..) = stdout.read(&mut bytes) {
                let _ = sender.send(bytes[..length].to_vec());
            }
        });
        let parser = Parser::new(size(24), size(80), 0);
        Some(Terminal { _folder: folder, driver, output, parser, raw: String::new() })
    }

    fn command(&mut self, command: Value) {
        writeln!(self.driver.stdin.as_mut().unwrap(), "{command}").unwrap();
    }

    fn press(&mut self, keys: &str) {
        self.command(json!(["type", keys]));
    }

    fn signal(&mut self, name: &str) {
        self.command(json!(["signal", name]));
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        self.parser.screen_mut().set_size(size(rows), size(columns));
        self.command(json!(["size", rows, columns]));
    }

    /// Waits until the screen is as expected.
    fn wait_for(&mut self, what: &str, expected: impl Fn(&Screen) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !expected(self.parser.screen()) {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(bytes) = self.output.recv_timeout(left) else {
                panic!("waiting for: {what}\n{}", self.parser.screen().contents());
            };
            self.parser.process(&bytes);
            self.raw.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    /// Waits for the end. Returns what the driver reports; the terminal must be as before.
    fn end(&mut self) -> Value {
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.parser.process(&bytes);
            self.raw.push_str(&String::from_utf8_lossy(&bytes));
        }
        let mut text = String::new();
        self.driver.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        self.driver.wait().unwrap();
        let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{}", screen.contents());
        assert_eq!((&report["same"], &report["left"]), (&json!(true), &json!("")));
        report
    }
}

/// Whether a screen holds one whole frame: the status in the first line, the keys in the last one, and no other.
fn is_one_frame(screen: &Screen) -> bool {
    let (rows, columns) = screen.size();
    let lines: Vec<String> = screen.rows(0, columns.get()).collect();
    let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    lines[0].starts_with("running ")
        && lines[usize::from(rows.get()) - 1].starts_with("q stop")
        && (count("q stop"), count("running "), count("random seed 7")) == (1, 1, 1)
}

#[test]
fn keys_work_a_resize_leaves_nothing_and_the_end_restores_the_terminal() {
    let Some(mut terminal) = Terminal::start("echo unsat", &[]) else { return };
    terminal.wait_for("a frame", is_one_frame);
    terminal.wait_for_text("wrong-unsat-");
    assert!(terminal.raw.contains("\x1b[32mrunning") && terminal.raw.contains("\x1b[31m"), "no colours");
    terminal.press("?");
    terminal.wait_for_text("close this help");
    terminal.press("?");
    terminal.wait_for("no help", |screen| !screen.contents().contains("close this help"));
    terminal.press("p");
    terminal.wait_for_text("paused ");
    terminal.press("p");
    for (rows, columns) in [(15, 60), (40, 120), (24, 80)] {
        terminal.resize(rows, columns);
        terminal.wait_for("a frame of the new size", is_one_frame);
        terminal.wait_for_text("wrong-unsat-");
    }
    terminal.press("xyz\nq");
    let report = terminal.end();
    assert_eq!(report["code"], 1);
    assert!(terminal.raw.contains("Stopped after"), "{}", terminal.parser.screen().contents());
}

#[test]
fn sigterm_restores_the_terminal_and_no_color_is_honoured() {
    let Some(mut terminal) = Terminal::start("echo sat", &[("NO_COLOR", "1")]) else { return };
    terminal.wait_for("a frame", is_one_frame);
    terminal.signal("SIGTERM");
    let report = terminal.end();
    assert_eq!(report["code"], 0);
    assert!(!terminal.raw.contains("\x1b[3"), "colours in spite of NO_COLOR");
}

#[test]
fn a_second_signal_kills_and_restores_the_terminal() {
    let Some(mut terminal) = Terminal::start("sleep 600", &[]) else { return };
    terminal.wait_for("a frame", is_one_frame);
    terminal.press("q");
    terminal.wait_for_text("stopping ");
    terminal.signal("SIGTERM");
    assert_eq!(terminal.end()["code"], -15);
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_the_job_continues() {
    let Some(mut terminal) = Terminal::start("echo sat", &[]) else { return };
    terminal.wait_for("a frame", is_one_frame);
    terminal.press("\x1a");
    terminal.wait_for("the ordinary screen", |screen| !screen.alternate_screen());
    terminal.command(json!(["continue"]));
    terminal.wait_for("a frame", |screen| screen.alternate_screen() && is_one_frame(screen));
    terminal.press("q");
    assert_eq!(terminal.end()["code"], 0);
}
