//! Kernels that are not as the code generator made them, and statements printed otherwise.

use crate::random::Random;
use tilewright::codegen::kernel::{Comparison, Index, Instance, Kernel, Loop, Node, PlaceIndex};
use tilewright::scop::{Action, BinaryOp, Expr, Scop};
use tilewright::transform::Transformed;

/// A kernel with one change, and what was done.
pub fn mutate(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    random: &mut Random,
) -> Option<(Kernel, String)> {
    let mut mutant = kernel.clone();
    let done = match random.below(12) {
        0 => buffers(&mut mutant, random),
        1 | 2 => order(&mut mutant, random),
        _ => {
            let mut count = 0;
            walk(&mut mutant.body, &mut |_| count += 1);
            let (at, mut seen, mut done) = (random.below(count), 0, None);
            walk(&mut mutant.body, &mut |node| {
                if seen == at {
                    done = match node {
                        Node::For(each) => change_loop(each, random),
                        Node::If { .. } | Node::GoesOn { .. } => change_condition(node, random),
                        Node::Statement(instance) => {
                            change_instance(scop, transformed, instance, random)
                        }
                        _ => None,
                    };
                }
                seen += 1;
            });
            done
        }
    }?;
    (mutant != *kernel).then(|| (mutant, done.to_owned()))
}

/// Calls `f` on every node, outer ones first.
fn walk(nodes: &mut [Node], f: &mut dyn FnMut(&mut Node)) {
    for node in nodes {
        f(node);
        lists(node).into_iter().for_each(|list| walk(list, f));
    }
}

/// The lists of nodes directly inside.
fn lists(node: &mut Node) -> Vec<&mut Vec<Node>> {
    match node {
        Node::For(each) => vec![&mut each.body],
        Node::If {
            then, otherwise, ..
        } => vec![then, otherwise],
        Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
            vec![body]
        }
        Node::Copies(copies) => copies.iter_mut().collect(),
        Node::Statement(_) | Node::GoesOn { .. } => Vec::new(),
    }
}

fn plus(index: &Index, number: i64) -> Index {
    index.plus(&Index::Int(number))
}

fn change_loop(each: &mut Loop, random: &mut Random) -> Option<&'static str> {
    let number = *random.pick(&[-2, -1, 1, 2]);
    Some(match random.below(10) {
        0 | 1 => {
            each.lower = plus(&each.lower, number);
            "a loop's lower bound shifted"
        }
        2 | 3 => {
            each.upper = plus(&each.upper, number);
            "a loop's upper bound shifted"
        }
        4 => {
            each.step = (each.step + number).max(1);
            "another step"
        }
        5 => {
            each.parallel = !each.parallel;
            if !each.parallel {
                each.collapse = 1;
            }
            "a loop parallel that was not, or the other way round"
        }
        6 => {
            each.simd = !each.simd;
            "a loop for vectors that was none, or the other way round"
        }
        7 => {
            let bound = if random.percent(50) {
                &mut each.lower
            } else {
                &mut each.upper
            };
            *bound = inside(bound, random)?;
            "another operator in a bound"
        }
        8 => {
            each.dynamic.ends_early = !each.dynamic.ends_early;
            "a loop that ends early and did not, or the other way round"
        }
        _ => {
            each.collapse += 1;
            "one more loop distributed together"
        }
    })
}

/// An index with another operator or number somewhere inside.
fn inside(index: &Index, random: &mut Random) -> Option<Index> {
    let number = *random.pick(&[-1, 1]);
    let mut boxed = |a: &Index| Some(Box::new(inside(a, random)?));
    Some(match index {
        Index::Int(value) => Index::Int(value + number),
        Index::Min(list) => Index::Max(list.clone()),
        Index::Max(list) => Index::Min(list.clone()),
        Index::FloorDiv(a, by) => Index::ExactDiv(a.clone(), *by),
        Index::ExactDiv(a, by) => Index::ExactDiv(a.clone(), by + 1),
        Index::Mod(a, by) => Index::PlainMod(a.clone(), *by),
        Index::PlainMod(a, by) => Index::PlainMod(a.clone(), by + 1),
        Index::Select(test, a, b) => Index::Select(test.clone(), b.clone(), a.clone()),
        Index::Add(a, b) if number > 0 => Index::Add(boxed(a)?, b.clone()),
        Index::Add(a, b) => Index::Add(a.clone(), boxed(b)?),
        Index::Sub(a, b) => Index::Add(a.clone(), b.clone()),
        Index::Mul(a, b) if number > 0 => Index::Mul(boxed(a)?, b.clone()),
        Index::Mul(a, b) => Index::Mul(a.clone(), boxed(b)?),
        Index::Neg(a) => (**a).clone(),
        Index::Compare(how, a, b) => {
            let other = match how {
                Comparison::Equal => Comparison::LessEqual,
                Comparison::LessEqual => Comparison::Less,
                Comparison::Less => Comparison::LessEqual,
                Comparison::GreaterEqual => Comparison::Greater,
                Comparison::Greater => Comparison::GreaterEqual,
            };
            Index::Compare(other, a.clone(), b.clone())
        }
        Index::All(list) if random.percent(50) => Index::All(shorter(list, random)?),
        Index::All(list) => Index::Any(list.clone()),
        Index::Any(list) if random.percent(50) => Index::Any(shorter(list, random)?),
        Index::Any(list) => Index::All(list.clone()),
        Index::Var(_) | Index::Param(_) => plus(index, number),
        Index::Data(..) => return None,
    })
}

