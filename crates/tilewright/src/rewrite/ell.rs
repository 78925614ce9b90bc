//! Compressed rows to ELLPACK form (Zhao, thesis 2018, section 6.2.3; Bell and Garland, SC 2009): a
//! Scop → Scop pass, before everything else.
//!
//! ```text
//!                                               width = max over i of row[i + 1] - row[i]   in front
//!                                               for (i…)
//!                                                 for (j = row[i]; j < row[i + 1]; j++) {
//!                                                   val_ell[j - row[i]][i] = val[j];
//!                                                   col_ell[j - row[i]][i] = col[j];
//!                                                 }
//! for (i…)                                 →    for (i…)
//!   for (j = row[i]; j < row[i + 1]; j++)         for (j = row[i]; j < row[i + 1]; j++)
//!     sum += val[j] * x[col[j]];                    sum += val_ell[j - row[i]][i]
//!                                                          * x[col_ell[j - row[i]][i]];
//! ```
//!
//! Entry `k` of all rows stands in one row of memory. The loop over a row keeps its bounds, so that
//! no padding is read or added: every sum has its terms in the order that they had. What is packed
//! is found by structure: a loop between two bounds that are data of one row variable, and arrays
//! that the region only reads, there only, at the loop's variable.
//!
//! Whether the packed arrays fit is known only when the program runs: [`Edges::packing`](crate::scop::Edges::packing) says what
//! is compared, and the generated text has the region as it was beside this one.

mod reduced;

use super::TransformError;
use super::bounds::{definer, long};
use super::tabulate::fresh;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::scop::exits::Exit;
use crate::scop::{
    Access, AccessKind, Action, Array, ArrayId, BinaryOp, Expr, Extent, Inspection, Layout, Origin,
    Packing, Param, ScalarKind, Scop, Statement, StatementId,
};
use isl::{DimType, Id, Map, PwAff, Schedule, Set, UnionSet};
use reduced::reduced;

type Result<T> = std::result::Result<T, TransformError>;

/// A loop over the entries of a row.
struct Rows {
    /// The temporaries that hold its bounds.
    begin: ArrayId,
    end: ArrayId,
    /// What computes them.
    begins: StatementId,
    ends: StatementId,
    /// The number of the row's variable in these statements.
    row: usize,
    /// The statements inside with their tests.
    inside: Vec<(StatementId, Exit, Exit)>,
    /// Arrays that are packed.
    arrays: Vec<ArrayId>,
}

