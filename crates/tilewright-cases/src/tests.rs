use super::bless::blessed;
use super::*;

fn read(text: &str) -> Result<Case, Wrong> {
    Case::read(PathBuf::from("case.c"), text.to_owned())
}

fn message(code: &str, place: (usize, usize), text: &str) -> Message {
    Message {
        code: code.to_owned(),
        place: Some(place),
        text: text.to_owned(),
    }
}

/// Accepted, with a text by the name of `topic`.
fn accepted(topic: &'static str, text: &str) -> Seen {
    Seen {
        texts: BTreeMap::from([(topic, text.to_owned())]),
        ..Seen::default()
    }
}

fn refused(messages: &[Message]) -> Seen {
    Seen {
        refused: true,
        messages: messages.to_vec(),
        ..Seen::default()
    }
}

const TWO: &str = "\
// What begins with a capital letter: a remark.
void f(int n) {
#pragma scop
  n = 1;
#pragma endscop
}
// refused: TW0201 at 4:3 `goto`
// messages lack: unsupported

void g(int n) {
#pragma scop
  n = 2;
#pragma endscop
}
// model:
//   a
//
//     b
// warned: nothing
";

#[test]
fn expectations_are_of_the_region_in_front() {
    let case = read(TWO).expect("a case");
    let regions: Vec<&Of> = case.parts.iter().map(|part| &part.of).collect();
    assert_eq!(regions, [&Of::Region(0), &Of::Region(1)]);
    let of = |part: usize| {
        let checks = case.parts[part].checks.iter();
        checks.map(|c| c.expected.clone()).collect::<Vec<_>>()
    };
    let message = Expected::Message {
        refused: true,
        code: Some("TW0201".to_owned()),
        place: Some((4, 3)),
        words: "`goto`".to_owned(),
    };
    assert_eq!(of(0), [message, Expected::Unsaid("unsupported".to_owned())]);
    let model = Expected::Text("model".to_owned(), "a\n\n  b".to_owned());
    let nothing = Expected::Messages {
        refused: false,
        text: String::new(),
    };
    assert_eq!(of(1), [model, nothing]);
}

#[test]
fn regions_need_no_expectations_where_files_are_compiled() {
    let text = "#pragma scop\n#pragma endscop\n// compile: --shape none\n// left: TW0206\n\
                // compile:\n// code contains: a: b\n";
    let case = read(text).expect("a case");
    let of: Vec<&Of> = case.parts.iter().map(|part| &part.of).collect();
    let options = ["--shape", "none"].map(str::to_owned).to_vec();
    assert_eq!(of, [&Of::Compile(options), &Of::Compile(Vec::new())]);
    let contains = Expected::Contains("code".to_owned(), "a: b".to_owned());
    assert_eq!(case.parts[1].checks[0].expected, contains);
}

const FRAME: &str = "\
// CASE is a word of this remark.
void f(int n, float *a) {
#pragma scop
  CASE
#pragma endscop
}
// case: a[0]++; a[1] = 2;
// refused: TW0201 at 4:3
// case: a[0] = n;
// model lines:
//   a[0] = n
// compile: --shape none
// code contains: CASE
";

#[test]
fn cases_in_a_frame_are_programs() {
    let case = read(FRAME).expect("a case");
    let of: Vec<&Of> = case.parts.iter().map(|part| &part.of).collect();
    let none = Of::Compile(["--shape", "none"].map(str::to_owned).to_vec());
    assert_eq!(of, [&Of::Region(0), &Of::Region(0), &none]);
    let lines = |part: usize| case.parts[part].program.lines().collect::<Vec<_>>();
    let [first, second] = [lines(0), lines(1)];
    assert_eq!((first[0], first[1]), ("", "void f(int n, float *a) {"));
    assert_eq!(
        (first[3], second[3]),
        ("  a[0]++; a[1] = 2;", "  a[0] = n;")
    );
    assert_eq!(first.len(), FRAME.lines().count());
    assert_eq!(second, lines(2));
    let early = FRAME.replace("// case: a[0]++; a[1] = 2;\n", "");
    let wrong = read(&early).expect_err("no case");
    assert_eq!(
        (wrong.line, &*wrong.words),
        (6, "`refused` is about nothing")
    );
    let plain = FRAME.replace("  CASE", "  ;");
    assert!(read(&plain).is_err_and(|wrong| wrong.line == 6));
}

