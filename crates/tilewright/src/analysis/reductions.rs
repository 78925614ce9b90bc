//! Sums into cells that data picks: histograms, products of symmetric sparse matrices (Zhao, thesis
//! 2018, part II; PENCIL's `reduction` clauses).
//!
//! `a[…] = a[…] + value` is an *update* of `a` if the value does not depend on `a`. Updates of one
//! array by additions and subtractions may come in any order, as far as only they are concerned:
//! what is left in a cell is the same sum. Dependences between them can be left out where each
//! update is made at once (atomic), or where parts of the sum are kept apart and added up in the
//! end. All other dependences stay: between updates and other accesses to the array, and between
//! the same instances through other arrays.
//!
//! Sums of integers, and what `&`, `^` and `|` make of them, are the same in any order, bit for bit. Sums of floating-point numbers are
//! not, and are only reordered where that is allowed.

use crate::analysis::dependences::dataflow::{Dataflow, conflicts};
use crate::analysis::dependences::independent::apart;
use crate::scop::expression::floating_literal;
use crate::scop::{
    Access, AccessId, AccessKind, Action, ArrayId, BinaryOp, Expr, Origin, ScalarKind, Scop,
    Statement, StatementId,
};
use isl::{DimType, Map, Result, UnionMap};

/// What updates do with the old value, in any order with the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// They add to it, or subtract from it.
    Sum,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
}

impl Operator {
    /// The operation that puts parts together.
    pub fn operation(self) -> BinaryOp {
        match self {
            Operator::Sum => BinaryOp::Add,
            Operator::And => BinaryOp::BitAnd,
            Operator::Xor => BinaryOp::BitXor,
            Operator::Or => BinaryOp::BitOr,
        }
    }

    /// What a part begins with, in C.
    pub fn neutral(self) -> &'static str {
        match self {
            Operator::And => "-1",
            Operator::Sum | Operator::Xor | Operator::Or => "0",
        }
    }
}

/// The updates of one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The array.
    pub array: ArrayId,
    /// What all updates do with the old value.
    pub operator: Operator,
    /// All statements that update it, in textual order. Others may read or set it.
    pub updates: Vec<Update>,
    /// Any order gives the same bits: a sum of integers.
    pub exact: bool,
    /// The program says that it is a reduction (`#pragma pencil independent reduction(+: a)`).
    pub said: bool,
}

/// A statement that does nothing but add to one cell, or subtract from it.
///
/// # Invariants
///
/// The read and the write have the same subscripts, and are the statement's only accesses to the
/// array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The statement.
    pub statement: StatementId,
    /// Its read of the old value.
    pub read: AccessId,
    /// Its write of the new one.
    pub write: AccessId,
}

impl Reduction {
    /// Whether a statement is one of the updates.
    pub fn has(&self, statement: StatementId) -> bool {
        self.updates.iter().any(|u| u.statement == statement)
    }

    /// Whether updates are at places that depend on data.
    fn is_by_data(&self, scop: &Scop) -> bool {
        let by_data = |access: &Access| access.affine.iter().any(Option::is_none);
        self.writes(scop).any(by_data)
    }

    /// Whether all updates are of a cell that no loop changes: counts, and sums over everything.
    pub fn is_of_one_cell(&self, scop: &Scop) -> bool {
        let moves = |access: &Access| {
            let mut moves = access.affine.iter().any(Option::is_none);
            for subscript in &access.subscripts {
                subscript.walk(&mut |part| moves |= matches!(part, Expr::Iterator(_)));
            }
            moves
        };
        !self.writes(scop).any(moves)
    }

    fn writes<'s>(&'s self, scop: &'s Scop) -> impl Iterator<Item = &'s Access> {
        let write = |u: &Update| &scop.statements[u.statement].accesses[u.write];
        self.updates.iter().map(write)
    }
}

/// The arrays of a program with updates at places that depend on data, and those and the scalars
/// with exact updates of one cell each ([`Reduction::is_of_one_cell`]).
pub fn reductions(scop: &Scop) -> Vec<Reduction> {
    let mut all = sums(scop);
    all.retain(|sum| sum.is_by_data(scop) || sum.exact && sum.is_of_one_cell(scop));
    for operator in [Operator::And, Operator::Xor, Operator::Or] {
        let one = |of: &Reduction| of.exact && of.is_of_one_cell(scop);
        all.extend(by(scop, operator).into_iter().filter(one));
    }
    let own = |array: ArrayId| matches!(scop.arrays[array].origin, Origin::Region { .. });
    all.retain(|of| !own(of.array));
    all
}

