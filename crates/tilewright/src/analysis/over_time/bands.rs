//! Bands of time of an iterated stencil: what a band reads that earlier ones wrote, and what it
//! leaves behind.
//!
//! The time loop is cut into bands of as many iterations each, which follow each other. What is
//! computed in a band and read in no later one need not reach the memory of the program. This is
//! what overlapped tiles over time rest on (Zhao & Cohen, TACO 2019, sections 2.1 and 3.1): they
//! compute in storage of their own, and exchange values between bands only.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::over_time::cone::{Cone, NoCone, Placed};
use crate::scop::{AccessKind, ArrayId, Scop, Statement, StatementId};
use isl::{DimType, Map, Result, Set};

/// An iterated stencil in bands of time.
#[derive(Clone, Debug)]
pub struct Bands {
    /// Its flow dependences.
    pub cone: Cone,
    /// All dependences, where tiles are executed in another order than the original's.
    pub order: Option<Cone>,
    /// Values of the time loop's variable in one band: a band has `cone.steps` times as many units
    /// of logical time.
    pub iterations: i64,
    /// The value with which band 0 begins.
    pub start: i64,
    /// Per array that is written, in the order of the arrays.
    pub traffic: Vec<Traffic>,
}

/// What passes from band to band through one array, as sets of `[band, x…]`, `x` the cells of the
/// array.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// The array.
    pub array: ArrayId,
    /// Cells that hold what a band reads when it begins.
    pub entering: Set,
    /// Of these, the ones that the band before wrote.
    pub recent: Set,
    /// Those that were written in some band before that one, and not since.
    pub old: Set,
    /// Cells that a band writes and that later ones, or what follows the region, read; with other
    /// cells that it writes where that makes a simpler set, and none that enters.
    pub leaving: Set,
    /// Of these, the ones with the value that is left behind the region.
    pub last: Set,
}

/// What is what in a program in bands of time.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The bands, of the original.
    pub bands: Bands,
    /// Bands in one round: each has statements of its own. Its statements have the number of
    /// the round as their first iterator.
    pub phases: Vec<Phase>,
    /// Statements before the first round.
    pub before: Vec<StatementId>,
    /// Statements behind the last round.
    pub after: Vec<StatementId>,
}

/// The statements of one band of a round.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    /// Copies into the band's own arrays, with those arrays.
    pub loads: Vec<(StatementId, ArrayId)>,
    /// What the band computes, in the order of [`Cone::statements`].
    pub steps: Vec<StatementId>,
    /// Copies from the band's own arrays, with those arrays.
    pub stores: Vec<(StatementId, ArrayId)>,
    /// The band's own arrays.
    pub arrays: Vec<ArrayId>,
}

impl Bands {
    /// Cuts the time loop around some statements into bands of at least `height` units of logical
    /// time: whole iterations.
    ///
    /// # Errors
    /// As [`Cone::of_flow`].
    pub fn find(
        scop: &Scop,
        dataflow: &Dataflow,
        statements: &[StatementId],
        height: i64,
    ) -> std::result::Result<Bands, NoCone> {
        let cone = Cone::of_flow(scop, dataflow, statements)?;
        let mut start: Option<i64> = None;
        for placed in &cone.statements {
            let domain = &scop.statements[placed.statement].domain;
            let first = domain
                .intersect_params(&scop.context)?
                .dim_min_val(0usize)?;
            // Without a bound that is a number, any value will do.
            let first = first.to_i64().unwrap_or(0);
            start = Some(start.map_or(first, |start| start.min(first)));
        }
        let mut bands = Bands {
            iterations: (height.max(1) + cone.steps - 1) / cone.steps,
            start: start.unwrap_or(0),
            cone,
            order: None,
            traffic: Vec::new(),
        };
        for array in 0..scop.arrays.len() {
            if bands.writes(scop, array).next().is_some() {
                let traffic = bands.through(scop, dataflow, array)?;
                bands.traffic.push(traffic);
            }
        }
        Ok(bands)
    }

