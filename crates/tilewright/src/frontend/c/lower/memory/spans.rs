//! What single accesses touch, where subscripts are sums of products that could not be taken apart, or
//! data.

use crate::frontend::c::lower::memory::alias::View;
use crate::frontend::c::lower::memory::apart::{far, few, memory};
use crate::frontend::c::lower::values::polynomial::{Polynomial, Term};
use crate::frontend::c::lower::values::spread::{By, Computed, End, Part, Spread};
use crate::frontend::c::lower::{Lowering, RawSubscript};
use crate::scop::{Array, Computation, Divisor, Edge, Inside, Layout, Memory, Rows};
use isl::{PwAff, Set, Val};

/// Bounds that are no more than so many elements or rows apart are those of one range.
const NEAR: i64 = 32;

impl Lowering<'_> {
    /// What each access to an array touches, by its subscript as a sum of terms; the rows, by the first
    /// one, where there are others behind it. `None` where one has another form.
    pub(super) fn spans(
        &mut self,
        index: usize,
        arrays: &[Array],
        view: &View,
    ) -> isl::Result<Option<Vec<Memory>>> {
        let array = &arrays[index];
        let dims = array.layout.linear().map(|linear| linear.strides.len());
        let mut all: Vec<Rows> = Vec::new();
        let accesses = self
            .model
            .statements
            .iter()
            .flat_map(|draft| &draft.accesses);
        let own = accesses.filter(|access| access.array == index).cloned();
        for access in &own.collect::<Vec<_>>() {
            let subscript = match (&access.flat, &access.subscripts[..]) {
                (Some(flat), all) if Some(all.len()) == dims => flat,
                (None, [only]) => only,
                // What stands behind it stays in the row.
                (None, [first, ..]) if array.layout == Layout::Subscripts => first,
                _ => return Ok(None),
            };
            if access.cells.is_some() {
                return Ok(None);
            }
            let Some(parts) = self.summands(subscript)? else {
                return Ok(None);
            };
            let domain = self.assumed(&access.domain)?;
            if domain.is_empty()? {
                continue;
            }
            let narrow = subscript.values.as_ref().is_some_and(Spread::is_narrow);
            let Some(span) = self.span((&parts, narrow), true, &domain, arrays)? else {
                return Ok(None);
            };
            let mut known = false;
            for other in &mut all {
                if alike(other, &span)? {
                    known = true;
                } else if let Some(both) = joined(other, &span)? {
                    *other = both;
                    known = true;
                }
                if known {
                    break;
                }
            }
            if !known {
                all.push(span);
            }
        }
        let memory = |rows| memory(view, array.base.clone(), Some(rows));
        Ok(Some(all.into_iter().map(memory).collect()))
    }

    /// A subscript as a sum.
    fn summands(&self, subscript: &RawSubscript) -> isl::Result<Option<Vec<Part>>> {
        let values = subscript.values.as_ref();
        if let Some(values) = values {
            return Ok(values.parts.clone());
        }
        let terms = self.terms_of(subscript);
        Ok(terms.map(|terms| {
            let part = |term: Term| Part {
                stride: term.stride,
                negative: false,
                least: End::At(term.index.clone()),
                greatest: End::At(term.index),
            };
            terms.into_iter().map(part).collect()
        }))
    }

    /// From the least to the greatest value of a sum, or to behind it.
    fn span(
        &mut self,
        (parts, narrow): (&[Part], bool),
        behind: bool,
        domain: &Set,
        arrays: &[Array],
    ) -> isl::Result<Option<Rows>> {
        let some = domain.params()?.coalesce()?;
        let number = |value: i64| -> isl::Result<PwAff> {
            PwAff::val_on_domain(&some, &Val::int_from_si(self.ctx, value)?)
        };
        // Elements that are added to rows; what is largest stands in front.
        let mut own = (number(0)?, number(i64::from(behind))?);
        let mut strided = Vec::new();
        let mut data = Vec::new();
        let mut computed = Vec::new();
        for part in parts {
            if let (End::Computed(one), End::Computed(_)) = (&part.least, &part.greatest) {
                match self.computation(part, one, domain, arrays)? {
                    Some(one) => computed.push(one),
                    None => return Ok(None),
                }
                continue;
            }
            let (End::At(least), End::At(greatest)) = (&part.least, &part.greatest) else {
                data.push(part);
                continue;
            };
            let ends = (least_of(least, domain)?, greatest_of(greatest, domain)?);
            let (Some(least), Some(greatest)) = ends else {
                return Ok(None);
            };
            if part.stride.degree() == 0 {
                own = (own.0.add(&least)?, own.1.add(&greatest)?);
            } else {
                strided.push((&part.stride, least, greatest));
            }
        }
        let mut surveyed = Vec::new();
        for part in data {
            match self.surveyed(part, domain, arrays)? {
                Some(mut found) => {
                    // Numbers stand beside it.
                    if found.stride.is_none() && !found.negative {
                        own.0 = own.0.add(&number(take_added(&mut found.least))?)?;
                        own.1 = own.1.add(&number(take_added(&mut found.greatest))?)?;
                    }
                    surveyed.push(found);
                }
                None => return Ok(None),
            }
        }
        strided.sort_by_key(|(stride, ..)| std::cmp::Reverse(stride.degree()));
        let (first, end) = own;
        if far(&first)? || far(&end)? {
            return Ok(None);
        }
        let text = |stride: &Polynomial| Some(stride.text(&self.params));
        let mut strided = strided.into_iter();
        let Some((outer, least, greatest)) = strided.next() else {
            return Ok(Some(Rows {
                some,
                first,
                end,
                stride: None,
                inside: Vec::new(),
                data: surveyed,
                computed,
                narrow,
            }));
        };
        let mut inside: Vec<Inside> = strided
            .map(|(stride, first, end)| Inside {
                first,
                end,
                stride: text(stride),
            })
            .collect();
        inside.push(Inside {
            first,
            end,
            stride: None,
        });
        Ok(Some(Rows {
            some,
            first: least,
            end: greatest,
            stride: text(outer),
            inside,
            data: surveyed,
            computed,
            narrow,
        }))
    }

    /// From the least to the greatest value that is computed of a sum.
    fn computation(
        &mut self,
        part: &Part,
        computed: &Computed,
        domain: &Set,
        arrays: &[Array],
    ) -> isl::Result<Option<Computation>> {
        let Some(sum) = self.span((&computed.parts, false), false, domain, arrays)? else {
            return Ok(None);
        };
        let plain = part.stride == Polynomial::constant(1);
        Ok(Some(Computation {
            sum,
            kind: computed.kind,
            by: match &computed.by {
                By::One => Divisor::One,
                By::Shift(by) => Divisor::Shift(*by),
                By::Size(size) => Divisor::Size(size.text(&self.params)),
            },
            stride: (!plain).then(|| part.stride.text(&self.params)),
            negative: part.negative,
        }))
    }
}

