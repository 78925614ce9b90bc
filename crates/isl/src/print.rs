//! Texts that `Display` does not give.

use std::ffi::CStr;

use isl_sys as sys;

use crate::{Ctx, Result, Schedule, ScheduleNode};

/// The version of the isl in use, such as `isl-0.25-GMP`.
pub fn version() -> String {
    // SAFETY: isl returns a static text.
    let text = unsafe { CStr::from_ptr(sys::isl_version()) };
    text.to_string_lossy().trim_end().to_owned()
}

impl Schedule {
    /// The tree as YAML with one line for each part, for people. `Display` writes the
    /// same in one line.
    pub fn to_block_string(&self) -> Result<String> {
        // SAFETY: the schedule lives, and the printer is given back.
        block(self.ctx(), |printer| unsafe {
            sys::isl_printer_print_schedule(printer, self.as_ptr())
        })
    }
}

impl ScheduleNode {
    /// The tree as YAML with one line for each part, for people, with a note at this
    /// node. `Display` writes the same in one line.
    pub fn to_block_string(&self) -> Result<String> {
        // SAFETY: the node lives, and the printer is given back.
        block(self.ctx(), |printer| unsafe {
            sys::isl_printer_print_schedule_node(printer, self.as_ptr())
        })
    }
}

/// Prints in isl's block style.
fn block(
    ctx: &Ctx,
    print: impl FnOnce(*mut sys::isl_printer) -> *mut sys::isl_printer,
) -> Result<String> {
    ctx.without_quota(|| {
        // SAFETY: every call takes the printer and gives it back, or null; null is
        // harmless to all of them.
        unsafe {
            let printer = sys::isl_printer_to_str(ctx.as_ptr());
            let printer = sys::isl_printer_set_yaml_style(printer, sys::ISL_YAML_STYLE_BLOCK);
            let printer = print(printer);
            let text = ctx.take_string(sys::isl_printer_get_str(printer));
            sys::isl_printer_free(printer);
            text
        }
    })
}
