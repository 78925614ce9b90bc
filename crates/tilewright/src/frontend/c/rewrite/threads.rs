//! How many threads there are, asked for in front of what they execute. Without OpenMP there is one.

use super::{INSIDE, Replacement};
use crate::source::Span;

/// What stands in front of a condition on the number of threads that is in a variable already.
pub(super) fn count_known(name: &str, enough: Option<&str>, at_most: &str) -> Vec<String> {
    match enough {
        Some(enough) => vec![
            format!("int {name} = 1;"),
            format!("if ({at_most} > 1 && ({enough}))"),
            format!("{INSIDE}{name} = {at_most};"),
        ],
        None => vec![format!("const int {name} = {at_most};")],
    }
}

/// The variables for the number of threads in front of marked regions of which parts ask for it, which
/// loops of the program may execute again and again: a call takes longer than a loop of few turns. None
/// where something may jump over the declaration.
pub(super) fn counted_once(
    text: &str,
    regions: &[Replacement],
    divided: &[[Span; 2]],
) -> Vec<Option<String>> {
    let has = |text: &str, word: &str| {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        text.match_indices(word).any(|(at, _)| {
            !text[..at].ends_with(inside) && !text[at + word.len()..].starts_with(inside)
        })
    };
    let mut taken = Vec::new();
    let name = |[opening, closing]: &[Span; 2]| {
        let inside = |span: Span| opening.start <= span.start && span.end <= closing.end;
        let asks = |region: &Replacement| {
            let mut branches = std::iter::once(&region.branch).chain(&region.otherwise);
            region.around.is_none() && branches.any(|branch| branch.threads.is_some())
        };
        let own = text.get(opening.start..closing.end)?;
        let jumps = has(text, "goto") || has(own, "case") || has(own, "default");
        let mut parts = regions.iter().filter(|region| inside(region.span));
        if jumps || !parts.any(asks) {
            return None;
        }
        let names = (1..).map(|number| match number {
            1 => "tw_at_most".to_owned(),
            _ => format!("tw_at_most_{number}"),
        });
        let mut free = names.filter(|name| !has(text, name) && !taken.contains(name));
        let name = free.next()?;
        taken.push(name.clone());
        Some(name)
    };
    divided.iter().map(name).collect()
}

/// What stands in front of a condition on the number of threads, in a block. Without OpenMP there
/// is one thread.
pub(super) fn count(name: &str, enough: Option<&str>, is_cplusplus: bool) -> Vec<String> {
    let mut lines = vec![
        format!("int {name} = 1;"),
        "#ifdef _OPENMP".to_owned(),
        "extern int omp_get_max_threads(void);".to_owned(),
    ];
    let mut called = "omp_get_max_threads".to_owned();
    if is_cplusplus {
        // A declaration in a block cannot say that it is a function of C.
        called = format!("{name}_at_most");
        let same = r#"__asm__("omp_get_max_threads")"#;
        lines[2] = format!("extern int {called}(void) {same};");
    }
    match enough {
        Some(enough) => {
            lines.push(format!("if ({enough})"));
            lines.push(format!("{INSIDE}{name} = {called}();"));
        }
        None => lines.push(format!("{name} = {called}();")),
    }
    lines.push("#endif".to_owned());
    lines
}
