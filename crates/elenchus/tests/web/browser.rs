//! A headless Chromium, driven by its own WebDriver over HTTP.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for something to happen on a page.
const PATIENCE: Duration = Duration::from_secs(30);
/// The name of elements in the WebDriver protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window. It ends when it is dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: tempfile::TempDir,
    /// Read no more, but open: the driver would end if it could not write.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Browser {
    /// Starts a browser; `None` if it is not installed, which is a failure in CI.
    pub fn start() -> Option<Browser> {
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
            Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
        });
        let (Some(program), Ok(mut driver)) = (
            program,
            Command::new("chromedriver")
                .arg("--port=0")
                .process_group(0)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn(),
        ) else {
            testing::skip("chromium and chromium-driver are not installed");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .find_map(|line| {
                line.unwrap().split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok()
            })
            .unwrap();
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Browser { driver, port, session: String::new(), profile, _output: lines };
        let arguments = [
            "--headless".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            format!("--user-data-dir={}", browser.profile.path().display()),
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "binary": which(program), "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = browser.ask("POST", "/session", &wanted);
        browser.session = format!("/session/{}", answer["sessionId"].as_str().unwrap());
        browser.resize(1280, 900);
        Some(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_ask(method, path, body);
        answer.unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    fn try_ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).unwrap();
        let mut answer: Value = serde_json::from_slice(&answer).unwrap();
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(_) => Err(value["message"].as_str().unwrap_or_default().to_owned()),
            None => Ok(value),
        }
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        self.ask("POST", &format!("{}/{name}", self.session), body)
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        self.command("url", &json!({ "url": address }));
    }

    /// The value of a script.
    pub fn run(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The value that an asynchronous function gives in the end.
    pub fn run_async(&self, function: &str) -> Value {
        let script =
            format!("const done = arguments[0]; ({function})().then(done, error => done('' + error));");
        self.command("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// A command of the DevTools protocol.
    pub fn devtools(&self, name: &str, parameters: Value) {
        self.command("goog/cdp/execute", &json!({ "cmd": name, "params": parameters }));
    }

    /// Makes the page this large.
    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Makes the system prefer a theme.
    pub fn prefer(&self, theme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.devtools("Emulation.setEmulatedMedia", features);
    }

    /// The visible text of the first element.
    pub fn text(&self, selector: &str) -> String {
        let element = self.element(selector);
        let path = format!("{}/element/{element}/text", self.session);
        self.ask("GET", &path, &Value::Null).as_str().unwrap().to_owned()
    }

    fn element(&self, selector: &str) -> String {
        let found = self.command("element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks the first element.
    pub fn click(&self, selector: &str) {
        self.run(&format!(
            "document.querySelector({}).scrollIntoView({{ block: 'center' }})",
            json!(selector)
        ));
        let element = self.element(selector);
        self.command(&format!("element/{element}/click"), &json!({}));
    }

    /// Types text into the first element.
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.command(&format!("element/{element}/value"), &json!({ "text": text }));
    }

    /// Presses a key, wherever the focus is.
    pub fn press(&self, key: &str) {
        let keys = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": [
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key },
        ] }] });
        self.command("actions", &keys);
    }

    /// Waits until a script gives true.
    #[track_caller]
    pub fn wait_for(&self, script: &str) {
        let begun = Instant::now();
        while !matches!(
            self.try_ask(
                "POST",
                &format!("{}/execute/sync", self.session),
                &json!({ "script": script, "args": [] })
            ),
            Ok(Value::Bool(true))
        ) {
            assert!(begun.elapsed() < PATIENCE, "{script} is still false on\n{}", self.text("body"));
            sleep(Duration::from_millis(100));
        }
    }

    /// The messages of the console since the last call that are worse than notes.
    pub fn complaints(&self) -> Vec<String> {
        let all = self.command("se/log", &json!({ "type": "browser" }));
        let bad = all.as_array().unwrap().iter().filter(|entry| entry["level"] != "INFO");
        bad.map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The driver takes the browser with it when its session ends.
            let _ = self.try_ask("DELETE", &self.session, &Value::Null);
        }
        // Whatever the two still do, none of their processes is left.
        let group = rustix::process::Pid::from_child(&self.driver);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = self.driver.wait();
    }
}

/// The path of a program.
fn which(program: &str) -> String {
    let path = std::env::var("PATH").unwrap();
    let found = path
        .split(':')
        .map(|folder| format!("{folder}/{program}"))
        .find(|path| std::path::Path::new(path).is_file());
    found.unwrap()
}
