//! Demangles the names of functions in symbol tables.

use case::text::head;

/// The maximal length of a name in characters.
const LONGEST: usize = 80;

/// The name of a function without arguments: `smt::context::pop` for `_ZN3smt7context3popEj`.
///
/// Template arguments are omitted, so that all instances of a template have one name. Other names are returned unchanged.
pub fn readable(symbol: &str) -> String {
    let parts = parts(symbol).filter(|parts| !parts.is_empty());
    let mut name = parts.map_or_else(|| symbol.to_owned(), |parts| parts.join("::"));
    name.truncate(head(&name, LONGEST).len());
    name
}

/// The words of a mangled name up to the first that is not plain. The hash at the end of a Rust name is dropped.
fn parts(symbol: &str) -> Option<Vec<&str>> {
    let mut rest = symbol.strip_prefix("_Z")?;
    let nested = rest.strip_prefix('N');
    rest = nested.unwrap_or(rest).trim_start_matches(['K', 'V', 'r', 'L']);
    let mut parts = Vec::new();
    loop {
        if let Some(arguments) = rest.strip_prefix('I').filter(|_| !parts.is_empty()) {
            // Unknown arguments end the name.
            let Some(after) = after_arguments(arguments) else { break };
            rest = after;
        }
        let Some((word, after)) = word(rest) else { break };
        parts.push(word);
        rest = after;
        if nested.is_none() {
            break;
        }
    }
    let is_hash = |word: &&str| word.len() == 17 && word.starts_with('h');
    if parts.last().is_some_and(is_hash) {
        parts.pop();
    }
    Some(parts)
}

/// Splits off a word that is preceded by its length.
fn word(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let end = digits.checked_add(text[..digits].parse::<usize>().ok()?)?;
    Some((text.get(digits..end)?, text.get(end..)?))
}

/// The text after the arguments of a template; `None` if they are not understood.
fn after_arguments(mut text: &str) -> Option<&str> {
    let mut depth = 1;
    while depth > 0 {
        if let Some((_, after)) = word(text) {
            text = after;
            continue;
        }
        let first = text.chars().next()?;
        text = text.get(first.len_utf8()..)?;
        match first {
            'E' => depth -= 1,
            'N' | 'I' | 'J' | 'F' | 'X' => depth += 1,
            // A value, such as `Lb0E`: its digits are not a length.
            'L' => text = text.split_once('E')?.1,
            // A back reference, such as `S_`, `S1_` or `T_`, or the standard library's `St`.
            'S' | 'T' => {
                let library = first == 'S' && text.starts_with(|c: char| c.is_ascii_lowercase());
                text = if library { text.get(1..)? } else { text.split_once('_')?.1 };
            }
            _ => {}
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn symbols_are_demangled() {
        let table = [
            ("_ZN3smt7context3popEj", "smt::context::pop"),
            ("_ZNK7solver25checkERK5thing", "solver2::check"),
            ("_Z9run_solveP3abc", "run_solve"),
            ("_ZL5localv", "local"),
            ("_ZN5model4eval17h0123456789abcdefE", "model::eval"),
            ("main", "main"),
            ("_ZTV3abc", "_ZTV3abc"),
            ("_ZN3smt17theory_diff_logicINS_7idl_extEE8new_edgeEiijPKi", "smt::theory_diff_logic::new_edge"),
            ("_ZNK11mpz_managerILb0EE2geERK3mpzS3_", "mpz_manager::ge"),
            ("_ZN10old_bufferIP3astLb0ELj16EE9push_backERKS1_", "old_buffer::push_back"),
            (
                "_ZN2lp14stacked_vectorINS_12numeric_pairI8rationalEEE15emplace_replaceEjRKS3_",
                "lp::stacked_vector::emplace_replace",
            ),
            ("_ZN3mapISt4pairIjjEjE6insertEv", "map::insert"),
            ("_ZN3mapI", "map"),
            ("_ZN99x", "_ZN99x"),
        ];
        for (symbol, expected) in table {
            assert_eq!(readable(symbol), expected, "{symbol}");
        }
    }
}
