//! What is known before a replay: values of parameters, values for bounds that are data, and where
//! data picks the cell.

use super::Finding;
use super::cells::mixed;
use super::spelled;
use crate::analysis::reductions::update_of;
use crate::codegen::gpu::program::{DeviceArray, DeviceProgram, Size, Stride};
use crate::codegen::kernel::{Comparison, Index, Kernel, Node, PlaceIndex};
use crate::codegen::passes::dynamic::exits::predicates::{Compared, tests};
use crate::codegen::terms::number::number;
use crate::scop::{AccessKind, ArrayId, Computed, Extent, Param, ScalarKind, Scop, StatementId};
use crate::transform::{BufferId, BufferKind, Transformed};
use isl::DimType;
use std::collections::{BTreeMap, BTreeSet};

/// How far the values of bounds that are data are from their static bounds, at most.
const SPREAD: u64 = 3;

/// Bounds beyond this are taken for those of types, in whose place is [`SMALL`].
const LARGE: i64 = 1 << 20;

/// Iterations of a loop that only its type bounds.
const SMALL: i64 = 4;

/// What replays need to know.
pub(super) struct Facts<'a> {
    pub scop: &'a Scop,
    /// How many of its statements are the program's; those behind them copy a cell.
    pub statements: usize,
    pub transformed: &'a Transformed,
    pub program: &'a DeviceProgram,
    /// By [`crate::scop::ParamId`].
    pub params: Vec<i64>,
    /// Per buffer, the dimensions in which data picks the cell, somewhere.
    pub picked: Vec<BTreeSet<usize>>,
    /// Buffers whose values are bounds or conditions.
    pub bounds: BTreeMap<BufferId, Bound>,
    /// Per statement, the array that it updates atomically.
    pub atomic: Vec<Option<ArrayId>>,
    /// The scopes of local buffers.
    pub scopes: BTreeMap<BufferId, usize>,
    /// Per array of the program, elements from one index of a dimension to the next; none where
    /// extents are not known.
    pub strides: Vec<Option<Vec<i64>>>,
}

/// What the values of a buffer are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// The static bound.
    limit: i64,
    /// Values are at most the limit; else at least.
    upper: bool,
}

impl Bound {
    /// The value that an instance writes.
    pub fn value(self, instance: u64) -> i64 {
        let by = (mixed(instance, 1) % SPREAD) as i64;
        if self.upper {
            self.limit - by
        } else {
            self.limit + by
        }
    }
}

impl<'a> Facts<'a> {
    pub fn new(
        (scop, statements): (&'a Scop, usize),
        transformed: &'a Transformed,
        kernel: &Kernel,
        program: &'a DeviceProgram,
        values: &BTreeMap<String, i64>,
    ) -> Result<Facts<'a>, Finding> {
        let value = |param: &Param| {
            let given = match &param.computed {
                Some(Computed::Product(factors)) => product(scop, factors, param, values),
                _ => spelled::value(&param.spelling, values),
            };
            given
                .or_else(|| inspected(scop, &param.name))
                .ok_or_else(|| Finding::NoValue {
                    name: param.spelling.clone(),
                })
        };
        let params: Result<Vec<i64>, Finding> = scop.params.iter().map(value).collect();
        let mut facts = Facts {
            scop,
            statements,
            transformed,
            program,
            params: params?,
            picked: vec![BTreeSet::new(); transformed.buffers.len()],
            bounds: BTreeMap::new(),
            atomic: (0..scop.statements.len())
                .map(|id| updated(scop, transformed, id))
                .collect(),
            strides: Vec::new(),
            scopes: kernel.buffers.iter().map(|b| (b.buffer, b.scope)).collect(),
        };
        let isl = |error: isl::Error| Finding::Isl(error.to_string());
        let fixed = facts.fixed(&scop.context).map_err(isl)?;
        if fixed.is_empty().map_err(isl)? {
            return Err(Finding::Assumptions);
        }
        for node in &kernel.body {
            node.instances(&mut |instance| {
                for place in &instance.accesses {
                    for (at, index) in place.indices.iter().enumerate() {
                        if matches!(index, PlaceIndex::Data { .. }) {
                            facts.picked[place.buffer].insert(at);
                        }
                    }
                }
            });
        }
        let arrays = program.arrays.iter();
        facts.strides = arrays.map(|a| facts.strides(a, values)).collect();
        let mut sides = BTreeMap::new();
        let mut flags = BTreeSet::new();
        kernel.body.iter().for_each(|node| bounds(node, &mut sides));
        for node in &kernel.body {
            node.instances(&mut |instance| {
                for test in tests(scop, instance) {
                    let compared = test.compared.as_ref();
                    if compared.is_none() {
                        flags.insert(test.buffer);
                    }
                    let upper = compared.is_none_or(Compared::is_upper);
                    sides.entry(test.buffer).or_insert(upper);
                }
            });
        }
        for (buffer, upper) in sides {
            // Conditions that are data hold in most instances, and not in all.
            let limit = if flags.contains(&buffer) {
                1
            } else {
                facts.limit(buffer, upper).map_err(isl)?
            };
            facts.bounds.insert(buffer, Bound { limit, upper });
        }
        Ok(facts)
    }

