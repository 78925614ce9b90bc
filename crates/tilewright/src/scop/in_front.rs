//! What generated code reads of the program before anything of the region is executed.

use crate::scop::{Followed, Origin, ParamId, Scop};
use isl::{DimType, Id, Map, PwAff, Result, Set};

impl Scop {
    /// The pointers that have to be followed before anything is executed, and that the original does
    /// not follow in any case: to sizes that loops and subscripts depend on, and to what is compared;
    /// `everything`: to whatever the region reads, which a call takes as its arguments.
    ///
    /// # Errors
    /// isl's own.
    pub fn followed_in_front(&self, everything: bool) -> Result<Vec<&Followed>> {
        let mut params = Vec::new();
        if self.conditions.checks.followed.is_empty() {
            return Ok(Vec::new());
        }
        for param in 0..self.params.len() {
            params.push(everything || self.depends_on(param)?);
        }
        let mut found: Vec<&Followed> = Vec::new();
        // What one is compared with is behind those in front of it.
        for followed in self.conditions.checks.followed.iter().rev() {
            let leads_to = |text: &str| followed.leads_to(text);
            let mut needed = everything;
            for (param, is_read) in self.params.iter().zip(&params) {
                needed |= *is_read && leads_to(&param.spelling);
            }
            for memory in self.conditions.checks.memory() {
                let mut texts = memory.rows.iter().flat_map(|rows| rows.texts());
                needed |= leads_to(&memory.place) || texts.any(leads_to);
            }
            for survey in &self.conditions.checks.surveys {
                let mut strides = survey.strides.iter().flatten();
                needed |= leads_to(&survey.place) || strides.any(|stride| leads_to(stride));
            }
            for later in &found {
                for (param, it) in self.params.iter().enumerate() {
                    needed |= leads_to(&it.spelling) && self.involves(&later.when, param)?;
                }
                needed |= leads_to(&format!("{}->", later.pointer));
            }
            if needed {
                found.push(followed);
            }
        }
        found.reverse();
        Ok(found)
    }

    /// Whether loops, subscripts or what is compared depend on a parameter; others are only values.
    ///
    /// # Errors
    /// isl's own.
    pub fn depends_on(&self, param: ParamId) -> Result<bool> {
        let spelling = &self.params[param].spelling;
        let text = |text: &str| mentions(text, spelling);
        for statement in &self.statements {
            if self.involves(&statement.domain, param)? {
                return Ok(true);
            }
            for access in &statement.accesses {
                if self.map_involves(&access.relation, param)? {
                    return Ok(true);
                }
            }
        }
        for bound in self.loops.bounds.values().flatten() {
            if self.bound_involves(bound, param)? {
                return Ok(true);
            }
        }
        for array in &self.arrays {
            if let Some(linear) = array.layout.linear()
                && linear.strides.iter().any(|stride| text(&stride.text))
            {
                return Ok(true);
            }
            let allocated = matches!(array.origin, Origin::Region { .. });
            for extent in array.extents.iter().filter(|_| allocated) {
                let affine = extent.affine.as_ref();
                let affine = affine.map(|e| self.bound_involves(e, param)).transpose()?;
                if affine == Some(true) || extent.spelling.as_deref().is_some_and(text) {
                    return Ok(true);
                }
            }
        }
        for check in &self.conditions.checks.parameters {
            if self.involves(&check.good, param)? {
                return Ok(true);
            }
        }
        for survey in &self.conditions.checks.surveys {
            let strided = survey.strides.iter().flatten();
            if strided.into_iter().any(|stride| text(stride))
                || self.involves(&survey.some, param)?
            {
                return Ok(true);
            }
            for bound in survey.bounds() {
                if self.bound_involves(bound, param)? {
                    return Ok(true);
                }
            }
        }
        for memory in self.conditions.checks.memory() {
            if let Some(rows) = &memory.rows
                && (rows.texts().into_iter().any(text) || self.involves(&rows.some, param)?)
            {
                return Ok(true);
            }
            for bound in memory.bounds() {
                if self.bound_involves(bound, param)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn id(&self, param: ParamId) -> Result<Id> {
        Id::alloc(&self.ctx, &self.params[param].name)
    }

    fn involves(&self, set: &Set, param: ParamId) -> Result<bool> {
        let at = set.find_dim_by_id(DimType::Param, &self.id(param)?)?;
        at.map_or(Ok(false), |at| {
            set.involves_dims(DimType::Param, at, 1usize)
        })
    }

    fn map_involves(&self, map: &Map, param: ParamId) -> Result<bool> {
        let at = map.find_dim_by_id(DimType::Param, &self.id(param)?)?;
        at.map_or(Ok(false), |at| {
            map.involves_dims(DimType::Param, at, 1usize)
        })
    }

    fn bound_involves(&self, bound: &PwAff, param: ParamId) -> Result<bool> {
        bound.involves_param_id(&self.id(param)?)
    }
}

/// Whether an arithmetic expression in C names a variable or a field.
fn mentions(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>');
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside)
    })
}
