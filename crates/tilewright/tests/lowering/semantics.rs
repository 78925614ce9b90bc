//! Domains, order and accesses of the model against the loops executed step by step.

use isl::DimType;

use crate::execute::Machine;
use crate::{lowered, preprocess, render, unit};
use tilewright::scop::{AccessKind, BinaryOp, Expr, Scop, UnaryOp};

/// The values of every parameter that are tried.
const VALUES: [i64; 6] = [-2, 0, 1, 3, 6, 9];

/// Compares a region inside a function of `n`, `m` and arrays with its execution, for many values
/// of `n` and `m`.
fn compare(region: &str) {
    let text = format!(
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n\
         #define MAX(a, b) ((a) > (b) ? (a) : (b))\n\
         int min(int, int); int max(int, int); int abs(int);\n\
         int floord(int, int); int ceild(int, int);\n\
         void f(int n, int m, int A[restrict 99], int B[restrict 99][99], int *restrict L)\n\
         {{\n    int i, j, h = n / 2 + 1;\n    i = j = 0;\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    );
    let source = preprocess(&text);
    let unit = unit(&source);
    let ctx = isl::Ctx::new();
    let lowered =
        lowered(&ctx, &source).unwrap_or_else(|e| panic!("{region}\n{}", render(&source, &e)));
    crate::examples::check(&lowered.scop);
    let mut compared = 0;
    for n in VALUES {
        for m in VALUES {
            let values = [("n", n), ("m", m), ("h", n / 2 + 1)];
            let mut context = lowered.scop.context.clone();
            let quotients = lowered.scop.params.iter().filter_map(|param| {
                let (form, divisor) = param.spelling.rsplit_once(" / ")?;
                let value = linear(form.trim_matches(['(', ')']), &values);
                let divisor: i64 = divisor.parse().expect("a number");
                Some((param.name.as_str(), value / divisor))
            });
            for (name, value) in values.into_iter().chain(quotients) {
                if let Some(at) = context
                    .find_dim_by_name(DimType::Param, name)
                    .expect("a position")
                {
                    let value = i32::try_from(value).expect("small");
                    context = context.fix_si(DimType::Param, at, value).expect("a set");
                }
            }
            if context.is_empty().expect("a check") {
                continue;
            }
            let mut machine = Machine::new(&unit, &values);
            for stmt in &unit.regions[0].statements {
                machine.run(stmt);
            }
            compare_at(&lowered.scop, &context, &machine, &values, region);
            compared += machine.events.len();
        }
    }
    assert!(compared > 0, "nothing ran: {region}");
}

/// The value of `2L * n - m + 3L`.
fn linear(text: &str, values: &[(&str, i64)]) -> i64 {
    let mut sum = 0;
    let text = text.replace("(long)", "");
    for term in text.replace("- ", "+ -").split('+') {
        let (sign, term) = match term.trim().strip_prefix('-') {
            Some(term) => (-1, term),
            None => (1, term.trim()),
        };
        let factors = term.split('*').map(|factor| {
            let known = values.iter().find(|(name, _)| *name == factor.trim());
            let number = || factor.trim().trim_end_matches('L').parse();
            known.map_or_else(|| number().expect("a number"), |(_, v)| *v)
        });
        sum += sign * factors.product::<i64>();
    }
    sum
}

fn compare_at(
    scop: &Scop,
    context: &isl::Set,
    machine: &Machine<'_>,
    values: &[(&str, i64)],
    region: &str,
) {
    let order = scop.schedule.get_map().expect("a schedule");
    let mut instances = Vec::new();
    for (number, statement) in scop.statements.iter().enumerate() {
        let domain = statement.domain.intersect_params(context).expect("a set");
        for point in domain.points().expect("points") {
            let here = isl::Set::from_point(&point).expect("a set");
            let time = isl::UnionSet::from_set(&here).expect("a union");
            let time = time.apply(&order).expect("an image");
            let time = time.sets().expect("sets")[0].points().expect("points");
            let time = time[0].coordinates().expect("numbers");
            let coordinates = point.coordinates().expect("numbers");
            let count = statement.iterators.len();
            instances.push((
                time[time.len() - schedule_depth(&time, &order)..].to_vec(),
                number,
                coordinates[coordinates.len() - count..].to_vec(),
                here,
            ));
        }
    }
    instances.sort_by(|a, b| a.0.cmp(&b.0));
    let what = |at: usize| format!("{values:?}, step {at} of\n{region}");
    assert_eq!(instances.len(), machine.events.len(), "{}", what(0));
    for (at, (instance, event)) in instances.iter().zip(&machine.events).enumerate() {
        let statement = &scop.statements[instance.1];
        assert_eq!(instance.2, event.iterators, "{}", what(at));
        assert_eq!(statement.span, event.span, "{}", what(at));
        for (name, subscripts, written) in &event.cells {
            let kind = if *written {
                AccessKind::Write
            } else {
                AccessKind::Read
            };
            let mut found = false;
            for access in statement.accesses.iter().filter(|a| a.kind == kind) {
                let array = &scop.arrays[access.array];
                if array.base != *name {
                    continue;
                }
                let cells = instance.3.apply(&access.relation).expect("an image");
                if cells.dim_is_unbounded() {
                    found = true;
                    continue;
                }
                for cell in cells.points().expect("points") {
                    let cell = cell.coordinates().expect("numbers");
                    let cell = cell[cell.len() - array.extents.len()..].to_vec();
                    let mut cell = cell;
                    if let Some(linear) = array.layout.linear() {
                        let parts = cell[linear.dims()].iter().zip(&linear.strides);
                        let place = parts.map(|(c, s)| c * sum(&s.text, values)).sum();
                        cell.splice(linear.dims(), [place]);
                    }
                    found |= cell == *subscripts;
                }
            }
            assert!(found, "{name}{subscripts:?} ({written}) at {}", what(at));
        }
        for access in statement.accesses.iter().filter(|a| a.exact) {
            let cells = instance.3.apply(&access.relation).expect("an image");
            let cells = cells.points().expect("points");
            assert_eq!(cells.len(), 1, "{}", what(at));
            // The subscripts' texts say the same.
            let cell = cells[0].coordinates().expect("numbers");
            for (subscript, cell) in access.subscripts.iter().zip(&cell) {
                if let Some(value) = value(scop, subscript, &instance.2, values) {
                    assert_eq!(value, *cell, "{subscript:?}, {}", what(at));
                }
            }
        }
    }
}

/// The value of a subscript's text; `None` for what is not computed here.
fn value(scop: &Scop, expr: &Expr, iterators: &[i64], values: &[(&str, i64)]) -> Option<i64> {
    let of = |e: &Expr| value(scop, e, iterators, values);
    Some(match expr {
        Expr::Literal(text) => text.parse().ok()?,
        Expr::Iterator(at) => iterators[*at],
        Expr::Param(id) => {
            let name = &scop.params[*id].name;
            values.iter().find(|(known, _)| known == name)?.1
        }
        Expr::Invariant(name) => values.iter().find(|(known, _)| known == name)?.1,
        Expr::Unary(UnaryOp::Minus, a) => -of(a)?,
        Expr::Unary(UnaryOp::Plus, a) | Expr::Cast(_, a) => of(a)?,
        Expr::Binary(op, a, b) => {
            use BinaryOp::{Add, Mul, Sub};
            let (a, b) = (of(a)?, of(b)?);
            match op {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                _ => return None,
            }
        }
        _ => return None,
    })
}

trait Bounded {
    fn dim_is_unbounded(&self) -> bool;
}

impl Bounded for isl::Set {
    fn dim_is_unbounded(&self) -> bool {
        !self.is_empty().expect("a check") && !self.is_bounded().expect("a check")
    }
}

/// Points list parameters first; schedules are padded to one length by isl.
fn schedule_depth(time: &[i64], order: &isl::UnionMap) -> usize {
    let maps = order.maps().expect("maps");
    let depth = maps[0].dim(DimType::Out).expect("a number");
    depth.min(time.len())
}

/// The value of a sum of products of names and numbers.
fn sum(text: &str, values: &[(&str, i64)]) -> i64 {
    let text = text.replace("- ", "+ -1 * ");
    let product = |part: &str| -> i64 {
        let factors = part.split('*').map(|factor| {
            let factor = factor.trim();
            factor.parse().unwrap_or_else(|_| {
                values
                    .iter()
                    .find(|(n, _)| *n == factor)
                    .expect("a value")
                    .1
            })
        });
        factors.product()
    };
    text.split('+').map(product).sum()
}

#[test]
fn steps_up_and_down() {
    compare("for (i = 0; i < n; i++) A[i] = i;");
    compare("for (i = n - 1; i >= 0; --i) A[i] = i;");
    compare("for (int k = m; k <= n; k += 3) A[k + 3] = k;");
    compare("for (int k = n; k > m; k = k - 2) A[k + 3] = k;");
    compare("for (int k = n; m <= k; k -= 4) A[k + 3] = k;");
    compare("for (int k = 1; n >= k; k = 2 + k) A[k] = k;");
}

#[test]
fn conditions_of_every_kind() {
    compare("{ if (n >= 0) for (int k = 0; k != n; k++) A[k] = k; }");
    compare("for (int k = 0; k < n && k < m; k++) A[k] = k;");
    compare("for (int k = 0; k < n && m > 2; k++) A[k] = k;");
    compare("for (int k = 0; 2 * k < n; k++) A[k] = k;");
    compare("for (int k = 0; k < n && k % 4 != 3; k++) A[k] = k;");
    compare("for (int k = 0; k < n && k != m; k++) A[k] = k;");
    compare("for (int k = 0; k < n || k < m; k++) A[k] = k;");
    compare("for (int k = n; k > 0 && !(k == m); k -= 2) A[k] = k;");
    compare("for (int k = 0; k == 0; k++) A[k] = n;");
}

#[test]
fn bounds_with_minima_divisions_and_remainders() {
    compare("for (i = MAX(0, m - 4); i < MIN(n, m + 4); i++) A[i] = i;");
    compare("for (i = max(0, min(n, m)); i < abs(n - m); i++) A[i] = i;");
    compare("for (i = (n - 5) / 3; i < n; i++) A[i + 9] = i;");
    compare("for (i = n % 4; i < (m - 7) % 5 + 6; i++) A[i + 9] = i;");
    compare("for (i = floord(n - 7, 3); i <= ceild(m, 2); i++) A[i + 9] = i;");
    compare("for (i = n / -3; i < (n > m ? n - m : h); i++) A[i + 9] = i;");
    compare("for (i = 0; i < (n << 1) - (m & 3); i++) A[i] = i;");
    compare("for (i = (n - 9) >> 2; i < 4 - (n < m); i++) A[i + 9] = i;");
}

#[test]
fn nests_and_order() {
    compare("for (i = 0; i < n; i++) for (j = i; j >= 0; j--) B[i][j] = B[i][j + 1] + A[j];");
    compare(
        "for (i = 0; i < n; i++) { A[i] = 0; for (j = i; j < m; j += 2) A[i] += B[j][i]; A[i]++; }",
    );
    compare("A[0] = 1; for (i = 0; i < n; i++) { A[i] = 2; } A[1] = 3;");
    compare(
        "for (i = n; i > 0; i--) { for (j = 0; j < i; j++) B[i][j] = 1; for (j = i; j < m; j++) B[j][i] = 2; }",
    );
    compare(
        "for (i = 0; i < n; i++) { for (j = 2 * i; j < m; j += 2) if ((i + j) % 3 == 0) B[i][j] = 1; }",
    );
}

#[test]
fn affine_conditions() {
    compare("for (i = 0; i < n; i++) { if (i < m) A[i] = 1; else A[i + 1] = 2; }");
    compare("for (i = 0; i < n; i++) { if (i > 0 && i < m || i == h) A[i] = 1; else A[i] = 2; }");
    compare("for (i = 0; i < n; i++) { if (!(i % 2)) A[i] = 1; if (i % 3) A[i] = 2; }");
    compare("for (i = 0; i < n; i++) { if (i != m) A[i] = 1; if ((i == m) == 0) A[i] = 2; }");
    compare(
        "for (i = 0; i < n; i++) { if (i / 2 * 2 == i) { if (i > m) { A[i] = 1; } else if (i + 3 > m) A[i] = 2; else A[i] = 3; } }",
    );
    compare("for (i = 0; i < n; i++) { const int k = i > 1 ? i - 2 : 0; if (k < m) A[k] = A[i]; }");
}

#[test]
fn subscripts_of_every_kind() {
    compare("for (i = 0; i < n; i++) *(A + i) = *(A + n - i) + *A;");
    compare("for (i = 0; i < n; i++) A[i] = i == 0 ? A[i] : A[i - 1];");
    compare("for (i = 0; i < n; i++) B[i / 2][(i + 1) % 3] = B[n - i][i > m ? i - m : m - i];");
    compare(
        "for (i = 0; i < n; i++) for (j = 0; j < m; j++) L[i * m + j] = L[(n - 1 - i) * m + j];",
    );
    compare(
        "for (i = 0; i < 2; i++) for (j = 0; j < n; j++) for (int k = 0; k < m; k++) L[(i * n + j) * m + k] = i;",
    );
    compare(
        "for (i = 0; i < n; i++) for (j = 1; j <= m; j++) L[i * (m + 2) + j] = L[i * (m + 2) + j + 1];",
    );
    compare(
        "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (int c = 0; c < 3; c++) L[(i * m + j) * 3 + c] = c;",
    );
    compare("for (i = 0; i < n; i++) for (j = 0; j < m + 1; j++) L[i * m + j] = 1;");
    compare("for (i = 0; i < n; i++) for (j = 0; j < m; j++) L[(i * m + j) * -2] = 1;");
    compare("for (i = 2; i < n; i++) { if (m > 0) L[i * m - 2 * m] = L[0]; }");
    compare(
        "for (i = 2; i < n; i++) L[2 * i * m - 3 * m + m * h] = L[-(i * m) + m * (n + 1) - m];",
    );
    compare("for (i = 2; i < n; i++) L[i * n * m - 2 * n * m + i * (m - 3)] = 1;");
    compare(
        "for (i = 0; i < n; i++) { const int row = i * m; for (j = 0; j < m; j++) L[row + j] = L[j]; }",
    );
}

/// Remainders and quotients by sizes, and by large constants, that are reached once at most.
#[test]
fn remainders_around_a_ring() {
    compare("for (i = 0; i < n; i++) A[(i + 1) % n] = A[(i + n - 1) % n];");
    compare("for (i = 1 - n; i < 2 * n; i++) A[i % n + n] = A[i / n + 1];");
    compare("for (i = 0; i < n; i++) { if ((i + 1) % n < m) A[i] = 1; else A[i + 1] = 2; }");
    compare(
        "for (i = 0; i < n; i++) for (j = 0; j < n + m; j++) B[i][j % (n + m)] = B[j / (n + m)][i];",
    );
    compare("for (i = 0; i < 40; i++) A[(i + 7) % 40] = A[(i + 39) % 40] + A[(i - 3) % 20 + 20];");
    compare("for (i = 0; i < 40; i++) A[i % 20 + i / 16] = A[(i + 1) / 32] + n;");
}
