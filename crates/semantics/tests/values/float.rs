//! Floating point against the machine, against an independent library, and against exact rationals in tiny formats.

use elenchus_semantics::value::bitvec::BitVec;
use elenchus_semantics::value::float::{Float, Format, RoundingMode};
use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use elenchus_semantics::value::rational::Rational;
use proptest::prelude::*;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float as Peer, FloatConvert, Round, Status};

fn limits() -> Limits {
    Limits::default()
}

fn format(eb: u64, sb: u64) -> Format {
    Format::new(eb, sb, &limits()).expect("small")
}

fn from_u128(format: Format, bits: u128) -> Float {
    Float::from_bits(format, &BitVec::from_big(format.width(), bits.into()))
}

fn f64_of(value: f64) -> Float {
    from_u128(format(11, 53), u128::from(value.to_bits()))
}

fn f32_of(value: f32) -> Float {
    from_u128(format(8, 24), u128::from(value.to_bits()))
}

fn peer_mode(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::Positive => Round::TowardPositive,
        RoundingMode::Negative => Round::TowardNegative,
        RoundingMode::Zero => Round::TowardZero,
    }
}

#[test]
fn printing() {
    let single = format(8, 24);
    let table = [
        (Float::nan(single), "(_ NaN 8 24)"),
        (Float::infinity(single, true), "(_ -oo 8 24)"),
        (Float::zero(single, false), "(_ +zero 8 24)"),
        (f32_of(-1.5), "(fp #b1 #b01111111 #b10000000000000000000000)"),
        (f32_of(f32::from_bits(1)), "(fp #b0 #b00000000 #b00000000000000000000001)"),
    ];
    for (value, printed) in table {
        assert_eq!(value.to_string(), printed);
    }
}

#[test]
fn what_the_standard_leaves_open() {
    let single = format(8, 24);
    let (plus, minus) = (Float::zero(single, false), Float::zero(single, true));
    let nan = Float::nan(single);
    let open = |outcome: Result<(), Undetermined>| assert!(matches!(outcome, Err(Undetermined::Open(_))));
    open(plus.ieee_min(&minus).map(drop));
    open(minus.ieee_max(&plus).map(drop));
    open(nan.to_bits().map(drop));
    open(nan.to_real(&limits()).map(drop));
    open(Float::infinity(single, false).to_real(&limits()).map(drop));
    let mode = RoundingMode::Zero;
    open(nan.to_signed(mode, 8, &limits()).map(drop));
    open(f32_of(128.0).to_signed(mode, 8, &limits()).map(drop));
    open(f32_of(-129.0).to_signed(mode, 8, &limits()).map(drop));
    open(f32_of(-1.0).to_unsigned(mode, 8, &limits()).map(drop));
    open(f32_of(256.0).to_unsigned(mode, 8, &limits()).map(drop));
    assert_eq!(plus.ieee_min(&plus), Ok(plus.clone()));
    assert_eq!(nan.ieee_min(&minus), Ok(minus.clone()));
    assert_eq!(f32_of(-128.9).to_signed(mode, 8, &limits()), Ok(BitVec::from_u64(8, 0x80)));
    assert_eq!(f32_of(-0.9).to_unsigned(mode, 8, &limits()), Ok(BitVec::zero(8)));
    assert_eq!(f32_of(255.4).to_unsigned(RoundingMode::NearestEven, 8, &limits()), Ok(BitVec::ones(8)));
}

#[test]
fn equality_is_identity_and_fp_eq_is_not() {
    let single = format(8, 24);
    let (plus, minus, nan) = (Float::zero(single, false), Float::zero(single, true), Float::nan(single));
    assert!(plus != minus && plus.ieee_eq(&minus) && nan == nan && !nan.ieee_eq(&nan));
    assert!(minus.is_negative() && plus.is_positive() && !nan.is_negative() && !nan.is_positive());
}

