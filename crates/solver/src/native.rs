//! The code that this crate shares with the native programs.

#[path = "../native/cover.rs"]
pub mod cover;
#[path = "../native/huge.rs"]
mod huge;
#[path = "../native/libc.rs"]
mod libc;
#[path = "../native/prefork.rs"]
pub mod prefork;
#[path = "../native/protocol.rs"]
pub mod protocol;
#[path = "../native/serve.rs"]
pub mod serve;
#[path = "../native/supervise.rs"]
mod supervise;
