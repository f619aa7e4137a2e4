//! What all pages share.

use super::View;
use crate::html::{Html, el};
use crate::links::{Links, Page};
use crate::time::{moment, now};

/// For files: a server says this in a header, and more strictly.
const FILE_POLICY: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'";

/// A whole page.
pub fn layout(view: &View<'_>, page: Page<'_>, title: &str, body: Html) -> String {
    let link = |target: Page<'static>| {
        let current = (target.name() == page.name()).then_some("page");
        el("li").add(
            el("a").attr("href", view.links.page(target)).attr_if("aria-current", current).add(target.name()),
        )
    };
    let navigation = el("nav").attr("aria-label", "Pages").add(el("ul").each(Page::MENU.map(link)));
    let theme =
        el("button").attr("type", "button").attr("id", "theme").flag("hidden", true).add("Dark theme");
    let home = el("a").class("brand").attr("href", view.links.page(Page::Overview)).add("Elenchus");
    let header = el("header").class("top").add(home).add(navigation).add(theme);
    let status = el("p").attr("id", "status").attr("role", "status").attr("aria-live", "polite");
    let main = el("main").attr("id", "main").attr("tabindex", -1).add(body);
    let made = match view.links {
        Links::Server => "Keys: j and k move through the list, / searches, t changes the theme.".to_owned(),
        Links::Files => format!("Written {} UTC. Times are UTC.", moment(now())),
    };
    let footer = el("footer").add(el("p").add(format!("{} · {made}", view.data.name())));
    let skip = el("a").class("skip").attr("href", "#main").add("Skip to the content");
    let body = el("body").attr_if("data-events", view.is_live().then_some("/api/events")).each([
        Html::from(skip),
        header.into(),
        status.into(),
        main.into(),
        footer.into(),
    ]);
    document(view.links, title, body.into())
}

fn document(links: Links, title: &str, body: Html) -> String {
    let policy = (links == Links::Files)
        .then(|| el("meta").attr("http-equiv", "Content-Security-Policy").attr("content", FILE_POLICY));
    let head = el("head")
        .add(el("meta").attr("charset", "utf-8"))
        .maybe(policy)
        .add(el("meta").attr("name", "viewport").attr("content", "width=device-width, initial-scale=1"))
        .add(el("meta").attr("name", "color-scheme").attr("content", "light dark"))
        .add(el("title").add(format!("{title} · Elenchus")))
        .add(
            el("link")
                .attr("rel", "icon")
                .attr("href", links.asset("icon.svg"))
                .attr("type", "image/svg+xml"),
        )
        .add(el("link").attr("rel", "stylesheet").attr("href", links.asset("style.css")))
        .add(el("script").attr("src", links.asset("page.js")).flag("defer", true));
    let page = el("html").attr("lang", "en").add(head).add(body);
    format!("<!doctype html>\n{}\n", Html::from(page).into_string())
}

/// A page with a sentence, such as an error.
pub fn message(title: &str, text: &str) -> String {
    let main = el("main")
        .add(el("h1").add(title))
        .add(el("p").add(text))
        .add(el("p").add(el("a").attr("href", "/").add("Overview")));
    document(Links::Server, title, el("body").add(main).into())
}

/// A part of a page that is fetched again when something has changed.
pub fn live(id: &str, content: impl Into<Html>) -> Html {
    el("div").attr("id", id).flag("data-live", true).add(content).into()
}

/// A part of a page with a heading.
pub fn section(heading: &str, content: impl Into<Html>) -> Html {
    el("section").class("card").add(el("h2").add(heading)).add(content).into()
}
