//! From a path to preprocessed text, and what may go wrong on the way.

use std::fs;
use std::path::Path;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;

fn toolchain() -> Toolchain {
    Toolchain::default()
}

#[test]
fn keeps_pragmas_and_line_markers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.c");
    let text = "#define N 4\nint a[N] __attribute__((aligned(64)));\n#pragma scop\n";
    fs::write(&path, text).unwrap();
    let source = preprocess(&path, &toolchain()).unwrap();
    assert_eq!(source.text, text);
    assert_eq!(source.name, path.display().to_string());
    assert!(
        source
            .preprocessed
            .contains("int a[4] __attribute__((aligned(64)));"),
        "{}",
        source.preprocessed
    );
    assert!(source.preprocessed.contains("#pragma scop"));
    assert!(
        source
            .preprocessed
            .contains(&format!("\"{}\"", source.name))
    );
}

#[test]
fn options_reach_the_preprocessor() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("include")).unwrap();
    fs::write(directory.path().join("include/n.h"), "int n = N;\n").unwrap();
    let path = directory.path().join("a.c");
    fs::write(&path, "#include <n.h>\n#ifdef _OPENMP\nint omp;\n#endif\n").unwrap();
    let toolchain = Toolchain {
        include_dirs: vec![directory.path().join("include")],
        defines: vec!["N=17".to_owned()],
        ..toolchain()
    };
    let source = preprocess(&path, &toolchain).unwrap();
    assert!(source.preprocessed.contains("int n = 17;"));
    assert!(source.preprocessed.contains("int omp;"));
}

#[test]
fn refusals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.c");
    let refusal = |path: &Path, toolchain: &Toolchain| *preprocess(path, toolchain).unwrap_err();

    let missing = refusal(&path, &toolchain());
    assert_eq!(missing.code, "TW0101");
    assert!(
        missing.message.ends_with("a.c: no such file or directory"),
        "{}",
        missing.message
    );
    assert!(
        refusal(directory.path(), &toolchain())
            .message
            .ends_with("it is a directory")
    );

    fs::write(&path, b"int a;\n// caf\xe9\n").unwrap();
    let bytes = refusal(&path, &toolchain());
    assert_eq!(bytes.code, "TW0101");
    assert!(
        bytes
            .message
            .ends_with("line 2 holds the byte 0xe9, which is not UTF-8")
    );

    let text = "int a;\n#include \"none.h\"\n";
    fs::write(&path, text).unwrap();
    let include = refusal(&path, &toolchain());
    assert_eq!(include.code, "TW0103");
    assert!(include.message.contains("none.h"), "{}", include.message);
    assert_eq!(include.labels.len(), 1);
    assert!(include.help.is_some_and(|help| help.contains("-I DIR")));

    fs::write(&path, "#error \"give N\"\n").unwrap();
    assert!(refusal(&path, &toolchain()).message.contains("give N"));

    let nothing = Toolchain {
        cc: "no-such-compiler -x".to_owned(),
        ..toolchain()
    };
    assert_eq!(refusal(&path, &nothing).code, "TW0501");
}
