//! HTML that is well-formed by its types: text becomes [`Html`] only by being escaped, and elements close themselves.

use case::printable;
use case::text::html_escaped;
use std::fmt::Display;

/// A piece of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

/// An element that is being made.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    open: String,
    content: String,
}

/// Elements without content and end tag.
const VOID: [&str; 5] = ["br", "input", "link", "meta", "hr"];

/// An element with this name.
pub fn el(name: &'static str) -> Element {
    Element { name, open: format!("<{name}"), content: String::new() }
}

impl Html {
    /// Nothing.
    pub fn none() -> Html {
        Html::default()
    }

    /// The pieces after each other.
    pub fn all<H: Into<Html>>(pieces: impl IntoIterator<Item = H>) -> Html {
        Html(pieces.into_iter().map(|piece| piece.into().0).collect())
    }

    /// The HTML as text.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Element {
    /// An attribute.
    pub fn attr(mut self, name: &'static str, value: impl Display) -> Element {
        let value = value.to_string();
        self.open.push_str(&format!(" {name}=\"{}\"", html_escaped(&printable(&value))));
        self
    }

    /// An attribute that may be absent.
    pub fn attr_if(self, name: &'static str, value: Option<impl Display>) -> Element {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// An attribute without a value, if wanted.
    pub fn flag(mut self, name: &'static str, is_set: bool) -> Element {
        if is_set {
            self.open.push_str(&format!(" {name}"));
        }
        self
    }

    /// The class.
    pub fn class(self, class: &str) -> Element {
        self.attr("class", class)
    }

    /// Content after what is there.
    #[expect(
        clippy::should_implement_trait,
        reason = "an operator would hide that the content is inside the element"
    )]
    pub fn add(mut self, content: impl Into<Html>) -> Element {
        self.content.push_str(&content.into().0);
        self
    }

    /// Content, if there is any.
    pub fn maybe(self, content: Option<impl Into<Html>>) -> Element {
        match content {
            Some(content) => self.add(content),
            None => self,
        }
    }

    /// Several pieces of content.
    pub fn each<H: Into<Html>>(self, content: impl IntoIterator<Item = H>) -> Element {
        content.into_iter().fold(self, Element::add)
    }
}

impl From<Element> for Html {
    fn from(Element { name, open, content }: Element) -> Html {
        match VOID.contains(&name) {
            true => Html(open + ">"),
            false => Html(format!("{open}>{content}</{name}>")),
        }
    }
}

impl From<&str> for Html {
    fn from(text: &str) -> Html {
        Html(html_escaped(&printable(text)))
    }
}

impl From<String> for Html {
    fn from(text: String) -> Html {
        text.as_str().into()
    }
}

impl From<&String> for Html {
    fn from(text: &String) -> Html {
        text.as_str().into()
    }
}

impl From<u64> for Html {
    fn from(number: u64) -> Html {
        Html(number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_text_stays_text() {
        let hostile = "<script>\"'&\u{1b}[2J\u{202e}</script>";
        let page =
            el("p").attr("title", hostile).add(hostile).add(el("br")).add(el("b").flag("hidden", true));
        let shown = "&lt;script&gt;&quot;&#39;&amp;\\u001b[2J\\u202e&lt;/script&gt;";
        let expected = format!("<p title=\"{shown}\">{shown}<br><b hidden></b></p>");
        assert_eq!(Html::from(page).into_string(), expected);
    }
}
