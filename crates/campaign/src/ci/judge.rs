//! Judges findings: runs them on the candidate and on the baseline.

use super::report::{JudgedFinding, Phase};
use super::standing::{Standing, combined, compare};
use case::text::shell_quoted;
use case::{Answer, Claim, Class, Outcome, Predicate, Severity};
use solver::Target;
use solver::run::Limits;
use std::path::{Path, PathBuf};
use store::{Listed, Store};
use triage::known::KnownBugs;
use triage::regress::{Regression, of_finding};
use triage::releases::{Probe, State};
use triage::{REDUCED, TriageError, Version};

/// How often the candidate may fail to show a finding before it counts as not shown. Some bugs depend on addresses or time.
const TRIES: usize = 3;

/// What a judgement needs.
pub(super) struct Judge<'a> {
    /// The build that is tested.
    pub candidate: &'a Target,
    /// The build that it is compared with.
    pub baseline: &'a Target,
    /// The two builds as the user names them.
    pub names: (&'a str, &'a str),
    /// The limits of each run.
    pub limits: Limits,
    /// The list of known bugs.
    pub known: &'a KnownBugs,
}

/// What the two builds did with one script.
struct Compared {
    standing: Standing,
    candidate_did: String,
    baseline_did: String,
}

impl Judge<'_> {
    /// Judges a finding of a campaign by its reduced script and by its case.
    pub fn finding(
        &self,
        store: &Store,
        listed: &Listed,
        phase: Phase,
    ) -> Result<JudgedFinding, TriageError> {
        let folder = store.folder().join(&listed.folder);
        let reduced = of_finding(store, listed, Version::Reduced)?;
        let case = of_finding(store, listed, Version::Case)?;
        let is_reduced = folder.join(REDUCED).is_file();
        let mut forms: Vec<(Regression, PathBuf)> = Vec::new();
        forms.extend(reduced.filter(|_| is_reduced).map(|reduced| (reduced, folder.join(REDUCED))));
        forms.extend(case.map(|case| (case, folder.join("case.smt2"))));
        let mut judged = JudgedFinding {
            id: listed.id.clone(),
            phase,
            class: listed.class,
            severity: listed.severity,
            title: listed.title.clone(),
            standing: Standing::NotComparable("no plain run shows it".to_owned()),
            candidate_did: String::new(),
            baseline_did: String::new(),
            script: String::new(),
            file: folder.join("case.smt2"),
            reproduce: format!("elenchus replay {} --out {}", listed.id, quoted(store.folder())),
            merged_into: listed.merged_into.clone(),
        };
        if !forms.is_empty() {
            judged.standing = Standing::NotComparable("it is undecided which solver is wrong".to_owned());
        }
        forms.retain(|(form, _)| !is_undecided(&form.predicate));
        let mut standings = Vec::new();
        let mut shown: Option<Compared> = None;
        for (form, file) in &forms {
            let Some(compared) = self.compare(form)? else { continue };
            standings.push(compared.standing.clone());
            // The reduced script comes first; the case replaces it only if it shows more.
            if shown.as_ref().is_none_or(|shown| shown.standing == Standing::NotShown) {
                (judged.script, judged.file) = (form.script.clone(), file.clone());
                judged.reproduce = self.command(&form.predicate, file).unwrap_or(judged.reproduce);
                shown = Some(compared);
            }
        }
        if let Some(shown) = shown {
            (judged.candidate_did, judged.baseline_did) = (shown.candidate_did, shown.baseline_did);
            judged.standing = combined(standings);
        }
        if let Some(link) = self.known_link(listed, &folder).filter(|_| judged.standing == Standing::New) {
            judged.standing = Standing::Known(link);
        }
        Ok(judged)
    }

    /// Judges a script that states what it shows; `None` if it claims nothing about the candidate.
    pub fn script(&self, regression: &Regression, file: &Path) -> Result<Option<JudgedFinding>, TriageError> {
        let Some(compared) = self.compare(regression)? else { return Ok(None) };
        let class = class_of(&regression.predicate);
        let needs_options = regression.predicate.clauses.iter().any(|clause| !clause.options.is_empty());
        let regress = || {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let candidate = shell_quoted(self.names.0);
            format!("elenchus regress {} --solver {candidate}", quoted(folder.unwrap_or(Path::new("."))))
        };
        Ok(Some(JudgedFinding {
            id: regression.name.clone(),
            phase: Phase::Regressions,
            class,
            severity: Severity::of(class, needs_options),
            title: regression.predicate.to_string(),
            standing: compared.standing,
            candidate_did: compared.candidate_did,
            baseline_did: compared.baseline_did,
            script: regression.script.clone(),
            file: file.to_owned(),
            reproduce: self.command(&regression.predicate, file).unwrap_or_else(regress),
            merged_into: None,
        }))
    }

    /// Runs a script on both builds; `None` if it claims nothing about the candidate.
    fn compare(&self, regression: &Regression) -> Result<Option<Compared>, TriageError> {
        let Some(candidate) = self.probe_candidate(regression)? else { return Ok(None) };
        // What the candidate does not show need not be compared.
        if candidate.state != State::Bad {
            let (candidate_did, baseline_did) = (candidate.did(), String::new());
            return Ok(Some(Compared { standing: Standing::NotShown, candidate_did, baseline_did }));
        }
        let Some(baseline) = regression.probe(self.baseline, self.limits)? else {
            let standing = Standing::NotComparable("the baseline is another solver".to_owned());
            let (candidate_did, baseline_did) = (candidate.did(), String::new());
            return Ok(Some(Compared { standing, candidate_did, baseline_did }));
        };
        let standing = compare(&candidate, &baseline);
        Ok(Some(Compared { standing, candidate_did: candidate.did(), baseline_did: baseline.did() }))
    }

    /// Runs a script on the candidate until it shows the bug.
    fn probe_candidate(&self, regression: &Regression) -> Result<Option<Probe>, TriageError> {
        let mut last = None;
        for _ in 0..TRIES {
            last = regression.probe(self.candidate, self.limits)?;
            // One long run is enough.
            let ends = |probe: &Probe| probe.state == State::Bad || is_timeout(probe);
            if last.as_ref().is_none_or(ends) {
                break;
            }
        }
        Ok(last)
    }

    /// Where a finding was reported, if it is known.
    fn known_link(&self, listed: &Listed, folder: &Path) -> Option<String> {
        self.known.repeated_in(folder, listed).map(|bug| bug.link.clone())
    }

    /// A command that shows on the builds what a script claims; `None` if no short one does.
    fn command(&self, predicate: &Predicate, file: &Path) -> Option<String> {
        let (candidate, baseline) = (shell_quoted(self.names.0), shell_quoted(self.names.1));
        if predicate.clauses.iter().any(|clause| !clause.options.is_empty()) {
            return None;
        }
        let claims = || predicate.clauses.iter().map(|clause| &clause.claim);
        if claims().all(|claim| matches!(claim, Claim::Says(_) | Claim::Crashes(_))) {
            Some(format!("elenchus solve {} --solver {candidate} --solver {baseline}", quoted(file)))
        } else if claims().all(|claim| matches!(claim, Claim::Says(_) | Claim::WrongModel)) {
            Some(format!("elenchus validate {} --solver {candidate}", quoted(file)))
        } else {
            None
        }
    }
}

