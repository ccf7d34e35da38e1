//! Lines of bounded length.

use std::io::{self, BufRead, Read};

/// In bytes, without its end.
pub(super) const LONGEST: u64 = 16 << 20;

pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// How many were read.
    count: u64,
}

pub(super) enum Line<'a> {
    Text(&'a [u8]),
    /// And its number, from 1.
    TooLong(u64),
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), count: 0 }
    }

    /// The next line without its end; `None` where the input ends.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        self.count += 1;
        let read = self.input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        match self.buffer.strip_suffix(b"\n") {
            None if read as u64 > LONGEST => {
                self.input.skip_until(b'\n')?;
                Ok(Some(Line::TooLong(self.count)))
            }
            None => Ok(Some(Line::Text(&self.buffer))),
            Some(line) => Ok(Some(Line::Text(line))),
        }
    }
}
