//! Every `unsafe` block of the native programs says why it is sound.
//!
//! Clippy checks the crate itself, but the build script compiles the native programs without it.

use std::fs;
use std::path::Path;

/// The lines with an `unsafe` block or implementation that no `SAFETY` comment precedes.
fn undocumented(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let starts_block = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        code.contains("unsafe {") && !code.contains("extern \"C\" {") || code.contains("unsafe impl")
    };
    // The comment is above the statement, whose earlier lines may come in between.
    let documented = |index: usize| {
        lines[..index].iter().rev().take(4).any(|line| line.contains("// SAFETY:"))
            || lines[..index]
                .iter()
                .rev()
                .take_while(|line| line.trim_start().starts_with("//"))
                .any(|line| line.contains("// SAFETY:"))
    };
    let found = lines.iter().enumerate().filter(|(_, line)| starts_block(line));
    found.filter(|(index, _)| !documented(*index)).map(|(index, _)| index + 1).collect()
}

#[test]
fn unsafe_blocks_of_native_programs_are_documented() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("native");
    let mut blocks = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        blocks += text.matches("unsafe {").count();
        assert_eq!(undocumented(&text), [0; 0], "{}", path.display());
    }
    assert!(blocks > 50, "only {blocks} blocks found");
}

#[test]
fn a_missing_comment_is_found() {
    let table: [(&str, &[usize]); 4] = [
        ("fn a() {\n    unsafe { b() }\n}\n", &[2]),
        ("fn a() {\n    // SAFETY: sound.\n    unsafe { b() }\n}\n", &[]),
        ("// unsafe { b() }\n", &[]),
        ("unsafe impl Send for A {}\n", &[1]),
    ];
    for (text, expected) in table {
        assert_eq!(undocumented(text), expected, "{text}");
    }
}
