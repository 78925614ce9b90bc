//! Which inputs are tried: sizes, what arrays hold, what points to the same memory.

use crate::program::{Function, Program};
use crate::types::{Kind, Type};
use std::collections::BTreeSet;

/// What integers in arrays are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// From 0 to below the smallest size.
    Small,
    /// From minus the smallest size to it: pointers may point into the middle of an array. Among
    /// others alone.
    Around,
    /// Any value of the type.
    Wide,
    /// Never smaller than the one before, with steps of 0 and 2.
    Sorted,
    Zero,
    One,
    /// The ends of the type and what is next to them; infinities, NaN and the like.
    Extreme,
    /// Each array in one of these ways.
    Mixed,
    /// As the function `NAME_init` of the file has it.
    Init,
}

impl Data {
    pub fn name(self) -> &'static str {
        match self {
            Data::Small => "small values",
            Data::Around => "small values around zero",
            Data::Wide => "any values",
            Data::Sorted => "ascending values",
            Data::Zero => "zeros",
            Data::One => "ones",
            Data::Extreme => "extreme values",
            Data::Mixed => "values of several kinds",
            Data::Init => "values of the file's own function",
        }
    }
}

/// An input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Input {
    /// Values of the integer parameters that may be sizes, in their order.
    pub sizes: Vec<i64>,
    pub data: Data,
    pub seed: u64,
    /// Two pointer parameters into the same memory, the second so many elements behind the first.
    pub alias: Option<(usize, usize, i64)>,
}

impl Input {
    /// Whether a size is so far out that loops up to it do not end in time.
    pub fn is_extreme(&self) -> bool {
        self.sizes.iter().any(|s| !(-100..=5000).contains(s))
    }

    /// Whether every number in it is so small that arrays with some of them for extents fit in
    /// memory.
    pub fn is_small(&self) -> bool {
        let small = matches!(
            self.data,
            Data::Small | Data::Around | Data::Zero | Data::One
        );
        small && self.has_small_sizes()
    }

    fn has_small_sizes(&self) -> bool {
        self.sizes.iter().all(|s| (-100..=100).contains(s))
    }

    /// The same sizes with small values, if they are small themselves.
    pub fn made_small(&self) -> Option<Input> {
        self.has_small_sizes().then(|| Input {
            data: Data::Small,
            ..self.clone()
        })
    }
}

pub(crate) fn mix(seed: u64, value: u64) -> u64 {
    let mut x = seed
        ^ value
            .wrapping_add(0x9e37_79b9_7f4a_7c15)
            .wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 32;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^= x >> 29;
    x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 32)
}

/// Integer parameters that may be sizes: those of `int` or wider.
pub(crate) fn size_params(function: &Function) -> Vec<usize> {
    let params = function.params.iter().enumerate();
    let sizes = params.filter(|(_, p)| match &p.ty {
        Type::Scalar(kind) => !kind.is_float() && kind.size() >= 4,
        _ => false,
    });
    sizes.map(|(index, _)| index).collect()
}

/// The value of an element.
pub(crate) fn value(input: &Input, kind: Kind, place: u64, index: i64, limit: i64) -> u64 {
    Values::new(input, kind, place, limit).at(index)
}

/// The values of the elements of an object.
pub(crate) struct Values {
    kind: Kind,
    data: Data,
    seed: u64,
    limit: u64,
}

impl Values {
    pub fn new(input: &Input, kind: Kind, place: u64, limit: i64) -> Values {
        let seed = mix(input.seed, place);
        let data = match input.data {
            Data::Mixed | Data::Init => match seed % 7 {
                0 | 1 => Data::Small,
                2 | 3 => Data::Wide,
                4 => Data::Sorted,
                5 => Data::Around,
                _ => Data::One,
            },
            other => other,
        };
        Values {
            kind,
            data,
            seed,
            limit: limit.max(1) as u64,
        }
    }

    /// The value of an element.
    #[inline]
    pub fn at(&self, index: i64) -> u64 {
        let random = mix(self.seed, index as u64);
        if self.kind.is_float() {
            float(self.kind, self.data, random)
        } else {
            self.integer(index, random)
        }
    }

