//! What a disk may hold when the power goes: all that was synced, and of the rest anything.

use crate::recorder::{File, Operation};
use rpol::random::Stream;
use std::collections::BTreeMap;

/// Disks write whole sectors.
const SECTOR: usize = 512;

/// Which of the operations after the last sync of a file reach the disk.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Luck {
    None,
    All,
    /// Each or not, and of the last one that does some sectors only.
    Some(u64),
}

#[derive(Default)]
struct Content {
    synced: Vec<u8>,
    pending: Vec<Operation>,
}

/// Files as they are, and as they are sure to be.
#[derive(Default)]
pub(crate) struct Disk {
    files: BTreeMap<File, Content>,
    names: BTreeMap<String, File>,
    synced_names: BTreeMap<String, File>,
}

impl Disk {
    /// With one file, the database as it was before the first operation.
    pub(crate) fn with(name: &str, bytes: Vec<u8>) -> Self {
        let names = BTreeMap::from([(name.to_string(), 0)]);
        let content = Content { synced: bytes, pending: Vec::new() };
        Self { files: BTreeMap::from([(0, content)]), synced_names: names.clone(), names }
    }

    pub(crate) fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Create { name, file } => {
                self.names.insert(name.clone(), *file);
                self.files.insert(*file, Content::default());
            }
            Operation::Delete { name, synced } => {
                self.names.remove(name);
                if *synced {
                    self.synced_names = self.names.clone();
                }
            }
            Operation::Write { file, .. } | Operation::Truncate { file, .. } => {
                self.content(*file).pending.push(operation.clone());
            }
            Operation::Sync { file } => self.sync(*file),
            Operation::Acknowledge => {}
        }
    }

    fn content(&mut self, file: File) -> &mut Content {
        self.files.entry(file).or_default()
    }

    /// The first sync of a new file is one of its folder, too.
    fn sync(&mut self, file: File) {
        let content = self.content(file);
        let pending = std::mem::take(&mut content.pending);
        pending.iter().for_each(|operation| perform(operation, &mut content.synced));
        if !self.synced_names.values().any(|known| *known == file) {
            self.synced_names = self.names.clone();
        }
    }

    /// The files that are found when the power is back.
    pub(crate) fn after_a_cut(&self, luck: Luck) -> BTreeMap<&str, Vec<u8>> {
        let mut chance = Chance::new(luck);
        let names = if chance.comes() { &self.names } else { &self.synced_names };
        let found = |(name, file): (_, &File)| Some((name, self.files.get(file)?));
        let files = names.iter().filter_map(|(name, file)| found((name.as_str(), file)));
        files.map(|(name, content)| (name, content.after_a_cut(&mut chance))).collect()
    }
}

impl Content {
    fn after_a_cut(&self, chance: &mut Chance) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        let came: Vec<&Operation> = self.pending.iter().filter(|_| chance.comes()).collect();
        let Some((last, before)) = came.split_last() else { return bytes };
        before.iter().for_each(|operation| perform(operation, &mut bytes));
        match last {
            Operation::Write { file, at, bytes: written } => {
                let kept = chance.sectors(*at, written.len());
                let written = written[..kept].to_vec();
                perform(&Operation::Write { file: *file, at: *at, bytes: written }, &mut bytes);
            }
            other => perform(other, &mut bytes),
        }
        bytes
    }
}

fn perform(operation: &Operation, content: &mut Vec<u8>) {
    match operation {
        Operation::Write { at, bytes, .. } => {
            let end = at + bytes.len();
            if content.len() < end {
                content.resize(end, 0);
            }
            content[*at..end].copy_from_slice(bytes);
        }
        Operation::Truncate { length, .. } => content.resize(*length, 0),
        _ => {}
    }
}

struct Chance {
    luck: Luck,
    random: Stream,
}

impl Chance {
    fn new(luck: Luck) -> Self {
        let seed = if let Luck::Some(seed) = luck { seed } else { 0 };
        Self { luck, random: Stream::new(seed, 7) }
    }

    fn comes(&mut self) -> bool {
        match self.luck {
            Luck::None => false,
            Luck::All => true,
            Luck::Some(_) => self.random.uniform() < 0.5,
        }
    }

    /// How many bytes of a write come, up to the end of a sector.
    fn sectors(&mut self, at: usize, length: usize) -> usize {
        match self.luck {
            Luck::Some(_) => {
                let cut = at + self.random.below(length.max(1));
                (cut.next_multiple_of(SECTOR).saturating_sub(at)).min(length)
            }
            _ => length,
        }
    }
}
