//! Columns that line up.

/// Rows as lines: each column as wide as its widest cell, numbers to the right.
pub fn align(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let width = |column: usize| rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    // The first row is the heading: a column of numbers is one whose other cells are all numbers.
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

#[cfg(test)]
mod tests {
    use super::align;

    #[test]
    fn numbers_stand_to_the_right() {
        let rows = [vec!["solver", "runs"], vec!["z3", "7"], vec!["cvc5", "1234"]];
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        assert_eq!(align(&rows), ["solver  runs", "z3         7", "cvc5    1234"]);
    }
}
