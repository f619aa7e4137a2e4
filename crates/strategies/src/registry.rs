//! The registry: every strategy by name.
//!
//! A name is a technique, perhaps followed by a variant and by settings, as in `diver:published:tries=10`. With `+valfuzz` behind it,
//! value mutation is a second stage. `command:` is followed by a command instead (`command/name.rs`).

use crate::api::{
    NoSettings, OptionSearch, Setting, Strategy, StrategyError, TechniqueSettings, Variant, configured,
};
use crate::approximate::{Approximate, ApproximateSettings};
use crate::command::{self, Command, CommandSettings};
use crate::diver::{Diver, DiverSettings};
use crate::exhaustive::{Exhaustive, ExhaustiveSettings};
use crate::falcon::Falcon;
use crate::fusion::{Fusion, FusionSettings};
use crate::grammar::{Enumerate, Grammar, GrammarSettings};
use crate::histfuzz::{HistFuzz, HistFuzzSettings, History};
use crate::incremental::{Incremental, IncrementalSettings};
use crate::opfuzz::OpFuzz;
use crate::seeds::Unchanged;
use crate::storm::{Storm, StormSettings};
use crate::swap::{Swap, SwapSettings};
use crate::typefuzz::{TypeFuzz, TypeFuzzSettings};
use crate::valfuzz::{SecondStage, ValFuzz, ValFuzzSettings};
use case::Seed;
use smt::Signatures;
use std::sync::Arc;

/// What strategies are built from.
#[derive(Clone)]
pub struct StrategyContext {
    /// The operators that cases may use.
    pub signatures: Arc<Signatures>,
    /// The formulas of the past that histfuzz works from.
    pub history: History,
    /// The seeds of the campaign, from which fusion chooses, and the number that the choice follows from.
    pub seeds: (Vec<Seed>, u64),
}

impl StrategyContext {
    /// These operators, and the built-in history.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        StrategyContext { signatures, history: History::built_in(), seeds: (Vec::new(), 0) }
    }

    /// The same with another history.
    pub fn with_history(self, history: History) -> Self {
        StrategyContext { history, ..self }
    }

    /// The same with seeds to choose from by a number.
    pub fn with_seeds(self, seeds: Vec<Seed>, number: u64) -> Self {
        StrategyContext { seeds: (seeds, number), ..self }
    }
}

/// A technique that makes cases.
pub struct Technique {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The paper that it comes from; empty if there is none.
    pub paper: &'static str,
    /// Whether campaigns use it if the user does not choose strategies.
    pub is_default: bool,
    build: Build,
    check: fn(&str, &[&str]) -> Result<(), StrategyError>,
    describe: fn() -> Description,
}

/// Builds the strategy of a name, whose parts behind the technique are given.
type Build = fn(&StrategyContext, &str, &[&str]) -> Result<Box<dyn Strategy>, StrategyError>;

/// The variants and settings of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The variants.
    pub variants: Vec<Variant>,
    /// The settings.
    pub settings: Vec<SettingDescription>,
}

/// A setting of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingDescription {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// The section of the paper that has it; empty if the paper does not have it.
    pub section: &'static str,
    /// The default.
    pub usual: String,
    /// Its value in the first variant, which is the paper's, if there is one.
    pub published: Option<String>,
}

impl Technique {
    /// Its variants and settings.
    pub fn description(&self) -> Description {
        (self.describe)()
    }
}

/// Checks the parts of a name behind the technique.
fn check<S: TechniqueSettings + Default>(technique: &str, parts: &[&str]) -> Result<(), StrategyError> {
    configured(technique, &S::default(), parts).map(|_| ())
}

/// Describes the settings of a technique.
fn describe<S: TechniqueSettings + Default>() -> Description {
    let mut usual = S::default();
    let mut published = S::VARIANTS.first().and_then(|first| usual.variant(first.name));
    let texts = |settings: Vec<Setting<'_>>| settings.iter().map(Setting::text).collect::<Vec<String>>();
    let published = published.as_mut().map(|settings| texts(settings.settings()));
    let describe = |(index, setting): (usize, Setting<'_>)| SettingDescription {
        name: setting.name,
        meaning: setting.meaning,
        section: setting.section,
        usual: setting.text(),
        published: published.as_ref().map(|texts| texts[index].clone()),
    };
    let settings = usual.settings().into_iter().enumerate().map(describe).collect();
    Description { variants: S::VARIANTS.to_vec(), settings }
}

