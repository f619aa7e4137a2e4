//! Mutations by whole s-expressions. Unlike byte mutations, they rarely break parentheses, so the fuzzer reaches the type checker
//! and the printer.

use smt::Signatures;
use smt::lexer::{Kind, Lexer};
use std::ops::Range;
use std::sync::OnceLock;

/// A small random number generator, seeded by the fuzzer.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit.max(1)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        (!all.is_empty()).then(|| &all[self.below(all.len())])
    }
}

/// Terms, sorts and commands to insert.
const PHRASES: &[&str] = &[
    "true",
    "false",
    "0",
    "1",
    "1.5",
    "18446744073709551616",
    "#b1",
    "#xff",
    "(_ bv3 8)",
    "\"\"",
    "\"a\"\"\\u{41}\"",
    "|x y|",
    "||",
    "|let|",
    "let",
    "-5",
    "(- 5)",
    "(- 1.5)",
    "Bool",
    "Int",
    "Real",
    "String",
    "RegLan",
    "RoundingMode",
    "(_ BitVec 8)",
    "(_ BitVec 1)",
    "(_ FloatingPoint 5 11)",
    "Float32",
    "(Array Int Int)",
    "(Array Int Bool)",
    "(Seq Int)",
    "(Set Int)",
    "(Bag Int)",
    "(Tuple Int Bool)",
    "(-> Int Int)",
    "(_ FiniteField 17)",
    "(as ff3 (_ FiniteField 17))",
    "(as seq.empty (Seq Int))",
    "(as set.empty (Set Int))",
    "((as const (Array Int Int)) 0)",
    "(_ +oo 5 11)",
    "RNE",
    "(let ((x 1)) x)",
    "(let ((x y) (y x)) (= x y))",
    "(forall ((x Int)) (> x 0))",
    "(exists ((y Bool)) y)",
    "(lambda ((x Int)) x)",
    "(! true :named n)",
    "(! (p x) :pattern ((p x)) :weight 3)",
    "(_ is cons)",
    "(_ extract 3 0)",
    "(match x ((nil 0) ((cons h t) h)))",
    "(ite true x y)",
    "(= x y)",
    "(not true)",
    "(declare-const x Int)",
    "(declare-fun f (Int) Int)",
    "(define-fun g ((x Int)) Int (+ x 1))",
    "(declare-sort U 0)",
    "(define-sort W (A) (Array Int A))",
    "(declare-datatype L ((nil) (cons (hd Int) (tl L))))",
    "(declare-datatypes ((P 2)) ((par (A B) ((pair (fst A) (snd B))))))",
    "(push 1)",
    "(pop 1)",
    "(reset)",
    "(check-sat)",
    "(check-sat-assuming (p))",
    "(get-value (x))",
    "(set-logic QF_LRA)",
    "(set-option :global-declarations true)",
    "(echo \"hi\")",
    "(minimize x)",
    "(frobnicate 1 (2))",
];

/// The names of all operators in the signatures.
fn operators() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let signatures = Signatures::standard();
        signatures
            .declarations
            .iter()
            .map(|declaration| signatures.name(declaration.name).to_owned())
            .collect()
    })
}

/// The ranges of all s-expressions of a text, up to the first invalid token.
fn expressions(source: &str) -> Vec<Range<usize>> {
    let mut lexer = Lexer::new(source);
    let mut open = Vec::new();
    let mut all = Vec::new();
    while let Ok(token) = lexer.next_token() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        match token.kind {
            Kind::Open => open.push(start),
            Kind::Close => all.extend(open.pop().map(|start| start..end)),
            Kind::End => break,
            _ => all.push(start..end),
        }
    }
    all
}

fn replaced(source: &str, range: Range<usize>, with: &str) -> String {
    let mut text = String::with_capacity(source.len() + with.len() + 2);
    text.push_str(&source[..range.start]);
    text.push_str(with);
    text.push_str(&source[range.end..]);
    text
}

/// Applies one mutation, chosen by `seed`; `None` if the text contains no expression.
fn mutated(source: &str, seed: u32) -> Option<String> {
    let mut random = Random(u64::from(seed) << 1 | 1);
    let all = expressions(source);
    let here = random.pick(&all)?.clone();
    let there = random.pick(&all)?.clone();
    let text = match random.below(8) {
        0 | 1 => replaced(source, here, &source[there]),
        2 => replaced(source, here, random.pick(PHRASES)?),
        3 => replaced(source, here, ""),
        4 => {
            let at = here.end;
            replaced(source, at..at, &format!(" {}", &source[there]))
        }
        5 => {
            let at = here.end;
            replaced(source, at..at, &format!(" {}", random.pick(PHRASES)?))
        }
        6 => {
            let wrapped = format!("({} {})", random.pick(operators())?, &source[here.clone()]);
            replaced(source, here, &wrapped)
        }
        _ => {
            // Replace an atom by an operator.
            let atoms: Vec<_> = all.iter().filter(|range| source.as_bytes()[range.start] != b'(').collect();
            replaced(source, (*random.pick(&atoms)?).clone(), random.pick(operators())?)
        }
    };
    Some(text)
}

/// Mutates the first `size` bytes of `data` in place. Returns the new size, or `None` if they cannot be mutated.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    let source = std::str::from_utf8(&data[..size]).ok()?;
    let text = mutated(source, seed)?;
    let len = text.len();
    (len <= max_size && len <= data.len()).then(|| {
        data[..len].copy_from_slice(text.as_bytes());
        len
    })
}

/// Inserts an expression of one text into another. Returns the size of the result in `out`.
pub fn crossover(first: &[u8], second: &[u8], out: &mut [u8], seed: u32) -> Option<usize> {
    let (first, second) = (std::str::from_utf8(first).ok()?, std::str::from_utf8(second).ok()?);
    let mut random = Random(u64::from(seed) << 1 | 1);
    let (here, there) = (expressions(first), expressions(second));
    let text = replaced(first, random.pick(&here)?.clone(), &second[random.pick(&there)?.clone()]);
    (text.len() <= out.len()).then(|| {
        out[..text.len()].copy_from_slice(text.as_bytes());
        text.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_valid_text_and_depend_only_on_the_seed() {
        let source = "(assert (= x (let ((y 1)) y)))";
        let mut different = 0;
        for seed in 0..200 {
            let mut data = vec![0; 400];
            data[..source.len()].copy_from_slice(source.as_bytes());
            let mut twin = data.clone();
            let len = mutate(&mut data, source.len(), 400, seed).expect("the mutant fits");
            assert_eq!(mutate(&mut twin, source.len(), 400, seed), Some(len));
            assert_eq!(data, twin);
            let text = std::str::from_utf8(&data[..len]).expect("text stays text");
            different += usize::from(text != source);
        }
        assert!(different > 150, "{different}");
    }

    #[test]
    fn oversized_results_are_rejected() {
        let mut data = *b"(a)";
        assert_eq!(mutate(&mut data, 3, 0, 1), None);
        assert_eq!(mutate(&mut [], 0, 10, 1), None);
        assert_eq!(crossover(b"(a)", b"(b c)", &mut [0; 2], 5), None);
    }
}
