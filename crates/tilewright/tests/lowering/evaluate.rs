//! Compares values, conditions and definitions in the model with those that the C compiler
//! computes.

use isl::DimType;

use crate::{lowered, plain, render};
use tilewright::scop::{Action, Scop};

/// What the model and C know in front of the function.
const HEAD: &str = "int min(int, int); int max(int, int); int abs(int); long labs(long);
int floord(int, int); int ceild(int, int);
double floor(double); double ceil(double); double pow(double, double); double fmod(double, double); double fmin(double, double); double fmax(double, double);
static int half(int x) { return x / 2; }
static int nested(int x) { { return half(x) - half(3); } }
static int byte(unsigned char x) { return x; }
static unsigned char low(int x) { return x; }
static int two(int x) { int y = x; return y; }
static double real(int x) { return x; }
static int whole(double x) { return (int)x; }
static unsigned before(unsigned x) { return x - 1; }
static int file = 7;
";

/// The parameters, in the order of [`SIZES`].
const PARAMS: &str = "int n, int m, unsigned u, long l, unsigned long z, short s, unsigned char c, \
    _Bool b, int *restrict A, const int *restrict data";

/// Values of `n`, `m`, `u`, `l`, `z`, `s`, `c`, `b`.
const SIZES: [[i64; 8]; 8] = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [1, 5, 1, -1, 1, -1, 255, 1],
    [7, 3, 5, 40, 9, 300, 7, 1],
    [-4, 2, 8, 7, 100, -32768, 128, 0],
    [12, -6, 77, -9, 7, 32767, 1, 1],
    [1000, 1, 4294967295, 1 << 40, 1 << 33, 6, 100, 0],
    [-1, -1, 2147483648, 4294967296, 4294967295, -7, 2, 1],
    [20, 19, 2147483647, -2147483649, 3, 5, 254, 0],
];

/// A region to compare: what stands in front of it, its text, and the C that prints what it does
/// for one choice of parameters.
struct Region {
    label: String,
    before: &'static str,
    text: String,
    prints: String,
}

/// Loops around a statement, and around what prints a value there.
fn around(inside: &str, statement: &str) -> String {
    format!(
        "for (int i = -3; i < 6; i++) for (unsigned k = 0; k < 3; k++) {{ {inside} {statement} }}"
    )
}

fn source(region: &Region) -> tilewright::source::Source {
    let (before, text) = (region.before, &region.text);
    plain(&format!(
        "{HEAD}void f({PARAMS}) {{ {before}\n#pragma scop\n{text}\n#pragma endscop\n}}\n"
    ))
}

fn model(ctx: &isl::Ctx, region: &Region) -> Result<Scop, String> {
    let source = source(region);
    let found = lowered(ctx, &source);
    let found = found.map_err(|e| format!("{}\n{}", region.label, render(&source, &e)))?;
    crate::examples::check(&found.scop);
    Ok(found.scop)
}

