//! Both parsers, beside each other.

use super::*;
use crate::text::{needed, only, pieces, prepare};
use lang_c::ast::{BlockItem, Statement};

fn prepared(text: &str) -> Prepared {
    let prepared = prepare("f.c", text).expect("it is prepared");
    let found = pieces(&prepared).expect("it is cut");
    let chosen = needed(&prepared, &found, &[], &|_| true);
    only(&prepared, &found, &chosen)
}

/// Both parsers, on the same body: but for the spelling of numbers, and where lang-c looks into
/// attributes, their trees are the same.
#[track_caller]
fn same(body: &str) {
    let text = format!(
        "typedef unsigned char byte;\nstruct s {{ int v; struct s *next; }};\n\
         int g(int, int);\nint f(int n, double a[n][n], struct s *p)\n{{\n{body}\n}}\n"
    );
    let prepared = prepared(&text);
    let quick = quickly(&prepared).unwrap_or_else(|| panic!("it is not known: {body}"));
    let slow = by_lang_c(&prepared.text, |at| at, &prepared);
    let slow = slow.unwrap_or_else(|problem| panic!("{}: {body}", problem.what));
    assert!(quick == slow, "{body}");
}

#[test]
fn statements_have_lang_c_trees() {
    for body in [
        "if (n) return 1; else if (n > 2) { n = 3; } else ;",
        "for (int i = 0, j = 1; i < n; i++, j--) a[i][j] += 1.5f;",
        "for (n = 0; ; ) { break; } for (;;) continue;",
        "while (n--) ; do { n >>= 1; } while (n);",
        "switch (n) { case 1: case 2 + 3: n = 1; break; default: n = 2; }",
        "goto end; n = 1; end: return n;",
        "{ } ; { int n = 3; { byte n = 4; } }",
    ] {
        same(body);
    }
}

#[test]
fn declarations_have_lang_c_trees() {
    for body in [
        "const long x = 3, *restrict p2 = &x, y[3] = {1, 2, 3};",
        "static unsigned long long z; register int r; volatile short s = 1;",
        "double (*restrict m)[n] = (double (*)[n])a; double *q[4], (*w[2])[n][3];",
        "struct s one = {.v = 1, .next = 0}, *two = &one; int t[5] = {[2] = 3, 4, };",
        "byte b = (byte)n, *c = (byte *)a; int k[] = {1};",
        "struct s u = (struct s){1, 0}; enum e *v = 0; _Bool w = 1;",
    ] {
        same(body);
    }
}

#[test]
fn expressions_have_lang_c_trees() {
    for body in [
        "n = 1 + 2 * 3 - 4 / 5 % 6 << 1 >> 2;",
        "n = n < 1 == n >= 2 && n != 3 || n & 4 ^ 5 | 6;",
        "n = n ? 1 : n > 2 ? 3 : 4; n = (n, 1);",
        "n += -n - -1 + +2 - ~3 * !4; *&n = n++ + ++n - n-- - --n;",
        "p->next->v = (*p).v + p[0].next[1].v; 1[a[0]] = 2.0e-3;",
        "n = g(1, g(n, (2, 3))) + sizeof n + sizeof(int) + sizeof(n) + sizeof(int[n][3]);",
        "n = 'a' + '\\n' + \"ab\" \"c\"[1]; n = (int)(long)-1 + (int)(n);",
        "n = 10u + 11UL + 12ll + 13ULL; a[0][0] = 1. + .5 + 3e4f + 0.25;",
        "n = ({ int k = 1; k + 1; }); n = (((((n)))));",
        "n *= n /= n %= n <<= n >>= n &= n ^= n |= 1;",
    ] {
        same(body);
    }
}

/// What is not known here is lang-c's; what neither knows is refused.
#[test]
fn other_texts_are_left_to_lang_c() {
    let function = |body: &str| format!("int f(int n)\n{{\n{body}\n}}\n");
    for body in [
        "typeof(n) m = n; return m;",
        "struct { int v; } s; return s.v = n;",
        "switch (n) { case 1 ... 3: return 1; } return 0;",
        "int g(int); return g(n);",
    ] {
        let prepared = prepared(&function(body));
        assert!(quickly(&prepared).is_none(), "{body}");
        assert!(tree(&prepared).is_ok(), "{body}");
    }
    for body in ["n = 1 +;", "n = ;", "if n;", "int 3;", "n n;"] {
        let prepared = prepared(&function(body));
        assert!(tree(&prepared).is_err(), "{body}");
    }
}

