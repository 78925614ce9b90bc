//! Raw bindings to [isl](https://libisl.sourceforge.io/), the Integer Set Library.
//!
//! `bindings.rs` is generated from isl's headers by `generate/generate.py`; nothing
//! here is safe to call without reading isl's manual. The crate `isl` wraps it.
#![allow(non_camel_case_types, non_upper_case_globals)]
include!("bindings.rs");

unsafe extern "C" {
    /// Frees memory that isl allocated for the caller (strings).
    pub fn free(ptr: *mut c_void);
}
