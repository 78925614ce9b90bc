//! Where accesses go at given sizes and values of loop variables.

use crate::analysis::model::subscript::integer;
use crate::codegen::kernel::{Index, Instance, Kernel, PlaceIndex};
use crate::codegen::terms::number::{Unknown, number};
use crate::scop::{AccessId, ArrayId, BinaryOp, Expr, Scop, UnaryOp};
use crate::transform::{BufferId, BufferKind, Transformed};
use isl::{DimType, PwAff, Result, Set};

/// Elements of an extent that nobody knows.
const UNKNOWN_EXTENT: i64 = 1000;

/// Values of loop variables, innermost last.
pub(super) type Values<'k> = Vec<(&'k str, i64)>;

/// How a buffer lies in memory.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Bytes of an element.
    pub element: i64,
    /// Bytes from one index to the next, per dimension.
    pub pitches: Vec<i64>,
    /// All bytes; infinite where nobody knows.
    pub all: f64,
    /// It is a variable, or several.
    pub variable: bool,
    /// Vector registers hold it over a loop, inside which are loops that are written out.
    pub in_registers: bool,
}

/// A kernel's memory at given sizes.
pub(super) struct Memory<'a> {
    pub scop: &'a Scop,
    /// Values of the parameters.
    pub sizes: &'a [i64],
    shapes: Vec<Shape>,
}

/// Bytes between places that data decides about: further apart than any others.
pub(super) const FAR: i64 = 1 << 36;

