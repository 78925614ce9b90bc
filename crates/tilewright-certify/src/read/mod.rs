//! A C text to a [`Program`]: the text is cut into declarations and functions, those that are asked for
//! are parsed with what they mention, and functions are compiled from the tree when something calls for
//! them, so that what nobody calls need not be understood.

mod declare;
pub(crate) mod devices;
pub(crate) mod expressions;
mod function;
mod nesting;
mod params;
mod parse;
mod scan;
pub(crate) mod sites;
pub(crate) mod statements;
#[cfg(test)]
mod tests;

use crate::names::{NameSet, Names};
use crate::program::{Function, Op, Program, Reg, SourceLines};
use crate::text::{Piece, Prepared, Problem, needed, only, pieces, prepare, without_type};
use crate::types::{Kind, Type};
use lang_c::ast::{ExternalDeclaration, FunctionDefinition, TranslationUnit};
use lang_c::span::{Node, Span};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

pub(crate) use devices::kernels::KernelText;
use function::{Fun, Mentions};
use nesting::{DEEPEST, check_nesting};

pub(crate) type Res<T> = Result<T, Problem>;

/// Registers that hold constants, behind a function's parameters.
const CONSTANTS: usize = 200;

/// What a name stands for.
#[derive(Clone, Debug)]
enum Symbol {
    Typedef {
        ty: Type,
        /// It is a `restrict` pointer.
        restrict: bool,
    },
    Enumerator(i64),
    /// A local variable in a register; `flag` is set once it has a value.
    Local {
        reg: Reg,
        ty: Type,
        flag: Option<Reg>,
    },
    /// A local object; the register points to it.
    Memory {
        reg: Reg,
        ty: Type,
    },
    Global(usize),
    Function(Type),
}

#[derive(Default)]
struct Scope {
    symbols: Names<String, Symbol>,
    tags: Names<String, Tag>,
    top: usize,
}

#[derive(Clone, Copy, Debug)]
enum Tag {
    Record(usize),
    Enum(Kind),
}

struct Reader<'a> {
    prepared: &'a Prepared,
    pragmas: HashMap<usize, Vec<crate::text::Pragma>>,
    program: Program,
    scopes: Vec<Scope>,
    called: Called<'a>,
    constant_index: HashMap<u64, u32>,
    fun: Fun,
    position: Position,
    depth: usize,
    /// Whether only constants are wanted.
    folding: bool,
    /// Whether it is a text of kernels.
    device: bool,
    /// The variables whose values are recorded with each access, where accesses are.
    traced: Option<&'a [String]>,
}

/// Functions by their names.
#[derive(Default)]
struct Called<'a> {
    definitions: Names<&'a str, &'a Node<FunctionDefinition>>,
    /// Those that are called for, in order.
    numbers: Names<String, usize>,
    /// Those of them that are not compiled yet.
    pending: Vec<String>,
}

/// Where in the text.
#[derive(Default)]
struct Position {
    /// The number of a line ([`Prepared::row`], [`SourceLines::rows`]).
    line: u32,
    /// The byte of the text that is being compiled, and where the statement around it begins.
    offset: usize,
    begun: usize,
}

/// A text, cut.
pub(crate) struct Parsed {
    prepared: Prepared,
    pieces: Vec<Piece>,
}

/// A function that is defined in a text's main file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Defined {
    pub name: String,
    /// Its text without blanks, as the parser saw it, and its pragmas.
    pub text: String,
    /// Whether it holds a generated region.
    pub generated: bool,
    /// Whether other files cannot call it.
    pub is_static: bool,
}

/// Cuts a text.
pub(crate) fn cut(name: &str, text: &str) -> Res<Parsed> {
    cut_prepared(prepare(name, text)?)
}

/// Cuts a text that is ready for it.
fn cut_prepared(prepared: Prepared) -> Res<Parsed> {
    let pieces = pieces(&prepared);
    let pieces = pieces.map_err(|problem| check_nesting(&prepared).err().unwrap_or(problem))?;
    Ok(Parsed { prepared, pieces })
}

