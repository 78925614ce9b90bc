//! What a caller of a function must know: its arguments, and the global arrays that it uses.
//!
//! The driver builds a wrapper from this that allocates, fills, calls and compares.

use super::lower::calls::hidden;
use super::mentions;
use super::reach;
use super::syntax::{Function, Scope, SymbolId, Type, Unit};
use super::types;
use crate::scop::{ScalarKind, ScalarType, Scop};
use std::collections::BTreeSet;

/// How to call one function.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Interface {
    /// Its name.
    pub function: String,
    /// Its parameters in order.
    pub arguments: Vec<Argument>,
    /// Arrays and scalars of the file that its regions touch (read or written).
    pub globals: Vec<Argument>,
    /// A function of the same file, `<function>_init`, with the same parameters in types and
    /// number, called before every run to fill the arrays with meaningful data.
    pub init: Option<String>,
    /// A function with hidden state that it calls, also by way of others, whose answer depends on what
    /// was called before (`rand`): two calls of this function do not do the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Argument {
    /// Name; for functions' parameters without one, `argument<k>`.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: ArgumentKind,
}

/// Kinds of arguments.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ArgumentKind {
    /// A scalar, passed by value. `required` says that an integer without which extents or bounds
    /// are unknown; floating scalars have a default.
    Scalar {
        /// Its type.
        ctype: ScalarType,
    },
    /// An array.
    Array {
        /// Element type (for arrays of structs, the driver sees bytes: `U8` with `struct_bytes`).
        element: ScalarType,
        /// The C type to cast a `void *` to for the call: `float (*)[R + 4][C + 4]`. For global
        /// arrays (not pointers) empty.
        pointer: String,
        /// Extents, outermost first, as C expressions over the scalar arguments and the file's
        /// globals and macros' values: `3`, `R + 4`. The outermost one of a pointer without an
        /// extent is what the regions' accesses reach.
        extents: Vec<String>,
        /// Whether the function only reads it.
        read_only: bool,
        /// For arrays of structs: a C expression for the size of one element (`sizeof(pixel)`).
        struct_bytes: Option<String>,
    },
    /// Something the driver cannot make up, and why.
    Unsupported {
        /// The reason.
        reason: String,
    },
}

/// How to call function number `function` of a file; `scops` are its regions' models, from which
/// the sizes of what pointers point at are taken.
///
/// Globals are the file's variables that statements of the function's regions mention, in the
/// order of the file, without constant ones.
pub fn interface(unit: &Unit, function: usize, scops: &[&Scop]) -> Interface {
    let Some(this) = unit.functions.get(function) else {
        return Interface {
            function: String::new(),
            arguments: vec![],
            globals: vec![],
            init: None,
            asks: None,
        };
    };
    let written = mentions::written(unit, this);
    let builder = Builder {
        unit,
        function: this,
        scops,
        is_modelled: unit.is_modelled(function, scops.len()),
        written,
    };
    let arguments = this
        .parameters
        .iter()
        .enumerate()
        .map(|(k, &id)| builder.argument(id, k))
        .collect();
    let statements = unit
        .regions
        .iter()
        .filter(|r| r.function == function)
        .flat_map(|r| &r.statements);
    let globals = mentions::mentioned(unit, statements)
        .into_iter()
        .filter(|&id| unit.symbols[id].scope == Scope::File && !unit.symbols[id].is_const)
        .map(|id| builder.global(id))
        .collect();
    Interface {
        function: this.name.clone(),
        arguments,
        globals,
        init: init(unit, this),
        asks: hidden::asked(unit, this),
    }
}

struct Builder<'a> {
    unit: &'a Unit,
    function: &'a Function,
    scops: &'a [&'a Scop],
    /// Whether they are all that is marked in the function.
    is_modelled: bool,
    /// What the function may write through.
    written: BTreeSet<SymbolId>,
}

