//! Results of some rows and columns are kept in variables over the loop that adds to them: a tile of
//! registers (Goto & van de Geijn, *Anatomy of high-performance matrix multiplication*, ACM TOMS 2008).
//!
//! The schedule has the strips outside and the rows inside the vector loop
//! ([`crate::transform::jam`]):
//!
//! ```text
//!                                 if (4 rows, 2 or more values of k)
//!                                   scope s[4][24]
//! for k                               for j in 0..24 { s[0][j] = c[i][j] + a(i, k0, j); … }
//!   for j in lo..=hi           →      for k            for j … { s[0][j] = s[0][j] + a(i, k, j); … }
//!     for r in i..=i + 3              for j in 0..24 { c[i][j] = s[0][j] + a(i, k1, j); … }
//!       c[r][j] += a(r, k, j)       else
//!                                     for r  for k  for j { c[r][j] += a(r, k, j) }
//! ```
//!
//! The first iteration reads the cells, the last one stores them. Compilers write the inner loops out
//! where the strip is complete, which has a text of its own, and keep the small array in vector
//! registers; in the last strip, whose columns are fewer, it stays near, whatever the distance of the
//! result's rows. Rows of a triangle, of which some do not reach all columns of a strip, are done one by
//! one. Each cell is added to in the order that it was.

use crate::codegen::kernel::{
    Comparison, DynamicBounds, Index, Instance, Loop, Node, Place, PlaceIndex,
};
use crate::codegen::passes::unroll::{at_most, constant, takes_work};
use crate::codegen::terms::index::{compare, logic};
use crate::codegen::terms::substitute::with;
use crate::mistakes::mistake;
use crate::scop::{AccessKind, Action, Scop};
use crate::transform::{BufferId, BufferKind, Transformed};

/// Keeps results in the buffers of the kind [`BufferKind::Accumulators`] wherever loops have the form.
pub(crate) fn keep(scop: &Scop, transformed: &Transformed, nodes: Vec<Node>) -> Vec<Node> {
    let kind = |kind: &BufferKind| matches!(kind, BufferKind::Accumulators { .. });
    if !transformed.buffers.iter().any(|buffer| kind(&buffer.kind)) {
        return nodes;
    }
    let pass = Pass { scop, transformed };
    pass.all(nodes)
}

struct Pass<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
}

/// A loop that adds to cells, and what it adds to.
struct Adding<'a> {
    /// The loop whose iterations add to the same cells.
    over: &'a Loop,
    /// The vector loop in it.
    lanes: &'a Loop,
    /// The loop over rows in that, which is written out.
    rows: &'a Loop,
    /// What it does.
    instances: Vec<&'a Instance>,
    /// The cells by their buffers.
    cells: Vec<Cells>,
    scope: usize,
}

/// The cells of one buffer that an iteration adds to.
struct Cells {
    buffer: BufferId,
    /// Where they are kept.
    kept: BufferId,
    /// The number of the last instance that writes them.
    last: usize,
}

/// Which iteration it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Between,
    Last,
}

