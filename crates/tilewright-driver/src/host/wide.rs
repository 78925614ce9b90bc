//! Types of 128 bits, which the parser does not know. Headers of the system declare functions with
//! them that nobody calls from a region: there the words become other ones. In a program's own text
//! they would make values of another width, so that such a file is refused.

use tilewright::diagnostic::{Code, Diagnostic};

/// The words, and what stands in their place in headers of the system: of the same length, so that
/// no column changes.
const WIDE: [(&str, &str); 2] = [("__int128", "long    "), ("__float128", "double    ")];

/// Such a type in a program's own text.
#[derive(Debug, PartialEq)]
pub(crate) struct Wide {
    word: &'static str,
    file: String,
    line: usize,
}

impl Wide {
    pub fn diagnostic(&self) -> Box<Diagnostic> {
        let Wide { word, file, line } = self;
        let message = format!("{file}, line {line}: numbers of type `{word}` are not understood");
        let help = format!("move what needs `{word}` into a file of its own");
        Box::new(Diagnostic::error(Code::Syntax, message).help(help))
    }
}

/// A preprocessed text in which headers of the system have none of these types.
///
/// # Errors
/// The first of them that stands elsewhere.
pub(crate) fn narrowed(preprocessed: &str) -> Result<String, Wide> {
    let mut narrowed = String::with_capacity(preprocessed.len());
    let (mut file, mut next, mut of_the_system) = ("", 1, false);
    for line in preprocessed.split_inclusive('\n') {
        if let Some((number, name, system)) = marker(line) {
            (file, next, of_the_system) = (name, number, system);
            narrowed.push_str(line);
            continue;
        }
        match WIDE.iter().find(|(word, _)| has_word(line, word)) {
            Some((word, _)) if !of_the_system => {
                let file = file.to_owned();
                return Err(Wide {
                    word,
                    file,
                    line: next,
                });
            }
            Some(_) => {
                let mut line = line.to_owned();
                for (word, other) in WIDE {
                    line = line.replace(word, other);
                }
                narrowed.push_str(&line);
            }
            None => narrowed.push_str(line),
        }
        next += 1;
    }
    Ok(narrowed)
}

/// A line such as `# 12 "stdio.h" 1 3 4`: number of the next line, file, and whether it is a header
/// of the system.
fn marker(line: &str) -> Option<(usize, &str, bool)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let (name, flags) = rest.trim_end().strip_prefix('"')?.rsplit_once('"')?;
    Some((
        number.parse().ok()?,
        name,
        flags.split(' ').any(|flag| flag == "3"),
    ))
}

/// Whether a line has a word that is not part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let in_a_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(in_a_word) && !line[at + word.len()..].starts_with(in_a_word)
    })
}

#[cfg(test)]
mod tests {
    use super::{marker, narrowed};

    #[test]
    fn headers_of_the_system_have_other_types() {
        let text = "# 1 \"a.c\"\n# 1 \"/usr/include/s.h\" 1 3 4\nextern __float128 q(unsigned __int128);\n# 2 \"a.c\" 2\nint x;\n";
        let found = narrowed(text).expect("nothing wide in a.c");
        assert_eq!(found.len(), text.len());
        assert!(
            found.contains("extern double     q(unsigned long    );"),
            "{found}"
        );
    }

    #[test]
    fn a_programs_own_wide_numbers_are_found() {
        let text = "# 1 \"a.c\"\n# 1 \"/usr/include/s.h\" 1 3 4\nint y;\n# 7 \"a.c\" 2\nint __int128x;\nunsigned __int128 x;\n";
        let found = narrowed(text).expect_err("line 8");
        let message = format!("{:?}", found.diagnostic());
        assert!(
            message.contains("a.c, line 8: numbers of type `__int128`"),
            "{message}"
        );
    }

    #[test]
    fn markers_have_numbers_names_and_flags() {
        assert_eq!(marker("# 3 \"a b.h\" 1 3\n"), Some((3, "a b.h", true)));
        assert_eq!(marker("# 30 \"a.h\"\n"), Some((30, "a.h", false)));
        assert_eq!(marker("#pragma scop\n"), None);
    }
}
