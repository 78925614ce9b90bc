//! The tiling: an affine mapping θ, which of its dimensions are tiled, and what names their sizes
//! (section 2.1), with the sets of points in, before and behind a tile that may be anywhere
//! (section 3).

use super::{Result, ReuseError};
use crate::analysis::region::Region;
use crate::scop::Scop;
use isl::{DimType, Map, Set, UnionMap};

/// Where statements go before they are cut into tiles.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// θ: from every instance to a point; all points have the same number of dimensions. The
    /// program executes instances in the lexicographic order of their points.
    pub theta: UnionMap,
    /// Dimensions of a point.
    pub dims: usize,
    /// Dimensions around those that are tiled: loops that stay outside of all tiles.
    pub outer: usize,
    /// Dimensions that are tiled, behind the outer ones. No dependence between points with the
    /// same outer dimensions goes backwards in one of them.
    pub band: usize,
}

/// A mapping cut into tiles.
///
/// A tile is named by its *origin*: the outer dimensions, then its lower corner in the tiled ones.
/// It holds the points between origin and origin + size in each tiled dimension.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// Where instances go.
    pub mapping: Mapping,
    /// How many of the innermost tiled dimensions make up a strip: at least 1. Tiles of one strip
    /// are executed in lexicographic order of their origins and share a local memory.
    pub strip: usize,
    /// Parameters that are the tile sizes, one per tiled dimension; at least 1 each.
    pub sizes: Vec<String>,
}

impl Mapping {
    /// A mapping given as isl's text, with the tiled dimensions `outer..outer + band`; without a
    /// band, the one with most dimensions, the outermost of several.
    ///
    /// # Errors
    /// isl's own for text that it does not read; [`ReuseError::Refused`] where a statement has no
    /// point or several, points have different dimensions, or dependences forbid it.
    pub fn parse(region: &Region, text: &str, band: Option<(usize, usize)>) -> Result<Mapping> {
        let scop = &region.scop;
        let text = text.trim();
        let text = if text.starts_with('{') {
            let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
            format!("[{}] -> {text}", names.join(", "))
        } else {
            text.to_owned()
        };
        let theta = UnionMap::read_from_str(&scop.ctx, &text).map_err(|error| {
            ReuseError::Refused(format!("isl cannot read the mapping: {error}"))
        })?;
        Mapping::of(region, &theta, band)
    }

    /// The mapping of isl's scheduler, as whole components, with this band or its largest one.
    ///
    /// # Errors
    /// isl's own, among them that its budget ran out; [`ReuseError::Refused`] where no loop can be
    /// tiled.
    pub fn scheduled(region: &Region, band: Option<(usize, usize)>) -> Result<Mapping> {
        let scop = &region.scop;
        let statements: Vec<usize> = (0..scop.statements.len()).collect();
        let dependences = region.dataflow.among(scop, &statements)?;
        let flow = region.dataflow.flow_among(scop, &statements)?;
        scop.ctx.set_schedule_serialize_sccs(0)?;
        scop.ctx.set_schedule_whole_component(1)?;
        scop.ctx.set_schedule_maximize_coincidence(0)?;
        scop.ctx.set_schedule_maximize_band_depth(0)?;
        let constraints = isl::ScheduleConstraints::on_domain(&scop.domain()?)?
            .set_context(&scop.context)?
            .set_validity(&dependences)?
            .set_coincidence(&dependences)?
            .set_proximity(&flow)?;
        let schedule = scop.ctx.schedule(&constraints)?;
        let theta = schedule.get_map()?;
        Mapping::of(region, &theta, band)
    }

