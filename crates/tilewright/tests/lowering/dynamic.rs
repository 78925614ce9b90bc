//! Static bounds of loops whose bounds are data: the domain of the statement inside, and which
//! tests it makes.

use crate::{lowered, preprocess, render};
use tilewright::scop::{Action, Scop};

const LESSER: &str = "static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
void __pencil_assume(int condition); void *malloc(unsigned long);
extern int sized[100]; extern long unsized[]; extern int outside; void change(void);";

fn scop(ctx: &isl::Ctx, loops: &str) -> Scop {
    let text = format!(
        "{LESSER}
void f(int n, int m, int first[restrict n], int length[restrict n], int *restrict data,
       double a[restrict n][m], double list[restrict m], double *restrict open,
       const unsigned *restrict natural, const long *restrict far, const unsigned long *restrict sizes,
       const short *restrict narrow, const unsigned char *restrict bytes, const signed char *restrict tiny)
{{
    double *own = malloc(8 * n), *whole = list, *both = malloc(8); int *known = sized, *other = data;
    int *cast = (int *)sized, *cast_twice = (int *)(void *)sized, *cast_open = (int *)data;
    int *late = 0, *none = 0, *moved = sized, *held = sized, **holder = &held;
    late = (int *)malloc(8); moved += 1;
    both = open; long *unknown = unsized;
    struct size {{ int n; }} size, *at = &size; int count = 100; size.n = 100;
    double kept[count], cut[size.n], less[at->n], other_size[outside];
    size.n = 9; change();
#pragma scop
    for (int i = 0; i < n; i++) {{
        {loops}
    }}
#pragma endscop
}}
"
    );
    let source = preprocess(&text);
    match lowered(ctx, &source) {
        Ok(found) => found.scop,
        Err(errors) => panic!("{loops}\n{}", render(&source, &errors)),
    }
}

/// How many tests stand around the last statement.
fn tests(scop: &Scop) -> usize {
    let mut count = 0;
    let mut body = scop.statements.last().unwrap().body.as_slice();
    while let [Action::If { then, .. }] = body {
        count += 1;
        body = then;
    }
    count
}

/// The domain of the last statement, under the region's assumptions, and its number of tests.
fn check(loops: &str, domain: &str, expected: usize) {
    let ctx = isl::Ctx::new();
    let scop = scop(&ctx, loops);
    let last = scop.statements.last().unwrap();
    let text = format!(
        "[n, m] -> {{ {}[i, j] : 0 <= i < n and {domain} }}",
        last.name
    );
    let wanted = isl::Set::read_from_str(&ctx, &text).unwrap();
    let positive = isl::Set::read_from_str(&ctx, "[n, m] -> { : n > 0 and m > 0 }").unwrap();
    let found = last.domain.intersect_params(&positive).unwrap();
    let wanted = wanted.intersect_params(&positive).unwrap();
    assert!(found.is_equal(&wanted).unwrap(), "{loops}: {found}");
    assert_eq!(tests(&scop), expected, "{loops}");
}

/// From the extent of an array that every iteration subscripts with the variable.
#[test]
fn extents_are_bounds() {
    check(
        "for (int j = 0; j < length[i]; j++) list[j] = 1;",
        "0 <= j < m",
        1,
    );
    check(
        "for (int j = first[i]; j < length[i]; j++) list[j] = 1;",
        "0 <= j < m",
        2,
    );
    check(
        "for (int j = 1; j <= length[i]; j++) list[j - 1] = 1;",
        "1 <= j <= m",
        1,
    );
    // One more subscript, one more bound.
    check(
        "for (int j = 0; j < length[i]; j++) list[j + i] = a[i][j];",
        "0 <= j < m - i",
        1,
    );
}

