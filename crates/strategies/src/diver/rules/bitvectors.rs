//! Bit-vectors.

use super::{Rules, Site};
use crate::diver::domain::{Abstract, Bits, Interval};
use semantics::Value;
use semantics::value::bitvec::BitVec;
use semantics::value::integer::Int;
use semantics::value::real::Real;

pub(super) const RULES: Rules = &[
    ("bvult", |site| comparison(site, Order { signed: false, descending: false, strict: true })),
    ("bvule", |site| comparison(site, Order { signed: false, descending: false, strict: false })),
    ("bvugt", |site| comparison(site, Order { signed: false, descending: true, strict: true })),
    ("bvuge", |site| comparison(site, Order { signed: false, descending: true, strict: false })),
    ("bvslt", |site| comparison(site, Order { signed: true, descending: false, strict: true })),
    ("bvsle", |site| comparison(site, Order { signed: true, descending: false, strict: false })),
    ("bvsgt", |site| comparison(site, Order { signed: true, descending: true, strict: true })),
    ("bvsge", |site| comparison(site, Order { signed: true, descending: true, strict: false })),
    ("bvnot", complement),
    ("bvneg", negation),
    ("bvadd", sum),
    ("bvsub", difference),
    ("bvand", |site| mask(site, true)),
    ("bvor", |site| mask(site, false)),
    ("bvxor", exclusive),
    ("bvcomp", comparator),
    ("concat", concatenation),
    ("extract", extraction),
    ("zero_extend", |site| extension(site, false)),
    ("sign_extend", |site| extension(site, true)),
    ("rotate_left", |site| rotation(site, true)),
    ("rotate_right", |site| rotation(site, false)),
    ("ubv_to_int", |site| to_int(site, false)),
    ("sbv_to_int", |site| to_int(site, true)),
];
pub(super) const CURRENT: &[&str] = &[
    "repeat",
    "bvnand",
    "bvnor",
    "bvxnor",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvsmod",
    "bvshl",
    "bvlshr",
    "bvashr",
    "bvnego",
    "bvuaddo",
    "bvsaddo",
    "bvumulo",
    "bvsmulo",
    "bvusubo",
    "bvssubo",
    "bvsdivo",
    "int_to_bv",
    "bvredor",
    "bvredand",
    "bvite",
    "bvumul_noovfl",
    "bvsmul_noovfl",
    "bvsmul_noudfl",
    "bvultbv",
    "bvsltbv",
    "ext_rotate_left",
    "ext_rotate_right",
    "bit2bool",
    "bitOf",
];

/// An order of bit-vectors.
#[derive(Clone, Copy)]
struct Order {
    signed: bool,
    descending: bool,
    strict: bool,
}

fn vector<'a>(site: &'a Site<'_>, at: usize) -> Option<&'a BitVec> {
    match site.value(at)? {
        Value::BitVec(vector) => Some(vector),
        _ => None,
    }
}

fn bits(bits: Bits) -> Abstract {
    if bits.is_all() { Abstract::Any } else { Abstract::Bits(bits) }
}

fn comparison(site: &Site<'_>, order: Order) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    site.each(|at| {
        let other = vector(site, 1 - at)?;
        let smaller = ((at == 0) != order.descending) == wanted;
        let step = Int::from(i64::from(order.strict == wanted));
        let bound = if order.signed { other.to_signed() } else { other.to_unsigned() };
        let (low, high) = match smaller {
            true => (None, Some(bound.sub(&step))),
            false => (Some(bound.add(&step)), None),
        };
        let width = other.width();
        Some(bits(if order.signed {
            Bits::signed(width, low, high)
        } else {
            Bits::unsigned(width, low, high)
        }))
    })
}

