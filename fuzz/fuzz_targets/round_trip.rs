//! Scripts: parsing printed scripts gives the same terms, with `let` as it was, expanded or introduced.
#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| {
    if let Ok(source) = std::str::from_utf8(data) {
        smt_fuzz::round_trip(source);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // Let libFuzzer mutate bytes in one case of eight, to change the inside of tokens.
    let by_expression = if seed % 8 == 0 { None } else { smt_fuzz::mutate(data, size, max_size, seed) };
    by_expression.unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});

fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
    smt_fuzz::crossover(first, second, out, seed).unwrap_or(0)
});
