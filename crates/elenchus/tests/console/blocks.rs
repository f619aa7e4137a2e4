//! Fenced blocks of a Markdown file, and the notes above them.

use super::comparison::Kind;
use std::ops::Range;

/// A fenced block.
pub struct Block {
    /// The lines between the fences.
    pub lines: Range<usize>,
    /// The word behind the opening fence.
    pub language: String,
    /// `<!-- sample: REASON -->`: why the block is not run.
    pub sample: Option<String>,
    /// `<!-- varies: KIND, KIND -->`: figures that differ from run to run.
    pub varies: Vec<Kind>,
    /// `<!-- file: NAME -->`: the block is a file that later commands read.
    pub file: Option<String>,
}

/// A command of a console block, and the lines that it prints.
pub struct Step {
    pub command: String,
    pub output: Range<usize>,
}

/// Reads the blocks of a file. The error names the line.
pub fn blocks(lines: &[String]) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(language) = lines[at].trim_start().strip_prefix("```") else {
            at += 1;
            continue;
        };
        let inside = lines[at + 1..].iter().take_while(|line| line.trim() != "```").count();
        let mut block = Block {
            lines: at + 1..at + 1 + inside,
            language: language.trim().to_owned(),
            sample: None,
            varies: Vec::new(),
            file: None,
        };
        let notes = lines[..at].iter().rev().map_while(|line| comment(line));
        for note in notes {
            block.note(note).map_err(|problem| format!("above line {}: {problem}", at + 1))?;
        }
        blocks.push(block);
        at += inside + 2;
    }
    Ok(blocks)
}

/// The text of a line that is an HTML comment.
fn comment(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim())
}

impl Block {
    fn note(&mut self, note: &str) -> Result<(), String> {
        let (key, value) = note.split_once(':').ok_or("a note is KEY: VALUE")?;
        let value = value.trim();
        match key {
            "sample" if value.is_empty() => return Err("a sample needs a reason".to_owned()),
            "sample" => self.sample = Some(value.to_owned()),
            "file" => self.file = Some(value.to_owned()),
            "varies" => {
                for name in value.split(',') {
                    self.varies
                        .push(Kind::named(name.trim()).ok_or(format!("`{name}` is no kind of figure"))?);
                }
            }
            _ => return Err(format!("`{key}` is not one of: sample, varies, file")),
        }
        Ok(())
    }

    /// Whether the block is for a shell.
    pub fn is_shell(&self) -> bool {
        matches!(self.language.as_str(), "console" | "sh" | "shell" | "bash")
    }

    /// Whether the block is run.
    pub fn is_executed(&self) -> bool {
        self.language == "console" && self.sample.is_none()
    }

    /// The commands of a console block. A command ends with its line, unless a backslash is the last character.
    pub fn steps(&self, lines: &[String]) -> Result<Vec<Step>, String> {
        let mut steps: Vec<Step> = Vec::new();
        for at in self.lines.clone() {
            let line = lines[at].trim_start();
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(Step { command: command.to_owned(), output: at + 1..at + 1 });
                continue;
            }
            let step = steps.last_mut().ok_or(format!("line {}: output without a command", at + 1))?;
            if step.output.is_empty() && step.command.ends_with('\\') {
                step.command = format!("{}\n{}", step.command, line.trim_start_matches("> "));
                step.output = at + 1..at + 1;
            } else {
                step.output.end = at + 1;
            }
        }
        Ok(steps)
    }
}
