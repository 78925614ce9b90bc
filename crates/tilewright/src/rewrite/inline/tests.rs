use super::*;
use crate::analysis::dependences::dataflow::FlowEdge;
use crate::scop::testing::ScopBuilder;

fn attempt(scop: &Scop, names: &[&str]) -> Result<(Scop, Dataflow)> {
    let dataflow = Dataflow::compute(scop).unwrap();
    let graph = StageGraph::build(scop, &dataflow).unwrap();
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let (scop, dataflow) = inline(scop, &dataflow, &graph, &names)?;
    assert_same(&dataflow, &Dataflow::compute(&scop).unwrap());
    Ok((scop, dataflow))
}

/// What was taken over from the original is what an analysis of the new program finds.
fn assert_same(one: &Dataflow, other: &Dataflow) {
    let same = |one: &UnionMap, other: &UnionMap| {
        assert!(one.is_equal(other).unwrap(), "\n{one}\nis not\n{other}");
    };
    assert_eq!(one.edges.len(), other.edges.len());
    for (one, other) in one.edges.iter().zip(&other.edges) {
        let key = |edge: &FlowEdge| (edge.reader, edge.access, edge.array);
        assert_eq!(key(one), key(other));
        same(&one.sources, &other.sources);
    }
    same(&one.anti, &other.anti);
    same(&one.output, &other.output);
    same(&one.live_in, &other.live_in);
    same(&one.live_out, &other.live_out);
    for (one, other) in one.through.iter().zip(&other.through) {
        same(one, other);
    }
}

fn without(scop: &Scop, names: &[&str]) -> Scop {
    attempt(scop, names).unwrap().0
}

fn refusal(scop: &Scop, names: &[&str]) -> String {
    attempt(scop, names).unwrap_err().to_string()
}

fn reads_of(scop: &Scop, statement: &str) -> Vec<String> {
    let statement = &scop.statements[scop.statement_named(statement).unwrap()];
    let reads = statement.accesses.iter();
    reads
        .filter(|a| a.kind == AccessKind::Read)
        .map(|a| {
            let domain = statement.domain.intersect_params(&scop.context).unwrap();
            let relation = a.relation.gist_domain(&domain).unwrap().to_string();
            relation.split_once("{ ").unwrap().1.replace(" }", "")
        })
        .collect()
}

fn chain() -> ScopBuilder {
    ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
}

#[test]
fn a_stencil_reads_what_the_stage_read() {
    let scop = chain()
        .statement("S1[i] : 1 <= i < n", &["B[i]", "B[i - 1]"], &["C[i]"])
        .build();
    let scop = without(&scop, &["B"]);
    assert_eq!(scop.statements.len(), 1);
    assert_eq!(
        reads_of(&scop, "S1"),
        ["S1[i] -> A[i]", "S1[i] -> A[-1 + i]"]
    );
    // The order is that of the loops that are left.
    assert!(!scop.schedule.to_string().contains("S0"));
}

#[test]
fn stages_are_inlined_into_inlined_ones() {
    let scop = chain()
        .temporary("D", 1)
        .statement("S1[i] : 1 <= i < n", &["B[i]", "B[i - 1]"], &["D[i]"])
        .statement("S2[i] : 2 <= i < n", &["D[i]", "D[i - 1]"], &["C[i]"])
        .build();
    for names in [["B", "D"], ["D", "B"]] {
        let scop = without(&scop, &names);
        assert_eq!(scop.statements.len(), 1);
        let mut reads = reads_of(&scop, "S2");
        reads.sort();
        assert_eq!(
            reads,
            ["S2[i] -> A[-1 + i]", "S2[i] -> A[-2 + i]", "S2[i] -> A[i]"]
        );
    }
}

#[test]
fn one_of_two_statements_may_cover_a_strided_read() {
    let builder = ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[2i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i + 1]"], &["B[2i + 1]"]);
    let scop = builder
        .statement("S2[i] : 0 <= i < n - 1", &["B[2i + 3]"], &["C[i]"])
        .build();
    assert_eq!(
        reads_of(&without(&scop, &["B"]), "S2"),
        ["S2[i] -> A[2 + i]"]
    );
}