fn shorter(list: &[Index], random: &mut Random) -> Option<Vec<Index>> {
    let at = random.below(list.len());
    let mut kept = list.to_vec();
    (list.len() > 1).then(|| {
        kept.remove(at);
        kept
    })
}

fn change_condition(node: &mut Node, random: &mut Random) -> Option<&'static str> {
    let how = random.below(4);
    let condition = match node {
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            if how == 0 {
                std::mem::swap(then, otherwise);
                return Some("a condition negated");
            }
            condition
        }
        Node::GoesOn { condition, .. } => condition,
        _ => return None,
    };
    Some(match how {
        1 => {
            *condition = Index::Int(1);
            "a condition left out"
        }
        2 => {
            *condition = Index::Int(0);
            "a condition that never holds"
        }
        _ => {
            *condition = inside(condition, random)?;
            "another operator in a condition"
        }
    })
}

fn change_instance(
    scop: &Scop,
    transformed: &Transformed,
    instance: &mut Instance,
    random: &mut Random,
) -> Option<&'static str> {
    let number = *random.pick(&[-2, -1, 1, 2]);
    match random.below(8) {
        0 if !instance.iterators.is_empty() => {
            let at = random.below(instance.iterators.len());
            instance.iterators[at] = plus(&instance.iterators[at], number);
            Some("an iterator's value shifted")
        }
        1 => {
            let conditions = scop.statements[instance.statement]
                .body
                .iter()
                .filter(|action| matches!(action, Action::If { .. }))
                .count();
            if conditions == 0 || instance.certain.contains(&0) {
                return None;
            }
            instance.certain.push(0);
            Some("a condition taken to hold")
        }
        2 if !instance.decided.is_empty() => {
            let at = random.below(instance.decided.len());
            instance.decided[at].1 = !instance.decided[at].1;
            Some("a condition taken to be the other way round")
        }
        3 => {
            let at = random.below(instance.accesses.len());
            let own = instance.accesses.get(at)?;
            let rank = |buffer: usize| scop.arrays[transformed.buffers[buffer].array].extents.len();
            let (rank_own, was) = (rank(own.buffer), own.buffer);
            let others: Vec<usize> = (0..transformed.buffers.len())
                .filter(|other| *other != was && rank(*other) == rank_own)
                .collect();
            if others.is_empty() {
                return None;
            }
            instance.accesses[at].buffer = *random.pick(&others);
            Some("another buffer")
        }
        _ => {
            let at = random.below(instance.accesses.len());
            let place = instance.accesses.get_mut(at)?;
            if place.indices.is_empty() {
                return None;
            }
            let dim = random.below(place.indices.len());
            if place.indices.len() > 1 && random.percent(15) {
                let other = (dim + 1) % place.indices.len();
                place.indices.swap(dim, other);
                return Some("subscripts swapped");
            }
            match &mut place.indices[dim] {
                PlaceIndex::Affine(index) if random.percent(25) => *index = inside(index, random)?,
                PlaceIndex::Affine(index) => *index = plus(index, number),
                PlaceIndex::Data { origin, .. } => {
                    *origin = Some(match origin {
                        Some(origin) => plus(origin, number),
                        None => Index::Int(number),
                    });
                }
            }
            Some("a subscript shifted")
        }
    }
}

/// Two pieces of code in the other order, or one left out or executed twice.
fn order(mutant: &mut Kernel, random: &mut Random) -> Option<&'static str> {
    let mut count = 1;
    walk(&mut mutant.body, &mut |node| count += lists(node).len());
    let (at, mut seen, how) = (random.below(count), 0, random.below(4));
    let mut done = None;
    let mut change = |list: &mut Vec<Node>| {
        if seen == at && !list.is_empty() {
            let k = random.below(list.len());
            let node = list[k].clone();
            done = Some(match how {
                0 => {
                    list.remove(k);
                    "a piece of code left out"
                }
                1 => {
                    list.insert(k, node);
                    "a piece of code twice"
                }
                _ => {
                    list.reverse();
                    "pieces of code in reverse order"
                }
            });
        }
        seen += 1;
    };
    change(&mut mutant.body);
    walk(&mut mutant.body, &mut |node| {
        lists(node).into_iter().for_each(&mut change);
    });
    done
}

