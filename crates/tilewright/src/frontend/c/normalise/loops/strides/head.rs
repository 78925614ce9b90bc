//! The head of a loop with a long stride: how often it runs, and what has to hold for that.

use super::*;

/// A loop that counts by something else than one, or by more than one.
pub(super) struct Strided {
    pub symbol: SymbolId,
    kind: ScalarKind,
    /// What the variable begins with.
    first: Expr,
    /// What is added to the variable before it is compared.
    added: Option<Expr>,
    op: BinaryOp,
    end: Expr,
    by: Expr,
    down: bool,
    /// Whether somebody reads what is left in the variable.
    pub is_read: bool,
    pub body: Stmt,
    /// The word of the head.
    pub span: Span,
}

impl Strided {
    /// Reads a head; `begin` is what the variable holds in front of a loop whose head does not set it,
    /// where that is known.
    pub fn of(unit: &Unit, known: &Known, stmt: &Stmt, begin: Option<Expr>) -> Option<Strided> {
        let (init, condition, step, body) = match &stmt.kind {
            StmtKind::For {
                init,
                condition: Some(condition),
                step: Some(step),
                body,
            } => {
                let step = tree::statement(step.clone());
                (init.as_deref(), condition, step, (**body).clone())
            }
            StmtKind::While { condition, body } => {
                let StmtKind::Block(list) = &body.kind else {
                    return None;
                };
                let (last, rest) = list.split_last()?;
                let (kind, span) = (StmtKind::Block(rest.to_vec()), body.span);
                (None, condition, last.clone(), Stmt { kind, span })
            }
            _ => return None,
        };
        let step = inductions::step(&step)?;
        let symbol = step.symbol;
        let (first, own) = match init.map(|init| &init.kind) {
            None | Some(StmtKind::Empty) => (
                begin.clone().unwrap_or_else(|| name(symbol, stmt.span)),
                false,
            ),
            Some(StmtKind::Declaration(declared)) if *declared == symbol => {
                (unit.symbols[symbol].initialiser.clone()?, true)
            }
            Some(StmtKind::Expression(Expr {
                kind: ExprKind::Assign(None, target, value),
                ..
            })) if target.kind == ExprKind::Name(symbol) => ((**value).clone(), false),
            Some(_) => return None,
        };
        let number = constant::value(&step.by);
        // Others know what counts by one, but for what has to be known of it behind the region.
        let is_carried = begin.is_some() && known.carried.contains(&symbol);
        let least = if is_carried { 1 } else { 2 };
        if number.is_some_and(|by| by < least) {
            return None;
        }
        let region = known.number;
        let kind = heads::counter(unit, region, symbol, &body)?;
        let is_read =
            !own && !dead::is_dead(unit, unit.regions[region].function, stmt.span, symbol);
        let going_on = matches!(init.map(|init| &init.kind), None | Some(StmtKind::Empty));
        if turns::is_left(&body) || !tree::is_pure(condition) || !tree::is_pure(&first) {
            return None;
        }
        let (added, op, end) = compared(condition, symbol)?;
        let op = match op {
            // Others than these never end, or go on where C has no meaning any more; unsigned numbers
            // come back from there.
            BinaryOp::NotEqual
                if number.is_none() || types::is_unsigned(kind) || stand_ins::ends(&body) =>
            {
                return None;
            }
            BinaryOp::NotEqual if step.down => BinaryOp::Greater,
            BinaryOp::NotEqual => BinaryOp::Less,
            op => op,
        };
        // Others know what counts by numbers and is read by nobody; but not how often it runs, on which
        // other counters depend.
        let counts = added.is_some() && has_steps(&body);
        let is_while = matches!(stmt.kind, StmtKind::While { .. });
        let wanted = is_read || counts || going_on && is_while && number != Some(1);
        if number.is_some() && !wanted {
            return None;
        }
        let word = match &stmt.kind {
            StmtKind::While { .. } => "while",
            _ => "for",
        };
        let head = Strided {
            symbol,
            kind,
            first,
            added,
            op,
            end,
            by: step.by,
            down: step.down,
            is_read,
            body,
            span: Span::new(stmt.span.start, stmt.span.start + word.len()),
        };
        (head.is_direct() && head.stays(unit, known) && head.has_types(unit)).then_some(head)
    }

    /// Whether the condition is one that the variable comes to.
    fn is_direct(&self) -> bool {
        match self.op {
            BinaryOp::Less | BinaryOp::LessEqual => !self.down,
            _ => self.down,
        }
    }

