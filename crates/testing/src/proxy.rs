//! A network that fails on command.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Forwards connections to a port of this machine. It can stall them, cut them, and refuse new ones.
pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_stalled: AtomicBool,
    is_refusing: AtomicBool,
    is_over: AtomicBool,
    /// How many bytes may pass before everything stalls; none is `u64::MAX`.
    left: AtomicU64,
    connections: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// Starts to forward to a port.
    ///
    /// # Panics
    /// If the system has no free port.
    pub fn start(target: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let port = listener.local_addr().expect("the port is known").port();
        let state = Arc::new(State { left: AtomicU64::new(u64::MAX), ..State::default() });
        let shared = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if shared.is_over.load(Ordering::Relaxed) {
                    return;
                }
                if shared.is_refusing.load(Ordering::Relaxed) {
                    continue;
                }
                // A server that refuses the connection looks as if the proxy did.
                let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                shared.join(&client, &server);
                shared.join(&server, &client);
            }
        });
        Proxy { port, state }
    }

    /// The port to connect to instead.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Lets nothing pass from now on: connections stay open and silent. `false` lets everything pass that has waited.
    pub fn stall(&self, is_stalled: bool) {
        self.state.left.store(u64::MAX, Ordering::Relaxed);
        self.state.is_stalled.store(is_stalled, Ordering::Relaxed);
    }

    /// Lets so many more bytes pass, in both directions together, and then nothing: a stall in mid-message.
    pub fn stall_after(&self, bytes: u64) {
        self.state.left.store(bytes, Ordering::Relaxed);
    }

    /// Closes all connections. New ones work.
    pub fn cut(&self) {
        for connection in self.state.connections.lock().expect("no thread panics").drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    /// Closes new connections at once, or lets them in again.
    pub fn refuse(&self, is_refusing: bool) {
        self.state.is_refusing.store(is_refusing, Ordering::Relaxed);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        self.cut();
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl State {
    /// Forwards what one side says to the other, in a thread.
    fn join(self: &Arc<State>, from: &TcpStream, to: &TcpStream) {
        let (Ok(mut from), Ok(mut to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone())
        else {
            return;
        };
        self.connections.lock().expect("no thread panics").push(kept);
        let state = self.clone();
        thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            while let Ok(length @ 1..) = from.read(&mut buffer) {
                let passed = state.pass(length);
                if to.write_all(&buffer[..passed]).is_err() {
                    break;
                }
                while state.is_stalled.load(Ordering::Relaxed) && !state.is_over.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(5));
                }
                if to.write_all(&buffer[passed..length]).is_err() {
                    break;
                }
            }
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }

    /// How many of these bytes may pass now. The last one that may begins a stall.
    fn pass(&self, length: usize) -> usize {
        if self.is_stalled.load(Ordering::Relaxed) {
            return 0;
        }
        let take = |left: u64| (left != u64::MAX).then(|| left.saturating_sub(length as u64));
        let Ok(left) = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) else {
            return length;
        };
        if left >= length as u64 {
            return length;
        }
        self.is_stalled.store(true, Ordering::Relaxed);
        left as usize
    }
}