impl<'a> Memory<'a> {
    pub fn new(
        scop: &'a Scop,
        transformed: &Transformed,
        kernel: &Kernel,
        sizes: &'a [i64],
    ) -> Result<Memory<'a>> {
        let point = point(scop, sizes)?;
        let mut shapes = Vec::new();
        for (id, buffer) in transformed.buffers.iter().enumerate() {
            let element = scop.arrays[buffer.array].element.kind.bytes() as i64;
            let temporary = kernel.temporaries.iter().find(|one| one.buffer == id);
            let local = kernel.buffers.iter().find(|one| one.buffer == id);
            // As where a pointer to a flat array leads.
            let mut unknown = false;
            let extents: Vec<i64> = match (temporary, local, &buffer.kind) {
                (Some(temporary), ..) => {
                    let extent = |index| value(index, &Values::new(), sizes);
                    let extents = temporary.extents.iter().map(extent);
                    extents.map(|one| one.unwrap_or(UNKNOWN_EXTENT)).collect()
                }
                (_, Some(local), _) => local.extents.clone(),
                (_, _, BufferKind::Local { extents, .. }) => extents.clone(),
                _ => {
                    let extents = full(scop, buffer.array, &point)?;
                    unknown = extents.contains(&None);
                    let extents = extents.into_iter();
                    extents.map(|one| one.unwrap_or(UNKNOWN_EXTENT)).collect()
                }
            };
            let in_registers = matches!(buffer.kind, BufferKind::Accumulators { .. });
            let mut pitches = Vec::new();
            let mut pitch = element;
            for &extent in extents.iter().rev() {
                pitches.push(pitch);
                pitch = pitch.saturating_mul(extent.max(1));
            }
            pitches.reverse();
            if temporary.is_none()
                && matches!(buffer.kind, BufferKind::Full)
                && let Some(linear) = scop.arrays[buffer.array].layout.linear()
                && let Some(&one) = pitches[linear.dims()].last()
            {
                for (pitch, stride) in pitches[linear.dims()].iter_mut().zip(&linear.strides) {
                    let elements = stride.value(sizes).unwrap_or(UNKNOWN_EXTENT);
                    *pitch = elements.saturating_mul(one);
                }
            }
            shapes.push(Shape {
                element,
                pitches,
                all: if unknown { f64::INFINITY } else { pitch as f64 },
                variable: extents.iter().all(|&extent| extent == 1) || in_registers,
                in_registers,
            });
        }
        Ok(Memory {
            scop,
            sizes,
            shapes,
        })
    }

    pub fn shape(&self, buffer: BufferId) -> &Shape {
        &self.shapes[buffer]
    }

    /// The value of an index expression; `None` where data decides.
    pub fn value(&self, index: &Index, values: &Values<'_>) -> Option<i64> {
        value(index, values, self.sizes)
    }

    /// Where an access of an instance goes, in bytes from the buffer's begin. Subscripts that are
    /// data count as what they are made from: the same for the same cells, else far apart.
    pub fn offset(&self, instance: &Instance, access: AccessId, values: &Values<'_>) -> i64 {
        let place = &instance.accesses[access];
        let mut offset = 0_i64;
        for (index, pitch) in place.indices.iter().zip(&self.shape(place.buffer).pitches) {
            let moved = match index {
                PlaceIndex::Affine(index) => match self.value(index, values) {
                    Some(value) => value.wrapping_mul(*pitch),
                    None => FAR,
                },
                PlaceIndex::Data { subscript, .. } => {
                    match self.exact(instance, subscript, values) {
                        Some(value) => value.wrapping_mul(*pitch),
                        None => {
                            let mixed = self.mixed(instance, subscript, values);
                            (mixed >> 40 & 0xff_ffff).wrapping_mul(FAR)
                        }
                    }
                }
            };
            offset = offset.wrapping_add(moved);
        }
        offset
    }

    /// The value of a subscript that is computed from iterations and sizes alone, as `y * stride + x`
    /// is, for which there is no affine form.
    fn exact(&self, instance: &Instance, expr: &Expr, values: &Values<'_>) -> Option<i64> {
        let of = |expr: &Expr| self.exact(instance, expr, values);
        match expr {
            Expr::Literal(text) => integer(text),
            Expr::Iterator(number) => self.value(instance.iterators.get(*number)?, values),
            Expr::Param(param) => self.sizes.get(*param).copied(),
            Expr::Cast(to, inner) if !to.kind.is_float() => of(inner),
            Expr::Unary(UnaryOp::Plus, inner) => of(inner),
            Expr::Unary(UnaryOp::Minus, inner) => of(inner)?.checked_neg(),
            Expr::Binary(op, left, right) => {
                let (left, right) = (of(left)?, of(right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul => left.checked_mul(right),
                    BinaryOp::Div => left.checked_div(right),
                    BinaryOp::Rem => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A number for what an expression is made from.
    fn mixed(&self, instance: &Instance, expr: &Expr, values: &Values<'_>) -> i64 {
        const FACTOR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;
        let mut mixed = 1_i64;
        let mut mix = |value: i64| mixed = (mixed ^ value).wrapping_mul(FACTOR).rotate_left(17);
        let iterator = |number: usize| {
            let index = instance.iterators.get(number);
            index
                .and_then(|index| self.value(index, values))
                .unwrap_or(0)
        };
        expr.walk(&mut |part| match part {
            Expr::Iterator(number) => mix(iterator(*number)),
            Expr::Access(access) => mix(self.offset(instance, *access, values)),
            // Nobody knows from what.
            Expr::Local(_) | Expr::Call(..) | Expr::Effect { .. } => {
                (0..instance.iterators.len()).for_each(|number| mix(iterator(number)));
            }
            _ => {}
        });
        mixed.wrapping_mul(FACTOR)
    }
}

/// The parameters' values as a set.
fn point(scop: &Scop, sizes: &[i64]) -> Result<Set> {
    let mut point = Set::universe(&scop.context.get_space()?)?;
    for (param, &size) in scop.params.iter().zip(sizes) {
        if let Some(position) = point.find_dim_by_name(DimType::Param, &param.name)? {
            point = point.fix_si(DimType::Param, position, size as i32)?;
        }
    }
    Ok(point)
}

/// Extents of an array of the program, where they are known.
fn full(scop: &Scop, array: ArrayId, point: &Set) -> Result<Vec<Option<i64>>> {
    let extents = scop.arrays[array].extents.iter();
    let extent = |affine: &Option<PwAff>| match affine {
        Some(affine) => at(affine, point),
        None => Ok(None),
    };
    extents.map(|one| extent(&one.affine)).collect()
}

/// The value of an expression in the parameters.
fn at(value: &PwAff, point: &Set) -> Result<Option<i64>> {
    let value = value.intersect_params(point)?;
    if value.n_piece()? == 0 {
        return Ok(None);
    }
    Ok(value.floor()?.max_val()?.to_i64())
}

/// Nobody knows it without the data.
struct OfData;

impl From<Unknown> for OfData {
    fn from(_: Unknown) -> OfData {
        OfData
    }
}

fn value(index: &Index, values: &Values<'_>, sizes: &[i64]) -> Option<i64> {
    number(index, sizes, values, &mut |_, _| Err(OfData)).ok()
}
