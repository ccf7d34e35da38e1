//! Lines of bounded length.

use std::io::{self, BufRead, Read};

/// Longest line accepted, in bytes.
pub(super) const LONGEST: u64 = 16 << 20;

pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
}

pub(super) enum Line<'a> {
    Text(&'a [u8]),
    TooLong,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new() }
    }

    /// The next line without its end; `None` where the input ends.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let read = self.input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        match self.buffer.strip_suffix(b"\n") {
            None if read as u64 > LONGEST => {
                self.input.skip_until(b'\n')?;
                Ok(Some(Line::TooLong))
            }
            None => Ok(Some(Line::Text(&self.buffer))),
            Some(line) => Ok(Some(Line::Text(line))),
        }
    }
}
