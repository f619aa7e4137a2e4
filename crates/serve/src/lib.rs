//! Web pages that show a campaign while it runs, and afterwards.
//!
//! A [`Server`] listens for browsers and answers from a [`data::Data`], which the folder of a campaign is one kind of. `access.rs` decides
//! who may read and change something; `pages/` makes the pages, which are complete without JavaScript; `api.rs` is the JSON
//! interface; `jobs.rs` runs what people ask for. `common.rs` follows a campaign that several machines share. [`export()`] writes the same pages as files. Nothing is requested from elsewhere.

mod access;
mod api;
mod assets;
pub mod charts;
mod common;
pub mod data;
mod diff;
mod export;
pub mod html;
mod http;
mod jobs;
mod links;
mod pages;
mod script;
mod server;
mod site;
mod time;

pub use access::{Access, new_token};
pub use api::OPENAPI;
pub use assets::STYLE;
pub use common::Common;
pub use export::{ExportError, export};
pub use http::{Handler, Request, Response};
pub use jobs::Jobs;
pub use server::{ServeError, ServeSettings, Served, Server};
pub use site::Site;