impl Parsed {
    /// The functions of the main file.
    pub fn functions(&self) -> Vec<Defined> {
        let mut found = Vec::new();
        for piece in &self.pieces {
            let first = self.prepared.line(piece.range.start);
            let Some(name) = &piece.function else {
                continue;
            };
            if first == 0 {
                continue;
            }
            let range = piece.range.clone();
            let text = self.prepared.text.get(range.clone()).unwrap_or("");
            let within = self.prepared.pragmas.iter();
            let mut within: Vec<_> = within.filter(|(at, _)| range.contains(at)).collect();
            within.sort_by_key(|(at, _)| **at);
            let pragmas = within.iter().flat_map(|(_, list)| list.iter());
            let pragmas: String = pragmas.map(|p| format!("#{}", p.words)).collect();
            let mut regions = self.prepared.generated.iter();
            found.push(Defined {
                name: name.clone(),
                text: text
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .chain(pragmas.chars())
                    .collect(),
                generated: regions.any(|g| range.start <= g.start && g.end <= range.end),
                is_static: piece.is_static,
            });
        }
        found
    }

    /// The main file's text outside of functions, without blanks.
    pub fn outside(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            if piece.function.is_none() && self.prepared.line(piece.range.start) != 0 {
                let part = self.prepared.text.get(piece.range.clone());
                text.extend(part.unwrap_or("").chars().filter(|c| !c.is_whitespace()));
            }
        }
        text
    }

    /// The pieces that functions need. `whole`: and what the main file declares, also where they do
    /// not mention it.
    fn needed(&self, names: &[String], whole: bool, also: &NameSet<&str>) -> Vec<usize> {
        let own = |piece: &Piece| {
            let is_own = piece.function.is_none() && self.prepared.line(piece.range.start) != 0;
            let asked = piece.declared().any(|name| also.contains(name.as_str()));
            (whole && is_own) || asked
        };
        needed(&self.prepared, &self.pieces, names, &own)
    }

    /// The names of objects and types that functions and those that they call need.
    pub fn declared(&self, names: &[String], whole: bool) -> NameSet<&str> {
        let chosen = self.needed(names, whole, &NameSet::default());
        let pieces = chosen.iter().map(|number| &self.pieces[*number]);
        pieces
            .flat_map(Piece::declared)
            .map(String::as_str)
            .collect()
    }

    /// Parses what functions and those that they call need. `whole`: and what the main file declares,
    /// also where they do not mention it. `also`: and what has these names, as another text needs it.
    pub fn parse(&self, names: Vec<String>, whole: bool, also: &NameSet<&str>) -> Res<Compilable> {
        let chosen = self.needed(&names, whole, also);
        let prepared = only(&self.prepared, &self.pieces, &chosen);
        check_nesting(&prepared)?;
        let tree = parse::tree(&prepared)?;
        Ok(Compilable {
            prepared,
            tree,
            names,
        })
    }

    /// Parses the same so that each node has its place.
    pub fn parse_with_places(&self, names: Vec<String>) -> Res<Compilable> {
        let chosen = self.needed(&names, false, &NameSet::default());
        let prepared = only(&self.prepared, &self.pieces, &chosen);
        check_nesting(&prepared)?;
        let tree = parse::with_places(&prepared)?;
        Ok(Compilable {
            prepared,
            tree,
            names,
        })
    }

    /// Parses and compiles functions.
    #[cfg(test)]
    pub fn compile(&self, names: &[String], whole: bool) -> Res<Program> {
        let none = NameSet::default();
        self.parse(names.to_vec(), whole, &none)?.compile(&[])
    }
}

/// The part of a text that is asked for, parsed.
pub(crate) struct Compilable {
    prepared: Prepared,
    tree: TranslationUnit,
    /// The functions that are asked for.
    names: Vec<String>,
}

impl Compilable {
    /// How long the text is.
    pub fn bytes(&self) -> usize {
        self.prepared.text.len()
    }

    /// Compiles functions, with those that they call, and kernels.
    pub fn compile(&self, kernels: &[KernelText]) -> Res<Program> {
        let mut reader = self.reader(self.program(), false);
        reader.unit(&self.tree, &self.names)?;
        let add = |program, text: &KernelText| text.compile(program);
        kernels.iter().try_fold(reader.program, add)
    }

    fn program(&self) -> Program {
        let rows = |range: &Range<usize>| {
            (
                self.prepared.row(range.start) as u32,
                self.prepared.row(range.end) as u32,
            )
        };
        Program {
            source: SourceLines {
                // Behind the last line there is none.
                rows: self.prepared.rows().chain([0]).collect(),
                generated: self.prepared.generated.iter().map(rows).collect(),
                ..SourceLines::default()
            },
            ..Program::default()
        }
    }

