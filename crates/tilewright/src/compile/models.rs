//! The models of a file's regions, or of what of them can be modelled.

use super::Options;
use super::messages::internal;
use crate::codegen::Target;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::frontend::c::divide::{self, Modelled};
use crate::frontend::c::lower::{Lowered, lower_trusting};
use crate::frontend::c::parse::File;
use crate::frontend::c::syntax::Unit;
use crate::scop::{Scop, new_context};
use crate::source::{Chosen, Source, Span};
use std::collections::HashSet;

/// A file with its regions.
pub(super) struct Models {
    /// The file, in which parts of regions may be regions.
    pub unit: Unit,
    /// The regions; `None` where one stays as it is.
    pub scops: Vec<Option<Scop>>,
    /// What was not done, and why.
    pub warnings: Vec<Diagnostic>,
}

/// Models the regions of a file. Of one that cannot be modelled, parts are regions where that is
/// possible ([`divide`]), and of one that writes somewhere in an array, nobody knows where, those parts
/// that know. Where no part can, or time or isl's budget is over, it stays as it is.
///
/// # Errors
/// Everything that is wrong with the file.
pub(super) fn models(
    file: &File<'_>,
    unit: Unit,
    options: &Options,
) -> Result<Models, Vec<Diagnostic>> {
    let source = file.source();
    if options.untouched {
        let scops = vec![None; unit.regions.len()];
        let message = "the compiler crashed on this file, which is left as it was";
        let crashed = Diagnostic::warning(Code::Internal, message)
            .help("report it with the file; regions in files of their own may be compiled");
        return done(source, Vec::new(), unit, scops, vec![crashed]);
    }
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    let mut scops = Vec::new();
    let mut refused: Vec<(usize, Vec<Diagnostic>)> = Vec::new();
    // Those with models that are better off divided.
    let mut mixed = Vec::new();
    // Those that may be, with what is written anywhere in an array.
    let mut unknown: Vec<(usize, Vec<Span>)> = Vec::new();
    // Devices would get and give back all arrays for each part.
    let divides = matches!(options.target, Target::C | Target::OpenMp);
    for region in 0..unit.regions.len() {
        scops.push(None);
        match lower(&unit, region, options) {
            Ok(lowered) => {
                if divides && divide::is_mixed(&unit, region) {
                    mixed.push(region);
                } else if divides && !lowered.anywhere.is_empty() {
                    unknown.push((region, lowered.anywhere));
                }
                warnings.extend(lowered.warnings);
                scops[region] = Some(lowered.scop);
            }
            Err(more) if all(&more, &[Code::Budget]) => {
                warnings.extend(more.into_iter().map(left_as_it_was));
            }
            Err(more) if source.chosen == Chosen::Marked && more.iter().any(is_mistake) => {
                errors.extend(more);
            }
            Err(more) => refused.push((region, more)),
        }
    }
    if refused.is_empty() && mixed.is_empty() && unknown.is_empty() || !errors.is_empty() {
        errors.extend(refused.into_iter().flat_map(|(_, more)| more));
        return done(source, errors, unit, scops, warnings);
    }
    if !divides {
        let refused = refused.into_iter().flat_map(|(_, more)| more);
        warnings.extend(refused.map(left_as_it_was));
        return done(source, errors, unit, scops, warnings);
    }
    let numbers = refused.iter().map(|(region, _)| *region);
    let mut numbers: Vec<usize> = numbers.chain(mixed).collect();
    numbers.sort_unstable();
    let ctx = new_context(options.limits.budget).map_err(|e| vec![internal(&e)])?;
    let trust = &options.trust;
    let modelled = |unit: &Unit, region, whole: bool| {
        let lowered = lower_trusting(&ctx, unit, region, trust).ok()?;
        if !whole && !lowered.anywhere.is_empty() {
            return None;
        }
        Some(match lowered.scop.has_effects() {
            true => Modelled::Effects,
            false => Modelled::Plain,
        })
    };
    let divided = |numbers: &[usize], whole: bool| {
        let mut models = |unit: &Unit, region| modelled(unit, region, whole);
        let division = ctx.within(options.limits.region_time, || {
            divide::divide(file, numbers, &mut models)
        });
        // A file that was read with its own regions can be left with them.
        division.unwrap_or_default()
    };
    let mut division = divided(&numbers, true);
    // Where parts know what the whole does not, as a size that changes from one turn of an outer loop to
    // the next, they are better.
    if !unknown.is_empty() {
        let numbers: Vec<usize> = unknown.iter().map(|(region, _)| *region).collect();
        let mut parts = divided(&numbers, false);
        for (region, places) in unknown {
            let Some(runs) = parts.remove(&region) else {
                continue;
            };
            let within = |place: &Span| {
                let mut spans = runs.iter().map(|run| run.span);
                spans.any(|span| span.start <= place.start && place.end <= span.end)
            };
            if places.iter().any(within) {
                division.insert(region, runs);
            }
        }
    }
    let mut before = Vec::new();
    for (region, more) in refused {
        if division.contains_key(&region) {
            before.extend(more.into_iter().map(left_in_part));
        } else {
            before.extend(more.into_iter().map(left_as_it_was));
        }
    }
    if division.is_empty() {
        warnings.extend(before);
        return done(source, errors, unit, scops, warnings);
    }
    // Symbols have other numbers in the file with other regions.
    let unit = divide::read_divided(file, &division)?;
    // Threads of the program's would share what is kept from one execution of a part to the next; and
    // there has to be a place for it, in front of the loops that were marked.
    let keeps = source.chosen == Chosen::Marked && !source.has_openmp();
    let mut scops = Vec::new();
    let mut warnings = before;
    for region in 0..unit.regions.len() {
        scops.push(match lower(&unit, region, options) {
            Ok(lowered) => {
                warnings.extend(lowered.warnings);
                let mut scop = lowered.scop;
                if !keeps {
                    scop.conditions.checks.changing = None;
                }
                Some(scop)
            }
            // It was said already, or trials went well, so that it is time that is over.
            Err(more) => {
                let more = more.into_iter().map(left_as_it_was);
                let new: Vec<Diagnostic> = more.filter(|one| !warnings.contains(one)).collect();
                warnings.extend(new);
                None
            }
        });
    }
    done(source, errors, unit, scops, warnings)
}

