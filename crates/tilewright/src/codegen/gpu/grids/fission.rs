//! Loops over rows whose bodies are no perfect nests: taken apart, so that their columns can be dealt
//! out to threads, too.
//!
//! A loop that can be distributed has iterations that never meet. What stands in it may then be
//! executed by loops of its own, one after another:
//!
//! ```text
//! for (i …)                          for (i …) a[i][0] = …;
//!   a[i][0] = …;                     for (i …)
//!   if (i > 0)                 →       if (i > 0)
//!     for (j …) a[i][j] = …;             for (j …) a[i][j] = …;
//! ```
//!
//! Threads along x share the columns of the second loop, where each had a row before: neighbours
//! now go to neighbouring cells, and there are as many threads as cells. Barriers between the loops
//! are found as everywhere. Loops around it whose iterations never meet either, as those over
//! colours, are around each of its parts.

use crate::codegen::gpu::grids::block::Builder;
use crate::codegen::kernel::{Comparison, Index, Loop, Node};
use std::collections::BTreeSet;

/// A nest of which one loop is distributed, as nests of which more are; `None` where that does not
/// help.
pub(crate) fn apart(builder: &Builder<'_>, each: &Loop) -> Option<Vec<Node>> {
    let [dealt] = &builder.dealt(each)[..] else {
        return None;
    };
    let nests = around(each, &dealt.var, &builder.free(each))?;
    if nests.len() < 2 {
        return None;
    }
    let more = |nest: &Node| matches!(nest, Node::For(each) if builder.dealt(each).len() > 1);
    nests.iter().any(more).then_some(nests)
}

/// The parts of the body of the loop of a variable, each with that loop and what is around it;
/// `None` where that is not only loops of free variables and guards.
fn around(each: &Loop, var: &str, free: &BTreeSet<String>) -> Option<Vec<Node>> {
    if !free.contains(&each.var) || each.lower.is_data() || each.upper.is_data() {
        return None;
    }
    let bodies = match (each.var == var, each.body.as_slice()) {
        (true, body) => parts(body),
        (false, [Node::For(inner)]) => one_by_one(around(inner, var, free)?),
        (
            false,
            [
                Node::If {
                    condition,
                    then,
                    otherwise,
                },
            ],
        ) => match then.as_slice() {
            [Node::For(inner)] if otherwise.is_empty() && !condition.is_data() => {
                let guarded = |node| Node::If {
                    condition: condition.clone(),
                    then: vec![node],
                    otherwise: Vec::new(),
                };
                one_by_one(around(inner, var, free)?.into_iter().map(guarded))
            }
            _ => return None,
        },
        (false, _) => return None,
    };
    let with = |body| {
        Node::For(Loop {
            body,
            ..each.clone()
        })
    };
    Some(bodies.into_iter().map(with).collect())
}

fn one_by_one(nodes: impl IntoIterator<Item = Node>) -> Vec<Vec<Node>> {
    nodes.into_iter().map(|node| vec![node]).collect()
}

/// Nodes as lists that are executed one after another: one for every node with loops, whatever
/// guards are around it, and one for what is between them.
fn parts(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut all: Vec<Vec<Node>> = Vec::new();
    let mut between: Vec<Node> = Vec::new();
    for node in nodes {
        if !node.has_loop() {
            between.push(node.clone());
            continue;
        }
        if !between.is_empty() {
            all.push(std::mem::take(&mut between));
        }
        match node {
            Node::If {
                condition,
                then,
                otherwise,
            } if !condition.is_data() => {
                let not = Index::Compare(
                    Comparison::Equal,
                    Box::new(condition.clone()),
                    Box::new(Index::Int(0)),
                );
                for (condition, branch) in [(condition, then), (&not, otherwise)] {
                    all.extend(parts(branch).into_iter().map(|then| {
                        vec![Node::If {
                            condition: condition.clone(),
                            then,
                            otherwise: Vec::new(),
                        }]
                    }));
                }
            }
            node => all.push(vec![node.clone()]),
        }
    }
    if !between.is_empty() {
        all.push(between);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::kernel::Instance;

    fn statement(statement: usize) -> Node {
        Node::Statement(Instance {
            statement,
            group: 0,
            iterators: Vec::new(),
            accesses: Vec::new(),
            certain: Vec::new(),
            decided: Vec::new(),
        })
    }

    fn row(of: usize) -> Node {
        let bounds = [Index::Int(0), Index::Param(0)];
        Node::For(Loop::sequential(
            "j".to_owned(),
            bounds,
            1,
            vec![statement(of)],
        ))
    }

    fn guard(condition: &Index, then: Vec<Node>, otherwise: Vec<Node>) -> Node {
        Node::If {
            condition: condition.clone(),
            then,
            otherwise,
        }
    }

    /// Colours and a guard are around each part of the rows, if colours never meet.
    #[test]
    fn parts_keep_what_is_around_them() {
        let around_it = |var: &str, body: Vec<Node>| match row(0) {
            Node::For(inner) => Loop {
                var: var.to_owned(),
                body,
                ..inner
            },
            other => panic!("{other:?}"),
        };
        let nest = |body: Vec<Node>| {
            let rows = Node::For(around_it("i", body));
            around_it(
                "colour",
                vec![guard(&Index::var("c"), vec![rows], Vec::new())],
            )
        };
        let all = nest(vec![row(1), statement(2)]);
        let free = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let wanted = [nest(vec![row(1)]), nest(vec![statement(2)])].map(Node::For);
        let found = around(&all, "i", &free(&["colour", "i"]));
        assert_eq!(found.as_deref(), Some(&wanted[..]));
        assert_eq!(around(&all, "i", &free(&["i"])), None);
    }

    #[test]
    fn every_row_is_a_part() {
        let c = Index::var("c");
        let short = guard(&c, vec![statement(1)], Vec::new());
        let nodes = [
            statement(0),
            short.clone(),
            guard(&c, vec![row(2), statement(3)], vec![row(4)]),
            statement(5),
        ];
        let not = Index::Compare(
            Comparison::Equal,
            Box::new(c.clone()),
            Box::new(Index::Int(0)),
        );
        let wanted = [
            vec![statement(0), short],
            vec![guard(&c, vec![row(2)], Vec::new())],
            vec![guard(&c, vec![statement(3)], Vec::new())],
            vec![guard(&not, vec![row(4)], Vec::new())],
            vec![statement(5)],
        ];
        assert_eq!(parts(&nodes), wanted);
        assert_eq!(parts(&[row(0)]), [vec![row(0)]]);
        // What memory says may be another thing behind the first part.
        let data = Index::Data(0, Vec::new());
        let asked = guard(&data, vec![row(1), row(2)], Vec::new());
        assert_eq!(parts(std::slice::from_ref(&asked)), [vec![asked]]);
    }
}
