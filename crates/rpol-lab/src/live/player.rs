//! Who plays.

use super::system::System;
use crate::arena::{BadName, Contestant};
use anyhow::{Context, Result};
use rpol::study::Spec;
use std::str::FromStr;

/// A name as in the arena, and the study it stands for on a live system: `rpol@risk=0.05`, `random`.
#[derive(Debug, Clone, PartialEq)]
pub struct Player(Contestant);

impl FromStr for Player {
    type Err = BadName;

    fn from_str(name: &str) -> Result<Self, BadName> {
        name.parse().map(Self)
    }
}

impl From<Contestant> for Player {
    fn from(contestant: Contestant) -> Self {
        Self(contestant)
    }
}

impl Player {
    /// As on the command line.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How long a round takes, roughly: what decides the order and the estimate of the time left, and nothing else.
    pub(super) fn effort(&self) -> u64 {
        if self.name().starts_with("random") { 1 } else { 40 }
    }

    /// The study of one run: the system's definition with what the name changes.
    pub fn spec(&self, system: &System, seed: u64, horizon: usize) -> Result<Spec> {
        let spec = Spec { seed, horizon: Some(horizon as u64), ..system.spec.clone() };
        self.0.applied(spec).with_context(|| format!("{} on {}", self.name(), system.name))
    }
}
