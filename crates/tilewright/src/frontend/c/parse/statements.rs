//! Statements and the declarations in them.
//!
//! What is not represented stays visible: a `switch` that is no chain of `if`, `do`, labels and `asm` become a block of
//! [`StmtKind::Unsupported`] followed by the statements and expressions under them.

use super::super::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, Symbol, Type};
use super::binder::{Binder, Binding, Qualified, Tag};
use super::inner::behind;
use super::{constant, tables};
use crate::frontend::c::parse::text::outline;
use crate::frontend::c::parse::text::regions::Marked;
use lang_c::ast::{self, BlockItem, Declaration, Expression, ForInitializer, Label, Statement};
use lang_c::span::Node;

type Place = lang_c::span::Span;

impl Binder<'_> {
    /// A statement; `None` for what leaves nothing (a declaration of a type).
    pub fn statement(&mut self, node: &Node<Statement>) -> Option<Stmt> {
        let span = self.span(node.span);
        let mut front = Vec::new();
        let kind = match &node.node {
            Statement::Compound(items) => StmtKind::Block(self.block(items, node.span)),
            Statement::Expression(Some(expression)) => self.evaluated(expression, &mut front),
            Statement::Expression(None) => StmtKind::Empty,
            Statement::If(statement) => {
                let statement = &statement.node;
                let condition = self.full(&statement.condition, &mut front);
                let condition = self.truth(condition);
                let then = self.body(&statement.then_statement, statement.condition.span.end);
                let otherwise = statement
                    .else_statement
                    .as_ref()
                    .map(|e| Box::new(self.body(e, statement.then_statement.span.end)));
                StmtKind::If {
                    condition,
                    then: Box::new(then),
                    otherwise,
                }
            }
            Statement::While(statement) => {
                let condition = self.expression(&statement.node.expression);
                let condition = self.truth(condition);
                let body = self.body(
                    &statement.node.statement,
                    statement.node.expression.span.end,
                );
                StmtKind::While {
                    condition,
                    body: Box::new(body),
                }
            }
            Statement::For(statement) => self.for_loop(&statement.node, &mut front),
            Statement::Return(value) => {
                StmtKind::Return(value.as_ref().map(|v| self.full(v, &mut front)))
            }
            Statement::Goto(label) => {
                self.names.labels.name(span, &label.node.name);
                StmtKind::Unsupported("goto")
            }
            Statement::Continue => StmtKind::Unsupported("continue"),
            Statement::Break => StmtKind::Unsupported("break"),
            Statement::Labeled(labeled) => {
                let what = word(&labeled.node.label.node);
                if let Label::Identifier(label) = &labeled.node.label.node {
                    self.names.labels.name(span, &label.node.name);
                }
                let inner = self.body(&labeled.node.statement, labeled.node.label.span.end);
                self.exposed(what, node.span, vec![inner])
            }
            Statement::Switch(switch) => match self.switch(&switch.node, node.span) {
                Some(kind) => kind,
                None => {
                    let value = self.expression_statement(&switch.node.expression);
                    let inner = self.body(&switch.node.statement, switch.node.expression.span.end);
                    self.exposed("switch", node.span, vec![value, inner])
                }
            },
            Statement::DoWhile(statement) => {
                let inner = self.body(&statement.node.statement, node.span.start);
                let value = self.expression_statement(&statement.node.expression);
                // How macros make one statement of several.
                let once = match &value.kind {
                    StmtKind::Expression(value) => constant::value(value) == Some(0),
                    _ => false,
                };
                match once && !leaves(&inner) {
                    true => inner.kind,
                    false => self.exposed("do", node.span, vec![inner, value]),
                }
            }
            Statement::Asm(asm) if is_hint(&asm.node) => StmtKind::Empty,
            Statement::Asm(asm) => {
                let span = self.span(node.span);
                let unknown = Expr {
                    kind: ExprKind::Unsupported("asm"),
                    span,
                };
                // It may write any memory.
                let mut operands = vec![Stmt {
                    kind: StmtKind::Expression(unknown),
                    span,
                }];
                if let ast::AsmStatement::GnuExtended(extended) = &asm.node {
                    for operand in &extended.inputs {
                        operands.push(self.expression_statement(&operand.node.variable_name));
                    }
                    // Some of them are read as well.
                    for operand in &extended.outputs {
                        let place = self.expression(&operand.node.variable_name);
                        let value = Box::new(place.clone());
                        let kind = ExprKind::Assign(None, Box::new(place), value);
                        operands.push(Stmt {
                            kind: StmtKind::Expression(Expr { kind, span }),
                            span,
                        });
                    }
                }
                self.exposed("asm", node.span, operands)
            }
        };
        Some(behind(front, Stmt { kind, span }))
    }

    /// An expression whose value nobody uses; what it does before goes to `front`. What [`assert`]
    /// becomes is a branch: `(c) ? (void)0 : fail(…)`, or with a statement in parentheses behind what
    /// only has a type.
    ///
    /// [`assert`]: https://en.cppreference.com/w/c/error/assert
    pub(super) fn evaluated(&mut self, node: &Node<Expression>, front: &mut Vec<Stmt>) -> StmtKind {
        match &node.node {
            Expression::Statement(statement) => match self.statement(statement) {
                Some(stmt) => stmt.kind,
                None => StmtKind::Empty,
            },
            Expression::Comma(parts) => match parts.split_last() {
                Some((last, before)) if before.iter().all(has_only_a_type) => {
                    self.evaluated(last, front)
                }
                _ => StmtKind::Expression(super::parts::without_value(self.full(node, front))),
            },
            Expression::Conditional(choice) => {
                let choice = &choice.node;
                let condition = self.full(&choice.condition, front);
                let condition = self.truth(condition);
                let mut branch = |node: &Node<Expression>| {
                    let mut front = Vec::new();
                    let kind = self.evaluated(node, &mut front);
                    let span = self.span(node.span);
                    behind(front, Stmt { kind, span })
                };
                let then = Box::new(branch(&choice.then_expression));
                let otherwise = Box::new(branch(&choice.else_expression));
                StmtKind::If {
                    condition,
                    then,
                    otherwise: Some(otherwise),
                }
            }
            Expression::Cast(cast) if is_nothing(&cast.node.expression) => StmtKind::Empty,
            _ => {
                let expression = super::parts::without_value(self.full(node, front));
                if let Some(choice) = self.chosen(node, &expression) {
                    return choice;
                }
                match &expression.kind {
                    // Nothing is read for it that somebody would have to keep.
                    ExprKind::Call(name, arguments)
                        if self.never_returns(name) && arguments.iter().all(is_fixed) =>
                    {
                        StmtKind::Exit(name.clone())
                    }
                    _ => StmtKind::Expression(expression),
                }
            }
        }
    }

    /// Whether a function ends the program, or is said not to come back.
    fn never_returns(&self, name: &str) -> bool {
        const KNOWN: [&str; 10] = [
            "abort",
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "__assert_fail",
            "__assert_rtn",
            "__builtin_abort",
            "__builtin_trap",
            "__builtin_unreachable",
        ];
        let said = self
            .declared
            .iter()
            .any(|d| d.name == name && d.is_noreturn);
        said || KNOWN.contains(&name)
    }

    fn exposed(&mut self, what: &'static str, place: Place, mut inner: Vec<Stmt>) -> StmtKind {
        let itself = StmtKind::Unsupported(what);
        if inner.is_empty() {
            return itself;
        }
        inner.insert(
            0,
            Stmt {
                kind: itself,
                span: self.span(place),
            },
        );
        StmtKind::Block(inner)
    }

    fn expression_statement(&mut self, node: &Node<Expression>) -> Stmt {
        Stmt {
            kind: StmtKind::Expression(self.expression(node)),
            span: self.span(node.span),
        }
    }

    /// The body of a loop or a branch, which need not be a block; `from` is where the text before
    /// it ends. Pragmas that belong to it and matter come in a block with it.
    fn body(&mut self, node: &Node<Statement>, from: usize) -> Stmt {
        let mut before = vec![];
        self.pragmas(from, node.span.start, &mut before, None);
        let block = self.blocks;
        self.blocks += 1;
        self.run_begins(node.span, block, &mut before);
        self.enter();
        let statement = self.statement(node);
        self.leave();
        let span = self.span(node.span);
        let statement = statement.unwrap_or(Stmt {
            kind: StmtKind::Empty,
            span,
        });
        if before.is_empty() {
            return statement;
        }
        before.push(statement);
        self.run_ends(node.span, block, &mut before);
        Stmt {
            kind: StmtKind::Block(before),
            span,
        }
    }

    /// A loop; what its head does before it begins goes to `front`.
    fn for_loop(&mut self, statement: &ast::ForStatement, front: &mut Vec<Stmt>) -> StmtKind {
        self.enter();
        let place = statement.initializer.span;
        let init = match &statement.initializer.node {
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => None,
            ForInitializer::Expression(expression) => Some(self.expression_statement(expression)),
            ForInitializer::Declaration(declaration) => {
                let mut declared = vec![];
                self.local(&declaration.node, &mut declared);
                if let [_] = declaration.node.declarators[..] {
                    let before = declared.len().saturating_sub(1);
                    front.extend(declared.drain(..before));
                }
                if declared.len() > 1 {
                    Some(Stmt {
                        kind: StmtKind::Block(declared),
                        span: self.span(place),
                    })
                } else {
                    declared.pop()
                }
            }
        };
        let condition = statement.condition.as_ref().map(|c| self.expression(c));
        let condition = condition.map(|c| self.truth(c));
        let step = statement.step.as_ref().map(|s| self.expression(s));
        let head = [statement.step.as_ref(), statement.condition.as_ref()];
        let from = head
            .iter()
            .flatten()
            .map(|e| e.span.end)
            .next()
            .unwrap_or(place.end);
        let body = self.body(&statement.statement, from);
        self.leave();
        StmtKind::For {
            init: init.map(Box::new),
            condition,
            step,
            body: Box::new(body),
        }
    }

    /// The statements of a block, with the pragmas between them.
    pub fn block(&mut self, items: &[Node<BlockItem>], place: Place) -> Vec<Stmt> {
        let block = self.blocks;
        self.blocks += 1;
        self.enter();
        let mut statements = vec![];
        let mut from = place.start;
        for item in items {
            from = self.block_item(item, block, from, &mut statements);
        }
        self.pragmas(from, place.end, &mut statements, Some(block));
        self.leave();
        statements
    }

    /// An item of a block, with the pragmas behind the offset in front of it; where it ends.
    pub(super) fn block_item(
        &mut self,
        item: &Node<BlockItem>,
        block: usize,
        from: usize,
        statements: &mut Vec<Stmt>,
    ) -> usize {
        self.pragmas(from, item.span.start, statements, Some(block));
        self.run_begins(item.span, block, statements);
        match &item.node {
            BlockItem::Statement(statement) if self.is_marked_behind_labels(statement) => {
                self.behind_labels(statement, block, statements);
            }
            BlockItem::Declaration(declaration) => self.local(&declaration.node, statements),
            BlockItem::StaticAssert(_) => {}
            BlockItem::Statement(statement) => statements.extend(self.statement(statement)),
        }
        self.run_ends(item.span, block, statements);
        end(self.file.text, item.span)
    }

    /// Whether a region's pragma stands between the labels of a statement and itself.
    fn is_marked_behind_labels(&self, node: &Node<Statement>) -> bool {
        let behind = node.span.start..outline::unlabelled(node).span.start;
        let marked = self.file.marked.iter().filter(|m| !m.is_run);
        marked
            .flat_map(|m| [m.start, m.end])
            .any(|pragma| behind.contains(&pragma))
    }

    /// Such a statement in a block: its labels, each with nothing under it, the pragmas and itself.
    fn behind_labels(&mut self, node: &Node<Statement>, block: usize, statements: &mut Vec<Stmt>) {
        let Statement::Labeled(labeled) = &node.node else {
            return statements.extend(self.statement(node));
        };
        let (label, inner) = (&labeled.node.label, &*labeled.node.statement);
        let span = self.span(label.span);
        let kind = StmtKind::Empty;
        let kind = self.exposed(word(&label.node), label.span, vec![Stmt { kind, span }]);
        statements.push(Stmt { kind, span });
        self.pragmas(label.span.end, inner.span.start, statements, Some(block));
        self.behind_labels(inner, block, statements);
    }

    /// Marks where a run of statements begins that is a region by itself.
    pub(super) fn run_begins(&mut self, place: Place, block: usize, statements: &mut Vec<Stmt>) {
        let begins = |m: &Marked| m.begins_at(place.start);
        let Some(region) = self.file.marked.iter().position(begins) else {
            return;
        };
        self.found[region].function = self.function;
        self.found[region].opened = Some((block, statements.len() + 1));
        statements.push(Stmt {
            kind: StmtKind::Pragma("scop".to_owned()),
            span: self.file.marked[region].opening,
        });
    }

    /// The same where it ends.
    pub(super) fn run_ends(&mut self, place: Place, block: usize, statements: &mut Vec<Stmt>) {
        let end = end(self.file.text, place);
        let Some(region) = self.file.marked.iter().position(|m| m.ends_at(end)) else {
            return;
        };
        let found = &mut self.found[region];
        // The last statement of a body ends where its last one does.
        if let Some((opened, count)) = found.opened
            && opened == block
        {
            found.closed = Some(block);
            found.statements = Some(statements[count..].to_vec());
            statements.push(Stmt {
                kind: StmtKind::Pragma("endscop".to_owned()),
                span: self.file.marked[region].closing,
            });
        }
    }

    /// Pragmas of the main file between two offsets. In regions only `pencil` ones stay. `block`
    /// is the block they stand in, `None` before a body that is no block.
    pub(super) fn pragmas(
        &mut self,
        from: usize,
        to: usize,
        statements: &mut Vec<Stmt>,
        block: Option<usize>,
    ) {
        let first = self
            .file
            .pragmas
            .partition_point(|(offset, ..)| *offset < from);
        let last = self
            .file
            .pragmas
            .partition_point(|(offset, ..)| *offset < to);
        for index in first..last.max(first) {
            let (offset, words, span) = self.file.pragmas[index].clone();
            if let Some(region) = self
                .file
                .marked
                .iter()
                .position(|m| !m.is_run && (m.start == offset || m.end == offset))
            {
                let found = &mut self.found[region];
                found.function = found.function.or(self.function);
                if self.file.marked[region].start == offset {
                    found.opened = block.map(|b| (b, statements.len() + 1));
                } else {
                    found.closed = block;
                    if let (Some((opened, count)), Some(closed)) = (found.opened, block) {
                        if opened == closed {
                            found.statements = Some(statements[count..].to_vec());
                        }
                    }
                }
                if block.is_none() {
                    continue;
                }
            } else {
                let region = self.region_at(offset);
                if let (Some(region), true) = (region, words.starts_with("omp")) {
                    self.found[region].openmp.push((words, span));
                    continue;
                }
                if (block.is_none() || region.is_some()) && !words.starts_with("pencil") {
                    continue;
                }
            }
            statements.push(Stmt {
                kind: StmtKind::Pragma(words),
                span,
            });
        }
    }

    /// A declaration in a function.
    fn local(&mut self, declaration: &Declaration, statements: &mut Vec<Stmt>) {
        let (base, storage) = self.declaration_specifiers(&declaration.specifiers);
        for node in &declaration.declarators {
            let declared = self.declarator(&node.node.declarator.node, base.clone());
            let Some(name) = declared.name else { continue };
            if storage.is_typedef {
                // A name of the region's own goes with the region.
                if self.region_at(node.span.start).is_some()
                    && matches!(declared.qualified.ty, Type::Scalar(_))
                {
                    let known = Binding::Type(Box::new(declared.qualified));
                    self.bind(&name.node.name, known);
                } else {
                    self.typedef(&name.node.name, declared.qualified);
                }
                continue;
            }
            if declared.is_function {
                self.bind(&name.node.name, Binding::Function);
                continue;
            }
            let span = self.span(node.span);
            if storage.is_extern {
                if let Some(id) = self.file_variable(&name.node.name) {
                    self.bind(&name.node.name, Binding::Variable(id));
                    continue;
                }
            }
            let scope = if storage.is_extern {
                Scope::File
            } else {
                self.scope_at(node.span.start)
            };
            let id = self.declare(Symbol {
                name: name.node.name.clone(),
                is_const: declared.qualified.is_const,
                ctype: declared.qualified.ty,
                scope,
                is_static: storage.is_static,
                initialiser: None,
                span,
            });
            // The name is in scope in its own initialiser.
            if let Some(initialiser) = &node.node.initializer {
                let ctype = self.symbols[id].ctype.clone();
                let value = match &initialiser.node {
                    ast::Initializer::Expression(value) => self.full(value, statements),
                    _ => self.within(statements, |binder| {
                        binder.initialiser(initialiser, Some(&ctype))
                    }),
                };
                let ends = tables::ends(&self.symbols[id], &value);
                self.tables.extend(ends.map(|ends| (id, ends)));
                self.symbols[id].initialiser = Some(value);
            }
            statements.push(Stmt {
                kind: StmtKind::Declaration(id),
                span,
            });
        }
    }

    /// A typedef: its name is the type's spelling from here on.
    pub fn typedef(&mut self, name: &str, mut qualified: Qualified) {
        match &mut qualified.ty {
            Type::Scalar(scalar) => scalar.spelling = name.to_string(),
            Type::Struct {
                spelling, fields, ..
            } => {
                if fields.is_empty() {
                    let tag = spelling
                        .split_once(' ')
                        .and_then(|(_, tag)| self.lookup_tag(tag, false));
                    if let Some(Tag::Structure(id)) = tag {
                        self.structures.incomplete.insert(name.to_string(), id);
                    }
                }
                *spelling = name.to_string();
            }
            _ => {}
        }
        self.bind(name, Binding::Type(Box::new(qualified)));
    }
}

