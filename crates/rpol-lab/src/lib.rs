//! Problems with known optima.
