//! What was decided for a pipeline, and the C that comes of it: all of a kernel but what a C
//! compiler makes.

use crate::explain;
use crate::kernel::{Options, save};
use std::path::Path;
use tilewright::compile::{self, Compiled};
use tilewright::frontend::pipeline::{Problem, Problems, Program};
use tilewright::plan::Plan;
use tilewright::scop::Trust;
use tilewright::view;

/// A pipeline with its plan, not built.
#[derive(Debug)]
pub struct Planned {
    pub(crate) program: Program,
    pub(crate) compiled: Compiled,
    /// isl operations for each step.
    budget: u64,
}

pub(crate) fn compiled(program: &Program, options: &Options) -> Result<Compiled, Problems> {
    let plan = options.plan.as_ref();
    compile::compile(program.source(), &options.compile, plan, &mut |_| {})
        .map_err(|all| Problems(all.iter().map(|d| program.problem(d)).collect()))
}

impl Planned {
    pub(crate) fn new(program: Program, compiled: Compiled, options: &Options) -> Planned {
        Planned {
            program,
            compiled,
            budget: options.compile.limits.budget,
        }
    }

    /// The pipeline's arguments.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The C that runs, once it is built.
    pub fn c_text(&self) -> &str {
        &self.compiled.text
    }

    /// The pipeline as plain C, stage by stage: what the C that runs was compared with.
    pub fn reference_text(&self) -> &str {
        &self.program.source().text
    }

    /// What was decided.
    pub fn plan(&self) -> &Plan {
        &self.compiled.plan
    }

    /// Writes the plan to a file, for [`Options::load_plan`] and to be edited.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save_plan(&self, file: &Path) -> Result<(), Problems> {
        save(self.plan(), "", file)
    }

    /// What was not done, and why.
    pub fn warnings(&self) -> Vec<Problem> {
        let all = self.compiled.warnings.iter();
        all.map(|d| self.program.problem(d)).collect()
    }

    /// Groups, shapes and sizes of tiles, footprints, as text.
    pub fn explain(&self) -> String {
        explain::explain(&self.program, &self.compiled)
    }

    /// The tiles as a picture, in SVG.
    ///
    /// # Errors
    /// Where there is nothing to draw.
    pub fn view(&self) -> Result<String, Problems> {
        let drawings = view::draw(
            self.program.source(),
            self.budget,
            &Trust::default(),
            self.plan(),
            None,
        )
        .map_err(|all| Problems(all.iter().map(|d| self.program.problem(d)).collect()))?;
        if drawings.is_empty() {
            let message = format!("pipeline {} has no tiles to draw", self.program.name());
            return Err(Problems(vec![Problem::new(message)]));
        }
        Ok(view::svg::svg(&drawings))
    }
}