impl Region {
    /// The region with the arrays of the loop that ends with the bound `end` in ELLPACK form.
    ///
    /// # Errors
    /// [`TransformError::Plan`] with the reason why that cannot be.
    pub fn in_ell(&self, end: &str) -> Result<Region> {
        let rows = rows(&self.scop, end)?;
        let scop = packed(&self.scop, &rows)?;
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

/// The loops of a region whose bounds are data on both sides, each with the reason why its arrays
/// cannot be packed, if there is one.
pub fn loops(scop: &Scop) -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    let is_end = |name: &String| {
        let array = scop.array_named(name);
        scop.statements.iter().any(|statement| {
            let ends = |exit: &Exit| matches!(exit.op, BinaryOp::Less | BinaryOp::LessEqual);
            let mut exits = exits(scop, statement).into_iter().filter(ends);
            exits.any(|exit| Some(statement.accesses[exit.bound].array) == array)
        })
    };
    for name in scop.loops.bounds.keys().filter(|name| is_end(name)) {
        match rows(scop, name) {
            Ok(_) => all.push((name.clone(), None)),
            Err(TransformError::Plan(why)) => all.push((name.clone(), Some(why))),
            Err(TransformError::Isl(error)) => all.push((name.clone(), Some(error.to_string()))),
        }
    }
    all
}

fn exits(scop: &Scop, statement: &Statement) -> Vec<Exit> {
    let mut found = Vec::new();
    let mut body = statement.body.as_slice();
    while let [
        Action::If {
            condition, then, ..
        },
    ] = body
    {
        found.extend(scop.exit(statement, condition));
        body = then;
    }
    found
}

/// Finds what is to be packed.
fn rows(scop: &Scop, name: &str) -> Result<Rows> {
    let refused = |why: &str| {
        TransformError::Plan(format!(
            "the loop up to `{name}` is not one of compressed rows: {why}"
        ))
    };
    let end = scop
        .array_named(name)
        .filter(|_| scop.loops.bounds.contains_key(name))
        .ok_or_else(|| TransformError::Plan(format!("`{name}` is no bound that is data")))?;
    let mut begin = None;
    let mut inside = Vec::new();
    for (id, statement) in scop.statements.iter().enumerate() {
        let tests = exits(scop, statement);
        let of = |exit: &&Exit| statement.accesses[exit.bound].array;
        let Some(last) = tests.iter().find(|exit| of(exit) == end) else {
            continue;
        };
        let mut first = tests
            .iter()
            .filter(|exit| exit.iterator == last.iterator && exit.op == BinaryOp::GreaterEqual);
        let (Some(first), None, BinaryOp::Less) = (first.next(), first.next(), last.op) else {
            return Err(refused(
                "it does not run from one bound that is data to another",
            ));
        };
        let known = *begin.get_or_insert(of(&first));
        if known != of(&first) {
            return Err(refused("it is several loops"));
        }
        inside.push((id, *first, *last));
    }
    let Some(begin) = begin else {
        return Err(refused("no statement is inside"));
    };
    let begins = definer(scop, &scop.arrays[begin].name)?;
    let ends = definer(scop, name)?;
    let row = row_of(scop, begins)?.zip(row_of(scop, ends)?);
    let Some((row, _)) = row.filter(|(a, b)| a == b) else {
        return Err(refused(
            "its bounds do not depend on one variable, that of the row",
        ));
    };
    let mut arrays: Vec<ArrayId> = Vec::new();
    let mut picks = false;
    for (id, first, _) in &inside {
        let statement = &scop.statements[*id];
        let packed = |access: &Access| {
            matches!(access.subscripts[..], [Expr::Iterator(at)] if at == first.iterator)
                && can_be_packed(scop, access.array, &inside)
        };
        for access in statement.accesses.iter().filter(|a| packed(a)) {
            if !arrays.contains(&access.array) {
                arrays.push(access.array);
            }
        }
        for access in &statement.accesses {
            for subscript in &access.subscripts {
                subscript.walk(&mut |e| {
                    if let Expr::Access(read) = e {
                        picks |= packed(&statement.accesses[*read]);
                    }
                });
            }
        }
    }
    if arrays.is_empty() || !picks {
        return Err(refused(
            "no array that is only read, and only at the loop's variable, is a subscript in it",
        ));
    }
    Ok(Rows {
        begin,
        end,
        begins,
        ends,
        row,
        inside,
        arrays,
    })
}

/// Whether an array has one dimension, is only read, and that at the variable of the loop only.
fn can_be_packed(scop: &Scop, array: ArrayId, inside: &[(StatementId, Exit, Exit)]) -> bool {
    let own = &scop.arrays[array];
    let plain = own.layout == Layout::Subscripts
        && own.members.is_empty()
        && own.extents.len() == 1
        && own.extents[0].spelling.is_some()
        && !matches!(own.origin, Origin::Region { .. });
    plain
        && scop.statements.iter().enumerate().all(|(id, statement)| {
            let test = inside.iter().find(|(other, ..)| *other == id);
            let mut accesses = statement.accesses.iter().filter(|a| a.array == array);
            accesses.all(|access| {
                let at = matches!(access.subscripts[..], [Expr::Iterator(at)]
                    if test.is_some_and(|(_, first, _)| first.iterator == at));
                at && access.kind == AccessKind::Read
            })
        })
}

/// The only iterator that a definition depends on.
fn row_of(scop: &Scop, id: StatementId) -> Result<Option<usize>> {
    let statement = &scop.statements[id];
    let mut found: Vec<usize> = Vec::new();
    let [Action::Assign { target, value }] = &statement.body[..] else {
        return Ok(None);
    };
    let mut each = |e: &Expr| {
        if let Expr::Iterator(at) = e {
            if !found.contains(at) {
                found.push(*at);
            }
        }
    };
    value.walk(&mut each);
    for (number, access) in statement.accesses.iter().enumerate() {
        if number != *target {
            access.subscripts.iter().for_each(|s| s.walk(&mut each));
        }
    }
    Ok(match found[..] {
        [one] => Some(one),
        _ => None,
    })
}

/// The program with a loop's arrays packed in front, and read there.
fn packed(scop: &Scop, rows: &Rows) -> Result<Scop> {
    let mut new = scop.clone();
    let ctx = &scop.ctx;
    let stem = scop.arrays[rows.end].name.clone();
    let (width, count) = (format!("tw_{stem}_width"), format!("tw_{stem}_rows"));

    // What is inspected: the longest row, and how many there are.
    let inspected = fresh(scop, "S", scop.statements.len());
    let first = reduced(scop, rows.begins, &[rows.row], &inspected)?;
    let last = reduced(scop, rows.ends, &[rows.row], &inspected)?;
    let domain = last.domain()?;
    if !domain.is_equal(&first.domain()?)? {
        return Err(TransformError::Plan(format!(
            "the bounds of the loop up to `{stem}` are not computed for the same rows"
        )));
    }
    let negative = domain.intersect(&Set::read_from_str(
        ctx,
        &format!("{{ {inspected}[i] : i < 0 }}"),
    )?)?;
    if scop.is_possible(&negative)? {
        return Err(TransformError::Plan(format!(
            "rows of the loop up to `{stem}` may have negative numbers"
        )));
    }
    let (begin, mut reads) = first.value(0)?;
    let (end, more) = last.value(reads.len())?;
    reads.extend(more);
    let length = Expr::Binary(BinaryOp::Sub, Box::new(end), Box::new(begin));
    let one = Expr::Literal("1".to_owned());
    let number = Expr::Binary(BinaryOp::Add, Box::new(Expr::Iterator(0)), Box::new(one));
    let band = Schedule::from_domain(&UnionSet::from_set(&domain)?)?;
    let band = band.insert_partial_schedule(&isl::MultiUnionPwAff::from_union_map(
        &isl::UnionMap::read_from_str(ctx, &format!("{{ {inspected}[i] -> [i] }}"))?,
    )?)?;
    for (variable, value, accesses) in [(&width, length, reads), (&count, number, Vec::new())] {
        new.edges.inspections.push(Inspection {
            variable: variable.clone(),
            upper: true,
            statement: Statement {
                name: inspected.clone(),
                domain: domain.clone(),
                iterators: last.iterators(),
                body: vec![Action::SetLocal {
                    name: String::new(),
                    value,
                }],
                accesses,
                span: last.statement.span,
            },
            schedule: band.clone(),
        });
        new.params.push(Param {
            name: variable.clone(),
            spelling: variable.clone(),
            ctype: long(),
            span: last.statement.span,
            computed: None,
        });
    }

    // The packed arrays, and bounds of the loop that fills them.
    let extent = |variable: &str| -> isl::Result<Extent> {
        let value = PwAff::read_from_str(ctx, &format!("[{variable}] -> {{ [({variable})] }}"))?;
        Ok(Extent {
            spelling: Some(variable.to_owned()),
            affine: Some(value),
        })
    };
    let mut own = Vec::new();
    for bound in [rows.begin, rows.end] {
        let name = fresh(&new, &format!("{}_packed", scop.arrays[bound].name), 0);
        let stand_ins = scop.loops.bounds[&scop.arrays[bound].name].clone();
        new.loops.bounds.insert(name.clone(), stand_ins);
        new.arrays.push(Array {
            base: name.clone(),
            name,
            extents: vec![extent(&count)?],
            origin: Origin::Region { depth: 1 },
            variable: None,
            ..scop.arrays[bound].clone()
        });
        own.push(new.arrays.len() - 1);
    }
    let mut ell = Vec::new();
    for &array in &rows.arrays {
        let name = fresh(&new, &format!("{}_ell", scop.arrays[array].name), 0);
        new.arrays.push(Array {
            base: format!("tw_{name}"),
            name,
            extents: vec![extent(&width)?, extent(&count)?],
            live_in: false,
            live_out: false,
            origin: Origin::Local,
            variable: None,
            ..scop.arrays[array].clone()
        });
        ell.push(new.arrays.len() - 1);
    }
    let (filling, schedule) = filling(&new, scop, rows, &own, &ell, &width)?;
    for (id, first, _) in &rows.inside {
        let row = scop.statements[*id].accesses[first.bound]
            .subscripts
            .get(rows.row);
        let Some(Expr::Iterator(row)) = row else {
            return Err(TransformError::Plan(format!(
                "where row `{stem}` begins is not known in the loop"
            )));
        };
        for number in 0..scop.statements[*id].accesses.len() {
            let access = &scop.statements[*id].accesses[number];
            let Some(at) = rows.arrays.iter().position(|&a| a == access.array) else {
                continue;
            };
            let place = Place {
                array: ell[at],
                width: &width,
                entry: first.iterator,
                begin: first.bound,
                row: *row,
            };
            let moved = place.access(&new, &new.statements[*id], access)?;
            new.statements[*id].accesses[number] = moved;
        }
    }
    new.statements.extend(filling);
    new.schedule = schedule.sequence(&scop.schedule)?;
    let known = format!("[{width}, {count}] -> {{ : {width} >= 0 and {count} >= 0 }}");
    new.assume(&Set::read_from_str(ctx, &known)?)?;
    let entries = scop.arrays[rows.arrays[0]].extents[0].spelling.clone();
    new.edges.packing = Some(Packing {
        width,
        rows: count,
        entries: entries.unwrap_or_default(),
        arrays: ell,
    });
    Ok(new)
}

/// A place in a packed array.
struct Place<'a> {
    array: ArrayId,
    width: &'a str,
    /// The iterator of the loop over entries, the access to where it begins, and the row's iterator.
    entry: usize,
    begin: usize,
    row: usize,
}

