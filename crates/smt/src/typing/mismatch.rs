//! Why an application does not type, in words.

use super::identifier::Head;
use crate::arena::Arena;
use crate::op::OpKind;
use crate::term::Term;
use std::fmt;

/// The most ranks that an error lists.
const MAX_LISTED: usize = 4;

/// An application that does not type: what is wrong and what was expected. The reader adds where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What is wrong.
    pub message: String,
    /// What would have been right.
    pub expected: Option<String>,
    /// Whether the name itself is unknown, rather than its use wrong.
    pub undeclared: bool,
}

impl Mismatch {
    /// A mismatch with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Mismatch { message: message.into(), expected: None, undeclared: false }
    }

    /// A name that nothing declares.
    pub fn undeclared(message: impl Into<String>) -> Self {
        Mismatch { message: message.into(), expected: None, undeclared: true }
    }

    /// Adds what would have been right.
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
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
    /// The sorts of terms as they are written, in a row.
    pub(super) fn sorts_text(&self, args: &[Term]) -> String {
        let texts: Vec<String> = args.iter().take(8).map(|&arg| self.sort_text(self.sort(arg))).collect();
        let more = if args.len() > 8 { " …" } else { "" };
        format!("{}{more}", texts.join(" "))
    }

    /// The error for a name with no fitting rank among the theories.
    pub(super) fn no_rank(&self, head: Head, args: &[Term]) -> Mismatch {
        let name = self.name(head.name);
        let ranks = self.signatures.ranks(head.name);
        if ranks.is_empty() {
            let what = if args.is_empty() { "constant" } else { "function" };
            return Mismatch::undeclared(format!("unknown {what} `{name}`"))
                .expected("a declared name or an operator of a theory");
        }
        // What is only read for the sake of old scripts is nothing to recommend.
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
            format!("`{name}` is not used as it is declared")
        } else {
            format!("`{name}` does not take arguments of sorts {}", self.sorts_text(args))
        };
        Mismatch::new(message).expected(format!("{}{more}", listed.join(" or ")))
    }

    /// The error for a declared function that is used with other arguments.
    pub(super) fn wrong_arguments(&self, name: &str, kind: &OpKind, args: &[Term]) -> Mismatch {
        let message = if args.is_empty() {
            format!("`{name}` is a function and stands here without arguments")
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