impl Pass<'_> {
    fn all(&self, nodes: Vec<Node>) -> Vec<Node> {
        let one = |node: Node| {
            let kept = match &node {
                Node::For(each) => self.adding(each).map(|adding| self.kept(&adding)),
                _ => None,
            };
            kept.unwrap_or_else(|| node.map_children(&|nodes| self.all(nodes)))
        };
        nodes.into_iter().map(one).collect()
    }

    /// The loop, if nothing but the loops of a tile of registers is in it.
    fn adding<'n>(&self, over: &'n Loop) -> Option<Adding<'n>> {
        let [Node::For(lanes)] = &over.body[..] else {
            return None;
        };
        let [Node::For(rows)] = &lanes.body[..] else {
            return None;
        };
        let plain = |each: &Loop| {
            each.step == 1
                && each.rows <= 1
                && !each.parallel
                && each.dynamic == DynamicBounds::default()
        };
        let form = [over, lanes, rows].into_iter().all(plain)
            && !over.simd
            && over.unroll <= 1
            && lanes.simd
            && !rows.simd
            && rows.unroll > 1;
        let bounds = [&lanes.lower, &lanes.upper, &rows.lower, &rows.upper];
        if !form || bounds.iter().any(|bound| bound.mentions(&over.var)) {
            return None;
        }
        let slopes = rows.lowers().iter().chain(rows.uppers());
        let mut slopes = slopes.map(|bound| step(bound, &lanes.var));
        if !slopes.all(|slope| matches!(slope, Some(-1..=1))) {
            return None;
        }
        let instances = rows.body.iter().map(|node| match node {
            Node::Statement(instance) => Some(instance),
            _ => None,
        });
        let instances: Vec<&Instance> = instances.collect::<Option<_>>()?;
        let mut adding = Adding {
            over,
            lanes,
            rows,
            instances,
            cells: Vec::new(),
            scope: 0,
        };
        self.find_cells(&mut adding)?;
        Some(adding)
    }

    /// The cells that an iteration adds to, if each instance stores one value, and no other cells of
    /// their arrays are read or written.
    fn find_cells(&self, adding: &mut Adding<'_>) -> Option<()> {
        let mut places: Vec<&Place> = Vec::new();
        for (number, instance) in adding.instances.iter().enumerate() {
            let actions = instance.actions(self.scop);
            let [Action::Assign { target, .. }] = &*actions else {
                return None;
            };
            let place = &instance.accesses[*target];
            match places.iter().position(|known| known.buffer == place.buffer) {
                Some(known) => {
                    adding.cells[known].last = number;
                }
                None => {
                    let (kept, scope) = self.buffer_for(adding, place)?;
                    if !adding.cells.is_empty() && scope != adding.scope {
                        return None;
                    }
                    adding.scope = scope;
                    adding.cells.push(Cells {
                        buffer: place.buffer,
                        kept,
                        last: number,
                    });
                    places.push(place);
                }
            }
        }
        for instance in &adding.instances {
            for place in &instance.accesses {
                let known = places.iter().find(|known| known.buffer == place.buffer);
                if known.is_some_and(|known| *known != place) {
                    return None;
                }
            }
        }
        let each = places.iter().all(|place| is_each_once(place, adding));
        (each && !places.is_empty()).then_some(())
    }

    /// The buffer in which results are kept that are stored at a place, and its scope.
    fn buffer_for(&self, adding: &Adding<'_>, place: &Place) -> Option<(BufferId, usize)> {
        let array = self.transformed.buffers[place.buffer].array;
        let mut all = self.transformed.buffers.iter().enumerate();
        all.find_map(|(id, buffer)| match buffer.kind {
            BufferKind::Accumulators {
                scope,
                extents: [rows, columns],
            } if buffer.array == array
                && adding.rows.unroll == rows
                && at_most(adding.rows, rows)
                && at_most(adding.lanes, columns) =>
            {
                Some((id, scope))
            }
            _ => None,
        })
    }

    fn columns(&self, adding: &Adding<'_>) -> i64 {
        match self.transformed.buffers[adding.cells[0].kept].kind {
            BufferKind::Accumulators { extents, .. } => extents[1],
            _ => 0,
        }
    }

    fn kept(&self, adding: &Adding<'_>) -> Node {
        let Adding {
            over, lanes, rows, ..
        } = adding;
        let columns = self.columns(adding);
        let mut conditions = in_all_lanes(adding);
        let complete = logic(complete(lanes, columns), 1);
        let two = over.lower.plus(&Index::Int(1));
        conditions.push(compare(Comparison::GreaterEqual, over.upper.clone(), two));
        // Values that take work are computed once.
        let mut named = Vec::new();
        let mut once = |each: &Loop, value: &Index, suffix: &str| {
            if takes_work(value) {
                let name = format!("{}_{suffix}", each.var);
                named.push((name.clone(), value.clone()));
                Index::var(&name)
            } else {
                value.clone()
            }
        };
        let (Some(row), Some(lane)) = (strip(rows, rows.unroll), strip(lanes, columns)) else {
            return one_by_one(adding);
        };
        let first = once(over, &over.lower, "first");
        let end = once(over, &over.upper, "end");
        let whole = Begin {
            over: first.clone(),
            lanes: lane.clone(),
            rows: row.clone(),
        };
        let part = Begin {
            over: first,
            lanes: once(lanes, &lanes.lower, "first"),
            rows: row.clone(),
        };
        let last = once(lanes, &lanes.upper.minus(&part.lanes), "end");
        let one = Index::Int(1);
        let between = [whole.over.plus(&one), end.minus(&one)];
        let turns = |begin: &Begin, last: Index| {
            let turn = |turn, at: &Index| self.turn(adding, begin, &last, turn, at);
            let inside = vec![turn(Turn::Between, &Index::var(&over.var))];
            vec![
                turn(Turn::First, &begin.over),
                Node::For(Loop::sequential(
                    over.var.clone(),
                    between.clone(),
                    1,
                    inside,
                )),
                turn(Turn::Last, &end),
            ]
        };
        let then = turns(&whole, Index::Int(columns - 1));
        let body = match complete {
            Index::Int(1) => then,
            condition => vec![Node::If {
                condition,
                then,
                otherwise: turns(&part, last),
            }],
        };
        let scope = Node::Scope {
            scope: adding.scope,
            body,
        };
        let named = named.iter().rev();
        let then = named.fold(scope, |node, (name, value)| {
            constant(name, value, node, over)
        });
        match logic(conditions, 1) {
            Index::Int(0) => one_by_one(adding),
            Index::Int(_) => then,
            condition => Node::If {
                condition,
                then: vec![then],
                otherwise: vec![one_by_one(adding)],
            },
        }
    }

    /// One iteration of the loop that adds, at a value of its variable; `last`: of the vector loop,
    /// counted from its first.
    fn turn(
        &self,
        adding: &Adding<'_>,
        begin: &Begin,
        last: &Index,
        turn: Turn,
        value: &Index,
    ) -> Node {
        let Adding {
            over, lanes, rows, ..
        } = adding;
        let lane = begin.lanes.plus(&Index::var(&lanes.var));
        let copies = (0..rows.unroll).map(|row| {
            let at = begin.rows.plus(&Index::Int(row));
            let numbered = adding.instances.iter().enumerate();
            let instances = numbered.map(|(number, instance)| {
                let node = Node::Statement((*instance).clone());
                let node = with(&node, &rows.var, &at);
                let node = with(&node, &over.var, value);
                match with(&node, &lanes.var, &lane) {
                    Node::Statement(instance) => {
                        let place = [Index::Int(row), Index::var(&lanes.var)];
                        Node::Statement(self.redirected(adding, instance, number, turn, &place))
                    }
                    node => node,
                }
            });
            instances.collect::<Vec<_>>()
        });
        Node::For(Loop {
            lower: Index::Int(0),
            upper: last.clone(),
            body: vec![Node::Copies(copies.collect())],
            ..(*lanes).clone()
        })
    }

    /// An instance of a turn that reads and writes what is kept in the place of cells.
    fn redirected(
        &self,
        adding: &Adding<'_>,
        instance: Instance,
        number: usize,
        turn: Turn,
        place: &[Index; 2],
    ) -> Instance {
        let statement = &self.scop.statements[instance.statement];
        let mut accesses = instance.accesses.clone();
        for (access, to) in statement.accesses.iter().zip(&mut accesses) {
            let Some(cells) = adding.cells.iter().find(|cells| cells.buffer == to.buffer) else {
                continue;
            };
            let reads = access.kind == AccessKind::Read;
            // What an instance in front of it in the same iteration wrote is kept.
            let is_first = adding.instances[..number]
                .iter()
                .all(|before| !self.writes(before, cells.buffer));
            let in_memory = match turn {
                Turn::First => reads && is_first,
                Turn::Between => false,
                Turn::Last if reads => number > cells.last,
                Turn::Last => number == cells.last && !mistake!(AccumulatorsNotStored),
            };
            if !in_memory {
                let indices = place.iter().cloned().map(PlaceIndex::Affine);
                *to = Place {
                    buffer: cells.kept,
                    indices: indices.collect(),
                };
            }
        }
        Instance {
            accesses,
            ..instance
        }
    }

    fn writes(&self, instance: &Instance, buffer: BufferId) -> bool {
        let accesses = &self.scop.statements[instance.statement].accesses;
        let mut places = accesses.iter().zip(&instance.accesses);
        places.any(|(access, place)| access.kind == AccessKind::Write && place.buffer == buffer)
    }
}

