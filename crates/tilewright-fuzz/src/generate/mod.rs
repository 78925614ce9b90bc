//! Programs at random, as programmers write them.
//!
//! What is generated has no undefined behaviour as far as that is easy to see while it is made:
//! every expression carries the interval of its values, subscripts stay within extents, divisors
//! are not zero, and signed operations that could overflow are done on something smaller or
//! unsigned. What slips through is found by sanitizers, and the program is not used.

mod effects;
mod endings;
mod expression;
mod kinds;
mod language;
mod loops;
mod memory;
mod numbers;
mod opaque;
mod parts;
mod runs;
mod settled;
mod statement;
mod subscripts;
mod values;

use memory::places;

use crate::random::Random;
use crate::tree::{Expr, For, Function, Program, Stmt, Type};
use memory::elements::InMemory;
use memory::records::{Record, Table};

/// Greatest value of a size.
const LARGEST: i64 = 24;

/// Kinds of programs, by what their loops look like.
pub const KINDS: [&str; 9] = [
    "general", "pipeline", "stencil", "linear", "sparse", "bytes", "scan", "scalars", "language",
];

/// An expression with what is known of its value.
#[derive(Clone, Debug)]
struct Typed {
    expr: Expr,
    ty: Type,
    /// Interval of its values, for integers.
    low: i128,
    high: i128,
    /// It is at most this size (by number) plus so much.
    below: Option<(usize, i64)>,
}

/// How long a dimension is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extent {
    Constant(i64),
    /// A size, by number, plus so much.
    Size(usize, i64),
}

/// A number that the function gets.
#[derive(Clone, Debug)]
struct Number {
    name: String,
    ty: Type,
    /// What it can be; for sizes from 0 (or below) to [`LARGEST`].
    low: i64,
    high: i64,
    /// It is no parameter: a global, in a structure, or behind a pointer.
    global: bool,
    /// A step: positive where this size is.
    step_of: Option<usize>,
}

/// A scalar in scope.
#[derive(Clone, Debug)]
struct Scalar {
    name: String,
    ty: Type,
    low: i128,
    high: i128,
    below: Option<(usize, i64)>,
    /// May be assigned to; then every value of its interval may be in it.
    assigned: bool,
    /// Whether it is the variable of a loop.
    is_loop: bool,
}

