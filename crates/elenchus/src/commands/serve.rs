//! `elenchus serve`: shows a campaign in a browser.

use crate::commands::known;
use crate::commands::place::PlaceArgs;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signals;
use campaign::config::DEFAULT_OUT;
use campaign::place::CommonPlace;
use clap::Args;
use serve::{ServeSettings, Served, Server};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;
use triage::SolverSource;

/// Where pages are served, unless the user names another address.
pub const ADDRESS: &str = "127.0.0.1:7171";
/// The variable with the token.
const TOKEN: &str = "ELENCHUS_TOKEN";

/// Arguments of `elenchus serve`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus serve                                        pages about elenchus-out on this machine
  elenchus serve --out nightly --listen 0.0.0.0:7171    for others, who need the token of the printed address
  elenchus serve --listen 0.0.0.0:7171 --read-only      for others, who may change nothing
  elenchus serve --store postgres://me@host/fuzz        a campaign of several machines

The campaign may be running. Anybody on this machine can read the pages; changes need the token. A server on another address \
requires it for everything. Without --token or ELENCHUS_TOKEN, every start makes a new one. `elenchus fuzz --serve` serves the same \
pages, and `elenchus report --all --format html` writes them as files. Ctrl-C stops the server.")]
pub struct ServeArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = ADDRESS)]
    listen: SocketAddr,
    /// Token that changes need, and reading if the server listens elsewhere [default: ELENCHUS_TOKEN, or a new one]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Let nobody change anything
    #[arg(long)]
    read_only: bool,
    /// Another name of this machine, such as that of a proxy in front; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
}

/// Runs `elenchus serve`.
pub fn run(args: ServeArgs) -> Outcome {
    let stop = signals::stop_flag()?;
    let is_shared =
        args.place.store.campaign.is_some() || args.place.out.is_none() && args.place.store.is_named();
    let (context, place) = match is_shared {
        true => (Context::new()?, Served::Common(Box::new(args.place.store.open()?))),
        false => {
            let out = args.place.out.unwrap_or_else(|| DEFAULT_OUT.into());
            (Context::of_campaign(&out)?, Served::Folder(out))
        }
    };
    let settings = ServeSettings {
        token: args.token.or_else(token),
        read_only: args.read_only,
        hosts: args.hosts,
        ..settings(place, args.listen)
    };
    let server = Server::start(settings, Box::new(context.cancelled_by(&stop)))?;
    println!("{}", link(&server));
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(Exit::Clean)
}

/// Serves the folder of a campaign that is about to run.
pub fn start(out: &Path, listen: SocketAddr) -> Result<Server, Failure> {
    let context = Context::of_campaign(out)?;
    Ok(Server::start(settings(Served::Folder(out.to_owned()), listen), Box::new(context))?)
}

/// Serves a campaign of several machines that this process takes part in.
pub fn start_common(url: &str, campaign: &str, listen: SocketAddr) -> Result<Server, Failure> {
    let context = Context::new()?;
    let place = CommonPlace::open(url, Some(campaign), &context.settings().cache)?;
    Ok(Server::start(settings(Served::Common(Box::new(place)), listen), Box::new(context))?)
}

/// What to open in a browser.
pub fn link(server: &Server) -> String {
    format!("pages at {}", server.link())
}

fn settings(place: Served, listen: SocketAddr) -> ServeSettings {
    ServeSettings {
        place,
        listen,
        token: token(),
        read_only: false,
        hosts: Vec::new(),
        known: known::FILE.into(),
    }
}

fn token() -> Option<String> {
    std::env::var(TOKEN).ok().filter(|token| !token.is_empty())
}
