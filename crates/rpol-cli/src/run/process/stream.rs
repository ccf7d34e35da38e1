//! The end of a stream, however long it is.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::io::{ErrorKind, PipeReader, Read};
use std::os::fd::AsFd;

/// The last bytes of a stream that may never end.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: Vec<u8>,
    most: usize,
    seen: u64,
}

/// What there is of a stream.
#[derive(Debug, Clone, Default)]
pub(crate) struct CapturedStream {
    /// Its end; what is not UTF-8 is replaced.
    pub(crate) end: String,
    /// Bytes it had in all.
    pub(crate) seen: u64,
    /// Whether its beginning is missing in `end`.
    pub(crate) cut: bool,
}

impl Tail {
    pub(crate) fn new(most: usize) -> Self {
        Self { bytes: Vec::new(), most, seen: 0 }
    }

    /// Reads a stream to its end, or until it is `over`: a process that lives on may hold the stream for ever.
    pub(crate) fn follow(&mut self, mut stream: impl Read + AsFd, over: &PipeReader) {
        let mut chunk = vec![0; 64 << 10];
        while is_ready(&stream, PollFlags::IN, over) {
            match stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => self.push(&chunk[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        // Not at every chunk, so that long streams are copied about twice.
        if self.bytes.len() > 2 * self.most {
            self.drop_beginning();
        }
    }

    pub(crate) fn text(mut self) -> CapturedStream {
        self.drop_beginning();
        let end = String::from_utf8_lossy(&self.bytes).into_owned();
        CapturedStream { end, seen: self.seen, cut: self.seen > self.bytes.len() as u64 }
    }

    fn drop_beginning(&mut self) {
        let surplus = self.bytes.len().saturating_sub(self.most);
        self.bytes.drain(..surplus);
    }
}

/// Waits until a stream can be read or written; false once it is `over`, as that pipe's other end tells by being closed.
pub(crate) fn is_ready(stream: &impl AsFd, wanted: PollFlags, over: &PipeReader) -> bool {
    loop {
        let mut watched = [PollFd::new(stream, wanted), PollFd::new(over, PollFlags::IN)];
        match poll(&mut watched, None) {
            Ok(_) if !watched[1].revents().is_empty() => return false,
            Ok(_) => return true,
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Write, pipe};

    #[test]
    fn keeps_the_last_bytes_and_counts_all() {
        for (most, length) in [(10, 4), (10, 10), (10, 11), (10, 25), (1000, 300_000)] {
            let (mut tail, (over, _going_on)) = (Tail::new(most), pipe().expect("a pipe"));
            let stream: Vec<u8> = (0..length).map(|i| b'a' + (i % 23) as u8).collect();
            let (reader, mut writer) = pipe().expect("a pipe");
            let written = stream.clone();
            let writing = std::thread::spawn(move || writer.write_all(&written));
            tail.follow(reader, &over);
            assert!(writing.join().is_ok_and(|written| written.is_ok()));
            let text = tail.text();
            let end = &stream[stream.len().saturating_sub(most)..];
            assert_eq!(text.end.as_bytes(), end, "{most} of {length}");
            assert_eq!((text.seen, text.cut), (length as u64, length > most));
        }
    }
}
