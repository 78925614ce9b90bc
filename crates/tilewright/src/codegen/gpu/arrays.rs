//! The program's arrays in the memory of the device: their sizes, and which are copied.
//!
//! Copied in is what has values from before that are read, and what the region writes in part;
//! copied out is what it writes and somebody may read behind it. Only the device has the region's
//! temporaries, and packed matrices.

use super::Refusal;
use super::program::{BlockNode, DeviceArray, DeviceKernel, Size, Stride, Touched};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::codegen::gpu::conflicts::data::read_by;
use crate::codegen::kernel::{Index, Kernel};
use crate::scop::{AccessKind, Array, ArrayId, Layout, Origin, ScalarKind, Scop};
use crate::transform::{BufferKind, Transformed};
use isl::Set;

/// What is known of a region.
pub(super) struct Needs<'a> {
    pub scop: &'a Scop,
    pub dataflow: &'a Dataflow,
    pub transformed: &'a Transformed,
    pub kernel: &'a Kernel,
}

/// The arrays that kernels touch.
///
/// # Errors
/// [`Refusal::Unsupported`] for arrays of structs or of `bool`, for numbers that devices do not have
/// ([`foreign`](super::foreign)), and for arrays without a known size.
pub(super) fn arrays(
    needs: &Needs<'_>,
    kernels: &[DeviceKernel],
) -> Result<Vec<DeviceArray>, Refusal> {
    if let Some(what) = super::foreign::found(needs.scop) {
        return Err(Refusal::Unsupported(format!(
            "{what}, which devices do not have: convert to `float` or `double` in front of the region, \
             parts of complex numbers into arrays of their own"
        )));
    }
    let mut all: Vec<Touched> = Vec::new();
    for kernel in kernels {
        touched(&kernel.body, &mut all);
    }
    let mut arrays = Vec::new();
    for (id, buffer) in needs.transformed.buffers.iter().enumerate() {
        let mut own = all.iter().filter(|t| t.place.buffer == id).peekable();
        if own.peek().is_none() || !matches!(buffer.kind, BufferKind::Full) {
            continue;
        }
        let written = own.any(|t| t.written);
        let array = &needs.scop.arrays[buffer.array];
        if array.element.kind == ScalarKind::Bool {
            return Err(Refusal::Unsupported(format!(
                "`{}` has elements of type bool, which devices have no arrays of: use a type of \
                 integers",
                array.name
            )));
        }
        let temporary = needs.kernel.temporaries.iter().find(|t| t.buffer == id);
        let extents = match temporary {
            Some(temporary) => Some(temporary.least_extents()),
            None => packed(needs.scop, buffer.array),
        };
        if let Some(extents) = extents {
            arrays.push(DeviceArray {
                buffer: id,
                element: array.element.clone(),
                size: Size::Device(extents),
                copy_in: false,
                copy_out: false,
                written,
            });
            continue;
        }
        if matches!(array.origin, Origin::Region { .. }) {
            continue;
        }
        let (copy_in, copy_out) = copies(needs, buffer.array, written);
        arrays.push(DeviceArray {
            buffer: id,
            element: array.element.clone(),
            size: size(needs.scop, array)?,
            copy_in,
            copy_out,
            written,
        });
    }
    Ok(arrays)
}

/// The extents of an array that is packed, which is done on the device.
fn packed(scop: &Scop, array: ArrayId) -> Option<Vec<Index>> {
    let packing = scop.edges.packing.as_ref()?;
    let number = |name: &String| scop.params.iter().position(|param| param.name == *name);
    let extents = [number(&packing.width)?, number(&packing.rows)?].map(Index::Param);
    packing.arrays.contains(&array).then(|| extents.to_vec())
}

/// Whether an array is copied in, and whether it is copied out. What isl has no budget to find out
/// is copied.
fn copies(needs: &Needs<'_>, array: ArrayId, written: bool) -> (bool, bool) {
    let copy_out = written && needs.scop.arrays[array].live_out;
    let read = reads_from_before(needs, array).unwrap_or(true);
    let partly = copy_out && !writes_all(needs, array).unwrap_or(false);
    (read || partly, copy_out)
}