/// Each operator by itself and beside each other one: how strongly it binds is lang-c's.
#[test]
fn operators_bind_as_in_lang_c() {
    const ALL: [&str; 18] = [
        "*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&",
        "||",
    ];
    for one in ALL {
        let sums = ALL.map(|other| format!("n = n {one} 2 {other} 3; n = n {one} (2 {other} 3);"));
        same(&sums.concat());
        // Without blanks, too, and with unary operators.
        same(&format!("n = n {one} -2{one}~3 {one} !n {one} +n;"));
    }
    for one in [
        "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=",
    ] {
        same(&format!(
            "n {one} 3; n {one} n {one} 2 ? 3 : 4; a[0][n {one} 1] = 2;"
        ));
    }
    same("n = n ? n, 1 : n ? 2 : 3; n = (n = 1) ? n = 2, 3 : 4; n ? n : (n = 5);");
    same("++n; --n; n++; n--; &n; *&n; +n; -n; ~n; !n; ++*&n; (*&n)++; - -n; !!n; -~n;");
    same("n = *&p->v + -p->v; n = &p[n].v - &p->v; n = !p->next->v++; n = -n++;");
    same("n = sizeof n * 2; n = sizeof(n) * 2; n = sizeof(int) * 2; n = sizeof *p; n = sizeof -n;");
    same(
        "n = (int)n * 2; n = (int)-n * 2; n = (byte)(int)n; n = -(int)n; n = (n) * 2; n = (n) - 1;",
    );
}

#[test]
fn types_have_lang_c_trees() {
    for ty in [
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "_Bool",
        "byte",
        "signed char",
        "__signed__ int",
        "__signed long",
        "unsigned char",
        "unsigned long long int",
        "long double",
        "long unsigned",
        "const int",
        "int const",
        "volatile long",
        "struct s",
        "enum e",
        "union u",
        "const struct s",
        "unsigned const long volatile",
    ] {
        same(&format!(
            "{ty} x; {ty} *y, z[3]; n = sizeof({ty}) + sizeof({ty} *);"
        ));
    }
    for ty in [
        "char",
        "int *",
        "byte (*)[3]",
        "const long *const *",
        "struct s *",
        "double[2][n]",
    ] {
        same(&format!("n = sizeof({ty});"));
    }
    for body in [
        "void *x = 0, **y = &x; n = (int)(long)(void *)a; (void)n;",
        "int *restrict x; int *const y = 0; int *restrict *volatile w;",
        "static int x = 1; register int y; auto int z; extern int w; static const byte v[2] = {1, 2};",
        "int x[2][3] = {{1, 2, 3}, {4}}, y[] = {1, 2,}, z[4] = {[1] = 2, [3] = 4};",
        "struct s t = {.v = 1, .next = &t}, u[2] = {[1].v = 3, [0] = {1}}; struct s *w = &(struct s){1};",
        "int (*x)[3] = 0, (*(*z)[2])[n]; double (*m)[n] = a + 1;",
        "int x; byte y = 1; { int byte2 = 1; byte2; } x = (byte){3}; x = ((struct s){1}).v;",
    ] {
        same(body);
    }
}

/// Alignment is passed over.
#[test]
fn alignments() {
    for front in [
        "_Alignas(16)",
        "_Alignas((8 + 8))",
        "static _Alignas(f(1)(2))",
        "const _Alignas(int)",
    ] {
        let text = |front: &str| format!("int f(int n)\n{{\n{front} int x = 1; n = x;\n}}\n");
        let of = |front: &str| quickly(&prepared(&text(front)));
        let found = of(front).unwrap_or_else(|| panic!("{front}"));
        let plain = front.split("_Alignas").next().unwrap_or("");
        let body = |tree: &TranslationUnit| match &tree.0[0].node {
            ExternalDeclaration::FunctionDefinition(d) => match &d.node.statement.node {
                Statement::Compound(items) => items.iter().map(|i| i.node.clone()).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let (found, plain) = (body(&found), body(&of(plain).expect("it is known")));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], plain[0], "{front}");
    }
    for text in [
        "int f(void) { _Alignas(16 int x; }",
        "int f(void) { _Alignas int x; }",
    ] {
        let prepared = prepare("f.c", text).expect("it is prepared");
        let Ok(found) = pieces(&prepared) else {
            continue;
        };
        assert!(quickly(&only(&prepared, &found, &[0])).is_none(), "{text}");
    }
    same(
        "int __x = 1, _y = 2; n = __x + _y; __builtin_trap(); __tw_barrier(); int restricted = 3;",
    );
    same("_Atomic int x; _Atomic unsigned *y; int _Atomic z;");
}

