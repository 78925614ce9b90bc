//! What the benches over image pipelines share.

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