    /// What compiles this text into a program.
    fn reader(&self, program: Program, device: bool) -> Reader<'_> {
        Reader {
            prepared: &self.prepared,
            pragmas: self.prepared.pragmas.clone(),
            program,
            scopes: vec![Scope::default()],
            called: Called::default(),
            constant_index: HashMap::new(),
            fun: Fun::default(),
            position: Position::default(),
            depth: 0,
            folding: false,
            device,
            traced: None,
        }
    }
}

impl<'a> Reader<'a> {
    fn problem<T>(&self, what: impl Into<String>) -> Res<T> {
        Err(Problem {
            what: what.into(),
            line: self
                .program
                .source
                .rows
                .get(self.position.line as usize)
                .map_or(0, |l| *l),
        })
    }

    fn at(&mut self, span: Span) {
        self.position.line = self.prepared.row(span.start) as u32;
        self.position.offset = span.start;
        self.position.begun = span.start;
    }

    fn unit(&mut self, tree: &'a TranslationUnit, names: &[String]) -> Res<()> {
        for node in &tree.0 {
            self.at(node.span);
            // Those that are not understood end anywhere.
            self.depth = 0;
            match &node.node {
                // Declarations that are not understood matter only where their names are used.
                ExternalDeclaration::Declaration(declaration) => {
                    let _ = self.external(&declaration.node);
                }
                ExternalDeclaration::FunctionDefinition(definition) => {
                    let Some(name) = declare::name_of(&definition.node.declarator.node) else {
                        continue;
                    };
                    let ty = self.function_type(&definition.node);
                    if let Ok(ty) = ty {
                        self.bind(name, Symbol::Function(ty));
                    }
                    self.called.definitions.insert(name, definition);
                }
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        for name in names {
            self.request(name);
        }
        while let Some(name) = self.called.pending.pop() {
            if let Some(definition) = self.called.definitions.get(without_type(&name)).copied() {
                self.function(&name, definition)?;
            }
        }
        Ok(())
    }

    /// The number of a function that is defined in the text; it will be compiled.
    fn request(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = self.called.numbers.get(name) {
            return Some(*number);
        }
        let (known, _) = self.called.definitions.get_key_value(without_type(name))?;
        let number = self.program.functions.len();
        self.called.numbers.insert(name.to_owned(), number);
        self.called.pending.push(name.to_owned());
        self.program.functions.push(Function {
            name: (*known).to_owned(),
            params: Vec::new(),
            result: Type::Void,
            entry: 0,
            registers: 0,
            locals: 0,
            line: 0,
            last_line: 0,
            first_constant: 0,
            constants: Rc::from([]),
        });
        Some(number)
    }

    fn bind(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.symbols.insert(name.to_owned(), symbol);
        }
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.symbols.get(name))
    }

