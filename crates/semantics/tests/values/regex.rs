use aws_smt_strings::regular_expressions::{ReManager, RegLan};
use aws_smt_strings::smt_strings::SmtString;
use elenchus_semantics::value::integer::Int;
use elenchus_semantics::value::limits::{Limits, Undetermined};
use elenchus_semantics::value::regex::{Automaton, Regex, contains};
use elenchus_semantics::value::string::Str;
use proptest::prelude::*;

fn s(text: &str) -> Str {
    Str::from(text)
}

fn lit(text: &str) -> Regex {
    Regex::literal(s(text))
}

fn limits() -> Limits {
    Limits::default()
}

fn accepts(regex: &Regex, text: &str) -> bool {
    let said = Automaton::new(regex, &limits()).expect("small").accepts(&s(text)).expect("small");
    assert!(contains(regex, &s(text)).is_none_or(|other| other == said), "{regex} {text:?}: both ways agree");
    said
}

#[test]
fn membership() {
    let ab = Regex::range(&s("a"), &s("b"));
    let table = [
        (Regex::none(), "", false),
        (Regex::all(), "xyz", true),
        (Regex::any_char(), "x", true),
        (Regex::any_char(), "", false),
        (lit(""), "", true),
        (ab.star(), "abba", true),
        (ab.star(), "abc", false),
        (ab.plus(), "", false),
        (ab.opt(), "", true),
        (ab.power(3), "aba", true),
        (ab.power(3), "ab", false),
        (ab.power(0), "", true),
        (Regex::none().power(0), "", true),
        (Regex::none().repeat(0, 4), "", true),
        (ab.repeat(2, 1), "ab", false),
        (ab.repeat(2, 3), "aba", true),
        (ab.at_least(2), "a", false),
        (Regex::range(&s("b"), &s("a")), "a", false),
        (Regex::range(&s("ab"), &s("c")), "b", false),
        (Regex::range(&s(""), &s("c")), "b", false),
        (lit("ab").complement(), "ab", false),
        (lit("ab").complement(), "", true),
        (ab.star().difference(&lit("ab")), "ab", false),
        (lit("a").star().intersection(&lit("aa").star()), "aaaa", true),
        (lit("a").star().intersection(&lit("aa").star()), "aaa", false),
    ];
    for (regex, text, expected) in table {
        assert_eq!(accepts(&regex, text), expected, "{regex} {text:?}");
    }
}

#[test]
fn replacement_takes_the_shortest_leftmost_match() {
    let (a_plus, a_star) = (lit("a").plus(), lit("a").star());
    let table = [
        (&a_plus, "baaab", "-", "b-aab", "b---b"),
        (&a_star, "baaab", "-", "-baaab", "b---b"),
        (&Regex::none(), "aaa", "X", "aaa", "aaa"),
        (&lit("ab").union(&lit("b")), "cab", "X", "cX", "cX"),
        (&Regex::all(), "ab", "X", "Xab", "XX"),
        (&lit(""), "ab", "X", "Xab", "ab"),
        (&lit("a").concat(&Regex::all()).concat(&lit("b")), "xacbcb", "", "xcb", "xcb"),
    ];
    for (regex, text, to, first, all) in table {
        let mut automaton = Automaton::new(regex, &limits()).expect("small");
        assert_eq!(automaton.replace_first(&s(text), &s(to)), Ok(s(first)), "{regex} {text}");
        assert_eq!(automaton.replace_all(&s(text), &s(to)), Ok(s(all)), "{regex} {text}");
    }
}

#[test]
fn index_of_a_match() {
    let table = [("xaab", 0, 1), ("xaab", 2, 2), ("xaab", 3, -1), ("xaab", -1, -1), ("xaab", 9, -1)];
    for (text, start, expected) in table {
        let mut automaton = Automaton::new(&lit("a"), &limits()).expect("small");
        assert_eq!(
            automaton.index_of(&s(text), &Int::from(start)),
            Ok(Int::from(expected)),
            "{text} {start}"
        );
    }
    let mut empty_word = Automaton::new(&lit("a").star(), &limits()).expect("small");
    assert_eq!(empty_word.index_of(&s("xb"), &Int::from(2)), Ok(Int::from(2)));
}

