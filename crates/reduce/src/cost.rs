//! The size of a script, which every step of a reduction must decrease.

use smt::lexer::{Kind, Lexer};

/// The size of a script: what a reader has to take in, then the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// The total weight of its tokens. Larger literals weigh more.
    pub weight: u64,
    /// Its length in bytes.
    pub bytes: usize,
}

impl Cost {
    /// The cost of a text.
    pub fn of(text: &str) -> Cost {
        let mut lexer = Lexer::new(text);
        let mut weight = 0;
        while let Ok(token) = lexer.next_token() {
            if token.kind == Kind::End {
                break;
            }
            weight += weight_of(token.kind, lexer.text(token));
        }
        Cost { weight, bytes: text.len() }
    }
}

/// A name weighs more than a default value, so replacing the name is progress. A literal weighs by its digits, so a smaller
/// number is progress too.
fn weight_of(kind: Kind, text: &str) -> u64 {
    match kind {
        Kind::Open => 2,
        Kind::Close => 0,
        Kind::Numeral => 2 + bits(text),
        Kind::Decimal => 2 + bits(text.trim_end_matches('0').trim_end_matches('.')),
        Kind::Hex => 2 + text.bytes().skip(2).filter(|digit| *digit != b'0').count() as u64,
        Kind::Binary => 2 + text.bytes().skip(2).filter(|digit| *digit != b'0').count() as u64,
        Kind::String => text.len() as u64,
        _ if text == "true" || text == "false" => 2,
        _ => 4,
    }
}

/// The approximate bit length of a decimal number.
fn bits(digits: &str) -> u64 {
    match digits.parse::<u64>() {
        Ok(number) => u64::from(64 - number.leading_zeros()),
        Err(_) => digits.len() as u64 * 10 / 3,
    }
}

#[cfg(test)]
mod tests {
    use super::Cost;

    #[test]
    fn simpler_costs_less() {
        let falling = [
            "(assert (= (+ x y) 1000))",
            "(assert (= (+ x 1) 1000))",
            "(assert (= (+ x 1) 7))",
            "(assert (= x 7))",
            "(assert (= x 0))",
            "(assert (= 0 0))",
            "(assert false)",
            "(a false)",
            "",
        ];
        for pair in falling.windows(2) {
            assert!(Cost::of(pair[0]) > Cost::of(pair[1]), "{pair:?}");
        }
    }
}
