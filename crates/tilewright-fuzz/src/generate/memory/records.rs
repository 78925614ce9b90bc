//! How programs spell and pass things: types by several names, structures around arguments, sizes
//! in globals, constants with names and tables.

use crate::generate::{Extent, Form, Generator, Number, Typed};
use crate::tree::{Expr, Stmt, Type};

/// A structure through which the function gets arrays.
#[derive(Clone, Debug)]
pub(in crate::generate) struct Record {
    /// Its type.
    pub(in crate::generate) ty: String,
    /// How the function gets it.
    pub(in crate::generate) by: Passed,
    /// The names of its fields, with what they hold.
    pub(in crate::generate) fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::generate) enum Passed {
    Value,
    Pointer,
    Global,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::generate) enum Field {
    Array(usize),
    Size(usize),
}

/// A constant table.
#[derive(Clone, Copy, Debug)]
pub(in crate::generate) struct Table {
    name: &'static str,
    text: &'static str,
    ty: Type,
    length: i64,
    low: i64,
    high: i64,
}

const TABLES: [Table; 4] = [
    Table {
        name: "tab_taps",
        text: "static const int tab_taps[4] = {1, 4, 6, 4};",
        ty: Type::I32,
        length: 4,
        low: 1,
        high: 6,
    },
    Table {
        name: "tab_bits",
        text: "static const unsigned char tab_bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};",
        ty: Type::U8,
        length: 16,
        low: 0,
        high: 4,
    },
    Table {
        name: "tab_moves",
        text: "const short tab_moves[8] = {-1, 0, 1, 0, 0, -1, 0, 1};",
        ty: Type::I16,
        length: 8,
        low: -1,
        high: 1,
    },
    Table {
        name: "((const int[]){3, 1, 4, 1})",
        text: "",
        ty: Type::I32,
        length: 4,
        low: 1,
        high: 4,
    },
];

/// Structures of two values of each of [`Type::ALL`].
const PAIRS: [&str; 11] = [
    "struct pair_i8",
    "struct pair_u8",
    "struct pair_i16",
    "struct pair_u16",
    "struct pair_i32",
    "struct pair_u32",
    "struct pair_i64",
    "struct pair_u64",
    "struct pair_f32",
    "struct pair_f64",
    "struct pair_f80",
];

/// Structures of three.
const TRIPLES: [&str; 11] = [
    "struct rgb_i8",
    "struct rgb_u8",
    "struct rgb_i16",
    "struct rgb_u16",
    "struct rgb_i32",
    "struct rgb_u32",
    "struct rgb_i64",
    "struct rgb_u64",
    "struct rgb_f32",
    "struct rgb_f64",
    "struct rgb_f80",
];

/// Structures that hold arrays of [`CELL`] values.
const CELLS: [&str; 11] = [
    "struct cell_i8",
    "struct cell_u8",
    "struct cell_i16",
    "struct cell_u16",
    "struct cell_i32",
    "struct cell_u32",
    "struct cell_i64",
    "struct cell_u64",
    "struct cell_f32",
    "struct cell_f64",
    "struct cell_f80",
];
pub(in crate::generate) const CELL: i64 = 5;

const NAMED: [(&str, &str, i64); 5] = [
    ("LEVELS", "#define LEVELS 8", 8),
    ("E_FIRST", "enum { E_FIRST, E_SECOND = 5, E_LAST };", 0),
    ("E_LAST", "enum { E_FIRST, E_SECOND = 5, E_LAST };", 6),
    ("OFFSET", "#define OFFSET (-3)", -3),
    ("BIAS", "static const int BIAS = 17;", 17),
];

