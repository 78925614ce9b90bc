//! Pointers that the original certainly follows, and when: what is compared in front of a region,
//! and sizes that the generated code reads before anything else, may be behind them only then.
//!
//! Where `p->n` is read, all of `*p` is there. A place counts that every execution of it comes to:
//! not under conditions on data, not behind `&&`, `||` or `?`.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::statements::draft::{ArrayKey, optional};
use crate::frontend::c::lower::surroundings::facts::plain_key;
use crate::frontend::c::lower::surroundings::{elements, visit};
use crate::frontend::c::lower::{Lowering, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId};
use crate::mistakes::mistake;
use crate::scop::{BinaryOp, Computed, Followed, Scop};
use isl::{DimType, Set};

/// Conditions of more convex pieces are not written down.
const MOST_PIECES: usize = 4;

/// A pointer: the variable, the fields on the way (`->rows`), and the parameters for which it is
/// followed.
#[derive(Debug)]
pub(crate) struct Pointer {
    root: SymbolId,
    path: String,
    when: Set,
    always: bool,
}

impl<'u> Lowering<'u> {
    /// Notes what the function follows on its way to the region, wherever it comes from.
    pub(crate) fn followed_before(&mut self) -> isl::Result<()> {
        if self.facts.jumps {
            return Ok(());
        }
        let place = self.region.span.start;
        let always = self.assumed.given.borrow().clone();
        let mut stmts: &'u [Stmt] = std::slice::from_ref(&self.function.body);
        'inwards: loop {
            for stmt in stmts {
                let around = stmt.span.start < place && place < stmt.span.end;
                if !around && stmt.span.start >= place {
                    return Ok(());
                }
                let mut found = Vec::new();
                for expr in self.evaluated(stmt) {
                    pointers(expr, &mut found);
                }
                for (root, path) in found {
                    // What a variable points at is known as long as nobody assigns it.
                    if (path.is_empty() || path.starts_with('['))
                        && !self.facts.changed.contains_key(&root)
                    {
                        self.follow(root, path, &always)?;
                    }
                }
                if around {
                    stmts = match &stmt.kind {
                        StmtKind::Block(list) => list,
                        StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                            std::slice::from_ref(&**body)
                        }
                        StmtKind::If {
                            then, otherwise, ..
                        } => match otherwise {
                            Some(other) if other.span.start <= place => {
                                std::slice::from_ref(&**other)
                            }
                            _ => std::slice::from_ref(&**then),
                        },
                        _ => return Ok(()),
                    };
                    continue 'inwards;
                }
            }
            return Ok(());
        }
    }

    /// Notes what a statement of the region follows whenever it is come to.
    pub(crate) fn note_followed(&mut self, stmt: &'u Stmt, scope: &Scope) -> isl::Result<()> {
        if !scope.guards.is_empty() {
            return Ok(());
        }
        for expr in self.evaluated(stmt) {
            self.note_followed_in(expr, scope)?;
        }
        Ok(())
    }

    fn note_followed_in(&mut self, expr: &Expr, scope: &Scope) -> isl::Result<()> {
        let mut found = Vec::new();
        pointers(expr, &mut found);
        let mut when: Option<Set> = None;
        for (root, path) in found {
            let known = |p: &Pointer| p.always && p.root == root && p.path == path;
            if self.claims.followed.iter().any(known) {
                continue;
            }
            let when = match &when {
                Some(when) => when.clone(),
                None => when.insert(scope.domain.params()?.coalesce()?).clone(),
            };
            self.follow(root, path, &when)?;
        }
        // The other operand, where the first one is no data.
        if let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), first, second) = &expr.kind {
            let may_assume = self.assumed.may_assume.replace(false);
            let holds = optional(self.condition(scope, first));
            self.assumed.may_assume.set(may_assume);
            let Some(holds) = holds? else {
                return Ok(());
            };
            let inner = match op {
                BinaryOp::And => scope.within(&holds)?,
                _ => scope.without(&holds)?,
            };
            self.note_followed_in(second, &inner)?;
        }
        Ok(())
    }

    /// What is evaluated once where a statement begins.
    fn evaluated(&self, stmt: &'u Stmt) -> Vec<&'u Expr> {
        match &stmt.kind {
            StmtKind::For {
                init, condition, ..
            } => {
                let mut all = init
                    .as_ref()
                    .map_or(Vec::new(), |init| self.evaluated(init));
                all.extend(condition);
                all
            }
            _ => visit::own_expressions(self.unit, stmt).collect(),
        }
    }

    fn follow(&mut self, root: SymbolId, path: String, when: &Set) -> isl::Result<()> {
        let given = self.assumed.given.borrow().clone();
        let at = self
            .claims
            .followed
            .iter()
            .position(|p| p.root == root && p.path == path);
        let when = when.gist(&given)?.coalesce()?;
        // What is compared is not behind a pointer of which nobody knows yet.
        let before = &self.claims.followed[..at.unwrap_or(self.claims.followed.len())];
        for param in 0..self.params.list.len() {
            if !self.is_behind(param, before)
                && when.involves_dims(DimType::Param, param, 1usize)?
            {
                return Ok(());
            }
        }
        let all = match at {
            Some(at) => self.claims.followed[at].when.union(&when)?.coalesce()?,
            None => when,
        };
        if all.n_basic_set()? > MOST_PIECES {
            return Ok(());
        }
        let pointer = Pointer {
            always: given.is_subset(&all)?,
            root,
            path,
            when: all,
        };
        match at {
            Some(at) => self.claims.followed[at] = pointer,
            None => self.claims.followed.push(pointer),
        }
        Ok(())
    }

    /// Whether a parameter is behind these pointers only, or behind none; one that is computed, all
    /// that it is computed from.
    fn is_behind(&self, param: usize, before: &[Pointer]) -> bool {
        match &self.params.list[param].computed {
            None => {
                let (symbol, own) = &self.params.keys()[param];
                self.prefixes(*symbol, own).all(|prefix| {
                    let known = |p: &Pointer| p.root == *symbol && p.path == prefix;
                    before.iter().any(known)
                })
            }
            Some(Computed::Product(factors) | Computed::Value(factors)) => {
                factors.iter().all(|&f| self.is_behind(f, before))
            }
            Some(Computed::Quotient { dividend, .. }) => dividend
                .terms()
                .iter()
                .all(|&(term, _)| self.is_behind(term, before)),
        }
    }

    /// When the region's pointers are followed: all of them that lead to what it reads, but those that are followed in any case. Where one is followed comes behind all that it is
    /// compared with.
    pub(crate) fn followed_pointers(&self) -> isl::Result<Vec<Followed>> {
        if mistake!(PointersThatLeadNowhere) {
            return Ok(Vec::new());
        }
        let mut pointers: Vec<(SymbolId, &str)> = Vec::new();
        let params = self
            .params
            .keys()
            .iter()
            .map(|(root, path)| (*root, &**path));
        let arrays = self
            .model
            .arrays
            .iter()
            .filter_map(|draft| match &draft.key {
                ArrayKey::Place(root, base, _) => {
                    Some((*root, &base[self.unit.symbols[*root].name.len()..]))
                }
                ArrayKey::Condition(_) | ArrayKey::Hidden(_) => None,
            });
        let values = self
            .claims
            .pointer_reads
            .iter()
            .map(|read| (read.root, &*read.path));
        for (root, path) in params.chain(arrays).chain(values) {
            for prefix in self.prefixes(root, path) {
                if !pointers.contains(&(root, prefix)) {
                    pointers.push((root, prefix));
                }
            }
        }
        let name = |root: SymbolId, path: &str| format!("{}{path}", self.unit.symbols[root].name);
        let followed = |pointer: String, when: &Set| Followed {
            span: self.mention(&pointer).unwrap_or(self.region.pragma),
            pointer,
            when: when.clone(),
        };
        let mut all = Vec::new();
        for known in &self.claims.followed {
            let own = (known.root, &*known.path);
            let wanted = pointers.contains(&own);
            pointers.retain(|p| *p != own);
            if wanted && !known.always {
                all.push(followed(name(known.root, &known.path), &known.when));
            }
        }
        let never = Set::empty(&self.params.space)?;
        for (root, path) in pointers {
            all.push(followed(name(root, path), &never));
        }
        Ok(all)
    }

    /// Refuses sizes behind pointers that the original may never follow.
    pub(crate) fn refuse_unfollowed(&mut self, scop: &Scop) -> isl::Result<()> {
        for followed in scop.followed_in_front(false)? {
            if !followed.when.is_empty()? {
                continue;
            }
            let pointer = &followed.pointer;
            let behind = format!("{pointer}->");
            let param = scop.params.iter().find(|p| p.spelling.contains(&behind));
            let place = self.mention(pointer).unwrap_or(self.region.pragma);
            let d = Diagnostic::error(
                Code::NonAffineBound,
                format!("`{pointer}` may be followed by no execution of the region"),
            )
            .at(place, "data decides whether it comes to this");
            self.messages
                .errors
                .push(match param.filter(|p| p.computed.is_none()) {
                Some(param) => d.help(format!(
                    "if `{pointer}` always points at something, read the size in front of the \
                     region: `const {} {} = {};`",
                    param.ctype.spelling, param.name, param.spelling
                )),
                None => d.help(format!(
                    "if `{pointer}` always points at something, copy what is behind it in front \
                     of the region"
                )),
            });
        }
        Ok(())
    }

    /// The pointers on the way to a place: of `->a.b->n`, the empty path and `->a.b`. An element behind a
    /// pointer is there where it is read itself.
    fn prefixes<'p>(
        &self,
        root: SymbolId,
        path: &'p str,
    ) -> impl Iterator<Item = &'p str> + use<'p> {
        let element = elements::holder(self.unit, root, path).is_some_and(|(_, behind)| behind);
        let arrows = path.match_indices("->").map(|(at, _)| &path[..at]);
        arrows.chain(element.then_some(path))
    }

    /// Where the region follows a pointer first.
    fn mention(&self, pointer: &str) -> Option<crate::source::Span> {
        let mut found = None;
        for stmt in &self.region.statements {
            visit::expressions(self.unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    let key = match &e.kind {
                        ExprKind::Arrow(base, _) => plain_key(base),
                        _ => elements::key(self.unit, e),
                    };
                    let text = key.map(|(r, path)| format!("{}{path}", self.unit.symbols[r].name));
                    if text.as_deref() == Some(pointer) {
                        found.get_or_insert(e.span);
                    }
                });
            });
        }
        found
    }
}

/// The pointers that an expression follows whenever it is evaluated.
fn pointers(expr: &Expr, found: &mut Vec<(SymbolId, String)>) {
    match &expr.kind {
        ExprKind::AddressOf(_) => {}
        ExprKind::Conditional(first, ..)
        | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => pointers(first, found),
        kind => {
            visit::children(expr).for_each(|e| pointers(e, found));
            match kind {
                ExprKind::Arrow(base, _) => found.extend(plain_key(base)),
                ExprKind::Subscript(..) | ExprKind::Dereference(_) => {
                    found.extend(elements::place_key(expr));
                }
                _ => {}
            }
        }
    }
}
