//! `tilewright view`

use super::{Outcome, Work};
use crate::arguments::ViewArguments;
use crate::progress::Progress;
use crate::terminal::{Failure, print};
use std::path::Path;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::view::{draw, svg};
use tilewright_driver::host::output;

/// Compiles a file and draws the tiles of what comes out.
pub fn run(arguments: &ViewArguments, colour: bool) -> Result<Outcome, Failure> {
    let standard = arguments.output == Path::new("-");
    let plan = arguments.plan.plan.as_deref();
    if !standard && arguments.file.exists() {
        let inputs: Vec<&Path> = [&*arguments.file].into_iter().chain(plan).collect();
        output::check(&arguments.output, &inputs)?;
    }
    arguments.plan.check()?;
    let progress = Progress::new(colour);
    let mut options = arguments.plan.options(&arguments.plan.model.known()?);
    options.limits.region_time = arguments.limits.region();
    let toolchain = arguments.c.toolchain();
    let work = Work::new(&arguments.file, &toolchain, &options, plan, &progress)?;
    work.check_estimates(&arguments.plan.model.estimates)?;
    progress.at("draw");
    let drawings = draw(
        &work.source,
        options.limits.budget,
        &options.trust,
        &work.compiled.plan,
        arguments.dimension.as_deref(),
    );
    progress.end();
    work.warn(colour);
    let drawings = drawings.map_err(|mut diagnostics| match diagnostics.pop() {
        Some(only) if diagnostics.is_empty() && only.code == Code::NotApplicable.name() => {
            Failure::Unfit(Box::new(only))
        }
        last => {
            diagnostics.extend(last);
            Failure::refused(diagnostics, Some(work.source.clone()))
        }
    })?;
    if drawings.is_empty() {
        let message = "there is nothing to draw: no region was transformed";
        return Err(Box::new(Diagnostic::error(Code::NotApplicable, message)).into());
    }
    let text = svg::svg(&drawings);
    if standard {
        print(&text)?;
    } else {
        output::write(&arguments.output, text.as_bytes())?;
    }
    Ok(Outcome::Done)
}
