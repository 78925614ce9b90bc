//! A C text to a [`Program`]: lang-c parses, and functions are compiled from its tree when something
//! calls for them, so that what nobody calls need not be understood.

mod calls;
mod declare;
mod expr;
mod init;
mod loops;
mod omp;
mod ops;
mod params;
mod place;
mod scan;
mod statics;
mod stmt;
mod values;

use crate::program::{Function, Op, Program, Reg};
use crate::text::{Prepared, Problem, prepare};
use crate::types::{Kind, Type};
use lang_c::ast::{
    DeclarationSpecifier, ExternalDeclaration, FunctionDefinition, StorageClassSpecifier,
    TranslationUnit,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::{Node, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub(crate) type Res<T> = Result<T, Problem>;

/// Registers that hold constants, behind a function's parameters.
const CONSTANTS: usize = 200;
/// Nesting of brackets and blocks that is followed.
const DEEPEST: usize = 300;
/// Operators between two semicolons.
const LONGEST: usize = 20_000;

/// What a name stands for.
#[derive(Clone, Debug)]
enum Symbol {
    Typedef(Type),
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
    symbols: HashMap<String, Symbol>,
    tags: HashMap<String, Tag>,
    top: usize,
}

#[derive(Clone, Copy, Debug)]
enum Tag {
    Record(usize),
    Enum(Kind),
}

/// What is being compiled.
#[derive(Default)]
struct Fun {
    /// The next free register, and the most that were used.
    top: usize,
    most: usize,
    first_constant: usize,
    constants: Vec<u64>,
    locals: u32,
    result: Option<Type>,
    /// The register that points to where a structure is returned.
    returned: Option<Reg>,
    /// Jumps of `break` and `continue` to be directed, innermost last.
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
    switches: Vec<stmt::Switch>,
    labels: HashMap<String, u32>,
    gotos: Vec<(usize, String, u32)>,
    /// Names whose address is taken.
    addressed: HashSet<String>,
    /// Names that parallel regions and `simd` loops assign to.
    shared: HashSet<String>,
    parallel: usize,
    /// `omp` constructs that jumps may not leave: how deep `breaks` was.
    closed: Vec<(usize, usize)>,
    /// The place behind the latest target of a jump.
    label: usize,
    /// The `Mark` whose cost is not known yet.
    mark: Option<usize>,
}

struct Reader<'a> {
    prepared: &'a Prepared,
    pragmas: HashMap<usize, Vec<crate::text::Pragma>>,
    program: Program,
    scopes: Vec<Scope>,
    definitions: HashMap<&'a str, &'a Node<FunctionDefinition>>,
    /// Functions that are called for, in order.
    numbers: HashMap<String, usize>,
    pending: Vec<String>,
    constant_index: HashMap<u64, u32>,
    fun: Fun,
    line: u32,
    depth: usize,
    /// Whether only constants are wanted.
    folding: bool,
}

/// A text's tree.
pub(crate) struct Parsed {
    prepared: Prepared,
    tree: TranslationUnit,
}

/// A function that is defined in a text's main file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Defined {
    pub name: String,
    pub first: u32,
    pub last: u32,
    /// Its text without blanks, as the parser saw it, and its pragmas.
    pub text: String,
    /// Whether it holds a generated region.
    pub generated: bool,
    /// Whether other files cannot call it.
    pub is_static: bool,
}

/// Parses a text.
pub(crate) fn parse(name: &str, text: &str) -> Res<Parsed> {
    let prepared = prepare(name, text)?;
    check_nesting(&prepared)?;
    let config = Config {
        flavor: Flavor::GnuC11,
        ..Config::default()
    };
    match parse_preprocessed(&config, prepared.text.clone()) {
        Ok(parsed) => Ok(Parsed {
            prepared,
            tree: parsed.unit,
        }),
        Err(error) => {
            let line = prepared.line(error.offset);
            let rest = prepared.text.get(error.offset..).unwrap_or("");
            let near: String = rest.chars().take(30).take_while(|c| *c != '\n').collect();
            Err(Problem {
                what: format!("syntax that the parser does not know, at `{near}`"),
                line,
            })
        }
    }
}

impl Parsed {
    /// The functions of the main file.
    pub fn functions(&self) -> Vec<Defined> {
        let mut found = Vec::new();
        for node in &self.tree.0 {
            let ExternalDeclaration::FunctionDefinition(definition) = &node.node else {
                continue;
            };
            let first = self.prepared.line(definition.span.start);
            let Some(name) = declare::name_of(&definition.node.declarator.node) else {
                continue;
            };
            if first == 0 {
                continue;
            }
            let last = self.prepared.line(definition.span.end.saturating_sub(1));
            let range = definition.span.start..definition.span.end;
            let text = self.prepared.text.get(range.clone()).unwrap_or("");
            let within = self.prepared.pragmas.iter();
            let mut within: Vec<_> = within.filter(|(at, _)| range.contains(at)).collect();
            within.sort_by_key(|(at, _)| **at);
            let pragmas = within.iter().flat_map(|(_, list)| list.iter());
            let pragmas: String = pragmas.map(|p| format!("#{}", p.words)).collect();
            let mut regions = self.prepared.generated.iter();
            found.push(Defined {
                name: name.to_owned(),
                first,
                last,
                text: text
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .chain(pragmas.chars())
                    .collect(),
                generated: regions.any(|(begin, end)| *begin >= first && *end <= last),
                is_static: definition.node.specifiers.iter().any(|s| {
                    let DeclarationSpecifier::StorageClass(class) = &s.node else {
                        return false;
                    };
                    class.node == StorageClassSpecifier::Static
                }),
            });
        }
        found
    }

