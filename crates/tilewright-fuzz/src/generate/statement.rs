//! Statements and loops.

use super::parts::jumps;
use super::{Generator, Scalar, Typed};
use crate::generate::memory::places::kept_within;
use crate::tree::{Expr, For, Stmt, Type, print};
use std::fmt::Write as _;

impl Scalar {
    pub(super) fn read(&self) -> Typed {
        Typed {
            expr: Expr::atom(self.name.clone()),
            ty: self.ty,
            low: self.low,
            high: self.high,
            below: if self.assigned { None } else { self.below },
        }
    }
}

impl Generator {
    /// A loop with loops and statements in it; at most so deep.
    pub(super) fn nest(&mut self, depth: usize) -> Vec<Stmt> {
        if self.random.percent(14)
            && let Some(nest) = self.unusual_loop(depth)
        {
            return nest;
        }
        let base = ["i", "j", "k", "l", "o"][self.loops.len().min(4)];
        let before = self.random.percent(7);
        let name = if before {
            self.fresh(base)
        } else {
            base.to_owned()
        };
        let Some(course) = self.course(&name) else {
            return self.simple(1);
        };
        let scalar = Scalar {
            name: name.clone(),
            ty: course.ty,
            low: course.low,
            high: course.high,
            below: course.below,
            assigned: false,
            is_loop: true,
        };
        let body = self.looping(scalar, |g| g.body(depth - 1));
        let nest = Stmt::For(Box::new(For {
            ty: (!before).then(|| course.ty.c()),
            var: name.clone(),
            from: course.from,
            condition: course.condition,
            step: course.step,
            body,
        }));
        if !before {
            return vec![nest];
        }
        // In front of the region, or of the loop; it may live on.
        let outermost = self.loops.is_empty();
        let in_front = outermost && self.random.percent(70);
        let declaration = Stmt::Declare {
            ty: course.ty.c().to_owned(),
            name: name.clone(),
            value: in_front.then(|| Expr::atom("0")),
        };
        if !in_front {
            return vec![declaration, nest];
        }
        self.front.push(declaration);
        if self.random.percent(50) {
            self.comes_out(7, &name);
        }
        vec![nest]
    }

    /// What is in a loop.
    pub(super) fn body(&mut self, depth: usize) -> Vec<Stmt> {
        let mut statements = Vec::new();
        if self.random.percent(4) {
            statements.extend(self.row_pointer());
        }
        if self.random.percent(5) {
            statements.extend(self.local_array());
        }
        let block = self.random.percent(3).then(|| self.block_of_memory());
        let given_back = block.map(|block| {
            statements.extend(block.front);
            block.behind
        });
        if self.random.percent(6) {
            statements.extend(self.settled());
        }
        let count = self.random.weighted(&[(5, 1), (4, 2), (2, 3), (1, 4)]);
        let deeper = depth > 0
            && self
                .random
                .percent(if self.loops.len() < 2 { 55 } else { 25 });
        let place = self.random.below(count);
        for k in 0..count {
            if deeper && k == place {
                if self.random.percent(30) {
                    statements.extend(self.accumulated(depth));
                } else {
                    let nest = self.nest(depth);
                    statements.extend(self.apart(8, nest));
                }
                if self.random.percent(50) {
                    continue;
                }
            }
            statements.extend(self.simple(2));
        }
        let writes = |s: &Stmt| !matches!(s, Stmt::Declare { .. } | Stmt::Raw(_));
        if !statements.iter().any(writes) {
            statements.extend(self.store(None));
        }
        let mut statements = self.with_commas(statements);
        statements.extend(given_back);
        statements
    }

