//! Lists of what a result depends on, as compilers write them for `make`, with the names that the user's
//! files have.

use std::fs;
use std::io;
use std::path::Path;

/// Puts the name of one file in place of another's in a list.
///
/// # Errors
/// The system's, where the list cannot be read or written.
pub fn rename(list: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let text = fs::read_to_string(list)?;
    let renamed = text.replace(&escaped(from), &escaped(to));
    if renamed != text {
        fs::write(list, renamed)?;
    }
    Ok(())
}

/// A name as `make` reads it.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for c in path.to_string_lossy().chars() {
        match c {
            ' ' | '#' => text.extend(['\\', c]),
            '$' => text.push_str("$$"),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::rename;
    use std::fs;
    use std::path::Path;

    #[test]
    fn lists_name_the_file_that_was_given() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("a.d");
        fs::write(&list, "a.o: /tmp/x/a.c b.h \\\n c.h\n").unwrap();
        rename(&list, Path::new("/tmp/x/a.c"), Path::new("src dir/a.c")).unwrap();
        assert_eq!(
            fs::read_to_string(&list).unwrap(),
            "a.o: src\\ dir/a.c b.h \\\n c.h\n"
        );
    }
}