    /// The part of a set of parameters where they have their values.
    fn fixed(&self, set: &isl::Set) -> isl::Result<isl::Set> {
        let mut set = set.clone();
        for (param, &value) in self.scop.params.iter().zip(&self.params) {
            if let Some(at) = set.find_dim_by_name(DimType::Param, &param.name)? {
                let value = i32::try_from(value).unwrap_or(i32::MAX);
                set = set.fix_si(DimType::Param, at, value)?;
            }
        }
        Ok(set)
    }

    /// Elements from one index of a dimension to the next.
    fn strides(&self, array: &DeviceArray, values: &BTreeMap<String, i64>) -> Option<Vec<i64>> {
        let spelled = |text: &String| spelled::value(text, values);
        let inner = match &array.size {
            Size::Program {
                strides: Stride::Given(strides),
                ..
            } => return strides.iter().map(spelled).collect(),
            Size::Program {
                strides: Stride::Extents(inner),
                ..
            } => {
                let of_program = &self.scop.arrays[self.transformed.buffers[array.buffer].array];
                let extents = inner.iter().zip(of_program.extents.iter().skip(1));
                let value = |(text, extent): (&String, &Extent)| {
                    spelled(text).or_else(|| self.extent(extent))
                };
                extents.map(value).collect::<Option<Vec<i64>>>()?
            }
            Size::Device(extents) => {
                let unknown = |_, _| {
                    Err(Finding::Unset {
                        name: String::new(),
                    })
                };
                let value = |extent| number(extent, &self.params, &[], &mut { unknown }).ok();
                let inner = extents.iter().skip(1);
                inner.map(value).collect::<Option<Vec<i64>>>()?
            }
        };
        let mut strides = vec![1_i64];
        for extent in inner.iter().rev() {
            strides.push(strides[strides.len() - 1].checked_mul(*extent)?);
        }
        strides.reverse();
        Some(strides)
    }

    /// The value of an extent that is spelled with variables of the function.
    fn extent(&self, extent: &Extent) -> Option<i64> {
        let value = || -> isl::Result<Option<i64>> {
            let Some(affine) = &extent.affine else {
                return Ok(None);
            };
            let here = self.fixed(&affine.params()?)?;
            let value = affine.intersect_params(&here)?.max_val()?;
            value.is_int()?.then(|| value.get_num_si()).transpose()
        };
        value().ok().flatten()
    }

    /// The static bound of a buffer's values.
    fn limit(&self, buffer: BufferId, upper: bool) -> isl::Result<i64> {
        let array = &self.scop.arrays[self.transformed.buffers[buffer].array];
        let mut best: Option<i64> = None;
        for bound in self
            .scop
            .loops
            .bounds
            .get(&array.name)
            .into_iter()
            .flatten()
        {
            let here = self.fixed(&bound.params()?)?;
            let value = bound.intersect_params(&here)?.max_val()?;
            if !value.is_int()? {
                continue;
            }
            let value = value.get_num_si()?;
            best = Some(match (best, upper) {
                (None, _) => value,
                (Some(other), true) => other.min(value),
                (Some(other), false) => other.max(value),
            });
        }
        Ok(match best {
            Some(value) if value.abs() < LARGE => value,
            _ if upper => SMALL,
            _ => 0,
        })
    }