    /// `T s = 0; for (…) s += …; a[i] = s;`
    fn accumulated(&mut self, depth: usize) -> Vec<Stmt> {
        let ty = self.value_type();
        let name = self.fresh("acc");
        let zero = if ty.is_float() { "0.0f" } else { "0" };
        let mut statements = vec![Stmt::Declare {
            ty: ty.c().to_owned(),
            name: name.clone(),
            value: Some(Expr::atom(zero)),
        }];
        let (low, high) = kept_within(ty);
        let scalar = Scalar {
            name: name.clone(),
            ty,
            low,
            high,
            below: None,
            assigned: true,
            is_loop: false,
        };
        self.visible.scalars.push(scalar.clone());
        statements.extend(self.nest(depth));
        if let Some(Stmt::For(nest)) = statements.last_mut() {
            let update = self.update(Expr::atom(name.clone()), ty);
            nest.body.push(update);
        }
        let store = self.store(Some(scalar.read()));
        statements.extend(store);
        statements
    }

    /// One or a few statements that are no loops.
    pub(super) fn simple(&mut self, depth: u32) -> Vec<Stmt> {
        if depth > 0
            && self.random.percent(16)
            && let Some(made) = self.effect()
        {
            return made;
        }
        match self.random.below(27) {
            26 => {
                let made = match self.random.percent(50) {
                    true => self.whole_memory(),
                    false => self.asserted(),
                };
                made.map_or_else(|| self.store(None), |stmt| vec![stmt])
            }
            25 if depth > 0 => self.cases(depth - 1),
            0..=7 => self.store(None),
            8..=10 => {
                let Some((target, ty)) = self.target(false) else {
                    return self.store(None);
                };
                vec![self.update(target, ty)]
            }
            11 if depth > 1 && !self.loops.is_empty() && self.random.percent(40) => {
                self.ended_by_turns(1)
            }
            11..=14 => self.temporary(),
            15..=17 => self.assignment(),
            18..=21 if depth > 0 => self.branch(depth),
            22 => {
                let Some((target, ty)) = self.target(true) else {
                    return self.store(None);
                };
                if ty.is_float() {
                    return vec![self.update(target, ty)];
                }
                vec![if self.random.percent(70) {
                    Stmt::Step(
                        "",
                        target,
                        if self.random.percent(60) { "++" } else { "--" },
                    )
                } else {
                    Stmt::Step("++", target, "")
                }]
            }
            23 if !self.loops.is_empty() && depth > 1 && self.random.percent(70) => {
                let jump = self.jump();
                let condition = self.condition(1);
                vec![Stmt::If {
                    condition,
                    then: vec![Stmt::Raw(jump)],
                    other: Vec::new(),
                }]
            }
            _ => self.store(None),
        }
    }

    /// A jump to the end of a loop around, or out of it.
    fn jump(&mut self) -> String {
        let mut ends: Vec<usize> = (0..self.loops.len()).collect();
        ends.retain(|at| !self.loops[*at].counts_itself);
        if !ends.is_empty() && self.random.percent(55) {
            let at = *self.random.pick(&ends);
            let label = match &self.loops[at].next {
                Some(label) => label.clone(),
                None => self.fresh("next"),
            };
            self.loops[at].next = Some(label.clone());
            return format!("goto {label};");
        }
        match self.random.percent(55) && !self.rules.counts_itself {
            true => "continue;".to_owned(),
            false => "break;".to_owned(),
        }
    }

