//! One input: what becomes of it, in how many instructions, with how many threads.

use crate::judging::inputs::{Data, Input};
use crate::judging::trial::{Execution, Outcome, Pair, Trial};
use crate::program::Program;
use crate::run::Order;
use crate::verdict::{Difference, Kind};
use std::rc::Rc;

const EXECUTION: Execution = Execution {
    threads: 1,
    order: Order::Forward,
    few: false,
    junk: 0x41,
    notes: false,
};
const PLENTY: u64 = 10_000_000;

fn compiled(text: &str) -> Program {
    let parsed = crate::read::cut("f.c", text).expect("C");
    parsed.compile(&["f".to_owned()], true).expect("C")
}

fn number(program: &Program) -> usize {
    let functions = &program.functions;
    functions.iter().position(|f| f.name == "f").expect("f")
}

fn with<T>(original: &str, result: &str, what: impl FnOnce(&Pair) -> T) -> T {
    let (original, result) = (compiled(original), compiled(result));
    let buffers = Rc::default();
    let halved = crate::judging::setup::Halved::default();
    what(&Pair {
        original: &original,
        result: &result,
        functions: (number(&original), number(&result)),
        init: None,
        buffers: &buffers,
        halved: &halved,
    })
}

fn input(sizes: &[i64]) -> Input {
    Input {
        sizes: sizes.to_vec(),
        data: Data::Small,
        seed: 1,
        alias: None,
    }
}

fn tried(original: &str, result: &str, size: i64, execution: Execution, fuel: u64) -> Trial {
    with(original, result, |pair| {
        pair.trial(&input(&[size]), execution, fuel)
    })
}

/// Instructions of the original alone.
fn steps(text: &str, size: i64) -> u64 {
    with(text, text, |pair| {
        let done = pair.original(&input(&[size]), None, 0x41, PLENTY);
        done.unwrap_or_else(|_| panic!("{text}"))
            .0
            .machine
            .effort
            .steps
    })
}

fn difference(trial: Trial) -> Difference {
    match trial.outcome {
        Outcome::Differs(difference) => *difference,
        _ => panic!("they do not differ"),
    }
}

fn whole(front: &str, body: &str) -> String {
    format!("{front}\nvoid f(int n, int a[restrict 20], int b[restrict 20])\n{{\n{body}\n}}\n")
}

#[test]
fn instructions_of_both_programs() {
    let text = whole("", "for (int i = 0; i < n; i++) b[i] = a[i];");
    let one = steps(&text, 5);
    // Each iteration takes as much as the one before.
    let each = steps(&text, 6) - one;
    assert!(each > 2 && steps(&text, 12) - one == 7 * each);
    let trial = tried(&text, &text, 5, EXECUTION, PLENTY);
    assert!(matches!(trial.outcome, Outcome::Equal));
    assert_eq!((trial.steps, trial.charged), (2 * one, 0));
    let same = |text: &str| tried(text, text, 5, EXECUTION, PLENTY).steps;
    // Globals of both take an instruction for 32 bytes.
    let with_global = whole("char g[3200];", "for (int i = 0; i < n; i++) b[i] = a[i];");
    assert_eq!(same(&with_global), 2 * one + 200);
    let uneven = |a: &str, b: &str| tried(a, b, 5, EXECUTION, PLENTY).steps;
    assert_eq!(uneven(&text, &with_global), 2 * one + 100);
    // Where extents are looked for, the original is executed once more.
    let open = text
        .replace("a[restrict 20]", "*restrict a")
        .replace("b[restrict 20]", "*restrict b");
    let trial = tried(&open, &open, 5, EXECUTION, PLENTY);
    assert!(matches!(trial.outcome, Outcome::Equal));
    assert!(trial.steps > 3 * (5 * each), "{}", trial.steps);
    // And where it reads what nobody wrote.
    let unwritten = whole(
        "",
        "int t[2]; t[0] = 1; int u = t[1]; for (int i = 0; i < n; i++) b[i] = a[i];",
    );
    assert_eq!(same(&unwritten), 3 * steps(&unwritten, 5));
    // What stops before the end has taken what it took.
    let stops = whole(
        "",
        "for (int i = 0; i < n; i++) b[i] = a[i]; b[0] = 1 / (n - 5);",
    );
    let trial = tried(&stops, &stops, 5, EXECUTION, PLENTY);
    assert!(matches!(trial.outcome, Outcome::Refused(_)));
    assert!(
        (one..one + 20).contains(&trial.steps),
        "{} {one}",
        trial.steps
    );
    // Memory costs, too.
    let memory = whole(
        "",
        "int *t = __builtin_malloc(64000); t[0] = 1; __builtin_free(t);",
    );
    let trial = tried(&memory, &memory, 5, EXECUTION, PLENTY);
    assert!((1000..1100).contains(&trial.charged), "{}", trial.charged);
    assert!(trial.steps > 2 * trial.charged);
}

