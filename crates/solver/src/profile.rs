//! What is special about each solver, as data: one TOML file a solver, built in, with the user's changes over it.

mod pattern;
mod release;
mod store;

pub use pattern::{Expression, Pattern, PatternKind, Stream};
pub use release::{Range, compare_versions};
pub use store::{ProfileError, Profiles};

use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known about one solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The solver's name, as in `z3@5.4.0`.
    pub name: String,
    /// How people write it.
    #[serde(default)]
    pub title: String,
    /// The names under which the executable is found on the path.
    #[serde(default)]
    pub executables: Vec<String>,
    /// The names of the signature files whose operators it knows.
    #[serde(default)]
    pub theories: Vec<String>,
    /// The largest character that it reads of an escape such as `\u{ff}` in a string; 0 if it knows no such escapes.
    #[serde(default = "largest_character")]
    pub largest_escape: u32,
    /// How it is started.
    #[serde(default)]
    pub start: Start,
    /// What is added to be given something: models, cores, limits.
    #[serde(default)]
    pub ask: Ask,
    /// How it is kept for several scripts with a reset in between.
    #[serde(default)]
    pub session: Option<Session>,
    /// How it takes scripts inside push and pop.
    #[serde(default)]
    pub incremental: Option<Incremental>,
    /// How it can be made a fork server.
    #[serde(default)]
    pub fork: Option<Fork>,
    /// Which of its options are worth fuzzing.
    #[serde(default)]
    pub options: OptionRules,
    /// How it answers many small questions in a row.
    #[serde(default)]
    pub examine: Examine,
    /// How its outcomes show.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
    /// How it complains about an operator that it does not know; the first group is the operator.
    pub unknown_operator: Option<Expression>,
    /// The numbers of its models that are rounded, so that nothing can be proved with them.
    pub rounded: Option<Expression>,
    /// Exit codes that mean a crash even if no signal is seen, as when a handler ends the process.
    #[serde(default)]
    pub crash_codes: Vec<i32>,
    /// Exit codes that mean that memory ran out.
    #[serde(default)]
    pub memory_codes: Vec<i32>,
    /// What is different in some releases: each entry holds a `range` and the keys that change.
    #[serde(default)]
    pub release: Vec<toml::Table>,
    /// The tables it was read from, for [`Profile::at`].
    #[serde(skip)]
    source: toml::Table,
}

impl Profile {
    /// The operator that an error message calls unknown.
    pub fn unknown_operator<'m>(&self, message: &'m str) -> Option<&'m str> {
        self.unknown_operator.as_ref()?.first_group(message)
    }

    /// A model as it can be believed: `(rounded 1.414214)` stands for a rounded number, so that no reader takes it for the
    /// number itself.
    pub fn without_rounded<'m>(&self, model: &'m str) -> Cow<'m, str> {
        self.rounded
            .as_ref()
            .map_or(Cow::Borrowed(model), |rounded| rounded.replace_all(model, "(rounded $0)"))
    }
}

/// How a solver answers many small questions in a row (`elenchus examine`).
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Examine {
    /// Options that switch on everything it can evaluate.
    pub options: Vec<String>,
    /// The first command of a first-order script.
    pub prelude: String,
    /// The first command of a script with functions as values.
    pub higher_order_prelude: String,
    /// Whether it answers the questions after one that it rejects.
    pub continues_after_error: bool,
}

impl Default for Examine {
    fn default() -> Self {
        Examine {
            options: Vec::new(),
            prelude: "(set-logic ALL)".to_owned(),
            higher_order_prelude: "(set-logic HO_ALL)".to_owned(),
            continues_after_error: false,
        }
    }
}

/// How a solver is started: the arguments of each way. `{options}` stands for the options of the run and `{file}` for
/// the path of the script.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// With a script in a file.
    #[serde(default = "file_only")]
    pub file: Vec<String>,
    /// With scripts on standard input, answered one by one; empty if the solver cannot.
    #[serde(default)]
    pub stdin: Vec<String>,
    /// Variables added to its environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Variables added for processes that stay, where nothing is to be as in the plain executable but the answers.
    #[serde(default)]
    pub warm_env: BTreeMap<String, String>,
    /// Whether a limit on address space is a fair limit on its memory; not so for builds with sanitizers.
    #[serde(default = "yes")]
    pub address_space_limit: bool,
}

fn file_only() -> Vec<String> {
    vec!["{options}".to_owned(), "{file}".to_owned()]
}

