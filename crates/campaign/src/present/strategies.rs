//! Strategies with their variants and settings.

use case::table::{align, row};
use serde_json::{Value, json};
use strategies::{Description, TECHNIQUES, Technique, Variant};

/// All strategies, a line each.
pub fn strategies_table() -> Vec<String> {
    let mut rows = vec![row(["strategy", "what it does", "variants"])];
    rows.extend(TECHNIQUES.iter().map(|technique| {
        let variants: Vec<&str> =
            technique.description().variants.iter().map(|variant| variant.name).collect();
        row([technique.name, technique.summary, &variants.join(" ")])
    }));
    align(&rows)
}

/// A strategy with its paper, its variants and its settings.
pub fn strategy_text(technique: &Technique) -> Vec<String> {
    let Description { variants, settings } = technique.description();
    let mut lines = vec![format!("{} {}.", technique.name, technique.summary)];
    if !technique.paper.is_empty() {
        lines.push(format!("Paper: {}", technique.paper));
    }
    if !variants.is_empty() {
        let mut rows = vec![row(["variant", "section", "what it does"])];
        rows.extend(variants.iter().map(|variant| row([variant.name, variant.section, variant.summary])));
        lines.push(String::new());
        lines.extend(align(&rows));
    }
    if !settings.is_empty() {
        let first = variants.first().map_or("", |variant| variant.name);
        let mut rows = vec![row(["setting", "default", first, "section", "meaning"])];
        rows.extend(settings.iter().map(|setting| {
            let published = setting.published.as_deref().unwrap_or_default();
            row([setting.name, &setting.usual, published, setting.section, setting.meaning])
        }));
        lines.push(String::new());
        lines.extend(align(&rows));
    }
    lines
}

/// A strategy for programs.
pub fn strategy_json(technique: &Technique) -> Value {
    let Description { variants, settings } = technique.description();
    let variant = |Variant { name, section, summary }: &Variant| json!({ "name": name, "section": section, "summary": summary });
    let settings: Vec<Value> = settings
        .iter()
        .map(|setting| {
            json!({
                "name": setting.name,
                "meaning": setting.meaning,
                "section": setting.section,
                "default": setting.usual,
                "published": setting.published,
            })
        })
        .collect();
    json!({
        "name": technique.name,
        "summary": technique.summary,
        "paper": technique.paper,
        "variants": variants.iter().map(variant).collect::<Vec<Value>>(),
        "settings": settings,
    })
}
