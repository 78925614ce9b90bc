//! What both texts left behind, compared; places by name.

use crate::arith::show;
use crate::judging::setup::Made;
use crate::program::{Global, Known};
use crate::run::Machine;
use crate::storage::memory::{Label, object_of};
use crate::types::{Kind, Len, Type};

/// A place whose values differ.
#[derive(Clone, Debug)]
pub(crate) struct Unequal {
    pub place: String,
    pub expected: String,
    pub found: String,
    /// The address in the result.
    pub at: u64,
}

/// A scalar part of a type: its offset and kind.
fn leaves(machine: &Machine, ty: &Type, offset: u64, name: &str, out: &mut Vec<(u64, Leaf)>) {
    match ty {
        Type::Scalar(kind) => out.push((offset, Leaf::of(*kind, name))),
        Type::Void => out.push((offset, Leaf::of(Kind::U8, name))),
        Type::Pointer(_) => {
            let mut leaf = Leaf::of(Kind::U64, name);
            leaf.pointer = true;
            out.push((offset, leaf));
        }
        Type::Array(inner, Len::Fixed(count)) => {
            let size = machine.program.records.size(inner).unwrap_or(0);
            for k in 0..(*count).min(100_000) {
                leaves(
                    machine,
                    inner,
                    offset + k * size,
                    &format!("{name}[{k}]"),
                    out,
                );
            }
        }
        Type::Record(record) => {
            let record = &machine.program.records.0[*record];
            if record.is_union {
                for k in 0..record.size {
                    out.push((offset + k, Leaf::of(Kind::U8, name)));
                }
                return;
            }
            for field in &record.fields {
                let name = format!("{name}.{}", field.name);
                leaves(machine, &field.ty, offset + field.offset, &name, out);
            }
        }
        _ => {}
    }
}

#[derive(Clone, Debug)]
struct Leaf {
    kind: Kind,
    pointer: bool,
    name: String,
}

impl Leaf {
    fn of(kind: Kind, name: &str) -> Leaf {
        Leaf {
            kind,
            pointer: false,
            name: name.to_owned(),
        }
    }
}

/// Whether two values of a kind are the same. All NaN are.
pub(crate) fn same(kind: Kind, a: u64, b: u64) -> bool {
    let nan = |bits| match kind {
        Kind::F32 => crate::arith::f32_of(bits).is_nan(),
        Kind::F64 => crate::arith::f64_of(bits).is_nan(),
        _ if kind.is_wide() => {
            let (re, im) = crate::wide::parts(kind, bits);
            re.is_nan() || im.is_nan()
        }
        _ => false,
    };
    a == b || (nan(a) && nan(b))
}

