//! Operators and conversions on operands of all types.

use super::{Made, SLOTS, all};
use std::fmt::Write;

const TYPES: [&str; 11] = [
    "_Bool",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "float",
    "double",
];

fn is_float(ty: &str) -> bool {
    matches!(ty, "float" | "double")
}

/// A function that makes all bits of a number count.
const BITS: &str = "static unsigned long bits(double x) { union { double d; unsigned long u; } v; v.d = x; return v.u; }";

/// Values of `o` as sums in which each term counts.
#[derive(Default)]
struct Sums {
    text: String,
    slot: usize,
}

impl Sums {
    fn next(&mut self) {
        self.slot += 1;
        assert!(self.slot < SLOTS, "too many sums");
    }

    /// Adds an integer.
    fn add(&mut self, front: &str, value: &str) {
        let slot = self.slot;
        let _ = writeln!(
            self.text,
            "{{ {front} o[{slot}] = o[{slot}] * 31ul + (unsigned long)({value}); }}"
        );
    }

    /// Adds a number of a type, by its value.
    fn number(&mut self, is_float: bool, front: &str, value: &str) {
        match is_float {
            true => self.add(front, &format!("bits({value})")),
            false => self.add(front, value),
        }
    }

    fn made(self, name: String, front: &str) -> Made {
        Made {
            name,
            front: format!("{BITS}\n{front}"),
            body: self.text,
        }
    }
}

const OPERATORS: [&str; 16] = [
    "+", "-", "*", "/", "%", "&", "|", "^", ">>", "<", "<=", ">", ">=", "==", "!=", "<<",
];

/// Whether C defines the operator for these types, and for the values used here.
fn fits(operator: &str, left: &str, right: &str, negative: bool) -> bool {
    let only_integers = matches!(operator, "%" | "&" | "|" | "^" | ">>" | "<<");
    let floats = is_float(left) || is_float(right);
    !(only_integers && floats || operator == "<<" && negative)
}

const VALUES: [(&str, &str); 4] = [("100", "3"), ("-100", "3"), ("7", "7"), ("1", "2")];

/// How operands are written: the declarations, and the expression.
type Way<'w> = &'w dyn Fn(&str, (&str, &str), (&str, &str)) -> (String, String);

/// All operators on operands of all types, one program for each type of the left one.
fn binary(values: &[(&str, &str)], way: Way) -> Vec<Made> {
    let of = |left: &str| {
        let mut sums = Sums::default();
        for operator in OPERATORS {
            for right in TYPES {
                for (a, b) in values {
                    if !fits(operator, left, right, a.starts_with('-')) {
                        continue;
                    }
                    let compares = operator.starts_with(['<', '>', '=', '!']);
                    let is_float = !compares && (is_float(left) || is_float(right));
                    let (front, value) = way(operator, (left, a), (right, b));
                    sums.number(is_float, &front, &value);
                    sums.add(&front, &format!("sizeof({value})"));
                }
            }
            sums.next();
        }
        sums.made(format!("left {left}"), "")
    };
    TYPES.map(of).into()
}

#[test]
fn binary_operators() {
    let programs = binary(&VALUES, &|op, (x, a), (y, b)| {
        (format!("{x} a = {a}; {y} b = {b};"), format!("a {op} b"))
    });
    all(programs.into_iter());
}

#[test]
fn binary_operators_on_constants() {
    let programs = binary(&VALUES, &|op, (x, a), (y, b)| {
        (String::new(), format!("({x}){a} {op} ({y}){b}"))
    });
    all(programs.into_iter());
}

/// Sums with small constants are instructions of their own.
#[test]
fn binary_operators_with_a_constant() {
    let right = binary(&[("-100", "3"), ("100", "5")], &|op, (x, a), (y, b)| {
        (format!("{x} a = {a};"), format!("a {op} ({y}){b}"))
    });
    let left = binary(&[("-100", "3")], &|op, (x, a), (y, b)| {
        (format!("{y} b = {b};"), format!("({x}){a} {op} b"))
    });
    all(left.into_iter().chain(right));
}

#[test]
fn compound_assignments() {
    let programs = TYPES.iter().map(|left| {
        let mut sums = Sums::default();
        for operator in ["+", "-", "*", "/", "%", "&", "|", "^", ">>", "<<"] {
            for right in TYPES.into_iter().filter(|right| fits(operator, left, right, false)) {
                let front = format!(
                    "{left} a = 40; {right} b = 3; {left} c[2] = {{ 1, 30 }}; a {operator}= b; c[1] {operator}= b; c[0] += a;"
                );
                sums.number(is_float(left), &front, "a + 3 * c[1] + c[0]");
                // The value of an assignment is that of what is assigned to.
                let front = format!("{left} a = 90; {right} b = 1;");
                sums.number(is_float(left), &front, &format!("a {operator}= b"));
            }
            sums.next();
        }
        sums.made(format!("compound {left}"), "")
    });
    all(programs);
}

