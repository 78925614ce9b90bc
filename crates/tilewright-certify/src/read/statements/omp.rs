//! OpenMP's constructs that the printers use, and their near relatives.

use crate::arith::Cond;
use crate::program::{Op, Share, SharedLoop};
use crate::read::{Reader, Res};
use crate::text::Pragma;
use crate::types::{LONG, Type};
use lang_c::ast::{
    BinaryOperator, BlockItem, Expression, ForInitializer, ForStatement, Initializer, Statement,
    UnaryOperator,
};
use lang_c::span::Node;

/// What a pragma says.
#[derive(Debug, Default)]
pub(crate) struct Directive {
    pub names: Vec<String>,
    pub clauses: Vec<(String, String)>,
}

impl Directive {
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    pub(super) fn clause(&self, name: &str) -> Option<&str> {
        let mut found = self.clauses.iter().filter(|(n, _)| n == name);
        found.next().map(|(_, text)| text.as_str())
    }

    /// Names that a clause lists, with what stands before a colon in it.
    pub(super) fn lists(&self, name: &str) -> Vec<(String, String)> {
        let clauses = self.clauses.iter().filter(|(n, _)| n == name);
        let mut all = Vec::new();
        for (_, text) in clauses {
            let (before, names) = text.split_once(':').unwrap_or(("", text));
            for one in names.split(',') {
                all.push((before.trim().to_owned(), one.trim().to_owned()));
            }
        }
        all
    }
}

const NAMES: [&str; 9] = [
    "parallel", "for", "simd", "single", "master", "critical", "atomic", "masked", "sections",
];

/// Splits a pragma into its directives and clauses.
pub(crate) fn directive(words: &str) -> Directive {
    let mut found = Directive::default();
    let mut rest = words.trim();
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        if end == 0 {
            let skip = rest.chars().next().map_or(1, char::len_utf8);
            rest = rest[skip..].trim_start();
            continue;
        }
        let word = rest[..end].to_owned();
        rest = rest[end..].trim_start();
        let mut text = String::new();
        if rest.starts_with('(') {
            let mut depth = 0;
            let mut close = rest.len();
            for (at, c) in rest.char_indices() {
                depth += match c {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                if depth == 0 {
                    close = at;
                    break;
                }
            }
            text = rest[1..close].trim().to_owned();
            rest = rest.get(close + 1..).unwrap_or("").trim_start();
        }
        if NAMES.contains(&word.as_str()) && found.clauses.is_empty() {
            found.names.push(word)
        } else {
            found.clauses.push((word, text))
        }
    }
    found
}

impl<'a> Reader<'a> {
    /// A statement with pragmas in front.
    pub(crate) fn annotated(&mut self, node: &'a Node<Statement>, pragmas: &[Pragma]) -> Res<()> {
        let Some((first, rest)) = pragmas.split_first() else {
            return self.plain(node);
        };
        if first.words.starts_with("pencil") {
            // A promise of the programmer's: on what breaks it the text is undefined.
            return match &node.node {
                Statement::For(each) if rest.is_empty() => self.for_loop(&each.node, true),
                _ => self.annotated(node, rest),
            };
        }
        let row = self.prepared.row(first.at) as u32;
        let line = std::mem::replace(&mut self.position.line, row);
        let what = directive(&first.words);
        let known = [
            "private",
            "firstprivate",
            "shared",
            "reduction",
            "schedule",
            "collapse",
            "nowait",
            "num_threads",
            "default",
            "if",
            "proc_bind",
            "safelen",
            "simdlen",
            "aligned",
            "update",
            "relaxed",
            "seq_cst",
            "nontemporal",
            "hint",
        ];
        let strange = what
            .clauses
            .iter()
            .find(|(n, _)| !known.contains(&n.as_str()));
        if let Some((name, _)) = strange {
            return self.problem(format!("`{name}` in `#pragma omp {}`", first.words));
        }
        if what.names.is_empty() || what.has("sections") {
            return self.problem(format!("`#pragma omp {}`", first.words));
        }
        if what.has("parallel") {
            return self.parallel(node, rest, &what);
        }
        if what.has("for") {
            return self.share(node, &what, true);
        }
        self.position.line = line;
        if what.has("simd") {
            let Statement::For(each) = &node.node else {
                return self.problem("`simd` without a loop");
            };
            return self.private(&what, |reader| {
                reader.fun.jumps.closed.push((
                    reader.fun.jumps.breaks.len(),
                    reader.fun.jumps.continues.len(),
                ));
                let done = reader.for_loop(&each.node, true);
                reader.fun.jumps.closed.pop();
                done
            });
        }
        if what.has("atomic") || what.has("critical") {
            self.mark();
            self.emit(Op::Atomic { on: true });
            self.annotated(node, rest)?;
            self.emit(Op::Atomic { on: false });
            return Ok(());
        }
        // `single`, `master`, `masked`
        self.mark();
        let others = self.emit(Op::Single { to: 0 });
        self.close_mark();
        self.annotated(node, rest)?;
        self.close_mark();
        self.land(others);
        if what.has("single") && what.clause("nowait").is_none() {
            self.emit(Op::Barrier);
        }
        Ok(())
    }

