//! What a finding means for a candidate: whether it is new relative to the baseline.

use case::Outcome;
use serde::Serialize;
use triage::releases::{Probe, ProbeNote, State};

/// What a finding means for the candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "standing", content = "why", rename_all = "kebab-case")]
pub enum Standing {
    /// The candidate shows it and the baseline does not.
    New,
    /// Both show it.
    Old,
    /// It is on the list of known bugs; this is where it was reported.
    Known(String),
    /// The candidate shows it, but it cannot be judged on the baseline, for this reason.
    NotComparable(String),
    /// The candidate does not show it.
    NotShown,
}

impl Standing {
    /// A few words for tables.
    pub fn words(&self) -> String {
        match self {
            Standing::New => "new".to_owned(),
            Standing::Old => "old: the baseline shows it, too".to_owned(),
            Standing::Known(link) => format!("known: {link}"),
            Standing::NotComparable(why) => format!("not comparable: {why}"),
            Standing::NotShown => "not shown by the candidate".to_owned(),
        }
    }
}

/// What a script means for the candidate, by what the two builds did with it.
pub(super) fn compare(candidate: &Probe, baseline: &Probe) -> Standing {
    match (candidate.state, baseline.state) {
        (State::Good | State::Unclear, _) => Standing::NotShown,
        (State::Bad, State::Bad) => Standing::Old,
        (State::Bad, State::Good) => Standing::New,
        (State::Bad, State::Unclear) => match why_unclear(baseline) {
            Some(why) => Standing::NotComparable(why.to_owned()),
            // It gives up on the script, so it does not show the bug.
            None => Standing::New,
        },
    }
}

/// Why a baseline that neither shows the bug nor answers correctly proves nothing; `None` if it only gives up.
fn why_unclear(baseline: &Probe) -> Option<&'static str> {
    use ProbeNote::{CoreUndetermined, ModelUndetermined, Plainly};
    let undetermined = matches!(baseline.note, Some(ModelUndetermined | CoreUndetermined | Plainly(_)));
    match baseline.result.as_ref().map(|result| &result.outcome) {
        None => Some("the baseline cannot be run"),
        Some(Outcome::Error { .. } | Outcome::Refused { .. }) => Some("the baseline rejects the script"),
        Some(Outcome::Crash(_) | Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. }) => {
            Some("the baseline fails in another way")
        }
        Some(Outcome::OutOfMemory | Outcome::OutputLimit | Outcome::Interrupted { .. }) => {
            Some("the baseline exceeds a limit")
        }
        Some(Outcome::Answered) if undetermined => Some("what the baseline returns cannot be checked"),
        Some(Outcome::Answered | Outcome::Timeout) => None,
    }
}

/// What a finding means whose case and reduced script mean these. A bug that the baseline shows in either form is old.
pub(super) fn combined(forms: Vec<Standing>) -> Standing {
    let rank = |standing: &Standing| match standing {
        Standing::Old => 0,
        Standing::New => 1,
        Standing::Known(_) | Standing::NotComparable(_) => 2,
        Standing::NotShown => 3,
    };
    forms.into_iter().min_by_key(rank).unwrap_or(Standing::NotShown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::{Answer, Crash, RunResult};

    fn probe(state: State, outcome: Option<Outcome>, note: Option<ProbeNote>) -> Probe {
        let answers = vec![Answer::Unknown];
        let result = outcome.map(|outcome| RunResult { outcome, answers });
        Probe { release: "z3@1".to_owned(), state, result, cpu_ms: None, note }
    }

    #[test]
    fn a_finding_is_new_if_the_baseline_does_not_show_it() {
        use State::{Bad, Good, Unclear};
        let answered = || Some(Outcome::Answered);
        let table = [
            (Bad, probe(Good, answered(), None), "new"),
            (Bad, probe(Bad, answered(), None), "old: the baseline shows it, too"),
            (Good, probe(Good, answered(), None), "not shown by the candidate"),
            (Unclear, probe(Bad, answered(), None), "not shown by the candidate"),
            // The baseline answers unknown or nothing in time.
            (Bad, probe(Unclear, answered(), None), "new"),
            (Bad, probe(Unclear, Some(Outcome::Timeout), None), "new"),
            (
                Bad,
                probe(Unclear, Some(Outcome::Error { message: "unknown constant".to_owned() }), None),
                "not comparable: the baseline rejects the script",
            ),
            (
                Bad,
                probe(Unclear, Some(Outcome::Crash(Crash::signal(11))), None),
                "not comparable: the baseline fails in another way",
            ),
            (
                Bad,
                probe(Unclear, answered(), Some(ProbeNote::ModelUndetermined)),
                "not comparable: what the baseline returns cannot be checked",
            ),
            (
                Bad,
                probe(Unclear, Some(Outcome::OutOfMemory), None),
                "not comparable: the baseline exceeds a limit",
            ),
            (Bad, probe(Unclear, None, None), "not comparable: the baseline cannot be run"),
        ];
        for (number, (candidate, baseline, expected)) in table.into_iter().enumerate() {
            let candidate = probe(candidate, answered(), None);
            assert_eq!(compare(&candidate, &baseline).words(), expected, "row {number}");
        }
    }

    #[test]
    fn a_bug_that_the_baseline_shows_in_any_form_is_old() {
        use Standing::{New, NotShown, Old};
        let unclear = || Standing::NotComparable(String::new());
        let table = [
            (vec![], NotShown),
            (vec![New], New),
            (vec![New, Old], Old),
            (vec![NotShown, New], New),
            (vec![unclear(), New], New),
            (vec![NotShown, unclear()], unclear()),
        ];
        for (forms, expected) in table {
            assert_eq!(combined(forms.clone()), expected, "{forms:?}");
        }
    }
}
