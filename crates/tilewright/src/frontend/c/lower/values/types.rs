//! C types of expressions, as far as conversions and accesses depend on them.

use crate::frontend::c::lower::calls::{hidden, purity};
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Sized, Type, Unit};
use crate::scop::expression::floating_literal;
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp};

/// The type of a place (or of a pointer into one): what subscripts and fields are taken of.
pub(crate) fn place_type<'u>(unit: &'u Unit, expr: &'u Expr) -> Option<&'u Type> {
    match &expr.kind {
        ExprKind::Name(symbol) => Some(&unit.symbols[*symbol].ctype),
        ExprKind::Subscript(base, _) | ExprKind::Dereference(base) => {
            pointee(place_type(unit, base)?)
        }
        ExprKind::Field(base, field) => field_type(place_type(unit, base)?, field),
        ExprKind::Arrow(base, field) => field_type(pointee(place_type(unit, base)?)?, field),
        ExprKind::Binary(BinaryOp::Add, a, b) => [a, b]
            .into_iter()
            .find_map(|e| place_type(unit, e).filter(|t| pointee(t).is_some())),
        ExprKind::Binary(BinaryOp::Sub, a, _) => {
            place_type(unit, a).filter(|t| pointee(t).is_some())
        }
        ExprKind::Cast(ctype, _) => Some(ctype),
        _ => None,
    }
}

/// What an array or pointer has as elements.
pub(crate) fn pointee(ctype: &Type) -> Option<&Type> {
    match ctype {
        Type::Array { element, .. } => Some(element),
        Type::Pointer { target, .. } => Some(target),
        _ => None,
    }
}

/// The type of a field of a structure.
pub(crate) fn field_type<'t>(ctype: &'t Type, field: &str) -> Option<&'t Type> {
    match ctype {
        Type::Struct { fields, .. } => fields.iter().find(|(n, _)| n == field).map(|(_, t)| t),
        _ => None,
    }
}

/// The arithmetic type of an expression, where it has one that we know.
pub(in crate::frontend::c) fn scalar_kind(unit: &Unit, expr: &Expr) -> Option<ScalarKind> {
    use ScalarKind::*;
    match &expr.kind {
        ExprKind::Integer(value, spelling) => Some(integer_kind(*value, spelling)),
        ExprKind::Literal(spelling) => literal_kind(spelling),
        ExprKind::SizeOf(..) => Some(U64),
        ExprKind::Unary(UnaryOp::Not, _) => Some(I32),
        ExprKind::Unary(_, a) => Some(scalar_kind(unit, a)?.promoted()),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessEqual
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or => Some(I32),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Some(scalar_kind(unit, a)?.promoted()),
            _ => Some(scalar_kind(unit, a)?.common(scalar_kind(unit, b)?)),
        },
        ExprKind::Conditional(_, a, b) => Some(scalar_kind(unit, a)?.common(scalar_kind(unit, b)?)),
        ExprKind::Assign(_, a, _) | ExprKind::Increment { target: a, .. } => scalar_kind(unit, a),
        ExprKind::Call(name, arguments) => match purity::definition(unit, name) {
            Some((_, function)) => purity::kind_of(&function.result),
            None => purity::generic_kind(name, || scalar_kind(unit, arguments.first()?))
                .or_else(|| purity::declared_kind(unit, name))
                .or_else(|| hidden::called(unit, name)?.result)
                .or_else(|| match arguments.as_slice() {
                    [a, b] if purity::minmax(name).is_some() => {
                        Some(scalar_kind(unit, a)?.common(scalar_kind(unit, b)?))
                    }
                    _ => None,
                }),
        },
        _ => match place_type(unit, expr)? {
            Type::Scalar(t) => Some(t.kind),
            _ => None,
        },
    }
}

/// Whether a value is as a variable of a type holds it: what C compilers compute with numbers of 16
/// bits may have the bits of a `float` until it is converted, although it is of the same type.
pub(in crate::frontend::c) fn is_held_as(unit: &Unit, value: &Expr, kind: ScalarKind) -> bool {
    let computed = matches!(
        value.kind,
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(..)
    );
    scalar_kind(unit, value) == Some(kind) && !(kind == ScalarKind::F16 && computed)
}

