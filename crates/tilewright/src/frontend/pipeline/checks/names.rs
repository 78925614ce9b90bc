//! Which names images, functions, variables and parameters may have.

/// Words of C, and names that the C text needs for itself.
const RESERVED: &str = "auto break case char const continue default do double else enum extern \
    float for goto if inline int long register restrict return short signed sizeof static struct \
    switch typedef union unsigned void volatile while asm typeof bool true false main malloc free \
    fabsf fabs sqrtf sqrt expf exp logf log sinf sin cosf cos tanf tan floorf floor ceilf ceil powf \
    pow linux unix abs abort exit";

/// Beginnings of names that generated text uses.
const PREFIXES: [&str; 4] = ["tw_", "tilewright_", "pipeline_", "__"];

/// How long names may be.
const LONGEST: usize = 60;

/// Why a name cannot be used.
pub(crate) fn unusable(name: &str) -> Option<String> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if name.len() > LONGEST {
        return Some(format!("it has more than {LONGEST} letters"));
    }
    if !first || !name.chars().all(letter) {
        return Some("names are letters, digits and underscores, no digit first".to_owned());
    }
    if RESERVED.split_whitespace().any(|word| word == name) {
        return Some("C uses it for something else".to_owned());
    }
    let prefix = PREFIXES.iter().find(|prefix| name.starts_with(**prefix))?;
    Some(format!(
        "names that begin with `{prefix}` are the compiler's"
    ))
}
