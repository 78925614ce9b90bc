//! Whether different names may mean the same memory.
//!
//! Arrays and allocated blocks are objects of their own. Pointers may point anywhere unless
//! `restrict` says otherwise, or their element types forbid it (C's effective types); parameters
//! declared as arrays are pointers to C. What may be the same is compared when the program runs
//! ([`crate::frontend::c::lower::memory::apart`]).

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::memory::allocation;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::facts::Facts;
use crate::frontend::c::lower::surroundings::{elements, visit};
use crate::frontend::c::lower::{ArrayDraft, ArrayKey, Lowering, PointerRead, Refusal};
use crate::frontend::c::syntax::{Scope as Where, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::scop::{Members, ScalarKind};
use crate::source::Span;

/// The pointer that leads to what a place is part of, where one does: to the array, of an element.
fn around(unit: &Unit, root: SymbolId, place: &str) -> Option<String> {
    let (name, path) = place.split_at(unit.symbols[root].name.len());
    let (array, behind) = elements::holder(unit, root, path).unwrap_or((path, false));
    match (behind, array.rsplit_once("->")) {
        (true, _) => Some(format!("{name}{array}")),
        (false, Some((pointer, _))) => Some(format!("{name}{pointer}")),
        (false, None) => None,
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    /// A variable of the file: pointers may point at it.
    Global,
    /// A variable of the function, or memory that it allocates: pointers that came in as parameters
    /// do not point at it.
    Local,
    /// Memory that is not written through another name: allocated and known by one pointer only,
    /// constant, or a scalar whose address nobody takes.
    Fresh,
    /// A pointer, and whether it is a parameter (declared as an array, too) or a field of one.
    Pointer { restrict: Restrict, parameter: bool },
}

/// What a pointer's `restrict` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Restrict {
    /// There is none.
    Not,
    /// Pointers that got their values from it may point to the same, and there may be some.
    Copied,
    /// Nothing else points to what it points at.
    Alone,
}

/// Memory that the region touches, as one name shows it.
#[derive(Clone)]
pub(crate) struct View {
    root: SymbolId,
    pub base: String,
    /// The object that it is part of: `*p` is what `p` points at.
    target: String,
    /// The pointer that leads to it, where one does.
    pointer: Option<String>,
    pub what: What,
    object: Object,
    /// What is in it; `None`: a pointer.
    kind: Option<ScalarKind>,
    element: String,
    pub written: bool,
    pub span: Span,
    declared: Span,
}

/// What a view is of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// The array with this number in [`Lowering::arrays`].
    Array(usize),
    /// The pointers to its rows.
    Pointers(usize),
    /// A scalar that is taken not to change, or a pointer; its C text.
    Object(String),
}

