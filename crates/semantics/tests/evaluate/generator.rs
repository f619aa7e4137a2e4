//! Random well-typed terms and models, as SMT-LIB text.
//!
//! Choices are read from a list of bytes. Once it is used up, every choice is the first one, which is a constant: terms stay finite,
//! and a shorter list gives a smaller term, so that a failure shrinks.

use std::fmt::Write;

/// The sorts: a letter for the tables below, and the sort.
const SORTS: &[(char, &str)] = &[
    ('B', "Bool"),
    ('I', "Int"),
    ('R', "Real"),
    ('W', "(_ BitVec 3)"),
    ('V', "(_ BitVec 8)"),
    ('X', "(_ BitVec 70)"),
    ('F', "(_ FloatingPoint 3 4)"),
    ('M', "RoundingMode"),
    ('S', "String"),
    ('E', "RegLan"),
    ('A', "(Array Int Int)"),
    ('D', "(Array (_ BitVec 3) Bool)"),
    ('C', "Color"),
    ('P', "Pair"),
    ('L', "List"),
    ('Q', "(Seq Int)"),
    ('Z', "(Set Int)"),
    ('G', "(Bag Int)"),
    ('T', "(Tuple Int Bool)"),
    ('N', "(Nullable Int)"),
    ('U', "U"),
    ('K', "(_ FiniteField 5)"),
];

/// Sorts that a quantifier may range over: all values can be tried.
const FINITE: &[char] = &['B', 'W', 'C', 'M', 'K', 'U', 'P'];

/// What every script declares beside two constants of each sort.
const DECLARATIONS: &str = "(declare-sort U 0)
(declare-datatype Color ((red) (green) (blue)))
(declare-datatype Pair ((pair (first Bool) (second Color))))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun f (Int) Int)
(declare-fun g ((_ BitVec 3) Bool) Int)
(declare-fun p (Int Color) Bool)
(declare-fun u (U) U)
(define-fun twice ((n Int)) Int (+ n n))
(define-fun both ((a Bool) (w (_ BitVec 3))) Bool (and a (bvult w wa)))
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
";

/// The values of each sort, as models write them.
const VALUES: &[(char, &[&str])] = &[
    ('B', &["false", "true"]),
    ('I', &["0", "1", "2", "(- 1)", "(- 7)", "5", "9223372036854775807", "(- 9223372036854775808)"]),
    ('R', &["0.0", "1.0", "(- 2.5)", "(/ 1 3)", "1000000.0"]),
    ('W', &["#b000", "#b001", "#b111", "#b100", "#b011"]),
    ('V', &["#x00", "#x01", "#xff", "#x80", "#x7f", "#x13"]),
    ('X', &["(_ bv0 70)", "(_ bv1 70)", "(_ bv1180591620717411303423 70)", "(_ bv590295810358705651712 70)"]),
    (
        'F',
        &[
            "(_ +zero 3 4)",
            "(_ -zero 3 4)",
            "(_ NaN 3 4)",
            "(_ +oo 3 4)",
            "(_ -oo 3 4)",
            "(fp #b0 #b011 #b000)",
            "(fp #b1 #b000 #b001)",
            "(fp #b0 #b110 #b111)",
        ],
    ),
    ('M', &["RNE", "RNA", "RTP", "RTN", "RTZ"]),
    ('S', &["\"\"", "\"a\"", "\"ab\"", "\"ba\"", "\"0\"", "\"12\"", "\"\\u{1f600}\""]),
    ('E', &["(str.to_re \"a\")", "re.all", "re.none", "(re.* re.allchar)"]),
    (
        'A',
        &[
            "((as const (Array Int Int)) 0)",
            "(store ((as const (Array Int Int)) 1) 0 5)",
            "(store (store ((as const (Array Int Int)) 0) 1 2) (- 1) 7)",
        ],
    ),
    (
        'D',
        &[
            "((as const (Array (_ BitVec 3) Bool)) false)",
            "(store ((as const (Array (_ BitVec 3) Bool)) true) #b001 false)",
        ],
    ),
    ('C', &["red", "green", "blue"]),
    ('P', &["(pair false red)", "(pair true blue)"]),
    ('L', &["nil", "(cons 1 nil)", "(cons 2 (cons (- 1) nil))"]),
    ('Q', &["(as seq.empty (Seq Int))", "(seq.unit 1)", "(seq.++ (seq.unit 1) (seq.unit 2))"]),
    (
        'Z',
        &["(as set.empty (Set Int))", "(set.singleton 1)", "(set.union (set.singleton 1) (set.singleton 5))"],
    ),
    ('G', &["(as bag.empty (Bag Int))", "(bag 1 2)", "(bag.union_disjoint (bag 1 1) (bag 5 3))"]),
    ('T', &["(tuple 0 false)", "(tuple 3 true)"]),
    ('N', &["(as nullable.null (Nullable Int))", "(nullable.some 4)"]),
    ('U', &["U!val!0", "U!val!1", "U!val!2"]),
    ('K', &["(as ff0 (_ FiniteField 5))", "(as ff1 (_ FiniteField 5))", "(as ff4 (_ FiniteField 5))"]),
];

