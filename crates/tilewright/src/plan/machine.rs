//! What planners know of the machine, and the file that says so.

use super::rates::Rates;
use serde::{Deserialize, Deserializer, Serialize};

/// Sizes that decide how large tiles may be. The command line reads them from the machine that it
/// runs on; the library has [`Machine::default`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A machine file: what `tilewright calibrate` measures. What it leaves out is as without it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MachineFile {
    /// Format of the file: [`MACHINE_VERSION`].
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Its caches and cores.
    #[serde(default)]
    pub machine: Sizes,
    /// Nanoseconds of the time model; those that are left out are the built-in ones.
    #[serde(default)]
    pub rates: Rates,
}

/// Of [`Machine`] what a file says; sizes are above 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Sizes {
    /// See [`Machine::cache_l1`].
    #[serde(deserialize_with = "size", skip_serializing_if = "Option::is_none")]
    pub cache_l1: Option<i64>,
    /// See [`Machine::cache_l2`].
    #[serde(deserialize_with = "size", skip_serializing_if = "Option::is_none")]
    pub cache_l2: Option<i64>,
    /// See [`Machine::cache_l3`].
    #[serde(deserialize_with = "size", skip_serializing_if = "Option::is_none")]
    pub cache_l3: Option<i64>,
    /// See [`Machine::cores`].
    #[serde(deserialize_with = "size", skip_serializing_if = "Option::is_none")]
    pub cores: Option<i64>,
    /// See [`Machine::vector`].
    #[serde(deserialize_with = "size", skip_serializing_if = "Option::is_none")]
    pub vector: Option<i64>,
}

/// The version of the format of machine files.
pub const MACHINE_VERSION: u32 = 1;

impl Sizes {
    /// The machine that these describe, with what they leave out from another one.
    pub fn or(&self, other: &Machine) -> Machine {
        Machine {
            cache_l1: self.cache_l1.unwrap_or(other.cache_l1),
            cache_l2: self.cache_l2.unwrap_or(other.cache_l2),
            cache_l3: self.cache_l3.unwrap_or(other.cache_l3),
            cores: self.cores.unwrap_or(other.cores),
            vector: self.vector.unwrap_or(other.vector),
        }
    }
}

impl From<&Machine> for Sizes {
    fn from(machine: &Machine) -> Sizes {
        Sizes {
            cache_l1: Some(machine.cache_l1),
            cache_l2: Some(machine.cache_l2),
            cache_l3: Some(machine.cache_l3),
            cores: Some(machine.cores),
            vector: Some(machine.vector),
        }
    }
}

impl MachineFile {
    /// All that is known of a machine.
    pub fn new(machine: &Machine, rates: Rates) -> MachineFile {
        MachineFile {
            version: MACHINE_VERSION,
            machine: machine.into(),
            rates,
        }
    }

    /// Reads a machine file.
    ///
    /// # Errors
    /// What is wrong with the text, with the line.
    pub fn from_toml(text: &str) -> Result<MachineFile, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// Writes what [`MachineFile::from_toml`] reads back to an equal one.
    ///
    /// # Errors
    /// The serialiser's.
    pub fn to_toml(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }
}

fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    match u32::deserialize(from)? {
        MACHINE_VERSION => Ok(MACHINE_VERSION),
        other => Err(serde::de::Error::custom(format!(
            "the machine file has version {other}, this tilewright reads version {MACHINE_VERSION}"
        ))),
    }
}

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    match i64::deserialize(from)? {
        size if size > 0 => Ok(Some(size)),
        _ => Err(serde::de::Error::custom("a size is a number above 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_back_as_they_were_written() {
        let machine = Machine {
            cores: 3,
            ..Machine::default()
        };
        let rates = Rates {
            memory: 0.0417,
            region: 1234.0,
            ..Rates::default()
        };
        let file = MachineFile::new(&machine, rates);
        let text = file.to_toml().unwrap();
        assert_eq!(MachineFile::from_toml(&text), Ok(file.clone()), "{text}");
        assert_eq!(file.machine.or(&Machine::default()), machine);
    }

    #[test]
    fn what_a_file_leaves_out_is_as_without_it() {
        let file = MachineFile::from_toml("version = 1\n[machine]\ncores = 2\n[rates]\nrow = 5\n");
        let file = file.unwrap();
        let here = Machine {
            cache_l2: 777,
            ..Machine::default()
        };
        let expected = Machine { cores: 2, ..here };
        assert_eq!(file.machine.or(&expected), expected);
        assert_eq!(file.rates.row, 5.0);
        assert_eq!(file.rates.memory, Rates::default().memory);
        let empty = MachineFile::from_toml("version = 1").unwrap();
        assert_eq!(empty.machine.or(&expected), expected);
        assert_eq!(empty.rates, Rates::default());
    }

    #[test]
    fn bad_files_are_refused_with_the_line() {
        for (text, line, reason) in [
            ("version = 2", 1, "this tilewright reads version 1"),
            ("[rates]\nrow = 1.0", 1, "missing field `version`"),
            ("version = 1\n[rates]\nrow = -1", 3, "above 0"),
            ("version = 1\n[rates]\nrow = 0.0", 3, "above 0"),
            ("version = 1\n[rates]\nmemory = inf", 3, "above 0"),
            ("version = 1\n[rates]\n\nmemory = nan", 4, "above 0"),
            (
                "version = 1\n[rates]\nrow = 1\nrows = 2",
                4,
                "unknown field `rows`",
            ),
            (
                "version = 1\n[machine]\ncores = 0",
                3,
                "a size is a number above 0",
            ),
            (
                "version = 1\n[machine]\ncache-l1 = \"48K\"",
                3,
                "invalid type",
            ),
            ("version = 1\n[rates\nrow = 1", 2, "expected"),
        ] {
            let error = MachineFile::from_toml(text).unwrap_err();
            assert!(
                error.contains(&format!("line {line},")),
                "{text:?}: {error}"
            );
            assert!(error.contains(reason), "{text:?}: {error}");
        }
    }
}
