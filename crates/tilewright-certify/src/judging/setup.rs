//! Objects and arguments for a call, the same for both texts.

use crate::judging::inputs;
use crate::judging::inputs::Input;
use crate::program::{Function, Known, Param, Program};
use crate::run::Machine;
use crate::storage::memory::{Fault, Label};
use crate::types::{Kind, Len, Type};
use std::cell::Cell;
use std::collections::HashMap;

/// Elements of an object whose extent is looked for, and those in front of where it is pointed to.
const REACH: i64 = 20_000;
const FRONT: i64 = 200;
/// Bytes of all arguments.
pub(crate) const MOST: i64 = 16 << 20;
/// So often, at most, the elements of objects whose extent is looked for are halved, and how many are left.
pub(crate) const MOST_HALVED: u32 = 6;
const LEAST_REACH: i64 = 3;
/// Elements of a large global after which its values come again: a prime, so that rows differ.
const PERIOD: u64 = 65_521;
/// Instructions that evaluate extents.
const PROLOGUE: u64 = 100_000;
/// Pointers in objects behind pointers.
const DEEPEST: usize = 3;

/// An object that arguments point to.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub pointer: u64,
    /// Which object it is: the parameter's number, or made from those that lead there.
    pub place: u64,
    pub name: String,
    pub element: Type,
    /// Elements of each dimension behind the first.
    pub rows: Vec<u64>,
    /// Where the argument points, in bytes from the object's first.
    pub origin: i64,
    /// Whether its extent is what the original touches.
    pub elastic: bool,
    pub bytes: u64,
}

/// First and last byte of objects that the original touches, from where they are pointed to; by
/// their places, as there are fewer objects where an array of pointers is shorter.
pub(crate) type Reach = HashMap<u64, (i64, i64)>;

/// Arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    pub values: Vec<u64>,
    pub made: Vec<Made>,
    /// In words.
    pub text: String,
    /// Whether rows of an array have no elements, which C does not define.
    pub has_empty_rows: bool,
    /// What making them costs, in instructions.
    pub cost: u64,
}

/// Which value is wanted: its object's number, the element's, and how many pointers lead there.
#[derive(Clone, Copy)]
struct Place {
    place: u64,
    index: i64,
    depth: usize,
}

/// How often the elements of objects whose extent is looked for are halved.
#[derive(Debug, Default)]
pub(crate) struct Halved {
    pub times: Cell<u32>,
    /// Whether these took too much memory, the last time.
    pub too_much: Cell<bool>,
}

/// An object that is wanted.
struct Wanted<'w> {
    name: &'w str,
    element: &'w Type,
    dims: &'w [Option<i64>],
    /// What else points into it: its dimensions, and from which element on.
    alias: Option<(Vec<Option<i64>>, i64)>,
    at: Place,
}

pub(crate) struct Setup<'s> {
    pub input: &'s Input,
    /// Extents of elastic objects; none while they are looked for.
    pub reach: Option<&'s Reach>,
    /// Whether objects without pointers stay zero, since they get their values later.
    pub blank: bool,
    /// How often the elements of objects whose extent is looked for are halved, and what to note that these
    /// take too much memory in: structures that point to each other have many.
    pub halved: Option<&'s Halved>,
    made: Vec<Made>,
    /// Bytes of all objects so far, and of those whose extent is looked for.
    bytes: i64,
    looked_for: i64,
    limit: i64,
}

