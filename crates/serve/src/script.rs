//! Scripts with highlighted words. Everything is text: a script cannot contribute HTML.

use crate::html::{Html, el};

/// The commands of SMT-LIB begin with one of these.
const COMMANDS: [&str; 16] = [
    "assert", "check", "declare", "define", "echo", "exit", "get", "pop", "push", "reset", "set", "apply",
    "minimize", "maximize", "block", "simplify",
];
/// Longer scripts are shown without colours, in bytes.
const LONGEST: usize = 64 * 1024;

/// A script as a block with colours.
pub fn highlighted(script: &str) -> Html {
    let block = el("pre").class("script").attr("tabindex", 0);
    let code = el("code");
    if script.len() > LONGEST {
        return block.add(code.add(script)).into();
    }
    let mut code = code;
    let mut rest = script;
    let mut plain = 0;
    let mut after_parenthesis = false;
    while plain < rest.len() {
        let (length, class) = token(&rest[plain..], after_parenthesis);
        let first = rest[plain..].chars().next();
        after_parenthesis =
            first == Some('(') || (after_parenthesis && first.is_some_and(char::is_whitespace));
        if class.is_empty() {
            plain += length;
            continue;
        }
        let (before, from) = rest.split_at(plain);
        let (word, after) = from.split_at(length);
        code = code.add(before).add(el("span").class(class).add(word));
        (rest, plain) = (after, 0);
    }
    block.add(code.add(rest)).into()
}

/// The length of the first token of a text, and its class; no class for what is not highlighted.
fn token(text: &str, after_parenthesis: bool) -> (usize, &'static str) {
    let first = text.chars().next().unwrap_or(' ');
    let until = |end: fn(char) -> bool| text.find(end).unwrap_or(text.len());
    match first {
        ';' => (until(|c| c == '\n'), "comment"),
        '"' => (1 + text[1..].find('"').map_or(text.len() - 1, |end| end + 1), "string"),
        '|' => (1 + text[1..].find('|').map_or(text.len() - 1, |end| end + 1), ""),
        '(' | ')' => (1, ""),
        c if c.is_whitespace() => (c.len_utf8(), ""),
        _ => {
            let length = until(|c| c.is_whitespace() || "()\";|".contains(c)).max(first.len_utf8());
            let word = &text[..length];
            let command = word.split('-').next().unwrap_or_default();
            match first {
                '0'..='9' | '#' => (length, "number"),
                ':' => (length, "attribute"),
                _ if after_parenthesis && COMMANDS.contains(&command) => (length, "command"),
                _ if matches!(
                    word,
                    "Bool" | "Int" | "Real" | "String" | "Array" | "BitVec" | "RegLan" | "Seq"
                ) =>
                {
                    (length, "sort")
                }
                _ if after_parenthesis => (length, "operator"),
                _ => (length, ""),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_highlighted_and_stay_text() {
        let script = "(assert (= x \"</code><script>\")) ; <b>\n(check-sat)\u{1b}";
        let html = highlighted(script).into_string();
        assert!(html.contains("<span class=\"command\">assert</span>"), "{html}");
        assert!(
            html.contains("<span class=\"string\">&quot;&lt;/code&gt;&lt;script&gt;&quot;</span>"),
            "{html}"
        );
        assert!(html.contains("<span class=\"comment\">; &lt;b&gt;</span>\n("), "{html}");
        assert!(html.contains("\\u001b") && !html.contains("<b>"), "{html}");
        for odd in ["\"open", "|open", ";", "", "(", "ä|ö\"ü"] {
            highlighted(odd);
        }
    }
}
