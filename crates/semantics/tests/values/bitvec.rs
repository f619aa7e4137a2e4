use dashu_int::{IBig, UBig};
use elenchus_semantics::value::bitvec::BitVec;
use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use proptest::prelude::*;

fn limits() -> Limits {
    Limits::default()
}

fn lit(text: &str) -> BitVec {
    let parsed = match text.split_at(2) {
        ("#x", digits) => BitVec::parse_hex(digits, &limits()),
        (_, digits) => BitVec::parse_binary(digits, &limits()),
    };
    parsed.expect("small").expect("digits")
}

/// All 16 × 16 pairs of four bits against arithmetic on machine integers, written from the standard's definitions.
#[test]
fn four_bits_exhaustively() {
    let signed = |x: i64| if x >= 8 { x - 16 } else { x };
    for a in 0i64..16 {
        for b in 0i64..16 {
            let (x, y) = (BitVec::from_u64(4, a as u64), BitVec::from_u64(4, b as u64));
            let (sa, sb) = (signed(a), signed(b));
            let same = |what: &str, got: BitVec, expected: i64| {
                assert_eq!(got, BitVec::from_u64(4, (expected & 15) as u64), "{what} {a} {b}");
            };
            same("add", x.add(&y), a + b);
            same("sub", x.sub(&y), a - b);
            same("mul", x.mul(&y), a * b);
            same("neg", x.neg(), -a);
            same("not", x.not(), !a);
            same("nand", x.nand(&y), !(a & b));
            same("nor", x.nor(&y), !(a | b));
            same("xnor", x.xnor(&y), !(a ^ b));
            same("udiv", x.udiv(&y), if b == 0 { 15 } else { a / b });
            same("urem", x.urem(&y), if b == 0 { a } else { a % b });
            let by_zero = if sa < 0 { 1 } else { -1 };
            same("sdiv", x.sdiv(&y), if b == 0 { by_zero } else { sa / sb });
            same("srem", x.srem(&y), if b == 0 { a } else { sa % sb });
            let smod = if b == 0 { sa } else { sa.rem_euclid(sb.abs()) };
            let smod = if b != 0 && sb < 0 && smod != 0 { smod + sb } else { smod };
            same("smod", x.smod(&y), smod);
            same("shl", x.shl(&y), if b > 3 { 0 } else { a << b });
            same("lshr", x.lshr(&y), if b > 3 { 0 } else { a >> b });
            same("ashr", x.ashr(&y), sa >> b);
            same("rotate", x.ext_rotate_left(&y), (a << (b % 4)) | (a >> (4 - b % 4)));
            same("rotate", x.ext_rotate_right(&y), (a >> (b % 4)) | (a << (4 - b % 4)));
            let out = |v: i64| !(-8..8).contains(&v);
            let flags = [
                ("ult", x.ult(&y), a < b),
                ("ule", x.ule(&y), a <= b),
                ("slt", x.slt(&y), sa < sb),
                ("sle", x.sle(&y), sa <= sb),
                ("nego", x.nego(), sa == -8),
                ("uaddo", x.uaddo(&y), a + b > 15),
                ("saddo", x.saddo(&y), out(sa + sb)),
                ("umulo", x.umulo(&y), a * b > 15),
                ("smulo", x.smulo(&y), out(sa * sb)),
                ("smul_over", x.smul_over(&y), sa * sb > 7),
                ("smul_under", x.smul_under(&y), sa * sb < -8),
                ("usubo", x.usubo(&y), a < b),
                ("ssubo", x.ssubo(&y), out(sa - sb)),
                ("sdivo", x.sdivo(&y), sa == -8 && sb == -1),
                ("comp", x.comp(&y) == lit("#b1"), a == b),
                ("ultbv", x.ultbv(&y) == lit("#b1"), a < b),
                ("sltbv", x.sltbv(&y) == lit("#b1"), sa < sb),
                ("redor", x.redor() == lit("#b1"), a != 0),
                ("redand", x.redand() == lit("#b1"), a == 15),
                ("redxor", x.redxor() == lit("#b1"), a.count_ones() % 2 == 1),
            ];
            for (what, got, expected) in flags {
                assert_eq!(got, expected, "{what} {a} {b}");
            }
            assert_eq!(x.to_signed(), Int::from(sa));
            assert_eq!(x.to_unsigned(), Int::from(a));
        }
    }
}

#[test]
fn shapes() {
    let l = limits();
    assert_eq!(lit("#xab").concat(&lit("#b101"), &l), Ok(lit("#b10101011101")));
    assert_eq!(lit("#xabcd").extract(11, 4), lit("#xbc"));
    assert_eq!(lit("#b10").repeat(3, &l), Ok(lit("#b101010")));
    assert_eq!(lit("#b10").sign_extend(2, &l), Ok(lit("#xe")));
    assert_eq!(lit("#b10").zero_extend(2, &l), Ok(lit("#x2")));
    assert_eq!(lit("#x8000000000000000").sign_extend(4, &l), Ok(lit("#xf8000000000000000")));
    let ones = BitVec::ones(80);
    assert_eq!(ones.to_string(), "#xffffffffffffffffffff");
    assert_eq!(ones.extract(70, 3), BitVec::ones(68));
    assert_eq!(lit("#b1").repeat(80, &l), Ok(ones.clone()));
    assert_eq!(BitVec::min_signed(65).to_string(), format!("#b1{}", "0".repeat(64)));
    assert_eq!(lit("#b011").to_string(), "#b011");
    assert_eq!(lit("#x0f").to_string(), "#x0f");
}