#[test]
fn huge_formats_do_not_blow_up() {
    let wide = format(60, 8);
    let (one, huge) = (Float::from_int(wide, RoundingMode::Zero, &Int::ONE), Float::max_finite(wide, false));
    let tiny = Float::from_bits(wide, &BitVec::from_u64(68, 1));
    assert_eq!(huge.add(RoundingMode::Zero, &one), huge);
    assert_eq!(huge.add(RoundingMode::Positive, &one), Float::infinity(wide, false));
    assert_eq!(one.sub(RoundingMode::NearestEven, &tiny), one);
    assert!(one.sub(RoundingMode::Zero, &tiny).ieee_lt(&one));
    assert!(huge.fma(RoundingMode::NearestEven, &tiny, &one).is_normal());
    assert_eq!(huge.rem(&tiny), Float::zero(wide, false));
    let three = Float::from_int(wide, RoundingMode::Zero, &Int::from(3));
    assert!(huge.rem(&three).abs().ieee_leq(&three));
    assert!(matches!(huge.to_real(&limits()), Err(Undetermined::TooLarge(_))));
    assert_eq!(tiny.round_to_integral(RoundingMode::Positive), Ok(one.clone()));
    assert!(Format::new(1 << 40, 24, &limits()).is_err());
    assert!(Format::new(61, 24, &limits()).is_err());
}

#[test]
fn decimals_round_as_the_machine_reads_them() {
    for text in [
        "0.1",
        "3.14159265358979323846",
        "16777217",
        "0.00000000000000000000000000000000000000000000117549435",
    ] {
        let exact = Rational::parse_decimal(text).expect("decimal");
        let mode = RoundingMode::NearestEven;
        assert_eq!(Float::from_rational(format(11, 53), mode, &exact), f64_of(text.parse().expect("f64")));
        assert_eq!(Float::from_rational(format(8, 24), mode, &exact), f32_of(text.parse().expect("f32")));
    }
}

