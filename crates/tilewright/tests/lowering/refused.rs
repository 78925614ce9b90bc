//! Refusals whose help is put in, and those for want of time.

use crate::{lowered, preprocess, render};

/// What the help says is C, and accepted in place of what was refused.
#[test]
fn pointers_as_asked_for() {
    let parameters = [
        "double *a, const double *b",
        "double a[n], const double b[row[n]]",
        "double a[], const double b[2 * row[0]]",
        "double *const a, double b[static 1]",
    ];
    for parameters in parameters {
        let mut text = format!(
            "void f(int n, const int *restrict row, {parameters}) {{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++)
      a[i] += b[row[row[j]]];
#pragma endscop
}}"
        );
        let source = preprocess(&text);
        let errors = lowered(&isl::Ctx::new(), &source).err().unwrap_or_default();
        let [error] = &errors[..] else {
            panic!("{text}: {} messages", errors.len());
        };
        let place = error.labels.iter().find(|l| l.primary).expect("a place");
        let rewrite = error.rewrite.as_ref().expect("a rewrite");
        text.replace_range(place.start..place.end, rewrite);
        let source = preprocess(&text);
        lowered(&isl::Ctx::new(), &source)
            .unwrap_or_else(|e| panic!("{text}: {}", render(&source, &e)));
    }
}

/// A region whose analysis explodes ends with a message, in time.
#[test]
fn budget() {
    let source = preprocess(
        "void f(int n, int m, float a[restrict n]) {\n\
         #pragma scop\n\
           for (int i = 0; i < n; i++) { if ((i % 7 + n / 3 % 5) * 2 % 11 > (m % 13 + i / 5) % 3) a[i] = 1; }\n\
         #pragma endscop\n\
         }",
    );
    let ctx = isl::Ctx::new();
    ctx.set_max_operations(1000).expect("a bound");
    let errors = lowered(&ctx, &source).expect_err("the budget is too small");
    assert_eq!(errors[0].code, "TW0902", "{}", render(&source, &errors));
}