/// A buffer of another size, or in the memory of another.
fn buffers(mutant: &mut Kernel, random: &mut Random) -> Option<&'static str> {
    let number = *random.pick(&[-2, -1, 1, 2]);
    if !mutant.temporaries.is_empty() && random.percent(40) {
        let at = random.below(mutant.temporaries.len());
        let extents = &mut mutant.temporaries[at].extents;
        let dim = random.below(extents.len());
        let own = extents.get_mut(dim)?;
        *own = plus(own, number);
        return Some("a temporary of another size");
    }
    if mutant.buffers.is_empty() {
        return None;
    }
    let (at, other) = (
        random.below(mutant.buffers.len()),
        random.below(mutant.buffers.len()),
    );
    if at != other && random.percent(30) {
        let (one, two) = (&mutant.buffers[at], &mutant.buffers[other]);
        if one.scope != two.scope || one.element != two.element {
            return None;
        }
        (mutant.buffers[at].shared, mutant.buffers[other].shared) = (Some(90), Some(90));
        return Some("two buffers at one address");
    }
    let extents = &mut mutant.buffers[at].extents;
    let dim = random.below(extents.len());
    let own = extents.get_mut(dim)?;
    *own = (*own + number).max(1);
    Some("a buffer of another size")
}

/// The program with a statement that is printed otherwise, and what was done.
pub fn mutate_body(scop: &Scop, random: &mut Random) -> Option<(Scop, String)> {
    let at = random.below(scop.statements.len());
    let mut mutant = scop.clone();
    let body = &mut mutant.statements.get_mut(at)?.body;
    if random.percent(15) {
        let (k, count) = (random.below(body.len()), body.len());
        match body.get_mut(k)? {
            Action::If {
                then, otherwise, ..
            } => {
                std::mem::swap(then, otherwise);
                return Some((mutant, "a statement's condition negated".to_owned()));
            }
            _ if count > 1 => {
                body.reverse();
                return Some((mutant, "a statement's steps in reverse order".to_owned()));
            }
            _ => return None,
        }
    }
    let mut count = 0;
    each_expression(body, &mut |_| count += 1);
    let (place, mut seen, mut done) = (random.below(count), 0, None);
    each_expression(body, &mut |expr| {
        if seen == place {
            done = change_expression(expr, random);
        }
        seen += 1;
    });
    done.map(|done| (mutant, done.to_owned()))
}

fn change_expression(expr: &mut Expr, random: &mut Random) -> Option<&'static str> {
    let number = *random.pick(&[-1, 1]);
    Some(match expr {
        Expr::Cast(_, inner) => {
            *expr = (**inner).clone();
            "a cast left out"
        }
        Expr::Unary(_, inner) => {
            *expr = (**inner).clone();
            "an operator left out"
        }
        Expr::Conditional(_, a, b) => {
            std::mem::swap(a, b);
            "a choice the other way round"
        }
        Expr::Binary(operator, a, b) => {
            use BinaryOp::*;
            if random.percent(25) {
                std::mem::swap(a, b);
                return Some("operands swapped");
            }
            *operator = match operator {
                Add => Sub,
                Sub => Add,
                Mul => Add,
                Div => Mul,
                Rem => Div,
                ShiftLeft => ShiftRight,
                ShiftRight => ShiftLeft,
                Less => LessEqual,
                LessEqual => Less,
                Greater => GreaterEqual,
                GreaterEqual => Greater,
                Equal => NotEqual,
                NotEqual => Equal,
                BitAnd => BitOr,
                BitOr => BitXor,
                BitXor => BitAnd,
                And => Or,
                Or => And,
            };
            "another operator"
        }
        Expr::Literal(text) => {
            let value: i64 = text.parse().ok()?;
            *text = (value + number).to_string();
            "another number"
        }
        Expr::Access(access) => {
            let other = *access as i64 + number;
            *access = usize::try_from(other).ok()?;
            "another access"
        }
        Expr::Iterator(k) => {
            let other = *k as i64 + number;
            *k = usize::try_from(other).ok()?;
            "another iterator"
        }
        _ => return None,
    })
}

/// Calls `f` on every expression, outer ones first.
fn each_expression(actions: &mut [Action], f: &mut dyn FnMut(&mut Expr)) {
    for action in actions {
        match action {
            Action::Assign { value, .. } | Action::SetLocal { value, .. } => below(value, f),
            Action::Local { value, .. } => value.iter_mut().for_each(|value| below(value, f)),
            Action::If {
                condition,
                then,
                otherwise,
            } => {
                below(condition, f);
                each_expression(then, f);
                each_expression(otherwise, f);
            }
            Action::Call(call) => below(call, f),
            Action::Repeat { condition, body } => {
                below(condition, f);
                each_expression(body, f);
            }
            Action::Leave => {}
        }
    }
}

fn below(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    f(expr);
    match expr {
        Expr::Unary(_, a) | Expr::Cast(_, a) => below(a, f),
        Expr::Binary(_, a, b) => {
            below(a, f);
            below(b, f);
        }
        Expr::Conditional(a, b, c) => {
            below(a, f);
            below(b, f);
            below(c, f);
        }
        Expr::Call(_, list) => list.iter_mut().for_each(|a| below(a, f)),
        _ => {}
    }
}
