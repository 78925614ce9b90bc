//! A compiled pipeline.

use crate::build::build;
use crate::call::Call;
use crate::planned::{Planned, compiled};
use crate::tune::{Tuned, Tuning};
use std::path::Path;
use tilewright::compile::{self, Compiled};
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::interface::interface;
use tilewright::frontend::c::parse::parse;
use tilewright::frontend::pipeline::{Pipeline, Problem, Problems, Program};
use tilewright::plan::Plan;
use tilewright::planner::cost::Objective;
use tilewright_driver::cache::Cache;
use tilewright_driver::host::output::words;
use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_driver::host::{input, machine};
use tilewright_driver::measure::library;

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the planner is asked for, among other things; [`Options::for_this_machine`] asks for
    /// tiles that fit this machine's caches.
    pub compile: compile::Options,
    /// A plan to replay in place of the planner's.
    pub plan: Option<Plan>,
    /// The C compiler and its flags.
    pub toolchain: Toolchain,
    /// Without contraction of products and sums, so that all plans of a pipeline give the same
    /// bits, at the price of some speed.
    pub exact: bool,
    /// Neither looks for what was built before in the cache of `tilewright cache`, nor puts there
    /// what is built.
    pub uncached: bool,
}

impl Options {
    /// For the caches and cores of this machine, with the C compiler that `$CC` names.
    ///
    /// # Errors
    /// Where `$TILEWRIGHT_MACHINE` names a file that cannot be used.
    pub fn for_this_machine() -> Result<Options, Problems> {
        let known = machine::known(None).map_err(|d| Problems(vec![plain(&d)]))?;
        let mut options = Options {
            toolchain: Toolchain::from_environment(),
            ..Options::default()
        };
        options.compile.wishes.machine = known.machine;
        options.compile.wishes.objective = Objective::Time(known.rates);
        Ok(options)
    }

    /// Sets the C compiler's flags, with quotes as in a shell.
    pub fn set_cflags(&mut self, flags: &str) {
        self.toolchain.cflags = split(flags);
    }

    /// Replays the plan in a file that [`Kernel::save_plan`] wrote.
    ///
    /// # Errors
    /// Where the file cannot be read, or is no plan.
    pub fn load_plan(&mut self, file: &Path) -> Result<(), Problems> {
        let refuse = |reason: String| {
            let message = format!(
                "the plan {} cannot be used: {}",
                file.display(),
                reason.trim_end()
            );
            Problems(vec![Problem::new(message)])
        };
        let text = input::text(file).map_err(|error| refuse(words(&error)))?;
        self.plan = Some(Plan::from_toml(&text).map_err(refuse)?);
        Ok(())
    }
}

