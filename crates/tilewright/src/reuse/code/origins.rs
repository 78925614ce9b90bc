//! Loops over origins, and functions and conditions of parameters as C.

use super::{PREFIX, Target, Writer};
use crate::reuse::Result;
use crate::reuse::lifetimes::counter;
use crate::reuse::tiling::names;
use isl::{AstBuild, DimType, Map, PwAff, Set};

/// The loop over the values of one dimension of origins, given those before.
pub(super) struct Range {
    /// C name of its variable.
    pub name: String,
    /// The first value and what bounds the last one.
    pub first: String,
    pub last: String,
    pub step: String,
}

impl Writer<'_> {
    /// What is assumed: also how large parameters get, where extents are fixed for that.
    pub(super) fn assumed(&self) -> Result<Set> {
        let mut context = self.program.tiling.context(self.scop)?;
        for (name, most) in self.bounds() {
            let text = format!("[{name}] -> {{ : {name} <= {most} }}");
            context = context.intersect(&Set::read_from_str(&self.scop.ctx, &text)?)?;
        }
        Ok(context)
    }

    /// The parameters that have a greatest value.
    pub(super) fn bounds(&self) -> Vec<(String, i64)> {
        let Target::Synthesis { at_most, .. } = self.program.target else {
            return Vec::new();
        };
        let params = &self.scop.params;
        let known = |bound: &&(String, i64)| params.iter().any(|p| p.spelling == bound.0);
        at_most.iter().filter(known).cloned().collect()
    }

    /// The values of one dimension of origins.
    pub(super) fn range(&self, dim: usize) -> Result<Option<Range>> {
        let tiling = self.program.tiling;
        let mapping = &tiling.mapping;
        let mut points: Option<Set> = None;
        for map in mapping.theta.maps()? {
            let own = map.range()?;
            points = Some(match points {
                Some(points) => points.union(&own)?,
                None => own,
            });
        }
        let Some(points) = points else {
            return Ok(None);
        };
        let values = self.given(&points, dim)?;
        let values = self.origins_fixed(&values, dim)?.range()?;
        let values = values.intersect_params(&tiling.context(self.scop)?)?;
        let values = values.remove_divs()?.coalesce()?;
        let (first, last) = (values.dim_min(0)?, values.dim_max(0)?);
        let (first, last) = (self.pw_or(&first, 0)?, self.pw_or(&last, -1)?);
        let (first, step) = match dim.checked_sub(mapping.outer) {
            None => (first, "1".to_owned()),
            Some(k) => {
                let size = &tiling.sizes[k];
                (
                    format!("{PREFIX}floord({first}, {size}) * {size}"),
                    size.clone(),
                )
            }
        };
        Ok(Some(Range {
            name: self.origin_name(dim),
            first,
            last,
            step,
        }))
    }

    /// Opens the loop over the values of one dimension of origins.
    pub(super) fn origin_loop(&mut self, dim: usize) -> Result<()> {
        if let Some(range) = self.range(dim)? {
            let Range {
                name,
                first,
                last,
                step,
            } = range;
            self.open(&format!(
                "for (long {name} = {first}, {name}_last = {last}; {name} <= {name}_last; {name} \
                 += {step}) {{"
            ));
        }
        Ok(())
    }

    /// From the first `dim` dimensions of origins to the values of the next one that points in
    /// their tiles have.
    fn given(&self, points: &Set, dim: usize) -> Result<Map> {
        let mapping = &self.program.tiling.mapping;
        let mut conditions = Vec::new();
        for k in 0..dim {
            conditions.push(match k.checked_sub(mapping.outer) {
                None => format!("x{k} = i{k}"),
                Some(t) => format!("i{k} <= x{k} < i{k} + {}", self.program.tiling.sizes[t]),
            });
        }
        conditions.push(format!("v = x{dim}"));
        let text = format!(
            "[{}] -> {{ [{}] -> [v, {}] : {} }}",
            self.program.tiling.sizes.join(", "),
            names("i", dim),
            names("x", mapping.dims),
            conditions.join(" and ")
        );
        let all = Map::read_from_str(&self.scop.ctx, &text)?;
        let points = points.insert_dims(DimType::Set, 0, 1)?;
        let all = all.intersect_range(&points)?;
        Ok(all.project_out(DimType::Out, 1, mapping.dims)?)
    }

    /// The C name of a dimension of origins; parameters in sets.
    pub(super) fn origin_name(&self, dim: usize) -> String {
        if dim < self.program.tiling.mapping.outer {
            counter(dim)
        } else {
            format!("{PREFIX}o{dim}")
        }
    }

    /// The first dimensions of origins as parameters.
    pub(super) fn origins_fixed(&self, map: &Map, dims: usize) -> Result<Map> {
        let mut map = map.clone();
        for dim in 0..dims {
            map = map.set_dim_name(DimType::In, dim, &self.origin_name(dim))?;
        }
        let params = map.dim(DimType::Param)?;
        Ok(map.move_dims(DimType::Param, params, DimType::In, 0, dims)?)
    }

    /// A function of parameters in C, with a value for where it is not defined.
    pub(super) fn pw_or(&self, function: &PwAff, otherwise: i64) -> Result<String> {
        let defined = function.domain()?.params()?;
        let context = self.program.tiling.context(self.scop)?;
        if defined.intersect(&context)?.is_empty()? {
            return Ok(otherwise.to_string());
        }
        let build = AstBuild::from_context(&context)?;
        let value = build.expr_from_pw_aff(&function.coalesce()?)?.to_c_str()?;
        let value = renamed(&value);
        if context.is_subset(&defined)? {
            return Ok(value);
        }
        let condition = self.condition_text(&defined)?;
        Ok(format!("(({condition}) ? ({value}) : {otherwise})"))
    }

    /// A set of parameters as a condition in C.
    pub(super) fn condition_text(&self, set: &Set) -> Result<String> {
        let context = self.program.tiling.context(self.scop)?;
        let build = AstBuild::from_context(&context)?;
        let condition = build.expr_from_set(&set.gist(&context)?)?;
        Ok(renamed(&condition.to_c_str()?))
    }
}

/// isl's macros under our names.
pub(super) fn renamed(text: &str) -> String {
    let mut text = text.to_owned();
    for name in ["min", "max", "floord"] {
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(&format!("{name}(")) {
            let (before, behind) = rest.split_at(at);
            out.push_str(before);
            let inside = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            if !inside {
                out.push_str(PREFIX);
            }
            out.push_str(name);
            rest = &behind[name.len()..];
        }
        out.push_str(rest);
        text = out;
    }
    text
}
