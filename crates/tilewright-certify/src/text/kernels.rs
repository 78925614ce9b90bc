//! OpenCL C made ready for a parser of C: its words as words that C has and kernels do not, its
//! types and constants.

use super::{Prepared, Problem, prepare};
use std::collections::HashMap;

/// OpenCL C's own types.
const TYPES: &str = "typedef unsigned char uchar; typedef unsigned short ushort; \
    typedef unsigned int uint; typedef unsigned long ulong; typedef unsigned long size_t; \
    typedef long ptrdiff_t; typedef long intptr_t; typedef unsigned long uintptr_t;";

/// Its words. What marks kernels becomes `_Noreturn`, what marks memory of a group `_Atomic`: words
/// that kernels have no use for.
const MACROS: [(&str, &str); 24] = [
    ("__kernel", "_Noreturn"),
    ("kernel", "_Noreturn"),
    ("__local", "_Atomic"),
    ("local", "_Atomic"),
    ("__global", ""),
    ("global", ""),
    ("__private", ""),
    ("private", ""),
    ("__constant", "const"),
    ("constant", "const"),
    ("__read_only", ""),
    ("bool", "_Bool"),
    ("true", "1"),
    ("false", "0"),
    ("CLK_LOCAL_MEM_FENCE", "1"),
    ("CLK_GLOBAL_MEM_FENCE", "2"),
    ("INT_MAX", "2147483647"),
    ("INT_MIN", "(-2147483647 - 1)"),
    ("INFINITY", "__builtin_inff()"),
    ("NAN", "__builtin_nanf(\"\")"),
    ("cl_khr_fp64", "1"),
    ("cl_khr_int64_base_atomics", "1"),
    ("__OPENCL_VERSION__", "120"),
    ("__OPENCL_C_VERSION__", "120"),
];

/// What a kernel says of its groups: their size, where it has to be a certain one.
pub(crate) type Sizes = HashMap<String, [u64; 3]>;

/// Makes the text of kernels ready. `options`: as the host gives them to the compiler.
///
/// # Errors
/// What is not understood, in a line of `text`.
pub(crate) fn prepare_kernels(text: &str, options: &str) -> Result<(Prepared, Sizes), Problem> {
    let strange = |what: &str| Problem {
        what: what.to_owned(),
        line: 0,
    };
    let word = |word: &str| text.split(|c: char| !super::is_word(c)).any(|w| w == word);
    if let Some(word) = ["_Noreturn", "_Atomic"].into_iter().find(|w| word(w)) {
        return Err(strange(&format!("`{word}` in kernels")));
    }
    let mut whole = String::from("# 1 \"types\"\n");
    for (name, value) in MACROS {
        whole.push_str(&format!("#define {name} {value}\n"));
    }
    let mut options = options.split_whitespace();
    while let Some(option) = options.next() {
        let Some(mut given) = option.strip_prefix("-D") else {
            continue;
        };
        if given.is_empty() {
            given = options.next().unwrap_or("");
        }
        let (name, value) = given.split_once('=').unwrap_or((given, "1"));
        whole.push_str(&format!("#define {name} {value}\n"));
    }
    whole.push_str(TYPES);
    whole.push_str("\n# 1 \"kernels\"\n");
    whole.push_str(text);
    Ok((prepare("kernels", &whole)?, sizes(text)))
}

/// Reads `reqd_work_group_size(x, y, z)` in front of kernels.
fn sizes(text: &str) -> Sizes {
    let mut found = Sizes::new();
    let mut rest = text;
    while let Some(at) = rest.find("reqd_work_group_size") {
        rest = &rest[at + "reqd_work_group_size".len()..];
        let Some((numbers, behind)) = rest
            .trim_start()
            .strip_prefix('(')
            .and_then(|r| r.split_once(')'))
        else {
            continue;
        };
        let numbers: Vec<u64> = numbers
            .split(',')
            .filter_map(|n| n.trim().parse().ok())
            .collect();
        // The name stands in front of the next bracket that opens.
        let Some((before, _)) = behind.split_once('(') else {
            continue;
        };
        let name = before
            .split(|c: char| !super::is_word(c))
            .rfind(|w| !w.is_empty());
        if let (Some(name), [x, y, z]) = (name, &numbers[..]) {
            found.insert(name.to_owned(), [*x, *y, *z]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_words_become_text_of_c() {
        let text = "#ifndef T\n#define T long\n#endif\n__kernel __attribute__((\
                    reqd_work_group_size(4, 2, 1)))\nvoid k(__global T *a)\n{\n    __local T b[3];\n}\n";
        let (prepared, sizes) = prepare_kernels(text, "-cl-std=CL1.2 -DT=int").unwrap();
        assert!(prepared.text.contains("k( int *a)"), "{}", prepared.text);
        assert!(prepared.text.contains("_Atomic int b[3];"));
        assert_eq!(sizes["k"], [4, 2, 1]);
        let at = prepared.text.find("b[3]").unwrap();
        assert_eq!(prepared.line(at), 7);
        let (prepared, _) = prepare_kernels(text, "").unwrap();
        assert!(prepared.text.contains("k( long *a)"));
        assert!(prepare_kernels("_Atomic int x;", "").is_err());
    }
}