    fn tag(&self, name: &str) -> Option<Tag> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|s| s.tags.get(name).copied())
    }

    fn enter(&mut self) {
        let top = self.fun.frame.top;
        self.scopes.push(Scope {
            top,
            ..Scope::default()
        });
    }

    /// Leaves a scope; its registers are free again.
    fn leave(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.fun.frame.top = scope.top;
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        if self.traced.is_some() {
            self.recorded(op);
        }
        self.push(op)
    }

    fn push(&mut self, op: Op) -> usize {
        self.program.ops.push(op);
        self.program.source.lines.push(self.position.line);
        self.program.ops.len() - 1
    }

    fn here(&mut self) -> u32 {
        self.fun.jumps.label = self.program.ops.len();
        self.program.ops.len() as u32
    }

    /// Directs a jump to the next instruction.
    fn land(&mut self, jump: usize) {
        let to = self.here();
        self.direct(jump, to);
    }

    fn direct(&mut self, jump: usize, target: u32) {
        match &mut self.program.ops[jump] {
            Op::Jump { to }
            | Op::JumpIf { to, .. }
            | Op::JumpUnless { to, .. }
            | Op::JumpCompare { to, .. }
            | Op::Single { to }
            | Op::Parallel { end: to } => *to = target,
            _ => {}
        }
    }

    fn temp(&mut self) -> Res<Reg> {
        let reg = self.fun.frame.top;
        self.fun.frame.top += 1;
        self.fun.frame.most = self.fun.frame.most.max(self.fun.frame.top);
        match Reg::try_from(reg) {
            Ok(reg) => Ok(reg),
            Err(_) => self.problem("a function with more than 65,535 values"),
        }
    }

    /// A register that holds a constant.
    fn constant(&mut self, value: u64) -> Res<Reg> {
        let known = self.fun.frame.constants.iter().position(|c| *c == value);
        let at = known.unwrap_or(self.fun.frame.constants.len());
        if at < CONSTANTS {
            if known.is_none() {
                self.fun.frame.constants.push(value);
            }
            return Ok((self.fun.frame.first_constant + at) as Reg);
        }
        let d = self.temp()?;
        if let Ok(value) = i32::try_from(value as i64) {
            self.emit(Op::Imm { d, value });
        } else {
            let next = self.program.constants.len() as u32;
            let index = *self.constant_index.entry(value).or_insert(next);
            if index == next {
                self.program.constants.push(value);
            }
            self.emit(Op::Constant { d, index });
        }
        Ok(d)
    }

    fn function(&mut self, name: &str, definition: &'a Node<FunctionDefinition>) -> Res<()> {
        let node = &definition.node;
        self.at(definition.span);
        let line = self.position.line;
        let number = self.called.numbers[name];
        self.scopes.truncate(1);
        let scan = scan::scan(node, &self.pragmas);
        self.fun = Fun {
            name: name.to_owned(),
            names: Mentions {
                addressed: scan.addressed,
                shared: scan.shared,
                ..Mentions::default()
            },
            ..Fun::default()
        };
        self.enter();
        if self.prepared.is_cuda {
            self.device = devices::cuda::is_on_device(node);
            self.name_type(name);
        }
        let ty = self.function_type(node)?;
        let Type::Function(signature) = &ty else {
            return self.problem(format!("the type of function `{name}`"));
        };
        self.fun.result = Some(signature.result.clone());
        let list = declare::parameters(&node.declarator.node);
        let Some(list) = list else {
            return self.problem(format!("the parameters of function `{name}`"));
        };
        let list: Vec<_> = list.iter().filter(|p| !declare::is_void(&p.node)).collect();
        self.fun.frame.top = list.len();
        if matches!(signature.result, Type::Record(_)) {
            self.fun.returned = Some(list.len() as Reg);
            self.fun.frame.top += 1;
        }
        self.fun.frame.first_constant = self.fun.frame.top;
        self.fun.frame.top += CONSTANTS;
        self.fun.frame.most = self.fun.frame.top;
        // Extents of arrays; a caller that makes arguments runs it too.
        let mut params = Vec::new();
        let entry = self.here();
        for (index, parameter) in list.iter().enumerate() {
            params.push(self.parameter(index as Reg, &parameter.node)?);
        }
        self.emit(Op::Halt);
        self.mark();
        self.parameter_objects(&params)?;
        self.statement(&node.statement)?;
        self.close_mark();
        self.emit(Op::ReturnNothing);
        for (jump, label, line) in std::mem::take(&mut self.fun.jumps.gotos) {
            let Some(to) = self.fun.jumps.labels.get(&label).copied() else {
                self.position.line = line;
                return self.problem(format!("`goto {label}`"));
            };
            self.direct(jump, to);
        }
        self.leave();
        let last = self.prepared.row(definition.span.end.saturating_sub(1)) as u32;
        let constants = std::mem::take(&mut self.fun.frame.constants);
        let function = &mut self.program.functions[number];
        function.params = params;
        function.result = signature.result.clone();
        function.entry = entry;
        function.registers = self.fun.frame.most as u32 + 1;
        function.locals = self.fun.frame.locals;
        function.line = line;
        function.last_line = last;
        function.first_constant = self.fun.frame.first_constant as u32;
        function.constants = Rc::from(constants);
        Ok(())
    }

    /// A statement begins.
    fn mark(&mut self) {
        self.close_mark();
        let at = self.emit(Op::Mark {
            line: self.position.line,
            cost: 1,
        });
        self.fun.mark = Some(at);
    }

    fn close_mark(&mut self) {
        let end = self.program.ops.len();
        if let Some(at) = self.fun.mark.take() {
            if let Op::Mark { cost, .. } = &mut self.program.ops[at] {
                *cost = (end - at) as u32;
            }
        }
    }
}
