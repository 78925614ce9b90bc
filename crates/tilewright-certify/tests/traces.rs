//! Accesses of a marked part of a function, in order.

use std::collections::BTreeSet;
use tilewright_certify::Text;
use tilewright_certify::storage::trace::{Noted, Request, Run, Trace, trace};

fn request(variables: &[String]) -> Request<'_> {
    Request {
        function: "f",
        variables,
        inputs: 4,
        largest: 30,
        steps: 100_000,
        seed: 1,
    }
}

fn traced(text: &str, request: &Request) -> Result<Vec<Trace>, String> {
    let text = Text {
        name: "f.c",
        preprocessed: text,
    };
    trace(&text, request)
}

/// The runs of the marked part on one input, with values of these variables.
#[track_caller]
fn one(text: &str, variables: &[&str]) -> Vec<Run> {
    let variables: Vec<String> = variables.iter().map(|v| (*v).to_owned()).collect();
    let mut found =
        traced(text, &request(&variables)).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert!(found.len() >= 4, "{} inputs", found.len());
    found.swap_remove(0).runs
}

/// Accesses in words: what is read (`r`) or written (`w`), by the variable's name or as `*`, which
/// bytes; of a call with `()` behind.
fn words(run: &Run) -> String {
    let events = run.events.iter().map(|event| {
        let access = &event.access;
        let name = run.declared.get(&access.object).map_or("*", |d| &d.name);
        format!(
            "{}{name}{}+{}{}",
            if access.write { 'w' } else { 'r' },
            access.offset,
            access.size,
            if event.called { "()" } else { "" }
        )
    });
    events.collect::<Vec<_>>().join(" ")
}

/// What a marked statement accesses.
#[track_caller]
fn accesses(front: &str, statement: &str, expected: &str) {
    let text = format!(
        "struct s {{ int v; double w[2]; }};\nint g;\n\
         static int call(int *p, int k) {{ int t[2] = {{ k, 1 }}; *p = t[0] + g; return t[1]; }}\n\
         void f(int n, short a[30], struct s *p)\n{{\n\
         {front}\n__tw_region(1);\n{statement}\n__tw_region(0);\n}}\n"
    );
    let runs = one(&text, &[]);
    assert_eq!(runs.len(), 1);
    assert_eq!(words(&runs[0]), expected, "{statement}");
}

#[test]
fn accesses_of_statements() {
    accesses("int x;", "x = 1;", "wx0+4");
    accesses("int x = 1; long y;", "y = x;", "rx0+4 wy0+8");
    accesses("int x = 1;", "x += 2;", "rx0+4 wx0+4");
    accesses("int x = 1;", "x++;", "rx0+4 wx0+4");
    accesses("char c = 1;", "if (c) ;", "rc0+1");
    accesses("char c = 0; short d = 0;", "if (c || d) ;", "rc0+1 rd0+2");
    accesses("char c = 0; short d = 0;", "if (c && d) ;", "rc0+1");
    accesses("char c = 1; short d = 0;", "if (c && d) ;", "rc0+1 rd0+2");
    accesses("", "int x = 3, y = 4;", "wx0+4 wy0+4");
    accesses("int x = 1;", "{ int x = 2; x; }", "wx0+4 rx0+4");
    accesses(
        "int x;",
        "for (x = 0; x < 1; x++) ;",
        "wx0+4 rx0+4 rx0+4 wx0+4 rx0+4",
    );
    // Parameters are variables; what they point to is no variable of the function.
    accesses("", "a[3] = 5;", "ra0+8 w*6+2");
    accesses("short x; a[2] = 1;", "x = a[2];", "ra0+8 r*4+2 wx0+2");
    accesses("a[2] = 1;", "n = n + 1;", "rn0+4 wn0+4");
    accesses("", "p->w[1] = 1;", "rp0+8 w*16+8");
    accesses("", "g = 1;", "w*0+4");
    accesses("double t[3]; int i = 2;", "t[i] = 0;", "ri0+4 wt16+8");
    accesses("int x = 1, *q = &x;", "*q = 2;", "rq0+8 wx0+4");
    // Structures as a whole, and values in braces, of which those that are left out are zero.
    accesses("struct s t, u = { 1 };", "t = u;", "ru0+24 wt0+24");
    accesses("struct s t;", "t = *p;", "rp0+8 r*0+24 wt0+24");
    accesses("", "int t[3] = { 7 };", "wt0+12 wt0+4");
    accesses("int t[3];", "__builtin_memset(t, 0, 8);", "wt0+8");
    accesses(
        "int t[3] = { 1, 2, 3 }, u[3];",
        "__builtin_memcpy(u, t + 1, 8);",
        "rt4+8 wu0+8",
    );
    // What a called function does to memory that others know of is part of the call; its own
    // variables are nobody's.
    accesses("int x;", "call(&x, 3);", "r*0+4() wx0+4()");
    accesses("int x, y;", "y = call(&x, 3);", "r*0+4() wx0+4() wy0+4");
    accesses("int x = 1;", "call(&x, x);", "rx0+4 r*0+4() wx0+4()");
    accesses(
        "int x = 1, y;",
        "call(&x, 2); y = x;",
        "r*0+4() wx0+4() rx0+4 wy0+4",
    );
    // Outside of the marks nothing is recorded.
    accesses("int x = 1; x = 2; a[0] = x;", "", "");
}

