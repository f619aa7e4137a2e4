//! The settings of HistFuzz, and the seed text that states everything its instances depend on.

use crate::api::{self, Setting, TechniqueSettings, Word};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Which parts of the library to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Skeletons, atoms and rules of formulas that broke solvers.
    #[default]
    Full,
    /// The paper's HistFuzz_r: no rules, random atoms.
    Random,
    /// The paper's HistFuzz_n: skeletons of normal formulas, random atoms.
    Normal,
}

impl Word for Variant {
    const WORDS: &'static [(&'static str, Variant)] =
        &[("full", Variant::Full), ("r", Variant::Random), ("n", Variant::Normal)];
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&api::SettingValue::text(self))
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(text: &str) -> Result<Variant, String> {
        match text {
            "full" => Ok(Variant::Full),
            "r" => Ok(Variant::Random),
            "n" => Ok(Variant::Normal),
            other => Err(format!("unknown variant `{other}` of histfuzz; choose `full`, `r` or `n`")),
        }
    }
}

/// The settings of HistFuzz.
#[derive(Clone, Debug, PartialEq)]
pub struct HistFuzzSettings {
    /// Which parts of the library to use.
    pub variant: Variant,
    /// The minimum number of formulas that follow a rule; 0 for a default that depends on the size of the library.
    pub support: u32,
    /// The confidence that a rule must exceed.
    pub confidence: f64,
    /// Whether to use atoms that our type checker rejects, if the library has any.
    pub ill_formed: bool,
    /// Whether one instance in eight sets the options of a report.
    pub options: bool,
    /// Whether atoms are weighted by the bugs that they showed in this campaign.
    pub weighted: bool,
    /// Whether atoms that broke a selected solver are twice as likely.
    pub preferring: bool,
    /// Whether seven instances in eight use only what several solvers support, and half of the random atoms share a sort with
    /// earlier ones.
    pub biased: bool,
    /// The selected solvers, which instances are for. Empty for any.
    pub solvers: Vec<String>,
}

impl Default for HistFuzzSettings {
    fn default() -> Self {
        HistFuzzSettings {
            variant: Variant::Full,
            support: 0,
            confidence: 0.5,
            ill_formed: false,
            options: false,
            weighted: true,
            preferring: true,
            biased: true,
            solvers: Vec::new(),
        }
    }
}

impl HistFuzzSettings {
    /// The settings of the paper.
    pub fn as_published() -> HistFuzzSettings {
        HistFuzzSettings {
            support: PAPER_SUPPORT,
            confidence: 0.5,
            weighted: false,
            preferring: false,
            biased: false,
            ..HistFuzzSettings::default()
        }
    }
}

impl TechniqueSettings for HistFuzzSettings {
    const VARIANTS: &'static [api::Variant] = &[
        api::Variant {
            name: "published",
            section: "III",
            summary: "the algorithms and thresholds of the paper",
        },
        api::Variant {
            name: "r",
            section: "IV-D",
            summary: "as published, with random atoms instead of rules",
        },
        api::Variant {
            name: "n",
            section: "IV-D",
            summary: "as published, with skeletons of normal formulas and random atoms",
        },
    ];

    fn variant(&self, name: &str) -> Option<Self> {
        let published =
            HistFuzzSettings { solvers: self.solvers.clone(), ..HistFuzzSettings::as_published() };
        match name {
            "published" => Some(published),
            "r" => Some(HistFuzzSettings { variant: Variant::Random, ..published }),
            "n" => Some(HistFuzzSettings { variant: Variant::Normal, ..published }),
            _ => None,
        }
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        // The campaign sets the solvers.
        let HistFuzzSettings {
            variant,
            support,
            confidence,
            ill_formed,
            options,
            weighted,
            preferring,
            biased,
            solvers: _,
        } = self;
        vec![
            Setting::new("variant", "IV-D", "parts of the library to use", variant),
            Setting::new(
                "support",
                "III-C",
                "fewest formulas that follow a rule; 0 for a value that suits the library",
                support,
            ),
            Setting::new("confidence", "III-C", "rules need a higher confidence than this", confidence),
            Setting::new("ill-formed", "", "use atoms that our type checker rejects", ill_formed),
            Setting::new("options", "", "set the options of a report in one case of eight", options),
            Setting::new("weighted", "", "prefer atoms that led to findings", weighted),
            Setting::new("preferring", "", "prefer atoms that broke one of the selected solvers", preferring),
            Setting::new(
                "biased",
                "",
                "prefer what several solvers support, and atoms that share a sort",
                biased,
            ),
        ]
    }
}

