//! What nodes of a kernel touch, as sets: bounds, guards and subscripts read back into isl.
//!
//! Loop variables are parameters of the same names here, as the program's are, so that the cells
//! touched below some place in the code are a function of everything around it. Sets are exact, or
//! there is none: what depends on data has no set.

use crate::codegen::kernel::{Comparison, Index, Instance, Loop, Node, Place, PlaceIndex};
use crate::scop::{AccessKind, Scop};
use crate::transform::BufferId;
use isl::{Aff, DimType, Id, IdList, PwAff, Result, Set, Val};

/// Code between some outer place and an access: which iterations reach it.
#[derive(Clone)]
pub(crate) struct Reach {
    /// Over no dimensions: the values of parameters and loop variables. `None` where it depends on
    /// data.
    pub domain: Option<Set>,
    /// Variables of the loops since the outer place.
    pub inner: Vec<String>,
}

/// One access of an instance below the outer place.
#[derive(Clone)]
pub(crate) struct Access<'k> {
    /// Where it goes.
    pub place: &'k Place,
    pub kind: AccessKind,
    /// Whether the cell is certainly accessed.
    pub exact: bool,
    /// Under what circumstances.
    pub reach: usize,
    /// When: positions in lists of nodes, and values of loop variables, outermost first.
    pub time: Vec<Index>,
    /// The values of the statement's iterators.
    pub iterators: &'k [Index],
}

/// All accesses below an outer place.
#[derive(Default)]
pub(crate) struct Accesses<'k> {
    pub all: Vec<Access<'k>>,
    pub reaches: Vec<Reach>,
    /// Buffers that bounds and guards read.
    pub in_bounds: Vec<BufferId>,
}

/// Reads the kernel of a scop.
pub(crate) struct Reader<'a> {
    pub scop: &'a Scop,
}

