//! A walk over a statement's body, in order: what is known of its variables, and of the subscripts of
//! its accesses.

use super::arithmetic::Here;
use super::stored::Stored;
use super::{End, Part, Spread};
use crate::frontend::c::lower::calls::hidden;
use crate::frontend::c::lower::loops::dynamic::BEYOND_INT;
use crate::frontend::c::lower::values::affine::constant_value;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayKey, Draft, Lowering};
use crate::scop::expression::floating_literal;
use crate::scop::{Action, BinaryOp, Expr, ScalarKind, UnaryOp};
use isl::{PwAff, Result};
use std::collections::HashMap;

/// A value with its type.
pub(super) type Typed = (Option<ScalarKind>, Spread);

/// What is known at one place of a body.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Variables of the body.
    pub locals: HashMap<String, Typed>,
    /// What conditions say of what accesses read: at least, at most.
    pub reads: HashMap<usize, [Option<PwAff>; 2]>,
}

/// The walk over one draft.
pub(super) struct Walk<'w, 'l, 'u> {
    pub here: Here<'l, 'u>,
    stored: &'w mut Stored<'l, 'u>,
    number: usize,
    pub draft: &'l Draft,
    /// Ends of loops whose bounds are data, by their positions.
    counted: Vec<[Option<End>; 2]>,
    /// What the subscripts of accesses are, each in all places where it is computed.
    found: HashMap<(usize, usize), Spread>,
    /// What is stored, by access, as far as the array is asked for.
    stores: Vec<(usize, Stores)>,
    /// The array that is asked for.
    asked: Option<usize>,
}

/// What is stored somewhere.
pub(super) enum Stores {
    /// A value.
    Value(Spread),
    /// The old value, and this more.
    More(Spread),
}

