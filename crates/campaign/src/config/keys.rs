//! The keys of `elenchus.toml` in one table. The schema is made of it, and tests compare it with what is read and with the flags
//! of `elenchus fuzz`.

use serde_json::{Value, json};

/// The flag of `elenchus fuzz` that does the same as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// There is none.
    None,
    /// The arguments without a flag.
    Positional,
    /// The flag sets the key: to its value, or to `true`.
    Sets(&'static str),
    /// The flag sets the key to `false`.
    Clears(&'static str),
}

/// What a key may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Number,
    /// A number from 0 to 1.
    Share,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// Texts by name.
    NamedTexts,
    /// Tables by name, with any content.
    NamedTables,
    /// A duration, such as `"1h30m"`.
    Time,
    /// A size, such as `"2GB"`.
    Size,
    /// One of some words.
    Choice(&'static [&'static str]),
}

/// A key of `elenchus.toml`.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table, such as `fuzz.history`; `solver.*` is any table of `solver`.
    pub table: &'static str,
    /// The key.
    pub name: &'static str,
    /// The same as a flag.
    pub flag: Flag,
    /// What it holds.
    pub kind: Kind,
    /// What it does, in one line.
    pub about: &'static str,
}

const fn key(table: &'static str, name: &'static str, flag: Flag, kind: Kind, about: &'static str) -> Key {
    Key { table, name, flag, kind, about }
}

/// All keys.
pub const KEYS: &[Key] = {
    use Flag::{Clears, Positional, Sets};
    use Kind::{Boolean, Choice, NamedTables, NamedTexts, Number, Share, Size, Text, Texts, Time};
    &[
        key("fuzz", "seeds", Positional, Texts, "Seed scripts and folders with .smt2 files"),
        key(
            "fuzz",
            "solvers",
            Sets("solver"),
            Texts,
            "Solvers: NAME, NAME@RELEASE, a path, or [solver.NAME]",
        ),
        key("fuzz", "strategies", Sets("strategy"), Texts, "Strategies"),
        key("fuzz", "time", Sets("time"), Time, "Stop after this time"),
        key("fuzz", "cases", Sets("cases"), Number, "Stop after this many cases"),
        key("fuzz", "jobs", Sets("jobs"), Number, "Number of workers"),
        key("fuzz", "seed", Sets("seed"), Number, "Seed of all random choices"),
        key("fuzz", "timeout", Sets("timeout"), Time, "Time limit for each run of a solver"),
        key("fuzz", "memory", Sets("memory"), Size, "Memory limit for each run of a solver"),
        key("fuzz", "out", Sets("out"), Text, "Folder for the database and the findings"),
        key("fuzz", "json", Sets("json"), Boolean, "Print events as JSON"),
        key("fuzz", "signatures", Sets("signatures"), Texts, "Signature files with more operators"),
        key("fuzz", "budget", Sets("budget"), Number, "Cases of a strategy on a seed in its first turn"),
        key("fuzz", "models", Clears("no-models"), Boolean, "Ask for models and evaluate them"),
        key("fuzz", "own-checks", Clears("no-own-checks"), Boolean, "Make solvers check their own models"),
        key(
            "fuzz",
            "cores",
            Sets("cores"),
            Number,
            "Check the unsat core of every Nth unsat case; 0 for none",
        ),
        key(
            "fuzz",
            "oracles",
            Sets("oracle"),
            Texts,
            "Oracles besides answers, models and the solvers' own checks",
        ),
        key("fuzz", "proofs", Sets("proofs"), Text, "Command that checks the proofs of solvers"),
        key("fuzz", "tactics", Flag::None, Number, "Run every Nth case with a tactic; 0 for none"),
        key("fuzz", "forms", Flag::None, Number, "Run every Nth case in another form; 0 for none"),
        key("fuzz", "performance", Clears("no-performance"), Boolean, "Report slow answers as candidates"),
        key(
            "fuzz",
            "incompleteness",
            Sets("incompleteness"),
            Boolean,
            "Report unknown as a candidate where an answer follows",
        ),
        key(
            "fuzz",
            "triage",
            Clears("no-triage"),
            Boolean,
            "Reduce findings and merge those that are one bug",
        ),
        key("fuzz", "fixed-timeout", Sets("fixed-timeout"), Boolean, "Give every run the whole time limit"),
        key("fuzz", "warm", Clears("cold"), Boolean, "Keep solvers warm between scripts"),
        key("fuzz", "incremental", Clears("no-incremental"), Boolean, "Run cases again between push and pop"),
        key(
            "fuzz",
            "configurations",
            Sets("configurations"),
            Number,
            "Sets of solver options for every case",
        ),
        key("fuzz", "correlations", Sets("correlations"), Texts, "Files of `elenchus learn`"),
        key("fuzz", "guided", Sets("guided"), Boolean, "Search for options that reach more code"),
        key(
            "fuzz",
            "coverage",
            Sets("coverage"),
            Boolean,
            "Measure coverage, and keep cases that reach new code",
        ),
        key("fuzz", "store", Sets("store"), Text, "Store that several machines share, without a password"),
        key("fuzz", "campaign", Sets("campaign"), Text, "Name of the campaign in the store"),
        key("fuzz", "only", Sets("only"), Texts, "Kinds of work to take in a shared campaign"),
        key(
            "fuzz.shares",
            "preparation",
            Flag::None,
            Number,
            "Percent of the time for questions about seeds",
        ),
        key("fuzz.shares", "confirmation", Flag::None, Number, "Percent of the time for confirming results"),
        key("fuzz.shares", "performance", Flag::None, Number, "Percent of the time for slow cases"),
        key("fuzz.shares", "hard-seeds", Flag::None, Number, "Percent of the time for hard seeds"),
        key("fuzz.shares", "options", Flag::None, Number, "Percent of the time for other solver options"),
        key("fuzz.shares", "statements", Flag::None, Number, "Percent of the time for other statements"),
        key("fuzz.shares", "triage", Flag::None, Number, "Percent of the time for reducing findings"),
        key("fuzz.shares", "reports", Flag::None, Number, "Percent of the time for their reports"),
        key("fuzz.history", "library", Sets("history"), Text, "Library of histfuzz"),
        key(
            "fuzz.history",
            "variant",
            Sets("history-variant"),
            Choice(&["full", "r", "n"]),
            "Variant of histfuzz",
        ),
        key("fuzz.history", "support", Sets("history-support"), Number, "Fewest formulas that follow a rule"),
        key(
            "fuzz.history",
            "confidence",
            Sets("history-confidence"),
            Share,
            "Rules need a higher confidence",
        ),
        key(
            "fuzz.history",
            "ill-formed",
            Sets("history-ill-formed"),
            Boolean,
            "Use formulas that are not well-typed",
        ),
        key("fuzz.history", "options", Sets("history-options"), Boolean, "Set the options of bug reports"),
        key(
            "fuzz.history",
            "weighted",
            Clears("history-unweighted"),
            Boolean,
            "Prefer atoms that led to findings",
        ),
        key("performance", "huge_pages", Flag::None, Boolean, "Move the code of solvers into huge pages"),
        key("performance", "huge_heap", Flag::None, Boolean, "Put the heap of solvers into huge pages"),
        key("performance", "prefork", Flag::None, Boolean, "Fork the next child while a script runs"),
        key("performance", "core_pinning", Flag::None, Boolean, "Keep a worker and its solvers on one core"),
        key("performance", "reuse_supervisors", Flag::None, Boolean, "Use a supervisor for several programs"),
        key("solver.*", "path", Flag::None, Text, "Program, relative to this file"),
        key("solver.*", "profile", Flag::None, Text, "Profile that describes the solver"),
        key("solver.*", "args", Flag::None, Texts, "Arguments in front of all others"),
        key("solver.*", "env", Flag::None, NamedTexts, "Environment variables"),
        key("solver.*", "version", Flag::None, Text, "Release"),
        key(
            "solver.*",
            "coverage",
            Flag::None,
            Choice(&["breakpoints", "afl", "gcov", "llvm"]),
            "How to measure its coverage",
        ),
        key(
            "",
            "strategy",
            Flag::None,
            NamedTables,
            "Settings of strategies (`elenchus strategy show NAME`)",
        ),
        key("", "profile", Flag::None, NamedTables, "Profiles of more solvers"),
    ]
};

