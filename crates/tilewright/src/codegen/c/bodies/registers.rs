//! Cells that a loop stores to again and again are variables while it runs (scalar replacement;
//! Callahan, Carr & Kennedy, PLDI 1990).
//!
//! ```text
//! double tw_r = r[i];
//! for (j = 0; j < m; j++)
//!     tw_r = tw_r + A[i][j] * x[j];
//! r[i] = tw_r;
//! ```
//!
//! A compiler does so itself where it knows that nothing else is stored there, which `restrict` does
//! not tell it inside a parallel region.
//!
//! That no cell is touched that was not touched before is seen to: the loop runs at least once, by
//! a condition around it; the store is under no other condition unless the memory is the region's own,
//! and whatever uses the cell first reads it.

use crate::codegen::c::{Context, Printer};
use crate::codegen::kernel::{Comparison, Index, Instance, Kernel, Loop, Node, Place, PlaceIndex};
use crate::codegen::passes::Pass;
use crate::codegen::terms::index::{compare, logic};
use crate::codegen::terms::sum::Linear;
use crate::scop::{AccessId, AccessKind, Action, Origin};
use crate::transform::BufferId;

/// What is executed in a loop whenever it runs.
struct Body<'n> {
    instances: Vec<&'n Instance>,
    /// Variables of the loop and of those inside.
    variables: Vec<&'n str>,
    /// Buffers that are declared inside the loop.
    own: Vec<BufferId>,
}

impl<'n> Body<'n> {
    /// `None` where there are conditions, or loops inside that may be empty.
    fn of(kernel: &Kernel, each: &'n Loop) -> Option<Body<'n>> {
        let mut body = Body {
            instances: Vec::new(),
            variables: vec![&each.var],
            own: Vec::new(),
        };
        body.add(kernel, &each.body)?;
        Some(body)
    }

    fn add(&mut self, kernel: &Kernel, nodes: &'n [Node]) -> Option<()> {
        for node in nodes {
            match node {
                Node::Statement(instance) => self.instances.push(instance),
                Node::For(inner)
                    if inner.iterations()? > 0 && !inner.simd && !inner.dynamic.ends_early =>
                {
                    self.variables.push(&inner.var);
                    self.add(kernel, &inner.body)?;
                }
                Node::Scope { scope, body } => {
                    let own = kernel.buffers.iter().filter(|b| b.scope == *scope);
                    self.own.extend(own.map(|buffer| buffer.buffer));
                    self.add(kernel, body)?;
                }
                Node::Block { variables, body } => {
                    self.own.extend(variables);
                    self.add(kernel, body)?;
                }
                _ => return None,
            }
        }
        Some(())
    }
}

/// Whether a loop runs at all.
fn runs(each: &Loop) -> Index {
    let lowers = match &each.lower {
        Index::Max(all) => &all[..],
        other => std::slice::from_ref(other),
    };
    let uppers = match &each.upper {
        Index::Min(all) => &all[..],
        other => std::slice::from_ref(other),
    };
    let pairs = lowers
        .iter()
        .flat_map(|lower| uppers.iter().map(move |upper| (lower, upper)));
    // `m >= 1` for `0 <= m - 1`.
    let at_most = |(lower, upper): (&Index, &Index)| {
        let distance = upper.minus(lower);
        let constant = Linear::of(&distance).map_or(0, |sum| sum.constant);
        let least = Index::Int(constant.saturating_neg());
        compare(Comparison::GreaterEqual, distance.plus(&least), least)
    };
    logic(pairs.map(at_most).collect(), 1)
}

/// Whether two places of a buffer are certainly different cells; one of them is the same all the
/// time.
fn differ(one: &Place, other: &Place) -> bool {
    let mut pairs = one.indices.iter().zip(&other.indices);
    let differs = |pair: (&PlaceIndex, &PlaceIndex)| match pair {
        (PlaceIndex::Affine(a), PlaceIndex::Affine(b)) => a.differs_from(b),
        _ => false,
    };
    one.buffer == other.buffer && pairs.any(differs)
}

impl Printer<'_> {
    /// Prints a loop with cells in variables around it; `false`: there are none.
    pub(in crate::codegen::c) fn in_registers(&mut self, each: &Loop, at: Context) -> bool {
        let found = self.registers_of(each);
        if found.is_empty() {
            return false;
        }
        let open = match runs(each) {
            Index::Int(1) => "{".to_owned(),
            condition => format!("if ({}) {{", self.condition(&condition)),
        };
        self.line(at, &open);
        let (names, inside) = (self.spellings.names.clone(), at.deeper());
        let outside = self.here.registers.len();
        let mut cells = Vec::new();
        for (place, instance) in found {
            let array = &self.scop.arrays[self.transformed.buffers[place.buffer].array];
            let name = self.spellings.names.fresh(&array.name);
            let (element, cell) = (&array.element.spelling, self.place(&place, instance));
            self.line(inside, &format!("{element} {name} = {cell};"));
            cells.push((cell, name.clone()));
            self.here.registers.push((place, name));
        }
        self.each(each, inside);
        self.here.registers.truncate(outside);
        for (cell, name) in cells {
            self.line(inside, &format!("{cell} = {name};"));
        }
        self.spellings.names = names;
        self.line(at, "}");
        true
    }