/// An access that some iterations leave out bounds nothing: the type does.
#[test]
fn conditional_accesses_are_no_bounds() {
    let most = i32::MAX;
    check(
        "for (int j = 0; j < length[i]; j++) if (data[j]) list[j] = 1;",
        &format!("0 <= j < {most}"),
        2,
    );
    check(
        "for (int j = 0; j < length[i]; j++) open[j] = 1;",
        &format!("0 <= j < {most}"),
        1,
    );
}

/// The affine operand of a minimum is a bound without a test, the other one is tested; so for a
/// maximum in front, and for both spellings. Extents are looked at only where nothing else bounds.
#[test]
fn operands_of_minima_count_by_themselves() {
    for bound in [
        "min(n, length[i])",
        "min(length[i], n)",
        "(n < length[i] ? n : length[i])",
    ] {
        let loops = format!("for (int j = 0; j < {bound}; j++) list[j] = 1;");
        check(&loops, "0 <= j < n", 1);
    }
    check(
        "for (int j = max(i, first[i]); j < m; j++) list[j] = 1;",
        "i <= j < m",
        1,
    );
    check(
        "for (int j = first[i]; j < m && j < length[i]; j++) list[j] = 1;",
        "0 <= j < m",
        2,
    );
    for (bound, domain) in [
        ("(length[i] < n ? length[i] : n)", "0 <= j < n"),
        ("(length[i] <= n ? length[i] : n)", "0 <= j < n"),
        ("(n > length[i] ? length[i] : n)", "0 <= j < n"),
        ("(n >= length[i] ? length[i] : n)", "0 <= j < n"),
        ("(length[i] < 'c' ? length[i] : 'c')", "0 <= j < 99"),
        ("min(min(length[i], n), data[i])", "0 <= j < n"),
        ("min(length[i], 7)", "0 <= j < 7"),
        ("min(natural[i], 7)", "0 <= j < 7"),
        ("min(7, natural[i])", "0 <= j < 7"),
        ("(7 < natural[i] ? 7 : natural[i])", "0 <= j < 7"),
        ("min(natural[i], n)", "0 <= j < m"),
        ("min(natural[i], -7)", "0 <= j < m"),
        // No minima, or none without a conversion.
        ("(length[i] < n ? n : length[i])", "0 <= j < m"),
        ("(n > length[i] ? n : length[i])", "0 <= j < m"),
        ("(n == length[i] ? n : length[i])", "0 <= j < m"),
        ("(n < m ? n : length[i])", "0 <= j < m"),
        ("(n < length[i] ? n : data[i])", "0 <= j < m"),
        ("(n > length[i] ? length[i] : data[i])", "0 <= j < m"),
        ("(n > length[i] ? data[i] : n)", "0 <= j < m"),
        ("(data[i] > length[i] ? length[i] : n)", "0 <= j < m"),
        ("(length[i] < n ? data[i] : n)", "0 <= j < m"),
        ("(length[i] < n ? n : data[i])", "0 <= j < m"),
        ("(length[i] < n ? data[i] : length[i])", "0 <= j < m"),
        ("(n < length[i] ? m : length[i])", "0 <= j < m"),
        ("(data[i] < 'c' ? data[i] : 'd')", "0 <= j < m"),
        ("(natural[i] < n ? natural[i] : n)", "0 <= j < m"),
        ("max(n, min(length[i], 7))", "0 <= j < m"),
    ] {
        let loops = format!("for (int j = 0; j < {bound}; j++) list[j] = 1;");
        let both = bound.starts_with("min(min");
        check(&loops, domain, if both { 2 } else { 1 });
    }
    for (first, domain) in [
        ("(i > first[i] ? i : first[i])", "i <= j < m"),
        ("(first[i] <= i ? i : first[i])", "i <= j < m"),
        ("(i < first[i] ? i : first[i])", "0 <= j < m"),
        ("(i > first[i] ? i : data[i])", "0 <= j < m"),
        ("(i > first[i] ? data[i] : first[i])", "0 <= j < m"),
        ("(i < first[i] ? first[i] : data[i])", "0 <= j < m"),
        ("(first[i] < i ? i : data[i])", "0 <= j < m"),
        ("(first[i] < i ? data[i] : first[i])", "0 <= j < m"),
        ("(first[i] <= i ? first[i] : i)", "0 <= j < m"),
        ("min(i, first[i])", "0 <= j < m"),
    ] {
        let loops = format!("for (int j = {first}; j < m; j++) list[j] = 1;");
        check(&loops, domain, 1);
    }
    // A maximum at the end bounds nothing by its operands.
    check(
        "for (int j = 0; j < max(n, length[i]); j++) list[j] = 1;",
        "0 <= j < m",
        1,
    );
}

