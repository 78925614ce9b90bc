//! C's types as the interpreter needs them, for x86-64 and AArch64 Linux: `int` has 32 bits, `long`
//! and pointers have 64, `char` is signed.

use crate::program::Reg;
use std::rc::Rc;

/// A scalar type by its representation. Pointers are [`Kind::U64`] in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    /// `long double`, and the others of [`crate::wide`].
    F80,
    F128,
    C32,
    C64,
    C80,
    C128,
}

impl Kind {
    /// Bytes in memory.
    pub fn size(self) -> u64 {
        match self {
            Kind::Bool | Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 | Kind::F16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 | Kind::C32 => 8,
            Kind::F80 | Kind::F128 | Kind::C64 => 16,
            Kind::C80 | Kind::C128 => 32,
        }
    }

    /// Of what its addresses are multiples.
    pub fn align(self) -> u64 {
        self.part().size()
    }

    pub fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64) || self.is_wide()
    }

    /// Whether Rust does not have it.
    #[inline(always)]
    pub fn is_wide(self) -> bool {
        self == Kind::F16 || self > Kind::F64
    }

    pub fn is_complex(self) -> bool {
        self >= Kind::C32
    }

    /// Of complex numbers the kind of their parts.
    pub fn part(self) -> Kind {
        match self {
            Kind::C32 => Kind::F32,
            Kind::C64 => Kind::F64,
            Kind::C80 => Kind::F80,
            Kind::C128 => Kind::F128,
            other => other,
        }
    }

    /// Complex numbers with such parts, or with what they are converted to.
    pub fn complex(self) -> Kind {
        match self.part() {
            Kind::F16 | Kind::F32 => Kind::C32,
            Kind::F80 => Kind::C80,
            Kind::F128 => Kind::C128,
            _ => Kind::C64,
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64)
    }

    /// What C's integer promotions make of it.
    pub fn promoted(self) -> Kind {
        match self {
            Kind::Bool | Kind::I8 | Kind::U8 | Kind::I16 | Kind::U16 => Kind::I32,
            other => other,
        }
    }

    /// The common type of two operands: the usual arithmetic conversions.
    pub fn common(self, other: Kind) -> Kind {
        // Promoted kinds stand in the order of their conversion ranks.
        let common = self.part().promoted().max(other.part().promoted());
        match self.is_complex() || other.is_complex() {
            true => common.complex(),
            false => common,
        }
    }
}

/// How many elements an array has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Len {
    Fixed(u64),
    /// Registers of the function that declares it, set when the declaration is reached: how many,
    /// and the array's bytes.
    Slot(Reg, Reg),
    Unknown,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Void,
    Scalar(Kind),
    Pointer(Rc<Type>),
    Array(Rc<Type>, Len),
    /// A structure or union: its number in [`Records`].
    Record(usize),
    Function(Rc<Signature>),
    /// What the interpreter does not know, in words.
    Unknown(Rc<str>),
}

/// A function's type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signature {
    pub result: Type,
    pub parameters: Vec<Type>,
    pub variadic: bool,
}

pub(crate) const INT: Type = Type::Scalar(Kind::I32);
pub(crate) const LONG: Type = Type::Scalar(Kind::I64);
pub(crate) const SIZE: Type = Type::Scalar(Kind::U64);

impl Type {
    pub fn pointer(self) -> Type {
        Type::Pointer(Rc::new(self))
    }

    /// The scalar that represents a value of this type in a register.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Type::Scalar(kind) => Some(*kind),
            Type::Pointer(_) | Type::Function(_) => Some(Kind::U64),
            _ => None,
        }
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Type::Scalar(_))
    }

    /// The element type behind all array dimensions.
    pub fn element(&self) -> &Type {
        match self {
            Type::Array(inner, _) => inner.element(),
            other => other,
        }
    }
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Empty for an unnamed structure, whose members are reached through it.
    pub name: String,
    pub ty: Type,
    pub offset: u64,
}

/// A structure or union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub is_union: bool,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    pub complete: bool,
    /// Why its layout is not known.
    pub unknown: Option<String>,
}

/// All structures and unions of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records(pub Vec<Record>);

impl Records {
    /// Bytes of a type whose size is a constant.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Scalar(kind) => Some(kind.size()),
            Type::Pointer(_) => Some(8),
            Type::Array(inner, Len::Fixed(n)) => self.size(inner)?.checked_mul(*n),
            Type::Record(index) => {
                let record = self.0.get(*index)?;
                (record.complete && record.unknown.is_none()).then_some(record.size)
            }
            Type::Void | Type::Function(_) => Some(1),
            Type::Array(..) | Type::Unknown(_) => None,
        }
    }

    /// Whether a structure is a library's own: what is in it, or in what its members point to, is
    /// said nowhere. A stream is one.
    pub fn is_opaque(&self, index: usize) -> bool {
        let is_hidden = |index: usize| {
            let record = &self.0[index];
            !record.complete && record.unknown.is_none()
        };
        let mut fields = self.0[index].fields.iter();
        is_hidden(index)
            || fields.any(|field| match &field.ty {
                Type::Pointer(to) => matches!(**to, Type::Record(to) if is_hidden(to)),
                _ => false,
            })
    }

    pub fn align(&self, ty: &Type) -> u64 {
        match ty {
            Type::Scalar(kind) => kind.align(),
            Type::Pointer(_) => 8,
            Type::Array(inner, _) => self.align(inner),
            Type::Record(index) => self.0.get(*index).map_or(1, |r| r.align.max(1)),
            _ => 1,
        }
    }

    /// Lays out the members of a structure or union.
    pub fn complete(&mut self, index: usize, fields: Vec<(String, Type)>, unknown: Option<String>) {
        let (mut offset, mut align, mut size) = (0u64, 1u64, 0u64);
        let mut laid = Vec::new();
        let mut unknown = unknown;
        let is_union = self.0[index].is_union;
        for (name, ty) in fields {
            let a = self.align(&ty);
            let bytes = match (&ty, self.size(&ty)) {
                (_, Some(bytes)) => bytes,
                (Type::Array(_, Len::Unknown), None) => 0,
                _ => {
                    unknown.get_or_insert_with(|| format!("the type of member `{name}`"));
                    0
                }
            };
            offset = if is_union { 0 } else { offset.div_ceil(a) * a };
            align = align.max(a);
            laid.push(Field { name, ty, offset });
            offset = offset.saturating_add(bytes);
            size = size.max(offset);
        }
        let record = &mut self.0[index];
        record.fields = laid;
        record.align = align;
        record.size = size.div_ceil(align) * align;
        record.complete = true;
        record.unknown = unknown;
    }

    /// A member by name, through unnamed members too: its offset and type.
    pub fn field(&self, index: usize, name: &str) -> Option<(u64, Type)> {
        let record = self.0.get(index)?;
        for field in &record.fields {
            if field.name == name {
                return Some((field.offset, field.ty.clone()));
            }
            if let (true, Type::Record(inner)) = (field.name.is_empty(), &field.ty) {
                if let Some((offset, ty)) = self.field(*inner, name) {
                    return Some((field.offset + offset, ty));
                }
            }
        }
        None
    }
}