fn reads_from_before(needs: &Needs<'_>, array: ArrayId) -> isl::Result<bool> {
    let name = &needs.scop.arrays[array].name;
    for set in needs.dataflow.live_in.range()?.sets()? {
        if set.has_tuple_id()? && set.get_tuple_name()? == *name && !set.is_empty()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether each element is certainly written.
fn writes_all(needs: &Needs<'_>, array: ArrayId) -> isl::Result<bool> {
    let scop = needs.scop;
    let mut cells: Option<Set> = None;
    let mut space = None;
    for statement in &scop.statements {
        for access in &statement.accesses {
            if access.array != array || access.kind != AccessKind::Write || !access.exact {
                continue;
            }
            let range = access.relation.range()?;
            space = Some(range.get_space()?);
            cells = Some(match cells {
                Some(before) => before.union(&range)?,
                None => range,
            });
        }
    }
    let (Some(cells), Some(space)) = (cells, space) else {
        return Ok(false);
    };
    let mut all = Set::universe(&space)?;
    for (dim, extent) in scop.arrays[array].extents.iter().enumerate() {
        let Some(extent) = &extent.affine else {
            return Ok(false);
        };
        all = all.lower_bound_si(isl::DimType::Set, dim, 0)?;
        let index = isl::PwAff::var_on_domain(
            &isl::LocalSpace::from_space(&space)?,
            isl::DimType::Set,
            dim,
        )?;
        all = all.intersect(&index.lt_set(&extent.insert_domain(&space)?)?)?;
    }
    all.intersect_params(&scop.context)?.is_subset(&cells)
}

/// Sizes as the program spells them.
fn size(scop: &Scop, array: &Array) -> Result<Size, Refusal> {
    let name = &array.name;
    if array.members.are_behind_pointers() {
        return Err(Refusal::Unsupported(format!(
            "rows of `{name}` are behind pointers, which devices do not follow: use one block of \
             memory"
        )));
    }
    if !array.members.is_empty() {
        return Err(Refusal::Unsupported(format!(
            "`{name}` is a field of an array of structs, which are not copied to devices: use an \
             array for each field"
        )));
    }
    if scop.may_be_null(array) {
        return Err(Refusal::Unsupported(format!(
            "`{name}` may be null, and devices get all of an array"
        )));
    }
    let unknown = |dimension: usize| {
        Refusal::Unsupported(format!(
            "the extent of dimension {dimension} of `{name}` is not known, and so not what to \
             copy: declare it with its extents"
        ))
    };
    let spelled = |dimension: usize| {
        let extent = &array.extents[dimension];
        extent.spelling.clone().ok_or_else(|| unknown(dimension))
    };
    if array.extents.is_empty() {
        return Ok(Size::Program {
            address: format!("&{}", array.base),
            first: None,
            strides: Stride::Extents(Vec::new()),
        });
    }
    let (depth, strides) = match &array.layout {
        Layout::Subscripts => {
            let inner: Result<Vec<String>, Refusal> =
                (1..array.extents.len()).map(spelled).collect();
            (array.extents.len(), Stride::Extents(inner?))
        }
        Layout::Linear(linear) => {
            let rows: Result<Vec<String>, Refusal> = (linear.dims().end..array.extents.len())
                .map(spelled)
                .collect();
            let rows = rows?;
            if linear.before > 0 {
                return Err(unknown(linear.before));
            }
            (1 + rows.len(), Stride::Given(given(&linear.texts(), &rows)))
        }
    };
    Ok(Size::Program {
        address: format!("&{}{}", array.base, "[0]".repeat(depth)),
        first: Some(spelled(0)?),
        strides,
    })
}

/// Strides in elements: of dimensions that share a subscript whose steps are rows, and of the rows'
/// own, which have these extents.
fn given(shared: &[String], rows: &[String]) -> Vec<String> {
    let below = |dim: usize| rows[dim..].iter().map(|extent| format!("({extent})"));
    let shared = shared.iter().map(|stride| {
        let factors = std::iter::once(format!("({stride})")).chain(below(0));
        match rows.is_empty() {
            true => stride.clone(),
            false => factors.collect::<Vec<String>>().join(" * "),
        }
    });
    let own = (1..=rows.len()).map(|dim| match dim == rows.len() {
        true => "1".to_owned(),
        false => below(dim).collect::<Vec<String>>().join(" * "),
    });
    shared.chain(own).collect()
}

/// One access to each buffer below some nodes that reads, and one that writes.
fn touched(nodes: &[BlockNode], all: &mut Vec<Touched>) {
    let add = |one: &Touched, all: &mut Vec<Touched>| {
        let same = |t: &Touched| t.place.buffer == one.place.buffer && t.written == one.written;
        if !all.iter().any(same) {
            all.push(one.clone());
        }
    };
    for node in nodes {
        match node {
            BlockNode::For {
                lower, upper, body, ..
            } => {
                let bounds = read_by(lower).into_iter().chain(read_by(upper));
                bounds.for_each(|one| add(&one, all));
                touched(body, all);
            }
            BlockNode::If {
                condition,
                then,
                otherwise,
            } => {
                read_by(condition).iter().for_each(|one| add(one, all));
                touched(then, all);
                touched(otherwise, all);
            }
            BlockNode::Piece(piece) => piece.touched.iter().for_each(|one| add(one, all)),
            BlockNode::Barrier => {}
        }
    }
}
