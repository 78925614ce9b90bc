//! What was found about a region, as text and numbers for people and programs.

use super::analysis::Analysis;
use super::lifetimes::Overlap;
use super::traffic::{Choice, Moved, Traffic};
use super::{Result, ReuseError};
use crate::analysis::region::Region;
use crate::plan::defaults;
use crate::reuse::counts::counting::Polynomial;
use isl::Map;
use serde::Serialize;

/// A region's tiles.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The function that holds the region.
    pub function: String,
    /// Its number in the file, from 0.
    pub index: usize,
    /// θ, one line per statement.
    pub mapping: Vec<String>,
    /// What is tiled.
    #[serde(flatten)]
    pub tiles: TilesReport,
    /// Per array what is moved.
    pub arrays: Vec<ArrayReport>,
    /// Local memory.
    #[serde(flatten)]
    pub memory: MemoriesReport,
    /// Elements moved in total where all strips are whole, by samples of exact counts; absent
    /// where no polynomial fits.
    pub total: Option<String>,
    /// Sizes that were chosen.
    pub chosen: Option<Choice>,
    /// Elements moved in total, counted, unless they are too many.
    pub counted: Option<Moved>,
}

/// Which dimensions are tiled.
#[derive(Clone, Debug, Serialize)]
pub struct TilesReport {
    /// Dimensions around the tiled ones.
    pub first: usize,
    /// How many are tiled.
    pub tiled: usize,
    /// How many of those make up a strip.
    pub strip: usize,
    /// Names of the tile sizes.
    pub sizes: Vec<String>,
}

/// Local memory in both schedules of transfers.
#[derive(Clone, Debug, Serialize)]
pub struct MemoriesReport {
    /// Where the sizes hold.
    pub assumed: String,
    /// Without overlap.
    pub sequential: MemoryReport,
    /// With double buffering.
    pub double: MemoryReport,
}

/// One array's transfers.
#[derive(Clone, Debug, Serialize)]
pub struct ArrayReport {
    /// Its name.
    pub array: String,
    /// From origins to cells loaded, a map per line; none where nothing is.
    pub load: Vec<String>,
    /// The same for stores.
    pub store: Vec<String>,
    /// Whether the numbers of cells are exact counts; otherwise they come from samples.
    pub exact: bool,
    /// Why they are no exact counts.
    pub uncounted: Option<String>,
    /// Cells loaded in a whole strip; absent where no polynomial fits.
    pub loads_per_strip: Option<String>,
    /// The same for stores.
    pub stores_per_strip: Option<String>,
}

/// Local memory.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum MemoryReport {
    /// Per array, or piece of one, what it is and its moduli.
    Known(Vec<(String, Vec<String>)>),
    /// Why there is none.
    Unknown {
        /// The reason.
        reason: String,
    },
}

/// What is asked for beyond sets and formulas.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Values of parameters by their C spelling.
    pub params: Vec<(String, i64)>,
    /// Tile sizes.
    pub sizes: Option<Vec<i64>>,
    /// Bytes of local memory within which sizes are chosen, and the schedule.
    pub limit: Option<(i64, Overlap)>,
}

impl Report {
    /// Everything about one region.
    ///
    /// # Errors
    /// [`ReuseError::Refused`] for values that are missing or do not fit; isl's own.
    pub fn of(region: &Region, analysis: &Analysis, wanted: &Wanted) -> Result<Report> {
        let scop = &region.scop;
        let tiling = &analysis.tiling;
        let traffic = analysis.traffic(region)?;
        let (chosen, counted) = numbers(region, analysis, &traffic, wanted)?;
        let mut mapping = Vec::new();
        for map in tiling.mapping.theta.maps()? {
            mapping.push(bare(&map.gist_domain(&map.domain()?)?.to_string()));
        }
        let lines = |map: &Map| -> Result<Vec<String>> {
            let mut lines = Vec::new();
            for part in map.gist_params(&analysis.context)?.basic_maps()? {
                lines.push(bare(&part.to_string()));
            }
            Ok(lines)
        };
        let formula = |p: &Option<Polynomial>| p.as_ref().map(ToString::to_string);
        let mut arrays = Vec::new();
        for (own, moved) in analysis.transfers.arrays.iter().zip(&traffic.arrays) {
            arrays.push(ArrayReport {
                array: scop.arrays[own.array].name.clone(),
                load: lines(&own.load)?,
                store: lines(&own.store)?,
                exact: moved.load_count.is_some() && moved.store_count.is_some(),
                uncounted: moved.uncounted.map(|why| why.to_string()),
                loads_per_strip: formula(&moved.load_formula),
                stores_per_strip: formula(&moved.store_formula),
            });
        }
        scop.ctx.reset_operations();
        let total = traffic.total(scop, tiling)?;
        let full = analysis.full.gist(&analysis.context)?;
        Ok(Report {
            function: scop.place.function.clone(),
            index: scop.place.index,
            mapping,
            tiles: TilesReport {
                first: tiling.mapping.outer,
                tiled: tiling.mapping.band,
                strip: tiling.strip,
                sizes: tiling.sizes.clone(),
            },
            arrays,
            memory: MemoriesReport {
                assumed: bare(&full.to_string())
                    .trim_start_matches(':')
                    .trim()
                    .to_owned(),
                sequential: memory(region, analysis, Overlap::Sequential)?,
                double: memory(region, analysis, Overlap::Double)?,
            },
            total: total.map(|total| total.elements.to_string()),
            chosen,
            counted,
        })
    }
}

