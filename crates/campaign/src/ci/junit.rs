//! The result of a CI run as JUnit XML, which most CI systems show as tests.

use super::report::{CiReport, JudgedFinding, Phase};
use super::standing::Standing;
use case::table::counted;

/// The report: a test suite for each phase, with a test for the phase and one for each finding. A new finding is a failure.
pub fn junit(report: &CiReport) -> String {
    let suites: Vec<String> = Phase::ALL.into_iter().map(|phase| suite(report, phase)).collect();
    let tests = Phase::ALL.len() + report.findings.len();
    let failures = report.new_findings().count();
    let time = report.elapsed.as_secs_f64();
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{time:.3}\"");
    let suites = suites.concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"elenchus\" {counts}>\n{suites}</testsuites>\n"
    )
}

fn suite(report: &CiReport, phase: Phase) -> String {
    let findings: Vec<&JudgedFinding> = report.of_phase(phase).collect();
    let failures = findings.iter().filter(|finding| finding.standing == Standing::New).count();
    let skipped = findings.iter().filter(|finding| skip_reason(finding).is_some()).count();
    let ran = match phase {
        Phase::Seeds => counted(report.seeds, "seed"),
        Phase::Regressions => counted(findings.len(), "regression"),
        Phase::Fuzzing => counted(report.cases, "case"),
    };
    let name = phase.name();
    let cases: String = findings.iter().map(|finding| case(finding)).collect();
    format!(
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n    \
         <testcase classname=\"elenchus.{name}\" name=\"{}\"/>\n{cases}  </testsuite>\n",
        findings.len() + 1,
        escaped(&format!("{ran} on {} and {}", report.candidate, report.baseline)),
    )
}

fn case(finding: &JudgedFinding) -> String {
    let name = escaped(&format!("{}: {}", finding.id, finding.title));
    let head = format!("    <testcase classname=\"elenchus.{}\" name=\"{name}\"", finding.phase.name());
    if finding.standing == Standing::New {
        let message = escaped(&format!("new {}: {}", finding.severity, finding.title));
        let text = escaped(&format!(
            "{}\n\ncandidate: {}\nbaseline: {}\nreproduce: {}\n",
            finding.script.trim_end(),
            finding.candidate_did,
            finding.baseline_did,
            finding.reproduce
        ));
        let class = finding.class;
        return format!(
            "{head}>\n      <failure message=\"{message}\" type=\"{class}\">{text}</failure>\n    </testcase>\n"
        );
    }
    match skip_reason(finding) {
        Some(why) => {
            format!("{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(&why))
        }
        None => format!("{head}/>\n"),
    }
}

/// Why a finding neither fails nor passes.
fn skip_reason(finding: &JudgedFinding) -> Option<String> {
    match finding.standing {
        Standing::New | Standing::NotShown => None,
        Standing::Old | Standing::Known(_) | Standing::NotComparable(_) => Some(finding.standing.words()),
    }
}

/// The text escaped for XML. Characters that XML cannot contain become the replacement character.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", u32::from(c))),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::sample::sample;
    use roxmltree::{Document, Node};

    #[test]
    fn every_finding_is_a_test_and_new_ones_fail() {
        let text = junit(&sample());
        let document = Document::parse(&text).unwrap();
        let named = |name: &str| -> Vec<Node<'_, '_>> {
            document.descendants().filter(|node| node.has_tag_name(name)).collect()
        };
        let root = document.root_element();
        assert_eq!((root.tag_name().name(), root.attribute("failures")), ("testsuites", Some("1")));
        assert_eq!(root.attribute("tests"), Some(named("testcase").len().to_string().as_str()));
        let suites = named("testsuite");
        let names: Vec<_> = suites.iter().filter_map(|suite| suite.attribute("name")).collect();
        assert_eq!(names, ["seeds", "regressions", "fuzzing"]);
        for suite in suites {
            let count = |name: &str| suite.descendants().filter(|node| node.has_tag_name(name)).count();
            let stated = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
            assert_eq!(stated("tests"), count("testcase"));
            assert_eq!(stated("failures"), count("failure"));
            assert_eq!(stated("skipped"), count("skipped"));
        }
        let failures = named("failure");
        assert_eq!(failures[0].attribute("type"), Some("wrong-unsat"));
        assert!(
            failures[0]
                .text()
                .unwrap()
                .starts_with("(assert (str.< \"\" \"<&>\"))\n(check-sat)\n\ncandidate")
        );
        let skipped: Vec<_> = named("skipped").iter().filter_map(|node| node.attribute("message")).collect();
        let expected = [
            "not comparable: the baseline rejects the script",
            "old: the baseline shows it, too",
            "known: https://example.org/1",
        ];
        assert_eq!(skipped, expected);
    }

    #[test]
    fn any_text_survives() {
        let table = [
            ("a < b && c > \"d\"", "a < b && c > \"d\""),
            ("one\n\ttwo\r", "one\n\ttwo\r"),
            ("\u{0}\u{1b}[1m\u{ffff}", "\u{fffd}\u{fffd}[1m\u{fffd}"),
            ("]]> — ü 𝄞", "]]> — ü 𝄞"),
        ];
        for (text, expected) in table {
            let xml = format!("<a b=\"{0}\">{0}</a>", escaped(text));
            let document = Document::parse(&xml).unwrap();
            let root = document.root_element();
            assert_eq!((root.attribute("b"), root.text()), (Some(expected), Some(expected)), "{text:?}");
        }
    }
}
