//! How much there is to do, in front of a region, where nothing that the region declares is there yet.

use super::checks::Writer;
use crate::codegen::kernel::{Index, Worth};
use crate::scop::{CheckKind, Computed, Param, Scop};

/// One of the conditions, in C; `None` where there are none, or one cannot be told here: then
/// nobody knows. Sizes may be behind pointers ([`where_followed`]).
pub fn any(scop: &Scop, all: &[Worth]) -> Option<String> {
    joined(scop, all, " || ")
}

/// All of the conditions, in C, as [`any`].
pub fn all(scop: &Scop, all: &[Worth]) -> Option<String> {
    joined(scop, all, " && ")
}

fn joined(scop: &Scop, all: &[Worth], operator: &str) -> Option<String> {
    let texts: Option<Vec<String>> = all.iter().map(|worth| one(scop, worth)).collect();
    texts
        .filter(|texts| !texts.is_empty())
        .map(|texts| texts.join(operator))
}

/// A condition behind those under which the original follows the pointers that sizes in it are behind:
/// only then are they read. `None` where that is never certain.
pub fn where_followed(scop: &Scop, text: String) -> Option<String> {
    let checks = &scop.conditions.checks;
    if checks.trust.assumes(CheckKind::Pointers) {
        return Some(text);
    }
    let mut writer = Writer::new(scop);
    let mut conditions: Vec<String> = Vec::new();
    // What one is compared with is behind those in front of it.
    for pointer in checks.followed.iter().rev() {
        let read = conditions.iter().any(|text| pointer.leads_to(text));
        if !read && !pointer.leads_to(&text) {
            continue;
        }
        if pointer.when.is_empty().ok()? {
            return None;
        }
        if !pointer.when.plain_is_universe().ok()? {
            conditions.insert(0, writer.holds(&pointer.when).ok()?);
        }
    }
    conditions.dedup();
    conditions.push(match text.contains("||") && !conditions.is_empty() {
        true => format!("({text})"),
        false => text,
    });
    Some(conditions.join(" && "))
}

fn one(scop: &Scop, worth: &Worth) -> Option<String> {
    let mut product = Vec::new();
    for factor in &worth.factors {
        let text = number(scop, factor)?;
        product.push(match factor {
            Index::Param(_) | Index::Mul(..) => text,
            _ => format!("({text})"),
        });
    }
    let product = product.join(" * ");
    Some(format!("{product} >= {}", worth.least))
}

/// An expression in floating-point numbers, in which nothing overflows; rounding is of no account.
fn number(scop: &Scop, index: &Index) -> Option<String> {
    let inside = |index: &Index| {
        let text = number(scop, index)?;
        let is_sum = matches!(index, Index::Add(..) | Index::Sub(..) | Index::Neg(..));
        Some(if is_sum { format!("({text})") } else { text })
    };
    Some(match index {
        Index::Int(value) => format!("{value}.0"),
        Index::Param(param) => {
            // A variable, or a member of one, as `image->width`.
            let is_name = |param: &Param| {
                let names = param.spelling.replace("->", ".");
                let mut names = names.split('.');
                names.all(|name| {
                    let mut text = name.chars();
                    !name.is_empty() && text.all(|c| c.is_ascii_alphanumeric() || c == '_')
                })
            };
            let param = scop.params.get(*param)?;
            let readable = match &param.computed {
                Some(Computed::Product(factors)) => {
                    factors.iter().all(|&factor| is_name(&scop.params[factor]))
                }
                Some(Computed::Quotient { .. } | Computed::Value(_)) => false,
                None => is_name(param),
            };
            if !readable {
                return None;
            }
            format!("(double){}", param.spelling)
        }
        Index::Add(left, right) => match &**right {
            Index::Int(value) if *value < 0 => {
                format!("{} - {}.0", number(scop, left)?, value.unsigned_abs())
            }
            right => format!("{} + {}", number(scop, left)?, number(scop, right)?),
        },
        Index::Sub(left, right) => format!("{} - {}", number(scop, left)?, inside(right)?),
        Index::Mul(left, right) => format!("{} * {}", inside(left)?, inside(right)?),
        Index::Neg(of) => format!("-{}", inside(of)?),
        // Small beside what else there is.
        Index::Mod(..) | Index::PlainMod(..) => "0.0".to_owned(),
        // The first that varies will do.
        Index::Max(all) | Index::Min(all) => {
            let varying = all.iter().filter(|one| !matches!(one, Index::Int(_)));
            varying.filter_map(inside).next()?
        }
        Index::FloorDiv(of, by) | Index::ExactDiv(of, by) => format!("{} / {by}.0", inside(of)?),
        _ => return None,
    })
}
