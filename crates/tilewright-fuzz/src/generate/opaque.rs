//! Statements that no region is modelled with, among those of a region: what is around them has to be
//! as it was, and what is beside them may be regions of their own.

use super::Generator;
use crate::tree::{Expr, Stmt};

impl Generator {
    /// Puts one or two into the statements of a region, at any depth.
    pub(super) fn opaque(&mut self, statements: &mut Vec<Stmt>) {
        for _ in 0..self.random.range(1, 2) {
            self.opaque_in(statements);
        }
    }

    fn opaque_in(&mut self, statements: &mut Vec<Stmt>) {
        let inside: Vec<&mut Vec<Stmt>> = statements
            .iter_mut()
            .flat_map(|statement| match statement {
                Stmt::If { then, .. } => vec![then],
                Stmt::For(of) => vec![&mut of.body],
                Stmt::While { body, .. } => vec![body],
                _ => Vec::new(),
            })
            .collect();
        let count = inside.len();
        if count > 0 && self.random.percent(55) {
            let one = self.random.below(count);
            if let Some(list) = inside.into_iter().nth(one) {
                return self.opaque_in(list);
            }
        }
        let at = self.random.below(statements.len() + 1);
        let text = match self.random.below(4) {
            0 => "__asm__ volatile(\"\" ::: \"memory\");".to_owned(),
            1 => {
                self.marks();
                let size = self.random.below(self.visible.sizes.len());
                let size = self.visible.sizes[size].name.clone();
                format!("switch ({size} & 3) {{ case 0: marked(1); break; case 2: marked(5); }}")
            }
            2 => {
                let whole: Vec<_> = self
                    .visible
                    .scalars
                    .iter()
                    .filter(|s| !s.ty.is_float())
                    .collect();
                let name = self.random.pick(&whole).name.clone();
                self.marks();
                format!("if ({name} > 3) marked((int)({name} & 7));")
            }
            _ => {
                self.marks();
                "marked(1);".to_owned()
            }
        };
        statements.insert(at, Stmt::Raw(text));
    }

    /// A function that remembers its calls, and is not put in their place; what it remembers comes out.
    fn marks(&mut self) {
        self.at_top("static unsigned g_marked;");
        let marked = "static void marked(int k) { g_marked = g_marked * 31 + k; if (k > 99) marked(k - 1); }";
        self.at_top(marked);
        let out = Stmt::Set {
            target: Expr::Index("out".to_owned(), vec![Expr::atom("7")]),
            op: "=",
            value: Expr::atom("g_marked"),
        };
        if !self.behind.contains(&out) {
            self.behind.push(out);
            // It is called several times.
            self.behind.push(Stmt::Raw("g_marked = 0;".to_owned()));
        }
    }
}