    fn of(region: &Region, theta: &UnionMap, band: Option<(usize, usize)>) -> Result<Mapping> {
        let scop = &region.scop;
        let theta = theta.intersect_domain(&scop.domain()?)?;
        let mut dims = None;
        for statement in &scop.statements {
            let mut own = None;
            for map in theta.maps()? {
                if map.tuple_name(DimType::In)?.as_deref() == Some(&statement.name) {
                    own = Some(map);
                }
            }
            let name = &statement.name;
            let own = own.ok_or_else(|| {
                ReuseError::Refused(format!(
                    "the mapping leaves {name} out; write {name}[…] -> […] for it, too"
                ))
            })?;
            let here = own.range_tuple_dim()?;
            if *dims.get_or_insert(here) != here {
                return Err(ReuseError::Refused(format!(
                    "the mapping sends {name} to {here} dimensions and the statements before it to \
                     {}",
                    dims.unwrap_or(here)
                )));
            }
            if !own.is_single_valued()? || !statement.domain.is_subset(&own.domain()?)? {
                return Err(ReuseError::Refused(format!(
                    "the mapping does not send every instance of {name} to one point; each dimension of \
                     a point is a sum of loop variables and parameters"
                )));
            }
            if own.range()?.tuple_name()?.is_some() {
                return Err(ReuseError::Refused(format!(
                    "points have no name; write {name}[…] -> […]"
                )));
            }
        }
        let dims = dims.unwrap_or(0);
        let dependences = dependences(region, &theta)?;
        if let Some(pair) = backwards(&dependences, &scop.ctx, dims)? {
            return Err(ReuseError::Refused(format!(
                "the mapping executes dependent instances in the wrong order, or at the same \
                 point: {pair}; without a mapping, isl's scheduler finds one"
            )));
        }
        let (outer, band) = match band {
            Some((outer, band)) => {
                if band == 0 || outer + band > dims {
                    return Err(ReuseError::Refused(format!(
                        "the mapping has {dims} dimensions, no band of {band} behind the first \
                         {outer}"
                    )));
                }
                for dim in outer..outer + band {
                    if let Some(pair) = against(&dependences, &scop.ctx, dims, outer, dim)? {
                        return Err(ReuseError::Refused(format!(
                            "dimension {dim} of the mapping cannot be tiled with the others: a \
                             dependence goes backwards in it: {pair}; skew it, or leave it out of --band"
                        )));
                    }
                }
                (outer, band)
            }
            None => widest(&theta, &dependences, scop, dims)?,
        };
        Ok(Mapping {
            theta,
            dims,
            outer,
            band,
        })
    }

    /// Dimensions of an origin.
    pub fn origin(&self) -> usize {
        self.outer + self.band
    }
}

/// All dependences, between points.
fn dependences(region: &Region, theta: &UnionMap) -> isl::Result<UnionMap> {
    let dataflow = &region.dataflow;
    let all = dataflow
        .flow(&region.scop)?
        .union(&dataflow.anti)?
        .union(&dataflow.output)?
        .intersect_params(&region.scop.context)?;
    all.apply_domain(theta)?.apply_range(theta)
}

/// Dependences as a map of points, which may be empty.
fn between_points(dependences: &UnionMap, ctx: &isl::Ctx, dims: usize) -> isl::Result<Map> {
    let space = isl::Space::alloc(ctx, 0, dims, dims)?;
    let mut all = Map::empty(&space)?;
    for map in dependences.maps()? {
        all = all.union(&map)?;
    }
    Ok(all)
}

/// A dependence that is not executed from its source to its sink.
fn backwards(dependences: &UnionMap, ctx: &isl::Ctx, dims: usize) -> isl::Result<Option<String>> {
    let all = between_points(dependences, ctx, dims)?;
    let later = Map::lex_ge(&isl::Space::set_alloc(ctx, 0, dims)?)?;
    sample(&all.intersect(&later)?)
}

/// A dependence inside the outer dimensions that goes backwards in `dim`.
fn against(
    dependences: &UnionMap,
    ctx: &isl::Ctx,
    dims: usize,
    outer: usize,
    dim: usize,
) -> isl::Result<Option<String>> {
    let all = between_points(dependences, ctx, dims)?;
    let same: Vec<String> = (0..outer).map(|k| format!("x{k} = y{k}")).collect();
    let condition = same.into_iter().chain([format!("y{dim} < x{dim}")]);
    let condition: Vec<String> = condition.collect();
    let wrong = format!(
        "{{ [{}] -> [{}] : {} }}",
        names("x", dims),
        names("y", dims),
        condition.join(" and ")
    );
    sample(&all.intersect(&Map::read_from_str(ctx, &wrong)?)?)
}

fn sample(map: &Map) -> isl::Result<Option<String>> {
    if map.is_empty()? {
        return Ok(None);
    }
    Ok(Some(map.sample()?.to_string()))
}

