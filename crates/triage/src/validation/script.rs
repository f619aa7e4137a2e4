//! A script that has been parsed for evaluation.

use crate::TriageError;
use semantics::model::StringDialect;
use semantics::validate::{judge, questions};
use semantics::{Memory, Model, Verdict, eval};
use smt::{Arena, Scope, Script};

/// A script with its text, its arena and the names that it declares.
pub struct ParsedScript {
    /// The text.
    pub text: String,
    /// The arena of its terms.
    pub arena: Arena,
    /// The names that are declared at its end.
    pub scope: Scope,
    /// The commands.
    pub script: Script,
}

impl ParsedScript {
    /// Parses a script; `name` appears in error messages.
    pub fn parse(name: &str, text: String) -> Result<ParsedScript, TriageError> {
        let mut arena = Arena::default();
        let mut scope = Scope::default();
        match smt::parse_in_scope(&mut arena, &mut scope, &text) {
            Ok(script) => Ok(ParsedScript { text, arena, scope, script }),
            Err(errors) => {
                let rendered: Vec<String> = errors.iter().map(|error| error.render(name, &text)).collect();
                Err(TriageError::other(
                    format!("cannot parse {name}\n{}", rendered.join("\n")),
                    format!("`elenchus check {name}` lists all errors"),
                ))
            }
        }
    }

    /// Parses a model of this script.
    pub fn model(&mut self, text: &str, dialect: StringDialect) -> Result<Model, TriageError> {
        Model::read(&mut self.arena, &self.scope, text, dialect).map_err(|error| {
            TriageError::other(error.to_string(), "pass what a solver printed for (get-model)")
        })
    }

    /// Judges a model of the last question.
    pub fn judge(&mut self, model: &str, dialect: StringDialect) -> Result<Verdict, TriageError> {
        let model = self.model(model, dialect)?;
        let question = questions(&self.script).pop().unwrap_or_default();
        Ok(judge(&self.arena, &question, &model, eval::Limits::default(), Memory::default()).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::Hinted;

    #[test]
    fn errors_say_where_they_are_and_what_to_do() {
        let error = ParsedScript::parse("a.smt2", "(assert (+ 1 true))".to_owned()).err().unwrap();
        assert!(error.to_string().starts_with("cannot parse a.smt2\na.smt2:1:9: error:"), "{error}");
        assert_eq!(error.hint().as_deref(), Some("`elenchus check a.smt2` lists all errors"));
        let mut script = ParsedScript::parse("a.smt2", "(declare-const x Int)".to_owned()).unwrap();
        assert!(script.judge("((define-fun x () Int", StringDialect::Standard).is_err());
    }
}