#[test]
fn no_single_statement_covers_a_whole_read() {
    let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[2i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[2i + 1]"])
        .statement("S2[i] : 0 <= i < 2n", &["B[i]"], &["C[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `C`: one read gets values from several statements");
}

#[test]
fn the_stage_instance_must_be_affine() {
    let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[2i]"])
        .statement("S2[i] : 0 <= i < 2n and i mod 2 = 0", &["B[i]"], &["C[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `C`: which iteration computed what is read is no sum of multiples of the reader's loop variables");
}

#[test]
fn inputs_may_not_be_overwritten_before_the_reader() {
    let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
        .inout("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S2[i] : 0 <= i < n", &["B[i]"], &["C[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `C`: `A`, which it reads, is overwritten before the value is used there");
}

#[test]
fn a_reader_may_overwrite_its_own_input_after_reading_it() {
    let builder = || {
        ScopBuilder::new("[n] -> { : n >= 4 }")
            .inout("A", 1)
            .temporary("B", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
    };
    let scop = builder()
        .statement("S1[i] : 0 <= i < n", &["B[i]"], &["A[i]"])
        .build();
    assert_eq!(reads_of(&without(&scop, &["B"]), "S1"), ["S1[i] -> A[i]"]);
    // The neighbour's value is overwritten by another instance.
    let scop = builder()
        .statement("S1[i] : 1 <= i < n", &["B[i - 1]"], &["A[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `A`: `A`, which it reads, is overwritten before the value is used there");
    // And here by an earlier step of the same one.
    let scop = builder()
        .output("C", 1)
        .statement_with_steps(
            "S1[i] : 0 <= i < n",
            &[("A[i]", &[][..]), ("C[i]", &["B[i]"][..])],
        )
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `C`: it overwrites what the stage reads, in a body of several steps");
}

#[test]
fn what_cannot_be_inlined_is_named() {
    let scop = chain()
        .temporary("D", 1)
        .temporary("E", 1)
        .statement("S1[i] : 1 <= i < n", &["D[i - 1]"], &["D[i]"])
        .statement("S2[i] : 0 <= i < n", &[], &["?E[i]"])
        .statement("S3[i] : 0 <= i <= n", &["B[i]", "D[i]", "E[i]"], &["C[i]"])
        .build();
    let all: Vec<String> = ["B", "C", "D", "E", "F"]
        .iter()
        .map(|name| refusal(&scop, &[name]))
        .collect();
    insta::assert_snapshot!(all.join("\n"), @r"
    stage `B` cannot be inlined into `C`: some of what is read was not computed by the stage
    stage `C` cannot be inlined: its values are used after the region
    stage `D` cannot be inlined: it reads its own values
    stage `E` cannot be inlined: its statements are not single assignments
    there is no stage `F` to inline; the stages are B, D, E, C
    ");
    let scop = chain()
        .statement("S1[i] : 0 <= i < n", &["B[i]"], &["C[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B", "B"]), @"stage `B` is named twice as one to inline");
}

#[test]
fn values_keep_the_type_of_the_array() {
    let scop = chain()
        .statement("S1[i] : 0 <= i < n", &["B[i]"], &["C[i]"])
        .build();
    let scop = without(&scop, &["B"]);
    let Action::Assign { value, .. } = &scop.statements[0].body[0] else {
        panic!("an assignment");
    };
    // A copy between arrays of one type needs no cast.
    assert!(matches!(value, Expr::Access(_)));
}

/// `B[k][i]` for four `k`, of which `C[i]` picks one that depends on data.
fn picked() -> ScopBuilder {
    ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 2)
        .output("C", 1)
        .statement(
            "S0[k, i] : 0 <= k < 4 and 0 <= i < n",
            &["A[i]"],
            &["B[k, i]"],
        )
}

#[test]
fn an_index_that_depends_on_data_is_the_stage_s_loop_variable() {
    let scop = picked()
        .statement("S1[i] : 1 <= i < n", &["?B[x, i] : 0 <= x < 4"], &["C[i]"])
        .build();
    let scop = without(&scop, &["B"]);
    assert_eq!(scop.statements.len(), 1);
    assert_eq!(reads_of(&scop, "S1"), ["S1[i] -> A[i]"]);
}

#[test]
fn what_may_be_picked_must_have_been_computed() {
    let scop = picked()
        .statement("S1[i] : 1 <= i < n", &["?B[x, i] : 0 <= x < 5"], &["C[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `C`: some of what is read was not computed by the stage");
}

#[test]
fn the_picked_loop_has_a_dimension_of_its_own() {
    let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 2)
        .output("C", 1)
        .statement(
            "S0[k, i] : 0 <= k < 4 and 0 <= i < n",
            &["A[i]"],
            &["B[k, i + k]"],
        )
        .statement("S1[i] : 4 <= i < n", &["?B[x, i] : 0 <= x < 4"], &["C[i]"])
        .build();
    insta::assert_snapshot!(refusal(&scop, &["B"]), @"stage `B` cannot be inlined into `C`: which iteration computed what is read is no sum of multiples of the reader's loop variables");
}

#[test]
fn one_reader_may_compute_what_others_load() {
    let builder = || {
        chain()
            .output("D", 1)
            .statement("S1[i] : 1 <= i < n", &["B[i]", "B[i - 1]"], &["C[i]"])
            .statement("S2[i] : 1 <= i < n", &["B[i]"], &["D[i]"])
    };
    let scop = builder().build();
    let scop = without(&scop, &["B:D"]);
    assert_eq!(scop.statements.len(), 3);
    assert_eq!(
        reads_of(&scop, "S1"),
        ["S1[i] -> B[i]", "S1[i] -> B[-1 + i]"]
    );
    assert_eq!(reads_of(&scop, "S2"), ["S2[i] -> A[i]"]);
    let scop = builder().build();
    insta::assert_snapshot!(refusal(&scop, &["C:D"]), @"stage `D` does not read `C`");
}

/// Arrays that nothing inlined has to do with keep their dependences, under new numbers of
/// statements; others get new ones.
#[test]
fn dependences_of_other_arrays_are_taken_over() {
    let scop = chain()
        .temporary("D", 1)
        .temporary("E", 1)
        .inout("F", 1)
        .statement("S1[i] : 0 <= i < n", &["A[i]", "F[i]"], &["D[i]"])
        .statement("S2[i] : 1 <= i < n", &["D[i]", "D[i - 1]"], &["E[i]"])
        .statement("S3[i] : 1 <= i < n", &["E[i]"], &["F[i]"])
        .statement("S4[i] : 2 <= i < n", &["B[i]", "E[i - 1]"], &["C[i]"])
        .build();
    let (without_b, dataflow) = attempt(&scop, &["B"]).unwrap();
    assert_eq!(without_b.statements.len(), 4);
    // E is read by the statement that changed, D is not.
    assert!(dataflow.edges.iter().any(|edge| edge.reader == 1));
    // Once more, from what was taken over.
    let graph = StageGraph::build(&without_b, &dataflow).unwrap();
    let (last, dataflow) = inline(&without_b, &dataflow, &graph, &["D".to_owned()]).unwrap();
    assert_same(&dataflow, &Dataflow::compute(&last).unwrap());
}