    /// The statements that write to an array.
    fn writes<'s>(
        &'s self,
        scop: &'s Scop,
        array: ArrayId,
    ) -> impl Iterator<Item = &'s Statement> + 's {
        let all = self.cone.statements.iter();
        all.map(|placed| &scop.statements[placed.statement])
            .filter(move |statement| {
                let mut accesses = statement.accesses.iter();
                accesses.any(|a| a.array == array && a.kind == AccessKind::Write)
            })
    }

    fn placed(&self, scop: &Scop, name: &str) -> Option<&Placed> {
        let all = &mut self.cone.statements.iter();
        all.find(|placed| scop.statements[placed.statement].name == name)
    }

    /// From the instances of a statement to their bands.
    fn band(&self, statement: &Statement) -> Result<Map> {
        let others = (1..statement.iterators.len()).map(|i| format!(", x{i}"));
        let (start, length) = (self.start, self.iterations);
        let text = format!(
            "{{ {}[t{}] -> [b] : {length} b <= t - {start} < {length} b + {length} }}",
            statement.name,
            others.collect::<String>()
        );
        Map::read_from_str(statement.domain.ctx(), &text)
    }

    /// From `S[i]` to `[b, x…]`, given the cells `A[x]` that it touches.
    fn touched(&self, statement: &Statement, cells: &Map) -> Result<Map> {
        let cells = cells.reset_tuple_id(DimType::Out)?;
        self.band(statement)?.flat_range_product(&cells)
    }

    fn through(&self, scop: &Scop, dataflow: &Dataflow, array: ArrayId) -> Result<Traffic> {
        let name = &scop.arrays[array].name;
        let rank = scop.arrays[array].extents.len();
        let cells: String = (0..rank).map(|d| format!(", x{d}")).collect();
        let none = Set::read_from_str(&scop.ctx, &format!("{{ [b{cells}] : false }}"))?;
        let later = |bands: i64| {
            let text = format!("{{ [a] -> [b{cells}] : a <= b - {bands} }}");
            Map::read_from_str(&scop.ctx, &text)
        };
        let (later, much_later) = (later(1)?, later(2)?);
        // Bands that read a value of an earlier one.
        let (mut recent, mut old, mut leaving) = (none.clone(), none.clone(), none.clone());
        for edge in dataflow.edges.iter().filter(|edge| edge.array == array) {
            let reader = &scop.statements[edge.reader];
            let read = self.touched(reader, &reader.accesses[edge.access].relation)?;
            for sources in edge.sources.maps()? {
                let Some(writer) = self.placed(scop, &sources.get_tuple_name(DimType::In)?) else {
                    continue;
                };
                let writer = self.band(&scop.statements[writer.statement])?;
                let between = sources
                    .intersect_params(&scop.context)?
                    .apply_domain(&writer)?
                    .apply_range(&read)?
                    .intersect(&later)?;
                let long = between.intersect(&much_later)?;
                recent = recent.union(&between.subtract(&long)?.range()?)?;
                old = old.union(&long.range()?)?;
                let left = between.project_out(DimType::Out, 0, 1)?;
                leaving = leaving.union(&left.wrap()?.flatten()?)?;
            }
        }
        let mut before = none.clone();
        for cells in dataflow.live_in.maps()? {
            if cells.get_tuple_name(DimType::Out)? == *name {
                if let Some(reader) = self.placed(scop, &cells.get_tuple_name(DimType::In)?) {
                    let reader = &scop.statements[reader.statement];
                    before = before.union(&self.touched(reader, &cells)?.range()?)?;
                }
            }
        }
        let mut last = none.clone();
        for cells in dataflow.live_out.maps()? {
            if cells.get_tuple_name(DimType::Out)? == *name {
                if let Some(writer) = self.placed(scop, &cells.get_tuple_name(DimType::In)?) {
                    let writer = &scop.statements[writer.statement];
                    last = last.union(&self.touched(writer, &cells)?.range()?)?;
                }
            }
        }
        let mut written = none;
        for writer in self.writes(scop, array) {
            for access in &writer.accesses {
                if access.array == array && access.kind == AccessKind::Write {
                    written = written.union(&self.touched(writer, &access.relation)?.range()?)?;
                }
            }
        }
        let entering = recent.union(&old)?.union(&before)?;
        let leaving = leaving.union(&last)?;
        let exact = simpler(scop, &leaving, None)?;
        let more = simpler(scop, &leaving, Some(&written))?;
        let in_place = scop.is_possible(&entering.intersect(&exact)?)?;
        let disjoint = || entering.intersect(&more)?.is_empty();
        Ok(Traffic {
            array,
            leaving: if in_place || disjoint()? { more } else { exact },
            entering: simpler(scop, &entering, None)?,
            recent: simpler(scop, &recent, None)?,
            old: simpler(scop, &old, None)?,
            last: simpler(scop, &last, None)?,
        })
    }
}