impl Place<'_> {
    /// An access of the statement moved there.
    fn access(&self, scop: &Scop, statement: &Statement, old: &Access) -> Result<Access> {
        let name = &scop.arrays[self.array].name;
        let width = self.width;
        let domain = old.relation.domain()?;
        let rank = statement.iterators.len();
        let space = domain.get_space()?;
        let row = PwAff::var_on_domain(
            &isl::LocalSpace::from_space(&space)?,
            DimType::Set,
            self.row,
        )?;
        let dims: Vec<String> = (0..rank).map(|at| format!("i{at}")).collect();
        let text = format!(
            "[{width}] -> {{ {}[{}] -> {name}[k, i{}] : 0 <= k < {width} }}",
            statement.name,
            dims.join(", "),
            self.row
        );
        let relation = Map::read_from_str(&scop.ctx, &text)?.intersect_domain(&domain)?;
        let entry = Box::new(Expr::Iterator(self.entry));
        let begin = Box::new(Expr::Access(self.begin));
        Ok(Access {
            array: self.array,
            kind: old.kind,
            exact: false,
            relation,
            subscripts: vec![
                Expr::Binary(BinaryOp::Sub, entry, begin),
                Expr::Iterator(self.row),
            ],
            affine: vec![None, Some(row)],
            span: old.span,
        })
    }
}