    /// The main file's text outside of functions, without blanks.
    pub fn outside(&self) -> String {
        let mut text = String::new();
        for node in &self.tree.0 {
            let function = matches!(node.node, ExternalDeclaration::FunctionDefinition(_));
            if !function && self.prepared.line(node.span.start) != 0 {
                let part = self.prepared.text.get(node.span.start..node.span.end);
                text.extend(part.unwrap_or("").chars().filter(|c| !c.is_whitespace()));
            }
        }
        text
    }

    /// Compiles functions, with those that they call.
    pub fn compile(&self, names: &[String]) -> Res<Program> {
        let mut reader = Reader {
            prepared: &self.prepared,
            pragmas: self.prepared.pragmas.clone(),
            program: Program {
                generated: self.prepared.generated.clone(),
                ..Program::default()
            },
            scopes: vec![Scope::default()],
            definitions: HashMap::new(),
            numbers: HashMap::new(),
            pending: Vec::new(),
            constant_index: HashMap::new(),
            fun: Fun::default(),
            line: 0,
            depth: 0,
            folding: false,
        };
        reader.unit(&self.tree, names)?;
        Ok(reader.program)
    }
}

/// Brackets deeper, or statements longer, than what is followed.
fn check_nesting(prepared: &Prepared) -> Res<()> {
    let (mut depth, mut operators, mut branches) = (0usize, 0usize, 0usize);
    for (at, byte) in prepared.text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b';' => operators = 0,
            b'+' | b'-' | b'*' | b'/' | b'?' | b'!' | b'~' | b'&' | b'|' => operators += 1,
            b'e' if prepared.text[at..].starts_with("else") => branches += 1,
            b'\n' if depth == 0 => branches = 0,
            _ => {}
        }
        if depth > DEEPEST || operators > LONGEST || branches > 20_000 {
            return Err(Problem {
                what: "nesting that is too deep".into(),
                line: prepared.line(at),
            });
        }
    }
    Ok(())
}

impl<'a> Reader<'a> {
    fn problem<T>(&self, what: impl Into<String>) -> Res<T> {
        Err(Problem {
            what: what.into(),
            line: self.line,
        })
    }

    fn at(&mut self, span: Span) {
        self.line = self.prepared.line(span.start);
    }

    fn unit(&mut self, tree: &'a TranslationUnit, names: &[String]) -> Res<()> {
        for node in &tree.0 {
            self.at(node.span);
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
                    self.definitions.insert(name, definition);
                }
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        for name in names {
            self.request(name);
        }
        while let Some(name) = self.pending.pop() {
            if let Some(definition) = self.definitions.get(name.as_str()).copied() {
                self.function(&name, definition)?;
            }
        }
        Ok(())
    }

    /// The number of a function that is defined in the text; it will be compiled.
    fn request(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        let (known, _) = self.definitions.get_key_value(name)?;
        let number = self.program.functions.len();
        self.numbers.insert((*known).to_owned(), number);
        self.pending.push((*known).to_owned());
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
        let top = self.fun.top;
        self.scopes.push(Scope {
            top,
            ..Scope::default()
        });
    }

    /// Leaves a scope; its registers are free again.
    fn leave(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.fun.top = scope.top;
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.program.ops.push(op);
        self.program.lines.push(self.line);
        self.program.ops.len() - 1
    }

    fn here(&mut self) -> u32 {
        self.fun.label = self.program.ops.len();
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
        let reg = self.fun.top;
        self.fun.top += 1;
        self.fun.most = self.fun.most.max(self.fun.top);
        match Reg::try_from(reg) {
            Ok(reg) => Ok(reg),
            Err(_) => self.problem("a function with more than 65,535 values"),
        }
    }

    /// A register that holds a constant.
    fn constant(&mut self, value: u64) -> Res<Reg> {
        let known = self.fun.constants.iter().position(|c| *c == value);
        let at = known.unwrap_or(self.fun.constants.len());
        if at < CONSTANTS {
            if known.is_none() {
                self.fun.constants.push(value);
            }
            return Ok((self.fun.first_constant + at) as Reg);
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
        let line = self.line;
        let number = self.numbers[name];
        self.scopes.truncate(1);
        let scan = scan::scan(node, &self.pragmas);
        self.fun = Fun {
            addressed: scan.addressed,
            shared: scan.shared,
            ..Fun::default()
        };
        self.enter();
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
        self.fun.top = list.len();
        if matches!(signature.result, Type::Record(_)) {
            self.fun.returned = Some(list.len() as Reg);
            self.fun.top += 1;
        }
        self.fun.first_constant = self.fun.top;
        self.fun.top += CONSTANTS;
        self.fun.most = self.fun.top;
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
        for (jump, label, line) in std::mem::take(&mut self.fun.gotos) {
            let Some(to) = self.fun.labels.get(&label).copied() else {
                self.line = line;
                return self.problem(format!("`goto {label}`"));
            };
            self.direct(jump, to);
        }
        self.leave();
        let last = self.prepared.line(definition.span.end.saturating_sub(1));
        let constants = std::mem::take(&mut self.fun.constants);
        let function = &mut self.program.functions[number];
        function.params = params;
        function.result = signature.result.clone();
        function.entry = entry;
        function.registers = self.fun.most as u32 + 1;
        function.locals = self.fun.locals;
        function.line = line;
        function.last_line = last;
        function.first_constant = self.fun.first_constant as u32;
        function.constants = Rc::from(constants);
        Ok(())
    }

    /// A statement begins.
    fn mark(&mut self) {
        self.close_mark();
        let at = self.emit(Op::Mark {
            line: self.line,
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
