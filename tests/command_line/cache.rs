//! `tilewright cache`.

use std::fs;
use std::path::Path;
use std::process::Command;
use tilewright_driver::cache::{Cache, Parts};

fn cache(place: &Path, line: &str) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright"))
        .arg("cache")
        .args(line.split_whitespace())
        .env("TILEWRIGHT_CACHE", place)
        .env("TILEWRIGHT_CACHE_LIMIT", "3M")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    assert!(output.status.success(), "{line}: {}", text(output.stderr));
    (text(output.stdout), text(output.stderr))
}

#[test]
fn says_what_is_there_and_removes_it() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("cache");
    let shown = place.display();
    let (out, _) = cache(&place, "");
    let none = "0 entries, 0 kernels among them, 0 bytes of at most 3072 KiB";
    assert_eq!(out, format!("{shown}: {none}\n"));
    let there = Cache::in_directory(Some(place.clone()), 1 << 20);
    for name in ["a", "b"] {
        let key = Parts::new("test").with("name", name).key();
        there
            .text(&key, || Ok::<_, ()>("12345".to_owned()))
            .unwrap();
    }
    let key = Parts::new("test").key();
    let build = |path: &Path| {
        fs::write(path, [7; 20_000]).unwrap();
        Ok(())
    };
    there.library(&key, build).unwrap();
    let (out, _) = cache(&place, "");
    let all = "3 entries, 1 kernel among them, 19 KiB of at most 3072 KiB";
    assert_eq!(out, format!("{shown}: {all}\n"));
    let (out, _) = cache(&place, "--json");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["cache"]["bytes"], 20_010);
    assert_eq!(json["cleared"], false);
    let (out, _) = cache(&place, "clear");
    assert_eq!(out, format!("removed 3 entries with 19 KiB from {shown}\n"));
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
    assert_eq!(cache(Path::new("none"), "").0, "nothing is kept on disk\n");
}