impl<'w, 'l, 'u> Walk<'w, 'l, 'u> {
    pub fn new(
        lowering: &'l Lowering<'u>,
        stored: &'w mut Stored<'l, 'u>,
        number: usize,
        asked: Option<usize>,
    ) -> Result<Walk<'w, 'l, 'u>> {
        let draft = &lowering.model.statements[number];
        let domain = lowering.assumed(&draft.domain)?;
        let domain = domain.intersect_params(&lowering.ranges()?)?;
        let here = Here {
            lowering,
            depth: draft.loops.len(),
            domain,
        };
        let mut walk = Walk {
            here,
            stored,
            number,
            draft,
            counted: vec![[None, None]; draft.loops.len()],
            found: HashMap::new(),
            stores: Vec::new(),
            asked,
        };
        walk.bounds()?;
        Ok(walk)
    }

    /// The ends of loops that are data.
    pub fn counted(&mut self) -> Vec<[Option<End>; 2]> {
        self.counted.clone()
    }

    /// What is found for each subscript of each access.
    pub fn subscripts(mut self) -> Result<HashMap<(usize, usize), Spread>> {
        self.actions(&self.draft.body, &mut Known::default())?;
        Ok(self.found)
    }

    /// What is stored in the array that was asked for.
    pub fn stores(mut self) -> Result<Vec<(usize, Stores)>> {
        self.actions(&self.draft.body, &mut Known::default())?;
        Ok(self.stores)
    }

    /// The ends of loops of which what stands around the body says that they are data.
    fn bounds(&mut self) -> Result<()> {
        for (position, op, access) in self.draft.tests() {
            let array = self.draft.accesses[access].array;
            let Some(value) = self.stored.of(array)?.filter(|v| !v.is_narrow()) else {
                continue;
            };
            let Some((part, added)) = value.parts.as_deref().and_then(with_number) else {
                continue;
            };
            let plain = part.stride == Polynomial::constant(1) && !part.negative;
            let (side, end, by) = match op {
                BinaryOp::GreaterEqual => (0, &part.least, 0),
                BinaryOp::LessEqual => (1, &part.greatest, 0),
                BinaryOp::Less => (1, &part.greatest, -1),
                _ => continue,
            };
            let End::Data(place, own) = end else { continue };
            if plain {
                self.counted[position][side] = Some(End::Data(*place, own + added + by));
            }
        }
        Ok(())
    }

    fn actions(&mut self, actions: &'l [Action], known: &mut Known) -> Result<()> {
        for action in actions {
            match action {
                Action::Local { name, ctype, value } => {
                    let kind = Some(ctype.kind);
                    let value = match value {
                        Some(value) => {
                            let (from, value) = self.value(value, known)?;
                            self.here.converted(value, from, ctype.kind)?
                        }
                        None => Spread::default(),
                    };
                    known.locals.insert(name.clone(), (kind, value));
                }
                Action::SetLocal { name, value } => {
                    let (from, value) = self.value(value, known)?;
                    let kind = known.locals.get(name).and_then(|(kind, _)| *kind);
                    let value = match kind {
                        Some(kind) => self.here.converted(value, from, kind)?,
                        None => Spread::default(),
                    };
                    known.locals.insert(name.clone(), (kind, value));
                }
                Action::Assign { target, value } => self.assign(*target, value, known)?,
                Action::Call(call) => {
                    self.value(call, known)?;
                    known.reads.clear();
                }
                Action::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.value(condition, known)?;
                    let mut other = known.clone();
                    self.refine(condition, true, known)?;
                    self.refine(condition, false, &mut other)?;
                    self.actions(then, known)?;
                    self.actions(otherwise, &mut other)?;
                    // What leaves a loop says nothing of what comes behind it.
                    match (then.last(), otherwise.last()) {
                        (Some(Action::Leave), _) => *known = other,
                        (_, Some(Action::Leave)) => {}
                        _ => self.join(known, other)?,
                    }
                }
                Action::Repeat { condition, body } => {
                    self.forget(body, known);
                    self.value(condition, known)?;
                    let mut inside = known.clone();
                    self.refine(condition, true, &mut inside)?;
                    self.actions(body, &mut inside)?;
                    self.forget(body, known);
                }
                Action::Leave => {}
            }
        }
        Ok(())
    }

    fn assign(&mut self, target: usize, value: &'l Expr, known: &mut Known) -> Result<()> {
        let (from, new) = self.value(value, known)?;
        self.subscripts_of(target, known)?;
        let array = self.draft.accesses[target].array;
        let kind = self.here.lowering.model.arrays[array].element.kind;
        if self.asked == Some(array) {
            let store = match self.added(array, value) {
                Some((sign, more)) => {
                    let (of_more, more) = self.value(more, known)?;
                    match of_more.map(|of_more| kind.common(of_more)) {
                        Some(common) if common == kind => {
                            Stores::More(self.here.scaled(&more, sign)?)
                        }
                        _ => Stores::Value(Spread::default()),
                    }
                }
                None => Stores::Value(self.here.converted(new, from, kind)?),
            };
            self.stores.push((target, store));
        }
        let accesses = &self.draft.accesses;
        known.reads.retain(|&read, _| accesses[read].array != array);
        Ok(())
    }

    /// What a value adds to what is stored already, and its sign; in arithmetic of the array's own type,
    /// which is no narrower than `int`.
    fn added(&self, array: usize, value: &'l Expr) -> Option<(i64, &'l Expr)> {
        let kind = self.here.lowering.model.arrays[array].element.kind;
        let value = match value {
            Expr::Cast(ctype, inner) if ctype.kind == kind => inner,
            other => other,
        };
        let is_old =
            |e: &Expr| matches!(e, Expr::Access(id) if self.draft.accesses[*id].array == array);
        let old = |e: &Expr| match e {
            Expr::Cast(ctype, inner) => ctype.kind == kind && is_old(inner),
            other => is_old(other),
        };
        match value {
            _ if kind.promoted() != kind => None,
            Expr::Binary(BinaryOp::Add, a, b) if old(a) => Some((1, b)),
            Expr::Binary(BinaryOp::Add, a, b) if old(b) => Some((1, a)),
            Expr::Binary(BinaryOp::Sub, a, b) if old(a) => Some((-1, b)),
            _ => None,
        }
    }

    fn join(&self, known: &mut Known, other: Known) -> Result<()> {
        let mut locals = HashMap::new();
        for (name, (kind, own)) in &known.locals {
            if let Some((_, more)) = other.locals.get(name) {
                locals.insert(name.clone(), (*kind, self.here.either(own, more)?));
            }
        }
        known.locals = locals;
        // What a condition says of reads ends with it.
        known.reads.retain(|read, own| {
            let same = |a: &Option<PwAff>, b: &Option<PwAff>| match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => a.plain_is_equal(b).unwrap_or(false),
                _ => false,
            };
            let other = other.reads.get(read);
            other.is_some_and(|other| same(&own[0], &other[0]) && same(&own[1], &other[1]))
        });
        Ok(())
    }

    /// Drops what some actions, which are repeated, change. What they only add to or subtract from
    /// keeps the end that it moves away from.
    fn forget(&self, actions: &[Action], known: &mut Known) {
        let mut ways: HashMap<&str, [bool; 2]> = HashMap::new();
        Action::walk(actions, &mut |action| {
            if let Action::SetLocal { name, value } = action {
                let kind = known.locals.get(name).and_then(|(kind, _)| *kind);
                let (up, down) = match kind.and_then(|kind| moves(name, kind, value)) {
                    Some(by) => (by >= 0, by <= 0),
                    None => (false, false),
                };
                let own = ways.entry(name).or_insert([true; 2]);
                *own = [own[0] && up, own[1] && down];
            }
        });
        for (name, [up, down]) in ways {
            if let Some((_, value)) = known.locals.get_mut(name) {
                let exact = !value.is_off();
                let least = value.least.take().filter(|_| up && exact);
                let greatest = value.greatest.take().filter(|_| down && exact);
                *value = self.here.between(least, greatest);
            }
        }
        known.reads.clear();
    }

    /// The value of an expression; all subscripts in it are looked at.
    pub fn value(&mut self, expr: &'l Expr, known: &mut Known) -> Result<Typed> {
        let nothing = |kind| Ok((kind, Spread::default()));
        match expr {
            Expr::Literal(text) => match integer(text) {
                Some((kind, number)) => Ok((Some(kind), self.here.numbers(number, number)?)),
                None => nothing(floating_literal(text)),
            },
            Expr::Iterator(position) => {
                let kind = self.draft.loops[*position].iterator.ctype.kind;
                Ok((Some(kind), self.iterator(*position)?))
            }
            Expr::Param(id) => {
                let lowering = self.here.lowering;
                let space = isl::LocalSpace::from_space(&lowering.loop_space(self.here.depth)?)?;
                let value = PwAff::var_on_domain(&space, isl::DimType::Param, *id)?;
                let kind = lowering.params.list[*id].ctype.kind;
                Ok((Some(kind), self.here.exactly(value)))
            }
            Expr::Invariant(text) => {
                let kind = self
                    .here
                    .lowering
                    .model
                    .invariants
                    .get(text)
                    .map(|t| t.kind);
                Ok((kind, self.here.of_type(kind)?))
            }
            Expr::Local(name) => Ok(known.locals.get(name).cloned().unwrap_or_default()),
            Expr::Access(id) => self.read(*id, known),
            Expr::Unary(op, a) => {
                let (from, value) = self.value(a, known)?;
                let kind = from.map(ScalarKind::promoted);
                match (op, kind.filter(|kind| !kind.is_float())) {
                    (UnaryOp::Not, _) => Ok((Some(ScalarKind::I32), self.here.numbers(0, 1)?)),
                    (_, None) => nothing(kind),
                    (UnaryOp::Plus, _) => Ok((kind, value)),
                    (UnaryOp::Minus, Some(own)) => {
                        let value = self.here.scaled(&value, -1)?;
                        Ok((kind, self.here.result(value, own)?))
                    }
                    (UnaryOp::Complement, Some(own)) => Ok((kind, self.here.of_type(Some(own))?)),
                }
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.value(a, known)?;
                let mut second = known.clone();
                let both = matches!(expr, Expr::Binary(BinaryOp::And, ..));
                self.refine(a, both, &mut second)?;
                self.value(b, &mut second)?;
                Ok((Some(ScalarKind::I32), self.here.numbers(0, 1)?))
            }
            Expr::Binary(op, a, b) => {
                let (left, right) = (self.value(a, known)?, self.value(b, known)?);
                self.operation(*op, left, right)
            }
            Expr::Conditional(_, _, value) if is_clamped(expr) => self.value(value, known),
            Expr::Conditional(condition, a, b) => {
                self.value(condition, known)?;
                let (mut holds, mut fails) = (known.clone(), known.clone());
                self.refine(condition, true, &mut holds)?;
                self.refine(condition, false, &mut fails)?;
                let (of_a, a) = self.value(a, &mut holds)?;
                let (of_b, b) = self.value(b, &mut fails)?;
                let Some(kind) = of_a.zip(of_b).map(|(a, b)| a.common(b)) else {
                    return nothing(None);
                };
                let a = self.here.converted(a, of_a, kind)?;
                let b = self.here.converted(b, of_b, kind)?;
                Ok((Some(kind), self.here.either(&a, &b)?))
            }
            Expr::Cast(ctype, a) => {
                let (from, value) = self.value(a, known)?;
                let value = self.here.converted(value, from, ctype.kind)?;
                Ok((Some(ctype.kind), value))
            }
            Expr::Call(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.value(argument, known)?);
                }
                self.called(name, &values)
            }
            Expr::Effect {
                function,
                arguments,
                ..
            } => {
                for argument in arguments {
                    self.value(argument, known)?;
                }
                match hidden::called(self.here.lowering.unit, function) {
                    Some(own) if own.is_not_negative => {
                        let value = self.here.numbers(0, i32::MAX.into())?;
                        Ok((own.result, value))
                    }
                    own => nothing(own.and_then(|own| own.result)),
                }
            }
            Expr::Row { accesses, .. } => {
                for &access in accesses {
                    self.subscripts_of(access, known)?;
                }
                nothing(None)
            }
        }
    }

    /// The variable of a loop.
    fn iterator(&self, position: usize) -> Result<Spread> {
        let lowering = self.here.lowering;
        let value = lowering.variable(self.here.depth, position)?;
        let [least, greatest] = &self.counted[position];
        if least.is_none() && greatest.is_none() {
            return Ok(self.here.exactly(value));
        }
        let part = Part {
            stride: Polynomial::constant(1),
            negative: false,
            least: least.clone().unwrap_or(End::At(value.clone())),
            greatest: greatest.clone().unwrap_or(End::At(value)),
        };
        Ok(Spread {
            parts: Some(vec![part]),
            ..Spread::default()
        })
    }

    /// What an access reads.
    fn read(&mut self, id: usize, known: &mut Known) -> Result<Typed> {
        self.subscripts_of(id, known)?;
        let access = &self.draft.accesses[id];
        let kind = self.here.lowering.model.arrays[access.array].element.kind;
        if kind.is_float() {
            return Ok((Some(kind), Spread::default()));
        }
        let stored = self.stored.of(access.array)?;
        let mut value = match (stored, self.table(access.array)) {
            (Some(value), _) => value.inside(&self.here)?,
            (None, Some([least, greatest])) => self.here.numbers(least.into(), greatest.into())?,
            (None, None) => self.here.of_type(Some(kind))?,
        };
        if value.parts.is_none() && !value.is_off() {
            value.parts = Some(vec![Part {
                stride: Polynomial::constant(1),
                negative: false,
                least: End::Data((self.number, id), 0),
                greatest: End::Data((self.number, id), 0),
            }]);
        }
        if let Some([least, greatest]) = known.reads.get(&id) {
            value = self
                .here
                .within(&value, least.as_ref(), greatest.as_ref())?;
        }
        Ok((Some(kind), value))
    }

    /// The least and the greatest value in a table of constants.
    fn table(&self, array: usize) -> Option<[i64; 2]> {
        let lowering = self.here.lowering;
        match &lowering.model.arrays[array].key {
            ArrayKey::Place(root, _, members) if members.is_empty() => {
                lowering.unit.tables.get(root).copied()
            }
            _ => None,
        }
    }

    /// Looks at the subscripts of an access, where they are computed.
    fn subscripts_of(&mut self, id: usize, known: &mut Known) -> Result<()> {
        let access = &self.draft.accesses[id];
        for (at, subscript) in access.subscripts.iter().enumerate() {
            let (_, value) = self.value(&subscript.expr, known)?;
            let all = match self.found.remove(&(id, at)) {
                Some(other) => self.here.either(&other, &value)?,
                None => value,
            };
            self.found.insert((id, at), all);
        }
        Ok(())
    }
}