/// The keys without which a table is invalid.
const REQUIRED: [(&str, &str); 1] = [("solver.*", "path")];

/// A JSON schema of `elenchus.toml`.
pub fn schema() -> Value {
    let mut root = closed_table();
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("elenchus.toml");
    for key in KEYS {
        let parts = key.table.split('.').filter(|part| !part.is_empty());
        let table = parts.fold(&mut root, child);
        table["properties"][key.name] = key.schema();
        if REQUIRED.contains(&(key.table, key.name)) {
            table["required"] = json!([key.name]);
        }
    }
    root
}

/// The schema of a table that allows no other keys than its properties.
fn closed_table() -> Value {
    json!({ "type": "object", "properties": {}, "additionalProperties": false })
}

/// The table inside a table; `*` is a table of any name.
fn child<'a>(table: &'a mut Value, name: &str) -> &'a mut Value {
    let slot = match name {
        "*" => &mut table["additionalProperties"],
        name => &mut table["properties"][name],
    };
    if !slot.is_object() {
        *slot = closed_table();
    }
    slot
}

impl Key {
    fn schema(&self) -> Value {
        const TIME: &str = r"^\s*([0-9.]+|([0-9.]+\s*(ms|s|m|min|h|d)\s*)+)\s*$";
        const SIZE: &str = r"^\s*[0-9.]+\s*([mMgG]([iI]?[bB])?)?\s*$";
        let mut schema = match self.kind {
            Kind::Boolean => json!({ "type": "boolean" }),
            Kind::Number => json!({ "type": "integer", "minimum": 0 }),
            Kind::Share => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
            Kind::Text => json!({ "type": "string" }),
            Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::NamedTexts => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            Kind::NamedTables => json!({ "type": "object", "additionalProperties": { "type": "object" } }),
            Kind::Time => json!({ "type": "string", "pattern": TIME }),
            Kind::Size => json!({ "type": "string", "pattern": SIZE }),
            Kind::Choice(words) => json!({ "enum": words }),
        };
        schema["description"] = json!(self.about);
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::parsed;
    use super::super::{FuzzConfig, TEMPLATE};
    use super::*;
    use toml::Table;

    /// An example of a value.
    fn sample(kind: Kind) -> &'static str {
        match kind {
            Kind::Boolean => "true",
            Kind::Number => "7",
            Kind::Share => "0.25",
            Kind::Text => "\"x\"",
            Kind::Texts => "[\"x\"]",
            Kind::NamedTexts => "{ x = \"y\" }",
            Kind::NamedTables => "{ x = {} }",
            Kind::Time => "\"1h30m\"",
            Kind::Size => "\"2GB\"",
            Kind::Choice(words) => match words[0] {
                "full" => "\"full\"",
                _ => "\"breakpoints\"",
            },
        }
    }

