//! One concrete case of a violation, small and in the program's own names.

use crate::scop::{ArrayId, Origin, Scop, StatementId};
use crate::transform::Lifted;

/// Bounds on parameters that are tried in turn, so that a witness is small.
const PARAMETER_BOUNDS: [i32; 10] = [1, 2, 3, 4, 6, 8, 16, 32, 128, 1024];

/// A point of a set, with parameter values.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// In the order of [`Scop::params`].
    pub parameters: Vec<i64>,
    /// The set's dimensions.
    pub coordinates: Vec<i64>,
}

impl Sample {
    /// The first `count` coordinates and the others.
    pub fn split(&self, count: usize) -> (&[i64], &[i64]) {
        self.coordinates.split_at(count.min(self.coordinates.len()))
    }

    /// `n = 20, t = 4`
    pub fn parameters(&self, scop: &Scop) -> String {
        let values: Vec<String> = scop
            .params
            .iter()
            .zip(&self.parameters)
            .map(|(param, value)| format!("{} = {value}", param.name))
            .collect();
        values.join(", ")
    }
}

/// A point of a set that is not empty: small non-negative parameters where possible, then the
/// lexicographically first coordinates.
pub(crate) fn sample(scop: &Scop, set: &isl::Set) -> isl::Result<Sample> {
    let params = scop.params.len();
    let set = in_order(scop, &set.intersect_params(&scop.context)?)?;
    let set = set.flatten()?.move_dims(
        isl::DimType::Set,
        0,
        isl::DimType::Param,
        0,
        set.dim(isl::DimType::Param)?,
    )?;
    let mut small = set.clone();
    for bound in PARAMETER_BOUNDS {
        let mut candidate = set.clone();
        for param in 0..params {
            candidate = candidate
                .lower_bound_si(isl::DimType::Set, param, 0)?
                .upper_bound_si(isl::DimType::Set, param, bound)?;
        }
        if !candidate.is_empty()? {
            small = candidate;
            break;
        }
    }
    // Sets without a first point: any point.
    let first = small.lexmin().unwrap_or(small);
    let values = point(&first.sample_point()?)?;
    let (parameters, coordinates) = values.split_at(params);
    Ok(Sample {
        parameters: parameters.to_vec(),
        coordinates: coordinates.to_vec(),
    })
}

/// The set with the scop's parameters in their order.
fn in_order(scop: &Scop, set: &isl::Set) -> isl::Result<isl::Set> {
    let names: Vec<&str> = scop
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect();
    let model = isl::Set::read_from_str(&scop.ctx, &format!("[{}] -> {{ : }}", names.join(", ")))?;
    set.align_params(&model.get_space()?)
}

/// The coordinates of a point.
pub(crate) fn point(point: &isl::Point) -> isl::Result<Vec<i64>> {
    let values = point.get_multi_val()?;
    (0..values.size()?)
        .map(|d| values.get_at(d)?.get_num_si())
        .collect()
}

/// A map at given parameters.
pub(crate) fn at(scop: &Scop, map: &isl::Map, parameters: &[i64]) -> isl::Result<isl::Map> {
    let mut map = map.clone();
    for (param, &value) in scop.params.iter().zip(parameters) {
        if let Some(at) = map.find_dim_by_name(isl::DimType::Param, &param.name)? {
            let value = isl::Val::int_from_si(&scop.ctx, value)?;
            map = map.fix_val(isl::DimType::Param, at, &value)?;
        }
    }
    map.project_out(isl::DimType::Param, 0, map.dim(isl::DimType::Param)?)
}

/// The images of one point under a map, at given parameters.
pub(crate) fn fixed(
    scop: &Scop,
    map: &isl::Map,
    parameters: &[i64],
    from: &[i64],
) -> isl::Result<isl::Set> {
    let mut map = at(scop, map, parameters)?;
    for (dim, &value) in from.iter().enumerate() {
        let value = isl::Val::int_from_si(&scop.ctx, value)?;
        map = map.fix_val(isl::DimType::In, dim, &value)?;
    }
    map.range()
}

/// All images of one point under a map, at given parameters. The images must be finitely many.
pub(crate) fn images(
    scop: &Scop,
    map: &isl::Map,
    parameters: &[i64],
    from: &[i64],
) -> isl::Result<Vec<Vec<i64>>> {
    let range = fixed(scop, map, parameters, from)?;
    let mut found = Vec::new();
    range.foreach_point(&mut |image| {
        found.push(point(&image)?);
        Ok(())
    })?;
    found.sort();
    Ok(found)
}

/// `S2(t=3, i=17)`
pub(crate) fn instance(scop: &Scop, statement: StatementId, coordinates: &[i64]) -> String {
    let statement = &scop.statements[statement];
    if statement.iterators.is_empty() {
        return statement.name.clone();
    }
    let values: Vec<String> = statement
        .iterators
        .iter()
        .zip(coordinates)
        .map(|(iterator, value)| format!("{}={value}", iterator.name))
        .collect();
    format!("{}({})", statement.name, values.join(", "))
}

/// The same for an instance with the coordinates of its tile: `S2(t=3, i=17) in tile (2, 5)`.
pub(crate) fn lifted(scop: &Scop, lifted: &Lifted, coordinates: &[i64]) -> String {
    let (tile, original) = coordinates.split_at(lifted.tile_dims.min(coordinates.len()));
    let text = instance(scop, lifted.statement, original);
    if tile.is_empty() {
        return text;
    }
    let tile: Vec<String> = tile.iter().map(i64::to_string).collect();
    format!("{text} in tile ({})", tile.join(", "))
}

/// `A[3][4]`, without the dimensions that stand for the loops around a declaration.
pub(crate) fn cell(scop: &Scop, array: ArrayId, coordinates: &[i64]) -> String {
    let array = &scop.arrays[array];
    let hidden = match array.origin {
        Origin::Region { depth } => depth,
        _ => 0,
    };
    let subscripts: Vec<String> = coordinates
        .iter()
        .skip(hidden)
        .map(|value| format!("[{value}]"))
        .collect();
    format!("{}{}", array.base, array.members.place(&subscripts))
}
