//! The machine that this runs on, for planners: what Linux says of its caches and processors.
//!
//! Whatever it does not say keeps the library's default.

use std::fs::read_to_string;
use std::path::Path;
use tilewright::plan::machine::Machine;

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
