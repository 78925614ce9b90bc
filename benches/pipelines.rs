//! What the benches over image pipelines share.

// Each bench uses a part of it.
#![allow(dead_code)]

use crate::setting::{Failure, check_names, is_wanted, root};
use std::path::PathBuf;
use tilewright_driver::measure::experiment::Values;

/// The pipelines: files of `examples/pipelines`, functions of the same name, and the sizes that
/// are usual for them.
const PIPELINES: [(&str, &str); 7] = [
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

/// A pipeline with values of its scalars.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub name: &'static str,
    pub values: Values,
}

impl Pipeline {
    /// The example.
    pub fn file(&self) -> PathBuf {
        let folder = root().join("examples/pipelines");
        folder.join(self.name).with_extension("c")
    }

    /// Its name and values.
    pub fn title(&self) -> String {
        let values = self.values.iter();
        let values: Vec<String> = values.map(|(n, v)| format!("{n} = {v}")).collect();
        format!("{}, {}", self.name, values.join(", "))
    }
}

/// Which pipelines are run, and how often.
#[derive(Debug, clap::Args)]
pub struct Asked {
    /// Pipelines to run [default: all]
    pipelines: Vec<String>,
    /// Timed runs of each version
    #[arg(long, value_name = "N", default_value_t = 11)]
    pub runs: usize,
    /// Value of a scalar argument, for every pipeline that has it
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
}

impl Asked {
    /// The pipelines that are run; `others` are names that have to be pipelines' as well.
    pub fn pipelines<'n>(
        &'n self,
        others: impl IntoIterator<Item = &'n String>,
    ) -> Result<Vec<Pipeline>, Failure> {
        let names = PIPELINES.map(|(name, _)| name);
        check_names("pipeline", &names, self.pipelines.iter().chain(others))?;
        let mut found = Vec::new();
        for (name, usual) in PIPELINES {
            if is_wanted(&self.pipelines, name) {
                let pairs = usual.split(' ').filter_map(|one| one.split_once('='));
                let owned = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
                let values = owned.collect();
                found.push(Pipeline { name, values });
            }
        }
        for text in &self.params {
            let (name, value) = text.split_once('=').ok_or("write --param NAME=VALUE")?;
            let all = found.iter_mut();
            let those: Vec<_> = all.filter_map(|p| p.values.get_mut(name)).collect();
            if those.is_empty() {
                return Err(format!("no pipeline that is run has an argument `{name}`").into());
            }
            those.into_iter().for_each(|own| value.clone_into(own));
        }
        Ok(found)
    }
}
