//! Which stages their consumers compute, and what is tabulated for them.

use super::*;
use tilewright::compile::regions;
use tilewright::plan::entries::Picks;

/// An entry of a plan.
fn picks(text: &str) -> Picks {
    Picks::try_from(text.to_owned()).expect("an array and a stage")
}

fn inlining(names: &[&str]) -> Options {
    let mut options = Options::default();
    let names = names.iter().map(|&name| name.to_owned()).collect();
    options.wishes.pipelines.inline = Inline::Stages(names);
    options
}

/// TACO 2019, section 4.2: the products are computed where they are summed.
#[test]
fn products_of_harris_are_inlined_on_demand() {
    let source = example("pipelines/harris.c");
    let mut options = inlining(&["Ixx", "Ixy", "Iyy"]);
    options.wishes.tile_sizes = Some(vec![32, 256]);
    let compiled = compiled(&source, &options);
    let region = &compiled.regions[0];
    assert_eq!(region.order.inlined, ["Ixx", "Ixy", "Iyy"]);
    assert_eq!(region.order.stages.len(), 11);
    assert_eq!(region.order.groups[0].stages.len(), 8);
    insta::assert_snapshot!(line(&compiled.text, "tw_Sxy = "));
    // The plan says so, and is enough.
    let text = compiled.plan.to_toml().expect("a plan");
    let plan = Plan::from_toml(&text).expect("what was written");
    let again = compile(&source, &Options::default(), Some(&plan), &mut |_| {});
    assert_eq!(again.expect("the plan is legal").text, compiled.text);
}

/// Three products of two derivatives: two scratchpads in place of three.
#[test]
fn products_of_fewer_stages_are_inlined() {
    let compiled = compiled(&example("pipelines/harris.c"), &Options::default());
    assert_eq!(compiled.regions[0].order.inlined, ["Iyy", "Ixy", "Ixx"]);
}

/// Rows of cells are interpolated once for the eight pixels beside each other, and both planes
/// in the loop that divides them.
#[test]
fn the_bilateral_grid_is_interpolated_before_it_is_picked_from() {
    let source = example("pipelines/bilateral_grid.c");
    let compiled = compiled(&source, &with_sizes(&[128, 512]));
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let region = &compiled.plan.regions[0];
    assert_eq!(region.rewrites.tabulate, [picks("blury:interpolated")]);
    assert_eq!(region.rewrites.inline, ["interpolated"]);
    insta::assert_snapshot!(line(&compiled.text, "tw_blury_table[c3][0][c5"));
    insta::assert_snapshot!(line(&compiled.text, "float interpolated_2 ="));
    // The plan is enough, and names must be right.
    let given = |plan: &Plan| compile(&source, &Options::default(), Some(plan), &mut |_| {});
    assert_eq!(given(&compiled.plan).expect("legal").text, compiled.text);
    for (entry, refusal) in [
        ("nothing:interpolated", "names no array"),
        ("blury:nothing", "names no stage"),
        ("blurx:blury", "computes nothing that could be in a table"),
    ] {
        let mut plan = compiled.plan.clone();
        plan.regions[0].rewrites.tabulate = vec![picks(entry)];
        let message = format!("{:?}", given(&plan).expect_err(entry));
        assert!(message.contains(refusal), "{message}");
    }
}