/// Applications by the sort of their result. `$I` is a term of sort `I`.
const APPLICATIONS: &[(char, &str)] = &[
    (
        'B',
        "(not $B) (and $B $B $B) (or $B $B) (=> $B $B $B) (xor $B $B) (ite $B $B $B) (= $B $B) (distinct $B $B)",
    ),
    (
        'B',
        "(= $I $I) (= $I $I $I) (distinct $I $I $I) (< $I $I) (<= $I $I $I) (> $I $I) (>= $I $I) ((_ divisible 3) $I)",
    ),
    ('B', "(= $R $R) (< $R $R) (<= $R $R) (> $R $R) (>= $R $R $R) (is_int $R) (distinct $R $R)"),
    (
        'B',
        "(= $W $W) (bvult $W $W) (bvule $W $W) (bvslt $W $W) (bvsge $W $W) (bvugt $W $W) (bvsmulo $W $W) (bvnego $W)",
    ),
    (
        'B',
        "(= $V $V $V) (bvult $V $V) (bvsle $V $V) (bvuge $V $V) (bvuaddo $V $V) (bvssubo $V $V) (bvsdivo $V $V)",
    ),
    ('B', "(= $X $X) (bvult $X $X) (bvsle $X $X) (distinct $X $X $X)"),
    (
        'B',
        "(= $F $F) (fp.eq $F $F) (fp.lt $F $F) (fp.leq $F $F $F) (fp.gt $F $F) (fp.geq $F $F) (fp.isNaN $F) (fp.isZero $F)",
    ),
    (
        'B',
        "(fp.isNormal $F) (fp.isSubnormal $F) (fp.isInfinite $F) (fp.isNegative $F) (fp.isPositive $F) (= $M $M)",
    ),
    (
        'B',
        "(= $S $S) (str.< $S $S) (str.<= $S $S) (str.prefixof $S $S) (str.suffixof $S $S) (str.contains $S $S) (str.is_digit $S)",
    ),
    (
        'B',
        "(str.in_re $S $E) (= $A $A) (= $D $D) (select $D $W) (= $C $C) (distinct $C $C) (= $P $P) (= $L $L) ((_ is cons) $L)",
    ),
    (
        'B',
        "(first $P) ((_ is red) $C) (seq.contains $Q $Q) (seq.prefixof $Q $Q) (seq.suffixof $Q $Q) (= $Q $Q)",
    ),
    (
        'B',
        "(set.member $I $Z) (set.subset $Z $Z) (= $Z $Z) (set.is_empty $Z) (set.is_singleton $Z) (= $G $G) (bag.subbag $G $G) (bag.member $I $G)",
    ),
    (
        'B',
        "((_ tuple.select 1) $T) (= $T $T) (nullable.is_some $N) (nullable.is_null $N) (= $N $N) (= $U $U) (distinct $U $U) (= $K $K)",
    ),
    (
        'B',
        "(p $I $C) (both $B $W) (match $L ((nil $B) ((cons h t) (= h $I)))) (select (lambda ((j Int)) (< j $I)) $I)",
    ),
    (
        'I',
        "(+ $I $I) (+ $I $I $I) (- $I) (- $I $I) (* $I $I) (div $I $I) (mod $I $I) (abs $I) (ite $B $I $I) (to_int $R)",
    ),
    (
        'I',
        "(ubv_to_int $W) (sbv_to_int $V) (ubv_to_int $X) (str.len $S) (str.indexof $S $S $I) (str.to_int $S) (str.to_code $S)",
    ),
    (
        'I',
        "(select $A $I) (head $L) (seq.len $Q) (seq.nth $Q $I) (seq.indexof $Q $Q $I) (set.card $Z) (set.choose $Z) (bag.count $I $G) (bag.card $G)",
    ),
    (
        'I',
        "((_ tuple.select 0) $T) (nullable.val $N) (f $I) (f (f $I)) (g $W $B) (twice $I) (sum (mod $I 4)) (match $C ((red $I) (c $I)))",
    ),
    (
        'I',
        "(match $L ((nil $I) ((cons h t) (+ h $I)))) (seq.foldl (lambda ((s Int) (e Int)) (+ s e)) $I $Q) (+ 9223372036854775807 $I)",
    ),
    (
        'R',
        "(+ $R $R) (- $R $R) (- $R) (* $R $R) (/ $R $R) (ite $B $R $R) (to_real $I) (abs $R) (+ $R $R $R) (fp.to_real $F)",
    ),
    (
        'W',
        "(bvnot $W) (bvand $W $W) (bvor $W $W) (bvxor $W $W) (bvneg $W) (bvadd $W $W $W) (bvmul $W $W) (bvsub $W $W) (bvudiv $W $W)",
    ),
    (
        'W',
        "(bvurem $W $W) (bvsdiv $W $W) (bvsrem $W $W) (bvsmod $W $W) (bvshl $W $W) (bvlshr $W $W) (bvashr $W $W) (ite $B $W $W)",
    ),
    (
        'W',
        "((_ extract 4 2) $V) ((_ extract 69 67) $X) ((_ rotate_left 4) $W) ((_ rotate_right 1) $W) ((_ int_to_bv 3) $I) ((_ fp.to_ubv 3) $M $F)",
    ),
    (
        'V',
        "(bvadd $V $V) (bvmul $V $V) (bvsub $V $V) (bvudiv $V $V) (bvurem $V $V) (bvashr $V $V) (bvshl $V $V) (bvlshr $V $V) (bvxor $V $V $V)",
    ),
    (
        'V',
        "((_ zero_extend 5) $W) ((_ sign_extend 5) $W) (concat $W (concat $W ((_ extract 1 0) $V))) (ite $B $V $V) (bvnand $V $V) (bvnor $V $V)",
    ),
    (
        'V',
        "(bvxnor $V $V) ((_ repeat 8) (bvcomp $W $W)) ((_ repeat 8) (bvcomp $V $V)) ((_ fp.to_sbv 8) $M $F) ((_ int_to_bv 8) $I) ((_ extract 7 0) $X)",
    ),
    (
        'X',
        "(bvadd $X $X) (bvmul $X $X) (bvnot $X) (bvudiv $X $X) (bvsrem $X $X) (bvashr $X $X) ((_ sign_extend 62) $V) (ite $B $X $X) (concat $V ((_ extract 61 0) $X))",
    ),
    (
        'F',
        "(fp.add $M $F $F) (fp.sub $M $F $F) (fp.mul $M $F $F) (fp.div $M $F $F) (fp.fma $M $F $F $F) (fp.sqrt $M $F) (fp.rem $F $F) (fp.abs $F) (fp.neg $F)",
    ),
    (
        'F',
        "(fp.roundToIntegral $M $F) (fp.min $F $F) (fp.max $F $F) (ite $B $F $F) ((_ to_fp 3 4) $M $R) ((_ to_fp 3 4) ((_ extract 6 0) $V)) ((_ to_fp_unsigned 3 4) $M $V)",
    ),
    ('M', "(ite $B $M $M)"),
    (
        'S',
        "(str.++ $S $S) (str.at $S $I) (str.substr $S $I $I) (str.replace $S $S $S) (str.replace_all $S $S $S) (str.from_int $I) (str.from_code $I) (ite $B $S $S)",
    ),
    ('S', "(str.replace_re $S $E $S) (str.replace_re_all $S $E $S) (str.rev $S) (str.to_lower $S)"),
    (
        'E',
        "(str.to_re $S) (re.++ $E $E) (re.union $E $E) (re.inter $E $E) (re.* $E) (re.+ $E) (re.opt $E) (re.range $S $S) ((_ re.loop 1 2) $E) (re.comp $E)",
    ),
    (
        'A',
        "(store $A $I $I) (ite $B $A $A) ((as const (Array Int Int)) $I) (lambda ((i Int)) (ite (= i 1) $I 3)) (lambda ((i Int)) (+ i $I))",
    ),
    (
        'D',
        "(store $D $W $B) (ite $B $D $D) ((as const (Array (_ BitVec 3) Bool)) $B) (lambda ((i (_ BitVec 3))) (bvult i $W))",
    ),
    ('C', "(second $P) (ite $B $C $C) (match $C ((red blue) (c c)))"),
    ('P', "(pair $B $C) (ite $B $P $P) ((_ update first) $P $B)"),
    ('L', "(cons $I $L) (tail $L) (ite $B $L $L)"),
    (
        'Q',
        "(seq.unit $I) (seq.++ $Q $Q) (seq.extract $Q $I $I) (seq.at $Q $I) (seq.replace $Q $Q $Q) (seq.update $Q $I $Q) (seq.rev $Q) (ite $B $Q $Q)",
    ),
    ('Q', "(seq.map (lambda ((e Int)) (* e $I)) $Q)"),
    (
        'Z',
        "(set.singleton $I) (set.union $Z $Z) (set.inter $Z $Z) (set.minus $Z $Z) (set.insert $I $I $Z) (ite $B $Z $Z) (set.map (lambda ((e Int)) (mod e 3)) $Z)",
    ),
    ('Z', "(set.filter (lambda ((e Int)) (< e $I)) $Z) (bag.to_set $G)"),
    (
        'G',
        "(bag $I $I) (bag.union_max $G $G) (bag.union_disjoint $G $G) (bag.inter_min $G $G) (bag.difference_subtract $G $G) (bag.difference_remove $G $G) (bag.setof $G)",
    ),
    ('T', "(tuple $I $B) ((_ tuple.update 0) $T $I) (ite $B $T $T)"),
    ('N', "(nullable.some $I) (ite $B $N $N)"),
    ('U', "(u $U) (ite $B $U $U)"),
    ('K', "(ff.add $K $K) (ff.mul $K $K $K) (ff.neg $K) (ff.bitsum $K $K $K) (ite $B $K $K)"),
];

