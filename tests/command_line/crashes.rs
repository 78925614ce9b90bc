//! The original text is the last resort.

use super::place::Place;
use std::process::Command;

/// With isl 0.25, `isl_union_access_info_compute_flow` writes in front of a list of integer divisions
/// here, and ends with SIGSEGV.
const DIVISIONS: &str = "\
struct layer { int n; const unsigned *c; };
void kernel(struct layer lay, long m, long *a)
{
    unsigned short s2 = 0;
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            int at3 = i + 1;
            a[-(0 > lay.c[lay.n] ? j : 128) + -2 & 31] = i + 127;
            if (at3 < 0)
                at3 = 0;
            if ((j + 1 & 7) == 0) {
            } else if ((j + 1 & 7) == 1) {
            }
            if (lay.c[lay.n] != j)
                if (i - 4 > 0) {
                }
            s2 *= -at3 ^ 8;
            a[i] = -3;
        }
#pragma endscop
}
";

#[test]
fn a_crash_of_isl_leaves_the_file_as_it_was() {
    let place = Place::new();
    place.write("divisions.c", DIVISIONS);
    let ended = place.run("compile divisions.c -o out.c").status(0);
    let text = place.read("out.c");
    // Another isl may do without.
    if ended.stderr.contains("TW0901") {
        assert_eq!(text, DIVISIONS);
    }
    let mut build = Command::new("gcc");
    build.args(["-w", "-c", "out.c", "-o", "out.o"]);
    let built = build.current_dir(place.path("")).status().unwrap();
    assert!(built.success(), "{text}");
}