    /// The name of a buffer.
    pub fn name(&self, buffer: BufferId) -> &str {
        &self.transformed.buffers[buffer].name
    }

    /// Whether the program says that iterations do not meet: where data picks the cells, and in
    /// whole arrays where bounds are data, in whose place values are made up.
    pub fn by_word(&self, buffer: BufferId) -> bool {
        let full = matches!(self.transformed.buffers[buffer].kind, BufferKind::Full);
        let picked = !self.picked[buffer].is_empty() || !self.bounds.is_empty();
        full && picked && !self.scop.loops.independent.is_empty()
    }

    /// Whether an access is part of an atomic update.
    pub fn updates(&self, statement: StatementId, access: usize, buffer: BufferId) -> bool {
        let array = self.scop.statements[statement].accesses[access].array;
        let full = matches!(self.transformed.buffers[buffer].kind, BufferKind::Full);
        full && self.atomic[statement] == Some(array)
    }

    /// Whether a read only stands for the value that a write may leave as it was.
    pub fn is_old_value(&self, statement: StatementId, access: usize) -> bool {
        let accesses = &self.scop.statements[statement].accesses;
        let array = accesses[access].array;
        let may_stay = |other: &crate::scop::Access| {
            other.kind == AccessKind::Write && !other.exact && other.array == array
        };
        accesses.iter().any(may_stay)
    }
}

/// A value for what the program finds out before a nest: the extreme of bounds that are data, whose
/// values are made up from it. Sizes of packed matrices have to fit the others, and are given.
fn inspected(scop: &Scop, name: &str) -> Option<i64> {
    if scop.edges.packing.is_some() {
        return None;
    }
    let mut all = scop.edges.inspections.iter();
    let own = all.find(|inspection| inspection.variable == name)?;
    Some(if own.upper { SMALL } else { 0 })
}

fn updated(scop: &Scop, transformed: &Transformed, id: StatementId) -> Option<ArrayId> {
    let listed = transformed.atomic.contains(&id);
    let mut arrays = (0..scop.arrays.len()).filter(|_| listed);
    arrays.find(|&array| update_of(scop, id, array).is_some())
}

/// The value of a parameter that is a product of others.
fn product(
    scop: &Scop,
    factors: &[usize],
    param: &Param,
    values: &BTreeMap<String, i64>,
) -> Option<i64> {
    let mut product: i64 = 1;
    for &factor in factors {
        let factor = spelled::value(&scop.params[factor].spelling, values)?;
        product = product.wrapping_mul(factor);
    }
    Some(match param.ctype.kind {
        ScalarKind::I32 => product as i32 as i64,
        ScalarKind::U32 => product as u32 as i64,
        _ => product,
    })
}

/// Buffers that bounds and conditions read: whether what they hold is an upper bound.
fn bounds(node: &Node, sides: &mut BTreeMap<BufferId, bool>) {
    match node {
        Node::For(each) => {
            read(&each.lower, false, sides);
            read(&each.upper, true, sides);
        }
        Node::If { condition, .. } => condition.walk(&mut |part| {
            if let Index::Compare(comparison, _, bound) = part {
                use Comparison::{Greater, GreaterEqual};
                let lower = matches!(comparison, Greater | GreaterEqual);
                read(bound, !lower, sides);
            }
        }),
        _ => {}
    }
    if let Node::If { condition, .. } = node {
        read(condition, true, sides);
    }
    node.children().for_each(|child| bounds(child, sides));
}

fn read(index: &Index, upper: bool, sides: &mut BTreeMap<BufferId, bool>) {
    index.walk(&mut |part| {
        if let Index::Data(buffer, _) = part {
            sides.entry(*buffer).or_insert(upper);
        }
    });
}