/// What is assumed of the data: strict or not, on either side, alone or with others.
#[test]
fn assumptions_are_bounds() {
    for (assumed, last) in [
        ("length[i] <= 8", 7),
        ("length[i] < 8", 6),
        ("8 >= length[i]", 7),
        ("n > 1 && length[i] <= 8", 7),
    ] {
        check(
            &format!(
                "__pencil_assume({assumed}); for (int j = 0; j < length[i]; j++) open[j] = 1;"
            ),
            &format!("0 <= j <= {last}"),
            1,
        );
    }
}

/// Loops that count down have first values above their last.
#[test]
fn loops_down() {
    check(
        "for (int j = length[i]; j >= 0; j--) list[j] = 1;",
        "0 <= j < m",
        1,
    );
    check(
        "for (int j = m - 1; j > first[i]; j--) list[j] = 1;",
        "0 <= j < m",
        1,
    );
    // The end that is not data bounds the loop by itself.
    for (end, domain) in [
        ("j > 2 && j > first[i]", "2 < j < m"),
        ("j >= 2 && j > first[i]", "2 <= j < m"),
        ("first[i] <= j && 2 < j", "2 < j < m"),
        ("first[i] <= j && i <= j", "i <= j < m"),
    ] {
        let loops = format!("for (int j = m - 1; {end}; j--) open[j] = 1;");
        check(&loops, domain, 1);
    }
    for (end, domain) in [
        ("j < 7 && j < length[i]", "0 <= j < 7"),
        ("j <= 7 && j < length[i]", "0 <= j <= 7"),
        ("length[i] >= j && 7 > j", "0 <= j < 7"),
        ("length[i] >= j && n >= j", "0 <= j <= n"),
    ] {
        let loops = format!("for (int j = 0; {end}; j++) open[j] = 1;");
        check(&loops, domain, 1);
    }
    // One that wraps around nowhere is above zero; one that may is compared as it is.
    for (loops, domain) in [
        (
            "for (int j = m; j > (int)bytes[i]; j--) open[j] = 1;",
            format!("{} < j <= m", i32::MIN),
        ),
        (
            "for (unsigned j = 9; j > natural[i]; j--) open[j] = 1;",
            "0 < j <= 9".to_owned(),
        ),
        (
            "for (unsigned j = 9; j > (unsigned)n && j > natural[i]; j--) open[j] = 1;",
            "n < j <= 9".to_owned(),
        ),
    ] {
        check(loops, &domain, 1);
    }
}

