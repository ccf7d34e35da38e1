//! Checksums that cover everything before them.

use sha2::{Digest, Sha256};

/// $c_i = H(c_{i-1}, i, \text{time}_i, \text{event}_i)$ with SHA-256, where $c_{-1}$ is that of the study's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct Chain([u8; 32]);

impl Chain {
    /// Before the first event.
    pub(in crate::store) fn of_study(name: &str) -> Self {
        Self::hash("rpol study", &[name.as_bytes()])
    }

    /// In hexadecimal digits.
    pub(in crate::store) fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Of the list of studies.
    #[cfg(feature = "sqlite")]
    pub(in crate::store) fn of_store(next: i64, names: &[String]) -> Self {
        let next = next.to_le_bytes();
        let names = names.iter().map(String::as_bytes);
        let parts: Vec<&[u8]> = std::iter::once(&next[..]).chain(names).collect();
        Self::hash("rpol store", &parts)
    }

    /// After one more event.
    pub(in crate::store) fn then(&self, position: usize, at: u64, event: &str) -> Self {
        let (position, at) = ((position as u64).to_le_bytes(), at.to_le_bytes());
        Self::hash("rpol event", &[&self.0, &position, &at, event.as_bytes()])
    }

    /// Of a snapshot of everything so far.
    #[cfg(feature = "sqlite")]
    pub(in crate::store) fn of_snapshot(&self, content: &[u8]) -> Self {
        Self::hash("rpol snapshot", &[&self.0, content])
    }

    /// Each part with its length, so that none can flow into the next.
    fn hash(tag: &str, parts: &[&[u8]]) -> Self {
        let mut sha = Sha256::new_with_prefix(tag);
        for part in parts {
            sha.update((part.len() as u64).to_le_bytes());
            sha.update(part);
        }
        Self(sha.finalize().into())
    }
}

#[cfg(feature = "sqlite")]
mod as_a_value {
    use super::Chain;
    use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

    impl ToSql for Chain {
        fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
            self.0.as_slice().to_sql()
        }
    }

    impl FromSql for Chain {
        fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
            FromSql::column_result(value).map(Self)
        }
    }
}
