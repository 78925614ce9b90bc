//! Small texts with mutants in them.

use crate::edit::{Edit, edits};
use crate::list::{Mutant, Place, Span};
use crate::weave::{Marks, arms_at, weave};
use std::collections::HashMap;

/// A mutant of the first `what` in a text, or behind `after`.
fn mutant(text: &str, genre: &str, what: &str, after: &str, replacement: &str) -> Mutant {
    let from = text.find(after).expect("a place") + after.len();
    let at = from + text[from..].find(what).expect("something to replace");
    let line = text[..at].matches('\n').count() + 1;
    let column = text[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
    Mutant {
        file: "a.rs".into(),
        genre: genre.into(),
        replacement: replacement.into(),
        span: Span {
            start: Place { line, column },
        },
        name: what.into(),
        key: what.into(),
    }
}

/// A text with its mutants, without marks, each word apart from the next by one blank.
fn woven(text: &str, mutants: &[Mutant]) -> String {
    let numbered: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
    let edits = edits(text, &numbered).expect("Rust");
    let ids: HashMap<usize, u32> = edits.iter().flat_map(Edit::mutants).zip(1..).collect();
    let woven = weave(text, &edits, &ids);
    syn::parse_file(&woven).expect("what is woven is Rust");
    let mut plain = String::new();
    let mut rest = woven.as_str();
    while let Some((front, mark)) = rest.split_once("/*") {
        plain.push_str(front);
        rest = mark.split_once("*/").expect("a comment's end").1;
    }
    plain.push_str(rest);
    let plain = plain.replace("crate::source_mutants_rt::", "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn operators_in_each_other() {
    let text = "fn f(a: i32, b: i32) -> bool { a + 1 < -b }";
    let mutants = [
        mutant(text, "BinaryOperator", "<", "", "=="),
        mutant(text, "BinaryOperator", "<", "", ">"),
        mutant(text, "BinaryOperator", "+", "", "*"),
        mutant(text, "UnaryOperator", "-", "->", ""),
    ];
    assert_eq!(
        woven(text, &mutants),
        "fn f(a: i32, b: i32) -> bool { (match at(1, 2) { 1 => a + 1 == -b , 2 => a + 1 > -b , \
         _ => (match at(3, 1) { 3 => a * 1 , _ => a + 1 }) < (match at(4, 1) { 4 => b , _ => -b }) }) }"
    );
}

#[test]
fn bodies_arms_guards_and_fields() {
    let text = "fn f(a: u8) -> S {\n    match a {\n        1 => g(),\n        2 if a > h() => S { x: 1, ..S::new() },\n        _ => g(),\n    }\n}\n";
    let mutants = [
        mutant(text, "FnValue", "match", "", "Default::default()"),
        mutant(text, "MatchArm", "1 =>", "", ""),
        mutant(text, "MatchArm", "2 if", "", ""),
        mutant(text, "MatchArmGuard", "a >", "", "true"),
        mutant(text, "StructField", "x: 1", "", ""),
    ];
    assert_eq!(
        woven(text, &mutants),
        "fn f(a: u8) -> S { match at(1, 1) { 1 => return Default::default() , _ => {} } \
         match a { 1 if at(2, 1) != 2 => g(), \
         2 if (match at(3, 2) { 3 => true , 4 => false , _ => a > h() }) => \
         (match at(5, 1) { 5 => S { ..S::new() } , _ => S { x: 1, ..S::new() } }), _ => g(), } }"
    );
}

#[test]
fn constants_and_conditions_that_bind_stay() {
    let text = "const A: i32 = 1 + 2;\nconst fn g() -> i32 { 1 * 2 }\nstatic B: &[i32] = &[3 - 4];\n\
                fn f(a: Option<i32>) -> &'static [i32] { let _: [u8; 5 / 6]; if a.is_some() && let Some(b) = a { h(b) } &[7 % 8] }";
    let operators = ["+", "*", "-", "/", "&&", "%"];
    let mutants: Vec<Mutant> = operators
        .iter()
        .map(|op| {
            mutant(
                text,
                "BinaryOperator",
                op,
                if *op == "-" { "[3" } else { "" },
                "|",
            )
        })
        .collect();
    let blanks = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(woven(text, &mutants), blanks);
}

#[test]
fn errors_are_those_of_the_text_at_their_place() {
    let text = "fn f(a: i32) -> bool { a < (a + 1) }";
    let mutants = [
        mutant(text, "FnValue", "a <", "{", "true"),
        mutant(text, "BinaryOperator", "<", "", "=="),
        mutant(text, "BinaryOperator", "<", "", ">"),
        mutant(text, "BinaryOperator", "+", "", "-"),
    ];
    let numbered: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
    let edits = edits(text, &numbered).expect("Rust");
    let ids: HashMap<usize, u32> = edits.iter().flat_map(Edit::mutants).zip(1..).collect();
    let woven = weave(text, &edits, &ids);
    let marks = Marks::of(&woven);
    let at = |what: &str, of: usize| {
        let (at, _) = woven.match_indices(what).nth(of).expect("a place");
        marks.at(&(at..at + 1))
    };
    assert_eq!(at("true", 0), [(1, false)]);
    assert_eq!(at("==", 0), [(2, false)]);
    assert_eq!(at("a > ", 0), [(3, false)]);
    // The text as it was, in the choice between the operators; and in the inner one.
    assert_eq!(at("a < ", 0), [(2, true)]);
    assert_eq!(at("a + 1", 2), [(4, true)]);
    // The whole choice.
    assert_eq!(at("(match", 0), [(2, true)]);
}

#[test]
fn arms_of_the_match_that_lacks_one() {
    let text = "fn f(a: u8, b: bool) -> u8 {\n    match a {\n        1 => match b { true => 2, false => 3 },\n        2 => 4,\n        _ => 5,\n    }\n}\n";
    let mutants = [
        mutant(text, "MatchArm", "1 =>", "", ""),
        mutant(text, "MatchArm", "true =>", "", ""),
        mutant(text, "MatchArm", "2 =>", "", ""),
    ];
    let numbered: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
    let edits = edits(text, &numbered).expect("Rust");
    let ids: HashMap<usize, u32> = edits.iter().flat_map(Edit::mutants).zip(1..).collect();
    let woven = weave(text, &edits, &ids);
    let place = |of: &str| woven.find(of).expect("there") + "match ".len();
    let arms = |at: usize| arms_at(&woven, &(at..at + 1));
    assert_eq!(arms(place("match a")), [ids[&0], ids[&2]]);
    assert_eq!(arms(place("match b")), [ids[&1]]);
    assert!(arms(0).is_empty());
}