/// The statements that fill the packed arrays, and their order.
fn filling(
    new: &Scop,
    scop: &Scop,
    rows: &Rows,
    own: &[ArrayId],
    ell: &[ArrayId],
    width: &str,
) -> Result<(Vec<Statement>, Schedule)> {
    let ctx = &scop.ctx;
    let mut statements: Vec<Statement> = Vec::new();
    let mut number = scop.statements.len();
    let mut named = || {
        let name = fresh(new, "S", number);
        number = name[1..].parse::<usize>().unwrap_or(number) + 1;
        name
    };
    for (id, &array) in [rows.begins, rows.ends].into_iter().zip(own) {
        let name = named();
        let from = reduced(scop, id, &[rows.row], &name)?;
        let (value, mut accesses) = from.value(1)?;
        let domain = from.domain()?;
        let row = Access {
            array,
            kind: AccessKind::Write,
            ..exactly(new, array, &domain, 0)?
        };
        accesses.insert(0, row);
        statements.push(Statement {
            name,
            domain,
            iterators: from.iterators(),
            body: vec![Action::Assign { target: 0, value }],
            accesses,
            span: from.statement.span,
        });
    }
    // One copy for each entry: the row's and the loop's variable are all that counts.
    let name = named();
    let mut domain: Option<Set> = None;
    let mut iterators = Vec::new();
    let mut span = scop.place.span;
    for (id, first, _) in &rows.inside {
        let statement = &scop.statements[*id];
        let row = match statement.accesses[first.bound].subscripts.get(rows.row) {
            Some(Expr::Iterator(row)) if *row < first.iterator => *row,
            _ => {
                return Err(TransformError::Plan(
                    "the loop over a row is not inside that over rows".to_owned(),
                ));
            }
        };
        if statement.iterators[first.iterator].ctype.kind == ScalarKind::U64 {
            return Err(TransformError::Plan(
                "the loop over a row has a variable of 64 bits without sign".to_owned(),
            ));
        }
        let from = reduced(scop, *id, &[row, first.iterator], &name)?;
        iterators = from.iterators();
        span = statement.span;
        domain = Some(match domain {
            Some(other) => other.union(&from.domain()?)?.coalesce()?,
            None => from.domain()?,
        });
    }
    let domain = domain.ok_or_else(|| TransformError::Plan("nothing is packed".to_owned()))?;
    let mut copy = Statement {
        name: name.clone(),
        domain: domain.clone(),
        iterators,
        body: Vec::new(),
        accesses: Vec::new(),
        span,
    };
    for &array in own {
        copy.accesses.push(exactly(new, array, &domain, 0)?);
    }
    let mut actions = Vec::new();
    for (&array, &packed) in rows.arrays.iter().zip(ell) {
        let read = Access {
            exact: false,
            ..exactly(new, array, &domain, 1)?
        };
        let place = Place {
            array: packed,
            width,
            entry: 1,
            begin: 0,
            row: 0,
        };
        let old = place.access(new, &copy, &read)?;
        copy.accesses.push(read);
        let value = Expr::Access(copy.accesses.len() - 1);
        copy.accesses.push(Access {
            kind: AccessKind::Write,
            ..old.clone()
        });
        let target = copy.accesses.len() - 1;
        // What is there already survives where another entry is written.
        copy.accesses.push(old);
        actions.push(Action::Assign { target, value });
    }
    let test = |op, bound, then| Action::If {
        condition: Expr::Binary(
            op,
            Box::new(Expr::Iterator(1)),
            Box::new(Expr::Access(bound)),
        ),
        then,
        otherwise: Vec::new(),
    };
    let inner = vec![test(BinaryOp::Less, 1, actions)];
    copy.body = vec![test(BinaryOp::GreaterEqual, 0, inner)];
    let (first, second) = (&statements[0], &statements[1]);
    let mut all = UnionSet::from_set(&copy.domain)?;
    for statement in &statements {
        all = all.union(&UnionSet::from_set(&statement.domain)?)?;
    }
    let (a, b) = (&first.name, &second.name);
    let tree = format!(
        "{{ domain: \"{all}\", child: {{ schedule: \"[{{ {a}[i] -> [i]; {b}[i] -> [i]; \
         {name}[i, j] -> [i] }}]\", child: {{ sequence: [ {{ filter: \"{{ {a}[i] }}\" }}, \
         {{ filter: \"{{ {b}[i] }}\" }}, {{ filter: \"{{ {name}[i, j] }}\", child: {{ \
         schedule: \"[{{ {name}[i, j] -> [j] }}]\" }} }} ] }} }} }}"
    );
    let schedule = Schedule::read_from_str(ctx, &tree)?;
    statements.push(copy);
    Ok((statements, schedule))
}

/// A read of an array of one dimension at one of a statement's variables.
fn exactly(scop: &Scop, array: ArrayId, domain: &Set, at: usize) -> Result<Access> {
    let space = domain.get_space()?;
    let value = PwAff::var_on_domain(&isl::LocalSpace::from_space(&space)?, DimType::Set, at)?;
    let id = Id::alloc(&scop.ctx, &scop.arrays[array].name)?;
    let relation = value.as_map()?.set_tuple_id(DimType::Out, &id)?;
    Ok(Access {
        array,
        kind: AccessKind::Read,
        exact: true,
        relation: relation.intersect_domain(domain)?,
        subscripts: vec![Expr::Iterator(at)],
        affine: vec![Some(value)],
        span: scop.arrays[array].span,
    })
}
