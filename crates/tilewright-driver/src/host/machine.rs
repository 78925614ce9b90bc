//! The machine that this runs on, for planners: what Linux says of its caches and processors, and
//! what a machine file says, as [`crate::calibrate`] measures it.
//!
//! Whatever neither says keeps the library's default.

use crate::Result;
use crate::host::output::words;
use std::env;
use std::ffi::OsString;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::machine::{Machine, MachineFile};
use tilewright::plan::rates::Rates;

/// What says in place of a machine file's name that none is to be read.
pub const NO_FILE: &str = "none";

/// The environment variable that names a machine file, or [`NO_FILE`].
pub const VARIABLE: &str = "TILEWRIGHT_MACHINE";

/// What planners are told of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Caches and cores.
    pub machine: Machine,
    /// Of the time model.
    pub rates: Rates,
    /// The machine file that was read.
    pub file: Option<PathBuf>,
}

/// What is known of the machine: what `file` says, else the file that `$TILEWRIGHT_MACHINE` names,
/// else the one at [`default_file`] if it is there; the rest as [`this_machine`].
///
/// # Errors
/// `TW0404` where a file cannot be read, with the line.
pub fn known(file: Option<&Path>) -> Result<Known> {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let named = file.map(Path::to_owned).or(named.map(PathBuf::from));
    let file = match named {
        Some(file) if file == Path::new(NO_FILE) => None,
        Some(file) => Some(file),
        None => default_file().filter(|file| file.exists()),
    };
    let here = this_machine();
    let Some(file) = file else {
        return Ok(Known {
            machine: here,
            rates: Rates::default(),
            file: None,
        });
    };
    let read = read(&file)?;
    Ok(Known {
        machine: read.machine.or(&here),
        rates: read.rates,
        file: Some(file),
    })
}

/// Reads a machine file.
///
/// # Errors
/// `TW0404` with the line.
pub fn read(file: &Path) -> Result<MachineFile> {
    let refuse = |reason: &str| {
        let message = format!("cannot use the machine file {}: {reason}", file.display());
        let help =
            format!("`tilewright calibrate` writes one; `--machine {NO_FILE}` plans without one");
        Box::new(Diagnostic::error(Code::BadMachine, message).help(help))
    };
    let text = crate::host::input::text(file).map_err(|error| refuse(&words(&error)))?;
    MachineFile::from_toml(&text).map_err(|reason| refuse(reason.trim_end()))
}

/// Where `tilewright calibrate` writes and other commands look: `tilewright/machine.toml` in the
/// user's directory for configuration. `None` where there is no such directory.
pub fn default_file() -> Option<PathBuf> {
    place(env::var_os("XDG_CONFIG_HOME"), env::var_os("HOME"))
}

/// As the XDG base directory specification has it: a variable that is empty or no absolute path
/// is as none.
fn place(configuration: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let home = || Some(absolute(home?)?.join(".config"));
    let directory = configuration.and_then(absolute).or_else(home)?;
    Some(directory.join("tilewright").join("machine.toml"))
}

/// The machine that this process runs on.
pub fn this_machine() -> Machine {
    let mut machine = caches(Path::new("/sys/devices/system/cpu/cpu0/cache"));
    if let Ok(cores) = std::thread::available_parallelism() {
        machine.cores = cores.get() as i64;
    }
    if let Ok(text) = read_to_string("/proc/cpuinfo") {
        machine.vector = vector_bytes(&text).unwrap_or(machine.vector);
    }
    machine
}

/// The default machine with the caches that a directory of `sysfs` describes: `index0/level`,
/// `index0/type`, `index0/size` and so on.
fn caches(directory: &Path) -> Machine {
    let mut machine = Machine::default();
    let Ok(entries) = std::fs::read_dir(directory) else {
        return machine;
    };
    for entry in entries.flatten() {
        let read = |file: &str| read_to_string(entry.path().join(file)).ok();
        let (Some(level), Some(kind), Some(size)) = (read("level"), read("type"), read("size"))
        else {
            continue;
        };
        if kind.trim() == "Instruction" {
            continue;
        }
        let Some(bytes) = bytes(size.trim()) else {
            continue;
        };
        match level.trim() {
            "1" => machine.cache_l1 = bytes,
            "2" => machine.cache_l2 = bytes,
            "3" => machine.cache_l3 = bytes,
            _ => {}
        }
    }
    machine
}

