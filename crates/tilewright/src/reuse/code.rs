//! Tiled loops as C: tile sizes are variables, each tile copies in what it loads, computes on
//! local arrays, and copies out what it stores.
//!
//! Inside a tile, loops come from isl's AST generation with the tile's origin as parameters. The
//! loops over origins, whose steps are tile sizes, are written around them, as Renganarayanan et
//! al. (PLDI 2007) do it: from the multiple of the size at or below the first point on, as long as
//! there are points. Tiles without points do nothing.

use super::accesses::Accesses;
use super::folding::Memory;
use super::lifetimes::counter;
use super::tiling::Tiling;
use super::transfers::Transfers;
use super::{Result, ReuseError};
use crate::analysis::region::Region;
use crate::codegen::c::outline;
use crate::scop::{Array, ArrayId, Layout, Origin, ScalarKind, Scop};
use isl::{AstBuild, DimType, Id, IdList, Map, PwAff, Set, UnionMap};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Prefix of all names in the generated text that are not the program's.
const PREFIX: &str = "tw_";

/// Loop depth up to which isl is given names.
const MAX_DEPTH: usize = 32;

/// The parts of a program that the text is made of.
pub struct Program<'a> {
    /// The program.
    pub region: &'a Region,
    /// How it is tiled.
    pub tiling: &'a Tiling,
    /// Its accesses.
    pub accesses: &'a Accesses,
    /// What tiles load and store.
    pub transfers: &'a Transfers,
    /// The local memory for the sequential schedule, under the tiling's context.
    pub memory: &'a Memory,
    /// Values that tile sizes have where the compiler is given no others, in their order.
    pub sizes: &'a [i64],
}

/// The text that replaces the region. `taken` are the identifiers of the file.
///
/// Each tile size is the macro `TILE_<name>`, which may be any expression, where it is defined in
/// front of the text or on the compiler's command line. Where the macros `TILEWRIGHT_STRIP()`,
/// `TILEWRIGHT_LOAD(outside, inside)` and `TILEWRIGHT_STORE(outside, inside)` are defined, they are
/// called at the begin of a strip and for every element moved, with its addresses.
///
/// # Errors
/// isl's own; [`ReuseError::Refused`] for what cannot be generated.
pub fn generate(program: &Program<'_>, taken: &BTreeSet<String>) -> Result<String> {
    let scop = &program.region.scop;
    let names = program.tiling.sizes.iter().cloned();
    let names: Vec<String> = names
        .chain((0..program.tiling.mapping.outer).map(counter))
        .collect();
    if let Some(name) = names.iter().find(|name| taken.contains(*name)) {
        return Err(ReuseError::Refused(format!(
            "the file uses the name `{name}`, which the generated text needs; choose other names \
             of tile sizes with --sizes"
        )));
    }
    if let Some(name) = taken.iter().find(|name| name.starts_with(PREFIX)) {
        return Err(ReuseError::Refused(format!(
            "the file uses the name `{name}`; the generated text needs all that begin with \
             `{PREFIX}`"
        )));
    }
    for param in &scop.params {
        if param.ctype.kind == ScalarKind::U64 || param.name != param.spelling {
            return Err(ReuseError::Refused(format!(
                "`{}` bounds loops; copy it to a variable of type `long` in front of the region",
                param.spelling
            )));
        }
    }
    let locals = locals(program)?;
    let mut writer = Writer {
        program,
        scop,
        locals,
        iterators: IdList::alloc(&scop.ctx, MAX_DEPTH)?,
        out: String::new(),
        level: 1,
    };
    for depth in 0..MAX_DEPTH {
        let id = Id::alloc(&scop.ctx, &format!("{PREFIX}{depth}"))?;
        writer.iterators = writer.iterators.add(&id)?;
    }
    writer.region()?;
    Ok(writer.out)
}

/// A local array.
struct Local {
    array: ArrayId,
    /// C name of its memory.
    name: String,
    /// Whether subscripts are never negative: C's `%` will do.
    plain: Vec<bool>,
    load: Map,
    store: Map,
    moduli: Vec<PwAff>,
}

