//! Tables of real output and what it must be taken for.

use super::{Ending, Exit, Outcome, Raw, classify};
use crate::profile::Profile;
use crate::run::{Answer, Script};
use case::{Crash, CrashCause};

fn judge(solver: &str, script: &str, exit: Exit, stdout: &str, stderr: &str) -> (Outcome, Vec<Answer>) {
    let profile = Profile::built_in(solver).unwrap();
    let raw = Raw { exit, ending: Ending::Own, stdout, stderr };
    let (outcome, sorted) = classify(&profile, &Script::split(script), &raw);
    (outcome, sorted.answers)
}

const CHECK: &str = "(check-sat)\n";

#[test]
fn outcomes_show_as_each_solver_prints_them() {
    use Exit::{Code, Signal};
    let error = |text: &str| Outcome::Error { message: text.to_owned() };
    let refused = |text: &str| Outcome::Refused { reason: text.to_owned() };
    let crash = |text: &str| Outcome::Crash(Crash::message(text));
    let segfault = || Outcome::Crash(Crash::signal(11));
    let handler = |text: &str| Outcome::Crash(CrashCause::Handler(text.to_owned()).into());
    let table = [
        ("z3", Code(0), "sat\n", "", Outcome::Answered),
        ("z3", Code(0), "timeout\n", "", Outcome::Timeout),
        ("z3", Code(101), "(error \"out of memory\")\n", "", Outcome::OutOfMemory),
        ("z3", Code(101), "", "", Outcome::OutOfMemory),
        (
            "z3",
            Code(1),
            "(error \"line 1 column 86: unknown constant y\")\nsat\n",
            "",
            error("line 1 column 86: unknown constant y"),
        ),
        (
            "z3",
            Code(1),
            "unsat\n(error \"line 2 column 10: model is not available\")\n",
            "",
            Outcome::Answered,
        ),
        ("z3", Code(0), "sat\n", "unsupported\n; foo line: 1 position: 126\n", refused("foo")),
        (
            "z3",
            Code(1),
            "sat\n(error \"line 9 column 10: an invalid model was generated\")\n",
            "",
            Outcome::InvalidModel { message: "an invalid model was generated".into() },
        ),
        ("z3", Signal(11), "sat\n", "", segfault()),
        ("z3", Code(139), "", "", segfault()),
        (
            "z3",
            Code(114),
            "",
            "ASSERTION VIOLATION\nFile: ../src/ast/rewriter/seq_rewriter.cpp\nLine: 4155\nm_util.is_seq(s)\n",
            crash("seq_rewriter.cpp m_util.is_seq(s)"),
        ),
        ("z3", Code(114), "", "Failed to verify: m_solver.inc()\n\n", crash("m_solver.inc()")),
        ("z3", Signal(9), "", "", Outcome::Interrupted { signal: 9 }),
        ("cvc5", Signal(6), "", "cvc5 interrupted by timeout.\n", Outcome::Timeout),
        (
            "cvc5",
            Signal(6),
            "",
            "Fatal failure within void notifyCheckSatResult(const Result&) at ./a.cpp:73\nExpected result unsat but got sat\n",
            Outcome::Refused { reason: "Expected result unsat but got sat".into() },
        ),
        ("cvc5", Signal(11), "", "cvc5 suffered a segfault.\n", handler("cvc5 suffered a segfault.")),
        (
            "cvc5",
            Signal(6),
            "",
            "Fatal failure within void cvc5::internal::Foo::bar() at ../src/theory/foo.cpp:123\nCheck failure\n",
            crash("void cvc5::internal::Foo::bar() foo.cpp"),
        ),
        ("cvc5", Code(1), "", "std::bad_alloc\n", Outcome::OutOfMemory),
        (
            "cvc5",
            Signal(6),
            "",
            "terminate called after throwing an instance of 'std::bad_alloc'\n",
            Outcome::OutOfMemory,
        ),
        (
            "cvc5",
            Code(1),
            "(error \"Parse Error: t.smt2:1.5: Symbol 'y' not declared as a variable\")\n",
            "",
            error("Parse Error: t.smt2:1.5: Symbol 'y' not declared as a variable"),
        ),
        (
            "cvc5",
            Code(1),
            "(error \"expert option sygus-x cannot be set in safe mode\")\n",
            "",
            refused("expert option sygus-x cannot be set in safe mode"),
        ),
        (
            "cvc5",
            Signal(6),
            "sat\n",
            "Fatal failure within X at ../src/smt/check_models.cpp:120\nInternal error detected SolverEngine::checkModel(): ERRORS SATISFYING ASSERTIONS WITH MODEL:\n",
            Outcome::InvalidModel { message: "ERRORS SATISFYING ASSERTIONS WITH MODEL:".into() },
        ),
        (
            "cvc5",
            Signal(6),
            "",
            "Fatal failure within X at ../src/proof/proof_node_manager.cpp:248\nUnreachable code reached Generated a proof that is not closed by the scope: \nFree assumption: d\n",
            Outcome::InvalidProof { message: "proof that is not closed by the scope:".into() },
        ),
        (
            "cvc5",
            Code(1),
            "unsat\n(error \"cannot get model unless after a SAT or UNKNOWN response.\")\n",
            "",
            Outcome::Answered,
        ),
        ("z3", Code(0), "unsupported\nsat\n", "", refused("unsupported")),
        ("cvc5", Code(0), "unsupported\nsat\n", "", Outcome::Answered),
        (
            "cvc5",
            Code(0),
            "sat\n",
            "a.smt2:51.2: warning: Attribute ':skolemid' not supported (ignoring this and all following uses)\n",
            Outcome::Answered,
        ),
        (
            "cvc5",
            Code(0),
            "sat\n",
            "SMT-LIB version 2.5 unsupported, defaulting to language (and semantics of) SMT-LIB 2.6\n",
            Outcome::Answered,
        ),
        (
            "z3",
            Code(1),
            "unsat\n(error \"line 26 column 10: check annotation that says sat\")\n",
            "",
            Outcome::Answered,
        ),
        (
            "z3",
            Code(0),
            "unsupported\nsat\n",
            "; ignoring unsupported logic BVFP line: 6\n",
            Outcome::Answered,
        ),
        ("yices", Code(0), "(error \"unknown logic: QF_FP\")\n", "", refused("unknown logic: QF_FP")),
        (
            "yices",
            Code(0),
            "(error \"at line 1, column 18: undefined sort: Float32\")\n",
            "",
            refused("undefined sort: Float32"),
        ),
        ("yices", Code(16), "", "Out of memory\n", Outcome::OutOfMemory),
        ("boolector", Code(10), "sat\n", "", Outcome::Answered),
        ("boolector", Code(20), "unsat\n", "", Outcome::Answered),
        (
            "bitwuzla",
            Code(1),
            "",
            "[error] t.smt2:1:2: undefined symbol 'x'\n",
            refused("[error] t.smt2:1:2: undefined symbol 'x'"),
        ),
        ("cvc4", Signal(6), "", "CVC4 was built without SymFPU\n", refused("CVC4 was built without SymFPU")),
    ];
    for (solver, exit, stdout, stderr, expected) in table {
        let (outcome, _) = judge(solver, CHECK, exit, stdout, stderr);
        assert_eq!(outcome, expected, "{solver} {exit:?} {stdout:?} {stderr:?}");
    }
}

