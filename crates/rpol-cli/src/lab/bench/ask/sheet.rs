//! A measurement for people.

use super::Measured;
use crate::common::table::{Cell, Table, number};
use rpol_lab::bench::target::{Target, targets};
use rpol_lab::bench::{Machine, Size};

/// What was played, where the time went, and which promises are kept.
pub(super) fn text(measured: &Measured) -> String {
    let promises: String = targets(measured).iter().map(promise).collect();
    format!(
        "{}{}{}{}{promises}",
        heading(measured),
        speeds(&measured.machine),
        parts(measured).drawn(),
        rounds(measured),
    )
}

fn heading(measured: &Measured) -> String {
    let Size { points, candidates, factors, outputs, dims, expansions } = measured.size;
    format!(
        "n = {}, d = {dims}, constraints: {}, distinct points: {points}, factors: {factors}, \
         candidates: {candidates}, expansions: {expansions}\n",
        measured.observations,
        outputs - 1,
    )
}

fn speeds(machine: &Machine) -> String {
    let giga = |speed: f64| number(speed / 1e9);
    format!(
        "machine: reads {} GB/s, solves triangles at {} GFlop/s, multiplies matrices at {}\n",
        giga(machine.read),
        giga(machine.solve),
        giga(machine.product),
    )
}

fn parts(measured: &Measured) -> Table {
    let header = ["part", "ms", "floor ms", "ratio", "MFlop", "MB"].map(String::from).into();
    let floor = |floor: f64| if floor > 0.0 { Cell::from(floor) } else { Cell::Empty };
    let ratio =
        |ms: f64, least: f64| if least > 0.0 { Cell::from(ms / least) } else { Cell::Empty };
    let row = |part: &rpol_lab::bench::ask::Part| {
        let (ms, least, work) = (part.ms, part.floor_ms, part.work);
        let (flops, bytes) = (floor(work.flops / 1e6), floor(work.bytes / 1e6));
        vec![part.name.into(), ms.into(), floor(least), ratio(ms, least), flops, bytes]
    };
    let mut rows: Vec<Vec<Cell>> = measured.parts.iter().map(row).collect();
    let (ms, least) = (measured.ask_ms, measured.floor_ms());
    rows.push(vec![
        "ask".into(),
        ms.into(),
        floor(least),
        ratio(ms, least),
        Cell::Empty,
        Cell::Empty,
    ]);
    let mut tell = vec![Cell::Empty; 6];
    (tell[0], tell[1]) = ("tell".into(), measured.tell_ms.into());
    rows.push(tell);
    Table { header, rows, ..Table::default() }
}

fn rounds(measured: &Measured) -> String {
    let Measured { first_ms, fit_ms, refits, rests, rest_ms, .. } = measured;
    let (first, fit) = (number(*first_ms), number(*fit_ms));
    let rests = match rest_ms {
        Some(ms) => format!(", that needed no search: {rests}, at {} ms", number(*ms)),
        None => String::new(),
    };
    format!(
        "the first ask: {first} ms, {fit} of them to fit; left out: rounds that fitted again: {refits}{rests}\n"
    )
}

fn promise(target: &Target) -> String {
    let verdict = if target.met() { "met" } else { "MISSED" };
    let (measured, most) = (number(target.measured), number(target.most));
    format!("target: {}: {measured}, at most {most}: {verdict}\n", target.of)
}
