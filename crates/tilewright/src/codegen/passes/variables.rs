//! Every variable of an index is that of a loop around it: what passes must leave as it is.

use crate::codegen::kernel::{Index, Node, PlaceIndex};
use isl::{Error, ErrorKind, Result};

/// Refuses code that mentions a variable outside of its loop.
///
/// # Errors
/// [`ErrorKind::Unsupported`] where there is one.
pub(crate) fn check(body: &[Node]) -> Result<()> {
    match body.iter().find_map(|node| unbound(node, &mut Vec::new())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("the variable `{name}` is used outside of its loop");
            Err(Error::new(ErrorKind::Unsupported, message))
        }
    }
}

/// A variable at or below a node that is none of the loops around.
fn unbound<'a>(node: &'a Node, around: &mut Vec<&'a str>) -> Option<&'a str> {
    let mut own: Vec<&Index> = Vec::new();
    match node {
        Node::For(each) => own.extend([&each.lower, &each.upper]),
        Node::If { condition, .. } => own.push(condition),
        Node::GoesOn { var, condition } => {
            if !around.contains(&&var[..]) {
                return Some(var);
            }
            own.push(condition);
        }
        Node::Statement(instance) => {
            own.extend(&instance.iterators);
            for index in instance.accesses.iter().flat_map(|place| &place.indices) {
                match index {
                    PlaceIndex::Affine(index) => own.push(index),
                    PlaceIndex::Data { origin, .. } => own.extend(origin),
                }
            }
        }
        Node::Scope { .. } | Node::Block { .. } | Node::Allocate { .. } | Node::Copies(_) => {}
    }
    let mut missing = None;
    for index in own {
        index.walk(&mut |part| {
            if let Index::Var(name) = part
                && !around.contains(&&name[..])
            {
                missing = Some(&name[..]);
            }
        });
    }
    if missing.is_some() {
        return missing;
    }
    if let Node::For(each) = node {
        around.push(&each.var);
    }
    let below = node.children().find_map(|child| unbound(child, around));
    if let Node::For(_) = node {
        around.pop();
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::kernel::Loop;

    #[test]
    fn a_variable_behind_its_loop_is_refused() {
        let of = |name: &str, body| {
            let bounds = [Index::Int(0), Index::Int(9)];
            Node::For(Loop::sequential(name.to_owned(), bounds, 1, body))
        };
        let uses = |name: &str| Node::If {
            condition: Index::var(name),
            then: Vec::new(),
            otherwise: Vec::new(),
        };
        check(&[of(
            "a",
            vec![uses("a"), of("b", vec![uses("a"), uses("b")])],
        )])
        .unwrap();
        let error = check(&[of("a", vec![of("b", Vec::new()), uses("b")])]).unwrap_err();
        assert!(error.to_string().contains("`b`"), "{error}");
        check(&[uses("a")]).unwrap_err();
    }
}
