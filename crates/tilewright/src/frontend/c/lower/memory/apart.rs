//! Names that may mean the same memory: which memory the region touches through each, to be compared
//! when the program runs.
//!
//! What is compared are whole rows of an array (elements, where it has one dimension), from the
//! first to the last that any instance touches. Where subscripts are sums of products that could not
//! be taken apart, as of an array that is filled by one loop and read by rows, it is what each access
//! touches.

use crate::frontend::c::lower::memory::alias::{View, What};
use crate::frontend::c::lower::memory::steady;
use crate::frontend::c::lower::values::spread::Spread;
use crate::frontend::c::lower::{ArrayKey, Lowering, RawSubscript, Result};
use crate::frontend::c::syntax::{ExprKind, Stmt, StmtKind};
use crate::scop::{
    Array, CheckKind, Checks, Edge, Expr, Layout, Memory, Pointers, Rows, Statement, Survey,
};
use isl::{DimType, PwAff, Set, Val};
use std::collections::BTreeSet;

/// Bounds with more cases than this are not written down.
const MOST_CASES: usize = 4;

/// Constants and factors beyond this in a bound come from a variable's type in place of data. Addresses so far
/// away may wrap around, and comparing them would say nothing of what is touched.
const FARTHEST: i64 = 1 << 30;

/// Pairs of ranges that are compared for one pair of names, at most.
const MOST_PAIRS: usize = 12;

/// Memory of which two pieces are taken to have nothing in common.
type Pairs = Vec<[Memory; 2]>;

/// What the region touches through one name.
enum Touched {
    Nothing,
    /// One after the other.
    Memory(Vec<Memory>),
    /// Nobody knows.
    Anything,
}

