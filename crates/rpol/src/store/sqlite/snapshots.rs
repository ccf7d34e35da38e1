//! Snapshots: a table that may be lost at any time.

use super::rows::{Head, Rows};
use crate::error::Result;
use crate::store::Snapshot;
use crate::store::chain::Chain;
use rusqlite::{Connection, OptionalExtension, params};

/// Made where it is missing, as in stores of before there were snapshots.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS snapshots (
    study INTEGER NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    content BLOB NOT NULL
) STRICT";

impl Rows<'_> {
    /// The snapshot of a study that fits its log. One that cannot be read is none.
    pub(super) fn snapshot(&self, head: Head) -> Option<Snapshot> {
        let sql = "SELECT position, checksum, content FROM snapshots WHERE study = ?1";
        let found: Option<(i64, Chain, Vec<u8>)> = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| {
                let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
                statement.query_row([head.id], row).optional()
            })
            .ok()?;
        let (position, checksum, content) = found?;
        let position = usize::try_from(position).ok()?;
        let fits = position <= head.length
            && self.chain_before(head, position).ok()?.of_snapshot(&content) == checksum;
        fits.then_some(Snapshot { position, content })
    }

    /// Keeps a snapshot, unless a later one is there.
    pub(super) fn keep(&self, head: Head, snapshot: &Snapshot) -> Result<()> {
        let Snapshot { position, content } = snapshot;
        if *position > head.length || self.snapshot(head).is_some_and(|s| s.position > *position) {
            return Ok(());
        }
        let checksum = self.chain_before(head, *position)?.of_snapshot(content);
        self.execute(TABLE, [])?;
        let sql = "INSERT OR REPLACE INTO snapshots VALUES (?1, ?2, ?3, ?4)";
        self.execute(sql, params![head.id, *position as i64, checksum, content]).map(drop)
    }

    /// Drops that of a study; there may be no such table.
    pub(super) fn drop_snapshot(&self, id: i64) {
        let _ = drop_from(self.connection, id);
    }
}

fn drop_from(connection: &Connection, id: i64) -> rusqlite::Result<usize> {
    connection.execute("DELETE FROM snapshots WHERE study = ?1", [id])
}
