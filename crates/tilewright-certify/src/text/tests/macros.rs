//! Conditions and macros.

use super::super::conditions::Conditions;
use super::super::macros::Macros;
use super::super::prepare;
use super::{kept, lines, refused};

fn macros(all: &[&str]) -> Macros {
    let mut macros = Macros::predefined();
    for one in all {
        macros.define(one).expect("a macro");
    }
    macros
}

#[track_caller]
fn expands(all: &[&str], line: &str, expected: &str) {
    let found = macros(all).expand(line).expect("it is expanded");
    assert_eq!(found.as_deref(), Some(expected), "{all:?}");
}

/// Whether a condition holds, with these macros.
fn holds(all: &[&str], condition: &str) -> Result<bool, String> {
    let mut conditions = Conditions::default();
    conditions.directive("if", condition, &macros(all))?;
    Ok(conditions.active())
}

#[test]
fn operators_of_conditions() {
    for (condition, expected) in [
        ("1", true),
        ("0", false),
        ("2", true),
        ("-1", true),
        ("- 0", false),
        ("!0", true),
        ("!2", false),
        ("!!2", true),
        ("(1)", true),
        ("( 0 )", false),
        ("1 + 1 == 2", true),
        ("1 + 1 == 3", false),
        ("3 - 3", false),
        ("3 - 1 - 2", false),
        ("3 - (1 - 2) == 4", true),
        ("2 * 3 == 6", true),
        ("2 * 3 == 5", false),
        ("2 + 3 * 4 == 14", true),
        ("2 * 3 + 4 == 10", true),
        ("1 < 2", true),
        ("2 < 2", false),
        ("3 < 2", false),
        ("1 <= 2", true),
        ("2 <= 2", true),
        ("3 <= 2", false),
        ("2 > 1", true),
        ("2 > 2", false),
        ("1 > 2", false),
        ("2 >= 1", true),
        ("2 >= 2", true),
        ("1 >= 2", false),
        ("2 == 2", true),
        ("2 == 3", false),
        ("2 != 2", false),
        ("2 != 3", true),
        ("1 && 1", true),
        ("1 && 0", false),
        ("0 && 1", false),
        ("0 && 0", false),
        ("2 && 4", true),
        ("1 || 1", true),
        ("1 || 0", true),
        ("0 || 1", true),
        ("0 || 0", false),
        ("0 || 4", true),
        // How strongly they bind: `||` least, then `&&`, `==`, `<`, `+`, `*`.
        ("1 || 0 && 0", true),
        ("0 && 0 || 1", true),
        ("0 == 1 && 1", false),
        ("2 == 1 < 3", false),
        ("1 == 1 < 3", true),
        ("1 < 1 + 1", true),
        ("-1 < 0", true),
        ("-1 + 1", false),
        ("-(1 + 1) == -2", true),
        ("!1 == 0", true),
        // Numbers in all bases, with suffixes.
        ("0x10 == 16", true),
        ("0XfF == 255", true),
        ("010 == 8", true),
        ("010 == 10", false),
        ("0b101 == 5", true),
        ("10u == 10 && 10UL == 10 && 10ll == 10", true),
        ("0xfUL == 15", true),
        ("0L", false),
        ("__INT_MAX__ == 2147483647", true),
        ("__LONG_MAX__ > 5000000000", true),
        // A name that is no macro's is zero.
        ("M", false),
        ("M == 0", true),
        ("N == 4", true),
        ("N-4", false),
        ("F(1) == 2", true),
    ] {
        let found = holds(&["N 4", "F(x) ((x) + 1)"], condition);
        assert_eq!(found, Ok(expected), "{condition}");
    }
    for condition in [
        "",
        "1 +",
        "+",
        "1 2",
        "(1",
        "1)",
        "08",
        "0x",
        "1 ? 2 : 3",
        "1 & 1",
        "4 / 2",
        "1 <",
        "'a'",
        "1.5",
        "10i",
        "F(1",
        "!",
    ] {
        assert!(holds(&["F(x) x"], condition).is_err(), "{condition}");
    }
    // Brackets are followed, though not for ever.
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(holds(&[], &nested(90)), Ok(true));
    assert!(holds(&[], &nested(200)).is_err());
}

