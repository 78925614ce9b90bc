//! Texts of which nothing is said, and why.

use crate::common::{equal, judged, unknown};
use tilewright_certify::{Options, Text, Verdict, certify};

const HEAD: &str = "void f(int n, const int a[restrict n], int b[restrict n])";

fn whole(front: &str, body: &str) -> String {
    format!("{front}\n{HEAD}\n{{\n{body}\n}}\n")
}

#[test]
fn constructs_that_are_not_read() {
    let mut wrong = Vec::new();
    for (front, body, word) in [
        (
            "",
            "b[0] = g(1);",
            "a call of `g`, which is not in the text",
        ),
        ("", "b[0] = q;", "`q`, which is not declared"),
        ("typedef int T;", "b[0] = sizeof(T) + T;", "`T` as a value"),
        ("", "_Decimal64 x = 1; b[0] = x;", "an extension"),
        ("", "_Float64x *p = 0; b[0] = *p;", "an extension"),
        ("", "_Complex int *p = 0; b[0] = *p + 1;", "a complex type"),
        (
            "long double g(void);",
            "b[0] = sizeof(g());",
            "a call of `g`",
        ),
        ("", "_Complex long x; b[0] = 0;", "a complex type"),
        ("", "_Complex _Float16 x; b[0] = 0;", "a complex type"),
        ("", "b[0] = 1.0dd;", "an extension"),
        ("", "b[0] = 1.0i < 2;", "an order of complex numbers"),
        ("", "b[0] = 1.0i % 2;", "an operator of integers"),
        ("", "b[0] = cabs();", "another number of arguments"),
        ("", "__real__ b[0] = 1;", "a part of a real number"),
        ("", "b[0] = 3i;", "an imaginary number"),
        (
            "",
            "b[0] = 99999999999999999999;",
            "the number 99999999999999999999",
        ),
        ("", "b[0] = 'ab';", "the character 'ab'"),
        ("", "b[0] = L'a';", "the character L'a'"),
        ("", "const char *s = L\"a\"; b[0] = 0;", "a string literal"),
        (
            "static int g(void) { return 1; }",
            "int (*p)(void) = g; b[0] = p();",
            "a pointer to function `g`",
        ),
        (
            "static int g(void) { return 1; }",
            "b[0] = (&g)();",
            "a call through a pointer",
        ),
        (
            "",
            "int (*p)(void); b[0] = p();",
            "a call through the pointer `p`",
        ),
        (
            "static int g(int k) { return 1; }",
            "b[0] = g(1, 2);",
            "a call with another number of arguments",
        ),
        (
            "static int g(int k) { return 1; }",
            "b[0] = g();",
            "a call with another number of arguments",
        ),
        (
            "",
            "b[0] = __builtin_fabs();",
            "a call with too few arguments",
        ),
        ("", "__asm__(\"nop\");", "assembly"),
        (
            "",
            "b[0] = n % 2.0;",
            "an operator of integers on floating-point numbers",
        ),
        (
            "",
            "b[0] = 2.0 << 1;",
            "an operator of integers on floating-point numbers",
        ),
        ("", "b[0] = ~2.0;", "`~` of a floating-point number"),
        ("", "b[0] = a[1.0];", "a subscript of this type"),
        (
            "",
            "b[0] = *(a + 1.0);",
            "a floating-point number as a subscript",
        ),
        ("", "b[0] = a * 2;", "an operator of these operands"),
        ("", "b[0] = n[3 + n];", "a subscript of what is no array"),
        ("", "b[0] = *n;", "`*` of what is no pointer"),
        ("", "(n + 1) = 3;", "an operand that is no lvalue"),
        (
            "struct s { int k; };",
            "struct s t; b[0] = t.z;",
            "member `z`, which is not declared",
        ),
        ("struct s { int k; };", "b[0] = n.k;", "member `k`"),
        (
            "struct s { int k; };",
            "b[0] = n->k;",
            "member `k` of what is no pointer",
        ),
        (
            "struct s { int k; };",
            "b[0] = a->k;",
            "member `k` of what is no structure",
        ),
        (
            "struct s { int k : 3; };",
            "struct s t; t.k = 1;",
            "bit-fields",
        ),
        (
            "struct s;",
            "struct s *p = 0; b[0] = sizeof(*p);",
            "the size of an incomplete type",
        ),
        ("", "break;", "a jump out of"),
        ("", "continue;", "a jump out of"),
        ("", "goto nowhere;", "`goto nowhere`"),
        ("", "case 3: ;", "a `case` outside a `switch`"),
        ("", "default: ;", "a `default` outside a `switch`"),
        ("", "case 3 ... 4: ;", "a `case` outside a `switch`"),
        (
            "",
            "switch (n) { case a[0]: ; }",
            "an expression that is no constant",
        ),
        ("", "extern int z; b[0] = z;", "declared extern in a block"),
        ("", "int t[]; b[0] = 0;", "the extent of `t`"),
        ("", "int t[-1]; b[0] = 0;", "an array of negative extent"),
        ("", "int t[3] = { .k = 1 }; b[0] = 0;", "a designator"),
        (
            "",
            "int t[3] = { [0 ... 2] = 1 }; b[0] = 0;",
            "a range of initial values",
        ),
        (
            "",
            "int t[3] = { [99999999] = 1 }; b[0] = 0;",
            "more than 16 million elements",
        ),
        (
            "struct s { int k; };",
            "struct s t = { .z = 1 }; b[0] = 0;",
            "a designator of an inner member",
        ),
        (
            "struct s { struct { int k; } in; };",
            "struct s t = { .in.z = 1 }; b[0] = 0;",
            "a designator",
        ),
        (
            "",
            "static int t = n; b[0] = t;",
            "an initial value that is no constant",
        ),
        (
            "",
            "static int *p = &n; b[0] = 0;",
            "the address of what is no static object",
        ),
        (
            "",
            "static int *p = (int *)4; b[0] = 0;",
            "a number as a static pointer",
        ),
        (
            "static int g[3];",
            "static int *p = &g[0] + 1; b[0] = 0;",
            "no constant",
        ),
        (
            "",
            "static char t[100000000]; b[0] = 0;",
            "of more than 64 MB",
        ),
        (
            "",
            "static char t[100000000] = { 1 }; b[0] = 0;",
            "of more than 64 MB",
        ),
        (
            "",
            "b[0] = (double)(long)a + (double)a;",
            "a pointer as a number",
        ),
        (
            "struct s { int k; };",
            "struct s t = { 1 }; b[0] = (int)t;",
            "a value that is no scalar",
        ),
        (
            "static void g(void) { }",
            "b[0] = g();",
            "a value of type `void`",
        ),
        (
            "",
            "b[0] = _Generic(n, double: 1);",
            "a _Generic without a match",
        ),
        (
            "struct s { int k[3]; };",
            "b[0] = __builtin_offsetof(struct s, k[1]);",
            "offsetof of an element",
        ),
        (
            "",
            "b[0] = __builtin_offsetof(int, k);",
            "offsetof of what is no structure",
        ),
        (
            "struct s { int k; };",
            "b[0] = __builtin_offsetof(struct s, z);",
            "member `z`",
        ),
        (
            "typedef struct unknown_t *U; typedef other V;",
            "U u = 0; V v; b[0] = 0;",
            "syntax",
        ),
        (
            "static double g(k) double k; { return k; }",
            "b[0] = g(1);",
            "a body that belongs to nothing",
        ),
        ("#if 1 ? 1 : 2", "b[0] = 1;", "the condition `1 ? 1 : 2`"),
        ("#else", "b[0] = 1;", "the directive #else"),
        ("#include <x.h>", "b[0] = 1;", "the directive #include"),
        ("#define F(x) #x", "b[0] = 1;", "the operators of macro `F`"),
        (
            "#define F(x, ...) g(__VA_ARGS__)",
            "b[0] = 1;",
            "the operators of macro `F`",
        ),
        ("#define", "b[0] = 1;", "a #define without a name"),
        ("#define F(x", "b[0] = 1;", "the parameters of macro `F`"),
        ("#define F(x) x", "b[0] = F(1, 2);", "a call of macro `F`"),
        ("#define F(x, y) x", "b[0] = F(1);", "a call of macro `F`"),
        (
            "#define F(x) x",
            "b[0] = F(1;",
            "a macro's arguments do not end",
        ),
        (
            "#define A0 1\n#define A(x) x x x x x x x x x x x x x x x x\n",
            "b[0] = A(A(A(A(A(A(1)))))));",
            "a line that grows beyond 4 MB",
        ),
    ] {
        let found = judged(&whole("", "b[0] = 0;"), &whole(front, body));
        match &found.verdict {
            Verdict::Unknown(why) if why.contains(word) => {}
            other => wrong.push(format!("{front} {body} ({word}): {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Of the two texts, and in its line, where it has one.
    unknown(
        &whole("", "b[0] = 0;\n\nb[1] = q;"),
        &whole("", ""),
        "the original, line 6: `q`",
    );
    unknown(
        &whole("", ""),
        &whole("", "b[0] = 0;\nb[1] = q;"),
        "the result, line 5: `q`",
    );
    unknown(
        &whole("", ""),
        "int g;",
        "the result: there is no function `f`",
    );
    unknown(
        &whole("", ""),
        "void f(int n) { }",
        "`f` has other parameters",
    );
    unknown(
        "void f(int n, int (*g)(int)) { }",
        "void f(int n, int (*g)(int)) { n = 1; }",
        "a pointer to a function",
    );
}

#[test]
fn nesting_and_length() {
    let nested = |depth: usize| {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        whole("", &format!("b[0] = {open}a[0]{close};"))
    };
    equal(&nested(1), &nested(100));
    unknown(&nested(1), &nested(310), "nesting that is too deep");
    let sum = |terms: usize| whole("", &format!("b[0] = a[0] & (3{});", " | 1".repeat(terms)));
    equal(&sum(1), &sum(900));
    unknown(&sum(1), &sum(21_000), "nesting that is too deep");
    let many = |count: usize| {
        whole(
            "",
            &format!("b[0] = a[0] & 1; {}", "b[0] ^= -1 + 1; ".repeat(count)),
        )
    };
    // A semicolon ends a statement, and a bracket its nesting.
    equal(&many(0), &many(9_000));
    let blocks = |count: usize| {
        whole(
            "",
            &format!("b[0] = a[0] & 1; {}", "{ { { ; } } } ".repeat(count)),
        )
    };
    equal(&blocks(0), &blocks(400));
    // Nor do declarations that are not understood nest.
    let declared: String = (0..7000)
        .map(|k| format!("int x{k}[2][2] = {{ {{ [0 ... 1] = 1 }} }};\n"))
        .collect();
    let (original, result) = (whole("int x;", "b[0] = 1;"), whole(&declared, "b[0] = 1;"));
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    let found = certify(&text(&original), &text(&result), &Options::default());
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    let branches = |count: usize| {
        whole(
            "",
            &format!(
                "b[0] = 2; if (a[0] == 1) b[0] = 1; {}",
                "else if (a[0] == 1) b[0] = 3; ".repeat(count)
            ),
        )
    };
    equal(&branches(0), &branches(50));
}