/// The paper's threshold: more than nine of its 2,898 formulas follow a rule.
const PAPER_SUPPORT: u32 = 10;
/// The threshold applies to libraries with at least this many formulas.
const PAPER_FORMULAS: u32 = 2000;

impl HistFuzzSettings {
    /// Fills in the minimum support if none is set: the paper's, or less for a small library.
    pub(super) fn for_library(mut self, formulas: u32) -> HistFuzzSettings {
        if self.support == 0 {
            self.support = (PAPER_SUPPORT * formulas.min(PAPER_FORMULAS) / PAPER_FORMULAS).max(2);
        }
        self
    }
}

/// The weight of an atom that has shown nothing yet.
pub(super) const USUAL_WEIGHT: u8 = 8;
/// The maximum weight of an atom.
pub(super) const MOST_WEIGHT: u8 = 32;

/// The weights of the atoms that showed bugs.
pub(super) type Weights = BTreeMap<u32, u8>;

/// Everything that instances depend on except the random numbers, as the text of a seed.
pub(super) fn seed_text(settings: &HistFuzzSettings, library: u64, file: &str, weights: &Weights) -> String {
    let HistFuzzSettings {
        variant,
        support,
        confidence,
        ill_formed,
        options,
        weighted: _,
        preferring,
        biased,
        solvers,
    } = settings;
    // The usual case is not stated, so that seeds keep the text that they had before there was a choice.
    let unbiased = if *biased { "" } else { "; biased: false\n" };
    let weights: Vec<String> = weights.iter().map(|(atom, weight)| format!("{atom}:{weight}")).collect();
    format!(
        "; made from history by histfuzz, not from a seed\n\
         ; library: {file}\n\
         ; fingerprint: {library:016x}\n\
         ; variant: {variant}\n\
         ; support: {support}\n\
         ; confidence: {confidence}\n\
         ; ill-formed: {ill_formed}\n\
         ; options: {options}\n\
         ; preferring: {preferring}\n\
         {unbiased}\
         ; solvers: {}\n\
         ; weights: {}\n",
        solvers.join(" "),
        weights.join(" ")
    )
}

/// The content of a seed text.
#[derive(Clone, Debug, PartialEq)]
pub struct FromSeed {
    /// The settings.
    pub settings: HistFuzzSettings,
    /// The file of the library; empty for the built-in one.
    pub file: String,
    pub(super) library: u64,
    pub(super) weights: Weights,
}

impl FromSeed {
    /// Parses the text of a HistFuzz seed; `None` for any other seed.
    pub fn read(text: &str) -> Option<FromSeed> {
        let field = |name: &str| -> Option<&str> {
            let begin = format!("; {name}:");
            text.lines().find_map(|line| line.strip_prefix(&begin)).map(str::trim)
        };
        let pair = |word: &str| -> Option<(u32, u8)> {
            let (atom, weight) = word.split_once(':')?;
            Some((atom.parse().ok()?, weight.parse().ok()?))
        };
        Some(FromSeed {
            settings: HistFuzzSettings {
                variant: field("variant")?.parse().ok()?,
                support: field("support")?.parse().ok()?,
                confidence: field("confidence")?.parse().ok()?,
                ill_formed: field("ill-formed")?.parse().ok()?,
                options: field("options")?.parse().ok()?,
                weighted: true,
                preferring: field("preferring")?.parse().ok()?,
                biased: field("biased").is_none_or(|text| text != "false"),
                solvers: field("solvers")?.split_whitespace().map(str::to_owned).collect(),
            },
            file: field("library")?.to_owned(),
            library: u64::from_str_radix(field("fingerprint")?, 16).ok()?,
            weights: field("weights")?.split_whitespace().map(pair).collect::<Option<_>>()?,
        })
    }
}