fn done(
    source: &Source,
    mut errors: Vec<Diagnostic>,
    unit: Unit,
    scops: Vec<Option<Scop>>,
    mut warnings: Vec<Diagnostic>,
) -> Result<Models, Vec<Diagnostic>> {
    let mut said = errors.iter_mut().chain(&mut warnings).peekable();
    if said.peek().is_some() {
        let known = words(&source.preprocessed).map(|(_, word)| word).collect();
        said.for_each(|said| name_as(said, &known));
    }
    if errors.is_empty() {
        Ok(Models {
            unit,
            scops,
            warnings,
        })
    } else {
        Err(errors)
    }
}

/// Puts the names that the program has in a message in place of those that were made of them: variables
/// of parts of loops, `i_2` of `i`.
fn name_as(said: &mut Diagnostic, known: &HashSet<&str>) {
    let own = |text: &mut String| {
        let mut named = String::new();
        for (number, part) in text.split('`').enumerate() {
            if number > 0 {
                named.push('`');
            }
            let mut end = 0;
            // What stands between two of these marks is C.
            for (at, word) in words(part).filter(|_| number % 2 == 1) {
                let stem = word.rsplit_once('_').filter(|(stem, digits)| {
                    digits.bytes().all(|b| b.is_ascii_digit()) && known.contains(stem)
                });
                named.push_str(&part[end..at]);
                named.push_str(match stem {
                    Some((stem, _)) if !known.contains(word) => stem,
                    _ => word,
                });
                end = at + word.len();
            }
            named.push_str(&part[end..]);
        }
        *text = named;
    };
    own(&mut said.message);
    said.labels
        .iter_mut()
        .for_each(|label| own(&mut label.text));
    said.notes.iter_mut().chain(&mut said.help).for_each(own);
}

/// The names and numbers of a text, and where they stand.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    text.split(move |c| !is_word(c)).filter_map(move |word| {
        let start = at;
        at += word.len()
            + text[start + word.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

fn lower(unit: &Unit, region: usize, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let ctx = new_context(options.limits.budget).map_err(|e| vec![internal(&e)])?;
    ctx.set_scheduling_time(options.limits.scheduling_time);
    ctx.within(options.limits.region_time, || {
        lower_trusting(&ctx, unit, region, &options.trust)
    })
}

fn all(errors: &[Diagnostic], codes: &[Code]) -> bool {
    errors
        .iter()
        .all(|error| codes.iter().any(|code| error.code == code.name()))
}

/// Whether a message is about a mistake of the program's, not about what cannot be modelled.
fn is_mistake(error: &Diagnostic) -> bool {
    let codes = [Code::UnbalancedPragmas, Code::Undeclared, Code::Internal];
    codes.iter().any(|code| error.code == code.name())
}

/// A warning of what is an error where a region is asked for alone.
pub(super) fn left_as_it_was(error: Diagnostic) -> Diagnostic {
    warned("the region is left as it was", error)
}

/// The same of a region of which other parts are regions.
fn left_in_part(error: Diagnostic) -> Diagnostic {
    warned("a part of the region is left as it was", error)
}

fn warned(what: &str, error: Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        message: format!("{what}: {}", error.message),
        ..error
    }
}