/// What the loops around change is no table, nor is what only some pixels compute, nor what may
/// overflow.
#[test]
fn only_what_has_a_value_before_the_loops_is_tabulated() {
    let text = |element: &str, value: &str, after: &str| {
        format!(
            "void f(int n, {element} out[restrict n], {element} a[restrict n / 8 + 1][4],
       const int at[restrict n])
{{
    {element} b[n];
#pragma scop
    for (int t = 0; t < 5; t++) {{
        for (int i = 0; i < n; i++)
            b[i] = {value};
        for (int i = 0; i < n; i++)
            out[i] = out[i] + b[i];
        {after}
    }}
#pragma endscop
}}
"
        )
    };
    let pick = "a[i / 8][at[i] & 3] * 3 + t";
    let tabulated = |text: &str| {
        let region = regions(&source(text), 0).expect("accepted").remove(0);
        region
            .tabulated(&[picks("a:b")])
            .map_err(|error| error.to_string())
    };
    assert!(tabulated(&text("float", pick, "")).is_ok());
    let written = tabulated(&text("float", pick, "a[0][0] = 1;"));
    assert!(
        written
            .expect_err("written")
            .contains("it is written in the loops")
    );
    for (element, value) in [
        ("int", pick),
        ("float", "at[i] > 3 ? a[i / 8][at[i] & 3] * 3 : 2"),
        ("float", "a[i / 8][at[i] & 3] * (i + t)"),
    ] {
        let nothing = tabulated(&text(element, value, "")).expect_err(value);
        assert!(
            nothing.contains("nothing that could be in a table"),
            "{nothing}"
        );
    }
}

#[test]
fn the_camera_s_copies_and_values_read_once_are_inlined() {
    let compiled = compiled(&example("pipelines/camera_pipe.c"), &Options::default());
    assert_eq!(
        compiled.regions[0].order.inlined.join(" "),
        "g_gr r_r b_b g_gb r_gr b_gr r_gb b_gb r_b b_r"
    );
}

/// A picture remapped to eight levels, of whose details each pixel picks two.
pub const LEVELS: &str = "#include <stdlib.h>
void levels(int R, int C, float out[restrict R][C], const float img[restrict R + 2][C + 2])
{
    float (*restrict level)[R + 2][C + 2] = malloc(sizeof(float[8][R + 2][C + 2]));
    float (*restrict half)[R + 2][C + 2] = malloc(sizeof(float[8][R + 2][C + 2]));
    float (*restrict detail)[R + 2][C + 2] = malloc(sizeof(float[8][R + 2][C + 2]));
#pragma scop
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R + 2; i++)
            for (int j = 0; j < C + 2; j++)
                level[k][i][j] = (img[i][j] - k * 0.125f) * img[i][j];
    for (int k = 0; k < 8; k++)
        for (int i = 1; i < R + 1; i++)
            for (int j = 0; j < C + 2; j++)
                half[k][i][j] = level[k][i - 1][j] + level[k][i][j] + level[k][i + 1][j];
    for (int k = 0; k < 8; k++)
        for (int i = 1; i < R + 1; i++)
            for (int j = 1; j < C + 1; j++)
                detail[k][i][j] = level[k][i][j] - half[k][i][j - 1] * half[k][i][j + 1];
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            out[i][j] = detail[(int)(img[i + 1][j + 1] * 7)][i + 1][j + 1]
                      + detail[(int)(img[i + 1][j + 1] * 6) + 1][i + 1][j + 1];
#pragma endscop
    free(detail);
    free(half);
    free(level);
}
";

/// Two of eight: `detail` is computed where it is picked, and `level`, which `half` needs, too.
#[test]
fn what_is_picked_at_an_index_from_data_is_inlined() {
    let compiled = compiled(&source(LEVELS), &Options::default());
    assert_eq!(compiled.regions[0].order.inlined, ["detail", "level:out"]);
    // Read from memory: `half` at the index, never `level`.
    let out = line(&compiled.text, "out[c3][c4] = ");
    assert_eq!(out.matches("tw_half)[").count(), 4);
    assert_eq!(out.matches("tw_level").count(), 0);
}

