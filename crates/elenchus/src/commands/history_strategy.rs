//! The strategy `histfuzz` as the user wants it: its settings from the command line and the configuration, its library from
//! a file.

use crate::commands::fuzz_config::HistoryTable;
use crate::files::read_text;
use crate::outcome::Failure;
use campaign::HistorySettings;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strategies::histfuzz::{FromSeed, Library, Variant, built_in};
use strategies::{HistFuzzSettings, History};

/// The library that `history mine` writes and the others read, if none is named.
pub const DEFAULT_LIBRARY: &str = "elenchus-history.txt";

/// What can be said about histfuzz on the command line of `elenchus fuzz`.
#[derive(Args)]
pub struct HistoryFlags {
    /// histfuzz: the library to make instances from [default: elenchus-history.txt, if there is one, else the built-in one]
    #[arg(long = "history", value_name = "FILE")]
    library: Option<PathBuf>,
    /// histfuzz: full, r (atoms at random) or n (skeletons of normal formulas, atoms at random) [default: full]
    #[arg(long = "history-variant", value_name = "NAME")]
    variant: Option<Variant>,
    /// histfuzz: leave aside rules that fewer formulas follow [default: 10, fewer for a small library]
    #[arg(long = "history-support", value_name = "N")]
    support: Option<u32>,
    /// histfuzz: leave aside rules with this confidence or less [default: 0.5]
    #[arg(long = "history-confidence", value_name = "PART")]
    confidence: Option<f64>,
    /// histfuzz: use formulas that the type checker refuses too, where the library has any
    #[arg(long = "history-ill-formed")]
    ill_formed: bool,
    /// histfuzz: set the options of the reports that an instance comes from, in one instance of eight
    #[arg(long = "history-options")]
    options: bool,
    /// histfuzz: do not weight atoms by what they have shown in this campaign
    #[arg(long = "history-unweighted")]
    unweighted: bool,
}

impl HistoryFlags {
    /// The settings of a new campaign: the command line goes before the configuration.
    pub fn settings(&self, table: &HistoryTable) -> Result<HistorySettings, Failure> {
        let usual = HistorySettings::default();
        let library = self.library.clone().or_else(|| table.library.clone());
        let present = || Path::new(DEFAULT_LIBRARY).is_file().then(|| PathBuf::from(DEFAULT_LIBRARY));
        let library = library.or_else(present);
        let settings = HistorySettings {
            library: library.map(|file| std::path::absolute(&file).unwrap_or(file)),
            variant: self
                .variant
                .map(|variant| variant.to_string())
                .or_else(|| table.variant.clone())
                .unwrap_or(usual.variant),
            support: self.support.or(table.support).unwrap_or(usual.support),
            confidence: self.confidence.or(table.confidence).unwrap_or(usual.confidence),
            ill_formed: self.ill_formed || table.ill_formed.unwrap_or(usual.ill_formed),
            options: self.options || table.options.unwrap_or(usual.options),
            weighted: !self.unweighted && table.weighted.unwrap_or(usual.weighted),
            prefer: usual.prefer,
        };
        settings.for_strategy().map_err(Failure::new)?;
        Ok(settings)
    }
}

/// Reads a library.
pub fn read_library(file: &Path) -> Result<Library, Failure> {
    Library::read(&read_text(file)?).map_err(|error| {
        Failure::new(format!("{}: {error}", file.display()))
            .hint("make it anew with `elenchus history mine`, which says what it reads with --help")
    })
}

/// The history that a campaign's settings describe.
pub fn history(settings: &HistorySettings) -> Result<History, Failure> {
    let for_strategy = settings.for_strategy().map_err(Failure::new)?;
    loaded(settings.library.as_deref(), for_strategy)
}

/// The history that the seed of a case names; `None` if the case was made from a script.
pub fn of_seed(seed: &str) -> Result<Option<History>, Failure> {
    let Some(own) = FromSeed::read(seed) else { return Ok(None) };
    let file = (!own.file.is_empty()).then(|| PathBuf::from(&own.file));
    loaded(file.as_deref(), own.settings).map(Some)
}

fn loaded(file: Option<&Path>, settings: HistFuzzSettings) -> Result<History, Failure> {
    let (library, name) = match file {
        Some(file) => (Arc::new(read_library(file)?), file.display().to_string()),
        None => (built_in(), String::new()),
    };
    if settings.variant == Variant::Normal && library.normal.is_empty() {
        return Err(Failure::new("the library has no skeletons of normal formulas")
            .hint("mine it with them: elenchus history mine FORMULAS --normal FOLDER"));
    }
    if library.skeletons.is_empty() {
        return Err(Failure::new("the library is empty")
            .hint("mine formulas that can be read: elenchus history mine FORMULAS"));
    }
    Ok(History { library, file: name, settings })
}
