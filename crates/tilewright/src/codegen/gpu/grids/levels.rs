//! The levels of a kernel: lists of nodes that all threads of a block execute together.
//!
//! The body of a block is the level of depth 0, the body of a loop in it that is not distributed to
//! threads is one deeper than what is around it.

use crate::codegen::gpu::conflicts::cells::Reader;
use crate::codegen::gpu::grids::block::Builder;
use crate::codegen::gpu::grids::mapping::{Device, grid_of};
use crate::codegen::kernel::{Kernel, Loop, Node};
use crate::scop::Scop;
use isl::{Result, Set};
use std::ops::Range;

/// A level.
pub(crate) struct Level {
    /// The group of the plan.
    pub group: usize,
    /// Levels entered before.
    pub number: usize,
    /// Which launch, counted from 0.
    pub launch: usize,
    /// Loops around it inside the block.
    pub depth: usize,
    /// Values of the variables of all loops around it.
    pub outer: Set,
    /// These variables, outermost first.
    pub vars: Vec<String>,
    /// Which of them number the blocks of the launch.
    pub blocks: Range<usize>,
}

/// What is done at levels.
pub(crate) trait AtLevel {
    /// In front of what is further inside.
    fn enter(&mut self, level: &Level, nodes: &[Node]) -> Result<()>;

    /// Behind it: the level's nodes with what was done further inside.
    fn leave(&mut self, level: &Level, nodes: Vec<Node>) -> Result<Vec<Node>>;
}

/// Goes to all levels of a kernel.
pub(crate) struct Levels<'a> {
    device: &'a Device,
    pub builder: Builder<'a>,
    pub reader: Reader<'a>,
}

/// Where in the launches the pass is.
#[derive(Clone)]
struct Here {
    group: usize,
    launch: usize,
    depth: usize,
    blocks: Range<usize>,
}

/// How many there were.
#[derive(Default)]
struct Counts {
    launches: usize,
    levels: usize,
}

/// What is done with a list of nodes.
type Inside<'v> = dyn FnMut(&[Node], &At) -> Result<Vec<Node>> + 'v;

/// Where in the code the pass is.
#[derive(Clone)]
struct At {
    domain: Set,
    vars: Vec<String>,
}