/// Four of eight is not worth it, nor is what many pixels pick from.
#[test]
fn what_is_picked_often_stays_in_memory() {
    let reads = "detail[(int)(img[i + 1][j + 1] * 7)][i + 1][j + 1]";
    let often = LEVELS.replace(reads, &[&format!("{reads} * ").repeat(3), reads].concat());
    let more = often
        .replace("* 7)]", "* 5)]")
        .replacen("* 5)]", "* 4)]", 1);
    let more = more
        .replacen("* 5)]", "* 3)]", 1)
        .replacen("* 5)]", "* 2)]", 1);
    let shared = LEVELS.replace(
        "[i + 1][j + 1] * 7)][i + 1][j + 1]",
        "[i + 1][j + 1] * 7)][i + 1][j / 2 + 1]",
    );
    for text in [more, shared] {
        let compiled = compiled(&source(&text), &Options::default());
        assert!(compiled.regions[0].order.inlined.is_empty());
    }
}

#[test]
fn plans_that_inline_what_cannot_be_inlined_are_refused() {
    let source = source(FIGURE_3);
    for (name, reason) in [
        (
            "C",
            "stage `C` cannot be inlined: its values are used after the region",
        ),
        (
            "D",
            "there is no stage `D` to inline; the stages are A, B, C",
        ),
    ] {
        let refused = compile(&source, &inlining(&[name]), None, &mut |_| {});
        let refused = refused.expect_err("refused");
        assert_eq!(refused[0].code, "TW0401");
        assert_eq!(refused[0].message, reason);
    }
}

#[test]
fn iterators_of_the_stage_are_those_of_the_reader_s_place() {
    let text = "void f(int n, float out[restrict n], const short in[restrict n])
{
    short a[2 * n];
#pragma scop
    for (long i = 0; i < 2 * n; i++)
        a[i] = in[i / 2] * 3 + i;
    for (int j = 1; j < n; j++)
        out[j] = a[2 * j - 1];
#pragma endscop
}
";
    let compiled = compiled(&source(text), &inlining(&["a"]));
    insta::assert_snapshot!(line(&compiled.text, "] = "));
}

/// A product of two inputs costs less than to store and load it; `b` and `out` are too far apart
/// for one group.
#[test]
fn what_is_cheaper_than_memory_is_inlined() {
    let with = |value: &str, second: &str| {
        let text = format!(
            "void f(int R, int C, float out[restrict R][C], float b[restrict R][C],
       const float in[restrict R][C], const float w[restrict R][C])
{{
    float p[R][C];
#pragma scop
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            p[i][j] = {value};
    for (int i = 1; i < R; i++)
        for (int j = 0; j < C; j++)
            b[i][j] = p[i][j] - p[i - 1][j];
    for (int i = 1; i < R; i++)
        for (int j = 0; j < C; j++)
            out[i][j] = {second}[i][j] + {second}[i - 1][j];
#pragma endscop
}}
"
        );
        let compiled = compiled(&source(&text), &Options::default());
        compiled.regions[0].order.inlined.join(" ")
    };
    assert_eq!(with("in[i][j] * w[i][j]", "p"), "p");
    // One reader; four operations; a division; an input that is read against the grain.
    assert_eq!(with("in[i][j] * w[i][j]", "in"), "");
    assert_eq!(with("(in[i][j] + 1) * (w[i][j] + 1) * 2", "p"), "");
    assert_eq!(with("in[i][j] / w[i][j]", "p"), "");
    assert_eq!(with("in[i][j] * w[j][i]", "p"), "");
}

/// TOPLAS 2020, section 7.4.3: of the eleven stages of Harris, Algorithm 3 leaves three.
#[test]
fn all_pointwise_stages_of_harris_are_inlined() {
    let mut options = with_sizes(&[32, 256]);
    options.wishes.pipelines.inline = Inline::Pointwise;
    let compiled = compiled(&example("pipelines/harris.c"), &options);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let groups = &compiled.plan.regions[0].groups;
    let mut left: Vec<&str> = groups
        .iter()
        .flat_map(|g| g.stages.iter().map(String::as_str))
        .collect();
    left.sort_unstable();
    assert_eq!(left, ["Ix", "Iy", "harris"]);
}
