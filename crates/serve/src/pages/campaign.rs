//! The settings of a campaign, and how to continue it.

use super::View;
use super::layout::{layout, section};
use super::overview::chosen;
use super::table::table;
use crate::data::DataError;
use crate::html::{Html, el};
use crate::http::Request;
use crate::links::Page;
use crate::time::{moment, span};
use serde_json::Value;

/// The page.
pub fn page(view: &View<'_>, request: &Request) -> Result<String, DataError> {
    let campaigns = view.data.campaigns()?;
    let mut pieces = vec![Html::from(el("h1").add("Campaign"))];
    if let Some(entry) = chosen(view, request)? {
        let settings: Value = serde_json::from_str(&entry.settings).unwrap_or_default();
        let rows = settings.as_object().into_iter().flatten().map(|(name, value)| -> Vec<Html> {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Array(items) if items.iter().all(Value::is_string) => {
                    items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
                }
                other => other.to_string(),
            };
            vec![name.replace('_', " ").into(), el("code").add(text).into()]
        });
        pieces.extend(view.data.join().map(|command| join(&command)));
        let folder = view.data.name();
        let command = format!("elenchus fuzz --resume --out {}", case::text::shell_quoted(&folder));
        let copy =
            el("button").attr("type", "button").attr("data-copy", "#resume").flag("hidden", true).add("Copy");
        let resume = [
            Html::from(el("p").add("Continue the latest campaign of this folder with its settings:")),
            el("pre").attr("id", "resume").attr("tabindex", 0).add(&command).into(),
            el("p").class("tools").add(copy).into(),
            el("p")
                .add("One process at a time works on a folder. `--time` or `--cases` add to its limits.")
                .into(),
        ];
        // A campaign of several machines goes on where they are.
        if view.data.shared_totals()?.is_none() {
            pieces.push(section(
                &format!("Resume campaign {}", campaigns.first().map_or(entry.id, |last| last.id)),
                Html::all(resume),
            ));
        }
        pieces.push(section(
            &format!("Settings of campaign {}", entry.id),
            table("Settings", &["setting", "value"], rows.collect()),
        ));
    }
    let row = |entry: &store::CampaignEntry| -> Vec<Html> {
        let number = entry.id.to_string();
        let name = match view.is_live() {
            true => Html::from(el("a").attr("href", format!("/campaign?campaign={number}")).add(&number)),
            false => number.into(),
        };
        let state = serde_json::json!(entry.state);
        vec![
            name,
            format!("{} UTC", moment(entry.started)).into(),
            span(entry.elapsed).into(),
            entry.seed.into(),
            state.as_str().unwrap_or_default().into(),
        ]
    };
    let headings = ["campaign", "started", "time", "#seed", "state"];
    pieces.push(section(
        "Campaigns of this folder",
        table("Campaigns, the latest first", &headings, campaigns.iter().map(row).collect()),
    ));
    Ok(layout(view, Page::Campaign, "Campaign", Html::all(pieces)))
}

/// How another machine takes part.
fn join(command: &str) -> Html {
    let copy =
        el("button").attr("type", "button").attr("data-copy", "#join").flag("hidden", true).add("Copy");
    let pieces = [
        Html::from(el("p").add("Take part on another machine, or with another process on this one:")),
        el("pre").attr("id", "join").attr("tabindex", 0).add(command).into(),
        el("p").class("tools").add(copy).into(),
        el("p")
            .add("The password comes from PGPASSWORD or ~/.pgpass. Ctrl-C leaves the campaign; its work goes on elsewhere.")
            .into(),
    ];
    section("Join", Html::all(pieces))
}
