//! Loops as they are executed in order.

use crate::program::Op;
use crate::read::{Reader, Res};
use lang_c::ast::{
    DoWhileStatement, Expression, ForInitializer, ForStatement, Statement, WhileStatement,
};
use lang_c::span::Node;

impl<'a> Reader<'a> {
    /// A loop's body, whose `break` and `continue` are returned.
    fn body(&mut self, statement: &'a Node<Statement>) -> Res<(Vec<usize>, Vec<usize>)> {
        self.fun.jumps.breaks.push(Vec::new());
        self.fun.jumps.continues.push(Vec::new());
        self.statement(statement)?;
        self.close_mark();
        let breaks = self.fun.jumps.breaks.pop().unwrap_or_default();
        let continues = self.fun.jumps.continues.pop().unwrap_or_default();
        Ok((breaks, continues))
    }

    /// Jumps back to `start` while the condition holds.
    fn again(&mut self, condition: Option<&'a Node<Expression>>, start: u32) -> Res<()> {
        match condition {
            Some(e) => {
                let mut jumps = Vec::new();
                self.branch(e, true, &mut jumps)?;
                jumps.into_iter().for_each(|jump| self.direct(jump, start));
            }
            None => {
                self.emit(Op::Jump { to: start });
            }
        }
        Ok(())
    }

    pub(crate) fn while_loop(&mut self, node: &'a WhileStatement) -> Res<()> {
        self.mark();
        let (line, begun) = (self.position.line, self.position.begun);
        let mut ends = Vec::new();
        self.branch(&node.expression, false, &mut ends)?;
        self.close_mark();
        let start = self.here();
        let (breaks, continues) = self.body(&node.statement)?;
        continues.into_iter().for_each(|jump| self.land(jump));
        (self.position.line, self.position.begun) = (line, begun);
        self.mark();
        self.again(Some(&node.expression), start)?;
        self.close_mark();
        let jumps = ends.into_iter().chain(breaks);
        jumps.for_each(|jump| self.land(jump));
        Ok(())
    }

    pub(crate) fn do_loop(&mut self, node: &'a DoWhileStatement) -> Res<()> {
        let (line, begun) = (self.position.line, self.position.begun);
        self.close_mark();
        let start = self.here();
        let (breaks, continues) = self.body(&node.statement)?;
        continues.into_iter().for_each(|jump| self.land(jump));
        (self.position.line, self.position.begun) = (line, begun);
        self.mark();
        self.again(Some(&node.expression), start)?;
        self.close_mark();
        breaks.into_iter().for_each(|jump| self.land(jump));
        Ok(())
    }

    /// `simd`: whether iterations are watched for being independent.
    pub(crate) fn for_loop(&mut self, node: &'a ForStatement, simd: bool) -> Res<()> {
        self.enter();
        self.mark();
        let (line, begun) = (self.position.line, self.position.begun);
        match &node.initializer.node {
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
            ForInitializer::Expression(e) => {
                let top = self.fun.frame.top;
                self.expr(e)?;
                self.fun.frame.top = top;
            }
            ForInitializer::Declaration(declaration) => {
                // A `simd` loop's variable is each iteration's own, whatever shares its name.
                self.fun.parallel += usize::from(simd);
                let declared = self.declaration(&declaration.node);
                self.fun.parallel -= usize::from(simd);
                declared?;
            }
        }
        if simd {
            self.emit(Op::SimdBegin);
        }
        let mut ends = Vec::new();
        if let Some(condition) = &node.condition {
            self.branch(condition, false, &mut ends)?;
        }
        self.close_mark();
        let start = self.here();
        if simd {
            self.emit(Op::SimdNext);
        }
        // So is what is declared in it.
        self.fun.parallel += usize::from(simd);
        let body = self.body(&node.statement);
        self.fun.parallel -= usize::from(simd);
        let (breaks, continues) = body?;
        continues.into_iter().for_each(|jump| self.land(jump));
        (self.position.line, self.position.begun) = (line, begun);
        self.mark();
        if let Some(step) = &node.step {
            let top = self.fun.frame.top;
            self.expr(step)?;
            self.fun.frame.top = top;
        }
        self.again(node.condition.as_deref(), start)?;
        self.close_mark();
        let jumps = ends.into_iter().chain(breaks);
        jumps.for_each(|jump| self.land(jump));
        if simd {
            self.emit(Op::SimdEnd);
        }
        self.leave();
        Ok(())
    }
}
