//! Loops over rows whose bodies are no perfect nests: taken apart, so that their columns can be dealt
//! out to threads, too.
//!
//! A loop that can be dealt out has iterations that never meet. What stands in it may then be
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
//! are found as everywhere.

use super::block::Builder;
use crate::codegen::kernel::{Comparison, Index, Loop, Node};

/// A loop that is dealt out alone, as loops of which more can be dealt out; `None` where that does
/// not help.
pub(super) fn apart(builder: &Builder<'_>, each: &Loop) -> Option<Vec<Loop>> {
    let [dealt] = &builder.dealt(each)[..] else {
        return None;
    };
    if dealt.var != each.var || each.lower.is_data() || each.upper.is_data() {
        return None;
    }
    let bodies = parts(&each.body);
    if bodies.len() < 2 {
        return None;
    }
    let with = |body| Loop {
        body,
        ..each.clone()
    };
    let loops: Vec<Loop> = bodies.into_iter().map(with).collect();
    let better = loops.iter().any(|each| builder.dealt(each).len() > 1);
    better.then_some(loops)
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
        Node::For(Loop {
            var: "j".to_owned(),
            lower: Index::Int(0),
            upper: Index::Param(0),
            step: 1,
            parallel: false,
            collapse: 1,
            simd: false,
            unroll: 1,
            fixed: None,
            ends_early: false,
            body: vec![statement(of)],
        })
    }

    fn guard(condition: &Index, then: Vec<Node>, otherwise: Vec<Node>) -> Node {
        Node::If {
            condition: condition.clone(),
            then,
            otherwise,
        }
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