#[test]
fn calls_in_calls() {
    let text = "int g;\nstatic void inner(int *p) { int t = 1; *p = t; g = 2; }\n\
                static void outer(int *p) { int u; inner(&u); inner(p); g = u; }\n\
                void f(int n)\n{\nint x, y = 1;\n__tw_region(1);\nouter(&x);\ny = 2;\n__tw_region(0);\n}\n";
    let runs = one(text, &["x", "y", "p"]);
    assert_eq!(words(&runs[0]), "w*0+4() wx0+4() w*0+4() w*0+4() wy0+4");
    // Each in the line of the call from the marked part, with the values that were there then.
    for event in &runs[0].events[..4] {
        assert_eq!((event.place, event.statement), ((8, 0), (8, 0)));
        assert_eq!(event.values[1..], [Some(1), None]);
    }
    let last = &runs[0].events[4];
    assert_eq!((last.statement, last.values[1]), ((9, 0), Some(1)));
    assert_eq!(runs[0].declared.len(), 2);
}

#[test]
fn places_values_and_declarations() {
    let text = "void f(int n, int a[30])\n{\n    int x = 5; unsigned char c = 200; float r = 1;\n    \
                for (long i = 0; i < 2; i++) {\n        __tw_note(i);\n        __tw_region(1);\n        \
                x = 6; a[i] =\n          x;\n        { short x = -3;\n          x = 1; }\n        __tw_region(0);\n    }\n}\n";
    let runs = one(text, &["x", "i", "c", "r", "none", "a"]);
    assert_eq!(runs.len(), 2);
    for (at, run) in runs.iter().enumerate() {
        let at = at as i64;
        assert_eq!(run.notes, [Noted::Integer(at.into())]);
        // C leaves the order of operands open.
        let all = words(run);
        let mut all: Vec<&str> = all.split(' ').collect();
        all[1..4].sort_unstable();
        let element = format!("w*{}+4", 4 * at);
        assert_eq!(
            all,
            [
                "wx0+4", "ra0+8", "ri0+8", "rx0+4", &element, "wx0+2", "wx0+2"
            ]
        );
        // Values are those before the access; what is no integer variable here has none.
        let values = |event: usize| run.events[event].values.to_vec();
        let rest = [Some(at), Some(200), None, None, None];
        let first = if at == 0 { 5 } else { 6 };
        assert_eq!(values(0), [&[Some(first)], &rest[..]].concat());
        assert_eq!(values(1), [&[Some(6)], &rest[..]].concat());
        assert_eq!(values(6), [&[Some(-3)], &rest[..]].concat());
        let places: Vec<(u32, usize)> = run.events.iter().map(|e| e.statement).collect();
        let second = (7, 7);
        assert_eq!(
            places,
            [(7, 0), second, second, second, second, (9, 2), (10, 0)]
        );
        let lines: BTreeSet<u32> = run.events[1..5].iter().map(|e| e.place.0).collect();
        assert_eq!(lines, BTreeSet::from([7, 8]));
        // Two variables of one name are two.
        let declared: BTreeSet<(&str, (u32, usize))> = run
            .declared
            .values()
            .map(|d| (&d.name[..], d.place))
            .collect();
        let names: Vec<&str> = declared.iter().map(|d| d.0).collect();
        assert_eq!(names, ["a", "i", "x", "x"]);
        let of_x: Vec<u32> = declared
            .iter()
            .filter(|d| d.0 == "x")
            .map(|d| d.1.0)
            .collect();
        assert_eq!(of_x, [3, 9]);
    }
}

