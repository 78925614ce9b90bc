//! The schedule tree over boxes: bands become loops, sequences go on with their children's
//! statements.

use crate::codegen::generation::boxes::piece::{Piece, exclusive, small};
use crate::codegen::generation::boxes::value::{Guard, Value, all_of};
use crate::codegen::generation::boxes::{Nest, internal};
use crate::codegen::generation::convert::Marks;
use crate::codegen::generation::place::Site;
use crate::codegen::kernel::{DynamicBounds, Index, Loop, Node};
use crate::codegen::terms::index::logic;
use crate::mistakes::mistake;
use crate::scop::tree::marks::Mark;
use isl::{
    Aff, AffList, AstBuild, AstLoopType, DimType, MultiAff, PwMultiAff, Result, ScheduleNode,
    ScheduleNodeType, Space,
};

/// What a band member is for one statement.
enum Position {
    /// A dimension without a value yet, and what is added to it.
    Moving(usize, Value),
    /// A function of the parameters.
    Fixed(Aff),
}

impl Nest<'_> {
    /// The code at and below a node of the tree; `None` where isl is needed.
    pub(crate) fn node(
        &self,
        node: &ScheduleNode,
        pieces: Vec<Piece>,
        depth: usize,
        space: &Space,
        marks: &Marks,
    ) -> Result<Option<Vec<Node>>> {
        match node.get_type()? {
            ScheduleNodeType::Leaf => self.leaf(&pieces, space),
            ScheduleNodeType::Sequence => {
                let mut body = Vec::new();
                let mut taken = 0;
                for child in node.children()? {
                    let mut here = Vec::new();
                    for set in child.filter_get_filter()?.sets()? {
                        let tuple = set.get_tuple_name()?;
                        here.extend(pieces.iter().filter(|p| p.tuple == tuple).cloned());
                    }
                    taken += here.len();
                    // The children share the instances out among them: those of a statement that
                    // only one of them has are all there, others are not known to be.
                    if taken > pieces.len() {
                        return Ok(None);
                    }
                    if here.is_empty() {
                        continue;
                    }
                    match self.node(&child.child(0)?, here, depth, space, marks)? {
                        Some(nodes) => body.extend(nodes),
                        None => return Ok(None),
                    }
                }
                Ok((taken == pieces.len()).then_some(body))
            }
            ScheduleNodeType::Mark => {
                let mark = node.mark_get_id()?.get_name()?;
                let below = node.child(0)?;
                match Mark::read(&mark) {
                    Some(Mark::Scope(scope)) => {
                        let body = self.node(&below, pieces, depth, space, marks)?;
                        Ok(body.map(|body| {
                            if body.is_empty() {
                                body
                            } else {
                                vec![Node::Scope { scope, body }]
                            }
                        }))
                    }
                    _ => self.node(&below, pieces, depth, space, &marks.with(&mark)),
                }
            }
            ScheduleNodeType::Band if node.band_n_member()? == 1 => {
                self.classes(node, pieces, depth, space, marks)
            }
            _ => Ok(None),
        }
    }

    /// A band whose statements do not all have the same conditions: each set of conditions gets a
    /// loop of its own, where no two of them hold together. Else what all have in common is checked
    /// around one loop, and the rest inside.
    fn classes(
        &self,
        band: &ScheduleNode,
        pieces: Vec<Piece>,
        depth: usize,
        space: &Space,
        marks: &Marks,
    ) -> Result<Option<Vec<Node>>> {
        let mut classes: Vec<Vec<Piece>> = Vec::new();
        for piece in pieces {
            let mut known = classes.iter_mut();
            match known.find(|class| conditions(&class[0].guards) == conditions(&piece.guards)) {
                Some(class) => class.push(piece),
                None => classes.push(vec![piece]),
            }
        }
        if !exclusive(self.context, classes.iter().map(|class| &class[0]))? {
            if band.band_member_get_ast_loop_type(0)? == AstLoopType::Separate {
                return Ok(None);
            }
            classes = vec![classes.into_iter().flatten().collect()];
        }
        // No two of these hold together: what follows from several of them is written once.
        let mut cases: Vec<(Index, Vec<Node>)> = Vec::new();
        for mut class in classes {
            class.sort_by_key(|piece| piece.lifted);
            let mut common = conditions(&class[0].guards);
            for piece in &class {
                let own = conditions(&piece.guards);
                common.retain(|condition| own.contains(condition));
            }
            for piece in &mut class {
                piece.met(&common);
            }
            let Some(then) = self.band(band, class, depth, space, marks)? else {
                return Ok(None);
            };
            let condition = logic(common, 1);
            match cases.iter_mut().find(|(_, known)| *known == then) {
                Some((known, _)) => *known = logic(vec![known.clone(), condition], 0),
                None => cases.push((condition, then)),
            }
        }
        let cases = cases.into_iter();
        let body = cases.flat_map(|(condition, then)| guarded(condition, then));
        Ok(Some(body.collect()))
    }

    /// A band of statements that share its loop.
    fn band(
        &self,
        band: &ScheduleNode,
        mut pieces: Vec<Piece>,
        depth: usize,
        space: &Space,
        marks: &Marks,
    ) -> Result<Option<Vec<Node>>> {
        let member = band.band_get_partial_schedule()?.get_at(0)?;
        let functions = member.pw_affs()?;
        let mut moving = Vec::new();
        let mut fixed = Vec::new();
        for piece in &pieces {
            let mut function = None;
            for candidate in &functions {
                if candidate.get_tuple_id(DimType::In)?.get_name()? == piece.tuple {
                    function = Some(candidate);
                }
            }
            let function = function.ok_or_else(|| internal("a band that lacks a statement"))?;
            match self.position(piece, function, space)? {
                Some(Position::Moving(dim, offset)) => moving.push((dim, offset)),
                Some(Position::Fixed(value)) => fixed.push(value),
                None => return Ok(None),
            }
        }
        let below = band.child(0)?;
        if moving.is_empty() {
            for (piece, value) in pieces.iter().zip(&fixed).skip(1) {
                if !self.together((&pieces[0], &fixed[0]), (piece, value))? {
                    return Ok(None);
                }
            }
            return self.node(&below, pieces, depth + 1, space, marks);
        }
        if !fixed.is_empty() {
            return Ok(None);
        }
        let stride = |piece: &Piece, dim: usize| piece.strides[dim].as_ref().map_or(1, |s| s.0);
        let step = stride(&pieces[0], moving[0].0);
        let mut bounds: Option<(Index, Index)> = None;
        for (piece, (dim, offset)) in pieces.iter().zip(&moving) {
            let shifted = |bounds: &[Value]| -> Vec<Index> {
                bounds
                    .iter()
                    .map(|bound| bound.index.plus(&offset.index))
                    .collect()
            };
            let lower = Index::max_of(shifted(&piece.lower[*dim]));
            let upper = Index::min_of(shifted(&piece.upper[*dim]));
            let same = bounds.get_or_insert((lower.clone(), upper.clone())) == &(lower, upper);
            if !same || stride(piece, *dim) != step {
                return Ok(None);
            }
        }
        let Some((lower, upper)) = bounds else {
            return Ok(None);
        };
        let var = format!("{}{depth}", self.prefix);
        let id = isl::Id::alloc(space.ctx(), &var)?;
        let variable = if lower == upper {
            let (dim, offset) = &moving[0];
            pieces[0].lower[*dim][0].plus(offset)?
        } else {
            Value {
                aff: Aff::param_on_domain_space_id(&space.params()?, &id)?,
                index: Index::var(&var),
            }
        };
        for (piece, (dim, offset)) in pieces.iter_mut().zip(&moving) {
            piece.values[*dim] = Some(variable.plus(&offset.times(-1)?)?);
        }
        let Some(body) = self.node(&below, pieces, depth + 1, space, marks)? else {
            return Ok(None);
        };
        if lower == upper || body.is_empty() {
            return Ok(Some(body));
        }
        let properties = marks.of(depth);
        Ok(Some(vec![Node::For(Loop {
            var,
            lower,
            upper: upper.plus(&Index::Int(i64::from(mistake!(BoxesOneBeyond)))),
            step,
            parallel: properties.parallel,
            collapse: 1,
            simd: properties.simd,
            unroll: properties.unroll,
            rows: properties.rows,
            dynamic: DynamicBounds::default(),
            worth: None,
            body,
        })]))
    }

    /// Whether two statements have the same value wherever both are executed.
    fn together(&self, one: (&Piece, &Aff), other: (&Piece, &Aff)) -> Result<bool> {
        if one.1.plain_is_equal(other.1)? {
            return Ok(true);
        }
        let guards = one.0.conditions().chain(other.0.conditions());
        all_of(self.context, guards)?.is_subset(&one.1.eq_set(other.1)?)
    }

    /// A band member for one statement; `None` where it is neither.
    fn position(
        &self,
        piece: &Piece,
        function: &isl::PwAff,
        space: &Space,
    ) -> Result<Option<Position>> {
        if !function.isa_aff()? {
            return Ok(None);
        }
        let function = function.as_aff()?.align_params(space)?;
        let (ours, all) = (space.dim(DimType::Param)?, function.dim(DimType::Param)?);
        if function.involves_dims(DimType::Param, ours, all - ours)? {
            return Ok(None);
        }
        let zero = isl::Val::zero(space.ctx())?;
        let mut moving = None;
        let mut rest = function.clone();
        let mut fixed = Aff::zero_on_domain_space(&space.params()?)?;
        for (dim, value) in piece.values.iter().enumerate() {
            if !function.involves_dims(DimType::In, dim, 1usize)? {
                continue;
            }
            let factor = function.get_coefficient_val(DimType::In, dim)?;
            match value {
                Some(value) if !function.involves_locals()? => {
                    fixed = fixed.add(&value.aff.scale_val(&factor)?)?;
                    rest = rest.set_coefficient_val(DimType::In, dim, &zero)?;
                }
                None if factor.is_one()? && moving.is_none() => moving = Some(dim),
                _ => return Ok(None),
            }
        }
        let Some(dim) = moving else {
            let rest = rest.project_domain_on_params()?;
            let value = fixed.align_params(&rest.get_domain_space()?)?.add(&rest)?;
            return Ok(Some(Position::Fixed(value)));
        };
        if function.involves_locals()? || !function.get_denominator_val()?.is_one()? {
            return Ok(None);
        }
        let Some(number) = small(&function.get_constant_val()?) else {
            return Ok(None);
        };
        let mut offset = Value::constant(space, number)?;
        for (dim, value) in piece.values.iter().enumerate() {
            let Some(factor) = small(&function.get_coefficient_val(DimType::In, dim)?) else {
                return Ok(None);
            };
            if let (Some(value), true) = (value, factor != 0) {
                offset = offset.plus(&value.times(factor)?)?;
            }
        }
        for (param, param_name) in space.param_names()?.iter().enumerate() {
            let Some(factor) = small(&function.get_coefficient_val(DimType::Param, param)?) else {
                return Ok(None);
            };
            if factor != 0 {
                let id = space.get_dim_id(DimType::Param, param)?;
                let param = Value {
                    aff: Aff::param_on_domain_space_id(&space.params()?, &id)?,
                    index: (self.name)(param_name),
                };
                offset = offset.plus(&param.times(factor)?)?;
            }
        }
        Ok(Some(Position::Moving(dim, offset)))
    }

    /// Statements whose dimensions all have values; `None` where a band lacks one.
    fn leaf(&self, pieces: &[Piece], space: &Space) -> Result<Option<Vec<Node>>> {
        let mut body = Vec::new();
        for piece in pieces {
            let values: Option<Vec<&Value>> = piece.values.iter().map(Option::as_ref).collect();
            let Some(values) = values else {
                return Ok(None);
            };
            let dims: Vec<Index> = values.iter().map(|value| value.index.clone()).collect();
            let make = || self.place(piece, &values, space);
            let instance = (self.instance)(piece.lifted, &dims, &Site::new(&make))?;
            let condition = logic(conditions(&piece.guards), 1);
            body.extend(guarded(condition, vec![Node::Statement(instance)]));
        }
        Ok(Some(body))
    }

    /// What holds where a statement is executed, and the instance that is, as functions of
    /// parameters.
    fn place(
        &self,
        piece: &Piece,
        values: &[&Value],
        space: &Space,
    ) -> Result<(AstBuild, PwMultiAff)> {
        let mut known = all_of(self.context, piece.conditions())?;
        for (dim, value) in values.iter().enumerate() {
            if let Some((stride, rest)) = &piece.strides[dim] {
                let distance = value.plus(&rest.times(-1)?)?;
                known = known.intersect(&distance.divided(space, *stride)?.set)?;
            }
            for bound in &piece.lower[dim] {
                known = known.intersect(&value.aff.ge_set(&bound.aff)?)?;
            }
            for bound in &piece.upper[dim] {
                known = known.intersect(&bound.aff.ge_set(&value.aff)?)?;
            }
        }
        let mut affs = AffList::alloc(space.ctx(), values.len())?;
        for value in values {
            affs = affs.add(&value.aff)?;
        }
        let here = MultiAff::from_aff_list(&piece.space, &affs)?;
        let here = PwMultiAff::from_multi_aff(&here)?;
        Ok((AstBuild::from_context(&known)?, here))
    }
}

fn conditions(guards: &[Guard]) -> Vec<Index> {
    guards.iter().map(|guard| guard.index.clone()).collect()
}

fn guarded(condition: Index, then: Vec<Node>) -> Vec<Node> {
    match condition {
        Index::Int(0) => Vec::new(),
        Index::Int(_) => then,
        condition => vec![Node::If {
            condition,
            then,
            otherwise: Vec::new(),
        }],
    }
}
