use super::*;
use crate::host::toolchain::{Purpose, Toolchain};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

fn key(text: &str) -> Key {
    Parts::new("test").with("text", text).key()
}

fn cache(directory: &Path, limit: u64) -> Cache {
    Cache::in_directory(Some(directory.to_owned()), limit)
}

/// Asks for a text of `bytes` letters; returns whether it had to be made.
fn made(cache: &Cache, name: &str, bytes: usize) -> bool {
    let made = Cell::new(false);
    let text = cache.text(&key(name), || {
        made.set(true);
        Ok::<_, ()>("x".repeat(bytes))
    });
    assert_eq!(text.map(|text| text.len()), Ok(bytes));
    made.get()
}

#[test]
fn a_text_is_made_once() {
    let directory = tempfile::tempdir().unwrap();
    let below = directory.path().join("not/there/yet");
    assert!(made(&cache(&below, 1000), "a", 3));
    // Another process would open it anew.
    assert!(!made(&cache(&below, 1000), "a", 3));
    assert!(made(&cache(&below, 1000), "b", 3));
    let refused: std::result::Result<String, u8> = cache(&below, 1000).text(&key("c"), || Err(7));
    assert_eq!(refused, Err(7));
    let contents = cache(&below, 1000).contents();
    assert_eq!((contents.entries, contents.bytes), (2, 6));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&below).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "libraries from it are run");
    }
}

#[test]
fn what_was_not_used_for_longest_goes() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path(), 250);
    let now = SystemTime::now();
    for (name, age) in [("old", 30), ("older", 60)] {
        assert!(made(&cache, name, 100));
        let path = entries(directory.path())
            .into_iter()
            .find(|entry| entry.key == key(name).as_str())
            .unwrap()
            .path;
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(now - Duration::from_secs(age)).unwrap();
    }
    assert!(!made(&cache, "older", 100), "is the newest now");
    assert!(made(&cache, "new", 100));
    assert!(!made(&cache, "older", 100));
    assert!(!made(&cache, "new", 100));
    assert_eq!(cache.contents().entries, 2, "`old` is gone");
    assert!(
        made(&cache, "large", 1000),
        "stays although it is too large"
    );
    assert_eq!(cache.contents().bytes, 1000);
    assert!(!made(&cache, "large", 1000));
}

#[test]
fn damaged_entries_are_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path(), 1000);
    let damage: [fn(&Path); 3] = [
        |path| fs::write(path, "xxy").unwrap(),
        |path| fs::write(path, "").unwrap(),
        |path| fs::write(path, [0xff, 0xfe, 0]).unwrap(),
    ];
    assert!(made(&cache, "a", 3));
    for damage in damage {
        damage(&entries(directory.path())[0].path);
        assert!(made(&cache, "a", 3));
        assert!(!made(&cache, "a", 3));
    }
    assert_eq!(cache.warning(), None);
}

#[test]
fn clearing_leaves_what_is_not_ours() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path(), 1000);
    fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    assert!(made(&cache, "a", 3));
    fs::write(directory.path().join(format!("{UNFINISHED}1")), "left").unwrap();
    assert_eq!(cache.clear().unwrap().entries, 1);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    assert!(made(&cache, "a", 3));
}

#[test]
fn without_a_directory_everything_works_but_later_calls() {
    // A file in the way: nobody can make a directory there, not even root.
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let bad = cache(&file.join("cache"), 1000);
    assert!(made(&bad, "a", 3));
    let words = bad.warning().unwrap();
    assert!(
        words.contains("cannot be used (not a directory)"),
        "{words}"
    );
    assert!(words.contains(VARIABLE), "{words}");
    assert!(!made(&bad, "a", 3), "for this process it is kept");
    assert_eq!(bad.warning(), None, "said once");
    let none = Cache::in_directory(None, 1000);
    assert!(made(&none, "a", 3) && !made(&none, "a", 3));
    assert_eq!(none.warning(), None, "as asked for");
    assert_eq!(none.clear().unwrap().entries, 0);
}

#[test]
fn the_directory_is_the_platforms() {
    let text = |named: Option<&str>, caches: Option<&str>, home: Option<&str>| {
        let found = place(
            named.map(Into::into),
            caches.map(Into::into),
            home.map(Into::into),
        );
        found.map(|path| path.display().to_string())
    };
    let some = |path: &str| Some(path.to_owned());
    assert_eq!(text(Some("here"), Some("/c"), Some("/h")), some("here"));
    assert_eq!(text(Some("none"), Some("/c"), Some("/h")), None);
    assert_eq!(text(None, Some("/c"), Some("/h")), some("/c/tilewright"));
    assert_eq!(text(None, Some("c"), Some("h")), None);
    #[cfg(target_os = "linux")]
    assert_eq!(text(None, None, Some("/h")), some("/h/.cache/tilewright"));
}

/// Several threads, each with a cache of its own as processes have, want the same kernel.
#[test]
fn all_who_build_at_the_same_time_get_a_whole_library() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("add.c");
    let text = "__attribute__((visibility(\"default\")))\n\
                void add(void **args) { *(int *)args[0] += *(int *)args[1]; }\n";
    fs::write(&source, text).unwrap();
    let toolchain = Toolchain::default();
    let key = Parts::new("library")
        .with("text", text)
        .built_by(&toolchain, Purpose::Time)
        .key();
    let place = directory.path().join("cache");
    let builds = AtomicUsize::new(0);
    let run = || {
        let cache = cache(&place, 1 << 30);
        let build = |path: &Path| {
            builds.fetch_add(1, Ordering::Relaxed);
            toolchain.build(&source, path, Purpose::Time, None, None)
        };
        // SAFETY: `add` above has the type of kernels and uses two `int`s.
        unsafe {
            let kernel = cache.kernel(&key, "add", build).unwrap();
            let (mut sum, mut more) = (40, 2);
            kernel.call(&mut [
                (&raw mut sum).cast::<c_void>(),
                (&raw mut more).cast::<c_void>(),
            ]);
            assert_eq!(sum, 42);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(run);
        }
    });
    let built = builds.load(Ordering::Relaxed);
    assert!(built >= 1);
    run();
    assert_eq!(builds.load(Ordering::Relaxed), built, "then it is there");
    assert_eq!(unfinished(&place).len(), 0);
    // A torn file would crash the loader: it is never loaded.
    for entry in entries(&place) {
        let half = fs::read(&entry.path).unwrap();
        fs::write(&entry.path, &half[..half.len() / 2]).unwrap();
    }
    run();
    assert_eq!(builds.load(Ordering::Relaxed), built + 1);
    fn shared<T: Send + Sync>() {}
    shared::<(Kernel, Cache)>();
}
