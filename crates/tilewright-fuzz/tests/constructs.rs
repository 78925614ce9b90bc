//! Constructs that programs have now and then: programs with each are made, are C whose behaviour is
//! defined, and the compiler takes some of them.

use std::path::Path;
use std::sync::OnceLock;
use tilewright_fuzz::generate::generate;
use tilewright_fuzz::harness::{self, Build, Outcome, Subject, tag};
use tilewright_fuzz::run::worker::{Compiled, compiled};
use tilewright_fuzz::tree::{Program, Stmt, print};

/// Programs with a construct, by the seed of these tests.
const EACH: usize = 8;

/// As many programs as a construct is looked for in.
const MANY: usize = 6_000;

/// The programs of the seed of these tests, and their texts; made once for them all.
fn many() -> &'static [(Program, String)] {
    static MADE: OnceLock<Vec<(Program, String)>> = OnceLock::new();
    MADE.get_or_init(|| {
        let make = |from: usize, to: usize| {
            let all = (from..to).map(|index| generate(8, index as u64, None, ""));
            let all = all.map(|program| (program.clone(), program.to_string()));
            all.collect::<Vec<_>>()
        };
        std::thread::scope(|scope| {
            let first = scope.spawn(|| make(0, MANY / 2));
            let second = make(MANY / 2, MANY);
            let mut all = first.join().expect("no generator panics");
            all.extend(second);
            all
        })
    })
}

fn any(statements: &[Stmt], is: fn(&Stmt) -> bool) -> bool {
    statements.iter().any(|statement| {
        is(statement)
            || match statement {
                Stmt::If { then, other, .. } => any(then, is) || any(other, is),
                Stmt::For(nest) => any(&nest.body, is),
                Stmt::While { body, .. } | Stmt::Region(body) => any(body, is),
                _ => false,
            }
    })
}

fn in_bodies(program: &Program, is: fn(&Stmt) -> bool) -> bool {
    program.functions.iter().any(|f| any(&f.body, is))
}

/// Programs whose texts have one of some words.
fn with_words(words: &[&str]) -> Made {
    made(|_, text| words.iter().any(|word| text.contains(word)))
}

/// Programs of which `has` is true, of them and of their texts: how many are whole and sound, and how
/// many are compiled to something else.
fn made(has: impl Fn(&Program, &str) -> bool) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let mut subjects = Vec::new();
    let mut taken = 0;
    for (index, (program, text)) in many().iter().enumerate() {
        let number = subjects.len();
        if number == EACH {
            break;
        }
        if has(program, text) {
            let program = generate(8, index as u64, None, &tag(number));
            taken += usize::from(is_taken(&program, folder.path()));
            let results = vec![(0, program.to_string())];
            subjects.push(Subject {
                number,
                program,
                results,
            });
        }
    }
    assert_eq!(subjects.len(), EACH, "programs with it are too rare");
    let outcomes = harness::run_batch(&subjects, &Build::SANITIZED, folder.path()).unwrap();
    let same = |outcome: &&Outcome| matches!(outcome, Outcome::Same(_));
    for outcome in outcomes.values() {
        let wrong = matches!(outcome, Outcome::Wrong(_));
        assert!(!wrong, "differs from itself: {outcome:?}");
    }
    Made {
        sound: outcomes.values().filter(same).count(),
        taken,
    }
}

#[derive(Debug)]
struct Made {
    sound: usize,
    taken: usize,
}

impl Made {
    fn is_good(&self) {
        assert!(self.sound + 1 >= EACH, "{self:?}");
        assert!(self.taken * 4 >= EACH, "{self:?}");
    }
}

fn is_taken(program: &Program, folder: &Path) -> bool {
    let words = vec!["--shape none".to_owned()];
    match compiled(&program.to_string(), &words, folder) {
        Compiled::Text(_, changed) => changed,
        Compiled::Refused(_) => false,
        Compiled::Wrong(what) => panic!("{what}\n{program}"),
    }
}

#[test]
fn rows_behind_pointers() {
    with_words(&[" *rows"]).is_good();
}