impl Lowering<'_> {
    /// All that is taken for granted, with what [`Lowering::kept_apart`] gives.
    pub(crate) fn granted(
        &mut self,
        (apart, promised): (Pairs, Pairs),
        distinct: Vec<Memory>,
    ) -> Result<Checks> {
        let mut checks = Checks {
            given: self.assumed.given.borrow().clone(),
            parameters: self.assumed.checks.borrow().clone(),
            apart,
            distinct,
            promised,
            surveys: std::mem::take(&mut self.assumed.surveys),
            changing: steady::changing(self.unit, self.region),
            followed: self.followed_pointers()?,
            trust: self.assumed.trust.clone(),
        };
        checks.simplify()?;
        Ok(checks)
    }

    /// What has to be apart for these pairs. A pair of which one has no bounds is refused, unless
    /// the user promises that it is apart: then it is among the second ones.
    pub(crate) fn kept_apart(
        &mut self,
        pairs: Vec<[View; 2]>,
        arrays: &[Array],
        statements: &[Statement],
    ) -> Result<(Pairs, Pairs)> {
        let (mut all, mut promised) = (Pairs::new(), Pairs::new());
        // A pointer that was asked to be `restrict` once is taken to be from then on.
        let mut asked: Vec<String> = Vec::new();
        for pair in &pairs {
            let [a, b] = pair;
            let touched = (
                self.touched(a, arrays, statements)?,
                self.touched(b, arrays, statements)?,
            );
            match touched {
                (Touched::Nothing, _) | (_, Touched::Nothing) => {}
                (Touched::Memory(a), Touched::Memory(b))
                    if a.len() * b.len() <= MOST_PAIRS && self.may_be_surveyed(pair, &a, &b) =>
                {
                    let pairs = a
                        .iter()
                        .flat_map(|a| b.iter().map(|b| [a.clone(), b.clone()]));
                    all.extend(pairs);
                }
                _ if self.assumed.trust.assumes(CheckKind::Aliasing) => {
                    promised.push([a, b].map(|view| memory(view, view.base.clone(), None)));
                }
                _ if [a, b].iter().any(|view| asked.contains(&view.base)) => {}
                _ => {
                    let (pointer, error) = self.aliasing(pair);
                    asked.push(pointer);
                    self.messages.errors.push(error);
                }
            }
        }
        let all = self.surveyed_before(all, &mut promised, &pairs);
        Ok((self.without_implied(all)?, promised))
    }

    /// Pairs without those of which one piece is looked for by data, and says how far data is looked
    /// at: the original might end before it comes to all of that. They are refused, or promised.
    fn surveyed_before(&mut self, all: Pairs, promised: &mut Pairs, views: &[[View; 2]]) -> Pairs {
        let bounds = self.assumed.surveys.iter().flat_map(Survey::edges);
        let bounds: BTreeSet<usize> = bounds.filter_map(Edge::survey).collect();
        let bounds: Vec<String> = bounds
            .iter()
            .map(|&n| self.assumed.surveys[n].place.clone())
            .collect();
        let mut kept = Pairs::new();
        for pair in all {
            let surveyed = pair.iter().any(|memory| self.is_looked_for(memory));
            if !surveyed || !pair.iter().any(|memory| bounds.contains(&memory.place)) {
                kept.push(pair);
            } else if self.assumed.trust.assumes(CheckKind::Aliasing) {
                promised.push(pair.map(|memory| Memory {
                    rows: None,
                    ..memory
                }));
            } else {
                let own = |[a, b]: &&[View; 2]| a.base == pair[0].place && b.base == pair[1].place;
                let error = views.iter().find(own).map(|views| self.aliasing(views).1);
                self.messages
                    .errors
                    .extend(error.filter(|error| !self.messages.errors.contains(error)));
            }
        }
        kept
    }

    /// Whether a pair of names may be compared although data has to be looked at for it: not where it
    /// might be that the region changes how far it is looked.
    fn may_be_surveyed(&self, pair: &[View; 2], a: &[Memory], b: &[Memory]) -> bool {
        let surveyed = a.iter().chain(b).any(|memory| self.is_looked_for(memory));
        let array = |view: &View| matches!(view.what, What::Array(_));
        !surveyed || pair.iter().all(array)
    }

    /// Whether memory is where elements of an array say.
    fn is_looked_for(&self, memory: &Memory) -> bool {
        let mut surveys = memory.rows.iter().flat_map(Rows::surveys);
        surveys.any(|survey| !self.assumed.surveys[survey].loops.is_empty())
    }

    /// Pairs without those that are apart where another one is.
    fn without_implied(&self, all: Pairs) -> isl::Result<Pairs> {
        let context = self.assumed.context.borrow();
        let mut kept = Pairs::new();
        for (at, pair) in all.iter().enumerate() {
            let mut implied = false;
            let later = all[at + 1..].iter();
            for [c, d] in kept.iter().chain(later) {
                let [a, b] = pair;
                implied |= is_part(a, c, &context)? && is_part(b, d, &context)?
                    || is_part(a, d, &context)? && is_part(b, c, &context)?;
            }
            if !implied {
                kept.push(pair.clone());
            }
        }
        Ok(kept)
    }

    fn touched(
        &mut self,
        view: &View,
        arrays: &[Array],
        statements: &[Statement],
    ) -> isl::Result<Touched> {
        let whole = |place: String| Touched::Memory(vec![memory(view, place, None)]);
        let index = match &view.what {
            What::Object(place) => return Ok(whole(place.clone())),
            What::Array(index) | What::Pointers(index) => *index,
        };
        let array = &arrays[index];
        if !self.ends_inside(index, &array.layout, statements)? {
            return Ok(Touched::Anything);
        }
        if view.what == What::Array(index) && array.members.are_behind_pointers() {
            return self.behind_pointers(view, index, array, statements);
        }
        let Some(rows) = touched_along(0, index, statements)? else {
            return Ok(Touched::Nothing);
        };
        if array.extents.is_empty() {
            return Ok(whole(format!("{}{}", array.base, array.members.path())));
        }
        let rows = rows
            .intersect_params(&self.assumed.context.borrow())?
            .coalesce()?;
        if rows.is_empty()? {
            return Ok(Touched::Nothing);
        }
        let some = rows.params()?.coalesce()?;
        let declared = || -> isl::Result<Option<(PwAff, PwAff)>> {
            let Some(end) = &array.extents[0].affine else {
                return Ok(None);
            };
            let zero = PwAff::val_on_domain(&end.domain()?, &Val::zero(self.ctx)?)?;
            Ok(few(end)?.then(|| (zero, end.clone())))
        };
        // All that a type allows is far more than what is computed, and rows do not hold what may leave
        // them.
        let in_rows = array.layout.has_rows();
        if !in_rows || self.is_computed(index) {
            match self.spans(index, arrays, view)? {
                Some(spans) if spans.is_empty() => return Ok(Touched::Nothing),
                Some(spans) => return Ok(Touched::Memory(spans)),
                None if !in_rows => return Ok(Touched::Anything),
                None => {}
            }
        }
        let found = match self.ends(&rows) {
            Ok(Some(found)) => Some(found),
            Err(error) if error.is_quota() => return Err(error),
            Ok(None) | Err(_) => declared()?,
        };
        let Some((first, end)) = found else {
            return Ok(match self.spans(index, arrays, view)? {
                Some(spans) if spans.is_empty() => Touched::Nothing,
                Some(spans) => Touched::Memory(spans),
                None => Touched::Anything,
            });
        };
        let stride = array.layout.outer_stride().map(str::to_owned);
        let rows = Rows {
            some,
            first,
            end,
            stride,
            inside: Vec::new(),
            data: Vec::new(),
            computed: Vec::new(),
            narrow: false,
        };
        let place = array.base.clone();
        Ok(Touched::Memory(vec![memory(view, place, Some(rows))]))
    }

    /// Whether some subscripts of an array are computed of sums whose ends only the program knows.
    fn is_computed(&self, index: usize) -> bool {
        let accesses = self
            .model
            .statements
            .iter()
            .flat_map(|draft| &draft.accesses);
        let own = accesses.filter(|access| access.array == index);
        let subscripts = own.flat_map(|access| access.subscripts.iter().chain(&access.flat));
        let mut values = subscripts.filter_map(|subscript| subscript.values.as_ref());
        values.any(Spread::is_computed)
    }

    /// The first number in a set of them and one behind the last one; `None` where these have too many
    /// cases, or are far away.
    fn ends(&self, numbers: &Set) -> isl::Result<Option<(PwAff, PwAff)>> {
        let first = numbers.dim_min(0usize)?.coalesce()?;
        let last = numbers.dim_max(0usize)?;
        let one = PwAff::val_on_domain(&last.domain()?, &Val::one(self.ctx)?)?;
        let end = last.add(&one)?.coalesce()?;
        let known = few(&first)? && few(&end)? && !far(&first)? && !far(&end)?;
        Ok(known.then_some((first, end)))
    }

    /// Whether all that is touched of an array at the end of structures is in the extent that its type
    /// has, so that the structures are all that is touched.
    fn ends_inside(
        &self,
        index: usize,
        layout: &Layout,
        statements: &[Statement],
    ) -> isl::Result<bool> {
        let Some(open) = self.model.arrays[index]
            .open
            .as_ref()
            .filter(|open| open.dim > 0)
        else {
            return Ok(true);
        };
        let extent = open.declared.as_deref();
        let extent = extent
            .and_then(|e| self.polynomial(e))
            .and_then(|e| e.as_constant());
        let dim = layout.dim_of(open.dim);
        let (Some(extent), Some(own)) = (extent, touched_along(dim, index, statements)?) else {
            return Ok(false);
        };
        let own = own.intersect_params(&self.assumed.context.borrow())?;
        let inside = Set::universe(&own.get_space()?)?;
        let inside = inside.lower_bound_si(DimType::Set, 0, 0)?;
        let last = Val::int_from_si(self.ctx, extent - 1)?;
        let inside = inside.upper_bound_val(DimType::Set, 0, &last)?;
        own.is_subset(&inside)
    }

    /// What is touched behind an array's pointers. These are read in front of the region: that is done
    /// only where the original reads the first and the last one, too.
    fn behind_pointers(
        &self,
        view: &View,
        index: usize,
        array: &Array,
        statements: &[Statement],
    ) -> isl::Result<Touched> {
        if !array.layout.has_rows() {
            return Ok(Touched::Anything);
        }
        let context = self.assumed.context.borrow().clone();
        let along = |dim: usize| -> isl::Result<Option<Set>> {
            let all = touched_along(dim, index, statements)?;
            let known = all.map(|all| all.intersect_params(&context)?.coalesce());
            known.transpose()
        };
        let (Some(pointers), Some(rows)) = (along(0)?, along(1)?) else {
            return Ok(Touched::Nothing);
        };
        if pointers.is_empty()? {
            return Ok(Touched::Nothing);
        }
        let some = pointers.params()?.coalesce()?;
        let known = |ends: isl::Result<Option<(PwAff, PwAff)>>| match ends {
            Err(error) if !error.is_quota() => Ok(None),
            other => other,
        };
        let (Some((first, end)), Some((least, greatest))) =
            (known(self.ends(&pointers))?, known(self.ends(&rows))?)
        else {
            return Ok(Touched::Anything);
        };
        if !self.is_in_front(index) && !self.are_all_read(view, index, (&some, &first, &end))? {
            return Ok(Touched::Anything);
        }
        let stride = array.layout.linear().filter(|linear| linear.before == 1);
        let stride = stride.map(|linear| linear.strides[0].text.clone());
        let rows = Rows {
            some,
            first: least,
            end: greatest,
            stride: stride.filter(|stride| stride != "1"),
            inside: Vec::new(),
            data: Vec::new(),
            computed: Vec::new(),
            narrow: false,
        };
        let pointers = Pointers {
            first,
            end,
            member: array.members.member_at(1).to_owned(),
        };
        let memory = memory(view, array.base.clone(), Some(rows));
        Ok(Touched::Memory(vec![Memory {
            pointers: Some(pointers),
            ..memory
        }]))
    }

    /// Whether an array is declared in front of the region, with pointers that are there.
    fn is_in_front(&self, index: usize) -> bool {
        let ArrayKey::Place(root, ..) = &self.model.arrays[index].key else {
            return false;
        };
        self.region
            .edges
            .front
            .iter()
            .any(|front| front.array == *root)
    }

    /// Whether the original reads the first and the last pointer of an array of which some are
    /// touched.
    fn are_all_read(
        &self,
        view: &View,
        index: usize,
        (some, first, end): (&Set, &PwAff, &PwAff),
    ) -> isl::Result<bool> {
        let Some(certain) = self.certain_pointers(index)? else {
            return Ok(false);
        };
        if view.written && self.may_change_sizes(view) && !self.are_in_order(index) {
            return Ok(false);
        }
        let certain = certain.intersect_params(&self.assumed.context.borrow())?;
        let (earliest, latest) = match self.ends(&certain) {
            Ok(Some(ends)) => ends,
            Err(error) if error.is_quota() => return Err(error),
            Ok(None) | Err(_) => return Ok(false),
        };
        let both = first.ge_set(&earliest)?.intersect(&end.le_set(&latest)?)?;
        some.is_subset(&both)
    }

    /// Whether what is written behind pointers may be a size, or a pointer, that says how many there
    /// are: then the original may end before it comes to all of them.
    fn may_change_sizes(&self, view: &View) -> bool {
        let mut sizes = self.claims.pointer_reads.iter();
        sizes.any(|read| {
            let size = read.kind.is_none_or(|kind| !kind.is_float());
            size && view.may_be(read.kind)
        })
    }

    /// Whether the one loop of the region goes through the pointers of an array one after the other,
    /// each in a turn of its own: what is behind one is changed only once all before it were read.
    fn are_in_order(&self, index: usize) -> bool {
        let is_loop = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::For { .. });
        let plain = |stmt: &&Stmt| !matches!(stmt.kind, StmtKind::Declaration(_) | StmtKind::Empty);
        let own: Vec<&Stmt> = self.region.statements.iter().filter(plain).collect();
        let [only] = own[..] else { return false };
        let StmtKind::For {
            step: Some(step), ..
        } = &only.kind
        else {
            return false;
        };
        let up = matches!(step.kind, ExprKind::Increment { by: 1, .. });
        let mut subscripts = Vec::new();
        for draft in &self.model.statements {
            let own = draft.accesses.iter().filter(|a| a.array == index);
            subscripts.extend(own.filter_map(|access| access.subscripts.first()));
        }
        let same = |s: &&RawSubscript| s.expr == subscripts[0].expr;
        is_loop(&only)
            && up
            && subscripts.iter().all(same)
            && matches!(subscripts[0].expr, Expr::Iterator(0))
    }

    /// The pointers of an array that are there whenever the region is executed: it accesses them, or
    /// other members of the same structures.
    fn certain_pointers(&self, index: usize) -> isl::Result<Option<Set>> {
        let mut all: Option<Set> = None;
        let own = &self.model.arrays[index].key;
        for draft in &self.model.statements {
            for access in &draft.accesses {
                if !self.model.arrays[access.array].key.is_beside(own) || !access.always {
                    continue;
                }
                let Some(affine) = access.subscripts.first().and_then(|s| s.affine.as_ref()) else {
                    continue;
                };
                let domain = self.assumed(&access.domain)?;
                let own = affine.intersect_domain(&domain)?.as_map()?.range()?;
                all = Some(match all {
                    None => own,
                    Some(all) => all.union(&own)?,
                });
            }
        }
        Ok(all)
    }

    /// Memory behind several pointers of which the region writes some: it has to be different for each
    /// of them.
    pub(crate) fn distinct_rows(
        &mut self,
        pairs: &[[View; 2]],
        arrays: &[Array],
        statements: &[Statement],
    ) -> Result<Vec<Memory>> {
        let mut distinct = Vec::new();
        for view in self.views_of_rows() {
            let touched = self.touched(&view, arrays, statements)?;
            match touched {
                Touched::Memory(memory) => distinct.extend(memory),
                Touched::Nothing => {}
                Touched::Anything if self.assumed.trust.assumes(CheckKind::Aliasing) => {}
                // Said of the pair.
                Touched::Anything if pairs.iter().flatten().any(|v| v.what == view.what) => {}
                Touched::Anything => self.messages.errors.push(view.rows_may_overlap()),
            }
        }
        Ok(distinct)
    }
}