    fn parallel(
        &mut self,
        node: &'a Node<Statement>,
        rest: &[Pragma],
        what: &Directive,
    ) -> Res<()> {
        self.mark();
        let begin = self.emit(Op::Parallel { end: 0 });
        self.close_mark();
        self.here();
        self.fun.parallel += 1;
        self.fun
            .jumps
            .closed
            .push((self.fun.jumps.breaks.len(), self.fun.jumps.continues.len()));
        let done = if what.has("for") {
            self.share(node, what, false)
        } else {
            self.private(what, |reader| reader.annotated(node, rest))
        };
        done?;
        self.fun.jumps.closed.pop();
        self.fun.parallel -= 1;
        self.close_mark();
        self.emit(Op::ParallelEnd);
        self.land(begin);
        Ok(())
    }

    /// A worksharing loop, with a barrier behind it or without.
    fn share(&mut self, node: &'a Node<Statement>, what: &Directive, barrier: bool) -> Res<()> {
        let depth = match what.clause("collapse").map(str::parse::<usize>) {
            None => 1,
            Some(Ok(depth)) if (1..=8).contains(&depth) => depth,
            Some(_) => return self.problem("the number of loops in `collapse`"),
        };
        self.private(what, |reader| {
            reader.mark();
            let mut loops = Vec::new();
            let mut body = node;
            // Bounds first: they do not depend on the loops' variables.
            let mut names = Vec::new();
            for _ in 0..depth {
                while let Statement::Compound(items) = &body.node {
                    let [item] = &items[..] else {
                        return reader.problem("loops that are not perfectly nested");
                    };
                    let BlockItem::Statement(inner) = &item.node else {
                        return reader.problem("loops that are not perfectly nested");
                    };
                    body = inner;
                }
                let Statement::For(each) = &body.node else {
                    return reader.problem("a worksharing construct without a loop");
                };
                let (name, ty, one) = reader.canonical(&each.node)?;
                names.push((name, ty));
                loops.push(one);
                body = &each.node.statement;
            }
            for (one, (name, ty)) in loops.iter_mut().zip(&names) {
                one.variable = reader.variable(name, ty)?;
            }
            let share = reader.program.shares.len() as u32;
            reader.program.shares.push(Share {
                loops,
                body: 0,
                end: 0,
            });
            reader.emit(Op::Share { share });
            reader.close_mark();
            let begin = reader.here();
            reader.fun.jumps.closed.push((
                reader.fun.jumps.breaks.len(),
                reader.fun.jumps.continues.len(),
            ));
            reader.fun.jumps.continues.push(Vec::new());
            let limit = reader.fun.jumps.continues.len() - 1;
            if let Some(closed) = reader.fun.jumps.closed.last_mut() {
                closed.1 = limit;
            }
            reader.statement(body)?;
            reader.fun.jumps.closed.pop();
            reader.close_mark();
            let continues = reader.fun.jumps.continues.pop().unwrap_or_default();
            continues.into_iter().for_each(|jump| reader.land(jump));
            reader.mark();
            reader.emit(Op::ShareNext);
            reader.close_mark();
            let end = reader.here();
            let share = &mut reader.program.shares[share as usize];
            (share.body, share.end) = (begin, end);
            Ok(())
        })?;
        if barrier && what.clause("nowait").is_none() {
            self.emit(Op::Barrier);
            self.here();
        }
        Ok(())
    }

