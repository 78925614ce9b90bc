//! Subscripts that are data, where names may mean the same memory: what is known of them, and what is
//! looked at in front of the region.

use crate::memory::found;
use isl::PwAff;
use tilewright::scop::{Edge, Scop};

const HEAD: &str = "void f(int n, float *y, const float *x, const unsigned char *c, \
    const unsigned *h, int *d, const int *e, int *w)";

fn model(ctx: &isl::Ctx, body: &str) -> Result<Scop, String> {
    let text = format!(
        "{HEAD} {{\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
    );
    found(ctx, &text)
}

/// Whether a bound is this function of `n`, which is positive.
fn is(value: &PwAff, expected: &str) -> bool {
    let ctx = value.ctx();
    let wanted = PwAff::read_from_str(ctx, &format!("[n] -> {{ [({expected})] : n > 0 }}"));
    let positive = isl::Set::read_from_str(ctx, "[n] -> { : n > 0 }").expect("a set");
    let own = value.intersect_params(&positive).expect("a function");
    own.is_equal(&wanted.expect("a function"))
        .expect("a comparison")
}

/// Subscripts of `x` from the first to before the end, without a look at memory.
#[test]
fn subscripts_that_are_limited() {
    let rows = [
        ("y[i] = x[c[i]];", "0", "256"),
        ("y[i] = x[c[i] - 128];", "-128", "128"),
        ("y[i] = x[300 - c[i]];", "45", "301"),
        ("y[i] = x[c[i] / 2];", "0", "128"),
        ("y[i] = x[256 * i + c[i]];", "0", "256n"),
        ("y[i] = x[h[i] % 100];", "0", "100"),
        ("y[i] = x[d[i] % 10 + 9];", "0", "19"),
        ("y[i] = x[d[i] & 63];", "0", "64"),
        ("y[i] = x[h[i] >> 28];", "0", "16"),
        ("y[i] = x[2 * i + (d[i] > 3)];", "0", "2n"),
        ("y[i] = x[d[i] > 0 ? i : n - 1 - i];", "0", "n"),
        ("y[i] = x[d[i] < 0 ? 0 : d[i] > 9 ? 9 : d[i]];", "0", "10"),
        (
            "int k = d[i]; if (k < 0) k = 0; if (k > n) k = n; y[i] = x[k];",
            "0",
            "n + 1",
        ),
        (
            "int k = d[i]; k = k < n ? k : n - 1; y[i] = x[k > 0 ? k : 0];",
            "0",
            "n",
        ),
        (
            "int k = d[i]; if (k >= 0 && k <= n) y[i] = x[k];",
            "0",
            "n + 1",
        ),
        (
            "int k = d[i]; if (!(k < 0 || k > n)) y[i] = x[k];",
            "0",
            "n + 1",
        ),
        // Walks end where their conditions say, and nowhere behind where they begin.
        (
            "int k = i; float s = 0; while (k >= 0 && s < 9) { s += x[k]; k -= 2; } y[i] = s;",
            "0",
            "n",
        ),
        (
            "int k = i; float s = 0; while (k < n && s < 9) { s += x[k + 1]; k++; } y[i] = s;",
            "1",
            "n + 1",
        ),
        (
            "int k = 0; float s = 0; while (s < 9) { if (k + 1 > n) break; s += x[k]; k += 5; } \
             y[i] = s;",
            "0",
            "n",
        ),
        // What was stored in between counts.
        ("int k = c[i]; k = k + 1; y[i] = x[k];", "1", "257"),
        // A temporary that is read under another loop.
        (
            "int k = c[i]; for (int j = 0; j < 4; j++) y[4 * i + j] = x[4 * k + j];",
            "0",
            "1024",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (body, first, end) in rows {
        let scop = model(&ctx, body).unwrap_or_else(|e| panic!("{e}"));
        let pairs = scop.conditions.checks.apart.iter().flatten();
        let mut ranges = pairs.filter(|memory| memory.place == "x");
        let rows = ranges.next().and_then(|memory| memory.rows.as_ref());
        let rows = rows.expect("rows");
        let plain = rows.data.is_empty()
            && rows.inside.is_empty()
            && scop.conditions.checks.surveys.is_empty();
        if !plain || !is(&rows.first, first) || !is(&rows.end, end) {
            wrong.push(format!("{body}: {} to before {}", rows.first, rows.end));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One end of what is looked at.
fn edge(edge: &Edge, expected: &str) -> bool {
    match edge {
        Edge::At(value) => is(value, expected),
        Edge::Least(survey, by) => expected == format!("least {survey} + {by}"),
        Edge::Greatest(survey, by) => expected == format!("greatest {survey} + {by}"),
    }
}

/// An array, the first and the end of its subscripts, the step, and whether it has to be in order.
type LookedAt = (&'static str, &'static str, &'static str, i64, bool);

/// The arrays that are looked at: from where to before where, by which steps, and whether they have to
/// be in order.
#[test]
fn what_is_looked_at() {
    let chain = ("d", "0", "n + 1", 1, true);
    let rows: &[(&str, &[LookedAt])] = &[
        ("y[i] = x[d[i]];", &[("d", "0", "n", 1, false)]),
        ("y[d[i]] = x[i];", &[("d", "0", "n", 1, false)]),
        ("y[i] = x[d[2 * i]];", &[("d", "0", "2n - 1", 2, false)]),
        // All of it is read, so that no steps are needed.
        (
            "y[i] = x[d[2 * i]] + d[2 * i + 1];",
            &[("d", "0", "2n - 1", 1, false)],
        ),
        (
            "y[i] = x[d[i]] - x[d[i + 1]];",
            &[("d", "0", "n", 1, false), ("d", "1", "n + 1", 1, false)],
        ),
        (
            "int k = d[i]; if (k > 2) y[i] = x[k];",
            &[("d", "0", "n", 1, false)],
        ),
        (
            "for (int k = d[i]; k < d[i + 1]; k++) y[i] += x[k];",
            &[("d", "0", "n + 1", 1, false)],
        ),
        (
            "for (int k = d[i]; k < d[i + 1]; k++) y[i] += x[e[k]];",
            &[chain, ("e", "least 0 + 0", "greatest 0 + 0", 1, false)],
        ),
        (
            "for (int k = d[i]; k <= d[i + 1] - 1; k++) y[i] += x[e[k - 1]];",
            &[chain, ("e", "least 0 + -1", "greatest 0 + -1", 1, false)],
        ),
        // Ends that are no neighbours of beginnings: how far `x` is touched is known all the same.
        (
            "for (int k = d[i]; k < e[i]; k++) y[i] += x[k];",
            &[("d", "0", "n", 1, false), ("e", "0", "n", 1, false)],
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (body, expected) in rows {
        let scop = model(&ctx, body).unwrap_or_else(|e| panic!("{e}"));
        let surveys = &scop.conditions.checks.surveys;
        let same = surveys.len() == expected.len()
            && surveys.iter().zip(*expected).all(|(survey, wanted)| {
                let (place, first, end, step, ordered) = *wanted;
                let [sweep] = &survey.loops[..] else {
                    return false;
                };
                survey.place == place
                    && edge(&sweep.first, first)
                    && edge(&sweep.end, end)
                    && (sweep.step, survey.ordered) == (step, ordered)
            });
        if !same {
            wrong.push(format!("{body}: {surveys:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Walks of which nobody knows how far they go.
#[test]
fn walks_without_ends() {
    let rows = [
        "int k = i; float s = 0; while (s < 9) { s += x[k]; k++; } y[i] = s;",
        "int k = i; float s = 0; while (k < n && s < 9) { s += x[k]; k = 2 * k; } y[i] = s;",
        "int k = i; float s = 0; while (k < n && s < 9) { s += x[k]; k += d[i]; } y[i] = s;",
        "int k = i; float s = 0; while (k < n && s < 9) { s += x[k]; k++; if (s > 3) k -= 2; } y[i] = s;",
        // They wrap around.
        "unsigned k = i; float s = 0; while (s < 9) { s += x[k]; k--; } y[i] = s;",
        "short k = 3; float s = 0; while (k < n && s < 9) { s += x[k]; k++; } y[i] = s;",
    ];
    let ctx = isl::Ctx::new();
    for body in rows {
        let errors = model(&ctx, body).expect_err(body);
        assert!(errors.contains("TW0206"), "{body}: {errors}");
    }
}

/// What the original may not read, or may change, is not looked at.
#[test]
fn what_is_not_looked_at() {
    let rows = [
        // Read at what is read.
        "y[i] = x[d[d[i]]];",
        // Under a condition on data, and not in all iterations.
        "if (e[i]) y[i] = x[d[i]];",
        "y[i] = e[i] ? x[d[i]] : 0;",
        "if (i != 3) y[i] = x[d[i]];",
        "if (e[i]) for (int k = d[i]; k < d[i + 1]; k++) y[i] += x[e[k]];",
        // Only some of what lies between the bounds.
        "for (int k = d[i]; k < d[i + 1]; k++) if (k > 5) y[i] += x[e[k]];",
        "for (int k = d[i]; k < d[i + 1]; k++) y[i] += x[e[2 * k]];",
        "for (int k = d[i]; k < e[i]; k++) y[i] += x[e[k]];",
        "for (int k = d[i] + 1; k < d[i + 1]; k++) y[i] += x[e[k]];",
        "for (int k = d[i]; k < d[i + 2]; k++) y[i] += x[e[k]];",
        "for (int k = d[2 * i]; k < d[2 * i + 1]; k++) y[i] += x[e[k]];",
        "for (int k = d[i]; k < d[n - i]; k++) y[i] += x[e[k]];",
        // The region changes it, or what says how far it is looked at.
        "y[i] = x[d[i]]; d[i] = i;",
        "for (int k = d[i]; k < d[i + 1]; k++) w[e[k]] = i;",
    ];
    let ctx = isl::Ctx::new();
    for body in rows {
        let errors = model(&ctx, body).expect_err(body);
        assert!(errors.contains("TW0206"), "{body}: {errors}");
    }
    // A size in memory that may be what is written ends the loops, perhaps before all is read.
    let text = "struct v { int n; int *at; int *in; };\nvoid f(struct v *v, int *y) {\n#pragma scop
for (int i = 0; i < v->n; i++) y[v->at[i]] = v->in[i];\n#pragma endscop\n}";
    let errors = found(&ctx, text).expect_err("a size that may change");
    assert!(errors.contains("`v->n` may be the same memory"), "{errors}");
}

/// What is added each time may be a size, or a product of sizes: then the distance is a product.
#[test]
fn counters_by_sizes() {
    let rows = [
        ("w[k] = d[i]; k += m;", vec!["m"]),
        ("w[k] = d[i]; k += 2 * m;", vec!["2 * m"]),
        ("w[k] = d[i]; k += m << 1;", vec!["2 * m"]),
        ("w[k] = d[i]; if (d[i]) k += m;", vec!["m"]),
        ("w[k] = d[i]; if (d[i]) k += m * p;", vec!["m * p"]),
    ];
    let ctx = isl::Ctx::new();
    for (body, strides) in rows {
        let text = format!(
            "void f(int n, int m, int p, const int *d, int *w) {{\nint k = d[0];\n#pragma scop\n\
             for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\nw[0] = k;\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{body}: {e}"));
        let pieces = scop.conditions.checks.apart.iter().flatten();
        let mut counted = pieces.filter(|memory| memory.place == "w");
        let rows = counted.next().and_then(|memory| memory.rows.as_ref());
        let rows = rows.expect("rows");
        assert_eq!(rows.strides().collect::<Vec<_>>(), strides, "{body}");
    }
}

/// A counter lies between what it holds in front of the region and that plus all that is added.
#[test]
fn counters() {
    let rows = [
        ("if (d[i] > 0) w[k++] = d[i];", "0", "n"),
        ("w[k] = d[i]; k += d[i] > 2;", "0", "n"),
        ("w[k] = d[i]; k -= c[i] & 3;", "-3n", "0"),
        (
            "if (d[i]) w[k++] = 1; else w[k] = d[i]; if (e[i]) k += 2;",
            "0",
            "3n",
        ),
    ];
    let ctx = isl::Ctx::new();
    for (body, least, greatest) in rows {
        let text = format!(
            "{HEAD} {{\nint k = 5;\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {body} }}\n\
             #pragma endscop\nw[0] = k;\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{body}: {e}"));
        let [survey] = &scop.conditions.checks.surveys[..] else {
            panic!("{body}: {:?}", scop.conditions.checks.surveys);
        };
        assert_eq!((&*survey.place, survey.loops.len()), ("k", 0), "{body}");
        let pieces = scop.conditions.checks.apart.iter().flatten();
        let mut counted = pieces.filter(|memory| memory.place == "w");
        let rows = counted.next().and_then(|memory| memory.rows.as_ref());
        let rows = rows.expect("rows");
        // One more element than the last one is.
        assert!(is(&rows.first, least), "{body}: {}", rows.first);
        assert!(
            is(&rows.end, &format!("{greatest} + 1")),
            "{body}: {}",
            rows.end
        );
        assert_eq!(rows.data.len(), 1, "{body}");
    }
}
