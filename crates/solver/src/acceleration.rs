//! Switches for the techniques that make runs fast. None of them changes what a solver answers.

use serde::Deserialize;

/// The variable that overrides the table `[performance]`: `all`, `none`, or the names of the switches that are on.
pub const VARIABLE: &str = "ELENCHUS_PERFORMANCE";

/// Which techniques are on; all of them by default.
///
/// In `elenchus.toml` each is a key of the table `[performance]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Acceleration {
    /// Fork servers move the solver's code into huge pages after some scripts.
    pub huge_pages: bool,
    /// Warm processes have their heap in huge pages, where the profile says how (`start.huge_heap_env`).
    pub huge_heap: bool,
    /// Fork servers fork the next child while a script runs.
    pub prefork: bool,
    /// Workers and their solvers stay on one processor core, and the two processes of a session on two.
    pub core_pinning: bool,
    /// A supervisor process is used for several programs, one after the other.
    pub reuse_supervisors: bool,
}

impl Acceleration {
    /// Every technique.
    pub const ALL: Acceleration = Acceleration {
        huge_pages: true,
        huge_heap: true,
        prefork: true,
        core_pinning: true,
        reuse_supervisors: true,
    };

    /// No technique.
    pub const NONE: Acceleration = Acceleration {
        huge_pages: false,
        huge_heap: false,
        prefork: false,
        core_pinning: false,
        reuse_supervisors: false,
    };

    /// Reads `all`, `none`, or a list such as `prefork,huge_pages` of what is on. The error is the unknown name.
    pub fn parse(text: &str) -> Result<Acceleration, String> {
        match text.trim() {
            "all" => return Ok(Acceleration::ALL),
            "none" => return Ok(Acceleration::NONE),
            _ => {}
        }
        let mut on = Acceleration::NONE;
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            *on.switch(name).ok_or_else(|| name.to_owned())? = true;
        }
        Ok(on)
    }

    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "huge_pages" => &mut self.huge_pages,
            "huge_heap" => &mut self.huge_heap,
            "prefork" => &mut self.prefork,
            "core_pinning" => &mut self.core_pinning,
            "reuse_supervisors" => &mut self.reuse_supervisors,
            _ => return None,
        })
    }
}

impl Default for Acceleration {
    fn default() -> Acceleration {
        Acceleration::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::Acceleration;

    #[test]
    fn lists_name_what_is_on() {
        let some = Acceleration { prefork: true, huge_heap: true, ..Acceleration::NONE };
        let table = [
            ("all", Ok(Acceleration::ALL)),
            ("none", Ok(Acceleration::NONE)),
            ("prefork, huge_heap", Ok(some)),
            ("", Ok(Acceleration::NONE)),
            ("prefork,speed", Err("speed".to_owned())),
        ];
        for (text, expected) in table {
            assert_eq!(Acceleration::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn the_table_names_every_switch() {
        let off = "huge_pages = false\nhuge_heap = false\nprefork = false\ncore_pinning = false\nreuse_supervisors = false\n";
        assert_eq!(toml::from_str::<Acceleration>(off).unwrap(), Acceleration::NONE);
        assert_eq!(toml::from_str::<Acceleration>("").unwrap(), Acceleration::ALL);
        assert!(toml::from_str::<Acceleration>("speed = true").is_err());
    }
}