fn locals(program: &Program<'_>) -> Result<Vec<Local>> {
    let scop = &program.region.scop;
    let mut all = Vec::new();
    for local in &program.memory.arrays {
        let array = &scop.arrays[local.array];
        let Some(moved) = program.transfers.of_array(local.array) else {
            continue;
        };
        if matches!(array.origin, Origin::Region { .. })
            && !(moved.load.is_empty()? && moved.store.is_empty()?)
        {
            return Err(ReuseError::Refused(format!(
                "values of `{}`, declared inside the region, pass from one strip to another; \
                 declare it as an array in front of the region",
                array.base
            )));
        }
        for statement in &scop.statements {
            for access in statement.accesses.iter().filter(|a| a.array == local.array) {
                if access.affine.iter().any(Option::is_none) {
                    return Err(ReuseError::Refused(format!(
                        "the subscripts of `{}` depend on data: its sets are found, code is not \
                         generated",
                        array.base
                    )));
                }
            }
        }
        let own = program
            .accesses
            .arrays
            .iter()
            .find(|a| a.array == local.array);
        let cells = match own {
            Some(own) => own.touched.range()?,
            None => continue,
        };
        let mut plain = Vec::new();
        for dim in 0..array.extents.len() {
            plain.push(cells.upper_bound_si(DimType::Set, dim, -1)?.is_empty()?);
        }
        all.push(Local {
            array: local.array,
            name: format!("{PREFIX}local_{}", array.name),
            plain,
            load: moved.load.clone(),
            store: moved.store.clone(),
            moduli: local.moduli.clone(),
        });
    }
    Ok(all)
}

/// `A[x0][x1]`, as the program has it.
fn outside(array: &Array, subscripts: &[String]) -> String {
    let place = match &array.layout {
        Layout::Subscripts => subscripts.iter().map(|s| format!("[{s}]")).collect(),
        Layout::Linear(strides) => {
            let terms = subscripts.iter().zip(strides);
            let terms: Vec<String> = terms
                .map(|(s, stride)| format!("({s}) * ({stride})"))
                .collect();
            format!("[{}]", terms.join(" + "))
        }
    };
    format!("{}{place}{}", array.base, array.field)
}

