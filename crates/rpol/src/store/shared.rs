//! A study kept in a store, open to several writers at once.
//!
//! An append carries the length of the log that the change was computed from. Where another writer
//! was faster it is refused, and the change is made again. A process that has met others waits for
//! its turn first, until it finds none before it; a turn is advice that a stopped process cannot
//! hold up. Nobody holds a lock of the database while it computes.
//!
//! *Leases.* A worker claims a trial in the log (`claimed`: worker, until when) and again while its
//! command runs, at growing intervals. A trial whose worker is silent past its lease, or known to
//! be dead (`lease.rs`), is given to the next worker with the same
//! number and setting. No decision depends on a lease, so a killed run that is started again goes
//! the way of one that was not killed. A late result counts. If both results of a trial arrive, the
//! second is told as a further trial of the same setting ([`Study::tell`]).

use super::lease::Watch;
use super::{Entry, Memory, Store, now};
use crate::error::{Error, Result};
use crate::space::Params;
use crate::study::{Event, Lease, Spec, Study, Suggestion, Times, look_the_same};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// When a trial was asked for and answered, in milliseconds since the beginning of 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Moments {
    /// `None` for history, which was not asked for.
    pub asked: Option<u64>,
    /// When the last of its metrics came.
    pub told: Option<u64>,
}

/// How often a change is made again before it is given up: in turns, the second time does.
const MOST: u32 = 1000;

impl From<Times> for Moments {
    fn from((asked, told): Times) -> Self {
        Self { asked, told }
    }
}

impl From<Moments> for Times {
    fn from(Moments { asked, told }: Moments) -> Self {
        (asked, told)
    }
}

/// A study in a store. Every change reads what others have written, is applied, and is acknowledged only
/// once it is in the store; where another writer came first, it is taken back and made again.
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
    pub(super) store: Arc<dyn Store>,
    pub(super) study: Study,
    /// When each entry of the log was written.
    times: Vec<u64>,
    /// How long the holds of open trials have been as they are.
    watch: Watch,
    /// Whether others were writing when we last did: then it is better to wait for one's turn.
    contended: bool,
    /// When trials were asked for and told, by a snapshot: the log in memory begins after it.
    pub(super) resumed: Option<HashMap<u64, Moments>>,
}

/// A trial for a worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Issued {
    /// The trial.
    pub suggestion: Suggestion,
    /// Whether another worker had it before and was not heard of again.
    pub again: bool,
}