#[test]
fn a_crash_after_a_message_is_a_crash() {
    use Exit::{Code, Signal};
    let invalid = "sat\n(error \"line 9 column 10: an invalid model was generated\")\n";
    let unsupported = "(error \"line 1 column 9: unsupported logic\")\nsat\n";
    let thrown = "terminate called after throwing an instance of 'z3_error'\n";
    let signal = |number| Outcome::Crash(Crash::signal(number));
    let table = [
        ("z3", Signal(11), invalid, "", signal(11)),
        ("z3", Code(139), invalid, "", signal(11)),
        ("z3", Signal(8), unsupported, "", signal(8)),
        ("z3", Signal(6), invalid, "", signal(6)),
        ("z3", Signal(6), invalid, thrown, Outcome::Crash(Crash::message("z3_error"))),
        ("z3", Signal(11), "sat\n", "failed to verify: (or -3 7)\n", signal(11)),
        ("cvc5", Signal(11), "(error \"logic was set to QF_BV\")\n", "", signal(11)),
        // The failure itself aborts.
        (
            "z3",
            Signal(6),
            "sat\n",
            "failed to verify: (or -3 7)\n",
            Outcome::InvalidModel { message: "failed to verify".into() },
        ),
        // Something else ended it.
        (
            "z3",
            Signal(9),
            invalid,
            "",
            Outcome::InvalidModel { message: "an invalid model was generated".into() },
        ),
        ("z3", Signal(11), "sat\n(error \"out of memory\")\n", "", Outcome::OutOfMemory),
    ];
    for (solver, exit, stdout, stderr, expected) in table {
        let (outcome, _) = judge(solver, CHECK, exit, stdout, stderr);
        assert_eq!(outcome, expected, "{solver} {exit:?} {stdout:?} {stderr:?}");
    }
}