impl Lowering<'_> {
    /// Pairs of which one is written, and that may be the same memory.
    pub(crate) fn check_aliasing(&mut self) -> Vec<[View; 2]> {
        let parameters = self.params.in_memory(self.unit, &self.facts);
        let parameters: Vec<_> = parameters
            .map(|(root, path, param)| PointerRead {
                root,
                path: path.to_owned(),
                kind: Some(param.ctype.kind),
                span: self.place_of(root, path).unwrap_or(param.span),
            })
            .collect();
        self.claims.pointer_reads.extend(parameters);
        let elsewhere = self.pointers_in_front();
        self.claims.pointer_reads.extend(elsewhere);
        self.check_views();
        self.check_followed();
        let views = self.views();
        let mut pairs = Vec::new();
        for (position, a) in views.iter().enumerate() {
            for b in &views[..position] {
                if (a.root == b.root && a.target == b.target)
                    || !(a.written || b.written)
                    || !compatible(a.kind, b.kind)
                {
                    continue;
                }
                if may_overlap(a.object, b.object) {
                    pairs.push([b.clone(), a.clone()]);
                }
            }
        }
        pairs
    }

    /// Pointers that arrays in front of the region have copies of.
    fn pointers_in_front(&self) -> Vec<PointerRead> {
        let places = self
            .region
            .edges
            .front
            .iter()
            .flat_map(|front| &front.pointers);
        let reads = places.filter_map(|place| {
            let (root, path) = facts::plain_key(place)?;
            self.is_in_memory(root, &path).then_some(PointerRead {
                root,
                path,
                kind: None,
                span: place.span,
            })
        });
        reads.collect()
    }

    /// Whether a scalar or a pointer that the region reads is in memory that others may point at.
    pub(crate) fn is_in_memory(&self, root: SymbolId, path: &str) -> bool {
        is_in_memory(self.unit, &self.facts, root, path)
    }

    /// Where the region mentions a field behind a pointer.
    fn place_of(&self, root: SymbolId, path: &str) -> Option<Span> {
        let mut found = None;
        for stmt in &self.region.statements {
            visit::expressions(self.unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    if elements::place_key(e).is_some_and(|(r, p)| r == root && p == path) {
                        found.get_or_insert(e.span);
                    }
                });
            });
        }
        found
    }

    /// Rows behind pointers of which the region writes some.
    pub(crate) fn views_of_rows(&self) -> Vec<View> {
        let is_rows = |view: &View| match view.what {
            What::Array(index) => view.written && self.model.arrays[index].has_rows(),
            What::Pointers(_) | What::Object(_) => false,
        };
        self.views().into_iter().filter(is_rows).collect()
    }

    fn views(&self) -> Vec<View> {
        let mut views = Vec::new();
        let mut pointers = Vec::new();
        for (index, draft) in self.model.arrays.iter().enumerate() {
            let ArrayKey::Place(root, base, members) = &draft.key else {
                continue;
            };
            let of_base = View {
                root: *root,
                base: base.clone(),
                target: match &draft.container {
                    Type::Pointer { .. } => format!("*{base}"),
                    _ => self.target(*root, base),
                },
                pointer: match &draft.container {
                    Type::Pointer { .. } => Some(base.clone()),
                    Type::Array { .. } if *base == self.unit.symbols[*root].name => {
                        Some(base.clone())
                    }
                    _ => around(self.unit, *root, base),
                },
                what: What::Array(index),
                object: self.object(*root, base, &draft.container),
                kind: (!draft.holds_pointers).then_some(draft.element.kind),
                element: draft.element.spelling.clone(),
                written: draft.written.is_some(),
                span: draft.written.unwrap_or(draft.accessed),
                declared: draft.span,
            };
            if draft.has_rows() {
                let pointer = format!("{base}[]{}", members.member_at(1));
                views.push(View {
                    target: format!("*{pointer}"),
                    pointer: Some(format!("{base}[i]{}", members.member_at(1))),
                    object: Object::Pointer {
                        restrict: Restrict::Not,
                        parameter: false,
                    },
                    ..of_base.clone()
                });
                views.push(View {
                    what: What::Pointers(index),
                    kind: None,
                    element: String::new(),
                    written: false,
                    span: draft.accessed,
                    ..of_base
                });
            } else {
                views.push(of_base);
            }
            if matches!(draft.container, Type::Pointer { .. }) {
                let path = base[self.unit.symbols[*root].name.len()..].to_owned();
                if self.is_in_memory(*root, &path) {
                    pointers.push(PointerRead {
                        root: *root,
                        path,
                        kind: None,
                        span: draft.accessed,
                    });
                }
            }
        }
        for read in self.claims.pointer_reads.iter().chain(&pointers) {
            let symbol = &self.unit.symbols[read.root];
            let place = format!("{}{}", symbol.name, read.path);
            let view = View {
                root: read.root,
                base: place.clone(),
                target: self.target(read.root, &place),
                pointer: around(self.unit, read.root, &place),
                object: self.object_around(read.root, &place),
                what: What::Object(place),
                kind: read.kind,
                element: String::new(),
                written: false,
                span: read.span,
                declared: symbol.span,
            };
            if !views
                .iter()
                .any(|v: &View| v.root == view.root && v.what == view.what)
            {
                views.push(view);
            }
        }
        views
    }

    /// The object that a place is part of.
    fn target(&self, root: SymbolId, place: &str) -> String {
        match around(self.unit, root, place) {
            Some(pointer) => format!("*{pointer}"),
            None => self.unit.symbols[root].name.clone(),
        }
    }

    /// What `restrict` says of a pointer that this variable leads to.
    fn restricted(&self, restrict: bool, root: SymbolId) -> Restrict {
        match restrict {
            false => Restrict::Not,
            true if self.gets_out(root) => Restrict::Copied,
            true => Restrict::Alone,
        }
    }

    /// What the elements of an array are part of.
    fn object(&self, root: SymbolId, base: &str, container: &Type) -> Object {
        let symbol = &self.unit.symbols[root];
        let unchanged = base == symbol.name && !self.facts.changed.contains_key(&root);
        let parameter = matches!(symbol.scope, Where::Parameter(_)) && unchanged;
        match container {
            Type::Pointer { .. }
                if base == symbol.name
                    && !allocation::all(self.unit, &self.facts, root).is_empty() =>
            {
                match self.gets_out(root) {
                    true => Object::Local,
                    false => Object::Fresh,
                }
            }
            Type::Pointer { restrict, .. } => Object::Pointer {
                restrict: self.restricted(*restrict, root),
                parameter,
            },
            Type::Array { restrict, .. }
                if base == symbol.name && matches!(symbol.scope, Where::Parameter(_)) =>
            {
                Object::Pointer {
                    restrict: self.restricted(*restrict, root),
                    parameter,
                }
            }
            _ => self.object_around(root, base),
        }
    }

    /// What a variable or a field of one is part of.
    fn object_around(&self, root: SymbolId, place: &str) -> Object {
        let symbol = &self.unit.symbols[root];
        let is_global = symbol.scope == Where::File || symbol.is_static;
        match around(self.unit, root, place) {
            Some(pointer) => Object::Pointer {
                restrict: match &symbol.ctype {
                    Type::Pointer { restrict, .. } | Type::Array { restrict, .. } => {
                        self.restricted(*restrict && pointer == symbol.name, root)
                    }
                    _ => Restrict::Not,
                },
                parameter: matches!(symbol.scope, Where::Parameter(_))
                    && pointer == symbol.name
                    && !self.facts.changed.contains_key(&root),
            },
            // No pointer that is there when the region begins points into it.
            None if matches!(symbol.scope, Where::Region(_)) => Object::Fresh,
            // Nobody may write it.
            None if symbol.is_const => Object::Fresh,
            // Nobody else knows its name.
            None if symbol.scope != Where::File && self.is_known_by_name_alone(root) => {
                Object::Fresh
            }
            None if is_global => Object::Global,
            None => Object::Local,
        }
    }

    /// Whether no pointer can lead to a number, or to elements of an array of numbers.
    fn is_known_by_name_alone(&self, root: SymbolId) -> bool {
        let is_taken = || self.facts.address_taken.contains(&root);
        match self.unit.symbols[root].ctype {
            Type::Scalar(_) => !is_taken(),
            Type::Array { .. } => !is_taken() && !self.gets_out(root),
            _ => false,
        }
    }

    /// A variable of the function that is declared `restrict` and as a copy of a pointer.
    fn restricted_copy(&self, view: &View) -> Option<&str> {
        let function = self.region.function;
        let copy = self.unit.symbols.iter().find(|symbol| {
            let own = symbol.scope == Where::Function(function);
            let restrict = matches!(symbol.ctype, Type::Pointer { restrict: true, .. });
            let value = symbol.initialiser.as_ref().and_then(facts::plain_key);
            own && restrict
                && value.is_some_and(|(root, path)| {
                    root == view.root
                        && format!("{}{path}", self.unit.symbols[root].name) == view.base
                })
        });
        copy.map(|symbol| &*symbol.name)
    }

    /// That two views cannot be told apart when the program runs, and the pointer that should be
    /// `restrict`.
    pub(crate) fn aliasing(&self, [a, b]: &[View; 2]) -> (String, Diagnostic) {
        let (written, other) = if a.written { (a, b) } else { (b, a) };
        let pointer = [written, other]
            .into_iter()
            .find(|v| match v.object {
                Object::Pointer { restrict, .. } => restrict == Restrict::Not,
                _ => false,
            })
            .unwrap_or(written);
        let symbol = &self.unit.symbols[pointer.root];
        let through = pointer.pointer.as_ref().unwrap_or(&pointer.base);
        let declared = if *through == symbol.name {
            "a pointer without `restrict`".to_owned()
        } else {
            format!("`{through}` is a pointer without `restrict`")
        };
        let (written_name, other_name) = (written.name(), other.name());
        let d = Diagnostic::error(
            Code::Aliasing,
            format!("`{written_name}` and `{other_name}` may be the same memory"),
        )
        .at(pointer.declared, declared)
        .also(written.span, format!("`{written_name}` is written here"))
        .also(other.span, format!("`{other_name}` is accessed here"));
        let d = if pointer.is_behind_pointers() {
            d.help(View::COMPARED_ROWS)
        } else if *through == symbol.name {
            let d = d.help(format!(
                "if they never overlap, declare `{through}` with `restrict`"
            ));
            // Only a parameter's place is its whole declaration.
            let fixed = symbol.is_const && matches!(symbol.ctype, Type::Pointer { .. });
            let name = match fixed {
                true => format!("const {}", symbol.name),
                false => symbol.name.clone(),
            };
            match ctext::restricted(&symbol.ctype, &name, &self.unit.symbols) {
                Some(text) if matches!(symbol.scope, Where::Parameter(_)) => d.rewrite(text),
                _ => d,
            }
        } else if *through != pointer.base {
            d.help(format!(
                "if they never overlap, copy the pointer `{through}` into one with `restrict` \
                 before the region, and use that"
            ))
        } else {
            let name = pointer.base.rsplit(['>', '.']).next().unwrap_or("p");
            let element = &pointer.element;
            match self.restricted_copy(pointer) {
                Some(copy) => d.help(format!(
                    "`{copy}` is a copy of the pointer with `restrict`: use it in place of `{}` all \
                     through the region, also for what functions access that it calls",
                    pointer.base
                )),
                None => d.help(format!(
                    "if they never overlap, copy the pointer before the region, and use the copy in \
                     it: `{element} *restrict {name} = {};`",
                    pointer.base
                )),
            }
        };
        (pointer.base.clone(), d)
    }
}

