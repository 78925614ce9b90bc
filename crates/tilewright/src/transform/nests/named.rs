//! Loops by the names of their variables.

use crate::analysis::dependences::carried::parallel_members;
use crate::scop::Scop;
use crate::scop::tree::walk;
use crate::transform::TransformError;
use isl::{DimType, PwAff, Result, Schedule, ScheduleNode, UnionMap};

/// Where loops are looked for.
pub(super) struct Named<'a> {
    pub scop: &'a Scop,
    pub dependences: &'a UnionMap,
    /// What a plan calls what they are asked for.
    pub asked: &'static str,
}

/// What becomes of a loop over a variable, which is parallel or not: the node at the same position;
/// `None` where it stays.
pub(super) type Change<'c> =
    &'c dyn Fn(
        &ScheduleNode,
        &str,
        bool,
    ) -> std::result::Result<Option<ScheduleNode>, TransformError>;

impl Named<'_> {
    /// Changes loops over the variables `names` that have loops in them. Each is a band of
    /// one member.
    ///
    /// # Errors
    /// [`TransformError::Plan`] where no loop of a name is changed; isl's own.
    pub fn each(
        &self,
        schedule: &Schedule,
        names: &[String],
        change: Change<'_>,
    ) -> std::result::Result<Schedule, TransformError> {
        let mut schedule = schedule.clone();
        for name in names {
            let mut changed = 0;
            let root = self.below(&schedule.get_root()?, name, change, &mut changed)?;
            schedule = root.root()?.get_schedule()?;
            if changed == 0 {
                return Err(TransformError::Plan(format!(
                    "`{}`: there is no such loop `{name}` with another one in it",
                    self.asked
                )));
            }
        }
        Ok(schedule)
    }

    /// Works on the subtree of `node` and returns the node at the same position.
    fn below(
        &self,
        node: &ScheduleNode,
        name: &str,
        change: Change<'_>,
        changed: &mut usize,
    ) -> std::result::Result<ScheduleNode, TransformError> {
        let mut node = node.clone();
        if walk::is_loop(&node)? {
            node = walk::outermost(node)?;
            if walk::has_loop(&node.child(0)?)? && runs_over(self.scop, &node, name)? {
                let parallel = parallel_members(&node, self.dependences, true)?[0];
                if let Some(node) = change(&node, name, parallel)? {
                    *changed += 1;
                    return Ok(node);
                }
            }
        }
        walk::with_children(&node, |child| self.below(child, name, change, changed))
    }
}

/// Whether a band of one member is the loop over the variable.
fn runs_over(scop: &Scop, node: &ScheduleNode, name: &str) -> Result<bool> {
    let loops = node.band_get_partial_schedule()?.get_at(0)?;
    for set in node.get_domain()?.sets()? {
        let tuple = set.get_tuple_name()?;
        let Some(statement) = scop.statement_named(&tuple).map(|id| &scop.statements[id]) else {
            return Ok(false);
        };
        let Some(iterator) = statement.iterators.iter().position(|own| own.name == name) else {
            return Ok(false);
        };
        let space = set.get_space()?;
        let value = loops.extract_pw_aff(&space.from_domain()?.add_dims(DimType::Out, 1)?)?;
        let variable = PwAff::var_on_domain(
            &isl::LocalSpace::from_space(&space)?,
            DimType::Set,
            iterator,
        )?;
        let value = value.intersect_domain(&set)?;
        if !value.is_equal(&variable.intersect_domain(&set)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}
