//! `elenchus doctor`: checks and repairs the folder of a campaign.

use crate::outcome::{Exit, Outcome};
use campaign::config::DEFAULT_OUT;
use case::table::counted;
use clap::Args;
use std::path::PathBuf;
use triage::repair;

/// Arguments of `elenchus doctor`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus doctor
  elenchus doctor --out nightly --json

A damaged database is kept under another name, and a new one is made from the folders of the findings. The progress of the campaign is
lost then: --resume cannot continue it. `elenchus solver doctor` checks the solvers.

Exit code: 0 if nothing is wrong, 1 if something was wrong.")]
pub struct DoctorArgs {
    /// Folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus doctor`.
pub fn run(args: DoctorArgs) -> Outcome {
    let repair = repair(&args.out)?;
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "damage": repair.damage, "kept": repair.kept, "restored": repair.restored,
                "unreadable": repair.unreadable.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            })
        );
    } else {
        if let Some(damage) = &repair.damage {
            println!("The database was damaged: {damage}");
        }
        if let Some(kept) = &repair.kept {
            println!("The damaged database is now {}", kept.display());
        }
        for (path, why) in &repair.unreadable {
            println!("{} cannot be read: {why}", path.display());
        }
        match repair.restored.len() {
            0 if repair.is_clean() => println!("Nothing is wrong with {}", args.out.display()),
            0 => {}
            count => println!("Restored {}", counted(count, "finding")),
        }
    }
    Ok(if repair.is_clean() { Exit::Clean } else { Exit::Found })
}