/// A bound that is data leaves the values of the variable's type; the greatest is compared, and is
/// no iteration's.
#[test]
fn types_are_bounds() {
    let addresses = 1_i64 << 57;
    let rows = [
        (
            "for (unsigned char j = 0; j < bytes[i]; j++) open[j] = 1;",
            "0 <= j < 255".to_owned(),
            1,
        ),
        (
            "for (unsigned char j = 1; j < bytes[i]; j++) list[j] = 1;",
            "0 < j < 255 and j < m".into(),
            1,
        ),
        (
            "for (signed char j = tiny[i]; j < 9; j++) open[j] = 1;",
            "-128 <= j < 9".into(),
            1,
        ),
        (
            "for (signed char j = tiny[i]; j < tiny[n]; j++) open[j] = 1;",
            "-128 <= j < 127".into(),
            2,
        ),
        (
            "for (short j = narrow[i]; j < narrow[n]; j++) open[j] = 1;",
            "-32768 <= j < 32767".into(),
            2,
        ),
        (
            "for (unsigned j = 0; j < natural[i]; j++) open[j] = 1;",
            "0 <= j < 4294967295".into(),
            1,
        ),
        (
            "for (unsigned j = natural[i]; j < 9; j++) open[j] = 1;",
            "0 <= j < 9".into(),
            1,
        ),
        (
            "for (int j = first[i]; j < 9; j++) open[j] = 1;",
            format!("{} <= j < 9", i32::MIN),
            1,
        ),
        (
            "for (int j = first[i]; j > 3; j--) open[j] = 1;",
            format!("3 < j <= {}", i32::MAX),
            1,
        ),
        (
            "for (int j = 7; j > first[i]; j--) open[j] = 1;",
            format!("{} < j <= 7", i32::MIN),
            1,
        ),
        (
            "for (long j = 0; j < far[i]; j++) open[i] = 1;",
            format!("0 <= j < {}", i64::MAX),
            1,
        ),
        (
            "for (long j = far[i]; j < 9; j++) open[i] = 1;",
            format!("{} < j < 9", i64::MIN),
            1,
        ),
        (
            "for (long j = 0; j < far[i]; j++) open[j] = 1;",
            format!("0 <= j <= {addresses}"),
            1,
        ),
        (
            "for (long j = far[i]; j < 9; j++) open[j + 5] = 1;",
            format!("-{addresses} <= j < 9"),
            1,
        ),
        (
            "for (long j = 0; j < far[i]; j++) open[j + n] = 1;",
            format!("0 <= j < {}", i64::MAX),
            1,
        ),
        (
            "for (unsigned char j = bytes[i]; j < 9; j++) open[j] = 1;",
            "0 <= j < 9".into(),
            1,
        ),
        (
            "for (long j = far[i]; j > 3; j--) open[i] = 1;",
            format!("3 < j < {}", i64::MAX),
            1,
        ),
        (
            "for (long j = 9; j > far[i]; j--) open[i] = 1;",
            format!("{} < j <= 9", i64::MIN),
            1,
        ),
        (
            "for (long j = 9; j > far[i]; j--) open[j] = 1;",
            format!("-{addresses} <= j <= 9"),
            1,
        ),
        (
            "for (unsigned long j = 0; j < sizes[i]; j++) list[j] = 1;",
            format!("0 <= j <= {addresses} and j < m"),
            1,
        ),
        (
            "for (long j = 0; j < far[i]; j++) open[j] = list[j + n];",
            "0 <= j < m - n".into(),
            1,
        ),
        (
            "for (unsigned long j = 0; j < sizes[i]; j++) open[j] = 1;",
            format!("0 <= j <= {addresses}"),
            1,
        ),
    ];
    for (loops, domain, tests) in rows {
        check(loops, &domain, tests);
    }
}

/// What stands in front of where a pointer points is its array's, unless it points at the beginning.
#[test]
fn pointers_at_the_beginning_of_arrays() {
    let least = i32::MIN;
    for (place, begins) in [
        ("own", true),
        ("list", true),
        ("known", true),
        ("sized", true),
        ("cast", true),
        ("cast_twice", true),
        ("cast_open", false),
        ("late", true),
        ("none", false),
        ("moved", false),
        ("held", false),
        ("open", false),
        ("whole", true),
        ("both", false),
        ("other", false),
        ("unknown", false),
    ] {
        let loops = format!("for (int j = first[i]; j < 9; j++) {place}[j + 2] = 1;");
        let domain = match begins {
            true => "-2 <= j < 9".to_owned(),
            false => format!("{least} <= j < 9"),
        };
        check(&loops, &domain, 1);
    }
}

