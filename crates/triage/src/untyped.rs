//! Scripts that our parser rejects.

/// Why a script is reduced as plain text, if it is.
pub fn untyped_note(script: &str) -> Option<String> {
    let mut arena = smt::Arena::default();
    let errors = smt::parse_script(&mut arena, script).err()?;
    let first = errors.first()?;
    let (line, _) = first.position(script);
    Some(format!(
        "the script is reduced as plain text, because our parser rejects it (line {line}: {})",
        first.message
    ))
}