fn memory(region: &Region, analysis: &Analysis, overlap: Overlap) -> Result<MemoryReport> {
    let memory = match analysis.memory(overlap, false) {
        Ok(memory) => memory,
        Err(error) if error.is_quota() => {
            let reason = "not found within the budget of isl operations".to_owned();
            return Ok(MemoryReport::Unknown { reason });
        }
        Err(error) => return Err(error),
    };
    let mut all = Vec::new();
    for local in &memory.arrays {
        let name = &region.scop.arrays[local.array].name;
        for (number, part) in local.parts.iter().enumerate() {
            let formulas = part.formulas(&analysis.full)?;
            let formulas = formulas.iter().map(ToString::to_string).collect();
            let mut which = name.clone();
            match &part.cells {
                Some(cells) => {
                    let cells = cells.gist_params(&analysis.full)?;
                    which = format!(
                        "{which}, piece {}: {}, ",
                        number + 1,
                        bare(&cells.to_string())
                    );
                }
                None if number > 0 => which = format!("{which}, all else: {which}"),
                None => {}
            }
            all.push((which, formulas));
        }
    }
    Ok(MemoryReport::Known(all))
}

/// Chosen sizes, and counts.
fn numbers(
    region: &Region,
    analysis: &Analysis,
    traffic: &Traffic,
    wanted: &Wanted,
) -> Result<(Option<Choice>, Option<Moved>)> {
    let scop = &region.scop;
    let tiling = &analysis.tiling;
    let mut values = Vec::new();
    let mut missing = None;
    for param in &scop.params {
        match wanted
            .params
            .iter()
            .find(|(name, _)| *name == param.spelling)
        {
            Some((_, value)) => values.push((param.name.clone(), *value)),
            None => missing = Some(&param.spelling),
        }
    }
    let mut sizes = wanted.sizes.clone();
    if let Some(sizes) = sizes
        .as_ref()
        .filter(|sizes| sizes.len() != tiling.sizes.len())
    {
        return Err(ReuseError::Refused(format!(
            "{} dimensions are tiled, and there are {} tile sizes; give {}",
            tiling.sizes.len(),
            sizes.len(),
            tiling.sizes.join(",")
        )));
    }
    let mut chosen = None;
    if let Some((limit, overlap)) = wanted.limit {
        if let Some(name) = missing {
            return Err(ReuseError::Refused(format!(
                "sizes are chosen for numbers: give the parameter `{name}` a value with --param"
            )));
        }
        let memory = analysis.memory(overlap, true)?;
        scop.ctx.reset_operations();
        let choice = traffic.least(scop, tiling, &memory, &values, limit)?;
        let Some(choice) = choice else {
            let ones = tiling.sizes.iter().map(|size| (size.clone(), 1));
            let all: Vec<(String, i64)> = values.iter().cloned().chain(ones).collect();
            return Err(ReuseError::Refused(format!(
                "no tile sizes need at most {limit} bytes of local memory; tiles of one point need {}",
                traffic.bytes(scop, &memory, &all)?
            )));
        };
        sizes = Some(choice.sizes.clone());
        chosen = Some(choice);
    }
    let (Some(sizes), None) = (sizes, missing) else {
        return Ok((chosen, None));
    };
    let sizes = tiling.sizes.iter().cloned().zip(sizes);
    let all: Vec<(String, i64)> = values.into_iter().chain(sizes).collect();
    scop.ctx.reset_operations();
    let predicted = traffic.predicted(scop, tiling, &all)?;
    // Too many to count, or too many for a number.
    let few = match predicted {
        Some(moved) => moved.loads.saturating_add(moved.stores) <= defaults::REUSE_COUNTED,
        None => !traffic.is_known(),
    };
    if !few {
        return Ok((chosen, None));
    }
    match traffic.counted(scop, tiling, &all) {
        Ok(moved) => Ok((chosen, Some(moved))),
        // A prediction will do where counting takes too long.
        Err(error) if error.is_quota() && chosen.is_some() => Ok((chosen, None)),
        Err(error) => Err(error.into()),
    }
}

/// isl's text of a set or map without its list of parameters and braces.
fn bare(text: &str) -> String {
    let inner = text
        .split_once('{')
        .and_then(|(_, rest)| rest.rsplit_once('}'));
    inner.map_or(text, |(inner, _)| inner).trim().to_owned()
}