/// First values of the loops.
struct Begin {
    over: Index,
    lanes: Index,
    rows: Index,
}

/// How much an index grows from one value of a variable to the next.
fn step(index: &Index, var: &str) -> Option<i64> {
    let next = Index::var(var).plus(&Index::Int(1));
    index.with(var, &next).distance(index)
}

/// The first value of a strip of so many iterations, in which a loop's are: all of them where the
/// loop has as many.
fn strip(each: &Loop, length: i64) -> Option<&Index> {
    let mut lowers = each.lowers().iter();
    lowers.find(|lower| {
        let mut uppers = each.uppers().iter();
        uppers.any(|upper| upper.distance(lower) == Some(length - 1))
    })
}

/// Conditions that a loop has so many iterations, of which it has no more.
fn complete(each: &Loop, count: i64) -> Vec<Index> {
    let mut all = Vec::new();
    for upper in each.uppers() {
        for lower in each.lowers() {
            let least = lower.plus(&Index::Int(count - 1));
            all.push(compare(Comparison::GreaterEqual, upper.clone(), least));
        }
    }
    all
}

/// Conditions that all rows are there in each lane: in the first one where later ones have more of
/// them, in the last one where they have fewer.
fn in_all_lanes(adding: &Adding<'_>) -> Vec<Index> {
    let Adding { lanes, rows, .. } = adding;
    let mut all = Vec::new();
    for upper in rows.uppers() {
        for lower in rows.lowers() {
            let [at_upper, at_lower] = [upper, lower].map(|bound| step(bound, &lanes.var));
            let ends = match at_upper.unwrap_or(0) - at_lower.unwrap_or(0) {
                0.. => lanes.lowers(),
                _ => lanes.uppers(),
            };
            // Lanes are behind each of their first values: one that is far enough will do.
            let far = ends.iter().map(|end| {
                let [upper, lower] = [upper, lower].map(|bound| bound.with(&lanes.var, end));
                let least = lower.plus(&Index::Int(rows.unroll - 1));
                compare(Comparison::GreaterEqual, upper, least)
            });
            all.push(logic(far.collect(), 0));
        }
    }
    all
}

