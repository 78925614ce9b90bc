//! What is written down of the functions that a region calls.

use crate::functions::{calling, found};

/// Functions that are called, in an order in which C knows them, as C that stands on its own.
#[test]
fn functions_are_written_down() {
    let functions = "typedef unsigned char byte; typedef float real;
static int one(void) { return 1; }
static int low(int x) { return (byte)x + one(); }
static real both(real x, int k) {
  real y = x < 0 ? -x : (real)low(k), z;
  for (int j = 0; j < k; j++) { y = y * 2, z = y; if (j > 3) return z; else y += 'a'; }
  for (; k > 0;) k--;
  for (k = 0; k < 2; k++) ;
  while (k < 3) { k++; ; { k += 1; } }
  if (k) { return y; }
  return abs(k);
}
";
    let ctx = isl::Ctx::new();
    let text = calling(functions, "{ a[low(b[i])] = both(a[i], i); a[i] = one(); }");
    let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = scop.calls.callees.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["one", "low", "both"]);
    let definitions: Vec<&str> = scop
        .calls
        .callees
        .iter()
        .map(|c| c.definition.as_str())
        .collect();
    assert_eq!(definitions[0], "int one(void)\n{\n    return 1;\n}\n");
    assert_eq!(
        definitions[1],
        "int low(int x)\n{\n    return (unsigned char)x + one();\n}\n"
    );
    assert_eq!(
        definitions[2],
        "float both(float x, int k)
{
    float y = x < 0 ? -x : (float)low(k);
    float z;
    for (int j = 0; j < k; j++)
    {
        {
            y = y * 2;
            z = y;
        }
        if (j > 3)
        {
            return z;
        }
        else
        {
            y += 'a';
        }
    }
    for (; k > 0; )
    {
        k--;
    }
    for (k = 0; k < 2; k++)
    {
        ;
    }
    while (k < 3)
    {
        k++;
        ;
        {
            k += 1;
        }
    }
    if (k)
    {
        return y;
    }
    return abs(k);
}
"
    );
    let calls: Vec<Vec<String>> = scop.calls.callees.iter().map(|c| c.calls.clone()).collect();
    assert_eq!(
        calls,
        [
            vec![],
            vec!["one".to_owned()],
            vec!["low".to_owned(), "abs".to_owned()]
        ]
    );
    let formulas: Vec<bool> = scop
        .calls
        .callees
        .iter()
        .map(|c| c.formula.is_some())
        .collect();
    assert_eq!(formulas, [true, true, false]);
}

/// What a function of declarations and one result computes.
#[test]
fn functions_as_formulas() {
    let rows = [
        (
            "double g(double x) { return x * 2 + 'a'; }",
            Some((0, "x * 2 + 'a'")),
        ),
        (
            "double g(double x) { double y = -x; return y; }",
            Some((1, "y")),
        ),
        (
            "double g(double x) { return x < 1 ? sqrt(x) : (float)x; }",
            Some((0, "?")),
        ),
        ("double g(double x) { double y; return x; }", None),
        ("double g(double x) { x = 1; return x; }", None),
        ("double g(double x) { return x = 1; }", None),
        ("double g(double x) { return sizeof x; }", None),
        (
            "double g(double x) { if (x > 0) return 1; else return 2; }",
            None,
        ),
        ("double g(double x) { double y = (x = 1); return y; }", None),
    ];
    let ctx = isl::Ctx::new();
    for (functions, expected) in rows {
        let text = calling(functions, "a[i] = g(a[i]);");
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
        let formula = scop.calls.callees[0].formula.as_ref();
        assert_eq!(formula.is_some(), expected.is_some(), "{functions}");
        if let (Some(formula), Some((variables, _))) = (formula, expected) {
            assert_eq!(formula.parameters, ["x"]);
            assert_eq!(formula.variables.len(), variables, "{functions}");
        }
    }
}