impl Builder<'_> {
    fn argument(&self, id: SymbolId, position: usize) -> Argument {
        let symbol = &self.unit.symbols[id];
        let name = if symbol.name.is_empty() {
            format!("argument{position}")
        } else {
            symbol.name.clone()
        };
        let kind = match &symbol.ctype {
            Type::Scalar(ctype) if ctype.kind.is_on_devices() => ArgumentKind::Scalar {
                ctype: ctype.clone(),
            },
            Type::Array { .. } | Type::Pointer { .. } => {
                let pointer = types::parameter_type(&symbol.ctype, &self.unit.symbols);
                self.array(id, pointer.unwrap_or_default())
            }
            other => unsupported(other),
        };
        Argument { name, kind }
    }

    fn global(&self, id: SymbolId) -> Argument {
        let symbol = &self.unit.symbols[id];
        let kind = match &symbol.ctype {
            Type::Scalar(ctype) if ctype.kind.is_on_devices() => ArgumentKind::Scalar {
                ctype: ctype.clone(),
            },
            Type::Array { .. } => self.array(id, String::new()),
            Type::Pointer { .. } => {
                let pointer = types::parameter_type(&symbol.ctype, &self.unit.symbols);
                self.array(id, pointer.unwrap_or_default())
            }
            other => unsupported(other),
        };
        Argument {
            name: symbol.name.clone(),
            kind,
        }
    }

    /// An array or a pointer; its outermost extent where C gives none is what is reached.
    fn array(&self, id: SymbolId, pointer: String) -> ArgumentKind {
        let symbol = &self.unit.symbols[id];
        let mut extents = vec![];
        let mut ctype = &symbol.ctype;
        let mut read_only = !self.written.contains(&id);
        loop {
            let (inner, extent, is_const) = match ctype {
                Type::Array {
                    element,
                    extent,
                    is_const,
                    ..
                } => (element, extent.as_ref(), *is_const),
                Type::Pointer {
                    target, is_const, ..
                } if extents.is_empty() => (target, None, *is_const),
                _ => break,
            };
            read_only |= is_const;
            match extent {
                Some(extent) => extents.push(types::expression(extent, &self.unit.symbols)),
                None if extents.is_empty() => match self.reached(&symbol.name) {
                    Ok(extent) => extents.push(extent),
                    Err(reason) => return ArgumentKind::Unsupported { reason },
                },
                None => {
                    return ArgumentKind::Unsupported {
                        reason: "an inner extent is missing".to_string(),
                    };
                }
            }
            ctype = inner;
        }
        let bytes = ScalarType {
            kind: ScalarKind::U8,
            spelling: "unsigned char".to_string(),
        };
        let (element, struct_bytes) = match ctype {
            Type::Scalar(element) if element.kind.is_on_devices() => (element.clone(), None),
            Type::Struct { fields, .. } if holds_only_numbers(fields) => {
                match types::declaration(ctype, "", &self.unit.symbols) {
                    Some(spelling) => (bytes, Some(format!("sizeof({spelling})"))),
                    None => return unsupported(ctype),
                }
            }
            other => return unsupported(other),
        };
        ArgumentKind::Array {
            element,
            pointer,
            extents,
            read_only,
            struct_bytes,
        }
    }

    fn reached(&self, name: &str) -> Result<String, String> {
        let symbols = &self.unit.symbols;
        let known = |spelling: &str| {
            let scalar = |id: &SymbolId| {
                symbols[*id].name == spelling && matches!(symbols[*id].ctype, Type::Scalar(_))
            };
            self.function.parameters.iter().any(scalar)
                || (0..symbols.len()).any(|id| symbols[id].scope == Scope::File && scalar(&id))
        };
        if !self.is_modelled {
            return Err("how far the part without a model reaches is not known".to_owned());
        }
        let values = reach::reach(self.scops, name, &known)?;
        reach::largest(&values)
            .ok_or_else(|| "nothing says how many elements there are".to_string())
    }
}

fn unsupported(ctype: &Type) -> ArgumentKind {
    let reason = match ctype {
        Type::Pointer { .. } => "a pointer to pointers".to_string(),
        Type::Struct {
            spelling, fields, ..
        } if fields.is_empty() => format!("the fields of `{spelling}` are not known"),
        Type::Struct {
            spelling, fields, ..
        } if !holds_only_numbers(fields) => {
            format!("`{spelling}` holds more than numbers")
        }
        Type::Struct { spelling, .. } => format!("a structure by value (`{spelling}`)"),
        Type::Void => "nothing says what it points at".to_string(),
        Type::Other(spelling) => format!("a value of type `{spelling}`"),
        Type::Scalar(ctype) => format!("a value of type `{}`", ctype.spelling),
        Type::Array { .. } => "an array of this kind".to_string(),
    };
    ArgumentKind::Unsupported { reason }
}

/// Whether bytes of a structure can be made up and compared: numbers and arrays of numbers.
fn holds_only_numbers(fields: &[(String, Type)]) -> bool {
    fn number(ctype: &Type) -> bool {
        match ctype {
            Type::Scalar(ctype) => ctype.kind.is_on_devices(),
            Type::Array { element, .. } => number(element),
            Type::Struct { fields, .. } => holds_only_numbers(fields),
            _ => false,
        }
    }
    !fields.is_empty() && fields.iter().all(|(_, t)| number(t))
}

/// `<function>_init` with the same parameters, qualifiers and extents aside.
fn init(unit: &Unit, function: &Function) -> Option<String> {
    fn same(a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Scalar(a), Type::Scalar(b)) => a.kind == b.kind,
            (
                Type::Array { element: a, .. } | Type::Pointer { target: a, .. },
                Type::Array { element: b, .. } | Type::Pointer { target: b, .. },
            ) => same(a, b),
            (Type::Struct { spelling: a, .. }, Type::Struct { spelling: b, .. }) => a == b,
            _ => a == b,
        }
    }
    let name = format!("{}_init", function.name);
    let init = unit.functions.iter().find(|f| f.name == name)?;
    let types = |f: &Function| {
        f.parameters
            .iter()
            .map(|&p| unit.symbols[p].ctype.clone())
            .collect::<Vec<_>>()
    };
    let (mine, its) = (types(function), types(init));
    (mine.len() == its.len() && mine.iter().zip(&its).all(|(a, b)| same(a, b))).then_some(name)
}
