use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use elenchus_semantics::value::string::{MAX_CODE, Str};
use proptest::prelude::*;

fn s(text: &str) -> Str {
    Str::from(text)
}

fn n(value: i64) -> Int {
    Int::from(value)
}

fn limits() -> Limits {
    Limits::default()
}

#[test]
fn literals() {
    let table: &[(&str, &[u32])] = &[
        ("", &[]),
        ("ab", &[0x61, 0x62]),
        (r"\u0041", &[0x41]),
        (r"\u{41}b", &[0x41, 0x62]),
        (r"\u{2FFFF}", &[0x2FFFF]),
        (r"\u{2ffff}", &[0x2FFFF]),
        (r"\uD800", &[0xD800]),
        (r"\u{30000}", &[0x5C, 0x75, 0x7B, 0x33, 0x30, 0x30, 0x30, 0x30, 0x7D]),
        (r"\u{000041}", &[0x5C, 0x75, 0x7B, 0x30, 0x30, 0x30, 0x30, 0x34, 0x31, 0x7D]),
        (r"\u{}", &[0x5C, 0x75, 0x7B, 0x7D]),
        (r"\u{g}", &[0x5C, 0x75, 0x7B, 0x67, 0x7D]),
        (r"\u{41", &[0x5C, 0x75, 0x7B, 0x34, 0x31]),
        (r"\u004", &[0x5C, 0x75, 0x30, 0x30, 0x34]),
        (r"\x41", &[0x5C, 0x78, 0x34, 0x31]),
        (r"\\u0041", &[0x5C, 0x41]),
        (r"\u+041", &[0x5C, 0x75, 0x2B, 0x30, 0x34, 0x31]),
        (r"\u00é", &[0x5C, 0x75, 0x30, 0x30, 0xE9]),
        ("\"", &[0x22]),
    ];
    for (text, codes) in table {
        let read = Str::parse_literal(text).expect("in range");
        assert_eq!(read.codes(), *codes, "{text}");
        let printed = read.to_string();
        let inner = printed[1..printed.len() - 1].replace("\"\"", "\"");
        assert_eq!(Str::parse_literal(&inner), Some(read), "{printed}");
    }
    assert_eq!(Str::parse_literal("\u{E0001}"), None);
    assert_eq!(Str::new(vec![MAX_CODE + 1]), None);
    assert_eq!(Str::parse_literal("a\"\\\u{1}").expect("in range").to_string(), r#""a""\u{5c}\u{1}""#);
}

#[test]
fn substrings() {
    let table = [
        ("hello", 1, 3, "ell"),
        ("hello", 1, 100, "ello"),
        ("hello", -1, 3, ""),
        ("hello", 5, 1, ""),
        ("hello", 4, 1, "o"),
        ("hello", 0, 0, ""),
        ("hello", 0, -1, ""),
        ("hello", 0, i64::MAX, "hello"),
        ("hello", i64::MAX, i64::MAX, ""),
        ("", 0, 1, ""),
    ];
    for (text, start, count, expected) in table {
        assert_eq!(s(text).substr(&n(start), &n(count)), s(expected), "{text} {start} {count}");
    }
    assert_eq!(s("abc").at(&n(2)), s("c"));
    assert_eq!(s("abc").at(&n(3)), s(""));
    assert_eq!(s("abc").at(&n(-1)), s(""));
}

#[test]
fn searching() {
    let table = [
        ("abcabc", "bc", 0, 1),
        ("abcabc", "bc", 2, 4),
        ("abcabc", "bc", 5, -1),
        ("abc", "", 0, 0),
        ("abc", "", 3, 3),
        ("abc", "", 4, -1),
        ("abc", "", -1, -1),
        ("abc", "a", -1, -1),
        ("", "", 0, 0),
        ("", "a", 0, -1),
    ];
    for (text, part, start, expected) in table {
        assert_eq!(s(text).index_of(&s(part), &n(start)), n(expected), "{text} {part} {start}");
    }
    assert_eq!(s("abcabc").last_index_of(&s("bc")), n(4));
    assert_eq!(s("abc").last_index_of(&s("x")), n(-1));
    assert!(s("abc").contains(&s("")) && s("").contains(&s("")) && !s("").contains(&s("a")));
    assert!(
        s("ab").is_prefix_of(&s("abc"))
            && s("bc").is_suffix_of(&s("abc"))
            && !s("abcd").is_prefix_of(&s("abc"))
    );
}

#[test]
fn replacing() {
    let l = limits();
    let table = [
        ("aXbX", "X", "YY", "aYYbX", "aYYbYY"),
        ("abc", "", "Z", "Zabc", "abc"),
        ("", "", "Z", "Z", ""),
        ("aaa", "aa", "b", "ba", "ba"),
        ("abc", "x", "y", "abc", "abc"),
        ("aa", "a", "aa", "aaa", "aaaa"),
    ];
    for (text, from, to, first, all) in table {
        assert_eq!(s(text).replace(&s(from), &s(to), &l), Ok(s(first)), "{text} {from}");
        assert_eq!(s(text).replace_all(&s(from), &s(to), &l), Ok(s(all)), "{text} {from}");
    }
}

#[test]
fn codes_and_numbers() {
    let l = limits();
    assert_eq!(s("a").to_code(), n(97));
    assert_eq!(s("").to_code(), n(-1));
    assert_eq!(s("ab").to_code(), n(-1));
    assert_eq!(Str::from_code(&n(0x2FFFF)).codes(), [0x2FFFF]);
    assert_eq!(Str::from_code(&n(0x30000)), s(""));
    assert_eq!(Str::from_code(&n(-1)), s(""));
    for (text, number) in [("", -1), ("-1", -1), ("007", 7), ("0", 0), ("000", 0), ("1a", -1), ("٣", -1)] {
        assert_eq!(s(text).to_int(&l), Ok(n(number)), "{text}");
    }
    let long = "12345678901234567890123456789";
    assert_eq!(Str::from_int(&s(long).to_int(&l).expect("small")), s(long));
    assert_eq!(Str::from_int(&n(-5)), s(""));
    assert_eq!(Str::from_int(&n(0)), s("0"));
    assert!(s("7").is_digit() && !s("77").is_digit() && !s("").is_digit() && !s("a").is_digit());
}

#[test]
fn cvc5_operators() {
    for (text, start, with, expected) in [
        ("abcd", 1, "XY", "aXYd"),
        ("abcd", 3, "XY", "abcX"),
        ("abcd", 4, "X", "abcd"),
        ("abcd", -1, "X", "abcd"),
    ] {
        assert_eq!(s(text).update(&n(start), &s(with)), s(expected));
    }
    assert_eq!(s("abc").reverse(), s("cba"));
    assert_eq!(s("aBcÉ").to_lower(), s("abcÉ"));
    assert_eq!(s("aBcé").to_upper(), s("ABCé"));
}

#[test]
fn blow_ups_meet_the_limit() {
    let l = limits();
    let mut text = s("aaaaaaaa");
    let end = loop {
        match text.replace_all(&s("a"), &s("aaaaaaaa"), &l) {
            Ok(longer) => text = longer,
            Err(reason) => break reason,
        }
    };
    assert!(matches!(end, Undetermined::TooLarge(_)));
    let end = loop {
        match Str::concat(&[text.clone(), text.clone()], &l) {
            Ok(longer) => text = longer,
            Err(reason) => break reason,
        }
    };
    assert!(matches!(end, Undetermined::TooLarge(_)));
}

proptest! {
    #[test]
    fn long_searches_agree_with_short_ones(hay in "[ab]{0,400}", needle in "[ab]{1,30}", from in 0usize..420) {
        // The letters are ASCII, so offsets are positions.
        let simple = hay.get(from..).and_then(|tail| tail.find(&needle));
        let expected = simple.map_or(n(-1), |position| Int::from(position + from));
        prop_assert_eq!(s(&hay).index_of(&s(&needle), &Int::from(from)), expected);
    }

    #[test]
    fn laws(a in "[abc]{0,8}", b in "[abc]{0,3}", c in "[abc]{0,3}") {
        let l = limits();
        let (a, b, c) = (s(&a), s(&b), s(&c));
        let ab = Str::concat(&[a.clone(), b.clone()], &l).expect("small");
        prop_assert!(a.is_prefix_of(&ab) && b.is_suffix_of(&ab) && ab.contains(&a) && ab.contains(&b));
        prop_assert_eq!(ab.length(), a.length().add(&b.length()));
        prop_assert_eq!(a.contains(&b), !a.index_of(&b, &Int::ZERO).is_negative());
        if !a.contains(&b) {
            prop_assert_eq!(a.replace(&b, &c, &l), Ok(a.clone()));
            prop_assert_eq!(a.replace_all(&b, &c, &l), Ok(a.clone()));
        }
        prop_assert_eq!((a < b) as u8 + (b < a) as u8 + (a == b) as u8, 1);
        prop_assert_eq!(a.reverse().reverse(), a.clone());
    }
}