#[test]
fn what_is_defined() {
    for (condition, expected) in [
        ("defined N", true),
        ("defined(N)", true),
        ("defined ( N )", true),
        ("defined(M)", false),
        ("!defined(M)", true),
        ("defined N && defined M", false),
        ("defined M||defined N", true),
        ("defined(N) + defined(Z) == 2", true),
        // Not its value.
        ("defined Z", true),
        ("Z", false),
        ("defined(Z)&&N", true),
        // Words that only hold the word.
        ("undefined_or", false),
        ("is_defined N", true),
        ("defined_N", true),
    ] {
        let all = ["N 4", "Z 0", "is_defined 1 ||", "defined_N 1"];
        assert_eq!(holds(&all, condition), Ok(expected), "{condition}");
    }
}

/// Which of the lines `a`, `b`, … count.
#[track_caller]
fn chosen(text: &str, expected: &str) {
    assert_eq!(kept(text).concat(), expected, "{text}");
}

#[test]
fn branches_of_conditions() {
    chosen("#if 1\na\n#else\nb\n#endif\nc", "ac");
    chosen("#if 0\na\n#else\nb\n#endif\nc", "bc");
    chosen(
        "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne",
        "be",
    );
    chosen("#if 0\na\n#elif 0\nb\n#elif 1\nc\n#else\nd\n#endif", "c");
    chosen("#if 0\na\n#elif 0\nb\n#else\nd\n#endif", "d");
    chosen("#if 1\na\n#elif 1\nb\n#else\nc\n#endif", "a");
    // A condition behind the branch that was chosen is not looked at.
    chosen("#if 1\na\n#elif 1 +\nb\n#endif", "a");
    chosen("#if 0\n#if 1 +\na\n#endif\n#endif\nb", "b");
    chosen("#ifdef N\na\n#else\nb\n#endif", "b");
    chosen("#define N\n#ifdef N\na\n#else\nb\n#endif", "a");
    chosen("#define N\n#ifndef N\na\n#else\nb\n#endif", "b");
    chosen("#ifndef N\na\n#endif", "a");
    chosen("#define N 1\n#undef N\n#ifdef N\na\n#endif\nb", "b");
    // What is inside counts where what is around does.
    chosen("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c");
    chosen(
        "#if 0\n#ifdef N\na\n#elif 1\nb\n#else\nc\n#endif\n#endif\nd",
        "d",
    );
    chosen("#if 1\n#if 0\na\n#else\nb\n#endif\nc\n#endif\nd", "bcd");
    chosen("#if 0\n#define N\n#endif\n#ifdef N\na\n#endif\nb", "b");
    chosen(
        "#if 0\n#undef N\n#error no\n#include <no.h>\n#endif\nb",
        "b",
    );
    chosen("#if(1)\na\n#endif", "a");
    chosen("  #  if  0 // why\na\n # endif /* that */\nb", "b");
    chosen("#if 1 || \\\n  0\na\n#endif", "a");
    assert_eq!(refused("a\n#elif 1\n").1, 2);
    assert_eq!(refused("a\n\n#else\n").0, "the directive #else");
    assert_eq!(refused("#if 1 2\n"), ("the condition `1 2`".to_owned(), 1));
    assert_eq!(refused("\n#error no\n"), ("the directive #error".into(), 2));
}

