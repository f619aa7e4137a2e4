//! The tables as Markdown.

use super::overlap::overlaps;
use super::table::{Table, bugs, contenders, overview};
use crate::results::Results;
use std::collections::BTreeSet;

/// The line of a page below which the tables stand.
const MARK: &str = "<!-- tables -->\n";

/// A page whose tables are replaced by new ones. What people wrote above the mark stays.
pub fn below_mark(page: &str, tables: &str) -> String {
    match page.split_once(MARK) {
        Some((above, _)) => format!("{above}{MARK}\n{tables}"),
        None => tables.to_owned(),
    }
}

/// All tables of a benchmark.
pub fn markdown(results: &Results) -> String {
    let order = results.contenders();
    let mut parts = vec![table(&overview(results)), conditions(results)];
    for release in &results.releases {
        parts.push(table(&contenders(release, &order)));
    }
    let shared: Vec<Vec<String>> = overlaps(&results.releases, &order)
        .into_iter()
        .map(|overlap| vec![overlap.contenders.join(", "), overlap.bugs.to_string()])
        .collect();
    let title = "Who finds the same: bugs by exactly who found them, over all releases".to_owned();
    parts.push(table(&Table { title, head: vec!["contenders", "bugs"], rows: shared }));
    for release in &results.releases {
        parts.push(table(&bugs(release, &order)));
    }
    parts.join("\n")
}

fn table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("### {}\n\n", table.title);
    text += &line(table.head.iter().map(|&name| name.to_owned()).collect());
    text += &format!("|{}\n", "---|".repeat(table.head.len()));
    for row in &table.rows {
        // Operators such as `<` are no tags.
        let cells = row.iter().map(|cell| cell.replace('|', "\\|").replace('<', "&lt;"));
        text += &line(cells.collect());
    }
    text
}

/// Where the runs took place.
fn conditions(results: &Results) -> String {
    let runs: Vec<_> = results.releases.iter().flat_map(|release| release.runs.values().flatten()).collect();
    let all = |value: &dyn Fn(&crate::RunRecord) -> String| -> String {
        let values: BTreeSet<String> =
            runs.iter().map(|run| value(run)).filter(|text| !text.is_empty()).collect();
        values.into_iter().collect::<Vec<_>>().join(", ")
    };
    let without_history = runs.iter().filter(|run| run.history.is_none()).count();
    let history = match without_history {
        0 => "histories have only what was fixed before the release".to_owned(),
        some => format!("{some} runs used the built-in history, which may hold bugs of the release"),
    };
    format!(
        "{} runs of {} s on one core each; beside {}; {}; {} cores, {} MiB, Linux {}; {}; tools: {}.\n",
        runs.len(),
        all(&|run| format!("{:.0}", run.limit)),
        all(&|run| run.other.clone()),
        all(&|run| run.environment.processor.clone()),
        all(&|run| run.environment.cores.to_string()),
        all(&|run| run.environment.memory.to_string()),
        all(&|run| run.environment.kernel.clone()),
        history,
        all(&|run| match run.environment.tool.as_str() {
            "" => format!("elenchus {}", run.environment.elenchus),
            tool => tool.to_owned(),
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::sample;

    #[test]
    fn text_above_the_mark_stays() {
        let page = "# Title\n\nA reading.\n\n<!-- tables -->\n\nold\n";
        let new = below_mark(page, "new\n");
        assert_eq!(new, "# Title\n\nA reading.\n\n<!-- tables -->\n\nnew\n");
        assert_eq!((below_mark(&new, "new\n"), below_mark("", "new\n")), (new, "new\n".to_owned()));
    }

    #[test]
    fn tables_show_who_found_what() {
        let text = markdown(&Results { releases: vec![sample()] });
        for part in [
            "| z3@4.8.7 | 3 | 2 | 6.0 | – | 12.0 | 12.0 (yinyang-opfuzz) |",
            "| elenchus | 2 | 2 | 1 | 1 | 1.5 ± 0.7 | 6.0 | 6 s | 1.7 | 1.3 | – |",
            "| yinyang-opfuzz | 1 | 2 | 0 | 1 | 2.0 ± 0.0 | 12.0 | 1 m 30 s |",
            "| wrong unsat | Z3 4.8.7 answers unsat on a satisfiable script with bvxnor |  | 32 | elenchus 2/2, 6 s; yinyang-opfuzz 1/1, 1 m 30 s |",
            "| elenchus, yinyang-opfuzz | 1 |",
            "histories have only what was fixed before the release",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