/// The first type of C's list that holds the value: unsigned ones are in it with a `u`, and where
/// the number is not decimal.
fn integer_kind(value: i64, spelling: &str) -> ScalarKind {
    use ScalarKind::*;
    let lower = spelling.trim_start_matches(['-', '(']).to_ascii_lowercase();
    let decimal = !lower.starts_with('0');
    let (unsigned, long) = (lower.contains('u'), lower.contains('l'));
    let fits_int = i32::try_from(value).is_ok();
    let fits_unsigned = u32::try_from(value).is_ok();
    match (unsigned, long) {
        (false, false) if fits_int => I32,
        (false, false) if fits_unsigned && !decimal => U32,
        (true, false) if fits_unsigned => U32,
        (true, _) => U64,
        (false, _) => I64,
    }
}

/// The type of an expression, where it has one that we know: `typeof`.
pub(in crate::frontend::c) fn type_of(unit: &Unit, expr: &Expr) -> Option<Type> {
    match &expr.kind {
        // A parameter that is declared as an array is a pointer.
        ExprKind::Name(symbol) if matches!(unit.symbols[*symbol].scope, Scope::Parameter(_)) => {
            Some(decayed(&unit.symbols[*symbol].ctype))
        }
        ExprKind::AddressOf(place) => Some(Type::Pointer {
            target: Box::new(type_of(unit, place)?),
            restrict: false,
            is_const: false,
        }),
        ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
            type_of(unit, target)
        }
        ExprKind::Conditional(_, a, b) if scalar_kind(unit, expr).is_none() => {
            let (a, b) = (decayed(&type_of(unit, a)?), decayed(&type_of(unit, b)?));
            (a == b).then_some(a)
        }
        ExprKind::Call(name, _) if scalar_kind(unit, expr).is_none() => {
            let (_, function) = purity::definition(unit, name)?;
            match function.result {
                Type::Other(_) => None,
                ref known => Some(known.clone()),
            }
        }
        ExprKind::Binary(..) => match (place_type(unit, expr), scalar_kind(unit, expr)) {
            (Some(pointer), _) => Some(decayed(pointer)),
            (None, kind) => kind.map(named),
        },
        _ => match place_type(unit, expr) {
            Some(ctype) => Some(ctype.clone()),
            None => scalar_kind(unit, expr).map(named),
        },
    }
}

/// A scalar type by its own name.
pub(in crate::frontend::c) fn named(kind: ScalarKind) -> Type {
    Type::Scalar(ScalarType {
        kind,
        spelling: kind.c_name().to_owned(),
    })
}

/// The type of an array's value: a pointer to its first element.
fn decayed(ctype: &Type) -> Type {
    match ctype {
        Type::Array {
            element, is_const, ..
        } => Type::Pointer {
            target: element.clone(),
            restrict: false,
            is_const: *is_const,
        },
        _ => ctype.clone(),
    }
}

/// What `sizeof` gives, where that is a constant that we know.
pub(crate) fn size_of(unit: &Unit, of: &Sized) -> Option<usize> {
    fn bytes(ctype: &Type) -> Option<usize> {
        match ctype {
            Type::Scalar(t) => Some(t.kind.bytes()),
            Type::Pointer { .. } => Some(8),
            Type::Array {
                element,
                extent: Some(extent),
                ..
            } => {
                let count = constant::value(extent)?;
                bytes(element)?.checked_mul(usize::try_from(count).ok()?)
            }
            _ => None,
        }
    }
    match of {
        Sized::Type(ctype) => bytes(ctype),
        Sized::Value(value) => {
            if let ExprKind::Name(symbol) = value.kind {
                let symbol = &unit.symbols[symbol];
                // A parameter that is declared as an array is a pointer.
                if matches!(symbol.scope, Scope::Parameter(_))
                    && matches!(symbol.ctype, Type::Array { .. })
                {
                    return Some(8);
                }
            }
            match place_type(unit, value) {
                Some(ctype) => bytes(ctype),
                None => scalar_kind(unit, value).map(ScalarKind::bytes),
            }
        }
    }
}

