use semantics::value::Value;
use semantics::value::bitvec::BitVec;
use semantics::value::float::RoundingMode;
use semantics::value::integer::Int;
use semantics::value::rational::Rational;
use semantics::value::real::Real;
use semantics::value::regex::Regex;
use semantics::value::string::Str;

#[test]
fn values_print_as_terms() {
    let table = [
        (Value::Bool(true), "true"),
        (Value::Int(Int::from(-3)), "(- 3)"),
        (Value::Real(Real::Rational(Rational::from(3))), "3.0"),
        (Value::Str(Str::from("a\"b")), "\"a\"\"b\""),
        (Value::BitVec(BitVec::from_u64(5, 3)), "#b00011"),
        (Value::RoundingMode(RoundingMode::Zero), "RTZ"),
        (
            Value::RegLan(Regex::literal(Str::from("a")).star().union(&Regex::any_char().repeat(2, 3))),
            "(re.union (re.* (str.to_re \"a\")) ((_ re.loop 2 3) re.allchar))",
        ),
    ];
    for (value, printed) in table {
        assert_eq!(value.to_string(), printed);
    }
}

/// The evaluator moves values by the million: growth of the type is a regression.
#[test]
fn values_stay_small() {
    assert!(size_of::<Value>() <= 64, "{} bytes", size_of::<Value>());
}
