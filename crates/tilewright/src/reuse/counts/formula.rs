//! Piecewise affine functions as people write them: `min(2 s1, s2 + 1) + s3`.

use isl::{Aff, DimType, PwAff, Set};
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

/// An affine function as a sum: coefficients of parameters, then what is behind them.
struct Sum {
    terms: Vec<(String, i64)>,
    constant: i64,
}

impl Sum {
    /// `None` for divisions and large numbers.
    fn of(value: &Aff) -> Option<Sum> {
        if value.dim(DimType::Div).ok()? > 0 {
            return None;
        }
        let mut terms = Vec::new();
        for param in 0..value.dim(DimType::Param).ok()? {
            let name = value.get_dim_name(DimType::Param, param).ok()?;
            let factor = value.get_coefficient_val(DimType::Param, param).ok()?;
            terms.push((name, factor.to_i64()?));
        }
        let constant = value.get_constant_val().ok()?.to_i64()?;
        Some(Sum { terms, constant })
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        // Sums begin with something that is added, where there is one.
        let mut terms: Vec<&(String, i64)> = self.terms.iter().filter(|t| t.1 != 0).collect();
        terms.sort_by_key(|t| t.1 < 0);
        for (name, factor) in terms {
            let sign = match (first, *factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            match factor.unsigned_abs() {
                1 => write!(f, "{sign}{name}")?,
                size => write!(f, "{sign}{size} {name}")?,
            }
            first = false;
        }
        match (first, self.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, c) if c < 0 => write!(f, " - {}", c.unsigned_abs()),
            (false, c) => write!(f, " + {c}"),
        }
    }
}

/// A value of a piece as text.
fn affine(value: &Aff) -> String {
    if let Some(sum) = Sum::of(value) {
        return sum.to_string();
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
        let sums: Option<Vec<Sum>> = values.iter().map(Sum::of).collect();
        let Some(mut sums) = sums else {
            let values: Vec<String> = values.iter().map(affine).collect();
            return write!(f, "{name}({})", values.join(", "));
        };
        // What all have in common stands outside.
        let mut common = Sum {
            terms: Vec::new(),
            constant: 0,
        };
        let names: Vec<String> = sums[0].terms.iter().map(|t| t.0.clone()).collect();
        for param in names {
            let factor = |sum: &Sum| sum.terms.iter().find(|t| t.0 == param).map_or(0, |t| t.1);
            let of_first = factor(&sums[0]);
            if of_first != 0 && sums.iter().all(|sum| factor(sum) == of_first) {
                common.terms.push((param.clone(), of_first));
                for sum in &mut sums {
                    sum.terms.retain(|t| t.0 != param);
                }
            }
        }
        let mut texts: Vec<String> = sums.iter().map(Sum::to_string).collect();
        texts.sort();
        write!(f, "{name}({})", texts.join(", "))?;
        if !common.terms.is_empty() {
            let text = common.to_string();
            match text.strip_prefix('-') {
                Some(rest) => write!(f, " - {rest}")?,
                None => write!(f, " + {text}")?,
            }
        }
        Ok(())
    }
}