#[test]
fn notes() {
    let text = "void f(int n, int a[30], int b[30])\n{\nunsigned char c = 200; unsigned u = -1; unsigned long w = -1; long v = -7;\n\
                __tw_note(c); __tw_note(u); __tw_note(w); __tw_note(v); __tw_note(a); __tw_note(a + 3); __tw_note(&b[2]);\n\
                __tw_region(1);\na[0] = 1; b[5] = 2;\n__tw_region(0);\n__tw_note(3);\n__tw_region(1); __tw_region(0);\n}\n";
    let runs = one(text, &[]);
    assert_eq!(runs.len(), 2);
    let [c, u, w, v, a, a3, b2] = runs[0].notes[..] else {
        panic!("{:?}", runs[0].notes);
    };
    assert_eq!(
        [c, u, w, v],
        [200, u32::MAX.into(), u64::MAX.into(), -7].map(Noted::Integer)
    );
    let (
        Noted::Pointer { object, offset },
        Noted::Pointer {
            object: same,
            offset: by,
        },
    ) = (a, a3)
    else {
        panic!("{a:?} {a3:?}");
    };
    assert_eq!((same, by - offset), (object, 12));
    let Noted::Pointer {
        object: other,
        offset: two,
    } = b2
    else {
        panic!("{b2:?}");
    };
    assert_ne!(object, other);
    let written: Vec<(usize, i64)> = runs[0]
        .events
        .iter()
        .filter(|e| e.access.write)
        .map(|e| (e.access.object, e.access.offset))
        .collect();
    assert_eq!(written, [(object, offset), (other, two + 12)]);
    assert_eq!(runs[1].notes, [Noted::Integer(3)]);
    assert!(runs[1].events.is_empty());
    let fails = |statement: &str| {
        let text =
            format!("void f(int n)\n{{\n{statement}\n__tw_region(1);\n__tw_region(0);\n}}\n");
        traced(&text, &request(&[])).unwrap_err()
    };
    assert_eq!(
        fails("__tw_note();"),
        "line 3: `__tw_note` without an argument"
    );
    assert_eq!(
        fails("__tw_region(n);"),
        "line 3: `__tw_region`, which is not known"
    );
    assert_eq!(
        fails("__tw_other(n);"),
        "line 3: `__tw_other`, which is not known"
    );
}

/// Loops are executed in order, whatever pragmas say.
#[test]
fn pragmas_are_passed_over() {
    let text = "void f(int n, int a[30])\n{\nint s = 0;\n__tw_region(1);\n#pragma omp parallel for reduction(+: s)\n\
                for (int i = 0; i < 3; i++)\ns += i;\n__tw_region(0);\na[0] = s;\n}\n";
    let run = &one(text, &["s"])[0];
    let sums: Vec<_> = run
        .events
        .iter()
        .filter(|e| e.access.write && run.declared[&e.access.object].name == "s")
        .map(|e| e.values[0])
        .collect();
    assert_eq!(sums, [Some(0), Some(0), Some(1)]);
}

