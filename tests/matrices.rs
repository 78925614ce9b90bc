//! The matrices of `benches/spmv.rs`: made up as Table 6.1 says, and read from files.

#[path = "../benches/matrices.rs"]
mod recipes;

use recipes::{Matrix, TABLE};

/// Rows, columns and entries are those of the table; columns of a row ascend, none is there twice;
/// the long rows of rays are long.
#[test]
fn made_up_matrices_have_their_shapes() {
    for recipe in TABLE.iter().filter(|recipe| recipe.entries < 2_000_000) {
        let matrix = Matrix::made_up(recipe);
        assert_eq!(
            (matrix.rows(), matrix.columns),
            (recipe.rows, recipe.columns)
        );
        assert_eq!(
            (matrix.col.len(), matrix.val.len()),
            (recipe.entries, recipe.entries)
        );
        assert_eq!(matrix.row.first(), Some(&0));
        assert_eq!(matrix.row.last(), Some(&(recipe.entries as i32)));
        for two in matrix.row.windows(2) {
            let columns = &matrix.col[two[0] as usize..two[1] as usize];
            assert!(
                columns.windows(2).all(|two| two[0] < two[1]),
                "{}",
                recipe.name
            );
            assert!(
                columns
                    .iter()
                    .all(|&j| (0..recipe.columns as i32).contains(&j))
            );
        }
        let mean = recipe.entries / recipe.rows;
        let uneven = matches!(recipe.lengths, recipes::Lengths::Tail);
        assert_eq!(matrix.longest() > 20 * mean, uneven, "{}", recipe.name);
    }
}

const SYMMETRIC: &str = "%%MatrixMarket matrix coordinate real symmetric
% a comment
3 3 4
3 1 0.5
1 1 2
2 2 -1
3 3 4e1
";

/// What is stored below the diagonal stands above it, too, and rows are in order.
#[test]
fn symmetric_files() {
    let matrix = Matrix::parse(SYMMETRIC).unwrap();
    let expected = Matrix {
        columns: 3,
        row: vec![0, 2, 3, 5],
        col: vec![0, 2, 1, 0, 2],
        val: vec![2.0, 0.5, -1.0, 0.5, 40.0],
    };
    assert_eq!(matrix, expected);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("symmetric.mtx");
    std::fs::write(&path, SYMMETRIC).unwrap();
    assert_eq!(Matrix::read(&path), Ok(expected));
    // Entry k of all rows is a row of memory; row 1 has only one.
    let (col, val, lengths) = matrix.ellpack();
    assert_eq!(col, [0, 1, 0, 2, 0, 2]);
    assert_eq!(val, [2.0, -1.0, 0.5, 0.5, 0.0, 40.0]);
    assert_eq!(lengths, [2, 1, 2]);
}

/// Patterns have ones; the mirror image of a skew-symmetric matrix has the other sign.
#[test]
fn other_kinds_of_files() {
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n1 2\n";
    let matrix = Matrix::parse(pattern).unwrap();
    assert_eq!((matrix.rows(), matrix.columns), (2, 3));
    assert_eq!((matrix.col, matrix.val), (vec![1, 2], vec![1.0, 1.0]));
    let skew = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n";
    let matrix = Matrix::parse(skew).unwrap();
    assert_eq!((matrix.col, matrix.val), (vec![1, 0], vec![-3.0, 3.0]));
}

#[test]
fn files_that_cannot_be_read() {
    let head = "%%MatrixMarket matrix coordinate real general\n";
    for (text, expected) in [
        (String::new(), "empty"),
        (
            "%%MatrixMarket matrix array real general\n1 1\n1\n".to_owned(),
            "line 1",
        ),
        (SYMMETRIC.replace("real", "complex"), "entries are complex"),
        (
            SYMMETRIC.replace("symmetric", "hermitian"),
            "no symmetry `hermitian`",
        ),
        (head.to_owned(), "no line with sizes"),
        (format!("{head}2 2\n"), "line 2: a number is missing"),
        (
            format!("{head}2 2 1\n3 1 1.0\n"),
            "line 3: (3, 1) is outside",
        ),
        (
            format!("{head}2 2 1\n1 1\n"),
            "line 3: the value is missing",
        ),
        (format!("{head}2 2 1\n1 1 x\n"), "line 3: `x` is no number"),
        (
            format!("{head}2 2 2\n1 1 1.0\n"),
            "2 entries are announced, 1 are there",
        ),
    ] {
        let message = Matrix::parse(&text).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
}
