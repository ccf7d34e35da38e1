//! Where logs are kept.
//!
//! A store knows nothing of optimisation: it appends events to a study's log and reads them back. An
//! append carries the length the writer believes the log to have; where another writer was faster it is
//! a [`Conflict`](crate::Error::Conflict), and the writer reads on and decides again.

mod memory;
mod shared;

pub use memory::Memory;
pub use shared::Shared;

use crate::error::Result;
use crate::study::Event;

/// What every store can do. Shared by threads; a durable one by processes too.
pub trait Store: Send + Sync {
    /// Names of the studies, in alphabetical order.
    fn studies(&self) -> Result<Vec<String>>;

    /// The events of a study from position `from` on; empty for a study that does not exist.
    fn read(&self, study: &str, from: usize) -> Result<Vec<Event>>;

    /// Appends all `events` or none, where the log has exactly `expected` entries.
    ///
    /// # Errors
    /// [`Conflict`](crate::Error::Conflict) where it has another length; nothing is written then.
    fn append(&self, study: &str, expected: usize, events: &[Event]) -> Result<()>;

    /// Removes a study; whether there was one.
    fn delete(&self, study: &str) -> Result<bool>;
}