/// Whether C computes with a value as `int`.
pub(crate) fn is_int(unit: &Unit, value: &Expr) -> bool {
    scalar_kind(unit, value).is_some_and(|kind| kind.promoted() == ScalarKind::I32)
}

fn literal_kind(spelling: &str) -> Option<ScalarKind> {
    let lower = spelling.to_ascii_lowercase();
    if lower.starts_with('\'') {
        return Some(ScalarKind::I32);
    }
    if lower.starts_with('"') || lower.starts_with('l') {
        return None;
    }
    Some(floating_literal(&lower).unwrap_or(ScalarKind::U64))
}

/// The least and greatest value of an integer type.
pub(crate) fn range(kind: ScalarKind) -> Option<(i128, i128)> {
    use ScalarKind::*;
    Some(match kind {
        I32 => (i32::MIN.into(), i32::MAX.into()),
        U32 => (0, u32::MAX.into()),
        I64 => (i64::MIN.into(), i64::MAX.into()),
        U64 => (0, u64::MAX.into()),
        _ if kind.is_float() => return None,
        _ => {
            let (least, greatest) = narrow_range(kind)?;
            (least.into(), greatest.into())
        }
    })
}

/// Whether an integer type has all values of another one.
pub(crate) fn contains(kind: ScalarKind, other: ScalarKind) -> bool {
    match (range(kind), range(other)) {
        (Some((least, greatest)), Some((a, b))) => least <= a && b <= greatest,
        _ => false,
    }
}

/// `unsigned`, after promotion.
pub(crate) fn is_unsigned(kind: ScalarKind) -> bool {
    matches!(kind, ScalarKind::U32 | ScalarKind::U64)
}