impl<'s> Setup<'s> {
    pub fn new(input: &'s Input, reach: Option<&'s Reach>) -> Setup<'s> {
        let positive = input.sizes.iter().copied().filter(|s| *s > 0);
        Setup {
            input,
            reach,
            blank: false,
            halved: None,
            made: Vec::new(),
            bytes: 0,
            looked_for: 0,
            limit: positive.min().unwrap_or(8),
        }
    }

    /// Values of the parameters that are numbers.
    fn scalars(&self, f: &Function) -> Vec<u64> {
        let mut values = vec![0u64; f.params.len()];
        let sizes = inputs::size_params(f);
        for (index, param) in f.params.iter().enumerate() {
            let Type::Scalar(kind) = &param.ty else {
                continue;
            };
            let size = sizes.iter().position(|p| *p == index);
            values[index] = match size.and_then(|p| self.input.sizes.get(p)) {
                Some(size) => crate::arith::wrap(*kind, *size as u64),
                None => inputs::value(self.input, *kind, 1000 + index as u64, 0, self.limit),
            };
        }
        values
    }

    /// Extents of the array parameters, as declared, by parameter.
    ///
    /// # Errors
    /// What is undefined in them.
    pub fn extents(
        &self,
        machine: &mut Machine,
        function: usize,
    ) -> Result<Vec<Vec<Option<i64>>>, Fault> {
        let f = &machine.program.functions[function];
        machine.effort.fuel = PROLOGUE;
        let regs = machine.extents(function, &self.scalars(f))?;
        Ok(f.params
            .iter()
            .map(|param| declared(param, &regs))
            .collect())
    }

    /// Makes the arguments in a machine's memory. `with_globals`: a machine of its own that evaluates
    /// extents, where these are made from globals.
    ///
    /// # Errors
    /// Why there can be none of these sizes.
    pub fn arguments(
        mut self,
        machine: &mut Machine,
        with_globals: Option<&mut Machine>,
        function: usize,
    ) -> Result<Arguments, Fault> {
        let program = machine.program;
        let f: &Function = &program.functions[function];
        let mut values = self.scalars(f);
        let mut words = Vec::new();
        for (param, value) in f.params.iter().zip(&values) {
            if let Type::Scalar(kind) = &param.ty {
                let shown = crate::arith::show(*kind, *value);
                words.push(format!("{} = {shown}", param.name));
            }
        }
        machine.effort.fuel = PROLOGUE;
        let regs = match with_globals {
            Some(other) => {
                other.effort.fuel = machine.effort.fuel;
                other.extents(function, &values)
            }
            None => machine.extents(function, &values),
        }?;
        let mut has_empty_rows = false;
        for (index, param) in f.params.iter().enumerate() {
            match &param.ty {
                Type::Scalar(_) => {}
                Type::Pointer(_) => {
                    let second = self.input.alias.filter(|(_, b, _)| *b == index);
                    if second.is_some() {
                        continue;
                    }
                    let dims = dims(param, &regs)?;
                    has_empty_rows |= dims[1..].contains(&Some(0));
                    let more = match self.input.alias {
                        Some((a, b, by)) if a == index => {
                            let other = self::dims(&f.params[b], &regs)?;
                            Some((other, by))
                        }
                        _ => None,
                    };
                    let place = index as u64;
                    values[index] = self.object(
                        machine,
                        Wanted {
                            name: &param.name,
                            element: &param.element,
                            dims: &dims,
                            alias: more,
                            at: Place {
                                place,
                                index: 0,
                                depth: 0,
                            },
                        },
                    )?;
                }
                Type::Record(_) => {
                    let place = index as u64;
                    let dims = [Some(1)];
                    values[index] = self.object(
                        machine,
                        Wanted {
                            name: &param.name,
                            element: &param.ty,
                            dims: &dims,
                            alias: None,
                            at: Place {
                                place,
                                index: 0,
                                depth: 0,
                            },
                        },
                    )?;
                }
                Type::Unknown(_) | Type::Void | Type::Function(_) | Type::Array(..) => {
                    return Err(Fault::Unsupported("the type of a parameter"));
                }
            }
        }
        if let Some((a, b, by)) = self.input.alias {
            let size = program.records.size(&f.params[b].element).unwrap_or(1);
            values[b] = values[a].wrapping_add((by as u64).wrapping_mul(size));
            let (a, b) = (&f.params[a].name, &f.params[b].name);
            words.push(match by {
                0 => format!("{b} = {a}"),
                _ => format!("{b} = {a} + {by}"),
            });
        }
        if !self.made.is_empty() {
            words.push(self.input.data.name().to_owned());
        }
        Ok(Arguments {
            values,
            cost: self.made.iter().map(|m| 100 + m.bytes / 4).sum(),
            made: self.made,
            has_empty_rows,
            text: words.join(", "),
        })
    }

    /// An object of elements; a pointer to where it begins for the function.
    fn object(&mut self, machine: &mut Machine, wanted: Wanted) -> Result<u64, Fault> {
        let Wanted {
            name,
            element,
            dims,
            alias,
            at: Place { place, depth, .. },
        } = wanted;
        let program = machine.program;
        // Nobody looks into it: one of it is enough, with nothing in it.
        let is_opaque =
            matches!(element, Type::Record(record) if program.records.is_opaque(*record));
        let unit = match element {
            Type::Function(_) => return Err(Fault::Unsupported("a pointer to a function")),
            _ if is_opaque => program.records.size(element).unwrap_or(1),
            _ => program.records.size(element).unwrap_or(0),
        };
        let unit = match i64::try_from(unit) {
            Ok(unit) if unit > 0 => unit,
            _ => return Err(Fault::Unsupported("an array of an unknown type")),
        };
        let rows: Vec<u64> = dims[1..]
            .iter()
            .map(|d| d.unwrap_or(1).max(0) as u64)
            .collect();
        let row = product(&rows)?.max(1).saturating_mul(unit);
        let number = self.made.len();
        let extent = |dims: &[Option<i64>]| -> Option<i64> {
            let mut all = 1i64;
            for dim in dims {
                all = all.checked_mul((*dim)?.max(0))?;
            }
            all.checked_mul(unit)
        };
        let mut known = match dims.first() {
            Some(Some(_)) => extent(dims).map(|bytes| (0, bytes)),
            _ => None,
        };
        // What is declared of one of two names in the same memory is all there is for both.
        if let Some((other, by)) = &alias {
            let shift = by * unit;
            let more = extent(other).map(|more| (shift, shift + more));
            known = match (known, more) {
                (Some((_, end)), Some((first, more))) => Some((first.min(0), end.max(more))),
                (one, other) => one.or(other),
            };
        }
        if is_opaque {
            known = Some((0, unit));
        }
        let declared = dims.first().is_some_and(Option::is_some) && alias.is_none();
        if declared && known.is_none() {
            return Err(Fault::Memory);
        }
        let elastic = known.is_none();
        let (low, high) = match (known, self.reach) {
            (Some(known), _) => known,
            (None, Some(reach)) => reach.get(&place).copied().unwrap_or((0, 0)),
            (None, None) => {
                // As far as three loops over the sizes may lead.
                let sizes = self.input.sizes.iter().map(|s| (*s).clamp(0, 2000) + 2);
                let mut sizes: Vec<i64> = sizes.collect();
                sizes.sort_unstable_by(|a, b| b.cmp(a));
                let most = sizes.iter().take(3);
                let far = most.fold(2i64, |all, s| all.saturating_mul(*s).min(REACH)) + 300;
                // Fewer behind each pointer, as each of these may have pointers to more.
                let reach = match (depth, is_pointer(element)) {
                    (0, false) => far,
                    (1, false) => far.min(1000),
                    (_, false) => far.min(100),
                    (0, true) => 40,
                    (1, true) => 10,
                    (_, true) => 4,
                };
                let halved = self.halved.map_or(0, |halved| halved.times.get());
                let reach = (reach >> halved).max(LEAST_REACH.min(reach));
                (-(FRONT.min(reach / 4) * unit), row.max(unit * reach))
            }
        };
        // Also of those that the elements of others point to.
        self.bytes = self.bytes.saturating_add(high - low);
        if elastic && self.reach.is_none() {
            self.looked_for = self.looked_for.saturating_add(high - low);
        }
        if self.bytes > MOST {
            if let Some(halved) = self.halved {
                halved.too_much.set(self.looked_for > MOST / 2);
            }
            return Err(Fault::Memory);
        }
        // Whole elements.
        let low = low.div_euclid(unit) * unit;
        let high = -(-high).div_euclid(unit) * unit;
        let bytes = (high - low).max(0) as u64;
        let first = machine.memory.allocate(bytes, 0, true)?;
        let plain = match element {
            Type::Scalar(kind) => Some(*kind),
            Type::Void => Some(Kind::U8),
            _ => None,
        };
        if let Some(object) = machine.memory.object(first) {
            object.label = Label::Input(number as u32);
            if let (Some(kind), false) = (plain, self.blank) {
                let values = inputs::Values::new(self.input, kind, place, self.limit);
                values.fill(low / unit, &mut object.data);
            }
            object.tracked = elastic && self.reach.is_none();
        }
        self.made.push(Made {
            pointer: first,
            place,
            name: name.to_owned(),
            element: element.clone(),
            rows,
            origin: -low,
            elastic,
            bytes,
        });
        let others = if plain.is_some() || is_opaque {
            0
        } else {
            (high - low) / unit
        };
        for at in 0..others {
            let index = at + low / unit;
            let to = first + (at * unit) as u64;
            self.fill(
                machine,
                name,
                element,
                to,
                Place {
                    place,
                    index,
                    depth,
                },
            )?;
        }
        Ok(first.wrapping_add((-low) as u64))
    }

    /// Gives an element of an object its value.
    fn fill(
        &mut self,
        machine: &mut Machine,
        name: &str,
        ty: &Type,
        to: u64,
        at: Place,
    ) -> Result<(), Fault> {
        let Place {
            place,
            index,
            depth,
        } = at;
        match ty {
            Type::Scalar(kind) => {
                let value = inputs::value(self.input, *kind, place, index, self.limit);
                put(machine, to, *kind, value);
            }
            Type::Void => {
                let value = inputs::value(self.input, Kind::U8, place, index, self.limit);
                put(machine, to, Kind::U8, value);
            }
            Type::Record(record) => {
                let fields = machine.program.records.0[*record].fields.clone();
                let is_union = machine.program.records.0[*record].is_union;
                for (number, field) in fields.iter().enumerate() {
                    let place = inputs::mix(place, number as u64 + 1);
                    let at = to + field.offset;
                    let name = format!("{name}.{}", field.name);
                    self.fill(
                        machine,
                        &name,
                        &field.ty,
                        at,
                        Place {
                            place,
                            index,
                            depth,
                        },
                    )?;
                    if is_union {
                        break;
                    }
                }
            }
            Type::Array(inner, len) => {
                let size = machine.program.records.size(inner).unwrap_or(0);
                let Len::Fixed(count) = len else {
                    return Ok(());
                };
                for k in 0..*count {
                    let at = to + k * size;
                    let index = index.wrapping_mul(*count as i64).wrapping_add(k as i64);
                    self.fill(
                        machine,
                        name,
                        inner,
                        at,
                        Place {
                            place,
                            index,
                            depth,
                        },
                    )?;
                }
            }
            Type::Pointer(target) => {
                let value = if depth < DEEPEST {
                    let place = inputs::mix(place, index as u64);
                    let (mut dims, mut element) = (vec![None], target.as_ref());
                    while let Type::Array(inner, len) = element {
                        dims.push(match len {
                            Len::Fixed(n) => Some(*n as i64),
                            _ => return Err(Fault::Unsupported("a pointer in an array")),
                        });
                        element = inner;
                    }
                    let target = element.clone();
                    self.object(
                        machine,
                        Wanted {
                            name,
                            element: &target,
                            dims: &dims,
                            alias: None,
                            at: Place {
                                place,
                                index: 0,
                                depth: depth + 1,
                            },
                        },
                    )?
                } else {
                    0
                };
                put(machine, to, Kind::U64, value);
            }
            _ => return Err(Fault::Unsupported("the type of a member")),
        }
        Ok(())
    }
}