#[test]
fn macros_without_parameters() {
    expands(&["N 4"], "a = N;", "a = 4;");
    expands(
        &["N 4"],
        "a = NN + N_ + _N + N1 + xN;",
        "a = NN + N_ + _N + N1 + xN;",
    );
    expands(&["N 4"], "N N", "4 4");
    expands(&["N"], "a N b", "a  b");
    expands(&["N M + 1", "M 3"], "N", "3 + 1");
    // Its own name stays as it is.
    expands(&["N N + 1"], "N", "N + 1");
    expands(&["N M", "M N"], "N M", "N M");
    expands(&["N (N)"], "(N)", "((N))");
    // Not in literals, nor in numbers and their suffixes.
    expands(
        &["N 4", "u 5", "x 6"],
        "N \"N\" 'N' 0x1u 1u",
        "4 \"N\" 'N' 0x1u 1u",
    );
    expands(
        &["N 4"],
        "N \"a\\\"N\" \"\\\\\" N",
        "4 \"a\\\"N\" \"\\\\\" 4",
    );
    expands(&["N 4"], "N \"N", "4 \"N");
    expands(
        &["e 4", "f 5"],
        "e 1e+3f 1.e-2 .5e3 0x1p-3",
        "4 1e+3f 1.e-2 .5e3 0x1p-3",
    );
    expands(&["N 4"], "1+N 1e+N 0xA-N 2-N", "1+4 1e+N 0xA-4 2-4");
    // Members are words.
    expands(&["N v"], "s.N + p->N", "s.v + p->v");
    expands(&["N 4"], "a[N]+=N<<N;", "a[4]+=4<<4;");
    expands(&["N 4"], "\tN", " 4");
    // The last one counts.
    expands(&["N 4", "N 5"], "N", "5");
    expands(&["N  4 + 5  "], "[N]", "[4 + 5]");
    expands(&["N(4)"], "N", "N");
    expands(&["N (4)"], "N", "(4)");
    for (name, size) in [
        ("INT8", "signed char"),
        ("INT16", "short"),
        ("INT32", "int"),
        ("INT64", "long"),
        ("UINT8", "unsigned char"),
        ("UINT16", "unsigned short"),
        ("UINT32", "unsigned"),
        ("UINT64", "unsigned long"),
        ("SIZE", "unsigned long"),
        ("PTRDIFF", "long"),
        ("INTPTR", "long"),
        ("UINTPTR", "unsigned long"),
    ] {
        expands(&[], &format!("__{name}_TYPE__ x;"), &format!("{size} x;"));
    }
}

#[test]
fn macros_with_parameters() {
    expands(&["F(x) x"], "F(1)", "1");
    expands(&["F(x) (x) + x"], "F(a b)", "(a b) + a b");
    expands(&["F(x, y) y - x"], "F(1, 2)", "2 - 1");
    expands(&["F( x ,y ) y - x"], "F ( 1 , 2 )", "2 - 1");
    expands(&["F() 3"], "F() F( )", "3 3");
    expands(&["F(x) [x]"], "F() F( )", "[] []");
    // Brackets keep commas together.
    expands(&["F(x, y) y|x"], "F((1, 2), 3)", "3|(1, 2)");
    expands(&["F(x, y) y|x"], "F(g(1, 2), h[3])", "h[3]|g(1, 2)");
    expands(&["F(x) x"], "F(a[(1)]) + F({2})", "a[(1)] + {2}");
    expands(&["F(x) x"], "F(\")\") F(')') F(\",\")", "\")\" ')' \",\"");
    // Without brackets behind it, it is none.
    expands(&["F(x) x"], "F + F;", "F + F;");
    expands(&["F(x) x"], "F", "F");
    expands(&["F(x) x"], "F\t(1)", "1");
    // Arguments are expanded, and what becomes of it once more.
    expands(&["F(x) x + x", "N 4"], "F(N)", "4 + 4");
    expands(&["F(x) x * N", "N 4"], "F(N)", "4 * 4");
    expands(&["F(x) G(x)", "G(x) [x]"], "F(1) G(F(2))", "[1] [[2]]");
    expands(&["F(x) (x)"], "F(F(F(1)))", "(((1)))");
    expands(&["F(x) F(x + 1)"], "F(0)", "F(0 + 1)");
    // Parameters that have the name of a macro.
    expands(&["x 7", "F(x) x"], "F(1) x", "1 7");
    expands(&["F(x) xx x x1"], "F(1)", "xx 1 x1");
    expands(&["F(x) \"x\" 'x' x"], "F(1)", "\"x\" 'x' 1");
    expands(&["F(a, b, c) c b a"], "F(1, , 3)", "3  1");
    let found = macros(&["F(x) x"]);
    assert_eq!(found.expand("F(1"), Ok(None));
    assert_eq!(found.expand("F((1)"), Ok(None));
    assert_eq!(found.expand("G(F(1)"), Ok(Some("G(1".into())));
    assert_eq!(found.expand("F([)"), Ok(None));
    for call in ["F(1, 2)", "G(1)", "G(1, 2, 3)", "H(1)"] {
        let macros = macros(&["F(x) x", "G(x, y) x", "H() 1"]);
        let name = &call[..1];
        let why = format!("a call of macro `{name}`");
        assert_eq!(macros.expand(call), Err(why), "{call}");
    }
}