/// The loops with that over rows outermost, whose bounds by lanes become bounds of the lanes.
fn one_by_one(adding: &Adding<'_>) -> Node {
    let Adding {
        over, lanes, rows, ..
    } = adding;
    let row = Index::var(&rows.var);
    let (mut lowers, mut uppers) = (lanes.lowers().to_vec(), lanes.uppers().to_vec());
    // Of `row >= a - lane` and its like, what the lane is at least or at most.
    let mut turned = |bound: &Index, is_upper: bool| {
        let slope = step(bound, &lanes.var).unwrap_or(0);
        if slope == 0 {
            return true;
        }
        let rest = bound.minus(&Index::var(&lanes.var).times(slope));
        let value = match slope {
            1 => row.minus(&rest),
            _ => rest.minus(&row),
        };
        if is_upper == (slope == 1) {
            lowers.push(value);
        } else {
            uppers.push(value);
        }
        false
    };
    let own = |bounds: &[Index], is_upper, turned: &mut dyn FnMut(&Index, bool) -> bool| {
        let kept = bounds.iter().filter(|bound| turned(bound, is_upper));
        kept.cloned().collect::<Vec<Index>>()
    };
    let first = own(rows.lowers(), false, &mut turned);
    let last = own(rows.uppers(), true, &mut turned);
    let lanes = Loop {
        lower: Index::max_of(lowers),
        upper: Index::min_of(uppers),
        body: rows.body.clone(),
        ..(*lanes).clone()
    };
    let over = Loop {
        body: vec![Node::For(lanes)],
        ..(*over).clone()
    };
    Node::For(Loop {
        lower: Index::max_of(first),
        upper: Index::min_of(last),
        unroll: 1,
        body: vec![Node::For(over)],
        ..(*rows).clone()
    })
}

/// Whether each lane and row has a cell of its own at a place, the same in all iterations of the loop
/// that adds.
fn is_each_once(place: &Place, adding: &Adding<'_>) -> bool {
    let (lane, row) = (&adding.lanes.var, &adding.rows.var);
    let (mut by_lane, mut by_row) = (false, false);
    for index in &place.indices {
        let PlaceIndex::Affine(index) = index else {
            return false;
        };
        let (Some(along), Some(across)) = (step(index, lane), step(index, row)) else {
            return false;
        };
        if index.mentions(&adding.over.var) {
            return false;
        }
        by_lane |= along != 0 && across == 0;
        by_row |= along == 0 && across != 0;
    }
    by_lane && by_row
}