impl Reader<'_> {
    /// What may be assumed around the whole kernel.
    pub fn context(&self) -> Result<Set> {
        self.scop.context.from_params()
    }

    /// The parameter that stands for a loop variable.
    fn id(&self, var: &str) -> Result<Id> {
        Id::alloc(&self.scop.ctx, var)
    }

    /// The value of an expression; `None` where it is no quasi-affine function.
    pub fn value(&self, index: &Index) -> Result<Option<PwAff>> {
        let space = self.context()?.get_space()?;
        let number = |value: i64| Val::int_from_si(&self.scop.ctx, value);
        let param = |name: &str| {
            let id = self.id(name)?;
            let space = space.add_param_id(&id)?;
            PwAff::from_aff(&Aff::param_on_domain_space_id(&space, &id)?).map(Some)
        };
        let both = |a: &Index, b: &Index, f: fn(&PwAff, &PwAff) -> Result<PwAff>| {
            let (Some(a), Some(b)) = (self.value(a)?, self.value(b)?) else {
                return Ok(None);
            };
            f(&a, &b).map(Some)
        };
        let fold = |all: &[Index], f: fn(&PwAff, &PwAff) -> Result<PwAff>| {
            let mut result: Option<PwAff> = None;
            for one in all {
                let Some(one) = self.value(one)? else {
                    return Ok(None);
                };
                result = Some(match result {
                    Some(before) => f(&before, &one)?,
                    None => one,
                });
            }
            Ok(result)
        };
        match index {
            Index::Int(value) => {
                let constant = Aff::val_on_domain_space(&space, &number(*value)?)?;
                PwAff::from_aff(&constant).map(Some)
            }
            Index::Var(name) => param(name),
            Index::Param(id) => param(&self.scop.params[*id].name),
            Index::Data(..) => Ok(None),
            Index::Add(a, b) => both(a, b, PwAff::add),
            Index::Sub(a, b) => both(a, b, PwAff::sub),
            Index::Mul(a, b) => match (&**a, &**b) {
                (Index::Int(k), other) | (other, Index::Int(k)) => match self.value(other)? {
                    Some(value) => value.scale_val(&number(*k)?).map(Some),
                    None => Ok(None),
                },
                _ => Ok(None),
            },
            Index::Neg(a) => self.value(a)?.map(|a| a.neg()).transpose(),
            // Where it divides exactly, or is not negative, this is C's quotient, too.
            Index::FloorDiv(a, by) | Index::ExactDiv(a, by) => match self.value(a)? {
                Some(a) => a.scale_down_val(&number(*by)?)?.floor().map(Some),
                None => Ok(None),
            },
            Index::Mod(a, by) | Index::PlainMod(a, by) => match self.value(a)? {
                Some(a) => a.mod_val(&number(*by)?).map(Some),
                None => Ok(None),
            },
            Index::Min(all) => fold(all, PwAff::min),
            Index::Max(all) => fold(all, PwAff::max),
            Index::Select(condition, a, b) => {
                let (Some(condition), Some(a), Some(b)) =
                    (self.holds(condition)?, self.value(a)?, self.value(b)?)
                else {
                    return Ok(None);
                };
                let a = a.intersect_domain(&condition)?;
                a.union_add(&b.subtract_domain(&condition)?).map(Some)
            }
            Index::Compare(..) | Index::All(_) | Index::Any(_) => Ok(None),
        }
    }

    /// Where a condition holds; `None` where that is no set.
    pub fn holds(&self, condition: &Index) -> Result<Option<Set>> {
        match condition {
            Index::Compare(comparison, a, b) => self.compared(*comparison, a, b),
            Index::All(all) => together(all, true, &|one| self.holds(one)),
            Index::Any(all) => together(all, false, &|one| self.holds(one)),
            value => match self.value(value)? {
                Some(value) => value.non_zero_set().map(Some),
                None => Ok(None),
            },
        }
    }

    /// Where two values compare so. What is at least a maximum is at least each of its operands:
    /// that way sets stay convex.
    fn compared(&self, comparison: Comparison, a: &Index, b: &Index) -> Result<Option<Set>> {
        use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
        match (comparison, a, b) {
            (Equal, ..) => {}
            (Greater | GreaterEqual, _, Index::Max(all))
            | (Less | LessEqual, _, Index::Min(all)) => {
                return together(all, true, &|one| self.compared(comparison, a, one));
            }
            (Greater | GreaterEqual, _, Index::Min(all))
            | (Less | LessEqual, _, Index::Max(all)) => {
                return together(all, false, &|one| self.compared(comparison, a, one));
            }
            (Greater | GreaterEqual, Index::Min(all), _)
            | (Less | LessEqual, Index::Max(all), _) => {
                return together(all, true, &|one| self.compared(comparison, one, b));
            }
            (Greater | GreaterEqual, Index::Max(all), _)
            | (Less | LessEqual, Index::Min(all), _) => {
                return together(all, false, &|one| self.compared(comparison, one, b));
            }
            _ => {}
        }
        let (Some(a), Some(b)) = (self.value(a)?, self.value(b)?) else {
            return Ok(None);
        };
        let set = match comparison {
            Equal => a.eq_set(&b),
            LessEqual => a.le_set(&b),
            Less => a.lt_set(&b),
            GreaterEqual => a.ge_set(&b),
            Greater => a.gt_set(&b),
        };
        set.map(Some)
    }

    /// The iterations of a loop, where the loop is reached for `domain`.
    pub fn inside(&self, domain: &Set, each: &Loop) -> Result<Option<Set>> {
        let var = Index::var(&each.var);
        let (Some(from), Some(to)) = (
            self.compared(Comparison::GreaterEqual, &var, &each.lower)?,
            self.compared(Comparison::LessEqual, &var, &each.upper)?,
        ) else {
            return Ok(None);
        };
        let inside = domain.intersect(&from)?.intersect(&to)?;
        if each.step == 1 {
            return Ok(Some(inside));
        }
        let (Some(own), Some(lower)) = (self.value(&var)?, self.value(&each.lower)?) else {
            return Ok(None);
        };
        let step = Val::int_from_si(&self.scop.ctx, each.step)?;
        let rest = own.sub(&lower)?.mod_val(&step)?;
        inside.intersect(&rest.zero_set()?).map(Some)
    }

    /// The part of `domain` in which a condition holds, and the rest.
    pub fn guarded(&self, domain: &Set, condition: &Index) -> Result<Option<(Set, Set)>> {
        Ok(match self.holds(condition)? {
            Some(holds) => Some((domain.intersect(&holds)?, domain.subtract(&holds)?)),
            None => None,
        })
    }

    /// All accesses at and below some nodes, which are reached for `domain`.
    pub fn accesses<'k>(&self, domain: &Set, nodes: &'k [Node]) -> Result<Accesses<'k>> {
        let mut all = Accesses::default();
        let reach = Reach {
            domain: Some(domain.clone()),
            inner: Vec::new(),
        };
        self.collect(nodes, &reach, &[], &mut all)?;
        Ok(all)
    }

    fn collect<'k>(
        &self,
        nodes: &'k [Node],
        at: &Reach,
        before: &[Index],
        all: &mut Accesses<'k>,
    ) -> Result<()> {
        let mut own = None;
        for (position, node) in nodes.iter().enumerate() {
            let mut time = before.to_vec();
            time.push(Index::Int(position as i64));
            match node {
                Node::Statement(instance) => {
                    let reach = *own.get_or_insert_with(|| {
                        all.reaches.push(at.clone());
                        all.reaches.len() - 1
                    });
                    self.of_instance(instance, reach, &time, all);
                }
                Node::GoesOn { condition, .. } => read_by(condition, &mut all.in_bounds),
                Node::For(each) => {
                    read_by(&each.lower, &mut all.in_bounds);
                    read_by(&each.upper, &mut all.in_bounds);
                    let mut inner = at.inner.clone();
                    inner.push(each.var.clone());
                    let domain = match &at.domain {
                        Some(domain) => self.inside(domain, each)?,
                        None => None,
                    };
                    time.push(Index::var(&each.var));
                    self.collect(&each.body, &Reach { domain, inner }, &time, all)?;
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    read_by(condition, &mut all.in_bounds);
                    let parts = match &at.domain {
                        Some(domain) => self.guarded(domain, condition)?,
                        None => None,
                    };
                    let (yes, no) = parts.map_or((None, None), |(y, n)| (Some(y), Some(n)));
                    for (domain, branch) in [(yes, then), (no, otherwise)] {
                        let inner = at.inner.clone();
                        self.collect(branch, &Reach { domain, inner }, &time, all)?;
                    }
                }
                Node::Scope { body, .. }
                | Node::Block { body, .. }
                | Node::Allocate { body, .. } => self.collect(body, at, &time, all)?,
                Node::Copies(copies) => {
                    for (number, copy) in copies.iter().enumerate() {
                        let mut time = time.clone();
                        time.push(Index::Int(number as i64));
                        self.collect(copy, at, &time, all)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn of_instance<'k>(
        &self,
        instance: &'k Instance,
        reach: usize,
        time: &[Index],
        all: &mut Accesses<'k>,
    ) {
        let accesses = &self.scop.statements[instance.statement].accesses;
        for (place, access) in instance.accesses.iter().zip(accesses) {
            all.all.push(Access {
                place,
                kind: access.kind,
                exact: access.exact,
                reach,
                time: time.to_vec(),
                iterators: &instance.iterators,
            });
        }
    }

    /// The cells at a place for the iterations that reach it, one dimension per index; `None`
    /// where that depends on data.
    pub fn cells(&self, place: &Place, reach: &Reach) -> Result<Option<Set>> {
        let affine = |index: &PlaceIndex| match index {
            PlaceIndex::Affine(index) => Some(index.clone()),
            PlaceIndex::Data { .. } => None,
        };
        match place
            .indices
            .iter()
            .map(affine)
            .collect::<Option<Vec<Index>>>()
        {
            Some(indices) => self.points(&indices, reach),
            None => Ok(None),
        }
    }

    /// The cells of an access with the step in which they are accessed, the last dimension: the
    /// value of the outermost iterator of its statement.
    pub fn in_steps(&self, access: &Access<'_>, reach: &Reach) -> Result<Option<Set>> {
        let mut values = Vec::new();
        for index in &access.place.indices {
            match index {
                PlaceIndex::Affine(index) => values.push(index.clone()),
                PlaceIndex::Data { .. } => return Ok(None),
            }
        }
        values.push(access.iterators.first().cloned().unwrap_or(Index::Int(0)));
        self.points(&values, reach)
    }

    /// The values of some expressions, one dimension each, for the iterations that reach a place.
    pub fn points(&self, values: &[Index], reach: &Reach) -> Result<Option<Set>> {
        let Some(mut set) = reach.domain.clone() else {
            return Ok(None);
        };
        for (dim, index) in values.iter().enumerate() {
            let Some(value) = self.value(index)? else {
                return Ok(None);
            };
            set = set.intersect(&value.bind_id(&self.stand_in(dim)?)?)?;
        }
        for (dim, _) in values.iter().enumerate() {
            set = self.as_dimension(&set, &self.stand_in(dim)?, dim)?;
        }
        let mut inner = IdList::alloc(&self.scop.ctx, reach.inner.len())?;
        for var in &reach.inner {
            inner = inner.add(&self.id(var)?)?;
        }
        set.project_out_param_id_list(&inner).map(Some)
    }

    /// The iterations that reach a place with their values in a set, which has a dimension for
    /// each: values of parameters and loop variables.
    pub fn reaching(&self, values: &[Index], reach: &Reach, among: &Set) -> Result<Option<Set>> {
        let Some(mut set) = reach.domain.clone() else {
            return Ok(None);
        };
        let mut among = among.clone();
        let mut all = IdList::alloc(&self.scop.ctx, values.len())?;
        for (dim, index) in values.iter().enumerate() {
            let Some(value) = self.value(index)? else {
                return Ok(None);
            };
            let id = self.stand_in(dim)?;
            among = among.move_dims(DimType::Param, 0, DimType::Set, 0, 1)?;
            among = among.set_dim_id(DimType::Param, 0, &id)?;
            set = set.intersect(&value.bind_id(&id)?)?;
            all = all.add(&id)?;
        }
        let set = set.intersect(&among.params()?)?;
        set.project_out_param_id_list(&all).map(Some)
    }

    /// Stands for an index: nothing in C has such a name.
    fn stand_in(&self, dim: usize) -> Result<Id> {
        self.id(&dim.to_string())
    }

    /// A parameter as a dimension.
    fn as_dimension(&self, set: &Set, id: &Id, dim: usize) -> Result<Set> {
        match set.find_dim_by_id(DimType::Param, id)? {
            Some(position) => set.move_dims(DimType::Set, dim, DimType::Param, position, 1),
            None => set.insert_dims(DimType::Set, dim, 1),
        }
    }

    /// At most so many iterations reach a place; `i64::MAX` where no constant bounds them.
    pub fn times(&self, reach: &Reach) -> Result<i64> {
        let Some(mut set) = reach.domain.clone() else {
            return Ok(i64::MAX);
        };
        for (dim, var) in reach.inner.iter().enumerate() {
            set = self.as_dimension(&set, &self.id(var)?, dim)?;
        }
        Ok(extents(&set)?.map_or(i64::MAX, |all| volume(&all)))
    }
}

/// Where all of some conditions hold, or one of them.
fn together(
    all: &[Index],
    every: bool,
    holds: &dyn Fn(&Index) -> Result<Option<Set>>,
) -> Result<Option<Set>> {
    let mut result: Option<Set> = None;
    for one in all {
        let Some(one) = holds(one)? else {
            return Ok(None);
        };
        result = Some(match result {
            Some(before) if every => before.intersect(&one)?,
            Some(before) => before.union(&one)?,
            None => one,
        });
    }
    Ok(result)
}

/// The extents of a box of constant size that holds a set, where there is one.
pub(crate) fn extents(set: &Set) -> Result<Option<Vec<i64>>> {
    let hull = set.get_simple_fixed_box_hull()?;
    if hull.is_valid()? {
        hull.get_size()?.to_i64s()
    } else {
        Ok(None)
    }
}

/// Cells of a box.
pub(crate) fn volume(extents: &[i64]) -> i64 {
    let factors = extents.iter().map(|&extent| extent.max(0));
    factors.fold(1, i64::saturating_mul)
}

fn read_by(index: &Index, all: &mut Vec<BufferId>) {
    index.walk(&mut |part| {
        if let Index::Data(buffer, _) = part {
            all.push(*buffer);
        }
    });
}
