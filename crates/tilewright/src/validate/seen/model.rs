//! A region's model at fixed sizes, in numbers.

use crate::scop::{Access, AccessKind, Scop};
use isl::{Aff, DimType, LocalSpace, Map, PwAff, Result, Set, Val};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use tilewright_certify::storage::trace::Access as Bytes;

/// Points of a set that are written out; where there are more, isl is asked for each.
const MOST_POINTS: i64 = 20_000;

/// Values of iterators, subscripts, or times.
pub(super) type Point = Vec<i64>;

/// The model of a region whose parameters have these values.
pub(super) struct Model<'s> {
    pub scop: &'s Scop,
    pub statements: Vec<Instances>,
    /// Extents of each array, as far as they are known.
    pub extents: Vec<Vec<Option<i64>>>,
}

/// The instances of a statement.
pub(super) struct Instances {
    domain: Members,
    times: Members,
    pub accesses: Vec<Members>,
}

/// A set or a relation, of which points are known or asked for.
pub(super) struct Members {
    set: Set,
    /// By the first dimensions, the others; `None`: asked for one by one.
    points: Option<HashMap<Point, Vec<Point>>>,
    asked: RefCell<HashMap<Point, bool>>,
}

impl Members {
    /// `key`: dimensions in front.
    fn new(set: Set, key: usize) -> Result<Members> {
        let mut points = None;
        if let Some(list) = points_of(&set)? {
            let mut map: HashMap<Point, Vec<Point>> = HashMap::new();
            for mut point in list {
                let rest = point.split_off(key);
                map.entry(point).or_default().push(rest);
            }
            points = Some(map);
        }
        Ok(Members {
            set,
            points,
            asked: RefCell::default(),
        })
    }

    /// Whether a pair is in it.
    pub fn has(&self, key: &[i64], rest: &[i64]) -> Result<bool> {
        if let Some(points) = &self.points {
            let found = points.get(key);
            return Ok(found.is_some_and(|list| list.iter().any(|p| p == rest)));
        }
        let mut point = key.to_vec();
        point.extend(rest);
        if let Some(known) = self.asked.borrow().get(&point) {
            return Ok(*known);
        }
        let mut set = self.set.clone();
        for (at, value) in point.iter().enumerate() {
            set = set.fix_val(DimType::Set, at, &Val::int_from_si(set.ctx(), *value)?)?;
        }
        let found = !set.is_empty()?;
        self.asked.borrow_mut().insert(point, found);
        Ok(found)
    }

    /// Whether a cell belongs to a key: by its subscripts, or by its distance in bytes where the
    /// dimensions' steps are given, and several subscripts may be one cell.
    pub fn has_cell(&self, key: &[i64], cell: &[i64], steps: Option<&[i64]>) -> Result<bool> {
        match (steps, cell) {
            (Some(steps), &[bytes]) => self.has_at(key, steps, bytes),
            _ => self.has(key, cell),
        }
    }

    /// Whether one that belongs to a key lies so many bytes away, by steps of so many bytes.
    fn has_at(&self, key: &[i64], steps: &[i64], bytes: i64) -> Result<bool> {
        if let Some(points) = &self.points {
            let lies = |point: &Point| {
                let all = point.iter().zip(steps);
                all.map(|(at, step)| at * step).sum::<i64>() == bytes
            };
            return Ok(points.get(key).is_some_and(|list| list.iter().any(lies)));
        }
        let mut set = self.set.clone();
        for (at, value) in key.iter().enumerate() {
            set = set.fix_val(DimType::Set, at, &Val::int_from_si(set.ctx(), *value)?)?;
        }
        let space = LocalSpace::from_space(&set.get_space()?)?;
        let mut sum = Aff::zero_on_domain(&space)?;
        sum = sum.set_constant_val(&Val::int_from_si(set.ctx(), -bytes)?)?;
        for (at, step) in steps.iter().enumerate() {
            let step = Val::int_from_si(set.ctx(), *step)?;
            sum = sum.set_coefficient_val(DimType::In, key.len() + at, &step)?;
        }
        let there = set.intersect(&PwAff::from_aff(&sum)?.zero_set()?)?;
        Ok(!there.is_empty()?)
    }

    /// One that belongs to a key.
    pub fn one(&self, key: &[i64]) -> Result<Option<Point>> {
        if let Some(points) = &self.points {
            return Ok(points.get(key).and_then(|list| list.first().cloned()));
        }
        let mut set = self.set.clone();
        for (at, value) in key.iter().enumerate() {
            set = set.fix_val(DimType::Set, at, &Val::int_from_si(set.ctx(), *value)?)?;
        }
        if set.is_empty()? {
            return Ok(None);
        }
        let point = coordinates(&set.sample_point()?, set.dim(DimType::Set)?)?;
        Ok(Some(point[key.len()..].to_vec()))
    }

    /// The keys, where they are written out.
    pub fn keys(&self) -> Option<impl Iterator<Item = &Point>> {
        self.points.as_ref().map(HashMap::keys)
    }
}

fn coordinates(point: &isl::Point, dims: usize) -> Result<Point> {
    let dims = 0..dims;
    dims.map(|d| point.get_coordinate_val(DimType::Set, d)?.get_num_si())
        .collect()
}

