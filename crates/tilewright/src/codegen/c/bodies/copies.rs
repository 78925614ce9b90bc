//! Copies of a loop's body for successive iterations: all values first, then what is stored
//! (scalar replacement; Callahan, Carr & Kennedy, PLDI 1990).
//!
//! ```text
//! float tw_v0 = img[i][j] + img[i + 1][j];
//! float tw_v1 = img[i + 1][j] + img[i + 2][j];
//! out[i][j] = tw_v0;
//! out[i + 1][j] = tw_v1;
//! ```
//!
//! No store stands between the loads then, so that compilers load once what several copies read
//! without knowing which arrays overlap. A value that a copy reads back is read from its variable.
//! Where it cannot be seen that a copy does not read another place that an earlier one writes, the
//! copies stand one after another as they are.

use crate::codegen::c::{Context, Printer};
use crate::codegen::kernel::{Instance, Node, Place, PlaceIndex};
use crate::codegen::passes::Pass;
use crate::mistakes::mistake;
use crate::scop::{AccessId, AccessKind, Action, Expr, Scop};
use crate::transform::BufferId;
use std::borrow::Cow;

/// A copy as assignments, with the variables that are its own.
struct Flat<'n> {
    own: Vec<BufferId>,
    instances: Vec<&'n Instance>,
}

/// What a statement that is nothing but an assignment assigns to, and what.
fn assignment<'s>(scop: &'s Scop, instance: &Instance) -> Option<(AccessId, Cow<'s, Expr>)> {
    match instance.actions(scop) {
        Cow::Borrowed([Action::Assign { target, value }]) => Some((*target, Cow::Borrowed(value))),
        Cow::Borrowed(_) => None,
        Cow::Owned(actions) => match <[Action; 1]>::try_from(actions) {
            Ok([Action::Assign { target, value }]) => Some((target, Cow::Owned(value))),
            _ => None,
        },
    }
}

/// Whether two places of one buffer are known to be the same cell, or different ones.
fn same_cell(a: &Place, b: &Place) -> Option<bool> {
    let affine = |index: &PlaceIndex| matches!(index, PlaceIndex::Affine(_));
    if a == b && a.indices.iter().all(affine) {
        return Some(true);
    }
    let apart = a.indices.iter().zip(&b.indices).any(|pair| match pair {
        (PlaceIndex::Affine(a), PlaceIndex::Affine(b)) => a.differs_from(b),
        _ => false,
    });
    apart.then_some(false)
}

impl Printer<'_> {
    /// Copies in order; `alone`: nothing else is in the enclosing block.
    pub(in crate::codegen::c) fn copies(&mut self, copies: &[Vec<Node>], alone: bool, at: Context) {
        let flat = if self.options.does(Pass::Print) {
            self.values_first(copies)
        } else {
            None
        };
        let Some(flat) = flat else {
            for copy in copies {
                self.line(at, "{");
                self.nodes(copy, at.deeper());
                self.line(at, "}");
            }
            return;
        };
        if alone {
            return self.values_then_stores(&flat, at);
        }
        self.line(at, "{");
        self.values_then_stores(&flat, at.deeper());
        self.line(at, "}");
    }

    fn values_then_stores(&mut self, copies: &[Flat<'_>], at: Context) {
        // Their names end with the block.
        let (names, bases) = (self.spellings.names.clone(), self.spellings.bases.clone());
        let mut stores: Vec<(&Instance, &Place)> = Vec::new();
        for (number, copy) in copies.iter().enumerate() {
            let mut declared: Vec<BufferId> = Vec::new();
            for &instance in &copy.instances {
                let Some((target, value)) = assignment(self.scop, instance) else {
                    continue;
                };
                let place = &instance.accesses[target];
                let own = copy.own.contains(&place.buffer);
                let value = self.expr(&value, instance);
                let array = &self.scop.arrays[self.transformed.buffers[place.buffer].array];
                let mut declaration = format!("{} ", self.type_name(&array.element));
                let name = if own && declared.contains(&place.buffer) {
                    declaration.clear();
                    self.spellings.bases[place.buffer].clone()
                } else {
                    self.spellings
                        .names
                        .fresh(&format!("{}{number}", array.name))
                };
                self.line(at, &format!("{declaration}{name} = {value};"));
                if own {
                    declared.push(place.buffer);
                    self.spellings.bases[place.buffer] = name;
                } else {
                    self.here.held.push((place.clone(), name));
                    stores.push((instance, place));
                }
            }
        }
        let held = std::mem::take(&mut self.here.held);
        for (number, ((instance, place), (_, name))) in stores.iter().zip(&held).enumerate() {
            let mut later = stores[number + 1..].iter();
            if !later.any(|(_, other)| other == place) {
                let target = self.place(place, instance);
                self.line(at, &format!("{target} = {name};"));
            }
        }
        (self.spellings.names, self.spellings.bases) = (names, bases);
    }

    /// The variable that holds what was last assigned to a place.
    pub(in crate::codegen::c) fn held(&self, place: &Place) -> Option<String> {
        if mistake!(PrintLoadsEarly) {
            return None;
        }
        let mut held = self.here.held.iter().rev();
        held.find(|(of, _)| of == place)
            .map(|(_, name)| name.clone())
    }

    /// The copies as assignments, where their values can be computed before anything is stored:
    /// what is read is either what an earlier assignment to the same place leaves, or certainly
    /// no place that was assigned to before.
    fn values_first<'n>(&self, copies: &'n [Vec<Node>]) -> Option<Vec<Flat<'n>>> {
        let mut all = Vec::new();
        let mut written: Vec<&Place> = Vec::new();
        for copy in copies {
            let mut flat = Flat {
                own: Vec::new(),
                instances: Vec::new(),
            };
            self.flatten(copy, &mut flat)?;
            for &instance in &flat.instances {
                let (target, _) = assignment(self.scop, instance)?;
                let accesses = &self.scop.statements[instance.statement].accesses;
                for (place, access) in instance.accesses.iter().zip(accesses) {
                    let read = access.kind == AccessKind::Read;
                    let mut before = written.iter().filter(|w| w.buffer == place.buffer);
                    if read && before.any(|w| same_cell(w, place).is_none()) {
                        return None;
                    }
                }
                let place = &instance.accesses[target];
                let affine = |index: &PlaceIndex| matches!(index, PlaceIndex::Affine(_));
                if !place.indices.iter().all(affine) {
                    return None;
                }
                if !flat.own.contains(&place.buffer) {
                    written.push(place);
                }
            }
            all.push(flat);
        }
        Some(all)
    }

    fn flatten<'n>(&self, nodes: &'n [Node], flat: &mut Flat<'n>) -> Option<()> {
        for node in nodes {
            match node {
                Node::Statement(instance) => flat.instances.push(instance),
                Node::Block { variables, body } => {
                    let single = |id: &BufferId| {
                        let mut buffers = self.kernel.buffers.iter();
                        buffers.any(|b| b.buffer == *id && b.extents.is_empty())
                    };
                    if !variables.iter().all(single) {
                        return None;
                    }
                    flat.own.extend(variables);
                    self.flatten(body, flat)?;
                }
                _ => return None,
            }
        }
        Some(())
    }
}
