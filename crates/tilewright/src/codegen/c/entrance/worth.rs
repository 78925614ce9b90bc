//! How much there is to do, in front of a region, where nothing that the region declares is there yet.

use super::checks::Writer;
use crate::codegen::kernel::{Index, Worth};
use crate::scop::{CheckKind, Computed, Param, Rounding, Scop};
use std::collections::BTreeSet;

/// More products are not compared for one condition.
const MOST_PRODUCTS: usize = 4;

/// One of the conditions, in C; `None` where there are none, or one cannot be told here: then
/// nobody knows. Sizes may be behind pointers ([`where_followed`]).
pub fn any(scop: &Scop, all: &[Worth]) -> Option<String> {
    // Of the same product the least says it all.
    let weakest = |one: &&Worth| {
        let same = all.iter().filter(|other| other.factors == one.factors);
        same.map(|other| other.least).min() == Some(one.least)
    };
    let texts = all.iter().filter(weakest).map(|worth| one(scop, worth));
    let texts: Option<Vec<String>> = texts.map(|one| Some(one?.join(" && "))).collect();
    texts
        .filter(|texts| !texts.is_empty())
        .map(|texts| texts.join(" || "))
}

/// All of the conditions, in C, as [`any`]; of the same product once, with the most that is asked.
pub fn all(scop: &Scop, all: &[Worth]) -> Option<String> {
    // What is asked of `n - 2` is asked of `n`.
    let of_size = |one: &Worth| match &one.factors[..] {
        [factor] => size(factor, one.least).map_or_else(
            || one.clone(),
            |(size, least)| Worth {
                factors: vec![size.clone()],
                least,
            },
        ),
        _ => one.clone(),
    };
    let all: Vec<Worth> = all
        .iter()
        .filter(|one| one.least > 1)
        .map(of_size)
        .collect();
    let least = |one: &Worth| {
        let same = all.iter().filter(|other| other.factors == one.factors);
        same.map(|other| other.least).max() == Some(one.least)
    };
    let mut conditions: Vec<String> = Vec::new();
    for worth in all.iter().filter(|one| least(one)) {
        for condition in one(scop, worth)? {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
    }
    (!conditions.is_empty()).then(|| conditions.join(" && "))
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

/// A condition in C, as conditions that all hold.
fn one(scop: &Scop, worth: &Worth) -> Option<Vec<String>> {
    let (mut products, mut conditions) = (without_least(&worth.factors), Vec::new());
    // Fewer of them say less, and those of few sizes most.
    products.sort_by_key(|factors| {
        factors
            .iter()
            .map(|factor| sizes(factor).len())
            .sum::<usize>()
    });
    products.truncate(MOST_PRODUCTS);
    for factors in products {
        let condition = product(scop, &factors, worth.least)?;
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    Some(conditions)
}

/// The products that are all at least as large as one in which some factors are the least of several
/// numbers, where these are not negative. Factors of the same sizes are for the same case of them.
fn without_least(factors: &[Index]) -> Vec<Vec<Index>> {
    let Some(Index::Min(first)) = factors.iter().find(|one| matches!(one, Index::Min(_))) else {
        return vec![factors.to_vec()];
    };
    let sizes: Vec<BTreeSet<usize>> = first.iter().map(sizes).collect();
    let of = |number: usize| -> Vec<Index> {
        let choose = |factor: &Index| match factor {
            Index::Min(all) => {
                let alike = |one: &&Index| self::sizes(one) == sizes[number];
                all.iter().find(alike).unwrap_or(factor).clone()
            }
            _ => factor.clone(),
        };
        factors.iter().map(choose).collect()
    };
    let differs = |number: &usize| !sizes[..*number].contains(&sizes[*number]);
    let numbers = (0..first.len()).filter(differs);
    numbers
        .flat_map(|number| without_least(&of(number)))
        .collect()
}

/// The parameters in an expression.
fn sizes(index: &Index) -> BTreeSet<usize> {
    let mut sizes = BTreeSet::new();
    index.walk(&mut |part| {
        if let Index::Param(param) = part {
            sizes.insert(*param);
        }
    });
    sizes
}

fn product(scop: &Scop, factors: &[Index], least: i64) -> Option<String> {
    if let [factor] = factors
        && let Some((size, least)) = size(factor, least)
    {
        let text = number(scop, size)?;
        let text = text.strip_prefix("(double)").unwrap_or(&text);
        return Some(format!("{text} >= {least}"));
    }
    let mut product = Vec::new();
    for factor in factors {
        let text = number(scop, factor)?;
        let is_sum = !matches!(factor, Index::Param(_) | Index::Mul(..)) && text.contains(' ');
        product.push(if is_sum { format!("({text})") } else { text });
    }
    let product = product.join(" * ");
    Some(format!("{product} >= {least}"))
}

/// A size without the constant that is added to it, and how large it has to be: a number above zero,
/// which types without a sign have, too. `None` for other expressions.
pub fn size(index: &Index, least: i64) -> Option<(&Index, i64)> {
    match index {
        Index::Param(_) => (least > 0).then_some((index, least)),
        Index::Add(of, other) | Index::Sub(of, other) => match (index, &**other) {
            (Index::Add(..), Index::Int(value)) => size(of, least.checked_sub(*value)?),
            (_, Index::Int(value)) => size(of, least.checked_add(*value)?),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a parameter is a variable, or a member of one, as `image->width`, or computed from such.
fn is_readable(scop: &Scop, param: &Param) -> bool {
    let other = |param: usize| is_readable(scop, &scop.params[param]);
    match &param.computed {
        Some(Computed::Product(factors)) => factors.iter().all(|&factor| other(factor)),
        Some(Computed::Quotient { dividend, .. }) => {
            dividend.terms().iter().all(|&(param, _)| other(param))
        }
        Some(Computed::Value(of)) => of.iter().all(|&param| other(param)),
        None => {
            let names = param.spelling.replace("->", ".");
            // An element with a number for a subscript.
            let names = match names.rsplit_once('[') {
                Some((array, index))
                    if index.trim_start_matches(|c: char| c.is_ascii_digit()) == "]" =>
                {
                    array
                }
                _ => &names,
            };
            let mut names = names.split('.');
            names.all(|name| {
                let mut text = name.chars();
                !name.is_empty() && text.all(|c| c.is_ascii_alphanumeric() || c == '_')
            })
        }
    }
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
            let param = scop.params.get(*param)?;
            if !is_readable(scop, param) {
                return None;
            }
            match &param.computed {
                // What is shifted stands in parentheses.
                Some(Computed::Quotient {
                    rounding: Rounding::Zero,
                    ..
                }) => format!("(double)({})", param.spelling),
                _ => format!("(double){}", param.spelling),
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::ScopBuilder;

    fn worth(factors: Vec<Index>, least: i64) -> Worth {
        Worth { factors, least }
    }

    fn text(all: &[Worth]) -> Option<String> {
        let scop = ScopBuilder::new("[n, m, k] -> { : n >= 1 }")
            .input("A", 1)
            .output("B", 1)
            .statement("S[i] : 0 <= i < n + m + k", &["A[i]"], &["B[i]"])
            .build();
        super::all(&scop, all)
    }

    /// A band of a matrix: as many columns as it is wide, or as there are.
    #[test]
    fn the_least_of_several_numbers_is_at_least_as_large_as_each() {
        let [n, k] = [0, 2].map(Index::Param);
        let columns = Index::Min(vec![n.clone(), k.plus(&Index::Int(1))]);
        let more = Index::Min(vec![k.clone(), n.clone()]);
        assert_eq!(
            text(&[worth(vec![n.clone(), columns, more], 100)]).as_deref(),
            Some(
                "(double)n * (double)n * (double)n >= 100 && \
                 (double)n * ((double)k + 1.0) * (double)k >= 100"
            )
        );
    }

    /// Sizes may be of a type without a sign, in which no number is below zero.
    #[test]
    fn single_sizes_are_compared_as_they_are() {
        let n = Index::Param(0);
        let from = |by: i64| text(&[worth(vec![n.plus(&Index::Int(by))], 17)]);
        assert_eq!(from(-2).as_deref(), Some("n >= 19"));
        assert_eq!(from(16).as_deref(), Some("n >= 1"));
        assert_eq!(from(17).as_deref(), Some("((double)n + 17.0) >= 17"));
    }

    #[test]
    fn of_the_same_product_the_most_is_asked() {
        let [n, m] = [0, 1].map(|param| vec![Index::Param(param)]);
        let all = [worth(n.clone(), 17), worth(m.clone(), 1), worth(n, 400)];
        assert_eq!(text(&all).as_deref(), Some("n >= 400"));
        assert_eq!(text(&[worth(m, 0)]), None);
    }
}