fn is_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Pointer(_) | Type::Record(_))
}

/// Writes without further ado.
fn put(machine: &mut Machine, to: u64, kind: Kind, value: u64) {
    let offset = machine.memory.offset_of(to) as usize;
    let size = kind.size() as usize;
    if let Some(object) = machine.memory.object(to) {
        if let Some(place) = object.data.get_mut(offset..offset + size) {
            place.copy_from_slice(&crate::wide::in_memory(kind, value)[..size]);
        }
    }
}

/// The dimensions of an array parameter.
fn declared(param: &Param, regs: &[u64]) -> Vec<Option<i64>> {
    let one = |reg: &Option<u16>| reg.and_then(|r| regs.get(r as usize)).map(|v| *v as i64);
    param.extents.iter().map(one).collect()
}

/// The same, of an array that there can be.
fn dims(param: &Param, regs: &[u64]) -> Result<Vec<Option<i64>>, Fault> {
    let dims = declared(param, regs);
    if dims[1..].iter().flatten().any(|d| *d < 0) {
        Err(Fault::Extent)
    } else {
        Ok(dims)
    }
}

fn product(values: &[u64]) -> Result<i64, Fault> {
    let product = values.iter().try_fold(1u64, |a, b| a.checked_mul(*b));
    let product = product.and_then(|p| i64::try_from(p).ok());
    product.filter(|p| *p <= MOST).ok_or(Fault::Memory)
}

