//! A checked pipeline as a C function with one marked region: a nest of loops for each case of
//! each function, in the order in which they read each other.

use super::affine::constant;
use super::builder::{Combine, Definition, Field, Pipeline, Reduction, Role};
use super::expression::{Condition, Expr, Math, NodeKind, Variable};
use super::nest::{Loop, Nest, depth_of};
use super::text::{Locals, Needs, Style};
use crate::frontend::pipeline::checks::check::Checked;
use crate::frontend::pipeline::values::kinds::Kind;
use crate::frontend::pipeline::values::replace::Replacer;
use crate::scop::{BinaryOp, ScalarKind};
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
        invariants: Vec::new(),
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
    /// What is computed once, in front of all loops: type and text. Its name is
    /// `pipeline_constant_` and its number.
    invariants: Vec<(ScalarKind, String)>,
    out: String,
}

impl Printer<'_> {
    fn expression(&self, expression: &Expr, kind: ScalarKind) -> String {
        self.pipeline
            .text(expression, kind, &Style::C(self.needs, &Locals::new()), 0)
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
                Math::Lerp => (
                    format!("{ctype} a, {ctype} b, {ctype} weight"),
                    "a + weight * (b - a)",
                ),
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
            arguments.push(format!(
                "{constant}{ctype} {}[restrict {first}]{rest}",
                field.name
            ));
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
            let _ = writeln!(
                before,
                "    {ctype} {target} = malloc(sizeof({ctype}{all}));"
            );
            freed.push(name);
        }
        for (number, (kind, text)) in self.invariants.iter().enumerate() {
            let ctype = kind.c_name();
            let _ = writeln!(before, "    {ctype} pipeline_constant_{number} = {text};");
        }
        let plain = freed.is_empty() && self.invariants.is_empty();
        before += if plain { "" } else { "\n" };
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
        extents
            .iter()
            .map(|e| self.expression(e, ScalarKind::F32))
            .collect()
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
        let store = |values: &BTreeMap<Variable, Expr>, value| Store {
            at,
            values: values.clone(),
            combine: None,
            cell: &cell,
            value,
        };
        match definition {
            Definition::Missing => {}
            Definition::Cases(cases) => {
                // Cases in the same loops, one behind the other, share them.
                let mut open: Option<(Nest, Vec<Store>)> = None;
                for (number, case) in cases.iter().enumerate() {
                    for nest in self.pipeline.nests(&domain, cases, number) {
                        let one = store(&nest.values, &case.value);
                        match &mut open {
                            Some((known, stores)) if self.pipeline.same_loops(known, &nest) => {
                                stores.push(one);
                            }
                            _ => {
                                if let Some((nest, stores)) = open.replace((nest, vec![one])) {
                                    self.nest(&nest, &stores, true);
                                }
                            }
                        }
                    }
                }
                if let Some((nest, stores)) = open {
                    self.nest(&nest, &stores, true);
                }
            }
            Definition::Reduction(reduction) => {
                let nest = Nest::new(self.pipeline, domain);
                let one = store(&nest.values, &reduction.initial);
                self.nest(&nest, &[one], true);
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
            ..Nest::default()
        };
        let stores: Vec<Store> = reduction
            .updates
            .iter()
            .map(|update| Store {
                at,
                values: BTreeMap::new(),
                combine: Some(update.combine),
                cell: &update.cell,
                value: &update.value,
            })
            .collect();
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
        let mut indent = 1;
        let mut guards: Vec<(usize, Condition)> = Vec::new();
        for guard in &nest.guards {
            let guard = Replacer::new(pipeline, &nest.values, &nest.loops).condition(guard);
            guards.push((depth_of(&guard, &nest.loops), guard));
        }
        guards.sort_by_key(|(depth, _)| *depth);
        let mut open_parallel = parallel;
        for (number, this) in nest.loops.iter().enumerate() {
            while guards.first().is_some_and(|(depth, _)| *depth <= number) {
                let (_, guard) = guards.remove(0);
                self.guard(&guard, &mut indent);
                open_parallel = false;
            }
            let blanks = "    ".repeat(indent);
            if std::mem::take(&mut open_parallel) {
                let count = pipeline.number_of_difference(&this.upper, &this.lower);
                let few = count.is_some_and(|n| n < FEW_ITERATIONS);
                let guarded = guards.iter().any(|(depth, _)| *depth <= number + 1);
                let collapse = match nest.loops.get(number + 1) {
                    Some(next)
                        if few
                            && !guarded
                            && !mentions(&[&next.lower, &next.upper], this.variable) =>
                    {
                        " collapse(2)"
                    }
                    _ => "",
                };
                let _ = writeln!(self.out, "{blanks}#pragma omp parallel for{collapse}");
            }
            let name = pipeline.name_of(this.variable);
            let lower = self.expression(&this.lower, ScalarKind::F32);
            let ends_below = matches!(
                this.upper.kind(),
                NodeKind::Binary(BinaryOp::Sub, _, one) if constant(one) == Some(1)
            ) || constant(&this.upper).is_some();
            let behind = pipeline.simple(&(&this.upper + 1));
            let until = if ends_below {
                format!("{name} < {}", self.expression(&behind, ScalarKind::F32))
            } else {
                format!(
                    "{name} <= {}",
                    self.expression(&this.upper, ScalarKind::F32)
                )
            };
            let next = match this.step {
                1 => format!("{name}++"),
                step => format!("{name} += {step}"),
            };
            let _ = writeln!(
                self.out,
                "{blanks}for (int {name} = {lower}; {until}; {next})"
            );
            indent += 1;
        }
        for (_, guard) in guards {
            self.guard(&guard, &mut indent);
        }
        let mut lines = Vec::new();
        let mut shared = 0;
        for store in stores {
            self.statement(store, &nest.loops, &mut shared, &mut lines);
        }
        let several = lines.len() > 1;
        // A block of its own, where no loop is around it.
        indent += usize::from(several && indent == 1);
        if several {
            let _ = writeln!(self.out, "{}{{", "    ".repeat(indent - 1));
        }
        for line in lines {
            let _ = writeln!(self.out, "{}{line}", "    ".repeat(indent));
        }
        if several {
            let _ = writeln!(self.out, "{}}}", "    ".repeat(indent - 1));
        }
        self.out.push('\n');
    }

    fn guard(&mut self, guard: &Condition, indent: &mut usize) {
        let none = Locals::new();
        let text = self
            .pipeline
            .condition(guard, &Style::C(self.needs, &none), 0);
        let _ = writeln!(self.out, "{}if ({text})", "    ".repeat(*indent));
        *indent += 1;
    }

    /// The variable for a value that is the same for all cells.
    fn invariant(&mut self, expression: &Expr) -> String {
        let pipeline = self.pipeline;
        let kind = pipeline
            .kind_of(expression)
            .map_or(ScalarKind::F32, Kind::or_float);
        let one = (kind, self.expression(expression, kind));
        let known = self.invariants.iter().position(|other| *other == one);
        let number = known.unwrap_or_else(|| {
            self.invariants.push(one);
            self.invariants.len() - 1
        });
        format!("pipeline_constant_{number}")
    }

    /// A statement, behind variables for what it computes more than once.
    fn statement(
        &mut self,
        store: &Store,
        loops: &[Loop],
        shared: &mut usize,
        lines: &mut Vec<String>,
    ) {
        let pipeline = self.pipeline;
        let field = &pipeline.sources[store.at];
        let mut replacer = Replacer::new(pipeline, &store.values, loops);
        let cell: Vec<Expr> = store.cell.iter().map(|e| replacer.expression(e)).collect();
        let value = replacer.expression(store.value);
        let mut locals = Locals::new();
        for expression in pipeline.invariants(&value) {
            locals.insert(expression.address(), self.invariant(&expression));
        }
        for expression in pipeline.shared(&value) {
            let kind = pipeline
                .kind_of(&expression)
                .map_or(ScalarKind::F32, Kind::or_float);
            let text = pipeline.text(&expression, kind, &Style::C(self.needs, &locals), 0);
            let name = format!("pipeline_{shared}");
            *shared += 1;
            lines.push(format!("{} {name} = {text};", kind.c_name()));
            locals.insert(expression.address(), name);
        }
        let style = Style::C(self.needs, &locals);
        let place = pipeline.subscripts(store.at, &cell, &style);
        let place = format!("{}{place}", field.name);
        let text = pipeline.text(&value, field.kind, &style, 0);
        let function = match store.combine {
            None => return lines.push(format!("{place} = {text};")),
            Some(Combine::Sum) => return lines.push(format!("{place} += {text};")),
            Some(Combine::Min) => Math::Min,
            Some(Combine::Max) => Math::Max,
        };
        let source = pipeline.source(&field.name);
        let old = Expr::new(NodeKind::Read(source, cell));
        let both = Expr::new(NodeKind::Math(function, vec![old, value]));
        lines.push(format!(
            "{place} = {};",
            pipeline.text(&both, field.kind, &style, 0)
        ));
    }
}

/// One statement: a value into a cell.
struct Store<'a> {
    at: usize,
    /// What stands for variables in it.
    values: BTreeMap<Variable, Expr>,
    /// `None`: replaces what the cell held.
    combine: Option<Combine>,
    cell: &'a [Expr],
    value: &'a Expr,
}

impl Pipeline {
    /// Outputs, then images: the arrays among the arguments.
    pub(super) fn arrays(&self) -> Vec<usize> {
        let is_output =
            |at: &usize| matches!(self.sources[*at].role, Role::Function { output: true, .. });
        let is_image = |at: &usize| matches!(self.sources[*at].role, Role::Image { .. });
        let all = 0..self.sources.len();
        all.clone()
            .filter(is_output)
            .chain(all.filter(is_image))
            .collect()
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
        crate::frontend::pipeline::checks::check::walk(expression, &mut |e| {
            found |= matches!(e.kind(), NodeKind::Variable(v) if *v == variable);
        });
    }
    found
}
