//! The description of an option.

use serde::{Deserialize, Serialize};

/// One option of a solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionInfo {
    /// The name that sets it, with its module if the solver needs that: `smt.arith.solver`.
    pub name: String,
    /// Other names of the same option.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The part of the solver it belongs to, if known.
    pub module: Option<String>,
    /// Its type.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// Its default value, if known.
    pub default: Option<String>,
    /// The solver's description of it.
    pub help: String,
    /// Its intended users, if known.
    pub level: Option<Level>,
}

impl OptionInfo {
    /// Its name, default and type, then its description.
    pub fn lines(&self) -> Vec<String> {
        let level = self.level.map(|level| format!(", {}", level.name())).unwrap_or_default();
        let default = self.default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
        let mut lines = vec![format!("{}{default}  ({}{level})", self.name, self.kind)];
        lines.extend((!self.help.is_empty()).then(|| format!("    {}", self.help)));
        lines
    }
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionKind {
    /// `true` or `false`.
    Bool,
    /// An integer.
    Int {
        /// The smallest value, if known.
        min: Option<i64>,
        /// The largest value, if known.
        max: Option<u64>,
    },
    /// A floating-point number.
    Real {
        /// The smallest value, if known.
        min: Option<f64>,
        /// The largest value, if known.
        max: Option<f64>,
    },
    /// One of several words.
    Enum {
        /// The words.
        values: Vec<String>,
    },
    /// Any text, such as the name of a file.
    String,
    /// A word, of which the solver lists no values.
    Symbol,
    /// No value: a flag.
    Void,
}

/// The intended users of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Everybody.
    Common,
    /// Users with special needs.
    Regular,
    /// The solver's developers.
    Expert,
    /// Unknown: the option is not documented.
    Undocumented,
}

impl Level {
    /// The name in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Level::Common => "common",
            Level::Regular => "regular",
            Level::Expert => "expert",
            Level::Undocumented => "undocumented",
        }
    }
}
