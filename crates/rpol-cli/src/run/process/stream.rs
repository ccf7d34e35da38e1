//! The end of a stream, however long it is.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// The last bytes of a stream that may never end.
#[derive(Debug, Clone)]
pub(crate) struct Tail(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
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
        Self(Arc::new(Mutex::new(Kept { bytes: Vec::new(), most, seen: 0 })))
    }

    /// Reads a stream to its end, then says so. It reads on even if nobody waits any more: a process that lives on
    /// must not be stopped by a full pipe.
    pub(crate) fn follow(&self, mut stream: impl Read, done: &Sender<()>) {
        let mut chunk = vec![0; 64 << 10];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => self.push(&chunk[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = done.send(());
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.seen += bytes.len() as u64;
        kept.bytes.extend_from_slice(bytes);
        // Not at every chunk, so that long streams are copied about twice.
        if kept.bytes.len() > 2 * kept.most {
            kept.drop_beginning();
        }
    }

    pub(crate) fn text(&self) -> CapturedStream {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.drop_beginning();
        let end = String::from_utf8_lossy(&kept.bytes).into_owned();
        CapturedStream { end, seen: kept.seen, cut: kept.seen > kept.bytes.len() as u64 }
    }
}

impl Kept {
    fn drop_beginning(&mut self) {
        let surplus = self.bytes.len().saturating_sub(self.most);
        self.bytes.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn keeps_the_last_bytes_and_counts_all() {
        for (most, length) in [(10, 4), (10, 10), (10, 11), (10, 25), (1000, 300_000)] {
            let (tail, (send, receive)) = (Tail::new(most), channel());
            let stream: Vec<u8> = (0..length).map(|i| b'a' + (i % 23) as u8).collect();
            tail.follow(&stream[..], &send);
            let text = tail.text();
            let end = &stream[stream.len().saturating_sub(most)..];
            assert_eq!(text.end.as_bytes(), end, "{most} of {length}");
            assert_eq!((text.seen, text.cut), (length as u64, length > most));
            assert!(receive.recv().is_ok());
        }
    }
}
