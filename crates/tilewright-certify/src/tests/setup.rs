//! Objects and arguments for a call: how long they are, what they hold, where they point.

use crate::judging::inputs::{Data, Input};
use crate::judging::setup::{Arguments, Made, Reach, Setup, fill_globals};
use crate::program::Program;
use crate::run::Machine;
use crate::storage::memory::{Fault, Memory, object_of};
use std::rc::Rc;

fn compiled(text: &str) -> Program {
    let parsed = crate::read::cut("f.c", text).expect("C");
    parsed.compile(&["f".to_owned()], true).expect("C")
}

fn input(sizes: &[i64], alias: Option<(usize, usize, i64)>) -> Input {
    Input {
        sizes: sizes.to_vec(),
        data: Data::Small,
        seed: 3,
        alias,
    }
}

/// Arguments for these parameters, and the memory with their objects.
fn made_of(
    front: &str,
    parameters: &str,
    input: &Input,
    reach: Option<&Reach>,
) -> Result<(Arguments, Memory), Fault> {
    let program = compiled(&format!("{front}\nvoid f({parameters}) {{ }}\n"));
    let mut machine = Machine::new(&program, 0x41, &Rc::default());
    let arguments = Setup::new(input, reach).arguments(&mut machine, None, 0)?;
    Ok((arguments, std::mem::take(&mut machine.memory)))
}

fn made(parameters: &str, sizes: &[i64]) -> (Arguments, Memory) {
    let found = made_of(
        "struct p { int k; short v[2]; double x; };",
        parameters,
        &input(sizes, None),
        None,
    );
    found.unwrap_or_else(|fault| panic!("{parameters}: {fault:?}"))
}

fn fails(parameters: &str, sizes: &[i64]) -> Fault {
    match made_of("struct s;", parameters, &input(sizes, None), None) {
        Ok(_) => panic!("{parameters}"),
        Err(fault) => fault,
    }
}

fn shape(made: &Made) -> (&str, u64, &[u64], i64, bool) {
    (
        &made.name,
        made.bytes,
        &made.rows,
        made.origin,
        made.elastic,
    )
}

#[test]
fn arrays_with_extents() {
    for (parameters, bytes, rows) in [
        ("int n, int m, int a[n]", 12, &[][..]),
        ("int n, int m, char a[n][m]", 15, &[5]),
        ("int n, int m, double a[n + 1][m][2]", 320, &[5, 2]),
        ("int n, int m, struct p a[n]", 48, &[]),
        ("int n, int m, short a[7]", 14, &[]),
        ("int n, int m, short a[n - 3]", 0, &[]),
        ("int n, int m, short a[n - 9]", 0, &[]),
        ("int n, int m, int a[n][m - 5]", 0, &[0]),
        ("int n, int m, int *a[n]", 24, &[]),
    ] {
        let (arguments, memory) = made(parameters, &[3, 5]);
        let one = &arguments.made[0];
        assert_eq!(shape(one), ("a", bytes, rows, 0, false), "{parameters}");
        let object = &memory.objects[object_of(one.pointer)];
        assert_eq!((object.data.len() as u64, object.tracked), (bytes, false));
        assert_eq!(arguments.values[..2], [3, 5]);
        assert_eq!(arguments.values[2], one.pointer);
        assert!(
            arguments.text.starts_with("n = 3, m = 5, "),
            "{}",
            arguments.text
        );
        assert_eq!(arguments.has_empty_rows, rows.contains(&0));
        let all: u64 = arguments.made.iter().map(|m| 100 + m.bytes / 4).sum();
        assert_eq!(arguments.cost, all);
    }
    // Of several arrays one is enough.
    let (arguments, _) = made("int n, int m, int a[n][m - 5], int b[n][m]", &[3, 5]);
    assert!(arguments.has_empty_rows);
    let (arguments, _) = made("int n, int m, int a[n][m], int b[n][m - 5]", &[3, 5]);
    assert!(arguments.has_empty_rows);
}

