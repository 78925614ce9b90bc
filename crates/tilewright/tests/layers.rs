//! The order of the crate's folders: code in one of them may name those in front of it only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// From the first to the last; `ARCHITECTURE.md` has the same line.
const LAYERS: [&str; 15] = [
    "source",
    "diagnostic",
    "mistakes",
    "plan",
    "scop",
    "frontend",
    "analysis",
    "rewrite",
    "transform",
    "planner",
    "validate",
    "codegen",
    "reuse",
    "compile",
    "view",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
    found
}

/// Whether a file holds tests: they may use what they need.
fn is_test(file: &Path) -> bool {
    let parts = file.iter().map(|part| part.to_string_lossy());
    let of_tests = |part: &str| {
        let stem = part.trim_end_matches(".rs");
        stem == "tests" || stem.ends_with("_tests") || stem == "testing" || stem == "harness"
    };
    parts.into_iter().any(|part| of_tests(&part))
}

/// The code of a file: without comments, and without what is for tests only.
fn code(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    let lines: Vec<&str> = lines.collect();
    let text = lines.join("\n");
    let mut rest = text.as_str();
    let mut code = String::new();
    while let Some((front, behind)) = rest.split_once("#[cfg(test)]") {
        code.push_str(front);
        // An item ends with the first line that is a closing brace as far left, or with a semicolon.
        let item = behind.trim_start();
        let end = match item.find(['{', ';']) {
            Some(at) if item[at..].starts_with('{') => item.find("\n}").map(|end| end + 2),
            at => at.map(|at| at + 1),
        };
        rest = &item[end.unwrap_or(item.len())..];
    }
    code + rest
}

/// The folders that some code names.
fn named(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let part = text
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_');
        part.collect()
    };
    let mut found = Vec::new();
    for (at, root) in code.match_indices("crate::") {
        let rest = &code[at + root.len()..];
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            // `use crate::{a::b, c::{d, e}}`
            Some(list) => {
                let mut depth = 1;
                let mut begins = true;
                for (at, c) in list.char_indices() {
                    if depth == 1 && begins && c.is_alphabetic() {
                        found.push(word(&list[at..]));
                    }
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    begins = c == ',' || (begins && c.is_whitespace());
                }
            }
        }
    }
    found
}

/// Which folder names which, with the files that do.
fn arrows() -> BTreeMap<(String, String), BTreeSet<PathBuf>> {
    let root = source();
    let mut arrows: BTreeMap<_, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in files(&root) {
        let inside = file.strip_prefix(&root).expect("below").to_owned();
        if is_test(&inside) || inside == Path::new("lib.rs") {
            continue;
        }
        let first = inside.iter().next().expect("a name").to_string_lossy();
        let from = first.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&file).expect("readable");
        for to in named(&code(&text)) {
            if to != from {
                let files = arrows.entry((from.clone(), to)).or_default();
                files.insert(inside.clone());
            }
        }
    }
    arrows
}

#[test]
fn no_arrow_goes_back() {
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let arrows = arrows();
    let back = arrows.iter().filter(|((from, to), _)| match place(to) {
        Some(to) => place(from).is_none_or(|from| from < to),
        // A macro or an item of the root.
        None => place(from).is_none(),
    });
    let back: Vec<String> = back
        .map(|((from, to), files)| format!("{from} → {to}, as in {files:?}"))
        .collect();
    assert!(back.is_empty(), "{}", back.join("\n"));
    // What is looked for is found.
    for known in [
        ("compile", "codegen"),
        ("codegen", "transform"),
        ("frontend", "scop"),
    ] {
        let known = (known.0.to_owned(), known.1.to_owned());
        assert!(arrows.contains_key(&known), "{known:?}");
    }
}

#[test]
fn every_folder_has_its_place() {
    for entry in fs::read_dir(source()).expect("a folder") {
        let name = entry.expect("readable").file_name();
        let name = name.to_string_lossy();
        let name = name.trim_end_matches(".rs");
        let known = LAYERS.contains(&name) || name == "lib";
        assert!(known, "{name} is not in the order of folders");
    }
    let page = source().join("../../../ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("readable");
    let line = LAYERS.join(" → ");
    assert!(page.contains(&line), "ARCHITECTURE.md lacks: {line}");
}

/// A table of who names whom: a folder's row has a coloured cell in the columns of those that it
/// names. Columns stand in the order of the rows, so that whatever goes back is right of the diagonal.
fn picture() -> String {
    const CELL: usize = 30;
    const LEFT: usize = 110;
    const TOP: usize = 100;
    let arrows = arrows();
    let size = CELL * LAYERS.len();
    let (width, height) = (LEFT + size + 10, TOP + size + 10);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let mut line = |text: String| writeln!(svg, "{text}").expect("a string grows");
    for (row, from) in LAYERS.iter().enumerate() {
        let (middle, y) = (LEFT + row * CELL + CELL / 2, TOP + row * CELL);
        let base = y + 20;
        let right = LEFT - 8;
        line(format!(
            "<text x=\"{right}\" y=\"{base}\" text-anchor=\"end\">{from}</text>"
        ));
        line(format!(
            "<text transform=\"translate({}, {}) rotate(-60)\">{from}</text>",
            middle + 4,
            TOP - 8
        ));
        for (column, to) in LAYERS.iter().enumerate() {
            let x = LEFT + column * CELL;
            let fill = if row == column {
                "#444444"
            } else if !arrows.contains_key(&((*from).to_owned(), (*to).to_owned())) {
                "#f4f4f4"
            } else if column < row {
                "#9ecae1"
            } else {
                "#d62728"
            };
            line(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
                 fill=\"{fill}\" stroke=\"#ffffff\"/>"
            ));
        }
    }
    svg + "</svg>\n"
}

/// The picture in `ARCHITECTURE.md` is drawn from the code; `UPDATE_BOOK=1` draws it again.
#[test]
fn the_picture_is_drawn_from_the_code() {
    let file = source().join("../../../docs/src/folders.svg");
    let picture = picture();
    if std::env::var_os("UPDATE_BOOK").is_some() {
        fs::write(&file, &picture).expect("written");
    }
    assert!(!picture.contains("#d62728"), "an arrow goes back");
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == picture,
        "UPDATE_BOOK=1 cargo test -p tilewright --test outside layers"
    );
}

#[test]
fn names_are_found() {
    let text = "use crate::{a::b, c::{d, e}, f};\n// crate::g\nlet x = crate::h::i();\n\
                #[cfg(test)]\nmod tests {\n    use crate::j;\n}\nuse crate::k::{l, m};\n\
                #[cfg(test)]\nuse crate::n;\ncrate::o!();\n";
    assert_eq!(named(&code(text)), ["a", "c", "f", "h", "k", "o"]);
}