/// An array keeps the extent that it was declared with, whatever comes of the variables in it.
#[test]
fn extents_of_variables_that_change() {
    let most = i32::MAX;
    for (place, domain) in [
        ("kept", "0 <= j < 100".to_owned()),
        ("cut", format!("0 <= j < {most}")),
        ("less", format!("0 <= j < {most}")),
        ("other_size", format!("0 <= j < {most}")),
    ] {
        let ctx = isl::Ctx::new();
        let loops = format!("for (int j = 0; j < length[i]; j++) {place}[j] = 1;");
        let scop = scop(&ctx, &loops);
        let last = scop.statements.last().unwrap();
        let text = format!("[n] -> {{ {}[i, j] : 0 <= i < n and {domain} }}", last.name);
        let wanted = isl::Set::read_from_str(&ctx, &text).unwrap();
        let same = last.domain.is_equal(&wanted).unwrap();
        assert!(same, "{loops}: {}", last.domain);
    }
}

/// Accesses that every iteration makes, whatever stands around them.
#[test]
fn accesses_of_every_iteration() {
    let most = i32::MAX;
    let always = [
        "{ list[j] = 1; }",
        "{ double t = list[j]; open[j] = t; }",
        "open[j] = -list[j];",
        "open[j] = list[j] > 0 && data[j];",
        "open[j] = list[j] > 0 ? 1 : 2;",
        "open[j] = (double)(list[j] + 1);",
        "open[data[0]] = list[j];",
        "list[j] += 1;",
        "list[j]++;",
        "{ { list[j] = 1; } }",
        "open[list[j] > 0 ? 1 : 2] = 1;",
        "if (1) list[j] = 1;",
    ];
    for body in &always[..11] {
        let loops = format!("for (int j = 0; j < length[i]; j++) {body}");
        check(&loops, "0 <= j < m", 1);
    }
    // Where nothing else is in an iteration, so does a loop in it, or there is nothing to do.
    for body in [
        "for (int k = 0; k < 9; k++) list[j] = 1;",
        "for (int k = 0; k < 9; k++) { double t = list[j]; open[k] = t; }",
        "for (int k = 0; k < 9; k++) for (int l = 0; l < n; l++) list[j] = 1;",
        "{ for (int k = 0; k < data[i]; k++) list[j] = 1; }",
    ] {
        let ctx = isl::Ctx::new();
        let scop = scop(&ctx, &format!("for (int j = 0; j < length[i]; j++) {body}"));
        let last = scop.statements.last().unwrap();
        let dims = last.domain.dim(isl::DimType::Set).unwrap();
        let outer = last.domain.project_out(isl::DimType::Set, 2, dims - 2);
        let wanted = "[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }";
        let wanted = isl::Set::read_from_str(&ctx, wanted).unwrap();
        assert!(outer.unwrap().is_subset(&wanted).unwrap(), "{body}");
    }
    let sometimes = [
        "open[j] = data[j] && list[j] > 0;",
        "open[j] = data[j] || list[j] > 0;",
        "open[j] = data[j] ? list[j] : 1;",
        "open[j] = data[j] ? 1 : list[j];",
        "open[j] = sizeof list[j];",
        "{ double list[9]; list[j] = 1; open[j] = list[j]; }",
        "list[2 * j] = 1;",
        "list[data[j]] = 1;",
        "list[i] = 1;",
        "{ open[j] = 1; for (int k = 0; k < 9; k++) list[j] = 1; }",
        "if (data[j]) for (int k = 0; k < 9; k++) list[j] = 1;",
        "for (int k = 0; k < 9; k++) if (data[k]) list[j] = 1;",
    ];
    for body in sometimes {
        let loops = format!("for (int j = 0; j < length[i]; j++) {body}");
        let ctx = isl::Ctx::new();
        let scop = scop(&ctx, &loops);
        let domain = &scop.statements.last().unwrap().domain;
        let greatest = domain.dim_max_val(1).expect("a number").to_i64();
        assert_eq!(greatest, Some(i64::from(most) - 1), "{body}");
    }
}