/// Words that lang-c has not, or spells otherwise, are those of C.
#[test]
fn words_of_gcc() {
    let tree = |word: &str| {
        let text = format!("int f(int n)\n{{\nint *{word} x; n = sizeof({word} int);\n}}\n");
        let prepared = prepared(&text);
        let found = quickly(&prepared).unwrap_or_else(|| panic!("{word}"));
        let ExternalDeclaration::FunctionDefinition(definition) = &found.0[0].node else {
            panic!("a function");
        };
        format!("{:?}", definition.node.statement.node).replace(char::is_numeric, "")
    };
    for (word, others) in [
        ("const", ["__const", "__const__"]),
        ("volatile", ["__volatile", "__volatile__"]),
        ("restrict", ["__restrict", "__restrict__"]),
    ] {
        for other in others {
            assert_eq!(tree(word), tree(other), "{other}");
        }
    }
    assert_ne!(tree("const"), tree("volatile"));
}

#[test]
fn literals_have_lang_c_trees() {
    for number in [
        "0",
        "7",
        "42u",
        "42U",
        "42l",
        "42L",
        "42ul",
        "42lu",
        "42UL",
        "42ll",
        "42LL",
        "42ull",
        "42llu",
        "42ULL",
        "0x1f",
        "0x1fu",
        "0x1fL",
        "0x1fULL",
        "017",
        "017u",
        "017L",
        "00",
        "0x0",
        "0b101",
        "0b11u",
        "1.",
        "1.5",
        ".5",
        "1.5f",
        "1e3",
        "1.5e3f",
        "1e+3",
        "1e-3",
        "1.5l",
        "1.e2",
        "0.5e-10",
        "100000000000",
    ] {
        same(&format!("n = {number}; n = n+{number}-1;"));
    }
    for text in [
        "'a'",
        "'\\n'",
        "'\\''",
        "'\\\\'",
        "'\"'",
        "\"a\"[0]",
        "\"\\\"\"[0]",
        "\"'\"[0]",
        "\"a\" \"b\"[1]",
    ] {
        same(&format!("n = {text}; n = {text} + 1;"));
    }
}

#[test]
fn what_is_lang_cs_alone() {
    for body in [
        "n = 0x1p3;",
        "n = 0x1.8p0f;",
        "n = L'a';",
        "n = L\"a\"[0];",
        "n = 3i;",
        "n = 1.5q;",
        "n = sizeof (int){1};",
        "n = _Alignof(int);",
        "n = __builtin_offsetof(struct s, v);",
        "__extension__ int x = 1;",
        "_Atomic(int) x;",
        "int g2(int);",
        "int (*x)(void);",
        "typedef int t; t x;",
        "struct t { int v; } x;",
        "asm(\"nop\");",
        "n = _Generic(n, int: 1);",
        "_Static_assert(1, \"\");",
        "enum { A } x;",
        "case 1 ... 2: ;",
        "int x[2] = {[0 ... 1] = 1};",
        "int byte = 1;",
        "label: int x;",
    ] {
        let text = format!(
            "typedef unsigned char byte;\nstruct s {{ int v; }};\nvoid f(int n)\n{{\n{body}\n}}\n"
        );
        assert!(quickly(&prepared(&text)).is_none(), "{body}");
    }
    // A parameter that has the name of a type.
    let text = "typedef int t;\nint f(int t)\n{\nreturn (t) - 1;\n}\n";
    assert!(quickly(&prepared(text)).is_none());
    // What is no C is no C here, either.
    for body in [
        "n = (1;",
        "n = 1);",
        "n = a[1;",
        "n = 1 2;",
        "n = ;",
        "n = * ;",
        "n = n ? 1;",
        "if (n",
        "if n ;",
        "do n = 1; while (n)",
        "do ; until (n);",
        "while n ;",
        "for (;;",
        "for (;) ;",
        "return 1",
        "break",
        "continue",
        "goto 1;",
        "goto ;",
        "int = 1;",
        "int x = ;",
        "int x[;",
        "int x[1] = {1;",
        "int x[1] = {[0] 1};",
        "p->;",
        "p->3;",
        "p..v;",
        "g(1;",
        "g(1,);",
        "switch n ;",
        "case : ;",
        "default ;",
        "n = sizeof;",
        "n = (int;",
        "n = (int);",
        "{ n = 1;",
        "n = 'a",
        "n = \"a;",
        "n = 1 @ 2;",
        "n = 1 $ 2;",
        "else ;",
        "signed byte x;",
        "int *;",
        "struct 3 x;",
        "struct if x;",
        "int if = 1;",
        "if = 1;",
        "n = while;",
    ] {
        let text = format!(
            "typedef unsigned char byte;\nstruct s {{ int v; }};\nvoid f(int n, struct s *p)\n{{\n{body}\n}}\n"
        );
        let Ok(prepared) = prepare("f.c", &text) else {
            continue;
        };
        let Ok(found) = pieces(&prepared) else {
            continue;
        };
        let chosen = needed(&prepared, &found, &[], &|_| true);
        let prepared = only(&prepared, &found, &chosen);
        assert!(quickly(&prepared).is_none(), "{body}");
    }
}

