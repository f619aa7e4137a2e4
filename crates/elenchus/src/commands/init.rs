//! `elenchus init`: writes a configuration file that explains every setting.

use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// The file to write.
const TEMPLATE: &str = include_str!("init.toml");

/// Arguments of `elenchus init`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus init
  elenchus init nightly.toml && elenchus fuzz --config nightly.toml")]
pub struct InitArgs {
    /// File to write
    #[arg(default_value = "elenchus.toml")]
    file: PathBuf,
}

/// Runs `elenchus init`. An existing file is not overwritten.
pub fn run(args: InitArgs) -> Outcome {
    let shown = args.file.display();
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&args.file)
        .and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    match written {
        Ok(()) => {
            println!("Wrote {shown}; `elenchus fuzz` in this folder uses it");
            Ok(Exit::Clean)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::new(format!("{shown} already exists"))
                .hint("move it away, or name another file: elenchus init FILE"))
        }
        Err(error) => {
            Err(Failure::new(format!("cannot write {shown}: {error}"))
                .hint("check the path and its permissions"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TEMPLATE;
    use campaign::config::FuzzConfig;

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
            FuzzConfig::read(&file).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
        }
        std::fs::write(&file, &uncommented).unwrap();
        assert_eq!(FuzzConfig::read(&file).unwrap().cases, Some(100_000));
    }
}
