//! Figures are sound SVG, say what they were given, and come out as pixels on a machine without fonts.
#![allow(clippy::unwrap_used)]

mod reading;

use reading::{assert_sound, clip, corners, drawn_lines, of_class, rectangle, texts};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::Document;
use rpol_plot::figure::{Curves, Line, Panel, PointMaps, png};

const NAMES: [&str; 8] = [
    "RPOL-UCB",
    "CKB-UCB",
    "CONFIG",
    "EPBO",
    "Random",
    "RPOL-CensoredUCB",
    "Hallucinated",
    "of <its> own & more",
];

fn line(label: &str, mean: Vec<f64>) -> Line {
    Line { label: label.into(), mean, half_width: None }
}

fn curves(lines: Vec<Line>) -> Curves {
    Curves {
        title: "Regret <a> & \"b\"".into(),
        x: "round t".into(),
        y: "R(t) / t".into(),
        caption: "Settings < & > of the runs".into(),
        lines,
        marks: vec![(40.0, "limits <move>".into()), (45.0, "and back".into())],
    }
}

/// Eight lines that fall like averages do, with bands.
fn falling() -> Curves {
    let fall = |k: usize, t: usize| 0.1 * k as f64 + (3.0 + k as f64) / (t as f64).sqrt();
    let one = |(k, name): (usize, &&str)| Line {
        half_width: Some((1..=100).map(|t| 0.3 / f64::from(t).sqrt()).collect()),
        ..line(name, (1..=100).map(|t| fall(k, t)).collect())
    };
    curves(NAMES.iter().enumerate().map(one).collect())
}

fn disc([a, b]: [f64; 2]) -> bool {
    (a - 3.0).hypot(b - 3.0) <= 1.5
}

fn corner([a, b]: [f64; 2]) -> bool {
    a + b <= 4.0
}

fn maps(panels: usize) -> PointMaps<'static> {
    let panel = |k: usize| Panel {
        label: NAMES[k].into(),
        points: (0..50).map(|t| [0.1 * t as f64, 6.0 - 0.1 * (t + k) as f64]).collect(),
    };
    PointMaps {
        title: "Where <they> fell".into(),
        x: "x₁".into(),
        y: "x₂".into(),
        caption: "Settings < & >".into(),
        low: [0.0, 0.0],
        high: [6.0, 6.0],
        regions: vec![("before & now".into(), &disc), ("after".into(), &corner)],
        optima: vec![("best <ever>".into(), [3.0, 3.0])],
        panels: (0..panels).map(panel).collect(),
    }
}

#[test]
fn curves_say_everything_they_were_given() {
    let svg = falling().svg();
    assert_sound(&svg);
    let texts = texts(&svg);
    let given = ["Regret <a> & \"b\"", "round t", "R(t) / t", "limits <move>", "and back"];
    for words in given.iter().chain(&NAMES) {
        assert!(texts.iter().any(|text| text == words), "{words}");
    }
    assert!(texts.iter().any(|text| text.contains("Settings < & >")));
}

#[test]
fn maps_say_everything_they_were_given() {
    for panels in [0, 1, 2, 4, 6, 8] {
        let svg = maps(panels).svg();
        assert_sound(&svg);
        let texts = texts(&svg);
        let given = ["Where <they> fell", "before & now", "after", "best <ever>", "Settings < & >"];
        for words in given.iter().chain(&NAMES[..panels]) {
            assert!(texts.iter().any(|text| text == words), "{words}");
        }
        assert_eq!(texts.iter().filter(|text| *text == "x1").count(), panels.min(columns(panels)));
    }
}

fn columns(panels: usize) -> usize {
    if panels == 2 || panels == 4 { 2 } else { 3 }
}

