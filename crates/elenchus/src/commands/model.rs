//! What the commands that judge models share: reading scripts into an arena.

use crate::files::read_text;
use crate::outcome::Failure;
use smt::{Arena, Scope, Script};
use std::path::Path;

/// A script with its text, its arena and the names that it declares.
pub struct Loaded {
    /// The text.
    pub text: String,
    /// The arena that holds its terms.
    pub arena: Arena,
    /// The names in force at its end.
    pub scope: Scope,
    /// The commands.
    pub script: Script,
}

impl Loaded {
    /// Reads a script from a file.
    pub fn read(path: &Path) -> Result<Loaded, Failure> {
        let text = read_text(path)?;
        let mut arena = Arena::default();
        let mut scope = Scope::default();
        let script = smt::parse_in_scope(&mut arena, &mut scope, &text).map_err(|errors| {
            let name = path.display().to_string();
            let rendered: Vec<String> = errors.iter().map(|error| error.render(&name, &text)).collect();
            Failure::new(format!("{name} cannot be understood\n{}", rendered.join("\n")))
                .hint("see `elenchus check` for what Elenchus reads")
        })?;
        Ok(Loaded { text, arena, scope, script })
    }
}
