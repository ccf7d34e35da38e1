//! Reading pictures back.

use resvg::usvg::roxmltree::{Document, Node};

/// Elements of a kind in the groups of a class.
pub(crate) fn within(svg: &str, class: &str, tag: &str) -> usize {
    let document = Document::parse(svg).unwrap();
    let groups = document.descendants().filter(|node| node.attribute("class") == Some(class));
    groups.flat_map(|group| group.descendants()).filter(|node| node.has_tag_name(tag)).count()
}

/// The corners of the first path in a group of a class.
pub(crate) fn corners(svg: &str, class: &str) -> Vec<[f64; 2]> {
    let document = Document::parse(svg).unwrap();
    let group = document.descendants().find(|node| node.attribute("class") == Some(class)).unwrap();
    let path = group.descendants().find(|node| node.has_tag_name("path")).unwrap();
    let pair = |words: &str| {
        let (x, y) = words.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    path.attribute("d").unwrap().split(['M', 'L', 'Z', ' ']).filter_map(pair).collect()
}

pub(crate) fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let words =
        |node: Node| node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect();
    document.descendants().filter(|node| node.has_tag_name("text")).map(words).collect()
}

/// It is XML, has no number that is none, no script, nothing from elsewhere, and text only where it was meant.
pub(crate) fn assert_sound(svg: &str) {
    let document = Document::parse(svg).unwrap();
    let known =
        ["svg", "title", "desc", "rect", "g", "path", "circle", "text", "tspan", "clipPath"];
    for node in document.descendants().filter(Node::is_element) {
        assert!(known.contains(&node.tag_name().name()), "{}", node.tag_name().name());
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            let is_number = !matches!(name, "class" | "id" | "aria-labelledby");
            let odd = value.contains("NaN") || value.contains("inf");
            assert!(!is_number || !odd, "{name}={value}");
            assert!(!name.starts_with("on") && !name.contains("href"), "{name}={value}");
        }
    }
}
