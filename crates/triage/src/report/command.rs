//! The command that a maintainer runs.

use crate::predicate::{AskModel, Participant};
use crate::text::shell_quoted;

/// The command with the plain name of the solver's executable. The script is called `bug.smt2`.
pub(super) fn command(participant: &Participant) -> String {
    let profile = participant.target.profile.at(&participant.target.version);
    let program = profile.executables.first().cloned().unwrap_or_else(|| participant.target.name.clone());
    let mut words = vec![program];
    words.extend(arguments(participant));
    words.push("bug.smt2".to_owned());
    words.iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The arguments that a participant needs to show its claim, besides those that a report writes as commands: a script asks for its
/// model by itself. None means default options.
pub(crate) fn arguments(participant: &Participant) -> Vec<String> {
    let profile = participant.target.profile.at(&participant.target.version);
    let want = participant.want(AskModel::IfClaimed);
    let requests =
        [(want.check_models, &profile.ask.model_check), (want.check_proofs, &profile.ask.proof_check)];
    let asked = requests.into_iter().filter(|(wanted, _)| *wanted).flat_map(|(_, addition)| addition);
    asked
        .flat_map(|addition| addition.args.iter().cloned())
        .chain(participant.options.iter().cloned())
        .collect()
}
