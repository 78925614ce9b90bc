//! What is compared in front of a region ([`crate::scop::checks`]), as one condition in C: parameters
//! before addresses, and what is behind a pointer where that is known to be followed.
//!
//! The generated code computes with parameters of 64 bits, too: where nothing else is compared, they
//! are if they may be close to the ends of `long`.

use super::checks::{LINE, Writer};
use crate::scop::checks::LARGEST;
use crate::scop::{Array, CheckKind, Memory, Origin, ScalarKind, Scop};
use crate::source::Span;
use isl::{Aff, DimType, Error, ErrorKind, Id, Result, Val};
use std::collections::BTreeSet;

/// What stands in front of a region.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The condition under which a region may be replaced; `None` where that is always so.
    pub condition: Option<String>,
    /// Declarations of variables in which it keeps what it looks up, around all executions of the
    /// region.
    pub kept: Vec<String>,
    /// The same where the user promises nothing, as far as that can be written down.
    pub without_promises: Option<String>,
    /// What is compared, and what would be but for the user's promises, in the order of the condition.
    pub compared: Vec<Compared>,
}

/// Something that is taken for granted of a region although C does not say it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Compared {
    /// What it is about.
    pub kind: CheckKind,
    /// What holds then, in words: '`i - 1` does not wrap around (`i >= 1`)'.
    pub what: String,
    /// In C, on one line or several; `None` where nothing can be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The user promises it: it is not compared.
    pub assumed: bool,
    /// What needs it.
    #[serde(skip)]
    pub span: Span,
    /// The line of the file in which that is; what knows of no files has 0 here.
    pub line: usize,
}

/// [`Compared`] on its way.
struct Part {
    /// Behind so many pointers.
    level: usize,
    kind: CheckKind,
    what: String,
    conditions: Vec<String>,
    span: Span,
    /// Only there so that other conditions do not overflow which the user promises.
    silent: bool,
}

/// The condition under which a region may be replaced; `None` where that is always so. `device`: the
/// region is called with all that it reads as arguments.
///
/// # Errors
/// isl's own, also where a condition cannot be written down.
pub fn check(scop: &Scop, device: bool) -> Result<Option<String>> {
    let mut scop = scop.clone();
    // Nothing stands around it.
    scop.conditions.checks.changing = None;
    Ok(guard(&scop, device)?.condition)
}