/// All techniques, in the order in which they take turns.
pub const TECHNIQUES: &[Technique] = &[
    Technique {
        name: "seeds",
        summary: "runs each seed as it is",
        paper: "",
        is_default: true,
        build: |context, _, _| Ok(Box::new(Unchanged::new(context.signatures.clone()))),
        check: check::<NoSettings>,
        describe: describe::<NoSettings>,
    },
    Technique {
        name: "typefuzz",
        summary: "replaces an expression by a new one of the same sort",
        paper: "Park, Winterer, Zhang, Su: Generative Type-Aware Mutation for Testing SMT Solvers, OOPSLA 2021",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured("typefuzz", &TypeFuzzSettings::default(), parts)?;
            Ok(Box::new(TypeFuzz::new(context.signatures.clone(), settings).named(name)))
        },
        check: check::<TypeFuzzSettings>,
        describe: describe::<TypeFuzzSettings>,
    },
    Technique {
        name: "opfuzz",
        summary: "replaces an operator by another of a fitting type",
        paper: "Winterer, Zhang, Su: On the Unusual Effectiveness of Type-Aware Operator Mutations for Testing SMT Solvers, OOPSLA 2020",
        is_default: true,
        build: |context, _, _| Ok(Box::new(OpFuzz::new(context.signatures.clone()))),
        check: check::<NoSettings>,
        describe: describe::<NoSettings>,
    },
    Technique {
        name: "swap",
        summary: "replaces an expression by another one of the formula",
        paper: "Lampropoulos, Hicks, Pierce: Coverage Guided, Property Based Testing, OOPSLA 2019; sections are those of the TypeFuzz paper",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured("swap", &SwapSettings::default(), parts)?;
            Ok(Box::new(Swap::new(context.signatures.clone(), settings).named(name)))
        },
        check: check::<SwapSettings>,
        describe: describe::<SwapSettings>,
    },
    Technique {
        name: "diver",
        summary: "mutates a formula freely, but keeps it true under a model of the seed",
        paper: "Kim, So, Oh: DIVER: Oracle-Guided SMT Solver Testing with Unrestricted Random Mutations, ICSE 2023",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured("diver", &DiverSettings::default(), parts)?;
            Ok(Box::new(Diver::new(context.signatures.clone(), settings).named(name)))
        },
        check: check::<DiverSettings>,
        describe: describe::<DiverSettings>,
    },
    Technique {
        name: "storm",
        summary: "combines parts of a formula into new assertions that are true under a model of it",
        paper: "Mansur, Christakis, Wüstholz, Zhang: Detecting Critical Bugs in SMT Solvers Using Blackbox Mutational Fuzzing, ESEC/FSE 2020",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured("storm", &StormSettings::default(), parts)?;
            Ok(Box::new(Storm::new(context.signatures.clone(), settings).named(name)))
        },
        check: check::<StormSettings>,
        describe: describe::<StormSettings>,
    },
    Technique {
        name: "incremental",
        summary: "asserts, assumes and retracts parts of a formula step by step",
        paper: "",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured("incremental", &IncrementalSettings::default(), parts)?;
            Ok(Box::new(Incremental::new(context.signatures.clone(), settings).named(name)))
        },
        check: check::<IncrementalSettings>,
        describe: describe::<IncrementalSettings>,
    },
    Technique {
        name: Approximate::NAME,
        summary: "makes weaker formulas of satisfiable ones and stronger formulas of unsatisfiable ones",
        paper: "Yao, Huang, Tang, Shi, Wu, Zhang: Skeletal Approximation Enumeration for SMT Solver Testing, ESEC/FSE 2021",
        is_default: false,
        build: |context, name, parts| {
            let settings = configured(Approximate::NAME, &ApproximateSettings::default(), parts)?;
            Ok(Box::new(Approximate::new(context.signatures.clone(), settings).named(name)))
        },
        check: check::<ApproximateSettings>,
        describe: describe::<ApproximateSettings>,
    },
    Technique {
        name: "fusion",
        summary: "fuses formulas of the same status through functions with inverses",
        paper: "Winterer, Zhang, Su: Validating SMT Solvers via Semantic Fusion, PLDI 2020",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured("fusion", &FusionSettings::default(), parts)?;
            let (seeds, number) = &context.seeds;
            Ok(Box::new(Fusion::new(context.signatures.clone(), settings, seeds, *number).named(name)))
        },
        check: check::<FusionSettings>,
        describe: describe::<FusionSettings>,
    },
    Technique {
        name: "grammar",
        summary: "makes formulas from scratch by a probabilistic grammar over all operators",
        paper: "",
        is_default: true,
        build: |context, _, _| {
            Ok(Box::new(Grammar::new(context.signatures.clone(), GrammarSettings::default())))
        },
        check: check::<NoSettings>,
        describe: describe::<NoSettings>,
    },
    Technique {
        name: "enumerate",
        summary: "makes all small formulas, in order",
        paper: "",
        is_default: true,
        build: |context, _, _| Ok(Box::new(Enumerate::new(context.signatures.clone()))),
        check: check::<NoSettings>,
        describe: describe::<NoSettings>,
    },
    Technique {
        name: "exhaustive",
        summary: "makes all formulas of a small grammar for each theory up to a size, in order",
        paper: "",
        is_default: false,
        build: |context, name, parts| {
            let settings = configured("exhaustive", &ExhaustiveSettings::default(), parts)?;
            Ok(Box::new(Exhaustive::new(context.signatures.clone(), &settings).named(name)))
        },
        check: check::<ExhaustiveSettings>,
        describe: describe::<ExhaustiveSettings>,
    },
    Technique {
        name: ValFuzz::NAME,
        summary: "asks a solver for constants that make each Boolean expression true and false",
        paper: "Wolff: Value Mutation Testing for SMT Solvers, ETH Zürich 2020",
        is_default: true,
        build: |context, name, parts| Ok(Box::new(valfuzz(context, name, parts)?)),
        check: check::<ValFuzzSettings>,
        describe: describe::<ValFuzzSettings>,
    },
    Technique {
        name: HistFuzz::NAME,
        summary: "recombines parts of formulas that once broke a solver",
        paper: "Sun, Yang, Wen, Wang, Zhou, Jin: Validating SMT Solvers via Skeleton Enumeration Empowered by Historical Bug-Triggering Inputs, ICSE 2023",
        is_default: true,
        build: |context, name, parts| {
            let settings = configured(HistFuzz::NAME, &context.history.settings, parts)?;
            let history = History { settings, ..context.history.clone() };
            Ok(Box::new(HistFuzz::new(&context.signatures, history).named(name)))
        },
        check: check::<HistFuzzSettings>,
        describe: describe::<HistFuzzSettings>,
    },
    Technique {
        name: Falcon::NAME,
        summary: "makes formulas as grammar does, and runs each under many configurations of the solver",
        paper: "Yao, Huang, Tang, Shi, Wu, Zhang: Fuzzing SMT Solvers via Two-Dimensional Input Space Exploration, ISSTA 2021",
        // A default campaign varies options for the cases of all strategies.
        is_default: false,
        build: |context, name, parts| {
            let search = configured(Falcon::NAME, &OptionSearch::default(), parts)?;
            Ok(Box::new(Falcon::new(context.signatures.clone(), search).named(name)))
        },
        check: check::<OptionSearch>,
        describe: describe::<OptionSearch>,
    },
    Technique {
        name: Command::NAME,
        summary: "runs scripts that a program prints, as in command:'./gen --seed {seed}'",
        paper: "",
        is_default: false,
        build: |context, name, parts| {
            let (command, settings) = command_settings(parts)?;
            Ok(Box::new(Command::new(context.signatures.clone(), settings, command).named(name)))
        },
        check: |_, parts| command_settings(parts).map(|_| ()),
        describe: describe::<CommandSettings>,
    },
];

