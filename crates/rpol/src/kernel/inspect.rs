//! Asking a kernel about itself: is it usable, and what are its hyper-parameters?

use super::{Covariance, Form, Kernel, Param, ParamRole};
use crate::error::Result;

impl Kernel {
    /// Refuses a kernel that is not usable on points of `dims` coordinates; the error names the
    /// field and the remedy.
    ///
    /// ```
    /// use rpol::Kernel;
    /// let error = Kernel::matern52([0.2, -1.0]).validate(2).unwrap_err();
    /// assert!(error.to_string().starts_with("kernel.lengthscales[1]: -1"));
    /// ```
    pub fn validate(&self, dims: usize) -> Result<()> {
        const ROOT: &str = "kernel";
        self.check_shape(ROOT, dims)?;
        let mut params = Vec::new();
        self.params(ROOT, &mut params);
        params.iter().try_for_each(Param::check)
    }

    /// How many hyper-parameters there are.
    #[must_use]
    pub fn param_count(&self) -> usize {
        let mut logs = Vec::new();
        self.log_params(&mut logs);
        logs.len()
    }

    /// Names of the hyper-parameters: paths in the definition, in the order of a fit.
    ///
    /// ```
    /// use rpol::Kernel;
    /// let kernel = Kernel::matern52([0.2]).scaled(2.0);
    /// assert_eq!(kernel.param_names(), ["variance", "kernel.lengthscales[0]"]);
    /// ```
    #[must_use]
    pub fn param_names(&self) -> Vec<String> {
        self.all_params().into_iter().map(|p| p.name).collect()
    }

    /// What each hyper-parameter stands for, in the same order.
    pub(crate) fn param_roles(&self) -> Vec<ParamRole> {
        self.all_params().into_iter().map(|p| p.role).collect()
    }

    /// Whether $k(x, x')$ depends on $x - x'$ alone and is nowhere below 0.
    pub(crate) fn is_of_differences(&self) -> bool {
        match &self.0 {
            Form::Linear(_) => false,
            Form::Sum(sum) => sum.terms.iter().all(Self::is_of_differences),
            Form::Product(product) => product.factors.iter().all(Self::is_of_differences),
            Form::Scaled(scaled) => scaled.kernel.is_of_differences(),
            Form::SquaredExponential(_)
            | Form::Matern12(_)
            | Form::Matern32(_)
            | Form::Matern52(_)
            | Form::RationalQuadratic(_)
            | Form::Periodic(_)
            | Form::Hamming(_) => true,
        }
    }

    fn all_params(&self) -> Vec<Param> {
        let mut out = Vec::new();
        self.params("", &mut out);
        out
    }
}
