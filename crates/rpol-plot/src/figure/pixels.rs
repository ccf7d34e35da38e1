//! From SVG text to the bytes of a PNG file.

use std::sync::{Arc, LazyLock};

use anyhow::{Context, Result, ensure};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use super::font;

/// Only the bundled font, so that a picture has the same pixels on every machine.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for file in font::FILES {
        fonts.load_font_data(file.to_vec());
    }
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// The picture in pixels, `scale` pixels to an SVG unit, as a PNG file.
///
/// # Errors
/// When the text is not SVG, or the scale leaves no pixel or too many.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>> {
    ensure!(scale.is_finite() && scale > 0.0, "scale must be a positive number, not {scale}");
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "Noto Sans".into(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).context("the picture is not sound SVG")?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|side| (side * scale).round() as u32);
    let mut pixels = Pixmap::new(width, height)
        .with_context(|| format!("cannot draw {width} x {height} pixels"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    encoded(&pixels).context("cannot write PNG")
}

/// As a PNG file that says by whom it was made: so it may be replaced by a later one.
fn encoded(pixels: &Pixmap) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk("Software".into(), "rpol".into())?;
    let colours = pixels.pixels().iter().map(|pixel| pixel.demultiply());
    let data: Vec<u8> = colours.flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()]).collect();
    encoder.write_header()?.write_image_data(&data)?;
    Ok(bytes)
}
