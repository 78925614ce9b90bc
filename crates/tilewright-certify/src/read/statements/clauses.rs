//! What threads have for themselves: `private`, `firstprivate` and `reduction`.

use super::omp::Directive;
use crate::arith::{Arith, Cond};
use crate::program::{Op, Reg};
use crate::read::{Reader, Res, Symbol};
use crate::types::{Kind, Type};

/// A reduction's variable: where it is, and the copy.
struct Reduction {
    name: String,
    symbol: Symbol,
    operator: String,
    copy: Reg,
    ty: Type,
}

impl Reader<'_> {
    /// Gives the names of `private`, `firstprivate` and `reduction` variables of their own while
    /// `inside` is compiled.
    pub(super) fn private(
        &mut self,
        what: &Directive,
        inside: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        self.enter();
        self.mark();
        for (_, name) in what.lists("private") {
            let ty = self.outer(&name)?.1;
            let kind = ty.kind().unwrap_or(Kind::I64);
            let (d, flag) = (self.temp()?, self.temp()?);
            self.emit(Op::Undefined { kind, d, flag });
            let (reg, flag) = (d, Some(flag));
            self.bind(&name, Symbol::Local { reg, ty, flag });
        }
        for (_, name) in what.lists("firstprivate") {
            let (symbol, ty) = self.variable_of_clause(&name)?;
            if let Type::Array(..) = ty {
                self.copied(&name, &symbol, ty)?;
                continue;
            }
            let (symbol, ty) = self.outer(&name)?;
            let reg = self.temp()?;
            let top = self.fun.frame.top;
            let a = self.read(&symbol, &ty)?;
            self.emit(Op::Move { d: reg, a });
            self.fun.frame.top = top;
            self.bind(
                &name,
                Symbol::Local {
                    reg,
                    ty,
                    flag: None,
                },
            );
        }
        let mut reductions = Vec::new();
        for (operator, name) in what.lists("reduction") {
            let (symbol, ty) = self.outer(&name)?;
            let identity = self.identity(&operator, &ty)?;
            let copy = self.variable(&name, &ty)?;
            let a = self.constant(identity)?;
            self.emit(Op::Move { d: copy, a });
            reductions.push(Reduction {
                name,
                symbol,
                operator,
                copy,
                ty,
            });
        }
        inside(self)?;
        self.mark();
        for reduction in reductions {
            self.combine(&reduction)?;
        }
        self.leave();
        Ok(())
    }

    /// A variable of the surrounding block.
    fn variable_of_clause(&mut self, name: &str) -> Res<(Symbol, Type)> {
        let symbol = self.lookup(name).cloned();
        let ty = match &symbol {
            Some(Symbol::Local { ty, .. } | Symbol::Memory { ty, .. }) => ty.clone(),
            Some(Symbol::Global(number)) => self.program.globals[*number].ty.clone(),
            _ => return self.problem(format!("the clause of `{name}`")),
        };
        match symbol {
            Some(symbol) => Ok((symbol, ty)),
            None => self.problem(format!("the clause of `{name}`")),
        }
    }

    /// An array of a thread's own, with the values that the one around has.
    fn copied(&mut self, name: &str, symbol: &Symbol, ty: Type) -> Res<()> {
        if !Self::is_complete(&ty) {
            return self.problem(format!("the extent of `{name}`"));
        }
        let to = self.local(name, &ty)?;
        let top = self.fun.frame.top;
        let from = match symbol {
            Symbol::Memory { reg, .. } => *reg,
            Symbol::Global(number) => {
                let d = self.temp()?;
                let global = *number as u32;
                self.emit(Op::Global { d, global });
                d
            }
            _ => return self.problem(format!("the clause of `{name}`")),
        };
        let size = self.size_of(&ty)?;
        let n = self.reg(&size)?;
        self.emit(Op::Copy { to, from, n });
        self.fun.frame.top = top;
        self.bind(name, Symbol::Memory { reg: to, ty });
        Ok(())
    }

    /// The same, a scalar.
    pub(super) fn outer(&mut self, name: &str) -> Res<(Symbol, Type)> {
        let (symbol, ty) = self.variable_of_clause(name)?;
        match ty.kind() {
            Some(_) => Ok((symbol, ty)),
            None => self.problem(format!("the clause of `{name}`, which is no scalar")),
        }
    }

    fn read(&mut self, symbol: &Symbol, ty: &Type) -> Res<Reg> {
        let top = self.fun.frame.top;
        match symbol {
            Symbol::Local { reg, .. } => Ok(*reg),
            Symbol::Memory { reg, .. } => {
                let value = self.load(*reg, ty, top)?;
                self.reg(&value)
            }
            Symbol::Global(number) => {
                let d = self.temp()?;
                let global = *number as u32;
                self.emit(Op::Global { d, global });
                let top = self.fun.frame.top;
                let value = self.load(d, ty, top)?;
                self.reg(&value)
            }
            _ => self.problem("the clause of what is no variable"),
        }
    }

    /// What a reduction's copies begin with.
    fn identity(&mut self, operator: &str, ty: &Type) -> Res<u64> {
        let Some(kind) = ty.kind() else {
            return self.problem("a reduction of what is no scalar");
        };
        let number = |value: f64| {
            let bits = value.to_bits();
            crate::arith::convert(Kind::F64, kind, bits).unwrap_or(bits)
        };
        let (bits, float) = (kind.bits().min(64), kind.is_float());
        let least = if kind.is_signed() {
            (i64::MIN >> (64 - bits)) as u64
        } else {
            0
        };
        let most = if kind.is_signed() {
            (i64::MAX >> (64 - bits)) as u64
        } else {
            u64::MAX >> (64 - bits)
        };
        Ok(match operator {
            "+" | "-" | "|" | "^" | "||" => 0,
            "*" if float => number(1.0),
            "*" | "&&" => 1,
            "&" => crate::arith::wrap(kind, u64::MAX),
            "max" if float => number(f64::NEG_INFINITY),
            "min" if float => number(f64::INFINITY),
            "max" => least,
            "min" => most,
            _ => return self.problem(format!("a reduction with `{operator}`")),
        })
    }

    /// Adds a thread's copy to the variable.
    fn combine(&mut self, reduction: &Reduction) -> Res<()> {
        let top = self.fun.frame.top;
        let ty = &reduction.ty;
        self.emit(Op::Atomic { on: true });
        let old = self.read(&reduction.symbol, ty)?;
        let old = crate::read::expressions::values::Val::reg(old, ty.clone());
        let new = crate::read::expressions::values::Val::reg(reduction.copy, ty.clone());
        let op = match reduction.operator.as_str() {
            "+" | "-" => Some(Arith::Add),
            "*" => Some(Arith::Mul),
            "|" | "||" => Some(Arith::Or),
            "&" | "&&" => Some(Arith::And),
            "^" => Some(Arith::Xor),
            _ => None,
        };
        let value = match op {
            Some(op) => {
                let (old, new) = match reduction.operator.as_str() {
                    // What is true need not be one.
                    "&&" | "||" => {
                        let truth = |reader: &mut Self, value| {
                            reader.compare(
                                Cond::Ne,
                                value,
                                crate::read::expressions::values::Val::int(0),
                            )
                        };
                        (truth(self, old)?, truth(self, new)?)
                    }
                    _ => (old, new),
                };
                let value = self.arith(op, old, new)?;
                self.convert(value, ty)?
            }
            None => {
                let d = self.temp()?;
                let cond = match reduction.operator.as_str() {
                    "max" => Cond::Gt,
                    _ => Cond::Lt,
                };
                let (a, b) = (self.reg(&new)?, self.reg(&old)?);
                let better = self.compare(cond, new, old)?;
                let better = self.reg(&better)?;
                self.emit(Op::Move { d, a });
                let jump = self.emit(Op::JumpIf { a: better, to: 0 });
                self.emit(Op::Move { d, a: b });
                self.land(jump);
                crate::read::expressions::values::Val::reg(d, ty.clone())
            }
        };
        let a = self.reg(&value)?;
        match &reduction.symbol {
            Symbol::Local { reg, .. } => {
                self.emit(Op::Move { d: *reg, a });
            }
            Symbol::Memory { reg, .. } => self.store(*reg, ty, a)?,
            Symbol::Global(number) => {
                let d = self.temp()?;
                let global = *number as u32;
                self.emit(Op::Global { d, global });
                self.store(d, ty, a)?;
            }
            _ => return self.problem(format!("the reduction of `{}`", reduction.name)),
        }
        self.emit(Op::Atomic { on: false });
        self.fun.frame.top = top;
        Ok(())
    }
}