/// Choices that are read from bytes.
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl Choices<'_> {
    pub fn new(bytes: &[u8]) -> Choices<'_> {
        Choices { bytes: bytes.iter() }
    }

    /// A number below `count`; zero when there are no bytes left.
    fn below(&mut self, count: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % count)
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    fn is_exhausted(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }
}

fn sort_text(sort: char) -> &'static str {
    SORTS.iter().find(|(letter, _)| *letter == sort).map(|(_, text)| *text).expect("a sort of the table")
}

fn values(sort: char) -> &'static [&'static str] {
    VALUES.iter().find(|(letter, _)| *letter == sort).map(|(_, list)| *list).expect("a sort of the table")
}

/// The two constants of a sort, such as `ia` and `ib`.
fn constants(sort: char) -> [String; 2] {
    ["a", "b"].map(|suffix| format!("{}{suffix}", sort.to_ascii_lowercase()))
}

/// The declarations that terms and models refer to.
pub fn script() -> String {
    let (sort, rest) = DECLARATIONS.split_once('\n').expect("several lines");
    let (datatypes, functions) = rest.split_at(rest.find("(declare-fun f").expect("it declares f"));
    let mut script = format!("{sort}\n{datatypes}");
    for &(letter, text) in SORTS.iter().filter(|(letter, _)| *letter != 'E') {
        for name in constants(letter) {
            writeln!(script, "(declare-const {name} {text})").expect("writing to a string succeeds");
        }
    }
    script + functions
}

