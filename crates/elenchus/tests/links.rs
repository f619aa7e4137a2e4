//! Links between Markdown files, and the table of contents of the book.

#[path = "console/pages.rs"]
mod pages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A Markdown file without its code.
fn prose(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let mut inside = false;
    let mut prose = String::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        if !inside && !fence {
            // Every second part between backticks is code. An anchor of a heading keeps its words.
            let line =
                if line.starts_with('#') { line.to_owned() } else { line.split('`').step_by(2).collect() };
            prose += &line;
            prose.push('\n');
        }
    }
    prose
}

/// The targets of links that are neither on the web nor absolute.
fn links(prose: &str) -> Vec<&str> {
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains(':')).collect()
}

/// The anchors of a file: its headings in lower case, with hyphens for spaces and without punctuation.
fn anchors(prose: &str) -> Vec<String> {
    let headings =
        prose.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// The file that a link leads to.
fn target(from: &Path, link: &str) -> PathBuf {
    let path = link.split('#').next().unwrap();
    if path.is_empty() { from.to_owned() } else { from.parent().unwrap().join(path) }
}

/// Scripts are named with their path, also in commands.
#[test]
fn every_script_exists() {
    let mut checked = 0;
    for page in pages::pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let words = text.split(|letter: char| letter.is_whitespace() || "`(),;".contains(letter));
        for word in words.filter(|word| word.starts_with("benches/") && word.ends_with(".py")) {
            assert!(pages::root().join(word).exists(), "{}: {word}", page.display());
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn every_link_leads_somewhere() {
    let book = pages::root().join("docs");
    let mut problems = Vec::new();
    for page in pages::pages() {
        for link in links(&prose(&page)) {
            let place = format!("{}: `{link}`", page.display());
            let Ok(target) = target(&page, link).canonicalize() else {
                problems.push(format!("{place}: no such file"));
                continue;
            };
            if let Some((_, anchor)) = link.split_once('#')
                && !anchors(&prose(&target)).iter().any(|name| name == anchor)
            {
                problems.push(format!("{place}: no such heading"));
            }
            if page.starts_with(&book) && !target.starts_with(&book) {
                problems.push(format!("{place}: the book does not have this file"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_book_has_every_page() {
    let book = pages::root().join("docs");
    let contents = book.join("SUMMARY.md");
    let listed = prose(&contents);
    let listed: BTreeSet<PathBuf> = links(&listed).into_iter().map(|link| target(&contents, link)).collect();
    let mut all: BTreeSet<PathBuf> =
        pages::pages().into_iter().filter(|page| page.starts_with(&book)).collect();
    all.remove(&contents);
    let missing: Vec<_> = all.difference(&listed).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}