#[test]
fn solvers_that_reject_their_own_results_are_recognised() {
    /// What a solver finds wrong about its own result.
    enum Rejects {
        Model(&'static str),
        Proof(&'static str),
        Nothing,
    }
    use Rejects::{Model, Nothing, Proof};
    // The answer comes first; then the check fails.
    let table = [
        ("z3", "sat", "", "failed to verify: (or -3 7)\n", Model("failed to verify")),
        ("z3", "sat", "", "failed to validate: (not x)\n", Model("failed to validate")),
        ("z3", "sat", "", "failed checking 3: 1 -> 2 >= 1\n", Model("failed checking")),
        ("z3", "sat", "", "violated constraint: 1 2 <= 1\nvalue: 2\n", Model("violated constraint")),
        ("z3", "sat", "", "Failed to validate b12 #40 := (= a b) false\n", Model("Failed to validate")),
        ("z3", "sat", "", "Failed to validate 12 #40 := (= a b) false\n", Model("Failed to validate")),
        ("z3", "sat", "", "(<= x 0) does not evaluate to true\n", Model("does not evaluate to true")),
        ("z3", "sat", "", "model check failed\n", Model("model check failed")),
        (
            "z3",
            "unknown",
            "(error \"line 9 column 10: check model failed\")",
            "",
            Model("check model failed"),
        ),
        (
            "z3",
            "unknown",
            "(error \"line 9 column 10: Core could not be validated\")",
            "",
            Proof("Core could not be validated"),
        ),
        (
            "z3",
            "unknown",
            "(error \"line 9 column 10: edges are not inconsistent\")",
            "",
            Proof("edges are not inconsistent"),
        ),
        (
            "z3",
            "unknown",
            "(error \"line 9 column 10: Invalid proof object.\")",
            "",
            Proof("Invalid proof object"),
        ),
        ("z3", "unsat", "did not verify: l_true (or a b)", "", Proof("did not verify: l_true")),
        (
            "z3",
            "unsat",
            "",
            "========== UNSOUND LEMMA DETECTED ==========\n",
            Proof("UNSOUND LEMMA DETECTED"),
        ),
        // Checks without a result.
        ("z3", "unsat", "did not verify: l_undef (or a b)", "", Nothing),
        ("z3", "unsat", "", "core validation produced unknown\n", Nothing),
        ("z3", "sat", "", "Failed to validate (= (* x x) 2)\n", Nothing),
        (
            "cvc5",
            "sat",
            "",
            "Internal error detected THEORY_ARITH has an asserted fact that the model doesn't satisfy.\n",
            Model("has an asserted fact that the model doesn't satisfy."),
        ),
        (
            "cvc5",
            "unsat",
            "",
            "Internal error detected SolverEngine::checkUnsatCore(): produced core was satisfiable.\n",
            Proof("SolverEngine::checkUnsatCore(): produced core was satisfiable."),
        ),
        (
            "cvc5",
            "unsat",
            "",
            "Unreachable code reached ProofChecker::check: failed, RESOLUTION\n",
            Proof("ProofChecker::check: failed, RESOLUTION"),
        ),
        (
            "cvc5",
            "unsat",
            "",
            "CircuitPropagator: Incorrect proof: a vs. b\n",
            Proof("CircuitPropagator: Incorrect proof: a vs. b"),
        ),
        (
            "cvc5",
            "unsat",
            "",
            "Internal error detected SygusSolver::checkSynthSolution(): produced solution leads to satisfiable negated conjecture.\n",
            Proof(
                "SygusSolver::checkSynthSolution(): produced solution leads to satisfiable negated conjecture.",
            ),
        ),
        (
            "cvc5",
            "unsat",
            "",
            "SygusSolver::checkSynthSolution(): could not check solution, result unknown.\n",
            Nothing,
        ),
        ("cvc5", "sat", "", "THEORY_ARITH has an asserted fact that the model may not satisfy.\n", Nothing),
        (
            "cvc5",
            "unsat",
            "",
            "SolverEngine::checkUnsatCore(): could not check core result unknown.\n",
            Nothing,
        ),
        (
            "cvc4",
            "unsat",
            "",
            "Internal error detected SmtEngine::checkUnsatCore(): produced core was satisfiable.\n",
            Proof("SmtEngine::checkUnsatCore(): produced core was satisfiable."),
        ),
    ];
    for (solver, answer, message, stderr, expected) in table {
        let stdout = format!("{answer}\n{message}\n");
        let (outcome, _) = judge(solver, CHECK, Exit::Code(0), stdout.trim_start(), stderr);
        match expected {
            Model(text) => assert_eq!(outcome, Outcome::InvalidModel { message: text.into() }),
            Proof(text) => assert_eq!(outcome, Outcome::InvalidProof { message: text.into() }),
            Nothing => assert!(
                !matches!(outcome, Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. }),
                "{solver} {message} {stderr}: {outcome:?}"
            ),
        }
    }
}

#[test]
fn sanitizer_reports_are_signed_by_the_solvers_own_frames() {
    let asan = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000\n\
                READ of size 4\n    #0 0x7f1 in __interceptor_memcpy (/lib/libasan.so)\n    \
                #1 0x55 in smt::context::propagate(bool) /src/smt_context.cpp:12\n    \
                #2 0x56 in smt::context::check() /src/smt_context.cpp:40\n";
    let ubsan = "../src/util/mpz.cpp:77:12: runtime error: signed integer overflow: 2147483647 + 1\n";
    let table = [
        (asan, "AddressSanitizer heap-use-after-free smt::context::propagate smt::context::check"),
        (ubsan, "UndefinedBehaviorSanitizer mpz.cpp signed integer overflow: _ + 1"),
    ];
    for (stderr, signature) in table {
        let (outcome, answers) = judge("z3", CHECK, Exit::Code(1), "sat\n", stderr);
        assert_eq!(outcome, Outcome::Crash(Crash::message(signature)));
        assert_eq!(answers, [Answer::Sat], "an answer given before the crash is kept");
    }
}

#[test]
fn what_was_stopped_by_us_is_no_crash() {
    let profile = Profile::built_in("z3").unwrap();
    let script = Script::split(CHECK);
    let table = [
        (Ending::Wall, Outcome::Timeout),
        (Ending::Memory, Outcome::OutOfMemory),
        (Ending::Output, Outcome::OutputLimit),
    ];
    for (ending, expected) in table {
        let raw = Raw { exit: Exit::Signal(9), ending, stdout: "", stderr: "" };
        assert_eq!(classify(&profile, &script, &raw).0, expected);
        let stdout = "sat\n(error \"line 1 column 20: an invalid model was generated\")\n";
        let raw = Raw { exit: Exit::Signal(9), ending, stdout, stderr: "" };
        let message = "an invalid model was generated".to_owned();
        assert_eq!(classify(&profile, &script, &raw).0, Outcome::InvalidModel { message });
    }
}

#[test]
fn a_missing_answer_is_an_error_that_says_how_the_process_ended() {
    let (outcome, _) = judge("z3", "(check-sat)(check-sat)", Exit::Code(3), "sat\n", "");
    let message = "1 of 2 checks answered, the process ended with exit code 3: sat".to_owned();
    assert_eq!(outcome, Outcome::Error { message });
    assert_eq!(judge("z3", "(push)", Exit::Code(0), "", "").0, Outcome::Answered);
}

/// What Yices 2.6.5 prints for 1/2, √2, -1/3 and 5.
#[test]
fn rounded_numbers_are_marked() {
    let script = Script::split("(check-sat)(get-model)(get-value (b))");
    let stdout = "sat\n(model\n  (define-fun a () Real (/ 1 2))\n  (define-fun b () Real -1.414214)\n  \
                  (define-fun c () Real (/ (- 1) 3))\n  (define-fun d () Real 5.0))\n((b -1.414214))\n";
    let raw = Raw { exit: Exit::Code(0), ending: Ending::Own, stdout, stderr: "" };
    for (solver, expected) in [("yices", "(rounded -1.414214))"), ("z3", " -1.414214)")] {
        let (_, sorted) = classify(&Profile::built_in(solver).unwrap(), &script, &raw);
        let [model, values] = &sorted.pieces[..] else { panic!("{sorted:?}") };
        assert!(model.text.contains("(/ 1 2)") && model.text.contains("5.0)"), "{}", model.text);
        assert!(model.text.contains(expected) && values.text.contains(expected), "{sorted:?}");
    }
}