    /// Whether the loop leaves alone what its head is made of.
    fn stays(&self, unit: &Unit, known: &Known) -> bool {
        let changed = changed_in(unit, &self.body);
        let fixed = |e: &Expr| {
            tree::is_stable(e)
                && !known.members.change(e)
                && !changed.iter().any(|&other| visit::mentions(e, other))
                && !visit::mentions(e, self.symbol)
        };
        let parts = [Some(&self.end), Some(&self.by), self.added.as_ref()];
        parts.into_iter().flatten().all(fixed) && known.is_fixed(unit, &self.by, false)
    }

    /// Whether C computes all of it in one type, up to values that this type has, or that it makes of
    /// others: unsigned numbers of what is negative.
    fn has_types(&self, unit: &Unit) -> bool {
        let becomes = |kind: ScalarKind| {
            let unsigned = types::is_unsigned(self.kind) && !kind.is_float();
            types::contains(self.kind, kind) || unsigned && kind.bytes() <= self.kind.bytes()
        };
        let holds = |e: &Expr| natural(e) || types::scalar_kind(unit, e).is_some_and(becomes);
        // A step is positive where that is compared.
        let by = types::scalar_kind(unit, &self.by).is_some_and(becomes);
        by && holds(&self.end) && holds(&self.first) && self.added.iter().all(holds)
    }

    pub fn arith(&self, unit: &Unit) -> Arith {
        let Type::Scalar(ctype) = unit.symbols[self.symbol].ctype.clone() else {
            unreachable!("a counter is an integer");
        };
        Arith {
            ctype,
            span: self.span,
        }
    }

    /// The variable's value behind so many turns.
    pub fn after(&self, unit: &Unit, turns: Expr) -> Expr {
        let arith = self.arith(unit);
        let first = arith.cast(unit, self.first.clone());
        let moved = arith.product(turns, arith.cast(unit, self.by.clone()));
        match self.down {
            true => binary(BinaryOp::Sub, first, moved),
            false => arith.sum(first, moved),
        }
    }

    /// The first value that is compared.
    fn begin(&self, unit: &Unit) -> Expr {
        let arith = self.arith(unit);
        let first = arith.cast(unit, self.first.clone());
        match &self.added {
            Some(added) => arith.sum(first, arith.cast(unit, added.clone())),
            None => first,
        }
    }

    /// Whether the loop runs at all.
    fn runs(&self, unit: &Unit) -> Expr {
        let end = self.arith(unit).cast(unit, self.end.clone());
        binary(self.op, self.begin(unit), end)
    }

    /// How often it runs.
    pub fn turns(&self, unit: &Unit) -> Expr {
        let arith = self.arith(unit);
        let strict = matches!(self.op, BinaryOp::Less | BinaryOp::Greater);
        let (first, end) = (self.begin(unit), arith.cast(unit, self.end.clone()));
        if strict
            && !self.down
            && !types::is_unsigned(self.kind)
            && let Some(rows) = rows(&first, &end, &self.by)
        {
            return rows;
        }
        let by = arith.cast(unit, self.by.clone());
        let distance = match self.down {
            true => arith.difference(first, end),
            false => arith.difference(end, first),
        };
        let one_by_one = constant::value(&self.by) == Some(1);
        let turns = match (one_by_one, strict) {
            (true, true) => distance,
            (true, false) => arith.sum(distance, arith.number(1)),
            (false, true) => {
                let before = arith.difference(distance, arith.number(1));
                arith.sum(binary(BinaryOp::Div, before, by), arith.number(1))
            }
            (false, false) => arith.sum(binary(BinaryOp::Div, distance, by), arith.number(1)),
        };
        let some = match constant::value(&self.by) {
            Some(_) => self.runs(unit),
            None => {
                let zero = build::integer(0, self.span);
                let moves = binary(BinaryOp::Greater, self.by.clone(), zero);
                binary(BinaryOp::And, moves, self.runs(unit))
            }
        };
        expression(
            ExprKind::Conditional(Box::new(some), Box::new(turns), Box::new(arith.number(0))),
            self.span,
        )
    }

    /// A number of turns that [`Head::turns`] gives, where there may be less than none.
    pub fn not_negative(&self, unit: &Unit, turns: Expr) -> Expr {
        if matches!(turns.kind, ExprKind::Conditional(..)) {
            return turns;
        }
        let zero = self.arith(unit).number(0);
        let some = binary(BinaryOp::Less, zero.clone(), turns.clone());
        let kind = ExprKind::Conditional(Box::new(some), Box::new(turns), Box::new(zero));
        expression(kind, self.span)
    }