/// All points, if there are not too many.
fn points_of(set: &Set) -> Result<Option<Vec<Point>>> {
    let dims = set.dim(DimType::Set)?;
    if set.is_empty()? {
        return Ok(Some(Vec::new()));
    }
    if !set.is_bounded()? {
        return Ok(None);
    }
    let mut volume = 1i64;
    for dim in 0..dims {
        let (least, most) = (set.dim_min_val(dim)?, set.dim_max_val(dim)?);
        let extent = most.sub(&least)?.add_ui(1)?;
        if extent.gt_si(MOST_POINTS)? {
            return Ok(None);
        }
        volume = volume.saturating_mul(extent.get_num_si()?);
    }
    // Dimensions that follow from others make the box larger than the set.
    if volume > MOST_POINTS && set.count_val()?.gt_si(MOST_POINTS)? {
        return Ok(None);
    }
    let points = set.points()?;
    let points = points.iter().map(|point| coordinates(point, dims));
    points.collect::<Result<_>>().map(Some)
}

impl<'s> Model<'s> {
    /// `None` where the region's own statements are executed, or what is given does not hold.
    pub fn at(scop: &'s Scop, values: &[i64]) -> Result<Option<Model<'s>>> {
        if fixed(scop, &scop.context, values)?.is_empty()? {
            return Ok(None);
        }
        let schedule = scop.schedule.get_map()?.maps()?;
        let mut statements = Vec::new();
        for statement in &scop.statements {
            let dims = statement.iterators.len();
            let domain = fixed(scop, &statement.domain, values)?;
            let relation = |map: &Map| -> Result<Members> {
                let set = fixed(scop, &map.wrap()?.flatten()?, values)?;
                Members::new(set, dims)
            };
            let mut times = None;
            for map in &schedule {
                if map.tuple_name(DimType::In)?.as_ref() == Some(&statement.name) {
                    times = Some(relation(&map.intersect_domain(&statement.domain)?)?);
                }
            }
            let Some(times) = times else {
                let what = format!("{} has no time", statement.name);
                return Err(isl::Error::new(isl::ErrorKind::Invalid, what));
            };
            let accesses = statement.accesses.iter();
            statements.push(Instances {
                domain: Members::new(domain, dims)?,
                times,
                accesses: accesses
                    .map(|access: &Access| relation(&access.relation))
                    .collect::<Result<_>>()?,
            });
        }
        let mut extents = Vec::new();
        for array in &scop.arrays {
            let mut own = Vec::new();
            for extent in &array.extents {
                own.push(match &extent.affine {
                    None => None,
                    Some(value) => {
                        // The graph of the extent, as a set.
                        let graph = Set::from_pw_aff(value)?;
                        let graph = fixed(scop, &graph, values)?;
                        match points_of(&graph)?.as_deref() {
                            Some([point]) => point.first().copied(),
                            _ => None,
                        }
                    }
                });
            }
            extents.push(own);
        }
        Ok(Some(Model {
            scop,
            statements,
            extents,
        }))
    }

    /// Whether a cell is a parameter, which is read in front of the region: an element of an array that
    /// no statement writes.
    pub fn is_parameter(&self, array: usize, cell: &[i64]) -> bool {
        let written = self.scop.statements.iter().any(|statement| {
            let mut accesses = statement.accesses.iter();
            accesses.any(|a| a.array == array && a.kind != AccessKind::Read)
        });
        let subscripts: String = cell.iter().map(|at| format!("[{at}]")).collect();
        let place = format!("{}{subscripts}", self.scop.arrays[array].base);
        !written && self.scop.params.iter().any(|p| p.spelling == place)
    }

    /// Whether what is taken as given of the parameters holds.
    pub fn is_given(scop: &Scop, values: &[i64]) -> Result<bool> {
        Ok(!fixed(scop, &scop.conditions.checks.given, values)?.is_empty()?)
    }
}

/// Where a place is in an array that begins there and has these steps: subscripts, outermost first.
pub(super) fn subscripts(first: i64, steps: &[i64], bytes: i64, access: &Bytes) -> Option<Point> {
    let mut rest = access.offset - first;
    let mut point = Vec::new();
    for &step in steps {
        if step == 0 {
            return None;
        }
        point.push(rest.div_euclid(step));
        rest = rest.rem_euclid(step);
    }
    (rest == 0 && access.size as i64 == bytes).then_some(point)
}

impl Instances {
    /// Whether it has this instance.
    pub fn has(&self, instance: &[i64]) -> Result<bool> {
        self.domain.has(instance, &[])
    }

    /// When an instance is executed.
    pub fn time(&self, instance: &[i64]) -> Result<Option<Point>> {
        self.times.one(instance)
    }

    /// All instances, where they are written out.
    pub fn all(&self) -> Option<HashSet<&Point>> {
        self.domain.keys().map(Iterator::collect)
    }
}

/// A set with these values for its parameters.
fn fixed(scop: &Scop, set: &Set, values: &[i64]) -> Result<Set> {
    let mut set = set.clone();
    for (param, value) in scop.params.iter().zip(values) {
        if let Some(at) = set.find_dim_by_name(DimType::Param, &param.name)? {
            set = set.fix_val(DimType::Param, at, &Val::int_from_si(set.ctx(), *value)?)?;
        }
    }
    let params = set.dim(DimType::Param)?;
    set.project_out(DimType::Param, 0, params)
}
