//! How far the regions' accesses reach into an array: the extent of what a pointer points at.

use crate::plan::defaults;
use crate::scop::{Param, Scop, presence};
use isl::{AstBuild, AstExpr, AstExprOpType, AstExprType, DimType, PwAff, Set};

/// One more than the largest outermost subscript with which any access of the scops touches an
/// array whose C text before the subscripts is `base`, as C expressions of which the largest
/// counts. Empty when no access touches it.
///
/// # Errors
///
/// A reason in words: an access without a bound, or one that depends on values that a caller does
/// not have (`known` tells of a parameter's C text whether a caller has it).
pub(super) fn reach(
    scops: &[&Scop],
    base: &str,
    known: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, String> {
    let mut all: Vec<String> = vec![];
    for scop in scops {
        for (index, array) in scop
            .arrays
            .iter()
            .enumerate()
            .filter(|(_, a)| a.base == base)
        {
            if array.extents.is_empty() {
                push(&mut all, "1".to_string());
                continue;
            }
            if array.members.are_behind_pointers() {
                return Err("its rows are behind pointers".to_string());
            }
            let text = match array.layout.linear() {
                Some(linear) if !array.layout.has_rows() => {
                    sum_of_ends(scop, index, &linear.texts(), known)?
                }
                _ => match (
                    end_in_text(scop, index, 0, known)?,
                    array.layout.outer_stride(),
                ) {
                    (Some(text), Some(stride)) => Some(format!("({text}) * ({stride})")),
                    (text, _) => text,
                },
            };
            all.extend(text.filter(|text| !all.contains(text)));
        }
    }
    Ok(all)
}

/// One more than the largest subscript along a dimension, as C.
fn end_in_text(
    scop: &Scop,
    array: usize,
    dim: usize,
    known: &dyn Fn(&str) -> bool,
) -> Result<Option<String>, String> {
    let bound = within(scop, || end_along(scop, array, dim))
        .map_err(|_| "the regions' accesses have no bound".to_string())?;
    let Some(bound) = bound else { return Ok(None) };
    if let Some(unknown) = parameters(&bound, &scop.params)?
        .into_iter()
        .find(|p| !words(p).all(known))
    {
        return Err(format!(
            "its size depends on `{unknown}`, which no argument gives"
        ));
    }
    let failed = |e: isl::Error| format!("its size cannot be written down ({e})");
    let text = within(scop, || text_of(scop, &bound)).map_err(failed)?;
    Ok(Some(text))
}

/// One more than the largest sum of subscripts times these strides, or what is above it.
fn sum_of_ends(
    scop: &Scop,
    array: usize,
    strides: &[String],
    known: &dyn Fn(&str) -> bool,
) -> Result<Option<String>, String> {
    if scop.arrays[array].extents.len() != strides.len() {
        return Err("how far its rows reach is not known".to_string());
    }
    let mut terms = Vec::new();
    for (dim, stride) in strides.iter().enumerate() {
        let Some(end) = end_in_text(scop, array, dim, known)? else {
            return Ok(None);
        };
        let own = words(stride).filter(|word| *word != "long");
        if let Some(unknown) = own.into_iter().find(|word| !known(word)) {
            return Err(format!(
                "its size depends on `{unknown}`, which no argument gives"
            ));
        }
        terms.push(match stride.as_str() {
            "1" => end,
            stride => format!("(({stride}) > 0 ? (({end}) - 1) * ({stride}) : 0)"),
        });
    }
    Ok(Some(terms.join(" + ")))
}

/// The variables in the spelling of a parameter: itself, or those that it is a quotient of.
fn words(spelling: &str) -> impl Iterator<Item = &str> {
    spelling
        .split([' ', '(', ')'])
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

fn push(all: &mut Vec<String>, one: String) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// The largest of several C expressions as one.
pub(super) fn largest(values: &[String]) -> Option<String> {
    values
        .iter()
        .cloned()
        .reduce(|a, b| format!("({a}) > ({b}) ? ({a}) : ({b})"))
}

/// What callers must know is asked of isl behind everything else, with a limit of its own.
pub(super) fn within<T>(scop: &Scop, call: impl FnOnce() -> T) -> T {
    scop.ctx.reset_operations();
    scop.ctx.within(defaults::CALLER_TIME, call)
}

/// One more than the largest outermost subscript, over the parameters. Where that is of many cases,
/// as of remainders of remainders, and has a largest value, that value.
pub(super) fn outermost(scop: &Scop, array: usize) -> isl::Result<Option<PwAff>> {
    within(scop, || end_along(scop, array, 0))
}

/// The largest element of a set of numbers whatever the parameters are, where its pieces have several
/// quotients: its largest element for each of them would be of as many cases as the divisors make.
fn largest_value(set: &Set) -> isl::Result<Option<isl::Val>> {
    let mut quotients = 0;
    set.foreach_basic_set(&mut |piece| {
        quotients = quotients.max(piece.dim(DimType::Div)?);
        Ok(())
    })?;
    if quotients < defaults::CALLER_QUOTIENTS {
        return Ok(None);
    }
    let most = set.dim_max_val(0usize)?;
    Ok(most.is_int()?.then_some(most))
}

/// One more than the largest subscript along a dimension, over the parameters.
fn end_along(scop: &Scop, array: usize, dim: usize) -> isl::Result<Option<PwAff>> {
    let mut cells: Option<Set> = None;
    for access in scop
        .statements
        .iter()
        .flat_map(|s| &s.accesses)
        .filter(|a| a.array == array)
    {
        let range = access.relation.range()?;
        cells = Some(match cells {
            Some(cells) => cells.union(&range)?,
            None => range,
        });
    }
    let Some(cells) = cells else { return Ok(None) };
    let dimensions = cells.dim(DimType::Set)?;
    let mut outermost = cells
        .project_out(DimType::Set, dim + 1, dimensions - dim - 1)?
        .project_out(DimType::Set, 0usize, dim)?
        .intersect_params(&scop.context)?
        .coalesce()?;
    // Whoever asks wants an array that is there.
    for asked in scop.arrays.iter().map(|own| presence(&own.base)) {
        if let Some(param) = scop.params.iter().find(|p| p.spelling == asked)
            && let Some(at) = outermost.find_dim_by_name(DimType::Param, &param.name)?
        {
            outermost = outermost.project_out(DimType::Param, at, 1usize)?;
        }
    }
    let last = match largest_value(&outermost)? {
        Some(most) => {
            let space = outermost.params()?.get_space()?;
            PwAff::from_aff(&isl::Aff::val_on_domain_space(&space, &most)?)?
        }
        None => outermost.dim_max(0usize)?,
    };
    let one = PwAff::from_aff(&isl::Aff::val_on_domain_space(
        &last.get_domain_space()?,
        &isl::Val::one(&scop.ctx)?,
    )?)?;
    Ok(Some(last.add(&one)?.coalesce()?))
}

/// The C texts of the parameters that a bound depends on.
fn parameters(bound: &PwAff, params: &[Param]) -> Result<Vec<String>, String> {
    let used = |p: &Param| -> isl::Result<bool> {
        match bound.find_dim_by_name(DimType::Param, &p.name)? {
            Some(position) => bound.involves_dims(DimType::Param, position, 1usize),
            None => Ok(false),
        }
    };
    let mut found = vec![];
    for param in params {
        if used(param).map_err(|e| e.to_string())? {
            found.push(param.spelling.clone());
        }
    }
    Ok(found)
}

fn text_of(scop: &Scop, bound: &PwAff) -> isl::Result<String> {
    let build = AstBuild::from_context(&scop.context)?;
    let expression = build.expr_from_pw_aff(bound)?;
    print(&expression, scop, 0)
}

/// C text of isl's expression; precedences as in C, see [`super::types`].
pub(super) fn print(expression: &AstExpr, scop: &Scop, least: u8) -> isl::Result<String> {
    match expression.get_type()? {
        AstExprType::Int => return Ok(expression.get_val()?.to_string()),
        AstExprType::Id => {
            let name = expression.get_id()?.get_name()?;
            let param = scop.params.iter().find(|p| p.name == name);
            let text = param.map_or(name, |p| p.spelling.clone());
            // A quotient of parameters.
            return Ok(if text.contains(' ') && least > 0 {
                format!("({text})")
            } else {
                text
            });
        }
        AstExprType::Op => {}
    }
    let argument = |k: usize, least: u8| print(&expression.get_op_arg(k)?, scop, least);
    let two = |own: u8, operator: &str| -> isl::Result<(u8, String)> {
        Ok((
            own,
            format!("{} {operator} {}", argument(0, own)?, argument(1, own + 1)?),
        ))
    };
    use AstExprOpType as Op;
    let (own, text) = match expression.get_op_type()? {
        Op::Add => two(12, "+")?,
        Op::Sub => two(12, "-")?,
        Op::Mul => two(13, "*")?,
        Op::Div | Op::PdivQ => two(13, "/")?,
        Op::PdivR | Op::ZdivR => two(13, "%")?,
        Op::FdivQ => {
            let (a, b) = (argument(0, 14)?, argument(1, 14)?);
            (
                14,
                format!("({a} >= 0 ? {a} / {b} : -((-{a} + {b} - 1) / {b}))"),
            )
        }
        Op::Minus => (14, format!("-{}", argument(0, 15)?)),
        Op::Max | Op::Min => {
            let operator = if expression.get_op_type()? == Op::Max {
                ">"
            } else {
                "<"
            };
            let mut text = argument(0, 14)?;
            for k in 1..expression.get_op_n_arg()? {
                let other = argument(k, 14)?;
                text = format!("({text} {operator} {other} ? {text} : {other})");
            }
            (16, text)
        }
        Op::Cond | Op::Select => (
            3,
            format!(
                "{} ? {} : {}",
                argument(0, 4)?,
                argument(1, 3)?,
                argument(2, 3)?
            ),
        ),
        Op::And | Op::AndThen => two(5, "&&")?,
        Op::Or | Op::OrElse => two(4, "||")?,
        Op::Eq => two(9, "==")?,
        Op::Le => two(10, "<=")?,
        Op::Lt => two(10, "<")?,
        Op::Ge => two(10, ">=")?,
        Op::Gt => two(10, ">")?,
        Op::Call | Op::Access | Op::Member | Op::AddressOf => (16, expression.to_c_str()?),
    };
    Ok(if own < least {
        format!("({text})")
    } else {
        text
    })
}
