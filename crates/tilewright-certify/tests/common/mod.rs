//! What tests of the interpreter share.

// Not every file of tests uses all of it.
#![allow(dead_code)]

pub mod calls;
pub mod device;

use tilewright_certify::{Certificate, Options, Text, Verdict, certify};

/// Two texts, on fewer instructions than a compile's.
pub fn judged(original: &str, result: &str) -> Certificate {
    within(original, result, Some(400_000))
}

/// Two texts, on a budget; by default a compile's.
pub fn within(original: &str, result: &str, steps: Option<u64>) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    let options = Options {
        steps,
        functions: Some(vec!["f".to_owned()]),
        ..Options::default()
    };
    certify(&text(original), &text(result), &options)
}

/// The texts are equal.
#[track_caller]
pub fn equal(original: &str, result: &str) {
    let found = judged(original, result);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{result}\n{:?}",
        found.verdict
    );
    assert!(found.runs > 3, "{} runs of {result}", found.runs);
}

/// The texts differ, and the message says so in these words.
#[track_caller]
pub fn differs(original: &str, result: &str, words: &[&str]) {
    let found = judged(original, result);
    let Verdict::Differs(difference) = &found.verdict else {
        panic!("{result}\n{:?}", found.verdict);
    };
    let text = difference.to_string();
    for word in words {
        assert!(text.contains(word), "{result}\n`{word}` is not in: {text}");
    }
}

/// Nothing is said of the texts, for a reason with this in it.
#[track_caller]
pub fn unknown(original: &str, result: &str, word: &str) {
    let found = judged(original, result);
    let Verdict::Unknown(why) = &found.verdict else {
        panic!("{result}\n{:?}", found.verdict);
    };
    assert!(why.contains(word), "{result}\n`{word}` is not in: {why}");
}
