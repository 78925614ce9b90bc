//! The statements of a marked region and of the blocks inside of them, as far as some of them may be
//! regions by themselves: where they begin and end, and whether their text can be replaced.

use super::prepare::Prepared;
use super::regions::{self, Marked};
use crate::frontend::c::parse::statements::end;
use crate::frontend::c::spans::{Place, SpanMap};
use crate::frontend::c::tokens::{Token, tokens};
use crate::source::{Source, Span};
use lang_c::ast::{BlockItem, ExternalDeclaration, FunctionDefinition, Statement, TranslationUnit};
use lang_c::span::Node;

/// One or more statements that follow each other in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its first byte in the preprocessed text.
    pub first: usize,
    /// One past its last byte there.
    pub end: usize,
    /// Its bytes in the original.
    pub span: Span,
    /// Its first token in the original.
    pub opening: Span,
    /// Its last statement in the original.
    pub closing: Span,
}

impl Run {
    /// From the first statement of one to the last of another.
    pub fn to(self, other: Run) -> Run {
        Run {
            end: other.end,
            span: self.span.to(other.span),
            closing: other.closing,
            ..self
        }
    }
}

/// A statement of a region.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// Itself as a region; `None` where its text cannot be replaced: declarations, what comes out of
    /// macros, what a pragma is about.
    pub run: Option<Run>,
    /// Whether it is a loop, or has one inside.
    pub has_loop: bool,
    /// The lists of statements inside.
    pub inside: Vec<Vec<Outline>>,
}

/// The statements of each marked region.
pub(in crate::frontend::c::parse) fn outlines(
    source: &Source,
    prepared: &Prepared,
    map: &SpanMap,
    marked: &[Marked],
    tree: &TranslationUnit,
) -> Vec<Vec<Outline>> {
    let outliner = Outliner::new(source, prepared, map);
    let bodies: Vec<&Node<Statement>> = tree
        .0
        .iter()
        .filter_map(|declaration| match &declaration.node {
            ExternalDeclaration::FunctionDefinition(f) => Some(&f.node.statement),
            _ => None,
        })
        .collect();
    let of = |region: &Marked| {
        let around = bodies
            .iter()
            .find(|body| body.span.start < region.start && region.end < body.span.end);
        around.and_then(|body| outliner.between(body, region))
    };
    marked
        .iter()
        .map(|region| of(region).unwrap_or_default())
        .collect()
}

/// The runs of statements of functions without marked regions that are regions, one by one, where loops are
/// not marked: from one loop to another, as far as the text of all between them can be replaced. Functions of
/// other files and those that `leaves` says are left out have none.
pub(in crate::frontend::c::parse) fn chosen(
    source: &Source,
    prepared: &Prepared,
    map: &SpanMap,
    marked: &[Marked],
    tree: &TranslationUnit,
    leaves: &dyn Fn(&FunctionDefinition) -> bool,
) -> Vec<Marked> {
    let outliner = Outliner::new(source, prepared, map);
    let mut runs = Vec::new();
    for declaration in &tree.0 {
        let ExternalDeclaration::FunctionDefinition(f) = &declaration.node else {
            continue;
        };
        let body = &f.node.statement;
        let is_marked =
            |region: &Marked| body.span.start < region.start && region.start < body.span.end;
        if !map.is_main(f.span.start) || marked.iter().any(is_marked) || leaves(&f.node) {
            continue;
        }
        from_loop_to_loop(source, &outliner.body(body, body.span.start), &mut runs);
    }
    runs.iter().map(Marked::run).collect()
}

fn from_loop_to_loop(source: &Source, list: &[Outline], runs: &mut Vec<Run>) {
    for part in list.chunk_by(|a, b| a.run.is_some() && b.run.is_some()) {
        let loops = |one: &Outline| one.has_loop;
        let (Some(first), Some(last)) = (part.iter().position(loops), part.iter().rposition(loops))
        else {
            continue;
        };
        let part = &part[first..=last];
        match (part[0].run, part[part.len() - 1].run) {
            (Some(one), Some(other)) if part.len() == 1 || is_whole(source, &one.to(other)) => {
                runs.push(one.to(other));
            }
            // A directive stands between them.
            (Some(_), Some(_)) => {
                let loops = part.iter().filter(|one| one.has_loop);
                runs.extend(loops.filter_map(|one| one.run));
            }
            _ => {
                for inside in part.iter().flat_map(|one| &one.inside) {
                    from_loop_to_loop(source, inside, runs);
                }
            }
        }
    }
}