#[test]
fn conversions() {
    let programs = TYPES.iter().map(|from| {
        let functions: String = TYPES
            .iter()
            .enumerate()
            .map(|(at, to)| {
                format!("static {to} r{at}({from} a) {{ return a; }} static {to} p{at}({to} a) {{ return a; }}\n")
            })
            .collect();
        let mut sums = Sums::default();
        for (at, to) in TYPES.iter().enumerate() {
            let float = is_float(to);
            for value in ["100", "-100", "200", "70000", "0", "3000000000", "-3000000000"] {
                // A floating-point number must fit.
                if is_float(from) && !float && *to != "_Bool" && value != "100" && value != "0" {
                    continue;
                }
                let front = format!(
                    "{from} a = {value}; {to} b = a, c[2], d; c[1] = a; d = a; struct {{ char x; {to} y; }} s; s.y = a; {to} e[1] = {{ a }};"
                );
                sums.number(float, &front, &format!("({to})a"));
                for place in ["b", "c[1]", "d", "s.y", "e[0]"] {
                    sums.number(float, &front, place);
                }
                sums.number(float, &front, &format!("r{at}(a)"));
                sums.number(float, &front, &format!("p{at}(a)"));
                sums.number(float, "", &format!("({to})({from}){value}"));
            }
            sums.next();
        }
        sums.made(format!("from {from}"), &functions)
    });
    all(programs);
}

#[test]
fn operators_on_one_operand() {
    let programs = TYPES.iter().map(|ty| {
        let float = is_float(ty);
        let mut sums = Sums::default();
        for value in ["5", "0", "-3", "1", "127"] {
            let front = format!("{ty} a = {value}, c[3] = {{ 9, {value}, 9 }};");
            for operator in ["-", "~", "!", "+", "!!", "- -"] {
                if operator == "~" && float {
                    continue;
                }
                let float = float && !operator.starts_with('!');
                sums.number(float, &front, &format!("{operator}a"));
                sums.number(float, &front, &format!("{operator}c[1]"));
                sums.number(float, "", &format!("{operator}({ty}){value}"));
                sums.add(&front, &format!("sizeof({operator}a)"));
            }
            sums.next();
            for (step, slot) in [
                ("a++", "c[1]++"),
                ("++a", "++c[1]"),
                ("a--", "c[1]--"),
                ("--a", "--c[1]"),
            ] {
                sums.number(float, &front, step);
                sums.number(float, &front, slot);
                for place in ["a", "c[0]", "c[1]", "c[2]"] {
                    sums.number(float, &format!("{front} {step}; {slot};"), place);
                }
            }
            sums.next();
        }
        sums.made(format!("one operand {ty}"), "")
    });
    all(programs);
}

#[test]
fn conditions() {
    let programs = TYPES.iter().map(|ty| {
        let mut sums = Sums::default();
        for value in ["0", "1", "-3", "5"] {
            let front = format!("{ty} a = {value}, b = 1, z = 0; int k = 0;");
            for (statement, result) in [
                ("if (a) k = 1; else k = 2;", "k"),
                ("if (!a) k = 1; else k = 2;", "k"),
                ("if (a && b) k = 1; if (a && z) k += 2; if (z && a) k += 4;", "k"),
                ("if (a || b) k = 1; if (a || z) k += 2; if (z || a) k += 4;", "k"),
                ("if (!(a && b) || !(b || z)) k = 3;", "k"),
                ("while (a) { a = 0; k++; } do { k += 10; } while (a);", "k"),
                ("for (; !a; a = 1) k++;", "k"),
                ("if (a < b) k = 1; if (a <= b) k += 2; if (a > b) k += 4; if (a >= b) k += 8; if (a == b) k += 16; if (a != b) k += 32;", "k"),
                ("if (!(a < b)) k = 1; if (!(a <= b)) k += 2; if (!(a > b)) k += 4; if (!(a >= b)) k += 8; if (!(a == b)) k += 16; if (!(a != b)) k += 32;", "k"),
                ("if (a < b || a == b) k = 1; if (a > b && a != z) k += 2;", "k"),
                ("", "a && b"),
                ("", "(a || z) + 2 * !(a && z) + 4 * (z || a) + 8 * (b && a)"),
                ("", "(a < b) + 2 * (a == b) + 4 * (a >= b)"),
            ] {
                sums.add(&format!("{front} {statement}"), result);
            }
            sums.next();
            for other in TYPES {
                let float = is_float(ty) || is_float(other);
                sums.number(float, &format!("{front} {other} c = -2;"), "a ? b : c");
                sums.number(float, &format!("{front} {other} c = -2;"), "a ? c : b");
                sums.add(&format!("{front} {other} c = -2;"), "sizeof(a ? b : c)");
                sums.add(&format!("{front} {other} c = 3;"), "a < c ? 1 : a == c ? 2 : 3");
                sums.number(float, "", &format!("({ty}){value} ? ({ty})1 : ({other})-2"));
                sums.add("", &format!("({ty}){value} && ({other})1 || !({ty}){value}"));
                sums.add("", &format!("sizeof(1 ? ({ty}){value} : ({other})2)"));
            }
            sums.next();
        }
        sums.made(format!("conditions {ty}"), "")
    });
    all(programs);
}
