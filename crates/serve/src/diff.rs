//! What changed between two versions of a piece of a script.

use crate::html::{Html, el};

/// Longer pieces are compared as a whole, in words.
const LONGEST: usize = 400;

/// Both versions with what only one of them has marked.
pub fn diff(before: &str, after: &str) -> Html {
    let (old, new) = (words(before), words(after));
    if old.len() > LONGEST || new.len() > LONGEST {
        return el("pre").class("diff").add(el("del").add(before)).add("\n").add(el("ins").add(after)).into();
    }
    // The longest common part of every pair of ends.
    let mut common = vec![vec![0_u16; new.len() + 1]; old.len() + 1];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            common[one][other] = match old[one] == new[other] {
                true => common[one + 1][other + 1] + 1,
                false => common[one + 1][other].max(common[one][other + 1]),
            };
        }
    }
    let mut block = el("pre").class("diff");
    let (mut one, mut other) = (0, 0);
    while one < old.len() || other < new.len() {
        if one < old.len() && other < new.len() && old[one] == new[other] {
            block = block.add(old[one]);
            (one, other) = (one + 1, other + 1);
        } else if other == new.len() || (one < old.len() && common[one + 1][other] >= common[one][other + 1])
        {
            block = block.add(el("del").add(old[one]));
            one += 1;
        } else {
            block = block.add(el("ins").add(new[other]));
            other += 1;
        }
    }
    block.into()
}

/// Words, parentheses and white space.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let single = |c: char| c.is_whitespace() || "()".contains(c);
        let length = if single(first) { first.len_utf8() } else { rest.find(single).unwrap_or(rest.len()) };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn only_what_changed_is_marked() {
        let html = diff("(bvadd x <y>)", "(bvsub x #b1)").into_string();
        let expected = "<pre class=\"diff\">(<del>bvadd</del><ins>bvsub</ins> x <del>&lt;y&gt;</del><ins>#b1</ins>)</pre>";
        assert_eq!(html, expected);
        assert_eq!(diff("", "").into_string(), "<pre class=\"diff\"></pre>");
    }
}