#[test]
fn what_is_no_expectation_is_wrong_where_it_stands() {
    let behind = |line: &str| format!("#pragma scop\n#pragma endscop\n}}\n{line}\n");
    for (line, words) in [
        (
            "// refuzed: TW0201",
            "nothing is known as `refuzed: TW0201`",
        ),
        ("// text contains: a", "nothing is known"),
        ("// expect: luck", "nothing is known"),
        ("// code contains:", "needs words behind it"),
        ("// refused:", "needs words behind it, or lines below"),
        ("// model: a", "nothing is known"),
    ] {
        let wrong = read(&behind(line)).expect_err(line);
        assert_eq!(wrong.line, 3, "{line}");
        assert!(wrong.words.contains(words), "{}", wrong.words);
    }
    let wrong = read("// refused: a\n#pragma scop\n#pragma endscop\n").expect_err("too early");
    assert_eq!(
        (wrong.line, &*wrong.words),
        (0, "`refused` is about nothing")
    );
    let between =
        "#pragma scop\n#pragma endscop\n}\n#pragma scop\n// left: TW0201\n#pragma endscop\n";
    assert_eq!(read(between).expect_err("inside of a region").line, 4);
    assert!(read("int x;\n").is_err());
}

#[test]
fn what_is_seen_is_compared() {
    let case = read(TWO).expect("a case");
    let right = refused(&[message("TW0201", (4, 3), "error: `goto` inside")]);
    assert_eq!(case.parts[0].wrong(&right), []);
    for (seen, line, words) in [
        (
            refused(&[message("TW0202", (4, 3), "error: `goto` inside")]),
            6,
            "no message of this kind:\n    error: `goto` inside",
        ),
        (
            refused(&[message("TW0201", (5, 3), "error: `goto` inside")]),
            6,
            "no message of this kind",
        ),
        (
            refused(&[message("TW0201", (4, 3), "error: something")]),
            6,
            "no message of this kind",
        ),
        (
            refused(&[message("TW0201", (4, 3), "`goto` is unsupported")]),
            7,
            "`unsupported` is said",
        ),
        (accepted("model", ""), 6, "it is accepted, and not refused"),
    ] {
        let wrong = case.parts[0].wrong(&seen);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert_eq!(wrong[0].line, line);
        assert!(wrong[0].words.contains(words), "{}", wrong[0].words);
    }
    assert_eq!(case.parts[1].wrong(&accepted("model", "a\n\n  b\n")), []);
    let wrong = case.parts[1].wrong(&accepted("model", "a\n\n  c\nd\n"));
    let words = "other model:\n    a\n    \n  -   b\n  +   c\n  + d";
    assert_eq!((wrong[0].line, &*wrong[0].words), (14, words));
    let warned = Seen {
        messages: vec![message("TW0203", (1, 1), "warning: slow")],
        ..accepted("model", "a\n\n  b")
    };
    let wrong = case.parts[1].wrong(&warned);
    assert_eq!((wrong.len(), wrong[0].line), (1, 18));
    let wrong = case.parts[1].wrong(&refused(&[message("TW0203", (1, 1), "error: no")]));
    assert!(wrong[0].words.starts_with("it is refused:\n    error: no"));
}

#[test]
fn parts_of_texts_are_looked_for() {
    let text = "#pragma scop\n#pragma endscop\n// compile:\n// code contains: one\n\
                // code lacks: two\n// code lines:\n//   one\n//     three\n// left: TW0206\n\
                // expect: identical\n";
    let part = &read(text).expect("a case").parts[0];
    let right = Seen {
        left: true,
        messages: vec![message("TW0206", (1, 1), "warning")],
        identical: Some(Ok(())),
        ..accepted("code", "zero\n  one\nthree\n")
    };
    assert_eq!(part.wrong(&right), []);
    let lines = |seen: Seen| part.wrong(&seen).iter().map(|w| w.line).collect::<Vec<_>>();
    let code = |text: &str| Seen {
        texts: BTreeMap::from([("code", text.to_owned())]),
        ..right.clone()
    };
    assert_eq!(lines(code("one\ntwo\nthree")), [4, 5]);
    assert_eq!(lines(code("three")), [3, 5]);
    let moved = Seen {
        left: false,
        ..right.clone()
    };
    assert_eq!(lines(moved), [8]);
    let silent = Seen {
        messages: Vec::new(),
        ..right.clone()
    };
    assert_eq!(lines(silent), [8]);
    for identical in [None, Some(Err("a difference".to_owned()))] {
        let seen = Seen {
            identical,
            ..right.clone()
        };
        assert_eq!(lines(seen), [9]);
    }
}