impl Generator {
    /// One of the names that C has for a type.
    pub(in crate::generate) fn spelling(&mut self, ty: Type) -> &'static str {
        let others: &[&'static str] = match ty {
            Type::I8 => &["char", "int8_t"],
            Type::U8 => &["uint8_t", "pixel"],
            Type::I16 => &["int16_t"],
            Type::U16 => &["uint16_t"],
            Type::I32 => &["int32_t"],
            Type::U32 => &["uint32_t", "unsigned int"],
            Type::I64 => &["long long", "int64_t", "ptrdiff_t"],
            Type::U64 => &["unsigned long", "uint64_t", "unsigned long long"],
            Type::F32 => &["real"],
            Type::F64 => &["double"],
            Type::F80 => &["long double"],
        };
        if self.random.percent(25) {
            self.random.pick::<&'static str>(others)
        } else {
            ty.c()
        }
    }

    /// The name of a structure with these fields, all of one type.
    pub(in crate::generate) fn record_type(
        &mut self,
        ty: Type,
        fields: &[&'static str],
    ) -> &'static str {
        let names: Vec<(Type, &'static str)> = match fields.len() {
            2 => Type::ALL.into_iter().zip(PAIRS).collect(),
            _ => Type::ALL.into_iter().zip(TRIPLES).collect(),
        };
        let name = names
            .iter()
            .find(|(of, _)| *of == ty)
            .map_or("struct pair_i32", |n| n.1);
        self.item(format!("{name} {{ {} {}; }};", ty.c(), fields.join(", ")));
        name
    }

    /// The name of a structure with an array of one type.
    pub(in crate::generate) fn cell_type(&mut self, ty: Type) -> &'static str {
        let mut names = Type::ALL.into_iter().zip(CELLS);
        let name = names.find(|(of, _)| *of == ty);
        let name = name.map_or("struct cell_i32", |n| n.1);
        self.item(format!("{name} {{ {} f[{CELL}]; }};", ty.c()));
        name
    }

    /// Text at file level, once.
    fn item(&mut self, text: String) {
        if !text.is_empty() && !self.outside.top.contains(&text) {
            self.outside.top.push(text);
        }
    }

    /// Constants with names, and tables, that the program may use.
    pub(in crate::generate) fn choose_constants(&mut self) {
        for (name, text, value) in NAMED {
            if self.random.percent(8) {
                self.item(text.to_owned());
                self.outside.named.push((name, value));
            }
        }
        for table in TABLES {
            if self
                .random
                .percent(if table.text.is_empty() { 1 } else { 7 })
            {
                self.item(table.text.to_owned());
                self.outside.tables.push(table);
            }
        }
    }

    /// A constant by its name.
    pub(in crate::generate) fn named_constant(&mut self) -> Option<Typed> {
        if self.outside.named.is_empty() {
            return None;
        }
        let (name, value) = *self.random.pick(&self.outside.named);
        Some(Typed {
            expr: Expr::atom(name),
            ..Typed::literal(value)
        })
    }

    /// An element of a table.
    pub(in crate::generate) fn table_element(&mut self) -> Option<Typed> {
        if self.outside.tables.is_empty() {
            return None;
        }
        let table = *self.random.pick(&self.outside.tables);
        let at = self.integer(0);
        let at = if at.low >= 0 && at.high < table.length.into() {
            at
        } else {
            self.masked(at, table.length - 1)
        };
        Some(Typed {
            expr: Expr::Index(table.name.to_owned(), vec![at.expr]),
            ty: table.ty,
            low: table.low.into(),
            high: table.high.into(),
            below: None,
        })
    }

    /// Sizes that are globals, or in a structure.
    pub(in crate::generate) fn choose_record(&mut self) {
        if self.random.percent(8) {
            let k = self.random.below(self.visible.sizes.len());
            let name = format!("g_{}{}", self.visible.sizes[k].name, self.tag);
            let keyword = if self.random.percent(60) {
                "static "
            } else {
                ""
            };
            let ty = self.visible.sizes[k].ty.c();
            self.item(format!("{keyword}{ty} {name};"));
            self.visible.sizes[k].name = name;
            self.visible.sizes[k].global = true;
        }
        if !self.random.percent(10) {
            return;
        }
        let by = self.random.weighted(&[
            (4, Passed::Value),
            (5, Passed::Pointer),
            (2, Passed::Global),
        ]);
        let mut fields = Vec::new();
        let k = self.random.below(self.visible.sizes.len());
        if !self.visible.sizes[k].global && self.random.percent(60) {
            fields.push(Field::Size(k));
            let name = self.visible.sizes[k].name.clone();
            self.visible.sizes[k].name = format!("{}{name}", self.through(by));
            self.visible.sizes[k].global = true;
        }
        self.visible.record = Some(Record {
            ty: format!("struct layer{}", self.tag),
            by,
            fields,
        });
    }

    /// What stands in front of a field's name.
    fn through(&self, by: Passed) -> String {
        match by {
            Passed::Value => "lay.".to_owned(),
            Passed::Pointer => "lay->".to_owned(),
            Passed::Global => format!("g_l{}.", self.tag),
        }
    }

    /// Moves some of the arrays into the structure, and says what it is.
    pub(in crate::generate) fn fill_record(&mut self) {
        let Some(mut record) = self.visible.record.take() else {
            return;
        };
        let through = self.through(record.by);
        let mut text = format!("{} {{", record.ty);
        for field in &record.fields {
            if let Field::Size(k) = field {
                let number: &Number = &self.visible.sizes[*k];
                let name = number.name.trim_start_matches(&through);
                text.push_str(&format!(" {} {name};", number.ty.c()));
            }
        }
        for k in 0..self.visible.arrays.len() {
            let array = &mut self.visible.arrays[k];
            let rows = matches!(array.form, Form::Rows(_));
            let cells = matches!(array.form, Form::Wide { cells: true, .. });
            let flat = matches!(array.form, Form::Flat(..));
            let plain = array.extents.len() == 1 || flat || rows || cells;
            let free = !array.name.starts_with("g_") && !matches!(array.form, Form::Record(_));
            let macros = matches!(array.form, Form::Flat(_, Some(_)));
            // What picks cells may not be written through another name.
            let data = array.below.is_some();
            if plain && free && !macros && !data && self.random.percent(60) {
                let readonly = if array.written { "" } else { "const " };
                // An array in the structure would be no pointer.
                let stars = match array.form {
                    Form::Rows("*") => "**",
                    Form::Rows(stars) => stars,
                    _ => "*",
                };
                text.push_str(&format!(
                    " {readonly}{} {stars}{};",
                    array.spelt, array.name
                ));
                array.name = format!("{through}{}", array.name);
                record.fields.push(Field::Array(k));
            }
        }
        if record.fields.is_empty() {
            return;
        }
        self.item(format!("{text} }};"));
        if record.by == Passed::Global {
            self.item(format!("static {} g_l{};", record.ty, self.tag));
        }
        self.visible.record = Some(record);
    }

    /// What `entry` does about globals and the structure in front of calls.
    pub(in crate::generate) fn prepare_record(&self, entry: &mut Vec<Stmt>) {
        for (k, size) in self.visible.sizes.iter().enumerate() {
            if size.global && size.name.starts_with("g_") && !size.name.contains('.') {
                entry.push(Stmt::Raw(format!("{} = s[{k}];", size.name)));
            }
        }
        let Some(record) = &self.visible.record else {
            return;
        };
        let own = match record.by {
            Passed::Global => format!("g_l{}", self.tag),
            _ => {
                entry.push(Stmt::Raw(format!("{} lay;", record.ty)));
                "lay".to_owned()
            }
        };
        let through = self.through(record.by);
        for field in &record.fields {
            let (name, value) = match field {
                Field::Array(k) => (&self.visible.arrays[*k].name, self.memory_of(*k)),
                Field::Size(k) => (&self.visible.sizes[*k].name, format!("s[{k}]")),
            };
            let name = name.trim_start_matches(&through);
            entry.push(Stmt::Raw(format!("{own}.{name} = {value};")));
        }
    }

    /// The structure as parameter and argument.
    pub(in crate::generate) fn record_parameter(&self) -> Option<(String, String)> {
        let record = self.visible.record.as_ref()?;
        match record.by {
            Passed::Value => Some((format!("{} lay", record.ty), "lay".to_owned())),
            Passed::Pointer => Some((format!("const {} *lay", record.ty), "&lay".to_owned())),
            Passed::Global => None,
        }
    }

    /// Where an array's elements, or the pointers to its rows, are.
    fn memory_of(&self, k: usize) -> String {
        match self.visible.arrays[k].form {
            Form::Rows(_) => format!("rows{k}"),
            _ => format!("p[{k}]"),
        }
    }

    /// What an array's argument is: its memory, or in some calls the memory of another one.
    pub(in crate::generate) fn argument(&mut self, k: usize) -> String {
        let own = self.memory_of(k);
        if self.rules.restrict
            || self.visible.arrays[k].name.starts_with("idx")
            || !self.random.percent(35)
        {
            return own;
        }
        let array = &self.visible.arrays[k];
        if array.below.is_some() || array.is_laid_out() {
            return own;
        }
        let mut of = Vec::new();
        for (j, other) in self.visible.arrays.iter().enumerate() {
            let other_type = other.spelt != array.spelt;
            if j == k || other_type || other.below.is_some() || other.is_laid_out() {
                continue;
            }
            if other.extents == array.extents {
                of.push((j, 0));
            }
            let (a, b) = (array.extents[0], other.extents[0]);
            if let ([Extent::Size(s, own)], [Extent::Size(t, more)]) =
                (&array.extents[..], &other.extents[..])
                && s == t
                && own < more
            {
                of.extend([(j, 0), (j, more - own)]);
            }
            // All but the first elements, where there are as many that are constant.
            if let (Extent::Size(_, 0), Extent::Constant(_)) = (a, b)
                && array.extents.len() == 1
                && other.extents.len() == 1
            {
                of.extend([(j, 0), (j, 3)]);
            }
        }
        if of.is_empty() {
            return own;
        }
        let (j, by) = *self.random.pick(&of);
        let ty = self.visible.arrays[j].spelt;
        let other = match by {
            0 => format!("p[{j}]"),
            by => format!("(void *)(({ty} *)p[{j}] + {by})"),
        };
        let size = self.random.below(self.visible.sizes.len());
        format!("s[{size}] % 3 == 1 ? {other} : {own}")
    }
}
