//! Whether a script is well-typed, and what it uses.

use case::table::counted;
use serde_json::{Value, json};
use smt::{Arena, Error, ScriptSummary, parse_script};

/// A script that was parsed and type-checked.
pub struct CheckedScript {
    /// The text.
    pub source: String,
    /// Its summary, or its errors.
    pub result: Result<ScriptSummary, Vec<Error>>,
}

impl CheckedScript {
    /// Checks a script.
    pub fn new(source: String) -> CheckedScript {
        let mut arena = Arena::default();
        let result = parse_script(&mut arena, &source).map(|script| ScriptSummary::new(&mut arena, &script));
        CheckedScript { source, result }
    }

    /// The result for people.
    pub fn text(&self, name: &str) -> String {
        match &self.result {
            Ok(summary) => format!("{name}: well-typed\n{}\n", rows(summary).join("\n")),
            Err(errors) => {
                errors.iter().map(|error| format!("{}\n\n", error.render(name, &self.source))).collect()
            }
        }
    }

    /// The result as JSON.
    pub fn json(&self, name: &str) -> Value {
        match &self.result {
            Ok(summary) => json!({
                "file": name,
                "ok": true,
                "logic": summary.smallest_logic,
                "declared_logic": summary.declared_logic,
                "commands": summary.commands,
                "assertions": summary.assertions,
                "checks": summary.checks,
                "terms": summary.terms,
                "theories": summary.features.theories,
                "features": summary.features.notable(),
                "solvers": summary.features.solvers,
                "operators": summary.features.operators,
            }),
            Err(errors) => {
                let object = |error: &Error| {
                    let (line, column) = error.position(&self.source);
                    json!({
                        "kind": format!("{:?}", error.kind).to_lowercase(),
                        "line": line,
                        "column": column,
                        "message": error.message,
                        "expected": error.expected,
                    })
                };
                json!({"file": name, "ok": false, "errors": errors.iter().map(object).collect::<Vec<_>>()})
            }
        }
    }
}

fn rows(summary: &ScriptSummary) -> Vec<String> {
    let features = &summary.features;
    let declared = summary.declared_logic.as_deref().unwrap_or("none");
    let mut rows = vec![
        format!("  logic      {} (declared: {declared})", summary.smallest_logic),
        format!(
            "  size       {}, {}, {}, {}",
            counted(summary.commands, "command"),
            counted(summary.assertions, "assertion"),
            counted(summary.checks, "check"),
            counted(summary.terms, "distinct term")
        ),
        format!("  theories   {}", features.theories.iter().cloned().collect::<Vec<_>>().join(" ")),
    ];
    let notable = features.notable();
    if !notable.is_empty() {
        rows.push(format!("  uses       {}", notable.join(", ")));
    }
    if let Some(solvers) = &features.solvers {
        let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
        let names = if solvers.is_empty() { "none".to_owned() } else { solvers.join(", ") };
        rows.push(format!("  solvers    {names} (it uses nonstandard operators)"));
    }
    let operators: Vec<String> =
        features.operators.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if !operators.is_empty() {
        rows.push(format!("  operators  {}", operators.join(", ")));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::CheckedScript;

    #[test]
    fn scripts_are_summed_up_or_their_errors_located() {
        let good = CheckedScript::new("(declare-const x Int)(assert (> x 1))(check-sat)".to_owned());
        let expected = "a.smt2: well-typed
  logic      QF_IDL (declared: none)
  size       3 commands, 1 assertion, 1 check, 3 distinct terms
  theories   Core Ints
  operators  > 1
";
        assert_eq!(good.text("a.smt2"), expected);
        assert_eq!(good.json("a.smt2")["assertions"], 1);
        let bad = CheckedScript::new("(assert (+ 1 true))".to_owned());
        assert!(bad.text("a.smt2").starts_with("a.smt2:1:9: error: "), "{}", bad.text("a.smt2"));
        assert_eq!(bad.json("a.smt2")["errors"][0]["column"], 9);
    }
}
