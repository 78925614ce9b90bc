//! Expressions that a statement computes from what it picks at a place that depends on data, and
//! that are the same for many of its instances.
//!
//! ```text
//! out[i][j] = w(i) * a[i / 8][j / 8][level] + w'(i) * a[i / 8 + 1][j / 8][level]
//! ```
//!
//! For one `i`, eight neighbours in `j` compute one of as many values as there are levels: the
//! expression could be tabulated, `T[i][j / 8][level]`, and picked from. What is found here are
//! the largest such expressions, and which of them are one table; whether they are worth one is
//! for [`crate::planner::stages::tabulation`] to say, and [`crate::rewrite::tabulate`] makes it.

use crate::scop::totality::Total;
use crate::scop::{
    Access, AccessId, AccessKind, Action, ArrayId, BinaryOp, Expr, Iterator, ScalarKind,
    ScalarType, Scop, Statement, StatementId,
};
use isl::{Aff, DimType, Map, MultiAff, PwAff, Result, Space};
use std::collections::{BTreeSet, HashMap};

/// A table that a statement could pick from.
#[derive(Debug)]
pub struct Table {
    /// What is in a cell: over [`Table::iterators`], and [`Table::reads`] in place of accesses.
    pub value: Expr,
    /// Type of a cell: `float` or `double`.
    pub element: ScalarKind,
    /// What the value is computed from.
    pub reads: Vec<TableRead>,
    /// Dimensions of the table, without the last one, which is the level.
    pub iterators: Vec<Iterator>,
    /// Extent of the last dimension: that of the array whose cells are picked.
    pub levels: i64,
    /// How many instances of the statement pick from the same cells but for the level; `None`:
    /// there is no constant bound.
    pub shared: Option<i64>,
    /// Where the statement computes what would be a cell.
    pub uses: Vec<Use>,
}

/// A read of a table's value.
#[derive(Clone, Debug)]
pub struct TableRead {
    /// Of which array.
    pub array: ArrayId,
    /// The access of the statement that it stands for, in the first use.
    pub access: AccessId,
    /// The subscripts, over the table's dimensions, the level the last of them.
    pub subscripts: Vec<Expr>,
    /// The cell: per dimension a function of the table's dimensions, over a space without a name
    /// that has the level, too; `None` is the level.
    pub cell: Vec<Option<Aff>>,
}

/// An expression of a statement that a table could hold.
#[derive(Clone, Debug)]
pub struct Use {
    /// It.
    pub expr: Expr,
    /// The cell: functions of the statement's loop variables, per dimension but the level.
    pub cell: Vec<Aff>,
    /// The same as expressions, and the level.
    pub subscripts: Vec<Expr>,
}

impl Table {
    /// Whether the cells that are picked are those of an array.
    pub fn picks_from(&self, array: ArrayId) -> bool {
        let picked = |read: &TableRead| read.cell.iter().any(Option::is_none);
        self.reads.iter().any(|r| r.array == array && picked(r))
    }
}

/// The tables of a statement, in the order of their first uses.
///
/// # Errors
/// isl's own.
pub fn tables(scop: &Scop, statement: StatementId) -> Result<Vec<Table>> {
    let statement = &scop.statements[statement];
    let mut search = Search {
        scop,
        statement,
        variables: HashMap::new(),
        tables: Vec::new(),
    };
    if !search.is_simple() {
        return Ok(Vec::new());
    }
    search.resolve();
    for action in &statement.body {
        if let Action::Assign { value, .. }
        | Action::Local {
            value: Some(value), ..
        } = action
        {
            search.expression(value)?;
        }
    }
    Ok(search.tables)
}

struct Search<'a> {
    scop: &'a Scop,
    statement: &'a Statement,
    /// The variables of the body, each with what it holds.
    variables: HashMap<&'a str, Variable<'a>>,
    tables: Vec<Table>,
}

/// A variable of a statement's body that has one value.
struct Variable<'a> {
    ctype: &'a ScalarType,
    value: &'a Expr,
    /// What it holds, if that has a value whatever data it gets.
    total: Option<Total>,
    /// Operators and operands of the value, with those of variables in their places.
    terms: usize,
}

/// Operators and operands of the largest expression that is put into a table: variables that are
/// computed from one another in a chain would double with every link.
const MAX_TERMS: usize = 1000;

/// How an expression depends on the loop variables.
struct Dependence {
    /// Those that are dimensions of the table.
    own: BTreeSet<usize>,
    /// Functions of one further loop variable each that are dimensions, too, by that variable.
    functions: Vec<(usize, Aff, Expr)>,
}