/// The finite numbers of a format with their bits, in ascending order, without the negative zero.
fn all_finite(format: Format) -> Vec<(Rational, u128, Float)> {
    let mut all: Vec<_> = (0..1u128 << format.width())
        .map(|bits| (bits, from_u128(format, bits)))
        .filter(|(_, f)| !(f.is_zero() && f.is_negative()))
        .filter_map(|(bits, f)| f.to_real(&limits()).ok().map(|real| (real, bits, f)))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Rounds by trying every number of the format, independently of the arithmetic under test.
fn look_up(format: Format, table: &[(Rational, u128, Float)], mode: RoundingMode, exact: &Rational) -> Float {
    let l = limits();
    let above = table.partition_point(|(value, ..)| value < exact);
    if let Some((value, _, f)) = table.get(above)
        && value == exact
    {
        return f.clone();
    }
    let negative = exact.signum() < 0;
    let signed = |f: &Float| if f.is_zero() { Float::zero(format, negative) } else { f.clone() };
    // One step beyond the greatest number represents infinity.
    let last = table.len() - 1;
    let step = table[last].0.sub(&table[last - 1].0, &l).expect("small");
    let beyond = table[last].0.add(&step, &l).expect("small");
    let low = match above.checked_sub(1) {
        Some(i) => (table[i].0.clone(), table[i].1, signed(&table[i].2)),
        None => (beyond.neg(), 0, Float::infinity(format, true)),
    };
    let high = match table.get(above) {
        Some((value, bits, f)) => (value.clone(), *bits, signed(f)),
        None => (beyond, 0, Float::infinity(format, false)),
    };
    let to_low = exact.sub(&low.0, &l).expect("small");
    let to_high = high.0.sub(exact, &l).expect("small");
    let away = if negative { &low } else { &high };
    let toward = if negative { &high } else { &low };
    match mode {
        RoundingMode::Positive => high.2,
        RoundingMode::Negative => low.2,
        RoundingMode::Zero => toward.2.clone(),
        _ if to_low < to_high => low.2,
        _ if to_high < to_low => high.2,
        RoundingMode::NearestAway => away.2.clone(),
        _ => {
            if low.1 % 2 == 0 {
                low.2
            } else {
                high.2
            }
        }
    }
}

#[test]
fn tiny_formats_agree_with_exact_rationals() {
    let l = limits();
    for (eb, sb) in [(3, 3), (2, 4), (4, 2), (2, 2)] {
        let format = format(eb, sb);
        let table = all_finite(format);
        for mode in RoundingMode::ALL {
            let same = |what: &str, got: Float, exact: &Rational, a: &Float, b: &Float| {
                if exact.is_zero() {
                    assert!(got.is_zero(), "{what} {mode} {a} {b}");
                } else {
                    assert_eq!(got, look_up(format, &table, mode, exact), "{what} {mode} {a} {b}");
                }
            };
            for (x, _, a) in &table {
                for (y, _, b) in &table {
                    same("add", a.add(mode, b), &x.add(y, &l).expect("small"), a, b);
                    same("sub", a.sub(mode, b), &x.sub(y, &l).expect("small"), a, b);
                    let product = x.mul(y, &l).expect("small");
                    same("mul", a.mul(mode, b), &product, a, b);
                    for (z, _, c) in table.iter().step_by(3) {
                        same("fma", a.fma(mode, b, c), &product.add(z, &l).expect("small"), a, b);
                    }
                    if !y.is_zero() {
                        let ratio = x.div(y, &l).expect("nonzero");
                        same("div", a.div(mode, b), &ratio, a, b);
                        let rest =
                            x.sub(&y.mul(&nearest_even(&ratio), &l).expect("small"), &l).expect("small");
                        same("rem", a.rem(b), &rest, a, b);
                    }
                }
                check_sqrt(format, &table, mode, x, a);
            }
        }
    }
}

fn nearest_even(value: &Rational) -> Rational {
    let l = limits();
    let floor = Rational::from(value.floor());
    let rest = value.sub(&floor, &l).expect("small");
    let twice = rest.add(&rest, &l).expect("small");
    let up = twice > Rational::ONE || (twice == Rational::ONE && !value.floor().divisible(&Int::from(2)));
    if up { floor.add(&Rational::ONE, &l).expect("small") } else { floor }
}

/// The root is the greatest (least) number whose square is not above (below) the argument, or the nearer of both.
fn check_sqrt(
    format: Format,
    table: &[(Rational, u128, Float)],
    mode: RoundingMode,
    x: &Rational,
    a: &Float,
) {
    let l = limits();
    let root = a.sqrt(mode);
    if x.signum() <= 0 {
        assert!(if x.is_zero() { root == *a } else { root.is_nan() });
        return;
    }
    let square = |r: &Rational| r.mul(r, &l).expect("small");
    let positive: Vec<_> = table.iter().filter(|(r, ..)| r.signum() >= 0).collect();
    let above = positive.partition_point(|(r, ..)| square(r) < *x);
    let high = positive[above];
    if square(&high.0) == *x {
        assert_eq!(root, high.2);
        return;
    }
    let low = positive[above - 1];
    let middle = low
        .0
        .add(&high.0, &l)
        .expect("small")
        .mul(&Rational::new(&Int::ONE, &Int::from(2)).expect("half"), &l);
    let up = match mode {
        RoundingMode::Positive => true,
        RoundingMode::Negative | RoundingMode::Zero => false,
        _ => square(&middle.expect("small")) < *x,
    };
    let expected = if up { &high.2 } else { &low.2 };
    assert_eq!(root, *expected, "sqrt {mode} {a} in {format:?}");
}

/// Bit patterns with many zeros, ones and borders.
fn patterns() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        any::<u64>().prop_map(u128::from),
        (0u32..128, any::<u128>()).prop_map(|(n, noise)| (1u128 << n) ^ (noise & 7)),
        (0u32..128, any::<u128>()).prop_map(|(n, noise)| (u128::MAX << n) ^ (noise & 7)),
        (any::<u128>(), 0u32..128, 0u32..128).prop_map(|(x, a, b)| (x << a) >> b),
        prop_oneof![Just(0u128), Just(1), Just(2), Just(3)],
    ]
}

