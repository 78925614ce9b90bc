//! A schedule over those parameters alone that it depends on.
//!
//! A pyramid has the sizes of all its levels as parameters, a nest of it those of one or two;
//! isl's AST generation takes its time with every column of a matrix, used or not, and with every
//! condition. What the assumptions say anyway is dropped from the domain, for the same reason.
//!
//! What is dropped is weaker than one of the assumptions with the same coefficients ([`Known`]), or
//! what isl's gist drops: it holds whatever becomes of the assumption itself, which may go with its
//! parameters ([`Facts::of`]). Fewer assumptions make more conditions in the code, never fewer.

use crate::codegen::generation::build::internal;
use crate::mistakes::mistake;
use crate::scop::Scop;
use crate::transform::{BufferKind, Lifted, Transformed};
use isl::{Aff, BasicSet, Constraint, DimType, Result, Schedule, Set, UnionSet, Val};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names of the parameters that the subscripts of a statement depend on.
fn params_of(scop: &Scop, transformed: &Transformed, lifted: &Lifted) -> Result<BTreeSet<String>> {
    let mut used = BTreeSet::new();
    let accesses = &scop.statements[lifted.statement].accesses;
    for (access, &buffer) in accesses.iter().zip(&lifted.bindings) {
        let relation = &access.relation;
        for param in 0..relation.dim(DimType::Param)? {
            if relation.involves_dims(DimType::Param, param, 1usize)? {
                used.insert(relation.get_dim_name(DimType::Param, param)?);
            }
        }
        let BufferKind::Local { origin, .. } = &transformed.buffers[buffer].kind else {
            continue;
        };
        for start in origin {
            for param in 0..start.dim(DimType::Param)? {
                if start.involves_dims(DimType::Param, param, 1usize)? {
                    used.insert(start.get_dim_name(DimType::Param, param)?);
                }
            }
        }
    }
    Ok(used)
}

/// The schedule over those parameters alone that it mentions, without what is known of them, and
/// what is known of these alone.
///
/// isl drops parameters of sets and maps, but not of schedules; those are read again from text
/// that declares fewer.
///
/// # Errors
/// isl's own.
pub(crate) fn narrow(
    scop: &Scop,
    transformed: &Transformed,
    schedule: &Schedule,
    facts: &Facts,
) -> Result<(Schedule, Facts)> {
    let domain = schedule.get_domain()?;
    let space = domain
        .get_space()?
        .align_params(&facts.context.get_space()?)?;
    let known = Known::of(&facts.context.align_params(&space)?)?;
    let mut used = BTreeSet::new();
    let mut small = UnionSet::empty_space(&space)?;
    for statement in domain.sets()? {
        used.extend(params_of(
            scop,
            transformed,
            lifted_of(transformed, &statement)?,
        )?);
        let statement = known.dropped_from(&statement.align_params(&space)?)?;
        small = small.union(&UnionSet::from_set(&statement)?)?;
    }
    let text = schedule.to_string();
    let Some((before, after)) = around_domain(&text) else {
        return Ok((schedule.clone(), facts.clone()));
    };
    let text = format!("{before}{small}{after}");
    used.extend(words(&declaring(&text, &[])).map(str::to_owned));
    let names = space.param_names()?;
    let mentioned = names.iter().map(String::as_str);
    let mentioned: Vec<&str> = mentioned.filter(|&p| used.contains(p)).collect();
    let text = declaring(&text, &mentioned);
    match Schedule::read_from_str(&scop.ctx, &text) {
        Ok(narrow) => Ok((narrow, facts.of(&mentioned)?)),
        Err(error) if error.is_quota() => Err(error),
        // What isl prints and does not read is as good with all parameters.
        Err(_) => Ok((schedule.clone(), facts.clone())),
    }
}

/// Instances without what is known of parameters, and what is known of those parameters alone that
/// they or their subscripts depend on.
///
/// # Errors
/// isl's own.
pub(crate) fn narrow_instances(
    scop: &Scop,
    transformed: &Transformed,
    instances: &UnionSet,
    facts: &Facts,
) -> Result<(Vec<Set>, Facts)> {
    let space = instances
        .get_space()?
        .align_params(&facts.context.get_space()?)?;
    let known = Known::of(&facts.context.align_params(&space)?)?;
    let mut used = BTreeSet::new();
    let mut small = Vec::new();
    for statement in instances.sets()? {
        used.extend(params_of(
            scop,
            transformed,
            lifted_of(transformed, &statement)?,
        )?);
        let statement = known.dropped_from(&statement.align_params(&space)?)?;
        let statement = statement.drop_unused_params()?;
        used.extend(statement.get_space()?.param_names()?);
        small.push(statement);
    }
    let names: Vec<&str> = used.iter().map(String::as_str).collect();
    Ok((small, facts.of(&names)?))
}

