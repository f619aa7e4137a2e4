//! Settings and variants of a technique, by name.
//!
//! Every constant of an algorithm is a setting, so that users can read and change it. A variant is a named choice of settings, such
//! as those of the paper. The name of a strategy states both, as in `diver:published:tries=10`. So a finding states them, too, and
//! its case can be made again.

use std::fmt;

/// A setting of a technique.
pub struct Setting<'a> {
    /// Its name.
    pub name: &'static str,
    /// The section of the paper that has it; empty if the paper does not have it.
    pub section: &'static str,
    /// What it says.
    pub meaning: &'static str,
    value: &'a mut dyn SettingValue,
}

impl<'a> Setting<'a> {
    /// A setting with its value.
    pub fn new(
        name: &'static str,
        section: &'static str,
        meaning: &'static str,
        value: &'a mut dyn SettingValue,
    ) -> Setting<'a> {
        Setting { name, section, meaning, value }
    }

    /// The value as users write it.
    pub fn text(&self) -> String {
        self.value.text()
    }
}

/// The value of a setting.
pub trait SettingValue {
    /// The value as users write it.
    fn text(&self) -> String;

    /// Reads a value as users write it, or says what is expected instead.
    fn set(&mut self, text: &str) -> Result<(), String>;
}

macro_rules! setting_values {
    ($($type:ty: $expected:literal),*) => {$(
        impl SettingValue for $type {
            fn text(&self) -> String {
                self.to_string()
            }

            fn set(&mut self, text: &str) -> Result<(), String> {
                *self = text.parse().map_err(|_| $expected.to_owned())?;
                Ok(())
            }
        }
    )*};
}

setting_values!(
    bool: "`true` or `false`",
    u32: "a whole number",
    u64: "a whole number",
    usize: "a whole number",
    f64: "a number"
);

/// A value that is one of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// All values with their words.
    const WORDS: &'static [(&'static str, Self)];
}

impl<W: Word> SettingValue for W {
    fn text(&self) -> String {
        let own = W::WORDS.iter().find(|(_, value)| value == self);
        own.map_or_else(String::new, |(word, _)| (*word).to_owned())
    }

    fn set(&mut self, text: &str) -> Result<(), String> {
        let named = W::WORDS.iter().find(|(word, _)| *word == text);
        let words: Vec<String> = W::WORDS.iter().map(|(word, _)| format!("`{word}`")).collect();
        *self = named.ok_or_else(|| format!("one of {}", words.join(", ")))?.1;
        Ok(())
    }
}

/// A named choice of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// The section of the paper that describes it.
    pub section: &'static str,
    /// What it does.
    pub summary: &'static str,
}

/// The settings of a technique.
pub trait TechniqueSettings: Clone {
    /// All variants with a fixed name.
    const VARIANTS: &'static [Variant];

    /// The settings of a variant.
    fn variant(&self, name: &str) -> Option<Self>;

    /// All settings.
    fn settings(&mut self) -> Vec<Setting<'_>>;
}

/// The settings of a technique without any.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSettings;

impl TechniqueSettings for NoSettings {
    const VARIANTS: &'static [Variant] = &[];

    fn variant(&self, _name: &str) -> Option<Self> {
        None
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        Vec::new()
    }
}

/// Why there is no strategy of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyError {
    /// There is no technique of this name.
    Technique(String),
    /// A technique has no variant of this name.
    Variant {
        /// The technique.
        technique: String,
        /// The name.
        variant: String,
        /// The variants that it has.
        known: Vec<&'static str>,
    },
    /// A variant does not come first, so that it would override settings.
    LateVariant {
        /// The technique.
        technique: String,
        /// The variant.
        variant: String,
    },
    /// A technique has no setting of this name.
    Setting {
        /// The technique.
        technique: String,
        /// The name.
        setting: String,
        /// The settings that it has.
        known: Vec<&'static str>,
    },
    /// The name of an external generator cannot be read.
    Command {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A setting cannot have this value.
    Value {
        /// The technique.
        technique: String,
        /// The setting.
        setting: String,
        /// The value.
        value: String,
        /// What it may be.
        expected: String,
    },
}

