//! CUDA and HIP as a host sees them: memory by pointers that only kernels and copies can use, and
//! launches that leave an error behind.

use super::launch::Launch;
use super::opencl::{AWAY, MOST_BYTES, MOST_ITEMS};
use super::{Machine, Thread};
use crate::storage::memory::Fault;

/// CUDA's errors, by their numbers in its manual.
const INVALID_VALUE: i64 = 1;
const OUT_OF_MEMORY: i64 = 2;
const INVALID_CONFIGURATION: i64 = 9;
/// The kind of a copy.
const TO_DEVICE: u64 = 1;
const FROM_DEVICE: u64 = 2;
const ON_DEVICE: u64 = 3;
/// Blocks along each dimension of a grid.
const MOST_BLOCKS: [u64; 3] = [0x7fff_ffff, 65_535, 65_535];
/// Bytes that a block can have for all kernels that run on any device since 2017.
const MOST_LOCAL_BYTES: u64 = 227 << 10;

impl Machine<'_> {
    pub(super) fn cuda_malloc(
        &mut self,
        thread: &Thread,
        a: &[u64],
        at: usize,
    ) -> Result<i64, Fault> {
        if a[1] > MOST_BYTES {
            return Ok(OUT_OF_MEMORY);
        }
        let pointer = match a[1] {
            0 => 0,
            bytes => self.on_device(thread, bytes, at)? ^ AWAY,
        };
        self.put(a[0], 8, pointer)?;
        Ok(0)
    }

    pub(super) fn cuda_free(&mut self, pointer: u64) -> Result<i64, Fault> {
        match pointer {
            0 => Ok(0),
            _ => Ok(match self.free_buffer(pointer)? {
                0 => 0,
                _ => INVALID_VALUE,
            }),
        }
    }

    pub(super) fn cuda_memcpy(&mut self, a: &[u64]) -> Result<i64, Fault> {
        let (to, from, bytes) = (a[0], a[1], a[2]);
        let (to, from) = match a[3] {
            TO_DEVICE => (to ^ AWAY, from),
            FROM_DEVICE => (to, from ^ AWAY),
            ON_DEVICE => (to ^ AWAY, from ^ AWAY),
            _ => return Ok(INVALID_VALUE),
        };
        match bytes {
            0 => Ok(0),
            _ => self.copied(to, from, bytes),
        }
    }

    /// Executes a launch, or notes why it cannot be.
    pub(super) fn cuda_launch(
        &mut self,
        function: u32,
        values: &[u64],
        at: usize,
    ) -> Result<(), (Fault, usize)> {
        let function = function as usize;
        let (groups, size) = (
            [values[0], values[1], values[2]],
            [values[3], values[4], values[5]],
        );
        let bytes = values[6];
        let items = size.iter().fold(1u64, |n, s| n.saturating_mul(*s));
        let fits = (0..3).all(|d| (1..=MOST_BLOCKS[d]).contains(&groups[d]));
        if !fits || items == 0 || items > MOST_ITEMS || bytes > MOST_LOCAL_BYTES {
            self.device.last_error = INVALID_CONFIGURATION;
            return Ok(());
        }
        let params = &self.program.functions[function].params;
        let arguments = params.iter().zip(&values[7..]);
        let arguments = arguments.map(|(param, value)| match *value {
            0 => 0,
            pointer if param.ty.is_pointer() => pointer ^ AWAY,
            value => value,
        });
        let launch = Launch {
            function,
            arguments: arguments.collect(),
            groups,
            size,
            dimensions: 3,
            bytes,
        };
        self.name_arguments(&launch);
        self.launch(&launch, at)
    }
}