#[test]
fn inclusion_and_equality() {
    let (a, aa) = (lit("a").star(), lit("aa").star());
    assert_eq!(aa.outside(&a, &limits()), Ok(None));
    assert_eq!(a.outside(&aa, &limits()), Ok(Some(s("a"))));
    let split = lit("").union(&lit("a").concat(&a));
    assert_eq!(a.distinguishing(&split, &limits()), Ok(None));
    assert_eq!(a.distinguishing(&lit("a").plus(), &limits()), Ok(Some(s(""))));
}

#[test]
fn differently_written_languages_are_equal() {
    let (a, b) = (lit("a"), lit("b"));
    let equal = [
        (a.plus(), a.concat(&a.star())),
        (a.plus(), a.star().concat(&a)),
        (a.repeat(0, 1), lit("").union(&a)),
        (a.repeat(2, 5), a.concat(&a.repeat(0, 2)).concat(&a.repeat(1, 2))),
        (a.power(3).concat(&a.star()).concat(&b), a.concat(&a.plus()).concat(&a.concat(&b))),
        (lit("ab").star().concat(&lit("a")), lit("a").concat(&lit("ba").star())),
        (a.union(&b).star(), a.star().concat(&b.concat(&a.star()).star())),
        (a.repeat(0, 1).repeat(1, 3), a.repeat(0, 3)),
    ];
    for (one, other) in &equal {
        assert_eq!(one.distinguishing(other, &limits()), Ok(None));
    }
    let different = [
        (a.plus(), a.star()),
        (a.repeat(2, 5), a.concat(&a.repeat(0, 3))),
        (a.power(3).concat(&a.star()), a.power(2).concat(&a.star())),
        (lit("ab").star(), lit("ba").star()),
    ];
    for (one, other) in &different {
        let Ok(Some(text)) = one.distinguishing(other, &limits()) else { panic!("they differ") };
        let accepts = |regex: &Regex| Automaton::new(regex, &limits()).expect("small").accepts(&text);
        assert_ne!(accepts(one), accepts(other), "{text:?}");
    }
}

#[test]
fn hostile_expressions_end() {
    let huge = lit("a").repeat(0, 1_000_000_000);
    assert!(accepts(&huge, "aaaa"));
    assert!(!accepts(&lit("a").power(1_000_000_000), "aaaa"));
    let too_long = Automaton::new(&lit("a").power(1_000_000_000), &limits()).expect("small").witness();
    assert!(matches!(too_long, Err(Undetermined::TooLarge(_))));
    // The deterministic automaton of this one has 2^40 states.
    let exponential = Regex::all().concat(&lit("a")).concat(&Regex::any_char().power(40));
    let hard = exponential.distinguishing(&exponential.concat(&lit("").star()).union(&lit("bb")), &limits());
    assert!(hard.is_err() || hard == Ok(Some(s("bb"))));
}

#[test]
fn a_million_levels_neither_compare_nor_drop_by_recursion() {
    let deep = || (0..1_000_000).fold(lit("a"), |inner, _| inner.concat(&Regex::none()).star());
    let (one, other) = (deep(), deep());
    assert!(one == other);
    assert!(matches!(Automaton::new(&one, &limits()), Err(Undetermined::TooLarge(_))));
    assert!(one.to_string().starts_with("<a regular expression of"));
}

#[test]
fn sharing_is_not_unfolded() {
    let doubled = (0..200).fold(lit("a"), |inner, _| inner.concat(&inner));
    let again = (0..200).fold(lit("a"), |inner, _| inner.concat(&inner));
    assert!(doubled == again && doubled != again.star());
    let unions = (0..200).fold(lit("a"), |inner, _| inner.union(&inner));
    assert!(accepts(&unions, "a"));
}