#[test]
fn rows_behind_pointers_lie_in_many_ways() {
    let mut ways = [0; 5];
    for (program, _) in many() {
        let mut text = String::new();
        print(&mut text, &program.entry, 0);
        let lines = text.lines().filter(|l| l.starts_with("for (long r"));
        for line in lines {
            // The most that every program has is the plain order.
            let known = [" - 1 - r)", "r * 5", "2 * r", "r / 2", "r % 2 ?"];
            for (way, word) in ways.iter_mut().zip(known) {
                *way += usize::from(line.contains(word));
            }
        }
    }
    assert!(ways.iter().all(|n| *n > 0), "{ways:?}");
}

#[test]
fn arrays_as_rows_of_a_table() {
    made(|p, _| {
        in_bodies(
            p,
            |s| matches!(s, Stmt::Raw(line) if line.contains(" *of") && line.contains("= {")),
        )
    })
    .is_good();
}

#[test]
fn rows_behind_pointers_of_a_structure() {
    let rows = |p: &Program, _: &str| {
        p.entry
            .iter()
            .any(|s| matches!(s, Stmt::Raw(line) if line.contains(" = rows")))
    };
    made(rows).is_good();
}

#[test]
fn flat_rows_under_another_subscript() {
    made(|_, text| {
        let mut pointers = ["a", "b", "c", "d", "e"].iter();
        pointers.any(|a| {
            text.contains(&format!("(*{a})[")) || text.contains(&format!("(*restrict {a})["))
        })
    })
    .is_good();
}

#[test]
fn buffers_that_change_places() {
    with_words(&[" = old"]).is_good();
}

#[test]
fn pointers_that_are_read_behind_the_region() {
    made(|_, text| {
        text.split("(p").skip(1).any(|rest| {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            rest.starts_with(" - ")
        })
    })
    .is_good();
}

#[test]
fn steps_that_are_variables() {
    with_words(&["+= st)", "-= st)"]).is_good();
}

#[test]
fn steps_that_double() {
    with_words(&["+= 2 * len"]).is_good();
}

#[test]
fn tests_at_the_end() {
    let last = |s: &Stmt| matches!(s, Stmt::While { last: true, body, .. } if body.len() > 1);
    made(|p, _| in_bodies(p, last)).is_good();
}

#[test]
fn counters_that_move_in_the_middle() {
    let moved = |s: &Stmt| match s {
        Stmt::While { body, .. } => {
            let steps = |s: &Stmt| matches!(s, Stmt::Step("", target, "++") if target.to_string().starts_with('w'));
            body.iter()
                .rposition(steps)
                .is_some_and(|k| k + 1 < body.len())
        }
        _ => false,
    };
    made(|p, _| in_bodies(p, moved)).is_good();
}

#[test]
fn statements_in_expressions() {
    made(|p, _| {
        let mut text = String::new();
        for function in &p.functions {
            print(&mut text, &function.body, 0);
        }
        ["LEAST(", "CUT(", "SHIFTS(", "GREATEST("]
            .iter()
            .any(|name| text.contains(name))
    })
    .is_good();
}

#[test]
fn several_statements_as_one() {
    made(|p, _| in_bodies(p, |s| matches!(s, Stmt::Comma(_)))).is_good();
}

/// What is behind a pointer to a row begins in the row above, for all sizes or for odd ones.
#[test]
fn pointers_that_leave_their_row() {
    made(|_, text| {
        let above = |line: &str| line.contains("* row") && line.contains("] - ");
        text.lines().any(above)
    })
    .is_good();
}

#[test]
fn prints() {
    with_words(&["fprintf(g_told", "fputs(", "fputc("]).is_good();
}

#[test]
fn random_numbers() {
    with_words(&["(rand() &"]).is_good();
}

#[test]
fn functions_that_keep_something() {
    with_words(&[
        "static int ticket(",
        "static unsigned drawn(",
        "static int ring(",
    ])
    .is_good();
}

#[test]
fn functions_that_keep_something_and_call_themselves() {
    with_words(&["static int deep("]).is_good();
}

#[test]
fn tests_that_step() {
    with_words(&["++ < (int)", "while (++w", "; ++w"]).is_good();
}

#[test]
fn heads_that_set_nothing() {
    with_words(&["for (; w"]).is_good();
}
