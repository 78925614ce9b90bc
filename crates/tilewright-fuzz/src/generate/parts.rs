//! Parts of programs in functions of their own, which get what they name: nests and blocks, which are
//! called in their places, and values, which are returned.

use super::{Array, Extent, Form, Generator, Typed};
use crate::tree::{Expr, Function, Stmt, each_part, expressions, print};
use std::collections::{BTreeMap, BTreeSet};

/// A function's parameter and the argument for it.
struct Passed {
    /// What it is called around the part.
    name: String,
    parameter: String,
    argument: String,
}

impl Generator {
    /// Statements, or the call of a function with them.
    pub(super) fn apart(&mut self, percent: u64, statements: Vec<Stmt>) -> Vec<Stmt> {
        if !self.random.percent(percent) || jumps(&statements) {
            return statements;
        }
        match self.part("void", &statements) {
            Some(call) => vec![Stmt::Raw(format!("{call};"))],
            None => statements,
        }
    }

    /// A value, or the call of a function that returns it.
    pub(super) fn value_apart(&mut self, value: Typed) -> Typed {
        let returned = match &value.expr {
            Expr::Cond(condition, yes, no) => vec![
                Stmt::If {
                    condition: (**condition).clone(),
                    then: vec![Stmt::Return((**yes).clone())],
                    other: Vec::new(),
                },
                Stmt::Return((**no).clone()),
            ],
            expr => vec![Stmt::Return(expr.clone())],
        };
        match self.part(value.ty.c(), &returned) {
            Some(call) => Typed {
                expr: Expr::atom(call),
                ..value
            },
            None => value,
        }
    }

    /// Makes a function of statements; its call. None where they set what is around them, or declare a
    /// name again.
    fn part(&mut self, result: &str, statements: &[Stmt]) -> Option<String> {
        let mut body = statements.to_vec();
        let used = names(&body);
        let own = declared(&body)?;
        if written(&mut body).iter().any(|name| !own.contains(name)) {
            return None;
        }
        let mut arrays: Vec<Array> = Vec::new();
        for array in self.visible.arrays.iter().rev() {
            let passed = !array.name.starts_with("g_") && !array.name.contains(['.', '>']);
            let known = arrays.iter().any(|a| a.name == array.name);
            if passed && used.contains(&array.name) && !known {
                arrays.push(array.clone());
            }
        }
        if arrays.is_empty() || arrays.iter().any(|a| own.contains(&a.name)) {
            return None;
        }
        // Sizes that extents name, too, which have to be declared in front of them.
        let mut needed = used.clone();
        for extent in arrays.iter().flat_map(|a| &a.extents) {
            if let Extent::Size(size, _) = extent {
                needed.insert(self.visible.sizes[*size].name.clone());
            }
        }
        let mut passed: Vec<Passed> = Vec::new();
        if needed
            .iter()
            .any(|name| name == "lay" || name.starts_with("lay"))
            && let Some((parameter, _)) = self.record_parameter()
        {
            passed.push(Passed {
                name: "lay".to_owned(),
                parameter,
                argument: "lay".to_owned(),
            });
        }
        if let Some((parameter, name)) = self.sizes_parameter()
            && needed
                .iter()
                .any(|word| words(word).any(|(_, w)| w == name))
        {
            passed.push(Passed {
                name: name.to_owned(),
                parameter,
                argument: name.to_owned(),
            });
        }
        let scalars = self.visible.scalars.clone();
        for scalar in scalars.iter().rev() {
            let name = &scalar.name;
            let is_global = name.starts_with("g_") || name.contains(['.', '>', '[', '*']);
            if !needed.contains(name) || is_global || passed.iter().any(|p| p.name == *name) {
                continue;
            }
            if own.contains(name) {
                return None;
            }
            passed.push(Passed {
                name: name.clone(),
                parameter: format!("{} {name}", scalar.ty.c()),
                argument: name.clone(),
            });
        }
        for array in &arrays {
            let argument = self.pass(array, &mut body, &own, &passed);
            passed.push(argument);
        }
        let renamed = self.other_names(&arrays, &used);
        rename(&mut body, &renamed);
        let mut parameters = Vec::new();
        for one in &passed {
            parameters.push(with_names(&one.parameter, &renamed));
        }
        // Each version of the kernel has its own.
        let part = self.fresh("part");
        let name = format!("kernel{}_{part}", self.tag);
        let inline = if self.random.percent(30) {
            "inline "
        } else {
            ""
        };
        self.outside.parts.push(Function {
            head: format!("static {inline}{result} {name}({})", parameters.join(", ")),
            body,
        });
        let arguments: Vec<String> = passed.into_iter().map(|p| p.argument).collect();
        Some(format!("{name}({})", arguments.join(", ")))
    }