/// The vectors that are wanted or excluded, one by one.
enum Wanted<'a> {
    Is(&'a BitVec),
    Except(Vec<&'a BitVec>),
    Bits(&'a Bits),
}

fn wanted<'a>(site: &'a Site<'_>) -> Option<Wanted<'a>> {
    match site.wanted {
        Abstract::Is(Value::BitVec(vector)) => Some(Wanted::Is(vector)),
        Abstract::Bits(bits) => Some(Wanted::Bits(bits)),
        Abstract::Except(values) => {
            let vectors = values.iter().map(|value| match value {
                Value::BitVec(vector) => Some(vector),
                _ => None,
            });
            vectors.collect::<Option<_>>().map(Wanted::Except)
        }
        _ => None,
    }
}

/// The preimage under a bijection, which `back` inverts.
fn undone(
    site: &Site<'_>,
    back: impl Fn(&BitVec) -> BitVec,
    of_bits: impl Fn(&Bits) -> Option<Bits>,
) -> Option<Abstract> {
    match wanted(site)? {
        Wanted::Is(vector) => Some(Abstract::exact(&Value::BitVec(back(vector)))),
        Wanted::Except(vectors) => {
            Some(Abstract::except(vectors.into_iter().map(|vector| Value::BitVec(back(vector))).collect()))
        }
        Wanted::Bits(wanted) => of_bits(wanted).map(bits),
    }
}

fn complement(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![undone(site, BitVec::not, |wanted| Some(wanted.not()))]
}

fn negation(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![undone(site, BitVec::neg, |_| None)]
}

/// An unsigned interval shifted down by `by`, if it does not wrap around. Other bounds cannot be shifted.
fn moved(wanted: &Bits, by: &BitVec) -> Option<Bits> {
    let all = Bits::all(wanted.width());
    if wanted.signed != all.signed || !wanted.mask.is_zero() {
        return None;
    }
    let by = by.to_unsigned();
    let size = all.unsigned.1.add(&Int::from(1));
    let (mut low, mut high) = (wanted.unsigned.0.sub(&by), wanted.unsigned.1.sub(&by));
    if high.is_negative() {
        (low, high) = (low.add(&size), high.add(&size));
    }
    (!low.is_negative()).then(|| Bits::unsigned(wanted.width(), Some(low), Some(high)))
}

fn sum(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.each(|at| {
        let mut others: Option<BitVec> = None;
        for other in (0..site.args.len()).filter(|&other| other != at) {
            let value = vector(site, other)?;
            others = Some(others.map_or_else(|| value.clone(), |sum| sum.add(value)));
        }
        match others {
            Some(others) => undone(site, |vector| vector.sub(&others), |wanted| moved(wanted, &others)),
            None => Some(site.wanted.clone()),
        }
    })
}

fn difference(site: &Site<'_>) -> Vec<Option<Abstract>> {
    if site.args.len() != 2 {
        return site.none();
    }
    let first = vector(site, 1)
        .and_then(|taken| undone(site, |vector| vector.add(taken), |wanted| moved(wanted, &taken.neg())));
    let second = vector(site, 0).and_then(|from| undone(site, |vector| from.sub(vector), |_| None));
    vec![first, second]
}

/// `bvand` exposes the bits where the other arguments are one, `bvor` those where they are zero.
fn mask(site: &Site<'_>, and: bool) -> Vec<Option<Abstract>> {
    site.each(|at| {
        let mut others: Option<BitVec> = None;
        for other in (0..site.args.len()).filter(|&other| other != at) {
            let value = vector(site, other)?;
            others = Some(match others {
                None => value.clone(),
                Some(sum) if and => sum.and(value),
                Some(sum) => sum.or(value),
            });
        }
        let Some(others) = others else { return Some(site.wanted.clone()) };
        let visible = if and { others } else { others.not() };
        match wanted(site)? {
            Wanted::Is(vector) => Some(bits(Bits::known(visible, vector))),
            Wanted::Bits(wanted) if wanted.only_bits() => {
                Some(bits(Bits::known(visible.and(&wanted.mask), &wanted.value)))
            }
            // The result is kept if every exposed bit is.
            _ => Some(bits(Bits::known(visible, vector(site, at)?))),
        }
    })
}

fn exclusive(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.each(|at| {
        let mut others = BitVec::zero(vector(site, at)?.width());
        for other in (0..site.args.len()).filter(|&other| other != at) {
            others = others.xor(vector(site, other)?);
        }
        undone(
            site,
            |vector| vector.xor(&others),
            |wanted| {
                let known = || Bits::known(wanted.mask.clone(), &wanted.value.xor(&others));
                wanted.only_bits().then(known)
            },
        )
    })
}

fn comparator(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let bit = |value: u64| Value::BitVec(BitVec::from_u64(1, value));
    let may = |value: u64| site.wanted.contains(&bit(value), site.limits);
    let (zero, one) = (may(0), may(1));
    site.each(|at| {
        let other = site.value(1 - at)?;
        match (zero, one) {
            (true, true) => Some(Abstract::Any),
            (false, true) => Some(Abstract::exact(other)),
            (true, false) => Some(Abstract::except(vec![other.clone()])),
            (false, false) => None,
        }
    })
}

/// The known bits of a wanted set: all bits of a single value, or those of a mask.
fn known(site: &Site<'_>) -> Option<(BitVec, BitVec)> {
    match wanted(site)? {
        Wanted::Is(vector) => Some((BitVec::ones(vector.width()), vector.clone())),
        Wanted::Bits(wanted) if wanted.only_bits() => Some((wanted.mask.clone(), wanted.value.clone())),
        _ => None,
    }
}

fn concatenation(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some((mask, value)) = known(site) else { return site.none() };
    let mut low = mask.width();
    site.each(|at| {
        let width = u32::try_from(site.arena.bitvec_width(site.sort(at))?).ok()?;
        let high = low.checked_sub(1)?;
        low = low.checked_sub(width)?;
        Some(bits(Bits::known(mask.extract(high, low), &value.extract(high, low))))
    })
}

fn extraction(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let (high, low) = (site.index(0)?, site.index(1)?);
        let now = vector(site, 0)?;
        let width = now.width();
        let (high, low) = (u32::try_from(high).ok()?, u32::try_from(low).ok()?);
        let (mask, value) =
            known(site).unwrap_or_else(|| (BitVec::ones(high - low + 1), now.extract(high, low)));
        let wide = |part: &BitVec| -> Option<BitVec> {
            let wide = part.zero_extend(u64::from(width - part.width()), site.limits).ok()?;
            Some(wide.shift_left_by(u64::from(low)))
        };
        Some(bits(Bits::known(wide(&mask)?, &wide(&value)?)))
    })
}

