//! Where the buffers of a tile are: the local memory of its block, or variables of its threads.

use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::conflicts::banks::apart;
use crate::codegen::gpu::grids::mapping::Device;
use crate::codegen::gpu::program::{BlockNode, DeviceKernel, Piece};
use crate::codegen::kernel::{LocalBuffer, Node};
use crate::codegen::passes::storage::bytes;
use crate::plan::defaults::{LOCAL_ALIGNMENT as ALIGNMENT, THREAD_BYTES};
use crate::transform::BufferId;

/// Bytes of local memory in which threads vote whether a loop goes on.
const VOTES: i64 = 8;

/// Gives the scratchpads of every kernel their places in local memory, `shared` of them. The
/// buffers come with longer rows where threads would need the same bank, and room is left for that.
///
/// # Errors
/// [`Refusal::Memory`] where a kernel has too many.
pub(crate) fn place(
    buffers: &[LocalBuffer],
    kernels: &mut [DeviceKernel],
    shared: &[Vec<BufferId>],
    device: &Device,
) -> Result<Vec<LocalBuffer>, Refusal> {
    let votes: Vec<bool> = kernels.iter().map(|kernel| votes(&kernel.body)).collect();
    let all = |buffers: &[LocalBuffer]| -> Result<Vec<_>, Refusal> {
        let each = |(own, votes): (&Vec<BufferId>, &bool)| {
            if votes {
                layout(buffers, own, device.local_memory - VOTES)
            } else {
                layout(buffers, own, device.local_memory)
            }
        };
        shared.iter().zip(&votes).map(each).collect()
    };
    let banks: Vec<i64> = device.groups.iter().map(|blocks| blocks.banks).collect();
    let longer = apart(buffers, kernels, shared, &banks);
    let (buffers, places) = match all(&longer) {
        Ok(places) => (longer, places),
        Err(_) => (buffers.to_vec(), all(buffers)?),
    };
    for (kernel, (local, bytes)) in kernels.iter_mut().zip(places) {
        (kernel.local, kernel.local_bytes) = (local, bytes);
    }
    Ok(buffers)
}

/// Places in local memory: the byte at which each buffer begins, and the size of all.
///
/// # Errors
/// [`Refusal::Memory`] where that is more than the limit.
pub(crate) fn layout(
    buffers: &[LocalBuffer],
    shared: &[BufferId],
    limit: i64,
) -> Result<(Vec<(BufferId, i64)>, i64), Refusal> {
    let mut places: Vec<(BufferId, i64)> = Vec::new();
    let mut lists: Vec<(Option<usize>, i64, i64)> = Vec::new();
    for buffer in buffers.iter().filter(|b| shared.contains(&b.buffer)) {
        let size = bytes(buffer);
        let list = lists
            .iter_mut()
            .find(|(list, ..)| list.is_some() && *list == buffer.shared);
        match list {
            Some((_, largest, _)) => *largest = size.max(*largest),
            None => lists.push((buffer.shared, size, 0)),
        }
    }
    let mut end = 0i64;
    for (_, size, begin) in &mut lists {
        *begin = end;
        end = end.saturating_add(size.saturating_add(ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }
    if end > limit {
        return Err(Refusal::Memory { needed: end, limit });
    }
    let mut alone = lists.iter().filter(|(list, ..)| list.is_none());
    for buffer in buffers.iter().filter(|b| shared.contains(&b.buffer)) {
        let place = match buffer.shared {
            None => alone.next(),
            list => lists.iter().find(|(other, ..)| *other == list),
        };
        places.extend(place.map(|(_, _, begin)| (buffer.buffer, *begin)));
    }
    Ok((places, end))
}

/// Whether threads leave a loop together.
fn votes(nodes: &[BlockNode]) -> bool {
    nodes.iter().any(|node| match node {
        BlockNode::For {
            ends_early, body, ..
        } => *ends_early || votes(body),
        BlockNode::If {
            then, otherwise, ..
        } => votes(then) || votes(otherwise),
        BlockNode::Piece(_) | BlockNode::Barrier => false,
    })
}

/// Checks that the variables of threads are few enough to be variables.
///
/// # Errors
/// [`Refusal::Unsupported`] where they are not.
pub(crate) fn check_threads(buffers: &[LocalBuffer], nodes: &[BlockNode]) -> Result<(), Refusal> {
    for node in nodes {
        match node {
            BlockNode::For { body, .. } => check_threads(buffers, body)?,
            BlockNode::If {
                then, otherwise, ..
            } => {
                check_threads(buffers, then)?;
                check_threads(buffers, otherwise)?;
            }
            BlockNode::Piece(Piece { body, .. }) => {
                for node in body {
                    check_variables(buffers, node)?;
                }
            }
            BlockNode::Barrier => {}
        }
    }
    Ok(())
}

fn check_variables(buffers: &[LocalBuffer], node: &Node) -> Result<(), Refusal> {
    if let Node::Block { variables, .. } = node {
        for buffer in buffers.iter().filter(|b| variables.contains(&b.buffer)) {
            let size = bytes(buffer);
            if size > THREAD_BYTES {
                return Err(Refusal::Unsupported(format!(
                    "each thread would need an array `{}` of {size} bytes for itself, and \
                     {THREAD_BYTES} are possible: tiles of parallel loops need none",
                    buffer.name
                )));
            }
        }
    }
    node.children()
        .try_for_each(|child| check_variables(buffers, child))
}
