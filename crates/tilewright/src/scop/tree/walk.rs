//! Walks over isl's schedule trees.

use super::marks::Mark;
use isl::{Result, Schedule, ScheduleNode, ScheduleNodeType};

/// The node below the domain.
pub(crate) fn top(schedule: &Schedule) -> Result<ScheduleNode> {
    schedule.get_root()?.child(0)
}

/// Whether a node is a band that has members.
pub(crate) fn is_loop(node: &ScheduleNode) -> Result<bool> {
    Ok(node.get_type()? == ScheduleNodeType::Band && node.band_n_member()? > 0)
}

/// The outermost loop of a band as a band of its own, above the others.
pub(crate) fn outermost(band: ScheduleNode) -> Result<ScheduleNode> {
    match band.band_n_member()? {
        0 | 1 => Ok(band),
        _ => band.band_split(1),
    }
}

/// Changes the children of a node one after the other; `change` returns the node in the child's
/// place. Returns the node.
///
/// # Errors
/// Those of `change`, and isl's own.
pub(crate) fn with_children<E: From<isl::Error>>(
    node: &ScheduleNode,
    mut change: impl FnMut(&ScheduleNode) -> std::result::Result<ScheduleNode, E>,
) -> std::result::Result<ScheduleNode, E> {
    let mut node = node.clone();
    for child in 0..node.n_children()? {
        node = change(&node.child(child)?)?.parent()?;
    }
    Ok(node)
}

/// The node so many levels further up.
pub(crate) fn up(node: &ScheduleNode, levels: usize) -> Result<ScheduleNode> {
    (0..levels).try_fold(node.clone(), |node, _| node.parent())
}

/// Whether something holds of a node or of one below it.
pub(crate) fn any(
    node: &ScheduleNode,
    holds: &mut dyn FnMut(&ScheduleNode) -> Result<bool>,
) -> Result<bool> {
    let mut found = false;
    node.foreach_descendant_top_down(&mut |node| {
        found = found || holds(node)?;
        Ok(!found)
    })?;
    Ok(found)
}

/// Whether there is a loop at or below a node.
pub(crate) fn has_loop(node: &ScheduleNode) -> Result<bool> {
    any(node, &mut is_loop)
}

/// The marks at and below a node that have a meaning, from above to below.
pub(crate) fn marks(node: &ScheduleNode) -> Result<Vec<(Mark, ScheduleNode)>> {
    let mut found = Vec::new();
    node.foreach_descendant_top_down(&mut |node| {
        if let Some(mark) = Mark::of(node)? {
            found.push((mark, node.clone()));
        }
        Ok(true)
    })?;
    Ok(found)
}

/// The scopes of the marks at and below a node.
pub(crate) fn scopes(node: &ScheduleNode) -> Result<Vec<usize>> {
    let marks = marks(node)?;
    Ok(marks.iter().filter_map(|(mark, _)| mark.scope()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = r#"{ domain: "{ A[i, j] : 0 <= i, j < 9; B[i] : 0 <= i < 9; C[] }",
        child: { mark: "scope:3", child: { sequence: [
            { filter: "{ A[i, j] }", child: { mark: "parallel", child: {
                schedule: "[{ A[i, j] -> [i] }, { A[i, j] -> [j] }]" } } },
            { filter: "{ B[i] }", child: { mark: "of no meaning", child: { mark: "scope:3",
                child: { schedule: "[{ B[i] -> [i] }]" } } } },
            { filter: "{ C[] }" } ] } } }"#;

    fn tree(ctx: &isl::Ctx) -> ScheduleNode {
        let schedule = Schedule::read_from_str(ctx, TREE).unwrap();
        top(&schedule).unwrap()
    }

    #[test]
    fn marks_are_found_from_above_to_below() {
        let ctx = isl::Ctx::new();
        let top = tree(&ctx);
        let found = marks(&top).unwrap();
        let expected = [Mark::Scope(3), Mark::Parallel, Mark::Scope(3)];
        assert!(found.iter().map(|(mark, _)| *mark).eq(expected));
        assert!(is_loop(&found[1].1.child(0).unwrap()).unwrap());
        assert_eq!(scopes(&top).unwrap(), [3, 3]);
        assert_eq!(scopes(&top.child(0).unwrap()).unwrap(), [3]);
    }

    #[test]
    fn loops_are_bands_that_have_members() {
        let ctx = isl::Ctx::new();
        let sequence = tree(&ctx).child(0).unwrap();
        let has = |child: usize| has_loop(&sequence.child(child).unwrap()).unwrap();
        assert_eq!([0, 1, 2].map(has), [true, true, false]);
        assert!(has_loop(&sequence).unwrap() && !is_loop(&sequence).unwrap());
        let band = sequence
            .child(0)
            .and_then(|filter| filter.child(0)?.child(0));
        let outer = outermost(band.unwrap()).unwrap();
        assert_eq!(outer.band_n_member().unwrap(), 1);
        let inner = outer.child(0).unwrap();
        assert!(is_loop(&inner).unwrap());
        assert!(!has_loop(&inner.child(0).unwrap()).unwrap());
    }

    /// Every node is passed once, and the one that is returned is where the walk began.
    #[test]
    fn children_are_changed_in_place() {
        fn below(node: &ScheduleNode, seen: &mut usize) -> Result<ScheduleNode> {
            *seen += 1;
            if is_loop(node)? {
                return node.insert_mark(&isl::Id::alloc(node.ctx(), "simd")?);
            }
            with_children(node, |child| below(child, seen))
        }
        let ctx = isl::Ctx::new();
        let sequence = tree(&ctx).child(0).unwrap();
        let mut seen = 0;
        let changed = below(&sequence, &mut seen).unwrap();
        // A sequence with three filters, three marks, two loops, and the leaf of the last filter.
        assert_eq!(seen, 10);
        assert_eq!(changed.get_type().unwrap(), ScheduleNodeType::Sequence);
        let found = marks(&changed).unwrap();
        let expected = [Mark::Parallel, Mark::Simd, Mark::Scope(3), Mark::Simd];
        assert!(found.iter().map(|(mark, _)| *mark).eq(expected));
        let leaf = changed.child(2).unwrap().child(0).unwrap();
        let back = up(&leaf, 2).unwrap();
        assert_eq!(back.get_type().unwrap(), ScheduleNodeType::Sequence);
        let named = any(&changed, &mut |node| {
            Ok(Mark::of(node)? == Some(Mark::Tile(0)))
        });
        assert!(!named.unwrap());
    }
}
