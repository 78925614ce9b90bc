//! Work-items of OpenCL: their numbers, barriers, the memory that they share, and their lines.

use crate::common::device::{INTS, SHIFTED, host, kernel, plain, result};
use crate::common::{differs, equal, judged, unknown};
use tilewright_certify::Verdict;

#[test]
fn numbers_of_work_items() {
    // Each work-item writes at a place of its own.
    for (what, value) in [
        ("get_local_id(0)", "x % 2"),
        ("get_local_id(1)", "y % 3"),
        ("get_local_id(2)", "z % 1"),
        ("get_local_id(3)", "0"),
        ("get_group_id(0)", "x / 2"),
        ("get_group_id(1)", "y / 3"),
        ("get_group_id(2)", "z"),
        ("get_group_id(3)", "0"),
        ("get_global_id(0)", "x"),
        ("get_global_id(1)", "y"),
        ("get_global_id(2)", "z"),
        ("get_global_id(3)", "0"),
        ("get_local_size(0)", "2"),
        ("get_local_size(1)", "3"),
        ("get_local_size(2)", "1"),
        ("get_local_size(3)", "1"),
        ("get_num_groups(0)", "2"),
        ("get_num_groups(1)", "2"),
        ("get_num_groups(2)", "3"),
        ("get_num_groups(3)", "1"),
        ("get_global_size(0)", "4"),
        ("get_global_size(1)", "6"),
        ("get_global_size(2)", "3"),
        ("get_global_size(3)", "1"),
        ("get_work_dim()", "3"),
        // They are no negative numbers.
        (
            "get_local_id(0) - 1 > 0 && get_local_size(0) - 3 > 0",
            "x % 2 != 1",
        ),
    ] {
        let body = format!(
            "    const int at = get_global_id(0) + 4 * (get_global_id(1) + 6 * get_global_id(2));\n    \
             if (at < n) b[at] = {what};"
        );
        let kernel = format!(
            "__kernel void k(const int n, __global const int *a, __global int *b)\n{{\n{body}\n}}\n"
        );
        let result = host(&kernel, INTS, ["4", "6", "3"], [2, 3, 1]);
        let plain = format!(
            "void f(int n, const int a[restrict n], int b[restrict n])\n{{\n    \
             for (int z = 0; z < 3; z++)\n        for (int y = 0; y < 6; y++)\n            \
             for (int x = 0; x < 4; x++) {{\n                int at = x + 4 * (y + 6 * z);\n                \
             if (at < n) b[at] = {value};\n            }}\n}}\n"
        );
        equal(&plain, &result);
    }
}

const TILE: &str = "__local int t[4]; t[x] = i < n ? a[i] : 0;";
const SHIFT: &str = "if (i < n) b[i] = t[(x + 1) % 4];";
const OWN: &str = "if (i < n) b[i] = t[x];";

#[test]
fn barriers_part_what_is_in_front_from_what_is_behind() {
    let with = |between: &str| result(INTS, &format!("{TILE} {between} {SHIFT}"));
    for barrier in [
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE);",
        "barrier(3);",
        "barrier(CLK_GLOBAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE);",
    ] {
        equal(&plain(INTS, SHIFTED), &with(barrier));
    }
    for barrier in ["", "barrier(CLK_GLOBAL_MEM_FENCE);", "barrier(0);"] {
        differs(
            &plain(INTS, SHIFTED),
            &with(barrier),
            &["a race", "between work-items of a group", "t["],
        );
    }
    // Once more, as in loops: those behind a barrier may not write before all have read.
    let twice = |second: &str| {
        format!(
            "{TILE} barrier(1); int v = t[(x + 1) % 4]; {second} t[x] = v; barrier(1); if (i < n) b[i] = t[(x + 1) % 4];"
        )
    };
    let original = "int j = i / 4 * 4 + (i + 2) % 4; b[i] = j < n ? a[j] : 0;";
    equal(&plain(INTS, original), &result(INTS, &twice("barrier(1);")));
    differs(
        &plain(INTS, original),
        &result(INTS, &twice("")),
        &["a race", "between work-items of a group"],
    );
    // In a function, at the end of it, and for some only.
    let barrier = |text: &str| {
        let kernel = kernel(INTS, &format!("{TILE} meet(x); {OWN}"));
        host(
            &format!("static void meet(int x) {{ {text} }}\n{kernel}"),
            INTS,
            ["(n + 3) / 4 * 4", "1", "1"],
            [4, 1, 1],
        )
    };
    equal(&plain(INTS, "b[i] = a[i];"), &barrier("barrier(1);"));
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &barrier("if (x) barrier(1);"),
        &["a barrier that not all work-items of a group reach"],
    );
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &barrier("if (x) barrier(1); else barrier(3);"),
        &["a barrier that not all work-items of a group reach"],
    );
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &result(
            INTS,
            &format!("{TILE} if (i >= n) return; barrier(1); {OWN}"),
        ),
        &["a barrier that not all work-items of a group reach"],
    );
    // The same one, though not at once.
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &result(
            INTS,
            &format!("{TILE} for (int q = 0; q <= x; q++) barrier(1); {OWN}"),
        ),
        &["a barrier that not all work-items of a group reach"],
    );
    // Within the same function, called from two places.
    let two = host(
        &format!(
            "static void meet(void) {{ barrier(1); }}\nstatic void more(void) {{ meet(); }}\n{}",
            kernel(INTS, &format!("{TILE} if (x) meet(); else more(); {OWN}"))
        ),
        INTS,
        ["(n + 3) / 4 * 4", "1", "1"],
        [4, 1, 1],
    );
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &two,
        &["a barrier that not all work-items of a group reach"],
    );
}

