//! What messages offer in place of what they mark is accepted there: checked for every message of
//! every program that these tests refuse, and for the programs of the book.

use super::{plain, preprocess, render};
use std::path::Path;
use tilewright::diagnostic::{Diagnostic, Severity};
use tilewright::frontend::c::lower::lower_region;
use tilewright::frontend::c::read;
use tilewright::source::Source;

/// Most rewrites of one program.
const MOST: usize = 20;

/// Puts in what messages offer, one after the other, as long as something is offered: each message
/// goes with its rewrite, and no other error comes that offers nothing itself.
pub fn check(source: &Source, messages: &[Diagnostic]) -> usize {
    let needs_none = source.preprocessed == source.text;
    let again: &dyn Fn(&str) -> Source = if needs_none { &plain } else { &preprocess };
    check_with(source, messages, again)
}

/// The same for a text that is preprocessed in another way.
pub fn check_with(
    source: &Source,
    messages: &[Diagnostic],
    again: &dyn Fn(&str) -> Source,
) -> usize {
    let mut source = source.clone();
    let mut messages = messages.to_vec();
    if messages.iter().all(|d| d.rewrite.is_none()) {
        return 0;
    }
    let first = said(&source);
    let known = |list: &[Diagnostic], d: &Diagnostic| {
        list.iter()
            .any(|k| (k.code, &k.message) == (d.code, &d.message))
    };
    for number in 0..MOST {
        let Some(offer) = messages.iter().find(|d| d.rewrite.is_some()).cloned() else {
            return number;
        };
        let mut text = source.text.clone();
        let place = offer.labels.iter().find(|l| l.primary).expect("a place");
        let rewrite = offer.rewrite.as_deref().expect("a rewrite");
        text.replace_range(place.start..place.end, rewrite);
        source = again(&text);
        let count = |list: &[Diagnostic]| {
            let same = |d: &&Diagnostic| (d.code, &d.message) == (offer.code, &offer.message);
            list.iter().filter(same).count()
        };
        let before = count(&messages);
        messages = said(&source);
        let new: Vec<Diagnostic> = messages
            .iter()
            .filter(|d| d.severity == Severity::Error && d.rewrite.is_none())
            .filter(|d| !known(&first, d))
            .cloned()
            .collect();
        assert!(
            new.is_empty() && count(&messages) < before,
            "{text}\nis not accepted in place of what {} offered:\n{}",
            offer.message,
            render(&source, &messages)
        );
    }
    panic!("no end of rewrites: {}", source.text);
}

/// All that is said of a file and its regions.
fn said(source: &Source) -> Vec<Diagnostic> {
    let unit = match read(source) {
        Ok(unit) => unit,
        Err(errors) => return errors,
    };
    let region = |number| match lower_region(&isl::Ctx::new(), &unit, number) {
        Ok(lowered) => lowered.warnings,
        Err(errors) => errors,
    };
    (0..unit.regions.len()).flat_map(region).collect()
}

/// The programs of the book's page on messages.
#[test]
fn of_the_book() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/diagnostics.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let mut offered = 0;
    for block in page.split("```c,").skip(1) {
        let (info, program) = block.split_once('\n').expect("lines");
        let program = program.split("```").next().unwrap_or_default();
        // Nothing of it is there to read.
        if info.contains("TW0103") {
            continue;
        }
        let source = preprocess(program);
        offered += check(&source, &said(&source));
    }
    assert!(offered >= 2);
}

/// Those that the parser refuses.
#[test]
fn of_mistakes() {
    let region = "void f(int n, int *restrict a) {\n#pragma scop\nBODY\n#pragma endscop\n}\n";
    let mut offered = 0;
    for body in [
        "for (int i = 0; i < n; i++) a[i] = 1",
        "for (int i = 0; i < n; i++) { a[i] = 1 }",
        "for (int i = 0; i < n; i++) { int k = i a[i] = k; }",
        "for (int i = 0; i < n; i++) { a[i] = i a[i] += n }",
        "for (int i = 0; i < n; i++) a[i]++",
        "for (int i = 0; i < n; i++) { if (a[i]) a[i] = n else a[i] = 2; }",
        "for (int i = 0; i < n; i++) a[i] = 1;\n#pragma scop\nfor (int i = 0; i < n; i++) a[i] = 1;",
        "a[0] = 1;\n#pragma scop\na[1] = 2;\n#pragma scop\na[2] = 3;",
        "for (int i = 0; i < n; i++) {\n#pragma scop\na[i] = 1;\n}",
        "a[0] = 1;\nif (n > 3) {\n#pragma scop\na[1] = 2;\n#pragma endscop\n}",
        "do { a[0] = 1; } while (0)",
    ] {
        let source = preprocess(&region.replace("BODY", body));
        let text = "g(int x) { return x; }\n".to_owned() + &source.text;
        offered += check(&source, &said(&source));
        let source = preprocess(&text);
        offered += check(&source, &said(&source));
    }
    assert!(offered >= 20, "{offered}");
}