/// The lifted statement that a set is of.
fn lifted_of<'t>(transformed: &'t Transformed, instances: &Set) -> Result<&'t Lifted> {
    let tuple = instances.get_tuple_name()?;
    let lifted = transformed.statements.iter().find(|l| l.name == tuple);
    lifted.ok_or_else(|| internal("instances of no lifted statement"))
}

/// A schedule's text before and after that of its domain.
fn around_domain(text: &str) -> Option<(&str, &str)> {
    let start = text.find("domain: \"")? + "domain: \"".len();
    let end = start + text[start..].find('"')?;
    Some((&text[..start], &text[end..]))
}

/// isl's text with other parameters declared, everywhere: `[N, M] -> { S[i] }` and such.
fn declaring(text: &str, names: &[&str]) -> String {
    // isl reads `[] -> [{ … }]` as a function without dimensions.
    let head = match names {
        [] => String::new(),
        names => format!("[{}] -> ", names.join(", ")),
    };
    let mut result = String::new();
    let mut rest = text;
    while let Some(end) = rest.find("] -> ") {
        let after = &rest[end + "] -> ".len()..];
        let declares = after.starts_with('{') || after.starts_with("[{");
        match rest[..end].rfind('[').filter(|_| declares) {
            Some(begin) => {
                result.push_str(&rest[..begin]);
                result.push_str(&head);
            }
            None => result.push_str(&rest[..end + "] -> ".len()]),
        }
        rest = after;
    }
    result + rest
}

/// What holds for parameters.
#[derive(Clone)]
pub(crate) struct Facts {
    /// A parameter set.
    pub context: Set,
    /// The least value of each parameter that has one. It may follow from what `context` says of
    /// other parameters, and is not to be lost with them.
    least: BTreeMap<String, Val>,
}

impl Facts {
    /// # Errors
    /// isl's own.
    pub fn new(context: &Set) -> Result<Facts> {
        let mut least = BTreeMap::new();
        let space = context.get_space()?;
        for position in 0..context.dim(DimType::Param)? {
            if !context.involves_dims(DimType::Param, position, 1usize)? {
                continue;
            }
            let id = space.get_dim_id(DimType::Param, position)?;
            let value = context.min_val(&Aff::param_on_domain_space_id(&space, &id)?)?;
            if value.is_int()? {
                least.insert(id.get_name()?, value);
            }
        }
        let context = context.clone();
        Ok(Facts { context, least })
    }

    /// These, and something more.
    ///
    /// # Errors
    /// isl's own.
    pub fn and(&self, more: &Set) -> Result<Facts> {
        Ok(Facts {
            context: self.context.intersect(more)?,
            least: self.least.clone(),
        })
    }

    /// What is known of some parameters alone.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(&self, names: &[&str]) -> Result<Facts> {
        let mut kept = self.context.clone();
        for (position, name) in self.context.get_space()?.param_names()?.iter().enumerate() {
            if !names.contains(&name.as_str()) {
                kept = kept.drop_constraints_involving_dims(DimType::Param, position, 1usize)?;
            }
        }
        for (position, name) in kept.get_space()?.param_names()?.iter().enumerate() {
            if let Some(value) = self
                .least
                .get(name)
                .filter(|_| names.contains(&name.as_str()))
            {
                kept = kept.lower_bound_val(DimType::Param, position, value)?;
            }
        }
        Ok(Facts {
            context: kept.drop_unused_params()?,
            least: self.least.clone(),
        })
    }
}

/// Conditions on parameters without divisions that hold.
pub(crate) struct Known {
    context: Set,
    /// Coefficients, and the constants with which the sum is known to be at least zero.
    sums: HashMap<Vec<i64>, Vec<i64>>,
}

impl Known {
    /// # Errors
    /// isl's own.
    pub fn of(context: &Set) -> Result<Known> {
        let mut sums: HashMap<_, Vec<_>> = HashMap::new();
        if let [only] = &context.basic_sets()?[..] {
            for constraint in only.constraints()? {
                let divisions = constraint.dim(DimType::Div)?;
                let divides = constraint.involves_dims(DimType::Div, 0usize, divisions)?;
                if let (Some((sum, constant)), false) = (numbers(&constraint)?, divides) {
                    sums.entry(sum).or_default().push(constant);
                }
            }
        }
        Ok(Known {
            context: context.clone(),
            sums,
        })
    }

    /// The set without inequalities of parameters alone that are known. Only what is known in the
    /// same form is seen; looking for more is what takes isl its time. The set has the parameters of
    /// the context, in the same order.
    ///
    /// # Errors
    /// isl's own.
    pub fn dropped_from(&self, set: &Set) -> Result<Set> {
        let mut result = Set::empty(&set.get_space()?)?;
        for part in set.basic_sets()? {
            if !has_definitions(&part)? {
                let part = Set::from_basic_set(&part)?.gist_params(&self.context)?;
                result = result.union(&part)?;
                continue;
            }
            let mut kept = BasicSet::universe(&part.get_space()?)?;
            for constraint in part.constraints()? {
                if !self.implies(&constraint)? {
                    kept = kept.add_constraint(&constraint)?;
                }
            }
            result = result.union(&Set::from_basic_set(&kept)?)?;
        }
        Ok(result)
    }