/// Fails with all rows that are wrong.
fn check(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What C prints: for every region and every choice of sizes first the values of the model's
/// parameters, then those of the region.
fn printed(name: &str, regions: &[(Region, Scop)]) -> Vec<Vec<Vec<i64>>> {
    let mut text = format!(
        "#include <stdio.h>\n{HEAD}
int min(int a, int b) {{ return a < b ? a : b; }}
int max(int a, int b) {{ return a > b ? a : b; }}
int floord(int a, int b) {{ return a / b - (a % b != 0 && (a < 0) != (b < 0)); }}
int ceild(int a, int b) {{ return -floord(-a, b); }}
#define P(x) printf(\"%lld \", (long long)(x))\n"
    );
    for (number, (region, scop)) in regions.iter().enumerate() {
        let params = scop.params.iter().map(|p| format!("P({});", p.spelling));
        let params = params.collect::<String>();
        text += &format!(
            "static void f{number}({PARAMS}) {{ {} {params} printf(\"\\n\"); {} printf(\"\\n\"); }}\n",
            region.before, region.prints
        );
    }
    text += "int main(void) {\n";
    for number in 0..regions.len() {
        for sizes in SIZES {
            let sizes = sizes.map(|v| format!("{v}, ")).concat();
            text += &format!("f{number}({sizes}0, 0);\n");
        }
    }
    text += "}\n";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (program, file) = (folder.join(name), folder.join(format!("{name}.c")));
    std::fs::write(&file, text).expect("a file");
    let cc = std::process::Command::new("cc")
        .args(["-w", "-o"])
        .args([&program, &file])
        .arg("-lm")
        .output()
        .expect("a C compiler");
    assert!(
        cc.status.success(),
        "{}",
        String::from_utf8_lossy(&cc.stderr)
    );
    let run = std::process::Command::new(&program)
        .output()
        .expect("a run");
    let output = String::from_utf8(run.stdout).expect("numbers");
    let line = |line: &str| {
        let numbers = line.split_whitespace();
        numbers.map(|n| n.parse().expect("a number")).collect()
    };
    let lines: Vec<Vec<i64>> = output.lines().map(line).collect();
    assert_eq!(lines.len(), 2 * SIZES.len() * regions.len(), "{name}");
    let of_region = lines.chunks(2 * SIZES.len());
    of_region.map(<[_]>::to_vec).collect()
}

/// A set with the parameters at their values; `None` where the model does not hold for them.
fn fixed(scop: &Scop, values: &[i64]) -> Option<isl::Set> {
    let mut context = scop.context.clone();
    for (id, &value) in values.iter().enumerate() {
        let value = isl::Val::int_from_si(&scop.ctx, value).expect("a number");
        context = context.fix_val(DimType::Param, id, &value).expect("a set");
    }
    (!context.is_empty().expect("a check")).then_some(context)
}

/// The points of a set.
fn points(set: &isl::Set) -> Vec<Vec<i64>> {
    let points = set.points().expect("points");
    let numbers = points.iter().map(|p| p.coordinates().expect("numbers"));
    let mut all: Vec<Vec<i64>> = numbers.collect();
    all.sort_unstable();
    all
}

/// What is expected of a row: exact for all sizes, exact under a condition that is compared when
/// the program runs, or data, for whose sake nothing is taken for granted.
pub const ALWAYS: &str = "always";
pub const DATA: &str = "data";

/// What the model takes for granted: nothing, or this condition in isl's notation.
fn assumed(scop: &Scop, expected: &str) -> Result<(), String> {
    let given = &scop.conditions.checks.given;
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let wanted = match expected {
        ALWAYS => given.clone(),
        condition => {
            let text = format!("[{}] -> {{ : {condition} }}", names.join(", "));
            let set = isl::Set::read_from_str(&scop.ctx, &text).expect("a set");
            set.intersect(given).expect("a set")
        }
    };
    match scop.context.is_equal(&wanted).expect("a comparison") {
        true => Ok(()),
        false => Err(format!("{} and not {wanted}", scop.context)),
    }
}

/// Compares the points of a set, for all sizes for which the model holds, with what C prints.
fn compare(
    name: &str,
    regions: &[(Region, Scop)],
    set: impl Fn(&Scop, &isl::Set) -> isl::Set,
    point: impl Fn(i64, i64) -> Option<Vec<i64>>,
) -> Vec<String> {
    let printed = printed(name, regions);
    let mut wrong = Vec::new();
    for ((region, scop), lines) in regions.iter().zip(&printed) {
        let mut compared = 0;
        for pair in lines.chunks(2) {
            let Some(context) = fixed(scop, &pair[0]) else {
                continue;
            };
            let found = points(&set(scop, &context));
            let wanted = pair[1].iter().zip(0..);
            let wanted = wanted.filter_map(|(&value, at)| point(at, value));
            let mut wanted: Vec<Vec<i64>> = wanted.collect();
            wanted.sort_unstable();
            if found != wanted {
                let (label, sizes) = (&region.label, &pair[0]);
                wrong.push(format!("{label} {sizes:?}: {found:?}, not {wanted:?}"));
            }
            compared += 1;
        }
        // What is given holds for all sizes.
        let given = scop.context.is_equal(&scop.conditions.checks.given);
        let least = match given.expect("a comparison") {
            true => SIZES.len(),
            false => 2,
        };
        if compared < least {
            wrong.push(format!("{}: {}", region.label, scop.context));
        }
    }
    wrong
}

/// What the last access of the last statement touches.
fn touched(scop: &Scop, context: &isl::Set) -> isl::Set {
    let last = scop.statements.last().expect("a statement");
    let relation = &last.accesses.last().expect("an access").relation;
    let relation = relation.intersect_params(context).expect("a map");
    relation.wrap().expect("a set")
}

/// The instances of the last statement.
fn executed(scop: &Scop, context: &isl::Set) -> isl::Set {
    let last = scop.statements.last().expect("a statement");
    last.domain.intersect_params(context).expect("a set")
}

/// Values, as subscripts: what stands in front of the expression, the expression, what is expected.
pub fn check_values(name: &str, rows: &[(&'static str, &str, &str)]) {
    let ctx = isl::Ctx::new();
    let (mut regions, mut wrong) = (Vec::new(), Vec::new());
    let row = |&(inside, expr, expected): &(&'static str, &str, &str)| {
        let region = Region {
            label: format!("{inside} {expr}"),
            before: "const int h = n / 2 + 1;",
            text: around(inside, &format!("A[{expr}] = 1;")),
            prints: around(inside, &format!("P({expr});")),
        };
        let scop = model(&ctx, &region)?;
        let statement = scop.statements.last().expect("a statement");
        let affine = &statement.accesses.last().expect("an access").affine;
        let data = !matches!(&affine[..], [Some(_)]);
        if data || expected == DATA {
            let right = data && expected == DATA && assumed(&scop, ALWAYS).is_ok();
            let error = format!("{expr}: data {data}, {}", scop.context);
            return right.then_some(None).ok_or(error);
        }
        assumed(&scop, expected).map_err(|e| format!("{expr}: {e}"))?;
        Ok(Some((region, scop)))
    };
    for found in rows.iter().map(row) {
        match found {
            Ok(region) => regions.extend(region),
            Err(error) => wrong.push(error),
        }
    }
    let point = |at, value| Some(vec![at / 3 - 3, at % 3, value]);
    wrong.extend(compare(name, &regions, touched, point));
    check(&wrong);
}

/// Conditions of statements.
pub fn check_conditions(name: &str, rows: &[(&str, &str)]) {
    let ctx = isl::Ctx::new();
    let (mut regions, mut wrong) = (Vec::new(), Vec::new());
    let row = |&(condition, expected): &(&str, &str)| {
        let region = Region {
            label: condition.to_owned(),
            before: "const int h = n / 2 + 1;",
            text: around("", &format!("if ({condition}) A[0] = 1;")),
            prints: around("", &format!("P(({condition}) != 0);")),
        };
        let scop = model(&ctx, &region)?;
        let statement = scop.statements.last().expect("a statement");
        let data = matches!(statement.body[..], [Action::If { .. }]);
        if data || expected == DATA {
            let right = data && expected == DATA && assumed(&scop, ALWAYS).is_ok();
            let error = format!("{condition}: data {data}, {}", scop.context);
            return right.then_some(None).ok_or(error);
        }
        assumed(&scop, expected).map_err(|e| format!("{condition}: {e}"))?;
        Ok(Some((region, scop)))
    };
    for found in rows.iter().map(row) {
        match found {
            Ok(region) => regions.extend(region),
            Err(error) => wrong.push(error),
        }
    }
    let point = |at, value| (value != 0).then(|| vec![at / 3 - 3, at % 3]);
    wrong.extend(compare(name, &regions, executed, point));
    check(&wrong);
}

/// Loops from -3 to 5, up or down, for as long as a condition holds.
pub fn check_loops(name: &str, conditions: &[&str]) {
    let ctx = isl::Ctx::new();
    for (up, head, other) in [
        (true, "int i = -3; i < 6", "i++"),
        (false, "int i = 5; i > -4", "i--"),
    ] {
        let (mut regions, mut wrong) = (Vec::new(), Vec::new());
        for condition in conditions {
            let region = Region {
                label: format!("{condition}, {other}"),
                before: "",
                text: format!("for ({head} && ({condition}); {other}) A[0] = 1;"),
                prints: format!(
                    "int on = 1; for ({head}; {other}) {{ on = on && ({condition}); P(on); }}"
                ),
            };
            match model(&ctx, &region) {
                Ok(scop) => regions.push((region, scop)),
                Err(error) => wrong.push(error),
            }
        }
        let value = |at| if up { at - 3 } else { 5 - at };
        let point = |at, on| (on != 0).then(|| vec![value(at)]);
        wrong.extend(compare(&format!("{name}_{up}"), &regions, executed, point));
        check(&wrong);
    }
}

/// Definitions in front of a region: which stand in for their variables, and which variables are
/// parameters of their own. The last parameter is the variable itself, or what it is made of.
pub fn check_definitions(name: &str, rows: &[(&'static str, &str)]) {
    let ctx = isl::Ctx::new();
    let (mut regions, mut wrong) = (Vec::new(), Vec::new());
    for &(before, last) in rows {
        let region = Region {
            label: before.to_owned(),
            before,
            text: around("", "A[(long)d + i] = 1;"),
            prints: around("", "P((long)d + i);"),
        };
        let scop = match model(&ctx, &region) {
            Ok(scop) => scop,
            Err(error) => {
                wrong.push(error);
                continue;
            }
        };
        let found = scop.params.last().map_or("", |p| &p.spelling);
        if found != last {
            wrong.push(format!("{before}: {found}"));
        }
        wrong.extend(
            assumed(&scop, ALWAYS)
                .map_err(|e| format!("{before}: {e}"))
                .err(),
        );
        regions.push((region, scop));
    }
    let point = |at, value| Some(vec![at / 3 - 3, at % 3, value]);
    wrong.extend(compare(name, &regions, touched, point));
    check(&wrong);
}