fn extension(site: &Site<'_>, signed: bool) -> Vec<Option<Abstract>> {
    site.first(|| {
        let now = vector(site, 0)?;
        let width = now.width();
        match wanted(site)? {
            Wanted::Is(_) => None,
            Wanted::Except(vectors) => {
                let narrow = |vector: &BitVec| {
                    let part = vector.extract(width - 1, 0);
                    let by = u64::from(vector.width() - width);
                    let back = if signed {
                        part.sign_extend(by, site.limits)
                    } else {
                        part.zero_extend(by, site.limits)
                    };
                    (back.ok()? == *vector).then_some(Value::BitVec(part))
                };
                Some(Abstract::except(vectors.into_iter().filter_map(narrow).collect()))
            }
            Wanted::Bits(wanted) => {
                let all = Bits::all(wanted.width());
                if !wanted.mask.is_zero() {
                    return None;
                }
                // Unsigned bounds on a sign extension, and signed bounds on a zero extension, have no interval.
                match (signed, wanted.unsigned == all.unsigned, wanted.signed == all.signed) {
                    (true, true, _) => {
                        let (low, high) = wanted.signed.clone();
                        Some(bits(Bits::signed(width, Some(low), Some(high))))
                    }
                    (false, _, true) => {
                        let (low, high) = wanted.unsigned.clone();
                        Some(bits(Bits::unsigned(width, Some(low), Some(high))))
                    }
                    _ => None,
                }
            }
        }
    })
}

fn rotation(site: &Site<'_>, left: bool) -> Vec<Option<Abstract>> {
    site.first(|| {
        let by = site.index(0)?;
        let back = |vector: &BitVec| if left { vector.rotate_right(by) } else { vector.rotate_left(by) };
        undone(site, back, |wanted| {
            wanted.only_bits().then(|| Bits::known(back(&wanted.mask), &back(&wanted.value)))
        })
    })
}

fn to_int(site: &Site<'_>, signed: bool) -> Vec<Option<Abstract>> {
    site.first(|| {
        let width = vector(site, 0)?.width();
        match site.wanted {
            Abstract::Range(range) => {
                let Interval { low, high } = range.integers();
                let (low, high) = (low.as_ref().map(Real::floor), high.as_ref().map(Real::floor));
                Some(bits(if signed {
                    Bits::signed(width, low, high)
                } else {
                    Bits::unsigned(width, low, high)
                }))
            }
            Abstract::Except(values) => {
                let back = |value: &Value| {
                    let Value::Int(value) = value else { return None };
                    let vector = BitVec::from_int(width, value, site.limits).ok()?;
                    let same = if signed { vector.to_signed() } else { vector.to_unsigned() } == *value;
                    same.then_some(Value::BitVec(vector))
                };
                Some(Abstract::except(values.iter().filter_map(back).collect()))
            }
            _ => None,
        }
    })
}
