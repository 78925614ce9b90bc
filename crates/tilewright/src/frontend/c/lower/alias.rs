//! Whether different names may mean the same memory.
//!
//! Arrays and allocated blocks are objects of their own. Pointers may point anywhere unless
//! `restrict` says otherwise, or their element types forbid it (C's effective types). Parameters
//! declared as arrays are pointers to C, but nobody writes `double A[n][m]` for memory that
//! overlaps another array: they are taken to be different, with a warning.

use super::{ArrayDraft, ArrayKey, Lowering, PointerRead, Refusal, allocation, facts, visit};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::syntax::{Scope as Where, SymbolId, Type};
use crate::frontend::c::types as ctext;
use crate::scop::ScalarKind;
use crate::source::Span;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    /// A variable of the file: pointers may point at it.
    Global,
    /// A variable of the function: pointers that came in as parameters do not.
    Local,
    /// Memory that no other name reaches: allocated, or a scalar whose address nobody takes.
    Fresh,
    /// A parameter declared as an array.
    Array { restrict: bool },
    /// Any other pointer, and whether it is a parameter or a field of one.
    Pointer { restrict: bool, parameter: bool },
}

struct View {
    root: SymbolId,
    base: String,
    object: Object,
    kind: ScalarKind,
    element: String,
    written: bool,
    span: Span,
    declared: Span,
}

impl Lowering<'_> {
    /// Refuses pairs of pointers that may overlap, and warns of arrays that are taken not to.
    pub(super) fn check_aliasing(&mut self) {
        let parameters = self.params.behind_pointers();
        let parameters: Vec<_> = parameters
            .map(|(root, path, param)| PointerRead {
                root,
                path: path.to_owned(),
                kind: param.ctype.kind,
                span: self.place_of(root, path).unwrap_or(param.span),
            })
            .collect();
        self.pointer_reads.extend(parameters);
        self.check_views();
        let views = self.views();
        let mut errors: Vec<Diagnostic> = Vec::new();
        let mut assumed: Vec<(String, Span)> = Vec::new();
        // A pointer that was asked to be `restrict` once is taken to be from then on.
        let mut asked = Vec::new();
        for (position, a) in views.iter().enumerate() {
            for b in &views[..position] {
                if (a.root == b.root && a.base == b.base)
                    || !(a.written || b.written)
                    || !compatible(a.kind, b.kind)
                {
                    continue;
                }
                match overlap(a.object, b.object) {
                    Overlap::No => {}
                    Overlap::Assumed => {
                        for view in [b, a] {
                            if matches!(view.object, Object::Array { restrict: false })
                                && !assumed.iter().any(|(n, _)| *n == view.base)
                            {
                                assumed.push((view.base.clone(), view.declared));
                            }
                        }
                    }
                    Overlap::Possible => {
                        if [a, b].iter().all(|v| !asked.contains(&v.base)) {
                            let (pointer, error) = self.aliasing(b, a);
                            asked.push(pointer);
                            errors.push(error);
                        }
                    }
                }
            }
        }
        self.errors.extend(errors);
        if !assumed.is_empty() {
            let names: Vec<_> = assumed.iter().map(|(n, _)| format!("`{n}`")).collect();
            let mut d = Diagnostic::warning(
                Code::Aliasing,
                format!("{} are taken to be different arrays", names.join(", ")),
            );
            for (position, (_, span)) in assumed.iter().enumerate() {
                d = if position == 0 {
                    d.at(*span, "declared without `restrict`")
                } else {
                    d.also(*span, "")
                };
            }
            let d = d.help("say so in C as well: `double A[restrict n][m]`");
            self.warnings.borrow_mut().push(d);
        }
    }

    /// Where the region mentions a field behind a pointer.
    fn place_of(&self, root: SymbolId, path: &str) -> Option<Span> {
        let mut found = None;
        for stmt in &self.region.statements {
            visit::expressions(self.unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    if facts::plain_key(e).is_some_and(|(r, p)| r == root && p == path) {
                        found.get_or_insert(e.span);
                    }
                });
            });
        }
        found
    }

    fn views(&self) -> Vec<View> {
        let mut views = Vec::new();
        for draft in &self.arrays {
            let ArrayKey::Place(root, base, _) = &draft.key else {
                continue;
            };
            views.push(View {
                root: *root,
                base: base.clone(),
                object: self.object(*root, base, &draft.container),
                kind: draft.element.kind,
                element: draft.element.spelling.clone(),
                written: draft.written.is_some(),
                span: draft.written.unwrap_or(draft.accessed),
                declared: draft.span,
            });
        }
        for read in &self.pointer_reads {
            let symbol = &self.unit.symbols[read.root];
            let view = View {
                root: read.root,
                base: symbol.name.clone(),
                object: self.object(read.root, &symbol.name, &symbol.ctype),
                kind: read.kind,
                element: String::new(),
                written: false,
                span: read.span,
                declared: symbol.span,
            };
            // One object however many of its fields are read.
            if !views
                .iter()
                .any(|v| v.root == view.root && v.base == view.base && v.kind == view.kind)
            {
                views.push(view);
            }
        }
        views
    }

    fn object(&self, root: SymbolId, base: &str, container: &Type) -> Object {
        let symbol = &self.unit.symbols[root];
        let parameter = matches!(symbol.scope, Where::Parameter(_));
        if let (false, Type::Pointer { restrict, .. }) = (base == symbol.name, container) {
            // A pointer in a structure: `g->cells`.
            return Object::Pointer {
                restrict: *restrict,
                parameter,
            };
        }
        match &symbol.ctype {
            Type::Pointer { restrict, .. } => {
                if !allocation::all(self.unit, &self.facts, root).is_empty() {
                    Object::Fresh
                } else {
                    Object::Pointer {
                        restrict: *restrict,
                        parameter,
                    }
                }
            }
            Type::Array { restrict, .. } if parameter => Object::Array {
                restrict: *restrict,
            },
            _ if symbol.scope == Where::File => Object::Global,
            Type::Scalar(_) if !self.facts.address_taken.contains(&root) => Object::Fresh,
            _ => Object::Local,
        }
    }

    /// The message, and the pointer that should be `restrict`.
    fn aliasing(&self, a: &View, b: &View) -> (String, Diagnostic) {
        let (written, other) = if a.written { (a, b) } else { (b, a) };
        let pointer = [written, other]
            .into_iter()
            .find(|v| matches!(v.object, Object::Pointer { .. }))
            .unwrap_or(written);
        let symbol = &self.unit.symbols[pointer.root];
        let d = Diagnostic::error(
            Code::Aliasing,
            format!(
                "`{}` and `{}` may be the same memory",
                written.base, other.base
            ),
        )
        .at(pointer.declared, "a pointer without `restrict`")
        .also(written.span, format!("`{}` is written here", written.base))
        .also(other.span, format!("`{}` is accessed here", other.base));
        let d = if pointer.base == symbol.name {
            let d = d.help(format!(
                "if they never overlap, declare `{}` with `restrict`",
                pointer.base
            ));
            // Only a parameter's place is its whole declaration.
            let name = format!("restrict {}", symbol.name);
            match ctext::declaration(&symbol.ctype, &name, &self.unit.symbols) {
                Some(text) if matches!(symbol.scope, Where::Parameter(_)) => d.rewrite(text),
                _ => d,
            }
        } else {
            let name = pointer.base.rsplit(['>', '.']).next().unwrap_or("p");
            let element = &pointer.element;
            d.help(format!(
                "if they never overlap, copy the pointer before the region: \
                 `{element} *restrict {name} = {};`",
                pointer.base
            ))
        };
        (pointer.base.clone(), d)
    }
}

