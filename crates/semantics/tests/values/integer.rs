use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use proptest::prelude::*;

fn int(text: &str) -> Int {
    match text.strip_prefix('-') {
        Some(digits) => Int::parse_numeral(digits).expect("digits").neg(),
        None => Int::parse_numeral(text).expect("digits"),
    }
}

fn limits() -> Limits {
    Limits::default()
}

#[test]
fn division_follows_the_sign_rules_of_the_standard() {
    let table = [
        ("7", "2", "3", "1"),
        ("-7", "2", "-4", "1"),
        ("7", "-2", "-3", "1"),
        ("-7", "-2", "4", "1"),
        ("6", "-3", "-2", "0"),
        ("-9223372036854775808", "-1", "9223372036854775808", "0"),
        ("-100000000000000000000", "30000000000", "-3333333334", "20000000000"),
        ("100000000000000000000", "-30000000000", "-3333333333", "10000000000"),
    ];
    for (a, b, quotient, remainder) in table {
        assert_eq!(int(a).div(&int(b)), Ok(int(quotient)), "{a} div {b}");
        assert_eq!(int(a).modulo(&int(b)), Ok(int(remainder)), "{a} mod {b}");
    }
    assert_eq!(int("5").div(&Int::ZERO), Err(Undetermined::Open("div by zero")));
    assert_eq!(int("5").modulo(&Int::ZERO), Err(Undetermined::Open("mod by zero")));
}

#[test]
fn numerals_are_digits_only() {
    for bad in ["", "-1", "+1", "1_000", "0x10", " 1", "1000000000000000000000_0"] {
        assert_eq!(Int::parse_numeral(bad), None, "{bad:?}");
    }
}

#[test]
fn printing_is_smtlib() {
    let table = [("0", "0"), ("-1", "(- 1)"), ("123456789012345678901", "123456789012345678901")];
    for (value, printed) in table {
        assert_eq!(int(value).to_string(), printed);
    }
    assert_eq!(int("-9223372036854775808").to_string(), "(- 9223372036854775808)");
    assert_eq!(int("-9223372036854775809").to_string(), "(- 9223372036854775809)");
}

#[test]
fn powers_and_logarithms() {
    let pow = |a: &str, b: &str| int(a).pow(&int(b), &limits());
    assert_eq!(pow("2", "70"), Ok(int("1180591620717411303424")));
    assert_eq!(pow("-3", "3"), Ok(int("-27")));
    assert_eq!(pow("1", "99999999999999999999"), Ok(int("1")));
    assert_eq!(pow("-1", "99999999999999999999"), Ok(int("-1")));
    assert!(matches!(pow("2", "-1"), Err(Undetermined::Open(_))));
    assert!(matches!(pow("0", "0"), Err(Undetermined::Open(_))));
    assert!(matches!(pow("2", "99999999999999999999"), Err(Undetermined::TooLarge(_))));
    assert!(matches!(pow("2", "9999999999"), Err(Undetermined::TooLarge(_))));
    assert_eq!(int("-4").pow2(&limits()), Ok(Int::ZERO));
    assert_eq!(int("65").pow2(&limits()), Ok(int("36893488147419103232")));
    assert!(int("99999999999").pow2(&limits()).is_err());
    assert_eq!(int("1").log2(), int("0"));
    assert_eq!(int("-5").log2(), int("0"));
    assert_eq!(int("36893488147419103233").log2(), int("65"));
    assert!(int("36893488147419103232").is_pow2() && !int("36893488147419103233").is_pow2());
}

#[test]
fn iand_works_on_twos_complement() {
    let table = [("-1", "255", 4, "15"), ("-2", "-3", 3, "4"), ("6", "3", 2, "2"), ("-8", "-8", 3, "0")];
    for (a, b, width, expected) in table {
        assert_eq!(int(a).iand(&int(b), width, &limits()), Ok(int(expected)), "{a} {b}");
    }
}

#[test]
fn repeated_squaring_meets_the_limit() {
    let mut value = int("3");
    let mut squared = 0;
    let end = loop {
        match value.mul(&value, &limits()) {
            Ok(square) => value = square,
            Err(reason) => break reason,
        }
        squared += 1;
        assert!(squared < 100);
    };
    assert!(matches!(end, Undetermined::TooLarge(_)));
}

fn any_int() -> impl Strategy<Value = Int> {
    prop_oneof![
        any::<i64>().prop_map(Int::from),
        (-20i64..20).prop_map(Int::from),
        any::<i128>().prop_map(Int::from),
        (any::<i128>(), any::<i128>())
            .prop_map(|(a, b)| Int::from(a).mul(&Int::from(b), &Limits::default()).expect("256 bits")),
    ]
}

proptest! {
    #[test]
    fn ring_laws(a in any_int(), b in any_int(), c in any_int()) {
        let l = limits();
        prop_assert_eq!(a.add(&b), b.add(&a));
        prop_assert_eq!(a.add(&b).add(&c), a.add(&b.add(&c)));
        prop_assert_eq!(a.sub(&b).add(&b), a.clone());
        let left = a.mul(&b.add(&c), &l).expect("small");
        prop_assert_eq!(left, a.mul(&b, &l).expect("small").add(&a.mul(&c, &l).expect("small")));
        prop_assert_eq!(a.neg().neg(), a.clone());
        prop_assert_eq!(a < b, b.sub(&a).signum() > 0);
    }

    #[test]
    fn division_law(a in any_int(), b in any_int()) {
        prop_assume!(!b.is_zero());
        let (q, r) = (a.div(&b).expect("nonzero"), a.modulo(&b).expect("nonzero"));
        prop_assert_eq!(b.mul(&q, &limits()).expect("small").add(&r), a.clone());
        prop_assert!(!r.is_negative() && r < b.abs());
        prop_assert_eq!(a.divisible(&b), r.is_zero());
    }

    #[test]
    fn gcd_divides_both(a in any_int(), b in any_int()) {
        let g = a.gcd(&b);
        prop_assert!(a.divisible(&g) && b.divisible(&g));
    }
}