/// The arrays of a program with updates that add, and scalars, wherever they are.
pub fn sums(scop: &Scop) -> Vec<Reduction> {
    by(scop, Operator::Sum)
}

/// The arrays and scalars of a program with updates by an operator.
fn by(scop: &Scop, operator: Operator) -> Vec<Reduction> {
    let mut all = Vec::new();
    for (array, a) in scop.arrays.iter().enumerate() {
        let of = |id: StatementId| {
            let update = any_update_of(scop, id, array)?;
            (update.0 == operator).then_some(update.1)
        };
        let updates: Vec<Update> = (0..scop.statements.len()).filter_map(of).collect();
        if updates.is_empty() {
            continue;
        }
        let named = |statement: StatementId| {
            let name = &scop.statements[statement].name;
            let mut said = scop.loops.independent.iter();
            said.any(|s| s.except.contains(&a.base) && s.statements.contains(name))
        };
        all.push(Reduction {
            array,
            operator,
            exact: !a.element.kind.is_float(),
            said: updates.iter().all(|update| named(update.statement)),
            updates,
        });
    }
    all
}

/// A statement as an update of an array that adds to it.
pub fn update_of(scop: &Scop, id: StatementId, array: ArrayId) -> Option<Update> {
    let (operator, update) = any_update_of(scop, id, array)?;
    (operator == Operator::Sum).then_some(update)
}

/// A statement as an update of an array.
fn any_update_of(scop: &Scop, id: StatementId, array: ArrayId) -> Option<(Operator, Update)> {
    let statement = &scop.statements[id];
    let (target, value) = only_assignment(&statement.body)?;
    let target_access = &statement.accesses[target];
    if target_access.array != array {
        return None;
    }
    let own = |&number: &AccessId| statement.accesses[number].array == array;
    let reads: Vec<AccessId> = (0..statement.accesses.len())
        .filter(|number| *number != target && own(number))
        .collect();
    let [read] = reads[..] else { return None };
    let old = &statement.accesses[read];
    if old.kind != AccessKind::Read || old.subscripts != target_access.subscripts {
        return None;
    }
    let (operator, added) = match added(value, read) {
        Some(added) => (Operator::Sum, added),
        None => combined(value, read)?,
    };
    let mut again = false;
    let mut look = |expr: &Expr| {
        expr.walk(&mut |e| again |= *e == Expr::Access(read));
    };
    look(added);
    statement
        .accesses
        .iter()
        .for_each(|access| access.subscripts.iter().for_each(&mut look));
    conditions(&statement.body, &mut look);
    let kind = scop.arrays[array].element.kind;
    let fits = match kind {
        ScalarKind::Bool => false,
        // Others have no atomic update, and OpenMP no sums of them.
        kind if kind.is_float() => kind.is_plain_float(),
        _ => is_integer(scop, statement, added),
    };
    let update = Update {
        statement: id,
        read,
        write: target,
    };
    (!again && fits).then_some((operator, update))
}

/// What an access's value is combined with, bit by bit.
fn combined(value: &Expr, read: AccessId) -> Option<(Operator, &Expr)> {
    let Expr::Binary(operation, a, b) = value else {
        return None;
    };
    let operators = [Operator::And, Operator::Xor, Operator::Or];
    let operator = operators
        .into_iter()
        .find(|o| o.operation() == *operation)?;
    if **a == Expr::Access(read) {
        Some((operator, b))
    } else {
        (**b == Expr::Access(read)).then_some((operator, a))
    }
}

/// What is added to, or subtracted from, the value of an access.
pub fn added(value: &Expr, read: AccessId) -> Option<&Expr> {
    match value {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if **a == Expr::Access(read) => Some(b),
        Expr::Binary(BinaryOp::Add, a, b) if **b == Expr::Access(read) => Some(a),
        _ => None,
    }
}

/// The one assignment of a body, under conditions.
fn only_assignment(body: &[Action]) -> Option<(AccessId, &Expr)> {
    match body {
        [Action::Assign { target, value }] => Some((*target, value)),
        [
            Action::If {
                then, otherwise, ..
            },
        ] if otherwise.is_empty() => only_assignment(then),
        _ => None,
    }
}

fn conditions(body: &[Action], look: &mut dyn FnMut(&Expr)) {
    for action in body {
        if let Action::If {
            condition, then, ..
        } = action
        {
            look(condition);
            conditions(then, look);
        }
    }
}

