//! Tests of reading and writing C; the system's preprocessor runs.

mod contract;
mod diagnostics;
mod interface;
mod places;
mod rewrite;
mod trees;

use super::parse::parse;
use super::syntax::{Scope, Stmt, StmtKind, Symbol, Type, Unit};
use super::types;
use crate::diagnostic::{Diagnostic, Label};
use crate::source::Source;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A file with this text, preprocessed as the driver does it.
fn source(text: &str) -> Source {
    let mut child = Command::new("cc")
        .args([
            "-E",
            "-D__attribute__(x)=",
            "-D__extension__=",
            "-D__thread=_Thread_local",
        ])
        .args(["-D__int128=long", "-D__float128=double", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    let mut input = child.stdin.take().expect("a pipe");
    let bytes = text.as_bytes().to_vec();
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(&bytes);
    });
    let output = child.wait_with_output().expect("the preprocessor's output");
    writer.join().expect("the writer");
    let preprocessed = String::from_utf8(output.stdout).expect("UTF-8");
    Source {
        name: "<stdin>".to_string(),
        text: text.to_string(),
        preprocessed,
        ..Source::default()
    }
}

/// The tree of a file that must be accepted.
fn unit(text: &str) -> (Source, Unit) {
    let source = source(text);
    match parse(&source) {
        Ok(unit) => (source, unit),
        Err(diagnostics) => panic!("refused:\n{}", render(&source, &diagnostics)),
    }
}

/// Diagnostics as text: code, message, and each label with its line, column and marked text.
fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{}: {}", diagnostic.code, diagnostic.message);
        for label in &diagnostic.labels {
            let (line, column) = source.line_column(label.start);
            let marked = source
                .text
                .get(label.start..label.end)
                .expect("a span inside the text");
            let sign = if label.primary { "^" } else { "-" };
            let _ = writeln!(
                out,
                "  {line}:{column} {sign} `{}` {}",
                marked.replace('\n', "⏎"),
                label.text
            );
        }
        diagnostic.notes.iter().for_each(|n| {
            let _ = writeln!(out, "  note: {n}");
        });
        diagnostic.help.iter().for_each(|h| {
            let _ = writeln!(out, "  help: {h}");
        });
        diagnostic.rewrite.iter().for_each(|r| {
            let _ = writeln!(out, "  rewrite: {}", r.replace('\n', "⏎"));
        });
    }
    out
}

/// The message for a file that must be refused, or of which a region cannot be replaced.
fn refusal(text: &str) -> String {
    let source = source(text);
    let diagnostics = refused(&source);
    diagnostics.iter().for_each(|d| offers(&source, d));
    render(&source, &diagnostics)
}

fn refused(source: &Source) -> Vec<Diagnostic> {
    let diagnostics = match parse(source) {
        Ok(unit) => {
            let fixed = unit.regions.into_iter().filter_map(|region| region.fixed);
            fixed.map(|diagnostic| *diagnostic).collect()
        }
        Err(diagnostics) => diagnostics,
    };
    assert!(!diagnostics.is_empty(), "accepted: {}", source.text);
    diagnostics
}

/// With what a message offers in place of what it marks, it is gone, and another one of the same
/// place does not come.
fn offers(before: &Source, offer: &Diagnostic) {
    let place = offer.labels.iter().find(|label| label.primary);
    let Some((place, rewrite)) = place.zip(offer.rewrite.as_ref()) else {
        return;
    };
    let mut text = before.text.clone();
    text.replace_range(place.start..place.end, rewrite);
    let end = place.start + rewrite.len();
    for message in parse(&source(&text)).err().unwrap_or_default() {
        let here = |label: &Label| label.primary && (place.start..end).contains(&label.start);
        assert!(
            !message.labels.iter().any(here),
            "{text}: {}",
            message.message
        );
    }
}

/// A tree as compact text. A name that several symbols share carries its symbol's number.
fn show(unit: &Unit) -> String {
    let mut symbols = unit.symbols.clone();
    for (id, symbol) in symbols.iter_mut().enumerate() {
        if unit
            .symbols
            .iter()
            .filter(|s| s.name == symbol.name)
            .count()
            > 1
        {
            let _ = write!(symbol.name, "#{id}");
        }
    }
    let mut out = String::new();
    for symbol in symbols.iter().filter(|s| s.scope == Scope::File) {
        let _ = writeln!(out, "{}", show_symbol(symbol, &symbols));
    }
    for function in &unit.functions {
        let parameters: Vec<_> = function
            .parameters
            .iter()
            .map(|&p| show_symbol(&symbols[p], &symbols))
            .collect();
        let _ = write!(
            out,
            "{}{}",
            if function.is_static { "static " } else { "" },
            function.name
        );
        let _ = writeln!(
            out,
            "({}){}",
            parameters.join(", "),
            if function.result == Type::Void {
                ""
            } else {
                " -> value"
            }
        );
        show_statement(&function.body, &symbols, 1, &mut out);
    }
    out
}

