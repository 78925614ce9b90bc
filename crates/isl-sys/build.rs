//! Finds isl: in `ISL_LIB_DIR` where that is set, else through pkg-config, else
//! `libisl.so.23` itself, which a Debian or Ubuntu machine with gcc has even without
//! isl's development package.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest isl with all the functions of `bindings.rs`.
const OLDEST: &str = "0.25";
/// The name isl has at run time, 0.22 to 0.27 at least. One older than [`OLDEST`] links
/// all the same, unless the program calls a function which it lacks.
const SONAME: &str = "libisl.so.23";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for variable in [
        "PKG_CONFIG",
        "PKG_CONFIG_PATH",
        "PKG_CONFIG_LIBDIR",
        "ISL_LIB_DIR",
    ] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    // A documentation build links nothing.
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Some(dir) = env::var_os("ISL_LIB_DIR").map(PathBuf::from) {
        if let Some(name) = ["libisl.so", SONAME].iter().find(|n| dir.join(n).exists()) {
            link_file(&dir, name);
            return;
        }
        fail(&format!("ISL_LIB_DIR={} has no {SONAME}", dir.display()));
    }
    let pkg_config = match pkg_config() {
        Ok(()) => return,
        Err(why) => why,
    };
    if let Some(dir) = search_dirs().into_iter().find(|d| d.join(SONAME).exists()) {
        link_file(&dir, SONAME);
        return;
    }
    fail(&format!(
        "pkg-config: {pkg_config}; no {SONAME} in the usual directories"
    ));
}

/// Asks pkg-config, and passes its answer on to cargo.
fn pkg_config() -> Result<(), String> {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let output = Command::new(&program)
        .args(["--libs", &format!("isl >= {OLDEST}")])
        .output()
        .map_err(|e| format!("cannot run {}: {e}", program.to_string_lossy()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "finds no isl >= {OLDEST} ({})",
            message.trim().replace('\n', " ")
        ));
    }
    for word in String::from_utf8_lossy(&output.stdout).split_whitespace() {
        if let Some(dir) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={dir}");
        } else if let Some(lib) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={lib}");
        }
    }
    Ok(())
}

/// Links exactly the file `name` in `dir`.
fn link_file(dir: &Path, name: &str) {
    println!("cargo:rustc-link-search=native={}", dir.display());
    println!("cargo:rustc-link-lib=dylib:+verbatim={name}");
}

/// Where distributions keep shared libraries.
fn search_dirs() -> Vec<PathBuf> {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let mut dirs: Vec<PathBuf> = vec![
        format!("/usr/lib/{arch}-linux-gnu").into(),
        format!("/lib/{arch}-linux-gnu").into(),
    ];
    dirs.extend(
        [
            "/usr/local/lib64",
            "/usr/local/lib",
            "/usr/lib64",
            "/lib64",
            "/usr/lib",
            "/lib",
        ]
        .map(PathBuf::from),
    );
    dirs.extend(
        env::var_os("LD_LIBRARY_PATH")
            .iter()
            .flat_map(env::split_paths),
    );
    dirs
}

/// Ends the build with a message which says what to install.
fn fail(why: &str) -> ! {
    eprintln!(
        "error: isl (the Integer Set Library, {OLDEST} or later) was not found.\n\
         {why}\n\n\
         Install it:\n  \
           Debian, Ubuntu:  apt install libisl23        (libisl-dev works too)\n  \
           Fedora:          dnf install isl-devel       (if it is {OLDEST} or later)\n  \
           Arch:            pacman -S libisl\n\
         or build it from https://libisl.sourceforge.io/ and set ISL_LIB_DIR to the\n\
         directory which holds {SONAME} (which the dynamic linker must find, too)."
    );
    std::process::exit(1);
}
