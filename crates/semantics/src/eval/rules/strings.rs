//! Strings.

use super::{Rules, int, string, vector};
use crate::data::Value;
use crate::eval::reason::Reason;
use crate::value::integer::Int;
use crate::value::string::Str;

pub(super) const RULES: Rules = &[
    ("char", 0, |site, _| {
        let code = u32::try_from(site.index(0)?).ok().and_then(|code| Str::new(vec![code]));
        code.map(Value::Str).ok_or(Reason::Kind(None))
    }),
    ("str.++", 2, |site, a| {
        Ok(Value::Str(Str::concat(&[string(&a[0])?.clone(), string(&a[1])?.clone()], site.limits)?))
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
    ("str.replace", 3, |site, a| {
        Ok(Value::Str(string(&a[0])?.replace(string(&a[1])?, string(&a[2])?, site.limits)?))
    }),
    ("str.replace_all", 3, |site, a| {
        Ok(Value::Str(string(&a[0])?.replace_all(string(&a[1])?, string(&a[2])?, site.limits)?))
    }),
    ("str.is_digit", 1, |_, a| Ok(Value::Bool(string(&a[0])?.is_digit()))),
    ("str.to_code", 1, |_, a| Ok(Value::Int(string(&a[0])?.to_code()))),
    ("str.from_code", 1, |_, a| Ok(Value::Str(Str::from_code(int(&a[0])?)))),
    ("str.to_int", 1, |site, a| Ok(Value::Int(string(&a[0])?.to_int(site.limits)?))),
    ("str.from_int", 1, |_, a| Ok(Value::Str(Str::from_int(int(&a[0])?)))),
    ("str.update", 3, |_, a| Ok(Value::Str(string(&a[0])?.update(int(&a[1])?, string(&a[2])?)))),
    ("str.rev", 1, |_, a| Ok(Value::Str(string(&a[0])?.reverse()))),
    ("str.to_lower", 1, |_, a| Ok(Value::Str(string(&a[0])?.to_lower()))),
    ("str.to_upper", 1, |_, a| Ok(Value::Str(string(&a[0])?.to_upper()))),
    ("str.from_ubv", 1, |_, a| Ok(Value::Str(Str::from_int(&vector(&a[0])?.to_unsigned())))),
    ("str.from_sbv", 1, |_, a| {
        let number = vector(&a[0])?.to_signed();
        let digits = Str::from_int(&number.abs());
        if !number.is_negative() {
            return Ok(Value::Str(digits));
        }
        let codes = std::iter::once(u32::from('-')).chain(digits.codes().iter().copied()).collect();
        Str::new(codes).map(Value::Str).ok_or(Reason::Kind(None))
    }),
    ("str.power", 2, |site, a| {
        let (text, times) = (string(&a[0])?, int(&a[1])?);
        if times.signum() <= 0 || text.is_empty() {
            return Ok(Value::Str(Str::empty()));
        }
        let times = times.to_u64().unwrap_or(u64::MAX);
        site.limits.check_chars(times.saturating_mul(text.len() as u64))?;
        Str::new(text.codes().repeat(times as usize)).map(Value::Str).ok_or(Reason::Kind(None))
    }),
];