impl Lowering<'_> {
    /// Two views of one object that the model would take for two.
    fn check_views(&mut self) {
        let mut found = Vec::new();
        for (position, a) in self.arrays.iter().enumerate() {
            for b in &self.arrays[..position] {
                let (ArrayKey::Place(x, base, _), ArrayKey::Place(y, other, _)) = (&a.key, &b.key)
                else {
                    continue;
                };
                let (short, long) = if base.len() < other.len() {
                    (base, other)
                } else {
                    (other, base)
                };
                let overlapping = x == y && short != long && long.starts_with(short.as_str())
                    // `s.a` and `s.ab` are different fields.
                    && long[short.len()..].starts_with(['.', '-']);
                if overlapping && (a.written.is_some() || b.written.is_some()) {
                    found.push(Refusal::from(
                        Diagnostic::error(
                            Code::UnsupportedExpression,
                            format!("`{short}` is used with subscripts and `{long}` without"),
                        )
                        .at(a.accessed, "one way")
                        .also(b.accessed, "the other way")
                        .help("write `p[0].x` instead of `p->x` where `p` is an array"),
                    ));
                }
            }
        }
        // `p->x` is `p[0].x`.
        for read in &self.pointer_reads {
            let name = &self.unit.symbols[read.root].name;
            let field = read.path.replacen("->", ".", 1);
            let same = |a: &&ArrayDraft| {
                a.key == ArrayKey::Place(read.root, name.clone(), field.clone())
                    && a.written.is_some()
            };
            if let Some(array) = self.arrays.iter().find(same) {
                let path = &read.path;
                found.push(Refusal::from(
                    Diagnostic::error(
                        Code::UnsupportedExpression,
                        format!("`{name}` is used with subscripts and `{name}{path}` without"),
                    )
                    .at(read.span, "one way")
                    .also(array.written.unwrap_or(array.accessed), "the other way")
                    .help(format!(
                        "write `{name}[0]{field}` instead of `{name}{path}`"
                    )),
                ));
            }
        }
        found.into_iter().for_each(|refusal| self.refuse(refusal));
    }
}

enum Overlap {
    No,
    Assumed,
    Possible,
}

fn overlap(a: Object, b: Object) -> Overlap {
    use Object::*;
    match (a, b) {
        (Fresh, _) | (_, Fresh) | (Global | Local, Global | Local) => Overlap::No,
        (Array { restrict: true } | Pointer { restrict: true, .. }, _)
        | (_, Array { restrict: true } | Pointer { restrict: true, .. }) => Overlap::No,
        (
            Local,
            Array { .. }
            | Pointer {
                parameter: true, ..
            },
        )
        | (
            Array { .. }
            | Pointer {
                parameter: true, ..
            },
            Local,
        ) => Overlap::No,
        (Pointer { .. }, _) | (_, Pointer { .. }) => Overlap::Possible,
        (Array { .. }, _) | (_, Array { .. }) => Overlap::Assumed,
    }
}

/// Whether objects of these types may overlap: the same type, up to its sign, or characters.
fn compatible(a: ScalarKind, b: ScalarKind) -> bool {
    use ScalarKind::*;
    let plain = |k| match k {
        U8 => I8,
        U16 => I16,
        U32 => I32,
        U64 => I64,
        other => other,
    };
    let (a, b) = (plain(a), plain(b));
    a == b || a == I8 || b == I8
}
