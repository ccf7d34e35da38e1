//! A page of HTML that stands alone: no script, nothing from the network, for phone and print, light and dark.

const STYLE: &str = include_str!("page.css");

/// The whole page; `title` is text, `body` is HTML.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// A text that opens on demand.
#[must_use]
pub fn details(title: &str, text: &str) -> String {
    format!(
        "<details><summary>{}</summary>\n<pre>{}</pre></details>\n",
        escaped(title),
        escaped(text)
    )
}

/// Text as HTML.
///
/// ```
/// use rpol_lab::page::escaped;
/// assert_eq!(escaped("<img a=\"b\"> & co"), "&lt;img a=&quot;b&quot;&gt; &amp; co");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
