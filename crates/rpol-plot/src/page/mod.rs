//! A page of HTML that stands alone: no script, nothing from the network, for phone and print, light and dark.

use crate::figure::svg;

const STYLE: &str = include_str!("page.css");
/// SHA-256 of the style with the line's end before it: the only one that a browser applies.
const STYLE_HASH: &str = "wJAuNEdl1uUzhbApRjJ3PcSaIthC6d0NrPhLi8LVO/8=";

/// What every page begins with: whoever would replace a file can tell by it that the file is one.
pub(crate) const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
     <meta name=\"generator\" content=\"rpol\">\n";

/// The whole page; `title` is text, `body` is HTML.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "{BEGINNING}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; \
         base-uri 'none'; form-action 'none'\">\n\
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

/// A table that scrolls by itself where it is wide; headings and cells are HTML.
#[must_use]
pub fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let headings: String = headings.iter().map(|heading| format!("<th>{heading}</th>")).collect();
    let cells = |row: Vec<String>| row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
    let rows: String = rows.map(cells).map(|cells: String| format!("<tr>{cells}</tr>\n")).collect();
    format!(
        "<div class=\"wide\"><table>\n<thead><tr>{headings}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// A picture with its words; `name` is unlike that of any other on the page, `svg` is the text of its file.
#[must_use]
pub fn figure(name: &str, title: &str, caption: &str, svg: &str) -> String {
    let (title, caption, svg) = (escaped(title), escaped(caption), own_names(svg, name));
    format!(
        "<figure>\n<div class=\"picture\" role=\"img\" aria-label=\"{title}\">{svg}</div>\n\
         <figcaption><strong>{title}.</strong> {caption}</figcaption>\n</figure>\n",
    )
}

/// The picture under names of its own: in one page, `id`s of several pictures must not meet.
fn own_names(svg: &str, name: &str) -> String {
    let svg = svg.find("<svg").map_or(svg, |start| &svg[start..]);
    let ids = svg.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut own = svg.to_string();
    for id in ids {
        own = own
            .replace(&format!(" id=\"{id}\""), &format!(" id=\"{name}-{id}\""))
            .replace(&format!("#{id}\""), &format!("#{name}-{id}\""))
            .replace(&format!("#{id})"), &format!("#{name}-{id})"));
    }
    own
}

/// Text as HTML, as in the pictures: line ends stay.
///
/// ```
/// use rpol_plot::page::escaped;
/// assert_eq!(escaped("<img a=\"b\"> & co"), "&lt;img a=&quot;b&quot;&gt; &amp; co");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    text.split('\n').map(svg::escaped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::own_names;

    #[test]
    fn pictures_keep_their_names_apart() {
        let svg =
            "<?xml?><svg><clipPath id=\"c\"/><g clip-path=\"url(#c)\"><use href=\"#c\"/></g></svg>";
        let own =
            "<svg><clipPath id=\"p-c\"/><g clip-path=\"url(#p-c)\"><use href=\"#p-c\"/></g></svg>";
        assert_eq!(own_names(svg, "p"), own);
    }
}
