//! The seven pipelines of `examples/pipelines` as stages.

mod bilateral_grid;
mod camera_pipe;
mod harris;
mod interpolate;
mod local_laplacian;
mod pyramid_blending;
mod unsharp_mask;

use tilewright_lang::Pipeline;

/// Makes the stages of a pipeline.
type Build = fn() -> Pipeline;

/// By the names of their C functions.
const ALL: [(&str, Build); 7] = [
    ("bilateral_grid", bilateral_grid::pipeline),
    ("camera_pipe", camera_pipe::pipeline),
    ("harris", harris::pipeline),
    ("interpolate", interpolate::pipeline),
    ("local_laplacian", local_laplacian::pipeline),
    ("pyramid_blending", pyramid_blending::pipeline),
    ("unsharp_mask", unsharp_mask::pipeline),
];

/// The pipeline of this name.
///
/// # Panics
/// Where there is none.
pub fn pipeline(name: &str) -> Pipeline {
    let found = ALL.iter().find(|(own, _)| *own == name);
    let (_, build) = found.unwrap_or_else(|| panic!("there is no pipeline {name}"));
    build()
}