/// A model: most constants have a value, functions are tables or expressions, and the sort `U` has two or three elements.
pub fn model(choices: &mut Choices) -> String {
    let elements = 2 + choices.below(2);
    let mut model = String::from("(\n");
    let mut line = |text: String| {
        model.push_str(&text);
        model.push('\n');
    };
    for number in 0..elements {
        line(format!("(declare-fun U!val!{number} () U)"));
    }
    let equations: Vec<String> = (0..elements).map(|number| format!("(= x U!val!{number})")).collect();
    line(format!("(forall ((x U)) (or {}))", equations.join(" ")));
    for &(letter, text) in SORTS.iter().filter(|(letter, _)| *letter != 'E') {
        let values = if letter == 'U' { &values('U')[..elements] } else { values(letter) };
        for name in constants(letter) {
            if choices.below(12) != 11 {
                line(format!("(define-fun {name} () {text} {})", choices.pick(values)));
            }
        }
    }
    let int = values('I');
    let functions = [
        format!(
            "((x!0 Int)) Int (ite (= x!0 {}) {} {})",
            choices.pick(int),
            choices.pick(int),
            choices.pick(int)
        ),
        format!("((x!0 Int)) Int (- (+ x!0 x!0) {})", choices.pick(int)),
        format!("((x!0 Int)) Int {}", choices.pick(int)),
    ];
    line(format!("(define-fun f {})", choices.pick(&functions)));
    let functions = [
        "((w (_ BitVec 3)) (b Bool)) Int (ite b (ubv_to_int w) (- 1))".to_owned(),
        "((w (_ BitVec 3)) (b Bool)) Int (ite (and (= w #b001) b) 4 (ite (= w #b111) 9 2))".to_owned(),
    ];
    line(format!("(define-fun g {})", choices.pick(&functions)));
    line(format!(
        "(define-fun p ((x!0 Int) (x!1 Color)) Bool (or (= x!1 green) (< x!0 {})))",
        choices.pick(int)
    ));
    let [first, second] = [0, 1].map(|_| choices.below(elements));
    line(format!("(define-fun u ((x!0 U)) U (ite (= x!0 U!val!0) U!val!{first} U!val!{second}))"));
    if choices.below(2) == 1 {
        line(format!("(define-fun /0 ((x!0 Real)) Real {})", choices.pick(values('R'))));
        line(format!("(define-fun div0 ((x!0 Int)) Int {})", choices.pick(int)));
    }
    model.push(')');
    model
}