    /// How a part gets an array: all of it, a row of it, or from an element on.
    fn pass(
        &mut self,
        array: &Array,
        body: &mut [Stmt],
        own: &BTreeSet<String>,
        passed: &[Passed],
    ) -> Passed {
        let name = array.name.clone();
        let readonly = if array.written { "" } else { "const " };
        let pointer = format!("{readonly}{} *{name}", array.spelt);
        let known = |v: &str| !own.contains(v) && passed.iter().any(|p| p.name == v);
        let first = first_subscripts(body, &array.name, array.extents.len());
        let whole = |generator: &Generator| Passed {
            parameter: generator.parameter(array, ""),
            argument: name.clone(),
            name: name.clone(),
        };
        let Some(first) = first.filter(|_| array.form == Form::Brackets) else {
            return whole(self);
        };
        let rows: BTreeSet<&str> = first.iter().map(|(v, _)| v.as_str()).collect();
        let from = rows.first().filter(|v| rows.len() == 1 && known(v));
        let exact = first.iter().any(|(_, by)| *by == 0);
        let Some(from) = from.filter(|_| exact && self.random.percent(60)) else {
            return whole(self);
        };
        let is_row = array.extents.len() == 2;
        if array.extents.len() > 2 || is_row && first.iter().any(|(_, by)| *by != 0) {
            return whole(self);
        }
        let star = self.random.percent(50);
        in_bodies(body, &mut |e| {
            let Expr::Index(of, subscripts) = e else {
                return;
            };
            if *of != array.name {
                return;
            }
            if is_row {
                subscripts.remove(0);
            } else {
                let by = offset(&subscripts[0]).map_or(0, |(_, by)| by);
                subscripts[0] = Expr::atom(by.to_string());
                if by == 0 && star {
                    *e = Expr::Unary("*", Box::new(Expr::atom(of.clone())));
                }
            }
        });
        let argument = match (is_row, self.random.percent(50)) {
            (true, true) => format!("{name}[{from}]"),
            (true, false) => format!("&{name}[{from}][0]"),
            (false, true) => format!("&{name}[{from}]"),
            (false, false) => format!("{name} + {from}"),
        };
        Passed {
            parameter: pointer,
            argument,
            name,
        }
    }

    /// What a part calls its arrays: as they are called, each as the next one is, or otherwise.
    fn other_names(
        &mut self,
        arrays: &[Array],
        used: &BTreeSet<String>,
    ) -> BTreeMap<String, String> {
        let from = arrays.iter().map(|a| a.name.clone());
        let names: Vec<String> = from.clone().collect();
        match self.random.below(3) {
            0 => BTreeMap::new(),
            1 => {
                let shifted = names[1..].iter().chain(&names[..1]).cloned();
                from.zip(shifted).collect()
            }
            _ => {
                let others = ["u", "v", "x", "y", "z"].map(str::to_owned);
                let free = others.into_iter().filter(|name| !used.contains(name));
                from.zip(free).collect()
            }
        }
    }

    /// Extents in brackets.
    pub(super) fn lengths(&self, extents: &[Extent]) -> String {
        let text = |e: &Extent| format!("[{}]", self.length(e));
        extents.iter().map(text).collect()
    }

    /// An extent as text.
    pub(super) fn length(&self, extent: &Extent) -> String {
        match extent {
            Extent::Constant(length) => length.to_string(),
            Extent::Size(size, 0) => self.visible.sizes[*size].name.clone(),
            Extent::Size(size, more) => format!("{} + {more}", self.visible.sizes[*size].name),
        }
    }
}

/// Whether something leaves the statements by a jump.
pub(super) fn jumps(statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| match statement {
        Stmt::Raw(line) => line == "break;" || line == "continue;" || line.starts_with("goto "),
        Stmt::If { then, other, .. } => jumps(then) || jumps(other),
        Stmt::For(of) => leads_out(&of.body),
        Stmt::While { body, .. } => leads_out(body),
        Stmt::Return(_) | Stmt::Region(_) => true,
        _ => false,
    })
}

/// Applies `act` to each part of each expression.
fn in_bodies(statements: &mut [Stmt], act: &mut dyn FnMut(&mut Expr)) {
    let mut all = Vec::new();
    expressions(statements, &mut all);
    for expr in all {
        each_part(expr, act);
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a text, each with whether it is the name of a field.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(is_word)?;
            let length = text[start..].find(|c| !is_word(c));
            at = length.map_or(text.len(), |length| start + length);
            if !text[..start].ends_with('.') && !text[..start].ends_with("->") {
                return Some((start, &text[start..at]));
            }
        }
    })
}

/// Names, also those of sizes in structures as they are written.
fn names(statements: &[Stmt]) -> BTreeSet<String> {
    let mut text = String::new();
    print(&mut text, statements, 0);
    words(&text).map(|(_, word)| word.to_owned()).collect()
}

