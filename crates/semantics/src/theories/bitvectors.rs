//! Bit-vectors.

use crate::data::Value;
use crate::theory::args::{bitvec, int};
use crate::theory::{Rule, Theory};
use crate::value::bitvec::BitVec;

/// A rule from a binary method with a bit-vector result.
macro_rules! vector_of_two {
    ($method:ident) => {
        |_, a| Ok(Value::BitVec(bitvec(&a[0])?.$method(bitvec(&a[1])?)))
    };
}

/// A rule from a unary method with a bit-vector result.
macro_rules! vector_of_one {
    ($method:ident) => {
        |_, a| Ok(Value::BitVec(bitvec(&a[0])?.$method()))
    };
}

/// A rule from a binary method with a Boolean result.
macro_rules! test_of_two {
    ($method:ident) => {
        |_, a| Ok(Value::Bool(bitvec(&a[0])?.$method(bitvec(&a[1])?)))
    };
    ($method:ident, swapped) => {
        |_, a| Ok(Value::Bool(bitvec(&a[1])?.$method(bitvec(&a[0])?)))
    };
    ($method:ident, negated) => {
        |_, a| Ok(Value::Bool(!bitvec(&a[0])?.$method(bitvec(&a[1])?)))
    };
}

/// The semantics of bit-vectors.
pub(super) static THEORY: Theory = Theory { rules: RULES, ..Theory::new("FixedSizeBitVectors") };

const RULES: &[(&str, u8, Rule)] = &[
    ("concat", 2, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.concat(bitvec(&a[1])?, cx.limits)?))),
    ("extract", 1, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.extract(cx.bit_index(0)?, cx.bit_index(1)?)))),
    ("repeat", 1, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.repeat(cx.index(0)?, cx.limits)?))),
    ("zero_extend", 1, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.zero_extend(cx.index(0)?, cx.limits)?))),
    ("sign_extend", 1, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.sign_extend(cx.index(0)?, cx.limits)?))),
    ("rotate_left", 1, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.rotate_left(cx.index(0)?)))),
    ("rotate_right", 1, |cx, a| Ok(Value::BitVec(bitvec(&a[0])?.rotate_right(cx.index(0)?)))),
    ("ext_rotate_left", 2, vector_of_two!(ext_rotate_left)),
    ("ext_rotate_right", 2, vector_of_two!(ext_rotate_right)),
    ("bvnot", 1, vector_of_one!(not)),
    ("bvand", 2, vector_of_two!(and)),
    ("bvor", 2, vector_of_two!(or)),
    ("bvxor", 2, vector_of_two!(xor)),
    ("bvnand", 2, vector_of_two!(nand)),
    ("bvnor", 2, vector_of_two!(nor)),
    ("bvxnor", 2, |_, a| {
        let mut result = bitvec(&a[0])?.clone();
        for other in &a[1..] {
            result = result.xnor(bitvec(other)?);
        }
        Ok(Value::BitVec(result))
    }),
    ("bvcomp", 2, vector_of_two!(comp)),
    ("bvredor", 1, vector_of_one!(redor)),
    ("bvredand", 1, vector_of_one!(redand)),
    ("bvneg", 1, vector_of_one!(neg)),
    ("bvadd", 2, vector_of_two!(add)),
    ("bvmul", 2, vector_of_two!(mul)),
    ("bvsub", 2, vector_of_two!(sub)),
    ("bvudiv", 2, vector_of_two!(udiv)),
    ("bvurem", 2, vector_of_two!(urem)),
    ("bvsdiv", 2, vector_of_two!(sdiv)),
    ("bvsrem", 2, vector_of_two!(srem)),
    ("bvsmod", 2, vector_of_two!(smod)),
    ("bvshl", 2, vector_of_two!(shl)),
    ("bvlshr", 2, vector_of_two!(lshr)),
    ("bvashr", 2, vector_of_two!(ashr)),
    ("bvult", 2, test_of_two!(ult)),
    ("bvule", 2, test_of_two!(ule)),
    ("bvugt", 2, test_of_two!(ult, swapped)),
    ("bvuge", 2, test_of_two!(ule, swapped)),
    ("bvslt", 2, test_of_two!(slt)),
    ("bvsle", 2, test_of_two!(sle)),
    ("bvsgt", 2, test_of_two!(slt, swapped)),
    ("bvsge", 2, test_of_two!(sle, swapped)),
    ("bvultbv", 2, vector_of_two!(ultbv)),
    ("bvsltbv", 2, vector_of_two!(sltbv)),
    ("bvnego", 1, |_, a| Ok(Value::Bool(bitvec(&a[0])?.nego()))),
    ("bvuaddo", 2, test_of_two!(uaddo)),
    ("bvsaddo", 2, test_of_two!(saddo)),
    ("bvumulo", 2, test_of_two!(umulo)),
    ("bvsmulo", 2, test_of_two!(smulo)),
    ("bvusubo", 2, test_of_two!(usubo)),
    ("bvssubo", 2, test_of_two!(ssubo)),
    ("bvsdivo", 2, test_of_two!(sdivo)),
    ("bvumul_noovfl", 2, test_of_two!(umulo, negated)),
    ("bvsmul_noovfl", 2, test_of_two!(smul_over, negated)),
    ("bvsmul_noudfl", 2, test_of_two!(smul_under, negated)),
    ("bvite", 3, |_, a| Ok(if bitvec(&a[0])?.is_zero() { a[2].clone() } else { a[1].clone() })),
    ("bit2bool", 1, |cx, a| Ok(Value::Bool(bitvec(&a[0])?.bit(cx.bit_index(0)?)))),
    ("bitOf", 1, |cx, a| Ok(Value::Bool(bitvec(&a[0])?.bit(cx.bit_index(0)?)))),
    ("ubv_to_int", 1, |_, a| Ok(Value::Int(bitvec(&a[0])?.to_unsigned()))),
    ("sbv_to_int", 1, |_, a| Ok(Value::Int(bitvec(&a[0])?.to_signed()))),
    ("int_to_bv", 1, |cx, a| Ok(Value::BitVec(BitVec::from_int(cx.bit_index(0)?, int(&a[0])?, cx.limits)?))),
];