pub(crate) fn plain(diagnostic: &Diagnostic) -> Problem {
    let problem = Problem::new(&diagnostic.message);
    match &diagnostic.help {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// Compiling pipelines.
pub trait Compile {
    /// Compiles with [`Options::for_this_machine`].
    ///
    /// # Errors
    /// Everything that is wrong with the pipeline; what went wrong with its build.
    fn compile(&self) -> Result<Kernel, Problems>;

    /// Compiles.
    ///
    /// # Errors
    /// As [`Compile::compile`].
    fn compile_with(&self, options: &Options) -> Result<Kernel, Problems>;

    /// Decides and generates, but builds nothing: for what there is to know without running it.
    ///
    /// # Errors
    /// Everything that is wrong with the pipeline, or with a plan that was given.
    fn plan(&self, options: &Options) -> Result<Planned, Problems>;

    /// Builds the pipeline stage by stage, as it is written: slow, to compare with. Its plan has
    /// no regions.
    ///
    /// # Errors
    /// As [`Compile::compile`].
    fn reference(&self, options: &Options) -> Result<Kernel, Problems>;

    /// Searches for the plan with which the pipeline is fastest on this machine: see [`Tuning`].
    ///
    /// # Errors
    /// As [`Compile::compile`]; what is wrong with the sizes and images that were given; where no
    /// plan could be measured.
    fn tune(&self, tuning: Tuning<'_>) -> Result<Tuned, Problems>;
}

impl Compile for Pipeline {
    fn compile(&self) -> Result<Kernel, Problems> {
        self.compile_with(&Options::for_this_machine()?)
    }

    fn compile_with(&self, options: &Options) -> Result<Kernel, Problems> {
        Kernel::build(self.plan(options)?, options)
    }

    fn plan(&self, options: &Options) -> Result<Planned, Problems> {
        let program = self.program()?;
        let compiled = compiled(&program, options)?;
        Ok(Planned::new(program, compiled, options))
    }

    fn reference(&self, options: &Options) -> Result<Kernel, Problems> {
        let program = self.program()?;
        let unit = parse(program.source())
            .map_err(|all| Problems(all.iter().map(|d| program.problem(d)).collect()))?;
        let compiled = Compiled {
            interfaces: (0..unit.functions.len())
                .filter(|&at| unit.functions[at].name == program.name())
                .map(|at| interface(&unit, at, &[]))
                .collect(),
            ..Compiled::unchanged(program.source(), Vec::new())
        };
        Kernel::build(Planned::new(program, compiled, options), options)
    }

    fn tune(&self, tuning: Tuning<'_>) -> Result<Tuned, Problems> {
        crate::tune::tune(self, tuning)
    }
}

/// Writes a plan to a file, with comment lines before it.
pub(crate) fn save(plan: &Plan, comment: &str, file: &Path) -> Result<(), Problems> {
    let refuse = |reason: String| {
        let message = format!("the plan cannot be written to {}: {reason}", file.display());
        Problems(vec![Problem::new(message)])
    };
    let text = plan.to_toml().map_err(|e| refuse(e.to_string()))?;
    let text = format!("{comment}{text}");
    tilewright_driver::host::output::write(file, text.as_bytes()).map_err(|d| refuse(d.message))
}

/// A compiled pipeline, loaded. Calls from several threads at a time do not disturb each other.
#[derive(Debug)]
pub struct Kernel {
    planned: Planned,
    /// Why the cache was not used, where that is not as asked for.
    cache_warning: Option<String>,
    entry: library::Program,
}

impl Kernel {
    fn build(planned: Planned, options: &Options) -> Result<Kernel, Problems> {
        let name = planned.program.name();
        let Some(interface) = planned.compiled.interfaces.first() else {
            let message = format!("pipeline {name}: nothing was compiled");
            return Err(Problems(vec![Problem::new(message)]));
        };
        let cache = if options.uncached {
            Cache::in_directory(None, 0)
        } else {
            Cache::open()
        };
        let (text, toolchain) = (planned.c_text(), &options.toolchain);
        let entry = build(name, text, interface, toolchain, options.exact, &cache)?;
        Ok(Kernel {
            cache_warning: cache.warning(),
            planned,
            entry,
        })
    }

    /// What was decided for it, and its C.
    pub fn planned(&self) -> &Planned {
        &self.planned
    }

    /// The pipeline's arguments.
    pub fn program(&self) -> &Program {
        self.planned.program()
    }

    /// The C that runs.
    pub fn c_text(&self) -> &str {
        self.planned.c_text()
    }

    /// [`Planned::reference_text`]
    pub fn reference_text(&self) -> &str {
        self.planned.reference_text()
    }

    /// What was decided.
    pub fn plan(&self) -> &Plan {
        self.planned.plan()
    }

    /// [`Planned::save_plan`]
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save_plan(&self, file: &Path) -> Result<(), Problems> {
        self.planned.save_plan(file)
    }

    /// What was not done, and why.
    pub fn warnings(&self) -> Vec<Problem> {
        let mut all = self.planned.warnings();
        all.extend(self.cache_warning.as_ref().map(Problem::new));
        all
    }

    /// [`Planned::explain`]
    pub fn explain(&self) -> String {
        self.planned.explain()
    }

    /// [`Planned::view`]
    ///
    /// # Errors
    /// Where there is nothing to draw.
    pub fn view(&self) -> Result<String, Problems> {
        self.planned.view()
    }

    pub(crate) fn entry(&self) -> &library::Program {
        &self.entry
    }

    pub(crate) fn into_entry(self) -> library::Program {
        self.entry
    }

    /// Prepares a call.
    pub fn call(&self) -> Call<'_, '_> {
        Call::new(self.program(), &self.entry)
    }
}
