use std::cmp::Ordering;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use elenchus_semantics::value::algebraic::Algebraic;
use elenchus_semantics::value::float::{Float, Format, RoundingMode};
use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use elenchus_semantics::value::rational::Rational;
use elenchus_semantics::value::real::Real;
use proptest::prelude::*;

fn limits() -> Limits {
    Limits::default()
}

fn coefficients(from_constant: &[i64]) -> Vec<Rational> {
    from_constant.iter().map(|&c| Rational::from(c)).collect()
}

fn root(from_constant: &[i64], index: u64) -> Real {
    Algebraic::root_by_index(&coefficients(from_constant), index, &limits()).expect("small").expect("a root")
}

fn sqrt(n: i64) -> Real {
    root(&[-n, 0, 1], 2)
}

fn real(num: i64, den: i64) -> Real {
    Real::Rational(Rational::new(&Int::from(num), &Int::from(den)).expect("denominator"))
}

fn add(a: &Real, b: &Real) -> Real {
    a.add(b, &limits()).expect("small")
}

fn mul(a: &Real, b: &Real) -> Real {
    a.mul(b, &limits()).expect("small")
}

/// An approximation as an `f64`, computed independently of the algebra under test.
fn approximate(value: &Real) -> f64 {
    let double = Format::new(11, 53, &limits()).expect("small");
    let float = Float::from_real(double, RoundingMode::NearestEven, value, &limits()).expect("small");
    f64::from_bits(float.to_bits().expect("not NaN").to_u64().expect("64 bits"))
}

#[test]
fn roots_are_counted_from_the_least() {
    let table: &[(&[i64], u64, f64)] = &[
        (&[-2, 0, 1], 1, -std::f64::consts::SQRT_2),
        (&[-2, 0, 1], 2, std::f64::consts::SQRT_2),
        (&[-1, -1, 1], 2, 1.618033988749895),
        (&[-3, 0, 0, 1], 1, 1.4422495703074083),
        (&[2, -5, 2], 1, 0.5),
        (&[2, -5, 2], 2, 2.0),
        // Double roots count once: (x^2 - 2)^2 (x - 5)
        (&[-20, 4, 20, -4, -5, 1], 3, 5.0),
        (&[-20, 4, 20, -4, -5, 1], 1, -std::f64::consts::SQRT_2),
        (&[0, -2, 0, 1], 2, 0.0),
    ];
    for (poly, index, expected) in table {
        assert_eq!(approximate(&root(poly, *index)), *expected, "{poly:?} {index}");
    }
    for (poly, index) in [(&[1i64, 0, 1][..], 1), (&[-2, 0, 1], 0), (&[-2, 0, 1], 3), (&[5], 1), (&[], 1)] {
        assert_eq!(
            Algebraic::root_by_index(&coefficients(poly), index, &limits()),
            Ok(None),
            "{poly:?} {index}"
        );
    }
}

#[test]
fn roots_in_intervals() {
    let within = |poly: &[i64], low: (i64, i64), high: (i64, i64)| {
        let ratio = |(n, d): (i64, i64)| Rational::new(&Int::from(n), &Int::from(d)).expect("denominator");
        Algebraic::root_in_interval(&coefficients(poly), &ratio(low), &ratio(high), &limits()).expect("small")
    };
    assert_eq!(within(&[-2, 0, 1], (5, 4), (3, 2)), Some(sqrt(2)));
    assert_eq!(within(&[-4, 0, 1], (2, 1), (3, 1)), Some(real(2, 1)));
    assert_eq!(within(&[-4, 0, 1], (1, 1), (2, 1)), Some(real(2, 1)));
    assert_eq!(within(&[-2, 0, 1], (-2, 1), (2, 1)), None);
    assert_eq!(within(&[-2, 0, 1], (2, 1), (3, 1)), None);
    assert_eq!(within(&[-2, 0, 1], (3, 1), (2, 1)), None);
}

#[test]
fn identities() {
    let (two, three, six) = (sqrt(2), sqrt(3), sqrt(6));
    assert_eq!(mul(&two, &two), real(2, 1));
    assert_eq!(mul(&two, &three), six);
    assert_eq!(add(&two, &two.neg()), Real::ZERO);
    assert_eq!(add(&two, &root(&[-2, 0, 1], 1)), Real::ZERO);
    assert_eq!(mul(&two, &root(&[-2, 0, 1], 1)), real(-2, 1));
    assert_eq!(add(&two, &three), root(&[1, 0, -10, 0, 1], 4));
    let square = mul(&add(&two, &three), &add(&two, &three));
    assert_eq!(square, add(&real(5, 1), &mul(&real(2, 1), &six)));
    assert_eq!(two.inverse(&limits()).expect("small"), mul(&two, &real(1, 2)));
    // The root of a reducible polynomial: (x^2 - 2)(x^2 - 3)
    let hidden = root(&[6, 0, -5, 0, 1], 3);
    assert_eq!(hidden, two);
    assert_eq!(mul(&hidden, &hidden), real(2, 1));
    assert_eq!(mul(&hidden.inverse(&limits()).expect("small"), &two), real(1, 1));
    let third = root(&[-3, 0, 0, 1], 1);
    assert_eq!(third.pow(&Int::from(3), &limits()), Ok(real(3, 1)));
    assert_eq!(third.pow(&Int::from(-6), &limits()), Ok(real(1, 9)));
}