    fn integer(&self, index: i64, random: u64) -> u64 {
        let (kind, limit) = (self.kind, self.limit);
        let narrow = kind.size() == 1 && kind != Kind::Bool;
        let value = match self.data {
            // Bytes are rarely subscripts.
            Data::Small if narrow && self.seed % 2 == 0 => random,
            Data::Small => (random >> 8) % limit,
            Data::Around if kind.is_signed() => {
                ((random >> 8) % (2 * limit + 1)).wrapping_sub(limit)
            }
            Data::Around => (random >> 8) % (limit + 1),
            Data::Sorted => (index / 2 * 2).max(0) as u64,
            Data::Zero => 0,
            Data::One => 1,
            Data::Extreme => {
                let top = 1u64 << (kind.bits() - 1);
                let ends = [
                    0,
                    1,
                    u64::MAX,
                    top,
                    top.wrapping_sub(1),
                    top.wrapping_add(1),
                    2,
                    255,
                ];
                ends[(random % 8) as usize]
            }
            _ => match random % 8 {
                0 => (random >> 8) % limit,
                1 => (random >> 8) % 4,
                _ => random >> 3,
            },
        };
        crate::arith::wrap(kind, value)
    }

    /// Gives elements from the one with this index on their values, as bytes.
    pub fn fill(&self, first: i64, bytes: &mut [u8]) {
        let size = self.kind.size() as usize;
        for (at, place) in bytes.chunks_exact_mut(size).enumerate() {
            let value = crate::wide::in_memory(self.kind, self.at(first + at as i64));
            match place {
                [a] => *a = value[0],
                _ if size == 8 => place.copy_from_slice(&value[..8]),
                _ if size == 4 => place.copy_from_slice(&value[..4]),
                _ => place.copy_from_slice(&value[..size]),
            }
        }
    }
}