fn yes() -> bool {
    true
}

impl Default for Start {
    fn default() -> Self {
        Start {
            file: file_only(),
            stdin: Vec::new(),
            env: BTreeMap::new(),
            warm_env: BTreeMap::new(),
            address_space_limit: true,
        }
    }
}

/// What is added to a run to be given something. Absent means that the solver does not offer it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Models.
    pub models: Option<Addition>,
    /// Unsatisfiable cores.
    pub cores: Option<Addition>,
    /// Proofs.
    pub proofs: Option<Addition>,
    /// The solver's own check of its models.
    pub model_check: Option<Addition>,
    /// The solver's own check of its cores.
    pub core_check: Option<Addition>,
    /// The solver's own check of its proofs.
    pub proof_check: Option<Addition>,
    /// A random seed, `{seed}`.
    pub seed: Option<Addition>,
    /// A random seed, `{seed}`, with whatever else makes models differ from each other; `seed` by default.
    pub variety: Option<Addition>,
    /// A limit on the whole run, `{ms}` or `{seconds}`. Only for command lines in reports: Elenchus has its own.
    pub timeout: Option<Addition>,
    /// A limit on each question, `{ms}` or `{seconds}`.
    pub query_timeout: Option<Addition>,
    /// A repeatable limit on work, `{steps}`.
    pub work: Option<Addition>,
    /// A limit on memory, `{mb}`.
    pub memory: Option<Addition>,
    /// Several questions in one script, for solvers that must be told.
    pub incremental: Option<Addition>,
}

/// Arguments and commands that are added to a run.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Addition {
    /// Arguments of the command line.
    #[serde(default)]
    pub args: Vec<String>,
    /// Commands before all others of the script.
    #[serde(default)]
    pub commands: Vec<String>,
}

/// How a solver is kept for several scripts with a reset in between.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The command that forgets everything.
    #[serde(default = "reset")]
    pub reset: String,
    /// The options whose values survive it.
    #[serde(default)]
    pub keeps: Kept,
    /// For options that survive: the value to set back, instead of a new process.
    #[serde(default)]
    pub restore: BTreeMap<String, String>,
    /// Whether names given with `:named` survive.
    #[serde(default)]
    pub keeps_names: bool,
    /// A command that has the solver make all that the first term of a script needs, and changes nothing. With it, a process forgets
    /// one script and gets ready for the next while another one works.
    #[serde(default)]
    pub get_ready: Option<String>,
    /// After how many scripts the process is replaced, since some leak.
    #[serde(default = "many_scripts")]
    pub scripts: u32,
}

fn reset() -> String {
    "(reset)".to_owned()
}

fn many_scripts() -> u32 {
    1000
}

/// The options whose values survive a reset.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Only(Vec<String>),
}

impl Kept {
    /// Whether the value of `option` survives a reset.
    pub fn keeps(&self, option: &str) -> bool {
        match self {
            Kept::None => false,
            Kept::All => true,
            Kept::Only(names) => names.iter().any(|name| name == option),
        }
    }
}

/// How a solver takes scripts inside push and pop.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incremental {
    /// Arguments that this needs, besides those for standard input.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments for dialogues, where an answer is a means and need not come from the incremental core.
    #[serde(default)]
    pub dialogue: Vec<String>,
    /// What a process that is for scripts of many logics is told instead of a logic; nothing if there is no such process.
    pub general: Option<String>,
    /// Logics that are a different mode of the solver, for which the script is run by itself; `*` at the end stands for anything.
    #[serde(default)]
    pub alone: Vec<String>,
    /// After how many scripts the process is replaced.
    #[serde(default = "very_many_scripts")]
    pub scripts: u32,
}

impl Incremental {
    /// Whether a script of this logic is run by itself.
    pub fn is_alone(&self, logic: &str) -> bool {
        self.alone.iter().any(|alone| match alone.strip_suffix('*') {
            Some(beginning) => logic.starts_with(beginning),
            None => logic == alone,
        })
    }
}

fn very_many_scripts() -> u32 {
    20_000
}

