//! Any bytes: they are read as a script, as s-expressions, as signatures and laid out, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    smt_fuzz::reads_without_panic(&String::from_utf8_lossy(data));
});
