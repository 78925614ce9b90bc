//! isl's AST as nodes of the kernel.

use crate::codegen::generation::build::{internal, mentions};
use crate::codegen::kernel::{Comparison, DynamicBounds, Index, Loop, Node};
use crate::codegen::terms::index::from_ast;
use crate::mistakes::mistake;
use crate::scop::tree::marks::Mark;
use isl::{AstExprOpType, AstExprType, AstNode, AstNodeType, Error, ErrorKind, Result};

/// Properties of loops that come further inside, by depth.
#[derive(Clone, Default)]
pub(crate) struct Marks(Vec<(usize, Mark)>);

/// What is known of one loop.
pub(crate) struct Properties {
    /// Iterations may run in parallel.
    pub parallel: bool,
    /// Iterations may run as vector lanes.
    pub simd: bool,
    /// As in [`Loop::unroll`].
    pub unroll: i64,
    /// As in [`Loop::rows`].
    pub rows: i64,
}

impl Marks {
    /// These and what another mark, `property@depth`, says; marks without meaning say nothing.
    pub fn with(&self, mark: &str) -> Marks {
        let mut marks = self.clone();
        let (kind, depth) = mark.split_once('@').unwrap_or((mark, ""));
        if let (Some(mark), Ok(depth)) = (Mark::read(kind), depth.parse()) {
            marks.0.push((depth, mark));
        }
        marks
    }

    /// What they say of the loop at a depth.
    pub fn of(&self, depth: usize) -> Properties {
        let mut mine = Properties {
            parallel: false,
            simd: false,
            unroll: 1,
            rows: 1,
        };
        for (_, mark) in self.0.iter().filter(|(at, _)| *at == depth) {
            match mark {
                Mark::Parallel => mine.parallel = true,
                Mark::Simd => mine.simd = true,
                Mark::Unroll(factor) => mine.unroll = mine.unroll.max(*factor),
                Mark::Rows(factor) => mine.rows = mine.rows.max(*factor),
                _ => {}
            }
        }
        mine
    }
}

/// From isl's AST to nodes.
pub(crate) struct Converter<'a> {
    /// What a variable or parameter of isl's is.
    pub name: &'a dyn Fn(&str) -> Index,
    /// What the names of loop variables start with; the loop's depth follows.
    pub prefix: &'a str,
    /// What an AST leaf stands for.
    pub leaf: &'a dyn Fn(&AstNode) -> Result<Vec<Node>>,
}

impl Converter<'_> {
    /// The nodes at and below an AST node; `marks` are properties of loops further inside.
    pub fn nodes(&self, node: &AstNode, marks: &Marks) -> Result<Vec<Node>> {
        match node.get_type()? {
            AstNodeType::Block => {
                let children = node.block_get_children()?;
                let mut all = Vec::new();
                for position in 0..children.size()? {
                    all.extend(self.nodes(&children.get_at(position)?, marks)?);
                }
                Ok(all)
            }
            AstNodeType::If => self.guard(node, marks),
            AstNodeType::For => self.each(node, marks),
            AstNodeType::Mark => self.mark(node, marks),
            AstNodeType::User => (self.leaf)(node),
        }
    }

    fn guard(&self, node: &AstNode, marks: &Marks) -> Result<Vec<Node>> {
        let condition = from_ast(&node.if_get_cond()?, self.name)?;
        let then = self.nodes(&node.if_get_then_node()?, marks)?;
        let otherwise = if node.if_has_else_node()? {
            self.nodes(&node.if_get_else_node()?, marks)?
        } else {
            Vec::new()
        };
        Ok(match condition {
            Index::Int(0) => otherwise,
            Index::Int(_) => then,
            condition => vec![Node::If {
                condition,
                then,
                otherwise,
            }],
        })
    }

    fn mark(&self, node: &AstNode, marks: &Marks) -> Result<Vec<Node>> {
        let mark = node.mark_get_id()?.get_name()?;
        let inner = node.mark_get_node()?;
        if let Some(Mark::Scope(scope)) = Mark::read(&mark) {
            let body = self.nodes(&inner, marks)?;
            return Ok(vec![Node::Scope { scope, body }]);
        }
        self.nodes(&inner, &marks.with(&mark))
    }

    fn each(&self, node: &AstNode, marks: &Marks) -> Result<Vec<Node>> {
        let var = node.for_get_iterator()?.get_id()?.get_name()?;
        let depth: Option<usize> = var.strip_prefix(self.prefix).and_then(|d| d.parse().ok());
        let mine = depth.map_or_else(|| Marks::default().of(0), |depth| marks.of(depth));
        let lower = from_ast(&node.for_get_init()?, self.name)?;
        let body = self.nodes(&node.for_get_body()?, marks)?;
        let mut each = Loop {
            var,
            upper: lower.clone(),
            lower,
            step: 1,
            parallel: mine.parallel,
            collapse: 1,
            simd: mine.simd,
            unroll: mine.unroll,
            rows: mine.rows,
            dynamic: DynamicBounds::default(),
            worth: None,
            body,
        };
        if node.for_is_degenerate()? {
            if !each.body.iter().any(|node| mentions(node, &each.var)) {
                return Ok(each.body);
            }
            (each.parallel, each.simd) = (false, false);
            return Ok(vec![Node::For(each)]);
        }
        each.upper = self.upper(&node.for_get_cond()?, &each.var)?;
        each.step = match from_ast(&node.for_get_inc()?, self.name)? {
            Index::Int(step) if step > 0 => step,
            _ => return Err(internal("a loop whose step is not a positive constant")),
        };
        Ok(vec![Node::For(each)])
    }

    /// The inclusive upper bound in a loop's condition.
    fn upper(&self, condition: &isl::AstExpr, var: &str) -> Result<Index> {
        let unsupported = || {
            Error::new(
                ErrorKind::Unsupported,
                "a loop has a bound that is not of a form that can be printed",
            )
        };
        if condition.get_type()? != AstExprType::Op {
            return Err(unsupported());
        }
        let kind = condition.get_op_type()?;
        if matches!(kind, AstExprOpType::And | AstExprOpType::AndThen) {
            let first = self.upper(&condition.get_op_arg(0)?, var)?;
            let second = self.upper(&condition.get_op_arg(1)?, var)?;
            return Ok(Index::min_of(vec![first, second]));
        }
        match from_ast(condition, self.name)? {
            Index::Compare(Comparison::LessEqual, left, right) if *left == Index::var(var) => {
                Ok(*right)
            }
            Index::Compare(Comparison::Less, left, right) if *left == Index::var(var) => {
                Ok(right.plus(&Index::Int(i64::from(mistake!(ConvertInclusive)) - 1)))
            }
            _ => Err(unsupported()),
        }
    }
}
