//! Code with other index expressions in it: values in place of loop variables, and what is known of
//! conditions.

use crate::codegen::kernel::{Index, Instance, Loop, Node, Place, PlaceIndex};

/// What is put in the place of an index expression.
pub(crate) type Put<'a> = &'a dyn Fn(&Index) -> Index;

/// Code with other index expressions; conditions that are known then are gone.
pub(crate) fn all_replaced(nodes: &[Node], put: Put<'_>) -> Vec<Node> {
    let mut all = Vec::new();
    for node in nodes {
        match replaced(node, put) {
            Node::If {
                condition: Index::Int(holds),
                then,
                otherwise,
            } => all.extend(if holds != 0 { then } else { otherwise }),
            node => all.push(node),
        }
    }
    all
}

/// Code with a value in place of a loop variable; conditions that are known then are gone.
pub(crate) fn all_with(nodes: &[Node], var: &str, value: &Index) -> Vec<Node> {
    all_replaced(nodes, &|index| index.with(var, value))
}

/// A node with a value in place of a loop variable.
pub(crate) fn with(node: &Node, var: &str, value: &Index) -> Node {
    replaced(node, &|index| index.with(var, value))
}

fn replaced(node: &Node, put: Put<'_>) -> Node {
    let all = |nodes: &[Node]| all_replaced(nodes, put);
    match node {
        Node::Statement(instance) => Node::Statement(Instance {
            iterators: instance.iterators.iter().map(put).collect(),
            accesses: instance.accesses.iter().map(|p| place(p, put)).collect(),
            ..instance.clone()
        }),
        Node::For(each) => Node::For(Loop {
            lower: put(&each.lower),
            upper: put(&each.upper),
            body: all(&each.body),
            ..each.clone()
        }),
        Node::If {
            condition,
            then,
            otherwise,
        } => Node::If {
            condition: put(condition),
            then: all(then),
            otherwise: all(otherwise),
        },
        Node::Scope { scope, body } => Node::Scope {
            scope: *scope,
            body: all(body),
        },
        Node::Block { variables, body } => Node::Block {
            variables: variables.clone(),
            body: all(body),
        },
        Node::Allocate { buffers, body } => Node::Allocate {
            buffers: buffers.clone(),
            body: all(body),
        },
        Node::Copies(copies) => Node::Copies(copies.iter().map(|copy| all(copy)).collect()),
        Node::GoesOn { var, condition } => Node::GoesOn {
            var: var.clone(),
            condition: put(condition),
        },
    }
}

fn place(place: &Place, put: Put<'_>) -> Place {
    let index = |index: &PlaceIndex| match index {
        PlaceIndex::Affine(index) => PlaceIndex::Affine(put(index)),
        PlaceIndex::Data { subscript, origin } => PlaceIndex::Data {
            subscript: subscript.clone(),
            origin: origin.as_ref().map(put),
        },
    };
    Place {
        buffer: place.buffer,
        indices: place.indices.iter().map(index).collect(),
    }
}
