//! What cargo tells a build script, as far as kernels depend on it.

use std::env;
use std::path::PathBuf;

/// For what and where something is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Where results go.
    pub out_dir: PathBuf,
    /// The platform that the program will run on.
    pub target: String,
    /// The one that this runs on.
    pub host: String,
    /// Flags of `rustc`, separated as `CARGO_ENCODED_RUSTFLAGS` has them.
    pub rustflags: String,
}

impl Environment {
    /// From the variables that cargo sets, with what was set by hand in their places.
    pub fn read(out_dir: Option<&PathBuf>, target: Option<&String>) -> Result<Environment, String> {
        let required = |name: &str| {
            env::var(name).map_err(|_| {
                format!("the variable {name} is not set: this is to be called from a build script")
            })
        };
        let out_dir = match out_dir {
            Some(given) => given.clone(),
            None => PathBuf::from(required("OUT_DIR")?),
        };
        let (target, host) = match (target, env::var("HOST")) {
            (Some(target), Ok(host)) => (target.clone(), host),
            // Outside of cargo, what is asked for is what is here.
            (Some(target), Err(_)) => (target.clone(), target.clone()),
            (None, _) => (required("TARGET")?, required("HOST")?),
        };
        Ok(Environment {
            out_dir,
            target,
            host,
            rustflags: env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default(),
        })
    }

    /// Whether the program will run on another platform than this.
    pub fn is_cross(&self) -> bool {
        self.target != self.host
    }

    /// The C compiler's flag for the processor, as `rustc` was told with `-C target-cpu`; where
    /// `native` is asked for, that, if the program will run here.
    pub fn processor(&self, native: bool) -> Option<String> {
        let cpu = if native {
            Some("native")
        } else {
            self.target_cpu()
        };
        let cpu = cpu.filter(|&cpu| cpu != "native" || !self.is_cross())?;
        let flag = match self.target.split('-').next().unwrap_or_default() {
            "x86_64" | "i686" | "i586" => "-march",
            _ => "-mcpu",
        };
        Some(format!("{flag}={cpu}"))
    }

    fn target_cpu(&self) -> Option<&str> {
        let mut found = None;
        let mut flags = self.rustflags.split('\x1f');
        while let Some(flag) = flags.next() {
            let option = match flag {
                "-C" | "--codegen" => flags.next().unwrap_or_default(),
                _ => flag
                    .strip_prefix("-C")
                    .or_else(|| flag.strip_prefix("--codegen="))
                    .unwrap_or_default(),
            };
            found = option.strip_prefix("target-cpu=").or(found);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(target: &str, rustflags: &str) -> Environment {
        Environment {
            out_dir: PathBuf::from("out"),
            target: target.to_owned(),
            host: "x86_64-unknown-linux-gnu".to_owned(),
            rustflags: rustflags.replace(' ', "\x1f"),
        }
    }

    #[test]
    fn the_processor_is_the_one_that_rust_is_compiled_for() {
        let here =
            |flags: &str, native| environment("x86_64-unknown-linux-gnu", flags).processor(native);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(here("", false), None);
        assert_eq!(here("", true), some("-march=native"));
        assert_eq!(
            here("-C target-cpu=x86-64-v3", false),
            some("-march=x86-64-v3")
        );
        assert_eq!(
            here("-Ctarget-cpu=haswell -g --codegen=target-cpu=native", false),
            some("-march=native")
        );
        assert_eq!(here("-C opt-level=3 --cfg target-cpu=x", false), None);
    }

    #[test]
    fn native_is_never_another_machine() {
        let there =
            |flags: &str, native| environment("aarch64-unknown-linux-gnu", flags).processor(native);
        assert_eq!(there("", true), None);
        assert_eq!(there("-C target-cpu=native", false), None);
        assert_eq!(
            there("-C target-cpu=cortex-a72", false),
            Some("-mcpu=cortex-a72".to_owned())
        );
    }
}
