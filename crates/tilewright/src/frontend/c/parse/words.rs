//! The words of C's built-in types, in whatever order they stand, to [`Type`].

use super::super::syntax::Type;
use crate::scop::{ScalarKind, ScalarType};

/// What the words of the built-in types say.
#[derive(Default)]
pub(super) struct Words {
    pub long: usize,
    pub short: bool,
    pub signed: bool,
    pub unsigned: bool,
    pub complex: bool,
    pub base: Option<&'static str>,
}

impl Words {
    /// Whether the words beside `_Complex` are those of an integer.
    fn has_integers(&self, base: Option<&str>) -> bool {
        let long = self.long > 0 && base.is_none();
        long || self.short || self.signed || self.unsigned
    }

    /// The type.
    pub fn resolve(&self) -> Type {
        let unsigned = |u: ScalarKind, s: ScalarKind| if self.unsigned { u } else { s };
        let prefix = if self.unsigned { "unsigned " } else { "" };
        let (kind, spelling) = match self.base {
            Some("void") => return Type::Void,
            Some("_Bool") => (ScalarKind::Bool, "_Bool".to_string()),
            // `_Complex` alone is one of `double` (GNU C).
            base @ (None | Some("float" | "double"))
                if self.complex && !self.has_integers(base) =>
            {
                let part = match (base, self.long > 0) {
                    (Some("float"), _) => ScalarKind::F32,
                    (_, true) => ScalarKind::F80,
                    (_, false) => ScalarKind::F64,
                };
                (part.complex(), part.complex().c_name().to_string())
            }
            // Numbers of integers, of GNU C.
            _ if self.complex => return Type::Other("_Complex".to_string()),
            Some("float") => (ScalarKind::F32, "float".to_string()),
            Some("double") if self.long > 0 => (ScalarKind::F80, "long double".to_string()),
            Some("double") => (ScalarKind::F64, "double".to_string()),
            Some("char") if self.signed => (ScalarKind::I8, "signed char".to_string()),
            Some("char") => (
                unsigned(ScalarKind::U8, ScalarKind::I8),
                format!("{prefix}char"),
            ),
            _ if self.short => (
                unsigned(ScalarKind::U16, ScalarKind::I16),
                format!("{prefix}short"),
            ),
            _ if self.long > 1 => (
                unsigned(ScalarKind::U64, ScalarKind::I64),
                format!("{prefix}long long"),
            ),
            _ if self.long == 1 => (
                unsigned(ScalarKind::U64, ScalarKind::I64),
                format!("{prefix}long"),
            ),
            _ => (
                unsigned(ScalarKind::U32, ScalarKind::I32),
                format!("{prefix}int"),
            ),
        };
        Type::Scalar(ScalarType { kind, spelling })
    }
}
