//! A strategy may ask which of its cases showed a bug, and its later cases can be made again all the same.

mod support;

use campaign::{Plan, Pool, Settings, case_again, seed_again};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Case, Mutator, Questioner, Random, Seed, Strategy, Unsuitable};
use support::{Silent, script_solver};
use triage::{ModelJudge, NoOpinion};

/// Asks after three cases, the second of which crashes the solver. What it hears is in the next case.
struct Asks;

struct Asking {
    made: u64,
}

impl Strategy for Asks {
    fn name(&self) -> &str {
        "asks"
    }

    fn continued_turns(&self) -> u64 {
        1000
    }

    fn open(&self, _seed: &Seed, _random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(Asking { made: 0 }))
    }
}

impl Mutator for Asking {
    fn next_case(&mut self) -> Option<Case> {
        None
    }

    fn next_case_with(&mut self, questioner: &mut dyn Questioner) -> Option<Case> {
        let heard = if self.made == 3 { questioner.buggy_cases(self.made) } else { None };
        let number = match (heard, self.made) {
            (Some(heard), _) => 9000 + heard.text.parse::<u64>().unwrap(),
            (None, 1) => 7,
            (None, made) => 100 + made,
        };
        self.made += 1;
        let text = format!("(declare-const x Int)\n(assert (> x {number}))\n(check-sat)\n");
        Some(Case { text, ..Case::default() })
    }
}

#[test]
fn strategies_hear_which_of_their_cases_showed_a_bug() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let body = "case \"$(cat \"$file\")\" in *'> x 7)'*) kill -SEGV $$;; \
                *'> x 90'*) echo sat; echo '(error \"an invalid model was generated\")';; *) echo sat;; esac";
    let seed = Seed::new("one", "(check-sat)");
    let settings = Settings {
        warm: false,
        models: false,
        own_checks: false,
        jobs: 1,
        time: Some(3_000),
        ..Settings::default()
    };
    let campaign_seed = settings.seed;
    let plan = Plan {
        settings,
        targets: vec![script_solver(folder.path(), "z3@1", body)],
        strategies: vec![Arc::new(Asks)],
        pool: Pool { seeds: vec![seed.clone()], unusable: Vec::new() },
        judges: &|| -> Box<dyn ModelJudge> { Box::new(NoOpinion) },
        options: Vec::new(),
        installer: None,
    };
    campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let found: Vec<_> = store.findings().unwrap().iter().map(|listed| store.read(listed).unwrap()).collect();
    let (finding, case, _) = found.iter().find(|(_, case, _)| case.contains("> x 90")).expect("it was told");
    assert!(case.contains("> x 9001)"), "{case}");
    let again = seed_again(finding, seed.text.to_string());
    let origin = &finding.origin;
    let made = case_again(&Asks, &again, campaign_seed, origin.round, origin.index).unwrap().unwrap();
    assert_eq!(made.text, *case);
    // Without the answer it would be another case.
    let forgotten = case_again(&Asks, &seed, campaign_seed, origin.round, origin.index).unwrap().unwrap();
    assert_ne!(forgotten.text, *case);
}
