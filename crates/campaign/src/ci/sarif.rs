//! The result of a CI run as SARIF 2.1.0, which code scanning services show beside the code.

use super::report::{CiReport, JudgedFinding};
use case::hash::fnv1a;
use case::{Class, Severity};
use serde_json::{Value, json};

/// Where the format is defined.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// The report: a result for each new finding.
pub fn sarif(report: &CiReport) -> Value {
    let rules: Vec<Value> = Class::ALL.into_iter().filter(|class| class.is_bug()).map(rule).collect();
    let results: Vec<Value> = report.new_findings().map(|finding| result(report, finding)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "elenchus", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "invocations": [{ "executionSuccessful": !report.interrupted }],
            "results": results,
        }],
    })
}

fn rule(class: Class) -> Value {
    let text = match class {
        Class::WrongUnsat => "The solver answers unsat on a satisfiable script.",
        Class::WrongSat => "The solver answers sat on an unsatisfiable script.",
        Class::Contradiction => "The solver contradicts itself.",
        Class::InvalidModel => "The model of the solver does not satisfy the script.",
        Class::InvalidCore => "The unsat core of the solver is satisfiable.",
        Class::WrongRewrite => "The solver rewrites a term to one with another value.",
        Class::WrongOptimum => "The model of the solver does not attain its optimum, or a value is better.",
        Class::WrongValue => "The solver gives a term a value that it does not have under the model.",
        Class::WrongConsequence => "The solver says that something follows which does not.",
        Class::RepeatedModel => "The solver gives a blocked model again, or misses one.",
        Class::WrongPrinting => "The solver prints a term with another value.",
        Class::InvalidProof => "The solver's own check rejects its unsat core or proof.",
        Class::Crash => "The solver crashes.",
        Class::StateLeak => "The solver answers differently after it has run other scripts.",
        Class::Performance => "The solver is slow.",
        Class::Incompleteness => {
            "The solver gives up on a script whose answer follows from one that it gave."
        }
        Class::WrongLabel => "The status of a script is wrong.",
    };
    json!({ "id": class.name(), "shortDescription": { "text": text } })
}

fn result(report: &CiReport, finding: &JudgedFinding) -> Value {
    let path = finding.file.strip_prefix(&report.folder).unwrap_or(&finding.file);
    let text = format!("{}. To reproduce: {}", finding.title, finding.reproduce);
    json!({
        "ruleId": finding.class.name(),
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&path.display().to_string()) },
                "region": { "startLine": 1 },
            },
        }],
        "partialFingerprints": { "script/v1": format!("{:016x}", fnv1a(&finding.script)) },
    })
}

/// How a service shows a finding: wrong answers and crashes with default options are errors.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::WrongUnsat
        | Severity::WrongSat
        | Severity::Contradiction
        | Severity::WrongRewrite
        | Severity::WrongOptimum
        | Severity::WrongConsequence
        | Severity::Crash => "error",
        Severity::InvalidModel
        | Severity::WrongCoreOrProof
        | Severity::InvalidModelWithOptions
        | Severity::CrashWithOptions => "warning",
        Severity::WrongPrinting | Severity::Performance | Severity::WrongLabel | Severity::Incompleteness => {
            "note"
        }
    }
}

/// A path as a relative reference of a URI.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/@+".contains(&byte);
    let written = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::sample::sample;

    #[test]
    fn a_report_has_what_the_format_requires() {
        let report = sarif(&sample());
        assert_eq!(report["version"], "2.1.0");
        let run = &report["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "elenchus");
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 1);
        let result = &results[0];
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        assert!(rules.iter().all(|rule| rule["shortDescription"]["text"].is_string()));
        assert_eq!(result["level"], "error");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "findings/wrong-unsat-1/reduced.smt2");
        assert_eq!(place["region"]["startLine"], 1);
    }

    #[test]
    fn a_report_without_findings_has_an_empty_list() {
        let mut report = sample();
        report.findings.clear();
        assert_eq!(sarif(&report)["runs"][0]["results"], json!([]));
    }

    #[test]
    fn paths_become_uris() {
        let table = [
            ("findings/a-1/reduced.smt2", "findings/a-1/reduced.smt2"),
            ("a b/ü#.smt2", "a%20b/%C3%BC%23.smt2"),
        ];
        for (path, expected) in table {
            assert_eq!(uri(path), expected);
        }
    }
}