/// The longest run of dimensions that can be tiled together and of which every one has more than
/// one value at some statement; the outermost of several.
fn widest(
    theta: &UnionMap,
    dependences: &UnionMap,
    scop: &Scop,
    dims: usize,
) -> Result<(usize, usize)> {
    let ctx = &scop.ctx;
    let mut is_loop = vec![false; dims];
    for map in theta.maps()? {
        for (dim, is_loop) in is_loop.iter_mut().enumerate() {
            let one = map
                .range()?
                .project_out(DimType::Set, dim + 1, dims - dim - 1)?;
            let one = one.project_out(DimType::Set, 0, dim)?;
            *is_loop |= !one.lexmin()?.is_equal(&one.lexmax()?)?;
        }
    }
    let mut best = (0, 0);
    for outer in 0..dims {
        let mut band = 0;
        while outer + band < dims
            && is_loop[outer + band]
            && against(dependences, ctx, dims, outer, outer + band)?.is_none()
        {
            band += 1;
        }
        if band > best.1 {
            best = (outer, band);
        }
    }
    if best.1 == 0 {
        return Err(ReuseError::Refused(
            "no dimension of the mapping can be tiled; give another one with --mapping".to_owned(),
        ));
    }
    Ok(best)
}

/// `x0, x1`
pub(super) fn names(stem: &str, count: usize) -> String {
    let all: Vec<String> = (0..count).map(|k| format!("{stem}{k}")).collect();
    all.join(", ")
}

