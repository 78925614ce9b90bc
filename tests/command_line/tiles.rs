//! Pictures of tiles, and tiles in some dimensions only.

use super::place::Place;

const BLUR: &str = "\
void blur(int n, float out[restrict n], const float in[restrict n + 2])
{
    float h[n + 1];
#pragma scop
    for (int i = 0; i < n + 1; i++)
        h[i] = in[i] + in[i + 1];
    for (int i = 0; i < n; i++)
        out[i] = h[i] + h[i + 1];
#pragma endscop
}
";

#[test]
fn view_draws_to_a_file_or_standard_output() {
    let place = Place::new();
    place.write("blur.c", BLUR);
    let printed = place.run("view blur.c --tile-sizes 8");
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(printed.stdout.starts_with("<svg xmlns="));
    let written = place.run("view blur.c --tile-sizes 8 -o blur.svg");
    assert_eq!((written.status, &*written.stdout), (0, ""));
    assert_eq!(place.read("blur.svg"), printed.stdout);
    let untiled = place.run("view scale.c");
    assert_eq!(untiled.status, 0);
    assert!(untiled.stdout.contains("no picture"));
}

#[test]
fn view_refuses_what_it_cannot_draw() {
    let place = Place::new();
    place.write("blur.c", BLUR);
    let unknown = place.run("view blur.c --dimension z -o blur.svg");
    assert_eq!(unknown.status, 2, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("TW0302"));
    assert!(unknown.stderr.contains("out has no dimension `z`"));
    assert!(unknown.stderr.contains("`--dimension` i"));
    let over_itself = place.run("view blur.c -o blur.c");
    assert_eq!(over_itself.status, 1);
    assert!(over_itself.stderr.contains("TW0102"));
    assert_eq!(place.names(), ["blur.c", "scale.c"]);
}

/// Overlapped columns or rows with ordinary tiles in the other dimension, at sizes that tiles
/// divide and that they do not, bit for bit.
#[test]
fn hybrid_tiles_compute_the_same() {
    let place = Place::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pipelines");
    place.write("figure.c", FIGURE);
    for (file, options) in [
        (
            format!("{examples}/harris.c"),
            "--overlap 1 --tile-sizes 8,16",
        ),
        (
            format!("{examples}/harris.c"),
            "--overlap 0 --tile-sizes 8,16",
        ),
        (
            format!("{examples}/unsharp_mask.c"),
            "--overlap 2 --tile-sizes 8,16",
        ),
        (format!("{examples}/unsharp_mask.c"), "--overlap 2"),
        ("figure.c".to_owned(), "--overlap 1 --tile-sizes 4,8"),
        ("figure.c".to_owned(), "--overlap 0 --tile-sizes 4,8"),
    ] {
        let explained = place.run(&format!("explain {file} {options}")).status(0);
        assert!(explained.stdout.contains(" in sequence"), "{explained:#?}");
        for size in ["--param R=32 --param C=64", "--param R=37 --param C=59"] {
            place
                .run(&format!("run {file} {options} {size} --runs 0"))
                .status(0);
        }
    }
}

/// A chain whose second stage has half the rows.
const FIGURE: &str = "\
void figure(int R, int C, float out[restrict R][C], const float in[restrict R][C])
{
    float a[R][C], half[R / 2 + 1][C], b[R][C];
#pragma scop
    for (int i = 0; i < R; i++)
        for (int j = 1; j < C - 1; j++)
            a[i][j] = in[i][j - 1] + in[i][j + 1];
    for (int i = 1; i < R / 2 - 1; i++)
        for (int j = 1; j < C - 1; j++)
            half[i][j] = a[2 * i - 1][j] + 2 * a[2 * i][j] + a[2 * i + 1][j];
    for (int i = 4; i < R - 4; i++)
        for (int j = 1; j < C - 1; j++)
            b[i][j] = half[i / 2][j] + half[(i + 1) / 2][j];
    for (int i = 6; i < R - 6; i++)
        for (int j = 3; j < C - 3; j++)
            out[i][j] = b[i - 2][j - 2] + b[i + 2][j + 2];
#pragma endscop
}
";

/// A band that the affine scheduler tiles and a loop that it does not: titles and tables have the
/// sizes that stand in the code, `8 * c0`, and none where there are none.
#[test]
fn titles_have_the_tiles_of_the_code() {
    let place = Place::new();
    place.write(
        "product.c",
        "void product(int n, double c[restrict n][n], const double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * a[k][j];
#pragma endscop
}
",
    );
    place.write(
        "line.c",
        "void line(int n, double a[restrict n], const double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2;
#pragma endscop
}
",
    );
    let options = "--shape parallelogram --tile-sizes 8,16,32";
    let tiled = place.run(&format!("compile product.c {options}")).status(0);
    let title = "c: parallelogram tiles of 8 x 16 x 32";
    assert!(tiled.stdout.contains(title), "{}", tiled.stdout);
    for corner in ["= 8 * c", "= 16 * c", "= 32 * c"] {
        assert!(tiled.stdout.contains(corner), "{}", tiled.stdout);
    }
    let table = place.run(&format!("explain product.c {options}")).status(0);
    assert!(table.stdout.contains("8 × 16 × 32"), "{}", table.stdout);

    let whole = place.run(&format!("compile line.c {options}")).status(0);
    let title = "a: affine schedule, not tiled";
    assert!(whole.stdout.contains(title), "{}", whole.stdout);
    let table = place.run(&format!("explain line.c {options}")).status(0);
    assert!(!table.stdout.contains("32"), "{}", table.stdout);
}
