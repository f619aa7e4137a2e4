//! Proofs in a campaign, against shell scripts that print right and wrong ones, and one that checks them.

mod support;

use campaign::Settings;
use case::{Class, Evidence};
use std::path::Path;
use support::{findings_of, script_solver};

const SCRIPT: &str = "(declare-const x Int)(assert (> x 1))(assert (< x 1))(check-sat)";

/// The command of a checker that rejects the rule `wrong`, finds a gap in `hole`, and accepts the rest. It reads the problem, too.
fn checker(folder: &Path) -> String {
    let program = folder.join("carcara");
    let text = "grep -q '(assert (< x 1))' \"$script\" && ! grep -q proof \"$script\" || exit 3\n\
                if grep -q wrong \"$proof\"; then echo invalid; echo \"[ERROR] checking failed on step 't1' with rule 'wrong'\" >&2; exit 1; fi\n\
                if grep -q hole \"$proof\"; then echo holey; else echo valid; fi\n";
    std::fs::write(&program, text).unwrap();
    format!("sh {}", program.display())
}

#[test]
fn a_rejected_proof_is_reported() {
    // The rule of the only step, how many proofs are accepted, and whether there is a finding.
    let table = [("right", 1, false), ("hole", 0, false), ("wrong", 0, true), ("", 0, false)];
    for (rule, accepted, is_wrong) in table {
        let folder = tempfile::tempdir().unwrap();
        let proof = match rule {
            "" => "(error \"no proof\")".to_owned(),
            rule => format!("((step t1 (cl) :rule {rule}))"),
        };
        let body = format!("echo unsat; if grep -q get-proof \"$file\"; then echo '{proof}'; fi");
        let target = script_solver(folder.path(), "cvc5@1", &body);
        let command = checker(folder.path());
        let settings = Settings {
            warm: false,
            models: false,
            own_checks: false,
            fixed_timeout: true,
            seed: 7,
            proof_checker: Some(command.clone()),
            proofs: 1,
            ..Settings::default()
        };
        let (found, statistics) = findings_of(folder.path(), SCRIPT, vec![target], settings);
        assert_eq!(statistics.accepted_proofs, accepted, "{rule}");
        assert!(statistics.proofs >= u64::from(!rule.is_empty()), "{rule}: {}", statistics.proofs);
        assert_eq!(found.len(), usize::from(is_wrong), "{rule}: {found:?}");
        for (finding, case) in &found {
            assert_eq!(finding.class, Class::InvalidProof);
            let evidence = Evidence::ProofRejected {
                solver: "cvc5@1".to_owned(),
                checker: command.clone(),
                message: "checking failed on step 't1' with rule 'wrong'".to_owned(),
            };
            assert_eq!(finding.evidence, [evidence]);
            assert!(case.starts_with("(set-option :produce-proofs true)\n"), "{case}");
            assert!(case.ends_with("(check-sat)\n(get-proof)\n"), "{case}");
            let predicate = finding.predicate.as_ref().unwrap().to_string();
            assert_eq!(predicate, format!("cvc5@1 gives a proof that {command} rejects"));
        }
    }
}