    /// The variable that holds a cell.
    pub(in crate::codegen::c) fn register(&self, place: &Place) -> Option<String> {
        let known = self.here.registers.iter().find(|(of, _)| of == place);
        known.map(|(_, name)| name.clone())
    }

    /// The cells that are variables while a loop runs, each with an instance that stores to it.
    fn registers_of<'n>(&self, each: &'n Loop) -> Vec<(Place, &'n Instance)> {
        let plain = self.options.does(Pass::Print)
            && self.spellings.device.is_none()
            && !each.parallel
            && !each.simd
            && !each.dynamic.ends_early
            && each.dynamic.fixed.is_none();
        let Some(body) = Body::of(self.kernel, each).filter(|_| plain) else {
            return Vec::new();
        };
        let mut found: Vec<(Place, &Instance)> = Vec::new();
        for instance in &body.instances {
            for target in self.targets(instance.actions(self.scop).iter(), instance) {
                let place = &instance.accesses[target];
                let known = found.iter().any(|(other, _)| other == place);
                if !known && self.register(place).is_none() && self.stays(place, &body) {
                    found.push((place.clone(), instance));
                }
            }
        }
        found
    }

    /// What actions assign to: always, or, in memory of the region's own, under a condition.
    fn targets<'a>(
        &self,
        actions: impl Iterator<Item = &'a Action>,
        instance: &Instance,
    ) -> Vec<AccessId> {
        let mut all = Vec::new();
        for action in actions {
            match action {
                Action::Assign { target, .. } => all.push(*target),
                Action::If {
                    then, otherwise, ..
                } => {
                    let mut inside = self.targets(then.iter().chain(otherwise), instance);
                    inside.retain(|target| {
                        let buffer = &self.transformed.buffers[instance.accesses[*target].buffer];
                        let origin = self.scop.arrays[buffer.array].origin;
                        matches!(origin, Origin::Region { .. })
                    });
                    all.extend(inside);
                }
                _ => {}
            }
        }
        all
    }

    /// Whether a place is the same cell all the time, is read first, and no other access in the loop
    /// may be to this cell.
    fn stays(&self, place: &Place, body: &Body<'_>) -> bool {
        let moves = |index: &PlaceIndex| match index {
            PlaceIndex::Affine(index) => {
                index.is_data() || body.variables.iter().any(|var| index.mentions(var))
            }
            PlaceIndex::Data { .. } => true,
        };
        // Compilers keep what is a variable, or an array with numbers for subscripts.
        let number = |index: &PlaceIndex| matches!(index, PlaceIndex::Affine(Index::Int(_)));
        let mut locals = self.kernel.buffers.iter();
        let is_variable =
            locals.any(|local| local.buffer == place.buffer) && place.indices.iter().all(number);
        let own = body.own.contains(&place.buffer);
        if own || is_variable || place.indices.is_empty() || place.indices.iter().any(moves) {
            return false;
        }
        let mut first = None;
        for instance in &body.instances {
            let statement = &self.scop.statements[instance.statement];
            let (mut used, mut read) = (false, false);
            for (access, other) in statement.accesses.iter().zip(&instance.accesses) {
                if !self.kernel.is_one_memory(place.buffer, other.buffer) {
                    continue;
                }
                if other != place && differ(other, place) {
                    continue;
                }
                if other != place || self.transformed.atomic.contains(&instance.statement) {
                    return false;
                }
                used = true;
                read |= access.kind == AccessKind::Read;
            }
            if used {
                first.get_or_insert(read);
            }
        }
        first == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::kernel::LocalBuffer;
    use crate::scop::{ScalarKind, ScalarType};

    /// What a block or a scope inside a loop declares does not outlive an iteration.
    #[test]
    fn what_is_declared_inside_is_no_cell_of_the_loop() {
        let buffer = |buffer, scope| LocalBuffer {
            buffer,
            name: String::new(),
            element: ScalarType {
                kind: ScalarKind::F64,
                spelling: "double".to_owned(),
            },
            extents: vec![1],
            scope,
            shared: None,
            in_registers: false,
        };
        let kernel = Kernel {
            body: Vec::new(),
            buffers: vec![buffer(1, 0), buffer(2, 7)],
            temporaries: Vec::new(),
        };
        let inside = vec![
            Node::Block {
                variables: vec![5],
                body: Vec::new(),
            },
            Node::Scope {
                scope: 7,
                body: Vec::new(),
            },
        ];
        let bounds = [Index::Int(0), Index::Int(9)];
        let each = Loop::sequential("i".to_owned(), bounds, 1, inside);
        let body = Body::of(&kernel, &each).unwrap();
        assert_eq!(body.own, [5, 2]);
    }
}
