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
        let code = &mut self.memory.prepared.code;
        let fast = match part {
            Part::Truth(at) => match code.truths[at as usize] {
                Truth::Constant(_) => true,
                Truth::Any(any) => is_lookup(&any),
                _ => false,
            },
            Part::Int(at) => match code.ints[at as usize] {
                Int::Constant(_) => true,
                Int::Any(any) => is_lookup(&any),
                _ => false,
            },
            Part::Word(at, _) => match code.words[at as usize].0 {
                Word::Constant(_) => true,
                Word::Any(any) => is_lookup(&any),
                _ => false,
            },
            Part::Value(at) => match code.values[at as usize] {
                General::Constant(_) => true,
                General::Any(any) => is_lookup(&any),
                _ => false,
            },
        };
        if fast {
            return part;
        }
        let memo = if matches!(part, Part::Value(_)) {
            code.kept_values.push((0, Value::Bool(false)));
            code.kept_values.len() - 1
        } else {
            code.kept_words.push((0, 0));
            code.kept_words.len() - 1
        };
        let [truths, ints, words, values] = &mut code.notes;
        match part {
            Part::Truth(at) => set_aside(&mut code.truths, truths, at, memo, Truth::Any),
            Part::Int(at) => set_aside(&mut code.ints, ints, at, memo, Int::Any),
            Part::Word(at, width) => {
                set_aside(&mut code.words, words, at, memo, |any| (Word::Any(any), width))
            }
            Part::Value(at) => set_aside(&mut code.values, values, at, memo, General::Any),
        }
        part
    }
}

/// Whether a node does nothing but look a value up.
fn is_lookup(any: &Any) -> bool {
    matches!(any, Any::Symbol(_) | Any::Param(_) | Any::Kept(_))
}

/// Moves a node to the end, and puts one in its place that keeps its value.
fn set_aside<N: Copy>(
    nodes: &mut Vec<N>,
    notes: &mut Vec<Note>,
    at: At,
    memo: usize,
    kept: impl FnOnce(Any) -> N,
) {
    let (node, note) = (nodes[at as usize], notes[at as usize]);
    let inner = nodes.len() as At;
    nodes.push(node);
    notes.push(note);
    nodes[at as usize] = kept(Any::Kept(Kept { inner, memo: memo as u32, level: note.level }));
}