#[test]
fn definitions_of_macros() {
    let mut macros = Macros::predefined();
    for (text, why) in [
        ("", "a #define without a name"),
        ("(x) x", "a #define without a name"),
        ("F(x", "the parameters of macro `F`"),
        ("F(x) #x", "the operators of macro `F`"),
        ("F(x) x##1", "the operators of macro `F`"),
        ("F(...) __VA_ARGS__", "the operators of macro `F`"),
        ("N a # b", "the operators of macro `N`"),
    ] {
        assert_eq!(macros.define(text), Err(why.to_owned()), "{text}");
    }
    assert!(!macros.is_defined("N") && macros.is_defined("__INT_MAX__"));
    macros.define("N").unwrap();
    assert!(macros.is_defined("N") && !macros.is_defined("M"));
    macros.undefine("N");
    macros.undefine("M");
    assert!(!macros.is_defined("N"));
    // One that calls the next, and so on.
    let chain = |count: usize| {
        let mut macros = Macros::predefined();
        for at in 0..count {
            macros.define(&format!("N{at} N{}", at + 1)).unwrap();
        }
        macros.expand("N0")
    };
    assert_eq!(chain(150), Ok(Some("N150".into())));
    assert_eq!(chain(300), Err("macros nested too deeply".into()));
    // Not more than a line may be.
    let mut macros = Macros::predefined();
    macros
        .define("A(x) x x x x x x x x x x x x x x x x")
        .unwrap();
    let grown = |macros: &Macros, line: &str| macros.expand(line).map(|found| found.unwrap().len());
    assert_eq!(grown(&macros, "A(A(A(A(12345))))"), Ok(6 * 65_536 - 1));
    assert!(grown(&macros, "A(A(A(A(A(A(1))))))").is_err());
    for at in 0..7 {
        let next = format!(" D{}", at + 1).repeat(16);
        macros.define(&format!("D{at}{next}")).unwrap();
    }
    assert_eq!(grown(&macros, "D3"), Ok(3 * 65_536 - 1));
    assert!(grown(&macros, "D0").is_err());
    assert!(grown(&macros, "A(A(A(A(A( )))))").is_ok_and(|length| length < 4 << 20));
}

#[test]
fn calls_of_macros_over_several_lines() {
    let text = "#define F(x, y) y - x\nint a = F(1, // one\n  2 /* two\n */);\nint b;\n";
    assert_eq!(lines(text), ["", "int a = 2 - 1;", "int b;"]);
    let prepared = prepare("f.c", text).unwrap();
    let line = |what: &str| prepared.line(prepared.text.find(what).unwrap());
    assert_eq!((line("int a"), line("int b")), (2, 5));
    assert_eq!(
        refused("int x;\n#define F(x) x\nF(1,\n2"),
        ("a macro's arguments do not end".into(), 3)
    );
}