#[test]
fn memory_of_groups_and_of_the_device() {
    // Each group has its own memory, which nobody has written when it begins.
    differs(
        &plain(INTS, "b[i] = 0;"),
        &result(INTS, "__local int t[4]; if (i < n) b[i] = t[x];"),
        &["never written", "t["],
    );
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &result(
            INTS,
            "__local int t[4]; if (i < 4) t[x] = a[i < n ? i : 0]; barrier(1); if (i < n) b[i] = i < 4 ? a[i] : t[x];",
        ),
        &["never written", "t["],
    );
    // Two objects of a group are two.
    equal(
        &plain(INTS, "b[i] = a[i] ^ 5;"),
        &result(
            INTS,
            "__local int t[4]; __local int s[4]; t[x] = i < n ? a[i] : 0; s[x] = 5; barrier(1); if (i < n) b[i] = t[x] ^ s[x];",
        ),
    );
    // What each has for itself is nobody else's.
    equal(
        &plain(INTS, "b[i] = a[i] ^ 5;"),
        &result(
            INTS,
            "int t[4]; t[0] = i < n ? a[i] : 0; if (i < n) b[i] = t[0] ^ 5;",
        ),
    );
    // Many read what one writes, or many write.
    let all = "b[i] = i == 0 ? b[0] : b[0] & 7;";
    differs(
        &plain(INTS, "b[i] = i == 0 ? (a[0] & 7) : (b[0] & 7);"),
        &result(INTS, "if (i < n) b[i] = i == 0 ? (a[0] & 7) : (b[0] & 7);"),
        &["a race", "b[0]"],
    );
    differs(
        &plain(INTS, all),
        &result(
            INTS,
            "int v = b[0]; if (i < n) b[i] = i == 0 ? v : (v & 7); if (i == n - 1) b[0] = v + 0 * x;",
        ),
        &["a race", "b[0]"],
    );
    // What is only read may be read by all.
    equal(
        &plain(INTS, "b[i] = a[0];"),
        &result(INTS, "if (i < n) b[i] = a[0];"),
    );
    // Neighbours of fewer bytes do not race.
    let bytes = ["unsigned char", "unsigned char"];
    equal(
        &plain(bytes, "b[i] = a[i] + 1;"),
        &result(bytes, "if (i < n) b[i] = a[i] + 1;"),
    );
    differs(
        &plain(bytes, "b[i / 4 * 4] = i;"),
        &result(bytes, "if (i < n) b[i / 4 * 4] = i;"),
        &["a race", "between work-items"],
    );
    // Several that write the same agree; others do not.
    equal(
        &plain(INTS, "b[0] = 7;"),
        &result(INTS, "if (i < n) b[0] = 7;"),
    );
    differs(
        &plain(INTS, "b[0] = i;"),
        &result(INTS, "if (i < n) b[0] = i;"),
        &["a race", "b[0]"],
    );
    // Volatile reads are seen as a whole, also of what others update.
    let sum = "if (i < n) { volatile __global int *v = &b[0]; ";
    equal(
        &plain(INTS, "b[0] += 1;"),
        &host(
            "static int see(volatile __global int *at) { return *at | at[0]; }\n\
             __kernel void k(const int n, __global const int *a, __global int *b)\n{\n    \
             const int i = get_global_id(0);\n    if (i < n) { int v = see(b); if (v == v) atomic_inc(&b[0]); }\n}\n",
            INTS,
            ["(n + 3) / 4 * 4", "1", "1"],
            [4, 1, 1],
        ),
    );
    differs(
        &plain(INTS, "b[0] += 1;"),
        &result(
            INTS,
            &format!("{sum} int w = b[0]; if (w == w) atomic_inc(&b[0]); }}"),
        ),
        &["a race", "b[0]"],
    );
}

/// Lines of kernels are those of the text that they stand in.
#[test]
fn lines_of_kernels() {
    let text = result(
        INTS,
        "if (i < n)\n b[i] = a[i];\n if (n > 100000000)\n b[0] = 1;",
    );
    let line = |what: &str| text.lines().position(|l| l.contains(what)).unwrap() as u32 + 1;
    let found = judged(&plain(INTS, "b[i] = a[i];"), &text);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    assert_eq!(found.coverage.never, [line("b[0] = 1;")]);
    // Also those that are there twice.
    let twice = result(
        INTS,
        "if (i < n)\n b[i] = a[i];\n if (n > 100000000)\n b[0] = 1;\n if (n > 100000000)\n b[0] = 1;",
    );
    let found = judged(&plain(INTS, "b[i] = a[i];"), &twice);
    let at = twice.lines().enumerate();
    let at = at.filter(|(_, l)| l.contains("b[0] = 1;"));
    let at: Vec<u32> = at.map(|(at, _)| at as u32 + 1).collect();
    assert_eq!(at.len(), 2);
    assert_eq!(found.coverage.never, at);
    let outside = text.replace("if (i < n)", "if (i < n + 1)");
    differs(
        &plain(INTS, "b[i] = a[i];"),
        &outside,
        &[
            "an access outside of its array",
            "of `k`",
            &format!("(line {} of the result)", line("b[i] = a[i];")),
        ],
    );
    // So are those of what is not understood, in its syntax or meaning.
    for (text, why) in [
        (text.replace("b[0] = 1;", "b[0] = ;"), "in kernels: syntax"),
        (text.replace("b[0] = 1;", "b[0] = q;"), "`q`"),
    ] {
        let at = format!("line {}", line("b[0] = 1;"));
        unknown(&plain(INTS, "b[i] = a[i];"), &text, why);
        unknown(&plain(INTS, "b[i] = a[i];"), &text, &at);
    }
}
