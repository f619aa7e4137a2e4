//! One large script, the same on every machine: thousands of constants, and nested terms over Booleans, integers, bit-vectors,
//! arrays and functions, with `let`s that share them.

use std::fmt::Write;

/// The number of constants of each sort.
const CONSTANTS: usize = 2000;

/// The maximum depth of a term outside `let`.
const DEPTH: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Bool,
    Int,
    Byte,
    Word,
    Numbers,
    Memory,
}

const SORTS: [(Sort, &str, &str); 6] = [
    (Sort::Bool, "b", "Bool"),
    (Sort::Int, "i", "Int"),
    (Sort::Byte, "v", "(_ BitVec 8)"),
    (Sort::Word, "w", "(_ BitVec 32)"),
    (Sort::Numbers, "a", "(Array Int Int)"),
    (Sort::Memory, "m", "(Array (_ BitVec 32) (_ BitVec 8))"),
];

/// The forms of a term of a sort: the text before the arguments, and their sorts.
fn forms(sort: Sort) -> &'static [(&'static str, &'static [Sort])] {
    use Sort::*;
    match sort {
        Bool => &[
            ("and", &[Bool, Bool, Bool]),
            ("or", &[Bool, Bool]),
            ("not", &[Bool]),
            ("=>", &[Bool, Bool]),
            ("xor", &[Bool, Bool]),
            ("=", &[Int, Int]),
            ("=", &[Word, Word]),
            ("distinct", &[Byte, Byte]),
            ("<=", &[Int, Int]),
            (">", &[Int, Int]),
            ("bvult", &[Word, Word]),
            ("bvsge", &[Byte, Byte]),
            ("p", &[Int, Word]),
            ("ite", &[Bool, Bool, Bool]),
        ],
        Int => &[
            ("+", &[Int, Int]),
            ("-", &[Int, Int]),
            ("* 3", &[Int]),
            ("-", &[Int]),
            ("ite", &[Bool, Int, Int]),
            ("select", &[Numbers, Int]),
            ("f", &[Int, Int]),
        ],
        Byte => &[
            ("bvadd", &[Byte, Byte]),
            ("bvxor", &[Byte, Byte]),
            ("bvnot", &[Byte]),
            ("(_ extract 7 0)", &[Word]),
            ("select", &[Memory, Word]),
            ("ite", &[Bool, Byte, Byte]),
        ],
        Word => &[
            ("bvadd", &[Word, Word]),
            ("bvand", &[Word, Word]),
            ("bvor", &[Word, Word]),
            ("bvmul", &[Word, Word]),
            ("bvshl", &[Word, Word]),
            ("bvneg", &[Word]),
            ("(_ zero_extend 24)", &[Byte]),
            ("g", &[Word]),
            ("ite", &[Bool, Word, Word]),
        ],
        Numbers => &[("store", &[Numbers, Int, Int])],
        Memory => &[("store", &[Memory, Word, Byte])],
    }
}

struct Generator {
    state: u64,
    out: String,
    /// The `let` variables in scope, with their sorts.
    bound: Vec<(String, Sort)>,
}

impl Generator {
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    fn leaf(&mut self, sort: Sort) {
        let named: Vec<usize> = (0..self.bound.len()).filter(|&at| self.bound[at].1 == sort).collect();
        if !named.is_empty() && self.below(3) == 0 {
            let at = named[self.below(named.len())];
            self.out.push_str(&self.bound[at].0);
            return;
        }
        let number = self.below(CONSTANTS);
        let literal = self.below(4) == 0;
        let (_, prefix, _) = SORTS.into_iter().find(|(known, ..)| *known == sort).unwrap_or(SORTS[0]);
        match sort {
            Sort::Int if literal => self.put(format_args!("{number}")),
            Sort::Byte if literal => self.put(format_args!("#x{:02x}", number % 256)),
            Sort::Word if literal => self.put(format_args!("(_ bv{number} 32)")),
            _ => self.put(format_args!("{prefix}{number}")),
        }
    }

    fn put(&mut self, text: std::fmt::Arguments) {
        self.out.write_fmt(text).expect("writing to a string cannot fail");
    }

    /// Writes a term of a sort; `depth` bounds the recursion.
    fn term(&mut self, sort: Sort, depth: usize) {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(sort);
        }
        let forms = forms(sort);
        let (head, args) = forms[self.below(forms.len())];
        self.put(format_args!("({head}"));
        for &arg in args {
            self.out.push(' ');
            self.term(arg, depth - 1);
        }
        self.out.push(')');
    }

    /// Writes an assertion: some layers of `let`, then a formula over their variables.
    fn assertion(&mut self) {
        self.out.push_str("(assert ");
        let layers = self.below(4);
        for layer in 0..layers {
            let first = self.bound.len();
            let mut fresh = Vec::new();
            self.out.push_str("(let (");
            for at in 0..1 + self.below(3) {
                let (sort, ..) = SORTS[self.below(SORTS.len())];
                let name = format!("?{layer}_{}", first + at);
                self.put(format_args!("({name} "));
                self.term(sort, DEPTH - 2);
                self.out.push(')');
                fresh.push((name, sort));
            }
            self.out.push_str(") ");
            self.bound.extend(fresh);
        }
        self.term(Sort::Bool, DEPTH);
        self.out.extend(std::iter::repeat_n(')', layers));
        self.out.push_str(")\n");
        self.bound.clear();
    }
}

/// Generates a script of about `bytes` bytes.
pub fn script(bytes: usize) -> String {
    let mut generator =
        Generator { state: 0x0E1E_2C45, out: String::with_capacity(bytes + 10_000), bound: Vec::new() };
    generator.out.push_str("(set-logic ALL)\n");
    for (_, prefix, sort) in SORTS {
        for number in 0..CONSTANTS {
            generator.put(format_args!("(declare-const {prefix}{number} {sort})\n"));
        }
    }
    generator.out.push_str(
        "(declare-fun f (Int Int) Int)\n(declare-fun g ((_ BitVec 32)) (_ BitVec 32))\n\
         (declare-fun p (Int (_ BitVec 32)) Bool)\n",
    );
    while generator.out.len() < bytes {
        generator.assertion();
    }
    generator.out
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_scripts_are_well_typed_and_deterministic() {
        let text = super::script(1_000_000);
        assert!(text.len() >= 1_000_000 && text.len() < 1_100_000, "{}", text.len());
        assert_eq!(text, super::script(1_000_000));
        let mut arena = smt::Arena::default();
        let script = smt::parse_script(&mut arena, &text).expect("well-typed");
        assert!(script.assertions().count() > 20);
    }
}