/// All that is compared, or taken for granted, in front of a region. `device`: as for [`check`].
///
/// # Errors
/// As [`check`].
pub fn guard(scop: &Scop, device: bool) -> Result<Guard> {
    let trust = &scop.conditions.checks.trust;
    let followed = scop.followed_in_front(device)?;
    // What is compared, and what the user promises.
    let mut writer = Writer::new(scop);
    let mut promised = Writer::new(scop);
    // Each with the number of pointers behind which it is.
    let mut sizes: Vec<Part> = Vec::new();
    let behind = |text: &str| {
        let last = followed.iter().rposition(|f| f.leads_to(text));
        last.map_or(0, |at| at + 1)
    };
    for check in &scop.conditions.checks.parameters {
        let writer = match trust.assumes(check.kind) {
            true => &mut promised,
            false => &mut writer,
        };
        let text = writer.holds(&check.good)?;
        sizes.push(Part {
            level: behind(&text),
            kind: check.kind,
            what: format!("{} (`{text}`)", check.why),
            conditions: vec![text],
            span: check.span,
            silent: false,
        });
    }
    let mut before = scop.conditions.checks.given.clone();
    for (level, pointer) in followed.iter().enumerate() {
        if pointer.when.is_empty()? {
            let message = format!("`{}` may be followed at no time", pointer.pointer);
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let is_promised = trust.assumes(CheckKind::Pointers);
        let when = pointer.when.gist(&before)?;
        if !when.plain_is_universe()? {
            let writer = match is_promised {
                true => &mut promised,
                false => &mut writer,
            };
            let text = writer.holds(&when)?;
            sizes.push(Part {
                level,
                kind: CheckKind::Pointers,
                what: format!("`{}` can be followed (`{text}`)", pointer.pointer),
                conditions: vec![text],
                span: pointer.span,
                silent: false,
            });
        }
        // That it can be followed does not say that the original does.
        if is_promised {
            continue;
        }
        before = before.intersect(&pointer.when)?;
        for writer in [&mut writer, &mut promised] {
            writer.known = writer.known.intersect(&pointer.when)?;
        }
    }
    // The generated code computes with them, too.
    let kind = |param: usize| scop.params[param].ctype.kind;
    for param in 0..scop.params.len() {
        let wide = matches!(kind(param), ScalarKind::I64 | ScalarKind::U64);
        let plain = scop.params[param].computed.is_none();
        let computed = match scop.conditions.checks.is_empty() {
            true => may_overflow(scop, param)?,
            false => wide && plain,
        };
        if computed && scop.depends_on(param)? {
            writer.wide.insert(param);
        }
    }
    let addresses = match trust.assumes(CheckKind::Aliasing) {
        true => &mut promised,
        false => &mut writer,
    };
    let apart = apart(scop, addresses)?;
    let mut all = Vec::new();
    // What is behind a pointer is read where it is known to be followed.
    for level in 0..=followed.len() {
        let own = |silent| magnitudes(scop, &writer.wide, &promised.wide, silent);
        let own = own(false).into_iter().chain(own(true));
        all.extend(own.filter(|part| behind(&part.conditions[0]) == level));
        let (own, behind) = sizes.into_iter().partition(|part| part.level == level);
        sizes = behind;
        all.extend::<Vec<Part>>(own);
    }
    all.extend(apart);
    let kept = [writer.kept, promised.kept].concat();
    Ok(Guard {
        kept,
        condition: together(all.iter().filter(|part| {
            let assumed = trust.assumes(part.kind);
            !assumed && !part.silent
        })),
        without_promises: together(all.iter()),
        compared: all
            .into_iter()
            .filter(|part| !part.silent)
            .map(|part| Compared {
                assumed: trust.assumes(part.kind),
                kind: part.kind,
                what: part.what,
                condition: (!part.conditions.is_empty()).then(|| part.conditions.join(" && ")),
                span: part.span,
                line: 0,
            })
            .collect(),
    })
}

/// Comparisons of parameters of 64 bits: of those that are `wide`; `silent`: of those that only
/// what the user promises needs.
fn magnitudes(
    scop: &Scop,
    wide: &BTreeSet<usize>,
    promised: &BTreeSet<usize>,
    silent: bool,
) -> Vec<Part> {
    let of = |&param: &usize| {
        let param = &scop.params[param];
        let text = &param.spelling;
        let mut conditions = Vec::new();
        if param.ctype.kind != ScalarKind::U64 {
            conditions.push(format!("{text} >= -{LARGEST}"));
        }
        conditions.push(format!("{text} <= {LARGEST}"));
        Part {
            level: 0,
            kind: CheckKind::Sizes,
            what: format!("`{text}` is no further from 0 than 2^44"),
            conditions,
            span: param.span,
            silent,
        }
    };
    match silent {
        true => promised.difference(wide).map(of).collect(),
        false => wide.iter().map(of).collect(),
    }
}

/// What looks at data comes behind all other comparisons of addresses.
const LAST: i32 = 4;

/// What has to be apart, and what the user says is.
fn apart(scop: &Scop, writer: &mut Writer<'_>) -> Result<Vec<Part>> {
    let part = |[a, b]: &[Memory; 2], conditions| Part {
        level: 0,
        kind: CheckKind::Aliasing,
        what: format!("`{}` and `{}` are different memory", a.place, b.place),
        conditions,
        span: if a.written { a.span } else { b.span },
        silent: false,
    };
    let mut all: Vec<Part> = Vec::new();
    // Sizes and pointers that the region does not change come before what they lead to, and what is
    // searched is known to be sorted.
    let pointers = |pair: &[Memory; 2]| pair.iter().filter(|m| m.pointers.is_some()).count();
    let objects = |pair: &[Memory; 2]| pair.iter().any(|m| m.rows.is_none());
    let rank = |pair: &[Memory; 2]| match (pointers(pair), objects(pair)) {
        (0, _) => 0,
        (1, true) => 1,
        _ => 3,
    };
    let mut order: Vec<(i32, Part)> = Vec::new();
    let surveyed = |pair: &&[Memory; 2]| pair.iter().any(Memory::is_surveyed);
    let (data, plain): (Vec<_>, Vec<_>) = scop.conditions.checks.apart.iter().partition(surveyed);
    for pair in plain {
        order.push((rank(pair), part(pair, vec![writer.apart(pair)?])));
    }
    if let Some(first) = data.first() {
        let mut names: Vec<String> = Vec::new();
        for [a, b] in &data {
            let both = format!("`{}` and `{}`", a.place, b.place);
            if !names.contains(&both) {
                names.push(both);
            }
        }
        let mut one = part(first, vec![writer.surveyed(&data)?]);
        one.what = format!("{} are different memory", names.join(", and "));
        let looked_at = scop
            .conditions
            .checks
            .surveys
            .iter()
            .filter(|s| !s.loops.is_empty());
        let looked_at: BTreeSet<String> = looked_at.map(|s| format!("`{}`", s.place)).collect();
        if !looked_at.is_empty() {
            let arrays: Vec<String> = looked_at.into_iter().collect();
            one.what += &format!(", by what is in {}", arrays.join(" and "));
        }
        order.push((LAST, one));
    }
    for memory in &scop.conditions.checks.distinct {
        let member = memory
            .pointers
            .as_ref()
            .map_or("", |pointers| &pointers.member);
        let one = Part {
            level: 0,
            kind: CheckKind::Aliasing,
            what: format!("rows of `{}{member}` are different memory", memory.place),
            conditions: vec![writer.distinct(memory)?],
            span: memory.span,
            silent: false,
        };
        order.push((2, one));
    }
    order.sort_by_key(|(rank, _)| *rank);
    for (_, one) in order {
        // Each member of a structure is compared by itself.
        if !all.iter().any(|known| known.conditions == one.conditions) {
            all.push(one);
        }
    }
    let promised = scop.conditions.checks.promised.iter();
    all.extend(promised.map(|pair| part(pair, Vec::new())));
    Ok(all)
}

/// All of these as one condition.
fn together<'a>(parts: impl Iterator<Item = &'a Part>) -> Option<String> {
    let all: Vec<&str> = parts
        .flat_map(|part| part.conditions.iter().map(String::as_str))
        .collect();
    match &all[..] {
        [] => None,
        // `if (…)` has parentheses of its own.
        [only] => Some(without_parentheses(only).to_owned()),
        _ => {
            let width: usize = all.iter().map(|part| part.len()).sum();
            let between = if width > LINE { " &&\n    " } else { " && " };
            Some(all.join(between))
        }
    }
}

