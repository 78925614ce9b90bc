//! Numbers that the parsers do not know, of 128 bits and of 16. Headers of the system declare functions
//! with the former that nobody calls from a region: there the words become other ones. In a program's
//! own text they are names of types of which nothing is known.

/// The words, and what stands in their place in headers of the system: of the same length, so that
/// no column changes.
const WIDE: [(&str, &str); 2] = [("__int128", "long    "), ("__float128", "double    ")];

/// The words that a program's own text may have.
const OWN: [&str; 4] = ["__int128", "__float128", "__fp16", "__bf16"];

/// A preprocessed text in which headers of the system have none of these types, and a program's own
/// text has types with these names: declared in a line in front of the others.
pub(crate) fn narrowed(preprocessed: &str) -> String {
    let mut narrowed = String::with_capacity(preprocessed.len());
    let mut of_the_system = false;
    let mut own = [false; OWN.len()];
    for line in preprocessed.split_inclusive('\n') {
        if let Some(flags) = marker(line) {
            of_the_system = flags.split(' ').any(|flag| flag == "3");
            narrowed.push_str(line);
            continue;
        }
        if of_the_system {
            let mut line = line.to_owned();
            for (word, other) in WIDE {
                if has_word(&line, word) {
                    line = line.replace(word, other);
                }
            }
            narrowed.push_str(&line);
            continue;
        }
        for (found, word) in own.iter_mut().zip(OWN) {
            *found |= has_word(line, word);
        }
        narrowed.push_str(&plain(line));
    }
    let own = OWN.iter().zip(own).filter(|(_, found)| *found);
    let declared: String = own
        .map(|(word, _)| format!("typedef struct {word} {word}; "))
        .collect();
    match declared.is_empty() {
        true => narrowed,
        false => format!("{declared}\n{narrowed}"),
    }
}

/// A line without `unsigned` and `signed` beside `__int128`, which a name cannot have.
fn plain(line: &str) -> String {
    let mut line = line.to_owned();
    if !has_word(&line, WIDE[0].0) {
        return line;
    }
    for sign in ["unsigned", "signed"] {
        for (both, stays) in [
            (
                format!("{sign} __int128"),
                format!("{:>1$}", "__int128", sign.len() + 9),
            ),
            (
                format!("__int128 {sign}"),
                format!("{:<1$}", "__int128", sign.len() + 9),
            ),
        ] {
            line = line.replace(&both, &stays);
        }
    }
    line
}

/// What follows the name in a line such as `# 12 "stdio.h" 1 3 4`.
fn marker(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    number.parse::<usize>().ok()?;
    let (_, flags) = rest.trim_end().strip_prefix('"')?.rsplit_once('"')?;
    Some(flags)
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
        let found = narrowed(text);
        assert_eq!(found.len(), text.len());
        assert!(
            found.contains("extern double     q(unsigned long    );"),
            "{found}"
        );
    }

    #[test]
    fn a_programs_own_wide_numbers_are_names_of_types() {
        let text = "# 1 \"a.c\"\n# 1 \"/usr/include/s.h\" 1 3 4\n__int128 y;\n# 7 \"a.c\" 2\nint my__int128x;\nconst unsigned __int128 x; __int128 unsigned y;\n";
        let found = narrowed(text);
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines[0].trim(), "typedef struct __int128 __int128;");
        assert_eq!(lines[3], "long     y;");
        assert_eq!(lines[5], "int my__int128x;");
        let words: Vec<&str> = lines[6].split_whitespace().collect();
        assert_eq!(words.join(" "), "const __int128 x; __int128 y;");
        assert_eq!(lines[6].len(), text.lines().nth(5).map_or(0, str::len));
    }

    #[test]
    fn markers_have_flags() {
        assert_eq!(marker("# 3 \"a b.h\" 1 3\n"), Some(" 1 3"));
        assert_eq!(marker("# 30 \"a.h\"\n"), Some(""));
        assert_eq!(marker("#pragma scop\n"), None);
    }
}