/// What statements declare; `None` where a loop counts in a variable from around.
fn declared(statements: &[Stmt]) -> Option<BTreeSet<String>> {
    let mut own = BTreeSet::new();
    for statement in statements {
        match statement {
            Stmt::Declare { name, .. } => {
                own.insert(name.clone());
            }
            Stmt::For(nest) => {
                nest.ty?;
                own.insert(nest.var.clone());
                let text = nest.from.to_string();
                // A second variable.
                if let Some((_, second)) = text.split_once(", ") {
                    own.extend(words(second).next().map(|(_, word)| word.to_owned()));
                }
                own.extend(declared(&nest.body)?);
            }
            Stmt::If { then, other, .. } => {
                own.extend(declared(then)?);
                own.extend(declared(other)?);
            }
            Stmt::While { body, .. } | Stmt::Region(body) => own.extend(declared(body)?),
            Stmt::Raw(line) if line.contains('[') && !line.contains('(') => {
                let name = line.split('[').next().and_then(|l| l.rsplit(' ').next());
                own.extend(name.map(|name| name.trim_start_matches('*').to_owned()));
            }
            _ => {}
        }
    }
    Some(own)
}

/// Variables that statements set or step.
fn written(statements: &mut [Stmt]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut places = |statement: &Stmt| {
        if let Stmt::Set { target, .. } | Stmt::Step(_, target, _) = statement
            && let Expr::Atom(name) = target
        {
            all.insert(name.trim_matches(['*', '+', '-']).to_owned());
        }
    };
    each_statement(statements, &mut places);
    in_bodies(statements, &mut |e| {
        if let Expr::Atom(text) = e
            && (text.contains("++") || text.contains("--"))
        {
            all.extend(words(text).map(|(_, word)| word.to_owned()));
        }
    });
    all
}

fn each_statement(statements: &[Stmt], act: &mut dyn FnMut(&Stmt)) {
    for statement in statements {
        act(statement);
        match statement {
            Stmt::If { then, other, .. } => {
                each_statement(then, act);
                each_statement(other, act);
            }
            Stmt::For(nest) => each_statement(&nest.body, act),
            Stmt::While { body, .. } | Stmt::Region(body) | Stmt::Comma(body) => {
                each_statement(body, act)
            }
            _ => {}
        }
    }
}

/// `v`, `v + 3`, `v - 1`: a name and a number.
fn offset(subscript: &Expr) -> Option<(String, i64)> {
    match subscript {
        Expr::Atom(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => {
            Some((name.clone(), 0))
        }
        Expr::Binary(op @ ("+" | "-"), a, b) => match (&**a, &**b) {
            (Expr::Atom(name), Expr::Atom(number)) => {
                let number: i64 = number.parse().ok()?;
                let number = if *op == "-" { -number } else { number };
                (!name.starts_with(|c: char| c.is_ascii_digit())).then(|| (name.clone(), number))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The first subscripts of all that names an array, where all have one of so many.
fn first_subscripts(
    statements: &mut [Stmt],
    array: &str,
    count: usize,
) -> Option<Vec<(String, i64)>> {
    let mut text = String::new();
    print(&mut text, statements, 0);
    let named = words(&text).filter(|(_, word)| *word == array).count();
    let mut found = Vec::new();
    in_bodies(statements, &mut |e| {
        if let Expr::Index(of, subscripts) = e
            && of == array
            && subscripts.len() == count
        {
            found.extend(offset(&subscripts[0]));
        }
    });
    (!found.is_empty() && found.len() == named).then_some(found)
}

fn with_names(text: &str, renamed: &BTreeMap<String, String>) -> String {
    let mut result = String::new();
    let mut end = 0;
    for (at, word) in words(text) {
        result.push_str(&text[end..at]);
        result.push_str(renamed.get(word).map_or(word, |name| name));
        end = at + word.len();
    }
    result + &text[end..]
}

/// Gives names other names.
fn rename(statements: &mut [Stmt], renamed: &BTreeMap<String, String>) {
    in_bodies(statements, &mut |e| match e {
        Expr::Atom(text) | Expr::Index(text, _) => *text = with_names(text, renamed),
        _ => {}
    });
    fn lines(statements: &mut [Stmt], renamed: &BTreeMap<String, String>) {
        for statement in statements {
            match statement {
                Stmt::Raw(line) => *line = with_names(line, renamed),
                Stmt::If { then, other, .. } => {
                    lines(then, renamed);
                    lines(other, renamed);
                }
                Stmt::For(nest) => lines(&mut nest.body, renamed),
                Stmt::While { body, .. } | Stmt::Region(body) => lines(body, renamed),
                _ => {}
            }
        }
    }
    lines(statements, renamed);
}

/// Whether a `goto` in the body of a loop leads to the end of one around it.
fn leads_out(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Raw(line) => line.starts_with("goto "),
        Stmt::If { then, other, .. } => leads_out(then) || leads_out(other),
        Stmt::For(of) => leads_out(&of.body),
        Stmt::While { body, .. } => leads_out(body),
        _ => false,
    })
}
