//! Types of numbers as they are written.

use crate::common::equal;

#[test]
fn types_of_integers() {
    for (number, size, is_unsigned) in [
        ("0", 4, false),
        ("2147483647", 4, false),
        ("2147483648", 8, false),
        ("9223372036854775807", 8, false),
        ("0x7fffffff", 4, false),
        ("0x80000000", 4, true),
        ("0xffffffff", 4, true),
        ("0x100000000", 8, false),
        ("0x7fffffffffffffff", 8, false),
        ("0x8000000000000000", 8, true),
        ("037777777777", 4, true),
        ("040000000000", 8, false),
        ("1u", 4, true),
        ("4294967295u", 4, true),
        ("4294967296u", 8, true),
        ("1l", 8, false),
        ("1ul", 8, true),
        ("0x1l", 8, false),
        ("0xffffffffffffffffl", 8, true),
        ("'a'", 4, false),
    ] {
        let plain = format!(
            "int f(int n) {{ return {size} + 10 * {}; }}",
            i32::from(is_unsigned)
        );
        let other =
            format!("int f(int n) {{ return sizeof({number}) + 10 * (({number}) * 0 - 1 > 0); }}");
        equal(&plain, &other);
    }
}