    /// Whether a value matches a schema, as far as [`schema`] uses the language of schemas.
    fn matches(value: &Value, schema: &Value) -> bool {
        let kind = match schema["type"].as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_u64(),
            Some("number") => value.is_number(),
            _ => schema["enum"].as_array().is_some_and(|words| words.contains(value)),
        };
        let items = value.as_array().into_iter().flatten().all(|item| matches(item, &schema["items"]));
        let member = |(name, member): (&String, &Value)| match &schema["properties"][name] {
            Value::Null => match &schema["additionalProperties"] {
                Value::Null => true,
                others => others.is_object() && matches(member, others),
            },
            property => matches(member, property),
        };
        let required = schema["required"].as_array().into_iter().flatten();
        let complete =
            required.into_iter().all(|name| value[name.as_str().unwrap_or_default()] != Value::Null);
        kind && items && complete && value.as_object().into_iter().flatten().all(member)
    }

    fn valid(text: &str) -> bool {
        matches(&serde_json::to_value(toml::from_str::<Table>(text).unwrap()).unwrap(), &schema())
    }

    /// The template with all its settings.
    fn uncommented() -> String {
        let setting = |line: &&str| line.contains(" = ") || line.starts_with('[');
        TEMPLATE
            .lines()
            .map(|line| line.strip_prefix("# ").filter(setting).unwrap_or(line))
            .map(|line| format!("{line}\n"))
            .collect()
    }

    #[test]
    fn the_template_is_valid_with_and_without_its_settings() {
        for text in [TEMPLATE, &uncommented()] {
            parsed(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(valid(text), "{text}");
        }
        assert_eq!(parsed(&uncommented()).unwrap().cases, Some(100_000));
    }

    #[test]
    fn the_template_shows_every_key_of_its_tables() {
        let text = uncommented();
        for key in KEYS.iter().filter(|key| key.table.starts_with("fuzz") || key.table == "performance") {
            let heading =
                text.find(&format!("\n[{}]\n", key.table)).unwrap_or_else(|| panic!("{}", key.table));
            let table = &text[heading + 1..];
            let table = &table[..table.find("\n[").unwrap_or(table.len())];
            assert!(table.contains(&format!("\n{} = ", key.name)), "{} {}", key.table, key.name);
        }
    }

    #[test]
    fn every_key_of_fuzz_is_read() {
        for key in KEYS.iter().filter(|key| key.table.starts_with("fuzz")) {
            let text = format!("[{}]\n{} = {}\n", key.table, key.name, sample(key.kind));
            let config = parsed(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(config != FuzzConfig::default(), "{text}");
            assert!(valid(&text), "{text}");
        }
    }

    #[test]
    fn the_table_has_every_key_that_is_read() {
        for table in ["fuzz", "fuzz.shares", "fuzz.history"] {
            let error = parsed(&format!("[{table}]\nmisspelt = 1\n")).unwrap_err();
            let expected = error.split_once("expected one of ").unwrap().1.lines().next().unwrap();
            for name in expected.split(", ").map(|name| name.trim_matches('`')) {
                let subtable = KEYS.iter().any(|key| key.table == format!("{table}.{name}"));
                let listed = KEYS.iter().any(|key| (key.table, key.name) == (table, name));
                assert!(subtable || listed, "[{table}] {name}");
            }
        }
    }

    #[test]
    fn a_misspelt_key_is_rejected_by_schema_and_program() {
        let table = [
            "[fuzz]\ncoverrage = true\n",
            "[fuzz.history]\nlibary = \"x\"\n",
            "[fuz]\ncases = 1\n",
            "cases = 1\n",
        ];
        for text in table {
            assert!(!valid(text) && parsed(text).is_err(), "{text}");
        }
        for text in ["[solver.mine]\nprofile = \"z3\"\n", "[solver.mine]\npath = \"x\"\nargz = []\n"] {
            assert!(!valid(text), "{text}");
        }
    }
}