/// Whether the directives in a run are whole, those between its statements included.
pub(crate) fn is_whole(source: &Source, run: &Run) -> bool {
    regions::check_directives(&source.text, &tokens(&source.text), run.span).is_ok()
}

struct Outliner<'a> {
    source: &'a Source,
    prepared: &'a Prepared,
    map: &'a SpanMap,
    /// Tokens of the original.
    original: Vec<Token>,
    /// Where its lines begin.
    lines: Vec<usize>,
}

/// Where the lines of a text begin.
fn lines(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

impl<'a> Outliner<'a> {
    fn new(source: &'a Source, prepared: &'a Prepared, map: &'a SpanMap) -> Outliner<'a> {
        Outliner {
            source,
            prepared,
            map,
            original: tokens(&source.text),
            lines: lines(&source.text),
        }
    }

    /// The statements between the marks of a region, which are in this statement.
    fn between(&self, statement: &Node<Statement>, region: &Marked) -> Option<Vec<Outline>> {
        if let Statement::Compound(items) = &statement.node {
            let own = |item: &&Node<BlockItem>| {
                region.start < item.span.start && end(&self.prepared.text, item.span) <= region.end
            };
            let own: Vec<_> = items.iter().filter(own).collect();
            let labelled = items.iter().find_map(|item| match &item.node {
                BlockItem::Statement(statement) => {
                    let behind = unlabelled(statement);
                    let marked = statement.span.start..behind.span.start;
                    marked.contains(&region.start).then_some(behind)
                }
                _ => None,
            });
            let first = labelled.map(|first| self.outline(first, region.start + 1));
            let from = labelled.map_or(region.start + 1, |first| {
                end(&self.prepared.text, first.span)
            });
            if !own.is_empty() || first.is_some() {
                return Some(first.into_iter().chain(self.list(own, from)).collect());
            }
        }
        inner(&statement.node)
            .into_iter()
            .find_map(|inner| self.between(inner, region))
    }

    /// Statements of a block; what stands behind the offset in front of the first of them is about it.
    fn list<'n>(
        &self,
        items: impl IntoIterator<Item = &'n Node<BlockItem>>,
        from: usize,
    ) -> Vec<Outline> {
        let mut from = from;
        let mut list = Vec::new();
        for item in items {
            let outline = match &item.node {
                BlockItem::Statement(statement) => self.outline(statement, from),
                BlockItem::Declaration(_) | BlockItem::StaticAssert(_) => Outline {
                    run: None,
                    has_loop: false,
                    inside: Vec::new(),
                },
            };
            list.push(outline);
            from = end(&self.prepared.text, item.span);
        }
        list
    }

    fn outline(&self, statement: &Node<Statement>, from: usize) -> Outline {
        let place = statement.span;
        let pragmas = &self.prepared.pragmas;
        let about = pragmas
            .iter()
            .any(|p| (from..place.start).contains(&p.offset));
        if about {
            return Outline {
                run: None,
                has_loop: has_loop(&statement.node),
                inside: Vec::new(),
            };
        }
        let lists = match &statement.node {
            Statement::Compound(_) => vec![self.body(statement, place.start)],
            inside => inner(inside)
                .into_iter()
                .map(|body| self.body(body, self.in_front(body.span.start)))
                .collect(),
        };
        let labelled = matches!(statement.node, Statement::Labeled(_));
        let run = self.run(place.start, end(&self.prepared.text, place));
        Outline {
            run: run.filter(|_| !labelled),
            has_loop: has_loop(&statement.node),
            inside: lists,
        }
    }

    /// The statements of a body, which need not be a block.
    fn body(&self, statement: &Node<Statement>, from: usize) -> Vec<Outline> {
        match &statement.node {
            Statement::Compound(items) => self.list(items, statement.span.start),
            _ => vec![self.outline(statement, from)],
        }
    }

    /// One past the last token in front of an offset.
    fn in_front(&self, offset: usize) -> usize {
        let index = self.map.token_from(offset);
        let before = index.checked_sub(1).and_then(|k| self.map.tokens.get(k));
        before.map_or(0, |token| token.end)
    }

    /// Statements as text that can be replaced in the original: no macro has to do with what is in
    /// front of it on its first line, or with its last token and what is behind it on its line.
    fn run(&self, first: usize, end: usize) -> Option<Run> {
        let (text, map) = (&self.prepared.text, self.map);
        let opening = map.token_from(first);
        let closing = map
            .tokens
            .partition_point(|t| t.end <= end)
            .checked_sub(1)?;
        let (a, b) = (map.tokens.get(opening)?, map.tokens.get(closing)?);
        let spans = [map.token_span(opening), map.token_span(closing)];
        let last = self.source.text.get(spans[1].start..spans[1].end);
        let theirs = last == Some(b.text(text))
            && a.start == first
            && b.end == end
            && spans[0].start <= spans[1].start;
        let line = |offset: usize| self.lines.partition_point(|&start| start <= offset) - 1;
        let lines = spans.map(|span| line(span.start));
        let there = map.place(opening) == Place::Main(lines[0])
            && map.place(closing) == Place::Main(lines[1]);
        if !theirs || !there {
            return None;
        }
        let on_line = |k: usize, line: usize| map.place(k) == Place::Main(line);
        let before = (0..opening).rev().take_while(|&k| on_line(k, lines[0]));
        let behind = (closing + 1..map.tokens.len()).take_while(|&k| on_line(k, lines[1]));
        let mut before: Vec<&str> = before.map(|k| map.tokens[k].text(text)).collect();
        before.reverse();
        let behind: Vec<&str> = behind.map(|k| map.tokens[k].text(text)).collect();
        let written = |line: usize, within: std::ops::Range<usize>| -> Vec<&str> {
            let from = self.original.partition_point(|t| t.line < line);
            let own = self.original[from..].iter();
            let own = own.take_while(|t| t.line == line);
            let own = own.filter(|t| within.contains(&t.start));
            own.map(|t| t.text(&self.source.text)).collect()
        };
        let span = spans[0].to(spans[1]);
        let plain = before == written(lines[0], 0..span.start)
            && behind == written(lines[1], span.end..usize::MAX);
        let whole = regions::check_directives(&self.source.text, &self.original, span).is_ok();
        (plain && whole).then(|| Run {
            first,
            end,
            span,
            opening: spans[0],
            closing: span,
        })
    }
}

/// A statement without the labels in front of it.
pub(in crate::frontend::c::parse) fn unlabelled(node: &Node<Statement>) -> &Node<Statement> {
    match &node.node {
        Statement::Labeled(labeled) => unlabelled(&labeled.node.statement),
        _ => node,
    }
}

/// The statements directly inside of one that is no block.
fn inner(statement: &Statement) -> Vec<&Node<Statement>> {
    match statement {
        Statement::Compound(items) => items
            .iter()
            .filter_map(|item| match &item.node {
                BlockItem::Statement(statement) => Some(statement),
                _ => None,
            })
            .collect(),
        Statement::If(branches) => {
            let branches = &branches.node;
            let mut all = vec![&*branches.then_statement];
            all.extend(branches.else_statement.as_deref());
            all
        }
        Statement::For(of) => vec![&*of.node.statement],
        Statement::While(of) => vec![&*of.node.statement],
        Statement::DoWhile(of) => vec![&*of.node.statement],
        Statement::Switch(of) => vec![&*of.node.statement],
        Statement::Labeled(of) => vec![&*of.node.statement],
        _ => Vec::new(),
    }
}

fn has_loop(statement: &Statement) -> bool {
    let itself = matches!(
        statement,
        Statement::For(_) | Statement::While(_) | Statement::DoWhile(_)
    );
    itself || inner(statement).into_iter().any(|s| has_loop(&s.node))
}