    /// Statements in braces.
    pub(super) fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let (scope, arrays) = (self.visible.scalars.clone(), self.visible.arrays.len());
        let mut statements = self.simple(depth);
        if self.random.percent(30) {
            statements.extend(self.simple(depth));
        }
        let statements = self.with_commas(statements);
        self.visible.scalars = scope;
        self.visible.arrays.truncate(arrays);
        if self.random.percent(3) && !jumps(&statements) {
            // As macros are written.
            return vec![Stmt::While {
                condition: Expr::atom("0"),
                body: statements,
                last: true,
            }];
        }
        self.apart(8, statements)
    }

    fn branch(&mut self, depth: u32) -> Vec<Stmt> {
        let condition = self.condition(1);
        let then = self.block(depth - 1);
        let other = if self.random.percent(45) {
            self.block(depth - 1)
        } else {
            Vec::new()
        };
        if self.random.percent(10) && !jumps(&then) && !jumps(&other) {
            return vec![self.switch(&then, &other)];
        }
        vec![Stmt::If {
            condition,
            then,
            other,
        }]
    }

    /// Two lists of statements as cases of a small number.
    fn switch(&mut self, then: &[Stmt], other: &[Stmt]) -> Stmt {
        let value = self.integer(1);
        let value = self.masked(value, 3).expr;
        let labels = *self.random.pick(&[
            ("case 0:", "default:"),
            ("case 1: case 3:", "case 0:"),
            ("default:", "case 1: case 2:"),
            ("case 2 ... 3:", "case 1:"),
        ]);
        let mut text = format!("switch ({value}) {{\n");
        for (label, list) in [(labels.0, then), (labels.1, other)] {
            let _ = writeln!(text, "    {label} {{");
            print(&mut text, list, 2);
            let _ = writeln!(text, "        break;\n    }}");
        }
        text.push('}');
        Stmt::Raw(text)
    }

    /// `int t = …;`, read by what follows.
    fn temporary(&mut self) -> Vec<Stmt> {
        let float = self.rules.floats && self.random.percent(40);
        let value = self.value(2, float);
        let ty = if float {
            value.ty
        } else {
            self.integer_type(&value)
        };
        let assigned = self.random.percent(30);
        let value = if assigned || value.ty.is_float() {
            self.storable(value, ty)
        } else {
            value
        };
        let shadowed = self.random.percent(4);
        let outer = self
            .visible
            .scalars
            .iter()
            .rev()
            .find(|s| s.name.starts_with('t'))
            .map(|s| s.name.clone());
        let name = match outer {
            Some(name)
                if shadowed && !value.expr.to_string().contains(&name) && !self.here(&name) =>
            {
                name
            }
            _ => self.fresh("t"),
        };
        self.visible.scalars.retain(|s| s.name != name);
        let known = Typed::cast(value.clone(), ty);
        let (low, high) = if assigned {
            kept_within(ty)
        } else {
            (known.low, known.high)
        };
        self.visible.scalars.push(Scalar {
            name: name.clone(),
            ty,
            low,
            high,
            below: known.below,
            assigned,
            is_loop: false,
        });
        let readonly = if !assigned && self.random.percent(20) {
            "const "
        } else {
            ""
        };
        let is_truth = ty.promoted() == Type::I32 && (known.low, known.high) == (0, 1);
        let spelt = if is_truth && !assigned && self.random.percent(40) {
            "_Bool"
        } else {
            self.spelling(ty)
        };
        vec![Stmt::Declare {
            ty: format!("{readonly}{spelt}"),
            name,
            value: Some(value.expr),
        }]
    }

    /// Whether a name may have been declared in the block that is being made.
    fn here(&self, name: &str) -> bool {
        let last = self
            .visible
            .scalars
            .iter()
            .rposition(|s| s.is_loop)
            .unwrap_or(0);
        self.visible
            .scalars
            .iter()
            .rposition(|s| s.name == name)
            .is_none_or(|k| k > last)
    }

    fn integer_type(&mut self, value: &Typed) -> Type {
        if self.random.percent(45) {
            return value.ty.promoted();
        }
        self.random.weighted(&[
            (8, Type::I32),
            (4, Type::U32),
            (3, Type::U8),
            (2, Type::I16),
            (1, Type::U16),
            (1, Type::I8),
            (2, Type::I64),
            (2, Type::U64),
        ])
    }

    /// A value that may be stored in a place of this type.
    pub(super) fn storable(&mut self, value: Typed, ty: Type) -> Typed {
        match ty {
            Type::I32 | Type::I64 => self.within(value, -(1 << 20), 1 << 20),
            _ if ty.is_float() => value,
            _ if value.ty.is_float() => self.within(value, 0, 255),
            _ => value,
        }
    }

    /// Something that may be written.
    fn target(&mut self, scalar_first: bool) -> Option<(Expr, Type)> {
        if self.random.percent(if scalar_first { 50 } else { 15 }) {
            let of: Vec<usize> = (0..self.visible.scalars.len())
                .filter(|&k| self.visible.scalars[k].assigned)
                .collect();
            if !of.is_empty() {
                let scalar = &self.visible.scalars[*self.random.pick(&of)];
                return Some((Expr::atom(scalar.name.clone()), scalar.ty));
            }
        }
        for _ in 0..6 {
            let of: Vec<usize> = (0..self.visible.arrays.len())
                .filter(|&k| self.visible.arrays[k].written)
                .collect();
            let array = self.visible.arrays[*self.random.pick(&of)].clone();
            if let Some(subscripts) = self.subscripts(&array, 2) {
                return Some((self.element(&array, subscripts), array.ty));
            }
        }
        None
    }

    /// `a[i] = …;`
    pub(super) fn store(&mut self, value: Option<Typed>) -> Vec<Stmt> {
        if value.is_none()
            && self.random.percent(12)
            && let Some(copied) = self.copy()
        {
            return copied;
        }
        let Some((target, ty)) = self.target(false) else {
            return self.assignment();
        };
        let value = match value {
            Some(value) => value,
            None => {
                let float = if self.random.percent(90) {
                    ty.is_float()
                } else {
                    self.rules.floats
                };
                let depth = self.random.range(1, 3) as u32;
                let value = self.value(depth, float);
                match self.random.percent(6) {
                    true => self.value_apart(value),
                    false => value,
                }
            }
        };
        let value = self.storable(value, ty);
        let mut value = value.expr;
        if self.random.percent(3)
            && let Some((between, other)) = self.target(true)
            && other == ty
            && !matches!(between, Expr::Atom(_))
            && !target.to_string().contains(base(&between))
        {
            value = Expr::binary("=", between, value);
        }
        vec![Stmt::Set {
            target,
            op: "=",
            value,
        }]
    }

    /// `s = …;` of a scalar, also as the greatest of several.
    fn assignment(&mut self) -> Vec<Stmt> {
        let of: Vec<usize> = (0..self.visible.scalars.len())
            .filter(|&k| self.visible.scalars[k].assigned)
            .collect();
        if of.is_empty() {
            return self.temporary();
        }
        let scalar = self.visible.scalars[*self.random.pick(&of)].clone();
        let target = Expr::atom(scalar.name.clone());
        if self.random.percent(30) {
            return vec![self.update(target, scalar.ty)];
        }
        let value = self.value(2, scalar.ty.is_float());
        let value = self.storable(value, scalar.ty);
        let set = Stmt::Set {
            target: target.clone(),
            op: "=",
            value: value.expr.clone(),
        };
        if self.random.percent(25) && value.ty == scalar.ty {
            let op = *self.random.pick(&["<", ">"]);
            let condition = Expr::binary(op, value.expr, target);
            return vec![Stmt::If {
                condition,
                then: vec![set],
                other: Vec::new(),
            }];
        }
        vec![set]
    }

    /// `x += …;` and its kind.
    pub(super) fn update(&mut self, target: Expr, ty: Type) -> Stmt {
        let value = self.value(2, ty.is_float());
        let ops: &[&'static str] = match ty {
            _ if ty.is_float() => &["+=", "+=", "+=", "-=", "*="],
            Type::I32 | Type::I64 => &["+=", "+=", "+=", "-=", "^=", "|=", "&="],
            _ => &["+=", "+=", "-=", "^=", "|=", "&=", "*=", ">>="],
        };
        let op = *self.random.pick(ops);
        let value = if ty.is_float() {
            value
        } else if op == ">>=" {
            Typed::literal(self.random.range(1, 4))
        } else {
            match ty {
                Type::U32 | Type::U64 if !value.ty.is_float() => value,
                _ => self.within(value, -1000, 1000),
            }
        };
        Stmt::Set {
            target,
            op,
            value: value.expr,
        }
    }
}

/// The name in front of an element's subscripts; for other expressions one that every text has.
fn base(place: &Expr) -> &str {
    match place {
        Expr::Index(name, _) => name,
        Expr::Field(inside, _) => base(inside),
        _ => "",
    }
}
