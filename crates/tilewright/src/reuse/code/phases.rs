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
use isl::{AstBuild, AstNode, AstNodeType, DimType, Map, UnionMap};

/// A part of a tile's execution.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Load,
    Compute,
    Store,
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
            name,
            first,
            last,
            step,
        } = range;
        let (at, from, to) = (
            format!("{PREFIX}step"),
            format!("{PREFIX}row_first"),
            format!("{PREFIX}row_last"),
        );
        self.open(&format!(
            "for (long {from} = {first}, {to} = {last}, {at} = {from}; {at} - 2 * {step} <= {to}; \
             {at} += {step}) {{"
        ));
        let threads = *self.program.target == Target::OpenMp;
        if threads {
            self.line("#pragma omp parallel sections num_threads(2)");
            self.open("{");
            self.line("#pragma omp section");
            self.open("{");
        }
        let tile = |behind: usize| match behind {
            0 => format!("const long {name} = {at};"),
            1 => format!("const long {name} = {at} - {step};"),
            _ => format!("const long {name} = {at} - {behind} * {step};"),
        };
        self.open(&format!("if ({at} - 2 * {step} >= {from}) {{"));
        self.line(&tile(2));
        self.phase(Phase::Store)?;
        self.close();
        self.open(&format!("if ({at} <= {to}) {{"));
        self.line(&tile(0));
        self.phase(Phase::Load)?;
        self.close();
        if threads {
            self.close();
            self.line("#pragma omp section");
        }
        self.open(&format!(
            "if ({at} - {step} >= {from} && {at} - {step} <= {to}) {{"
        ));
        self.line(&tile(1));
        self.phase(Phase::Compute)?;
        self.close();
        if threads {
            self.close();
        }
        self.close();
        Ok(())
    }

    /// One part of the execution of the tile at the current origin.
    fn phase(&mut self, phase: Phase) -> Result<()> {
        if phase == Phase::Compute {
            return self.compute();
        }
        let copies: Vec<(String, Map)> = self
            .locals
            .iter()
            .map(|local| {
                let name = &self.scop.arrays[local.array].name;
                match phase {
                    Phase::Load => (format!("{PREFIX}load_{name}"), local.load.clone()),
                    _ => (format!("{PREFIX}store_{name}"), local.store.clone()),
                }
            })
            .collect();
        for (name, cells) in copies {
            self.copy(&name, &cells)?;
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

    /// Cells in the order of the array: innermost loops go along the last subscript.
    fn copy(&mut self, name: &str, cells: &Map) -> Result<()> {
        let origin = self.program.tiling.mapping.origin();
        let cells = self.origins_fixed(cells, origin)?.range()?.coalesce()?;
        if cells.is_empty()? {
            return Ok(());
        }
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