#[test]
fn the_same_input_gives_the_same_bytes_and_another_gives_other_ids() {
    assert_eq!(falling().svg(), falling().svg());
    assert_eq!(maps(3).svg(), maps(3).svg());
    let ids = |svg: &str| -> Vec<String> {
        let document = Document::parse(svg).unwrap();
        document.descendants().filter_map(|node| node.attribute("id").map(String::from)).collect()
    };
    let mut all = [falling().svg(), curves(vec![]).svg(), maps(3).svg(), maps(2).svg()]
        .map(|svg| ids(&svg))
        .concat();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn a_known_name_looks_the_same_in_every_chart() {
    let look = |chart: &Curves, name: &str| {
        let svg = chart.svg();
        let document = Document::parse(&svg).unwrap();
        let legend = of_class(&document, "legend");
        let label = legend.children().find(|node| node.text() == Some(name)).unwrap();
        let before =
            label.prev_siblings().filter(|node| node.attribute("stroke-linejoin").is_some());
        let sample = before.into_iter().next().unwrap();
        [sample.attribute("stroke"), sample.attribute("stroke-dasharray")]
            .map(|part| part.map(String::from))
    };
    let few = curves(vec![line("unknown", vec![1.0; 9]), line("EPBO", vec![2.0; 9])]);
    assert_eq!(look(&few, "EPBO"), look(&falling(), "EPBO"));
    let all: Vec<_> = NAMES.iter().map(|name| look(&falling(), name)).collect();
    for (k, one) in all.iter().enumerate() {
        assert!(all[..k].iter().all(|other| other[0] != one[0] && other[1] != one[1]), "{one:?}");
    }
}

#[test]
fn the_legend_is_inside_the_plot_and_hides_no_line() {
    let rising = curves(vec![line("up", (0..300).map(f64::from).collect())]);
    let level =
        curves(NAMES.iter().enumerate().map(|(k, name)| line(name, vec![k as f64; 50])).collect());
    for chart in [falling(), rising, level] {
        let svg = chart.svg();
        let document = Document::parse(&svg).unwrap();
        let [left, top, right, bottom] = clip(&document);
        let [l, t, r, b] = rectangle(of_class(&document, "legend"));
        assert!(left < l && top < t && r < right && b < bottom, "{l} {t} {r} {b}");
        let places = drawn_lines(&document).concat();
        assert!(places.len() >= 100);
        assert!(!places.iter().any(|[x, y]| (l..=r).contains(x) && (t..=b).contains(y)));
    }
}

#[test]
fn odd_series_are_drawn() {
    let with = |mean: Vec<f64>, half_width: Option<Vec<f64>>| {
        curves(vec![Line { half_width, ..line("odd", mean) }])
    };
    let odd = [
        curves(vec![]),
        with(vec![], None),
        with(vec![-3.0], None),
        with(vec![2.0], Some(vec![0.5])),
        with(vec![0.0; 100], Some(vec![])),
        with(vec![1e6; 100], Some(vec![0.0; 100])),
        with(vec![-1.0, -2.0, -1.5], Some(vec![0.1, f64::NAN])),
        with(
            vec![f64::NAN, 1.0, f64::INFINITY, 2.0, f64::NEG_INFINITY],
            Some(vec![f64::INFINITY; 5]),
        ),
        with(vec![f64::NAN; 20], None),
        with(vec![1e300, -1e300, 1e-300, 1e90], None),
        with((0..60).map(|t| 1e-7 * f64::from(t)).collect(), None),
    ];
    for chart in odd {
        assert_sound(&chart.svg());
    }
}

#[test]
fn the_range_is_of_the_rounds_past_the_first() {
    let mut mean: Vec<f64> = (1..=500).map(|t| 1.0 + 1.0 / f64::from(t)).collect();
    mean[0] = 1e6;
    mean[1] = -1e6;
    let texts = texts(&curves(vec![line("wild", mean)]).svg());
    assert!(texts.iter().any(|text| text == "1.08"), "{texts:?}");
}

#[test]
fn a_long_series_keeps_its_peak_in_few_vertices() {
    let mut mean = vec![1.0; 20_000];
    mean[12_345] = 9.0;
    let svg = curves(vec![line("long", mean)]).svg();
    let document = Document::parse(&svg).unwrap();
    let places = drawn_lines(&document).concat();
    assert!(places.len() <= 500, "{}", places.len());
    let highest = places.iter().map(|place| place[1]).fold(f64::INFINITY, f64::min);
    assert!(places.iter().filter(|place| place[1] < highest + 100.0).count() == 1);
}

#[test]
fn a_region_has_the_area_of_its_condition() {
    let svg = maps(2).svg();
    let document = Document::parse(&svg).unwrap();
    let side = clip(&document)[2];
    let shades = document.descendants().filter(|node| node.attribute("fill-rule").is_some());
    let areas: Vec<f64> = shades
        .map(|node| corners(node.attribute("d").unwrap()))
        .map(|ring| {
            let next = ring.iter().cycle().skip(1);
            let twice: f64 = ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
            twice.abs() / 2.0 * (6.0 / side) * (6.0 / side)
        })
        .collect();
    assert!((areas[0] - std::f64::consts::PI * 1.5 * 1.5).abs() < 0.02, "{areas:?}");
    assert!((areas[1] - 8.0).abs() < 0.02, "{areas:?}");
}

#[test]
fn pixels_have_the_asked_size_and_show_the_words() {
    let pixels = |svg: &str| Pixmap::decode_png(&png(svg, 2.0).unwrap()).unwrap();
    let chart = pixels(&curves(vec![]).svg());
    assert_eq!(chart.width(), 1440);
    assert!(chart.height() > 960);
    let dark = |image: &Pixmap, rows: std::ops::Range<usize>| {
        let wide = image.width() as usize;
        image.pixels()[rows.start * wide..rows.end * wide]
            .iter()
            .filter(|pixel| pixel.red() < 100)
            .count()
    };
    // Only the title is that high up.
    assert!(dark(&chart, 0..70) > 500);
    let untitled = pixels(&Curves { title: String::new(), marks: vec![], ..curves(vec![]) }.svg());
    assert_eq!(dark(&untitled, 0..15), 0);
    assert!(png("<svg", 1.0).is_err());
    assert!(png(&falling().svg(), 0.0).is_err());
}
