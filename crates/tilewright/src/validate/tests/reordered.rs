//! Sums that may be added up in another order: what is accepted then gives the same sums, on random
//! programs that are executed, and what is refused names what is in the way.

use super::build::{Build, refusal};
use crate::analysis::region::Region;
use crate::scop::testing::region;
use crate::transform::Transformed;

/// What a loop over `i` does to `w` at `key[i]`, or at `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Set,
    Add,
    Subtract,
    Read,
}

const KINDS: [Kind; 4] = [Kind::Set, Kind::Add, Kind::Subtract, Kind::Read];

#[derive(Clone, Copy, Debug)]
struct Loop {
    kind: Kind,
    by_key: bool,
}

/// A program of loops one after another, and another order of them: those of one list are one loop.
type Order = Vec<Vec<usize>>;

fn analysed(loops: &[Loop]) -> Region {
    let mut body = String::new();
    for (number, each) in loops.iter().enumerate() {
        let cell = if each.by_key { "w[key[i]]" } else { "w[i]" };
        let statement = match each.kind {
            Kind::Set => format!("{cell} = a[i] + {number};"),
            Kind::Add => format!("{cell} += a[i] + {number};"),
            Kind::Subtract => format!("{cell} -= a[i] * {number};"),
            Kind::Read => format!("y[{number}][i] = {cell};"),
        };
        body += &format!("for (int i = 0; i < n; i++) {statement}\n");
    }
    let arrays = "int n, int key[restrict n], int a[restrict n], int w[restrict n],
        int y[restrict 8][n]";
    region(arrays, &body)
}

fn reordered(region: &Region, order: &Order, sums: bool) -> Transformed {
    let member = |s: &usize| format!("S{s}[i] -> [(i)]");
    let nests: Vec<String> = order
        .iter()
        .map(|fused| {
            let all: Vec<String> = fused.iter().map(|s| format!("S{s}[i]")).collect();
            let band: Vec<String> = fused.iter().map(member).collect();
            let inside: Vec<String> = all
                .iter()
                .map(|one| format!("{{ filter: \"{{ {one} }}\" }}"))
                .collect();
            let inside = match fused.len() {
                1 => String::new(),
                _ => format!(", child: {{ sequence: [ {} ] }}", inside.join(", ")),
            };
            format!(
                "{{ filter: \"{{ {} }}\", child: {{ schedule: \"[{{ {} }}]\"{inside} }} }}",
                all.join("; "),
                band.join("; ")
            )
        })
        .collect();
    let domain = region.scop.domain().unwrap();
    let text = format!(
        "{{ domain: \"{domain}\", child: {{ sequence: [ {} ] }} }}",
        nests.join(", ")
    );
    let array = region.scop.array_named("w").unwrap();
    Transformed {
        reordered: if sums { vec![array] } else { Vec::new() },
        ..Build::unlifted(&region.scop).schedule(&text)
    }
}

/// `w` and what was read of it.
fn executed(loops: &[Loop], order: &Order, key: &[usize]) -> (Vec<i64>, Vec<Vec<i64>>) {
    let n = key.len();
    let mut w: Vec<i64> = (0..n as i64).map(|x| 1000 + x).collect();
    let mut y = vec![vec![0; n]; loops.len()];
    for fused in order {
        for i in 0..n {
            for &s in fused {
                let cell = if loops[s].by_key { key[i] } else { i };
                let (value, number) = (7 * i as i64 + 3, s as i64);
                match loops[s].kind {
                    Kind::Set => w[cell] = value + number,
                    Kind::Add => w[cell] += value + number,
                    Kind::Subtract => w[cell] -= value * number,
                    Kind::Read => y[s][i] = w[cell],
                }
            }
        }
    }
    (w, y)
}

/// Numbers that are anything, from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}

