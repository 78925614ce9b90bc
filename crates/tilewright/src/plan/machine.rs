//! What planners know of the machine.

/// Sizes that decide how large tiles may be. The command line reads them from the machine that it
/// runs on; the library has [`Machine::default`].
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Machine {
    /// Bytes of the first data cache of one core.
    pub cache_l1: i64,
    /// Bytes of the second cache of one core.
    pub cache_l2: i64,
    /// Bytes of the last cache, for all cores.
    pub cache_l3: i64,
    /// Cores that run tiles.
    pub cores: i64,
    /// Bytes of a vector register.
    pub vector: i64,
}

impl Default for Machine {
    /// A core of the 2020s, as small as they come, and the eight of them that a computer with one
    /// has.
    fn default() -> Machine {
        Machine {
            cache_l1: 32 << 10,
            cache_l2: 512 << 10,
            cache_l3: 16 << 20,
            cores: 8,
            vector: 32,
        }
    }
}
