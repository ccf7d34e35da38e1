//! The paper a picture is drawn on: a title, the drawing, a key and a caption.

use super::look;
use crate::figure::font::{self, Weight};
use crate::figure::svg::{self, Anchor, Document, Text};

/// Width of a picture.
pub const WIDTH: f64 = 720.0;
/// What stays free on every side.
pub const EDGE: f64 = 16.0;
const KEY_SIZE: f64 = 13.0;
const KEY_ROW: f64 = 22.0;

/// A picture in the making.
#[derive(Debug)]
pub struct Sheet {
    title: String,
    body: String,
    /// Where the next thing may begin.
    pub top: f64,
    width: f64,
}

/// A sample of what is drawn, about a place, and its meaning.
pub type Key<'a> = (Box<dyn Fn([f64; 2]) -> String>, &'a str);

impl Sheet {
    /// A sheet of the usual width under a title.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self::wide(title, WIDTH)
    }

    pub(crate) fn wide(title: &str, width: f64) -> Self {
        let (body, top) = svg::heading(title, width, EDGE);
        Self { title: title.into(), body, top, width }
    }

    /// Adds an element of SVG.
    pub fn draw(&mut self, element: &str) {
        self.body += element;
    }

    /// What the marks mean, in rows.
    pub fn key(&mut self, entries: &[Key]) {
        let mut at = [EDGE + 8.0, self.top + KEY_ROW / 2.0];
        for (sample, words) in entries {
            let width = 26.0 + font::width(words, KEY_SIZE, Weight::Regular);
            if at[0] + width > self.width - EDGE {
                at = [EDGE + 8.0, at[1] + KEY_ROW];
            }
            let words =
                Text::new([at[0] + 22.0, at[1] + 4.5], Anchor::Start, KEY_SIZE, words).level();
            self.body += &(sample([at[0] + 8.0, at[1]]) + &words);
            at[0] += width + 18.0;
        }
        self.top = at[1] + KEY_ROW / 2.0;
    }

    /// The file, with a caption in words.
    #[must_use]
    pub fn finish(mut self, caption: &str) -> String {
        let (words, height) = svg::caption(caption, self.width, EDGE, self.top);
        self.body += &words;
        let id = svg::id_of(&[&self.title, &self.body]);
        let size = [self.width, height.max(self.top) + 4.0];
        Document { id: &id, title: &self.title, description: caption, size }.with(&self.body)
    }

    /// The file where there is nothing to draw, and why.
    #[must_use]
    pub fn empty(mut self, why: &str) -> String {
        let lines = font::wrapped(why, 15.0, Weight::Regular, self.width - 4.0 * EDGE);
        self.top += 40.0;
        for line in &lines {
            let at = [self.width / 2.0, self.top];
            let words = Text::new(at, Anchor::Middle, 15.0, line).level();
            self.body += &format!("<g class=\"empty\" fill=\"{}\">{words}</g>\n", look::FAINT);
            self.top += 22.0;
        }
        self.top += 30.0;
        self.finish("")
    }
}

/// A point as a sample.
pub(crate) fn dot_key(feasible: Option<bool>) -> Box<dyn Fn([f64; 2]) -> String> {
    let look = look::points(feasible);
    Box::new(move |at| format!("<g {look}>{}</g>\n", look::dot(at, 3.8)))
}

/// A stroke as a sample.
#[must_use]
pub fn line_key(attributes: String) -> Box<dyn Fn([f64; 2]) -> String> {
    Box::new(move |[x, y]| svg::stroke([x - 9.0, y], [x + 9.0, y], &attributes))
}

/// A filled box as a sample.
pub(crate) fn box_key(attributes: String) -> Box<dyn Fn([f64; 2]) -> String> {
    use crate::figure::frame::Frame;
    let frame = |[x, y]: [f64; 2]| Frame { left: x - 8.0, top: y - 5.0, width: 16.0, height: 10.0 };
    Box::new(move |at| svg::rectangle(&frame(at), &attributes))
}
