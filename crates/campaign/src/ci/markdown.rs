//! The result of a CI run as Markdown, for the page of a CI job.

use super::report::{CiReport, CiVerdict, JudgedFinding, Phase};
use super::standing::Standing;
use crate::present::text::duration;
use case::table::counted;
use case::text::{fenced, html_escaped, one_line};

/// The longest script to show, in bytes. The pages of CI jobs are limited, and the file has the rest.
const LONGEST: usize = 4_000;

/// The summary.
pub fn markdown(report: &CiReport) -> String {
    let sign = match report.verdict() {
        CiVerdict::Passed => "✅",
        CiVerdict::Failed => "❌",
        CiVerdict::Interrupted => "⚠️",
    };
    let mut text = format!("## {sign} Elenchus: {}\n\n", escaped(&report.sentence()));
    let regressions = report.of_phase(Phase::Regressions).count();
    text += &format!(
        "`{}` against the baseline `{}`: {}, {} and {} of fuzzing in {}, random seed {}.\n",
        report.candidate,
        report.baseline,
        counted(report.seeds, "seed"),
        counted(regressions, "regression"),
        counted(report.cases, "case"),
        duration(report.elapsed),
        report.random_seed
    );
    if report.new_findings().next().is_some() {
        text += "\n| severity | new finding | bytes | title |\n|---|---|--:|---|\n";
        for finding in report.new_findings() {
            let JudgedFinding { id, severity, title, script, .. } = finding;
            let title = cell(title);
            text += &format!("| {severity} | `{id}` | {} | {title} |\n", script.len());
        }
        report.new_findings().for_each(|finding| text += &details(finding));
    }
    text += &others(report);
    text += &format!(
        "\nThe findings are in `{0}`: `elenchus findings --out {0}` lists them, `elenchus show ID --out {0}` explains one.\n",
        report.folder.display()
    );
    text
}

/// A new finding in a block that can be opened.
fn details(finding: &JudgedFinding) -> String {
    let JudgedFinding { id, title, candidate_did, baseline_did, reproduce, .. } = finding;
    let script = match finding.script.len() > LONGEST {
        true => format!("; too long for this page: see {}\n", finding.file.display()),
        false => finding.script.clone(),
    };
    format!(
        "\n<details><summary>{}: {}</summary>\n\n{}\nThe candidate: {}. The baseline: {}.\n\n{}\n</details>\n",
        html_escaped(id),
        html_escaped(title),
        fenced("smt2", &script),
        escaped(&one_line(candidate_did, 200)),
        escaped(&one_line(baseline_did, 200)),
        fenced("sh", reproduce)
    )
}

/// The findings that do not fail the job.
fn others(report: &CiReport) -> String {
    let mut text = String::new();
    let count = |wanted: fn(&Standing) -> bool| {
        report.findings.iter().filter(|finding| wanted(&finding.standing)).count()
    };
    let mut counts = vec![
        (count(|standing| *standing == Standing::Old), "old, the baseline shows it, too"),
        (count(|standing| matches!(standing, Standing::Known(_))), "known"),
        (count(|standing| matches!(standing, Standing::NotComparable(_))), "not comparable"),
        (count(|standing| *standing == Standing::NotShown), "not shown by the candidate"),
    ];
    counts.retain(|(count, _)| *count > 0);
    if report.shared > 0 {
        let results = counted(report.shared, "wrong result");
        text += &format!("\nFuzzing met {results} that the baseline gives, too.\n");
    }
    if counts.is_empty() {
        return text;
    }
    let counts: Vec<String> = counts.into_iter().map(|(count, what)| format!("{count} {what}")).collect();
    text += &format!("\n<details><summary>Findings that do not fail: {}</summary>\n\n", counts.join("; "));
    text += "| finding | severity | standing | title |\n|---|---|---|---|\n";
    for finding in report.findings.iter().filter(|finding| finding.standing != Standing::New) {
        let (standing, title) = (cell(&finding.standing.words()), cell(&finding.title));
        text += &format!("| `{}` | {} | {standing} | {title} |\n", finding.id, finding.severity);
    }
    text + "\n</details>\n"
}

/// A text without meaning to Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in html_escaped(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A text as the cell of a table.
fn cell(text: &str) -> String {
    escaped(&one_line(text, 200))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::sample::sample;
    use expect_test::expect;

    #[test]
    fn the_summary_shows_new_findings_and_counts_the_others() {
        let expected = expect![[r###"
            ## ❌ Elenchus: 1 new finding in ./build/z3

            `./build/z3` against the baseline `z3@5.4.0`: 240 seeds, 2 regressions and 1000 cases of fuzzing in 2m 07s, random seed 1.

            | severity | new finding | bytes | title |
            |---|---|--:|---|
            | wrong unsat | `wrong-unsat-1` | 38 | Z3 4.8.7: wrong-unsat with \`str.&lt;\` \| &lt;b&gt; |

            <details><summary>wrong-unsat-1: Z3 4.8.7: wrong-unsat with `str.&lt;` | &lt;b&gt;</summary>

            ```smt2
            (assert (str.< "" "<&>"))
            (check-sat)
            ```

            The candidate: unsat. The baseline: sat.

            ```sh
            elenchus solve ci/findings/wrong-unsat-1/reduced.smt2 --solver ./build/z3
            ```

            </details>

            Fuzzing met 7 wrong results that the baseline gives, too.

            <details><summary>Findings that do not fail: 1 old, the baseline shows it, too; 1 known; 1 not comparable; 1 not shown by the candidate</summary>

            | finding | severity | standing | title |
            |---|---|---|---|
            | `wrong-sat-2` | wrong sat | old: the baseline shows it, too | Z3 4.8.7: wrong-sat with \`str.&lt;\` \| &lt;b&gt; |
            | `crash-3` | crash | not shown by the candidate | Z3 4.8.7: crash with \`str.&lt;\` \| &lt;b&gt; |
            | `crash-4` | crash | known: https://example.org/1 | Z3 4.8.7: crash with \`str.&lt;\` \| &lt;b&gt; |
            | `invalid-model-5` | invalid model | not comparable: the baseline rejects the script | Z3 4.8.7: invalid-model with \`str.&lt;\` \| &lt;b&gt; |

            </details>

            The findings are in `ci`: `elenchus findings --out ci` lists them, `elenchus show ID --out ci` explains one.
        "###]];
        expected.assert_eq(&markdown(&sample()));
    }

    #[test]
    fn the_first_line_is_the_verdict() {
        let first = |report: &CiReport| markdown(report).lines().next().unwrap().to_owned();
        let mut report = sample();
        assert_eq!(first(&report), "## ❌ Elenchus: 1 new finding in ./build/z3");
        report.findings.retain(|finding| finding.standing != Standing::New);
        assert_eq!(first(&report), "## ✅ Elenchus: no new finding in ./build/z3");
        report.interrupted = true;
        assert_eq!(first(&report), "## ⚠️ Elenchus: interrupted: no verdict");
    }

    #[test]
    fn long_scripts_are_left_to_their_files() {
        let mut report = sample();
        report.findings[0].script = "x".repeat(LONGEST + 1);
        let text = markdown(&report);
        assert!(text.len() < LONGEST && text.contains("too long for this page"), "{text}");
    }
}
