//! What is done for a tile, and in which order for the tiles of a strip.
//!
//! With double buffering (section 4) the loads of a tile run beside the computation of the one
//! before, and its stores beside that of the one behind; transfers are done one after another,
//! `Store(I1)` before `Load(I3)` for tiles `I1`, `I2`, `I3` in a row. So a step of the innermost
//! loop stores one tile, loads the second behind it, and computes the one between.

use super::origins::{Range, renamed};
use super::{PREFIX, Target, Writer};
use crate::reuse::Result;
use crate::reuse::lifetimes::Overlap;
use isl::{AstBuild, AstNode, AstNodeType, DimType, Map, Set, UnionMap};

/// A part of a tile's execution.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Phase {
    Load,
    Compute,
    Store,
}

/// Variable of the innermost loop over tiles, double-buffered: the tile that is loaded.
pub(super) const STEP: &str = "tw_step";

/// The parts of a step of a double-buffered row: which tile, counted back from the one that is
/// loaded, and for which steps there is one between `tw_row_first` and `tw_row_last`.
impl Phase {
    fn behind(self) -> usize {
        match self {
            Phase::Load => 0,
            Phase::Compute => 1,
            Phase::Store => 2,
        }
    }

    fn guard(self, size: &str) -> String {
        let (first, last) = (format!("{PREFIX}row_first"), format!("{PREFIX}row_last"));
        match self {
            Phase::Load => format!("{STEP} <= {last}"),
            Phase::Compute => {
                format!("{STEP} - {size} >= {first} && {STEP} - {size} <= {last}")
            }
            Phase::Store => format!("{STEP} - 2 * {size} >= {first}"),
        }
    }
}

