//! What moves along with a loop: pointers and counters; and copies of structures.

use crate::generate::memory::records::CELL;
use crate::generate::{Array, Extent, Form, Generator, LARGEST, Scalar};
use crate::tree::{Expr, For, Stmt, Type};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

/// A pointer or a counter that goes on by one with each iteration.
struct Walker {
    declaration: Stmt,
    name: String,
}

impl Generator {
    /// A loop, or two, along arrays, with pointers and counters that step at the end of its body. None
    /// where there is no such array.
    pub(in crate::generate) fn walk(&mut self, depth: usize, size: usize) -> Option<Vec<Stmt>> {
        let rows = self.random.below(self.visible.sizes.len());
        let nested = depth > 1 && self.random.percent(35);
        let fits = |a: &&Array| {
            let plain = a.below.is_none() && !a.name.starts_with("g_");
            match (&a.extents[..], &a.form) {
                ([Extent::Size(of, _)], Form::Brackets | Form::Star) => {
                    plain && !nested && *of == size
                }
                ([Extent::Size(of, 0), Extent::Size(inner, 0)], Form::Flat(_, None)) => {
                    plain && nested && *of == rows && *inner == size
                }
                _ => false,
            }
        };
        let mut along: Vec<Array> = self.visible.arrays.iter().filter(fits).cloned().collect();
        if along.len() > 1 && self.random.percent(40) {
            along.remove(0);
        }
        along.truncate(2);
        if along.is_empty() {
            return None;
        }
        let mut walkers = Vec::new();
        let mut seen = Vec::new();
        let begins: Vec<String> = along.iter().map(|a| a.name.clone()).collect();
        for array in along {
            let more = match array.extents[..] {
                [Extent::Size(_, more)] => more,
                _ => 0,
            };
            let name = self.fresh("p");
            let readonly = if array.written { "" } else { "const " };
            walkers.push(Walker {
                declaration: Stmt::Declare {
                    ty: format!("{readonly}{} *", array.spelt),
                    name: name.clone(),
                    value: Some(atom(array.name.clone())),
                },
                name: name.clone(),
            });
            let form = match more == 0 && self.random.percent(60) {
                true => Form::Here,
                false => Form::Brackets,
            };
            seen.push(Array {
                name,
                extents: vec![Extent::Constant(1 + more)],
                form,
                ..array
            });
        }
        let mut counters = Vec::new();
        if !nested && self.random.percent(40) {
            let (name, ty) = (
                self.fresh("c"),
                *self
                    .random
                    .pick(&[Type::I32, Type::I32, Type::I64, Type::U32]),
            );
            walkers.push(Walker {
                declaration: Stmt::Declare {
                    ty: ty.c().to_owned(),
                    name: name.clone(),
                    value: Some(atom("0")),
                },
                name: name.clone(),
            });
            counters.push(self.variable(&name, ty, 0, LARGEST - 1, Some((size, -1))));
        }
        // What comes behind a counter's step sees the next number.
        let mut stepped = None;
        let moved = self.random.percent(25);
        let mut fused = None;
        let last = self.random.percent(40);
        let inside = |g: &mut Generator| {
            g.visible.arrays.extend(seen.iter().cloned());
            g.visible.scalars.extend(counters.iter().cloned());
            let mut body = g.body(depth - if nested { 2 } else { 1 });
            if moved && let Some(counter) = counters.first() {
                stepped = Some(counter.name.clone());
                body.push(Stmt::Step("", atom(counter.name.clone()), "++"));
                let next = g.variable(&counter.name, counter.ty, 1, LARGEST, Some((size, 0)));
                g.visible.scalars.retain(|s| s.name != counter.name);
                g.visible.scalars.push(next);
                body.extend(g.simple(1));
            }
            if last && let Some(array) = seen.iter().find(|a| a.written) {
                let value = g.value(1, array.ty.is_float());
                let value = g.storable(value, array.ty);
                fused = Some(array.name.clone());
                let store = Stmt::Set {
                    target: atom(format!("*{}++", array.name)),
                    op: "=",
                    value: value.expr,
                };
                body.push(match g.random.percent(12) {
                    // Only what a condition chooses moves it.
                    true => Stmt::If {
                        condition: g.condition(1),
                        then: vec![store],
                        other: Vec::new(),
                    },
                    false => store,
                });
            }
            body
        };
        let mut nest = self.up(size, inside);
        let Stmt::For(inner) = &mut nest else {
            return None;
        };
        for walker in &walkers {
            if ![&fused, &stepped].contains(&&Some(walker.name.clone())) {
                let step = self.step(&walker.name);
                inner.body.push(step);
            }
        }
        // In front of the region, and read behind it, or in the region.
        let block = begins.iter().any(|begin| begin.starts_with("heap"));
        let outermost =
            self.loops.is_empty() && !self.rules.exchanges && self.random.percent(70) && !block;
        if outermost {
            let pointers = walkers.iter().zip(&begins);
            let pointers: Vec<(String, String)> = pointers
                .map(|(w, begin)| (w.name.clone(), begin.clone()))
                .collect();
            for (name, begin) in pointers {
                self.moved_pointer(&name, &begin);
            }
        }
        let mut statements: Vec<Stmt> = walkers.into_iter().map(|w| w.declaration).collect();
        if outermost {
            self.front.append(&mut statements);
        }
        statements.push(match nested {
            true => self.up(rows, |_| vec![nest]),
            false => nest,
        });
        for counter in counters {
            // What it holds behind the loop is read, too.
            self.visible.scalars.push(Scalar {
                high: LARGEST.into(),
                below: None,
                is_loop: false,
                ..counter
            });
        }
        Some(statements)
    }

