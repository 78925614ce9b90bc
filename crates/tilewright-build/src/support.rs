/// A whole number, or nothing where it cannot be represented.
pub(super) type Number = ::std::option::Option<i128>;

pub(super) fn of<T: ::std::convert::Into<i128>>(value: T) -> Number {
    ::std::option::Option::Some(value.into())
}

/// What C computes in a type with these values.
pub(super) fn within(least: i128, greatest: i128, a: Number) -> Number {
    a.filter(|a| (least..=greatest).contains(a))
}

pub(super) fn minus(a: Number) -> Number {
    a?.checked_neg()
}

pub(super) fn add(a: Number, b: Number) -> Number {
    a?.checked_add(b?)
}

pub(super) fn sub(a: Number, b: Number) -> Number {
    a?.checked_sub(b?)
}

pub(super) fn mul(a: Number, b: Number) -> Number {
    a?.checked_mul(b?)
}

pub(super) fn quotient(a: Number, b: Number) -> Number {
    a?.checked_div(b?)
}

pub(super) fn remainder(a: Number, b: Number) -> Number {
    a?.checked_rem(b?)
}

pub(super) fn floor_quotient(a: Number, b: Number) -> Number {
    let (a, b) = (a?, b?);
    let quotient = a.checked_div(b)?;
    let inexact = quotient.checked_mul(b)? != a;
    quotient.checked_sub(i128::from(inexact && (a < 0) != (b < 0)))
}

pub(super) fn max(a: Number, b: Number) -> Number {
    of(a?.max(b?))
}

pub(super) fn min(a: Number, b: Number) -> Number {
    of(a?.min(b?))
}

pub(super) fn and(a: Number, b: Number) -> Number {
    if a? == 0 { a } else { of(b? != 0) }
}

pub(super) fn or(a: Number, b: Number) -> Number {
    if a? != 0 { of(true) } else { of(b? != 0) }
}

pub(super) fn equal(a: Number, b: Number) -> Number {
    of(a? == b?)
}

pub(super) fn less(a: Number, b: Number) -> Number {
    of(a? < b?)
}

pub(super) fn less_equal(a: Number, b: Number) -> Number {
    of(a? <= b?)
}

pub(super) fn select(condition: Number, a: Number, b: Number) -> Number {
    if condition? != 0 { a } else { b }
}

/// `R = 4, C = 5`
pub(super) fn values(arguments: &[(&str, Number)]) -> ::std::string::String {
    let mut text = ::std::string::String::new();
    for (name, value) in arguments {
        let value = value.unwrap_or_default();
        let comma = if text.is_empty() { "" } else { ", " };
        text += &::std::format!("{comma}{name} = {value}");
    }
    text
}

/// Whether an array has as many elements as its extents say, or (`at_least`) no fewer. Extents but
/// the first are positive: C has no arrays of nothing.
pub(super) fn check_array(
    name: &str,
    spelling: &str,
    arguments: &[(&str, Number)],
    extents: &[Number],
    at_least: bool,
    length: usize,
) -> ::std::result::Result<(), ::std::string::String> {
    let given = || match arguments {
        [] => ::std::string::String::new(),
        _ => ::std::format!(" for {}", values(arguments)),
    };
    let mut elements: Number = of(1);
    for (at, extent) in extents.iter().enumerate() {
        let least = if at == 0 { 0 } else { 1 };
        match extent {
            ::std::option::Option::Some(extent) if *extent < least => {
                return ::std::result::Result::Err(::std::format!(
                    "extent {} of `{spelling}` is {extent}{}",
                    at + 1,
                    given()
                ));
            }
            _ => elements = mul(elements, *extent),
        }
    }
    let counted =
        elements.and_then(|count| <usize as ::std::convert::TryFrom<i128>>::try_from(count).ok());
    match counted {
        ::std::option::Option::None => ::std::result::Result::Err(::std::format!(
            "the size of `{spelling}` is beyond all memory{}",
            given()
        )),
        ::std::option::Option::Some(count) if count == length || (at_least && count <= length) => {
            ::std::result::Result::Ok(())
        }
        ::std::option::Option::Some(count) => {
            let all = if at_least { "at least " } else { "" };
            ::std::result::Result::Err(::std::format!(
                "`{name}` has {length} elements, but `{spelling}` has {all}{count}{}",
                given()
            ))
        }
    }
}

/// Whether a condition on the arguments holds.
pub(super) fn check_condition(
    what: &str,
    text: &str,
    arguments: &[(&str, Number)],
    holds: Number,
) -> ::std::result::Result<(), ::std::string::String> {
    match holds {
        ::std::option::Option::Some(value) if value != 0 => ::std::result::Result::Ok(()),
        _ => ::std::result::Result::Err(::std::format!(
            "{what} `{text}`, which does not hold for {}",
            values(arguments)
        )),
    }
}
