//! The arrays a program works on: memory, contents, files.

pub mod chart;
pub mod element;
pub mod fill;
pub mod npy;
pub mod picture;

use crate::Result;
use serde::{Deserialize, Serialize};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::scop::ScalarKind;

/// Arrays begin at a multiple of this many bytes: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Bytes before and behind every array whose change shows that a program left its array.
const GUARD: usize = 4096;

/// What the guards hold; as a float a large negative number.
const GUARD_BYTE: u8 = 0xfb;

/// An array's type and size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Name in the program.
    pub name: String,
    /// Element type; [`ScalarKind::U8`] for structs.
    pub element: ScalarKind,
    /// Extents in elements, outermost first; for structs the size of one in bytes is appended.
    pub extents: Vec<usize>,
}

impl Shape {
    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.extents.iter().product()
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.elements() * self.element.bytes()
    }

    /// Where the element with this number in the order of memory is: `[2][0][17]`.
    pub fn subscripts(&self, mut at: usize) -> String {
        let mut subscripts = Vec::new();
        for &extent in self.extents.iter().rev() {
            subscripts.push(format!("[{}]", at % extent.max(1)));
            at /= extent.max(1);
        }
        subscripts.reverse();
        subscripts.concat()
    }

    /// `3×4260×2836`
    pub fn size(&self) -> String {
        self.extents
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join("×")
    }
}

/// Memory of one array, aligned and between guards.
#[derive(Debug)]
pub struct Buffer {
    memory: Vec<u8>,
    start: usize,
    length: usize,
}

impl Buffer {
    /// Memory for an array, filled with zeros and present (no page faults later).
    ///
    /// # Errors
    /// `TW0504` where there is not enough memory.
    pub fn new(shape: &Shape) -> Result<Buffer> {
        let length = shape.bytes();
        let total = length + 2 * GUARD + ALIGNMENT;
        let mut memory = Vec::new();
        if memory.try_reserve_exact(total).is_err() {
            let (name, size) = (&shape.name, shape.size());
            let message = format!("no memory for `{name}` of {size} elements ({length} bytes)");
            let diagnostic = Diagnostic::error(Code::BadParameter, message);
            return Err(Box::new(
                diagnostic.help("choose smaller values with --param"),
            ));
        }
        memory.resize(total, GUARD_BYTE);
        let start = GUARD
            + memory[GUARD..]
                .as_ptr()
                .align_offset(ALIGNMENT)
                .min(ALIGNMENT);
        memory[start..start + length].fill(0);
        Ok(Buffer {
            memory,
            start,
            length,
        })
    }

    /// The array.
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.length]
    }

    /// The array, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.length]
    }

    /// Where the array begins, for a program that may write it and, by mistake, the guards.
    pub fn address(&mut self) -> *mut u8 {
        self.memory[self.start..].as_mut_ptr()
    }

    /// Nothing was written just before or behind the array.
    pub fn guards_intact(&self) -> bool {
        let (before, rest) = self.memory.split_at(self.start);
        let intact = |guard: &[u8]| guard.iter().all(|&byte| byte == GUARD_BYTE);
        intact(before) && intact(&rest[self.length..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_guarded() {
        let shape = Shape {
            name: "a".into(),
            element: ScalarKind::F32,
            extents: vec![3, 5],
        };
        let mut buffer = Buffer::new(&shape).unwrap();
        assert_eq!(buffer.bytes(), [0; 60]);
        assert_eq!(buffer.address() as usize % ALIGNMENT, 0);
        assert!(buffer.guards_intact());
        let end = buffer.start + buffer.length;
        buffer.memory[end] = 0;
        assert!(!buffer.guards_intact());
        assert_eq!(shape.subscripts(7), "[1][2]");
        assert_eq!(shape.size(), "3×5");
    }

    #[test]
    fn too_large_is_said() {
        let shape = Shape {
            name: "a".into(),
            element: ScalarKind::U8,
            extents: vec![1 << 60],
        };
        assert_eq!(Buffer::new(&shape).unwrap_err().code, "TW0504");
    }
}