impl Lowering<'_> {
    /// Arrays of which the region sets pointers, and follows some.
    fn check_followed(&mut self) {
        let mut found = Vec::new();
        let set = self.model.arrays.iter().filter(|a| a.holds_pointers);
        for set in set.filter(|a| a.written.is_some()) {
            let mut rows = self.model.arrays.iter().filter(|a| a.has_rows());
            // What is in rows is another object than the pointers to them, and compared as such.
            let leads = |rows: &&ArrayDraft| rows.key != set.key && rows.key.is_beside(&set.key);
            if let Some(rows) = rows.find(leads) {
                let place = set.written.unwrap_or(set.accessed);
                let what = format!("the pointers of `{}` change inside the region", set.name);
                found.push(Refusal::from(
                    Diagnostic::error(Code::ParameterWritten, what)
                        .at(place, "changed here")
                        .also(rows.accessed, "followed here")
                        .help("set the pointers in a loop of their own, and let that be a region"),
                ));
            }
        }
        for refusal in found {
            self.refuse(refusal);
        }
    }

    /// Two views of one object that the model would take for two.
    fn check_views(&mut self) {
        let mut found = Vec::new();
        for (position, a) in self.model.arrays.iter().enumerate() {
            for b in &self.model.arrays[..position] {
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
        for read in &self.claims.pointer_reads {
            let name = &self.unit.symbols[read.root].name;
            let field = read.path.replacen("->", ".", 1);
            let mut members = Members::default();
            members.add(1, &field);
            let same = |a: &&ArrayDraft| {
                a.key == ArrayKey::Place(read.root, name.clone(), members.clone())
                    && a.written.is_some()
            };
            if let Some(array) = self.model.arrays.iter().find(same) {
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

impl View {
    /// That rows cannot be told apart when the program runs.
    pub(crate) fn rows_may_overlap(&self) -> Diagnostic {
        let pointer = self.pointer.as_ref().unwrap_or(&self.base);
        let what = format!("what `{pointer}` points at may be the same memory for several `i`");
        Diagnostic::error(Code::Aliasing, what)
            .at(self.declared, "declared here")
            .also(self.span, "written here")
            .help(View::COMPARED_ROWS)
    }

    /// Whether it may be a number of this kind, or a pointer where there is none.
    pub(crate) fn may_be(&self, kind: Option<ScalarKind>) -> bool {
        compatible(self.kind, kind)
    }

    const COMPARED_ROWS: &'static str = "rows are compared when the program runs where loop \
        variables and sizes say which they are and how far they go, outside of conditions: not \
        where data does, as in `row[i][j]` with `j < length[i]`";

    /// Whether it is behind pointers in an array.
    fn is_behind_pointers(&self) -> bool {
        self.target.ends_with(']') || self.target.contains("[]")
    }

    /// As messages call it.
    fn name(&self) -> &str {
        match (&self.what, &self.pointer) {
            (What::Array(_), Some(pointer)) if self.is_behind_pointers() => pointer,
            _ => &self.base,
        }
    }
}

fn may_overlap(a: Object, b: Object) -> bool {
    use Object::*;
    match (a, b) {
        (Fresh, _) | (_, Fresh) | (Global | Local, Global | Local) => false,
        (Pointer { restrict: r, .. }, other) | (other, Pointer { restrict: r, .. })
            if r != Restrict::Not =>
        {
            // Parameters, and pointers that are `restrict` themselves, are no copies.
            let copy = Pointer {
                restrict: Restrict::Not,
                parameter: false,
            };
            r == Restrict::Copied && other == copy
        }
        (Local, Pointer { parameter, .. }) | (Pointer { parameter, .. }, Local) => !parameter,
        (Pointer { .. }, _) | (_, Pointer { .. }) => true,
    }
}

/// Whether objects of these types may overlap: the same type, up to its sign, or characters, or the
/// parts of complex numbers.
pub(crate) fn compatible(a: Option<ScalarKind>, b: Option<ScalarKind>) -> bool {
    use ScalarKind::*;
    let plain = |k: ScalarKind| match k.part() {
        U8 => I8,
        U16 => I16,
        U32 => I32,
        U64 => I64,
        other => other,
    };
    let (a, b) = (a.map(plain), b.map(plain));
    a == b || a == Some(I8) || b == Some(I8)
}

/// Whether a scalar or a pointer is in memory that others may point at, and may change there.
pub(crate) fn is_in_memory(unit: &Unit, facts: &Facts<'_>, root: SymbolId, path: &str) -> bool {
    let symbol = &unit.symbols[root];
    let element = elements::holder(unit, root, path);
    path.contains("->")
        || element.is_some_and(|(_, behind)| behind || !symbol.is_const)
        || !symbol.is_const
            && match symbol.scope {
                Where::File => true,
                Where::Region(_) => false,
                _ => symbol.is_static || facts.address_taken.contains(&root),
            }
}
