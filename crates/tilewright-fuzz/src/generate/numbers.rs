//! The numbers that a function gets: sizes, steps and others.

use super::{Generator, LARGEST, Number, Scalar};
use crate::tree::Type;

impl Generator {
    /// Sizes and other numbers.
    pub(super) fn parameters(&mut self, kind: &str) {
        let count = match kind {
            "linear" | "pipeline" => self.random.range(1, 3),
            _ => self.random.range(1, 2),
        };
        for name in ["n", "m", "w"].into_iter().take(count as usize) {
            let ty = self.random.weighted(&[
                (60, Type::I32),
                (12, Type::I64),
                (14, Type::U64),
                (10, Type::U32),
                (2, Type::I16),
                (2, Type::U8),
            ]);
            self.visible.sizes.push(Number {
                name: name.to_owned(),
                ty,
                low: 0,
                high: LARGEST,
                global: false,
                step_of: None,
            });
        }
        for name in ["q", "lg", "big"] {
            if !self.random.percent(25) {
                continue;
            }
            let (ty, low, high) = match name {
                "q" => self.random.weighted(&[
                    (4, (Type::I32, -6, 9)),
                    (1, (Type::I8, -6, 9)),
                    (1, (Type::U32, 0, 9)),
                    (1, (Type::I64, -3, 20)),
                ]),
                "lg" => (Type::I64, -(1 << 40), 1 << 40),
                _ => (Type::U32, 0, u32::MAX.into()),
            };
            self.visible.numbers.push(Number {
                name: name.to_owned(),
                ty,
                low,
                high,
                global: false,
                step_of: None,
            });
        }
        self.choose_step();
        if self.rules.floats && self.random.percent(30) {
            let ty = *self.random.pick(&[Type::F32, Type::F64]);
            self.visible.numbers.push(Number {
                name: "alpha".to_owned(),
                ty,
                low: -2,
                high: 3,
                global: false,
                step_of: None,
            });
        }
    }

    /// Scalars that every function begins with.
    pub(super) fn parameters_in_scope(&self) -> Vec<Scalar> {
        let sizes = self
            .visible
            .sizes
            .iter()
            .enumerate()
            .map(|(k, size)| Scalar {
                name: size.name.clone(),
                ty: size.ty,
                low: size.low.into(),
                high: size.high.into(),
                below: Some((k, 0)),
                assigned: false,
                is_loop: false,
            });
        let numbers = self.visible.numbers.iter().map(|number| Scalar {
            name: number.name.clone(),
            ty: number.ty,
            low: number.low.into(),
            high: number.high.into(),
            below: None,
            assigned: false,
            is_loop: false,
        });
        sizes.chain(numbers).collect()
    }
}