/// What all accesses to an array touch along one of its dimensions.
fn touched_along(dim: usize, array: usize, statements: &[Statement]) -> isl::Result<Option<Set>> {
    let accesses = statements.iter().flat_map(|s| &s.accesses);
    let mut all: Option<Set> = None;
    for access in accesses.filter(|access| access.array == array) {
        let cells = access.relation.range()?;
        let dims = cells.dim(DimType::Set)?;
        let last = dims.min(dim + 1);
        let own = cells.project_out(DimType::Set, last, dims - last)?;
        let own = own.project_out(DimType::Set, 0, dim.min(last))?;
        all = Some(match all {
            None => own,
            Some(all) => all.union(&own)?,
        });
    }
    Ok(all)
}

pub(super) fn memory(view: &View, place: String, rows: Option<Rows>) -> Memory {
    Memory {
        place,
        pointers: None,
        rows,
        span: view.span,
        written: view.written,
    }
}

/// Whether one piece of memory is inside of another one, for all parameters of a set under which
/// strides are not negative.
fn is_part(part: &Memory, of: &Memory, context: &Set) -> isl::Result<bool> {
    // Of what is behind pointers it is not asked.
    if part.place != of.place || part.pointers.is_some() || of.pointers.is_some() {
        return Ok(false);
    }
    let (part, of) = match (&part.rows, &of.rows) {
        (None, None) => return Ok(true),
        (Some(part), Some(of)) => (part, of),
        _ => return Ok(false),
    };
    let strided = |rows: &Rows| rows.inside.iter().map(|own| own.stride.clone()).collect();
    let (own, other): (Vec<_>, Vec<_>) = (strided(part), strided(of));
    let some = part.some.intersect(context)?;
    if part.stride != of.stride
        || own != other
        || !part.data.is_empty()
        || !of.data.is_empty()
        || !part.computed.is_empty()
        || !of.computed.is_empty()
        || part.narrow
    {
        return Ok(false);
    }
    if !some.is_subset(&of.some)? {
        return Ok(false);
    }
    let ends = |rows: &Rows| -> Vec<[PwAff; 2]> {
        let inside = rows.inside.iter();
        let inside = inside.map(|inside| [inside.first.clone(), inside.end.clone()]);
        let own = [rows.first.clone(), rows.end.clone()];
        [own].into_iter().chain(inside).collect()
    };
    for ([first, end], [from, to]) in ends(part).iter().zip(&ends(of)) {
        let inside = first.ge_set(from)?.intersect(&end.le_set(to)?)?;
        if !some.is_subset(&inside)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether it has few cases.
pub(super) fn few(value: &PwAff) -> isl::Result<bool> {
    Ok(value.n_piece()? <= MOST_CASES)
}

/// Whether it comes from a variable's type in place of data.
pub(crate) fn far(value: &PwAff) -> isl::Result<bool> {
    let mut far = false;
    for (_, piece) in value.pieces()? {
        far |= piece.get_constant_val()?.abs()?.cmp_si(FARTHEST)? > 0;
        for param in 0..piece.dim(DimType::Param)? {
            let factor = piece.get_coefficient_val(DimType::Param, param)?;
            far |= factor.abs()?.cmp_si(FARTHEST)? > 0;
        }
    }
    Ok(far)
}