/// Whether the value is certainly that of an integer: a sum of integers with a number that is none
/// is rounded each time.
fn is_integer(scop: &Scop, statement: &Statement, expr: &Expr) -> bool {
    let integer = |expr: &Expr| is_integer(scop, statement, expr);
    match expr {
        Expr::Literal(text) => floating_literal(text).is_none(),
        Expr::Iterator(_) | Expr::Param(_) => true,
        Expr::Invariant(text) => {
            let ctype = scop.invariants.get(text);
            ctype.is_some_and(|ctype| !ctype.kind.is_float())
        }
        Expr::Access(access) => {
            let array = &scop.arrays[statement.accesses[*access].array];
            !array.element.kind.is_float()
        }
        Expr::Unary(_, a) => integer(a),
        Expr::Binary(_, a, b) => integer(a) && integer(b),
        Expr::Conditional(_, a, b) => integer(a) && integer(b),
        Expr::Cast(ctype, _) => !ctype.kind.is_float(),
        Expr::Local(_) | Expr::Call(..) | Expr::Effect { .. } | Expr::Row { .. } => false,
    }
}

/// The dependences between some statements but for those between updates of the same reduction,
/// through its array.
///
/// # Errors
/// isl's own.
pub(crate) fn loosened(
    scop: &Scop,
    dataflow: &Dataflow,
    statements: &[StatementId],
    loose: &[&Reduction],
) -> Result<UnionMap> {
    let mut all = UnionMap::empty_ctx(&scop.ctx)?;
    let mut add = |array: ArrayId, dependences: &UnionMap| -> Result<()> {
        for map in dependences.maps()? {
            let ends = (
                end(scop, &map, DimType::In)?,
                end(scop, &map, DimType::Out)?,
            );
            let (Some(earlier), Some(later)) = ends else {
                continue;
            };
            let inside = statements.contains(&earlier) && statements.contains(&later);
            let mut of_array = loose.iter().filter(|r| r.array == array);
            if inside && !of_array.any(|r| r.has(earlier) && r.has(later)) {
                let map = map.intersect_params(scop.assumed(later))?;
                all = all.add_map(&map)?;
            }
        }
        Ok(())
    };
    for edge in &dataflow.edges {
        add(edge.array, &edge.sources)?;
    }
    for (array, through) in dataflow.through.iter().enumerate() {
        add(array, through)?;
    }
    Ok(all)
}

/// The pairs of instances that access one cell of a sum's array, one of them writing, and of which
/// at most one is an update, in the program's order. An order of all instances that keeps these
/// keeps, between any two other accesses to a cell, the updates that are made there.
///
/// Memory-based: in value-based dependences a reader depends on the last update alone, and on
/// earlier ones only through it.
///
/// # Errors
/// isl's own.
pub(crate) fn fixed_order(scop: &Scop, sum: &Reduction) -> Result<UnionMap> {
    let empty = UnionMap::empty_ctx(&scop.ctx)?;
    let (mut reads, mut writes) = (empty.clone(), empty.clone());
    let (mut other_reads, mut other_writes) = (empty.clone(), empty.clone());
    for (id, statement) in scop.statements.iter().enumerate() {
        let own = statement.accesses.iter().filter(|a| a.array == sum.array);
        for access in own {
            let relation = access.relation.intersect_params(scop.assumed(id))?;
            let (all, others) = match access.kind {
                AccessKind::Read => (&mut reads, &mut other_reads),
                AccessKind::Write => (&mut writes, &mut other_writes),
            };
            *all = all.add_map(&relation)?;
            if !sum.has(id) {
                *others = others.add_map(&relation)?;
            }
        }
    }
    let mut pairs = empty;
    // An update writes what it reads.
    for (first, second) in [
        (&other_writes, &reads.union(&writes)?),
        (&other_reads, &writes),
        (&writes, &other_reads.union(&other_writes)?),
    ] {
        if !first.is_empty()? && !second.is_empty()? {
            pairs = pairs.union(&conflicts(&scop.schedule, first, second)?.instances)?;
        }
    }
    match apart(scop, sum.array)? {
        Some(apart) => pairs.subtract(&apart),
        None => Ok(pairs),
    }
}

fn end(scop: &Scop, map: &Map, side: DimType) -> Result<Option<StatementId>> {
    Ok(scop.statement_named(&map.get_tuple_name(side)?))
}