fn is_timeout(probe: &Probe) -> bool {
    probe.result.as_ref().is_some_and(|result| result.outcome == Outcome::Timeout)
}

fn quoted(path: &Path) -> String {
    shell_quoted(&path.display().to_string())
}

/// Whether a predicate only says that solvers contradict each other, so that either may be wrong.
fn is_undecided(predicate: &Predicate) -> bool {
    let says = |answer: Answer| predicate.clauses.iter().any(|clause| clause.claim == Claim::Says(answer));
    says(Answer::Sat) && says(Answer::Unsat)
}

/// The kind of bug that a predicate states: that of its first claim which is a fault, else of its first.
fn class_of(predicate: &Predicate) -> Class {
    let class = |claim: &Claim| match claim {
        Claim::Crashes(_) => Class::Crash,
        Claim::WrongModel | Claim::OwnModelCheck => Class::InvalidModel,
        Claim::OwnProofCheck | Claim::RejectedProof(_) => Class::InvalidProof,
        Claim::WrongCore | Claim::SatisfiesCore => Class::InvalidCore,
        Claim::Misstates(kind) => kind.class(),
        Claim::RefutesStatement => Class::WrongConsequence,
        Claim::Slow(_) | Claim::Fast(_) => Class::Performance,
        Claim::Says(Answer::Unsat) => Class::WrongUnsat,
        Claim::Says(Answer::Unknown) => Class::Incompleteness,
        Claim::Says(_) => Class::WrongSat,
        Claim::SaysPlainly(_) => Class::Contradiction,
    };
    let mut claims: Vec<&Claim> = predicate.clauses.iter().map(|clause| &clause.claim).collect();
    claims.sort_by_key(|claim| matches!(claim, Claim::Says(_) | Claim::RefutesStatement));
    claims.first().map_or(Class::Contradiction, |claim| class(claim))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_state_a_class_or_leave_it_open() {
        let table = [
            ("z3 says unsat, cvc5 says sat", Class::WrongUnsat, true),
            ("z3 says sat", Class::WrongSat, false),
            ("z3 says unsat, z3 says sat plainly", Class::Contradiction, false),
            ("cvc5 says sat, z3 crashes", Class::Crash, false),
            ("z3 gives a wrong model", Class::InvalidModel, false),
            ("z3 finds its proof wrong", Class::InvalidProof, false),
            ("z3 gives a wrong core, cvc5 satisfies it", Class::InvalidCore, false),
            ("z3 is slow, cvc5 is fast", Class::Performance, false),
            ("z3 says unknown, cvc5 says sat", Class::Incompleteness, false),
        ];
        for (text, class, undecided) in table {
            let predicate = Predicate::parse(text).unwrap();
            assert_eq!((class_of(&predicate), is_undecided(&predicate)), (class, undecided), "{text}");
        }
    }
}
