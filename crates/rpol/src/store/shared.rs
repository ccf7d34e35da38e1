//! A study kept in a store, open to several writers at once.

use super::Store;
use crate::error::{Error, Result};
use crate::study::{Spec, Study};
use std::sync::Arc;

/// A study in a store. Every change reads what others have written, is applied, and is acknowledged only
/// once it is in the store; where another writer came first, it is taken back and made anew.
///
/// ```
/// use rpol::{Spec, store::{Memory, Shared, Store}};
/// use std::sync::Arc;
/// let spec = Spec::from_toml("name = 'a'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }").unwrap();
/// let store = Arc::new(Memory::default());
/// let mut one = Shared::open(store.clone(), spec.clone()).unwrap();
/// let mut two = Shared::open(store, spec).unwrap(); // the same definition resumes
/// let (a, b) = (one.change(|s| s.ask()).unwrap(), two.change(|s| s.ask()).unwrap());
/// assert_eq!((a.number, b.number), (0, 1));
/// ```
#[derive(Clone)]
pub struct Shared {
    store: Arc<dyn Store>,
    study: Study,
}

impl Shared {
    /// Begins a study, or resumes the one of that name if its definition is the same.
    ///
    /// # Errors
    /// [`StudyExists`](Error::StudyExists) naming the first difference.
    pub fn open(store: Arc<dyn Store>, spec: Spec) -> Result<Self> {
        let study = Study::create(spec)?;
        let name = study.spec().name.clone();
        match store.append(&name, 0, study.log()) {
            Ok(()) => Ok(Self { store, study }),
            Err(Error::Conflict { .. }) => {
                let found = Self::load(store, &name)?;
                match found.study.spec().differences(study.spec()).into_iter().next() {
                    None => Ok(found),
                    Some(difference) => Err(Error::StudyExists { name, difference }),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// The study of that name.
    pub fn load(store: Arc<dyn Store>, name: &str) -> Result<Self> {
        let study = Study::replay(store.read(name, 0)?)?;
        Ok(Self { store, study })
    }

    /// The study as of the last change or [`refresh`](Self::refresh).
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// Reads what others have written since.
    pub fn refresh(&mut self) -> Result<()> {
        let new = self.store.read(&self.study.spec().name, self.study.log().len())?;
        self.study.extend(new)
    }

    /// Makes a change and stores what it recorded; repeated until no other writer comes between.
    pub fn change<T>(&mut self, mut change: impl FnMut(&mut Study) -> Result<T>) -> Result<T> {
        let name = self.study.spec().name.clone();
        loop {
            self.refresh()?;
            let expected = self.study.log().len();
            let outcome = change(&mut self.study);
            match self.store.append(&name, expected, &self.study.log()[expected..]) {
                Ok(()) => return outcome,
                Err(error) => {
                    // What was not stored has not happened.
                    self.study = Study::replay(self.store.read(&name, 0)?)?;
                    if !matches!(error, Error::Conflict { .. }) {
                        return Err(error);
                    }
                }
            }
        }
    }
}
