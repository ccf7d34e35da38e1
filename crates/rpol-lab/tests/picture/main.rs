#![allow(clippy::unwrap_used)]
mod queue;
#[test]
fn dump() {
    let (study, times) = queue::queue(60);
    for kind in rpol_lab::picture::Kind::ALL {
        let svg = kind.svg(&study, &times);
        std::fs::write(format!("/tmp/pic/{}.svg", kind.name()), &svg).unwrap();
        std::fs::write(
            format!("/tmp/pic/{}.png", kind.name()),
            rpol_lab::figure::png(&svg, 1.0).unwrap(),
        )
        .unwrap();
    }
}