fn bits(bytes: &[u8]) -> u64 {
    // Of wide numbers the first ones say all.
    let bytes = &bytes[..bytes.len().min(8)];
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

fn subscripts(rows: &[u64], mut index: i64) -> String {
    let mut inner = Vec::new();
    for row in rows.iter().rev() {
        let row = (*row).max(1) as i64;
        inner.push(index.rem_euclid(row));
        index = index.div_euclid(row);
    }
    inner.push(index);
    inner.iter().rev().map(|i| format!("[{i}]")).collect()
}

/// An address in words.
pub(crate) fn place(machine: &Machine, made: &[Made], at: u64) -> String {
    let Some(object) = machine.memory.objects.get(object_of(at)) else {
        return "an address of nothing".into();
    };
    let offset = machine.memory.offset_of(at);
    let size = |ty: &Type| machine.program.records.size(ty).unwrap_or(1).max(1) as i64;
    match object.label {
        Label::Input(number) => match made.get(number as usize) {
            Some(made) => {
                let from = offset - made.origin;
                let index = from.div_euclid(size(&made.element));
                format!("{}{}", made.name, subscripts(&made.rows, index))
            }
            None => "an argument".into(),
        },
        Label::Global(number) => {
            let global = &machine.program.globals[number as usize];
            let (mut rows, mut inner) = (Vec::new(), &global.ty);
            while let Type::Array(element, len) = inner {
                rows.push(match len {
                    Len::Fixed(n) => *n,
                    _ => 1,
                });
                inner = element;
            }
            if rows.is_empty() {
                global.name.clone()
            } else {
                let index = offset.div_euclid(size(inner));
                format!("{}{}", global.name, subscripts(&rows[1..], index))
            }
        }
        Label::Local(number) => {
            let local = &machine.program.locals[number as usize];
            let mut rows = Vec::new();
            for extent in local.extents.iter().skip(1) {
                rows.push(match extent {
                    crate::program::Extent::Fixed(n) => *n,
                    crate::program::Extent::Variable => {
                        return format!("{}, byte {offset}", local.name);
                    }
                });
            }
            if local.extents.is_empty() {
                local.name.clone()
            } else {
                let index = offset.div_euclid(size(&local.ty));
                format!("{}{}", local.name, subscripts(&rows, index))
            }
        }
        Label::Heap(pc) => {
            let line = machine.program.line(pc as usize);
            format!("byte {offset} of what line {line} allocated")
        }
        Label::Argument(function, index) => {
            let function = &machine.program.functions[function as usize];
            match function.params.get(index as usize) {
                Some(param) => {
                    let element = offset.div_euclid(size(&param.element));
                    format!("{}[{element}] of `{}`", param.name, function.name)
                }
                None => format!("an argument of `{}`", function.name),
            }
        }
        Label::None => "an address of nothing".into(),
    }
}

/// What pointers point to, comparable between machines.
fn target(machine: &Machine, made: &[Made], pointer: u64) -> String {
    match pointer {
        0 => "NULL".into(),
        _ => match machine.memory.objects.get(object_of(pointer)) {
            Some(object) if matches!(object.label, Label::Heap(_) | Label::Local(_)) => {
                "memory of its own".into()
            }
            _ => place(machine, made, pointer),
        },
    }
}

/// A second run of the original on other junk, and which bytes of it count.
pub(crate) struct Original<'o, 'p> {
    pub machine: &'o Machine<'p>,
    pub other: Option<&'o Machine<'p>>,
}

/// The first place that differs.
pub(crate) fn compare(original: &Original, result: &Machine, made: &[Made]) -> Option<Unequal> {
    let machine = original.machine;
    for one in made {
        let (number, element) = (object_of(one.pointer), &one.element);
        let size = machine.program.records.size(element).unwrap_or(1).max(1);
        let index_of = |at: u64| (at as i64 - one.origin).div_euclid(size as i64);
        let name = |at: u64| format!("{}{}", one.name, subscripts(&one.rows, index_of(at)));
        let found = objects(
            original,
            result,
            made,
            (number, number),
            element,
            size,
            &name,
        );
        if found.is_some() {
            return found;
        }
    }
    for (number, global) in machine.program.globals.iter().enumerate() {
        if global.known == Known::Not {
            continue;
        }
        let Some(other) = counterpart(global, &result.program.globals) else {
            // A program without the function leaves what that keeps as it was.
            if let Some(found) = moved(machine, number, made) {
                return Some(found);
            }
            continue;
        };
        if result.program.globals[other].bytes.len() != global.bytes.len() {
            continue;
        }
        let pair = (
            object_of(machine.globals[number]),
            object_of(result.globals[other]),
        );
        let element = global.ty.element();
        let size = machine.program.records.size(element).unwrap_or(1).max(1);
        let name = |at: u64| place(machine, made, machine.globals[number] + at);
        let found = objects(original, result, made, pair, element, size, &name);
        if found.is_some() {
            return found;
        }
    }
    // What only the result has is its own: helpers of generated text keep what they set up.
    None
}

/// Where another program has an object.
fn counterpart(global: &Global, others: &[Global]) -> Option<usize> {
    let same = |other: &Global| other.known == global.known && other.name == global.name;
    others.iter().position(same)
}

/// What a function keeps, if that is not what it began with, where the result does without the function.
fn moved(machine: &Machine, number: usize, made: &[Made]) -> Option<Unequal> {
    let global = &machine.program.globals[number];
    let at = machine.globals[number];
    let object = &machine.memory.objects[object_of(at)];
    let stays = global.known != Known::Kept || !global.pointers.is_empty();
    if stays || object.data == global.bytes {
        return None;
    }
    Some(Unequal {
        place: place(machine, made, at),
        expected: "the original changes it".to_owned(),
        found: "the result does not".to_owned(),
        at: 0,
    })
}

fn objects(
    original: &Original,
    result: &Machine,
    made: &[Made],
    (a, b): (usize, usize),
    element: &Type,
    size: u64,
    name: &dyn Fn(u64) -> String,
) -> Option<Unequal> {
    let machine = original.machine;
    let (left, right) = (&machine.memory.objects[a], &result.memory.objects[b]);
    if left.data == right.data && right.is_written(0..right.data.len()) {
        let pointers = !matches!(element, Type::Scalar(_) | Type::Void);
        if !pointers {
            return None;
        }
    }
    let mut parts = Vec::new();
    leaves(machine, element, 0, "", &mut parts);
    let count = left.data.len() as u64 / size;
    for index in 0..count {
        for (offset, leaf) in &parts {
            let start = (index * size + offset) as usize;
            let range = start..start + leaf.kind.size() as usize;
            let (Some(x), Some(y)) = (left.data.get(range.clone()), right.data.get(range.clone()))
            else {
                continue;
            };
            let (expected, mut found) = (bits(x), bits(y));
            if !right.is_written(range.clone()) {
                found = bits(&vec![result.memory.junk; range.len()]);
            }
            let equal = if leaf.pointer {
                target(machine, made, expected) == target(result, made, found)
            } else {
                let register = |raw| crate::arith::extended(leaf.kind, raw);
                same(leaf.kind, register(expected), register(found))
            };
            if equal {
                continue;
            }
            // Where the original's value depends on what it never wrote, anything may be.
            if let Some(other) = original.other {
                let again = other.memory.objects[a].data.get(range.clone());
                if again.is_some_and(|again| bits(again) != expected) {
                    continue;
                }
            }
            if !left.is_written(range.clone()) {
                continue;
            }
            let at = (b as u64) << 40 | (right.base + start as u64);
            let (expected, found) = if leaf.pointer {
                (target(machine, made, expected), target(result, made, found))
            } else {
                (
                    show(leaf.kind, crate::arith::extended(leaf.kind, expected)),
                    show(leaf.kind, crate::arith::extended(leaf.kind, found)),
                )
            };
            return Some(Unequal {
                place: format!("{}{}", name(index * size), leaf.name),
                expected,
                found,
                at,
            });
        }
    }
    None
}