    /// A loop in OpenMP's canonical form: first value, number of iterations, step.
    fn canonical(&mut self, each: &'a ForStatement) -> Res<(String, Type, SharedLoop)> {
        let strange = "a parallel loop that is not in canonical form";
        let (name, ty, first) = match &each.initializer.node {
            ForInitializer::Declaration(declaration) => {
                let (base, _) = self.specifiers(&declaration.node.specifiers)?;
                let [one] = &declaration.node.declarators[..] else {
                    return self.problem(strange);
                };
                let declarator = &one.node.declarator.node;
                let ty = self.declarator(declarator, base)?;
                let name = crate::read::declare::name_of(declarator)
                    .unwrap_or("")
                    .to_owned();
                match one.node.initializer.as_ref().map(|i| &i.node) {
                    Some(Initializer::Expression(e)) => (name, ty, &**e),
                    _ => return self.problem(strange),
                }
            }
            ForInitializer::Expression(e) => match &e.node {
                Expression::BinaryOperator(binary)
                    if binary.node.operator.node == BinaryOperator::Assign =>
                {
                    let Expression::Identifier(name) = &binary.node.lhs.node else {
                        return self.problem(strange);
                    };
                    let name = name.node.name.clone();
                    let ty = self.outer(&name)?.1;
                    (name, ty, &*binary.node.rhs)
                }
                _ => return self.problem(strange),
            },
            _ => return self.problem(strange),
        };
        let Some(kind) = ty.kind().filter(|k| !k.is_float() && !ty.is_pointer()) else {
            return self.problem(strange);
        };
        let is_variable = |e: &Expression| match e {
            Expression::Identifier(n) => n.node.name == name,
            _ => false,
        };
        let first = self.held(first)?;
        let Some(Expression::BinaryOperator(condition)) = each.condition.as_ref().map(|c| &c.node)
        else {
            return self.problem(strange);
        };
        let condition = &condition.node;
        let mut cond = match crate::read::expressions::ops::cond_of(&condition.operator.node) {
            Some(cond) if cond != Cond::Eq => cond,
            _ => return self.problem(strange),
        };
        let bound = if is_variable(&condition.lhs.node) {
            &condition.rhs
        } else if is_variable(&condition.rhs.node) {
            cond = match cond {
                Cond::Lt => Cond::Gt,
                Cond::Le => Cond::Ge,
                Cond::Gt => Cond::Lt,
                Cond::Ge => Cond::Le,
                other => other,
            };
            &condition.lhs
        } else {
            return self.problem(strange);
        };
        let bound = self.held(bound)?;
        let step = self.temp()?;
        let by = match each.step.as_ref().map(|s| &s.node) {
            Some(Expression::UnaryOperator(unary)) if is_variable(&unary.node.operand.node) => {
                match unary.node.operator.node {
                    UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => Some((None, 1)),
                    UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => Some((None, -1)),
                    _ => None,
                }
            }
            Some(Expression::BinaryOperator(binary)) if is_variable(&binary.node.lhs.node) => {
                let rhs = &binary.node.rhs;
                match (&binary.node.operator.node, &rhs.node) {
                    (BinaryOperator::AssignPlus, _) => Some((Some(&**rhs), 1)),
                    (BinaryOperator::AssignMinus, _) => Some((Some(&**rhs), -1)),
                    (BinaryOperator::Assign, Expression::BinaryOperator(sum))
                        if is_variable(&sum.node.lhs.node) =>
                    {
                        match sum.node.operator.node {
                            BinaryOperator::Plus => Some((Some(&*sum.node.rhs), 1)),
                            BinaryOperator::Minus => Some((Some(&*sum.node.rhs), -1)),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((by, sign)) = by else {
            return self.problem(strange);
        };
        let top = self.fun.frame.top;
        let mut value = match by {
            Some(e) => self.expr(e)?,
            None => crate::read::expressions::values::Val::int(1),
        };
        if sign < 0 {
            value = self.negate(value)?;
        }
        let value = self.convert(value, &LONG)?;
        self.assign_reg(step, &value, top)?;
        self.fun.frame.top = top;
        let count = self.temp()?;
        self.emit(Op::Count {
            cond,
            d: count,
            first,
            bound,
        });
        let one = SharedLoop {
            variable: 0,
            first,
            count,
            step,
            kind,
        };
        Ok((name, ty, one))
    }
}