#[inline]
fn float(kind: Kind, data: Data, random: u64) -> u64 {
    // All bits of the mantissa matter, so that another order of operations shows.
    let fraction = (random >> 11) as f64 / (1u64 << 53) as f64;
    let mut value = match data {
        // As the brightness of a picture.
        Data::Sorted | Data::One | Data::Zero => fraction,
        _ => (fraction * 4.0 - 1.5) * f64::from(1 << (random % 3)),
    };
    if data == Data::Extreme {
        value = match random % 16 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => -0.0,
            4 => 0.0,
            5 => 1e-310,
            6 => 1e30,
            _ => value,
        };
    }
    match kind {
        Kind::F32 => crate::arith::bits32(value as f32),
        Kind::F64 => value.to_bits(),
        _ if kind.is_complex() => {
            let other = ((mix(random, 1) >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 0.7;
            crate::wide::whole(kind, value, other)
        }
        _ => crate::arith::convert(Kind::F64, kind, value.to_bits()).unwrap_or(0),
    }
}

/// Extents that are made possible, one after the other, and how far a parameter is moved to see what
/// it does to them: far enough for quotients.
const REPAIRS: usize = 6;
const FAR: i64 = 64;
/// Sizes that are tried where smaller ones are not defined.
const LADDER: [i64; 10] = [16, 24, 33, 48, 66, 100, 132, 200, 258, 400];

/// Produces one input after the other; those that reached something new are varied.
pub(crate) struct Inputs {
    params: SizeParams,
    planned: Vec<Vec<i64>>,
    at: usize,
    good: Vec<Vec<i64>>,
    rungs: usize,
    varied: usize,
    tried: BTreeSet<(Vec<i64>, u64)>,
    turn: u64,
    seed: u64,
    /// Ways to fill arrays, and how often the original was defined on them.
    ways: Vec<(Data, u32, u32)>,
    aliases: Vec<(usize, usize)>,
    big: Vec<i64>,
}

/// The parameters that are sizes.
struct SizeParams {
    count: usize,
    signed: Vec<bool>,
    kinds: Vec<Kind>,
}

impl Inputs {
    pub fn new(program: &Program, function: &Function, seed: u64, has_init: bool) -> Inputs {
        let params = size_params(function);
        let signed = params.iter().map(|p| match function.params[*p].ty {
            Type::Scalar(kind) => kind.is_signed(),
            _ => true,
        });
        let kinds = params.iter().map(|p| function.params[*p].ty.kind());
        let kinds = kinds.map(|kind| kind.unwrap_or(Kind::I32));
        let numbers: BTreeSet<i64> = program.numbers.iter().copied().collect();
        let big: Vec<i64> = numbers
            .into_iter()
            .filter(|n| (4..=600).contains(n))
            .collect();
        let mut ways = vec![(Data::Mixed, 0, 0), (Data::Small, 0, 0), (Data::Wide, 0, 0)];
        ways.extend([Data::Sorted, Data::Zero, Data::Extreme, Data::One].map(|way| (way, 0, 0)));
        if has_init {
            ways.insert(0, (Data::Init, 0, 0));
        }
        let mut inputs = Inputs {
            params: SizeParams {
                count: params.len(),
                signed: signed.collect(),
                kinds: kinds.collect(),
            },
            planned: Vec::new(),
            at: 0,
            good: Vec::new(),
            rungs: 0,
            varied: 0,
            tried: BTreeSet::new(),
            turn: 0,
            seed,
            ways,
            aliases: aliases(function),
            big,
        };
        inputs.plan();
        inputs
    }

    /// Pointers never point at the same memory.
    pub fn keep_apart(&mut self) {
        self.aliases.clear();
    }

    fn plan(&mut self) {
        let n = self.params.count;
        if n == 0 {
            self.planned.push(Vec::new());
            return;
        }
        let mut planned: Vec<Vec<i64>> = Vec::new();
        for v in [3, 5, 1, 2, 8] {
            planned.push(vec![v; n]);
        }
        let mut random = self.seed;
        let mut next = |below: u64| {
            random = mix(random, 77);
            (random % below) as i64
        };
        for bound in [6, 9, 12, 12, 20] {
            planned.push((0..n).map(|_| 1 + next(bound)).collect());
        }
        planned.push(vec![0; n]);
        for p in 0..n {
            let mut one = vec![4; n];
            one[p] = 0;
            planned.push(one.clone());
            one[p] = 17;
            planned.push(one.clone());
            one[p] = 70;
            planned.push(one);
        }
        if self.params.signed.iter().any(|s| *s) {
            planned.push(
                self.params
                    .signed
                    .iter()
                    .map(|s| if *s { -1 } else { 1 })
                    .collect(),
            );
        }
        // Numbers that are others after a conversion.
        for p in 0..n {
            for &value in ends(self.params.kinds[p]) {
                let mut one = vec![4; n];
                one[p] = value;
                planned.push(one);
            }
        }
        // What the text compares with: one below, as much, one beyond; and from there on all remainders
        // by four, as the smallest blocks are of four.
        for &big in &self.big {
            for by in [1, 0, -1, 2, 3] {
                for p in 0..n {
                    let mut one: Vec<i64> = (0..n).map(|_| 2 + next(5)).collect();
                    one[p] = big + by;
                    planned.push(one);
                }
            }
            if big <= 40 {
                planned.push(vec![big + 1; n]);
            }
        }
        for _ in 0..20 {
            planned.push((0..n).map(|_| next(40)).collect());
        }
        self.planned = planned;
    }

    /// The next input.
    pub fn next(&mut self) -> Input {
        self.turn += 1;
        let sizes = self.sizes();
        let data = self.way();
        // After the first few, what may point to the same memory does at times.
        let alias = if self.aliases.is_empty() || self.turn % 4 != 0 {
            None
        } else {
            let turn = (self.turn / 4) as usize;
            let (a, b) = self.aliases[turn % self.aliases.len()];
            let by = [0, 1, -1, sizes.first().copied().unwrap_or(2), 3];
            Some((a, b, by[(turn / self.aliases.len()) % by.len()]))
        };
        Input {
            sizes,
            data,
            seed: mix(self.seed, self.turn),
            alias,
        }
    }

    /// An input of these sizes.
    pub fn of(&mut self, sizes: Vec<i64>) -> Input {
        self.turn += 1;
        Input {
            sizes,
            data: self.way(),
            seed: mix(self.seed, self.turn),
            alias: None,
        }
    }

    fn sizes(&mut self) -> Vec<i64> {
        if self.params.count == 0 {
            return Vec::new();
        }
        // Where nothing small is defined, larger ones are.
        if self.good.is_empty() && self.turn > 10 && self.turn % 2 == 0 {
            let rung = LADDER[self.rungs % LADDER.len()];
            self.rungs += 1;
            return (0..self.params.count)
                .map(|p| rung + (p as i64 * 5 + self.turn as i64) % 8)
                .collect();
        }
        // Planned ones and variations take turns once the first are done.
        let planned = self.at < self.planned.len() && (self.at < 12 || self.turn % 2 == 0);
        if planned || self.good.is_empty() {
            let at = self.at % self.planned.len();
            self.at += 1;
            return self.planned[at].clone();
        }
        self.varied += 1;
        let random = mix(self.seed ^ 0x5151, self.varied as u64);
        // The latest are likely to lead to more.
        let from = (random >> 4) as usize % self.good.len().min(6);
        let mut sizes = self.good[self.good.len() - 1 - from].clone();
        let p = (random >> 16) as usize % self.params.count;
        let value = sizes[p];
        sizes[p] = match (random >> 32) % 8 {
            0 => value + 1,
            1 => value - 1,
            2 => value * 2,
            3 => value / 2,
            4 => value + 7,
            5 if !self.big.is_empty() => {
                self.big[(random >> 40) as usize % self.big.len()] + ((random >> 50) % 4) as i64 - 1
            }
            6 => sizes[(random >> 44) as usize % self.params.count] + 1,
            _ => ((random >> 40) % 24) as i64,
        };
        sizes[p] = sizes[p].clamp(if self.params.signed[p] { -2 } else { 0 }, 2000);
        sizes
    }

    /// Ways on which the original is undefined too often come up rarely.
    fn way(&mut self) -> Data {
        // What the file itself would have first, then one after the other in no fixed order.
        let random = mix(self.seed ^ 0x77, self.turn) >> 20;
        let turn = if self.turn < 4 { 0 } else { random as usize };
        for step in 0..self.ways.len() {
            let (way, good, bad) = self.ways[(turn + step) % self.ways.len()];
            let hopeless = bad > 3 && good * 4 < bad;
            if !hopeless || self.turn % 16 == 0 {
                return way;
            }
        }
        self.ways[turn % self.ways.len()].0
    }

    /// What became of an input: whether the original was defined, whether something new was reached.
    pub fn learn(&mut self, input: &Input, defined: bool, new: bool) {
        if let Some(way) = self.ways.iter_mut().find(|w| w.0 == input.data) {
            if defined { way.1 += 1 } else { way.2 += 1 }
        }
        let moderate = input.sizes.iter().all(|s| (-2..=2000).contains(s));
        if new && moderate && !self.good.contains(&input.sizes) {
            self.good.push(input.sizes.clone());
        }
        self.tried.insert((input.sizes.clone(), input.data as u64));
    }

    /// The same input for sizes for which there can be arrays. `extents` evaluates those that are
    /// declared; which parameter makes one larger is seen by trying.
    pub fn repaired(&self, input: Input, extents: &dyn Fn(&Input) -> Option<Vec<i64>>) -> Input {
        let mut repaired = input.clone();
        for _ in 0..REPAIRS {
            let Some(found) = extents(&repaired) else {
                return input;
            };
            // None of zero elements either, unless that is asked for.
            let least = i64::from(input.sizes.iter().all(|s| *s != 0));
            let Some(at) = found.iter().position(|extent| *extent < least) else {
                return repaired;
            };
            let steepest = (0..self.params.count).filter_map(|p| {
                let mut other = repaired.clone();
                other.sizes[p] += FAR;
                let more = extents(&other)?.get(at)? - found[at];
                (more > 0).then_some((more, p))
            });
            let Some((more, p)) = steepest.max() else {
                return input;
            };
            // As much as was meant to be the size.
            let wanted = input.sizes[p].max(1) - found[at];
            let by = wanted.checked_mul(FAR).map(|by| (by + more - 1) / more);
            let by = by.unwrap_or(0).max(1);
            repaired.sizes[p] = repaired.sizes[p].saturating_add(by);
        }
        input
    }

    /// Whether all planned sizes were tried.
    pub fn is_through(&self) -> bool {
        self.at >= self.planned.len().min(50) && self.turn > 24
    }
}

/// Values of a type that are far from any size.
fn ends(kind: Kind) -> &'static [i64] {
    match kind {
        Kind::U32 => &[0xffff_fffa, 0x8000_0001],
        Kind::I64 => &[(1 << 32) + 2, (1 << 32) - 6, -5, -(1 << 32) + 3],
        Kind::U64 => &[-6, (1 << 32) + 2, (1 << 32) - 6],
        _ => &[-5, 65539],
    }
}

/// Pairs of pointer parameters that C allows to point into the same memory.
fn aliases(function: &Function) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (a, one) in function.params.iter().enumerate() {
        for (b, other) in function.params.iter().enumerate() {
            let pointers = one.ty.is_pointer() && other.ty.is_pointer();
            let same = one.element == other.element && one.element.kind().is_some();
            if a != b && pointers && same && !one.restrict && !other.restrict {
                found.push((a, b));
            }
        }
    }
    found
}
