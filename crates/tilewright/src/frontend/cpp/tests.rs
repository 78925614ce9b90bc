//! What does not need a compiler: what is asked, what answers mean, what comes out as C and as C++.

use super::answers::{Answers, ask};
use super::printed::printed;
use super::{Lifted, read};
use crate::source::Source;
use std::collections::BTreeMap;

fn source(text: &str) -> Source {
    Source {
        name: "a.cpp".to_owned(),
        text: text.to_owned(),
        preprocessed: format!("# 1 \"a.cpp\"\n{text}"),
        ..Source::default()
    }
}

/// What a compiler would say of questions, in the order in which they are asked: code, extents,
/// value.
fn lifted(source: &Source, answers: &[(u64, Option<i64>)]) -> Lifted {
    let messages: Vec<String> = answers
        .iter()
        .enumerate()
        .map(|(number, (code, value))| {
            let (is_constant, value) = (i64::from(value.is_some()), value.unwrap_or(0));
            format!("'tilewright_asks::probe<{number}, {code}, 0, 0, 0, {is_constant}, {value}>'")
        })
        .collect();
    read(source)
        .expect("it has regions")
        .lift(&messages.join("\n"))
}

/// Codes of types: `int`, `float`.
const INT: u64 = 17;
const FLOAT: u64 = 23;
const POINTER: u64 = 2;
const REFERENCE: u64 = 4;

#[test]
fn answers_are_numbers_of_layers() {
    let text =
        "probe<3, 23, 0, 0, 0, 0, 0>, probe<4, 24099, 5, 0, 0, 0, 0>, probe<5, 17, 0, 0, 0, 1, -7>";
    let answers = Answers::read(text);
    let name = |question| {
        answers
            .get(question)
            .and_then(|answer| answer.kind.declaration("x"))
    };
    assert_eq!(name(3).as_deref(), Some("float x"));
    // 23 * 32 + 1 is constant, that * 32 + 3 an array.
    assert_eq!(23 * 1024 + 32 + 3, 23587);
    let array = Answers::read("probe<0, 23587, 5, 0, 0, 0, 0>");
    let array = array.get(0).and_then(|answer| answer.kind.declaration("x"));
    assert_eq!(array.as_deref(), Some("const float x[5]"));
    assert_eq!(answers.get(5).and_then(|answer| answer.value), Some(-7));
    // Two instances of a template answer differently.
    let both = Answers::read("probe<0, 23, 0, 0, 0, 0, 0> probe<0, 24, 0, 0, 0, 0, 0>");
    assert!(both.get(0).is_none());
    // Warnings come with the same answer twice.
    let twice = Answers::read("probe<0, 23, 0, 0, 0, 0, 0> probe<0, 23, 0, 0, 0, 0, 0>");
    assert!(twice.get(0).is_some());
}

#[test]
fn questions_are_put_in_front_of_the_region() {
    let source = source(
        "void f(float *x, int n)\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    x[i] = 0;\n#pragma endscop\n}\n",
    );
    let question = read(&source)
        .expect("it has a region")
        .question()
        .expect("it asks");
    let of_n = ask(0, "decltype(n)", None);
    let (before, behind) = question.split_once(&of_n).expect("it asks for `n`");
    assert!(before.trim_end().ends_with("#pragma scop"), "{before}");
    assert!(behind.contains("for (int i = 0; i < n; i++)"), "{behind}");
    let of_x = ask(3, "decltype(x)", None);
    assert!(question.contains(&of_x), "{question}");
}

#[test]
fn what_a_region_uses_is_a_parameter_or_a_variable_of_the_file() {
    let source = source(
        "void f(float *x, int n, float &s)\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    s += x[i];\n#pragma endscop\n}\n",
    );
    // n: its type, its value, its address; s: the same; x: its type.
    let answers = [
        (INT, None),
        (0, None),
        (INT * 32 + POINTER, None),
        (FLOAT * 32 + REFERENCE, None),
        (0, None),
        (FLOAT * 32 + POINTER, None),
        (FLOAT * 32 + POINTER, None),
    ];
    let lifted = lifted(&source, &answers);
    assert!(lifted.warnings.is_empty(), "{:?}", lifted.warnings);
    let c = lifted.source.expect("a region").preprocessed;
    let words: Vec<&str> = c.lines().filter(|line| !line.starts_with('#')).collect();
    let words = words
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(words.contains("float s; "), "{words}");
    assert!(words.contains("void f( int n, float *x ) {"), "{words}");
    // The region stands on its own lines.
    assert!(c.contains("# 4 \"a.cpp\"\n for ( int i"), "{c}");
}

#[test]
fn without_an_answer_a_region_stays_as_it_was() {
    let source = source(
        "void f(T *x)\n{\n#pragma scop\nfor (int i = 0; i < 9; i++)\n    x[i] = 0;\n#pragma endscop\n}\n",
    );
    let lifted = lifted(&source, &[]);
    assert!(lifted.source.is_none());
    let [warning] = &lifted.warnings[..] else {
        panic!("{:?}", lifted.warnings);
    };
    assert_eq!(warning.code, "TW0214");
    let label = &warning.labels[0];
    assert_eq!(&source.text[label.start..label.end], "x");
}

#[test]
fn any_text_is_read_or_refused() {
    let whole = "namespace a { template <class T> class B { void f(int (&x)[3]) noexcept { auto y = [&] {}; \n#pragma scop\nfor (auto &v : x) { if (int k = v; k < 1'000) v = std::max<int>(v, 'a'); else { std::swap(x[0], v); } } const auto &z{a::b<3>::c(1)}; do x[1]--; while (this->q[sizeof(x)] >>= 1);\n#pragma endscop\n} }; }\n";
    for end in (0..whole.len()).step_by(2) {
        for start in [0, 33] {
            let text = whole.get(start.min(end)..end).unwrap_or("");
            let text = format!(
                "{text}\n#pragma scop\n{}\n#pragma endscop\n}}",
                whole.get(end..).unwrap_or("")
            );
            let source = source(&text);
            if let Ok(reading) = read(&source) {
                let _ = reading.question();
                let _ = reading.lift("");
            }
        }
    }
}

#[test]
fn c_is_printed_as_cplusplus() {
    let names = BTreeMap::from([("max_of_int".to_owned(), "std::max<int>".to_owned())]);
    let text = "    float (*restrict t)[n + 2] = __builtin_malloc(sizeof(float[m][n + 2]));\n\
                \x20   float *restrict row = (void *)aligned;\n\
                \x20   _Bool b = (_Bool)1;\n\
                \x20   k = max_of_int(k, restricted[0]);\n";
    let expected = "    float (*__restrict t)[n + 2] = (__typeof__(t))__builtin_malloc(sizeof(float[m][n + 2]));\n\
                    \x20   float *__restrict row = (__typeof__(row))aligned;\n\
                    \x20   bool b = (bool)1;\n\
                    \x20   k = std::max<int>(k, restricted[0]);\n";
    assert_eq!(printed(text, &names), expected);
}
