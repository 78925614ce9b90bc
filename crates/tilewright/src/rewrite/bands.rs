//! Bands of time: the time loop of an iterated stencil is cut into bands, and every band works on
//! arrays of its own, into which it loads what it reads and from which it stores what later bands
//! read. Done before tiles over time overlap (`crate::transform::over_time::trapezoids`): these keep the new
//! arrays in storage of their own.
//!
//! ```text
//! prepare                              next[x] = A[x], where no band writes
//! for (c…)                             rounds
//!   load  even    tile[x]  = A[x]
//!   steps even    on tile, instead of A
//!   store even    next[x]  = tile[x]
//!   load  odd     tile1[x] = next[x]
//!   steps odd     on tile1
//!   store odd     A[x]     = tile1[x]
//! finish                               A[x] = next[x], where an even band wrote last
//! ```
//!
//! Tiles of one band run in parallel, and load cells that others of them compute; so a band may
//! not store where it loads. Where an array would have it do that, bands alternate between it and
//! a second array, as above. Where none would (arrays with a full time dimension), there is one
//! band in a round, and it stores to the array itself.
//!
//! That the new program is the old one is not taken for granted: its dataflow, with the copies
//! looked through, is compared with the original's.

mod check;
#[cfg(test)]
mod tests;

use super::TransformError;
use super::height::{height, no_cone};
use super::tabulate::{fresh, nest};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::over_time::bands::{Bands, Phase, Rounds, Traffic, loads};
use crate::analysis::over_time::cone::Cone;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::plan::{Overlapped, Trapezoids};
use crate::scop::tree::walk;
use crate::scop::{
    Access, AccessKind, Action, Array, ArrayId, Assumptions, Expr, Iterator, Layout, Members,
    Origin, ScalarKind, ScalarType, Scop, Statement, StatementId, in_sequence,
};
use isl::{
    DimType, LocalSpace, Map, MultiUnionPwAff, PwAff, Schedule, Set, UnionMap, UnionPwAff,
    UnionPwMultiAff,
};

use std::rc::Rc;

type Result<T> = std::result::Result<T, TransformError>;

/// A program in bands of time.
#[derive(Clone, Debug)]
pub struct Banded {
    /// The program.
    pub scop: Scop,
    /// Its dependences.
    pub dataflow: Dataflow,
    /// What is what in it.
    pub rounds: Rounds,
}

/// The program in bands.
///
/// # Errors
/// [`TransformError::Plan`] where values stay in an array for longer than a band that bands would
/// have to alternate between, or where the new program would not be the old one.
pub fn banded(scop: &Scop, dataflow: &Dataflow, bands: &Bands) -> Result<Banded> {
    let mut alternating = Vec::new();
    for traffic in &bands.traffic {
        if !traffic.is_in_place(scop)? {
            continue;
        }
        if scop.is_possible(&traffic.old)? {
            return Err(TransformError::Plan(format!(
                "values of `{}` are read two bands after the one that writes them, and it is \
                 overwritten in place; give the tiles a greater height",
                scop.arrays[traffic.array].name
            )));
        }
        alternating.push(traffic.array);
    }
    let mut builder = Builder {
        old: scop,
        new: scop.clone(),
        bands,
        count: if alternating.is_empty() { 1 } else { 2 },
    };
    builder.new.statements.clear();
    // Statements and arrays get other names.
    builder.new.loops.independent.clear();
    let rounds = builder.build(&alternating)?;
    let mut new = builder.new;
    new.conditions.assumptions = Assumptions::of(&new.context, &new.statements)?;
    let dataflow_of_new = Dataflow::compute(&new)?;
    let banded = Banded {
        scop: new,
        dataflow: dataflow_of_new,
        rounds,
    };
    banded.check(scop, dataflow)?;
    Ok(banded)
}

impl Region {
    /// The region in bands of time, for overlapped tiles of these sizes.
    ///
    /// # Errors
    /// As [`banded`], and where it is no iterated stencil.
    pub(crate) fn in_bands(&self, plan: &Overlapped) -> Result<Region> {
        let statements: Vec<StatementId> = (0..self.scop.statements.len()).collect();
        let shape = plan.shape();
        let height = height(shape, &plan.tile_sizes)?;
        let mut bands = Bands::find(&self.scop, &self.dataflow, &statements, height)
            .map_err(|reason| no_cone(shape, reason))?;
        if plan.trapezoids == Trapezoids::Right {
            let order = Cone::find(&self.scop, &self.dataflow, &statements);
            bands.order = Some(order.map_err(|reason| no_cone(shape, reason))?);
        }
        let Banded {
            scop,
            dataflow,
            rounds,
        } = banded(&self.scop, &self.dataflow, &bands)?;
        let graph = StageGraph::build(&scop, &dataflow)?;
        Ok(Region {
            scop,
            dataflow,
            graph,
            rounds: Some(Rc::new(rounds)),
        })
    }
}

