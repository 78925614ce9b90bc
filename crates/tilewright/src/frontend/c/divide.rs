//! Marked regions that cannot be modelled whole: which of the statements in them can, and become
//! regions by themselves.
//!
//! Lists of statements are taken from outside to inside. In each, what can be modelled by itself
//! makes runs with its neighbours, as far as they can be modelled together; of what cannot be
//! modelled, the lists inside are next. A run begins and ends with a loop: single statements
//! have nothing to gain. What is between and around runs stays as it is, to the byte. Statements that
//! change hidden state are in runs of their own, since the plans for them are few.

use super::lower::calls::hidden;
use super::lower::surroundings::visit;
use super::normalise;
use super::parse::{self, File, Outline, Run};
use super::syntax::{StmtKind, Unit};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// So many statements are tried in a file, at most; what is inside of further ones stays as it is.
const MOST_TRIED: usize = 500;

/// The runs that are regions in place of marked regions, by these regions' numbers.
pub type Division = BTreeMap<usize, Vec<Run>>;

/// Reads a file, with parts of some of its regions in place of these.
///
/// # Errors
/// As [`parse::parse`].
pub fn read_divided(file: &File<'_>, division: &Division) -> Result<Unit, Vec<Diagnostic>> {
    let mut unit = file.unit(division)?;
    normalise::normalise(&mut unit);
    Ok(unit)
}

/// What kind of model a region has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modelled {
    /// All that it does is in the program's memory.
    Plain,
    /// It changes hidden state.
    Effects,
}

/// Whether a region of a unit has, beside statements that change hidden state, loops that do
/// not, which are better off without them.
pub fn is_mixed(unit: &Unit, region: usize) -> bool {
    let (mut effects, mut plain) = (false, false);
    for stmt in &unit.regions[region].statements {
        let mut own = false;
        visit::expressions(unit, stmt, &mut |e| own |= hidden::is_in(unit, e));
        let mut loops = false;
        visit::statements(stmt, &mut |s| {
            loops |= matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. });
        });
        effects |= own;
        plain |= loops && !own;
    }
    effects && plain
}

/// What of each of the regions with the numbers `refused` can be modelled, which `models` says of a
/// region of a unit. A region without such a part has none in the result.
///
/// # Errors
/// As [`parse::parse`].
pub fn divide(
    file: &File<'_>,
    refused: &[usize],
    models: &mut dyn FnMut(&Unit, usize) -> Option<Modelled>,
) -> Result<Division, Vec<Diagnostic>> {
    let outlines = file.outlines()?;
    let mut trial = Trial {
        file,
        marked: outlines.len(),
        left: MOST_TRIED,
        models,
    };
    let mut found = Division::new();
    let lists = refused
        .iter()
        .filter_map(|&region| Some((region, outlines.get(region)?.as_slice())));
    let mut lists: Vec<(usize, &[Outline])> = lists.collect();
    while !lists.is_empty() {
        let singles = lists.iter().map(|(region, list)| {
            let own = list.iter().filter_map(|one| one.run);
            (*region, own.collect())
        });
        let modelled = trial.modelled(singles.collect())?;
        let kind = |run: &Option<Run>| {
            let found = modelled.iter().find(|(known, _)| Some(*known) == *run);
            found.map(|(_, kind)| *kind)
        };
        let alone = |run: &Option<Run>| kind(run).is_some();
        let likewise = |a: &Option<Run>, b: &Option<Run>| alone(a) && kind(a) == kind(b);
        let mut together = Vec::new();
        let mut inside = Vec::new();
        for (region, list) in &lists {
            for run in list.chunk_by(|a, b| likewise(&a.run, &b.run)) {
                let loops = |one: &Outline| one.has_loop && alone(&one.run);
                match (run.iter().position(loops), run.iter().rposition(loops)) {
                    (Some(first), Some(last)) => together.push((*region, &run[first..=last])),
                    _ => inside.extend(
                        run.iter()
                            .filter(|one| one.has_loop)
                            .flat_map(|one| &one.inside)
                            .map(|list| (*region, list.as_slice())),
                    ),
                }
            }
        }
        let whole = |run: &[Outline]| Some(run.first()?.run?.to(run.last()?.run?));
        let together: Vec<_> = together
            .into_iter()
            .flat_map(|(region, run)| match whole(run) {
                Some(one) if run.len() == 1 || parse::is_whole(file.source(), &one) => {
                    vec![(region, run)]
                }
                // A directive stands between them.
                _ => run
                    .chunks(1)
                    .filter(|one| one[0].has_loop)
                    .map(|one| (region, one))
                    .collect(),
            })
            .collect();
        let several = together.iter().filter(|(_, run)| run.len() > 1);
        let several = several.map(|(region, run)| (*region, whole(run).into_iter().collect()));
        let modelled = trial.modelled(several.collect())?;
        for (region, run) in together {
            let runs = found.entry(region).or_default();
            match whole(run) {
                Some(one) if run.len() == 1 || modelled.iter().any(|(run, _)| *run == one) => {
                    runs.push(one);
                }
                _ => {
                    let loops = run.iter().filter(|one| one.has_loop);
                    runs.extend(loops.filter_map(|one| one.run));
                }
            }
        }
        lists = inside;
    }
    for runs in found.values_mut() {
        runs.sort_by_key(|run| run.first);
    }
    Ok(found)
}

struct Trial<'a> {
    file: &'a File<'a>,
    /// Number of regions that the file marks.
    marked: usize,
    /// So many runs may be tried still.
    left: usize,
    models: &'a mut dyn FnMut(&Unit, usize) -> Option<Modelled>,
}

impl Trial<'_> {
    /// Those of some runs, with the numbers of their regions, that can be modelled, and how. They do
    /// not overlap.
    fn modelled(
        &mut self,
        runs: Vec<(usize, Vec<Run>)>,
    ) -> Result<Vec<(Run, Modelled)>, Vec<Diagnostic>> {
        // Nothing but these is a region meanwhile.
        let mut tried: Division = (0..self.marked).map(|region| (region, vec![])).collect();
        for (region, runs) in runs {
            let runs = runs.into_iter().take(self.left);
            let all = tried.entry(region).or_default();
            let before = all.len();
            all.extend(runs);
            self.left -= all.len() - before;
        }
        for runs in tried.values_mut() {
            runs.sort_by_key(|run| run.first);
        }
        let all: Vec<Run> = tried.values().flatten().copied().collect();
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let unit = read_divided(self.file, &tried)?;
        let all = all.into_iter().enumerate();
        let modelled = all.filter_map(|(region, run)| Some((run, (self.models)(&unit, region)?)));
        Ok(modelled.collect())
    }
}
