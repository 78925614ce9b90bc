use super::*;
use crate::scop::testing::region;

/// The loops of a body with their statements, after some steps: `i(S0 j(S1))`.
fn after(body: &str, steps: &[(&str, &str, &str)]) -> String {
    let region = region(
        "int n, int m, double a[restrict n][m], double b[restrict n]",
        body,
    );
    let scop = &region.scop;
    let names: Names = scop.statements.iter().map(|s| s.name.clone()).collect();
    let tree = Tree::of(&scop.schedule).unwrap().unwrap();
    let mut tree = tree.plain(&names).unwrap();
    let mut work = Restructure::new(scop);
    for (step, first, second) in steps {
        work.changed = 0;
        tree = match *step {
            "interchange" => work.interchange(tree, &names, (first, second)).unwrap(),
            "distribute" => work.distribute(tree, &names, first).unwrap(),
            _ => work.fuse(tree, &names, first).unwrap(),
        };
        if work.changed == 0 {
            return format!("{step} changes nothing");
        }
        tree = tree.plain(&names).unwrap();
    }
    let domains = scop.statements.iter();
    let domains = domains
        .map(|s| (s.name.clone(), s.domain.clone()))
        .collect();
    let schedule = tree.over(&domains, None).unwrap().unwrap();
    let all = schedule.get_domain().unwrap();
    assert!(all.is_equal(&scop.domain().unwrap()).unwrap());
    // What isl has of it, and not only what is here.
    let again = Tree::of(&schedule).unwrap().unwrap();
    text(&work, &again, &names)
}

fn text(work: &Restructure<'_>, tree: &Tree, names: &Names) -> String {
    match tree {
        Tree::Leaf => names.iter().cloned().collect::<Vec<_>>().join("|"),
        Tree::Mark(_, inner) => text(work, inner, names),
        Tree::Band(band, inner) => {
            let name = work.name(band, names).unwrap();
            format!("{}({})", name.unwrap_or("?"), text(work, inner, names))
        }
        Tree::Sequence(parts) => {
            let parts = parts.iter().map(|(own, inner)| text(work, inner, own));
            parts.collect::<Vec<_>>().join(" ")
        }
    }
}

const IMPERFECT: &str = "for (int i = 0; i < n; i++) {
    b[i] = 0;
    for (int j = 0; j < m; j++) { b[i] += a[i][j]; a[i][j] = 1; }
    b[i] = b[i] * 2;
    b[i] = b[i] + 1;
}";

#[test]
fn statements_beside_the_inner_loop_get_loops_of_their_own() {
    assert_eq!(after(IMPERFECT, &[]), "i(S0 j(S1 S2) S3 S4)");
    assert_eq!(
        after(IMPERFECT, &[("interchange", "i", "j")]),
        "i(S0) j(i(S1 S2)) i(S3 S4)"
    );
    let perfect = "for (int i = n; i > 0; i--) for (int j = 0; j < m; j++) a[i - 1][j] = 1;";
    assert_eq!(after(perfect, &[("interchange", "i", "j")]), "j(i(S0))");
}

#[test]
fn loops_beside_the_inner_loop_are_in_the_way_of_interchange() {
    let body = "for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) a[i][j] = 1;
        for (int k = 0; k < m; k++) b[i] += a[i][k];
    }";
    let nothing = "interchange changes nothing";
    assert_eq!(after(body, &[("interchange", "i", "j")]), nothing);
    assert_eq!(after(body, &[("interchange", "j", "i")]), nothing);
    assert_eq!(
        after(body, &[("distribute", "i", ""), ("interchange", "i", "k")]),
        "i(j(S0)) k(i(S1))"
    );
}

#[test]
fn loops_are_distributed_with_what_is_in_front_of_them() {
    let body = "for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < m; j++) a[i][j] = 1;
        b[i] = 1;
        for (int j = 0; j < m; j++) { a[i][j] += 1; b[i] += a[i][j]; }
        b[i] = 2;
    }";
    assert_eq!(after(body, &[]), "i(S0 j(S1) S2 j(S3 S4) S5)");
    assert_eq!(
        after(body, &[("distribute", "i", "")]),
        "i(S0 j(S1)) i(S2 j(S3 S4) S5)"
    );
    assert_eq!(
        after(body, &[("distribute", "j", "")]),
        "i(S0 j(S1) S2 j(S3) j(S4) S5)"
    );
    // Without loops in the body each statement.
    let flat = "for (int i = 0; i < n; i++) { b[i] = 1; a[i][0] = b[i]; a[i][1] = 2; }";
    assert_eq!(after(flat, &[("distribute", "i", "")]), "i(S0) i(S1) i(S2)");
    assert_eq!(
        after(flat, &[("distribute", "j", "")]),
        "distribute changes nothing"
    );
}

#[test]
fn loops_are_fused_over_statements_but_not_over_loops() {
    let body = "for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) a[i][j] = 1;
        b[i] = 1;
        for (int j = 1; j < m; j++) a[i][j] += 1;
        for (int k = 0; k < m; k++) b[i] += a[i][k];
        for (int j = 0; j < m; j++) a[i][j] += 2;
    }";
    let fused = "i(S1 j(S0 S2) k(S3) j(S4))";
    assert_eq!(after(body, &[("fuse", "j", "")]), fused);
    assert_eq!(after(body, &[("fuse", "k", "")]), "fuse changes nothing");
    // Fusion undoes distribution.
    assert_eq!(
        after(
            body,
            &[
                ("fuse", "j", ""),
                ("distribute", "i", ""),
                ("fuse", "i", "")
            ]
        ),
        fused
    );
}
