//! Strings.

use crate::data::Value;
use crate::reason::Reason;
use crate::theory::args::{bitvec, int, string};
use crate::theory::{Rule, Theory};
use crate::value::integer::Int;
use crate::value::string::Str;

/// The semantics of strings.
pub(super) static THEORY: Theory = Theory { rules: RULES, ..Theory::new("Strings") };

const RULES: &[(&str, u8, Rule)] = &[
    ("char", 0, |cx, _| {
        let code = u32::try_from(cx.index(0)?).ok().and_then(|code| Str::new(vec![code]));
        code.map(Value::Str).ok_or(Reason::BadArguments(None))
    }),
    ("str.++", 2, |cx, a| {
        Ok(Value::Str(Str::concat(&[string(&a[0])?.clone(), string(&a[1])?.clone()], cx.limits)?))
    }),
    ("str.len", 1, |_, a| Ok(Value::Int(string(&a[0])?.length()))),
    ("str.<", 2, |_, a| Ok(Value::Bool(string(&a[0])? < string(&a[1])?))),
    ("str.<=", 2, |_, a| Ok(Value::Bool(string(&a[0])? <= string(&a[1])?))),
    ("str.at", 2, |_, a| Ok(Value::Str(string(&a[0])?.at(int(&a[1])?)))),
    ("str.substr", 3, |_, a| Ok(Value::Str(string(&a[0])?.substr(int(&a[1])?, int(&a[2])?)))),
    ("str.prefixof", 2, |_, a| Ok(Value::Bool(string(&a[0])?.is_prefix_of(string(&a[1])?)))),
    ("str.suffixof", 2, |_, a| Ok(Value::Bool(string(&a[0])?.is_suffix_of(string(&a[1])?)))),
    ("str.contains", 2, |_, a| Ok(Value::Bool(string(&a[0])?.contains(string(&a[1])?)))),
    ("str.indexof", 2, |_, a| {
        let start = a.get(2).map_or(Ok(&Int::ZERO), int)?;
        Ok(Value::Int(string(&a[0])?.index_of(string(&a[1])?, start)))
    }),
    ("str.replace", 3, |cx, a| {
        Ok(Value::Str(string(&a[0])?.replace(string(&a[1])?, string(&a[2])?, cx.limits)?))
    }),
    ("str.replace_all", 3, |cx, a| {
        Ok(Value::Str(string(&a[0])?.replace_all(string(&a[1])?, string(&a[2])?, cx.limits)?))
    }),
    ("str.is_digit", 1, |_, a| Ok(Value::Bool(string(&a[0])?.is_digit()))),
    ("str.to_code", 1, |_, a| Ok(Value::Int(string(&a[0])?.to_code()))),
    ("str.from_code", 1, |_, a| Ok(Value::Str(Str::from_code(int(&a[0])?)))),
    ("str.to_int", 1, |cx, a| Ok(Value::Int(string(&a[0])?.to_int(cx.limits)?))),
    ("str.from_int", 1, |_, a| Ok(Value::Str(Str::from_int(int(&a[0])?)))),
    ("str.update", 3, |_, a| Ok(Value::Str(string(&a[0])?.update(int(&a[1])?, string(&a[2])?)))),
    ("str.rev", 1, |_, a| Ok(Value::Str(string(&a[0])?.reverse()))),
    ("str.to_lower", 1, |_, a| Ok(Value::Str(string(&a[0])?.to_lower()))),
    ("str.to_upper", 1, |_, a| Ok(Value::Str(string(&a[0])?.to_upper()))),
    ("str.from_ubv", 1, |_, a| Ok(Value::Str(Str::from_int(&bitvec(&a[0])?.to_unsigned())))),
    ("str.from_sbv", 1, |_, a| {
        let number = bitvec(&a[0])?.to_signed();
        let digits = Str::from_int(&number.abs());
        if !number.is_negative() {
            return Ok(Value::Str(digits));
        }
        let codes = std::iter::once(u32::from('-')).chain(digits.codes().iter().copied()).collect();
        Str::new(codes).map(Value::Str).ok_or(Reason::BadArguments(None))
    }),
    ("str.power", 2, |cx, a| {
        let (text, times) = (string(&a[0])?, int(&a[1])?);
        if times.signum() <= 0 || text.is_empty() {
            return Ok(Value::Str(Str::empty()));
        }
        let times = times.to_u64().unwrap_or(u64::MAX);
        cx.limits.check_chars(times.saturating_mul(text.len() as u64))?;
        Str::new(text.codes().repeat(times as usize)).map(Value::Str).ok_or(Reason::BadArguments(None))
    }),
];
