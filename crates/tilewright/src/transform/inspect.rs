//! Static bounds by inspection (Zhao, thesis 2018, section 4.2): where nothing but a type bounds a
//! loop whose bound is data, code in front of the nest computes the largest value that the bound
//! takes, over the iterations of the loops around it. A Scop → Scop pass, before everything else.
//!
//! ```text
//!                                            u = max over i of row[i + 1]     in front
//! for (i…)                             →     for (i…)
//!   j_end = row[i + 1];                        j_end = row[i + 1];
//!   for (j = …; j < INT_MAX; j++)              for (j = …; j < u; j++)
//!     if (j < j_end) …                           if (j < j_end) …
//! ```
//!
//! `u` is a parameter of the new program. It is a bound of every value that it stands for because
//! the inspection computes just these values, from data that the region does not change. Where the
//! loop's other bound is data, too, loops without iterations do not count: however far away such a
//! loop lies, nothing would be done there.

use super::{Piece, TransformError, Transformed, together, unlifted};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::rewrite::bounds::{definer, long};
use crate::scop::{
    Action, BinaryOp, Edges, Expr, Inspection, LoopClaims, Origin, Param, ScalarKind, Scop,
    Statement, StatementId, exits::Exit,
};
use isl::{DimType, Id, LocalSpace, PwAff, Set, UnionSet, Val};

type Result<T> = std::result::Result<T, TransformError>;

/// Constants beyond this in place of a bound come from its type.
const FAR: u64 = 1 << 20;

/// A bound that is data and has no other static bound than that of a type.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The temporary that holds it.
    pub name: String,
    /// Loops around what computes it.
    pub loops: usize,
    /// Why it cannot be inspected.
    pub obstacle: Option<String>,
}

/// All such bounds of a region.
///
/// # Errors
/// isl's own.
pub fn unbounded(scop: &Scop) -> Result<Vec<Bound>> {
    let mut bounds = Vec::new();
    for name in scop.loops.bounds.keys() {
        if limits(scop, name)?.is_none() {
            continue;
        }
        let (loops, obstacle) = match definer(scop, name) {
            Ok(id) => (scop.statements[id].iterators.len(), None),
            Err(TransformError::Plan(why)) => (0, Some(why)),
            Err(error) => return Err(error),
        };
        bounds.push(Bound {
            name: name.clone(),
            loops,
            obstacle,
        });
    }
    Ok(bounds)
}

impl Region {
    /// The region with these bounds inspected.
    ///
    /// # Errors
    /// [`TransformError::Plan`] with the reason why one cannot be.
    pub fn inspected(&self, names: &[String]) -> Result<Region> {
        let mut scop = self.scop.clone();
        for name in names {
            scop = inspected(&scop, name)?;
        }
        let dataflow = Dataflow::compute(&scop)?;
        let graph = StageGraph::build(&scop, &dataflow)?;
        Ok(Region {
            scop,
            dataflow,
            graph,
            rounds: None,
        })
    }
}

/// The constants of a type in place of a bound, and on which side they are: `None` where there is
/// another static bound.
fn limits(scop: &Scop, name: &str) -> isl::Result<Option<i64>> {
    let Some(stand_ins) = scop.loops.bounds.get(name) else {
        return Ok(None);
    };
    let mut nearest: Option<i64> = None;
    for stand_in in stand_ins {
        let constant = if stand_in.isa_aff()? && stand_in.is_cst()? {
            stand_in.as_aff()?.get_constant_val()?.to_i64()
        } else {
            None
        };
        let Some(constant) = constant.filter(|k| k.unsigned_abs() > FAR) else {
            return Ok(None);
        };
        nearest = Some(match nearest {
            Some(other) if other.unsigned_abs() < constant.unsigned_abs() => other,
            _ => constant,
        });
    }
    Ok(nearest)
}