/// Expressions that both engines build.
#[derive(Clone, Debug)]
enum Shape {
    None,
    All,
    Any,
    Text(String),
    Range(char, char),
    Concat(Box<Shape>, Box<Shape>),
    Union(Box<Shape>, Box<Shape>),
    Intersection(Box<Shape>, Box<Shape>),
    Complement(Box<Shape>),
    Star(Box<Shape>),
    Repeat(Box<Shape>, u32, u32),
}

fn shapes() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::None),
        Just(Shape::All),
        Just(Shape::Any),
        "[abc]{0,3}".prop_map(Shape::Text),
        ("[abc]", "[abc]").prop_map(|(a, b)| {
            let one = |t: String| t.chars().next().unwrap_or('a');
            Shape::Range(one(a), one(b))
        }),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let two = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            two.clone().prop_map(|(a, b)| Shape::Concat(a, b)),
            two.clone().prop_map(|(a, b)| Shape::Union(a, b)),
            two.prop_map(|(a, b)| Shape::Intersection(a, b)),
            inner.clone().prop_map(|a| Shape::Complement(Box::new(a))),
            inner.clone().prop_map(|a| Shape::Star(Box::new(a))),
            (inner, 0u32..3, 0u32..4).prop_map(|(a, low, high)| Shape::Repeat(Box::new(a), low, high)),
        ]
    })
}

fn ours(shape: &Shape) -> Regex {
    match shape {
        Shape::None => Regex::none(),
        Shape::All => Regex::all(),
        Shape::Any => Regex::any_char(),
        Shape::Text(text) => lit(text),
        Shape::Range(a, b) => Regex::range(&s(&a.to_string()), &s(&b.to_string())),
        Shape::Concat(a, b) => ours(a).concat(&ours(b)),
        Shape::Union(a, b) => ours(a).union(&ours(b)),
        Shape::Intersection(a, b) => ours(a).intersection(&ours(b)),
        Shape::Complement(a) => ours(a).complement(),
        Shape::Star(a) => ours(a).star(),
        Shape::Repeat(a, low, high) => ours(a).repeat(u64::from(*low), u64::from(*high)),
    }
}

fn theirs(shape: &Shape, manager: &mut ReManager) -> RegLan {
    match shape {
        Shape::None => manager.empty(),
        Shape::All => manager.full(),
        Shape::Any => manager.all_chars(),
        Shape::Text(text) => manager.str(&SmtString::from(text.as_str())),
        Shape::Range(a, b) => manager
            .smt_range(&SmtString::from(a.to_string().as_str()), &SmtString::from(b.to_string().as_str())),
        Shape::Concat(a, b) => {
            let (a, b) = (theirs(a, manager), theirs(b, manager));
            manager.concat(a, b)
        }
        Shape::Union(a, b) => {
            let (a, b) = (theirs(a, manager), theirs(b, manager));
            manager.union(a, b)
        }
        Shape::Intersection(a, b) => {
            let (a, b) = (theirs(a, manager), theirs(b, manager));
            manager.inter(a, b)
        }
        Shape::Complement(a) => {
            let a = theirs(a, manager);
            manager.complement(a)
        }
        Shape::Star(a) => {
            let a = theirs(a, manager);
            manager.star(a)
        }
        Shape::Repeat(a, low, high) => {
            let a = theirs(a, manager);
            manager.smt_loop(a, *low, *high)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn both_engines_agree(shape in shapes(), texts in prop::collection::vec("[abcd]{0,6}", 12)) {
        let mut manager = ReManager::new();
        let their_regex = theirs(&shape, &mut manager);
        let mut automaton = Automaton::new(&ours(&shape), &limits()).expect("small");
        for text in &texts {
            let expected = manager.str_in_re(&SmtString::from(text.as_str()), their_regex);
            prop_assert_eq!(automaton.accepts(&s(text)).expect("small"), expected, "{} in {}", text, ours(&shape));
        }
        match automaton.witness() {
            Ok(Some(witness)) => prop_assert!(automaton.accepts(&witness).expect("small")),
            Ok(None) => prop_assert!(manager.is_empty_re(their_regex)),
            Err(_) => {}
        }
    }
}
