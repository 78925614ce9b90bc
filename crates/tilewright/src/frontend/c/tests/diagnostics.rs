//! What is refused, and in which words.

use super::{refusal, render};
use crate::frontend::c::parse::parse;
use crate::source::Source;
use insta::assert_snapshot;

/// A function with this body around lines.
fn function(body: &str) -> String {
    format!("void f(int n, float a[n]) {{\n{body}\n}}\n")
}

fn refused_body(body: &str) -> String {
    refusal(&function(body))
}

#[test]
fn pragmas_that_do_not_pair_up() {
    assert_snapshot!(
        "scop_without_endscop",
        refused_body("  #pragma scop\n  a[0] = 1;")
    );
    assert_snapshot!(
        "endscop_first",
        refused_body("  a[0] = 1;\n#pragma endscop")
    );
    assert_snapshot!(
        "nested",
        refused_body("#pragma scop\n a[0] = 1;\n#pragma scop\n a[1] = 1;\n#pragma endscop")
    );
    assert_snapshot!(
        "different_blocks",
        refused_body(
            "#pragma scop\n  for (int i = 0; i < n; i++) {\n    a[i] = 1;\n#pragma endscop\n  }"
        )
    );
    assert_snapshot!(
        "different_blocks_of_equal_depth",
        refused_body("  {\n#pragma scop\n  a[0] = 1;\n  }\n  {\n  a[0] = 1;\n#pragma endscop\n  }")
    );
    assert_snapshot!(
        "before_a_body",
        refused_body(
            "  for (int i = 0; i < n; i++)\n#pragma scop\n    a[i] = 1;\n#pragma endscop\n"
        )
    );
    assert_snapshot!(
        "outside_of_functions",
        refusal("#pragma scop\nint x;\n#pragma endscop\nvoid f(void) {}\n")
    );
    assert_snapshot!(
        "across_functions",
        refusal(
            "void f(float *a) {\n#pragma scop\n a[0] = 1; }\nvoid g(float *a) { a[0] = 1;\n#pragma endscop\n}\n"
        )
    );
}

#[test]
fn lines_that_cannot_be_replaced() {
    assert_snapshot!(
        "shared_line",
        refused_body("  _Pragma(\"scop\") a[0] = 1;\n#pragma endscop")
    );
    assert_snapshot!(
        "region_in_a_macro",
        refusal(&format!(
            "#define KERNEL _Pragma(\"scop\") a[0] = 1; _Pragma(\"endscop\")\n{}",
            function("  KERNEL")
        ))
    );
    assert_snapshot!(
        "condition_across_the_border",
        refused_body(
            "#if 1\n#pragma scop\n#else\n#pragma scop\n#endif\n a[0] = 1;\n#pragma endscop"
        )
    );
    assert_snapshot!(
        "condition_left_open",
        refused_body("#pragma scop\n a[0] = 1;\n#if 1\n#pragma endscop\n#endif")
    );
    assert_snapshot!(
        "definition_inside",
        refused_body("#pragma scop\n#define X 1\n a[0] = X;\n#pragma endscop")
    );
    assert_snapshot!(
        "comment_over_the_line",
        refused_body("#pragma scop\n a[0] = 1; /* to\n*/ #pragma endscop")
    );
}

#[test]
fn nothing_to_do() {
    assert_snapshot!(
        "no_region",
        refused_body("  for (int i = 0; i < n; i++)\n    a[i] = 1;")
    );
    assert_snapshot!(
        "misspelt",
        refused_body("#pragma scope\n  a[0] = 1;\n#pragma endscope")
    );
    assert_snapshot!("empty_file", refusal(""));
    assert_snapshot!("no_function", refusal("int x;\n"));
}

#[test]
fn lines_given_to_another_file() {
    let text = "#line 10 \"model.y\"\nvoid f(float a[2]) {\n#pragma scop\n  a[0] = 1;\n#pragma endscop\n}\n";
    assert_snapshot!(refusal(text));
}

#[test]
fn declared_inside_and_used_behind() {
    assert_snapshot!(refused_body(
        "#pragma scop\n  float s = a[0];\n#pragma endscop\n  a[1] = s;\n  a[2] = s;"
    ));
}

#[test]
fn old_style_parameters() {
    assert_snapshot!(refusal(
        "void f(n, a) short n; float *a; {\n#pragma scop\n  a[0] = n;\n#pragma endscop\n}\n"
    ));
}

#[test]
fn syntax_errors() {
    let inside = |line: &str| refused_body(&format!("#pragma scop\n{line}\n#pragma endscop"));
    assert_snapshot!("missing_semicolon", inside("  a[0] = 1\n  a[1] = 2;"));
    assert_snapshot!(
        "missing_semicolon_before_brace",
        inside("  if (n) { a[0] = 1 }")
    );
    assert_snapshot!("missing_parenthesis", inside("  a[0] = (1 + 2;"));
    assert_snapshot!("wrong_bracket", inside("  a[0) = 1;"));
    assert_snapshot!("never_closed", refusal("void f(void) {\n  if (1) {\n}\n"));
    assert_snapshot!("never_opened", refusal("void f(void) {\n}\n}\n"));
    assert_snapshot!("missing_operand", inside("  a[0] = 1 + ;"));
    assert_snapshot!("operator_first", inside("  a[0] = * / 2;"));
    assert_snapshot!(
        "for_with_commas",
        inside("  for (int i = 0, i < n, i++) a[i] = 1;")
    );
    assert_snapshot!(
        "for_too_short",
        inside("  for (int i = 0; i < n) a[i] = 1;")
    );
    assert_snapshot!("unknown_type", inside("  real_t x = 1; a[0] = x;"));
    assert_snapshot!("unknown_pointer_type", inside("  real_t *x = a;"));
    assert_snapshot!(
        "unknown_parameter_type",
        refusal("void f(int n, real_t a[n]) {\n}\n")
    );
    assert_snapshot!(
        "unknown_type_of_a_variable_of_the_file",
        refusal("real_t a[10];\nvoid f(void) {\n}\n")
    );
    assert_snapshot!("no_middle_operand", inside("  a[0] = n ?: 1;"));
    assert_snapshot!("auto_type", inside("  __auto_type x = 1;"));
    assert_snapshot!("implicit_int", refusal("f(n) { return n; }\n"));
    assert_snapshot!("else_without_if", inside("  else a[0] = 1;"));
    assert_snapshot!("hash_in_a_line", inside("  a[0] = 1; #pragma omp simd"));
    assert_snapshot!("keyword_as_a_name", inside("  int for = 1;"));
    assert_snapshot!("cpp_class", refusal("class x { int y; };\n"));
    assert_snapshot!("stray_character", inside("  a[0] = 1 @ 2;"));
    assert_snapshot!("end_in_a_declaration", refusal("void f(void)\n"));
}

#[test]
fn too_deep() {
    assert_snapshot!(refused_body(&format!(
        "#pragma scop\n  a[0] = {}1{};\n#pragma endscop",
        "(".repeat(600),
        ")".repeat(600)
    )));
}

#[test]
fn a_region_in_an_included_file() {
    let text = "#include \"k.h\"\nint x;\n".to_string();
    let preprocessed = "# 1 \"m.c\"\n# 1 \"k.h\" 1\nvoid f(int *a) {\n#pragma scop\na[0] = 1;\n#pragma endscop\n}\n# 2 \"m.c\" 2\nint x;\n";
    let source = Source {
        name: "m.c".into(),
        text,
        preprocessed: preprocessed.into(),
        ..Source::default()
    };
    assert_snapshot!(render(&source, &parse(&source).expect_err("no region")));
}
