//! Local arrays: which there are, how large, and where a cell is in them.

use super::{PREFIX, Writer};
use crate::reuse::folding::Part;
use crate::reuse::{Result, ReuseError};
use crate::scop::{ArrayId, Origin};
use isl::{DimType, Map, PwAff, Set};

/// What is kept of an array.
pub(super) struct Local {
    pub array: ArrayId,
    /// Whether subscripts are never negative: C's `%` will do.
    pub plain: Vec<bool>,
    pub load: Map,
    pub store: Map,
    /// Whether there is something to load or store.
    pub is_moved: bool,
    pub parts: Vec<Kept>,
}

/// The memory of some cells.
pub(super) struct Kept {
    /// C name of the memory; followed by `_` and the dimension, of its extents.
    pub name: String,
    /// The cells, as a condition on subscripts `tw_x0`, …; the last part has the rest.
    pub condition: Option<String>,
    pub moduli: Vec<PwAff>,
}

impl Writer<'_> {
    /// What is kept, refused where that cannot be written.
    pub(super) fn kept(&self) -> Result<Vec<Local>> {
        let (program, scop) = (self.program, self.scop);
        let mut all = Vec::new();
        for local in &program.memory.arrays {
            let array = &scop.arrays[local.array];
            let Some(moved) = program.transfers.of_array(local.array) else {
                continue;
            };
            let is_moved = !(moved.load.is_empty()? && moved.store.is_empty()?);
            if matches!(array.origin, Origin::Region { .. }) && is_moved {
                return Err(ReuseError::Refused(format!(
                    "values of `{}`, declared inside the region, pass from one strip to another; \
                     declare it as an array in front of the region",
                    array.base
                )));
            }
            for statement in &scop.statements {
                for access in statement.accesses.iter().filter(|a| a.array == local.array) {
                    if access.affine.iter().any(Option::is_none) {
                        return Err(ReuseError::Refused(format!(
                            "the subscripts of `{}` depend on data: its sets are found, code is \
                             not generated",
                            array.base
                        )));
                    }
                }
            }
            let own = program.accesses.arrays.iter();
            let Some(own) = own.into_iter().find(|a| a.array == local.array) else {
                continue;
            };
            let cells = own.touched.range()?;
            let mut plain = Vec::new();
            for dim in 0..array.extents.len() {
                plain.push(cells.upper_bound_si(DimType::Set, dim, -1)?.is_empty()?);
            }
            let mut parts = Vec::new();
            for (number, part) in local.parts.iter().enumerate() {
                let suffix = match number {
                    0 => String::new(),
                    _ => format!("_piece{number}"),
                };
                parts.push(Kept {
                    name: format!("{PREFIX}local_{}{suffix}", array.name),
                    condition: self.condition(part)?,
                    moduli: part.moduli.clone(),
                });
            }
            all.push(Local {
                array: local.array,
                plain,
                load: moved.load.clone(),
                store: moved.store.clone(),
                is_moved,
                parts,
            });
        }
        Ok(all)
    }

    /// Whether a cell is of a part, in C.
    fn condition(&self, part: &Part) -> Result<Option<String>> {
        let Some(cells) = &part.cells else {
            return Ok(None);
        };
        let strip = cells.domain_tuple_dim()?;
        let cells = self.origins_fixed(cells, strip)?.range()?;
        let dims = cells.tuple_dim()?;
        let mut cells = cells.reset_tuple_id()?;
        for dim in 0..dims {
            cells = cells.set_dim_name(DimType::Set, dim, &format!("{PREFIX}x{dim}"))?;
        }
        let params = cells.dim(DimType::Param)?;
        let cells = cells.move_dims(DimType::Param, params, DimType::Set, 0, dims)?;
        let mut text = self.condition_text(&cells.params()?)?;
        for dim in 0..dims {
            let name = format!("{PREFIX}x{dim}");
            text = text.replace(&name, &format!("({name})"));
        }
        Ok(Some(text))
    }

    /// Where the cell with subscripts `tw_x0`, … is: an expression that can be assigned to.
    pub(super) fn place(&self, local: &Local) -> String {
        let one = |kept: &Kept| {
            let mut place = String::new();
            for (dim, plain) in local.plain.iter().enumerate() {
                let modulus = format!("{}_{dim}", kept.name);
                let folded = if plain {
                    format!("({PREFIX}x{dim}) % {modulus}")
                } else {
                    format!("{PREFIX}mod({PREFIX}x{dim}, {modulus})")
                };
                place = match (self.is_synthesis(), dim) {
                    (true, _) => format!("{place}[{folded}]"),
                    (false, 0) => folded,
                    (false, _) => format!("({place}) * {modulus} + {folded}"),
                };
            }
            match (self.is_synthesis(), local.plain.is_empty()) {
                (true, _) => format!("{}{place}", kept.name),
                (false, true) => format!("{}[0]", kept.name),
                (false, false) => format!("{}[{place}]", kept.name),
            }
        };
        let Some((last, first)) = local.parts.split_last() else {
            return "0".to_owned();
        };
        if first.is_empty() {
            return one(last);
        }
        let mut text = format!("&{}", one(last));
        for kept in first.iter().rev() {
            let condition = kept.condition.as_deref().unwrap_or("1");
            text = format!("({condition}) ? &{} : {text}", one(kept));
        }
        format!("(*({text}))")
    }

    /// Declares the local arrays: for a strip with what it needs, or for all with the most.
    pub(super) fn allocate(&mut self) -> Result<()> {
        let mut lines = Vec::new();
        let mut pragmas = Vec::new();
        for local in &self.locals {
            let element = &self.scop.arrays[local.array].element.spelling;
            for kept in &local.parts {
                let name = &kept.name;
                let (mut cells, mut extents) = ("1".to_owned(), String::new());
                for (dim, modulus) in kept.moduli.iter().enumerate() {
                    let extent = format!("{name}_{dim}");
                    lines.push(if self.is_synthesis() {
                        let most = self.most(local.array, modulus)?;
                        format!("enum {{ {extent} = {} }};", self.pw_or(&most, 1)?)
                    } else {
                        format!("const long {extent} = {};", self.pw_or(modulus, 1)?)
                    });
                    extents += &format!("[{extent}]");
                    cells = match dim {
                        0 => extent,
                        _ => format!("{cells} * {extent}"),
                    };
                }
                if self.is_synthesis() {
                    lines.push(format!("static {element} {name}{extents};"));
                    pragmas.push(format!("bind_storage variable={name} type=ram_2p"));
                    continue;
                }
                lines.push(format!(
                    "{element} *{name} = ({element} *)__builtin_malloc(sizeof({element}) * \
                     ({cells}));"
                ));
                lines.push(format!("if (!{name}) __builtin_trap();"));
                if self.is_offload() {
                    lines.push(format!("const long {name}_cells = {cells};"));
                }
            }
        }
        let bounds = self.bounds();
        if !bounds.is_empty() {
            // What the extents hold for.
            self.line("#ifndef __SYNTHESIS__");
            for (name, most) in bounds {
                self.line(&format!("if ({name} > {most}) __builtin_trap();"));
            }
            self.line("#endif");
        }
        lines.iter().for_each(|line| self.line(line));
        pragmas.iter().for_each(|pragma| self.pragma(pragma));
        if self.is_offload() {
            self.enter_device();
        }
        Ok(())
    }

    pub(super) fn free(&mut self) {
        if self.is_offload() {
            self.leave_device();
        }
        let parts = self.locals.iter().flat_map(|local| &local.parts);
        let names: Vec<String> = parts.map(|kept| kept.name.clone()).collect();
        for name in names.iter().rev() {
            self.line(&format!("__builtin_free({name});"));
        }
    }

    /// The greatest value of a modulus over all parameters and counters, by tile sizes.
    fn most(&self, array: ArrayId, modulus: &PwAff) -> Result<PwAff> {
        let mut values = Set::from_pw_aff(modulus)?.intersect_params(&self.assumed()?)?;
        let sizes = &self.program.tiling.sizes;
        let mut param = 0;
        while param < values.dim(DimType::Param)? {
            let name = values.get_dim_name(DimType::Param, param)?;
            if sizes.contains(&name) {
                param += 1
            } else {
                values = values.project_out(DimType::Param, param, 1)?
            }
        }
        let values = values.remove_divs()?.coalesce()?;
        if !values.dim_has_upper_bound(DimType::Set, 0)? {
            return Err(ReuseError::Refused(format!(
                "the local memory of `{}` grows with the program's parameters; say with --param \
                 how large they get",
                self.scop.arrays[array].base
            )));
        }
        Ok(values.dim_max(0)?)
    }
}