/// An expression that could be in a table.
struct Picked<'e> {
    expr: &'e Expr,
    /// The same without variables of the body.
    value: Expr,
    element: ScalarKind,
    /// Its reads.
    accesses: Vec<AccessId>,
    /// The subscript that depends on data, and how many values it may have.
    level: Expr,
    levels: i64,
    /// How many instances need the same values; `None`: there is no constant bound.
    shared: Option<i64>,
    dependence: Dependence,
}

impl Search<'_> {
    /// Whether each variable of the body has one value, and nothing happens under conditions.
    fn is_simple(&self) -> bool {
        self.statement.body.iter().all(|action| match action {
            Action::Assign { .. } | Action::Local { value: Some(_), .. } => true,
            Action::Local { value: None, .. }
            | Action::SetLocal { .. }
            | Action::If { .. }
            | Action::Repeat { .. }
            | Action::Leave
            | Action::Call(_) => false,
        })
    }

    /// Finds out what each variable holds, in the order in which they are computed.
    fn resolve(&mut self) {
        for action in &self.statement.body {
            if let Action::Local {
                name,
                ctype,
                value: Some(value),
            } = action
            {
                let total = self.total(value).and_then(|total| total.cast(ctype.kind));
                let variable = Variable {
                    ctype,
                    value,
                    // Of two of one name nothing is said.
                    total: total.filter(|_| !self.variables.contains_key(name.as_str())),
                    terms: self.terms(value).saturating_add(1),
                };
                self.variables.insert(name, variable);
            }
        }
    }

    /// What an expression over the variables is.
    fn total(&self, expr: &Expr) -> Option<Total> {
        let local = |name: &str| self.variables.get(name)?.total;
        self.scop.total(self.statement, expr, &local)
    }

    /// How many operators and operands an expression has without variables.
    fn terms(&self, expr: &Expr) -> usize {
        let mut terms = 0_usize;
        expr.walk(&mut |e| {
            let here = match e {
                Expr::Local(name) => self.variables.get(name.as_str()).map_or(1, |v| v.terms),
                _ => 1,
            };
            terms = terms.saturating_add(here);
        });
        terms
    }

    /// Looks for tables in what is computed always.
    fn expression(&mut self, expr: &Expr) -> Result<()> {
        if self.table(expr)? {
            return Ok(());
        }
        match expr {
            Expr::Unary(_, a) | Expr::Cast(_, a) => self.expression(a),
            Expr::Binary(operator, a, b) => {
                self.expression(a)?;
                match operator {
                    BinaryOp::And | BinaryOp::Or => Ok(()),
                    _ => self.expression(b),
                }
            }
            Expr::Conditional(condition, ..) => self.expression(condition),
            Expr::Call(_, arguments) => arguments.iter().try_for_each(|a| self.expression(a)),
            _ => Ok(()),
        }
    }

    /// Whether an expression could be in a table, which is noted.
    fn table(&mut self, expr: &Expr) -> Result<bool> {
        if matches!(expr, Expr::Access(_)) {
            return Ok(false);
        }
        let Some(Total::Floating(element)) = self.total(expr) else {
            return Ok(false);
        };
        if self.terms(expr) > MAX_TERMS {
            return Ok(false);
        }
        let value = self.without_variables(expr);
        let mut accesses: Vec<AccessId> = Vec::new();
        value.walk(&mut |e| match e {
            Expr::Access(access) if !accesses.contains(access) => accesses.push(*access),
            _ => {}
        });
        let Some((level, levels)) = self.level(&accesses)? else {
            return Ok(false);
        };
        let Some(dependence) = self.dependence(&value, &accesses)? else {
            return Ok(false);
        };
        let shared = self.shared(&dependence)?;
        if shared == Some(1) {
            return Ok(false);
        }
        self.note(Picked {
            expr,
            value,
            element,
            accesses,
            level,
            levels,
            shared,
            dependence,
        })?;
        Ok(true)
    }

    /// What variables of the body hold in their place.
    fn without_variables(&self, expr: &Expr) -> Expr {
        expr.map(&mut |e| {
            let Expr::Local(name) = e else { return None };
            let Variable { ctype, value, .. } = self.variables.get(name.as_str())?;
            let value = Box::new(self.without_variables(value));
            Some(Expr::Cast((*ctype).clone(), value))
        })
    }

    /// The one subscript that depends on data, and how many values it may have.
    fn level(&self, accesses: &[AccessId]) -> Result<Option<(Expr, i64)>> {
        let mut found: Option<(Expr, i64)> = None;
        for &number in accesses {
            let access = &self.statement.accesses[number];
            // Pointers to rows that the program does not read may lead nowhere.
            if self.scop.arrays[access.array].members.are_behind_pointers() {
                return Ok(None);
            }
            let mut own = 0;
            for (dimension, affine) in access.affine.iter().enumerate() {
                if affine.is_some() {
                    continue;
                }
                own += 1;
                let extent = &self.scop.arrays[access.array].extents[dimension].affine;
                let extent = match extent {
                    Some(extent) if extent.is_cst()? => extent.max_val()?.to_i64(),
                    _ => None,
                };
                let Some(extent) = extent else {
                    return Ok(None);
                };
                let here = (access.subscripts[dimension].clone(), extent);
                if own > 1 || found.as_ref().is_some_and(|before| *before != here) {
                    return Ok(None);
                }
                found = Some(here);
            }
            let written = |a: &Access| a.kind == AccessKind::Write && a.array == access.array;
            // What is read elsewhere must be what is read here.
            if self.statement.accesses.iter().any(written) {
                return Ok(None);
            }
        }
        Ok(found)
    }

    /// A subscript as one affine function.
    fn function(subscript: &PwAff) -> Result<Option<Aff>> {
        Ok(match &subscript.pieces()?[..] {
            [(_, piece)] => Some(piece.clone()),
            _ => None,
        })
    }

    /// How a value depends on loop variables: each is a dimension of the table itself, or only
    /// one function of it is, or it does not matter.
    fn dependence(&self, value: &Expr, accesses: &[AccessId]) -> Result<Option<Dependence>> {
        let depth = self.statement.iterators.len();
        let mut own = BTreeSet::new();
        value.walk(&mut |e| {
            if let Expr::Iterator(k) = e {
                own.insert(*k);
            }
        });
        let mut subscripts: Vec<(Vec<usize>, Aff, Expr)> = Vec::new();
        for &number in accesses {
            let access = &self.statement.accesses[number];
            for (affine, expr) in access.affine.iter().zip(&access.subscripts) {
                let Some(affine) = affine else { continue };
                let Some(function) = Search::function(affine)? else {
                    return Ok(None);
                };
                let mut involved = Vec::new();
                for k in 0..depth {
                    if function.involves_dims(DimType::In, k, 1)? {
                        involved.push(k);
                    }
                }
                if involved.len() > 1 {
                    own.extend(&involved);
                }
                subscripts.push((involved, function, expr.clone()));
            }
        }
        let mut functions: Vec<(usize, Aff, Expr)> = Vec::new();
        for (involved, function, expr) in subscripts {
            let [k] = involved[..] else { continue };
            match functions.iter().find(|(of, ..)| *of == k) {
                Some((_, first, _)) if !function.sub(first)?.is_cst()? => {
                    own.insert(k);
                }
                Some(_) => {}
                None => functions.push((k, function, expr)),
            }
        }
        functions.retain(|(k, ..)| !own.contains(k));
        functions.sort_by_key(|(k, ..)| *k);
        Ok(Some(Dependence { own, functions }))
    }

    /// How many instances need the same values; `None`: there is no constant bound.
    fn shared(&self, dependence: &Dependence) -> Result<Option<i64>> {
        let mut shared: i64 = 1;
        for k in 0..self.statement.iterators.len() {
            if dependence.own.contains(&k) {
                continue;
            }
            let Some((_, function, _)) = dependence.functions.iter().find(|f| f.0 == k) else {
                return Ok(None);
            };
            let map = Map::from_aff(function)?;
            let apart = map.apply_range(&map.reverse()?)?.deltas()?;
            let Some(most) = apart.dim_max_val(k)?.to_i64() else {
                return Ok(None);
            };
            shared = shared.saturating_mul(most.saturating_add(1));
        }
        Ok(Some(shared))
    }

    /// Adds a use to the table that holds it.
    fn note(&mut self, picked: Picked<'_>) -> Result<()> {
        let Picked {
            accesses,
            dependence,
            ..
        } = &picked;
        let space = self.statement.domain.get_space()?;
        let local = isl::LocalSpace::from_space(&space)?;
        let mut cell = Vec::new();
        let mut subscripts = Vec::new();
        let mut of = Vec::new();
        for k in 0..self.statement.iterators.len() {
            if dependence.own.contains(&k) {
                cell.push(Aff::var_on_domain(&local, DimType::Set, k)?);
                subscripts.push(Expr::Iterator(k));
                of.push(k);
            } else if let Some((_, function, expr)) = dependence.functions.iter().find(|f| f.0 == k)
            {
                cell.push(function.clone());
                subscripts.push(expr.clone());
                of.push(k);
            }
        }
        subscripts.push(picked.level.clone());
        let reads = self.reads(accesses, dependence, &of, &space)?;
        let value = picked.value.map(&mut |e| match e {
            Expr::Iterator(k) => of.iter().position(|o| o == k).map(Expr::Iterator),
            Expr::Access(access) => accesses.iter().position(|a| a == access).map(Expr::Access),
            _ => None,
        });
        let this = Use {
            expr: picked.expr.clone(),
            cell,
            subscripts,
        };
        for table in &mut self.tables {
            let iterators = of.iter().map(|&k| &self.statement.iterators[k]);
            if table.value == value
                && table.iterators.iter().eq(iterators)
                && table.levels == picked.levels
                && table.shared == picked.shared
                && equal(&table.reads, &reads)?
            {
                if table.uses.iter().all(|other| other.expr != this.expr) {
                    table.uses.push(this);
                }
                return Ok(());
            }
        }
        let iterators = of.iter().map(|&k| self.statement.iterators[k].clone());
        self.tables.push(Table {
            value,
            element: picked.element,
            reads,
            iterators: iterators.collect(),
            levels: picked.levels,
            shared: picked.shared,
            uses: vec![this],
        });
        Ok(())
    }

    /// The reads of a table's value; `of`: which loop variable each dimension belongs to.
    fn reads(
        &self,
        accesses: &[AccessId],
        dependence: &Dependence,
        of: &[usize],
        space: &Space,
    ) -> Result<Vec<TableRead>> {
        // From the table's dimensions to the loop variables that are dimensions themselves.
        let table = Space::set_alloc(&self.scop.ctx, 0, of.len() + 1)?.align_params(space)?;
        let local = isl::LocalSpace::from_space(&table)?;
        let mut at = MultiAff::zero(&table.map_from_domain_and_range(space)?)?;
        for (position, k) in of.iter().enumerate() {
            let dimension = Aff::var_on_domain(&local, DimType::Set, position)?;
            at = at.set_at(*k, &dimension)?;
        }
        let mut reads = Vec::new();
        for &number in accesses {
            let access = &self.statement.accesses[number];
            let mut cell = Vec::new();
            let mut subscripts = Vec::new();
            for (affine, subscript) in access.affine.iter().zip(&access.subscripts) {
                let function = match affine {
                    Some(affine) => Search::function(affine)?,
                    None => None,
                };
                let Some(function) = function else {
                    cell.push(None);
                    subscripts.push(Expr::Iterator(of.len()));
                    continue;
                };
                let mut moved = None;
                for (k, first, _) in &dependence.functions {
                    if function.involves_dims(DimType::In, *k, 1)? {
                        let constant = function.sub(first)?.pullback_multi_aff(&at)?;
                        let position = of.iter().position(|o| o == k).unwrap_or_default();
                        let dimension = Aff::var_on_domain(&local, DimType::Set, position)?;
                        let offset = constant.get_constant_val()?.to_i64().unwrap_or_default();
                        let offset = Expr::Literal(offset.to_string());
                        let position = Box::new(Expr::Iterator(position));
                        let sum = Expr::Binary(BinaryOp::Add, position, Box::new(offset));
                        moved = Some((dimension.add(&constant)?, sum));
                    }
                }
                let (function, subscript) = match moved {
                    Some(moved) => moved,
                    None => {
                        let subscript = subscript.map(&mut |e| match e {
                            Expr::Iterator(k) => of.iter().position(|o| o == k).map(Expr::Iterator),
                            _ => None,
                        });
                        (function.pullback_multi_aff(&at)?, subscript)
                    }
                };
                cell.push(Some(function));
                subscripts.push(subscript);
            }
            reads.push(TableRead {
                array: access.array,
                access: number,
                subscripts,
                cell,
            });
        }
        Ok(reads)
    }
}

/// Whether reads are of the same cells.
fn equal(a: &[TableRead], b: &[TableRead]) -> Result<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (a, b) in a.iter().zip(b) {
        if a.array != b.array || a.cell.len() != b.cell.len() {
            return Ok(false);
        }
        for pair in a.cell.iter().zip(&b.cell) {
            let same = match pair {
                (Some(a), Some(b)) => a.plain_is_equal(b)?,
                (a, b) => a.is_none() && b.is_none(),
            };
            if !same {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
