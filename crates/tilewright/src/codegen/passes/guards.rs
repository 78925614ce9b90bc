//! Conditions that guard neighbours one by one guard them together.
//!
//! Conditions are functions of loop variables and parameters, which no statement changes: there is no
//! data in them here, as bounds that are data come back later (`restore`). A condition without
//! effects may be evaluated once in place of twice, so that nothing is to be asked of isl.

use crate::codegen::kernel::Node;
use crate::mistakes::mistake;

/// Joins neighbouring guards with the same condition, on all levels.
pub(crate) fn merge(nodes: Vec<Node>) -> Vec<Node> {
    let mut merged: Vec<Node> = Vec::new();
    for node in nodes {
        match (merged.last_mut(), node) {
            (
                Some(Node::If {
                    condition: before,
                    then: first,
                    otherwise: without,
                }),
                Node::If {
                    condition,
                    then,
                    otherwise,
                },
            ) if (*before == condition || mistake!(GuardsOfAny))
                && without.is_empty()
                && otherwise.is_empty() =>
            {
                first.extend(then);
            }
            (_, node) => merged.push(node),
        }
    }
    let inside = |node: Node| node.map_children(&merge);
    merged.into_iter().map(inside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::kernel::{Comparison, Index};

    fn guard(bound: i64, otherwise: Vec<Node>) -> Node {
        let (left, right) = (Index::var("c0"), Index::Int(bound));
        Node::If {
            condition: Index::Compare(Comparison::LessEqual, Box::new(left), Box::new(right)),
            then: vec![Node::Copies(Vec::new())],
            otherwise,
        }
    }

    #[test]
    fn neighbours_with_one_condition_are_joined() {
        let merged = merge(vec![guard(3, vec![]), guard(3, vec![]), guard(4, vec![])]);
        let lengths: Vec<usize> = merged.iter().map(|node| node.children().count()).collect();
        assert_eq!(lengths, [2, 1]);
    }

    #[test]
    fn a_guard_with_another_branch_stands_alone() {
        let other = vec![Node::Copies(Vec::new())];
        let merged = merge(vec![
            guard(3, other.clone()),
            guard(3, other),
            guard(3, vec![]),
        ]);
        assert_eq!(merged.len(), 3);
    }
}