/// A term of a sort that the choices name.
pub fn term(choices: &mut Choices) -> String {
    let (sort, _) = *choices.pick(SORTS);
    let mut text = String::new();
    let depth = 3 + choices.below(4);
    write_term(choices, sort, depth, &mut Vec::new(), &mut text);
    text
}

/// Writes a term of a sort. `bound` are the variables in scope with their sorts; a later one hides an earlier one.
fn write_term(
    choices: &mut Choices,
    sort: char,
    depth: usize,
    bound: &mut Vec<(&'static str, char)>,
    out: &mut String,
) {
    if depth == 0 || choices.is_exhausted() {
        return write_leaf(choices, sort, bound, out);
    }
    match choices.below(10) {
        0 | 1 => write_leaf(choices, sort, bound, out),
        2 => {
            let name = *choices.pick(&["x", "y", "z"]);
            let (value_sort, _) = *choices.pick(SORTS);
            write!(out, "(let (({name} ").expect("writing to a string succeeds");
            write_term(choices, value_sort, depth - 1, bound, out);
            out.push_str(")) ");
            write_bound(choices, sort, depth - 1, bound, (name, value_sort), out);
        }
        3 if sort == 'B' => {
            let name = *choices.pick(&["x", "y", "z"]);
            let kind = *choices.pick(&["forall", "exists"]);
            let variable = *choices.pick(FINITE);
            write!(out, "({kind} (({name} {})) ", sort_text(variable)).expect("writing to a string succeeds");
            write_bound(choices, 'B', depth - 1, bound, (name, variable), out);
        }
        4 if sort == 'B' => {
            let name = *choices.pick(&["x", "y"]);
            let (kind, connective) = *choices.pick(&[("forall", "=>"), ("exists", "and")]);
            let high = choices.below(4);
            write!(out, "({kind} (({name} Int)) ({connective} (and (<= 0 {name}) (<= {name} {high})) ")
                .expect("writing to a string succeeds");
            write_bound(choices, 'B', depth - 1, bound, (name, 'I'), out);
            out.push(')');
        }
        _ => {
            let all: Vec<&str> = APPLICATIONS
                .iter()
                .filter(|(result, _)| *result == sort)
                .flat_map(|(_, list)| applications(list))
                .collect();
            let mut rest = *choices.pick(&all);
            while let Some((before, after)) = rest.split_once('$') {
                out.push_str(before);
                let letter = after.chars().next().expect("a sort follows");
                write_term(choices, letter, depth - 1, bound, out);
                rest = &after[1..];
            }
            out.push_str(rest);
        }
    }
}

/// Writes the body of a binder and the parenthesis that closes it.
fn write_bound(
    choices: &mut Choices,
    sort: char,
    depth: usize,
    bound: &mut Vec<(&'static str, char)>,
    variable: (&'static str, char),
    out: &mut String,
) {
    bound.push(variable);
    write_term(choices, sort, depth, bound, out);
    bound.pop();
    out.push(')');
}

/// Writes a constant, a value or a variable in scope.
fn write_leaf(choices: &mut Choices, sort: char, bound: &[(&'static str, char)], out: &mut String) {
    let visible =
        |&(at, (name, _)): &(usize, &(&str, char))| !bound[at + 1..].iter().any(|(later, _)| later == name);
    let variables: Vec<&str> = bound
        .iter()
        .enumerate()
        .filter(visible)
        .filter(|(_, (_, own))| *own == sort)
        .map(|(_, (name, _))| *name)
        .collect();
    if !variables.is_empty() && choices.below(3) != 2 {
        return out.push_str(variables[choices.below(variables.len())]);
    }
    let literal = sort == 'E' || (sort != 'U' && choices.below(3) == 2);
    if literal {
        let values = values(sort);
        out.push_str(values[choices.below(values.len())]);
    } else {
        out.push_str(&constants(sort)[choices.below(2)]);
    }
}

/// Splits a line of the table into its applications.
fn applications(list: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in list.char_indices() {
        match character {
            '(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    found.push(&list[start..=at]);
                }
            }
            _ => {}
        }
    }
    found
}