struct Writer<'a> {
    program: &'a Program<'a>,
    scop: &'a Scop,
    locals: Vec<Local>,
    iterators: IdList,
    out: String,
    level: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let indent = if text.starts_with('#') {
            0
        } else {
            self.level * 4
        };
        let _ = writeln!(self.out, "{}{text}", " ".repeat(indent));
    }

    /// Text of several lines.
    fn lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
    }

    fn region(&mut self) -> Result<()> {
        let tiling = self.program.tiling;
        self.level = 0;
        self.line("{");
        self.level = 1;
        self.macros();
        for (name, size) in tiling.sizes.iter().zip(self.program.sizes) {
            self.line(&format!("#ifndef TILE_{name}"));
            self.line(&format!("#define TILE_{name} {size}"));
            self.line("#endif");
            self.line(&format!("const long {name} = TILE_{name};"));
        }
        let mapping = &tiling.mapping;
        let strips = mapping.outer + tiling.first_in_strip();
        for dim in 0..strips {
            self.open_loop(dim)?;
        }
        self.allocate()?;
        self.line("TILEWRIGHT_STRIP();");
        for dim in strips..mapping.origin() {
            self.open_loop(dim)?;
        }
        self.tile()?;
        for _ in strips..mapping.origin() {
            self.close();
        }
        for local in (0..self.locals.len()).rev() {
            let free = format!("__builtin_free({});", self.locals[local].name);
            self.line(&free);
        }
        for _ in 0..strips {
            self.close();
        }
        self.remove_macros();
        self.level = 0;
        self.line("}");
        Ok(())
    }

    fn close(&mut self) {
        self.level -= 1;
        self.line("}");
    }

    fn macros(&mut self) {
        let fixed = [
            "min(a, b) ((a) < (b) ? (a) : (b))",
            "max(a, b) ((a) > (b) ? (a) : (b))",
            "floord(a, b) ((a) < 0 ? -((-(a) + (b) - 1) / (b)) : (a) / (b))",
            "mod(a, b) (((a) % (b) + (b)) % (b))",
        ];
        for one in fixed {
            self.line(&format!("#define {PREFIX}{one}"));
        }
        for hook in ["STRIP()", "LOAD(outside, inside)", "STORE(outside, inside)"] {
            let name = hook.split('(').next().unwrap_or_default();
            self.line(&format!("#ifndef TILEWRIGHT_{name}"));
            self.line(&format!("#define TILEWRIGHT_{hook}"));
            self.line("#endif");
        }
        let mut all = Vec::new();
        for local in &self.locals {
            let array = &self.scop.arrays[local.array];
            let dims = array.extents.len();
            let xs: Vec<String> = (0..dims).map(|d| format!("x{d}")).collect();
            let list = xs.join(", ");
            let mut place = "0".to_owned();
            for (dim, x) in xs.iter().enumerate() {
                let modulus = format!("{}_{dim}", local.name);
                let folded = match local.plain[dim] {
                    true => format!("({x}) % {modulus}"),
                    false => format!("{PREFIX}mod({x}, {modulus})"),
                };
                place = match dim {
                    0 => folded,
                    _ => format!("({place}) * {modulus} + {folded}"),
                };
            }
            let name = &array.name;
            all.push(format!("{PREFIX}at_{name}({list}) {}[{place}]", local.name));
            if matches!(array.origin, Origin::Region { .. }) {
                continue;
            }
            let there = outside(array, &xs);
            let here = format!("{PREFIX}at_{name}({list})");
            all.push(format!(
                "{PREFIX}load_{name}({list}) do {{ TILEWRIGHT_LOAD(&{there}, &{here}); {here} = \
                 {there}; }} while (0)"
            ));
            all.push(format!(
                "{PREFIX}store_{name}({list}) do {{ TILEWRIGHT_STORE(&{there}, &{here}); {there} = \
                 {here}; }} while (0)"
            ));
        }
        for one in all {
            self.line(&format!("#define {one}"));
        }
        for (number, statement) in self.scop.statements.iter().enumerate() {
            let dims = statement.iterators.len();
            let arguments: Vec<String> = (0..dims).map(|d| format!("{PREFIX}i{d}")).collect();
            let iterators: Vec<String> = arguments.iter().map(|a| format!("({a})")).collect();
            let access = |id: usize, subscripts: &[String]| {
                let array = &self.scop.arrays[statement.accesses[id].array];
                format!("{PREFIX}at_{}({})", array.name, subscripts.join(", "))
            };
            let body = outline::body(self.scop, number, &iterators, &access).join(" \\\n    ");
            let name = &statement.name;
            let text = format!(
                "#define {PREFIX}{name}({}) do {{ \\\n    {body} \\\n}} while (0)",
                arguments.join(", ")
            );
            self.out.push_str(&text);
            self.out.push('\n');
        }
    }

    fn remove_macros(&mut self) {
        let mut names: Vec<String> = ["min", "max", "floord", "mod"].map(str::to_owned).to_vec();
        for local in &self.locals {
            let array = &self.scop.arrays[local.array];
            names.push(format!("at_{}", array.name));
            if !matches!(array.origin, Origin::Region { .. }) {
                names.push(format!("load_{}", array.name));
                names.push(format!("store_{}", array.name));
            }
        }
        names.extend(self.scop.statements.iter().map(|s| s.name.clone()));
        for name in names {
            self.line(&format!("#undef {PREFIX}{name}"));
        }
    }

    /// The loop over the values of one dimension of origins, given those before.
    fn open_loop(&mut self, dim: usize) -> Result<()> {
        let tiling = self.program.tiling;
        let mapping = &tiling.mapping;
        let mut points: Option<Set> = None;
        for map in mapping.theta.maps()? {
            let own = map.range()?;
            points = Some(match points {
                Some(points) => points.union(&own)?,
                None => own,
            });
        }
        let Some(points) = points else {
            return Ok(());
        };
        let values = self.given(&points, dim)?;
        let values = self.origins_fixed(&values, dim)?.range()?;
        let values = values.intersect_params(&tiling.context(self.scop)?)?;
        let values = values.remove_divs()?.coalesce()?;
        let (first, last) = (values.dim_min(0)?, values.dim_max(0)?);
        let (first, last) = (self.pw_or(&first, 0)?, self.pw_or(&last, -1)?);
        let name = self.origin_name(dim);
        let (start, step) = match dim.checked_sub(mapping.outer) {
            None => (first, "1".to_owned()),
            Some(k) => {
                let size = &tiling.sizes[k];
                (
                    format!("{PREFIX}floord({first}, {size}) * {size}"),
                    size.clone(),
                )
            }
        };
        self.line(&format!(
            "for (long {name} = {start}, {name}_last = {last}; {name} <= {name}_last; {name} += \
             {step}) {{"
        ));
        self.level += 1;
        Ok(())
    }

    /// From the first `dim` dimensions of origins to the values of the next one that points in
    /// their tiles have.
    fn given(&self, points: &Set, dim: usize) -> Result<Map> {
        let mapping = &self.program.tiling.mapping;
        let mut conditions = Vec::new();
        for k in 0..dim {
            conditions.push(match k.checked_sub(mapping.outer) {
                None => format!("x{k} = i{k}"),
                Some(t) => format!("i{k} <= x{k} < i{k} + {}", self.program.tiling.sizes[t]),
            });
        }
        conditions.push(format!("v = x{dim}"));
        let text = format!(
            "[{}] -> {{ [{}] -> [v, {}] : {} }}",
            self.program.tiling.sizes.join(", "),
            super::tiling::names("i", dim),
            super::tiling::names("x", mapping.dims),
            conditions.join(" and ")
        );
        let all = Map::read_from_str(&self.scop.ctx, &text)?;
        let points = points.insert_dims(DimType::Set, 0, 1)?;
        let all = all.intersect_range(&points)?;
        Ok(all.project_out(DimType::Out, 1, mapping.dims)?)
    }

    /// The C name of a dimension of origins; parameters in sets.
    fn origin_name(&self, dim: usize) -> String {
        match dim < self.program.tiling.mapping.outer {
            true => counter(dim),
            false => format!("{PREFIX}o{dim}"),
        }
    }

    /// The first dimensions of origins as parameters.
    fn origins_fixed(&self, map: &Map, dims: usize) -> Result<Map> {
        let mut map = map.clone();
        for dim in 0..dims {
            map = map.set_dim_name(DimType::In, dim, &self.origin_name(dim))?;
        }
        let params = map.dim(DimType::Param)?;
        Ok(map.move_dims(DimType::Param, params, DimType::In, 0, dims)?)
    }

    /// A function of parameters in C, with a value for where it is not defined.
    fn pw_or(&self, function: &PwAff, otherwise: i64) -> Result<String> {
        let defined = function.domain()?.params()?;
        let context = self.program.tiling.context(self.scop)?;
        let build = AstBuild::from_context(&context)?;
        let value = build.expr_from_pw_aff(&function.coalesce()?)?.to_c_str()?;
        let value = renamed(&value);
        if context.is_subset(&defined)? {
            return Ok(value);
        }
        let condition = build.expr_from_set(&defined.gist(&context)?)?.to_c_str()?;
        Ok(format!(
            "(({}) ? ({value}) : {otherwise})",
            renamed(&condition)
        ))
    }

    fn allocate(&mut self) -> Result<()> {
        let mut lines = Vec::new();
        for local in &self.locals {
            let element = &self.scop.arrays[local.array].element.spelling;
            let mut cells = "1".to_owned();
            for (dim, modulus) in local.moduli.iter().enumerate() {
                let modulus = self.pw_or(modulus, 1)?;
                let name = format!("{}_{dim}", local.name);
                lines.push(format!("const long {name} = {modulus};"));
                cells = match dim {
                    0 => name,
                    _ => format!("{cells} * {name}"),
                };
            }
            lines.push(format!(
                "{element} *{} = ({element} *)__builtin_malloc(sizeof({element}) * ({cells}));",
                local.name
            ));
            lines.push(format!("if (!{}) __builtin_trap();", local.name));
        }
        lines.iter().for_each(|line| self.line(line));
        Ok(())
    }

    /// Loads, computations and stores of one tile.
    fn tile(&mut self) -> Result<()> {
        let tiling = self.program.tiling;
        let origin = tiling.mapping.origin();
        let moved = self.locals.iter();
        let moved: Vec<(ArrayId, Map, Map)> = moved
            .map(|l| (l.array, l.load.clone(), l.store.clone()))
            .collect();
        for (array, load, _) in &moved {
            self.copy("load", *array, load, origin)?;
        }
        let mut order = UnionMap::empty_ctx(&self.scop.ctx)?;
        for own in tiling.mapping.theta.maps()? {
            let inside = tiling.tile()?.apply_range(&own.reverse()?)?;
            let inside = self.origins_fixed(&inside, origin)?.range()?;
            let name = own.get_tuple_name(DimType::In)?;
            let own = own.intersect_domain(&inside)?;
            let own = own.set_tuple_name(DimType::In, &format!("{PREFIX}{name}"))?;
            order = order.add_map(&own)?;
        }
        self.loops(&order)?;
        for (array, _, store) in &moved {
            self.copy("store", *array, store, origin)?;
        }
        Ok(())
    }

    fn copy(&mut self, what: &str, array: ArrayId, map: &Map, origin: usize) -> Result<()> {
        let cells = self.origins_fixed(map, origin)?.range()?.coalesce()?;
        if cells.is_empty()? {
            return Ok(());
        }
        let name = format!("{PREFIX}{what}_{}", self.scop.arrays[array].name);
        let cells = cells.set_tuple_name(&name)?.make_disjoint()?;
        let identity = cells.identity()?.reset_tuple_id(DimType::Out)?;
        self.loops(&UnionMap::from_map(&identity)?)
    }

    fn loops(&mut self, order: &UnionMap) -> Result<()> {
        let context = self.program.tiling.context(self.scop)?;
        let build = AstBuild::from_context(&context)?.set_iterators(&self.iterators)?;
        let node = build.node_from_schedule_map(order)?;
        let text = renamed(&node.to_c_str()?).replace("for (int ", "for (long ");
        self.lines(&text);
        Ok(())
    }
}

/// isl's macros under our names.
fn renamed(text: &str) -> String {
    let mut text = text.to_owned();
    for name in ["min", "max", "floord"] {
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(&format!("{name}(")) {
            let (before, behind) = rest.split_at(at);
            out.push_str(before);
            let inside = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            if !inside {
                out.push_str(PREFIX);
            }
            out.push_str(name);
            rest = &behind[name.len()..];
        }
        out.push_str(rest);
        text = out;
    }
    text
}
