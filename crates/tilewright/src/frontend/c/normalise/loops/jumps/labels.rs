//! `goto` to a label of the region, where branches, loops and `break` say the same: one further on in a
//! list around it, and one that the end of a list leads back to. A label that nothing leads to is none.
//!
//! `for (…) { if (c) goto next; …; next:; }` puts what is skipped under `!c`; loops that are left on the
//! way set a variable, of which the loops around them ask. `again: …; if (c) goto again;` is a loop.

use super::{Jump, Without, continues, flag, skip};
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::normalise::build::{self, block, integer, name, not};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, Stmt, StmtKind, SymbolId, Unit};
use crate::source::Span;

/// Does without labels what can be done without.
pub(in crate::frontend::c::normalise) fn follow(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let labelled = statements.iter().any(|stmt| {
        let mut found = false;
        visit::statements(stmt, &mut |s| found |= is_label(s));
        found
    });
    if !labelled {
        return;
    }
    let body = &unit.functions[unit.regions[number].function].body;
    let (mut leading, mut known) = (Vec::new(), true);
    visit::statements(body, &mut |s| {
        if is_goto(s) {
            let label = unit.labels.of(s).map(str::to_owned);
            known &= label.is_some();
            leading.extend(label);
        } else {
            known &= !visit::jumps(unit, s);
        }
    });
    if known {
        let mut labels = Labelled {
            unit,
            number,
            leading,
        };
        labels.list(statements, false);
    }
}

/// Whether a statement is a `goto`.
pub(super) fn is_goto(stmt: &Stmt) -> bool {
    stmt.kind == StmtKind::Unsupported("goto")
}

/// Whether a statement is a label.
pub(super) fn is_label(stmt: &Stmt) -> bool {
    stmt.kind == StmtKind::Unsupported("label")
}

/// A region with labels.
struct Labelled<'u> {
    unit: &'u mut Unit,
    number: usize,
    /// Where each `goto` of the function leads.
    leading: Vec<String>,
}

