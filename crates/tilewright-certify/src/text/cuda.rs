//! CUDA C++ as the printers write it, and HIP, made ready for a parser of C: its words as words that C
//! has and this has no use for, launches as calls, templates as types that calls name.

use super::macros::is_word;
use std::collections::BTreeMap;

/// A kernel's parameter that is a type.
pub(crate) type Templates = BTreeMap<String, String>;

/// Words that C does not have. What marks functions of a device becomes `_Noreturn`, what marks memory
/// of a block `_Atomic`.
pub(super) const MACROS: [(&str, &str); 5] = [
    ("__global__", "_Noreturn"),
    ("__device__", "_Noreturn"),
    ("__host__", ""),
    ("__shared__", "_Atomic"),
    ("__restrict__", "restrict"),
];

/// What a launch is called, and what stands between a template's name and the type in a call.
pub(crate) const LAUNCH: &str = "__tw_launch";
pub(crate) const OF: &str = "__tw_of_";

/// The name of a kernel without the type that it is called for.
pub(crate) fn without_type(name: &str) -> &str {
    name.split_once(OF).map_or(name, |(name, _)| name)
}

/// Whether a text has kernels of CUDA C++.
pub(super) fn is_cuda(text: &str) -> bool {
    text.contains("__global__")
}

/// A text of CUDA C++ as one of C, line by line, and its templates.
///
/// # Errors
/// What is not understood.
pub(super) fn in_c(text: &str) -> Result<(String, Templates), String> {
    if ["_Noreturn", "_Atomic"]
        .iter()
        .any(|word| text.contains(word))
    {
        return Err("`_Noreturn` or `_Atomic` beside CUDA C++".into());
    }
    let mut text = text.replace("extern \"C\"", "         ");
    for word in ["__launch_bounds__", "__align__"] {
        while let Some((at, end)) = call(&text, word) {
            text.replace_range(at..end, " ");
        }
    }
    let mut templates = Templates::new();
    while let Some(at) = template(&text) {
        let rest = &text[at..];
        let strange = || "a template".to_owned();
        let (head, behind) = rest.split_once('>').ok_or_else(strange)?;
        let parameter = head.split_once("typename").ok_or_else(strange)?.1.trim();
        let (before, _) = behind.split_once('(').ok_or_else(strange)?;
        let name = before.split(|c: char| !is_word(c)).rfind(|w| !w.is_empty());
        templates.insert(name.ok_or_else(strange)?.to_owned(), parameter.to_owned());
        let end = at + head.len() + 1;
        text.replace_range(at..end, "");
    }
    for name in templates.keys() {
        text = with_types(&text, name);
    }
    while let Some(at) = text.find("<<<") {
        launch(&mut text, at)?;
    }
    Ok((text, templates))
}

/// Where the word `template` stands with a list behind it.
fn template(text: &str) -> Option<usize> {
    const WORD: &str = "template";
    let mut found = text.match_indices(WORD).map(|(at, _)| at);
    found.find(|&at| {
        let listed = text[at + WORD.len()..].trim_start().starts_with('<');
        listed && !text[..at].ends_with(is_word)
    })
}

/// Where a word with brackets behind it stands.
fn call(text: &str, word: &str) -> Option<(usize, usize)> {
    let at = text.find(word)?;
    let open = at + text[at..].find('(')?;
    Some((at, closing(text, open)? + 1))
}

/// The bracket that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `name<int>` as one name.
fn with_types(text: &str, name: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let whole = !out.ends_with(is_word);
        out.push_str(name);
        rest = &behind[name.len()..];
        let argument = rest.strip_prefix('<').and_then(|r| r.split_once('>'));
        if let (true, Some((ty, more))) = (whole, argument) {
            if ty.chars().all(is_word) {
                out.push_str(OF);
                out.push_str(ty);
                rest = more;
            }
        }
    }
    out + rest
}

/// `kernel<<<grid, block, bytes>>>(arguments)` as a call.
fn launch(text: &mut String, at: usize) -> Result<(), String> {
    let strange = || "a launch".to_owned();
    let before = text[..at].trim_end();
    let start = before.rfind(|c| !is_word(c)).map_or(0, |p| p + 1);
    let name = before[start..].to_owned();
    let end = at + text[at..].find(">>>").ok_or_else(strange)?;
    let sizes = text[at + 3..end].to_owned();
    let behind = end + 3;
    let open = behind + text[behind..].find('(').ok_or_else(strange)?;
    let empty = text[open + 1..].trim_start().starts_with(')');
    let comma = if empty { "" } else { ", " };
    text.replace_range(start..=open, &format!("{LAUNCH}({name}, {sizes}{comma}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_become_calls() {
        let text = "template <typename T> __global__ void __launch_bounds__(4) k(const T n, int *a) {}\n\
                    extern \"C\" void f(int n, int *a)\n{\n    \
                    k<int><<<(unsigned int)(n), dim3(4, 2), 8>>>(n, a);\n    \
                    g((const void *)k<long>);\n}\n";
        let (text, templates) = in_c(text).unwrap();
        assert_eq!(templates["k"], "T");
        let expected = " __global__ void   k(const T n, int *a) {}\n          void f(int n, int *a)\n{\n    \
                        __tw_launch(k__tw_of_int, (unsigned int)(n), dim3(4, 2), 8, n, a);\n    \
                        g((const void *)k__tw_of_long);\n}\n";
        assert_eq!(text, expected);
        assert!(in_c("template <int N> __global__ void k() {}").is_err());
        assert!(in_c("int f(char *__template); __global__ void k() {}").is_ok());
    }
}