#[test]
fn inputs_on_which_it_is_defined() {
    let text = "void f(int n, int a[n])\n{\n__tw_region(1);\nfor (int i = 0; i < n; i++) a[i] = i;\n__tw_region(0);\n}\n";
    let size = |trace: &Trace| -> i64 {
        let rest = trace.arguments.strip_prefix("n = ").expect("its size");
        rest.split(',')
            .next()
            .and_then(|n| n.parse().ok())
            .expect("a number")
    };
    let with = |inputs: usize, largest: i64| {
        let request = Request {
            inputs,
            largest,
            ..request(&[])
        };
        traced(text, &request).expect("it is executed")
    };
    for (inputs, largest) in [(1, 30), (4, 30), (9, 8), (9, 3), (20, 50)] {
        let found = with(inputs, largest);
        let small = found
            .iter()
            .filter(|t| (-largest..=largest).contains(&size(t)));
        assert_eq!(small.count(), inputs, "{inputs} {largest}");
        // A few are at the ends of the type, none in between.
        let far: Vec<i64> = found
            .iter()
            .map(size)
            .filter(|n| n.abs() > largest)
            .collect();
        assert!(
            far.len() <= inputs.div_ceil(3) && far.iter().all(|n| n.abs() >= 60_000),
            "{far:?}"
        );
    }
    let found = with(12, 30);
    for trace in &found {
        let written = trace.runs[0]
            .events
            .iter()
            .filter(|e| e.access.write && e.access.size == 4);
        let to_array = written.filter(|e| !trace.runs[0].declared.contains_key(&e.access.object));
        assert_eq!(
            to_array.count() as i64,
            size(trace).max(0),
            "{}",
            trace.arguments
        );
    }
    assert!(found.iter().map(size).collect::<BTreeSet<_>>().len() > 6);
    // Others with another seed, the same with the same.
    let seed = |seed: u64| {
        let request = Request {
            seed,
            inputs: 12,
            ..request(&[])
        };
        let found = traced(text, &request).expect("it is executed");
        found
            .iter()
            .map(|t| t.arguments.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        seed(1),
        found
            .iter()
            .map(|t| t.arguments.clone())
            .collect::<Vec<_>>()
    );
    assert_ne!(seed(1), seed(2));
    // Extents that are not declared are looked for.
    let open = text.replace("a[n]", "*a");
    let runs = one(&open, &[]);
    assert!(words(&runs[0]).contains("w*0+4"), "{}", words(&runs[0]));
    // What an `_init` of the same parameters fills is that.
    let filled = "void f_init(int n, int a[n]) { for (int i = 0; i < n; i++) a[i] = 77; }\n\
                  void f(int n, int a[n])\n{\nint x = 0;\nif (n > 0) x = a[0];\n__tw_note(x);\n__tw_region(1);\n__tw_region(0);\n}\n";
    let values = |text: &str| -> Vec<Noted> {
        let request = Request {
            inputs: 12,
            ..request(&[])
        };
        let found = traced(text, &request).expect("it is executed");
        found.iter().map(|t| t.runs[0].notes[0]).collect()
    };
    assert!(values(filled).contains(&Noted::Integer(77)));
    let other = filled.replace("f_init(int n, int a[n])", "f_init(int n, long a[n])");
    assert!(!values(&other).contains(&Noted::Integer(77)));
    assert!(!values(&filled.replace("f_init(", "g_init(")).contains(&Noted::Integer(77)));
}

#[test]
fn why_there_are_no_traces() {
    let fails = |body: &str| {
        let text = format!("int h(int);\nvoid f(int n, int a[30])\n{{\n{body}\n}}\n");
        traced(&text, &request(&[])).unwrap_err()
    };
    let marked = |body: &str| format!("__tw_region(1);\n{body}\n__tw_region(0);");
    assert_eq!(
        fails(&marked("a[0] = q;")),
        "line 5: `q`, which is not declared"
    );
    assert_eq!(
        fails(&marked("h(1);")),
        "line 5: a call of `h`, which is not in the text"
    );
    assert_eq!(
        fails(&marked("a[0] = ;")).split(" at").next(),
        Some("line 5: syntax that the parser does not know,")
    );
    assert!(fails(&marked("a[0] = a[0] / 0;")).starts_with("line 5: DivisionByZero"));
    assert!(fails(&marked("a[31] = 0;")).starts_with("line 5: Outside"));
    let unwritten = "it reads what was never written, or leaves a row of an array";
    assert_eq!(fails(&marked("int x; a[0] = x;")), unwritten);
    assert_eq!(fails(&marked("int t[2]; a[0] = t[1];")), unwritten);
    assert_eq!(
        fails(&marked(
            "int t[2][3] = { { 0 } }; int k = 4; a[0] = t[0][k];"
        )),
        unwritten
    );
    // What takes long, in instructions or accesses.
    let steps = |steps: u64, times: u64| {
        let text = format!(
            "void f(int n, int a[30])\n{{\nint i;\n__tw_region(1);\nfor (i = 0; i < {times}; i++) ;\n__tw_region(0);\n}}\n"
        );
        traced(
            &text,
            &Request {
                steps,
                ..request(&[])
            },
        )
        .map(|found| found[0].runs[0].events.len())
    };
    // One to begin with, three for each turn, one for the last comparison.
    assert_eq!(steps(100_000, 1000), Ok(3002));
    assert_eq!(steps(1_000_000, 33_332), Ok(99_998));
    assert_eq!(steps(1_000_000, 33_333), Err("line 5: Fuel".to_owned()));
    assert_eq!(steps(10_000, 33_332), Err("line 5: Fuel".to_owned()));
    let text = "void g(int n) { }";
    assert_eq!(
        traced(text, &request(&[])).unwrap_err(),
        "there is no function `f`"
    );
    assert!(
        traced("void f(int n) {", &request(&[]))
            .unwrap_err()
            .starts_with("line 1: ")
    );
    // Sizes that are none for it.
    let text = "void f(int n, int a[n][n])\n{\nif (n < 100) __builtin_trap();\n__tw_region(1);\n__tw_region(0);\n}\n";
    assert!(traced(text, &request(&[])).is_err());
}