impl Shared {
    /// Begins a study, or resumes the one of that name if its definition is the same.
    ///
    /// # Errors
    /// [`StudyExists`](Error::StudyExists) naming the first difference.
    pub fn open(store: Arc<dyn Store>, spec: Spec) -> Result<Self> {
        let study = Study::create(spec)?;
        let name = study.spec().name.clone();
        let created = stamped(study.log());
        differs(&*store, &name)?;
        match store.append(&name, 0, &created) {
            Ok(()) => {
                let times = created.iter().map(|entry| entry.at).collect();
                Ok(Self::new(store, study, times))
            }
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

    /// As [`open`](Self::open), but where the definition differs only in what may change, the study goes on under the new
    /// one: see [`Study::revise`]. Whether it did.
    pub fn open_or_revise(store: Arc<dyn Store>, spec: Spec) -> Result<(Self, bool)> {
        match Self::open(store.clone(), spec.clone()) {
            Err(Error::StudyExists { name, .. }) => {
                let mut found = Self::load(store, &name)?;
                let revised = found.change(|study| study.revise(&spec))?;
                Ok((found, revised))
            }
            other => other.map(|opened| (opened, false)),
        }
    }

    /// The study of that name.
    pub fn load(store: Arc<dyn Store>, name: &str) -> Result<Self> {
        let (log, times) = parted(store.read(name, 0)?);
        if log.is_empty() {
            let known: Vec<String> = store.studies()?.iter().map(|s| format!("{s:?}")).collect();
            let known = match known.len() {
                0 => "the store is empty".into(),
                _ => format!("there is {}", crate::name::joined(&known)),
            };
            return Err(Error::UnknownStudy { name: name.into(), known });
        }
        Ok(Self::new(store, Study::replay(log)?, times))
    }

    pub(super) fn new(store: Arc<dyn Store>, study: Study, times: Vec<u64>) -> Self {
        let watch = Watch::of(study.uncompacted());
        Self { store, study, times, watch, contended: false, resumed: None }
    }

    /// The same study in memory, as it was last read or written: for who has lost the store.
    ///
    /// # Errors
    /// Where the beginning of the log was dropped from memory.
    pub fn apart(&self) -> Result<Self> {
        self.study.log_from(0)?;
        let (memory, name) = (Memory::default(), &self.study.spec().name);
        memory.append(name, 0, &self.entries())?;
        Ok(Self { store: Arc::new(memory), ..self.clone() })
    }

    /// The study as of the last change or [`refresh`](Self::refresh).
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// When each entry of the study's log was written, in milliseconds since the beginning of 1970.
    #[must_use]
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// The study's log as it is in memory, with its times.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let entries = self.study.log().iter().zip(&self.times);
        entries.map(|(event, at)| Entry { at: *at, event: event.clone() }).collect()
    }

    /// When each of the [trials](Study::trials) was asked for and answered, as far as the log in memory says.
    #[must_use]
    pub fn moments(&self) -> Vec<Moments> {
        let trials = self.study.trials();
        let mut moments = vec![Moments::default(); trials.len()];
        let first = trials.first().map_or(0, |trial| trial.number);
        if let Some(known) = &self.resumed {
            let at = |number: u64| known.get(&number).copied().unwrap_or_default();
            moments = trials.iter().map(|trial| at(trial.number)).collect();
        }
        let place = |number: &u64| number.checked_sub(first).map(|place| place as usize);
        for (event, at) in self.study.log().iter().zip(&self.times) {
            let (number, asked) = match event {
                Event::Asked { number, .. } => (number, true),
                Event::Told { number, .. } | Event::Added { number, .. } => (number, false),
                _ => continue,
            };
            let Some(moments) = place(number).and_then(|place| moments.get_mut(place)) else {
                continue;
            };
            let moment = if asked { &mut moments.asked } else { &mut moments.told };
            *moment = Some(*at);
        }
        moments
    }

    /// Those of one trial, also where it is the best and older than the log in memory.
    pub(super) fn moments_of(&self, number: u64) -> Moments {
        let first = self.study.trials().first().map_or(0, |trial| trial.number);
        let place = number.checked_sub(first).map(|place| place as usize);
        let known = self.resumed.as_ref().and_then(|known| known.get(&number));
        let found = place.and_then(|place| self.moments().get(place).copied());
        found.or(known.copied()).unwrap_or_default()
    }

    /// Drops compacted trials and the log so far from memory, not from the store: see [`Study::drop_history`].
    pub fn drop_history(&mut self) -> Result<()> {
        self.change(Study::drop_history)
    }

    /// Notes when entries were written, and forgets what the study has forgotten.
    fn note_times(&mut self, new: &[Entry]) {
        self.times.extend(new.iter().map(|entry| entry.at));
        let forgotten = self.times.len().saturating_sub(self.study.log().len());
        self.times.drain(..forgotten);
    }

    /// Reads what others have written since.
    pub fn refresh(&mut self) -> Result<()> {
        let new = self.store.read(&self.study.spec().name, self.study.length())?;
        match self.fold(new) {
            Err(Error::Compacted { .. }) if self.resumed.is_some() => self.load_all(),
            outcome => outcome,
        }
    }

    /// Reads the log from its beginning, where a snapshot does not say enough.
    fn load_all(&mut self) -> Result<()> {
        *self = Self::load(self.store.clone(), &self.study.spec().name)?;
        Ok(())
    }

    pub(super) fn fold(&mut self, new: Vec<Entry>) -> Result<()> {
        let (events, times) = parted(new);
        if !events.is_empty() {
            self.watch.see(&events);
            self.study.extend(events)?;
            self.times.extend(times);
        }
        Ok(())
    }

    /// Makes a change and stores what it recorded. Where another writer came between, the change is taken back and
    /// made again, in turn with the others. Nobody is locked out while it is made.
    pub fn change<T>(&mut self, mut change: impl FnMut(&mut Study) -> Result<T>) -> Result<T> {
        self.follow(|study, _| change(study))
    }

    fn follow<T>(&mut self, mut change: impl FnMut(&mut Study, &Watch) -> Result<T>) -> Result<T> {
        for _ in 0..MOST {
            let turn = self.contended.then(|| self.store.turn()).flatten();
            let before = self.study.length();
            self.refresh()?;
            self.contended = turn.is_some() && self.study.length() > before;
            match self.attempt(&mut change) {
                Err(Error::Compacted { .. }) if self.resumed.is_some() => self.load_all()?,
                Err(Error::Conflict { .. }) => self.contended = true,
                outcome => return outcome,
            }
        }
        Err(Error::Conflict { expected: self.study.length(), found: self.study.length() + 1 })
    }

    /// Makes a change, where nobody is faster.
    fn attempt<T>(&mut self, change: impl FnOnce(&mut Study, &Watch) -> Result<T>) -> Result<T> {
        let length = self.study.length();
        let outcome = change(&mut self.study, &self.watch);
        let stored =
            self.study.log_from(length).map(stamped).and_then(|new| {
                self.store.append(&self.study.spec().name, length, &new).map(|()| new)
            });
        match stored {
            Ok(new) => {
                self.watch.see(self.study.log_from(length).unwrap_or_default());
                self.note_times(&new);
                outcome
            }
            // What was not stored has not happened.
            Err(error) => self.take_back(length).and(Err(error)),
        }
    }

    /// As it was when the log was so long. Where that was forgotten on the way, the store knows.
    fn take_back(&mut self, length: usize) -> Result<()> {
        if self.study.dropped() > length {
            *self = Self::load(self.store.clone(), &self.study.spec().name)?;
            return Ok(());
        }
        self.study.rewind(length)?;
        self.times.truncate(self.study.log().len());
        Ok(())
    }

    /// A trial for `worker`, its own for the time of `lease` and longer if it [renews](Self::renew) it: one that is left by
    /// its worker, if there is one, else a new one.
    ///
    /// ```
    /// use rpol::{Spec, store::{Memory, Shared}};
    /// use std::{sync::Arc, time::Duration};
    /// let spec = Spec::from_toml("name = 'a'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }").unwrap();
    /// let mut study = Shared::open(Arc::new(Memory::default()), spec).unwrap();
    /// let minute = Duration::from_secs(60);
    /// let first = study.issue("one", minute).unwrap();
    /// study.release(first.suggestion.number, "one").unwrap();
    /// let second = study.issue("two", minute).unwrap();
    /// assert_eq!((second.suggestion.number, second.again), (first.suggestion.number, true));
    /// ```
    pub fn issue(&mut self, worker: &str, lease: Duration) -> Result<Issued> {
        let issued = self.issue_while(worker, lease, |_| true)?;
        Ok(issued.expect("a new one is always allowed"))
    }

    /// As [`issue`](Self::issue), but a new trial only where `more` allows it: several writers together then ask for no
    /// more trials than they should. `None` where there is nothing to do.
    pub fn issue_while(
        &mut self,
        worker: &str,
        lease: Duration,
        more: impl Fn(&Study) -> bool,
    ) -> Result<Option<Issued>> {
        self.follow(|study, watch| {
            let lease = Lease::begin(worker, lease);
            let left = study.uncompacted().iter().find(|trial| watch.is_left(trial));
            if let Some(suggestion) = left.map(Suggestion::of) {
                study.claim_again(suggestion.number, lease)?;
                return Ok(Some(Issued { suggestion, again: true }));
            }
            if !more(study) {
                return Ok(None);
            }
            let suggestion = study.ask()?;
            study.claim(suggestion.number, lease)?;
            Ok(Some(Issued { suggestion, again: false }))
        })
    }

    /// A setting of the user's own, for `worker` as with [`issue`](Self::issue).
    pub fn issue_for(
        &mut self,
        params: &Params,
        worker: &str,
        lease: Duration,
    ) -> Result<Suggestion> {
        self.change(|study| {
            let suggestion = study.ask_for(params.clone())?;
            study.claim(suggestion.number, Lease::begin(worker, lease))?;
            Ok(suggestion)
        })
    }

    /// Says that `worker` is still at a trial.
    pub fn renew(&mut self, number: u64, worker: &str, lease: Duration) -> Result<()> {
        self.change(|study| study.claim(number, Lease::begin(worker, lease)))
    }

    /// Leaves a trial to whoever comes next.
    pub fn release(&mut self, number: u64, worker: &str) -> Result<()> {
        self.change(|study| study.claim(number, Lease::released(worker)))
    }
}

/// Refuses the name of a new study that looks like another's.
fn differs(store: &dyn Store, name: &str) -> Result<()> {
    let known = store.studies()?;
    if known.iter().any(|other| other == name) {
        return Ok(());
    }
    let names = known.iter().map(String::as_str).chain([name]);
    match crate::name::alike(names).filter(|(_, new)| *new == name) {
        Some((one, other)) => Err(Error::spec("name", look_the_same(one, other))),
        None => Ok(()),
    }
}

fn stamped(events: &[Event]) -> Vec<Entry> {
    let at = now();
    events.iter().map(|event| Entry { at, event: event.clone() }).collect()
}

pub(super) fn parted(entries: Vec<Entry>) -> (Vec<Event>, Vec<u64>) {
    entries.into_iter().map(|Entry { at, event }| (event, at)).unzip()
}