/// Whether sums of a parameter with sizes of tiles may overflow: it is as wide as indices, and neither
/// known to be of a usual size nor the extent of an array, of which no more fit into memory. Larger
/// unsigned ones become smaller (`crate::codegen::c::bodies::index::as_long`).
fn may_overflow(scop: &Scop, param: usize) -> Result<bool> {
    let param = &scop.params[param];
    if param.ctype.kind != ScalarKind::I64 || param.computed.is_some() {
        return Ok(false);
    }
    let id = Id::alloc(&scop.ctx, &param.name)?;
    let space = scop.context.get_space()?;
    let value = Aff::param_on_domain_space_id(&space, &id)?;
    let least = scop.context.min_val(&value)?.to_i64();
    let greatest = scop.context.max_val(&value)?.to_i64();
    if least.is_none_or(|least| least < -LARGEST) {
        return Ok(true);
    }
    if greatest.is_some_and(|greatest| greatest <= LARGEST) {
        return Ok(false);
    }
    let of_program = |array: &&Array| !matches!(array.origin, Origin::Region { .. });
    let extents = scop.arrays.iter().filter(of_program);
    for extent in extents.flat_map(|array| &array.extents) {
        let Some(extent) = extent
            .affine
            .as_ref()
            .filter(|e| e.isa_aff().unwrap_or(false))
        else {
            continue;
        };
        // `2 * n + 1`
        let extent = extent.as_aff()?.align_params(&space)?;
        let at = extent.get_space()?.find_dim_by_id(DimType::Param, &id)?;
        let Some(at) = at else { continue };
        let factor = extent.get_coefficient_val(DimType::Param, at)?;
        let rest = extent.set_coefficient_val(DimType::Param, at, &Val::zero(&scop.ctx)?)?;
        if factor.is_pos()? && rest.is_cst()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A condition without parentheses around all of it.
fn without_parentheses(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let mut open = 0;
    let whole = |inside: &&str| {
        inside.chars().all(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open >= 0
        })
    };
    inside.filter(whole).unwrap_or(text)
}