#[test]
fn what_is_too_long() {
    let text = whole("", "for (int i = 0; i < 1000; i++) b[i % 20] = i;");
    let one = steps(&text, 5);
    let is_long = |original: &str, result: &str, fuel: u64| {
        matches!(
            tried(original, result, 5, EXECUTION, fuel).outcome,
            Outcome::Long
        )
    };
    assert!(!is_long(&text, &text, one + 100));
    assert!(is_long(&text, &text, one / 2));
    // The result may take twice what is left, where it ends.
    let double = text
        .replace("i < 1000", "i < 2000 - 1")
        .replace("= i;", "= i > 999 ? i : i;");
    let last = "for (int i = 0; i < 20; i++) b[i] = i;";
    let ends = |body: &str| body.replace("\n}\n", &format!("\n{last}\n}}\n"));
    let (text, double) = (ends(&text), ends(&double));
    assert!(matches!(
        tried(&text, &double, 5, EXECUTION, 4 * one).outcome,
        Outcome::Equal
    ));
    assert!(is_long(&text, &double, one + 1000));
    // What never ends is wrong where there was enough time to see that; else nothing is known.
    let endless = whole("", "for (;;) b[0] = 1;");
    let short = whole("", "b[0] = 1;");
    let found = difference(tried(&short, &endless, 5, EXECUTION, PLENTY));
    assert_eq!(found.kind, Kind::Endless);
    assert!(is_long(&short, &endless, 100_000));
    assert!(is_long(&endless, &short, PLENTY));
    // A hundred times as long as the original, and 600,000 instructions more.
    let turns = |count: u64| {
        whole(
            "",
            &format!("int k = 0; for (int i = 0; i < {count}; i++) k ^= i; b[0] = k & 0;"),
        )
    };
    let each = (steps(&turns(2000), 5) - steps(&turns(1000), 5)) / 1000;
    let none = whole("", "b[0] = 0;");
    let outcome = |count: u64| tried(&none, &turns(count), 5, EXECUTION, PLENTY).outcome;
    assert!(matches!(outcome(590_000 / each), Outcome::Equal));
    assert!(matches!(outcome(630_000 / each), Outcome::Differs(_)));
    let outcome = |count: u64| tried(&turns(10_000), &turns(count), 5, EXECUTION, PLENTY).outcome;
    assert!(matches!(outcome(900_000), Outcome::Equal));
    // Memory takes what it takes, however little the original needs; but not more than there is.
    let arrays = |count: u64| {
        whole(
            "",
            &format!(
                "for (int i = 0; i < {count}; i++) {{ char *t = __builtin_malloc(640000); t[0] = 1; __builtin_free(t); }} b[0] = 0;"
            ),
        )
    };
    let outcome = |fuel: u64| tried(&none, &arrays(200), 5, EXECUTION, fuel).outcome;
    assert!(matches!(outcome(PLENTY), Outcome::Equal));
    assert!(matches!(outcome(700_000), Outcome::Long));
    let huge = whole(
        "",
        "char *t = __builtin_malloc(2000000000ul); t[0] = 1; b[0] = 0;",
    );
    assert_eq!(
        difference(tried(&none, &huge, 5, EXECUTION, PLENTY)).kind,
        Kind::Memory
    );
    let wide = whole("", "char t[2000000000ul + n]; t[0] = 1; b[0] = 0;");
    assert_eq!(
        difference(tried(&none, &wide, 5, EXECUTION, PLENTY)).kind,
        Kind::Memory
    );
}

