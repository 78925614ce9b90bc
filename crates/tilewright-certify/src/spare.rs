//! Buffers that are used again: one input after the other needs the same ones, and getting large
//! ones from the system takes longer than executing programs on them.

use std::cell::RefCell;

/// Smaller ones are as quickly made.
const SMALLEST: usize = 1 << 10;
/// Buffers that are kept, and elements of all of them.
const MOST: usize = 256;
const MOST_ELEMENTS: usize = 64 << 20;

/// Buffers of elements of a type.
#[derive(Debug)]
pub(crate) struct Spare<T>(RefCell<(Vec<Vec<T>>, usize)>);

impl<T> Default for Spare<T> {
    fn default() -> Spare<T> {
        Spare(RefCell::default())
    }
}

impl<T: Clone + Default> Spare<T> {
    /// So many elements with their default.
    pub fn take(&self, count: usize) -> Vec<T> {
        let mut kept = self.0.borrow_mut();
        let (buffers, elements) = &mut *kept;
        if count >= SMALLEST {
            // Those that came last are likely to be in a cache.
            let fits = |b: &Vec<T>| b.capacity() >= count && b.capacity() / 4 <= count;
            if let Some(at) = buffers.iter().rposition(fits) {
                let mut buffer = buffers.swap_remove(at);
                *elements -= buffer.capacity();
                buffer.clear();
                buffer.resize(count, T::default());
                return buffer;
            }
        }
        vec![T::default(); count]
    }

    /// Keeps a buffer that nobody needs any more.
    pub fn give(&self, buffer: Vec<T>) {
        let mut kept = self.0.borrow_mut();
        let (buffers, elements) = &mut *kept;
        let size = buffer.capacity();
        if size >= SMALLEST && buffers.len() < MOST && *elements + size <= MOST_ELEMENTS {
            *elements += size;
            buffers.push(buffer);
        }
    }
}

/// Buffers for memory: of bytes, and of what is noted of accesses.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub bytes: Spare<u8>,
    pub cells: Spare<[u32; 2]>,
}