impl<'a> Levels<'a> {
    pub fn new(scop: &'a Scop, kernel: &'a Kernel, device: &'a Device) -> Levels<'a> {
        Levels {
            device,
            builder: Builder::new(scop, &kernel.buffers),
            reader: Reader { scop },
        }
    }

    /// The kernel's body with something done at every level.
    ///
    /// # Errors
    /// isl's own.
    pub fn visit(&self, kernel: &Kernel, visit: &mut dyn AtLevel) -> Result<Vec<Node>> {
        let at = At {
            domain: self.reader.context()?,
            vars: Vec::new(),
        };
        self.around(&kernel.body, &at, &mut Counts::default(), visit)
    }

    /// What is around launches.
    fn around(
        &self,
        nodes: &[Node],
        at: &At,
        counts: &mut Counts,
        visit: &mut dyn AtLevel,
    ) -> Result<Vec<Node>> {
        let mut all = Vec::new();
        for node in nodes {
            all.push(match node {
                // The device alone knows the data, and one block may do it all.
                Node::For(each) if each.dynamic.fixed.is_some() => node.clone(),
                Node::For(each) if each.parallel => self.launch(each, at, counts, visit)?,
                _ => self.children(node, at, &mut |body, at| {
                    self.around(body, at, counts, visit)
                })?,
            });
        }
        Ok(all)
    }

    /// A node with something done to its lists of nodes, if it is known when they are reached.
    fn children(&self, node: &Node, at: &At, each: &mut Inside<'_>) -> Result<Node> {
        Ok(match node {
            Node::For(inner) => match self.inside(inner, at)? {
                Some(at) => Node::For(Loop {
                    body: each(&inner.body, &at)?,
                    ..inner.clone()
                }),
                None => node.clone(),
            },
            Node::GoesOn { .. } => node.clone(),
            Node::If {
                condition,
                then,
                otherwise,
            } => match self.reader.guarded(&at.domain, condition)? {
                Some((yes, no)) => {
                    let vars = || at.vars.clone();
                    let (yes, no) = (
                        At {
                            domain: yes,
                            vars: vars(),
                        },
                        At {
                            domain: no,
                            vars: vars(),
                        },
                    );
                    Node::If {
                        condition: condition.clone(),
                        then: each(then, &yes)?,
                        otherwise: each(otherwise, &no)?,
                    }
                }
                None => node.clone(),
            },
            Node::Scope { scope, body } => Node::Scope {
                scope: *scope,
                body: each(body, at)?,
            },
            Node::Block { variables, body } => Node::Block {
                variables: variables.clone(),
                body: each(body, at)?,
            },
            Node::Allocate { buffers, body } => Node::Allocate {
                buffers: buffers.clone(),
                body: each(body, at)?,
            },
            Node::Copies(copies) => {
                let copies: Result<Vec<Vec<Node>>> =
                    copies.iter().map(|copy| each(copy, at)).collect();
                Node::Copies(copies?)
            }
            Node::Statement(_) => node.clone(),
        })
    }

    fn inside(&self, each: &Loop, at: &At) -> Result<Option<At>> {
        let mut vars = at.vars.clone();
        vars.push(each.var.clone());
        let domain = self.reader.inside(&at.domain, each)?;
        Ok(domain.map(|domain| At { domain, vars }))
    }

    /// A parallel loop around which is the host.
    fn launch(
        &self,
        each: &Loop,
        at: &At,
        counts: &mut Counts,
        visit: &mut dyn AtLevel,
    ) -> Result<Node> {
        let grid = grid_of(each);
        let body = grid.last().map_or(&each.body, |inside| &inside.body);
        let mut group = None;
        for node in body {
            node.instances(&mut |instance| group = group.or(Some(instance.group)));
        }
        let group = group.unwrap_or(0);
        let sinks = self.device.blocks(group).sink;
        // Without loops for threads, blocks are made of the grid's own iterations.
        if sinks || !body.iter().any(|node| self.builder.has_threads(node)) {
            return Ok(Node::For(each.clone()));
        }
        let here = Here {
            group,
            launch: counts.launches,
            depth: 0,
            blocks: at.vars.len()..at.vars.len() + grid.len(),
        };
        counts.launches += 1;
        self.grid(each, grid.len(), at, &mut |body, at| {
            self.level(body, at, &here, None, counts, visit)
        })
    }

    /// Goes through `count` loops, one inside the other.
    fn grid(&self, each: &Loop, count: usize, at: &At, inside: &mut Inside<'_>) -> Result<Node> {
        let Some(at) = self.inside(each, at)? else {
            return Ok(Node::For(each.clone()));
        };
        let body = match (&each.body[..], count) {
            ([Node::For(inner)], 2..) => vec![self.grid(inner, count - 1, &at, inside)?],
            (body, _) => inside(body, &at)?,
        };
        Ok(Node::For(Loop {
            body,
            ..each.clone()
        }))
    }

    /// A level, and those inside. `dealt`: the first loop that is distributed, in a nest that goes
    /// on here.
    fn level(
        &self,
        nodes: &[Node],
        at: &At,
        here: &Here,
        dealt: Option<&str>,
        counts: &mut Counts,
        visit: &mut dyn AtLevel,
    ) -> Result<Vec<Node>> {
        let level = Level {
            group: here.group,
            number: counts.levels,
            launch: here.launch,
            depth: here.depth,
            outer: at.domain.clone(),
            vars: at.vars.clone(),
            blocks: here.blocks.clone(),
        };
        counts.levels += 1;
        visit.enter(&level, nodes)?;
        let mut all = Vec::new();
        for node in nodes {
            all.push(self.below(node, at, here, dealt, counts, visit)?);
        }
        visit.leave(&level, all)
    }

    /// Levels below a node of a level.
    fn below(
        &self,
        node: &Node,
        at: &At,
        here: &Here,
        dealt: Option<&str>,
        counts: &mut Counts,
        visit: &mut dyn AtLevel,
    ) -> Result<Node> {
        let Node::For(each) = node else {
            return self.children(node, at, &mut |body, at| {
                let mut all = Vec::new();
                for node in body {
                    all.push(self.below(node, at, here, None, counts, visit)?);
                }
                Ok(all)
            });
        };
        let own = self.builder.dealt(each);
        let first = dealt.or(own.first().map(|dealt| dealt.var.as_str()));
        if first == Some(&each.var) || (first.is_none() && !self.builder.has_threads(node)) {
            return Ok(node.clone());
        }
        let Some(inside) = self.inside(each, at)? else {
            return Ok(node.clone());
        };
        let here = Here {
            depth: here.depth + 1,
            ..here.clone()
        };
        Ok(Node::For(Loop {
            body: self.level(&each.body, &inside, &here, first, counts, visit)?,
            ..each.clone()
        }))
    }
}