    /// Where a pointer is behind the region, and what it has left behind.
    fn moved_pointer(&mut self, name: &str, begin: &str) {
        self.comes_out(5, &format!("({name} - {begin})"));
        if self.random.percent(50) {
            self.behind.push(Stmt::If {
                condition: Expr::binary("!=", atom(name), atom(begin)),
                then: vec![Stmt::Set {
                    target: Expr::Index("out".to_owned(), vec![atom("6")]),
                    op: "=",
                    value: Expr::Index(name.to_owned(), vec![atom("-1")]),
                }],
                other: Vec::new(),
            });
        }
    }

    /// One loop over all elements of arrays with rows. None where there are none.
    pub(in crate::generate) fn flat(&mut self, depth: usize, size: usize) -> Option<Vec<Stmt>> {
        let rows = self.random.below(self.visible.sizes.len());
        let fits = |a: &&Array| {
            let plain = a.below.is_none() && !a.name.starts_with("g_");
            let extents = [Extent::Size(rows, 0), Extent::Size(size, 0)];
            plain && matches!(a.form, Form::Flat(_, None)) && a.extents == extents
        };
        let mut all: Vec<Array> = self.visible.arrays.iter().filter(fits).cloned().collect();
        all.truncate(3);
        if all.is_empty() {
            return None;
        }
        let name = self.fresh("i");
        let names = [rows, size].map(|k| atom(self.visible.sizes[k].name.clone()));
        let [one, other] = match self.random.percent(70) {
            true => names,
            false => {
                let [one, other] = names;
                [other, one]
            }
        };
        let bound = Expr::binary("*", one, other);
        let signed = [rows, size].map(|k| self.visible.sizes[k].ty.promoted().is_signed());
        let ty = if signed == [true, true] {
            Type::I32
        } else {
            Type::U64
        };
        // Two negative sizes have a product, too.
        self.rules.at_least_zero = true;
        let scalar = self.variable(&name, ty, 0, LARGEST * LARGEST, None);
        let at = name.clone();
        let body = self.looping(scalar, |g| {
            g.visible.arrays.extend(all.into_iter().map(|array| Array {
                extents: vec![Extent::Constant(1)],
                form: Form::At(at.clone()),
                ..array
            }));
            g.body(depth - 1)
        });
        Some(vec![Stmt::For(Box::new(For {
            ty: Some(ty.c()),
            var: name.clone(),
            from: atom("0"),
            condition: Expr::binary("<", atom(name.clone()), bound),
            step: format!("{name}++"),
            body,
        }))])
    }

    /// `memset(a, 0, n * sizeof(float));`, or a copy of another array. None without arrays.
    pub(in crate::generate) fn whole_memory(&mut self) -> Option<Stmt> {
        let plain = |a: &Array| match (&a.extents[..], &a.form) {
            ([Extent::Size(size, more)], Form::Brackets) if a.below.is_none() && *more >= 0 => {
                Some(*size)
            }
            _ => None,
        };
        let to = self
            .visible
            .arrays
            .iter()
            .filter(|a| a.written && plain(a).is_some());
        let to: Vec<Array> = to.cloned().collect();
        if to.is_empty() {
            return None;
        }
        let to = self.random.pick(&to).clone();
        let size = plain(&to)?;
        let from = self
            .visible
            .arrays
            .iter()
            .find(|a| a.name != to.name && a.ty == to.ty && plain(a) == Some(size));
        // What overlaps may not be copied; negative sizes are very large ones.
        let from = from.filter(|_| self.rules.restrict).map(|a| a.name.clone());
        self.rules.at_least_zero = true;
        let bytes = match self.random.percent(50) {
            true => format!("sizeof({})", to.spelt),
            false => format!("sizeof *{}", to.name),
        };
        let count = self.visible.sizes[size].name.clone();
        Some(Stmt::Raw(match from {
            Some(from) if self.random.percent(50) => {
                format!("memcpy({}, {from}, {bytes} * {count});", to.name)
            }
            _ => format!("memset({}, 0, {count} * {bytes});", to.name),
        }))
    }

