//! Where in a file the mutants go: each is looked up in the syntax tree, as the operands of an
//! operator have to be known for it to be replaced at run time.

use crate::list::{Mutant, Place};
use proc_macro2::Span;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// What is done at a place of a file.
#[derive(Debug)]
pub enum Edit {
    /// An expression that has other texts: which mutant makes it which.
    Choice {
        /// The expression.
        range: Range<usize>,
        /// Mutants (index into the list) and what they put there.
        texts: Vec<(usize, String)>,
    },
    /// The beginning of a function's body that returns early: mutants and what they return.
    Return {
        /// Behind the opening brace.
        at: usize,
        /// Mutants and the expressions they return.
        texts: Vec<(usize, String)>,
    },
    /// The end of a pattern of an arm without a guard, which goes away.
    Guard {
        /// Behind the pattern.
        at: usize,
        /// The mutant.
        mutant: usize,
    },
}

impl Edit {
    /// Where it begins in the text.
    pub fn start(&self) -> usize {
        match self {
            Edit::Choice { range, .. } => range.start,
            Edit::Return { at, .. } | Edit::Guard { at, .. } => *at,
        }
    }

    /// Where it ends in the text.
    pub fn end(&self) -> usize {
        match self {
            Edit::Choice { range, .. } => range.end,
            Edit::Return { at, .. } | Edit::Guard { at, .. } => *at,
        }
    }

    /// Its mutants.
    pub fn mutants(&self) -> Vec<usize> {
        match self {
            Edit::Choice { texts, .. } | Edit::Return { texts, .. } => {
                texts.iter().map(|(mutant, _)| *mutant).collect()
            }
            Edit::Guard { mutant, .. } => vec![*mutant],
        }
    }

    /// Leaves out mutants; says whether any is left.
    pub fn keep(&mut self, keep: impl Fn(usize) -> bool) -> bool {
        match self {
            Edit::Choice { texts, .. } | Edit::Return { texts, .. } => {
                texts.retain(|(mutant, _)| keep(*mutant));
                !texts.is_empty()
            }
            Edit::Guard { mutant, .. } => keep(*mutant),
        }
    }
}

/// The edits that put `mutants` (with their numbers in the whole list) into a file, from the
/// first to the last, what is around in front of what is in it. Mutants in constants, and those
/// for which no place was found, have none.
///
/// # Errors
/// When the file cannot be read as Rust.
pub fn edits(text: &str, mutants: &[(usize, &Mutant)]) -> Result<Vec<Edit>, syn::Error> {
    let file = syn::parse_file(text)?;
    let mut at: HashMap<(&str, Place), Vec<usize>> = HashMap::new();
    for (number, mutant) in mutants {
        at.entry((mutant.genre.as_str(), mutant.span.start))
            .or_default()
            .push(*number);
    }
    let mut finder = Finder {
        text,
        lines: lines(text),
        at,
        by_number: mutants.iter().copied().collect(),
        choices: BTreeMap::new(),
        others: Vec::new(),
    };
    finder.visit_file(&file);
    let mut edits = finder.others;
    edits.extend(
        finder
            .choices
            .into_iter()
            .filter(|(_, texts)| !texts.is_empty())
            .map(|((start, end), texts)| Edit::Choice {
                range: start..end,
                texts,
            }),
    );
    // What only inserts stands in front of an expression that begins there.
    edits.sort_by_key(|edit| {
        (
            edit.start(),
            edit.end() != edit.start(),
            std::cmp::Reverse(edit.end()),
        )
    });
    Ok(edits)
}

/// Where each line begins, in bytes.
fn lines(text: &str) -> Vec<usize> {
    let ends = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| *byte == b'\n')
        .map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

struct Finder<'a> {
    text: &'a str,
    lines: Vec<usize>,
    at: HashMap<(&'a str, Place), Vec<usize>>,
    by_number: HashMap<usize, &'a Mutant>,
    choices: BTreeMap<(usize, usize), Vec<(usize, String)>>,
    others: Vec<Edit>,
}

