//! Statements.

use super::{Known, Parser, Unknown, node};
use lang_c::ast::{
    BlockItem, DoWhileStatement, Expression, ForInitializer, ForStatement, IfStatement, Label,
    LabeledStatement, Statement, SwitchStatement, WhileStatement,
};
use lang_c::span::{Node, Span};

impl Parser<'_> {
    /// A statement. It knows where it is, since pragmas stand in front of statements.
    pub(super) fn statement(&mut self) -> Known<Node<Statement>> {
        self.deeper()?;
        let start = self.token().start as usize;
        let statement = self.unplaced()?;
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = last.map_or(start, |token| token.end as usize);
        self.depth -= 1;
        Ok(Node::new(statement, Span::span(start, end)))
    }

    fn unplaced(&mut self) -> Known<Statement> {
        if self.take("{") {
            let mut items = Vec::new();
            while !self.take("}") {
                if self.at >= self.tokens.len() {
                    return Err(Unknown);
                }
                items.push(self.item()?);
            }
            return Ok(Statement::Compound(items));
        }
        if self.take(";") {
            return Ok(Statement::Expression(None));
        }
        match self.word() {
            "if" => {
                self.at += 1;
                let condition = self.in_brackets()?;
                let then_statement = Box::new(self.statement()?);
                let else_statement = if self.take_word("else") {
                    Some(Box::new(self.statement()?))
                } else {
                    None
                };
                Ok(Statement::If(node(IfStatement {
                    condition,
                    then_statement,
                    else_statement,
                })))
            }
            "for" => {
                self.at += 1;
                self.each()
            }
            "while" => {
                self.at += 1;
                let expression = self.in_brackets()?;
                let statement = Box::new(self.statement()?);
                Ok(Statement::While(node(WhileStatement {
                    expression,
                    statement,
                })))
            }
            "do" => {
                self.at += 1;
                let statement = Box::new(self.statement()?);
                if !self.take_word("while") {
                    return Err(Unknown);
                }
                let expression = self.in_brackets()?;
                self.expect(";")?;
                Ok(Statement::DoWhile(node(DoWhileStatement {
                    statement,
                    expression,
                })))
            }
            "switch" => {
                self.at += 1;
                let expression = self.in_brackets()?;
                let statement = Box::new(self.statement()?);
                Ok(Statement::Switch(node(SwitchStatement {
                    expression,
                    statement,
                })))
            }
            "case" => {
                self.at += 1;
                let value = Box::new(self.conditional()?);
                self.labeled(Label::Case(value))
            }
            "default" => {
                self.at += 1;
                self.labeled(Label::Default)
            }
            "return" => {
                self.at += 1;
                let value = if self.token().is(";") {
                    None
                } else {
                    Some(Box::new(self.expression()?))
                };
                self.expect(";")?;
                Ok(Statement::Return(value))
            }
            "break" => {
                self.at += 1;
                self.expect(";")?;
                Ok(Statement::Break)
            }
            "continue" => {
                self.at += 1;
                self.expect(";")?;
                Ok(Statement::Continue)
            }
            "goto" => {
                self.at += 1;
                let name = self.name()?;
                self.expect(";")?;
                Ok(Statement::Goto(name))
            }
            word if !word.is_empty() && self.ahead(1).is(":") => {
                let name = self.name()?;
                self.labeled(Label::Identifier(name))
            }
            _ => {
                let e = self.expression()?;
                self.expect(";")?;
                Ok(Statement::Expression(Some(Box::new(e))))
            }
        }
    }

    fn labeled(&mut self, label: Label) -> Known<Statement> {
        self.expect(":")?;
        let label = node(label);
        let statement = Box::new(self.statement()?);
        Ok(Statement::Labeled(node(LabeledStatement {
            label,
            statement,
        })))
    }

    fn in_brackets(&mut self) -> Known<Box<Node<Expression>>> {
        self.expect("(")?;
        let e = self.expression()?;
        self.expect(")")?;
        Ok(Box::new(e))
    }

    fn each(&mut self) -> Known<Statement> {
        self.expect("(")?;
        let initializer = if self.take(";") {
            ForInitializer::Empty
        } else if self.begins_declaration() {
            ForInitializer::Declaration(node(self.declaration()?))
        } else {
            let e = self.expression()?;
            self.expect(";")?;
            ForInitializer::Expression(Box::new(e))
        };
        let condition = if self.token().is(";") {
            None
        } else {
            Some(Box::new(self.expression()?))
        };
        self.expect(";")?;
        let step = if self.token().is(")") {
            None
        } else {
            Some(Box::new(self.expression()?))
        };
        self.expect(")")?;
        let statement = Box::new(self.statement()?);
        Ok(Statement::For(node(ForStatement {
            initializer: node(initializer),
            condition,
            step,
            statement,
        })))
    }

    fn item(&mut self) -> Known<Node<BlockItem>> {
        let start = self.token().start as usize;
        // The name of a type may be a label, too.
        if self.begins_declaration() && !self.ahead(1).is(":") {
            let item = BlockItem::Declaration(node(self.declaration()?));
            let last = self.tokens[self.at - 1].end as usize;
            return Ok(Node::new(item, Span::span(start, last)));
        }
        let statement = self.statement()?;
        let span = statement.span;
        Ok(Node::new(BlockItem::Statement(statement), span))
    }
}
