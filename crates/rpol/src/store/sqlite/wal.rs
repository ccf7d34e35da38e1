//! What SQLite does not say about its write-ahead log: whether a damaged place in it hides later transactions.
//!
//! SQLite ends the log at the first frame whose checksum does not fit, without a word. That is right for the
//! last transaction: it was never acknowledged. But a transaction is on the disk before the next one begins, so where
//! a frame follows the end of another transaction, what does not fit was damaged later.

use super::failure::{damaged, unusable};
use super::open::beside;
use crate::error::Result;
use std::io::ErrorKind;
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// How a log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Clean,
    /// With frames of a transaction that was never finished.
    Torn,
    /// With transactions that were finished, but not to be reached any more: from this frame on.
    Lost(usize),
}

/// Looks at the log of a database before SQLite does.
pub(super) fn audit(path: &Path) -> Result<End> {
    let wal = beside(path, "-wal");
    let mut before = None;
    loop {
        // A pipe would be waited for.
        if !super::open::is_there(&wal)? {
            return Ok(End::Clean);
        }
        let bytes = match std::fs::read(&wal) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(End::Clean),
            Err(error) => return Err(unusable(&wal, format!("it cannot be read: {error}"))),
        };
        match end(&bytes) {
            // Another process may be writing while we read: only what stays as it is has been damaged.
            End::Lost(frame) if before.as_ref() == Some(&bytes) => {
                let problem = format!("frame {frame} does not fit, and finished work follows it");
                return Err(damaged(&wal, problem));
            }
            End::Lost(_) => before = Some(bytes),
            end => return Ok(end),
        }
    }
}

fn end(bytes: &[u8]) -> End {
    let Some((header, frames)) = bytes.split_at_checked(HEADER) else { return End::Clean };
    if header.iter().all(|byte| *byte == 0) {
        return End::Clean; // made, and never written
    }
    let Some((mut sum, size)) = checked(header) else { return End::Lost(0) };
    let frames: Vec<&[u8]> = frames.chunks_exact(FRAME_HEADER + size).collect();
    let is_of = |frame: &[u8], salt: usize| frame[8 + salt..][..4] == header[16 + salt..][..4];
    // Frames of an earlier use of the file share neither salt.
    let is_current = |frame: &[u8]| is_of(frame, 0) || is_of(frame, 4);
    let sound = frames.iter().take_while(|frame| {
        sum = sum.over(&frame[..8]).over(&frame[FRAME_HEADER..]);
        is_of(frame, 0) && is_of(frame, 4) && sum.is_stored_in(&frame[16..24])
    });
    let sound = sound.count();
    let mut rest = frames[sound..].iter().filter(|frame| is_current(frame)).peekable();
    if rest.peek().is_none() {
        return End::Clean;
    }
    let finishes = |frame: &&&[u8]| number(&frame[4..8]) != 0;
    match rest.find(finishes).and_then(|_| rest.next()) {
        Some(_) => End::Lost(sound),
        None => End::Torn,
    }
}

/// The checksum after the header and the size of a page, if the header is sound.
fn checked(header: &[u8]) -> Option<(Sum, usize)> {
    let magic = number(&header[..4]);
    let start = Sum { big_endian: magic & 1 == 1, low: 0, high: 0 };
    let sum = start.over(&header[..24]);
    let is_log = magic & !1 == 0x377f_0682;
    (is_log && sum.is_stored_in(&header[24..])).then(|| (sum, number(&header[8..12]) as usize))
}

/// The running checksum of a log, <https://sqlite.org/fileformat2.html#checksum_algorithm>.
#[derive(Clone, Copy)]
struct Sum {
    big_endian: bool,
    low: u32,
    high: u32,
}

impl Sum {
    fn over(mut self, bytes: &[u8]) -> Self {
        for pair in bytes.chunks_exact(8) {
            self.low = self.low.wrapping_add(self.word(&pair[..4])).wrapping_add(self.high);
            self.high = self.high.wrapping_add(self.word(&pair[4..])).wrapping_add(self.low);
        }
        self
    }

    fn word(&self, bytes: &[u8]) -> u32 {
        let number = number(bytes);
        if self.big_endian { number } else { number.swap_bytes() }
    }

    fn is_stored_in(&self, bytes: &[u8]) -> bool {
        (number(&bytes[..4]), number(&bytes[4..])) == (self.low, self.high)
    }
}

/// Four bytes, the highest first.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte))
}
