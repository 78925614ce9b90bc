//! A program whose mutants are made: its regions as the compiler has them between two passes.

use crate::choices::{self, Words};
use crate::harness;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tilewright::analysis::region::Region;
use tilewright::codegen::kernel::Kernel;
use tilewright::codegen::{self, CodegenOptions};
use tilewright::compile::{Compiled, Options, Surroundings, compile, regions};
use tilewright::frontend::c;
use tilewright::frontend::c::rewrite::{Replacement, edits, put_in, splice_preprocessed};
use tilewright::frontend::c::syntax;
use tilewright::plan::RegionPlan;
use tilewright::scop::Scop;
use tilewright::source::Source;
use tilewright::transform::Transformed;

/// Longest time for the compile of one region.
const LIMIT: Duration = Duration::from_secs(6);

/// Longest time for one step of isl on one mutant.
const STEP: Duration = Duration::from_secs(2);

/// A file, compiled.
pub struct Subject {
    /// The file.
    pub source: Source,
    /// What it was compiled with.
    pub words: Words,
    /// The same.
    pub options: Options,
    /// What came out.
    pub compiled: Compiled,
    /// What its regions were on the way.
    pub parts: Vec<Part>,
}

/// One region on its way.
pub struct Part {
    /// As the plan has it, with what was inlined.
    pub region: Region,
    /// Its number in the file.
    pub number: usize,
    /// Before code is generated.
    pub transformed: Transformed,
    /// Before it is printed.
    pub kernel: Kernel,
    /// As it is printed.
    pub text: String,
    place: syntax::Region,
    function: String,
    check: Option<String>,
    settings: CodegenOptions,
    /// What stands around all texts of it: inspected bounds, memory of packed matrices.
    surroundings: Surroundings,
}

/// Reads a file, and what the preprocessor makes of it.
///
/// # Errors
/// What is wrong, in words.
pub fn read(path: &Path) -> Result<Source, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let output = Command::new("gcc").args(["-E", "-dD"]).arg(path).output();
    let output = output.map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&output.stdout);
    let name = path.display().to_string();
    Ok(Source::with_macros(name, text, &output))
}

impl Subject {
    /// Compiles a text. Nothing where it is refused.
    pub fn of_text(text: &str, words: &Words, folder: &Path) -> Option<Subject> {
        Subject::new(harness::source(text, folder).ok()?, words)
    }

    /// Compiles a file. Nothing where it is refused.
    pub fn new(source: Source, words: &Words) -> Option<Subject> {
        let mut options = choices::options(words)?;
        options.limits.region_time = LIMIT;
        let compiled = compile(&source, &options, None, &mut |_| {}).ok()?;
        let unit = c::read(&source).ok()?;
        let taken = codegen::c::identifiers(&source.preprocessed);
        let mut parts = Vec::new();
        let analysed = regions(&source, options.limits.budget).ok()?;
        for (number, region) in analysed.into_iter().enumerate() {
            let plan = &compiled.plan.regions[number];
            let place = unit.regions[number].clone();
            let function = unit.functions[place.function].name.clone();
            parts.extend(Part::new(
                (region, number),
                plan,
                &options,
                &taken,
                (place, function),
            ));
        }
        Some(Subject {
            source,
            words: words.clone(),
            options,
            compiled,
            parts,
        })
    }

    /// The preprocessed file with another text in place of a region.
    pub fn preprocessed(&self, part: &Part, text: &str) -> String {
        let check = part.check.as_deref().map(|check| (check, &[][..]));
        splice_preprocessed(&self.source, &part.place, text, check)
    }

    /// The file with another text in place of a region.
    pub fn file(&self, part: &Part, text: &str) -> String {
        let replacement = Replacement {
            check: part.check.clone(),
            is_run: part.place.is_run,
            ..Replacement::always(part.region.scop.place.span, text.to_owned())
        };
        let edits = edits(&self.source, &[replacement], &[]);
        put_in(&self.source.text, &edits)
    }
}

impl Part {
    /// Nothing where a region is left as it was.
    fn new(
        (region, number): (Region, usize),
        plan: &RegionPlan,
        options: &Options,
        taken: &BTreeSet<String>,
        (place, function): (syntax::Region, String),
    ) -> Option<Part> {
        if plan.groups.is_empty() {
            return None;
        }
        let check = codegen::c::check(&region.scop, options.target.is_device()).ok()?;
        let original = region;
        let region = original.prepared(plan).ok()?.into_owned();
        let transformed = region.apply(plan).ok()?;
        let settings = CodegenOptions {
            target: options.target,
            taken_names: taken.clone(),
            ..CodegenOptions::default()
        };
        let surroundings = Surroundings::new(&region, &original, options, &settings).ok()?;
        let mut part = Part {
            region,
            number,
            transformed,
            kernel: Kernel {
                body: Vec::new(),
                buffers: Vec::new(),
                temporaries: Vec::new(),
            },
            text: String::new(),
            place,
            function,
            check,
            settings,
            surroundings,
        };
        part.kernel = part.generate(&part.transformed)?;
        part.text = part.print(&part.region.scop, &part.transformed, &part.kernel);
        Some(part)
    }

    /// The function that holds the region.
    pub fn function(&self) -> &str {
        &self.function
    }

    /// Whether the validator refuses another order or storage; `None` where isl cannot say.
    pub fn is_refused(&self, transformed: &Transformed) -> Option<bool> {
        let Region { scop, dataflow, .. } = &self.region;
        scop.ctx.reset_operations();
        let validate = || tilewright::validate::validate(scop, dataflow, transformed);
        let violation = scop.ctx.within(STEP, validate).ok()?;
        Some(violation.is_some())
    }

    /// The kernel of another order or storage.
    pub fn generate(&self, transformed: &Transformed) -> Option<Kernel> {
        let scop = &self.region.scop;
        scop.ctx.reset_operations();
        let generate = || codegen::generation::build::generate(scop, transformed, &self.settings);
        scop.ctx.within(STEP, generate).ok()
    }

    /// The text of another kernel.
    pub fn print(&self, scop: &Scop, transformed: &Transformed, kernel: &Kernel) -> String {
        let text = codegen::c::print_c(scop, transformed, kernel, &self.settings);
        self.surroundings.around(&self.region, &text)
    }
}