impl Traffic {
    /// Whether bands store where they load.
    ///
    /// # Errors
    /// isl's own.
    pub fn is_in_place(&self, scop: &Scop) -> Result<bool> {
        scop.is_possible(&self.entering.intersect(&self.leaving)?)
    }
}

/// What enters, given those cells of it that the band before wrote, as sets that are simple. The
/// first one has what lies in the same planes of the array as these, with cells between them that
/// may be read as well (the corners that a stencil of five points does not read), none of them in
/// `changing`; the other one, which may be empty, the rims of the other planes.
///
/// # Errors
/// isl's own.
pub fn loads(
    scop: &Scop,
    array: ArrayId,
    entering: &Set,
    recent: &Set,
    changing: &Set,
) -> Result<[Set; 2]> {
    let recent = recent.intersect_params(&scop.context)?;
    let empty = Set::empty(&entering.get_space()?)?;
    if recent.is_empty()? {
        return Ok([empty, simpler(scop, entering, None)?]);
    }
    let planes = Set::from_basic_set(&recent.affine_hull()?)?;
    let inner = entering.intersect(&planes)?;
    let rims = entering.subtract(&planes)?;
    let readable = if scop.arrays[array].live_in {
        within(scop, array, entering)?
    } else {
        None
    };
    let readable = match readable {
        Some(readable) => Some(readable.intersect(&planes)?.subtract(changing)?),
        None => None,
    };
    Ok([
        simpler(scop, &inner, readable.as_ref())?,
        simpler(scop, &rims, None)?,
    ])
}

/// The same set, or one with other points of `allowed`, as one part where that is possible.
fn simpler(scop: &Scop, set: &Set, allowed: Option<&Set>) -> Result<Set> {
    let set = set.intersect_params(&scop.context)?.coalesce()?;
    if set.is_empty()? {
        return Ok(set);
    }
    let hull = Set::from_basic_set(&set.simple_hull()?)?;
    let allowed = match allowed {
        Some(allowed) => allowed.union(&set)?,
        None => set.clone(),
    };
    let set = if hull.is_subset(&allowed)? { hull } else { set };
    set.gist_params(&scop.context)
}

/// All cells inside the bounds of an array, with the space of `cells`; `None` where these are not
/// known.
fn within(scop: &Scop, array: ArrayId, cells: &Set) -> Result<Option<Set>> {
    let space = cells
        .get_space()?
        .align_params(&scop.context.get_space()?)?;
    let extents = &scop.arrays[array].extents;
    if extents.iter().any(|extent| extent.affine.is_none()) {
        return Ok(None);
    }
    scop.arrays[array]
        .inside(&Set::universe(&space)?, 1)
        .map(Some)
}

#[cfg(test)]
mod tests;
