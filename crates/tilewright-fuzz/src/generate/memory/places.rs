//! Arrays and the function's parameters: what there is, and how it is declared.

use super::records::CELL;
use super::rows;
use crate::generate::{Array, Extent, Form, Generator, LARGEST};
use crate::tree::{Expr, Fill, Stmt, Type};

/// The interval in which what is stored in a place of this type is kept, so that sums do not
/// overflow. Narrow and unsigned types hold anything.
pub(in crate::generate) fn kept_within(ty: Type) -> (i128, i128) {
    match ty {
        Type::I32 => (-(1 << 28), 1 << 28),
        Type::I64 => (-(1 << 60), 1 << 60),
        _ if ty.is_float() => (0, 0),
        _ => ty.bounds(),
    }
}

impl Array {
    /// Whether functions get it as a pointer to its elements.
    pub(in crate::generate) fn is_pointer(&self) -> bool {
        let cells = matches!(self.form, Form::Cells | Form::Wide { cells: true, .. });
        cells || matches!(self.form, Form::Flat(..)) || self.extents.len() == 1
    }

    /// Whether its memory is more than its elements one after another.
    pub(in crate::generate) fn is_laid_out(&self) -> bool {
        let structures = matches!(self.form, Form::Record(_) | Form::Cells);
        structures || matches!(self.form, Form::Rows(_) | Form::Wide { .. })
    }

    pub(in crate::generate) fn fill(&self) -> Fill {
        let (low, high) = if self.ty.is_float() {
            (-4, 5)
        } else {
            let low = self.low.clamp(-1000, 1000) as i64;
            let high = self.high.clamp(-1000, 1000) as i64;
            (low, high)
        };
        Fill {
            low,
            high,
            sorted: self.sorted,
        }
    }
}

impl Generator {
    /// The arrays of a program of this kind.
    pub(in crate::generate) fn choose_arrays(&mut self, kind: &str) {
        let two = match kind {
            "pipeline" | "linear" => 85,
            "stencil" => 60,
            "sparse" | "scalars" => 15,
            _ => 35,
        };
        let uniform = self.random.percent(60);
        let two_everywhere = self.random.percent(two);
        let mut count = self.random.range(2, 5);
        if kind == "linear" {
            count = count.max(3);
        }
        for k in 0..count {
            let mut name = ["a", "b", "c", "d", "e"][k as usize].to_owned();
            let ty = self.value_type();
            let two = if uniform {
                two_everywhere
            } else {
                self.random.percent(two)
            };
            let three = two && self.random.percent(6);
            let dimensions = if three { 3 } else { 1 + usize::from(two) };
            let constant = self.random.percent(22);
            let mut extents = Vec::new();
            for dimension in 0..dimensions {
                extents.push(if constant || (three && dimension == 2) {
                    let most = if three { 8 } else { LARGEST + 8 };
                    Extent::Constant(if three && dimension == 2 {
                        self.random.range(2, 4)
                    } else {
                        most
                    })
                } else {
                    let size = if kind == "linear" || !uniform {
                        self.random.below(self.visible.sizes.len())
                    } else {
                        dimension % self.visible.sizes.len()
                    };
                    let more = self.random.weighted(&[(7, 0), (2, 1), (1, 2), (1, 4)]);
                    Extent::Size(size, more)
                });
            }
            if three && constant {
                extents[0] = Extent::Constant(LARGEST + 2);
                extents[1] = Extent::Constant(LARGEST + 2);
            }
            let flat = match (&extents[..], dimensions) {
                ([_, Extent::Size(size, 0)], 2) if self.random.percent(40) => {
                    Some(self.visible.sizes[*size].name.clone())
                }
                _ => None,
            };
            let form = match flat {
                Some(width) => {
                    let with_macro = self.random.percent(25);
                    Form::Flat(width, with_macro.then(|| self.at_macro()))
                }
                None if dimensions == 1 && self.random.percent(4) => Form::Star,
                None if dimensions == 1 && !constant && self.random.percent(8) => {
                    let of: &[&'static str] = if self.random.percent(50) {
                        &["x", "y"]
                    } else {
                        &["r", "g", "b"]
                    };
                    Form::Record(of.to_vec())
                }
                None if dimensions == 2 && !constant && self.random.percent(8) => {
                    extents[1] = Extent::Constant(CELL);
                    Form::Cells
                }
                None if dimensions == 2 && self.random.percent(9) => self.rows(),
                None if dimensions == 2 && !constant && self.random.percent(7) => {
                    self.wide(&mut extents)
                }
                None => Form::Brackets,
            };
            let written = k == 0 || self.random.percent(55);
            let global = constant && form == Form::Brackets && self.random.percent(30);
            if global {
                name = format!("g_{name}{}", self.tag);
            }
            // What overlaps may be written through another name.
            let shared = matches!(form, Form::Rows(_));
            let (low, high) = if written || shared || !self.rules.restrict {
                kept_within(ty)
            } else {
                let (low, high) = ty_range(ty);
                (low.max(-1000), high.min(1000))
            };
            let spelt = match &form {
                Form::Record(fields) => self.record_type(ty, fields),
                Form::Cells | Form::Wide { cells: true, .. } => self.cell_type(ty),
                _ => self.spelling(ty),
            };
            self.visible.arrays.push(Array {
                name,
                ty,
                spelt,
                extents,
                form,
                low,
                high,
                below: None,
                written,
                sorted: false,
            });
        }
        let indices = match kind {
            "sparse" => 2,
            "bytes" | "general" | "scalars" => i64::from(self.random.percent(35)),
            _ => i64::from(self.random.percent(10)),
        };
        for k in 0..indices {
            self.index_array(k as usize, kind == "sparse" && k == 0);
        }
    }