/// What is accepted leaves the same sums behind, and lets every reader see the sum that it saw.
#[test]
fn random_orders_that_are_accepted_keep_all_sums() {
    let mut numbers = Numbers(11);
    let (mut accepted, mut only_as_sums, mut refused) = (0, 0, 0);
    for _ in 0..60 {
        let loops: Vec<Loop> = (0..4)
            .map(|_| Loop {
                // Mostly updates.
                kind: KINDS[[0, 1, 1, 1, 2, 2, 3][numbers.below(7)]],
                by_key: numbers.below(2) == 0,
            })
            .collect();
        let mut left: Vec<usize> = (0..loops.len()).collect();
        let mut order: Order = Vec::new();
        while !left.is_empty() {
            let next = left.remove(numbers.below(left.len()));
            match order.last_mut() {
                // At least two loops.
                Some(last) if order_may_fuse(&left, last) && numbers.below(3) == 0 => {
                    last.push(next)
                }
                _ => order.push(vec![next]),
            }
        }
        if order.len() < 2 {
            continue;
        }
        let region = analysed(&loops);
        let strictly = refusal(&region.scop, &reordered(&region, &order, false));
        let as_sums = refusal(&region.scop, &reordered(&region, &order, true));
        if as_sums != "accepted" {
            assert_ne!(strictly, "accepted", "{loops:?} {order:?}");
            refused += 1;
            continue;
        }
        accepted += 1;
        only_as_sums += usize::from(strictly != "accepted");
        let written: Order = (0..loops.len()).map(|s| vec![s]).collect();
        for _ in 0..8 {
            let key: Vec<usize> = (0..5).map(|_| numbers.below(5)).collect();
            assert_eq!(
                executed(&loops, &order, &key),
                executed(&loops, &written, &key),
                "{loops:?} {order:?} {key:?}"
            );
        }
    }
    // All kinds of verdicts are there.
    assert!(
        accepted > 5 && only_as_sums > 3 && refused > 5,
        "{accepted} {only_as_sums} {refused}"
    );
}

fn order_may_fuse(left: &[usize], last: &[usize]) -> bool {
    last.len() + left.len() < 4
}

fn by_key(kinds: &[Kind]) -> Vec<Loop> {
    let all = kinds.iter().map(|&kind| Loop { kind, by_key: true });
    all.collect()
}

/// Of two updates the reader depends on the last one by its value; it must see both.
#[test]
fn an_update_is_not_moved_behind_a_reader() {
    let loops = by_key(&[Kind::Add, Kind::Subtract, Kind::Read]);
    let region = analysed(&loops);
    let behind = |order: &Order, sums| refusal(&region.scop, &reordered(&region, order, sums));
    let swapped = vec![vec![1], vec![0], vec![2]];
    assert_eq!(behind(&swapped, true), "accepted");
    assert_eq!(
        behind(&swapped, false),
        "Flow: S1(i=0) would read what S0(i=0) has not yet written to `w` (n = 1)"
    );
    let late = vec![vec![1], vec![2], vec![0]];
    assert_eq!(
        behind(&late, true),
        "Flow: S2(i=0) would read what S0(i=0) has not yet written to `w` (n = 1)"
    );
    // Where places are known, too: the value that is read comes from the second loop alone.
    let known = loops.iter().map(|each| Loop {
        by_key: false,
        ..*each
    });
    let region = analysed(&known.collect::<Vec<_>>());
    let verdict = refusal(&region.scop, &reordered(&region, &late, true));
    assert!(verdict.starts_with("Flow: "), "{verdict}");
    let verdict = refusal(&region.scop, &reordered(&region, &swapped, true));
    assert_eq!(verdict, "accepted");
}

#[test]
fn an_update_is_not_moved_before_a_value_that_is_set() {
    let loops = by_key(&[Kind::Set, Kind::Add]);
    let region = analysed(&loops);
    let order = vec![vec![1], vec![0]];
    let verdict = refusal(&region.scop, &reordered(&region, &order, true));
    assert_eq!(
        verdict,
        "Flow: S1(i=0) would read what S0(i=0) has not yet written to `w` (n = 1)"
    );
}

/// That an array is listed does not make updates of other statements.
#[test]
fn what_is_no_update_keeps_its_order() {
    let body = "for (int i = 0; i < n; i++) w[key[i]] = 2 * w[key[i]];
        for (int i = 0; i < n; i++) w[key[i]] += 1;
        for (int i = 0; i < n; i++) w[key[i]] += w[i];";
    let region = region("int n, int key[restrict n], int w[restrict n]", body);
    for order in [
        vec![vec![1], vec![0], vec![2]],
        vec![vec![0], vec![2], vec![1]],
    ] {
        let verdict = refusal(&region.scop, &reordered(&region, &order, true));
        assert!(verdict.starts_with("Flow: "), "{order:?}: {verdict}");
    }
}
