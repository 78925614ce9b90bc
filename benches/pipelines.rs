//! What the benches over image pipelines share.

use std::path::{Path, PathBuf};
use std::process::Command;
use tilewright::diagnostic::Diagnostic;
use tilewright_driver::experiment::Values;

/// The pipelines: files of `examples/pipelines`, functions of the same name, and the sizes that
/// are usual for them.
pub const PIPELINES: [(&str, &str); 7] = [
    ("harris", "R=4256 C=2832"),
    ("unsharp_mask", "R=4256 C=2832 threshold=0.01 weight=3"),
    ("bilateral_grid", "R=2616 C=1592"),
    (
        "camera_pipe",
        "R=1968 C=2592 colour_temp=3700 contrast=50 gamma=2",
    ),
    ("local_laplacian", "R=2560 C=1536 alpha=1 beta=1"),
    ("interpolate", "R=2560 C=1536"),
    ("pyramid_blending", "R=2108 C=2108"),
];

/// Values of scalars, from how [`PIPELINES`] has them.
pub fn usual(sizes: &str) -> Values {
    let pairs = sizes.split(' ').filter_map(|one| one.split_once('='));
    let owned = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    owned.collect()
}

/// A diagnostic on one line.
pub fn words(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}", diagnostic.code, diagnostic.message);
    for more in diagnostic.notes.iter().chain(&diagnostic.help) {
        text += &format!("; {more}");
    }
    text
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The first line of what a program says about its version; nothing where it is not there.
pub fn version(cc: &str) -> String {
    let mut words = cc.split_whitespace();
    let output = Command::new(words.next().unwrap_or("cc"))
        .args(words)
        .arg("--version")
        .output();
    let text = output.ok().and_then(|o| String::from_utf8(o.stdout).ok());
    let line = text.as_deref().and_then(|text| text.lines().next());
    line.unwrap_or_default().to_owned()
}

/// Processor and cores.
pub fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split(':').nth(1))
            .map_or("unknown", str::trim)
            .to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{} (family {}, model {}), {cores} cores",
        field("model name"),
        field("cpu family"),
        field("model"),
    )
}