    /// An array whose elements are subscripts (or, sorted, where rows begin); never written.
    fn index_array(&mut self, k: usize, sorted: bool) {
        let size = self.random.below(self.visible.sizes.len());
        let over = self.random.below(self.visible.sizes.len());
        let ty = self.random.weighted(&[
            (6, Type::I32),
            (2, Type::U8),
            (1, Type::I64),
            (1, Type::U32),
            (1, Type::U64),
            (1, Type::I16),
        ]);
        // Rows may end where the elements end.
        let most = if sorted { 0 } else { -1 };
        self.visible.arrays.push(Array {
            name: ["row", "idx"][if sorted { 0 } else { 1.min(k + 1) }].to_owned(),
            ty,
            spelt: ty.c(),
            extents: vec![Extent::Size(size, if sorted { 1 } else { 0 })],
            form: Form::Brackets,
            low: 0,
            high: (LARGEST + most).into(),
            below: Some((over, most)),
            written: false,
            sorted,
        });
    }

    fn at_macro(&mut self) -> String {
        let name = "AT".to_owned();
        let text = "#define AT(a, w, i, j) a[(i) * (w) + (j)]".to_owned();
        if !self.outside.top.contains(&text) {
            self.outside.top.push(text);
        }
        name
    }

    /// Globals, and what `entry` does in front of and behind the calls.
    pub(in crate::generate) fn prepare_entry(
        &mut self,
        entry: &mut Vec<Stmt>,
        behind: &mut Vec<Stmt>,
    ) {
        for (k, array) in self.visible.arrays.iter().enumerate() {
            if !array.name.starts_with("g_") || array.name.contains('.') {
                continue;
            }
            let lengths: String = array
                .extents
                .iter()
                .map(|e| match e {
                    Extent::Constant(length) => format!("[{length}]"),
                    Extent::Size(..) => String::new(),
                })
                .collect();
            let keyword = if self.random.percent(50) {
                "static "
            } else {
                ""
            };
            self.outside
                .top
                .push(format!("{keyword}{} {}{lengths};", array.spelt, array.name));
            let name = &array.name;
            entry.push(Stmt::Raw(format!("memcpy({name}, p[{k}], sizeof {name});")));
            behind.push(Stmt::Raw(format!("memcpy(p[{k}], {name}, sizeof {name});")));
        }
    }

    /// A parameter; the word stands where `restrict` does.
    pub(in crate::generate) fn parameter(&self, array: &Array, word: &str) -> String {
        let readonly = if array.written { "" } else { "const " };
        let (ty, name) = (array.spelt, &array.name);
        let inner = || self.lengths(&array.extents[1..]);
        match &array.form {
            Form::Rows(stars) => rows::parameter(array, stars, word),
            Form::Wide { cells: false, .. } => {
                let innermost = self.length(&array.extents[2]);
                format!("{readonly}{ty} (*{word}{name})[{innermost}]")
            }
            _ if array.is_pointer() => format!("{readonly}{ty} *{word}{name}"),
            _ => {
                let first = self.length(&array.extents[0]);
                format!("{readonly}{ty} {name}[{word}{first}]{}", inner())
            }
        }
    }

