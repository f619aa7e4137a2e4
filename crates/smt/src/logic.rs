//! Names of logics.

/// Whether numerals are reals under this logic: it has reals and no integers.
pub fn numerals_are_reals(logic: &str) -> bool {
    let reals = logic.contains("RA") || logic.contains("RDL");
    let integers = logic.contains("IA") || logic.contains("IRA") || logic.contains("IDL");
    reals && !integers
}
