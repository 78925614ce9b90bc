//! Devices in numbers: what planners know of them.
//!
//! Limits are read from the device that a program will run on where there is one, by the driver;
//! [`Gpu::named`] has those of some devices, from their makers' data sheets. Rates are data sheets'
//! or, where these have none, estimates: nothing here was measured.

use super::defaults;

/// A device.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Gpu {
    /// Processors that execute blocks: multiprocessors, compute units.
    pub processors: i64,
    /// Threads that a block may have.
    pub block_threads: i64,
    /// Bytes of local memory that a block may have.
    pub block_memory: i64,
    /// Threads that a processor holds at a time.
    pub threads: i64,
    /// Blocks that a processor holds at a time.
    pub blocks: i64,
    /// Bytes of local memory of a processor, for all its blocks.
    pub memory: i64,
    /// Registers of four bytes of a processor, for all its threads.
    pub registers: i64,
    /// Bytes per nanosecond from and to the device's memory.
    pub bandwidth: f64,
    /// Nanoseconds from a load of the device's memory to its value.
    pub latency: f64,
    /// Operations on `float` per nanosecond, on all processors, where nothing is contracted; on
    /// `double` half as many.
    pub operations: f64,
    /// Bytes per nanosecond from and to the local memories, or first caches, of all processors.
    pub near: f64,
    /// Nanoseconds of a launch.
    pub launch: f64,
}

impl Default for Gpu {
    fn default() -> Gpu {
        defaults::GPUS[0].1
    }
}

impl Gpu {
    /// The names of devices that are known.
    pub fn names() -> impl Iterator<Item = &'static str> {
        defaults::GPUS.iter().map(|(name, _)| *name)
    }

    /// The device of this name.
    pub fn named(name: &str) -> Option<Gpu> {
        let mut all = defaults::GPUS.iter();
        all.find(|(own, _)| *own == name).map(|(_, gpu)| *gpu)
    }

    /// The device that a driver's name for it is about; the first one with so many processors, and
    /// with rates that grow with them, where none is.
    pub fn like(driver: &str, processors: i64) -> Gpu {
        let driver = driver.to_lowercase();
        let mut all = defaults::GPUS[1..].iter();
        // Whole words: an A1000 is no A100.
        let words: Vec<&str> = driver.split(|c: char| !c.is_alphanumeric()).collect();
        if let Some((_, gpu)) = all.find(|(name, _)| words.contains(name)) {
            return *gpu;
        }
        let usual = Gpu::default();
        let share = processors.max(1) as f64 / usual.processors as f64;
        Gpu {
            processors: processors.max(1),
            bandwidth: usual.bandwidth * share,
            operations: usual.operations * share,
            near: usual.near * share,
            ..usual
        }
    }

    /// Blocks of so many threads with so many bytes of local memory that a processor holds at a
    /// time; 0: none fits.
    pub fn resident(&self, threads: i64, bytes: i64) -> i64 {
        if threads > self.block_threads || bytes > self.block_memory {
            return 0;
        }
        let threads = threads.max(1);
        let registers = threads.saturating_mul(defaults::DEVICE_REGISTERS);
        let all = [
            self.blocks,
            self.threads / threads,
            self.registers / registers,
            self.memory.max(bytes) / bytes.max(1),
        ];
        // What a block may have, one block has.
        all.into_iter().min().unwrap_or(1).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_names() {
        assert_eq!(Gpu::named("generic"), Some(Gpu::default()));
        assert_eq!(Gpu::named("h300"), None);
        let h200 = Gpu::named("h200").unwrap();
        assert_eq!(Gpu::like("NVIDIA H200", 7), h200);
        let h100 = Gpu::named("h100").unwrap();
        assert_eq!(Gpu::like("NVIDIA H100 80GB HBM3", 132), h100);
        assert_eq!(
            Gpu::like("NVIDIA A100-SXM4-80GB", 7),
            Gpu::named("a100").unwrap()
        );
        // Another device whose name begins like that one's.
        assert_eq!(Gpu::like("NVIDIA RTX A1000", 20).processors, 20);
        let small = Gpu::like("pthread-skylake", 2);
        assert_eq!(small.processors, 2);
        let usual = Gpu::default();
        let share = small.bandwidth / usual.bandwidth;
        assert!((share - 2.0 / usual.processors as f64).abs() < 1e-12);
    }

    #[test]
    fn the_scarcest_resource_limits_blocks() {
        let gpu = Gpu::named("h200").unwrap();
        // 32 blocks at most, 2048 threads, 228 KiB, 65536 registers.
        assert_eq!(gpu.resident(32, 0), 32);
        assert_eq!(gpu.resident(256, 64 << 10), 3);
        assert_eq!(gpu.resident(256, 227 << 10), 1);
        assert_eq!(gpu.resident(256, 228 << 10), 0);
        assert_eq!(gpu.resident(2048, 0), 0);
        let by_registers = 65536 / (256 * defaults::DEVICE_REGISTERS);
        assert_eq!(gpu.resident(256, 0), by_registers.min(8));
        for bytes in [1, 1 << 10, 10 << 10, 100 << 10] {
            assert!(gpu.resident(256, bytes) >= gpu.resident(256, 2 * bytes));
            assert!(gpu.resident(128, bytes) >= gpu.resident(512, bytes));
        }
    }
}
