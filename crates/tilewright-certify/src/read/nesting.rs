//! How deep texts may be nested, and how long their statements may be.

use super::Res;
use crate::text::{Prepared, Problem};

/// Nesting of brackets and blocks that is followed.
pub(super) const DEEPEST: usize = 300;
/// Operators between two semicolons.
const LONGEST: usize = 20_000;

/// Brackets deeper, or statements longer, than what is followed.
pub(super) fn check_nesting(prepared: &Prepared) -> Res<()> {
    let (mut depth, mut operators, mut branches) = (0usize, 0usize, 0usize);
    for (at, byte) in prepared.text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b';' => operators = 0,
            b'+' | b'-' | b'*' | b'/' | b'?' | b'!' | b'~' | b'&' | b'|' => operators += 1,
            b'e' if prepared.text[at..].starts_with("else") => branches += 1,
            b'\n' if depth == 0 => branches = 0,
            _ => {}
        }
        if depth > DEEPEST || operators > LONGEST || branches > 20_000 {
            return Err(Problem {
                what: "nesting that is too deep".into(),
                line: prepared.line(at),
            });
        }
    }
    Ok(())
}
