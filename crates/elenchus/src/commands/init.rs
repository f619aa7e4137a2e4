//! `elenchus init`: a configuration file with all that can be set, explained.

use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// The file that is written.
const TEMPLATE: &str = include_str!("init.toml");

/// Arguments of `elenchus init`.
#[derive(Args)]
pub struct InitArgs {
    /// Where to write it
    #[arg(default_value = "elenchus.toml")]
    file: PathBuf,
}

/// Runs `elenchus init`. A file that is there is left alone.
pub fn run(args: InitArgs) -> Outcome {
    let shown = args.file.display();
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&args.file)
        .and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    match written {
        Ok(()) => {
            println!("{shown} is written; `elenchus fuzz` in this folder uses it");
            Ok(Exit::Clean)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::new(format!("{shown} exists already"))
                .hint("move it away, or name another file: elenchus init FILE"))
        }
        Err(error) => Err(Failure::new(format!("{shown} cannot be written: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::TEMPLATE;
    use crate::commands::fuzz_config;

    #[test]
    fn the_template_is_valid_as_it_is_and_with_everything_switched_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("elenchus.toml");
        let uncommented: String = TEMPLATE
            .lines()
            .map(|line| {
                line.strip_prefix("# ")
                    .filter(|rest| rest.contains(" = ") || rest.starts_with('['))
                    .unwrap_or(line)
            })
            .map(|line| format!("{line}\n"))
            .collect();
        for text in [TEMPLATE, &uncommented] {
            std::fs::write(&file, text).unwrap();
            fuzz_config::read(&file).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
        }
        std::fs::write(&file, &uncommented).unwrap();
        assert_eq!(fuzz_config::read(&file).unwrap().cases, Some(100_000));
    }
}