    fn implies(&self, constraint: &Constraint) -> Result<bool> {
        let dims = constraint.dim(DimType::Set)?;
        let divisions = constraint.dim(DimType::Div)?;
        if constraint.is_equality()?
            || constraint.involves_dims(DimType::Set, 0usize, dims)?
            || constraint.involves_dims(DimType::Div, 0usize, divisions)?
        {
            return Ok(false);
        }
        let Some((sum, constant)) = numbers(constraint)? else {
            return Ok(false);
        };
        let known = self.sums.get(&sum);
        let enough = |known: &i64| *known <= constant || mistake!(NarrowForgetsConstants);
        Ok(known.is_some_and(|known| known.iter().any(enough)))
    }
}

/// Whether all divisions have a dividend, so that each constraint means something alone.
fn has_definitions(part: &BasicSet) -> Result<bool> {
    for div in 0..part.dim(DimType::Div)? {
        match part.get_div(div) {
            Ok(_) => {}
            Err(error) if error.is_quota() => return Err(error),
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
}

/// Coefficients of the parameters, and the constant; `None` where a number is large.
fn numbers(constraint: &Constraint) -> Result<Option<(Vec<i64>, i64)>> {
    let mut sum = Vec::new();
    for param in 0..constraint.dim(DimType::Param)? {
        let coefficient = constraint.get_coefficient_val(DimType::Param, param)?;
        match coefficient.to_i64() {
            Some(coefficient) => sum.push(coefficient),
            None => return Ok(None),
        }
    }
    let constant = constraint.get_constant_val()?.to_i64();
    Ok(constant.map(|constant| (sum, constant)))
}

/// The identifiers in isl's text; a coefficient stands directly before its variable.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isl::Ctx;

    #[test]
    fn parameters_are_declared_anew_and_nothing_else_changes() {
        let text =
            "domain: \"[N, M] -> { S[i] : i < N }\" schedule: \"[M] -> [{ S[i] -> [(i)] }]\"";
        let expected =
            "domain: \"[N] -> { S[i] : i < N }\" schedule: \"[N] -> [{ S[i] -> [(i)] }]\"";
        assert_eq!(declaring(text, &["N"]), expected);
        let expected = "domain: \"{ S[i] : i < N }\" schedule: \"[{ S[i] -> [(i)] }]\"";
        assert_eq!(declaring(text, &[]), expected);
        assert_eq!(
            declaring("{ [[a] -> [b]] -> [c] }", &["N"]),
            "{ [[a] -> [b]] -> [c] }"
        );
    }

    #[test]
    fn only_what_follows_from_one_known_condition_is_dropped() {
        let ctx = Ctx::new();
        let read = |text: &str| Set::read_from_str(&ctx, text).expect("a set");
        let context = read("[N, M, c] -> { : N >= 2 and 8c <= N }");
        let known = Known::of(&context).expect("isl");
        let dropped = |text: &str| known.dropped_from(&read(text)).expect("isl");
        let implied = dropped("[N, M, c] -> { S[i] : N >= 1 and 8c <= N and 0 <= i < M }");
        let rest = read("[N, M, c] -> { S[i] : 0 <= i < M }");
        assert!(implied.plain_is_equal(&rest).expect("isl"), "{implied}");
        for needed in [
            "[N, M, c] -> { S[i] : 3 <= N and i = 0 }",
            "[N, M, c] -> { S[i] : 8c <= N - 1 and i = 0 }",
            "[N, M, c] -> { S[i] : 8c = N and i = 0 }",
            "[N, M, c] -> { S[i] : c <= M and i = 0 }",
        ] {
            let set = read(needed);
            assert!(dropped(needed).is_equal(&set).expect("isl"), "{needed}");
        }
    }

    #[test]
    fn least_values_outlive_the_parameters_they_follow_from() {
        let ctx = Ctx::new();
        let chain = "[R, R_2] -> { : R >= 4 and R - 1 <= 2R_2 <= R }";
        let chain = Set::read_from_str(&ctx, chain).expect("a set");
        let facts = Facts::new(&chain).expect("isl");
        let alone = facts.of(&["R_2"]).expect("isl").context;
        let expected = Set::read_from_str(&ctx, "[R_2] -> { : R_2 >= 2 }").expect("a set");
        assert!(alone.is_equal(&expected).expect("isl"), "{alone}");
    }

    #[test]
    fn coefficients_are_no_part_of_identifiers() {
        let text = "[R_2] -> { S0[i0] : 0 <= 128i0 <= 3R_2 + C4 }";
        let found: Vec<&str> = words(text).collect();
        assert_eq!(found, ["R_2", "S0", "i0", "i0", "R_2", "C4"]);
    }
}
