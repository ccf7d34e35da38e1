#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| drop(rpol_fuzz::study(data)));