impl Finder<'_> {
    fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.lines[line - 1];
        let rest = &self.text[start..];
        start
            + rest
                .char_indices()
                .nth(column)
                .map_or(rest.len(), |(at, _)| at)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (span.start(), span.end());
        self.offset(start.line, start.column)..self.offset(end.line, end.column)
    }

    /// The mutants of a kind at a place.
    fn here(&self, genre: &str, span: Span) -> Vec<usize> {
        let start = span.start();
        let place = Place {
            line: start.line,
            column: start.column + 1,
        };
        self.at.get(&(genre, place)).cloned().unwrap_or_default()
    }

    /// In `whole`, `part` becomes another text.
    fn choose(&mut self, whole: &Range<usize>, part: &Range<usize>, mutants: &[usize], cut: bool) {
        for &mutant in mutants {
            let new = if cut {
                ""
            } else {
                &self.by_number[&mutant].replacement
            };
            let text = format!(
                "{}{new}{}",
                &self.text[whole.start..part.start],
                &self.text[part.end..whole.end]
            );
            self.choices
                .entry((whole.start, whole.end))
                .or_default()
                .push((mutant, text));
        }
    }

    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let inside = block.stmts.first().map(Spanned::span);
        let spans = [
            Some(block.span()),
            Some(block.brace_token.span.open()),
            inside,
        ];
        let mut mutants: Vec<usize> = spans
            .into_iter()
            .flatten()
            .flat_map(|s| self.here("FnValue", s))
            .collect();
        mutants.sort_unstable();
        mutants.dedup();
        if mutants.is_empty() || signature.constness.is_some() {
            return;
        }
        let at = self.range(block.brace_token.span.open()).end;
        let texts = mutants
            .iter()
            .map(|m| (*m, self.by_number[m].replacement.clone()))
            .collect();
        self.others.push(Edit::Return { at, texts });
    }
}

/// Whether an expression is one of numbers alone: a reference to it lives for ever, but for a
/// choice that is made at run time.
fn is_constant(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(unary) => is_constant(&unary.expr),
        syn::Expr::Paren(paren) => is_constant(&paren.expr),
        syn::Expr::Cast(cast) => is_constant(&cast.expr),
        syn::Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        syn::Expr::Array(array) => array.elems.iter().all(is_constant),
        syn::Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        _ => false,
    }
}

/// Whether a condition binds names: `a && let Some(b) = c` is no expression that could stand in
/// parentheses.
fn binds(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(&item.sig, &item.block);
        if item.sig.constness.is_none() {
            self.visit_block(&item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(&item.sig, &item.block);
        if item.sig.constness.is_none() {
            self.visit_block(&item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(&item.sig, block);
            self.visit_block(block);
        }
    }

    // What is constant, or no expression.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
    }

    fn visit_expr_reference(&mut self, expr: &'ast syn::ExprReference) {
        if !is_constant(&expr.expr) {
            self.visit_expr(&expr.expr);
        }
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let mutants = self.here("BinaryOperator", expr.op.span());
        if !binds(&expr.left) && !binds(&expr.right) {
            let (whole, part) = (self.range(expr.span()), self.range(expr.op.span()));
            self.choose(&whole, &part, &mutants, false);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let mutants = self.here("UnaryOperator", expr.op.span());
        let (whole, part) = (self.range(expr.span()), self.range(expr.op.span()));
        self.choose(&whole, &part, &mutants, true);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let gone = self.here("MatchArm", arm.span());
        match &arm.guard {
            Some((_, guard)) => {
                let mutants = self.here("MatchArmGuard", guard.span());
                let range = self.range(guard.span());
                self.choose(&range, &range, &mutants, false);
                // A guard that never holds is an arm that is gone.
                let texts = self.choices.entry((range.start, range.end)).or_default();
                texts.extend(gone.iter().map(|&mutant| (mutant, "false".to_owned())));
                self.visit_expr(guard);
            }
            None => {
                let at = self.range(arm.pat.span()).end;
                self.others
                    .extend(gone.iter().map(|&mutant| Edit::Guard { at, mutant }));
            }
        }
        self.visit_expr(&arm.body);
    }

    fn visit_expr_struct(&mut self, expr: &'ast syn::ExprStruct) {
        let whole = self.range(expr.span());
        for pair in expr.fields.pairs() {
            let field = pair.value();
            let mutants = self.here("StructField", field.span());
            let mut part = self.range(field.span());
            if let Some(comma) = pair.punct() {
                part.end = self.range(comma.span()).end;
            }
            self.choose(&whole, &part, &mutants, true);
        }
        visit::visit_expr_struct(self, expr);
    }
}
