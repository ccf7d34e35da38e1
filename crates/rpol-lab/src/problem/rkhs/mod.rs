//! Functions whose RKHS norm is known exactly: here Assumption 1 of the paper holds with $B$ stated, so its theorems can
//! be verified.

pub mod function;

pub use function::{KernelKind, RkhsFunction};

/// Why a function could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RkhsError {
    /// Centres and weights do not pair up, or there are none.
    #[error("{centres} centres and {weights} weights: give one weight a centre, at least one")]
    Unpaired {
        /// Centres given.
        centres: usize,
        /// Weights given.
        weights: usize,
    },
    /// Centres of different dimensions.
    #[error("centre {index} has {found} coordinates, the first has {wanted}")]
    Ragged {
        /// Which centre.
        index: usize,
        /// Its coordinates.
        found: usize,
        /// The first centre's.
        wanted: usize,
    },
    /// A lengthscale or norm that is not finite and positive.
    #[error("{field} is {value}: give a finite positive number")]
    NotPositive {
        /// Which field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// $\alpha^\top K \alpha$ is not positive, so no scaling reaches the wanted norm.
    #[error("the weights give the zero function: draw others")]
    Zero,
    /// No pair drawn met the specification.
    #[error("{attempts} pairs drawn, none as specified: widen `feasible`, or drop `binding`")]
    NoDraw {
        /// Pairs tried.
        attempts: usize,
    },
}
