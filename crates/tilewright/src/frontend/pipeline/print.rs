//! A checked pipeline as a C function with one marked region: a nest of loops for each case of
//! each function, in the order in which they read each other.

use super::affine::constant;
use super::builder::{Combine, Definition, Field, Pipeline, Reduction, Role};
use super::check::Checked;
use super::expression::{Condition, Expr, Math, NodeKind, Test, Variable};
use super::nest::{Loop, Nest, depth_of};
use super::text::{Needs, Style};
use crate::scop::ScalarKind;
use crate::source::Span;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A loop with fewer iterations than this is not worth a team of threads of its own.
const FEW_ITERATIONS: i64 = 16;

/// C text, and where each function is in it.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    pub text: String,
    pub places: Vec<(Span, usize)>,
}

/// The C text of a pipeline.
pub(super) fn print(checked: &Checked) -> Printed {
    let needs = RefCell::new(Needs::default());
    let mut printer = Printer {
        pipeline: checked.pipeline,
        needs: &needs,
        out: String::new(),
    };
    let mut places = Vec::new();
    for &at in &checked.order {
        let start = printer.out.len();
        printer.function(at);
        places.push((Span::new(start, printer.out.len()), at));
    }
    let loops = std::mem::take(&mut printer.out);
    let (before, after) = printer.around(checked);
    let head = printer.head() + &before;
    for (span, _) in &mut places {
        *span = Span::new(span.start + head.len(), span.end + head.len());
    }
    Printed {
        text: format!("{head}{loops}{after}"),
        places,
    }
}

struct Printer<'a> {
    pipeline: &'a Pipeline,
    needs: &'a RefCell<Needs>,
    out: String,
}