/// A structure of which nothing is said, or that points to one, is a library's: one of it is there,
/// and nothing in it.
#[test]
fn structures_of_libraries_are_opaque() {
    let (arguments, _) = made("int n, struct s *a", &[3]);
    let bytes: Vec<u64> = arguments.made.iter().map(|m| m.bytes).collect();
    assert_eq!(bytes, [1]);
    let stream = "int n, struct { int flags; char *text; struct hidden *more; } *a, double *b";
    let (arguments, _) = made(stream, &[3]);
    assert_eq!(arguments.made.len(), 2);
    assert_eq!(arguments.made[0].bytes, 24);
}

#[test]
fn arrays_that_there_cannot_be() {
    assert_eq!(fails("int n, int m, int a[n][m]", &[3, -5]), Fault::Extent);
    assert_eq!(
        fails("int n, int m, int a[n][m][m - 4]", &[3, 3]),
        Fault::Extent
    );
    assert!(matches!(
        fails("int n, int (*a)(int)", &[3]),
        Fault::Unsupported(_)
    ));
    assert_eq!(
        fails("long n, char a[n][n][n][n]", &[1 << 31]),
        Fault::Memory
    );
    assert_eq!(fails("long n, char a[n][n]", &[1 << 32]), Fault::Memory);
}

#[test]
fn arrays_that_are_too_large() {
    // Not more than 16 megabytes, of all together.
    let most = 16 << 20;
    let ok = |parameters: &str, n: i64| made_of("", parameters, &input(&[n], None), None).is_ok();
    assert!(ok("int n, char a[n]", most) && !ok("int n, char a[n]", most + 1));
    assert!(ok("int n, long a[n]", most / 8) && !ok("int n, long a[n]", most / 8 + 1));
    assert!(
        ok("int n, char a[n], char b[n]", most / 2)
            && !ok("int n, char a[n], char b[n + 1]", most / 2)
    );
}

#[test]
fn arrays_without_extents() {
    // As far as they may be touched, both ways, while that is looked for.
    let (arguments, memory) = made("int n, int *a", &[4]);
    let one = &arguments.made[0];
    assert!(one.elastic && one.origin >= 16 && one.bytes as i64 - one.origin > 4 * (4 * 4 * 4));
    assert_eq!(one.origin % 4, 0);
    assert_eq!(arguments.values[1], one.pointer + one.origin as u64);
    assert!(memory.objects[object_of(one.pointer)].tracked);
    // Then as far as they were.
    for (first, last, origin, bytes) in [
        (0, 20, 0, 20),
        (-8, 12, 8, 20),
        (4, 12, -4, 8),
        (0, 0, 0, 0),
        (-5, 5, 8, 16),
        (2, 7, 0, 8),
    ] {
        let reach = Reach::from([(1, (first, last))]);
        let (arguments, memory) =
            made_of("", "int n, int *a", &input(&[4], None), Some(&reach)).unwrap();
        let one = &arguments.made[0];
        assert_eq!((one.origin, one.bytes), (origin, bytes), "{first} {last}");
        assert_eq!(arguments.values[1], (one.pointer as i64 + origin) as u64);
        assert!(one.elastic && !memory.objects[object_of(one.pointer)].tracked);
    }
    // What nobody touches has no bytes.
    let (arguments, _) =
        made_of("", "int n, int *a", &input(&[4], None), Some(&Reach::new())).unwrap();
    assert_eq!(arguments.made[0].bytes, 0);
    // Rows of known length are whole.
    let (arguments, _) = made("int n, int a[][n]", &[4]);
    assert_eq!(
        (arguments.made[0].rows.clone(), arguments.made[0].elastic),
        (vec![4], true)
    );
    let (arguments, _) = made("int n, int a[][5000]", &[4]);
    assert!(arguments.made[0].bytes as i64 - arguments.made[0].origin >= 20_000);
}