/// Statements know where they are, in texts of several functions, too.
#[test]
fn places_of_statements() {
    let text = "int x;\nint f(int n)\n{\nif (n)\nreturn 1;\nelse { n = 2; }\nreturn n;\n}\nint y;\nint g(int n) { return n; }\nint z;\n";
    let prepared = prepared(text);
    let tree = quickly(&prepared).expect("it is known");
    let shown = |span: Span| &prepared.text[span.start..span.end];
    let nodes: Vec<&str> = tree.0.iter().map(|node| shown(node.span)).collect();
    assert_eq!(nodes[0], "int x;");
    assert!(nodes[1].starts_with("int f(int n)") && nodes[1].ends_with("return n;\n}"));
    assert_eq!(
        nodes[2..],
        ["int y;", "int g(int n) { return n; }", "int z;"]
    );
    let body = |at: usize| match &tree.0[at].node {
        ExternalDeclaration::FunctionDefinition(definition) => {
            assert_eq!(definition.span, tree.0[at].span);
            &definition.node.statement
        }
        _ => panic!("a function"),
    };
    let Statement::Compound(items) = &body(1).node else {
        panic!("a block");
    };
    let BlockItem::Statement(first) = &items[0].node else {
        panic!("a statement");
    };
    assert_eq!(shown(first.span), "if (n)\nreturn 1;\nelse { n = 2; }");
    assert_eq!(shown(body(3).span), "{ return n; }");
    // A text that ends within a token has no tokens.
    for text in ["\"a", "'a", "\"a\n\"", "a @", "\"\\"] {
        assert!(tokens(text, 0..text.len()).is_none(), "{text}");
    }
    let count = |text: &str| tokens(text, 0..text.len()).map(|t| t.len());
    for (text, expected) in [
        ("a b1 _c $d", 4),
        ("a+++b", 4),
        ("a<<=b>>=c", 5),
        ("a->b.c...d", 7),
        ("1.5e+3f+.5", 3),
        ("0x1p-3-2", 3),
        ("0xe+1", 1),
        ("a<b<=c<<d", 7),
        ("a&&b&c|d||e", 9),
        ("'a''b'\"c\"", 3),
        ("a ? b : c ;", 6),
        ("x=-1", 4),
        ("x-=1", 3),
        ("x!=!y", 4),
        ("\u{e4}b", 1),
        ("a%=b%c^=d^e", 9),
        ("{[()]}", 6),
        ("~a,b", 4),
    ] {
        assert_eq!(count(text), Some(expected), "{text}");
    }
}

/// What stands one behind the other is not nested, however much of it there is.
#[test]
fn only_nesting_is_deep() {
    let known = |front: &str, one: &str, times: usize, back: &str| {
        let text = format!(
            "struct s {{ int v; }};\nint f(int n, int *a)\n{{\n{front}{}{back}\n}}\n",
            one.repeat(times)
        );
        quickly(&prepared(&text)).is_some()
    };
    for one in [
        ";",
        "n = 1;",
        "n;",
        "{ }",
        "n ? 1 : 2;",
        "(int)n;",
        "-n;",
        "int *x[1];",
        "int (*y);",
        "{ int x[] = { 1 }; }",
        "(struct s){1};",
        "n = (n);",
        "a[n];",
        "if (n) ;",
        "sizeof(int[2]);",
    ] {
        assert!(known("", one, 10_500, ""), "{one}");
    }
}