/// Compares every operation of one format with the peer's.
fn agree_with_peer<P: Peer>(eb: u64, sb: u64, [a, b, c]: [u128; 3]) -> Result<(), TestCaseError> {
    let format = format(eb, sb);
    let mask = u128::MAX >> (128 - format.width());
    // The top bits of the patterns matter most: shift them to the top of this format.
    let cut = |bits: u128| if bits & 1 == 0 { bits >> (128 - format.width()) } else { bits & mask };
    let [a, b, c] = [cut(a), cut(b), cut(c)];
    let (x, y, z) = (from_u128(format, a), from_u128(format, b), from_u128(format, c));
    let (p, q, r) = (P::from_bits(a), P::from_bits(b), P::from_bits(c));
    let ours = |peer: P| from_u128(format, peer.to_bits());
    for mode in RoundingMode::ALL {
        let m = peer_mode(mode);
        prop_assert_eq!(x.add(mode, &y), ours(p.add_r(q, m).value), "add {} {:?} {:?}", mode, x, y);
        prop_assert_eq!(x.sub(mode, &y), ours(p.sub_r(q, m).value), "sub {} {:?} {:?}", mode, x, y);
        prop_assert_eq!(x.mul(mode, &y), ours(p.mul_r(q, m).value), "mul {} {:?} {:?}", mode, x, y);
        prop_assert_eq!(x.div(mode, &y), ours(p.div_r(q, m).value), "div {} {:?} {:?}", mode, x, y);
        prop_assert_eq!(
            x.fma(mode, &y, &z),
            ours(p.mul_add_r(q, r, m).value),
            "fma {} {:?} {:?} {:?}",
            mode,
            x,
            y,
            z
        );
        prop_assert_eq!(
            x.round_to_integral(mode),
            Ok(ours(p.round_to_integral(m).value)),
            "rti {} {:?}",
            mode,
            x
        );
        for width in [2u32, 8, 33, 64, 100] {
            let mut exact = false;
            let peer = p.to_i128_r(width as usize, m, &mut exact);
            let expected = (!peer.status.contains(Status::INVALID_OP)).then(|| Int::from(peer.value));
            let got = x.to_signed(mode, width, &limits()).ok().map(|bits| bits.to_signed());
            prop_assert_eq!(got, expected, "to_sbv {} {} {:?}", width, mode, x);
            let peer = p.to_u128_r(width as usize, m, &mut exact);
            let expected =
                (!peer.status.contains(Status::INVALID_OP)).then(|| Int::from_big(peer.value.into()));
            let got = x.to_unsigned(mode, width, &limits()).ok().map(|bits| bits.to_unsigned());
            prop_assert_eq!(got, expected, "to_ubv {} {} {:?}", width, mode, x);
        }
        let number = (a as i128) >> (b % 128);
        prop_assert_eq!(
            Float::from_int(format, mode, &Int::from(number)),
            ours(P::from_i128_r(number, m).value)
        );
    }
    prop_assert_eq!(x.rem(&y), ours(p.ieee_rem(q).value), "rem {:?} {:?}", x, y);
    prop_assert_eq!(x.compare(&y), p.partial_cmp(&q));
    prop_assert_eq!(x.is_normal(), p.is_normal());
    prop_assert_eq!(x.is_subnormal(), p.is_denormal());
    if let Ok(bits) = x.to_bits() {
        prop_assert_eq!(bits.to_big(), a.into());
        if let Ok(real) = x.to_real(&limits())
            && !x.is_zero()
        {
            prop_assert_eq!(Float::from_rational(format, RoundingMode::Zero, &real), x);
        }
    }
    Ok(())
}

