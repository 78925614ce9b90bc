//! Which questions need isl: programs in the shapes that planners give them.

use std::collections::BTreeMap;

use crate::compile::{Options, choices, regions};
use crate::plan::defaults::ISL_OPERATIONS;
use crate::plan::{Fuse, Shape};
use crate::source::Source;
use crate::validate::check_program;
use crate::validate::numbers::questions::{Answers, Question};
use crate::validate::program::Program;

/// Parameters and body of a function.
type Text = (&'static str, &'static str);

const POINTWISE: Text = (
    "int n, const float a[restrict n][n], float b[restrict n][n], float c[restrict n][n]",
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i][j] * 2;
     for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = b[i][j] + a[i][j];",
);

/// A stencil in each direction, the first result a temporary.
const BLUR: Text = (
    "int n, const float a[restrict n + 2][n + 2], float c[restrict n][n]",
    "float b[n + 2][n];
     for (int i = 0; i < n + 2; i++)
       for (int j = 0; j < n; j++) b[i][j] = a[i][j] + a[i][j + 1] + a[i][j + 2];
     for (int i = 0; i < n; i++)
       for (int j = 0; j < n; j++) c[i][j] = b[i][j] + b[i + 1][j] + b[i + 2][j];",
);

/// Half as many rows and columns, and back.
const SAMPLED: Text = (
    "int n, const float a[restrict 2 * n][2 * n], float c[restrict 2 * n][2 * n]",
    "float d[n][n];
     for (int i = 0; i < n; i++)
       for (int j = 0; j < n; j++) d[i][j] = a[2 * i][2 * j] + a[2 * i + 1][2 * j + 1];
     for (int i = 0; i < 2 * n; i++)
       for (int j = 0; j < 2 * n; j++) c[i][j] = d[i / 2][j / 2] + a[i][j];",
);

const SWEEPS: Text = (
    "int n, int steps, float a[restrict n], float b[restrict n]",
    "for (int t = 0; t < steps; t++) {
       for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];
       for (int i = 1; i < n - 1; i++) a[i] = b[i];
     }",
);

const PRODUCT: Text = (
    "int n, const float a[restrict n][n], const float b[restrict n][n], float c[restrict n][n]",
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
       c[i][j] = 0;
       for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
     }",
);

/// What was asked of a program in a shape, after it was accepted.
fn asked(
    (parameters, body): Text,
    shape: Option<Shape>,
    change: impl Fn(&mut Options),
) -> BTreeMap<Question, Answers> {
    let text = format!("void f({parameters})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n");
    let source = Source {
        name: "f.c".to_owned(),
        text: text.clone(),
        preprocessed: text,
        ..Source::default()
    };
    let mut options = Options::default();
    options.wishes.shape = shape;
    change(&mut options);
    let plans = choices(&source, &options).unwrap();
    let regions = regions(&source, ISL_OPERATIONS).unwrap();
    let region = regions[0].prepared(&plans[0]).unwrap();
    let transformed = region.apply(&plans[0]).unwrap();
    let program = Program::new(&region.scop, &region.dataflow, &transformed, true);
    let program = program.unwrap().unwrap();
    assert_eq!(check_program(&program).unwrap(), None);
    let answers = program.answers.borrow();
    answers.clone()
}

/// That these questions and no others came up, and that none of them was left to isl.
fn all_at_once(text: Text, shape: Shape, wanted: &[Question]) {
    let answers = asked(text, Some(shape), |_| {});
    let came_up: Vec<Question> = answers.keys().copied().collect();
    assert_eq!(came_up, wanted, "{shape:?}: {answers:?}");
    let left = answers.values().any(|answers| answers.by_isl > 0);
    assert!(!left, "{shape:?}: {answers:?}");
}

const PIPELINES: [Shape; 5] = [
    Shape::None,
    Shape::Scalene,
    Shape::Right,
    Shape::Polymage,
    Shape::Parallelogram,
];

/// One stage is left, which works in the arrays in full: there is nothing but their order and the
/// loops to ask for.
#[test]
fn a_pointwise_pipeline_needs_no_isl() {
    for shape in PIPELINES {
        all_at_once(POINTWISE, shape, &[Question::Order, Question::Loop]);
    }
}

/// Tiles of two stages have one tile in each life of a scratchpad, whose ends are known, and which
/// holds what is read: a number further on for each row. As for strides of two.
#[test]
fn tiles_of_two_stages_need_no_isl() {
    use Question::{Bounds, Life, Loop, Order, Sources, Tile, Window};
    for text in [BLUR, SAMPLED] {
        for shape in [Shape::None, Shape::Parallelogram] {
            all_at_once(text, shape, &[Order, Loop]);
        }
        for shape in [Shape::Scalene, Shape::Polymage] {
            all_at_once(text, shape, &[Life, Bounds, Tile, Order, Sources, Loop]);
        }
        // Stages take turns, so that scratchpads are folded.
        let folded = [Life, Bounds, Tile, Window, Order, Sources, Loop];
        all_at_once(text, Shape::Right, &folded);
    }
}

/// Loops as they were written, and those of a matrix product in tiles.
#[test]
fn loops_as_written_need_no_isl() {
    all_at_once(SWEEPS, Shape::None, &[Question::Order, Question::Loop]);
    for shape in [Shape::None, Shape::Parallelogram] {
        all_at_once(PRODUCT, shape, &[Question::Order, Question::Loop]);
    }
    let most = |options: &mut Options| options.wishes.fuse = Some(Fuse::Max);
    let answers = asked(PRODUCT, Some(Shape::Parallelogram), most);
    assert!(
        answers.values().all(|answers| answers.by_isl == 0),
        "{answers:?}"
    );
}

/// Of tiles that overlap over time, only where values come from at the end of a band of time, and
/// whether copies into the next one are apart, is left to isl.
#[test]
fn tiles_over_time_that_overlap() {
    use Question::{Bounds, Lanes, Life, Loop, Order, Sources, Tile, Turns};
    for shape in [Shape::Scalene, Shape::Right] {
        let answers = asked(SWEEPS, Some(shape), |_| {});
        let came_up: Vec<Question> = answers.keys().copied().collect();
        let wanted = [Life, Bounds, Tile, Order, Sources, Loop, Turns, Lanes];
        assert_eq!(came_up, wanted, "{shape:?}");
        for question in [Life, Bounds, Tile, Order, Turns, Lanes] {
            assert_eq!(
                answers[&question].by_isl, 0,
                "{shape:?} {question:?}: {answers:?}"
            );
        }
        for question in [Sources, Loop] {
            assert!(
                answers[&question].at_once >= answers[&question].by_isl,
                "{answers:?}"
            );
        }
    }
}

/// Tiles one after the other are seen to be; in a wavefront the numbers of two tiles are added up,
/// neither of which gets smaller, but that is not seen of a sum: each would have to be rounded by
/// itself.
#[test]
fn tiles_over_time_that_do_not_overlap() {
    let order = |shape: Shape, wavefront: bool| {
        let answers = asked(SWEEPS, Some(shape), |o| {
            o.wishes.processor.wavefront = wavefront
        });
        let came_up: Vec<Question> = answers.keys().copied().collect();
        assert!(came_up.starts_with(&[Question::Order]), "{shape:?}");
        answers[&Question::Order]
    };
    assert_eq!(order(Shape::Parallelogram, false).by_isl, 0);
    assert_eq!(order(Shape::Parallelogram, true).at_once, 0);
    // Two phases are one after the other, whatever is in them.
    let split = order(Shape::Split, true);
    assert!(split.at_once >= split.by_isl, "{split:?}");
}
