//! Any bytes: parsing them as a script, s-expressions and signatures, and laying them out, must not panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    smt_fuzz::parse_without_panic(&String::from_utf8_lossy(data));
});