/// How a release executable can be made a fork server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Where the server stops.
    pub stop: Stop,
    /// The size of the solver's stream buffer, for [`Stop::Read`].
    #[serde(default)]
    pub buffer: usize,
    /// What is carried out once, before the first fork.
    #[serde(default)]
    pub warm_up: String,
    /// What becomes of `set-logic`: part of the warm-up of a server of its own, or of the script.
    #[serde(default)]
    pub logic: ForkLogic,
    /// Whether children are ended when they have read and carried out their script, for [`Stop::Read`]: some solvers take
    /// long to take everything apart.
    #[serde(default)]
    pub ends_with_input: bool,
    /// Options whose names contain this may be set after the warm-up: they stay in the script, and need no server of their own.
    #[serde(default)]
    pub late: Option<String>,
    /// Commands that cannot come after the warm-up: a script that has one is not served.
    #[serde(default)]
    pub unserved: Vec<String>,
}

/// The largest character that the standard has.
fn largest_character() -> u32 {
    0x2_FFFF
}

/// Where a fork server stops and waits for scripts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After the warm-up, when the solver reads on.
    Read,
    /// When the solver opens its input.
    Open,
    /// In our own driver of the solver's library, after the warm-up.
    Driver,
}

/// What becomes of a script's `set-logic` in a fork server.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ForkLogic {
    /// It stays in the script: the solver takes it after the warm-up.
    #[default]
    InScript,
    /// It is part of the warm-up, so there is a server for each logic.
    PerServer,
}

/// Which options of a solver are worth fuzzing, by the rules of its maintainers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionRules {
    /// Where the rules come from.
    #[serde(default)]
    pub source: String,
    /// Levels of options, as the solver names them, that may be set freely.
    #[serde(default)]
    pub free_levels: Vec<String>,
    /// Levels of which at most one option may be set in a run.
    #[serde(default)]
    pub single_levels: Vec<String>,
    /// Levels that are never to be fuzzed.
    #[serde(default)]
    pub never_levels: Vec<String>,
    /// Options or families (`name*`) that are never to be fuzzed, with the reason.
    #[serde(default)]
    pub never: BTreeMap<String, String>,
    /// Options or families that change the question that is asked, so that answers may differ, with the reason.
    #[serde(default)]
    pub question: BTreeMap<String, String>,
    /// Options or families that maintainers ask to be fuzzed.
    #[serde(default)]
    pub wanted: Vec<String>,
    /// Options of which only these values keep the question.
    #[serde(default)]
    pub values: BTreeMap<String, Vec<String>>,
    /// What makes the solver itself refuse everything outside these rules.
    #[serde(default)]
    pub safe_mode: Option<Addition>,
    /// How an option is set on the command line.
    #[serde(default)]
    pub form: OptionForm,
}

/// How an option is set on the command line, with `{name}` and `{value}`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct OptionForm {
    /// With a value.
    pub value: String,
    /// Switched on, where that is written otherwise.
    #[serde(default)]
    pub on: Option<String>,
    /// Switched off, where that is written otherwise.
    #[serde(default)]
    pub off: Option<String>,
    /// As a command of a script, where that is the same as on the command line.
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
    /// The argument that gives an option a value.
    pub fn argument(&self, name: &str, value: &str) -> String {
        let form = match value {
            "true" => self.on.as_ref(),
            "false" => self.off.as_ref(),
            _ => None,
        };
        form.unwrap_or(&self.value).replace("{name}", name).replace("{value}", value)
    }

    /// The command that gives an option a value, if there is one. Scripts have no negative numbers, and quote what is more than a word.
    pub fn command(&self, name: &str, value: &str) -> Option<String> {
        let form = self.in_script.as_ref().filter(|_| !value.starts_with('-'))?;
        let quoted = if value.contains([' ', '(']) { format!("|{value}|") } else { value.to_owned() };
        Some(form.replace("{name}", name).replace("{value}", &quoted))
    }
}

impl OptionRules {
    /// Why `option` changes the question that is asked, if it does.
    pub fn changes_question(&self, option: &str) -> Option<&str> {
        lookup(&self.question, option)
    }

    /// Whether maintainers ask for `option` to be fuzzed; so it is if they name none.
    pub fn is_wanted(&self, option: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|name| covers(name, option))
    }

    /// Why `option` is never to be fuzzed, if so.
    pub fn forbidden(&self, option: &str) -> Option<&str> {
        lookup(&self.never, option)
    }
}

/// Whether `name`, an option or a family (`name*`), is or holds `option`.
fn covers(name: &str, option: &str) -> bool {
    match name.strip_suffix('*') {
        Some(prefix) => option.starts_with(prefix),
        None => option == name,
    }
}