impl Writer<'_> {
    /// The tiles of a strip.
    pub(super) fn strip(&mut self) -> Result<()> {
        let tiling = self.program.tiling;
        let strips = tiling.mapping.outer + tiling.first_in_strip();
        let origin = tiling.mapping.origin();
        let row = match self.program.overlap {
            Overlap::Sequential => origin,
            Overlap::Double => origin - 1,
        };
        for dim in strips..row {
            self.origin_loop(dim)?;
        }
        match self.program.overlap {
            Overlap::Sequential => {
                for phase in [Phase::Load, Phase::Compute, Phase::Store] {
                    self.phase(phase)?;
                }
            }
            Overlap::Double => self.row()?,
        }
        for _ in strips..row {
            self.close();
        }
        Ok(())
    }

    /// A row of tiles, double-buffered.
    fn row(&mut self) -> Result<()> {
        let last = self.program.tiling.mapping.origin() - 1;
        let Some(range) = self.range(last)? else {
            return Ok(());
        };
        let Range {
            first, last, step, ..
        } = &range;
        self.open_row();
        self.open(&format!(
            "for (long {PREFIX}row_first = {first}, {PREFIX}row_last = {last}, {STEP} = \
             {PREFIX}row_first; {STEP} - 2 * {step} <= {PREFIX}row_last; {STEP} += {step}) {{"
        ));
        let threads = *self.program.target == Target::OpenMp;
        if threads {
            self.line("#pragma omp parallel sections num_threads(2)");
            self.open("{");
            self.line("#pragma omp section");
            self.open("{");
        }
        self.part(&range, Phase::Store)?;
        self.part(&range, Phase::Load)?;
        if threads {
            self.close();
            self.line("#pragma omp section");
        }
        self.part(&range, Phase::Compute)?;
        if threads {
            self.close();
        }
        self.close();
        self.close_row();
        Ok(())
    }

    /// A part of a step of a row.
    fn part(&mut self, row: &Range, phase: Phase) -> Result<()> {
        let (name, step) = (&row.name, &row.step);
        self.open(&format!("if ({}) {{", phase.guard(step)));
        let task = self.task(phase, phase.behind(), step);
        if let Some(task) = &task {
            self.line(task);
            self.open("{");
        }
        self.line(&match phase.behind() {
            0 => format!("const long {name} = {STEP};"),
            1 => format!("const long {name} = {STEP} - {step};"),
            behind => format!("const long {name} = {STEP} - {behind} * {step};"),
        });
        match (phase, &task) {
            // The task is on the device.
            (Phase::Compute, Some(_)) => self.compute()?,
            _ => self.phase(phase)?,
        }
        if task.is_some() {
            self.close();
        }
        self.close();
        Ok(())
    }

    /// One part of the execution of the tile at the current origin.
    fn phase(&mut self, phase: Phase) -> Result<()> {
        if phase == Phase::Compute {
            if !self.is_offload() {
                return self.compute();
            }
            self.line("#pragma omp target");
            self.open("{");
            self.compute()?;
            self.close();
            return Ok(());
        }
        let copies: Vec<(String, Map)> = self
            .locals
            .iter()
            .map(|local| {
                let cells = match phase {
                    Phase::Load => &local.load,
                    _ => &local.store,
                };
                (self.scop.arrays[local.array].name.clone(), cells.clone())
            })
            .collect();
        for (array, cells) in copies {
            if self.is_offload() {
                self.transfer(phase, &array, &cells)?;
            } else if let Some(cells) = self.cells_of_tile(&cells)? {
                let stem = if phase == Phase::Load {
                    "load"
                } else {
                    "store"
                };
                self.each_cell(&format!("{PREFIX}{stem}_{array}"), &cells)?;
            }
        }
        Ok(())
    }

    fn compute(&mut self) -> Result<()> {
        let tiling = self.program.tiling;
        let mut order = UnionMap::empty_ctx(&self.scop.ctx)?;
        for own in tiling.mapping.theta.maps()? {
            let inside = tiling.tile()?.apply_range(&own.reverse()?)?;
            let inside = self
                .origins_fixed(&inside, tiling.mapping.origin())?
                .range()?;
            let name = own.get_tuple_name(DimType::In)?;
            let own = own.intersect_domain(&inside)?;
            let own = own.set_tuple_name(DimType::In, &format!("{PREFIX}{name}"))?;
            order = order.add_map(&own)?;
        }
        self.loops(&order, false)
    }

    /// Cells of the current tile; `None` where there are never any.
    pub(super) fn cells_of_tile(&self, cells: &Map) -> Result<Option<Set>> {
        let origin = self.program.tiling.mapping.origin();
        let cells = self.origins_fixed(cells, origin)?.range()?.coalesce()?;
        Ok((!cells.is_empty()?).then_some(cells))
    }

    /// Calls a macro for cells in the order of the array: innermost loops go along the last
    /// subscript.
    pub(super) fn each_cell(&mut self, name: &str, cells: &Set) -> Result<()> {
        let cells = cells.set_tuple_name(name)?.make_disjoint()?;
        let identity = cells.identity()?.reset_tuple_id(DimType::Out)?;
        self.loops(&UnionMap::from_map(&identity)?, true)
    }

    fn loops(&mut self, order: &UnionMap, copies: bool) -> Result<()> {
        let context = self.program.tiling.context(self.scop)?;
        let build = AstBuild::from_context(&context)?.set_iterators(&self.iterators)?;
        self.node(&build.node_from_schedule_map(order)?, copies)?;
        Ok(())
    }

    /// Writes an AST; says whether there is a loop in it.
    fn node(&mut self, node: &AstNode, copies: bool) -> Result<bool> {
        Ok(match node.get_type()? {
            AstNodeType::Block => {
                let children = node.block_get_children()?;
                let mut any = false;
                for position in 0..children.size()? {
                    any |= self.node(&children.get_at(position)?, copies)?;
                }
                any
            }
            AstNodeType::If => {
                let condition = renamed(&node.if_get_cond()?.to_c_str()?);
                self.open(&format!("if ({condition}) {{"));
                let mut any = self.node(&node.if_get_then_node()?, copies)?;
                if node.if_has_else_node()? {
                    self.level -= 1;
                    self.open("} else {");
                    any |= self.node(&node.if_get_else_node()?, copies)?;
                }
                self.close();
                any
            }
            AstNodeType::For => {
                let text =
                    |expr: isl::AstExpr| -> isl::Result<String> { Ok(renamed(&expr.to_c_str()?)) };
                let name = text(node.for_get_iterator()?)?;
                let init = text(node.for_get_init()?)?;
                if node.for_is_degenerate()? {
                    self.open("{");
                    self.line(&format!("const long {name} = {init};"));
                    let any = self.node(&node.for_get_body()?, copies)?;
                    self.close();
                    return Ok(any);
                }
                let (cond, inc) = (text(node.for_get_cond()?)?, text(node.for_get_inc()?)?);
                self.open(&format!(
                    "for (long {name} = {init}; {cond}; {name} += {inc}) {{"
                ));
                let begin = self.out.len();
                let inner = self.node(&node.for_get_body()?, copies)?;
                if copies && !inner {
                    let body = self.out.split_off(begin);
                    self.pragma("pipeline II=1");
                    self.out.push_str(&body);
                }
                self.close();
                true
            }
            AstNodeType::Mark => self.node(&node.mark_get_node()?, copies)?,
            AstNodeType::User => {
                let text = renamed(&node.user_get_expr()?.to_c_str()?);
                self.line(&format!("{text};"));
                false
            }
        })
    }
}