struct Builder<'s> {
    old: &'s Scop,
    new: Scop,
    bands: &'s Bands,
    /// Bands in a round.
    count: i64,
}

impl Builder<'_> {
    fn build(&mut self, alternating: &[ArrayId]) -> Result<Rounds> {
        let traffic = &self.bands.traffic;
        // The array that even bands store to, per array of the traffic.
        let mut next = Vec::new();
        for one in traffic {
            next.push(if alternating.contains(&one.array) {
                self.array(one.array, "next")
            } else {
                one.array
            });
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (one, &next) in traffic.iter().zip(&next) {
            if next != one.array {
                let [inner, rims] = self.loads(one, 1)?;
                let odd = inner
                    .union(&rims)?
                    .subtract(&self.in_rounds(&one.recent, 1)?)?;
                let cells = odd.project_out(DimType::Set, 0, 1)?.coalesce()?;
                before.extend(self.copy("prepare", &cells, one.array, next)?);
            }
        }
        let mut phases = Vec::new();
        for phase in 0..self.count {
            let (mut loads, mut stores, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
            for (one, &next) in traffic.iter().zip(&next) {
                let own = self.array(one.array, "tile");
                arrays.push(own);
                let (from, to) = match phase {
                    0 => (one.array, next),
                    _ => (next, one.array),
                };
                for cells in self.loads(one, phase)? {
                    let load = self.copy("load", &cells, from, own)?;
                    loads.extend(load.map(|load| (load, own)));
                }
                let cells = self.in_rounds(&one.leaving, phase)?;
                stores.push((cells, own, to));
            }
            let mut steps = Vec::new();
            for placed in &self.bands.cone.statements {
                steps.push(self.step(placed.statement, phase, &arrays)?);
            }
            let mut stored = Vec::new();
            for (cells, own, to) in stores {
                let store = self.copy("store", &cells, own, to)?;
                stored.extend(store.map(|store| (store, own)));
            }
            phases.push(Phase {
                loads,
                steps,
                stores: stored,
                arrays,
            });
        }
        for (one, &next) in traffic.iter().zip(&next) {
            if next != one.array {
                let even = self.in_rounds(&one.last, 0)?;
                let cells = even.project_out(DimType::Set, 0, 1)?.coalesce()?;
                after.extend(self.copy("finish", &cells, next, one.array)?);
            }
        }
        let rounds = Rounds {
            bands: self.bands.clone(),
            phases,
            before,
            after,
        };
        self.new.schedule = self.schedule(&rounds)?;
        Ok(rounds)
    }

    /// What bands of one phase load of an array.
    fn loads(&self, traffic: &Traffic, phase: i64) -> isl::Result<[Set; 2]> {
        let entering = self.in_rounds(&traffic.entering, phase)?;
        let recent = self.in_rounds(&traffic.recent, phase)?;
        // Bands that alternate store elsewhere.
        let changing = if traffic.is_in_place(self.old)? {
            Set::empty(&entering.get_space()?)?
        } else {
            self.in_rounds(&traffic.leaving, phase)?
        };
        loads(self.old, traffic.array, &entering, &recent, &changing)
    }

    /// `[band, x…]` as `[round, x…]`, those of one phase.
    fn in_rounds(&self, set: &Set, phase: i64) -> isl::Result<Set> {
        let cells = (1..set.tuple_dim()?).map(|d| format!(", x{d}"));
        let cells: String = cells.collect();
        let count = self.count;
        let text = format!("{{ [b{cells}] -> [c{cells}] : b = {count} c + {phase} }}");
        set.apply(&Map::read_from_str(&self.new.ctx, &text)?)
    }

    /// A new array of the region, like another one.
    fn array(&mut self, like: ArrayId, what: &str) -> ArrayId {
        let old = &self.old.arrays[like];
        let name = fresh(&self.new, &format!("{}_{what}", old.name), 0);
        let array = Array {
            base: name.clone(),
            name,
            members: Members::default(),
            layout: Layout::Subscripts,
            live_in: false,
            live_out: false,
            origin: Origin::Region { depth: 0 },
            variable: None,
            ..old.clone()
        };
        self.new.arrays.push(array);
        self.new.arrays.len() - 1
    }

    /// A statement that copies cells of one array to another: the last dimensions of its
    /// instances. `None` where there are none.
    fn copy(
        &mut self,
        what: &str,
        cells: &Set,
        from: ArrayId,
        to: ArrayId,
    ) -> Result<Option<StatementId>> {
        if !self.old.is_possible(cells)? {
            return Ok(None);
        }
        let new = &mut self.new;
        let name = fresh(new, &format!("{what}_{}", new.arrays[to].name), 0);
        let domain = cells.set_tuple_name(&name)?;
        let dims = domain.tuple_dim()?;
        let rank = new.arrays[from].extents.len();
        let space = domain.get_space()?;
        let local = LocalSpace::from_space(&space)?;
        let mut accesses = Vec::new();
        for (array, kind) in [(from, AccessKind::Read), (to, AccessKind::Write)] {
            let relation = Set::universe(&space)?
                .identity()?
                .project_out(DimType::Out, 0, dims - rank)?
                .set_tuple_name(DimType::Out, &new.arrays[array].name)?
                .intersect_domain(&domain)?;
            let cell = (dims - rank)..dims;
            let mut affine = Vec::new();
            for position in cell.clone() {
                affine.push(Some(PwAff::var_on_domain(&local, DimType::Set, position)?));
            }
            accesses.push(Access {
                array,
                kind,
                exact: true,
                relation,
                subscripts: cell.map(Expr::Iterator).collect(),
                affine,
                span: self.old.place.span,
            });
        }
        let mut iterators: Vec<Iterator> = (0..rank).map(|d| counter(&format!("x{d}"))).collect();
        if dims > rank {
            iterators.insert(0, counter("round"));
        }
        new.statements.push(Statement {
            name,
            domain,
            iterators,
            body: vec![Action::Assign {
                target: 1,
                value: Expr::Access(0),
            }],
            accesses,
            span: self.old.place.span,
        });
        Ok(Some(new.statements.len() - 1))
    }

    /// From `S_p[c, t, i…]` to `S[t, i…]`, the instances in one phase.
    fn strip(&self, name: &str, old: &Statement, phase: i64) -> isl::Result<Map> {
        let others = (1..old.iterators.len()).map(|i| format!(", x{i}"));
        let others: String = others.collect();
        let (count, length) = (self.count, self.bands.iterations);
        let first = self.bands.start + length * phase;
        let begin = format!("{} c + {first}", length * count);
        let text = format!(
            "{{ {name}[c, t{others}] -> {}[t{others}] : {begin} <= t < {begin} + {length} }}",
            old.name
        );
        Map::read_from_str(&self.new.ctx, &text)?.intersect_range(&old.domain)
    }

    /// A statement as it is in one band of a round, on that band's own arrays.
    fn step(&mut self, id: StatementId, phase: i64, own: &[ArrayId]) -> Result<StatementId> {
        let old = &self.old.statements[id];
        let name = match self.count {
            1 => old.name.clone(),
            _ => fresh(&self.new, &format!("{}_band{phase}", old.name), 0),
        };
        let strip = self.strip(&name, old, phase)?;
        let domain = strip.domain()?;
        let down = Set::universe(&domain.get_space()?)?
            .identity()?
            .project_out(DimType::Out, 0, 1)?
            .set_tuple_name(DimType::Out, &old.name)?
            .as_pw_multi_aff()?
            .as_multi_aff()?;
        let mut new = old.clone();
        for access in &mut new.accesses {
            let traffic = &self.bands.traffic;
            if let Some(number) = traffic.iter().position(|one| one.array == access.array) {
                access.array = own[number];
            }
            access.relation = strip
                .apply_range(&access.relation)?
                .set_tuple_name(DimType::Out, &self.new.arrays[access.array].name)?;
            for affine in access.affine.iter_mut().flatten() {
                *affine = affine.pullback_multi_aff(&down)?;
            }
            for subscript in &mut access.subscripts {
                *subscript = one_further(subscript);
            }
        }
        new.body = new.body.iter().map(further).collect();
        new.iterators.insert(0, counter("round"));
        new.domain = domain;
        new.name = name;
        self.new.statements.push(new);
        Ok(self.new.statements.len() - 1)
    }

    /// The order of the new program.
    fn schedule(&self, rounds: &Rounds) -> Result<Schedule> {
        let domain = |id: StatementId| &self.new.statements[id].domain;
        let nests = |ids: &[(StatementId, ArrayId)]| -> Result<Vec<Schedule>> {
            ids.iter().map(|(id, _)| nest(domain(*id), 1)).collect()
        };
        let mut parts = Vec::new();
        for (number, phase) in rounds.phases.iter().enumerate() {
            parts.extend(nests(&phase.loads)?);
            let mut strips = UnionMap::empty_ctx(&self.new.ctx)?;
            for (&id, placed) in phase.steps.iter().zip(&self.bands.cone.statements) {
                let name = &self.new.statements[id].name;
                let old = &self.old.statements[placed.statement];
                strips = strips.add_map(&self.strip(name, old, number as i64)?)?;
            }
            let inside = strips.domain()?;
            let strips = UnionPwMultiAff::from_union_map(&strips)?;
            let steps = self.old.schedule.pullback_union_pw_multi_aff(&strips)?;
            parts.push(steps.intersect_domain(&inside)?);
            parts.extend(nests(&phase.stores)?);
        }
        let mut all = Vec::new();
        for &id in &rounds.before {
            all.push(nest(domain(id), 0)?);
        }
        if let Some(bands) = in_sequence(parts)? {
            let ids = rounds.phases.iter().flat_map(|phase| {
                let copies = phase.loads.iter().chain(&phase.stores).map(|(id, _)| *id);
                copies.chain(phase.steps.iter().copied())
            });
            let node = walk::top(&bands)?;
            let member = first_iterator(&self.new, ids)?;
            all.push(node.insert_partial_schedule(&member)?.get_schedule()?);
        }
        for &id in &rounds.after {
            all.push(nest(domain(id), 0)?);
        }
        in_sequence(all)?
            .ok_or_else(|| TransformError::Plan("the region computes nothing".to_owned()))
    }
}

/// The first iterator of some statements, as a schedule.
fn first_iterator(
    scop: &Scop,
    statements: impl std::iter::Iterator<Item = StatementId>,
) -> isl::Result<MultiUnionPwAff> {
    let mut all: Option<UnionPwAff> = None;
    for id in statements {
        let domain = &scop.statements[id].domain;
        let local = LocalSpace::from_space(&domain.get_space()?)?;
        let first = PwAff::var_on_domain(&local, DimType::Set, 0)?;
        all = Some(match all {
            Some(all) => all.add_pw_aff(&first)?,
            None => UnionPwAff::from_pw_aff(&first)?,
        });
    }
    match all {
        Some(all) => MultiUnionPwAff::from_union_pw_aff(&all),
        None => MultiUnionPwAff::from_union_map(&UnionMap::empty_ctx(&scop.ctx)?),
    }
}

fn counter(name: &str) -> Iterator {
    Iterator {
        name: name.to_owned(),
        ctype: ScalarType {
            kind: ScalarKind::I64,
            spelling: "long".to_owned(),
        },
    }
}

/// An expression of a statement that has got another iterator in front.
fn one_further(expr: &Expr) -> Expr {
    expr.map(&mut |e| match e {
        Expr::Iterator(number) => Some(Expr::Iterator(number + 1)),
        _ => None,
    })
}

/// The same for a step of its body.
fn further(action: &Action) -> Action {
    let all = |actions: &[Action]| actions.iter().map(further).collect();
    match action {
        Action::Assign { target, value } => Action::Assign {
            target: *target,
            value: one_further(value),
        },
        Action::Local { name, ctype, value } => Action::Local {
            name: name.clone(),
            ctype: ctype.clone(),
            value: value.as_ref().map(one_further),
        },
        Action::SetLocal { name, value } => Action::SetLocal {
            name: name.clone(),
            value: one_further(value),
        },
        Action::Call(call) => Action::Call(one_further(call)),
        Action::If {
            condition,
            then,
            otherwise,
        } => Action::If {
            condition: one_further(condition),
            then: all(then),
            otherwise: all(otherwise),
        },
        Action::Repeat { condition, body } => Action::Repeat {
            condition: one_further(condition),
            body: all(body),
        },
        Action::Leave => Action::Leave,
    }
}
