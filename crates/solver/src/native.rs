//! The parts of the native programs that this crate shares with them.

#[path = "../native/cover.rs"]
pub mod cover;
#[path = "../native/huge.rs"]
mod huge;
#[path = "../native/libc.rs"]
mod libc;
#[path = "../native/protocol.rs"]
pub mod protocol;
#[path = "../native/serve.rs"]
pub mod serve;
#[path = "../native/spare.rs"]
pub mod spare;
#[path = "../native/supervise.rs"]
mod supervise;
