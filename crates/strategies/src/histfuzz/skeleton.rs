//! Skeletons: the connectives and quantifiers of an assertion, with numbered holes for the rest. `(exists □1 (and □2 □3))` has
//! one hole for the variables of the quantifier and two for formulas.

use std::fmt;

/// The connectives of skeletons.
pub(super) const CONNECTIVES: [&str; 6] = ["and", "or", "not", "=>", "implies", "xor"];

/// A part of a skeleton, in prefix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// A connective with its number of arguments.
    Connective(&'static str, u16),
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// A hole for an atom.
    Hole,
}

impl Part {
    /// The number of its arguments.
    pub fn arguments(self) -> u16 {
        match self {
            Part::Connective(_, count) => count,
            Part::Forall | Part::Exists => 1,
            Part::Hole => 0,
        }
    }
}

/// A skeleton: its parts in prefix order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Skeleton(pub Vec<Part>);

impl Skeleton {
    /// The number of its holes for atoms.
    pub fn holes(&self) -> usize {
        self.0.iter().filter(|part| **part == Part::Hole).count()
    }

    /// Parses the printed form.
    pub fn read(text: &str) -> Option<Skeleton> {
        let mut parts: Vec<Part> = Vec::new();
        // The unfinished parts: their indices, and the number of arguments so far.
        let mut open: Vec<(usize, u16)> = Vec::new();
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace();
        while let Some(word) = words.next() {
            let closed = match word {
                "(" => {
                    let name = words.next()?;
                    let part = match name {
                        "forall" => Part::Forall,
                        "exists" => Part::Exists,
                        name => Part::Connective(CONNECTIVES.iter().find(|known| **known == name)?, 0),
                    };
                    if matches!(part, Part::Forall | Part::Exists) {
                        words.next().filter(|hole| hole.starts_with('□'))?;
                    }
                    open.push((parts.len(), 0));
                    parts.push(part);
                    false
                }
                ")" => {
                    let (at, count) = open.pop()?;
                    match &mut parts[at] {
                        Part::Connective(_, arguments) => *arguments = count,
                        part if part.arguments() != count => return None,
                        _ => {}
                    }
                    true
                }
                word => {
                    word.starts_with('□').then_some(())?;
                    parts.push(Part::Hole);
                    true
                }
            };
            if closed && let Some((_, count)) = open.last_mut() {
                *count += 1;
            } else if closed {
                break;
            }
        }
        (words.next().is_none() && open.is_empty() && !parts.is_empty()).then_some(Skeleton(parts))
    }
}

impl fmt::Display for Skeleton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = 0;
        let mut open: Vec<u16> = Vec::new();
        for (at, part) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            match part {
                Part::Connective(name, _) => write!(f, "({name}")?,
                Part::Forall | Part::Exists => {
                    number += 1;
                    let name = if *part == Part::Forall { "forall" } else { "exists" };
                    write!(f, "({name} □{number}")?;
                }
                Part::Hole => {
                    number += 1;
                    write!(f, "□{number}")?;
                }
            }
            let mut ended = match part {
                Part::Hole => true,
                other => {
                    open.push(other.arguments());
                    other.arguments() == 0
                }
            };
            if ended && *part != Part::Hole {
                open.pop();
                f.write_str(")")?;
            }
            while ended && let Some(left) = open.last_mut() {
                *left = left.saturating_sub(1);
                ended = *left == 0;
                if ended {
                    open.pop();
                    f.write_str(")")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeletons_round_trip() {
        let table = [
            "□1",
            "(not □1)",
            "(exists □1 (and □2 □3))",
            "(forall □1 (forall □2 (and □3)))",
            "(or (not □1) (and □2 (xor □3 □4) □5) □6)",
            "(=> (and) (exists □1 □2))",
        ];
        for text in table {
            let skeleton = Skeleton::read(text).unwrap_or_else(|| panic!("{text} is not read"));
            assert_eq!(skeleton.to_string(), text);
        }
        for text in ["", "(", "(and □1", "(plus □1 □2)", "□1 □2", "(exists □1)", "(and □1))", "x"]
        {
            assert_eq!(Skeleton::read(text), None, "{text}");
        }
    }
}
