//! Initialisers: which part of an object each value of a list is for.

use crate::program::{Op, Reg};
use crate::read::expressions::place::{Place, Where};
use crate::read::expressions::values::Val;
use crate::read::{Reader, Res};
use crate::types::{Kind, LONG, Len, Type};
use lang_c::ast::{
    CompoundLiteral, Designator, Expression, Initializer, InitializerListItem, StringLiteral,
};
use lang_c::span::Node;

/// A part of an object that gets a value.
pub(crate) enum Part<'a> {
    Value(u64, Type, &'a Node<Expression>),
    Bytes(u64, Vec<u8>),
}

type Items<'a> = &'a [Node<InitializerListItem>];

fn is_char(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(Kind::I8 | Kind::U8))
}

impl<'a> Reader<'a> {
    /// The parts that an initialiser gives values; completes the type of an array.
    pub(crate) fn parts(
        &mut self,
        ty: &mut Type,
        initializer: &'a Initializer,
    ) -> Res<Vec<Part<'a>>> {
        let mut parts = Vec::new();
        let count = match initializer {
            Initializer::List(items) => self.list(ty, 0, items, &mut parts)?,
            Initializer::Expression(e) => self.one(ty, 0, e, &mut parts)?,
        };
        if let Type::Array(_, len @ Len::Unknown) = ty {
            *len = Len::Fixed(count);
        }
        Ok(parts)
    }

    /// One value without braces; how many elements it is for.
    fn one(
        &mut self,
        ty: &Type,
        offset: u64,
        e: &'a Node<Expression>,
        parts: &mut Vec<Part<'a>>,
    ) -> Res<u64> {
        if let (Type::Array(inner, len), Expression::StringLiteral(literal)) = (ty, &e.node) {
            if is_char(inner) {
                self.note_kernels(literal);
                let mut bytes = self.string_bytes(&literal.node)?;
                let count = bytes.len() as u64;
                if let Len::Fixed(n) = len {
                    bytes.resize((*n).min(1 << 26) as usize, 0);
                }
                parts.push(Part::Bytes(offset, bytes));
                return Ok(count);
            }
        }
        parts.push(Part::Value(offset, ty.clone(), e));
        Ok(1)
    }

    /// A list in braces; how many elements of the outermost array it reaches.
    fn list(
        &mut self,
        ty: &Type,
        offset: u64,
        items: Items<'a>,
        parts: &mut Vec<Part<'a>>,
    ) -> Res<u64> {
        self.deeper()?;
        let mut at = 0;
        let count = match (ty, items) {
            (Type::Array(..) | Type::Record(_), _) => {
                // `char s[] = {"text"}`
                if let (Type::Array(inner, _), [only]) = (ty, items) {
                    if let Initializer::Expression(e) = &only.node.initializer.node {
                        let text = matches!(e.node, Expression::StringLiteral(_));
                        if text && is_char(inner) {
                            self.depth -= 1;
                            return self.one(ty, offset, e, parts);
                        }
                    }
                }
                self.aggregate(ty, offset, items, &mut at, true, parts)?
            }
            (_, [first, ..]) => {
                self.item(ty, offset, first, parts)?;
                1
            }
            _ => 0,
        };
        self.depth -= 1;
        Ok(count)
    }

    fn item(
        &mut self,
        ty: &Type,
        offset: u64,
        item: &'a Node<InitializerListItem>,
        parts: &mut Vec<Part<'a>>,
    ) -> Res<()> {
        match &item.node.initializer.node {
            Initializer::List(items) => self.list(ty, offset, items, parts)?,
            Initializer::Expression(e) => self.one(ty, offset, e, parts)?,
        };
        Ok(())
    }

    /// The `index`th part of an aggregate: its offset and type.
    fn part(&mut self, ty: &Type, index: u64) -> Res<Option<(u64, Type)>> {
        match ty {
            Type::Array(inner, len) => {
                if matches!(len, Len::Fixed(n) if index >= *n) {
                    return Ok(None);
                }
                let Some(size) = self.program.records.size(inner) else {
                    return self.problem("initial values for an array of variable size");
                };
                Ok(Some((size.saturating_mul(index), inner.as_ref().clone())))
            }
            Type::Record(record) => {
                let record = &self.program.records.0[*record];
                if index > 0 && record.is_union {
                    return Ok(None);
                }
                let field = record.fields.get(index as usize);
                Ok(field.map(|f| (f.offset, f.ty.clone())))
            }
            _ => Ok(None),
        }
    }

    /// The part of a part that further designators name.
    fn designated(&mut self, ty: &Type, rest: &'a [Node<Designator>]) -> Res<(u64, Type)> {
        let (mut offset, mut ty) = (0, ty.clone());
        for designator in rest {
            let part = match (&designator.node, &ty) {
                (Designator::Index(e), Type::Array(..)) => {
                    let index = self.constant_value(e)? as u64;
                    self.part(&ty, index)?
                }
                (Designator::Member(name), Type::Record(record)) => {
                    self.program.records.field(*record, &name.node.name)
                }
                _ => None,
            };
            let Some((by, inner)) = part else {
                return self.problem("a designator");
            };
            (offset, ty) = (offset + by, inner);
        }
        Ok((offset, ty))
    }

    /// Values from `at` on for an aggregate, whose braces may be left out.
    fn aggregate(
        &mut self,
        ty: &Type,
        offset: u64,
        items: Items<'a>,
        at: &mut usize,
        braces: bool,
        parts: &mut Vec<Part<'a>>,
    ) -> Res<u64> {
        self.deeper()?;
        let (mut index, mut count) = (0u64, 0u64);
        while let Some(item) = items.get(*at) {
            let designation = &item.node.designation;
            if !braces && !designation.is_empty() {
                break;
            }
            if let Some(first) = designation.first() {
                index = match &first.node {
                    Designator::Index(e) => self.constant_value(e)? as u64,
                    Designator::Member(name) => {
                        let Type::Record(record) = ty else {
                            return self.problem("a designator");
                        };
                        let fields = &self.program.records.0[*record].fields;
                        let found = fields.iter().position(|f| f.name == name.node.name);
                        match found {
                            Some(found) => found as u64,
                            None => return self.problem("a designator of an inner member"),
                        }
                    }
                    Designator::Range(_) => return self.problem("a range of initial values"),
                };
            }
            if index > 1 << 24 {
                return self.problem("an array of more than 16 million elements");
            }
            // Of a union any member may be named.
            let named = match (ty, designation.is_empty()) {
                (Type::Record(record), false) => {
                    let field = self.program.records.0[*record].fields.get(index as usize);
                    field.map(|f| (f.offset, f.ty.clone()))
                }
                _ => self.part(ty, index)?,
            };
            let Some((by, inner)) = named else {
                if braces {
                    *at = items.len();
                }
                break;
            };
            let here = offset + by;
            if let [_, rest @ ..] = &designation[..] {
                if !rest.is_empty() {
                    let (by, inner) = self.designated(&inner, rest)?;
                    self.item(&inner, here + by, item, parts)?;
                    *at += 1;
                    index += 1;
                    count = count.max(index);
                    continue;
                }
            }
            let aggregate = matches!(inner, Type::Array(..) | Type::Record(_));
            let elided = match &item.node.initializer.node {
                Initializer::Expression(e) if aggregate => {
                    let text = matches!(e.node, Expression::StringLiteral(_));
                    let whole = match &inner {
                        Type::Array(element, _) => text && is_char(element),
                        Type::Record(_) => self.type_of(e)? == inner,
                        _ => false,
                    };
                    !whole
                }
                _ => false,
            };
            if elided {
                self.aggregate(&inner, here, items, at, false, parts)?;
            } else {
                self.item(&inner, here, item, parts)?;
                *at += 1;
            }
            index += 1;
            count = count.max(index);
            let is_union = matches!(ty, Type::Record(r) if self.program.records.0[*r].is_union);
            if is_union && !braces {
                break;
            }
        }
        self.depth -= 1;
        Ok(count)
    }

    /// Gives a local object its initial value.
    pub(crate) fn initialise(&mut self, reg: Reg, ty: &Type, parts: Vec<Part<'a>>) -> Res<()> {
        let top = self.fun.frame.top;
        let whole = matches!(&parts[..], [Part::Value(0, part, _)] if part == ty);
        if !whole && matches!(ty, Type::Array(..) | Type::Record(_)) {
            let size = self.size_of(ty)?;
            let (n, value) = (self.reg(&size)?, self.constant(0)?);
            self.emit(Op::Fill { to: reg, value, n });
            self.fun.frame.top = top;
        }
        for part in parts {
            match part {
                Part::Bytes(offset, bytes) => {
                    for (k, byte) in bytes.into_iter().enumerate() {
                        let at = self.part_address(reg, offset + k as u64)?;
                        let a = self.constant(byte.into())?;
                        let kind = Kind::U8;
                        self.emit(Op::Store { kind, at, a });
                        self.fun.frame.top = top;
                    }
                }
                Part::Value(offset, ty, e) => {
                    let value = self.expr(e)?;
                    let value = self.convert(value, &ty)?;
                    let a = self.reg(&value)?;
                    let at = self.part_address(reg, offset)?;
                    self.store(at, &ty, a)?;
                }
            }
            self.fun.frame.top = top;
        }
        Ok(())
    }

    fn part_address(&mut self, reg: Reg, offset: u64) -> Res<Reg> {
        if offset == 0 {
            return Ok(reg);
        }
        let by = Val::constant(offset, LONG);
        self.element(reg, &by, &Type::Scalar(Kind::I8))
    }

    pub(crate) fn compound_literal(&mut self, literal: &'a CompoundLiteral) -> Res<Place> {
        let mut ty = self.type_name(&literal.type_name.node)?;
        let mut parts = Vec::new();
        let count = self.list(&ty, 0, &literal.initializer_list, &mut parts)?;
        if let Type::Array(_, len @ Len::Unknown) = &mut ty {
            *len = Len::Fixed(count);
        }
        let reg = self.local("a compound literal", &ty)?;
        self.initialise(reg, &ty, parts)?;
        Ok(Place {
            at: Where::Memory(reg),
            ty,
            whole: true,
        })
    }

    pub(crate) fn string(&mut self, literal: &'a StringLiteral) -> Res<Place> {
        let number = self.string_global(literal)?;
        let d = self.temp()?;
        let global = number as u32;
        self.emit(Op::Global { d, global });
        Ok(Place {
            at: Where::Memory(d),
            ty: self.program.globals[number].ty.clone(),
            whole: true,
        })
    }
}
