//! Typing errors.

use super::identifier::Head;
use crate::arena::Arena;
use crate::op::OpKind;
use crate::term::Term;
use std::fmt;

/// The maximum number of ranks in an error.
const MAX_LISTED: usize = 4;

/// A typing error: what is wrong and what was expected. The parser adds the position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// What is wrong.
    pub message: String,
    /// What was expected.
    pub expected: Option<String>,
    /// Whether the name is unknown, rather than used wrongly.
    pub undeclared: bool,
}

impl Mismatch {
    /// Makes an error with a message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Mismatch { message: message.into(), expected: None, undeclared: false }
    }

    /// Makes an error for an undeclared name.
    pub(crate) fn undeclared(message: impl Into<String>) -> Self {
        Mismatch { message: message.into(), expected: None, undeclared: true }
    }

    /// Adds what was expected.
    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mismatch {}

impl Arena {
    /// The sorts of terms, separated by spaces.
    pub(super) fn sorts_text(&self, args: &[Term]) -> String {
        let texts: Vec<String> = args.iter().take(8).map(|&arg| self.sort_text(self.sort(arg))).collect();
        let more = if args.len() > 8 { " …" } else { "" };
        format!("{}{more}", texts.join(" "))
    }

    /// The error for an application that no rank of the theories matches.
    pub(super) fn no_rank(&self, head: Head, args: &[Term]) -> Mismatch {
        let name = self.name(head.name);
        let ranks = self.signatures.ranks(head.name);
        if ranks.is_empty() {
            let what = if args.is_empty() { "constant" } else { "function" };
            return Mismatch::undeclared(format!("unknown {what} `{name}`"))
                .expected("a declared name or a theory operator");
        }
        // Do not suggest ranks that only old scripts use.
        let declarations = ranks
            .iter()
            .map(|&id| &self.signatures.declarations[id as usize])
            .filter(|declaration| !declaration.removed);
        let mut listed: Vec<String> = declarations.map(|one| self.signatures.describe(one)).collect();
        listed.dedup();
        let more = listed.len().saturating_sub(MAX_LISTED);
        listed.truncate(MAX_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = if args.is_empty() {
            format!("invalid use of `{name}`")
        } else {
            format!("`{name}` does not take arguments of sorts {}", self.sorts_text(args))
        };
        Mismatch::new(message).expected(format!("{}{more}", listed.join(" or ")))
    }

    /// The error for a declared function with the wrong arguments.
    pub(super) fn wrong_arguments(&self, name: &str, kind: &OpKind, args: &[Term]) -> Mismatch {
        let message = if args.is_empty() {
            format!("function `{name}` is used without arguments")
        } else {
            format!("`{name}` does not take arguments of sorts {}", self.sorts_text(args))
        };
        let (rank, result) = self.rank_of(kind);
        let rank: Vec<String> = rank.iter().map(|&sort| self.sort_text(sort)).collect();
        Mismatch::new(message).expected(format!(
            "({name} {}) of sort {}",
            rank.join(" "),
            self.sort_text(result)
        ))
    }
}
