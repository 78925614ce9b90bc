//! Values of expressions, conditions and definitions against those that the C compiler computes.

use isl::DimType;

use crate::{lowered, preprocess, render};
use tilewright::scop::{Action, Scop};

/// What the model and C know in front of the function.
const HEAD: &str = "int min(int, int); int max(int, int); int abs(int); long labs(long);
int floord(int, int); int ceild(int, int);
double floor(double); double ceil(double); double fmin(double, double); double fmax(double, double);
static int half(int x) { return x / 2; }
static int nested(int x) { { return half(x) - half(3); } }
static int byte(unsigned char x) { return x; }
static unsigned char low(int x) { return x; }
static int two(int x) { int y = x; return y; }
static double real(int x) { return x; }
static int whole(double x) { return (int)x; }
static unsigned before(unsigned x) { return x - 1; }
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
    preprocess(&format!(
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
/// the program runs, or data.
const ALWAYS: &str = "always";
const DATA: &str = "data";

/// What the model takes for granted: nothing, or this condition in isl's notation.
fn assumed(scop: &Scop, expected: &str) -> Result<(), String> {
    let given = &scop.checks.given;
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
        if compared < 2 {
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
fn check_values(name: &str, rows: &[(&'static str, &str, &str)]) {
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
            let right = data && expected == DATA;
            return right.then_some(None).ok_or(format!("{expr}: data {data}"));
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
fn check_conditions(name: &str, rows: &[(&str, &str)]) {
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
            let right = data && expected == DATA;
            return right
                .then_some(None)
                .ok_or(format!("{condition}: data {data}"));
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
fn check_loops(name: &str, conditions: &[&str]) {
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
fn check_definitions(name: &str, rows: &[(&'static str, &str)]) {
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

#[test]
fn arithmetic() {
    check_values(
        "arithmetic",
        &[
            ("", "i", ALWAYS),
            ("", "-i + +n", ALWAYS),
            ("", "~i - ~n", ALWAYS),
            ("", "3 * i - 2 * n + m * 5", ALWAYS),
            ("", "(i < n) + 2 * (i == 2) - (i && n)", ALWAYS),
            ("", "(i || n) + !(i < 2) + !i", ALWAYS),
            ("", "'a' - '\\n' + '\\t' * '\\0' + 0x10 + 010", ALWAYS),
            ("", "h - i", ALWAYS),
            ("const int t = i + 1, w = t * 2;", "t + w", ALWAYS),
            ("", "i / 2", ALWAYS),
            ("", "i / -2", ALWAYS),
            ("", "(i + 3) / 2 + (i + 4) / -3", ALWAYS),
            ("", "i / 1 + i % 1", ALWAYS),
            ("", "i % 3 + (i + 3) % 3 + (i + 9) % -4", ALWAYS),
            ("", "i % -3", ALWAYS),
            ("", "(n + i) / 4", ALWAYS),
            ("", "(n + i) % 4", ALWAYS),
            ("", "(i + 12) / 16 + (i + 12) % 16", ALWAYS),
            ("", "(i + 10) / 15 + (i + 10) % 15", ALWAYS),
            ("", "(i * 8) / 16 - (i * 8) % 16", ALWAYS),
            ("", "(i * 64) / 1000 + (i * 192) % 128", ALWAYS),
            ("", "(i * 65) % 1000", DATA),
            ("", "(i * 65) / 1000", DATA),
            ("", "(i * 64) >> 8", ALWAYS),
            ("", "(i * 65) >> 8", DATA),
            ("", "(i + 3) << 2", ALWAYS),
            ("", "(i + 3) << 0", ALWAYS),
            ("", "(i >> 1) + (i >> 0) + (n >> 3)", ALWAYS),
            ("", "i + (1 << 4)", ALWAYS),
            ("", "1 << (i + 3)", DATA),
            ("", "i % m", DATA),
            ("", "i ^ 1", DATA),
            ("", "i | 1", DATA),
            ("", "data[i]", DATA),
            ("", "i + (int)2.5", DATA),
            ("", "(int)(i * 1.0)", DATA),
            ("", "n / 3 - m / 2", ALWAYS),
            ("", "(n + m) / 5 + (2 * n - m + 3) / 4", ALWAYS),
            ("", "-(n / 2) / 3 + n / 6", ALWAYS),
            ("", "(n / 2 - m) / 3 + (m - n / 2 * 3) / 3", ALWAYS),
            ("", "(-n) / 3 + (3 - n) / 2 + (2 - (-m)) / 7", ALWAYS),
            ("", "(3 * n) / 2 + (n * 5) / 3 + (n * m) / n", DATA),
            ("", "(3 * n) / 2 + (n * 5) / 3 - (n + n) / 4", ALWAYS),
            ("", "s / 2 + c / 3", ALWAYS),
            ("", "l / 5 + (l - n) / 2", ALWAYS),
        ],
    );
}

#[test]
fn lowest_bits() {
    check_values(
        "lowest_bits",
        &[
            ("", "i & 7", ALWAYS),
            ("", "7 & i", ALWAYS),
            ("", "(i & 1) + (i & 0)", ALWAYS),
            ("", "n & 255", ALWAYS),
            ("", "i & 6", DATA),
            ("", "i & n", DATA),
            ("", "(i * 64) & 255", ALWAYS),
            ("", "(i * 192) & 255", ALWAYS),
            ("", "(i * 65) & 255", DATA),
            ("", "(i * 191) & 255", DATA),
            ("", "(n * 65) & 255", DATA),
            // Masks that are no plain constants.
            ("", "i & (3 + 4)", ALWAYS),
            ("", "(3 + 4) & i", ALWAYS),
            ("", "i & (0 * 2)", ALWAYS),
            ("", "i & (2 + 3)", DATA),
            ("", "i & (0 - 1)", DATA),
            ("", "i & (0x7ffffffffffffffe + 1L)", DATA),
            // Whatever wraps around above them.
            ("", "(k - 1) & 3", ALWAYS),
            ("", "(u + 7) % 8", ALWAYS),
            ("", "(u - 1) % 4 + ((-u) & 7) + (~u & 7) + (+u & 1)", ALWAYS),
            ("", "(u * 3) % 16 + ((3 * k - 5) & 15)", ALWAYS),
            ("", "(i - u) & 15", ALWAYS),
            ("", "(u - (unsigned)i) & 15", ALWAYS),
            ("", "(u * u) & 15", DATA),
            ("", "(unsigned char)(k - 1)", ALWAYS),
            (
                "",
                "(unsigned char)~i + (unsigned char)-i + (unsigned char)+i",
                ALWAYS,
            ),
            ("", "(signed char)(i * 40)", ALWAYS),
            ("", "(signed char)(i * 100)", DATA),
            ("", "(short)(i + 32765) + (short)(32768 - i)", ALWAYS),
            ("", "(unsigned short)(i - 1)", ALWAYS),
            ("", "(unsigned short)(short)(signed char)i", ALWAYS),
            ("", "(unsigned char)(unsigned)i", ALWAYS),
            ("", "(unsigned char)n + (signed char)n", ALWAYS),
            (
                "",
                "(unsigned char)300 + (signed char)200 + (short)70000",
                ALWAYS,
            ),
            ("const unsigned t = k - 1;", "t & 3", ALWAYS),
            (
                "const unsigned t = k - 1; const unsigned v = t - 1;",
                "v & 3",
                ALWAYS,
            ),
            ("const unsigned char t = i;", "t & 1023", DATA),
            ("", "u % 10", ALWAYS),
            ("", "n % 8", ALWAYS),
            ("", "u & 7", ALWAYS),
            ("", "u % 6 + u / 6", ALWAYS),
        ],
    );
}

#[test]
fn conversions() {
    check_values(
        "conversions",
        &[
            ("", "(_Bool)i + (_Bool)(i - 2)", ALWAYS),
            ("", "(long)i + (int)(long)n", ALWAYS),
            ("", "(unsigned)i", DATA),
            ("", "(unsigned)(i + 3)", ALWAYS),
            ("", "(unsigned)(i + 2)", DATA),
            ("", "(unsigned)n", "n >= 0"),
            ("", "(unsigned long)n", "n >= 0"),
            ("", "(int)u", "u <= 2147483647"),
            ("", "(int)l", "-2147483648 <= l <= 2147483647"),
            ("", "(long)u", ALWAYS),
            ("", "(float)i > 0", DATA),
            ("", "(unsigned)-1 - 4294967290u", ALWAYS),
            ("", "u + 1", "u <= 4294967294"),
            ("", "u - 1", "u >= 1"),
            ("", "-u", DATA),
            ("", "~k", DATA),
            ("", "u * 2", "u <= 2147483647"),
            ("", "u - n", "0 <= n <= u"),
            ("", "n - u", "0 <= u <= n"),
            ("", "u / 2 + (long)u", ALWAYS),
            ("", "k - 1", DATA),
            ("", "k + 1u", ALWAYS),
            ("", "i + k", DATA),
            ("", "i + 3 + k", ALWAYS),
            ("", "i + 2 + k", DATA),
            ("", "i + s - c + b", ALWAYS),
            ("", "s + 1u", "s >= 0"),
            ("", "c + 1u + b", ALWAYS),
            ("", "(u < n) + i", "n >= 0"),
            ("", "half(i) + half(i - 1) + nested(i)", ALWAYS),
            ("", "byte(i + 3)", ALWAYS),
            ("", "byte(i)", DATA),
            ("", "low(i + 3)", ALWAYS),
            ("", "low(i)", DATA),
            ("", "byte(n)", DATA),
            ("", "before(k)", DATA),
            ("", "before(k + 1)", ALWAYS),
            ("", "two(i)", DATA),
            ("", "(int)real(i)", DATA),
            ("", "whole(i)", DATA),
        ],
    );
}

#[test]
fn cases_and_calls() {
    check_values(
        "cases_and_calls",
        &[
            ("", "i > 0 ? i : -i", ALWAYS),
            ("", "(i < n ? i : n) + (i <= n ? n : i)", ALWAYS),
            ("", "(i > n ? i : n) - (i >= n ? n : i)", ALWAYS),
            ("", "(i < n ? n : i) + 2 * (i > n ? n : i)", ALWAYS),
            ("", "(i == n ? i : n) + (i != n ? i : n)", ALWAYS),
            ("", "i < n ? i + 1 : n", ALWAYS),
            ("", "i < n ? i : m", ALWAYS),
            ("", "i < k ? i : k", DATA),
            ("", "i + 3 < k ? i + 3 : k", ALWAYS),
            ("", "(i >= 0 ? i : 1u) + 1", ALWAYS),
            ("", "i >= 0 ? data[i] : 0", DATA),
            ("", "min(i, n) + max(n, 2 - i)", ALWAYS),
            ("", "abs(i) + abs(n) + labs(l)", ALWAYS),
            (
                "",
                "floord(i, 3) + ceild(i, 3) + floord(i - n, 2) + ceild(n - i, 4)",
                ALWAYS,
            ),
            ("", "floord(i, 1) + ceild(i, 1)", ALWAYS),
            ("", "floord(i, m)", DATA),
            ("", "floord(i, -2)", DATA),
            ("", "(int)floor((double)i / (double)3)", ALWAYS),
            ("", "(int)ceil((double)(i + 1) / (float)4)", ALWAYS),
            ("", "(int)floor((int)i / (int)2)", DATA),
            ("", "(int)floor((double)i / 2)", DATA),
            ("", "(int)floor((double)i * (double)2)", DATA),
            ("", "(int)floor((double)i / (double)m)", DATA),
            ("", "(int)fmin(i, n) + (int)fmax(i, n)", ALWAYS),
            ("", "(i + 9) % 10 + (i + 25) / 25", ALWAYS),
        ],
    );
}

#[test]
fn conditions() {
    check_conditions(
        "conditions",
        &[
            ("i < n", ALWAYS),
            ("i > n", ALWAYS),
            ("i <= n", ALWAYS),
            ("i >= n", ALWAYS),
            ("i == n", ALWAYS),
            ("i != n", ALWAYS),
            ("i", ALWAYS),
            ("!i", ALWAYS),
            ("i - n", ALWAYS),
            ("i > 0 && i < n || i == -2", ALWAYS),
            ("!(i > 0 && i < n) && !(i == 3 || n == 1)", ALWAYS),
            ("(i < n) == (i < m)", ALWAYS),
            ("i % 3 == 1 || i / 2 == -1", ALWAYS),
            ("(i & 3) != 2 && (n & 3) < 2", ALWAYS),
            ("i * n < m", DATA),
            ("i < 2.5", DATA),
            ("data[i] > 0", DATA),
            // What wraps around by less than a turn, by cases.
            ("k - 1 < 5u", ALWAYS),
            ("k - 2 == 4294967295u", ALWAYS),
            ("~k > 4294967293u", ALWAYS),
            ("-k < 3", ALWAYS),
            ("(unsigned)i < 4", ALWAYS),
            ("(unsigned)(i - 1) <= 3u", ALWAYS),
            ("i < 2u", ALWAYS),
            ("i + k < 4", ALWAYS),
            ("(unsigned char)(i - 1) > 250", ALWAYS),
            ("(signed char)(i + 125) < 0", ALWAYS),
            ("(k - 1) * 2 == 4294967294u", ALWAYS),
            ("(unsigned)(i * 1000000000) < 7u", ALWAYS),
            ("(unsigned long)i < 4", ALWAYS),
            ("(unsigned long)i > 3", DATA),
            ("(unsigned long)(i + 3) < 4", ALWAYS),
            // Numbers that nothing can hold.
            ("i + 3 < (unsigned long)-1", ALWAYS),
            ("k < (unsigned long)-5 && k != (unsigned long)-2", ALWAYS),
            // Conditions on sizes.
            ("u - 1 < 7", "u >= 1"),
            ("(unsigned)n < 4 || i == 0", "n >= 0"),
            ("i < 4 && u + 1 > 3", "u <= 4294967294"),
            ("c < 200 && s > -7 && b", ALWAYS),
            ("l < n && z > 5", ALWAYS),
            ("s < u", "s >= 0"),
            ("n < u", "n >= 0"),
            ("l < u", ALWAYS),
            ("i > 0 ? i < n : i > -2", ALWAYS),
        ],
    );
}

#[test]
fn loops_end_where_the_condition_first_fails() {
    check_loops(
        "loops",
        &[
            "i < n",
            "n > i",
            "i <= n",
            "n >= i",
            "i > n",
            "n < i",
            "i >= n",
            "n <= i",
            "i != n",
            "n != i",
            "i == n",
            "n == -3 || i == 2",
            "n < 5",
            "n",
            "i",
            "i - n",
            "2 * i < n",
            "n < 3 * i + 1",
            "i % 4 != 2",
            "i < n && i > m",
            "i < n || i < m",
            "i + n != 3",
            "i < i + n",
            "min(n, m) >= i",
            "max(n, m) >= i",
        ],
    );
}

/// Whether no part of an initialiser wraps around, or changes by a conversion, decides who is a
/// parameter; each of the first ones keeps its value by one, and the one behind does not.
#[test]
fn definitions_stand_in_where_they_keep_their_values() {
    check_definitions(
        "definitions",
        &[
            ("int d = 7;", ""),
            ("int d = n + 1;", "n"),
            ("int d = -n;", "n"),
            ("unsigned d = u + 1;", "d"),
            ("unsigned d = u;", "u"),
            ("unsigned d = n;", "d"),
            ("unsigned d = +c;", "c"),
            ("unsigned d = -c;", "d"),
            ("unsigned d = s;", "d"),
            ("unsigned d = -(s - 32767);", "s"),
            ("unsigned d = -(s - 32766);", "d"),
            ("unsigned d = !n;", "n"),
            ("unsigned d = n < m;", "m"),
            ("unsigned d = n < u;", "d"),
            ("unsigned d = u < n;", "d"),
            ("unsigned d = c < u;", "u"),
            ("unsigned d = n && m;", "m"),
            ("unsigned d = c << 2;", "c"),
            ("unsigned d = c << 23;", "c"),
            ("unsigned d = 1020 - (c << 2);", "c"),
            ("unsigned d = 1019 - (c << 2);", "d"),
            ("unsigned d = s << 2;", "d"),
            ("unsigned d = 127 - (c >> 1);", "c"),
            ("unsigned d = 126 - (c >> 1);", "d"),
            ("unsigned d = s >> 1;", "d"),
            ("unsigned d = (s >> 1) + 16384;", "s"),
            ("unsigned d = (s >> 1) + 16383;", "d"),
            ("unsigned d = s + 32768;", "s"),
            ("unsigned d = s + 32767;", "d"),
            ("unsigned d = 32767 - s;", "s"),
            ("unsigned d = 32766 - s;", "d"),
            ("unsigned d = c - b + 1;", "b"),
            ("unsigned d = c - b;", "d"),
            ("unsigned d = 65535 - (s + 32768);", "s"),
            ("unsigned d = 65534 - (s + 32768);", "d"),
            ("unsigned d = 65535 - (32767 - s);", "s"),
            ("unsigned d = 65534 - (32767 - s);", "d"),
            ("unsigned d = (-c) * -2;", "c"),
            ("unsigned d = -2 * (-c);", "c"),
            ("unsigned d = (c - 255) * -1;", "c"),
            ("unsigned d = (c - 254) * -1;", "d"),
            ("unsigned d = 510 - c * 2;", "c"),
            ("unsigned d = 509 - c * 2;", "d"),
            ("unsigned d = c / 2;", "c"),
            ("unsigned d = 85 - c / 3;", "c"),
            ("unsigned d = 84 - c / 3;", "d"),
            ("unsigned d = (c - 7) / 8;", "c"),
            ("unsigned d = (c - 8) / 8;", "d"),
            ("unsigned d = (c - 255) / -3;", "d"),
            ("unsigned d = c % 7;", "c"),
            ("unsigned d = s % 7 + 6;", "s"),
            ("unsigned d = s % 7 + 5;", "d"),
            ("unsigned d = (c - 3) % 7 + 3;", "c"),
            ("unsigned d = (c - 3) % 7 + 2;", "d"),
            ("unsigned d = 4 - c % 5;", "c"),
            ("unsigned d = 3 - c % 5;", "d"),
            ("unsigned d = 255 - c % 300;", "c"),
            ("unsigned d = 254 - c % 300;", "d"),
            ("unsigned d = -((c - 300) % 7);", "c"),
            ("unsigned d = n > 0 ? c : 5;", "c"),
            ("unsigned d = n > 0 ? c : s;", "d"),
            ("unsigned d = n > 0 ? s : c;", "d"),
            ("unsigned d = 255 - (n > 0 ? c : 7);", "c"),
            ("unsigned d = 254 - (n > 0 ? 7 : c);", "d"),
            ("unsigned d = u < n ? 1 : 2;", "d"),
            ("unsigned d = (int)c;", "c"),
            ("unsigned d = (unsigned char)s;", "d"),
            ("unsigned d = max(s, 0);", "s"),
            ("unsigned d = max(s, -1);", "d"),
            ("unsigned d = max(0, s);", "s"),
            ("unsigned d = 255 - max(c, 7);", "c"),
            ("unsigned d = 254 - max(c, 7);", "d"),
            ("unsigned d = min(s, 5);", "d"),
            ("unsigned d = min(c, 5);", "c"),
            ("unsigned d = 5 - min(c, 5);", "c"),
            ("unsigned d = 4 - min(c, 5);", "d"),
            ("int e = c + 1; unsigned d = e;", "d"),
            ("int e = c - 1; unsigned d = e;", "d"),
            ("unsigned e = u + 1; unsigned d = e;", "e"),
            ("long d = l; d += 1;", "d"),
            ("long d = (long)u * 2 + n;", "n"),
            ("long d = u + 1;", "d"),
            ("long d = u + 1L;", "u"),
            ("int d = n * 2;", "n"),
            ("int d = 2 * n % 5;", "n"),
            ("int d = (n & 7) + (m | 1) + (s ^ 1);", "d"),
            ("int d = n / (m * m + 1);", "d"),
            ("int d = (c + 1) % (s * s + 1);", "d"),
            ("int d = (n & 1023) << c % 8;", "d"),
            ("int d = n >> b;", "d"),
            ("int d = n; int *p = &d;", "d"),
            ("static int d; d = n;", "d"),
            ("short d = n;", "d"),
            ("int d = data ? 1 : 2;", "d"),
        ],
    );
}
