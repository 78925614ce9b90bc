//! What the accesses of a statement mean for dataflow: which writes are certain, and which reads
//! see values of other instances.

use crate::scop::{Access, AccessId, AccessKind, Action, Expr, Statement};

/// What a write does to the cells of its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteRole {
    /// Replaces them, whatever the data. This includes a conditional write of one known cell
    /// whose old value the statement reads: either value is then of this instance's making.
    Must {
        /// The read of the old value, where the certainty rests on it.
        old_value: Option<AccessId>,
    },
    /// May write any one of them.
    May,
}

/// The roles of all accesses of a statement, by [`AccessId`]; `None` for reads.
pub(crate) fn write_roles(statement: &Statement) -> isl::Result<Vec<Option<WriteRole>>> {
    let accesses = &statement.accesses;
    accesses
        .iter()
        .map(|access| {
            if access.kind == AccessKind::Read {
                return Ok(None);
            }
            if access.exact {
                return Ok(Some(WriteRole::Must { old_value: None }));
            }
            if access.relation.is_single_valued()? {
                let old = old_value(accesses, access)?;
                if old.is_some() {
                    return Ok(Some(WriteRole::Must { old_value: old }));
                }
            }
            Ok(Some(WriteRole::May))
        })
        .collect()
}

/// The read with the same relation as a write that is not exact.
fn old_value(accesses: &[Access], write: &Access) -> isl::Result<Option<AccessId>> {
    for (id, read) in accesses.iter().enumerate() {
        if read.kind == AccessKind::Read
            && read.array == write.array
            && write.relation.is_subset(&read.relation)?
        {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// For each access: the cells that it reads and whose values come from before the instance,
/// `None` for writes. Cells that earlier actions of the same body certainly wrote are left out.
pub(crate) fn exposed_reads(statement: &Statement) -> isl::Result<Vec<Option<isl::Map>>> {
    let mut walk = Walk {
        statement,
        written: Vec::new(),
        first: vec![None; statement.accesses.len()],
    };
    walk.actions(&statement.body)?;
    let Walk { written, first, .. } = walk;
    statement
        .accesses
        .iter()
        .enumerate()
        .map(|(id, access)| {
            if access.kind == AccessKind::Write {
                return Ok(None);
            }
            let mut cells = access.relation.clone();
            for &write in &written[..first[id].unwrap_or(0)] {
                let write = &statement.accesses[write];
                if write.array == access.array {
                    cells = cells.subtract(&write.relation)?;
                }
            }
            Ok(Some(cells))
        })
        .collect()
}

/// Walks a body in the order of execution.
struct Walk<'a> {
    statement: &'a Statement,
    /// Exact writes executed so far.
    written: Vec<AccessId>,
    /// Per access, how many of them come before its first execution.
    first: Vec<Option<usize>>,
}

impl Walk<'_> {
    fn actions(&mut self, actions: &[Action]) -> isl::Result<()> {
        for action in actions {
            match action {
                Action::Assign { target, value } => {
                    self.expr(value);
                    self.access(*target);
                    self.write(*target)?;
                }
                Action::Local { value, .. } => {
                    if let Some(value) = value {
                        self.expr(value);
                    }
                }
                Action::SetLocal { value, .. } | Action::Call(value) => self.expr(value),
                Action::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.expr(condition);
                    self.actions(then)?;
                    self.actions(otherwise)?;
                }
                Action::Repeat { condition, body } => {
                    self.expr(condition);
                    self.actions(body)?;
                }
                Action::Leave => {}
            }
        }
        Ok(())
    }

    fn write(&mut self, target: AccessId) -> isl::Result<()> {
        let accesses = &self.statement.accesses;
        if accesses[target].exact {
            self.written.push(target);
        } else if let Some(old) = old_value(accesses, &accesses[target])? {
            self.first[old].get_or_insert(self.written.len());
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        expr.walk(&mut |e| match e {
            Expr::Access(id) => found.push(*id),
            Expr::Effect { state, .. } => found.extend(state),
            _ => {}
        });
        for id in found {
            self.access(id);
        }
    }

    /// An access, and the reads in its subscripts.
    fn access(&mut self, id: AccessId) {
        if self.first[id].is_none() {
            self.first[id] = Some(self.written.len());
            for subscript in &self.statement.accesses[id].subscripts {
                self.expr(subscript);
            }
        }
    }
}
