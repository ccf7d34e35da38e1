//! Small shapes that mark places.

use super::svg::{number, pair};

/// A shape told from the others at a few points across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled disc.
    Disc,
    /// A filled square.
    Square,
    /// A triangle on its side.
    Triangle,
    /// A square on its tip.
    Diamond,
    /// A triangle on its tip.
    Wedge,
    /// A disc filled white.
    Ring,
    /// A square filled white.
    Box,
    /// Two strokes aslant.
    Cross,
    /// Two strokes, level and upright.
    Plus,
    /// Five points.
    Star,
}

impl Shape {
    /// The shape around a place, in a colour; `reach` is about half its width.
    #[must_use]
    pub fn element(self, at: [f64; 2], reach: f64, colour: &str) -> String {
        let by = |dx: f64, dy: f64| pair([at[0] + dx * reach, at[1] + dy * reach]);
        let closed = |corners: &[(f64, f64)]| {
            let places: Vec<String> = corners.iter().map(|(dx, dy)| by(*dx, *dy)).collect();
            format!("M{}Z", places.join("L"))
        };
        let square = [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)];
        let filled = format!(r##"fill="{colour}" stroke="#fff" stroke-width="0.8""##);
        let hollow = format!(r##"fill="#fff" stroke="{colour}" stroke-width="1.7""##);
        let drawn = format!(r#"fill="none" stroke="{colour}" stroke-width="2""#);
        let (path, look) = match self {
            Self::Disc => return disc(at, reach, &filled),
            Self::Ring => return disc(at, reach * 0.9, &hollow),
            Self::Square => (closed(&square), filled),
            Self::Box => (closed(&square), hollow),
            Self::Triangle => (closed(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]), filled),
            Self::Wedge => (closed(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]), filled),
            Self::Diamond => (closed(&[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]), filled),
            Self::Star => (closed(&star()), filled),
            Self::Cross => {
                let d = 0.9;
                (format!("M{}L{}M{}L{}", by(-d, -d), by(d, d), by(-d, d), by(d, -d)), drawn)
            }
            Self::Plus => {
                let d = 1.15;
                (format!("M{}L{}M{}L{}", by(-d, 0.0), by(d, 0.0), by(0.0, -d), by(0.0, d)), drawn)
            }
        };
        format!("<path d=\"{path}\" {look}/>\n")
    }
}

fn disc([x, y]: [f64; 2], radius: f64, look: &str) -> String {
    let [x, y, radius] = [x, y, radius].map(number);
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>\n")
}

/// Five points, one of them up.
fn star() -> [(f64, f64); 10] {
    std::array::from_fn(|i| {
        let angle = std::f64::consts::PI * (i as f64 / 5.0 - 0.5);
        let reach = if i % 2 == 0 { 1.5 } else { 0.62 };
        (reach * angle.cos(), reach * angle.sin())
    })
}
