//! The order in which maintainers look at reports: wrong `unsat` first, then wrong `sat`, then wrong models, then the rest.

use case::Class;

/// The place of a class in that order, from 1.
pub fn rank(class: Class) -> u8 {
    match class {
        Class::WrongUnsat => 1,
        Class::WrongSat | Class::Contradiction => 2,
        Class::InvalidModel => 3,
        Class::InvalidCore | Class::InvalidProof | Class::Crash | Class::StateLeak | Class::Performance => 4,
    }
}

/// The same in words.
pub fn words(severity: u8) -> &'static str {
    match severity {
        1 => "1 of 4: a wrong `unsat`",
        2 => "2 of 4: a wrong `sat`, or a contradiction that is not decided",
        3 => "3 of 4: a wrong model",
        _ => "4 of 4: a crash or something else that is no wrong answer",
    }
}