impl Tiling {
    /// Tiles of a mapping. `sizes` are the parameters' names, one per tiled dimension; without,
    /// `s1`, `s2`, … or, where the program has such a name, `size1`, ….
    ///
    /// # Errors
    /// [`ReuseError::Refused`] where the numbers do not fit the mapping, or a name is taken.
    pub fn new(
        scop: &Scop,
        mapping: Mapping,
        strip: usize,
        sizes: Option<Vec<String>>,
    ) -> Result<Tiling> {
        if strip == 0 || strip > mapping.band {
            return Err(ReuseError::Refused(format!(
                "a strip has 1 to {} dimensions here, not {strip}",
                mapping.band
            )));
        }
        let taken = |name: &str| {
            scop.params
                .iter()
                .any(|p| p.name == name || p.spelling == name)
                || scop.arrays.iter().any(|a| a.name == name || a.base == name)
        };
        let sizes = sizes.unwrap_or_else(|| {
            let named = |stem| -> Vec<String> {
                (1..=mapping.band).map(|k| format!("{stem}{k}")).collect()
            };
            let short = named("s");
            if short.iter().any(|name| taken(name)) {
                named("size")
            } else {
                short
            }
        });
        let identifier = |name: &String| {
            name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && name.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        let mut different = sizes.clone();
        different.sort_unstable();
        different.dedup();
        if sizes.len() != mapping.band || different.len() != sizes.len() {
            return Err(ReuseError::Refused(format!(
                "there are {} tiled dimensions, so {} different names of tile sizes are needed",
                mapping.band, mapping.band
            )));
        }
        if let Some(name) = sizes.iter().find(|name| !identifier(name) || taken(name)) {
            return Err(ReuseError::Refused(format!(
                "`{name}` cannot be the name of a tile size: it is taken, or no identifier"
            )));
        }
        Ok(Tiling {
            mapping,
            strip,
            sizes,
        })
    }

    /// What is always assumed: the program's own assumptions, and tile sizes of at least 1.
    ///
    /// # Errors
    /// isl's own.
    pub fn context(&self, scop: &Scop) -> isl::Result<Set> {
        let least: Vec<String> = self.sizes.iter().map(|s| format!("{s} >= 1")).collect();
        let text = format!(
            "[{}] -> {{ : {} }}",
            self.sizes.join(", "),
            least.join(" and ")
        );
        scop.context
            .intersect(&Set::read_from_str(&scop.ctx, &text)?)
    }

    /// The points of a tile.
    ///
    /// # Errors
    /// isl's own.
    pub fn tile(&self) -> isl::Result<Map> {
        self.points(&[self.inside(0..self.mapping.band)])
    }

    /// The points of the strip that holds a tile.
    ///
    /// # Errors
    /// isl's own.
    pub fn whole_strip(&self) -> isl::Result<Map> {
        self.points(&[self.inside(0..self.first_in_strip())])
    }

    /// The points of a tile's strip that are executed before all points of the tile: by Property 1
    /// the union of the tiles `I' ≺_s I`, unaligned ones among them.
    ///
    /// # Errors
    /// isl's own.
    pub fn before(&self) -> isl::Result<Map> {
        self.points(&self.sides(false, false))
    }

    /// Those that are executed behind all points of the tile.
    ///
    /// # Errors
    /// isl's own.
    pub fn after(&self) -> isl::Result<Map> {
        self.points(&self.sides(true, false))
    }

    /// Those before it and its own.
    ///
    /// # Errors
    /// isl's own.
    pub fn up_to(&self) -> isl::Result<Map> {
        self.points(&self.sides(false, true))
    }

    /// Its own and those behind.
    ///
    /// # Errors
    /// isl's own.
    pub fn from_on(&self) -> isl::Result<Map> {
        self.points(&self.sides(true, true))
    }

    /// From a tile to the next one along the innermost dimension.
    ///
    /// # Errors
    /// isl's own.
    pub fn next(&self, ctx: &isl::Ctx) -> isl::Result<Map> {
        let origin = self.mapping.origin();
        let next = (0..origin).map(|k| {
            if k + 1 == origin {
                format!("i{k} + {}", self.sizes[self.mapping.band - 1])
            } else {
                format!("i{k}")
            }
        });
        let next: Vec<String> = next.collect();
        let text = format!(
            "[{}] -> {{ [{}] -> [{}] }}",
            self.sizes.join(", "),
            names("i", origin),
            next.join(", ")
        );
        Map::read_from_str(ctx, &text)
    }

    /// The first tiled dimension that is part of the strip.
    pub fn first_in_strip(&self) -> usize {
        self.mapping.band - self.strip
    }

    /// Conditions: inside the tile in these tiled dimensions.
    fn inside(&self, dims: std::ops::Range<usize>) -> Vec<String> {
        let outer = self.mapping.outer;
        dims.map(|k| format!("i{0} <= x{0} < i{0} + {1}", outer + k, self.sizes[k]))
            .collect()
    }

    /// Conditions on points on one side of a tile in its strip, with or without the tile: in the
    /// same or a later (earlier) tile in all dimensions but one, and beyond the tile in that one.
    fn sides(&self, behind: bool, with: bool) -> Vec<Vec<String>> {
        let outer = self.mapping.outer;
        let strip = self.first_in_strip()..self.mapping.band;
        // Not on the other side in this dimension.
        let reached = |k: usize| {
            if behind {
                format!("x{0} >= i{0}", outer + k)
            } else {
                format!("x{0} < i{0} + {1}", outer + k, self.sizes[k])
            }
        };
        let beyond = |k: usize| {
            if behind {
                format!("x{0} >= i{0} + {1}", outer + k, self.sizes[k])
            } else {
                format!("x{0} < i{0}", outer + k)
            }
        };
        let mut all = Vec::new();
        let whole = with.then_some(strip.end);
        for last in strip.clone().chain(whole) {
            // With the tile, the last dimension is only reached, which covers going beyond it.
            if with && last + 1 == strip.end {
                continue;
            }
            let mut conditions = self.inside(0..strip.start);
            conditions.extend((strip.start..last).map(reached));
            if last < strip.end {
                conditions.push(beyond(last));
            }
            all.push(conditions);
        }
        all
    }

    /// From origins to points with the same outer dimensions for which one of the conditions
    /// holds.
    fn points(&self, any: &[Vec<String>]) -> isl::Result<Map> {
        let Mapping { dims, outer, .. } = self.mapping;
        let same = (0..outer).map(|k| format!("x{k} = i{k}"));
        let same: Vec<String> = same.collect();
        let parts: Vec<String> = any
            .iter()
            .map(|conditions| {
                let all: Vec<String> = same.iter().chain(conditions).cloned().collect();
                let condition = if all.is_empty() {
                    "true".to_owned()
                } else {
                    all.join(" and ")
                };
                format!(
                    "[{}] -> [{}] : {condition}",
                    names("i", self.mapping.origin()),
                    names("x", dims)
                )
            })
            .collect();
        let text = format!("[{}] -> {{ {} }}", self.sizes.join(", "), parts.join("; "));
        Map::read_from_str(self.mapping.theta.ctx(), &text)
    }
}