/// How an array is spelt and subscripted.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// Subscripts in brackets.
    Brackets,
    /// `a[i * w + j]` with the second extent as a name, or through a macro of this name.
    Flat(String, Option<String>),
    /// `*(a + i)`.
    Star,
    /// `*a`: a pointer that walks along, of which one element is read.
    Here,
    /// `a[k]`: one element, at this subscript.
    At(String),
    /// `a[i].x`: each element has these fields, all of the array's type.
    Record(Vec<&'static str>),
    /// `a[i].f[k]`: the rows are in structures.
    Cells,
    /// `a[i][j]` where `a[i]` is a pointer; what stands in front of the parameter's name.
    Rows(&'static str),
    /// `a[i * w + j][k]`, or with cells `a[i * w + j].f[k]`: how far apart rows are.
    Wide { apart: Extent, cells: bool },
}

/// An array in scope.
#[derive(Clone, Debug)]
struct Array {
    name: String,
    ty: Type,
    /// The type as this program spells it.
    spelt: &'static str,
    extents: Vec<Extent>,
    form: Form,
    /// Values of its elements, for integers.
    low: i128,
    high: i128,
    below: Option<(usize, i64)>,
    /// The program writes it.
    written: bool,
    sorted: bool,
}

/// A small function or macro that may be called.
#[derive(Clone, Debug)]
struct Helper {
    name: &'static str,
    result: Type,
    arguments: &'static [(Type, i64, i64)],
    low: i128,
    high: i128,
}

/// The generator's state.
struct Generator {
    random: Random,
    tag: String,
    outside: Outside,
    visible: Visible,
    rules: Rules,
    /// Declarations of the function that is being made, in front of its region.
    front: Vec<Stmt>,
    /// What stands behind the region.
    behind: Vec<Stmt>,
    fresh: usize,
    /// The loops around what is being made, the outermost first.
    loops: Vec<Around>,
}

/// A loop around what is being made.
struct Around {
    /// The label at the end of its body, once something leads there.
    next: Option<String>,
    /// It counts in its body: nothing may lead there.
    counts_itself: bool,
}

/// What stands outside of the function that is being made.
#[derive(Default)]
struct Outside {
    top: Vec<String>,
    helpers: Vec<Helper>,
    /// Functions with parts of the program, in front of the others.
    parts: Vec<Function>,
    /// Constants with names, and tables: a name, how many, least and greatest value.
    named: Vec<(&'static str, i64)>,
    tables: Vec<Table>,
}

/// What expressions may name: what the function gets, and what blocks around declare.
#[derive(Default)]
struct Visible {
    sizes: Vec<Number>,
    numbers: Vec<Number>,
    arrays: Vec<Array>,
    scalars: Vec<Scalar>,
    /// The function gets some of its arguments in a structure.
    record: Option<Record>,
    /// Sizes that it reads in memory.
    in_memory: Option<InMemory>,
}

/// What may be in the program, and what it would be undefined with.
struct Rules {
    floats: bool,
    /// The loop that is being made counts in its body: nothing may jump there.
    counts_itself: bool,
    /// Of negative sizes the program would be undefined.
    at_least_zero: bool,
    /// Sizes of which less than one would make the program undefined.
    at_least_one: Vec<usize>,
    /// Arrays are `restrict`.
    restrict: bool,
    /// Parameters may be other pointers behind a region.
    exchanges: bool,
    effects: effects::Effects,
}

/// The program of this number in a run with this seed; names of its own at file level end in `tag`.
pub fn generate(seed: u64, index: u64, kind: Option<&str>, tag: &str) -> Program {
    let mut random = Random::new(seed, index);
    let weights = [5u64, 3, 2, 2, 2, 3, 2, 3, 2];
    let by_weight: Vec<(u64, &'static str)> = weights.into_iter().zip(KINDS).collect();
    let drawn = random.weighted(&by_weight);
    let kind = kind.map_or(drawn, |wanted| {
        KINDS.into_iter().find(|k| *k == wanted).unwrap_or(drawn)
    });
    if kind == "language" {
        // One in three is refused, or more.
        for _ in 0..20 {
            if let Some(program) = language::pipeline(&mut random, tag) {
                return program;
            }
        }
    }
    let floats = match kind {
        "bytes" | "sparse" => random.percent(25),
        "linear" | "stencil" => random.percent(80),
        _ => random.percent(45),
    };
    let generator = Generator {
        random,
        tag: tag.to_owned(),
        outside: Outside::default(),
        visible: Visible::default(),
        rules: Rules {
            floats,
            counts_itself: false,
            at_least_zero: false,
            at_least_one: Vec::new(),
            restrict: true,
            exchanges: false,
            effects: effects::Effects::default(),
        },
        front: Vec::new(),
        behind: Vec::new(),
        fresh: 0,
        loops: Vec::new(),
    };
    generator.program(kind)
}

impl Generator {
    fn program(mut self, kind: &'static str) -> Program {
        self.parameters(kind);
        self.rules.restrict = self.random.percent(65);
        self.rules.exchanges = !self.rules.restrict && self.random.percent(50);
        self.choose_record();
        self.choose_sizes_in_memory();
        self.choose_helpers();
        self.choose_constants();
        self.choose_arrays(kind);
        self.fill_record();
        let functions = if self.random.percent(12) { 2 } else { 1 };
        let mut made = Vec::new();
        let mut entry = Vec::new();
        let mut behind = Vec::new();
        self.prepare_entry(&mut entry, &mut behind);
        self.prepare_rows(&mut entry);
        self.prepare_record(&mut entry);
        self.prepare_sizes(&mut entry);
        for number in 0..functions {
            let (function, call) = self.function(kind, number);
            made.push(function);
            entry.push(call);
        }
        entry.extend(behind);
        let mut functions = std::mem::take(&mut self.outside.parts);
        functions.extend(made);
        let memory = self.memory();
        let runs = self.runs();
        Program {
            kind,
            top: self.outside.top,
            functions,
            entry,
            memory,
            runs,
        }
    }

    fn fresh(&mut self, base: &str) -> String {
        self.fresh += 1;
        format!("{base}{}", self.fresh)
    }

    /// A function with one or two regions, and its call.
    fn function(&mut self, kind: &'static str, number: usize) -> (Function, Stmt) {
        self.visible.scalars = self.parameters_in_scope();
        self.front.clear();
        self.behind.clear();
        self.choose_effects();
        let kept = self.outer_scalars(kind);
        let arrays = self.visible.arrays.len();
        if self.random.percent(8) {
            // Memory of the function's own, which regions share.
            let own = self.local_array();
            self.front.extend(own);
            let name = self.visible.arrays[arrays].name.clone();
            self.comes_out(6, &format!("{name}[1]"));
        }
        if self.random.percent(4) {
            let block = self.block_of_memory();
            self.front.extend(block.front);
            self.behind.push(block.behind);
        }
        let table = self.table_of_rows();
        self.front.extend(table);
        let regions = self.random.weighted(&[(82, 1), (14, 2), (4, 3)]);
        let mut marked = Vec::new();
        for _ in 0..regions {
            let statements = self.region(kind);
            marked.push(Stmt::Region(statements));
        }
        let mut body = std::mem::take(&mut self.front);
        body.extend(marked);
        // What the scalars hold at the end is part of the result.
        for (slot, scalar) in kept.iter().enumerate() {
            self.comes_out(slot + 4 * number, scalar);
        }
        self.visible.arrays.truncate(arrays);
        let name = format!("kernel{}{}", self.tag, if number == 0 { "" } else { "_b" });
        let optional = self.made_optional(&mut body);
        let (head, mut call) = self.signature(&name, optional);
        // Compilers forget stores through `restrict` in front of what jumps far away.
        if let [first, ..] = &kept[..]
            && !self.rules.restrict
            && self.random.percent(12)
        {
            call = self.leaves(4 * number, first, call);
        }
        body.append(&mut self.behind);
        (Function { head, body }, call)
    }

    /// Scalars of the function that loops assign to; those that live on, by name.
    fn outer_scalars(&mut self, kind: &str) -> Vec<String> {
        let mut kept = Vec::new();
        let most = if kind == "scalars" { 3 } else { 2 };
        for _ in 0..self.random.range(0, most) {
            let ty = self.value_type();
            let name = self.fresh("s");
            let lives = self.random.percent(50);
            let value = if lives || self.random.percent(50) {
                Some(Expr::atom(if ty.is_float() { "0" } else { "1" }))
            } else {
                None
            };
            let defined = value.is_some();
            let value_needed = if defined {
                value
            } else {
                Some(Expr::atom("0"))
            };
            self.front.push(Stmt::Declare {
                ty: ty.c().to_owned(),
                name: name.clone(),
                value: value_needed,
            });
            let (low, high) = places::kept_within(ty);
            self.visible.scalars.push(Scalar {
                name: name.clone(),
                ty,
                low,
                high,
                below: None,
                assigned: true,
                is_loop: false,
            });
            if lives && kept.len() < 4 {
                kept.push(name);
            }
        }
        kept
    }

    /// A type for values.
    fn value_type(&mut self) -> Type {
        if self.rules.floats && self.random.percent(70) {
            return self
                .random
                .weighted(&[(6, Type::F32), (3, Type::F64), (1, Type::F80)]);
        }
        self.random.weighted(&[
            (30, Type::I32),
            (15, Type::U32),
            (14, Type::U8),
            (7, Type::I16),
            (6, Type::U16),
            (4, Type::I8),
            (9, Type::I64),
            (8, Type::U64),
        ])
    }

    /// The statements of one region.
    fn region(&mut self, kind: &str) -> Vec<Stmt> {
        let (scope, arrays) = (self.visible.scalars.clone(), self.visible.arrays.len());
        let block = self.random.percent(8).then(|| self.block_of_memory());
        let mut statements = match kind {
            "pipeline" => self.pipeline(),
            "stencil" => self.stencil(),
            "linear" => self.linear(),
            "sparse" => self.sparse(),
            "bytes" => self.bytes(),
            "scan" => self.scan(),
            _ => Vec::new(),
        };
        let more = if statements.is_empty() {
            self.random.range(1, 3)
        } else {
            i64::from(self.random.percent(25))
        };
        for _ in 0..more {
            if self.random.percent(8) {
                let at = self.simple(2);
                statements.extend(at);
            }
            let nest = self.nest(3);
            let nest = self.apart(6, nest);
            statements.extend(nest);
        }
        let chance = if kind == "stencil" { 15 } else { 4 };
        if self.random.percent(chance) {
            statements.extend(self.exchanged().unwrap_or_default());
        }
        if self.random.percent(8) {
            let size = self.random.below(self.visible.sizes.len());
            statements.extend(self.walk(2, size).unwrap_or_default());
        }
        self.visible.scalars = scope;
        self.visible.arrays.truncate(arrays);
        if self.random.percent(8) {
            self.opaque(&mut statements);
        }
        if let Some(block) = block {
            statements.splice(0..0, block.front);
            statements.push(block.behind);
        }
        statements
    }

    /// A loop around statements that `inside` makes, with a variable of the given interval in scope.
    fn with_loop(
        &mut self,
        scalar: Scalar,
        inside: impl FnOnce(&mut Generator) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let (scope, arrays) = (self.visible.scalars.clone(), self.visible.arrays.len());
        self.visible.scalars.retain(|s| s.name != scalar.name);
        self.loops.push(Around {
            next: None,
            counts_itself: self.rules.counts_itself,
        });
        self.visible.scalars.push(scalar);
        let mut body = inside(self);
        self.visible.scalars = scope;
        self.visible.arrays.truncate(arrays);
        let around = self.loops.pop();
        if let Some(label) = around.and_then(|around| around.next) {
            // No way may lead over the declaration of an array to where it can be named.
            let whole = Stmt::If {
                condition: Expr::atom("1"),
                then: body,
                other: Vec::new(),
            };
            body = vec![whole, Stmt::Raw(format!("{label}:;"))];
        }
        body
    }

    /// `for (int i = from; i < to; i++)` over an interval that is known.
    fn counted(
        &mut self,
        name: &str,
        from: i64,
        size: usize,
        margin: i64,
        inside: impl FnOnce(&mut Generator) -> Vec<Stmt>,
    ) -> Stmt {
        let size_type = self.visible.sizes[size].ty;
        let ty = if self.random.percent(70) {
            Type::I32
        } else {
            size_type
        };
        let scalar = Scalar {
            name: name.to_owned(),
            ty,
            low: from.into(),
            high: (LARGEST - 1 - margin).into(),
            below: Some((size, -1 - margin)),
            assigned: false,
            is_loop: true,
        };
        let behind = self.random.percent(5).then(|| self.fresh("w"));
        let follows = behind.clone().map(|name| Scalar {
            name,
            low: 0,
            is_loop: false,
            ..scalar.clone()
        });
        let body = self.with_loop(scalar, |g| {
            g.visible.scalars.extend(follows.filter(|_| from >= 0));
            inside(g)
        });
        let bound = Expr::atom(self.visible.sizes[size].name.clone());
        let condition = if margin == 0 {
            Expr::binary("<", Expr::atom(name), bound)
        } else if size_type.is_signed() || size_type == Type::U8 {
            let bound = Expr::binary("-", bound, Expr::atom(margin.to_string()));
            Expr::binary("<", Expr::atom(name), bound)
        } else {
            let left = Expr::binary("+", Expr::atom(name), Expr::atom(margin.to_string()));
            Expr::binary("<", left, bound)
        };
        Stmt::For(Box::new(For {
            ty: Some(ty.c()),
            var: name.to_owned(),
            from: Expr::atom(match &behind {
                // What it was an iteration ago.
                Some(behind) => format!("{from}, {behind} = 0"),
                None => from.to_string(),
            }),
            condition,
            step: match behind {
                Some(behind) => format!("{behind} = {name}++"),
                None => format!("{name}++"),
            },
            body,
        }))
    }
}
