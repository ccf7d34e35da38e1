//! Which instructions loops are compiled for here.

/// The instruction set that the library chooses on this processor.
#[cfg(target_arch = "x86_64")]
pub(crate) fn level() -> &'static str {
    let fused = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    match (is_x86_feature_detected!("avx512f"), fused) {
        (true, _) => "avx512",
        (false, true) => "avx2",
        (false, false) => "sse2",
    }
}

/// The instruction set that the library chooses on this processor.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn level() -> &'static str {
    if cfg!(target_arch = "aarch64") { "neon" } else { "scalar" }
}