/// The command of an external generator, and its settings.
fn command_settings<'a>(parts: &[&'a str]) -> Result<(&'a str, CommandSettings), StrategyError> {
    let (command, settings) = parts.split_first().map_or(("", &[][..]), |(command, rest)| (*command, rest));
    Ok((command, configured(Command::NAME, &CommandSettings::default(), settings)?))
}

/// The technique that a name of a strategy begins with.
pub fn technique(name: &str) -> Option<&'static Technique> {
    let own = name.split([':', '+']).next();
    TECHNIQUES.iter().find(|technique| Some(technique.name) == own)
}

/// The names of all techniques, without variants and second stages.
pub fn names() -> impl Iterator<Item = &'static str> {
    TECHNIQUES.iter().map(|technique| technique.name)
}

/// The names of the techniques that a campaign uses by default.
pub fn default_names() -> impl Iterator<Item = &'static str> {
    TECHNIQUES.iter().filter(|technique| technique.is_default).map(|technique| technique.name)
}

/// Whether the strategy of this name works from [`StrategyContext::history`].
pub fn uses_history(name: &str) -> bool {
    technique(name).is_some_and(|technique| technique.name == HistFuzz::NAME)
}

/// Whether a solver that answers a seed has reason to answer the cases of this strategy, too: their known answer follows from that of
/// the seed.
pub fn keeps_answers(name: &str) -> bool {
    !name.contains('+') && technique(name).is_some_and(|technique| technique.name == Approximate::NAME)
}