/// The program with one bound inspected.
fn inspected(scop: &Scop, name: &str) -> Result<Scop> {
    let id = definer(scop, name)?;
    let Some(far) = limits(scop, name)? else {
        let why = format!("`{name}` has a static bound and needs no inspection");
        return Err(TransformError::Plan(why));
    };
    let upper = far > 0;
    let spelling = format!("tw_{name}_{}", if upper { "most" } else { "least" });
    let taken = scop.params.iter().any(|p| p.name == spelling)
        || scop.array_named(&spelling).is_some()
        || scop.invariants.contains_key(&spelling);
    if taken {
        let why = format!("`{name}` cannot be inspected: the name `{spelling}` is taken");
        return Err(TransformError::Plan(why));
    }
    let mut new = scop.clone();
    let definition = &scop.statements[id];
    new.edges.inspections.push(Inspection {
        variable: spelling.clone(),
        upper,
        statement: under_partner(scop, id, name)?,
        schedule: scop
            .schedule
            .intersect_domain(&UnionSet::from_set(&definition.domain)?)?,
    });
    new.params.push(Param {
        name: spelling.clone(),
        spelling: spelling.clone(),
        ctype: long(),
        span: definition.span,
        computed: None,
    });
    let array = scop.array_named(name);
    let mut inclusive = false;
    for (position, statement) in scop.statements.iter().enumerate() {
        for (iterator, op) in tests(scop, statement, array) {
            inclusive |= matches!(op, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
            restrict(&mut new, position, iterator, op, &spelling)?;
        }
    }
    let mut domain = UnionSet::empty_ctx(&scop.ctx)?;
    for statement in &new.statements {
        domain = domain.union(&UnionSet::from_set(&statement.domain)?)?;
    }
    new.schedule = scop.schedule.intersect_domain(&domain)?;
    let apart = match (inclusive, upper) {
        (true, _) => 0,
        (false, true) => -1,
        (false, false) => 1,
    };
    let bound = format!("[{spelling}] -> {{ [({spelling} + {apart})] }}");
    let bound = PwAff::read_from_str(&scop.ctx, &bound)?;
    new.loops.bounds.insert(name.to_owned(), vec![bound]);
    // It begins with 0. The greatest value that it may have is one beyond that of the variable.
    let known = if upper {
        format!("[{spelling}] -> {{ : 0 <= {spelling} <= {} }}", far + 1)
    } else {
        format!("[{spelling}] -> {{ : {} <= {spelling} <= 0 }}", far - 1)
    };
    new.assume(&Set::read_from_str(&scop.ctx, &known)?)?;
    Ok(new)
}

/// The leading tests of a statement against a bound: iterators and how they compare.
fn tests(scop: &Scop, statement: &Statement, array: Option<usize>) -> Vec<(usize, BinaryOp)> {
    let mut found = Vec::new();
    let mut body = statement.body.as_slice();
    while let [
        Action::If {
            condition, then, ..
        },
    ] = body
    {
        if let Some(exit) = scop.exit(statement, condition) {
            if Some(statement.accesses[exit.bound].array) == array {
                found.push((exit.iterator, exit.op));
            }
        }
        body = then;
    }
    found
}

/// Restricts a statement's iterator to what the inspected bound allows.
fn restrict(
    scop: &mut Scop,
    position: usize,
    iterator: usize,
    op: BinaryOp,
    variable: &str,
) -> Result<()> {
    let ctx = scop.ctx.clone();
    let id = Id::alloc(&ctx, variable)?;
    let statement = &mut scop.statements[position];
    let space = statement.domain.get_space()?.add_param_id(&id)?;
    let set = statement.domain.align_params(&space)?;
    let value = PwAff::var_on_domain(&LocalSpace::from_space(&space)?, DimType::Set, iterator)?;
    let bound = PwAff::param_on_domain_id(&Set::universe(&space)?, &id)?;
    let holds = match op {
        BinaryOp::Less => value.lt_set(&bound)?,
        BinaryOp::LessEqual => value.le_set(&bound)?,
        BinaryOp::Greater => value.gt_set(&bound)?,
        _ => value.ge_set(&bound)?,
    };
    statement.domain = set.intersect(&holds)?.coalesce()?;
    for access in &mut statement.accesses {
        access.relation = access.relation.intersect_domain(&statement.domain)?;
    }
    // Temporaries that are declared in the loop have a cell for each of its iterations.
    let one = Val::one(&ctx)?;
    let universe = Set::params(&Set::universe(&space)?)?;
    for access in &statement.accesses {
        let array = &mut scop.arrays[access.array];
        let Origin::Region { depth } = array.origin else {
            continue;
        };
        if iterator < depth {
            let bound = PwAff::param_on_domain_id(&universe, &id)?;
            array.extents[iterator].affine = Some(match op {
                BinaryOp::LessEqual => bound.add_constant_val(&one)?,
                _ => bound,
            });
        }
    }
    Ok(())
}

/// What computes a bound without writing it, where the loop has an iteration as far as its other
/// bound says.
fn under_partner(scop: &Scop, id: StatementId, name: &str) -> Result<Statement> {
    let definition = &scop.statements[id];
    let mut statement = without_target(definition)?;
    let Some((partner, other, op)) = partner(scop, name)? else {
        return Ok(statement);
    };
    let other = without_target(&scop.statements[other])?;
    let first = statement.accesses.len();
    let moved = |expr: &Expr| {
        expr.map(&mut |e| match e {
            Expr::Access(number) => Some(Expr::Access(number + first)),
            _ => None,
        })
    };
    let id = Id::alloc(&scop.ctx, &statement.name)?;
    for access in &other.accesses {
        let mut access = access.clone();
        access.relation = access.relation.set_tuple_id(DimType::In, &id)?;
        access.subscripts = access.subscripts.iter().map(moved).collect();
        for value in access.affine.iter_mut().flatten() {
            *value = value.set_tuple_id(DimType::In, &id)?;
        }
        statement.accesses.push(access);
    }
    let own = value_of(&statement.body);
    let (Some(own), Some(theirs)) = (own, value_of(&other.body)) else {
        return Err(TransformError::Plan(format!("`{partner}` is no value")));
    };
    // As the loop's tests compare: the variables that hold bounds are `long`.
    let wide = |value: Expr| Box::new(Expr::Cast(long(), Box::new(value)));
    let condition = Expr::Binary(op, wide(own), wide(moved(&theirs)));
    statement.body = vec![Action::If {
        condition,
        then: std::mem::take(&mut statement.body),
        otherwise: Vec::new(),
    }];
    Ok(statement)
}

/// What an inspection's statement computes.
fn value_of(body: &[Action]) -> Option<Expr> {
    match body {
        [Action::SetLocal { value, .. }] => Some(value.clone()),
        [Action::If { then, .. }] => value_of(then),
        _ => None,
    }
}

/// The other bound of the loop that a bound belongs to, what computes it, and how the first compares
/// with it where the loop has iterations: `None` if it is not data, or not computed in the same
/// iterations.
fn partner(scop: &Scop, name: &str) -> Result<Option<(String, StatementId, BinaryOp)>> {
    let is_upper = |op: BinaryOp| matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
    let array = scop.array_named(name);
    let mut found: Option<(usize, BinaryOp)> = None;
    for statement in &scop.statements {
        let (exits, _) = scop.exits(statement);
        let bound = |exit: &Exit| statement.accesses[exit.bound].array;
        for exit in exits.iter().filter(|exit| Some(bound(exit)) == array) {
            let mut others = exits.iter().filter(|other| {
                other.iterator == exit.iterator && is_upper(other.op) != is_upper(exit.op)
            });
            let (Some(other), None) = (others.next(), others.next()) else {
                return Ok(None);
            };
            let strict = |op| matches!(op, BinaryOp::Less | BinaryOp::Greater);
            let op = match (is_upper(exit.op), strict(exit.op) || strict(other.op)) {
                (true, true) => BinaryOp::Greater,
                (true, false) => BinaryOp::GreaterEqual,
                (false, true) => BinaryOp::Less,
                (false, false) => BinaryOp::LessEqual,
            };
            if found.is_some_and(|known| known != (bound(other), op)) {
                return Ok(None);
            }
            found = Some((bound(other), op));
        }
    }
    let Some((other, op)) = found else {
        return Ok(None);
    };
    let other = scop.arrays[other].name.clone();
    let Ok(id) = definer(scop, &other) else {
        return Ok(None);
    };
    let (own, theirs) = (&scop.statements[definer(scop, name)?], &scop.statements[id]);
    let domain = theirs.domain.set_tuple_name(&own.name)?;
    let same = own.iterators == theirs.iterators && domain.is_equal(&own.domain)?;
    Ok(same.then_some((other, id, op)))
}

/// The statement without its write, which is the only one.
fn without_target(statement: &Statement) -> Result<Statement> {
    let [Action::Assign { target, value }] = &statement.body[..] else {
        return Err(TransformError::Plan("not one assignment".to_owned()));
    };
    let renumbered = |expr: &Expr| {
        expr.map(&mut |e| match e {
            Expr::Access(number) if number > target => Some(Expr::Access(number - 1)),
            _ => None,
        })
    };
    let mut reads = statement.clone();
    reads.accesses.remove(*target);
    for access in &mut reads.accesses {
        access.subscripts = access.subscripts.iter().map(&renumbered).collect();
    }
    reads.body = vec![Action::SetLocal {
        name: String::new(),
        value: renumbered(value),
    }];
    Ok(reads)
}

/// Whether C compares a value with a `long` as numbers.
fn is_signed(scop: &Scop, statement: &Statement, value: &Expr) -> bool {
    match value {
        Expr::Access(access) => {
            let array = statement.accesses[*access].array;
            scop.arrays[array].element.kind != ScalarKind::U64
        }
        Expr::Literal(text) => !text.to_ascii_lowercase().contains('u'),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => {
            let mut operands = value.children().into_iter();
            operands.all(|operand| is_signed(scop, statement, operand))
        }
        _ => false,
    }
}

/// An inspection as a program of its own, in the order of the loops that it is made of, and what it
/// is to code generation.
///
/// # Errors
/// isl's own.
pub(crate) fn program(scop: &Scop, inspection: &Inspection) -> Result<(Scop, Transformed)> {
    let mut statement = inspection.statement.clone();
    let signed = |value: &Expr| is_signed(scop, &inspection.statement, value);
    let body = match &mut statement.body[..] {
        [Action::If { then, .. }] => then,
        _ => &mut statement.body,
    };
    if let [Action::SetLocal { name, value }] = &mut body[..] {
        name.clone_from(&inspection.variable);
        // Each thread begins with the least number, which is none among unsigned ones.
        if !signed(value) {
            *value = Expr::Cast(long(), Box::new(value.clone()));
        }
        let op = if inspection.upper {
            BinaryOp::Greater
        } else {
            BinaryOp::Less
        };
        let before = Box::new(Expr::Local(name.clone()));
        let condition = Expr::Binary(op, Box::new(value.clone()), before);
        *body = vec![Action::If {
            condition,
            then: std::mem::take(body),
            otherwise: Vec::new(),
        }];
    }
    let own = |param: &Param| param.name != inspection.variable;
    let alone = Scop {
        statements: vec![statement],
        schedule: inspection.schedule.clone(),
        params: scop.params.iter().filter(|p| own(p)).cloned().collect(),
        loops: LoopClaims {
            bounds: Default::default(),
            ..scop.loops.clone()
        },
        edges: Edges {
            inspections: Vec::new(),
            packing: None,
            ..scop.edges.clone()
        },
        ..scop.clone()
    };
    let piece = Piece {
        schedule: alone.schedule.clone(),
        statements: unlifted(&alone, &[0], 0),
        buffers: Vec::new(),
        accumulators: Vec::new(),
        shared: Vec::new(),
        atomic: Vec::new(),
        tiled: Vec::new(),
    };
    let transformed = together(&alone, vec![piece])?;
    Ok((alone, transformed))
}