/// A model that Z3 5.4 gave for `x * x = 2` and `x * y * y * y + y = 3`.
#[test]
fn several_roots_of_one_model() {
    let x = root(&[-2, 0, 1], 1);
    let y = root(&[-9, 6, -1, 0, 0, 0, 2], 1);
    let product = mul(&mul(&mul(&x, &y), &y), &y);
    assert_eq!(add(&product, &y), real(3, 1));
    assert_eq!(
        product.compare(&real(3, 1).sub(&y, &limits()).expect("small"), &limits()),
        Ok(Ordering::Equal)
    );
    let almost = add(&add(&product, &y), &real(1, 1 << 40));
    assert_eq!(almost.compare(&real(3, 1), &limits()), Ok(Ordering::Greater));
    let nested = add(&add(&sqrt(2), &sqrt(3)), &sqrt(5));
    assert_eq!(mul(&nested, &nested.inverse(&limits()).expect("small")), real(1, 1));
}

#[test]
fn a_rational_number_in_disguise() {
    // (3x - 1)(x^2 - 2): the root 1/3 is not found by halving.
    let third = root(&[2, -6, -1, 3], 2);
    assert_eq!(third, real(1, 3));
    assert_eq!(mul(&third, &real(3, 1)), real(1, 1));
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    assert_eq!(hasher.hash_one(&third), hasher.hash_one(real(1, 3)));
    assert!(add(&third, &real(-1, 3)).is_zero());
}

#[test]
fn printing_and_floors() {
    assert_eq!(sqrt(2).to_string(), "(root-obj (+ (^ x 2) (- 2)) 2)");
    assert_eq!(add(&sqrt(2), &real(1, 2)).to_string(), "(root-obj (+ (* 4 (^ x 2)) (* (- 4) x) (- 7)) 2)");
    for (value, floor) in
        [(sqrt(2), 1), (sqrt(2).neg(), -2), (sqrt(99), 9), (add(&sqrt(2), &real(100, 1)), 101)]
    {
        assert_eq!(value.floor(), Int::from(floor), "{value}");
        assert!(!value.is_int());
    }
}

#[test]
fn degrees_meet_the_limit() {
    let fifth = |n: i64| root(&[-n, 0, 0, 0, 0, 1], 1);
    let sum = add(&fifth(2), &fifth(3));
    assert!(matches!(sum.add(&fifth(5), &limits()), Err(Undetermined::TooLarge(_))));
    let mut large = vec![0; 70];
    large.push(1);
    large[0] = -2;
    let too_high = Algebraic::root_by_index(&coefficients(&large), 1, &limits());
    assert!(matches!(too_high, Err(Undetermined::TooLarge(_))));
}

fn numbers() -> impl Strategy<Value = Real> {
    let rational = (-20i64..20, 1i64..9).prop_map(|(n, d)| real(n, d));
    let irrational = (prop::collection::vec(-6i64..7, 2..4), 1i64..5, 1u64..4).prop_filter_map(
        "no such root",
        |(mut poly, lead, index)| {
            poly.push(lead);
            Algebraic::root_by_index(&coefficients(&poly), index, &limits()).expect("small")
        },
    );
    prop_oneof![1 => rational, 3 => irrational]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn approximations_agree(a in numbers(), b in numbers()) {
        let (x, y) = (approximate(&a), approximate(&b));
        let close = |got: &Real, expected: f64| (approximate(got) - expected).abs() <= 1e-9 * (1.0 + expected.abs());
        prop_assert!(close(&add(&a, &b), x + y), "{a} + {b}");
        prop_assert!(close(&mul(&a, &b), x * y), "{a} * {b}");
        if !b.is_zero() && y.abs() > 1e-3 {
            prop_assert!(close(&a.div(&b, &limits()).expect("small"), x / y), "{a} / {b}");
        }
        if x != y {
            prop_assert_eq!(a.compare(&b, &limits()), Ok(x.partial_cmp(&y).expect("numbers")));
        }
        prop_assert_eq!(a.floor(), Int::from(x.floor() as i64), "{}", a);
    }

    #[test]
    fn field_laws(a in numbers(), b in numbers()) {
        let sum = add(&a, &b);
        prop_assert_eq!(&sum, &add(&b, &a));
        prop_assert_eq!(mul(&a, &b), mul(&b, &a));
        prop_assert_eq!(mul(&a, &add(&a, &real(1, 1))), add(&mul(&a, &a), &a));
        if !a.is_zero() {
            let inverse = a.inverse(&limits()).expect("small");
            prop_assert_eq!(mul(&a, &inverse), real(1, 1));
        }
        if b.signum() > 0 {
            prop_assert_eq!(sum.compare(&a, &limits()), Ok(Ordering::Greater));
        }
    }
}
