//! Tables and counts for people.

/// A number with its noun: `1 bug`, `2 bugs`, `1 library`, `2 libraries`.
pub fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    // A number that does not fit is certainly not one.
    let number = number.try_into().unwrap_or(u64::MAX);
    if number == 1 {
        return format!("1 {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ if noun.ends_with('h') => format!("{number} {noun}es"),
        _ => format!("{number} {noun}s"),
    }
}

/// Rows as lines: each column is as wide as its widest cell, and numbers are right-aligned. The first row is the heading.
pub fn align(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let width = |column: usize| rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    // In a column of numbers, all cells below the heading are numbers.
    let numeric = |column: usize| {
        let mut cells = rows.iter().skip(1).map(|row| cell(row, column)).filter(|text| !text.is_empty());
        rows.len() > 1 && cells.all(|text| text.starts_with(|c: char| c.is_ascii_digit()))
    };
    let numeric: Vec<bool> = (0..columns).map(numeric).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = (0..columns)
            .map(|column| {
                let (text, width) = (cell(row, column), widths[column]);
                if numeric[column] { format!("{text:>width$}") } else { format!("{text:<width$}") }
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A row of a table.
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_number() {
        let table = [
            (0, "bug", "0 bugs"),
            (1, "bug", "1 bug"),
            (2, "library", "2 libraries"),
            (2, "day", "2 days"),
            (3, "crash", "3 crashes"),
        ];
        for (number, noun, expected) in table {
            assert_eq!(counted(number, noun), expected);
        }
    }

    #[test]
    fn numbers_are_right_aligned() {
        let rows = [row(["solver", "runs"]), row(["z3", "7"]), row(["cvc5", "1234"])];
        assert_eq!(align(&rows), ["solver  runs", "z3         7", "cvc5    1234"]);
    }
}
