//! What stands in front of a region, and whether that is wanted.

use super::Options;
use super::messages::{Setback, fallback};
use crate::codegen::c::{self, Compared, Guard};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::defaults;
use crate::scop::Scop;
use crate::source::Source;

const LEFT: &str = "the region is left as it was";

/// What stands in front of a region.
///
/// # Errors
/// A warning: the region stays as it was, since what it needs cannot be compared, is refused by the
/// user, or is too much.
pub(super) fn guard(
    scop: &Scop,
    options: &Options,
    source: &Source,
) -> Result<Guard, Box<Diagnostic>> {
    let mut guard = match c::guard(scop, options.target.is_device()) {
        Ok(guard) => guard,
        Err(error) => return Err(Box::new(fallback(scop, &Setback::Isl(error), LEFT))),
    };
    for one in &mut guard.compared {
        one.line = source.line_column(one.span.start).0;
    }
    let refused = |one: &&Compared| options.trust.refuses(one.kind);
    let refused: Vec<&Compared> = guard.compared.iter().filter(refused).collect();
    if let Some(first) = refused.first() {
        let kind = first.kind.name();
        let mut warning = Diagnostic::warning(
            Code::NotChecked,
            format!(
                "{LEFT}: it needs that {}, which `--no-assume {kind}` rules out",
                first.what
            ),
        )
        .at(first.span, "this needs it");
        for other in &refused[1..] {
            warning = warning.note(format!(
                "it also needs that {} ({}, line {})",
                other.what,
                other.kind.name(),
                other.line
            ));
        }
        return Err(Box::new(warning));
    }
    let compared = guard.compared.iter().filter(|one| !one.assumed).count();
    if compared > defaults::RUN_TIME_CHECKS {
        let most = defaults::RUN_TIME_CHECKS;
        return Err(Box::new(
            Diagnostic::warning(
                Code::NotChecked,
                format!(
                    "{LEFT}: {compared} things would be compared in front of it, and {most} are \
                     the most"
                ),
            )
            .at(scop.place.span, "this region")
            .help(
                "declare pointers that never overlap with `restrict`, or promise it for all of \
                 them with `--assume aliasing`",
            ),
        ));
    }
    Ok(guard)
}

/// Says in front of a region's text what the user promises.
pub(super) fn say(guard: &Guard, text: &mut String) {
    let margin = text.len() - text.trim_start_matches(' ').len();
    let mut lines = String::new();
    for one in guard.compared.iter().filter(|one| one.assumed) {
        // No condition in C has a comment's end in it, but a product behind a pointer may look so.
        let what = one.what.replace("*/", "* /");
        let (kind, blanks) = (one.kind.name(), " ".repeat(margin));
        lines += &format!("{blanks}/* assumed, not checked ({kind}): {what} */\n");
    }
    text.insert_str(0, &lines);
}
