//! Functions with inverses: z = f(x, y), x = g(y, z) and y = h(x, z), whatever x and y are.

use crate::kit::random::Random;

/// How two constants become one.
pub(super) struct Fusion {
    /// What has to be declared before `z`.
    pub declaration: String,
    /// The sort of `z`.
    pub sort: String,
    /// `z` as a term over `x` and `y`.
    pub forward: String,
    /// `x` as a term over `y` and `z`.
    pub first: String,
    /// `y` as a term over `x` and `z`.
    pub second: String,
}

/// A function and its inverses over `X`, `Y`, `Z` and the literal `C`: `forward`, `first`, `second`.
type Row = [&'static str; 3];

const INTEGERS: [Row; 6] = [
    ["(+ X Y)", "(- Z Y)", "(- Z X)"],
    ["(- X Y)", "(+ Z Y)", "(- X Z)"],
    ["(+ X C Y)", "(- Z C Y)", "(- Z X C)"],
    ["(+ (* C X) Y)", "(div (- Z Y) C)", "(- Z (* C X))"],
    ["(- (* C Y) X)", "(- (* C Y) Z)", "(div (+ Z X) C)"],
    ["(* X Y)", "(ite (= Y 0) X (div Z Y))", "(ite (= X 0) Y (div Z X))"],
];
const REALS: [Row; 5] = [
    ["(+ X Y)", "(- Z Y)", "(- Z X)"],
    ["(- X Y)", "(+ Z Y)", "(- X Z)"],
    ["(+ (* C X) Y)", "(/ (- Z Y) C)", "(- Z (* C X))"],
    ["(+ X (/ Y C))", "(- Z (/ Y C))", "(* C (- Z X))"],
    ["(* X Y)", "(ite (= Y 0.0) X (/ Z Y))", "(ite (= X 0.0) Y (/ Z X))"],
];
const BOOLEANS: [Row; 3] = [
    ["(xor X Y)", "(xor Z Y)", "(xor Z X)"],
    ["(= X Y)", "(= Z Y)", "(= X Z)"],
    ["(ite X Y (not Y))", "(= Y Z)", "(= X Z)"],
];
const STRINGS: [Row; 2] = [
    ["(str.++ X Y)", "(str.substr Z 0 (str.len X))", "(str.substr Z (str.len X) (str.len Y))"],
    ["(str.++ X \"C\" Y)", "(str.substr Z 0 (str.len X))", "(str.substr Z (+ 1 (str.len X)) (str.len Y))"],
];
const SEQUENCES: [Row; 1] =
    [["(seq.++ X Y)", "(seq.extract Z 0 (seq.len X))", "(seq.extract Z (seq.len X) (seq.len Y))"]];
const BITS: [Row; 4] = [
    ["(bvadd X Y)", "(bvsub Z Y)", "(bvsub Z X)"],
    ["(bvsub X Y)", "(bvadd Z Y)", "(bvsub X Z)"],
    ["(bvxor X Y)", "(bvxor Z Y)", "(bvxor X Z)"],
    ["(bvxor (bvnot X) Y)", "(bvnot (bvxor Z Y))", "(bvxor Z (bvnot X))"],
];

/// A fusion of two constants, given with their sorts, with `z` as the new constant. Any two sorts have a pair; two constants of one
/// sort of numbers, strings and the like also have functions of the theory.
pub(super) fn fusion(x: (&str, &str), y: (&str, &str), z: &str, random: &mut Random) -> Fusion {
    let ((x, sort), (y, other)) = (x, y);
    let width = sort.strip_prefix("(_ BitVec ").and_then(|rest| rest.strip_suffix(')'));
    let rows: &[Row] = match sort {
        _ if sort != other => &[],
        "Int" => &INTEGERS,
        "Real" => &REALS,
        "Bool" => &BOOLEANS,
        "String" => &STRINGS,
        _ if width.is_some() => &BITS,
        _ if sort.starts_with("(Seq ") => &SEQUENCES,
        _ => &[],
    };
    let literal = match sort {
        "Real" => format!("{}.0", 2 + random.index(6)),
        "String" => ["a", "b", "0", " "][random.index(4)].to_owned(),
        _ => (2 + random.index(6)).to_string(),
    };
    let written = |template: &str| {
        let word = |c: char| match c {
            'X' => x.to_owned(),
            'Y' => y.to_owned(),
            'Z' => z.to_owned(),
            'C' => literal.clone(),
            other => other.to_string(),
        };
        template.chars().map(word).collect::<String>()
    };
    if let Some(width) = width.and_then(|width| width.parse::<u64>().ok())
        && sort == other
        && random.chance(1, 5)
    {
        let (high, both) = (2 * width - 1, 2 * width);
        return Fusion {
            declaration: String::new(),
            sort: format!("(_ BitVec {both})"),
            forward: format!("(concat {x} {y})"),
            first: format!("((_ extract {high} {width}) {z})"),
            second: format!("((_ extract {} 0) {z})", width - 1),
        };
    }
    // A pair has inverses for any two sorts, so it is the choice where nothing else fits, and sometimes elsewhere.
    let as_pair = random.chance(1, 12);
    match random.pick(rows).filter(|_| !as_pair) {
        Some([forward, first, second]) => Fusion {
            declaration: String::new(),
            sort: sort.to_owned(),
            forward: written(forward),
            first: written(first),
            second: written(second),
        },
        None => Fusion {
            declaration: format!(
                "(declare-datatypes ((P{z} 0)) (((pair-{z} (first-{z} {sort}) (second-{z} {other})))))\n"
            ),
            sort: format!("P{z}"),
            forward: format!("(pair-{z} {x} {y})"),
            first: format!("(first-{z} {z})"),
            second: format!("(second-{z} {z})"),
        },
    }
}