fn converts<P: Peer + FloatConvert<Q>, Q: Peer>(
    from: Format,
    to: Format,
    bits: u128,
) -> Result<(), TestCaseError> {
    let bits = bits & (u128::MAX >> (128 - from.width()));
    for mode in RoundingMode::ALL {
        let mut lossy = false;
        let peer: Q = P::from_bits(bits).convert_r(peer_mode(mode), &mut lossy).value;
        prop_assert_eq!(
            from_u128(from, bits).to_format(to, mode),
            from_u128(to, peer.to_bits()),
            "{:?} {}",
            from_u128(from, bits),
            mode
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn half(bits in prop::array::uniform3(patterns())) { agree_with_peer::<Half>(5, 11, bits)?; }

    #[test]
    fn bfloat(bits in prop::array::uniform3(patterns())) { agree_with_peer::<BFloat>(8, 8, bits)?; }

    #[test]
    fn single(bits in prop::array::uniform3(patterns())) { agree_with_peer::<Single>(8, 24, bits)?; }

    #[test]
    fn double(bits in prop::array::uniform3(patterns())) { agree_with_peer::<Double>(11, 53, bits)?; }

    #[test]
    fn quad(bits in prop::array::uniform3(patterns())) { agree_with_peer::<Quad>(15, 113, bits)?; }

    #[test]
    fn conversions(bits in patterns()) {
        converts::<Double, Single>(format(11, 53), format(8, 24), bits)?;
        converts::<Single, Double>(format(8, 24), format(11, 53), bits)?;
        converts::<Quad, Double>(format(15, 113), format(11, 53), bits)?;
        converts::<Single, Half>(format(8, 24), format(5, 11), bits)?;
        converts::<Half, BFloat>(format(5, 11), format(8, 8), bits)?;
    }

    #[test]
    fn the_machine_agrees(a in patterns(), b in patterns(), c in patterns()) {
        let mode = RoundingMode::NearestEven;
        let (x, y, z) = (f64::from_bits(a as u64), f64::from_bits(b as u64), f64::from_bits(c as u64));
        prop_assert_eq!(f64_of(x).add(mode, &f64_of(y)), f64_of(x + y));
        prop_assert_eq!(f64_of(x).mul(mode, &f64_of(y)), f64_of(x * y));
        prop_assert_eq!(f64_of(x).div(mode, &f64_of(y)), f64_of(x / y));
        prop_assert_eq!(f64_of(x).sqrt(mode), f64_of(x.sqrt()));
        prop_assert_eq!(f64_of(x).fma(mode, &f64_of(y), &f64_of(z)), f64_of(x.mul_add(y, z)));
        prop_assert_eq!(f64_of(x).to_format(format(8, 24), mode), f32_of(x as f32));
        prop_assert_eq!(f64_of(x).round_to_integral(mode), Ok(f64_of(x.round_ties_even())));
        prop_assert_eq!(f64_of(x).round_to_integral(RoundingMode::NearestAway), Ok(f64_of(x.round())));
        prop_assert_eq!(f64_of(x).ieee_lt(&f64_of(y)), x < y);
        let (u, v, w) = (f32::from_bits(a as u32), f32::from_bits(b as u32), f32::from_bits(c as u32));
        prop_assert_eq!(f32_of(u).add(mode, &f32_of(v)), f32_of(u + v));
        prop_assert_eq!(f32_of(u).sub(mode, &f32_of(v)), f32_of(u - v));
        prop_assert_eq!(f32_of(u).mul(mode, &f32_of(v)), f32_of(u * v));
        prop_assert_eq!(f32_of(u).div(mode, &f32_of(v)), f32_of(u / v));
        prop_assert_eq!(f32_of(u).sqrt(mode), f32_of(u.sqrt()));
        prop_assert_eq!(f32_of(u).fma(mode, &f32_of(v), &f32_of(w)), f32_of(u.mul_add(v, w)));
        prop_assert_eq!(f32_of(u).to_format(format(11, 53), mode), f64_of(f64::from(u)));
        prop_assert_eq!(Float::from_unsigned(format(8, 24), mode, &BitVec::from_u64(64, a as u64)), f32_of(a as u64 as f32));
        prop_assert_eq!(Float::from_signed(format(11, 53), mode, &BitVec::from_u64(64, a as u64)), f64_of(a as u64 as i64 as f64));
    }
}
