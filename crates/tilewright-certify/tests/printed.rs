//! What hosts of devices call of their system, and calls that are not understood.

use crate::common::{calls, differs};

const FRONT: &str = "#include <CL/cl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
                     static cl_command_queue queue;\n";

fn host(body: &str) -> String {
    calls::host(FRONT, body)
}

#[track_caller]
fn answers(statements: &str, cases: &[(&str, i64)]) {
    calls::answers(FRONT, statements, cases);
}

#[track_caller]
fn refused(body: &str, why: &str) {
    calls::refused(FRONT, body, why);
}

#[test]
fn texts_that_are_printed() {
    // The length of the whole text, and as much of it as there is room for.
    answers(
        r#"char t[12] = "***********"; const char *s = "abc"; unsigned u = 4000000000u; long w = -5000000000l; unsigned long x = 18000000000000000000ul;"#,
        &[
            ("snprintf(t, 12, \"%s-%d\", s, -12)", 7),
            (
                "t[0] == 'a' && t[2] == 'c' && t[3] == '-' && t[4] == '-' && t[5] == '1' && t[6] == '2'",
                1,
            ),
            ("t[7]", 0),
            ("t[8]", 42),
            ("snprintf(t, 4, \"%sdef\", s)", 6),
            ("t[2] == 'c' && t[3] == 0 && t[4] == '-'", 1),
            // As many as a `size_t` says.
            ("snprintf(t, 4.7, \"%sdef\", s)", 6),
            ("t[2] == 'c' && t[3] == 0", 1),
            (
                "snprintf(t, 2, \"a\") * 100 + snprintf(t, 4, \"%s\", s)",
                103,
            ),
            ("snprintf(t, 1, \"xy\")", 2),
            ("t[0] == 0 && t[1] == 'b'", 1),
            ("snprintf(t, 0, \"xyz\")", 3),
            ("t[0] == 0 && t[1] == 'b'", 1),
            ("snprintf(NULL, 0, \"%s%s\", s, s)", 6),
            ("snprintf(t, 12, \"\")", 0),
            ("t[0]", 0),
            ("snprintf(t, 12, \"%u\", u)", 10),
            ("t[0] == '4' && t[9] == '0' && t[10] == 0", 1),
            ("snprintf(t, 12, \"%ld\", w)", 11),
            ("t[0] == '-' && t[1] == '5' && t[10] == '0'", 1),
            ("snprintf(t, 12, \"%lu\", x)", 20),
            (
                "t[0] == '1' && t[1] == '8' && t[10] == '0' && t[11] == 0",
                1,
            ),
            ("snprintf(t, 12, \"%zu %i\", sizeof(int), 3)", 3),
            ("t[0] == '4' && t[1] == ' ' && t[2] == '3'", 1),
            ("snprintf(t, 12, \"%c%%%c\", 'x', 'y')", 3),
            ("t[0] == 'x' && t[1] == '%' && t[2] == 'y'", 1),
            ("snprintf(t, 12, \"%lld\", -1ll)", 2),
            ("t[0] == '-' && t[1] == '1' && t[2] == 0", 1),
            ("getenv(\"TILEWRIGHT_NOTHING\") == NULL", 1),
        ],
    );
    answers(
        "struct timespec t = {-1, -1};",
        &[
            ("timespec_get(&t, TIME_UTC)", 1),
            (
                "t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < 1000000000",
                1,
            ),
        ],
    );
    for (call, why) in [
        ("char t[9]; snprintf(t, 9, \"%d\");", "what is printed"),
        ("char t[9]; snprintf(t, 9, \"%\");", "what is printed"),
        ("char t[9]; snprintf(t, 9, \"%x\", 1);", "what is printed"),
        (
            "char t[9]; snprintf(t, 9, \"%f\", 1.0);",
            "a number that `snprintf` prints",
        ),
        ("char t[9]; snprintf(t, 9);", "a call of `snprintf`"),
        ("b[0] = atoi(\"1\");", "a number that is read from text"),
        (
            "b[0] = strtol(\"1\", NULL, 10);",
            "a number that is read from text",
        ),
        ("clFinish();", "a call of `clFinish`"),
        ("clFinish(queue, queue);", "a call of `clFinish`"),
        (
            "cudaFree(b);",
            "a call of `cudaFree`, which is not in the text",
        ),
        (
            "clWhatever(b);",
            "a call of `clWhatever`, which is not in the text",
        ),
    ] {
        refused(call, why);
    }
    differs(
        "void f(int n, int b[restrict 80]) { b[0] = 0; }",
        &host("char t[3]; b[0] = 0; snprintf(t, 4, \"abcd\");"),
        &["an access outside of its array", "t[3]"],
    );
}
