//! A report as a self-contained HTML page.

use super::content::{Report, SolverResult};
use crate::releases::Probe;
use crate::text::{CONTENT_POLICY, html_escaped};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}\
pre{background:#f4f4f2;padding:.8rem;overflow-x:auto;border-radius:4px}table{border-collapse:collapse}\
td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}.bad{color:#a00}.good{color:#060}";

/// A page with a title and a body of HTML.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{CONTENT_POLICY}<title>{}</title>\n<style>{STYLE}</style></head>\n\
         <body>\n{body}\n</body></html>\n",
        html_escaped(title)
    )
}

impl Report {
    /// The report as a page of HTML.
    pub fn html(&self) -> String {
        let mut body = format!("<h1>{}</h1>\n", html_escaped(&self.title));
        body.push_str(&format!(
            "<p><b>{}</b>, severity: {}.</p>\n",
            html_escaped(&self.solver),
            self.severity
        ));
        body.push_str(&block(&self.script));
        body.push_str(&block(&format!("$ {}\n{}", self.command, self.actual)));
        if let Some(ended) = &self.ended {
            body.push_str(&format!("<p>The run ends with: {}</p>\n", html_escaped(ended)));
        }
        body.push_str(&format!("<p>Expected: {}</p>\n", html_escaped(&self.expected)));
        body.push_str(&format!("<h2>Why this is wrong</h2>\n<p>{}</p>\n", html_escaped(&self.blame)));
        if let Some(model) = &self.model {
            body.push_str(&format!("<p>The model:</p>\n{}", block(model)));
        }
        if let Some(values) = &self.values {
            body.push_str(&format!("<p>{}:</p>\n{}", self.values_heading(), block(values)));
        }
        body.push_str(&results("With the model in place of the declarations:", &self.with_model));
        body.push_str(&results("Other solvers:", &self.others));
        let releases =
            self.releases.as_ref().map_or_else(|| "not tested".to_owned(), |found| found.sentence());
        body.push_str(&format!("<h2>Releases</h2>\n<p>{}</p>\n", html_escaped(&releases)));
        if let Some(found) = &self.releases {
            let line = |probe: &Probe| {
                let (state, word) = (probe.state.word(), found.word(probe.state));
                format!(
                    "<tr><td>{}</td><td class=\"{state}\">{word}</td><td>{}</td></tr>",
                    html_escaped(&probe.release),
                    html_escaped(&probe.did())
                )
            };
            let lines: Vec<String> = found.probes.iter().map(line).collect();
            body.push_str(&format!("<table>{}</table>\n", lines.join("\n")));
        }
        let options =
            if self.options.is_empty() { "Default options.".to_owned() } else { self.options.join(" ") };
        body.push_str(&format!("<p>{}</p>\n", html_escaped(&options)));
        if let Some(distinguishing_functions) = &self.distinguishing_functions {
            body.push_str(&format!(
                "<h2>Where to look</h2>\n<p>The nearest passing script ({}):</p>\n{}",
                html_escaped(&distinguishing_functions.result.to_string()),
                block(&distinguishing_functions.neighbour)
            ));
            body.push_str(&format!(
                "<p>Functions that only the failing script reaches: {}.</p>\n",
                html_escaped(&distinguishing_functions.names())
            ));
        }
        for duplicate in &self.duplicates {
            body.push_str(&format!("<p>Likely the same: {}</p>\n", html_escaped(duplicate)));
        }
        let verdict = if self.policy.wanted { "Within the maintainers' policy" } else { "Do not file" };
        body.push_str(&format!(
            "<h2>Notes</h2>\n<p>{verdict}: {}.</p>\n",
            html_escaped(&self.policy.reasons.join("; "))
        ));
        body.push_str(&format!("<p>Signature: <code>{}</code></p>", html_escaped(&self.signature)));
        page(&self.title, &body)
    }
}

fn block(text: &str) -> String {
    format!("<pre>{}</pre>\n", html_escaped(text.trim_end()))
}

fn results(title: &str, list: &[SolverResult]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = list
        .iter()
        .map(|one| {
            format!("<tr><td>{}</td><td>{}</td></tr>", html_escaped(&one.solver), html_escaped(&one.text()))
        })
        .collect();
    format!("<p>{title}</p>\n<table>{}</table>\n", lines.join("\n"))
}