fn show_symbol(symbol: &Symbol, symbols: &[Symbol]) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "{}{}",
        if symbol.is_static { "static " } else { "" },
        symbol.name
    );
    let constant = if symbol.is_const { "const " } else { "" };
    let _ = write!(out, ": {constant}{}", show_type(&symbol.ctype, symbols));
    if let Some(value) = &symbol.initialiser {
        let _ = write!(out, " = {}", types::expression(value, symbols));
    }
    match symbol.scope {
        Scope::File => out.push_str(" @file"),
        Scope::Region(region) => {
            let _ = write!(out, " @region {region}");
        }
        Scope::Parameter(_) | Scope::Function(_) => {}
    }
    out
}

fn show_type(ctype: &Type, symbols: &[Symbol]) -> String {
    let flags = |restrict: bool, is_const: bool| {
        format!(
            "{}{}",
            if restrict { "restrict " } else { "" },
            if is_const { "const " } else { "" }
        )
    };
    match ctype {
        Type::Scalar(scalar) => format!("{}:{:?}", scalar.spelling, scalar.kind),
        Type::Array {
            element,
            extent,
            restrict,
            is_const,
        } => {
            let extent = extent
                .as_ref()
                .map_or(String::new(), |e| types::expression(e, symbols));
            format!(
                "[{extent}]{}{}",
                flags(*restrict, *is_const),
                show_type(element, symbols)
            )
        }
        Type::Pointer {
            target,
            restrict,
            is_const,
        } => {
            format!(
                "*{}{}",
                flags(*restrict, *is_const),
                show_type(target, symbols)
            )
        }
        Type::Struct {
            spelling,
            is_union,
            fields,
        } => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(n, t)| format!("{n}: {}", show_type(t, symbols)))
                .collect();
            format!(
                "{spelling}{}{{{}}}",
                if *is_union { " union" } else { "" },
                fields.join(", ")
            )
        }
        Type::Void => "void".to_string(),
        Type::Other(spelling) => format!("other({spelling})"),
    }
}

fn show_statement(statement: &Stmt, symbols: &[Symbol], depth: usize, out: &mut String) {
    let text = |e: &super::syntax::Expr| types::expression(e, symbols);
    out.push_str(&"  ".repeat(depth));
    let mut below: Vec<&Stmt> = vec![];
    match &statement.kind {
        StmtKind::Block(statements) => {
            out.push_str("{}");
            below.extend(statements);
        }
        StmtKind::Declaration(id) => {
            let _ = write!(out, "{}", show_symbol(&symbols[*id], symbols));
        }
        StmtKind::Expression(e) => out.push_str(&text(e)),
        StmtKind::Exit(name) => {
            let _ = write!(out, "exit by {name}");
        }
        StmtKind::Original(why) => {
            let _ = write!(out, "the original, as not: {why}");
        }
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            let mut first = String::new();
            if let Some(init) = init {
                show_statement(init, symbols, 0, &mut first);
            }
            let first = first.trim_end().replace('\n', " ");
            let or_none = |e: &Option<super::syntax::Expr>| e.as_ref().map_or(String::new(), text);
            let _ = write!(
                out,
                "for {first}; {}; {}",
                or_none(condition),
                or_none(step)
            );
            below.push(body);
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            let _ = write!(out, "if {}", text(condition));
            below.push(then);
            below.extend(otherwise.as_deref());
        }
        StmtKind::While { condition, body } => {
            let _ = write!(out, "while {}", text(condition));
            below.push(body);
        }
        StmtKind::Return(value) => {
            let _ = write!(out, "return {}", value.as_ref().map_or(String::new(), text));
        }
        StmtKind::Empty => out.push(';'),
        StmtKind::Pragma(words) => {
            let _ = write!(out, "#pragma {words}");
        }
        StmtKind::Unsupported(what) => {
            let _ = write!(out, "<{what}>");
        }
    }
    out.push('\n');
    below
        .into_iter()
        .for_each(|s| show_statement(s, symbols, depth + 1, out));
}
