//! How large a study may be: what is larger would keep its user waiting at every ask.

use super::Spec;
use crate::error::{Error, Result};
use crate::name::path;
use crate::space::Param;

/// Free parameters.
const PARAMS: usize = 100;
/// Choices of one parameter.
const CHOICES: usize = 1000;
/// Constraints: each has a model of its own.
const CONSTRAINTS: usize = 16;
/// Lengthscales of all models together: each has one for every free parameter.
const LENGTHSCALES: usize = 1000;
/// Metrics that are only written down.
const TRACKED: usize = 256;

impl Spec {
    /// Refuses more than an ask can answer for within a second, naming the field, the number and the remedy.
    pub(in crate::study) fn check_size(&self) -> Result<()> {
        let dims = self.params.dims();
        if dims > PARAMS {
            let problem = format!("{dims} parameters are free: fix some, {PARAMS} is the most");
            return Err(Error::spec("params", problem));
        }
        for (name, param) in self.params.params() {
            let Param::Categorical { choices } = param else { continue };
            if choices.len() > CHOICES {
                let field = format!("{}.choices", path("params", name));
                let problem = format!(
                    "there are {} choices: give the most promising, {CHOICES} is the most, or a number with type int",
                    choices.len()
                );
                return Err(Error::spec(field, problem));
            }
        }
        let counts = [
            ("constraints", self.constraints.len(), CONSTRAINTS, "limit the worst of several"),
            ("track", self.track.len(), TRACKED, "leave out what nobody reads"),
        ];
        if let Some((field, count, most, remedy)) = counts.iter().find(|(_, n, most, _)| n > most) {
            let problem = format!("there are {count}, {most} is the most: {remedy}");
            return Err(Error::spec(*field, problem));
        }
        let models = 1 + self.constraints.len();
        if models * dims > LENGTHSCALES {
            let problem = format!(
                "{dims} parameters are free beside {} constraints: fix some, with so many constraints {} is the most",
                self.constraints.len(),
                LENGTHSCALES / models
            );
            return Err(Error::spec("params", problem));
        }
        Ok(())
    }
}
