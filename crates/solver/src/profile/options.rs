//! Which options of a solver to fuzz, how to set them, and how to list them.

use super::modes::Addition;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `[options]`: which options are worth fuzzing, by the rules of the maintainers.
///
/// Tables of options accept families: `"smt.*"` covers every name that starts with `smt.`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionRules {
    /// Where the rules come from, for people.
    #[serde(default)]
    pub source: String,
    /// Levels, as the solver names them, whose options may be combined freely.
    #[serde(default)]
    pub free_levels: Vec<String>,
    /// Levels of which a run may set at most one option.
    #[serde(default)]
    pub single_levels: Vec<String>,
    /// Levels that are never fuzzed.
    #[serde(default)]
    pub never_levels: Vec<String>,
    /// Options that are never fuzzed, with the reason.
    #[serde(default)]
    pub never: BTreeMap<String, String>,
    /// Options that change the question, so that answers may differ, with the reason.
    #[serde(default)]
    pub changes_question: BTreeMap<String, String>,
    /// Options that keep the question but that the maintainers take no reports for, with the reason. Only strategies that ask
    /// for them set them.
    #[serde(default)]
    pub unsupported: BTreeMap<String, String>,
    /// Options that the maintainers want fuzzed. Empty means all.
    #[serde(default)]
    pub wanted: Vec<String>,
    /// Options of which only these values keep the question.
    #[serde(default)]
    pub values: BTreeMap<String, Vec<String>>,
    /// What makes the solver itself refuse everything outside these rules.
    #[serde(default)]
    pub safe_mode: Option<Addition>,
    /// How an option is written.
    #[serde(default)]
    pub form: OptionForm,
    /// How the executable lists its options.
    #[serde(default)]
    pub catalogue: Catalogue,
    /// How our driver of the solver's library lists them, if there is one.
    #[serde(default)]
    pub driver_catalogue: Option<Catalogue>,
}

/// How a solver lists its options: the arguments to start it with, and the format of what it prints.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The format.
    pub format: CatalogueFormat,
    /// The arguments. The default is `["--help"]`.
    #[serde(default = "help_argument")]
    pub args: Vec<String>,
}

fn help_argument() -> Vec<String> {
    vec!["--help".to_owned()]
}

impl Default for Catalogue {
    fn default() -> Self {
        Catalogue { format: CatalogueFormat::HelpColumns, args: help_argument() }
    }
}

/// The format of a list of options.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogueFormat {
    /// A help text with a column of options and a column of prose.
    HelpColumns,
    /// The same, completed by `(get-option …)` for defaults and `--OPTION=help` for the values of modes.
    HelpAndGetOption,
    /// Z3's `-pd`: `name (type) description (default: value)` under headings of modules.
    Z3Parameters,
    /// A level, a tab, and cvc5's own description `OptionInfo{ … }`.
    Cvc5Api,
    /// Seven fields separated by tabs: name, kind, default, minimum, maximum, modes, description.
    TabSeparated,
}

/// `[options.form]`: how an option is set, with `{name}` and `{value}`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct OptionForm {
    /// The argument that sets a value.
    pub value: String,
    /// The argument that switches an option on, if not `value` with `true`.
    #[serde(default)]
    pub on: Option<String>,
    /// The argument that switches an option off, if not `value` with `false`.
    #[serde(default)]
    pub off: Option<String>,
    /// The command that sets a value, if it has the same effect as the argument.
    #[serde(default)]
    pub in_script: Option<String>,
}

impl Default for OptionForm {
    fn default() -> Self {
        let form = |text: &str| text.to_owned();
        OptionForm {
            value: form("--{name}={value}"),
            on: Some(form("--{name}")),
            off: Some(form("--no-{name}")),
            in_script: None,
        }
    }
}

impl OptionForm {
    /// The argument that sets an option.
    pub fn argument(&self, name: &str, value: &str) -> String {
        let form = match value {
            "true" => self.on.as_ref(),
            "false" => self.off.as_ref(),
            _ => None,
        };
        form.unwrap_or(&self.value).replace("{name}", name).replace("{value}", value)
    }

    /// The command that sets an option, if there is one. SMT-LIB has no negative numerals, and quotes anything but a word.
    pub fn command(&self, name: &str, value: &str) -> Option<String> {
        let form = self.in_script.as_ref().filter(|_| !value.starts_with('-'))?;
        let quoted = if value.contains([' ', '(']) { format!("|{value}|") } else { value.to_owned() };
        Some(form.replace("{name}", name).replace("{value}", &quoted))
    }
}

impl OptionRules {
    /// Why `option` changes the question, if it does.
    pub fn changes_question(&self, option: &str) -> Option<&str> {
        lookup(&self.changes_question, option)
    }

    /// Whether the maintainers want `option` fuzzed.
    pub fn is_wanted(&self, option: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|name| covers(name, option))
    }

    /// Why the maintainers take no reports for `option`, if it is one that can be fuzzed all the same.
    pub fn unsupported(&self, option: &str) -> Option<&str> {
        lookup(&self.unsupported, option)
    }

    /// Why `option` is never fuzzed, if so.
    pub fn forbidden(&self, option: &str) -> Option<&str> {
        lookup(&self.never, option)
    }
}

/// Whether `name`, an option or a family (`name*`), covers `option`.
fn covers(name: &str, option: &str) -> bool {
    match name.strip_suffix('*') {
        Some(prefix) => option.starts_with(prefix),
        None => option == name,
    }
}

fn lookup<'a>(table: &'a BTreeMap<String, String>, option: &str) -> Option<&'a str> {
    table.iter().find(|(name, _)| covers(name, option)).map(|(_, reason)| reason.as_str())
}