#[test]
fn why_the_original_is_refused() {
    for (body, why) in [
        (
            "b[0] = 1 / (n - 5);",
            "the original is undefined in line 4: a division by zero",
        ),
        (
            "b[0] = 2147483647 + n;",
            "the original is undefined in line 4: signed overflow",
        ),
        (
            "b[0] = 1 << (n + 60);",
            "the original is undefined in line 4: an undefined shift",
        ),
        (
            "b[0] = (int)(n * 1e30);",
            "the original is undefined in line 4: a conversion out of the type's range",
        ),
        (
            "\nb[n + 20] = 1;",
            "the original is undefined in line 5: an access outside of its array",
        ),
        (
            "int *p = 0; *p = n;",
            "the original is undefined in line 4: use of a pointer that points nowhere",
        ),
        (
            "__builtin_free(b);",
            "the original is undefined in line 4: an invalid `free`",
        ),
        (
            "__builtin_trap();",
            "the original is undefined in line 4: a trap",
        ),
        (
            "b[0] = &a[1] - &b[1];",
            "line 4 of the original: a difference of pointers into different objects",
        ),
        (
            "int t; for (int i = 0; i < t; i++) ;",
            "the original depends on what was never written",
        ),
    ] {
        let text = whole("", body);
        match tried(&text, &text, 5, EXECUTION, PLENTY).outcome {
            Outcome::Refused(found) => assert_eq!(found, why, "{body}"),
            _ => panic!("{body}"),
        }
    }
    // A subscript beyond its row: what differs then says nothing, what is equal is.
    let row = |value: &str| {
        let front = "int t[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };";
        whole(
            "",
            &format!("{front} int k = n - 1; b[0] = t[0][k] + {value};"),
        )
    };
    match tried(&row("0"), &row("1"), 5, EXECUTION, PLENTY).outcome {
        Outcome::Refused(why) => assert_eq!(why, "the original leaves a row of an array"),
        _ => panic!("a row"),
    }
    let same = tried(&row("0"), &row("1 - 1"), 5, EXECUTION, PLENTY);
    assert!(matches!(same.outcome, Outcome::Equal));
    let within = tried(&row("0"), &row("1"), 3, EXECUTION, PLENTY);
    assert!(matches!(within.outcome, Outcome::Differs(_)));
    let only = whole("", "int k = n - 1; b[0] = k;");
    let result = whole(
        "",
        "int t[2][5] = { { 0, 1, 2, 3, 4 }, { 4 } }; b[0] = t[0][n - 1];",
    );
    assert!(matches!(
        tried(&only, &result, 5, EXECUTION, PLENTY).outcome,
        Outcome::Equal
    ));
    let beyond = difference(tried(&only, &result, 6, EXECUTION, PLENTY));
    assert_eq!(
        (beyond.kind, &beyond.found[..]),
        (Kind::Outside, "subscript 5 of a row of 5")
    );
    // What is in the result and not in the original.
    let plain = whole("", "b[0] = 1;");
    let trial = tried(
        &plain,
        &whole("", "b[0] = 1; b[1] = (&a[1] - &b[1]) * 0 + b[1];"),
        5,
        EXECUTION,
        PLENTY,
    );
    assert!(
        matches!(trial.outcome, Outcome::Unsupported(why) if why == "line 4: a difference of pointers into different objects")
    );
    let deep = whole(
        "static int g(int k) { return k ? g(k - 1) : 1; }",
        "b[0] = g(100000);",
    );
    assert_eq!(
        difference(tried(&plain, &deep, 5, EXECUTION, PLENTY)).kind,
        Kind::Memory
    );
    assert!(matches!(
        tried(&plain, &deep.replace("100000", "900"), 5, EXECUTION, PLENTY).outcome,
        Outcome::Equal
    ));
    let other = "void f(int n, int a[restrict 20], int *b) { a[0] = a[0]; }";
    let one = "void f(int n, int a[restrict 20], int b) { a[0] = a[0]; }";
    assert!(
        matches!(tried(one, other, 5, EXECUTION, PLENTY).outcome, Outcome::Unsupported(why) if why == "other parameters")
    );
}

