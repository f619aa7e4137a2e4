//! Adding nodes, and keeping the values of those that have several users.

use super::code::{Any, At, General, Int, Kept, Note, Part, Run, Truth, Word};
use super::prepare::{Draft, Lane};
use crate::data::Value;
use crate::eval::Evaluator;

impl Evaluator<'_> {
    /// The operands as a run, if all are as they have to be.
    pub(super) fn run_of(&mut self, parts: &[Part], fits: impl Fn(&Part) -> bool) -> Option<Run> {
        if !parts.iter().all(fits) {
            return None;
        }
        let lists = &mut self.memory.prepared.code.lists;
        let start = lists.len() as u32;
        lists.extend(parts.iter().map(|part| match *part {
            Part::Truth(at) | Part::Int(at) | Part::Word(at, _) | Part::Value(at) => at,
        }));
        Some(Run { start, len: parts.len() as u32 })
    }

    pub(super) fn add_any(&mut self, lane: Lane, any: Any, level: u16) -> Part {
        let code = &mut self.memory.prepared.code;
        let (part, notes) = match lane {
            Lane::Truth => {
                code.truths.push(Truth::Any(any));
                (Part::Truth(code.truths.len() as At - 1), &mut code.notes[0])
            }
            Lane::Int => {
                code.ints.push(Int::Any(any));
                (Part::Int(code.ints.len() as At - 1), &mut code.notes[1])
            }
            Lane::Word(width) => {
                code.words.push((Word::Any(any), width));
                (Part::Word(code.words.len() as At - 1, width), &mut code.notes[2])
            }
            Lane::Value => {
                code.values.push(General::Any(any));
                (Part::Value(code.values.len() as At - 1), &mut code.notes[3])
            }
        };
        notes.push(Note { used: false, level, height: 1 });
        part
    }

    pub(super) fn add_truth(&mut self, draft: &Draft, truth: Truth) -> Part {
        let code = &mut self.memory.prepared.code;
        code.truths.push(truth);
        code.notes[0].push(Note { used: false, level: draft.level, height: 1 });
        Part::Truth(code.truths.len() as At - 1)
    }

    pub(super) fn add_int(&mut self, draft: &Draft, int: Int) -> Part {
        let code = &mut self.memory.prepared.code;
        code.ints.push(int);
        code.notes[1].push(Note { used: false, level: draft.level, height: 1 });
        Part::Int(code.ints.len() as At - 1)
    }

    pub(super) fn add_word(&mut self, draft: &Draft, word: Word, width: u8) -> Part {
        let code = &mut self.memory.prepared.code;
        code.words.push((word, width));
        code.notes[2].push(Note { used: false, level: draft.level, height: 1 });
        Part::Word(code.words.len() as At - 1, width)
    }

    pub(super) fn add_value(&mut self, draft: &Draft, value: General) -> Part {
        let code = &mut self.memory.prepared.code;
        code.values.push(value);
        code.notes[3].push(Note { used: false, level: draft.level, height: 1 });
        Part::Value(code.values.len() as At - 1)
    }

    /// A part as an operand. The second user makes it one whose value is kept, and so does a user that is evaluated more often.
    pub(super) fn refer(&mut self, draft: &Draft, part: Part) -> Part {
        let note = self.note(part);
        let again = std::mem::replace(&mut note.used, true);
        if again || note.level < draft.level { self.keep(part) } else { part }
    }

    pub(super) fn note(&mut self, part: Part) -> &mut Note {
        let notes = &mut self.memory.prepared.code.notes;
        match part {
            Part::Truth(at) => &mut notes[0][at as usize],
            Part::Int(at) => &mut notes[1][at as usize],
            Part::Word(at, _) => &mut notes[2][at as usize],
            Part::Value(at) => &mut notes[3][at as usize],
        }
    }

    /// Makes a part one whose value is kept, in its place, unless it is as fast without.
    pub(super) fn keep(&mut self, part: Part) -> Part {
        let note = *self.note(part);
        let level = note.level;
        let code = &mut self.memory.prepared.code;
        match part {
            Part::Truth(at) => {
                let node = code.truths[at as usize];
                if !matches!(
                    node,
                    Truth::Constant(_) | Truth::Any(Any::Symbol(_) | Any::Param(_) | Any::Kept(_))
                ) {
                    let inner = code.truths.len() as At;
                    code.truths.push(node);
                    code.notes[0].push(note);
                    let memo = code.kept_words.len() as u32;
                    code.kept_words.push((0, 0));
                    code.truths[at as usize] = Truth::Any(Any::Kept(Kept { inner, memo, level }));
                }
            }
            Part::Int(at) => {
                let node = code.ints[at as usize];
                if !matches!(node, Int::Constant(_) | Int::Any(Any::Symbol(_) | Any::Param(_) | Any::Kept(_)))
                {
                    let inner = code.ints.len() as At;
                    code.ints.push(node);
                    code.notes[1].push(note);
                    let memo = code.kept_words.len() as u32;
                    code.kept_words.push((0, 0));
                    code.ints[at as usize] = Int::Any(Any::Kept(Kept { inner, memo, level }));
                }
            }
            Part::Word(at, width) => {
                let (node, _) = code.words[at as usize];
                if !matches!(
                    node,
                    Word::Constant(_) | Word::Any(Any::Symbol(_) | Any::Param(_) | Any::Kept(_))
                ) {
                    let inner = code.words.len() as At;
                    code.words.push((node, width));
                    code.notes[2].push(note);
                    let memo = code.kept_words.len() as u32;
                    code.kept_words.push((0, 0));
                    code.words[at as usize] = (Word::Any(Any::Kept(Kept { inner, memo, level })), width);
                }
            }
            Part::Value(at) => {
                let node = code.values[at as usize];
                if !matches!(
                    node,
                    General::Constant(_) | General::Any(Any::Symbol(_) | Any::Param(_) | Any::Kept(_))
                ) {
                    let inner = code.values.len() as At;
                    code.values.push(node);
                    code.notes[3].push(note);
                    let memo = code.kept_values.len() as u32;
                    code.kept_values.push((0, Value::Bool(false)));
                    code.values[at as usize] = General::Any(Any::Kept(Kept { inner, memo, level }));
                }
            }
        }
        part
    }
}