    /// A function's head, and how `entry` calls it; in some calls without an array.
    pub(in crate::generate) fn signature(
        &mut self,
        name: &str,
        optional: Option<usize>,
    ) -> (String, Stmt) {
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        if let Some((parameter, argument)) = self.record_parameter() {
            parameters.push(parameter);
            arguments.push(argument);
        }
        if let Some((parameter, argument)) = self.sizes_parameter() {
            parameters.push(parameter);
            arguments.push(argument.to_owned());
        }
        for (k, number) in self
            .visible
            .sizes
            .iter()
            .chain(&self.visible.numbers)
            .enumerate()
        {
            if number.global {
                continue;
            }
            parameters.push(format!("{} {}", number.ty.c(), number.name));
            arguments.push(match number.step_of {
                // Where there are no turns, any step will do.
                Some(size) => format!("s[{size}] > 0 ? 1 + (s[{k}] & 3) : s[{k}]"),
                None => format!("s[{k}]"),
            });
        }
        let all_restrict = self.rules.restrict;
        for (k, array) in self.visible.arrays.clone().iter().enumerate() {
            if array.name.starts_with("g_")
                || array.name.starts_with("lay.")
                || array.name.starts_with("lay->")
            {
                continue;
            }
            let restrict = all_restrict || (array.below.is_some() && self.random.percent(80));
            let word = if restrict { "restrict " } else { "" };
            parameters.push(self.parameter(array, word));
            let mut argument = self.argument(k);
            if optional == Some(k) {
                let size = self.random.below(self.visible.sizes.len());
                argument = format!("s[{size}] % 4 == 1 ? 0 : {argument}");
            }
            arguments.push(argument);
        }
        parameters.push("double *restrict out".to_owned());
        arguments.push(format!("p[{}]", self.visible.arrays.len()));
        let head = format!("void {name}({})", parameters.join(", "));
        (
            head,
            Stmt::Raw(format!("{name}({});", arguments.join(", "))),
        )
    }

    /// An element, written as programs write it.
    pub(in crate::generate) fn element(
        &mut self,
        array: &Array,
        mut subscripts: Vec<Expr>,
    ) -> Expr {
        match &array.form {
            Form::At(subscript) => {
                Expr::Index(array.name.clone(), vec![Expr::atom(subscript.clone())])
            }
            Form::Here => Expr::Unary("*", Box::new(Expr::atom(array.name.clone()))),
            Form::Star => {
                let at = subscripts.pop().unwrap_or(Expr::atom("0"));
                let sum = Expr::binary("+", Expr::atom(array.name.clone()), at);
                Expr::Unary("*", Box::new(sum))
            }
            Form::Record(fields) => {
                let field = *self.random.pick(fields);
                Expr::Field(Box::new(Expr::Index(array.name.clone(), subscripts)), field)
            }
            Form::Cells => {
                let column = subscripts.pop().unwrap_or(Expr::atom("0"));
                let row = subscripts.pop().unwrap_or(Expr::atom("0"));
                Expr::Index(format!("{}[{row}].f", array.name), vec![column])
            }
            Form::Brackets | Form::Rows(_) => Expr::Index(array.name.clone(), subscripts),
            Form::Wide { apart, cells } => {
                let inside = subscripts.pop().unwrap_or(Expr::atom("0"));
                let column = subscripts.pop().unwrap_or(Expr::atom("0"));
                let row = subscripts.pop().unwrap_or(Expr::atom("0"));
                let start = Expr::binary("*", row, self.extent(apart));
                let at = Expr::binary("+", start, column);
                match cells {
                    true => Expr::Index(format!("{}[{at}].f", array.name), vec![inside]),
                    false => Expr::Index(array.name.clone(), vec![at, inside]),
                }
            }
            Form::Flat(width, with_macro) => {
                let column = subscripts.pop().unwrap_or(Expr::atom("0"));
                let row = subscripts.pop().unwrap_or(Expr::atom("0"));
                let width = Expr::atom(width.clone());
                match with_macro {
                    Some(name) => Expr::Call(
                        name.clone(),
                        vec![Expr::atom(array.name.clone()), width, row, column],
                    ),
                    None => {
                        let start = Expr::binary("*", row, width);
                        let at = Expr::binary("+", start, column);
                        Expr::Index(array.name.clone(), vec![at])
                    }
                }
            }
        }
    }
}

fn ty_range(ty: Type) -> (i128, i128) {
    if ty.is_float() { (0, 0) } else { ty.bounds() }
}
