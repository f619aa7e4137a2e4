use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use elenchus_semantics::value::rational::Rational;
use proptest::prelude::*;

fn ratio(num: i64, den: i64) -> Rational {
    Rational::new(&Int::from(num), &Int::from(den)).expect("denominator")
}

#[test]
fn decimals_are_exact() {
    let table = [
        ("0.1", "(/ 1.0 10.0)"),
        ("3", "3.0"),
        ("2.50", "(/ 5.0 2.0)"),
        ("0.0", "0.0"),
        ("100000000000000000000.25", "(/ 400000000000000000001.0 4.0)"),
    ];
    for (text, printed) in table {
        assert_eq!(Rational::parse_decimal(text).expect("decimal").to_string(), printed);
    }
    for bad in ["", ".", "1.", ".5", "1.2.3", "-1.0", "1e5", "1_0.0"] {
        assert_eq!(Rational::parse_decimal(bad), None, "{bad:?}");
    }
    assert_eq!(ratio(-1, 3).to_string(), "(- (/ 1.0 3.0))");
    assert_eq!(ratio(4, -2).to_string(), "(- 2.0)");
}

#[test]
fn floor_goes_down() {
    let table = [(7, 2, 3), (-7, 2, -4), (-4, 2, -2), (0, 1, 0)];
    for (num, den, floor) in table {
        assert_eq!(ratio(num, den).floor(), Int::from(floor));
    }
}

#[test]
fn powers() {
    let l = Limits::default();
    assert_eq!(ratio(2, 3).pow(&Int::from(-3), &l), Ok(ratio(27, 8)));
    assert_eq!(ratio(-2, 3).pow(&Int::from(-3), &l), Ok(ratio(-27, 8)));
    assert!(matches!(Rational::ZERO.pow(&Int::from(-1), &l), Err(Undetermined::Open(_))));
    assert!(matches!(ratio(2, 3).pow(&Int::from(1i64 << 40), &l), Err(Undetermined::TooLarge(_))));
}

fn any_rational() -> impl Strategy<Value = Rational> {
    let part = prop_oneof![(-9i128..9), any::<i64>().prop_map(i128::from), any::<i128>()];
    (part.clone(), part.prop_filter("denominator", |d| *d != 0))
        .prop_map(|(n, d)| Rational::new(&Int::from(n), &Int::from(d)).expect("denominator"))
}

proptest! {
    #[test]
    fn field_laws(a in any_rational(), b in any_rational(), c in any_rational()) {
        let l = Limits::default();
        let add = |x: &Rational, y: &Rational| x.add(y, &l).expect("small");
        let mul = |x: &Rational, y: &Rational| x.mul(y, &l).expect("small");
        prop_assert_eq!(add(&add(&a, &b), &c), add(&a, &add(&b, &c)));
        prop_assert_eq!(mul(&a, &add(&b, &c)), add(&mul(&a, &b), &mul(&a, &c)));
        prop_assert_eq!(a.sub(&b, &l).expect("small").signum(), a.cmp(&b) as i32);
        if !a.is_zero() {
            prop_assert_eq!(mul(&a, &a.inverse().expect("nonzero")), Rational::ONE);
            prop_assert_eq!(mul(&b.div(&a, &l).expect("nonzero"), &a), b.clone());
        }
    }

    #[test]
    fn floor_is_the_greatest_integer_below(a in any_rational()) {
        let floor = Rational::from(a.floor());
        prop_assert!(floor <= a);
        prop_assert!(floor.add(&Rational::ONE, &Limits::default()).expect("small") > a);
        prop_assert_eq!(a.is_int(), floor == a);
    }
}