/// All techniques with their default settings.
pub fn all(context: &StrategyContext) -> Vec<Box<dyn Strategy>> {
    names().filter_map(|name| by_name(name, context).ok()).collect()
}

/// The name of a strategy, taken apart.
struct Name<'a> {
    /// The strategy whose cases are the seeds of this one, if it is a second stage.
    first: Option<&'a str>,
    /// The last stage.
    last: &'a str,
    technique: &'static Technique,
    /// What follows the technique.
    parts: Vec<&'a str>,
}

impl<'a> Name<'a> {
    fn parse(name: &'a str) -> Result<Name<'a>, StrategyError> {
        let command = command::parse(name).transpose()?;
        // A plus sign in a command is no second stage.
        let stages = command.map_or(name, |command| command.rest);
        let (first, last) = match stages.rsplit_once('+') {
            Some((_, last)) => (Some(&name[..name.len() - last.len() - 1]), last),
            None => (None, name),
        };
        let fits = |technique: &&Technique| first.is_none() || technique.name == ValFuzz::NAME;
        let technique =
            technique(last).filter(fits).ok_or_else(|| StrategyError::Technique(name.to_owned()))?;
        let parts: Vec<&str> = match command.filter(|_| first.is_none()) {
            Some(command) => [command.command].into_iter().chain(command.rest.split(':').skip(1)).collect(),
            None => last.split(':').skip(1).collect(),
        };
        (technique.check)(technique.name, &parts)?;
        Ok(Name { first, last, technique, parts })
    }
}

/// The strategy that `--strategy` calls `name`.
pub fn by_name(name: &str, context: &StrategyContext) -> Result<Box<dyn Strategy>, StrategyError> {
    let Name { first, last, technique, parts } = Name::parse(name)?;
    let Some(first) = first else { return (technique.build)(context, last, &parts) };
    let second = valfuzz(context, last, &parts)?;
    Ok(Box::new(SecondStage::new(Arc::from(by_name(first, context)?), second)))
}

/// Whether there is a strategy of this name. Building it would take longer.
pub fn check_name(name: &str) -> Result<(), StrategyError> {
    Name::parse(name)?.first.map_or(Ok(()), check_name)
}

fn valfuzz(context: &StrategyContext, name: &str, parts: &[&str]) -> Result<ValFuzz, StrategyError> {
    let settings = configured(ValFuzz::NAME, &ValFuzzSettings::default(), parts)?;
    Ok(ValFuzz::new(context.signatures.clone(), settings).named(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_found_by_their_own_names() {
        let context = StrategyContext::new(Signatures::standard());
        for strategy in all(&context) {
            assert_eq!(by_name(strategy.name(), &context).unwrap().name(), strategy.name());
        }
        for name in [
            "valfuzz:BLENDB",
            "typefuzz+valfuzz",
            "histfuzz+valfuzz:RBASE",
            "opfuzz+valfuzz+valfuzz",
            "typefuzz:published:chain=100",
            "diver:no-weight+valfuzz:limit=7",
            "histfuzz:r",
            "command:./gen --seed {seed}",
            "command:./gen a+b,c:d=e",
            "command:'./gen a+b':seconds=3",
            "command:'./gen':seconds=3:megabytes=100+valfuzz:limit=7+valfuzz",
        ] {
            assert_eq!(by_name(name, &context).unwrap().name(), name);
            assert_eq!(check_name(name), Ok(()));
        }
        for name in [
            "",
            "fuzz",
            "valfuzz:",
            "valfuzz:NOTHING",
            "typefuzz+opfuzz",
            "+valfuzz",
            "typefuzz+",
            "opfuzz:published",
            "diver:tries=many",
            "command",
            "command:",
            "command:'./gen'+swap",
            "command:'./gen':seconds=few",
            "command:'./gen':published",
            "swap+command:./gen",
        ] {
            assert!(by_name(name, &context).is_err() && check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_variant_and_every_setting_can_be_chosen() {
        let context = StrategyContext::new(Signatures::standard());
        for technique in TECHNIQUES {
            let Description { variants, settings } = technique.description();
            let named = variants.iter().map(|variant| variant.name.to_owned());
            let set = settings.iter().map(|setting| format!("{}={}", setting.name, setting.usual));
            for part in named.chain(set) {
                let name = format!("{}:{part}", technique.name);
                assert_eq!(by_name(&name, &context).unwrap().name(), name);
            }
        }
    }
}