impl Labelled<'_> {
    /// Rewrites a list and those in it; `around`: in a loop that may count.
    fn list(&mut self, list: &mut Vec<Stmt>, around: bool) {
        let mut flat = Vec::new();
        for stmt in std::mem::take(list) {
            apart(stmt, &mut flat);
        }
        *list = flat;
        for stmt in list.iter_mut() {
            self.inside(stmt, around);
        }
        for back in [true, false] {
            let mut position = 0;
            while position < list.len() {
                let known = self.unit.labels.of(&list[position]).map(str::to_owned);
                let label = known.filter(|_| is_label(&list[position]));
                let without = label.and_then(|label| match back {
                    true => self.back(list, position, &label),
                    false => self.forward(list, position, &label, around),
                });
                match without {
                    Some(other) => (*list, position) = (other, 0),
                    None => position += 1,
                }
            }
        }
    }

    /// Rewrites the lists in a statement.
    fn inside(&mut self, stmt: &mut Stmt, around: bool) {
        match &mut stmt.kind {
            StmtKind::Block(list) => {
                let opaque = list.first().is_some_and(
                    |s| matches!(s.kind, StmtKind::Unsupported(word) if word != "label"),
                );
                if !opaque {
                    self.list(list, around);
                }
            }
            StmtKind::For { body, .. } => self.inside(body, true),
            StmtKind::While { body, .. } => self.inside(body, around),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.inside(then, around);
                if let Some(otherwise) = otherwise {
                    self.inside(otherwise, around);
                }
            }
            _ => {}
        }
    }

    /// How many of these statements lead to a label.
    fn count(&self, list: &[Stmt], label: &str) -> usize {
        let mut count = 0;
        for stmt in list {
            visit::statements(stmt, &mut |s| count += usize::from(self.leads(s, label)));
        }
        count
    }

    fn leads(&self, stmt: &Stmt, label: &str) -> bool {
        is_goto(stmt) && self.unit.labels.of(stmt) == Some(label)
    }

    fn total(&self, label: &str) -> usize {
        self.leading.iter().filter(|to| *to == label).count()
    }

    /// A list without the label in a position, to which nothing leads but what stands in front of it.
    fn forward(
        &mut self,
        list: &[Stmt],
        position: usize,
        label: &str,
        around: bool,
    ) -> Option<Vec<Stmt>> {
        let (skipped, rest) = (&list[..position], &list[position + 1..]);
        if self.count(skipped, label) != self.total(label) {
            return None;
        }
        let leads = |s: &Stmt| self.count(std::slice::from_ref(s), label) > 0;
        let Some(first) = skipped.iter().position(leads) else {
            return Some([skipped, rest].concat());
        };
        let (before, skipped) = skipped.split_at(first);
        if self.is_named_behind(skipped, rest) {
            return None;
        }
        let mut skipped = skipped.to_vec();
        let mut jump = None;
        visit::statements(&skipped[0], &mut |s| {
            if self.leads(s, label) {
                jump.get_or_insert_with(|| s.clone());
            }
        });
        let mut left = Left {
            label,
            jump: jump?,
            around,
            flag: None,
        };
        // What stands behind a loop that is left is skipped, if there is anything.
        let is_alone = skipped.iter().skip(1).all(|s| s.kind == StmtKind::Empty);
        let directly = is_alone && self.is_directly_in(&skipped[0], label);
        if !directly && skipped.iter().any(|s| self.is_in_loop(s, label)) {
            left.flag = Some(flag(self.unit, self.number, skipped[0].span));
        }
        for stmt in &mut skipped {
            self.leave(stmt, &left, 0)?;
        }
        let labels = self.unit.labels.clone();
        let jump = Jump {
            is: &|s| is_goto(s) && labels.of(s) == Some(label),
            leaves_loops: true,
        };
        let mut how = Without {
            put: &mut |_| Some(Vec::new()),
            flag: &mut |span| flag(self.unit, self.number, span),
        };
        let skipped = jump.without(skipped, &mut how)?;
        let declared = left
            .flag
            .map(|flag| build::declaration(flag, list[first].span));
        let mut all = before.to_vec();
        all.extend(declared);
        all.extend(skipped);
        all.extend(rest.iter().cloned());
        Some(all)
    }

    /// Whether statements use what others declare in front of them.
    fn is_named_behind(&self, list: &[Stmt], rest: &[Stmt]) -> bool {
        let declared = list.iter().filter_map(|s| match s.kind {
            StmtKind::Declaration(symbol) => Some(symbol),
            _ => None,
        });
        let mut named = declared.flat_map(|symbol| {
            rest.iter().map(move |s| {
                visit::stmt_mentions(self.unit, s, symbol)
                    || tree::is_in_types(self.unit, s, symbol)
            })
        });
        named.any(|found| found)
    }

    /// Whether one of the loops in a statement is left.
    fn is_in_loop(&self, stmt: &Stmt, label: &str) -> bool {
        let mut found = false;
        visit::statements(stmt, &mut |s| {
            let is_loop = matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. });
            found |= is_loop && self.count(std::slice::from_ref(s), label) > 0;
        });
        found
    }

    /// Whether a statement is a loop that is left, but none inside it.
    fn is_directly_in(&self, stmt: &Stmt, label: &str) -> bool {
        match &stmt.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                !self.is_in_loop(body, label)
            }
            _ => false,
        }
    }

    /// Puts `break` in the place of each way to the label out of loops; `depth`: of loops around.
    fn leave(&self, stmt: &mut Stmt, left: &Left<'_>, depth: usize) -> Option<()> {
        if self.count(std::slice::from_ref(stmt), left.label) == 0 {
            return Some(());
        }
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Block(list) => {
                if matches!(list[0].kind, StmtKind::Unsupported(word) if word != "goto") {
                    return None;
                }
                for stmt in list {
                    self.leave(stmt, left, depth)?;
                }
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.leave(then, left, depth)?;
                if let Some(otherwise) = otherwise {
                    self.leave(otherwise, left, depth)?;
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                if depth == 0 && !self.is_step(body, left) {
                    return None;
                }
                self.leave(body, left, depth + 1)?;
                if let Some(flag) = left.flag {
                    let on = match depth {
                        0 => left.jump.clone(),
                        _ => word("break", span),
                    };
                    let asked = Stmt {
                        kind: StmtKind::If {
                            condition: name(flag, span),
                            then: block(vec![on], span),
                            otherwise: None,
                        },
                        span,
                    };
                    let kind = std::mem::replace(&mut stmt.kind, StmtKind::Empty);
                    stmt.kind = StmtKind::Block(vec![Stmt { kind, span }, asked]);
                }
            }
            _ if depth > 0 => {
                let set = left.flag.map(|flag| skip(flag, span));
                let mut list: Vec<Stmt> = set.into_iter().collect();
                list.push(word("break", span));
                stmt.kind = StmtKind::Block(list);
            }
            _ => {}
        }
        Some(())
    }

    /// Whether the loop with this body can be a step of a statement once nothing leads out of it.
    fn is_step(&self, body: &Stmt, left: &Left<'_>) -> bool {
        let mut without = body.clone();
        tree::statements_mut(&mut without, &mut |s| {
            let skips = s.kind == StmtKind::Unsupported("continue");
            if skips || self.leads(s, left.label) {
                s.kind = StmtKind::Empty;
            }
        });
        let span = body.span;
        let kind = StmtKind::While {
            condition: integer(1, span),
            body: Box::new(without),
        };
        turns::is_step(&Stmt { kind, span }, left.around)
    }

    /// A list with a loop for the label in a position, to which one statement behind it leads back.
    fn back(&self, list: &[Stmt], position: usize, label: &str) -> Option<Vec<Stmt>> {
        let (before, inner) = (&list[..position], &list[position + 1..]);
        if self.total(label) != 1 || self.count(inner, label) != 1 {
            return None;
        }
        let leads = |s: &Stmt| self.count(std::slice::from_ref(s), label) > 0;
        let end = inner.iter().position(leads)?;
        let (body, rest) = (&inner[..end], &inner[end + 1..]);
        let last = &inner[end];
        let span = last.span;
        let is_back = |s: &Stmt| match &s.kind {
            StmtKind::Block(list) => matches!(&list[..], [only] if self.leads(only, label)),
            _ => self.leads(s, label),
        };
        let again = |condition: Expr, list: Vec<Stmt>| Stmt {
            kind: StmtKind::While {
                condition,
                body: block(list, span),
            },
            span,
        };
        let turned = match &last.kind {
            _ if self.leads(last, label) => again(integer(1, span), body.to_vec()),
            StmtKind::If {
                condition,
                then,
                otherwise: None,
            } if is_back(then) => {
                let leave = StmtKind::If {
                    condition: not(condition.clone()),
                    then: block(vec![word("break", span)], span),
                    otherwise: None,
                };
                let mut turn = body.to_vec();
                turn.push(Stmt { kind: leave, span });
                again(integer(1, span), turn)
            }
            StmtKind::If {
                condition,
                then,
                otherwise: None,
            } if body.is_empty() => {
                let StmtKind::Block(then) = &then.kind else {
                    return None;
                };
                let (back, turn) = then.split_last()?;
                self.leads(back, label).then_some(())?;
                again(condition.clone(), turn.to_vec())
            }
            _ => return None,
        };
        let whole = block(inner[..=end].to_vec(), span);
        let leaves = turns::is_left(&whole) || continues::CONTINUE.is_in(&whole);
        if leaves || self.is_named_behind(body, rest) {
            return None;
        }
        Some([before, std::slice::from_ref(&turned), rest].concat())
    }
}

/// What is known of ways to a label.
struct Left<'l> {
    label: &'l str,
    /// A `goto` to it.
    jump: Stmt,
    /// Whether a loop that may count is around them.
    around: bool,
    /// The variable that says whether one was taken; `None`: nothing has to ask.
    flag: Option<SymbolId>,
}

fn word(word: &'static str, span: Span) -> Stmt {
    Stmt {
        kind: StmtKind::Unsupported(word),
        span,
    }
}

/// Takes labels from what they label.
fn apart(stmt: Stmt, flat: &mut Vec<Stmt>) {
    match stmt.kind {
        StmtKind::Block(list) if list.first().is_some_and(is_label) => {
            list.into_iter().for_each(|s| apart(s, flat));
        }
        kind => flat.push(Stmt { kind, ..stmt }),
    }
}