    /// `if (i >= n) abort();`, which never happens. None outside of loops.
    pub(in crate::generate) fn asserted(&mut self) -> Option<Stmt> {
        let mut loops = self
            .visible
            .scalars
            .iter()
            .rev()
            .filter(|s| s.is_loop && s.low >= 0);
        let (name, size) = loops.find_map(|s| match s.below {
            Some((size, more)) if more < 0 => Some((s.name.clone(), size)),
            _ => None,
        })?;
        self.rules.at_least_zero = true;
        let bound = atom(self.visible.sizes[size].name.clone());
        let ends = *self
            .random
            .pick(&["abort();", "exit(3);", "exit(-1);", "_Exit(1);"]);
        Some(Stmt::If {
            condition: Expr::binary(">=", atom(name), bound),
            then: vec![Stmt::Raw(ends.to_owned())],
            other: Vec::new(),
        })
    }

    fn step(&mut self, name: &str) -> Stmt {
        match self.random.below(4) {
            0 => Stmt::Set {
                target: atom(name),
                op: "+=",
                value: atom("1"),
            },
            1 => Stmt::Step("++", atom(name), ""),
            _ => Stmt::Step("", atom(name), "++"),
        }
    }

    /// A loop from zero to a size.
    fn up(&mut self, size: usize, inside: impl FnOnce(&mut Generator) -> Vec<Stmt>) -> Stmt {
        let name = self.fresh("i");
        let ty = match self.visible.sizes[size].ty.promoted().is_signed() {
            true => Type::I32,
            false => self.visible.sizes[size].ty.promoted(),
        };
        let scalar = self.variable(&name, ty, 0, LARGEST - 1, Some((size, -1)));
        let bound = atom(self.visible.sizes[size].name.clone());
        let body = self.looping(scalar, inside);
        Stmt::For(Box::new(For {
            ty: Some(ty.c()),
            var: name.clone(),
            from: atom("0"),
            condition: Expr::binary("<", atom(name.clone()), bound),
            step: format!("{name}++"),
            body,
        }))
    }

    /// `a[i] = b[j];` of structures, at times through one of the block's own. None without any.
    pub(in crate::generate) fn copy(&mut self) -> Option<Vec<Stmt>> {
        let is_record = |a: &&Array| matches!(a.form, Form::Record(_) | Form::Cells);
        let all: Vec<Array> = self
            .visible
            .arrays
            .iter()
            .filter(is_record)
            .cloned()
            .collect();
        let to: Vec<Array> = all.iter().filter(|a| a.written).cloned().collect();
        if to.is_empty() {
            return None;
        }
        let to = self.random.pick(&to).clone();
        let from: Vec<Array> = all.into_iter().filter(|a| a.spelt == to.spelt).collect();
        let from = self.random.pick(&from).clone();
        let mut place = |array: &Array| {
            let mut subscripts = self.subscripts(array, 1)?;
            subscripts.truncate(1);
            Some(Expr::Index(array.name.clone(), subscripts))
        };
        let (target, value) = (place(&to)?, place(&from)?);
        let set = |target: Expr, value: Expr| Stmt::Set {
            target,
            op: "=",
            value,
        };
        if self.random.percent(30) {
            return Some(vec![set(target, self.literal(&to))]);
        }
        if self.random.percent(50) {
            return Some(vec![set(target, value)]);
        }
        let name = self.fresh("one");
        let member = match &to.form {
            Form::Record(fields) => Expr::Field(
                Box::new(atom(name.clone())),
                self.random.pick::<&str>(fields),
            ),
            _ => {
                let k = self.random.range(0, CELL - 1);
                Expr::Index(format!("{name}.f"), vec![atom(k.to_string())])
            }
        };
        let changed = self.value(1, to.ty.is_float());
        let changed = self.storable(changed, to.ty);
        Some(vec![
            Stmt::Declare {
                ty: to.spelt.to_owned(),
                name: name.clone(),
                value: Some(value),
            },
            set(member, changed.expr),
            set(target, atom(name)),
        ])
    }

    /// `(struct rgb_u8){a, .b = 3}`, of the elements of an array.
    fn literal(&mut self, array: &Array) -> Expr {
        let mut values = Vec::new();
        let (fields, open) = match &array.form {
            Form::Record(fields) => (fields.clone(), ""),
            _ => (vec![""; self.random.range(1, CELL) as usize], "{"),
        };
        let designated = self.random.percent(30);
        for field in fields {
            if designated && self.random.percent(30) {
                continue;
            }
            let value = self.value(1, array.ty.is_float());
            let value = self.storable(value, array.ty).expr;
            values.push(match designated && !field.is_empty() {
                true => format!(".{field} = {value}"),
                false => value.to_string(),
            });
        }
        let values = match values.is_empty() {
            true => "0".to_owned(),
            false => values.join(", "),
        };
        let close = if open.is_empty() { "" } else { "}" };
        atom(format!("({}){{{open}{values}{close}}}", array.spelt))
    }
}
