//! The table of findings.

use case::table::{align, row};
use std::path::Path;
use store::Listed;
use triage::automatic::releases_of;

/// The findings in the folder `out` as a table. `link` says where a finding has been reported.
pub fn findings_table(
    out: &Path,
    findings: &[Listed],
    link: &dyn Fn(&Listed) -> Option<String>,
) -> Vec<String> {
    let heading = row(["finding", "severity", "bytes", "cases", "releases", "title"]);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let row = |finding: &Listed| {
        let merged = finding.merged_into.as_ref().map(|other| format!(" (same as {other})"));
        let known = link(finding).map(|link| format!(" (known: {link})"));
        vec![
            finding.id.clone(),
            finding.severity.to_string(),
            or_dash(finding.reduced_bytes.map(|bytes| bytes.to_string())),
            finding.count.to_string(),
            or_dash(releases_of(out, finding).map(|releases| releases.range())),
            format!("{}{}{}", finding.title, merged.unwrap_or_default(), known.unwrap_or_default()),
        ]
    };
    align(&std::iter::once(heading).chain(findings.iter().map(row)).collect::<Vec<_>>())
}
