//! A region with packed arrays ([`crate::rewrite::ell`]) and the same as it was, of which one is
//! executed.

use super::inspection::indented;
use crate::codegen::c::INDENT;
use crate::scop::{Array, Packing};
use std::fmt::Write;

/// The text of the region with packed arrays if these have no more than so many `places` for each
/// entry, else that of the other one.
pub fn either(packing: &Packing, (text, other): (&str, &str), places: i64) -> String {
    let Packing {
        width,
        rows,
        entries,
        ..
    } = packing;
    format!(
        "if ({rows} > 0 && {width} <= {places} * (long)({entries}) / {rows}) {{\n{}}} else {{\n{}}}\n",
        indented(text, INDENT),
        indented(other, INDENT)
    )
}

/// The text of a region with packed arrays, with their memory around it.
pub fn with_memory<'a>(
    packing: &Packing,
    arrays: impl Iterator<Item = &'a Array> + Clone,
    text: &str,
) -> String {
    let Packing { width, rows, .. } = packing;
    let mut inside = String::new();
    for array in arrays.clone() {
        let (element, base) = (&array.element.spelling, &array.base);
        // One more, so that there is memory where no row has an entry.
        let _ = writeln!(
            inside,
            "{element} (*restrict {base})[{rows}] = __builtin_malloc(sizeof({element}[{rows}]) * \
             ({width} + 1));\nif (!{base})\n    __builtin_trap();"
        );
    }
    inside.push_str(text);
    for array in arrays {
        let _ = writeln!(inside, "__builtin_free({});", array.base);
    }
    inside
}