    /// What must not be, and in words that it is not; `None` where nobody can compare it.
    pub fn needs(&self, unit: &Unit, known: &Known) -> Option<Vec<(Expr, String)>> {
        let mut needs = Vec::new();
        let text = |e: &Expr| ctext::expression(e, &unit.symbols);
        let by = constant::value(&self.by);
        if by.is_none() {
            let zero = build::integer(0, self.span);
            let bad = binary(BinaryOp::LessEqual, self.by.clone(), zero);
            needs.push((bad, format!("`{}` is positive", text(&self.by))));
        }
        let variable = &unit.symbols[self.symbol].name;
        let signed = !types::is_unsigned(self.kind);
        if !signed {
            return self.unsigned_needs(unit, known, needs);
        }
        // Distances are numbers of the variable's type.
        let (low, high) = match self.down {
            true => (&self.end, &self.first),
            false => (&self.first, &self.end),
        };
        let small = self.added.as_ref().is_none_or(natural);
        if natural(low) && small {
            return Some(needs);
        }
        // No object is so large that distances in it do not fit.
        if self.kind == ScalarKind::I64 && natural(high) && is_distance(unit, low) && small {
            return Some(needs);
        }
        // Sums of a few numbers of 32 bits are far from the end of those of 64.
        let few = |e: &Expr| bits(unit, e).is_some_and(|bits| bits < 62);
        if self.kind == ScalarKind::I64 && few(low) && few(high) && self.added.iter().all(few) {
            return Some(needs);
        }
        // That of numbers of 64 bits cannot be compared, but is compared for their sizes.
        let linear = [Some(low), Some(high), self.added.as_ref()]
            .into_iter()
            .flatten()
            .all(|e| known.is_linear(unit, e));
        if !linear || self.kind != ScalarKind::I32 {
            return None;
        }
        let long = |e: &Expr| inside::long(unit, e.clone());
        let mut distance = binary(BinaryOp::Sub, long(high), long(low));
        if let Some(added) = &self.added {
            distance = binary(BinaryOp::Sub, distance, long(added));
        }
        let most = build::integer(i64::from(i32::MAX) - 1, self.span);
        let bad = binary(BinaryOp::Greater, distance, most);
        needs.push((bad, format!("`{variable}` does not wrap around")));
        Some(needs)
    }

    /// What unsigned numbers need, so that none of them wraps around.
    fn unsigned_needs(
        &self,
        unit: &Unit,
        known: &Known,
        mut needs: Vec<(Expr, String)>,
    ) -> Option<Vec<(Expr, String)>> {
        let arith = self.arith(unit);
        let variable = &unit.symbols[self.symbol].name;
        let by = constant::value(&self.by);
        let why = format!("`{variable}` does not wrap around");
        if self.down {
            // It stays above zero where the bound is no less than a step.
            let (end, by) = (constant::value(&self.end)?, by?);
            let above = match self.op {
                BinaryOp::GreaterEqual => end,
                _ => end.checked_add(1)?,
            };
            return (above >= by && self.added.is_none()).then_some(needs);
        }
        let small = |e: &Expr| matches!(e.kind, ExprKind::Integer(0..=0xffff, _));
        if self.added.as_ref().is_some_and(|added| !small(added))
            || !known.is_linear(unit, &self.end)
        {
            return None;
        }
        let most = match self.kind {
            ScalarKind::U32 => i64::from(u32::MAX),
            // Sizes are compared with less.
            _ => 1 << 48,
        };
        // What is added to the first value must not wrap around.
        if let Some(added) = &self.added
            && !small(&self.first)
        {
            if !known.is_linear(unit, &self.first) {
                return None;
            }
            let added = arith.cast(unit, added.clone());
            let room = arith.difference(arith.number(most), added);
            let first = arith.cast(unit, self.first.clone());
            needs.push((binary(BinaryOp::Greater, first, room), why.clone()));
        }
        if natural(&self.end) && by.is_some_and(|by| by <= 0xffff) {
            return Some(needs);
        }
        let end = arith.cast(unit, self.end.clone());
        let by = arith.cast(unit, self.by.clone());
        if self.kind == ScalarKind::U64 && constant::value(&self.by).is_none() {
            let bad = binary(BinaryOp::Greater, by.clone(), arith.number(most));
            needs.push((bad, why.clone()));
        }
        let room = arith.difference(arith.number(most), by);
        needs.push((binary(BinaryOp::Greater, end, room), why));
        Some(needs)
    }

