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
        match self.kept(count) {
            Some(mut buffer) => {
                buffer.clear();
                buffer.resize(count, T::default());
                buffer
            }
            None => vec![T::default(); count],
        }
    }

    /// So many elements of any value.
    pub fn take_any(&self, count: usize) -> Vec<T> {
        match self.kept(count) {
            Some(mut buffer) => {
                buffer.resize(count, T::default());
                buffer
            }
            None => vec![T::default(); count],
        }
    }

    /// A buffer with room for so many elements, as it was given back.
    fn kept(&self, count: usize) -> Option<Vec<T>> {
        let mut kept = self.0.borrow_mut();
        let (buffers, elements) = &mut *kept;
        if count < SMALLEST {
            return None;
        }
        // Those that came last are likely to be in a cache.
        let fits = |b: &Vec<T>| b.capacity() >= count && b.capacity() / 4 <= count;
        let at = buffers.iter().rposition(fits)?;
        let buffer = buffers.swap_remove(at);
        *elements -= buffer.capacity();
        Some(buffer)
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

/// Buffers for memory: of bytes, of which of them were written, and of what is noted of accesses.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub bytes: Spare<u8>,
    pub written: Spare<u64>,
    pub cells: Spare<[u32; 2]>,
}