/// By how much a variable of a type moves that is set to this: a number. It is of a type in which
/// nothing wraps around.
fn moves(name: &str, kind: ScalarKind, value: &Expr) -> Option<i128> {
    let own = |e: &Expr| matches!(e, Expr::Local(local) if local == name);
    if !matches!(kind, ScalarKind::I32 | ScalarKind::I64) {
        return None;
    }
    match value {
        Expr::Cast(ctype, inner) if ctype.kind == kind => moves(name, kind, inner),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if own(a) => match &**b {
            Expr::Literal(text) => match integer(text)? {
                (ScalarKind::I32 | ScalarKind::I64, by) if *op == BinaryOp::Add => Some(by),
                (ScalarKind::I32 | ScalarKind::I64, by) => Some(-by),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// One part that is data, and what is added to it, where that is a number.
fn with_number(parts: &[Part]) -> Option<(&Part, i64)> {
    let mut data = parts.iter().filter(|part| !part.is_static());
    let (part, None) = (data.next()?, data.next()) else {
        return None;
    };
    let mut added = 0_i64;
    for part in parts.iter().filter(|part| part.is_static()) {
        let (least, greatest) = part.least.at().zip(part.greatest.at())?;
        let number = constant_value(least).ok()??;
        if constant_value(greatest).ok()?? != number || part.stride != Polynomial::constant(1) {
            return None;
        }
        added = added.checked_add(number)?;
    }
    Some((part, added))
}

/// A bound of a loop that is held back from where numbers end (`lower::loops::dynamic`). Surveys do
/// not go so far.
fn is_clamped(expr: &Expr) -> bool {
    let Expr::Conditional(condition, limit, value) = expr else {
        return false;
    };
    let Expr::Literal(text) = &**limit else {
        return false;
    };
    let far = text
        .parse()
        .is_ok_and(|limit: i64| limit.abs() >= BEYOND_INT);
    let compared = |op: &BinaryOp| matches!(op, BinaryOp::Less | BinaryOp::Greater);
    far && matches!(&**condition, Expr::Binary(op, a, b) if compared(op) && a == value && b == limit)
}

/// The value of an integer literal with its type.
pub(super) fn integer(text: &str) -> Option<(ScalarKind, i128)> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (digits, radix) = match digits.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        None => (digits, 10),
    };
    let value = i128::from_str_radix(digits, radix).ok()?;
    let (unsigned, long) = (suffix.contains('u'), suffix.contains('l'));
    let fits = |kind: &ScalarKind| {
        let wide = matches!(kind, ScalarKind::I64 | ScalarKind::U64);
        let own = types::is_unsigned(*kind);
        let allowed = match own {
            true => unsigned || radix != 10,
            false => !unsigned,
        };
        allowed && (wide || !long) && types::range(*kind).is_some_and(|(_, most)| value <= most)
    };
    let kinds = [
        ScalarKind::I32,
        ScalarKind::U32,
        ScalarKind::I64,
        ScalarKind::U64,
    ];
    kinds.into_iter().find(fits).map(|kind| (kind, value))
}