impl Printer<'_> {
    fn expression(&self, expression: &Expr, kind: ScalarKind) -> String {
        self.pipeline.text(expression, kind, &Style::C(self.needs), 0)
    }

    /// Declarations and helpers in front of the function.
    fn head(&self) -> String {
        let needs = self.needs.borrow();
        let mut head = format!(
            "/* The pipeline `{}`, stage by stage. */\n\
             void *malloc(unsigned long);\nvoid free(void *);\n",
            self.pipeline.name
        );
        for declaration in &needs.library {
            let _ = writeln!(head, "{declaration}");
        }
        for (name, (function, kind)) in &needs.helpers {
            let ctype = kind.c_name();
            let (arguments, value) = match function {
                Math::Abs => (format!("{ctype} a"), "a < 0 ? -a : a"),
                Math::Max => (format!("{ctype} a, {ctype} b"), "a > b ? a : b"),
                _ => (format!("{ctype} a, {ctype} b"), "a < b ? a : b"),
            };
            let _ = write!(
                head,
                "\nstatic {ctype} {name}({arguments})\n{{\n    return {value};\n}}\n"
            );
        }
        head
    }

    /// What stands before and behind the loops: signature, memory, pragmas.
    fn around(&self, checked: &Checked) -> (String, String) {
        let pipeline = self.pipeline;
        let mut arguments: Vec<String> = pipeline
            .parameters
            .iter()
            .map(|p| format!("{} {}", p.kind.c_name(), p.name))
            .collect();
        for argument in pipeline.arrays() {
            let field = &pipeline.sources[argument];
            let constant = match field.role {
                Role::Image { .. } => "const ",
                Role::Function { .. } => "",
            };
            let extents = self.extents(field);
            let (first, rest) = (&extents[0], brackets(&extents[1..]));
            let ctype = field.kind.c_name();
            arguments.push(format!("{constant}{ctype} {}[restrict {first}]{rest}", field.name));
        }
        let head = format!("void {}(", pipeline.name);
        let blanks = " ".repeat(head.len());
        let mut before = format!("\n{head}{})\n{{\n", arguments.join(&format!(",\n{blanks}")));
        let mut freed = Vec::new();
        for &at in &checked.order {
            let field = &pipeline.sources[at];
            let Role::Function { output: false, .. } = field.role else {
                continue;
            };
            let extents = self.extents(field);
            let (ctype, name, inner) = (field.kind.c_name(), &field.name, brackets(&extents[1..]));
            let target = match extents.len() {
                1 => format!("*restrict {name}"),
                _ => format!("(*restrict {name}){inner}"),
            };
            let all = brackets(&extents);
            let _ = writeln!(before, "    {ctype} {target} = malloc(sizeof({ctype}{all}));");
            freed.push(name);
        }
        before += if freed.is_empty() { "" } else { "\n" };
        before += "#pragma scop\n";
        let mut after = "#pragma endscop\n".to_owned();
        for name in freed.iter().rev() {
            let _ = write!(after, "\n    free({name});");
        }
        after += if freed.is_empty() { "}\n" } else { "\n}\n" };
        (before, after)
    }

    fn extents(&self, field: &Field) -> Vec<String> {
        let extents = self.pipeline.extents(field);
        extents.iter().map(|e| self.expression(e, ScalarKind::F32)).collect()
    }

    fn function(&mut self, at: usize) {
        let field = &self.pipeline.sources[at];
        let Role::Function {
            variables,
            definition,
            ..
        } = &field.role
        else {
            return;
        };
        let domain: Vec<Loop> = variables
            .iter()
            .zip(&field.bounds)
            .map(|(&variable, (lower, upper))| Loop {
                variable,
                lower: self.pipeline.simple(lower),
                upper: self.pipeline.simple(upper),
                step: 1,
            })
            .collect();
        let cell: Vec<Expr> = variables.iter().map(|&v| v.into()).collect();
        match definition {
            Definition::Missing => {}
            Definition::Cases(cases) => {
                for (number, case) in cases.iter().enumerate() {
                    for nest in self.pipeline.nests(&domain, cases, number) {
                        let store = Store {
                            at,
                            combine: None,
                            cell: &cell,
                            value: &case.value,
                        };
                        self.nest(&nest, &[store], true);
                    }
                }
            }
            Definition::Reduction(reduction) => {
                let nest = Nest {
                    loops: domain,
                    guards: Vec::new(),
                };
                let store = Store {
                    at,
                    combine: None,
                    cell: &cell,
                    value: &reduction.initial,
                };
                self.nest(&nest, &[store], true);
                self.reduction(at, reduction);
            }
        }
    }

    fn reduction(&mut self, at: usize, reduction: &Reduction) {
        let loops = reduction.over.iter().map(|interval| Loop {
            variable: interval.variable,
            lower: self.pipeline.simple(&interval.lower),
            upper: self.pipeline.simple(&interval.upper),
            step: 1,
        });
        let nest = Nest {
            loops: loops.collect(),
            guards: Vec::new(),
        };
        let stores = reduction.updates.iter().map(|update| Store {
            at,
            combine: Some(update.combine),
            cell: &update.cell,
            value: &update.value,
        });
        let stores: Vec<Store> = stores.collect();
        // Different iterations of the outermost loop update different cells where its variable is
        // a subscript of all of them.
        let outer = nest.loops.first().map(|l| l.variable);
        let is_outer = |e: &Expr| match e.kind() {
            NodeKind::Variable(variable) => Some(*variable) == outer,
            _ => false,
        };
        let places = self.pipeline.sources[at].bounds.len();
        let parallel = (0..places).any(|d| stores.iter().all(|s| is_outer(&s.cell[d])));
        self.nest(&nest, &stores, parallel);
    }

    /// Prints loops around statements.
    fn nest(&mut self, nest: &Nest, stores: &[Store], parallel: bool) {
        let pipeline = self.pipeline;
        let mut known: BTreeMap<Variable, Expr> = BTreeMap::new();
        let mut indent = 1;
        let mut guards: Vec<(usize, &Condition)> =
            nest.guards.iter().map(|g| (depth_of(g, &nest.loops), g)).collect();
        guards.sort_by_key(|(depth, _)| *depth);
        let mut guards = guards.into_iter().peekable();
        let mut open_parallel = parallel;
        for (number, this) in nest.loops.iter().enumerate() {
            while let Some((_, guard)) = guards.next_if(|(depth, _)| *depth <= number) {
                let guard = replaced_in(guard, &known);
                let text = pipeline.condition(&guard, &Style::C(self.needs), 0);
                let _ = writeln!(self.out, "{}if ({text})", "    ".repeat(indent));
                indent += 1;
                open_parallel = false;
            }
            let count = pipeline.sum_of_difference(&this.upper, &this.lower);
            let count = count.and_then(|sum| sum.is_number());
            if count == Some(0) {
                known.insert(this.variable, this.lower.clone());
                continue;
            }
            let blanks = "    ".repeat(indent);
            if std::mem::take(&mut open_parallel) {
                let few = count.is_some_and(|n| n < FEW_ITERATIONS);
                let next = nest.loops.get(number + 1);
                let next_guarded = guards.peek().is_some_and(|(depth, _)| *depth <= number + 1);
                let collapse = match (few && !next_guarded, next) {
                    (true, Some(next)) if !mentions(&[&next.lower, &next.upper], this.variable) => {
                        " collapse(2)"
                    }
                    _ => "",
                };
                let single = next.is_some_and(|next| {
                    let count = pipeline.sum_of_difference(&next.upper, &next.lower);
                    count.and_then(|sum| sum.is_number()) == Some(0)
                });
                let collapse = if single { "" } else { collapse };
                let _ = writeln!(self.out, "{blanks}#pragma omp parallel for{collapse}");
            }
            let name = pipeline.name_of(this.variable);
            let lower = self.expression(&replaced(&this.lower, &known), ScalarKind::F32);
            let behind = pipeline.simple(&(&this.upper + 1));
            let upper = replaced(&this.upper, &known);
            let ends_below = matches!(
                this.upper.kind(),
                NodeKind::Binary(crate::scop::BinaryOp::Sub, _, one) if constant(one) == Some(1)
            ) || constant(&this.upper).is_some();
            let until = match ends_below {
                true => format!("{name} < {}", self.expression(&replaced(&behind, &known), ScalarKind::F32)),
                false => format!("{name} <= {}", self.expression(&upper, ScalarKind::F32)),
            };
            let next = match this.step {
                1 => format!("{name}++"),
                step => format!("{name} += {step}"),
            };
            let _ = writeln!(self.out, "{blanks}for (int {name} = {lower}; {until}; {next})");
            indent += 1;
        }
        for (_, guard) in guards {
            let guard = replaced_in(guard, &known);
            let text = pipeline.condition(&guard, &Style::C(self.needs), 0);
            let _ = writeln!(self.out, "{}if ({text})", "    ".repeat(indent));
            indent += 1;
        }
        let several = stores.len() > 1;
        if several {
            let _ = writeln!(self.out, "{}{{", "    ".repeat(indent - 1));
        }
        for store in stores {
            let text = self.statement(store, &known);
            let _ = writeln!(self.out, "{}{text}", "    ".repeat(indent));
        }
        if several {
            let _ = writeln!(self.out, "{}}}", "    ".repeat(indent - 1));
        }
        self.out.push('\n');
    }

    fn statement(&self, store: &Store, known: &BTreeMap<Variable, Expr>) -> String {
        let field = &self.pipeline.sources[store.at];
        let cell: Vec<Expr> = store.cell.iter().map(|e| replaced(e, known)).collect();
        let place = self.pipeline.subscripts(store.at, &cell, &Style::C(self.needs));
        let place = format!("{}{place}", field.name);
        let value = replaced(store.value, known);
        let text = self.expression(&value, field.kind);
        let function = match store.combine {
            None => return format!("{place} = {text};"),
            Some(Combine::Sum) => return format!("{place} += {text};"),
            Some(Combine::Min) => Math::Min,
            Some(Combine::Max) => Math::Max,
        };
        let source = self.pipeline.source(&field.name);
        let old = Expr::new(NodeKind::Read(source, cell));
        let both = Expr::new(NodeKind::Math(function, vec![old, value]));
        format!("{place} = {};", self.expression(&both, field.kind))
    }
}

