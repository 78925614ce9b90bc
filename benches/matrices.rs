//! Sparse matrices in compressed rows: ten made up in the shapes of Table 6.1 (Zhao, thesis 2018),
//! and files in the Matrix Market format.
//!
//! A made-up matrix has exactly the rows, columns and entries of the one that it is named after,
//! rows of lengths that vary as that one's do, and entries in runs near the diagonal, or anywhere,
//! as its origin has it. Values are between -1 and 1. The same every time.

use std::path::Path;

/// How long rows are, relative to each other.
#[derive(Clone, Copy, Debug)]
pub enum Lengths {
    /// As even as possible.
    Even,
    /// Anything up to so many times as long as the shortest.
    Spread(u64),
    /// A few rows much longer than the others: row lengths fall off as one over their rank.
    Tail,
}

/// A matrix to make up.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// As in Table 6.1.
    pub name: &'static str,
    pub rows: usize,
    pub columns: usize,
    pub entries: usize,
    pub lengths: Lengths,
    /// Columns to each side of the diagonal that entries are in; 0: anywhere.
    pub band: usize,
    /// Entries in columns next to each other.
    pub run: usize,
}

/// Table 6.1.
pub const TABLE: [Recipe; 10] = [
    // A cantilever: finite elements, three unknowns in a node, layers of 9 x 9 nodes.
    recipe(
        "cant",
        (62451, 62451, 4_007_383),
        Lengths::Spread(2),
        300,
        3,
    ),
    // Concentric spheres: finite elements.
    recipe(
        "consph",
        (83334, 83334, 6_010_480),
        Lengths::Spread(3),
        2000,
        3,
    ),
    // An accelerator's cavity: irregular elements.
    recipe(
        "cop20k_A",
        (121_192, 121_192, 2_624_331),
        Lengths::Spread(8),
        40_000,
        2,
    ),
    // A forecast of an economy: few entries in most rows, far away.
    recipe(
        "mac_econ_fwd500",
        (206_500, 206_500, 1_273_389),
        Lengths::Spread(10),
        500,
        1,
    ),
    // An epidemic as a Markov chain on a grid.
    recipe(
        "mc2depi",
        (525_825, 525_825, 2_100_225),
        Lengths::Even,
        1000,
        2,
    ),
    // A protein: clusters.
    recipe(
        "pdb1HYS",
        (36417, 36417, 4_344_765),
        Lengths::Spread(6),
        1500,
        12,
    ),
    // Poisson's equation: finite elements.
    recipe(
        "Pres_Poisson",
        (14822, 14822, 715_804),
        Lengths::Spread(2),
        400,
        4,
    ),
    // A wind tunnel: six unknowns in a node.
    recipe(
        "pwtk",
        (217_918, 217_918, 11_634_424),
        Lengths::Even,
        800,
        6,
    ),
    // A harbour: three-dimensional flow.
    recipe(
        "rma10",
        (46835, 46835, 2_374_001),
        Lengths::Spread(12),
        1000,
        5,
    ),
    // Tomography: rays through a volume.
    recipe("tomographic1", (73159, 59498, 647_495), Lengths::Tail, 0, 1),
];

const fn recipe(
    name: &'static str,
    (rows, columns, entries): (usize, usize, usize),
    lengths: Lengths,
    band: usize,
    run: usize,
) -> Recipe {
    Recipe {
        name,
        rows,
        columns,
        entries,
        lengths,
        band,
        run,
    }
}

/// A matrix in compressed rows: row `i` has the entries `row[i]` to `row[i + 1] - 1`, in the order
/// of their columns, no column twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub columns: usize,
    pub row: Vec<i32>,
    pub col: Vec<i32>,
    pub val: Vec<f64>,
}

