//! Regions that cannot be modelled whole: which parts of them are regions, what of the text stays,
//! and what is said.

use super::place::Place;

/// A time loop that prints and returns, around loops that could be regions by themselves.
const RELAX: &str = "\
#include <stdio.h>
#define ROWS(i, n) for (int i = 1; i < (n) - 1; i++)
int relax(int n, int steps, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        printf(\"%d\\n\", t); /* each step */
        if (steps > 100)
            ROWS(i, n)
                for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j]; // back
        else return t;
    }
#pragma endscop
    return steps;
}
";

#[test]
fn parts_become_blocks_and_the_rest_stays() {
    let place = Place::new();
    place.write("relax.c", RELAX);
    let ended = place.run("compile relax.c --fork-operations 0 -o out.c");
    let ended = ended.status(0);
    insta::assert_snapshot!(ended.stderr);
    insta::assert_snapshot!(place.read("out.c"));
    place.write("crlf.c", &RELAX.replace('\n', "\r\n"));
    place
        .run("compile crlf.c --fork-operations 0 -o crlf.out.c")
        .status(0);
    let crlf = place.read("crlf.out.c");
    assert_eq!(crlf, place.read("out.c").replace('\n', "\r\n"));
}

#[test]
fn a_plan_has_an_entry_for_each_part() {
    let place = Place::new();
    place.write("relax.c", RELAX);
    place
        .run("compile relax.c --fork-operations 0 --emit plan -o plan.toml")
        .status(0);
    let plan = place.read("plan.toml");
    assert_eq!(plan.matches("function = \"relax\"").count(), 2, "{plan}");
    place
        .run("compile relax.c --fork-operations 0 -o one.c")
        .status(0);
    place
        .run("compile relax.c --fork-operations 0 --plan plan.toml -o two.c")
        .status(0);
    assert_eq!(place.read("one.c"), place.read("two.c"));
}

/// What a part reaches is not what the function reaches.
#[test]
fn functions_of_which_parts_have_models_are_not_called_with_made_up_arrays() {
    let place = Place::new();
    place.write(
        "pairs.c",
        "void show(int);\nvoid pairs(int n, int *restrict a, const int *restrict b)\n{\n\
         #pragma scop\n    for (int i = 0; i < n; i++) {\n        show(b[2 * i]);\n        \
         for (int j = 0; j < n; j++)\n            a[j] += b[i];\n    }\n#pragma endscop\n}\n",
    );
    let ended = place.run("run pairs.c --param n=10").status(1);
    assert!(
        ended
            .stderr
            .contains("how far the part without a model reaches is not known"),
        "{}",
        ended.stderr
    );
}