/// The least and greatest value of a type that is narrower than `int`.
pub(crate) fn narrow_range(kind: ScalarKind) -> Option<(i64, i64)> {
    use ScalarKind::*;
    match kind {
        Bool => Some((0, 1)),
        I8 => Some((-128, 127)),
        U8 => Some((0, 255)),
        I16 => Some((-32768, 32767)),
        U16 => Some((0, 65535)),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn integer_constants_have_the_first_type_that_holds_them() {
        use ScalarKind::*;
        for (value, spelling, kind) in [
            (1, "1", I32),
            (2_147_483_647, "2147483647", I32),
            (2_147_483_648, "2147483648", I64),
            (2_147_483_648, "0x80000000", U32),
            (4_294_967_295, "0xffffffff", U32),
            (4_294_967_295, "037777777777", U32),
            (4_294_967_295, "4294967295", I64),
            (4_294_967_296, "0x100000000", I64),
            (2_654_435_761, "2654435761u", U32),
            (4_294_967_296, "4294967296u", U64),
            (1, "1u", U32),
            (1, "1L", I64),
            (1, "1ul", U64),
            (1, "0x1LLU", U64),
            (255, "0xfful", U64),
            (-7, "(-7)", I32),
            (0, "0", I32),
        ] {
            assert_eq!(integer_kind(value, spelling), kind, "{spelling}");
        }
    }

    /// The type that C gives an expression (6.3.1.1, 6.3.1.8 and the operators of 6.5).
    #[test]
    fn types_of_expressions() {
        use ScalarKind::*;
        let rows = [
            ("c", Some(U8)),
            ("i", Some(I32)),
            ("+c", Some(I32)),
            ("-u", Some(U32)),
            ("~l", Some(I64)),
            ("~b", Some(I32)),
            ("-f", Some(F32)),
            ("!l", Some(I32)),
            ("!d", Some(I32)),
            ("!p", Some(I32)),
            ("c + c", Some(I32)),
            ("c * u", Some(U32)),
            ("i - l", Some(I64)),
            ("u / l", Some(I64)),
            ("l % z", Some(U64)),
            ("i & z", Some(U64)),
            ("f + l", Some(F32)),
            ("f * d", Some(F64)),
            ("l < d", Some(I32)),
            ("u > u", Some(I32)),
            ("l <= l", Some(I32)),
            ("d >= d", Some(I32)),
            ("l == z", Some(I32)),
            ("d != d", Some(I32)),
            ("l && z", Some(I32)),
            ("d || l", Some(I32)),
            ("c << l", Some(I32)),
            ("u >> l", Some(U32)),
            ("l << c", Some(I64)),
            ("i ? c : c", Some(I32)),
            ("i ? i : l", Some(I64)),
            ("l ? f : i", Some(F32)),
            ("l = c", Some(I64)),
            ("c += l", Some(U8)),
            ("c++", Some(U8)),
            ("--l", Some(I64)),
            ("(short)l", Some(I16)),
            ("(unsigned char)(i + 1)", Some(U8)),
            ("sizeof(int)", Some(U64)),
            ("sizeof c", Some(U64)),
            ("'a'", Some(I32)),
            ("\"ab\"", None),
            ("1.5", Some(F64)),
            ("1.5f", Some(F32)),
            ("a[i]", Some(I16)),
            ("*a", Some(I16)),
            ("*(a + 1)", Some(I16)),
            ("*(1 + a)", Some(I16)),
            ("*(a - 1)", Some(I16)),
            ("m[1][2]", Some(F32)),
            ("m[1]", None),
            ("p", None),
            ("s.w", Some(U16)),
            ("s.none", None),
            ("p->w", Some(U16)),
            ("p[i].w", Some(U16)),
            ("(*p).w", Some(U16)),
            ("i->w", None),
            ("sqrt(i)", Some(F64)),
            ("sqrtf(i)", Some(F32)),
            ("sqrtl(i)", Some(F80)),
            ("x + d", Some(F80)),
            ("h * h", Some(F16)),
            ("h + f", Some(F32)),
            ("q * x", Some(F128)),
            ("k[i] * d", Some(C64)),
            ("k[i] * x", Some(C80)),
            ("creal(k[i])", Some(F64)),
            ("__builtin_complex(f, f)", Some(C32)),
            ("k[i] == d", Some(I32)),
            ("(long double)i", Some(F80)),
            ("1.0L / 3", Some(F80)),
            ("2.0i * f", Some(C64)),
            ("(__extension__ 1.0iF) * f", Some(C32)),
            ("lrint(d)", Some(I64)),
            ("abs(l)", Some(I32)),
            ("own(i)", Some(U8)),
            ("pointer(i)", None),
            ("elsewhere(i)", Some(I16)),
            ("max(c, c)", Some(I32)),
            ("min(i, l)", Some(I64)),
            ("min(i)", None),
            ("unknown(i, l)", None),
        ];
        let mut wrong = Vec::new();
        for (expr, expected) in rows {
            let found = with(expr, scalar_kind);
            if found != expected {
                wrong.push(format!("{expr}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Results of operations of 16 bits may have more.
    #[test]
    fn values_that_need_no_conversion() {
        use ScalarKind::*;
        for (expr, kind, expected) in [
            ("f * f", F32, true),
            ("f * d", F32, false),
            ("x / x", F80, true),
            ("h", F16, true),
            ("(_Float16)(h * h)", F16, true),
            ("h * h", F16, false),
            ("-h", F16, false),
            ("i ? h : h", F16, false),
            ("1.0f16", F16, true),
        ] {
            let found = with(expr, |unit, value| is_held_as(unit, value, kind));
            assert_eq!(found, expected, "{expr}");
        }
    }

    /// Something of the value that a region assigns to `r`.
    pub fn with<T>(expr: &str, what: impl Fn(&Unit, &Expr) -> T) -> T {
        use crate::frontend::c::syntax::StmtKind;
        let text = format!(
            "struct s {{ unsigned short w; }}; static unsigned char own(int x) {{ return x; }}
static int *pointer(int x) {{ return 0; }} __attribute__((const)) short elsewhere(int x);
void f(_Bool b, unsigned char c, int i, unsigned u, long l, unsigned long z, float f, double d,
       short *a, float m[3][4], long double x, _Float16 h, _Float128 q, double _Complex k[5], struct s s, struct s *p, int row[9]) {{
    int r; int grid[2][3]; int (*rows)[7];
#pragma scop
    r = {expr};
#pragma endscop
}}"
        );
        let source = crate::source::Source {
            name: "<stdin>".to_owned(),
            text: text.clone(),
            preprocessed: text,
            ..crate::source::Source::default()
        };
        let unit = crate::frontend::c::parse::parse(&source)
            .unwrap_or_else(|errors| panic!("{expr}: {errors:?}"));
        match &unit.regions[0].statements[0].kind {
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign(None, _, value),
                ..
            }) => what(&unit, value),
            other => panic!("{expr}: {other:?}"),
        }
    }

    /// Sizes as on all machines with 64 bits.
    #[test]
    fn sizes_of_types_and_values() {
        let rows = [
            ("sizeof(char)", Some(1)),
            ("sizeof(_Bool)", Some(1)),
            ("sizeof(short)", Some(2)),
            ("sizeof(float)", Some(4)),
            ("sizeof(long)", Some(8)),
            ("sizeof(double)", Some(8)),
            ("sizeof(long double)", Some(16)),
            ("sizeof(float _Complex)", Some(8)),
            ("sizeof(_Complex double)", Some(16)),
            ("sizeof(_Complex)", Some(16)),
            ("sizeof(long _Complex double)", Some(32)),
            ("sizeof(int _Complex)", None),
            ("sizeof(long _Complex)", None),
            ("sizeof(_Float16)", Some(2)),
            ("sizeof(_Float128)", Some(16)),
            ("sizeof(int *)", Some(8)),
            ("sizeof(struct s *)", Some(8)),
            ("sizeof(int[3])", Some(12)),
            ("sizeof(short[2][5])", Some(20)),
            ("sizeof(int *[3])", Some(24)),
            ("sizeof(int[i])", None),
            ("sizeof(int[])", None),
            ("sizeof(struct s)", None),
            ("sizeof c", Some(1)),
            ("sizeof l", Some(8)),
            ("sizeof a", Some(8)),
            ("sizeof *a", Some(2)),
            // Parameters that are declared as arrays are pointers; their elements are not.
            ("sizeof row", Some(8)),
            ("sizeof m", Some(8)),
            ("sizeof m[0]", Some(16)),
            ("sizeof grid", Some(24)),
            ("sizeof grid[0]", Some(12)),
            ("sizeof *rows", Some(28)),
            ("sizeof (c + c)", Some(4)),
            ("sizeof (l < l)", Some(4)),
            ("sizeof -c", Some(4)),
            ("sizeof 'a'", Some(4)),
            ("sizeof 1.5f", Some(4)),
            ("sizeof s", None),
            ("sizeof s.w", Some(2)),
        ];
        let mut wrong = Vec::new();
        for (expr, expected) in rows {
            let found = with(expr, |unit, value| match &value.kind {
                ExprKind::SizeOf(of, _) => size_of(unit, of),
                other => panic!("{other:?}"),
            });
            if found != expected {
                wrong.push(format!("{expr}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn types_that_hold_all_values_of_others() {
        use ScalarKind::*;
        let all = [Bool, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64];
        let held: [(ScalarKind, &[ScalarKind]); 11] = [
            (Bool, &[Bool]),
            (I8, &[Bool, I8]),
            (U8, &[Bool, U8]),
            (I16, &[Bool, I8, U8, I16]),
            (U16, &[Bool, U8, U16]),
            (I32, &[Bool, I8, U8, I16, U16, I32]),
            (U32, &[Bool, U8, U16, U32]),
            (I64, &[Bool, I8, U8, I16, U16, I32, U32, I64]),
            (U64, &[Bool, U8, U16, U32, U64]),
            (F32, &[]),
            (F64, &[]),
        ];
        for (kind, others) in held {
            for other in all {
                assert_eq!(
                    contains(kind, other),
                    others.contains(&other),
                    "{kind:?} {other:?}"
                );
            }
            assert_eq!(is_unsigned(kind), matches!(kind, U32 | U64), "{kind:?}");
        }
    }
}