fn lookup<'a>(table: &'a BTreeMap<String, String>, option: &str) -> Option<&'a str> {
    table.iter().find(|(name, _)| covers(name, option)).map(|(_, reason)| reason.as_str())
}

impl Profile {
    /// The names of the built-in profiles, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        store::BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The built-in profile of the solver called `name`.
    pub fn built_in(name: &str) -> Result<Arc<Profile>, ProfileError> {
        Profiles::built_in().get(name)
    }

    /// Reads a profile from the text of its TOML file.
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        let table =
            text.parse().map_err(|error: toml::de::Error| ProfileError::invalid(error.to_string()))?;
        Profile::from_table(table)
    }

    /// Reads a profile from a table, and makes sure that it is valid for every release it speaks of.
    pub fn from_table(table: toml::Table) -> Result<Profile, ProfileError> {
        let profile = Profile::read(table)?;
        for entry in &profile.release {
            Profile::read(release::merge_entry(&profile.source, entry)?)?;
        }
        Ok(profile)
    }

    fn read(table: toml::Table) -> Result<Profile, ProfileError> {
        let mut profile: Profile = table
            .clone()
            .try_into()
            .map_err(|error: toml::de::Error| ProfileError::invalid(error.to_string()))?;
        profile.source = table;
        Ok(profile)
    }

    /// The profile as it holds for one release. An unknown release (an empty version) gets the plain profile.
    pub fn at(&self, version: &str) -> Profile {
        let mut table = self.source.clone();
        for entry in &self.release {
            if release::range_of(entry).is_ok_and(|range| range.contains(version)) {
                // Validated when the profile was read, so a failure cannot come up here.
                table = release::merge_entry(&table, entry).unwrap_or(table);
            }
        }
        Profile::read(table).unwrap_or_else(|_| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Profile};

    #[test]
    fn every_built_in_profile_is_valid_and_whole() {
        for name in Profile::names() {
            let profile = Profile::built_in(name).unwrap();
            assert_eq!(profile.name, name);
            assert!(!profile.theories.is_empty(), "{name} knows no theory");
            assert!(profile.theories.iter().any(|theory| theory == "Core"), "{name} does not know Core");
            assert!(!profile.executables.is_empty(), "{name} has no executable");
            assert!(profile.start.file.iter().any(|word| word == "{file}"), "{name} takes no file");
            assert!(!profile.title.is_empty(), "{name} has no title");
        }
    }

    #[test]
    fn wrong_keys_and_values_are_told() {
        let table = [
            ("name = 1", "string"),
            ("name = \"x\"\nspeed = 3", "unknown field `speed`"),
            ("name = \"x\"\n[session]\nkeeps = \"most\"", "most"),
            ("name = \"x\"\n[[patterns]]\nkind = \"crash\"\nregex = \"(\"", "regex"),
            ("name = \"x\"\n[[patterns]]\nkind = \"oops\"\nregex = \"a\"", "oops"),
            ("name = \"x\"\n[[release]]\nversion = \"4\"", "range"),
            ("name = \"x\"\n[[release]]\nrange = \">=4\"\nspeed = 1", "unknown field `speed`"),
            ("name = \"x\"\n[[release]]\nrange = \"about 4\"", "about 4"),
        ];
        for (text, expected) in table {
            let error = Profile::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_release_changes_what_it_names_and_nothing_else() {
        let text = "name = \"x\"\ntheories = [\"Core\"]\n[session]\nkeeps = \"all\"\nscripts = 5\n\
                    [[release]]\nrange = \"<2.0\"\nsession = { keeps = \"none\" }\n";
        let profile = Profile::parse(text).unwrap();
        let old = profile.at("1.9.3").session.unwrap();
        assert_eq!((old.keeps, old.scripts), (Kept::None, 5));
        assert_eq!(profile.at("2.0").session.unwrap().keeps, Kept::All);
        assert_eq!(profile.at("").session.unwrap().keeps, Kept::All);
    }

    #[test]
    fn option_rules_know_families() {
        let text =
            "name = \"x\"\n[options.question]\n\"fp.*\" = \"engine of Horn clauses\"\ntimeout = \"stops\"\n";
        let rules = Profile::parse(text).unwrap().options;
        assert_eq!(rules.changes_question("fp.engine"), Some("engine of Horn clauses"));
        assert_eq!(rules.changes_question("timeout"), Some("stops"));
        assert_eq!(rules.changes_question("timeouts"), None);
    }
}
