//! What a user sets for one machine and the campaign has decided otherwise.

use crate::config::{ConfigError, FuzzConfig};
use crate::seeds::Pool;
use crate::settings::Settings;
use serde_json::{Value, json};

/// How what is set contradicts a campaign: a sentence for each setting. What concerns one machine alone is free: its workers, its
/// folder, how long it takes part, and the limits of runs unless the cases depend on them.
pub fn contradictions(
    given: &FuzzConfig,
    campaign: &Settings,
    campaign_seeds: &Pool,
) -> Result<Vec<String>, ConfigError> {
    let as_settings = given.settings(campaign.signature_files.clone())?;
    let if_set = |is_set: bool, value: Value| is_set.then_some(value);
    let is_fixed = campaign.repeatable;
    let oracles = !given.oracles.is_empty();
    let history = &given.history;
    let settings: [(&str, Option<Value>, Value); 27] = [
        (
            "the strategies",
            if_set(!given.strategies.is_empty(), json!(as_settings.strategies)),
            json!(campaign.strategies),
        ),
        ("the seed number", given.seed.map(Value::from), json!(campaign.seed)),
        ("the number of cases", given.cases.map(Value::from), json!(campaign.cases)),
        ("budget", given.budget.map(Value::from), json!(campaign.budget)),
        ("timeout", given.timeout.filter(|_| is_fixed).map(Value::from), json!(campaign.timeout)),
        ("memory", given.memory.filter(|_| is_fixed).map(Value::from), json!(campaign.memory)),
        ("models", given.models.map(Value::from), json!(campaign.models)),
        ("own-checks", given.own_checks.map(Value::from), json!(campaign.own_checks)),
        ("the oracles", if_set(oracles, json!(as_settings.oracles)), json!(campaign.oracles)),
        ("cores", given.cores.map(Value::from), json!(campaign.cores)),
        ("tactics", given.tactics.map(Value::from), json!(campaign.tactics)),
        ("forms", given.forms.map(Value::from), json!(campaign.forms)),
        ("proofs", given.proofs.clone().map(Value::from), json!(campaign.proof_checker)),
        ("performance", given.performance.map(Value::from), json!(campaign.performance)),
        ("incompleteness", given.incompleteness.map(Value::from), json!(campaign.incompleteness)),
        ("shares", given.shares.map(|shares| json!(shares)), json!(campaign.shares)),
        ("fixed-timeout", given.fixed_timeout.map(Value::from), json!(campaign.fixed_timeout)),
        ("warm", given.warm.map(Value::from), json!(campaign.warm)),
        ("incremental", given.incremental.map(Value::from), json!(campaign.incremental)),
        ("configurations", given.configurations.map(Value::from), json!(campaign.configurations)),
        ("guided", given.guided.map(Value::from), json!(campaign.guided)),
        ("coverage", given.coverage.map(Value::from), json!(campaign.coverage)),
        (
            "history.variant",
            if_set(history.variant.is_some(), json!(as_settings.history.variant)),
            json!(campaign.history.variant),
        ),
        ("history.support", history.support.map(Value::from), json!(campaign.history.support)),
        ("history.confidence", history.confidence.map(Value::from), json!(campaign.history.confidence)),
        ("history.options", history.options.map(Value::from), json!(campaign.history.options)),
        ("history.ill-formed", history.ill_formed.map(Value::from), json!(campaign.history.ill_formed)),
    ];
    let differs = |(name, set, decided): &(&str, Option<Value>, Value)| {
        let set = set.as_ref().filter(|set| *set != decided)?;
        let decided = if decided.is_null() { "not limited".to_owned() } else { decided.to_string() };
        Some(format!("{name} of the campaign: {decided}, and you set {set}"))
    };
    let mut found: Vec<String> = settings.iter().filter_map(differs).collect();
    if !given.seeds.is_empty() {
        let own = Pool::read(&as_settings.seeds);
        let fingerprint = |pool: &Pool| pool.fingerprint_with(std::iter::empty());
        if fingerprint(&own) != fingerprint(campaign_seeds) {
            let counts = [campaign_seeds, &own].map(|pool| case::table::counted(pool.seeds.len(), "seed"));
            found.push(format!("the campaign has {}, and you name others ({})", counts[0], counts[1]));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_machine_may_not_decide_is_named() {
        let campaign = Settings { repeatable: true, cases: Some(10), seed: 7, ..Settings::default() };
        let usual = FuzzConfig::default();
        let table: [(FuzzConfig, &[&str]); 8] = [
            (usual.clone(), &[]),
            (
                FuzzConfig { jobs: Some(9), time: Some(5), seed: Some(7), cases: Some(10), ..usual.clone() },
                &[],
            ),
            (
                FuzzConfig { seed: Some(8), ..usual.clone() },
                &["the seed number of the campaign: 7, and you set 8"],
            ),
            (
                FuzzConfig { cases: Some(11), ..usual.clone() },
                &["the number of cases of the campaign: 10, and you set 11"],
            ),
            (
                FuzzConfig { timeout: Some(9), ..usual.clone() },
                &["timeout of the campaign: 2000, and you set 9"],
            ),
            (FuzzConfig { warm: Some(true), ..usual.clone() }, &[]),
            (
                FuzzConfig { models: Some(false), ..usual.clone() },
                &["models of the campaign: true, and you set false"],
            ),
            (FuzzConfig { seeds: vec!["nowhere".into()], ..usual }, &[]),
        ];
        for (given, expected) in table {
            assert_eq!(contradictions(&given, &campaign, &Pool::default()).unwrap(), expected);
        }
        let endless = Settings { seed: 7, ..Settings::default() };
        let given = FuzzConfig { timeout: Some(9), cases: Some(4), ..FuzzConfig::default() };
        assert_eq!(
            contradictions(&given, &endless, &Pool::default()).unwrap(),
            ["the number of cases of the campaign: not limited, and you set 4"]
        );
    }
}
