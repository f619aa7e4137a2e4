//! The steps of the commands that work through all findings of a campaign.

use campaign::present::text::triaged_line;
use case::text::first_line;
use triage::automatic::{TriageProgress, TriageStep};

/// Prints a step.
pub fn show_step(progress: TriageProgress, step: TriageStep<'_>) {
    let TriageProgress { number, total } = progress;
    match step {
        TriageStep::Reduced(listed) => eprintln!("{number}/{total} {}", triaged_line(listed)),
        TriageStep::Unchanged(listed, why) => {
            eprintln!("{number}/{total} {} stays as it is: {}", listed.id, first_line(&why));
        }
        TriageStep::Note(listed, text) | TriageStep::Examined(listed, text) => {
            eprintln!("{number}/{total} {}: {}", listed.id, first_line(&text));
        }
        TriageStep::Unknown(listed, why) => {
            eprintln!("{number}/{total} {}: unknown, since {}", listed.id, first_line(&why));
        }
        TriageStep::Merged(pair) => eprintln!("{} is the same bug as {}", pair.id, pair.into),
    }
}
