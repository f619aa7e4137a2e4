//! `elenchus store`: looks after the common store of campaigns of several machines.

use crate::commands::place::StoreArgs;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::place::find_campaign;
use campaign::present::store_status::StoreStatus;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use store::shared::{SharedStore, copy, open, roles, shown};

/// Arguments of `elenchus store`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus store status --store postgres://me@host/fuzz
  elenchus store migrate --store postgres://owner@host/fuzz
  elenchus store export --store postgres://me@host/fuzz --campaign nightly --to nightly.db

The store is also taken from ELENCHUS_STORE. A password is better in ~/.pgpass or PGPASSWORD than in the URL: other users of the \
machine see the command line.")]
pub struct StoreCommandArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show the campaigns, who works on them, and which jobs wait
    #[command(after_help = "Examples:
  elenchus store status --store postgres://me@host/fuzz
  elenchus store status --store sqlite:common.db --campaign nightly --json")]
    Status {
        #[command(flatten)]
        store: StoreArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Create the tables, or bring them to the layout of this version
    #[command(after_help = "Examples:
  elenchus store migrate --store postgres://owner@host/fuzz

Only the owner of the database can do it. Programs that join a campaign do it, too, if their user may.")]
    Migrate {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Print the SQL that makes roles for workers and for readers
    #[command(after_help = "Examples:
  elenchus store roles | psql postgres://owner@host/fuzz

The owner of the database runs it after `elenchus store migrate`. It makes two roles: elenchus_worker may take part in campaigns, and \
elenchus_reader may only read.")]
    Roles,
    /// Copy a campaign into a file
    #[command(after_help = "Examples:
  elenchus store export --store postgres://me@host/fuzz --campaign nightly --to nightly.db
  elenchus findings --store sqlite:nightly.db")]
    Export {
        #[command(flatten)]
        store: StoreArgs,
        /// File to write, which becomes a store of its own
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Copy the campaigns of a file into the store
    #[command(after_help = "Examples:
  elenchus store import nightly.db --store postgres://me@host/fuzz")]
    Import {
        /// File that `elenchus store export` wrote
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// Runs `elenchus store`.
pub fn run(args: StoreCommandArgs) -> Outcome {
    match args.action {
        Action::Status { store, json } => {
            let (url, name, mut shared) = opened(&store)?;
            let status = StoreStatus::read(&mut *shared, &url, name.as_deref())?;
            match json {
                true => println!("{}", serde_json::json!(status)),
                false => println!("{}", status.lines().join("\n")),
            }
        }
        Action::Migrate { store } => {
            let (url, ..) = opened(&store)?;
            println!("{} has the layout of this version", shown(&url));
        }
        Action::Roles => print!("{}", roles()?),
        Action::Export { store, to } => {
            let (url, name, mut shared) = opened(&store)?;
            let name = find_campaign(&mut *shared, &url, name.as_deref())?.name;
            copy(&mut *shared, &mut *open(&of_file(&to))?, &name)?;
            println!("Copied {name} to {}", to.display());
        }
        Action::Import { file, store } => {
            if !file.is_file() {
                return Err(Failure::new(format!("no such file: {}", file.display())).hint("check the path"));
            }
            let (url, _, mut shared) = opened(&store)?;
            let mut from = open(&of_file(&file))?;
            let only = store.campaign.clone();
            let campaigns = match &only {
                Some(_) => vec![find_campaign(&mut *from, &of_file(&file), only.as_deref())?],
                None => from.campaigns()?,
            };
            // The latest one is listed first, and stays the latest.
            for campaign in campaigns.iter().rev() {
                copy(&mut *from, &mut *shared, &campaign.name)?;
                println!("Copied {} to {}", campaign.name, shown(&url));
            }
        }
    }
    Ok(Exit::Clean)
}

/// The URL of a store, the name of a campaign, and the store.
type Opened = (String, Option<String>, Box<dyn SharedStore>);

/// Opens the store that the arguments or the environment name.
fn opened(store: &StoreArgs) -> Result<Opened, Failure> {
    let (url, campaign) = store.name().resolve()?;
    let shared = open(&url)?;
    Ok((url, campaign, shared))
}

/// The file as the store of a program that runs alone.
fn of_file(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}
