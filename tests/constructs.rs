//! Each construct of C that people write, as a file of `tests/constructs`: a function `k` with it,
//! which is taken, and calls of it, after which the memory holds what it holds after the original's;
//! which version ran is counted, the generated one or, where something does not hold that was taken
//! for granted, the original. And functions with variants of it that are left as they were, with the
//! message; what that offers is put in, and then the region is taken.

use crate::running::{directory, finished, root, tilewright};
use crate::versions::Texts;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tilewright_cases::{Case, Expected, Message, Of, Part, Seen, run};

#[test]
fn constructs() {
    run(&root().join("tests/constructs"), |case| {
        let parts = case.parts.iter().map(|part| look(case, part));
        parts.collect()
    });
}

fn look(case: &Case, part: &Part) -> Seen {
    let Of::Region(region) = part.of else {
        panic!("what is compiled with options is in `tests/cases`");
    };
    let name = case.path.file_stem().expect("a name").to_string_lossy();
    let folder = directory(&format!("{name}_{region}"));
    let text = alone(&part.program, region);
    let (result, messages) = compiled(&folder, &text, false);
    let mut seen = Seen {
        refused: result == text,
        messages: messages.iter().map(|said| message(said)).collect(),
        ..Seen::default()
    };
    if seen.refused {
        offered(&folder, &text, &seen.messages);
    }
    let calls = part.checks.iter().find_map(|check| match &check.expected {
        Expected::Text(topic, text) if topic == "calls" => Some(text),
        _ => None,
    });
    if let Some(calls) = calls {
        let texts = Texts {
            original: &text,
            result: &result,
        };
        let found = called(&texts, calls, &folder);
        seen.texts = BTreeMap::from([("calls", found)]);
    }
    seen
}

/// The calls, each with the version that ran, or how many regions' generated code did.
fn called(texts: &Texts, calls: &str, folder: &Path) -> String {
    let arguments = calls.lines().map(|line| match line.rsplit_once(": ") {
        Some((arguments, _)) => arguments,
        None => line,
    });
    let arguments: Vec<&str> = arguments.collect();
    // Not every clang has all types that gcc has.
    let mut clang = Command::new("clang");
    clang.args(["-fsyntax-only", "-w", "-Wno-implicit-int"]);
    clang.args(["-Wno-implicit-function-declaration", "-I"]);
    clang.arg(root().join("tests/constructs"));
    let built = clang.arg(folder.join("file.c")).output();
    let takes = built.is_ok_and(|built| built.status.success());
    let compilers = ["gcc", "clang"].into_iter().take(1 + usize::from(takes));
    let mut found = compilers.map(|compiler| {
        let printed = texts.executed(&arguments, compiler, folder);
        let lines = arguments.iter().zip(printed.lines());
        let lines = lines.map(|(arguments, line)| {
            let version = match line {
                "same 1" => "generated",
                "same 0" => "original",
                other => other,
            };
            format!("{arguments}: {version}")
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    let first = found.next().expect("a compiler");
    assert!(found.all(|other| other == first), "{first}");
    first
}

/// What becomes of a file, and the messages, each by itself.
fn compiled(folder: &Path, text: &str, fix: bool) -> (String, Vec<String>) {
    let (file, result) = (folder.join("file.c"), folder.join("result.c"));
    std::fs::write(&file, text).expect("written");
    let mut command = tilewright();
    command.args(["compile", "--shape", "none", "-I", "tests/constructs"]);
    command.args(fix.then_some("--fix")).arg("--output");
    command.args([&result, &file]);
    let (status, _, said) = finished(command);
    assert_eq!(status, 0, "{said}");
    let said = said.replace(&format!("{}/", folder.display()), "");
    let mut messages: Vec<String> = Vec::new();
    for line in said.lines() {
        let begins = ["warning", "error", "note"].iter().any(|word| {
            let rest = line.strip_prefix(word);
            rest.is_some_and(|rest| rest.starts_with('[') || rest.starts_with(':'))
        });
        match messages.last_mut() {
            Some(last) if !begins => *last += &format!("\n{line}"),
            _ => messages.push(line.to_owned()),
        }
    }
    (std::fs::read_to_string(result).expect("written"), messages)
}

/// `warning[TW0203]: …` and ` --> FILE:7:5`.
fn message(text: &str) -> Message {
    let code = text.split_once("[TW").and_then(|(_, rest)| rest.get(..4));
    let place = text.lines().find_map(|line| {
        let place = line.trim_start().strip_prefix("--> file.c:")?;
        let (line, column) = place.split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?))
    });
    Message {
        code: code.map(|code| format!("TW{code}")).unwrap_or_default(),
        place,
        text: text.to_owned(),
    }
}

/// Where messages offer something that changes the file, none of them is said of what comes out.
fn offered(folder: &Path, text: &str, messages: &[Message]) {
    let (result, again) = compiled(folder, text, true);
    let fixed = std::fs::read_to_string(folder.join("file.c")).expect("written");
    if fixed == text {
        return;
    }
    let again: Vec<Message> = again.iter().map(|said| message(said)).collect();
    let first = &messages[0];
    let stays = |said: &&Message| said.code == first.code && said.place == first.place;
    let said = again.iter().find(stays).map(|said| &said.text);
    assert!(said.is_none() || result != fixed, "{fixed}\n{said:?}");
}

/// The file as if one region were all that is marked.
fn alone(text: &str, region: usize) -> String {
    let (mut result, mut number) = (String::new(), 0);
    for line in text.split_inclusive('\n') {
        let begins = |word| line.trim_start().starts_with(word);
        if (begins("#pragma scop") || begins("#pragma endscop")) && number != region {
            result += "\n";
        } else {
            result += line;
        }
        number += usize::from(begins("#pragma endscop"));
    }
    result
}