#[test]
fn pointers_into_the_same_memory() {
    for (by, bytes, low) in [
        (0, 16, 0),
        (1, 20, 0),
        (-1, 20, 4),
        (3, 28, 0),
        (-3, 28, 12),
    ] {
        let alias = Some((1, 2, by));
        let (arguments, _) =
            made_of("", "int n, int a[n], int b[n]", &input(&[4], alias), None).unwrap();
        assert_eq!(arguments.made.len(), 1);
        let one = &arguments.made[0];
        assert_eq!((one.bytes, one.origin), (bytes, low), "{by}");
        assert_eq!(arguments.values[1], one.pointer + low as u64);
        assert_eq!(
            arguments.values[2] as i64,
            arguments.values[1] as i64 + 4 * by
        );
        let words = if by == 0 {
            "b = a,".to_owned()
        } else {
            format!("b = a + {by},")
        };
        assert!(arguments.text.contains(&words), "{}", arguments.text);
    }
    // Of others' lengths, and the other way around.
    let of = |parameters: &str, alias| {
        let (arguments, _) = made_of("", parameters, &input(&[4], Some(alias)), None).unwrap();
        let one = &arguments.made[0];
        (one.bytes, one.origin, one.elastic)
    };
    assert_eq!(
        of("int n, int a[n], int b[2 * n]", (1, 2, 1)),
        (36, 0, false)
    );
    assert_eq!(
        of("int n, int a[2 * n], int b[n]", (1, 2, 1)),
        (32, 0, false)
    );
    assert_eq!(
        of("int n, int a[n], int b[2 * n]", (2, 1, -2)),
        (40, 8, false)
    );
    // What is declared of one is all there is: results may read all of it.
    assert_eq!(of("int n, int a[n], int *b", (1, 2, 0)), (16, 0, false));
    assert_eq!(of("int n, int *a, int b[n]", (1, 2, 0)), (16, 0, false));
    assert_eq!(of("int n, int *a, int b[n]", (1, 2, -1)), (16, 4, false));
    assert!(of("int n, int *a, int *b", (1, 2, 0)).2);
}

/// The bytes behind an address.
fn word(memory: &mut Memory, at: u64, size: u64) -> u64 {
    memory
        .load(at, size, 0)
        .unwrap_or_else(|fault| panic!("{fault:?}"))
}

#[test]
fn what_objects_hold() {
    // Elements of structures, also in arrays, each with values of its own.
    let (arguments, mut memory) = made("int n, struct p a[40]", &[4]);
    let at = arguments.values[1];
    let mut seen = std::collections::BTreeSet::new();
    for k in 0..40 {
        let record = [
            word(&mut memory, at + 16 * k, 4),
            word(&mut memory, at + 16 * k + 4, 2),
            word(&mut memory, at + 16 * k + 6, 2),
        ];
        assert!(record.iter().all(|v| *v < 4), "{record:?}");
        seen.insert(record);
        assert_ne!(f64::from_bits(word(&mut memory, at + 16 * k + 8, 8)), 0.0);
    }
    assert!(seen.len() > 10, "{seen:?}");
    // A structure by value is an object of one.
    let (arguments, mut memory) = made("int n, struct p a", &[4]);
    assert_eq!(
        (arguments.made[0].bytes, arguments.made[0].elastic),
        (16, false)
    );
    assert!(word(&mut memory, arguments.values[1], 4) < 4);
    // Pointers lead to objects of their own, three deep, and to nothing behind these.
    let (arguments, mut memory) = made("int n, int ****a", &[4]);
    let mut at = arguments.values[1];
    for depth in 1..4 {
        at = word(&mut memory, at, 8);
        let target = arguments
            .made
            .iter()
            .find(|m| object_of(m.pointer) == object_of(at));
        assert!(target.is_some(), "{depth}");
    }
    assert!(word(&mut memory, at, 4) < 4);
    let (arguments, mut memory) = made("int n, int *****a", &[4]);
    let mut at = arguments.values[1];
    for _ in 1..4 {
        at = word(&mut memory, at, 8);
    }
    assert_eq!(word(&mut memory, at, 8), 0);
    let (arguments, mut memory) = made("int n, int **a", &[4]);
    let at = arguments.values[1];
    let targets: Vec<u64> = (0..5).map(|k| word(&mut memory, at + 8 * k, 8)).collect();
    assert!(
        targets
            .iter()
            .enumerate()
            .all(|(k, t)| *t != 0 && !targets[..k].contains(t))
    );
    // Pointers to rows, in structures, to what is like themselves.
    let front =
        "struct q { struct q *next; int (*rows)[3]; union { int i; double x; } u; int t[2][2]; };";
    let (arguments, mut memory) =
        made_of(front, "int n, struct q *a", &input(&[4], None), None).unwrap();
    let at = arguments.values[1];
    let (next, rows) = (word(&mut memory, at, 8), word(&mut memory, at + 8, 8));
    assert!(next != 0 && rows != 0 && object_of(next) != object_of(rows));
    let shaped = arguments
        .made
        .iter()
        .find(|m| object_of(m.pointer) == object_of(rows))
        .unwrap();
    assert_eq!((shaped.rows.clone(), &shaped.name[..]), (vec![3], "a.rows"));
    assert!(word(&mut memory, rows, 4) < 4);
    // Of a union the first member has a value.
    assert!(word(&mut memory, at + 16, 4) < 4);
    assert_eq!(word(&mut memory, at + 20, 4), 0);
    for k in 0..4 {
        assert!(word(&mut memory, at + 24 + 4 * k, 4) < 4);
    }
    // Objects without pointers stay zero, where they are filled later.
    let program = compiled("void f(int n, int a[30], double b[30]) { }");
    let mut machine = Machine::new(&program, 0x41, &Rc::default());
    let input = input(&[4], None);
    let mut setup = Setup::new(&input, None);
    setup.blank = true;
    let arguments = setup.arguments(&mut machine, None, 0).unwrap();
    for one in &arguments.made {
        assert!(
            machine.memory.objects[object_of(one.pointer)]
                .data
                .iter()
                .all(|b| *b == 0)
        );
    }
}