impl StrategyError {
    /// The technique that the name begins with.
    pub fn technique(&self) -> &str {
        match self {
            StrategyError::Technique(technique)
            | StrategyError::Variant { technique, .. }
            | StrategyError::LateVariant { technique, .. }
            | StrategyError::Setting { technique, .. }
            | StrategyError::Value { technique, .. } => technique,
            StrategyError::Command { .. } => "command",
        }
    }
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = |f: &mut fmt::Formatter<'_>, what: &str, known: &[&str]| match known {
            [] => write!(f, "; it has no {what}"),
            known => write!(f, "; it has {}", known.join(", ")),
        };
        match self {
            StrategyError::Technique(name) => write!(f, "there is no strategy `{name}`"),
            StrategyError::Variant { technique, variant, known } => {
                write!(f, "the strategy {technique} has no variant `{variant}`")?;
                has(f, "variants", known)
            }
            StrategyError::LateVariant { technique, variant } => {
                write!(f, "the variant comes before all settings: {technique}:{variant}:…")
            }
            StrategyError::Setting { technique, setting, known } => {
                write!(f, "the strategy {technique} has no setting `{setting}`")?;
                has(f, "settings", known)
            }
            StrategyError::Command { problem } => f.write_str(problem),
            StrategyError::Value { technique, setting, value, expected } => {
                write!(f, "`{value}` cannot be the setting `{setting}` of {technique}, which is {expected}")
            }
        }
    }
}

impl std::error::Error for StrategyError {}

/// The settings that the parts of a name behind the technique state: a variant, then settings as `NAME=VALUE`.
pub fn configured<S: TechniqueSettings>(
    technique: &str,
    usual: &S,
    parts: &[&str],
) -> Result<S, StrategyError> {
    let mut chosen = usual.clone();
    for (index, part) in parts.iter().enumerate() {
        if let Some((name, value)) = part.split_once('=') {
            set(technique, &mut chosen, name, value)?;
            continue;
        }
        let (technique, variant) = (technique.to_owned(), (*part).to_owned());
        chosen = match usual.variant(part) {
            Some(settings) if index == 0 => settings,
            Some(_) => return Err(StrategyError::LateVariant { technique, variant }),
            None => {
                let known = S::VARIANTS.iter().map(|variant| variant.name).collect();
                return Err(StrategyError::Variant { technique, variant, known });
            }
        };
    }
    Ok(chosen)
}

fn set<S: TechniqueSettings>(
    technique: &str,
    chosen: &mut S,
    name: &str,
    value: &str,
) -> Result<(), StrategyError> {
    let technique = technique.to_owned();
    let mut all = chosen.settings();
    let known = all.iter().map(|setting| setting.name).collect();
    let Some(setting) = all.iter_mut().find(|setting| setting.name == name) else {
        return Err(StrategyError::Setting { technique, setting: name.to_owned(), known });
    };
    setting.value.set(value).map_err(|expected| StrategyError::Value {
        technique,
        setting: name.to_owned(),
        value: value.to_owned(),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Sample {
        tries: usize,
        weighted: bool,
    }

    impl TechniqueSettings for Sample {
        const VARIANTS: &'static [Variant] = &[Variant { name: "published", section: "3", summary: "" }];

        fn variant(&self, name: &str) -> Option<Self> {
            (name == "published").then_some(Sample { tries: 50, weighted: true })
        }

        fn settings(&mut self) -> Vec<Setting<'_>> {
            let Sample { tries, weighted } = self;
            vec![Setting::new("tries", "3", "", tries), Setting::new("weighted", "", "", weighted)]
        }
    }

    #[test]
    fn names_state_variants_and_settings() {
        let usual = Sample { tries: 4, weighted: false };
        let read = |parts: &[&str]| configured("sample", &usual, parts).map_err(|error| error.to_string());
        assert_eq!(read(&[]), Ok(usual.clone()));
        assert_eq!(read(&["published"]), Ok(Sample { tries: 50, weighted: true }));
        assert_eq!(
            read(&["published", "weighted=false", "tries=7"]),
            Ok(Sample { tries: 7, weighted: false })
        );
        let table: [(&[&str], &str); 5] = [
            (&["draft"], "the strategy sample has no variant `draft`; it has published"),
            (&["tries=7", "published"], "the variant comes before all settings: sample:published:…"),
            (&["try=7"], "the strategy sample has no setting `try`; it has tries, weighted"),
            (&["tries=some"], "`some` cannot be the setting `tries` of sample, which is a whole number"),
            (&["weighted=1"], "`1` cannot be the setting `weighted` of sample, which is `true` or `false`"),
        ];
        for (parts, expected) in table {
            assert_eq!(read(parts), Err(expected.to_owned()), "{parts:?}");
        }
    }
}
