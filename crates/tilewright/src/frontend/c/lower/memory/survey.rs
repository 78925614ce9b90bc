//! Index arrays that have to be looked at in front of a region, since what they hold says which memory
//! it touches: `col` in `x[col[k]]`, and `ptr` where `k` runs from `ptr[i]` to `ptr[i + 1]`.
//!
//! The least and the greatest of their elements are looked up, of exactly those that the original
//! reads whatever it finds: a box of subscripts of accesses that every instance does. Where a loop's
//! bounds are neighbours in an array, the elements that all its turns come to are those from the
//! array's first element to its last one, provided that it is in order, which is looked up, too.

use crate::frontend::c::lower::memory::apart::far;
use crate::frontend::c::lower::memory::spans::{greatest_of, least_of};
use crate::frontend::c::lower::values::affine::constant_value;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::values::spread::{End, Part, Place};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayKey, Lowering, RawAccess, RawSubscript, Test};
use crate::scop::{AccessKind, Array, Edge, Survey, Surveyed, Sweep};
use isl::{DimType, PwAff, Result, Set, Val};

/// The subscripts that an access has, from the first to behind the last one, and from one to the next,
/// for each dimension.
type Ranges = Vec<(PwAff, PwAff, i64)>;

impl Lowering<'_> {
    /// Where a summand of a subscript ends, of which at least one end is data; `None` where that
    /// cannot be looked up.
    pub(crate) fn surveyed(
        &mut self,
        part: &Part,
        domain: &Set,
        arrays: &[Array],
    ) -> Result<Option<Surveyed>> {
        let known = |end: &End, least: bool| match (end, least) {
            (End::At(value), true) => least_of(value, domain),
            (End::At(value), false) => greatest_of(value, domain),
            _ => Ok(None),
        };
        let least = known(&part.least, true)?;
        let greatest = known(&part.greatest, false)?;
        let both = match (&part.least, &part.greatest) {
            (End::Data(first, _), End::Data(end, _)) if first != end => {
                self.neighbours([*first, *end], false, arrays)?
            }
            _ => None,
        };
        let mut edge = |end: &End, known: Option<PwAff>, least: bool| -> Result<Option<Edge>> {
            let (survey, by) = match (end, both) {
                (End::At(_), _) => return Ok(known.map(Edge::At)),
                (End::Data(_, by), Some(survey)) => (Some(survey), *by),
                (End::Data(place, by), None) => (self.elements(*place, arrays)?, *by),
                (End::Scalar(array), _) => (self.scalar(*array, arrays)?, 0),
                (End::Computed(_), _) => return Ok(None),
            };
            Ok(survey.map(|survey| match least {
                true => Edge::Least(survey, by),
                false => Edge::Greatest(survey, by),
            }))
        };
        let least = edge(&part.least, least, true)?;
        let greatest = edge(&part.greatest, greatest, false)?;
        let (Some(least), Some(greatest)) = (least, greatest) else {
            return Ok(None);
        };
        let plain = part.stride == Polynomial::constant(1);
        Ok(Some(Surveyed {
            least,
            greatest,
            stride: (!plain).then(|| part.stride.text(&self.params)),
            negative: part.negative,
        }))
    }

    /// What a scalar holds.
    fn scalar(&mut self, array: usize, arrays: &[Array]) -> Result<Option<usize>> {
        let draft = &self.model.arrays[array];
        let survey = Survey {
            place: arrays[array].base.clone(),
            members: arrays[array].members.clone(),
            kind: draft.element.kind,
            loops: Vec::new(),
            strides: None,
            some: Set::universe(&self.params.space)?,
            ordered: false,
            span: draft.accessed,
        };
        self.survey(survey).map(Some)
    }

    /// The elements that an access reads.
    fn elements(&mut self, place: Place, arrays: &[Array]) -> Result<Option<usize>> {
        let access = &self.model.statements[place.0].accesses[place.1];
        if !self.is_index(access) {
            return Ok(None);
        }
        if !access.always {
            return self.between_bounds(place, arrays);
        }
        let domain = self.assumed(&access.domain)?;
        let Some(ranges) = self.ranges_of(access, &domain)? else {
            return Ok(None);
        };
        let some = domain.params()?.coalesce()?;
        let certain = self.certain(access)?;
        let mut ranges = ranges;
        if !self.box_of(&ranges, &some)?.is_subset(&certain)? {
            for (range, subscript) in ranges.iter_mut().zip(&access.subscripts) {
                range.2 = step_of(subscript)?;
            }
            if !self.box_of(&ranges, &some)?.is_subset(&certain)? {
                return Ok(None);
            }
        }
        let sweep = |(first, end, step): (PwAff, PwAff, i64)| Sweep {
            first: Edge::At(first),
            end: Edge::At(end),
            step,
        };
        let loops = ranges.into_iter().map(sweep).collect();
        let access = access.clone();
        self.lookup(&access, loops, some, false, arrays)
    }

    /// The elements that an access reads whose subscript runs between bounds that are data.
    fn between_bounds(&mut self, place: Place, arrays: &[Array]) -> Result<Option<usize>> {
        let (draft, access) = (
            &self.model.statements[place.0],
            &self.model.statements[place.0].accesses[place.1],
        );
        let tests = draft.guards.iter();
        let mut positions = tests.map(|guard| match guard.test {
            Test::Compares(position, _) => Some(position),
            Test::Holds | Test::Fails => None,
        });
        let Some(Some(position)) = positions.next() else {
            return Ok(None);
        };
        let alone = positions.all(|other| other == Some(position));
        let holds_it = |place: &Place| {
            let written = |a: &RawAccess| {
                let mut tests = draft.guards.iter();
                a.kind == AccessKind::Write && tests.any(|guard| guard.array == a.array)
            };
            self.model.statements[place.0].accesses.iter().any(written)
        };
        let [subscript] = &access.subscripts[..] else {
            return Ok(None);
        };
        let [Some(End::Data(first, from)), Some(End::Data(end, to))] = &draft.counted[position]
        else {
            return Ok(None);
        };
        // Where one turn of the loops around ends, the next one begins.
        if *to != from - 1 {
            return Ok(None);
        }
        let variable = self.variable(draft.loops.len(), position)?;
        let moved = match &subscript.affine {
            Some(affine) => constant_value(&affine.sub(&variable)?)?,
            None => None,
        };
        let Some(moved) = moved.and_then(|moved| moved.checked_add(*from)) else {
            return Ok(None);
        };
        // Each turn of the loops around has the bounds that it reads itself.
        if !alone || !access.certain || !holds_it(first) || !holds_it(end) {
            return Ok(None);
        }
        // All turns of the loop do it, under all turns of the loops around it that read its bounds.
        let domain = self.assumed(&access.domain)?;
        let depth = draft.loops.len();
        let turns = domain.project_out(DimType::Set, position + 1, depth - position - 1)?;
        let own = turns.project_out(DimType::Set, 0, position)?;
        let around = turns.project_out(DimType::Set, position, 1)?;
        let bounds = &self.model.statements[first.0];
        let of_bounds = self.assumed(&bounds.domain)?;
        let all = around
            .insert_dims(DimType::Set, position, 1)?
            .intersect(&own.insert_dims(DimType::Set, 0, position)?)?;
        let (least, greatest) = (own.dim_min(0usize)?, own.dim_max(0usize)?);
        let unsigned = types::is_unsigned(draft.loops[position].iterator.ctype.kind);
        if position + 1 != depth
            || bounds.loops.len() != position
            || !all.is_subset(&turns)?
            || !around.is_equal(&of_bounds)?
            || !(far(&least)? || unsigned && least.min_val()?.to_i64() == Some(0))
            || !far(&greatest)?
        {
            return Ok(None);
        }
        let (access, some) = (access.clone(), around.params()?.coalesce()?);
        if !self.are_chained([*first, *end])? {
            return Ok(None);
        }
        let Some(survey) = self.neighbours([*first, *end], true, arrays)? else {
            return Ok(None);
        };
        let sweep = Sweep {
            first: Edge::Least(survey, moved),
            end: Edge::Greatest(survey, moved),
            step: 1,
        };
        self.lookup(&access, vec![sweep], some, false, arrays)
    }

    /// Whether the second one of two accesses always reads the element behind the first one's, and all
    /// elements from the first one's least to its greatest one are read by it.
    fn are_chained(&self, places: [Place; 2]) -> Result<bool> {
        let [one, other] =
            places.map(|(draft, access)| &self.model.statements[draft].accesses[access]);
        let ([a], [b]) = (&one.subscripts[..], &other.subscripts[..]) else {
            return Ok(false);
        };
        let (Some(a), Some(b)) = (&a.affine, &b.affine) else {
            return Ok(false);
        };
        let domain = self.assumed(&one.domain)?;
        let same = one.domain.dim(DimType::Set)? == other.domain.dim(DimType::Set)?;
        if !same || constant_value(&b.sub(a)?)? != Some(1) {
            return Ok(false);
        }
        let Some(ranges) = self.ranges_of(one, &domain)? else {
            return Ok(false);
        };
        let cells = a.intersect_domain(&domain)?.as_map()?.range()?;
        let some = domain.params()?;
        self.box_of(&ranges, &some)?.is_subset(&cells)
    }

    /// The elements that two accesses read, of which the second one reads those behind the first
    /// one's.
    fn neighbours(
        &mut self,
        places: [Place; 2],
        ordered: bool,
        arrays: &[Array],
    ) -> Result<Option<usize>> {
        let [one, other] =
            places.map(|(draft, access)| &self.model.statements[draft].accesses[access]);
        if one.array != other.array || !self.is_index(one) || !one.always || !other.always {
            return Ok(None);
        }
        let domains = (self.assumed(&one.domain)?, self.assumed(&other.domain)?);
        let ranges = (
            self.ranges_of(one, &domains.0)?,
            self.ranges_of(other, &domains.1)?,
        );
        let (Some(ranges), Some(others)) = ranges else {
            return Ok(None);
        };
        let ([(first, end, _)], [(next, last, _)]) = (&ranges[..], &others[..]) else {
            return Ok(None);
        };
        let one_more = Val::one(self.ctx)?;
        let some = domains.0.params()?.coalesce()?;
        let both = self.box_of(&[(first.clone(), last.clone(), 1)], &some)?;
        let certain = self.certain(one)?;
        if !first.add_constant_val(&one_more)?.is_equal(next)?
            || !end.add_constant_val(&one_more)?.is_equal(last)?
            || !both.is_subset(&certain)?
        {
            return Ok(None);
        }
        let sweep = Sweep {
            first: Edge::At(first.clone()),
            end: Edge::At(last.clone()),
            step: 1,
        };
        let access = one.clone();
        self.lookup(&access, vec![sweep], some, ordered, arrays)
    }

    /// Whether an access reads integers that the region does not write by this name.
    fn is_index(&self, access: &RawAccess) -> bool {
        let array = &self.model.arrays[access.array];
        matches!(array.key, ArrayKey::Place(..))
            && array.region_depth.is_none()
            && array.written.is_none()
            && !array.has_rows()
            && !array.element.kind.is_float()
            && access.kind == AccessKind::Read
            && access.cells.is_none()
            && !access.subscripts.is_empty()
    }

    fn ranges_of(&self, access: &RawAccess, domain: &Set) -> Result<Option<Ranges>> {
        let one = Val::one(self.ctx)?;
        let mut ranges = Vec::new();
        for subscript in &access.subscripts {
            let Some(affine) = &subscript.affine else {
                return Ok(None);
            };
            let ends = (least_of(affine, domain)?, greatest_of(affine, domain)?);
            let (Some(first), Some(last)) = ends else {
                return Ok(None);
            };
            ranges.push((first, last.add_constant_val(&one)?, 1));
        }
        Ok(Some(ranges))
    }

    /// All subscripts in these ranges.
    fn box_of(&self, ranges: &[(PwAff, PwAff, i64)], some: &Set) -> Result<Set> {
        let dims = ranges.len();
        let space = self.loop_space(dims)?;
        let mut all = Set::universe(&space)?.intersect_params(some)?;
        for (at, (first, end, step)) in ranges.iter().enumerate() {
            let own = self.variable(dims, at)?;
            let inside = |value: &PwAff| value.project_domain_on_params()?.insert_domain(&space);
            all = all
                .intersect(&own.ge_set(&inside(first)?)?)?
                .intersect(&own.lt_set(&inside(end)?)?)?;
            if *step > 1 {
                let step = Val::int_from_si(self.ctx, *step)?;
                let rest = own.sub(&inside(first)?)?.mod_val(&step)?;
                all = all.intersect(&rest.zero_set()?)?;
            }
        }
        Ok(all)
    }

    /// The subscripts of all accesses to the same array that are done in any case.
    fn certain(&self, access: &RawAccess) -> Result<Set> {
        let dims = access.subscripts.len();
        let mut all = Set::empty(&self.loop_space(dims)?)?;
        for draft in &self.model.statements {
            for other in &draft.accesses {
                let affine = other.subscripts.iter().map(|s| s.affine.as_ref());
                let affine: Option<Vec<_>> = affine.collect();
                let same = other.array == access.array && other.always && other.cells.is_none();
                let (Some(affine), true) = (affine, same) else {
                    continue;
                };
                let domain = self.assumed(&other.domain)?;
                let mut cells: Option<isl::Map> = None;
                for value in affine {
                    let own = value.intersect_domain(&domain)?.as_map()?;
                    cells = Some(match cells {
                        None => own,
                        Some(cells) => cells.flat_range_product(&own)?,
                    });
                }
                if let Some(cells) = cells {
                    all = all.union(&cells.range()?)?;
                }
            }
        }
        all.coalesce()
    }

    fn lookup(
        &mut self,
        access: &RawAccess,
        loops: Vec<Sweep>,
        some: Set,
        ordered: bool,
        arrays: &[Array],
    ) -> Result<Option<usize>> {
        let array = &arrays[access.array];
        let strides = match array.layout.linear() {
            Some(linear) if linear.before > 0 || linear.strides.len() != loops.len() => {
                return Ok(None);
            }
            Some(linear) => Some(linear.texts()),
            None => None,
        };
        let survey = Survey {
            place: array.base.clone(),
            members: array.members.clone(),
            kind: array.element.kind,
            loops,
            strides,
            some,
            ordered,
            span: access.span,
        };
        self.survey(survey).map(Some)
    }

    /// The number of a survey among all.
    fn survey(&mut self, survey: Survey) -> Result<usize> {
        for (number, known) in self.assumed.surveys.iter_mut().enumerate() {
            if same(known, &survey)? {
                known.ordered |= survey.ordered;
                return Ok(number);
            }
        }
        self.assumed.surveys.push(survey);
        Ok(self.assumed.surveys.len() - 1)
    }
}

