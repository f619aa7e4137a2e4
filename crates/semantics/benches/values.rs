//! Measures operations on values against a peer library in the same run.

use std::hint::black_box;
use std::time::Instant;

use aws_smt_strings::regular_expressions::ReManager;
use aws_smt_strings::smt_strings::SmtString;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use elenchus_semantics::value::algebraic::Algebraic;
use elenchus_semantics::value::bitvec::BitVec;
use elenchus_semantics::value::float::{Float, Format, RoundingMode};
use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::Limits;
use elenchus_semantics::value::rational::Rational;
use elenchus_semantics::value::regex::{Automaton, Regex};
use elenchus_semantics::value::string::Str;
use rustc_apfloat::ieee::Quad;
use rustc_apfloat::{Float as _, Round};

/// Nanoseconds per call: the minimum over several rounds, since other load only adds time.
fn nanoseconds(mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        let calls = 2_000;
        for _ in 0..calls {
            work();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    best
}

fn report(what: &str, ours: f64, peer: Option<(&str, f64)>) {
    match peer {
        Some((name, theirs)) => {
            println!("{what:<44} {ours:>9.1} ns   {name:<16} {theirs:>9.1} ns   {:>5.2}x", theirs / ours);
        }
        None => println!("{what:<44} {ours:>9.1} ns"),
    }
}

fn main() {
    let limits = Limits::default();
    integers(&limits);
    bit_vectors();
    floats(&limits);
    regular_expressions(&limits);
    algebraic_numbers(&limits);
}

fn integers(limits: &Limits) {
    let (a, b) = (Int::from(123_456i64), Int::from(-789_012i64));
    let (x, y) = (IBig::from(123_456i64), IBig::from(-789_012i64));
    let ours = nanoseconds(|| {
        let product = black_box(&a).mul(black_box(&b), limits).unwrap_or(Int::ZERO);
        black_box(product.add(&a) < b);
    });
    let theirs = nanoseconds(|| {
        let product = black_box(&x) * black_box(&y);
        black_box(product + &x < y);
    });
    report("integers: multiply, add, compare", ours, Some(("dashu-int", theirs)));

    let third = Rational::from(Int::from(7)).div(&Rational::from(3), limits).unwrap_or(Rational::ONE);
    let big_third = third.to_big();
    let ours = nanoseconds(|| {
        let product = black_box(&third).mul(black_box(&third), limits).unwrap_or(Rational::ZERO);
        black_box(product.add(&third, limits).is_ok());
    });
    let theirs = nanoseconds(|| {
        let product: RBig = black_box(&big_third) * black_box(&big_third);
        black_box(product + &big_third);
    });
    report("rationals: multiply, add", ours, Some(("dashu-ratio", theirs)));
}

fn bit_vectors() {
    for width in [32u32, 64, 256] {
        let a = BitVec::ones(width).udiv(&BitVec::from_u64(width, 3));
        let b = BitVec::from_u64(width, 0xdead_beef);
        let ours = nanoseconds(|| {
            black_box(black_box(&a).mul(black_box(&b)).add(&a).sdiv(&b));
        });
        let (x, y) = (a.to_big(), b.to_big());
        let modulus = UBig::ONE << width as usize;
        let theirs = nanoseconds(|| {
            black_box((black_box(&x) * black_box(&y) + &x) % &modulus / &y);
        });
        report(
            &format!("bit-vectors of {width}: multiply, add, divide"),
            ours,
            Some(("dashu, unsigned", theirs)),
        );
    }
}

fn floats(limits: &Limits) {
    let Ok(format) = Format::new(15, 113, limits) else { return };
    let (p, q) =
        (0x3FFF_8000_1234_5678_9ABC_DEF0_1234_5678u128, 0x4001_4000_8765_4321_0FED_CBA9_8765_4321u128);
    let of = |bits: u128| Float::from_bits(format, &BitVec::from_big(128, bits.into()));
    let (a, b) = (of(p), of(q));
    let (x, y) = (Quad::from_bits(p), Quad::from_bits(q));
    let mode = RoundingMode::Positive;
    let ours = nanoseconds(|| {
        black_box(black_box(&a).add(mode, black_box(&b)));
    });
    let theirs = nanoseconds(|| {
        let _ = black_box(black_box(x).add_r(black_box(y), Round::TowardPositive));
    });
    report("quadruple precision: add", ours, Some(("rustc_apfloat", theirs)));
    let ours = nanoseconds(|| {
        black_box(black_box(&a).fma(mode, black_box(&b), &a));
    });
    let theirs = nanoseconds(|| {
        let _ = black_box(black_box(x).mul_add_r(black_box(y), x, Round::TowardPositive));
    });
    report("quadruple precision: fused multiply-add", ours, Some(("rustc_apfloat", theirs)));
}

fn regular_expressions(limits: &Limits) {
    let text = "abababbbaccabab";
    let letters = Regex::range(&Str::from("a"), &Str::from("b")).star();
    let ours_regex = letters.concat(&Regex::literal(Str::from("cc"))).concat(&letters).intersection(
        &Regex::all().concat(&Regex::literal(Str::from("aa"))).concat(&Regex::all()).complement(),
    );
    let subject = Str::from(text);
    let cold = nanoseconds(|| {
        let accepted = Automaton::new(black_box(&ours_regex), limits).and_then(|mut m| m.accepts(&subject));
        black_box(accepted.is_ok());
    });
    let Ok(mut automaton) = Automaton::new(&ours_regex, limits) else { return };
    let warm = nanoseconds(|| {
        black_box(automaton.accepts(black_box(&subject)).is_ok());
    });

    let peer_subject = SmtString::from(text);
    let build = |manager: &mut ReManager| {
        let range = manager.range('a' as u32, 'b' as u32);
        let letters = manager.star(range);
        let (middle, twice) = (manager.str(&SmtString::from("cc")), manager.str(&SmtString::from("aa")));
        let all = manager.full();
        let first = manager.concat_list([letters, middle, letters]);
        let second = manager.concat_list([all, twice, all]);
        let second = manager.complement(second);
        manager.inter(first, second)
    };
    let mut manager = ReManager::new();
    let regex = build(&mut manager);
    let their_warm = nanoseconds(|| {
        black_box(manager.str_in_re(black_box(&peer_subject), regex));
    });
    let their_cold = nanoseconds(|| {
        let mut manager = ReManager::new();
        let regex = build(&mut manager);
        black_box(manager.str_in_re(black_box(&peer_subject), regex));
    });
    report("regular expressions: first membership", cold, Some(("aws-smt-strings", their_cold)));
    report("regular expressions: further memberships", warm, Some(("aws-smt-strings", their_warm)));
}

fn algebraic_numbers(limits: &Limits) {
    let root = |n: i64| {
        let coefficients = [Rational::from(-n), Rational::ZERO, Rational::ONE];
        Algebraic::root_by_index(&coefficients, 2, limits).ok().flatten()
    };
    let (Some(two), Some(three)) = (root(2), root(3)) else { return };
    let same_field = nanoseconds(|| {
        black_box(black_box(&two).mul(&two, limits).is_ok());
    });
    report("algebraic numbers: square of a root", same_field, None);
    let two_fields = nanoseconds(|| {
        black_box(black_box(&two).add(&three, limits).is_ok());
    });
    report("algebraic numbers: sum of two square roots", two_fields, None);
}
