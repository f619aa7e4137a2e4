use super::*;
use smt::Signatures;

/// The operators and pairs of a script, by name.
fn found(text: &str) -> (Vec<String>, Vec<String>) {
    let table = OperatorTable::new(&Signatures::standard());
    let mut scanner = Scanner::new(table.clone());
    let scan = scanner.scan(text);
    let name = |at: u16| table.name(at.into());
    let operators = scan.operators.iter().map(|&at| name(at).to_owned()).collect();
    (operators, scan.pairs.iter().map(|&(outer, inner)| format!("{} {}", name(outer), name(inner))).collect())
}

#[test]
fn operators_and_pairs_are_found_in_the_text() {
    // The script, its operators and its pairs.
    let table: [(&str, &[&str], &[&str]); 14] = [
        ("(assert (not (< x 3)))", &["not", "<"], &["not <"]),
        (
            "(assert (= #b1 ((_ extract 3 3) (bvneg v))))",
            &["=", "extract", "bvneg"],
            &["extract bvneg", "= extract"],
        ),
        (
            "(assert (= s ((as const (Array Int Int)) (+ 1 2))))",
            &["=", "const", "+"],
            &["const +", "= const"],
        ),
        (
            "(assert (str.in_re \"(and ; \"\"\" (re.++ re.all (re.* x)))) ; (or a b)",
            &["str.in_re", "re.++", "re.all", "re.*"],
            &["re.++ re.all", "re.++ re.*", "str.in_re re.++"],
        ),
        ("(assert (= (as seq.empty (Seq Int)) s))", &["=", "seq.empty"], &["= seq.empty"]),
        ("(assert (fp.isNaN (_ +oo 8 24)))", &["fp.isNaN", "+oo"], &["fp.isNaN +oo"]),
        (
            "(assert (let ((a (+ x 1)) (b y)) (let ((c a)) (< c b (let ((d (* 2 x))) d)))))",
            &["+", "<", "*"],
            &["< +", "< *"],
        ),
        ("(assert (not (! (or p q) :named a :pattern ((abs x)))))", &["not", "or"], &["not or"]),
        ("(assert (not (forall ((select Int) (y (_ BitVec 8))) (or p q))))", &["not", "or"], &[]),
        ("(declare-fun union (Int) Int)(assert (= (union 1) (abs 2)))", &["=", "abs"], &["= abs"]),
        (
            "(declare-datatypes ((D 0)) (((insert (head Int)))))(assert (= (insert (abs 1)) d))",
            &["=", "abs"],
            &[],
        ),
        (
            "(define-fun f ((x Int)) Bool (< (abs x) 1))(define-const c Int (abs 2))",
            &["<", "abs"],
            &["< abs"],
        ),
        ("(set-info :status (and or))(check-sat-assuming ((not p) (not q)))", &[], &[]),
        ("(assert (=> |and| (or |and|", &["=>", "and", "or"], &["=> and", "or and"]),
    ];
    for (script, operators, pairs) in table {
        assert_eq!(
            found(script),
            (
                operators.iter().map(|&one| one.to_owned()).collect(),
                pairs.iter().map(|&one| one.to_owned()).collect()
            ),
            "{script}"
        );
    }
}

#[test]
fn a_solver_knows_its_own_operators_and_well_sorted_pairs() {
    let signatures = Signatures::standard();
    let table = OperatorTable::new(&signatures);
    let known = |solver: &str| table.known(&signatures, solver, &[]);
    let (z3, cvc5) = (known("z3"), known("cvc5"));
    let number = |name: &str| usize::from(table.get(name.as_bytes()).unwrap());
    for (name, in_z3, in_cvc5) in [
        ("bvadd", true, true),
        ("bvsmul_noovfl", true, false),
        ("bag.count", false, true),
        ("bvsdiv_i", false, false),
    ] {
        assert_eq!(
            (z3.operators.has(number(name)), cvc5.operators.has(number(name))),
            (in_z3, in_cvc5),
            "{name}"
        );
    }
    let pairs = z3.pairs_among(&z3.operators, table.len());
    for (outer, inner, sorted) in [
        ("bvadd", "bvmul", true),
        ("bvadd", "extract", true),
        ("ite", "str.++", true),
        ("select", "store", true),
        ("=", "re.*", false),
        ("str.in_re", "re.*", true),
        ("bvadd", "+", false),
        ("not", "bvult", true),
        ("char.from_bv", "bvcomp", false),
    ] {
        assert_eq!(pairs.has(number(outer) * table.len() + number(inner)), sorted, "{outer} {inner}");
    }
}

#[test]
fn a_rejected_operator_is_no_longer_in_question_and_a_resumption_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let targets = [Target::executable("z3@1", "z3", solver::Profile::built_in("z3").unwrap())];
    let reach = OperatorReach::open(&targets, folder.path(), 1);
    let before = reach.counts().next().unwrap().1;
    let mut scanner = reach.scanner();
    reach.record(0, scanner.scan("(assert (not (bvult (bvadd x y) z)))"));
    reach.reject(0, "bvnego");
    reach.reject(0, "bvadd");
    let after = reach.counts().next().unwrap().1;
    assert_eq!((after.operators, after.pairs), (3, 2));
    assert_eq!(after.known_operators, before.known_operators - 1, "bvadd was accepted once");
    assert!(after.known_pairs < before.known_pairs);
    let open = reach.not_asked().next().unwrap().1;
    assert_eq!(open.len() as u64, after.known_operators - after.operators);
    assert!(open.contains(&"bvmul".to_owned()) && !open.contains(&"bvnego".to_owned()));
    reach.save();
    let again = OperatorReach::open(&targets, folder.path(), 1);
    assert_eq!(again.counts().next().unwrap().1, after);
    let other = OperatorReach::open(&targets, folder.path(), 2);
    assert_eq!(other.counts().next().unwrap().1, before);
}