/// How far a subscript moves when the one loop turns whose variable is in it.
fn step_of(subscript: &RawSubscript) -> Result<i64> {
    let Some(affine) = subscript
        .affine
        .as_ref()
        .filter(|a| a.isa_aff().unwrap_or(false))
    else {
        return Ok(1);
    };
    let affine = affine.as_aff()?;
    let mut steps = Vec::new();
    for position in 0..affine.dim(DimType::In)? {
        let coefficient = affine.get_coefficient_val(DimType::In, position)?;
        if !coefficient.is_zero()? {
            steps.push(coefficient.abs()?.to_i64().unwrap_or(1));
        }
    }
    Ok(match steps[..] {
        [step] => step,
        _ => 1,
    })
}

/// Whether two surveys look at the same elements.
fn same(a: &Survey, b: &Survey) -> Result<bool> {
    if a.place != b.place || a.members != b.members || a.loops.len() != b.loops.len() {
        return Ok(false);
    }
    if a.loops.iter().zip(&b.loops).any(|(a, b)| a.step != b.step) {
        return Ok(false);
    }
    for (a, b) in a.edges().zip(b.edges()) {
        let equal = match (a, b) {
            (Edge::At(a), Edge::At(b)) => a.is_equal(b)?,
            (Edge::Least(a, by), Edge::Least(b, other)) => (a, by) == (b, other),
            (Edge::Greatest(a, by), Edge::Greatest(b, other)) => (a, by) == (b, other),
            _ => false,
        };
        if !equal {
            return Ok(false);
        }
    }
    a.some.is_equal(&b.some)
}
