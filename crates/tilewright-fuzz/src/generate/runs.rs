//! How a program is called: its memory, and numbers from nothing to several tiles.

use super::{Array, Extent, Form, Generator, LARGEST};
use crate::generate::memory::rows::ROOM;
use crate::tree::{Fill, Memory, Run, Type};

/// Calls of a program, at most: fewer where there are not as many sizes.
const RUNS: usize = 240;

impl Generator {
    /// Memory that `entry` gets: arrays in order, then what scalars held at the end.
    pub(super) fn memory(&self) -> Vec<Memory> {
        let mut memory: Vec<Memory> = self
            .visible
            .arrays
            .iter()
            .map(|array| Memory {
                ty: array.ty,
                fill: array.fill(),
            })
            .collect();
        let fill = Fill {
            low: 0,
            high: 0,
            sorted: false,
        };
        memory.push(Memory {
            ty: Type::F64,
            fill,
        });
        memory
    }

    /// Different calls, with sizes from nothing to several tiles.
    pub(super) fn runs(&mut self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for number in 0..RUNS {
            let numbers = self.numbers_of_run(number);
            if runs.iter().all(|run| run.numbers != numbers) {
                let run = self.run(numbers);
                runs.push(run);
            }
        }
        runs
    }

    fn numbers_of_run(&mut self, number: usize) -> Vec<i64> {
        let no_extents = |size: usize, arrays: &[Array]| {
            arrays.iter().all(|array| {
                // A declared extent has to be positive.
                let mut inner = array.extents.iter().skip(1).chain(array.apart());
                inner.all(|e| !matches!(e, Extent::Size(s, _) if *s == size))
            })
        };
        let mut numbers = Vec::new();
        for size in 0..self.visible.sizes.len() {
            let one = self.rules.at_least_one.contains(&size);
            let free = no_extents(size, &self.visible.arrays) && !self.rules.at_least_zero && !one;
            let signed = self.visible.sizes[size].ty.is_signed();
            let value = match number {
                0 => 0,
                1 => 1,
                2 if free && signed => self.random.range(-3, 2),
                2 => 2,
                3 => self.random.range(3, 7),
                4 => *self.random.pick(&[0, 1, 2, 9, LARGEST]),
                5..=7 => *self.random.pick(&[3, 4, 5, 7, 8, 9, 12, 15, 16, 17]),
                _ if number % 8 == 0 => self.random.range(0, LARGEST),
                _ => self.random.range(2, LARGEST),
            };
            let least = if free {
                -3
            } else {
                i64::from(one || !no_extents(size, &self.visible.arrays))
            };
            numbers.push(value.max(least));
        }
        for number in &self.visible.numbers {
            let some = [
                number.low,
                number.high,
                0,
                1,
                2,
                3,
                5,
                (1 << 32) + 7,
                (1 << 31) + 1,
            ];
            let value = if self.random.percent(50) {
                *self.random.pick(&some)
            } else {
                self.random.range(number.low, number.high)
            };
            numbers.push(value.clamp(number.low, number.high));
        }
        numbers
    }

    fn run(&self, numbers: Vec<i64>) -> Run {
        let length = |extent: &Extent| match extent {
            Extent::Constant(length) => *length,
            Extent::Size(size, more) => numbers[*size] + more,
        };
        let elements = |array: &Array| {
            let mut extents: Vec<i64> = array.extents.iter().map(|e| length(e).max(0)).collect();
            if let Some(apart) = array.apart() {
                extents[1] = extents[1].max(length(apart));
            }
            let cells: i64 = extents.iter().product();
            cells as usize * array.fields()
        };
        let mut counts: Vec<usize> = self.visible.arrays.iter().map(elements).collect();
        let high = |array: &Array| match array.below {
            Some((size, more)) => numbers[size] + more,
            None => array.fill().high,
        };
        let mut highs: Vec<i64> = self.visible.arrays.iter().map(high).collect();
        counts.push(10);
        highs.push(0);
        Run {
            numbers,
            counts,
            highs,
        }
    }
}

impl Array {
    /// Values in memory for one of its elements.
    fn fields(&self) -> usize {
        match &self.form {
            Form::Record(fields) => fields.len(),
            Form::Rows(_) => ROOM,
            _ => 1,
        }
    }

    /// How far apart rows are in flat memory, where that is not their length.
    fn apart(&self) -> Option<&Extent> {
        match &self.form {
            Form::Wide { apart, .. } => Some(apart),
            _ => None,
        }
    }
}
