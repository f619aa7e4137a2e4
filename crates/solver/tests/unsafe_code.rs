//! The line above every `unsafe` block says why it is sound.
//!
//! Clippy checks only the crate itself: the build script compiles the native programs without it.

use std::fs;
use std::path::Path;

/// The keyword, spelled so that this file has no line that looks like an undocumented block.
const KEYWORD: &str = "unsafe";

/// The lines that start an unsafe block or implementation without a `SAFETY` comment directly above.
fn undocumented(text: &str) -> Vec<usize> {
    let starts = ["{", "impl", "extern \"C\" {"].map(|word| format!("{KEYWORD} {word}"));
    let lines: Vec<&str> = text.lines().collect();
    let starts_block = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        starts.iter().any(|start| code.contains(start))
    };
    let documented = |index: usize| index > 0 && lines[index - 1].contains("// SAFETY:");
    let found = lines.iter().enumerate().filter(|(_, line)| starts_block(line));
    found.filter(|(index, _)| !documented(*index)).map(|(index, _)| index + 1).collect()
}

/// Checks all sources below a folder and counts their blocks.
fn check(folder: &Path) -> usize {
    let mut blocks = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            blocks += check(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            blocks += text.matches(&format!("{KEYWORD} {{")).count();
            assert_eq!(undocumented(&text), [0; 0], "{}", path.display());
        }
    }
    blocks
}

#[test]
fn unsafe_blocks_are_documented() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, least) in [("native", 50), ("src", 20)] {
        let blocks = check(&folder.join(name));
        assert!(blocks > least, "only {blocks} blocks found in {name}");
    }
}

#[test]
fn a_missing_comment_is_found() {
    let table: [(&str, &[usize]); 5] = [
        ("fn a() {\n    KEYWORD { b() }\n}\n", &[2]),
        ("fn a() {\n    // SAFETY: sound.\n    KEYWORD { b() }\n}\n", &[]),
        ("fn a() {\n    // SAFETY: sound.\n    let c =\n        KEYWORD { b() };\n}\n", &[4]),
        ("// KEYWORD { b() }\n", &[]),
        ("KEYWORD impl Send for A {}\n", &[1]),
    ];
    for (text, expected) in table {
        let text = text.replace("KEYWORD", KEYWORD);
        assert_eq!(undocumented(&text), expected, "{text}");
    }
}
