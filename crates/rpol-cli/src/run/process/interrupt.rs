//! Ctrl-C and its kin: the first ends the run in good order, the second at once.

use super::group::Group;
use crate::common::signals::on_end;
use crate::exit::INTERRUPTED;
use anyhow::Result;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the user wants to end, and what would outlive an end at once.
#[derive(Default)]
pub(crate) struct Interrupt {
    raised: AtomicBool,
    running: Mutex<BTreeSet<Group>>,
}

/// A group that an end at once would end too, as long as this lives.
pub(crate) struct Running<'a> {
    interrupt: &'a Interrupt,
    group: Group,
}

impl Interrupt {
    pub(crate) fn listen() -> Result<Arc<Self>> {
        let interrupt = Arc::new(Self::default());
        let heard = Arc::clone(&interrupt);
        on_end(move || heard.raise())?;
        Ok(interrupt)
    }

    fn raise(&self) {
        if self.raised.swap(true, Ordering::SeqCst) {
            let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.iter().for_each(|group| group.kill());
            std::process::exit(INTERRUPTED.into());
        }
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    pub(crate) fn enter(&self, group: Group) -> Running<'_> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(group);
        Running { interrupt: self, group }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut running = self.interrupt.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.group);
    }
}
