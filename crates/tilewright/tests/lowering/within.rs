//! Pointers into rows and into arrays in structures: what is accessed through them stays there, for
//! certain, where a comparison of sizes says so, or is left.

use crate::functions::found;

/// What becomes of it.
#[derive(Debug, PartialEq)]
enum Becomes {
    /// A model for all sizes.
    Whole,
    /// A model where this holds.
    Where(&'static str),
    /// TW0208.
    Left,
}

fn around(region: &str) -> String {
    format!(
        "void *memset(void *, int, unsigned long);
struct s {{ float v[8]; float w[16]; }}; struct e {{ int k; float v[16]; }};
static float t[9][40]; static struct s one; static float r[4][4000];
static void set(float *p, int n) {{ for (int j = 0; j < n; j++) p[j] = j; }}
void f(int n, int m, float (*restrict a)[m], float *restrict b, struct s *restrict many,
       struct e *restrict last, const unsigned char *restrict bytes, const int *restrict index) {{
#pragma scop
    {region}
#pragma endscop
}}"
    )
}

#[test]
fn rows() {
    use Becomes::*;
    let rows = [
        // By subscripts, C says so.
        (
            "for (int i = 0; i < 9; i++) for (int j = 0; j < n; j++) t[i][j] = j;",
            Whole,
        ),
        (
            "for (int i = 0; i < 9; i++) { float *p = t[i]; for (int j = 0; j < 40; j++) p[j] = j; }",
            Whole,
        ),
        (
            "for (int i = 0; i < n; i++) { float *p = a[i]; for (int j = 0; j < m; j++) p[j] = j; }",
            Whole,
        ),
        ("for (int i = 0; i < n; i++) set(a[i], m);", Whole),
        ("for (int i = 0; i < n; i++) set(a[i] + 1, m - 1);", Whole),
        (
            "for (int i = 0; i < 9; i++) { float *p = t[i]; for (int j = 0; j < n; j++) p[j] = j; }",
            Where("n <= 40"),
        ),
        (
            "for (int i = 0; i < 9; i++) { float *p = &t[i][1]; for (int j = 0; j < n; j++) p[j] = j; }",
            Where("n <= 39"),
        ),
        (
            "for (int i = 0; i < 9; i++) set(t[i], n);",
            Where("n <= 40"),
        ),
        (
            "for (int i = 0; i < 9; i++) set(&t[i][4], n);",
            Where("n <= 36"),
        ),
        (
            "for (int i = 0; i < n; i++) { float *p = a[i]; for (int j = 0; j < n; j++) p[j] = j; }",
            Where("m >= n"),
        ),
        (
            "for (int i = 0; i < 9; i++) { float *p = *(t + i); for (int j = 0; j < n; j++) *p++ = j; }",
            Where("n <= 40"),
        ),
        (
            "for (int i = 0; i < 9; i++) memset(t[i], 0, n * sizeof(float));",
            Where("n <= 40"),
        ),
        (
            "for (int i = 0; i < 9; i++) memset(t[i], 0, sizeof t[i]);",
            Whole,
        ),
        // All of an array through its first row.
        ("set(t[0], 9 * 40);", Left),
        ("set(&t[0][0], 9 * 40);", Left),
        (
            "float *p = t[0]; for (int j = 0; j < 360; j++) p[j] = j;",
            Left,
        ),
        (
            "float *p = &t[0][0]; for (int j = 0; j < 360; j++) *p++ = j;",
            Left,
        ),
        (
            "for (int i = 1; i < 9; i++) { float *p = t[i]; for (int j = 0; j < 40; j++) p[j - 1] = j; }",
            Left,
        ),
        (
            "for (int i = 0; i < 8; i++) memset(&t[i][1], 0, sizeof t[i]);",
            Left,
        ),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { float *p = r[1]; p[i * n + j] = j; }",
            Left,
        ),
        // Arrays in structures.
        (
            "float *p = one.v; for (int j = 0; j < 8; j++) p[j] = j;",
            Whole,
        ),
        (
            "float *p = one.v; for (int j = 0; j < n; j++) p[j] = j;",
            Where("n <= 8"),
        ),
        (
            "float *p = one.v; for (int j = 0; j < 24; j++) p[j] = j;",
            Left,
        ),
        (
            "for (int i = 0; i < n; i++) set(many[i].w, m);",
            Where("m <= 16"),
        ),
        (
            "for (int i = 0; i < n; i++) set(last[i].v, m);",
            Where("m <= 16"),
        ),
        ("for (int i = 0; i < n; i++) set(last[i].v, 17);", Left),
        // Data.
        (
            "for (int i = 0; i < 4; i++) { float *p = r[i]; for (int j = 0; j < n; j++) p[bytes[j]] = j; }",
            Whole,
        ),
        (
            "for (int i = 0; i < 4; i++) { float *p = r[i]; for (int j = 0; j < n; j++) p[index[j]] = j; }",
            Left,
        ),
        (
            "for (int i = 0; i < 4; i++) for (int j = 0; j < n; j++) r[i][index[j]] = j;",
            Whole,
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (region, wanted) in rows {
        let right = match found(&ctx, &around(region)) {
            Err(errors) => wanted == Left && errors.contains("error TW0208: a pointer into"),
            Ok(scop) => {
                let checks: Vec<String> = scop
                    .conditions
                    .checks
                    .parameters
                    .iter()
                    .map(|check| format!("{} {:?}", check.kind.name(), check.good))
                    .collect();
                let writes = scop.statements.iter().flat_map(|s| s.accesses.iter());
                let mut writes = writes.filter(|a| a.kind == tilewright::scop::AccessKind::Write);
                let every_row = writes.any(|write| {
                    let rows = write.relation.project_out(isl::DimType::Out, 1, 1);
                    !rows
                        .and_then(|rows| rows.is_single_valued())
                        .unwrap_or(true)
                });
                match wanted {
                    Whole => checks.is_empty() && !every_row,
                    Where(what) => {
                        let mut checks = checks.iter();
                        !every_row
                            && checks.len() == 1
                            && checks.all(|c| c.starts_with("rows") && c.contains(what))
                    }
                    Left => false,
                }
            }
        };
        if !right {
            let is =
                found(&ctx, &around(region)).map(|scop| format!("{:?}", scop.conditions.checks));
            wrong.push(format!(
                "{region}\n{wanted:?}: {}",
                is.unwrap_or_else(|e| e)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