/// Whether two ranges are the same.
fn alike(one: &Rows, other: &Rows) -> isl::Result<bool> {
    let found = |rows: &Rows| -> Vec<_> {
        let data = rows.data.iter();
        data.map(|data| {
            (
                found_by(&data.least),
                found_by(&data.greatest),
                data.negative,
            )
        })
        .collect()
    };
    let mut same = one.strides().eq(other.strides())
        && found(one) == found(other)
        && one.narrow == other.narrow
        && one.inside.len() == other.inside.len()
        && one.computed.len() == other.computed.len()
        && one.some.is_equal(&other.some)?;
    for (a, b) in one.computed.iter().zip(&other.computed) {
        same = same
            && (a.kind, &a.by, a.negative) == (b.kind, &b.by, b.negative)
            && alike(&a.sum, &b.sum)?;
    }
    let bounds = (one.bounds().count(), other.bounds().count());
    same = same && bounds.0 == bounds.1;
    for (a, b) in one.bounds().zip(other.bounds()) {
        same = same && a.is_equal(b)?;
    }
    Ok(same)
}

/// What holds two ranges whose bounds are a few elements or rows apart, as those of `a[i]` and
/// `a[i + 1]`.
fn joined(one: &Rows, other: &Rows) -> isl::Result<Option<Rows>> {
    let plain = |rows: &Rows| rows.data.is_empty() && rows.computed.is_empty() && !rows.narrow;
    if !plain(one)
        || !plain(other)
        || one.strides().ne(other.strides())
        || one.inside.len() != other.inside.len()
        || !one.some.is_equal(&other.some)?
    {
        return Ok(None);
    }
    let mut both = one.clone();
    let least = near(&one.first, &other.first, true)?;
    let greatest = near(&one.end, &other.end, false)?;
    let (Some(first), Some(end)) = (least, greatest) else {
        return Ok(None);
    };
    (both.first, both.end) = (first, end);
    for (inside, more) in both.inside.iter_mut().zip(&other.inside) {
        let least = near(&inside.first, &more.first, true)?;
        let greatest = near(&inside.end, &more.end, false)?;
        let (Some(first), Some(end)) = (least, greatest) else {
            return Ok(None);
        };
        (inside.first, inside.end) = (first, end);
    }
    Ok(Some(both))
}

/// The lesser or the greater of two numbers that are a small constant apart.
fn near(a: &PwAff, b: &PwAff, least: bool) -> isl::Result<Option<PwAff>> {
    // Quotients without a rest are fractions to isl, of which it takes no minimum.
    let by = a.sub(b)?.floor()?;
    let (low, high) = (by.min_val()?, by.max_val()?);
    if !low.is_int()? || !low.eq(&high)? {
        return Ok(None);
    }
    let Some(by) = low.to_i64() else {
        return Ok(None);
    };
    let nearer = match (by <= 0) == least {
        true => a,
        false => b,
    };
    Ok((by.abs() <= NEAR).then(|| nearer.clone()))
}

/// What is added to what a survey finds, which is no more.
fn take_added(edge: &mut Edge) -> i64 {
    match edge {
        Edge::At(_) => 0,
        Edge::Least(_, by) | Edge::Greatest(_, by) => std::mem::take(by),
    }
}

/// Which survey finds a bound, which end it is, and what is added to it.
fn found_by(edge: &Edge) -> Option<(usize, bool, i64)> {
    match edge {
        Edge::At(_) => None,
        Edge::Least(survey, by) => Some((*survey, false, *by)),
        Edge::Greatest(survey, by) => Some((*survey, true, *by)),
    }
}

/// The least value that something has in some instances; `None` where it has too many cases, or is
/// far away.
pub(crate) fn least_of(value: &PwAff, domain: &Set) -> isl::Result<Option<PwAff>> {
    let values = value.intersect_domain(domain)?.as_map()?.range()?;
    let least = values.dim_min(0usize)?.coalesce()?;
    Ok((few(&least)? && !far(&least)?).then_some(least))
}

/// The greatest one.
pub(crate) fn greatest_of(value: &PwAff, domain: &Set) -> isl::Result<Option<PwAff>> {
    let values = value.intersect_domain(domain)?.as_map()?.range()?;
    let greatest = values.dim_max(0usize)?.coalesce()?;
    Ok((few(&greatest)? && !far(&greatest)?).then_some(greatest))
}
