//! The native half of the Python package `rpol`: conversion, errors, and the GIL released around all work.
//!
//! Whatever is structured crosses as JSON text, which keeps every `f64` bit for bit and the order of parameters; arrays cross as
//! NumPy arrays. What users see is written in Python, in `python/rpol`.
//!
//! Users see small dataclasses written in Python, which pickle, print and document themselves. A class
//! in Rust for each of them would be four times the code.

mod command;
mod convert;
mod failure;
mod gaussian_process;
mod handle;
mod hyper;
mod kernel;
mod observed;
mod picture;
mod prediction;
mod process;
mod spec;
mod study;
mod trial;

use pyo3::prelude::*;

#[pymodule]
mod _rpol {
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::gaussian_process::NativeProcess;
    #[pymodule_export]
    use super::hyper::{fit, greedy_gain, log_evidence};
    #[pymodule_export]
    use super::kernel::{check_kernel, covariances};
    #[pymodule_export]
    use super::picture::png;
    #[pymodule_export]
    use super::process::{store_path, worker};
    #[pymodule_export]
    use super::spec::{canonical_spec, canonical_spec_text, spec_schema};
    #[pymodule_export]
    use super::study::NativeStudy;

    #[allow(unused_imports)]
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