/// How many threads there are, by counting them.
#[test]
fn threads_of_a_trial() {
    let plain = |body: &str| whole("", &format!("{body} b[0] = 0;"));
    let counted = |body: &str| {
        whole(
            "",
            &format!(
                "{body} b[0] = 0;\n#pragma omp parallel\n{{\n#pragma omp atomic\nb[0] += 1;\n}}"
            ),
        )
    };
    let threads = |body: &str, execution: Execution, fuel: u64| {
        difference(tried(&plain(body), &counted(body), 5, execution, fuel)).found
    };
    let of = |threads: u64, few: bool| Execution {
        threads,
        few,
        ..EXECUTION
    };
    assert_eq!(threads("", of(1, false), PLENTY), "1");
    assert_eq!(threads("", of(16, false), PLENTY), "16");
    assert_eq!(threads("", of(2, true), PLENTY), "2");
    assert_eq!(threads("", of(16, true), PLENTY), "3");
    // What takes a larger part of all instructions has few, too.
    let busy = "for (int i = 0; i < 1000; i++) a[0] = i;";
    let one = steps(&plain(busy), 5);
    assert_eq!(threads(busy, of(16, false), 16 * one + 16), "16");
    assert_eq!(threads(busy, of(16, false), 16 * one - 16), "3");
    for (execution, words) in [
        (of(1, false), "by one thread"),
        (of(16, false), "by 16 threads one after the other"),
        (
            Execution {
                order: Order::Backward,
                ..of(3, false)
            },
            "by 3 threads from the last to the first",
        ),
        (
            Execution {
                order: Order::Shuffled(1),
                ..of(3, false)
            },
            "by 3 threads in any order",
        ),
    ] {
        let found = difference(tried(&plain(""), &counted(""), 5, execution, PLENTY));
        assert_eq!(found.execution, words);
    }
}

/// A value is unwritten where the result depends on it, and the original does not.
#[test]
fn what_was_read_before_it_was_written() {
    let plain = whole("", "b[0] = 1; b[1] = 2;");
    let found = |body: &str| difference(tried(&plain, &whole("", body), 5, EXECUTION, PLENTY));
    let one = found("int t;\nb[0] = t; b[1] = 2;");
    assert_eq!((one.kind, one.line), (Kind::Unwritten, Some(5)));
    assert!(
        one.found.ends_with(", with `t` read before it is written"),
        "{}",
        one.found
    );
    let one = found("int t[3]; t[0] = 1;\nb[0] = t[2]; b[1] = 2;");
    assert_eq!((one.kind, one.line), (Kind::Unwritten, Some(5)));
    assert!(
        one.found.ends_with(", with t[2] read before it is written"),
        "{}",
        one.found
    );
    let one = found("b[0] = 1;\nb[1] = 3;\nb[1] = 4; b[2] = b[2];");
    assert_eq!((one.kind, one.line), (Kind::Value, Some(6)));
    assert_eq!(
        (&one.place[..], &one.expected[..], &one.found[..]),
        ("b[1]", "2", "4")
    );
    // Where the original reads some, too, the value alone is said.
    let reads = whole("", "int t[3]; t[0] = 1; int u = t[2]; b[0] = 1; b[1] = 2;");
    let one = difference(tried(
        &reads,
        &whole("", "int t[3]; t[0] = 1;\nb[0] = t[2]; b[1] = 2;"),
        5,
        EXECUTION,
        PLENTY,
    ));
    assert_eq!(one.kind, Kind::Value);
    // A value of the original that depends on what it never wrote may be any.
    let any = whole("", "int t[3]; t[0] = 1; b[0] = t[2]; b[1] = 2;");
    let same = |body: &str| {
        matches!(
            tried(&any, &whole("", body), 5, EXECUTION, PLENTY).outcome,
            Outcome::Equal
        )
    };
    assert!(same("b[0] = 77; b[1] = 2;"));
    assert!(!same("b[0] = 77; b[1] = 3;"));
}
