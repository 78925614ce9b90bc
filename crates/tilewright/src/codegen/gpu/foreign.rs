//! Regions that compute with numbers that devices do not have: `long double`, complex numbers, numbers
//! of 16 and of 128 bits. They are refused before anything is mapped.

use crate::scop::expression::floating_literal;
use crate::scop::{Action, Expr, ScalarKind, Scop};

/// Numbers that devices do not have, and where the region computes with them, in words.
pub(super) fn found(scop: &Scop) -> Option<String> {
    let is_foreign = |kind: &ScalarKind| !kind.is_on_devices();
    let arrays = scop.arrays.iter().map(|a| (a.element.kind, &a.name));
    let invariants = scop.invariants.iter().map(|(name, t)| (t.kind, name));
    let mut named = arrays.chain(invariants);
    if let Some((kind, name)) = named.find(|(kind, _)| is_foreign(kind)) {
        return Some(format!("`{name}` is of type {}", kind.c_name()));
    }
    // What else is computed is made of these.
    let own = |expr: &Expr| match expr {
        Expr::Literal(text) => floating_literal(text),
        Expr::Cast(ctype, _) => Some(ctype.kind),
        _ => None,
    };
    let mut inside = None;
    let mut strange = None;
    for statement in &scop.statements {
        let mut look = |expr: &Expr| {
            expr.walk(&mut |e| {
                inside = inside.or(own(e).filter(is_foreign));
                if let Expr::Literal(text) = e
                    && has_width(text)
                {
                    strange.get_or_insert_with(|| text.clone());
                }
            });
        };
        for access in &statement.accesses {
            access.subscripts.iter().for_each(&mut look);
        }
        Action::expressions(&statement.body, &mut look);
        Action::walk(&statement.body, &mut |action| {
            if let Action::Local { ctype, .. } = action {
                inside = inside.or(Some(ctype.kind).filter(is_foreign));
            }
        });
    }
    if let Some(kind) = inside {
        return Some(format!("values of type {} are computed", kind.c_name()));
    }
    if let Some(literal) = strange {
        return Some(format!("`{literal}` has a suffix with a width"));
    }
    let called = scop.calls.callees.iter().find(|c| is_in(&c.definition))?;
    let name = &called.name;
    Some(format!("`{name}` computes with numbers of another type"))
}

/// Whether a number says its width, `0.5f32`, which compilers for devices do not read.
fn has_width(literal: &str) -> bool {
    let lower = literal.to_ascii_lowercase();
    let suffix = lower.rsplit_once('f').map(|(_, width)| width);
    floating_literal(literal).is_some()
        && !lower.starts_with("0x")
        && suffix.is_some_and(|width| width.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a function's text has such a number.
fn is_in(definition: &str) -> bool {
    let mut words = definition.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    definition.contains(ScalarKind::F80.c_name())
        || words.any(|word| {
            matches!(word, "_Float16" | "_Float128" | "_Complex")
                || has_width(word)
                || floating_literal(word).is_some_and(|kind| !kind.is_on_devices())
        })
}

#[cfg(test)]
mod tests {
    use super::is_in;

    #[test]
    fn texts_of_functions() {
        for (text, expected) in [
            ("double f(double a)\n{\n    return a * 1.5f;\n}", false),
            ("long f(long a)\n{\n    return a + 2L;\n}", false),
            ("double f(double a)\n{\n    return a / 3.0L;\n}", true),
            (
                "double f(double a)\n{\n    long double t = a;\n    return t;\n}",
                true,
            ),
            ("float f(float a)\n{\n    return (_Float16)a;\n}", true),
            ("double f(double a)\n{\n    return cabs(a + 1.0i);\n}", true),
            ("float f(float a)\n{\n    return a * 0.5f32;\n}", true),
            ("float f(float a)\n{\n    return a * 0x1p-1f;\n}", false),
        ] {
            assert_eq!(is_in(text), expected, "{text}");
        }
    }
}
