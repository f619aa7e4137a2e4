//! The type of an option in a few words.

use super::OptionKind;
use std::fmt;

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn range<L: ToString, H: ToString>(low: &Option<L>, high: &Option<H>) -> String {
            let text = |bound: Option<String>| bound.unwrap_or_default();
            match (low.as_ref().map(L::to_string), high.as_ref().map(H::to_string)) {
                (None, None) => String::new(),
                (low, high) => format!(" {}..{}", text(low), text(high)),
            }
        }
        match self {
            OptionKind::Bool => f.write_str("bool"),
            OptionKind::Int { min, max } => write!(f, "int{}", range(min, max)),
            OptionKind::Real { min, max } => write!(f, "real{}", range(min, max)),
            OptionKind::Enum { values } => f.write_str(&values.join("|")),
            OptionKind::String => f.write_str("string"),
            OptionKind::Symbol => f.write_str("symbol"),
            OptionKind::Void => f.write_str("no value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OptionKind;

    #[test]
    fn option_types_are_described_briefly() {
        let words = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let table = [
            (OptionKind::Bool, "bool"),
            (OptionKind::Int { min: None, max: None }, "int"),
            (OptionKind::Int { min: Some(0), max: None }, "int 0.."),
            (OptionKind::Real { min: Some(0.5), max: Some(1.0) }, "real 0.5..1"),
            (OptionKind::Enum { values: words(&["a", "b"]) }, "a|b"),
            (OptionKind::Void, "no value"),
        ];
        for (kind, expected) in table {
            assert_eq!(kind.to_string(), expected);
        }
    }
}
