//! Complex numbers and `long double` where only C has them: on devices, in sums, and as arguments of
//! `run`.

use crate::running::{answer, program};

const REGIONS: &str = "#include <complex.h>
static double third(double x) { long double t = x / 3.0L; return t; }
void products(int n, float complex z[restrict n], const float complex w[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) z[i] = z[i] * w[i];
#pragma endscop
}
void constant(int n, double z[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) z[i] = z[i] * 0.1L;
#pragma endscop
}
void helper(int n, double z[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) z[i] = third(z[i]);
#pragma endscop
}
void scalar(int n, double z[restrict n], _Float16 s)
{
#pragma scop
    for (int i = 0; i < n; i++) z[i] = z[i] + (double)s;
#pragma endscop
}
";

/// The region stays on the host, and what it would need is named.
#[test]
fn devices_have_no_such_numbers() {
    let file = program("numbers_devices", REGIONS);
    for target in ["opencl", "cuda", "hip"] {
        let (status, out, messages) = answer(&["compile", &file, "--target", target]);
        assert_eq!(status, 0, "{messages}");
        for said in [
            "`z` is of type float _Complex, which devices do not have",
            "values of type long double are computed, which devices do not have",
            "`third` computes with numbers of another type, which devices do not have",
            "`s` is of type _Float16, which devices do not have",
        ] {
            assert_eq!(messages.matches(said).count(), 1, "{target}: {messages}");
        }
        assert_eq!(out, REGIONS, "{target}");
    }
    let (status, out, messages) = answer(&["compile", &file, "--fork-operations", "0"]);
    assert_eq!((status, &*messages), (0, ""));
    assert_eq!(out.matches("#pragma omp parallel for").count(), 4, "{out}");
}

/// Compilers for devices do not read suffixes with a width, which gcc does.
#[test]
fn devices_have_no_suffixes_with_a_width() {
    let text = "void scale(int n, float a[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] *= 0.5f32;
#pragma endscop
}
";
    let file = program("numbers_suffixes", text);
    let (status, out, messages) = answer(&["compile", &file, "--target", "opencl"]);
    assert_eq!((status, &*out), (0, text), "{messages}");
    let said = "`0.5f32` has a suffix with a width, which devices do not have";
    assert_eq!(messages.matches(said).count(), 1, "{messages}");
}

/// Whatever is allowed, for `double` there is another order, for these there is none.
#[test]
fn sums_are_added_up_as_they_are_written() {
    let text = |ctype: &str| {
        format!(
            "void count(int n, int m, const int b[restrict n], {ctype} h[restrict m],
           const {ctype} v[restrict n])
{{
#pragma scop
    for (int i = 0; i < n; i++) h[b[i]] += v[i];
#pragma endscop
}}
"
        )
    };
    let compiled = |ctype: &str| {
        let name = format!("numbers_{}", ctype.replace(' ', "_"));
        let file = program(&name, &text(ctype));
        let options = [
            "--reductions",
            "atomic",
            "--reassociate",
            "--fork-operations",
            "0",
        ];
        let (status, out, messages) = answer(&[&["compile", &file][..], &options].concat());
        assert_eq!(status, 0, "{ctype}: {messages}");
        out
    };
    assert!(compiled("double").contains("#pragma omp atomic"));
    for ctype in [
        "double _Complex",
        "float _Complex",
        "long double",
        "_Float16",
    ] {
        let out = compiled(ctype);
        assert!(!out.contains("#pragma omp"), "{ctype}: {out}");
    }
}

#[test]
fn run_makes_up_no_such_values() {
    let file = program("numbers_run", REGIONS);
    let (status, _, messages) = answer(&["run", &file, "--param", "n=9", "--function", "products"]);
    assert_ne!(status, 0);
    assert!(
        messages.contains("a value of type `float _Complex`"),
        "{messages}"
    );
}