/// A size as people write it: `48K`, `1M`, `512`; in bytes.
pub fn bytes(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['B', 'b']);
    let (digits, factor) = match text.chars().last()? {
        'K' | 'k' => (&text[..text.len() - 1], 1 << 10),
        'M' | 'm' => (&text[..text.len() - 1], 1 << 20),
        'G' | 'g' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number: i64 = digits.parse().ok()?;
    number.checked_mul(factor).filter(|&b| b > 0)
}

/// Bytes of a vector register, from the flags of the first processor in `/proc/cpuinfo`.
fn vector_bytes(text: &str) -> Option<i64> {
    let is_flags = |line: &&str| line.starts_with("flags") || line.starts_with("Features");
    let flags: Vec<&str> = text.lines().find(is_flags)?.split_whitespace().collect();
    let has = |flag: &str| flags.contains(&flag);
    [("avx512f", 64), ("avx2", 32), ("sse2", 16), ("asimd", 16)]
        .into_iter()
        .find_map(|(flag, bytes)| has(flag).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(bytes("48K"), Some(48 << 10));
        assert_eq!(bytes("1M"), Some(1 << 20));
        assert_eq!(bytes("2GB"), Some(2 << 30));
        assert_eq!(bytes("512"), Some(512));
        for wrong in ["", "K", "1.5M", "-4K", "0", "99999999999G"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_default_file_is_in_the_users_configuration() {
        let text = |configuration: Option<&str>, home: Option<&str>| {
            let found = place(configuration.map(Into::into), home.map(Into::into));
            found.map(|path| path.display().to_string())
        };
        let of = |path: &str| Some(format!("{path}/tilewright/machine.toml"));
        assert_eq!(text(Some("/c"), Some("/h")), of("/c"));
        assert_eq!(text(None, Some("/h")), of("/h/.config"));
        assert_eq!(text(Some(""), Some("/h")), of("/h/.config"));
        assert_eq!(text(Some("c"), Some("/h")), of("/h/.config"));
        assert_eq!(text(None, None), None);
        assert_eq!(text(None, Some("h")), None);
    }

    #[test]
    fn files_say_more_than_the_system() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("machine.toml");
        std::fs::write(
            &file,
            "version = 1\n[machine]\ncores = 77\n[rates]\nrow = 9\n",
        )
        .unwrap();
        let found = known(Some(&file)).unwrap();
        assert_eq!(found.machine.cores, 77);
        assert_eq!(found.machine.cache_l1, this_machine().cache_l1);
        assert_eq!(found.rates.row, 9.0);
        assert_eq!(found.file, Some(file.clone()));
        let none = known(Some(Path::new(NO_FILE))).unwrap();
        assert_eq!((none.rates, none.file), (Rates::default(), None));
        std::fs::write(&file, "version = 1\n[rates]\nrow = 'x'\n").unwrap();
        let error = known(Some(&file)).unwrap_err();
        assert_eq!(error.code, "TW0404");
        assert!(error.message.contains("line 3"), "{}", error.message);
        let missing = known(Some(&directory.path().join("no.toml"))).unwrap_err();
        assert!(
            missing.message.ends_with("no such file or directory"),
            "{missing:?}"
        );
    }

    #[test]
    fn caches_are_read_from_sysfs_without_those_for_instructions() {
        let directory = tempfile::tempdir().unwrap();
        let caches_of = [
            ("index0", "1", "Data", "48K"),
            ("index1", "1", "Instruction", "32K"),
            ("index2", "2", "Unified", "2048K"),
        ];
        for (name, level, kind, size) in caches_of {
            let path = directory.path().join(name);
            std::fs::create_dir(&path).unwrap();
            for (file, text) in [("level", level), ("type", kind), ("size", size)] {
                std::fs::write(path.join(file), format!("{text}\n")).unwrap();
            }
        }
        let machine = caches(directory.path());
        assert_eq!(machine.cache_l1, 48 << 10);
        assert_eq!(machine.cache_l2, 2 << 20);
        assert_eq!(machine.cache_l3, Machine::default().cache_l3);
        assert_eq!(caches(Path::new("/nowhere")), Machine::default());
    }

    #[test]
    fn vectors_are_as_wide_as_the_processor_says() {
        let flags = |text: &str| vector_bytes(&format!("model name : x\nflags\t: fpu {text}\n"));
        assert_eq!(flags("sse2 avx2 avx512f"), Some(64));
        assert_eq!(flags("sse2 avx2"), Some(32));
        assert_eq!(flags("sse2"), Some(16));
        assert_eq!(flags(""), None);
        assert_eq!(vector_bytes("Features : fp asimd\n"), Some(16));
    }
}