/// One statement: a value into a cell.
struct Store<'a> {
    at: usize,
    /// `None`: replaces what the cell held.
    combine: Option<Combine>,
    cell: &'a [Expr],
    value: &'a Expr,
}

impl Pipeline {
    /// Outputs, then images: the arrays among the arguments.
    pub(super) fn arrays(&self) -> Vec<usize> {
        let is_output = |at: &usize| {
            matches!(self.sources[*at].role, Role::Function { output: true, .. })
        };
        let is_image = |at: &usize| matches!(self.sources[*at].role, Role::Image { .. });
        let all = 0..self.sources.len();
        all.clone().filter(is_output).chain(all.filter(is_image)).collect()
    }

    /// How many cells a field has in each dimension.
    pub(super) fn extents(&self, field: &Field) -> Vec<Expr> {
        let extent = |(lower, upper): &(Expr, Expr)| self.difference(&(upper + 1), lower);
        field.bounds.iter().map(extent).collect()
    }
}

fn brackets(extents: &[String]) -> String {
    extents.iter().map(|e| format!("[{e}]")).collect()
}

fn mentions(expressions: &[&Expr], variable: Variable) -> bool {
    let mut found = false;
    for expression in expressions {
        super::check::walk(expression, &mut |e| {
            found |= matches!(e.kind(), NodeKind::Variable(v) if *v == variable);
        });
    }
    found
}