/// One past the last byte of what has a place. An `if` without `else` has one up to the token that is
/// no `else`.
pub(super) fn end(text: &str, place: Place) -> usize {
    text[..place.end].trim_end().len()
}

/// Whether a jump may lead out of a statement to where its loop ends.
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Unsupported(word) => matches!(*word, "break" | "continue"),
        StmtKind::Block(list) => list.iter().any(leaves),
        StmtKind::If {
            then, otherwise, ..
        } => leaves(then) || otherwise.as_deref().is_some_and(leaves),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => leaves(body),
        _ => false,
    }
}

/// Whether an expression is there for its type: `(void)sizeof(…)`.
fn has_only_a_type(node: &Node<Expression>) -> bool {
    match &node.node {
        Expression::Cast(cast) => has_only_a_type(&cast.node.expression),
        Expression::SizeOfTy(_) | Expression::SizeOfVal(_) => true,
        _ => false,
    }
}

/// Whether an argument says the same wherever it stands: numbers, texts, `__func__`.
fn is_fixed(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(..) | ExprKind::Literal(_) | ExprKind::Unknown(_) => true,
        ExprKind::Cast(_, inner) | ExprKind::Unary(_, inner) => is_fixed(inner),
        _ => false,
    }
}

/// Whether it is a literal: `(void)0`.
fn is_nothing(node: &Node<Expression>) -> bool {
    matches!(node.node, Expression::Constant(_))
}

/// Whether an `asm` has no instruction, and nothing but variables that it reads: it hints at something to
/// the compiler, and does nothing.
fn is_hint(asm: &ast::AsmStatement) -> bool {
    let ast::AsmStatement::GnuExtended(asm) = asm else {
        return false;
    };
    let is_empty = |text: &String| text.trim_matches('"').trim().is_empty();
    let named = |operand: &Node<ast::GnuAsmOperand>| {
        matches!(operand.node.variable_name.node, Expression::Identifier(_))
    };
    asm.template.node.iter().all(is_empty)
        && asm.outputs.is_empty()
        && asm.clobbers.is_empty()
        && asm.inputs.iter().all(named)
}

/// What stands in our tree for a label.
fn word(label: &Label) -> &'static str {
    match label {
        Label::Identifier(_) => "label",
        Label::Case(_) | Label::CaseRange(_) => "case",
        Label::Default => "default",
    }
}
