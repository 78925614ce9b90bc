//! Piecewise affine functions as people write them: `min(2 s1, s2 + 1) + s3`.

use crate::scop::linear::LinearForm;
use isl::{Aff, PwAff, Set};
use std::fmt;

/// A function of parameters.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Nowhere defined.
    Never,
    /// The least of some affine functions; of one, itself.
    Min(Vec<Aff>),
    /// The greatest of some.
    Max(Vec<Aff>),
    /// Something else: values and where they hold, disjoint.
    Cases(Vec<(Set, Aff)>),
}

/// More different pieces are not tried to be told as one minimum or maximum.
const PIECES: usize = 24;

impl Formula {
    /// A function on a set of parameters.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(function: &PwAff, context: &Set) -> isl::Result<Formula> {
        let function = function.intersect_params(context)?;
        let mut pieces = Vec::new();
        for (domain, value) in function.pieces()? {
            let domain = domain.params()?;
            if !domain.is_empty()? {
                pieces.push((domain, value));
            }
        }
        let mut values: Vec<Aff> = Vec::new();
        for (_, value) in &pieces {
            let known = values.iter().map(|v| v.plain_is_equal(value));
            if !known.collect::<isl::Result<Vec<_>>>()?.contains(&true) {
                values.push(value.clone());
            }
        }
        if values.is_empty() {
            return Ok(Formula::Never);
        }
        let defined = function.domain()?.params()?;
        if values.len() <= PIECES {
            if is_extreme(&pieces, &values, false)? {
                return Ok(Formula::Min(needed(&values, &defined, false)?));
            }
            if is_extreme(&pieces, &values, true)? {
                return Ok(Formula::Max(needed(&values, &defined, true)?));
            }
        }
        let mut cases = Vec::new();
        for (domain, value) in pieces {
            cases.push((domain.gist(context)?.coalesce()?, value));
        }
        Ok(Formula::Cases(cases))
    }
}

/// Where `a` is on the wanted side of `b`, or equal.
fn beyond(a: &Aff, b: &Aff, greatest: bool) -> isl::Result<Set> {
    let (a, b) = (PwAff::from_aff(a)?, PwAff::from_aff(b)?);
    if greatest {
        a.ge_set(&b)?.params()
    } else {
        a.le_set(&b)?.params()
    }
}

/// Whether each piece's value is the least (greatest) of all there.
fn is_extreme(pieces: &[(Set, Aff)], values: &[Aff], greatest: bool) -> isl::Result<bool> {
    for (domain, value) in pieces {
        for other in values {
            if !domain.is_subset(&beyond(value, other, greatest)?)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Those that no others make superfluous.
fn needed(values: &[Aff], defined: &Set, greatest: bool) -> isl::Result<Vec<Aff>> {
    let mut kept: Vec<Aff> = values.to_vec();
    let mut at = 0;
    while at < kept.len() && kept.len() > 1 {
        let mut covered = Set::empty(&defined.get_space()?)?;
        for (number, other) in kept.iter().enumerate() {
            if number != at {
                covered = covered.union(&beyond(other, &kept[at], greatest)?)?;
            }
        }
        if defined.is_subset(&covered)? {
            kept.remove(at);
        } else {
            at += 1;
        }
    }
    Ok(kept)
}

/// A sum of multiples of parameters, each with its place among them and its name.
type Sum = LinearForm<(usize, String)>;

/// `None` for divisions and large numbers.
fn sum(value: &Aff) -> Option<Sum> {
    let named = LinearForm::of_aff(value, |kind, at| {
        Ok(Some((at, value.get_dim_name(kind, at)?)))
    });
    named.ok().flatten()
}

/// A sum as people write it. It begins with something that is added, where there is one.
fn text(sum: &Sum) -> String {
    let mut text = String::new();
    let mut terms: Vec<&((usize, String), i64)> = sum.terms().iter().collect();
    terms.sort_by_key(|t| t.1 < 0);
    for ((_, name), factor) in terms {
        text += match (text.is_empty(), *factor < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        if factor.unsigned_abs() != 1 {
            text += &format!("{} ", factor.unsigned_abs());
        }
        text += name;
    }
    match (text.is_empty(), sum.constant()) {
        (true, constant) => constant.to_string(),
        (false, 0) => text,
        (false, c) if c < 0 => format!("{text} - {}", c.unsigned_abs()),
        (false, c) => format!("{text} + {c}"),
    }
}

/// A value of a piece as text.
fn affine(value: &Aff) -> String {
    if let Some(sum) = sum(value) {
        return text(&sum);
    }
    let text = value.to_string();
    let inner = text
        .split_once("[(")
        .and_then(|(_, rest)| rest.rsplit_once(")]"));
    inner.map_or(text.clone(), |(inner, _)| inner.to_owned())
}

/// A set of parameters as its conditions.
fn conditions(set: &Set) -> String {
    let text = set.to_string();
    let inner = text
        .split_once("{")
        .and_then(|(_, rest)| rest.rsplit_once('}'));
    let inner = inner.map_or(text.as_str(), |(inner, _)| inner);
    inner.trim().trim_start_matches(':').trim().to_owned()
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, values) = match self {
            Formula::Never => return f.write_str("0"),
            Formula::Min(values) => ("min", values),
            Formula::Max(values) => ("max", values),
            Formula::Cases(cases) => {
                for (number, (domain, value)) in cases.iter().enumerate() {
                    let separator = if number > 0 { "; " } else { "" };
                    write!(f, "{separator}{} if {}", affine(value), conditions(domain))?;
                }
                return Ok(());
            }
        };
        if let [only] = &values[..] {
            return f.write_str(&affine(only));
        }
        let sums: Option<Vec<Sum>> = values.iter().map(sum).collect();
        let Some(sums) = sums else {
            let values: Vec<String> = values.iter().map(affine).collect();
            return write!(f, "{name}({})", values.join(", "));
        };
        // What all have in common stands outside.
        let first = sums.first().into_iter().flat_map(|first| first.terms());
        let shared = first.filter(|(of, factor)| sums.iter().all(|sum| sum.factor(of) == *factor));
        let common = LinearForm::sum(0, shared.cloned()).unwrap_or_default();
        let rests = sums.iter().filter_map(|sum| sum.minus(&common));
        let mut texts: Vec<String> = rests.map(|rest| text(&rest)).collect();
        texts.sort();
        write!(f, "{name}({})", texts.join(", "))?;
        if !common.terms().is_empty() {
            let text = text(&common);
            match text.strip_prefix('-') {
                Some(rest) => write!(f, " - {rest}")?,
                None => write!(f, " + {text}")?,
            }
        }
        Ok(())
    }
}
