//! What an entry of the cache depends on, as one number.

use crate::host::process;
use crate::host::toolchain::{Purpose, Toolchain};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tilewright::compile::Options;
use tilewright::plan::Plan;

/// Which lines of `/proc/cpuinfo` say for what `-march=native` generates code.
const PROCESSOR: [&str; 8] = [
    "vendor_id",
    "cpu family",
    "model",
    "model name",
    "flags",
    "Features",
    "CPU implementer",
    "CPU part",
];

/// A digest of everything that an entry depends on: equal keys, equal contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(String);

/// What a [`Key`] is made from, part by part.
#[derive(Clone, Debug)]
pub struct Parts(Sha256);

impl Parts {
    /// For entries of one kind: those of different kinds never have the same key.
    pub fn new(kind: &str) -> Parts {
        Parts(Sha256::new())
            .with("kind", kind)
            .with("tilewright", env!("CARGO_PKG_VERSION"))
    }

    /// Adds a part under a name. Names and texts are kept apart, so that no two different lists of
    /// parts are the same bytes.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Parts {
        for part in [name, text] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part.as_bytes());
        }
        self
    }

    /// Adds everything about the C compiler that what it builds depends on, and the processor where
    /// code is generated for it.
    #[must_use]
    pub fn built_by(self, toolchain: &Toolchain, purpose: Purpose) -> Parts {
        let flags = toolchain.flags(purpose);
        let native = flags.iter().any(|flag| flag.ends_with("=native"));
        let mut parts = self
            .with("cc", &toolchain.cc)
            .with("compiler", &identity(toolchain))
            .with("flags", &format!("{flags:?} {:?}", toolchain.ldflags))
            .with("includes", &format!("{:?}", toolchain.include_dirs))
            .with("defines", &format!("{:?}", toolchain.defines));
        if native {
            parts = parts.with("processor", &processor());
        }
        parts
    }

    /// Adds what the compiler is asked for, and which compiler it is: with the same version number
    /// another build of tilewright may generate other code.
    #[must_use]
    pub fn compiled_with(self, options: &Options, plan: Option<&Plan>) -> Parts {
        self.with("options", &format!("{options:?}"))
            .with("plan", &format!("{plan:?}"))
            .with("program", &own_file())
    }

    /// The key.
    pub fn key(self) -> Key {
        Key(hexadecimal(&self.0.finalize()))
    }
}

impl Key {
    /// 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The digest of an entry's contents.
pub(super) fn checksum(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a C compiler says of its version, asked once per process.
fn identity(toolchain: &Toolchain) -> String {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    // Nothing panics while it is held, and what it holds is right at any time.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(said) = known.get(&toolchain.cc) {
        return said.clone();
    }
    let mut command = toolchain.command();
    command.arg("--version");
    // A compiler that does not say anything is told from others by its name.
    let said = process::run(&mut command, toolchain.limit)
        .map(|finished| String::from_utf8_lossy(&finished.stdout).into_owned())
        .unwrap_or_default();
    known.insert(toolchain.cc.clone(), said.clone());
    said
}

/// What the system says of the first processor.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let first = text.split("\n\n").next().unwrap_or_default();
    let telling = first.lines().filter(|line| {
        let name = line.split(':').next().unwrap_or_default().trim();
        PROCESSOR.contains(&name)
    });
    telling.fold(std::env::consts::ARCH.to_owned(), |all, line| {
        all + "\n" + line
    })
}

/// Path, size and date of the file that this code was loaded from: the command, or a library that
/// another program has loaded.
#[cfg(unix)]
fn own_file() -> String {
    use std::ffi::{CStr, OsStr, c_void};
    use std::os::unix::ffi::OsStrExt;
    let here: fn() -> String = own_file;
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `dladdr` accepts any address and writes to `info` only; all zeros are a valid value
    // of that structure. The name it finds belongs to the loader and is not taken away while the
    // code that runs here is loaded.
    let path = unsafe {
        libc::dladdr(here as *const c_void, info.as_mut_ptr());
        let name = info.assume_init().dli_fname;
        if name.is_null() {
            return String::new();
        } else {
            Path::new(OsStr::from_bytes(CStr::from_ptr(name).to_bytes()))
        }
    };
    // The command's own name may be relative to where it was started.
    let found = fs::metadata(path)
        .or_else(|_| fs::metadata(std::env::current_exe().unwrap_or_default()))
        .map(|data| format!("{} {:?}", data.len(), data.modified().ok()));
    format!("{} {found:?}", path.display())
}

#[cfg(not(unix))]
fn own_file() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::toolchain::split;
    use tilewright::scop::CheckKind;

    #[test]
    fn parts_are_kept_apart() {
        let keys = [
            Parts::new("a"),
            Parts::new("b"),
            Parts::new("a").with("x", "yz"),
            Parts::new("a").with("xy", "z"),
            Parts::new("a").with("x", "y").with("z", ""),
        ]
        .map(|parts| parts.key());
        for (at, one) in keys.iter().enumerate() {
            assert_eq!(one.as_str().len(), 64);
            assert!(!keys[at + 1..].contains(one), "{at}");
        }
        assert_eq!(
            Parts::new("a").with("x", "y").key(),
            Parts::new("a").with("x", "y").key()
        );
    }

    #[test]
    fn what_a_build_depends_on_is_in_its_key() {
        let key =
            |toolchain: &Toolchain, purpose| Parts::new("t").built_by(toolchain, purpose).key();
        let usual = Toolchain::default();
        let first = key(&usual, Purpose::Time);
        assert_eq!(first, key(&usual.clone(), Purpose::Time));
        assert_ne!(first, key(&usual, Purpose::Check));
        let others = [
            Toolchain {
                cflags: split("-O2"),
                ..usual.clone()
            },
            Toolchain {
                defines: split("N=1"),
                ..usual.clone()
            },
            Toolchain {
                cc: "another-compiler".to_owned(),
                ..usual.clone()
            },
        ];
        for other in others {
            assert_ne!(first, key(&other, Purpose::Time), "{other:?}");
        }
    }

    #[test]
    fn other_options_are_another_compile() {
        let key = |options: &Options| Parts::new("t").compiled_with(options, None).key();
        let mut options = Options::default();
        let first = key(&options);
        assert_eq!(first, key(&options));
        options.wishes.machine.cores += 1;
        assert_ne!(first, key(&options));
        let mut options = Options::default();
        options.trust.assumed.insert(CheckKind::Wrap);
        let assumed = key(&options);
        options = Options::default();
        options.trust.refused.insert(CheckKind::Wrap);
        assert_ne!(first, assumed);
        assert_ne!(first, key(&options));
        assert_ne!(assumed, key(&options));
        assert!(own_file().contains("Ok("), "{}", own_file());
    }
}