#[test]
fn hostile_widths_meet_the_limit() {
    let l = limits();
    let one = lit("#b1");
    assert!(matches!(one.repeat(u64::MAX, &l), Err(Undetermined::TooLarge(_))));
    assert!(matches!(one.zero_extend(u64::MAX, &l), Err(Undetermined::TooLarge(_))));
    assert!(matches!(one.sign_extend(1 << 40, &l), Err(Undetermined::TooLarge(_))));
    assert!(matches!(BitVec::from_int(1_000_000, &Int::ONE, &l), Err(Undetermined::TooLarge(_))));
}

fn vectors() -> impl Strategy<Value = (BitVec, BitVec)> {
    (1u32..140, prop::collection::vec(any::<u64>(), 6)).prop_map(|(width, words)| {
        let make = |w: &[u64]| BitVec::from_big(width, UBig::from_words(&[w[0], w[1], w[2]]));
        (make(&words[..3]), make(&words[3..]))
    })
}

proptest! {
    /// Every width agrees with integers modulo a power of two, on both sides of the border at 64 bits.
    #[test]
    fn arithmetic_is_modular((a, b) in vectors()) {
        let l = limits();
        let width = a.width();
        let cut = |n: &Int| BitVec::from_int(width, n, &l).expect("small");
        let (x, y) = (a.to_unsigned(), b.to_unsigned());
        let (sx, sy) = (a.to_signed(), b.to_signed());
        prop_assert_eq!(cut(&x), a.clone());
        prop_assert_eq!(cut(&sx), a.clone());
        prop_assert_eq!(a.add(&b), cut(&x.add(&y)));
        prop_assert_eq!(a.sub(&b), cut(&sx.sub(&sy)));
        prop_assert_eq!(a.mul(&b), cut(&sx.mul(&y, &l).expect("small")));
        prop_assert_eq!(a.neg(), cut(&x.neg()));
        prop_assert_eq!(a.not(), cut(&x.add(&Int::ONE).neg()));
        prop_assert_eq!(a.ult(&b), x < y);
        prop_assert_eq!(a.slt(&b), sx < sy);
        prop_assert_eq!(a.and(&b), cut(&Int::from_big(sx.to_big() & sy.to_big())));
        prop_assert_eq!(a.or(&b), cut(&Int::from_big(sx.to_big() | sy.to_big())));
        prop_assert_eq!(a.xor(&b), cut(&Int::from_big(sx.to_big() ^ sy.to_big())));
        if !b.is_zero() {
            prop_assert_eq!(a.udiv(&b), cut(&x.div(&y).expect("nonzero")));
            prop_assert_eq!(a.urem(&b), cut(&x.modulo(&y).expect("nonzero")));
            prop_assert_eq!(a.sdiv(&b), cut(&Int::from_big(sx.to_big() / sy.to_big())));
            prop_assert_eq!(a.srem(&b), cut(&Int::from_big(sx.to_big() % sy.to_big())));
        }
        prop_assert_eq!(a.sdiv(&b).mul(&b).add(&a.srem(&b)), a.clone());
    }

    #[test]
    fn shapes_agree_with_numbers((a, b) in vectors(), cut in 0u32..200, by in 0u64..200) {
        let l = limits();
        let width = a.width();
        let cut = cut % width;
        let low = a.extract(cut, 0);
        if cut + 1 < width {
            prop_assert_eq!(a.extract(width - 1, cut + 1).concat(&low, &l), Ok(a.clone()));
        }
        prop_assert_eq!(a.sign_extend(by, &l).expect("small").to_signed(), a.to_signed());
        prop_assert_eq!(a.zero_extend(by, &l).expect("small").to_unsigned(), a.to_unsigned());
        prop_assert_eq!(a.rotate_left(by).rotate_right(by), a.clone());
        prop_assert_eq!(a.rotate_left(1).shift_right_by(1), a.shift_left_by(1).shift_right_by(1));
        let shift = BitVec::from_int(width, &Int::from(by), &l).expect("small");
        let amount = shift.to_u64().expect("small") as usize;
        let moved: IBig = a.to_signed().to_big() >> amount;
        prop_assert_eq!(a.ashr(&shift), BitVec::from_int(width, &Int::from_big(moved), &l).expect("small"));
        prop_assert_eq!(a.concat(&b, &l).expect("small").extract(width - 1, 0), b);
    }

    #[test]
    fn literals_read_back((a, _) in vectors()) {
        prop_assert_eq!(lit(&a.to_string()), a);
    }
}
