//! Statements but for loops, and declarations in blocks.

use crate::arith::Cond;
use crate::program::{Known, Op, Reg};
use crate::read::expressions::values::{At, Val};
use crate::read::{Reader, Res, Symbol, declare};
use crate::types::{LONG, Type};
use lang_c::ast::{
    BlockItem, Declaration, Expression, InitDeclarator, Label, LabeledStatement, Statement,
    SwitchStatement,
};
use lang_c::span::Node;

/// A `switch` that is being compiled.
#[derive(Default)]
pub(crate) struct Switch {
    /// Values and where they lead.
    cases: Vec<(i64, i64, u32)>,
    default: Option<u32>,
}

impl<'a> Reader<'a> {
    pub(crate) fn statement(&mut self, node: &'a Node<Statement>) -> Res<()> {
        self.deeper()?;
        let top = self.fun.frame.top;
        let pragmas = self.pragmas.remove(&node.span.start).unwrap_or_default();
        self.at(node.span);
        if pragmas.is_empty() {
            self.plain(node)?
        } else {
            self.annotated(node, &pragmas)?
        }
        self.fun.frame.top = top;
        self.depth -= 1;
        Ok(())
    }

    pub(crate) fn plain(&mut self, node: &'a Node<Statement>) -> Res<()> {
        match &node.node {
            Statement::Compound(items) => {
                self.enter();
                for item in items {
                    self.block_item(item)?;
                }
                self.leave();
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => {
                self.mark();
                self.expr(e)?;
                Ok(())
            }
            Statement::If(node) => {
                self.mark();
                let mut jumps = Vec::new();
                self.branch(&node.node.condition, false, &mut jumps)?;
                self.statement(&node.node.then_statement)?;
                self.close_mark();
                let end = match &node.node.else_statement {
                    Some(other) => {
                        let end = self.emit(Op::Jump { to: 0 });
                        jumps.drain(..).for_each(|jump| self.land(jump));
                        self.statement(other)?;
                        self.close_mark();
                        Some(end)
                    }
                    None => None,
                };
                jumps
                    .into_iter()
                    .chain(end)
                    .for_each(|jump| self.land(jump));
                Ok(())
            }
            Statement::Return(value) => {
                self.mark();
                if !self.fun.jumps.closed.is_empty() {
                    return self.problem("a `return` out of a parallel construct");
                }
                self.returns(value.as_deref())
            }
            Statement::Break => {
                self.mark();
                self.leaves(true)
            }
            Statement::Continue => {
                self.mark();
                self.leaves(false)
            }
            Statement::Goto(name) => {
                self.mark();
                if !self.fun.jumps.closed.is_empty() {
                    return self.problem("a `goto` in a parallel construct");
                }
                let jump = self.emit(Op::Jump { to: 0 });
                let line = self.position.line;
                self.fun
                    .jumps
                    .gotos
                    .push((jump, name.node.name.clone(), line));
                Ok(())
            }
            Statement::Labeled(labeled) => self.labeled(&labeled.node),
            Statement::Switch(switch) => self.switch(&switch.node),
            Statement::While(node) => self.while_loop(&node.node),
            Statement::DoWhile(node) => self.do_loop(&node.node),
            Statement::For(node) => self.for_loop(&node.node, false),
            Statement::Asm(_) => self.problem("assembly"),
        }
    }

    fn returns(&mut self, value: Option<&'a Node<Expression>>) -> Res<()> {
        let Some(result) = self.fun.result.clone() else {
            return self.problem("a `return`");
        };
        let Some(e) = value else {
            self.emit(Op::ReturnNothing);
            return Ok(());
        };
        let value = self.expr(e)?;
        if result == Type::Void {
            self.emit(Op::ReturnNothing);
            return Ok(());
        }
        let value = self.convert(value, &result)?;
        let a = self.reg(&value)?;
        match self.fun.returned {
            Some(to) => {
                self.store(to, &result, a)?;
                self.emit(Op::ReturnNothing);
            }
            None => {
                self.emit(Op::Return { a });
            }
        }
        Ok(())
    }

    /// `break` or `continue`.
    fn leaves(&mut self, is_break: bool) -> Res<()> {
        let closed = self.fun.jumps.closed.last().copied().unwrap_or((0, 0));
        let (depth, limit) = if is_break {
            (self.fun.jumps.breaks.len(), closed.0)
        } else {
            (self.fun.jumps.continues.len(), closed.1)
        };
        if depth <= limit {
            return self.problem("a jump out of a parallel construct");
        }
        let jump = self.emit(Op::Jump { to: 0 });
        let list = if is_break {
            self.fun.jumps.breaks.last_mut()
        } else {
            self.fun.jumps.continues.last_mut()
        };
        if let Some(list) = list {
            list.push(jump);
        }
        Ok(())
    }

    fn labeled(&mut self, labeled: &'a LabeledStatement) -> Res<()> {
        self.close_mark();
        let here = self.here();
        let value = |switch: &mut Switch, low: i64, high: i64| switch.cases.push((low, high, here));
        match &labeled.label.node {
            Label::Identifier(name) => {
                self.fun.jumps.labels.insert(name.node.name.clone(), here);
                self.mark();
            }
            Label::Default => match self.fun.jumps.switches.last_mut() {
                Some(switch) => switch.default = Some(here),
                None => return self.problem("a `default` outside a `switch`"),
            },
            Label::Case(e) => {
                let low = self.constant_value(e)?;
                match self.fun.jumps.switches.last_mut() {
                    Some(switch) => value(switch, low, low),
                    None => return self.problem("a `case` outside a `switch`"),
                }
            }
            Label::CaseRange(range) => {
                let low = self.constant_value(&range.node.low)?;
                let high = self.constant_value(&range.node.high)?;
                match self.fun.jumps.switches.last_mut() {
                    Some(switch) => value(switch, low, high),
                    None => return self.problem("a `case` outside a `switch`"),
                }
            }
        }
        self.statement(&labeled.statement)
    }

    fn switch(&mut self, switch: &'a SwitchStatement) -> Res<()> {
        self.mark();
        let value = self.expr(&switch.expression)?;
        let ty = Type::Scalar(self.kind_of(&value)?.promoted());
        let value = self.convert(value, &ty)?;
        let a = self.reg(&value)?;
        let held = self.temp()?;
        self.emit(Op::Move { d: held, a });
        let dispatch = self.emit(Op::Jump { to: 0 });
        self.close_mark();
        self.fun.jumps.switches.push(Switch::default());
        self.fun.jumps.breaks.push(Vec::new());
        self.statement(&switch.statement)?;
        self.close_mark();
        let mut ends = self.fun.jumps.breaks.pop().unwrap_or_default();
        let Switch { cases, default } = self.fun.jumps.switches.pop().unwrap_or_default();
        ends.push(self.emit(Op::Jump { to: 0 }));
        self.land(dispatch);
        let kind = self.kind_of(&Val::constant(0, ty.clone()))?;
        for (low, high, to) in cases {
            let top = self.fun.frame.top;
            let (a, b) = (held, self.constant(crate::arith::wrap(kind, low as u64))?);
            if high == low {
                let cond = Cond::Eq;
                self.emit(Op::JumpCompare { cond, a, b, to });
            } else {
                let cond = Cond::Lt;
                let below = self.emit(Op::JumpCompare { cond, a, b, to: 0 });
                let (b, cond) = (
                    self.constant(crate::arith::wrap(kind, high as u64))?,
                    Cond::Le,
                );
                self.emit(Op::JumpCompare { cond, a, b, to });
                self.land(below);
            }
            self.fun.frame.top = top;
        }
        if let Some(to) = default {
            self.emit(Op::Jump { to });
        }
        ends.into_iter().for_each(|jump| self.land(jump));
        Ok(())
    }

    pub(crate) fn block_item(&mut self, item: &'a Node<BlockItem>) -> Res<()> {
        self.at(item.span);
        match &item.node {
            BlockItem::Declaration(declaration) => self.declaration(&declaration.node),
            BlockItem::StaticAssert(_) => Ok(()),
            BlockItem::Statement(statement) => self.statement(statement),
        }
    }

    pub(crate) fn declaration(&mut self, declaration: &'a Declaration) -> Res<()> {
        self.mark();
        let (base, storage) = self.specifiers(&declaration.specifiers)?;
        for node in &declaration.declarators {
            self.position.offset = node.span.start;
            self.declared(&node.node, base.clone(), storage)?;
        }
        Ok(())
    }

    fn declared(
        &mut self,
        node: &'a InitDeclarator,
        base: Type,
        storage: declare::Storage,
    ) -> Res<()> {
        let declarator = &node.declarator.node;
        let Some(name) = declare::name_of(declarator) else {
            return Ok(());
        };
        let mut ty = self.declarator(declarator, base)?;
        if storage.is_typedef {
            let restrict = declare::is_restrict(declarator);
            self.bind(name, Symbol::Typedef { ty, restrict });
            return Ok(());
        }
        if let Type::Function(_) = ty {
            self.bind(name, Symbol::Function(ty));
            return Ok(());
        }
        if let Type::Unknown(what) = &ty {
            return self.problem(what.as_ref());
        }
        if storage.is_extern && storage.is_group {
            return self.dynamic_memory(name, &ty);
        }
        if storage.is_extern {
            return self.problem(format!("`{name}`, which is declared extern in a block"));
        }
        let initializer = node.initializer.as_ref().map(|i| &i.node);
        if storage.is_static {
            let initial = match initializer {
                Some(initializer) => Some(self.static_initial(&mut ty, initializer)?),
                None => None,
            };
            let own = format!("{}.{name}.", self.fun.name);
            let before = self.program.globals.iter();
            let before = before.filter(|g| g.name.starts_with(&own)).count();
            let number = self.global(&format!("{own}{before}"), ty, Known::Kept)?;
            let global = &mut self.program.globals[number];
            if let Some((bytes, pointers)) = initial {
                (global.bytes, global.pointers) = (bytes, pointers);
            }
            self.bind(name, Symbol::Global(number));
            return Ok(());
        }
        if storage.is_group && !ty.is_pointer() {
            if initializer.is_some() {
                return self.problem(format!("the initial value of `{name}` in local memory"));
            }
            let reg = self.local_object(name, &ty, true)?;
            self.bind(name, Symbol::Memory { reg, ty });
            return Ok(());
        }
        if storage.is_volatile {
            self.fun.names.volatile.insert(name.to_owned());
        }
        let parts = match initializer {
            Some(initializer) => Some(self.parts(&mut ty, initializer)?),
            None => None,
        };
        let shared = self.fun.parallel == 0 && self.fun.names.shared.contains(name);
        let in_memory = matches!(ty, Type::Array(..) | Type::Record(_))
            || self.fun.names.addressed.contains(name)
            || shared
            || self.traced.is_some();
        if in_memory {
            if !Self::is_complete(&ty) {
                return self.problem(format!("the extent of `{name}`"));
            }
            let reg = self.local(name, &ty)?;
            self.bind(
                name,
                Symbol::Memory {
                    reg,
                    ty: ty.clone(),
                },
            );
            if let Some(parts) = parts {
                self.initialise(reg, &ty, parts)?;
            }
            return Ok(());
        }
        let reg = self.temp()?;
        let flag = match parts {
            Some(_) => None,
            None => Some(self.temp()?),
        };
        let local = Symbol::Local {
            reg,
            ty: ty.clone(),
            flag,
        };
        self.bind(name, local);
        match (parts.as_deref(), flag) {
            (Some([crate::read::expressions::init::Part::Value(_, _, e)]), _) => {
                let top = self.fun.frame.top;
                // The variable is in scope in its own value, which is undefined there.
                let value = self.expr(e)?;
                let value = self.convert(value, &ty)?;
                self.assign_reg(reg, &value, top)?;
                self.fun.frame.top = top;
            }
            (_, Some(flag)) => {
                let kind = self.kind_of(&Val::reg(reg, ty))?;
                self.emit(Op::Undefined { kind, d: reg, flag });
            }
            _ => {
                self.emit(Op::Imm { d: reg, value: 0 });
            }
        }
        Ok(())
    }

    /// `({ … })`
    pub(crate) fn statement_expression(&mut self, node: &'a Node<Statement>) -> Res<Val> {
        let d = self.temp()?;
        let mut value = Val::constant(0, Type::Void);
        let Statement::Compound(items) = &node.node else {
            return self.problem("a statement in an expression");
        };
        self.enter();
        for (index, item) in items.iter().enumerate() {
            if let (true, BlockItem::Statement(last)) = (index + 1 == items.len(), &item.node) {
                if let Statement::Expression(Some(e)) = &last.node {
                    value = self.expr(e)?;
                    if value.kind().is_some() {
                        if let At::Reg(a) = value.at {
                            self.emit(Op::Move { d, a });
                            value = Val::reg(d, value.ty);
                        }
                    }
                    continue;
                }
            }
            self.block_item(item)?;
        }
        self.leave();
        Ok(value)
    }

    /// A new variable in a register.
    pub(crate) fn variable(&mut self, name: &str, ty: &Type) -> Res<Reg> {
        let reg = self.temp()?;
        self.bind(
            name,
            Symbol::Local {
                reg,
                ty: ty.clone(),
                flag: None,
            },
        );
        Ok(reg)
    }

    /// A value as a signed number of 64 bits in a register of its own.
    pub(crate) fn held(&mut self, e: &'a Node<Expression>) -> Res<Reg> {
        let reg = self.temp()?;
        let top = self.fun.frame.top;
        let value = self.expr(e)?;
        let value = self.convert(value, &LONG)?;
        self.assign_reg(reg, &value, top)?;
        self.fun.frame.top = top;
        Ok(reg)
    }
}
