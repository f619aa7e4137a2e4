//! The settings of HistFuzz, and the text that says all that its instances depend on.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What is used of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Skeletons, atoms and rules of formulas that broke solvers.
    #[default]
    Full,
    /// The paper's HistFuzz_r: no rules, atoms at random.
    Random,
    /// The paper's HistFuzz_n: skeletons of normal formulas, atoms at random.
    Normal,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Full => "full",
            Variant::Random => "r",
            Variant::Normal => "n",
        })
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(text: &str) -> Result<Variant, String> {
        match text {
            "full" => Ok(Variant::Full),
            "r" => Ok(Variant::Random),
            "n" => Ok(Variant::Normal),
            other => Err(format!("`{other}` is no variant of histfuzz; write full, r or n")),
        }
    }
}

/// The settings of HistFuzz.
#[derive(Clone, Debug, PartialEq)]
pub struct HistFuzzSettings {
    /// What is used of the library.
    pub variant: Variant,
    /// Rules that fewer formulas follow are left aside; 0 for as many as suit the size of the library.
    pub support: u32,
    /// Rules that this part of the formulas with the antecedent follows, or less, are left aside.
    pub confidence: f64,
    /// Whether atomic formulas that our type checker refuses are used, where the library has any.
    pub ill_formed: bool,
    /// Whether options of reports are set in one instance of eight.
    pub options: bool,
    /// Whether atoms are weighted by what they showed in this campaign.
    pub weighted: bool,
    /// The solvers that are asked: atoms that broke them are taken twice as often. None for no preference.
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
            solvers: Vec::new(),
        }
    }
}

/// The paper's threshold: rules that more than nine of its 2,898 formulas follow.
const PAPER_SUPPORT: u32 = 10;
/// A library of so many formulas is as large as the paper's for this purpose.
const PAPER_FORMULAS: u32 = 2000;

impl HistFuzzSettings {
    /// The same with a support that suits the library, if none is set: the paper's, or fewer in a small library.
    pub(super) fn for_library(mut self, formulas: u32) -> HistFuzzSettings {
        if self.support == 0 {
            self.support = (PAPER_SUPPORT * formulas.min(PAPER_FORMULAS) / PAPER_FORMULAS).max(2);
        }
        self
    }
}

/// The weight of an atom that showed nothing yet.
pub(super) const USUAL_WEIGHT: u8 = 8;
/// The most that an atom can weigh.
pub(super) const MOST_WEIGHT: u8 = 32;

/// The weights of the atoms that showed something.
pub(super) type Weights = BTreeMap<u32, u8>;

/// All that instances depend on beside the random numbers, as the text of a seed.
pub(super) fn seed_text(settings: &HistFuzzSettings, library: u64, file: &str, weights: &Weights) -> String {
    let HistFuzzSettings { variant, support, confidence, ill_formed, options, weighted: _, solvers } =
        settings;
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
         ; solvers: {}\n\
         ; weights: {}\n",
        solvers.join(" "),
        weights.join(" ")
    )
}

/// What the text of a seed says.
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
    /// Reads the text of a seed of HistFuzz's own; nothing if it is another seed.
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
                solvers: field("solvers")?.split_whitespace().map(str::to_owned).collect(),
            },
            file: field("library")?.to_owned(),
            library: u64::from_str_radix(field("fingerprint")?, 16).ok()?,
            weights: field("weights")?.split_whitespace().map(pair).collect::<Option<_>>()?,
        })
    }
}