/// Objects of static storage without an initial value have some; integers that may be sizes are small.
#[test]
fn globals_are_filled() {
    let text = "int size; static long wide; double x; int zero = 0, one = 1; int table[50]; double grid[20][20]; char big[200000]; int *pointer; struct { int k; } record; const int fixed[3] = {1, 2, 3}; static int none[4] = {0};\n\
                void f(int n) { static int inner[3]; inner[0] = size + wide + x + zero + one + table[0] + grid[0][0] + big[0] + *pointer + record.k + fixed[0] + none[0]; }\n";
    let program = compiled(text);
    let bytes = |seed: u64, name: &str| -> Vec<u8> {
        let mut machine = Machine::new(&program, 0x41, &Rc::default());
        machine.make_globals().unwrap();
        let input = Input {
            seed,
            ..input(&[4], None)
        };
        fill_globals(&mut machine, &input);
        let number = program.globals.iter().position(|g| g.name == name).unwrap();
        machine.memory.objects[object_of(machine.globals[number])]
            .data
            .clone()
    };
    let values = |name: &str| -> Vec<u64> {
        let sizes = (0..40).map(|seed| {
            let mut all = [0; 8];
            let found = bytes(seed, name);
            all[..found.len().min(8)].copy_from_slice(&found[..found.len().min(8)]);
            u64::from_le_bytes(all)
        });
        sizes.collect()
    };
    for name in ["size", "wide", "zero"] {
        let found = values(name);
        assert!(found.iter().all(|v| *v < 12), "{name}: {found:?}");
        let distinct: std::collections::BTreeSet<_> = found.iter().collect();
        assert!(distinct.len() > 6, "{name}: {found:?}");
    }
    assert!(values("x").iter().all(|v| f64::from_bits(*v) != 0.0));
    assert!(values("one").iter().all(|v| *v == 1));
    assert_eq!(bytes(1, "fixed"), bytes(2, "fixed"));
    for name in ["pointer", "record", "f.inner.0"] {
        assert!(values(name).iter().all(|v| *v == 0), "{name}");
    }
    for name in ["table", "grid", "big", "none"] {
        assert_ne!(bytes(1, name), bytes(2, name), "{name}");
        let last = bytes(1, name).len() - 8;
        assert!(
            (1..30).any(|seed| bytes(seed, name)[last..].iter().any(|b| *b != 0)),
            "{name}"
        );
    }
    // Large ones repeat after so many elements that rows differ.
    let big = bytes(5, "big");
    assert_eq!(big[..60_000], big[65_521..125_521]);
    assert_ne!(big[..60_000], big[1..60_001]);
    assert_eq!(big[2 * 65_521..], big[..big.len() - 2 * 65_521]);
}