impl Matrix {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row.len() - 1
    }

    /// Entries of the longest row.
    pub fn longest(&self) -> usize {
        let lengths = self.row.windows(2).map(|two| two[1] - two[0]);
        lengths.max().unwrap_or(0) as usize
    }

    /// The matrix of a recipe.
    pub fn made_up(recipe: &Recipe) -> Matrix {
        let Recipe { rows, columns, .. } = *recipe;
        let mut random = Random(recipe.entries as u64);
        let weights: Vec<u64> = (0..rows)
            .map(|_| match recipe.lengths {
                Lengths::Even => 1,
                Lengths::Spread(most) => 1000 + random.below(1000 * (most - 1) + 1),
                Lengths::Tail => (1 << 20) / (1 + random.below(1 << 12)),
            })
            .collect();
        let whole: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let (mut row, mut col, mut before) = (vec![0], Vec::new(), 0_u128);
        for (i, weight) in weights.into_iter().enumerate() {
            before += u128::from(weight);
            let wanted = (recipe.entries as u128 * before / whole) as usize;
            // What no row has columns for is left to the rows after it.
            let length = (wanted - col.len()).min(columns);
            place(recipe, i, length, &mut random, &mut col);
            row.push(col.len() as i32);
        }
        let val = (0..col.len()).map(|_| random.value()).collect();
        Matrix {
            columns,
            row,
            col,
            val,
        }
    }

    /// Reads a file in the Matrix Market format: coordinates, real, integer or pattern, general,
    /// symmetric or skew-symmetric.
    ///
    /// # Errors
    /// What is wrong with the file, with its line.
    pub fn read(path: &Path) -> Result<Matrix, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Matrix::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The same for a file's text.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn parse(text: &str) -> Result<Matrix, String> {
        let mut lines = (1..).zip(text.lines());
        let (_, head) = lines.next().ok_or("the file is empty")?;
        let head = head.to_lowercase();
        let words: Vec<&str> = head.split_whitespace().collect();
        let ["%%matrixmarket", "matrix", "coordinate", kind, symmetry] = words[..] else {
            return Err(
                "line 1: not `%%MatrixMarket matrix coordinate KIND SYMMETRY`, sparse matrices"
                    .to_owned(),
            );
        };
        if !matches!(kind, "real" | "integer" | "pattern") {
            return Err(format!("line 1: entries are {kind}, not real numbers"));
        }
        let mirrored = match symmetry {
            "general" => 0.0,
            "symmetric" => 1.0,
            "skew-symmetric" => -1.0,
            _ => return Err(format!("line 1: no symmetry `{symmetry}` for real numbers")),
        };
        let mut lines = lines.filter(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('%')
        });
        let (at, line) = lines.next().ok_or("there is no line with sizes")?;
        let number = |word: Option<&str>, at: usize| -> Result<usize, String> {
            let word = word.ok_or_else(|| format!("line {at}: a number is missing"))?;
            word.parse()
                .map_err(|_| format!("line {at}: `{word}` is no number"))
        };
        let mut words = line.split_whitespace();
        let rows = number(words.next(), at)?;
        let columns = number(words.next(), at)?;
        let entries = number(words.next(), at)?;
        let most = i32::MAX as usize / 2;
        if rows.max(columns).max(entries) > most || rows == 0 || columns == 0 {
            return Err(format!("line {at}: sizes are 1 to {most}"));
        }
        let mut places: Vec<(usize, usize, f64)> = Vec::new();
        let mut found = 0;
        for (at, line) in lines.take(entries) {
            found += 1;
            let mut words = line.split_whitespace();
            let (i, j) = (number(words.next(), at)?, number(words.next(), at)?);
            if !(1..=rows).contains(&i) || !(1..=columns).contains(&j) {
                return Err(format!("line {at}: ({i}, {j}) is outside of the matrix"));
            }
            let value = match (kind, words.next()) {
                ("pattern", _) => 1.0,
                (_, Some(word)) => word
                    .parse()
                    .map_err(|_| format!("line {at}: `{word}` is no number"))?,
                (_, None) => return Err(format!("line {at}: the value is missing")),
            };
            places.push((i - 1, j - 1, value));
            if mirrored != 0.0 && i != j {
                if i > columns || j > rows {
                    return Err(format!("line {at}: a symmetric matrix is square"));
                }
                places.push((j - 1, i - 1, mirrored * value));
            }
        }
        if found != entries {
            return Err(format!(
                "{entries} entries are announced, {found} are there"
            ));
        }
        // The order of the file is no order: ours is, and stays the same for the same file.
        places.sort_by_key(|&(i, j, _)| (i, j));
        let mut row = vec![0_i32; rows + 1];
        places.iter().for_each(|&(i, ..)| row[i + 1] += 1);
        for i in 0..rows {
            row[i + 1] += row[i];
        }
        Ok(Matrix {
            columns,
            row,
            col: places.iter().map(|&(_, j, _)| j as i32).collect(),
            val: places.into_iter().map(|(.., value)| value).collect(),
        })
    }

    /// The same in ELLPACK form with as many places per row as the longest has entries: columns
    /// and values, entry `k` of all rows in a row of memory, and the lengths of rows. Places
    /// without an entry hold column 0 and value 0.
    pub fn ellpack(&self) -> (Vec<i32>, Vec<f64>, Vec<i32>) {
        let (rows, width) = (self.rows(), self.longest());
        let (mut col, mut val) = (vec![0; rows * width], vec![0.0; rows * width]);
        for i in 0..rows {
            let (begin, end) = (self.row[i] as usize, self.row[i + 1] as usize);
            for (k, j) in (begin..end).enumerate() {
                col[k * rows + i] = self.col[j];
                val[k * rows + i] = self.val[j];
            }
        }
        let lengths = self.row.windows(2).map(|two| two[1] - two[0]);
        (col, val, lengths.collect())
    }
}

/// Columns of one row, in order: runs in equal parts of the band, anywhere in each.
fn place(recipe: &Recipe, i: usize, length: usize, random: &mut Random, col: &mut Vec<i32>) {
    let Recipe { rows, columns, .. } = *recipe;
    let half = if recipe.band == 0 {
        columns
    } else {
        recipe.band.max(length)
    };
    let centre = i * columns / rows;
    let (low, high) = (centre.saturating_sub(half), (centre + half).min(columns));
    let runs = length.div_ceil(recipe.run.max(1));
    for run in 0..runs {
        let (first, last) = (length * run / runs, length * (run + 1) / runs);
        let part = |k: usize| low + (high - low) * k / length;
        let (begin, end) = (part(first), part(last));
        let start = begin + random.below((end - begin - (last - first)) as u64 + 1) as usize;
        col.extend((start..start + last - first).map(|j| j as i32));
    }
}

/// Xorshift (Marsaglia, 2003), 64 bits; the state is never 0.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 to `limit - 1`.
    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }

    fn value(&mut self) -> f64 {
        self.below(2001) as f64 / 1000.0 - 1.0
    }
}