/// What is blessed holds, says the same in words of the case, and is not changed again.
#[test]
fn whole_texts_and_places_are_blessed() {
    let case = read(TWO).expect("a case");
    let warned = message("TW0203", (1, 1), "warning: slow\n\n  help");
    let seen = [
        refused(&[message("TW0201", (9, 8), "error: `goto` inside")]),
        Seen {
            messages: vec![warned],
            ..accepted("model", "c\n")
        },
    ];
    let text = blessed(&case, &seen);
    let behind = "// model:\n//   c\n// warned:\n//   warning: slow\n//\n//     help\n";
    assert!(text.ends_with(behind), "{text}");
    assert!(text.contains("}\n// refused: TW0201 at 9:8 `goto`\n// messages lack"));
    let case = read(&text).expect("a case");
    for (part, seen) in case.parts.iter().zip(&seen) {
        assert_eq!(part.wrong(seen), []);
    }
    assert_eq!(blessed(&case, &seen), text);
}

/// The words that a case is about are not for the program to change.
#[test]
fn words_are_not_blessed() {
    let case = read(TWO).expect("a case");
    let seen = [
        refused(&[message("TW0201", (4, 3), "error: `break` inside")]),
        accepted("model", "a\n\n  b"),
    ];
    assert_eq!(blessed(&case, &seen), TWO);
}

#[test]
fn cases_without_expectations_get_some() {
    let bare = "void f(int n) {\n#pragma scop\n#pragma endscop\n}\nint x;\n";
    let case = read(bare).expect("a case");
    let wrong = case.parts[0].wrong(&accepted("model", "a"));
    assert_eq!(wrong[0].words, "nothing is expected of this");
    let text = blessed(&case, &[accepted("model", "a\n")]);
    let front = "void f(int n) {\n#pragma scop\n#pragma endscop\n}\n";
    assert_eq!(
        text,
        format!("{front}// model:\n//   a\n// warned: nothing\nint x;\n")
    );
    // The outcome turns.
    let case = read(&text).expect("a case");
    let said = refused(&[message("TW0201", (2, 1), "error: no")]);
    let text = blessed(&case, &[said]);
    assert_eq!(
        text,
        format!("{front}// refused:\n//   error: no\nint x;\n")
    );
    let case = read("#pragma scop\n#pragma endscop\n// compile: --a\n").expect("a case");
    let right = Seen {
        identical: Some(Ok(())),
        ..accepted("code", "a")
    };
    let text = blessed(&case, &[right]);
    assert!(text.ends_with("// compile: --a\n// warned: nothing\n// expect: identical\n"));
}

#[test]
fn folders_are_walked_and_failures_come_with_their_places() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("inner")).expect("a folder");
    fs::write(folder.path().join("inner/two.c"), TWO).expect("written");
    fs::write(folder.path().join("panics.c"), TWO).expect("written");
    let right = |case: &Case| {
        assert!(
            !case.path.ends_with("panics.c"),
            "{} parts",
            case.parts.len()
        );
        vec![
            refused(&[message("TW0201", (4, 3), "error: `goto` inside")]),
            accepted("model", "a\n\n  c"),
        ]
    };
    let panic =
        catch_unwind(|| run_those(folder.path(), "", false, right)).expect_err("two are wrong");
    let words = panic.downcast_ref::<String>().expect("words");
    assert!(words.starts_with("2 expectations of "), "{words}");
    assert!(
        words.contains("\ninner/two.c:15: other model:\n"),
        "{words}"
    );
    assert!(words.contains("\npanics.c:1: 2 parts\n"), "{words}");
    fs::remove_file(folder.path().join("panics.c")).expect("removed");
    let other = |_: &Case| {
        vec![
            refused(&[message("TW0201", (4, 4), "error: `goto` inside")]),
            accepted("model", "a\n\n  c"),
        ]
    };
    run_those(folder.path(), "elsewhere", false, other);
    run_those(folder.path(), "inner", true, other);
    let text = fs::read_to_string(folder.path().join("inner/two.c")).expect("readable");
    let expected = TWO.replace("4:3", "4:4").replace("//     b", "//     c");
    assert_eq!(text, expected);
    run_those(folder.path(), "", false, other);
}