    /// Puts the turn in the place of quotients by the step, of what begins with 0, and 0 in that of
    /// remainders.
    pub fn divide(&self, unit: &mut Unit, body: &mut Stmt, turn: &Expr) {
        let by = match &self.by.kind {
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Arrow(..) => &self.by,
            _ => return,
        };
        if constant::value(&self.first) != Some(0) || self.down {
            return;
        }
        let number = self.arith(unit);
        let kinds = types::scalar_kind(unit, by).map(|kind| kind.common(self.kind));
        if kinds != Some(self.kind) {
            return;
        }
        tree::expressions_mut(&mut unit.symbols, body, &mut |e| {
            if let ExprKind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) = &e.kind
                && a.kind == ExprKind::Name(self.symbol)
                && visit::same(b, by)
            {
                e.kind = match op {
                    BinaryOp::Div => turn.kind.clone(),
                    _ => number.number(0).kind,
                };
            }
        });
    }

    /// Whether the step is a number.
    pub fn is_number(&self) -> bool {
        constant::value(&self.by).is_some()
    }

    /// What the variable is compared with.
    pub fn bound(&self) -> &Expr {
        &self.end
    }

    /// Whether the variable, and all between its first value and its end, is no negative `int`.
    pub fn is_natural_int(&self) -> bool {
        let low = if self.down { &self.end } else { &self.first };
        self.kind == ScalarKind::I32 && natural(low)
    }
}

/// Whether something counts in a statement.
fn has_steps(stmt: &Stmt) -> bool {
    let mut found = false;
    visit::statements(stmt, &mut |s| found |= inductions::step(s).is_some());
    found
}

/// Whether a value is a number that is not negative.
pub(super) fn natural(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Integer(0..=0x7fff_ffff, _))
}

/// A comparison of a variable, or of its sum with something, with a bound; turned so that the variable
/// is on the left.
fn compared(condition: &Expr, symbol: SymbolId) -> Option<(Option<Expr>, BinaryOp, Expr)> {
    use BinaryOp::{Add, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let ExprKind::Binary(op @ (Less | LessEqual | Greater | GreaterEqual | NotEqual), a, b) =
        &condition.kind
    else {
        return None;
    };
    let turned = match op {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        NotEqual => NotEqual,
        _ => LessEqual,
    };
    for (op, left, right) in [(*op, a, b), (turned, b, a)] {
        if visit::mentions(right, symbol) {
            continue;
        }
        match &left.kind {
            ExprKind::Name(own) if *own == symbol => return Some((None, op, (**right).clone())),
            ExprKind::Binary(Add, x, y) => {
                for (own, added) in [(x, y), (y, x)] {
                    if own.kind == ExprKind::Name(symbol) && !visit::mentions(added, symbol) {
                        return Some((Some((**added).clone()), op, (**right).clone()));
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether an expression is how far a pointer is from another one, and a small number more or less.
fn is_distance(unit: &Unit, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(symbol) => unit.symbols[*symbol].name.starts_with('('),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            let small = matches!(b.kind, ExprKind::Integer(0..=0xffff, _));
            is_distance(unit, a) && small
        }
        _ => false,
    }
}

/// So many bits hold an integer's magnitude, where its form says so.
fn bits(unit: &Unit, expr: &Expr) -> Option<u32> {
    let narrow = |kind: ScalarKind| !kind.is_float() && kind.bytes() <= 4;
    let narrow = types::scalar_kind(unit, expr).is_some_and(narrow);
    match &expr.kind {
        ExprKind::Integer(value, _) => Some(u64::BITS - value.unsigned_abs().leading_zeros()),
        _ if narrow => Some(32),
        // An unsigned type would wrap what is negative.
        ExprKind::Cast(Type::Scalar(to), a) if to.kind == ScalarKind::I64 => bits(unit, a),
        ExprKind::Binary(op, a, b) if types::scalar_kind(unit, expr) == Some(ScalarKind::I64) => {
            let (a, b) = (bits(unit, a)?, bits(unit, b)?);
            match op {
                BinaryOp::Add | BinaryOp::Sub => Some(a.max(b) + 1),
                BinaryOp::Mul => Some(a + b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How many rows there are from a first value to an end that is a number of rows: in steps of a row
/// from 0 to `h * w`, `a` to `a + h * w` and `y * w` to `z * w`.
fn rows(first: &Expr, end: &Expr, by: &Expr) -> Option<Expr> {
    let factor = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) if visit::same(b, by) => Some((**a).clone()),
        ExprKind::Binary(BinaryOp::Mul, a, b) if visit::same(a, by) => Some((**b).clone()),
        _ => None,
    };
    if constant::value(by).is_some() {
        return None;
    }
    if constant::value(first) == Some(0) {
        return factor(end);
    }
    if let ExprKind::Binary(BinaryOp::Add, a, b) = &end.kind {
        for (base, rest) in [(a, b), (b, a)] {
            if visit::same(base, first)
                && let Some(rows) = factor(rest)
            {
                return Some(rows);
            }
        }
    }
    match (factor(first), factor(end)) {
        (Some(from), Some(to)) => Some(binary(BinaryOp::Sub, to, from)),
        _ => None,
    }
}
