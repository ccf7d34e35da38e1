//! Reading figures back.

use resvg::usvg::roxmltree::{Document, Node};
use rpol_plot::figure::png;

/// Every text of the picture, spans joined.
pub(crate) fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let words =
        |node: Node| node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect();
    document.descendants().filter(|node| node.has_tag_name("text")).map(words).collect()
}

/// Left, top, right and bottom of the first rectangle within an element.
pub(crate) fn rectangle(node: Node) -> [f64; 4] {
    let rect = node.descendants().find(|inner| inner.has_tag_name("rect")).unwrap();
    let [x, y, width, height] =
        ["x", "y", "width", "height"].map(|name| rect.attribute(name).unwrap().parse().unwrap());
    [x, y, x + width, y + height]
}

pub(crate) fn of_class<'a>(document: &'a Document, class: &str) -> Node<'a, 'a> {
    document.descendants().find(|node| node.attribute("class") == Some(class)).unwrap()
}

/// The corners of a path of absolute straight lines.
pub(crate) fn corners(path: &str) -> Vec<[f64; 2]> {
    let pair = |words: &str| {
        let (x, y) = words.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    path.split(['M', 'L', 'Z', ' ']).filter_map(pair).collect()
}

pub(crate) fn assert_sound(svg: &str) {
    let document = Document::parse(svg).unwrap();
    for node in document.descendants() {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
            let refers = ["href", "clip-path"].contains(&attribute.name());
            assert!(!refers || value.starts_with('#') || value.starts_with("url(#"), "{value}");
        }
    }
    assert!(document.descendants().any(|node| node.has_tag_name("desc")));
    assert!(png(svg, 0.5).unwrap().starts_with(b"\x89PNG"));
}

/// What the lines, or the points, are clipped to.
pub(crate) fn clip(document: &Document) -> [f64; 4] {
    rectangle(document.descendants().find(|node| node.has_tag_name("clipPath")).unwrap())
}

/// The vertices of every line of a chart.
pub(crate) fn drawn_lines(document: &Document) -> Vec<Vec<[f64; 2]>> {
    let lines = of_class(document, "plot")
        .children()
        .filter(|node| node.attribute("stroke-linejoin").is_some());
    lines.map(|node| corners(node.attribute("d").unwrap())).collect()
}
