//! The original order as a schedule tree: one band member per loop, one filter per statement.

use crate::frontend::c::lower::{Lowering, Node, Result};
use crate::scop::{Statement, in_sequence};
use isl::{DimType, MultiUnionPwAff, PwAff, Schedule, UnionPwAff, UnionSet};

impl Lowering<'_> {
    /// The schedule of `nodes`, whose leaves are numbers of `statements`.
    pub(crate) fn schedule(&self, nodes: &[Node], statements: &[Statement]) -> Result<Schedule> {
        match self.sequence(nodes, statements)? {
            Some(schedule) => Ok(schedule),
            None => Ok(Schedule::empty(&self.params.space)?),
        }
    }

    fn sequence(&self, nodes: &[Node], statements: &[Statement]) -> Result<Option<Schedule>> {
        let mut parts = Vec::new();
        for node in nodes {
            let part = match node {
                Node::Leaf(statement) => {
                    let domain = UnionSet::from_set(&statements[*statement].domain)?;
                    Schedule::from_domain(&domain)?
                }
                Node::Loop { depth, down, body } => {
                    let Some(inner) = self.sequence(body, statements)? else {
                        continue;
                    };
                    let mut values: Option<UnionPwAff> = None;
                    for statement in leaves(body) {
                        let space = statements[statement].domain.get_space()?;
                        let space = isl::LocalSpace::from_space(&space)?;
                        let mut value = PwAff::var_on_domain(&space, DimType::Set, *depth)?;
                        if *down {
                            value = value.neg()?;
                        }
                        values = Some(match values {
                            Some(values) => values.add_pw_aff(&value)?,
                            None => UnionPwAff::from_pw_aff(&value)?,
                        });
                    }
                    let Some(values) = values else { continue };
                    let values = values.intersect_domain(&inner.get_domain()?)?;
                    inner.insert_partial_schedule(&MultiUnionPwAff::from_union_pw_aff(&values)?)?
                }
            };
            parts.push(part);
        }
        Ok(in_sequence(parts)?)
    }
}

/// The statements below some nodes.
fn leaves(nodes: &[Node]) -> Vec<usize> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Leaf(statement) => found.push(*statement),
            Node::Loop { body, .. } => found.extend(leaves(body)),
        }
    }
    found
}