/// An expression with the values of some variables in their place.
fn replaced(expression: &Expr, known: &BTreeMap<Variable, Expr>) -> Expr {
    if known.is_empty() {
        return expression.clone();
    }
    let all = |parts: &[Expr]| parts.iter().map(|e| replaced(e, known)).collect();
    match expression.kind() {
        NodeKind::Int(_) | NodeKind::Float(..) | NodeKind::Parameter(_) | NodeKind::TooLarge => {
            expression.clone()
        }
        NodeKind::Variable(variable) => known.get(variable).unwrap_or(expression).clone(),
        NodeKind::Read(source, parts) => Expr::new(NodeKind::Read(*source, all(parts))),
        NodeKind::Math(function, parts) => Expr::new(NodeKind::Math(*function, all(parts))),
        NodeKind::Unary(operator, a) => Expr::new(NodeKind::Unary(*operator, replaced(a, known))),
        NodeKind::Cast(kind, a) => Expr::new(NodeKind::Cast(*kind, replaced(a, known))),
        NodeKind::Binary(operator, a, b) => Expr::new(NodeKind::Binary(
            *operator,
            replaced(a, known),
            replaced(b, known),
        )),
        NodeKind::Select(condition, a, b) => Expr::new(NodeKind::Select(
            replaced_in(condition, known),
            replaced(a, known),
            replaced(b, known),
        )),
    }
}

fn replaced_in(condition: &Condition, known: &BTreeMap<Variable, Expr>) -> Condition {
    match condition.test() {
        Test::Compare(operator, a, b) => {
            Condition::new(Test::Compare(*operator, replaced(a, known), replaced(b, known)))
        }
        Test::And(a, b) => Condition::new(Test::And(replaced_in(a, known), replaced_in(b, known))),
        Test::Or(a, b) => Condition::new(Test::Or(replaced_in(a, known), replaced_in(b, known))),
        Test::Not(a) => Condition::new(Test::Not(replaced_in(a, known))),
        Test::TooLarge => condition.clone(),
    }
}
