//! Scops from a few lines of isl text, for tests of what works on them.

use super::{
    Access, AccessId, AccessKind, Action, Array, BinaryOp, Expr, Extent, Iterator, Layout, Members,
    Origin, Param, ScalarKind, ScalarType, Scop, Statement,
};
use crate::analysis::region::Region;
use crate::compile::regions;
use crate::plan::defaults::ISL_OPERATIONS;
use crate::source::{Source, Span};

/// The analysed region of a C function with these parameters and this body.
pub(crate) fn region(parameters: &str, body: &str) -> Region {
    region_of("", parameters, body)
}

/// The same behind other functions of the file.
pub(crate) fn region_of(functions: &str, parameters: &str, body: &str) -> Region {
    region_in(format!(
        "{functions}\nvoid f({parameters})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    ))
}

/// The last one of a file.
pub(crate) fn region_in(text: String) -> Region {
    let source = Source {
        name: "test.c".to_owned(),
        preprocessed: format!("# 1 \"test.c\"\n{text}"),
        text,
        ..Source::default()
    };
    let mut regions = regions(&source, ISL_OPERATIONS).unwrap();
    regions.pop().unwrap()
}

/// Builds a [`Scop`].
///
/// ```text
/// ScopBuilder::new("[n] -> { : n >= 1 }")
///     .input("A", 1)
///     .output("B", 1)
///     .statement("S0[i] : 0 <= i < n", &["A[i - 1]", "A[i]"], &["B[i]"])
///     .build()
/// ```
///
/// An access is not exact with a `?` before it, and may range over cells: `?A[x] : 0 <= x < n`;
/// such a write brings the read of the old value with it. Statements come one after another, each
/// with a nest of its own in the order of its iterators, unless [`ScopBuilder::schedule`] says
/// something else.
pub(crate) struct ScopBuilder {
    ctx: isl::Ctx,
    context: isl::Set,
    params: String,
    arrays: Vec<Array>,
    statements: Vec<Statement>,
    schedule: Option<isl::Schedule>,
}

fn float() -> ScalarType {
    ScalarType {
        kind: ScalarKind::F32,
        spelling: "float".to_owned(),
    }
}

fn int() -> ScalarType {
    ScalarType {
        kind: ScalarKind::I32,
        spelling: "int".to_owned(),
    }
}

impl ScopBuilder {
    /// A region with the parameters and assumptions of a parameter set.
    pub fn new(context: &str) -> ScopBuilder {
        let ctx = isl::Ctx::new();
        let context = isl::Set::read_from_str(&ctx, context).unwrap();
        let names: Vec<String> = (0..context.dim(isl::DimType::Param).unwrap())
            .map(|p| context.get_dim_name(isl::DimType::Param, p).unwrap())
            .collect();
        ScopBuilder {
            ctx,
            context,
            params: format!("[{}] -> ", names.join(", ")),
            arrays: Vec::new(),
            statements: Vec::new(),
            schedule: None,
        }
    }

    fn array(mut self, name: &str, dims: usize, live_in: bool, live_out: bool) -> Self {
        self.arrays.push(Array {
            name: name.to_owned(),
            base: name.to_owned(),
            members: Members::default(),
            element: float(),
            extents: vec![
                Extent {
                    spelling: None,
                    affine: None
                };
                dims
            ],
            layout: Layout::Subscripts,
            live_in,
            live_out,
            origin: Origin::Parameter,
            variable: Some(name.to_owned()),
            span: Span::default(),
        });
        self
    }

    /// An array that is only read.
    pub fn input(self, name: &str, dims: usize) -> Self {
        self.array(name, dims, true, false)
    }

    /// An array that is only written as far as its users see.
    pub fn output(self, name: &str, dims: usize) -> Self {
        self.array(name, dims, false, true)
    }

    /// An array whose values matter before and after.
    pub fn inout(self, name: &str, dims: usize) -> Self {
        self.array(name, dims, true, true)
    }

    /// An array that is dead before and after.
    pub fn temporary(self, name: &str, dims: usize) -> Self {
        self.array(name, dims, false, false)
    }

    /// A variable declared under `depth` loops; `dims` counts these too.
    pub fn region(self, name: &str, dims: usize, depth: usize) -> Self {
        let mut builder = self.array(name, dims, false, false);
        if let Some(array) = builder.arrays.last_mut() {
            array.origin = Origin::Region { depth };
        }
        builder
    }

    /// A statement that assigns the sum of its reads to its first write, and zero to the others.
    pub fn statement(mut self, domain: &str, reads: &[&str], writes: &[&str]) -> Self {
        let mut accesses = Vec::new();
        let mut olds = Vec::new();
        for (text, kind) in reads
            .iter()
            .map(|text| (text, AccessKind::Read))
            .chain(writes.iter().map(|text| (text, AccessKind::Write)))
        {
            let access = self.access(domain, text, kind);
            if kind == AccessKind::Write && !access.exact {
                olds.push(Access {
                    kind: AccessKind::Read,
                    ..access.clone()
                });
            }
            accesses.push(access);
        }
        let sum = (0..reads.len())
            .map(Expr::Access)
            .reduce(|a, b| Expr::Binary(BinaryOp::Add, Box::new(a), Box::new(b)))
            .unwrap_or_else(|| Expr::Literal("0".to_owned()));
        let mut body = Vec::new();
        for (number, target) in (reads.len()..accesses.len()).enumerate() {
            let value = if number == 0 {
                sum.clone()
            } else {
                Expr::Literal("0".to_owned())
            };
            let assign = Action::Assign { target, value };
            body.push(if accesses[target].exact {
                assign
            } else {
                Action::If {
                    condition: Expr::Invariant("on".to_owned()),
                    then: vec![assign],
                    otherwise: Vec::new(),
                }
            });
        }
        accesses.extend(olds);
        self.push(domain, body, accesses);
        self
    }

    /// A statement with a body of several assignments: each a target and the reads of its value.
    pub fn statement_with_steps(mut self, domain: &str, steps: &[(&str, &[&str])]) -> Self {
        let mut accesses = Vec::new();
        let mut body = Vec::new();
        for (target, reads) in steps {
            let mut value = Expr::Literal("0".to_owned());
            for read in *reads {
                value = Expr::Binary(
                    BinaryOp::Add,
                    Box::new(value),
                    Box::new(Expr::Access(accesses.len())),
                );
                accesses.push(self.access(domain, read, AccessKind::Read));
            }
            body.push(Action::Assign {
                target: accesses.len(),
                value,
            });
            accesses.push(self.access(domain, target, AccessKind::Write));
        }
        self.push(domain, body, accesses);
        self
    }

    fn push(&mut self, domain: &str, body: Vec<Action>, accesses: Vec<Access>) {
        let domain = self.domain(domain);
        let iterators = (0..domain.tuple_dim().unwrap())
            .map(|d| Iterator {
                name: domain.get_dim_name(isl::DimType::Set, d).unwrap(),
                ctype: int(),
            })
            .collect();
        self.statements.push(Statement {
            name: domain.get_tuple_name().unwrap(),
            domain,
            iterators,
            body,
            accesses,
            span: Span::default(),
        });
    }

    fn domain(&self, text: &str) -> isl::Set {
        isl::Set::read_from_str(&self.ctx, &format!("{}{{ {text} }}", self.params)).unwrap()
    }

    fn access(&self, domain: &str, text: &str, kind: AccessKind) -> Access {
        let exact = !text.starts_with('?');
        let text = text.trim_start_matches('?');
        let tuple = domain.split(" : ").next().unwrap();
        let relation = isl::Map::read_from_str(
            &self.ctx,
            &format!("{}{{ {tuple} -> {text} }}", self.params),
        )
        .unwrap()
        .intersect_domain(&self.domain(domain))
        .unwrap();
        let name = relation.get_tuple_name(isl::DimType::Out).unwrap();
        let array = self
            .arrays
            .iter()
            .position(|array| array.name == name)
            .unwrap();
        let dims = self.arrays[array].extents.len();
        assert_eq!(dims, relation.range_tuple_dim().unwrap(), "{text}");
        let mut affine = vec![None; dims];
        for (dim, affine) in affine.iter_mut().enumerate() {
            let one = relation
                .project_out(isl::DimType::Out, dim + 1, dims - dim - 1)
                .and_then(|one| one.project_out(isl::DimType::Out, 0, dim))
                .unwrap();
            if one.is_single_valued().unwrap() {
                let function = isl::PwMultiAff::from_map(&one).unwrap();
                *affine = Some(function.get_at(0).unwrap());
            }
        }
        Access {
            array,
            kind,
            exact,
            relation,
            subscripts: affine.iter().map(|f| self.subscript(f.as_ref())).collect(),
            affine,
            span: Span::default(),
        }
    }

    /// A linear function as C has it; 0 for others, which only printers would look at.
    fn subscript(&self, function: Option<&isl::PwAff>) -> Expr {
        let number = |value: i64| Expr::Literal(value.to_string());
        let pieces = function.map_or_else(Vec::new, |f| f.pieces().unwrap());
        let [(_, function)] = &pieces[..] else {
            return number(0);
        };
        let integer = |value: isl::Val| value.to_i64().unwrap_or(0);
        let mut sum = number(integer(function.get_constant_val().unwrap()));
        let mut add = |factor: isl::Val, of: Expr| {
            if !factor.is_zero().unwrap() {
                let factor = Box::new(number(integer(factor)));
                let product = Expr::Binary(BinaryOp::Mul, factor, Box::new(of));
                sum = Expr::Binary(BinaryOp::Add, Box::new(sum.clone()), Box::new(product));
            }
        };
        for i in 0..function.dim(isl::DimType::In).unwrap() {
            let factor = function.get_coefficient_val(isl::DimType::In, i).unwrap();
            add(factor, Expr::Iterator(i));
        }
        for p in 0..function.dim(isl::DimType::Param).unwrap() {
            let factor = function.get_coefficient_val(isl::DimType::Param, p);
            add(factor.unwrap(), Expr::Param(p));
        }
        sum
    }

    /// The original order, as isl's text of a schedule tree.
    pub fn schedule(mut self, text: &str) -> Self {
        self.schedule = Some(isl::Schedule::read_from_str(&self.ctx, text).unwrap());
        self
    }

    /// Finishes.
    pub fn build(self) -> Scop {
        let mut nests: Option<isl::Schedule> = None;
        for statement in &self.statements {
            let names: Vec<&str> = statement
                .iterators
                .iter()
                .map(|i| i.name.as_str())
                .collect();
            let domain = isl::UnionSet::from_set(&statement.domain).unwrap();
            let mut nest = isl::Schedule::from_domain(&domain).unwrap();
            if !names.is_empty() {
                let tuple = format!("{}[{}]", statement.name, names.join(", "));
                let members: Vec<String> = names
                    .iter()
                    .map(|name| format!("{{ {tuple} -> [({name})] }}"))
                    .collect();
                let band = format!("[{}]", members.join(", "));
                let band = isl::MultiUnionPwAff::read_from_str(&self.ctx, &band).unwrap();
                nest = nest.insert_partial_schedule(&band).unwrap();
            }
            nests = Some(match nests {
                None => nest,
                Some(before) => before.sequence(&nest).unwrap(),
            });
        }
        let params = (0..self.context.dim(isl::DimType::Param).unwrap())
            .map(|p| {
                let name = self.context.get_dim_name(isl::DimType::Param, p).unwrap();
                Param {
                    spelling: name.clone(),
                    name,
                    ctype: int(),
                    span: Span::default(),
                    computed: None,
                }
            })
            .collect();
        Scop {
            ctx: self.ctx,
            place: super::RegionPlace {
                function: "test".to_owned(),
                index: 0,
                span: Span::default(),
            },
            params,
            conditions: super::Conditions {
                checks: super::Checks::none(&self.context),
                assumptions: super::Assumptions::default(),
            },
            context: self.context,
            invariants: std::collections::BTreeMap::new(),
            calls: super::Called {
                total: [("lerp".to_owned(), ScalarKind::F32)].into(),
                callees: Vec::new(),
            },
            loops: super::LoopClaims::default(),
            edges: super::Edges::default(),
            arrays: self.arrays,
            statements: self.statements,
            schedule: self.schedule.or(nests).unwrap(),
        }
    }
}

/// The access of a statement with this text in isl's notation, without parameters or conditions.
pub(crate) fn access_named(scop: &Scop, statement: &str, cell: &str) -> AccessId {
    let statement = &scop.statements[scop.statement_named(statement).unwrap()];
    let names: Vec<&str> = statement
        .iterators
        .iter()
        .map(|i| i.name.as_str())
        .collect();
    let text = format!("{{ {}[{}] -> {cell} }}", statement.name, names.join(", "));
    let wanted = isl::Map::read_from_str(&scop.ctx, &text).unwrap();
    statement
        .accesses
        .iter()
        .position(|access| {
            access.kind == AccessKind::Read && access.relation.is_subset(&wanted).unwrap()
        })
        .unwrap()
}
