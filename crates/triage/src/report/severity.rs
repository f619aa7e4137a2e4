//! Severity: the order in which maintainers handle reports. Wrong `unsat` comes first, then wrong `sat`, then wrong models.

use case::Class;

/// The severity of a class, from 1, the most severe.
pub fn rank(class: Class) -> u8 {
    match class {
        Class::WrongUnsat => 1,
        Class::WrongSat | Class::Contradiction => 2,
        Class::InvalidModel => 3,
        Class::InvalidCore
        | Class::InvalidProof
        | Class::Crash
        | Class::StateLeak
        | Class::Performance
        | Class::WrongLabel => 4,
    }
}

/// The severity in words.
pub fn words(severity: u8) -> &'static str {
    match severity {
        1 => "1 of 4: a wrong `unsat`",
        2 => "2 of 4: a wrong `sat`, or an undecided contradiction",
        3 => "3 of 4: a wrong model",
        _ => "4 of 4: a crash or other non-soundness issue",
    }
}
