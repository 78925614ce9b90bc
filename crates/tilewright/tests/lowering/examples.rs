//! Every example of the repository lowers, and within the budget of time.

use std::fs;
use std::path::Path;

use crate::{preprocess_in, render, unit};
use tilewright::frontend::c::lower::lower_region;

#[test]
fn every_example_lowers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder of examples") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|e| e != "c") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("an example");
            let source = preprocess_in(&folder, &text);
            let unit = unit(&source);
            assert!(!unit.regions.is_empty(), "{} has a region", path.display());
            for region in 0..unit.regions.len() {
                let lowered = lower_region(&isl::Ctx::new(), &unit, region);
                let lowered = lowered
                    .unwrap_or_else(|e| panic!("{}: {}", path.display(), render(&source, &e)));
                assert!(!lowered.scop.statements.is_empty());
                check(&lowered.scop);
                count += 1;
            }
        }
    }
    assert!(count >= 30, "only {count} regions found");
}

/// The invariants of the model that can be looked up.
pub fn check(scop: &tilewright::scop::Scop) {
    use tilewright::scop::{AccessKind, Expr};
    let domain = scop.domain().expect("a union");
    let ordered = scop.schedule.get_domain().expect("a domain");
    assert!(
        domain.is_equal(&ordered).expect("a comparison"),
        "{domain} and {ordered}"
    );
    for statement in &scop.statements {
        let mut named = vec![false; statement.accesses.len()];
        let mut visit = |e: &Expr| {
            e.walk(&mut |e| {
                if let Expr::Access(id) = e {
                    assert_eq!(statement.accesses[*id].kind, AccessKind::Read);
                    named[*id] = true;
                }
                if let Expr::Effect { state, .. } = e {
                    state.iter().for_each(|&id| named[id] = true);
                }
                if let Expr::Row { accesses, .. } = e {
                    let arrays = accesses.iter().map(|&id| statement.accesses[id].array);
                    let arrays: Vec<usize> = arrays.collect();
                    assert!(!arrays.is_empty() && arrays.iter().all(|a| *a == arrays[0]));
                }
            });
        };
        for access in &statement.accesses {
            access.subscripts.iter().for_each(&mut visit);
        }
        let mut targets = Vec::new();
        actions(&statement.body, &mut visit, &mut targets);
        for target in targets {
            assert_eq!(statement.accesses[target].kind, AccessKind::Write);
            named[target] = true;
        }
        for (id, access) in statement.accesses.iter().enumerate() {
            let array = &scop.arrays[access.array];
            assert_eq!(
                access.subscripts.len(),
                array.extents.len(),
                "{}",
                array.name
            );
            assert_eq!(access.affine.len(), array.extents.len(), "{}", array.name);
            let touched = access.relation.domain().expect("a domain");
            assert!(touched.is_subset(&statement.domain).expect("a comparison"));
            if access.exact {
                assert!(access.relation.is_single_valued().expect("a check"));
                assert!(statement.domain.is_subset(&touched).expect("a comparison"));
                assert!(named[id], "{}: access {id} is not named", statement.name);
            } else if access.kind == AccessKind::Write {
                let covered = statement.accesses.iter().any(|a| {
                    a.kind == AccessKind::Read
                        && a.array == access.array
                        && access
                            .relation
                            .is_subset(&a.relation)
                            .expect("a comparison")
                });
                assert!(covered, "{}: write {id} has no read", statement.name);
            }
        }
    }
}

fn actions(
    body: &[tilewright::scop::Action],
    visit: &mut dyn FnMut(&tilewright::scop::Expr),
    targets: &mut Vec<usize>,
) {
    use tilewright::scop::Action;
    for action in body {
        match action {
            Action::Assign { target, value } => {
                targets.push(*target);
                visit(value);
            }
            Action::Local { value, .. } => value.iter().for_each(&mut *visit),
            Action::SetLocal { value, .. } | Action::Call(value) => visit(value),
            Action::If {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                actions(then, visit, targets);
                actions(otherwise, visit, targets);
            }
            Action::Repeat { condition, body } => {
                visit(condition);
                actions(body, visit, targets);
            }
            Action::Leave => {}
        }
    }
}
