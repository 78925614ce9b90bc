//! Calls of a host, whose answers are written to an array one after the other.

use super::{equal, unknown};

/// A function with these statements behind what a file begins with.
pub fn host(front: &str, body: &str) -> String {
    format!("{front}void f(int n, int b[restrict 80])\n{{\n{body}\n}}\n")
}

/// What each expression gives behind the statements.
#[track_caller]
pub fn answers(front: &str, statements: &str, cases: &[(&str, i64)]) {
    let mut plain = String::new();
    let mut result = statements.to_owned();
    for (at, (expression, value)) in cases.iter().enumerate() {
        plain += &format!("b[{at}] = {value};\n");
        result += &format!("\nb[{at}] = {expression};");
    }
    equal(&host("", &plain), &host(front, &result));
}

/// Nothing is said of a call, for this reason.
#[track_caller]
pub fn refused(front: &str, body: &str, why: &str) {
    unknown(&host("", "b[0] = 0;"), &host(front, body), why);
}