/// Gives objects of static storage that have no initial value some.
pub(crate) fn fill_globals(machine: &mut Machine, input: &Input) {
    let program: &Program = machine.program;
    let setup = Setup::new(input, None);
    for (number, global) in program.globals.iter().enumerate() {
        let plain = global.known == Known::Named && global.pointers.is_empty();
        if !plain || global.bytes.iter().any(|b| *b != 0) {
            continue;
        }
        let Some(kind) = global.ty.element().kind() else {
            continue;
        };
        if global.ty.element().is_pointer() {
            continue;
        }
        let place = global
            .name
            .bytes()
            .fold(17, |h, b| inputs::mix(h, b.into()));
        let count = global.bytes.len() as u64 / kind.size();
        // A single integer may well be a size.
        let scalar = count == 1 && !kind.is_float();
        let size = kind.size() as usize;
        let mut values = Vec::with_capacity(count.min(PERIOD) as usize * size);
        for index in 0..count.min(PERIOD) {
            let value = if scalar {
                inputs::mix(input.seed, place) % 12
            } else {
                inputs::value(input, kind, place, index as i64, setup.limit)
            };
            values.extend_from_slice(&crate::wide::in_memory(kind, value)[..size]);
        }
        if let Some(object) = machine.memory.object(machine.globals[number]) {
            for part in object.data.chunks_mut(values.len().max(1)) {
                part.copy_from_slice(&values[..part.len()]);
            }
        }
    }
}
