//! What functions print into memory, and read from text: as C's library does it, but for hexadecimal
//! floating-point numbers, which have another form, and for what is read, which is made up: the same
//! where the text and the format are the same.

use super::Machine;
use crate::arith;
use crate::judging::inputs::mix;
use crate::outside::{Call, Handed};
use crate::storage::memory::Fault;
use crate::types::Kind;

/// The most bytes of one text.
pub(super) const MOST_TEXT: u64 = 10_000;

/// What one conversion of a format says.
#[derive(Default)]
struct Conversion {
    left: bool,
    zeros: bool,
    sign: Option<char>,
    skipped: bool,
    width: usize,
    precision: Option<usize>,
    /// How many `h` stand there.
    short: usize,
    letter: u8,
}

/// A part of a format.
enum Part {
    /// A character as it is.
    Plain(u8),
    Conversion(Conversion),
}

/// A format that is read from its first byte to its last.
struct Format<'t> {
    rest: &'t [u8],
}

impl Format<'_> {
    /// The next part; `star` gives the numbers that stand in arguments.
    fn next(&mut self, star: &mut dyn FnMut() -> Option<i64>) -> Option<Part> {
        let (&first, behind) = self.rest.split_first()?;
        self.rest = behind;
        if first != b'%' {
            return Some(Part::Plain(first));
        }
        let mut of = Conversion::default();
        let mut point = false;
        while let Some((&c, behind)) = self.rest.split_first() {
            self.rest = behind;
            match c {
                b'%' => return Some(Part::Plain(b'%')),
                b'-' => of.left = true,
                b'0' if of.width == 0 && !point => of.zeros = true,
                b'+' => of.sign = Some('+'),
                b' ' => of.sign = of.sign.or(Some(' ')),
                b'#' | b'\'' | b'l' | b'j' | b'z' | b't' | b'L' | b'q' => {}
                b'h' => of.short += 1,
                b'.' => (point, of.precision) = (true, Some(0)),
                b'*' => match star() {
                    Some(value) if point => of.precision = usize::try_from(value).ok(),
                    Some(value) => {
                        of.left |= value < 0;
                        of.width = value.unsigned_abs() as usize;
                    }
                    None => of.skipped = true,
                },
                b'0'..=b'9' => {
                    let number = match &mut of.precision {
                        Some(precision) if point => precision,
                        _ => &mut of.width,
                    };
                    *number = (*number * 10 + usize::from(c - b'0')).min(MOST_TEXT as usize);
                }
                b'[' => {
                    let first = self.rest.iter().take_while(|&&c| c == b'^').count().min(1);
                    let inside = self.rest.get(first + 1..)?;
                    let end = inside.iter().position(|&c| c == b']')?;
                    self.rest = &inside[end + 1..];
                    of.letter = b's';
                    return Some(Part::Conversion(of));
                }
                letter => {
                    of.letter = letter;
                    return Some(Part::Conversion(of));
                }
            }
        }
        None
    }
}

impl Conversion {
    /// A text as wide as was asked for.
    fn padded(&self, text: &str) -> String {
        let missing = self.width.saturating_sub(text.len());
        let signs = text.len() - text.trim_start_matches(['-', '+', ' ']).len();
        match (self.left, self.zeros) {
            (true, _) => format!("{text}{}", " ".repeat(missing)),
            (false, true) => {
                let (sign, digits) = text.split_at(signs);
                format!("{sign}{}{digits}", "0".repeat(missing))
            }
            (false, false) => format!("{}{text}", " ".repeat(missing)),
        }
    }

    fn signed(&self, negative: bool, digits: &str) -> String {
        match (negative, self.sign) {
            (true, _) => format!("-{digits}"),
            (false, Some(sign)) => format!("{sign}{digits}"),
            (false, None) => digits.to_owned(),
        }
    }

    fn integer(&self, kind: Kind, value: u64) -> Option<String> {
        let wide = arith::convert(kind, Kind::I64, value).ok()? as i64;
        let bits = match (self.short, kind.size()) {
            (1, _) => 16,
            (2.., _) => 8,
            (_, size) => (size * 8).min(64) as u32,
        };
        let cut = (wide as u64) << (64 - bits);
        let unsigned = cut >> (64 - bits);
        let signed = cut as i64 >> (64 - bits);
        let digits = match self.letter {
            b'd' | b'i' => signed.unsigned_abs().to_string(),
            b'u' => unsigned.to_string(),
            b'x' => format!("{unsigned:x}"),
            b'X' => format!("{unsigned:X}"),
            _ => format!("{unsigned:o}"),
        };
        let digits = format!("{digits:0>0$}", self.precision.unwrap_or(1));
        Some(match self.letter {
            b'd' | b'i' => self.signed(signed < 0, &digits),
            _ => digits,
        })
    }

    fn number(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6).min(500);
        let size = value.abs();
        let digits = match self.letter.to_ascii_lowercase() {
            _ if !size.is_finite() => match size.is_nan() {
                true => "nan".to_owned(),
                false => "inf".to_owned(),
            },
            b'f' => format!("{size:.precision$}"),
            b'g' => general(size, precision.max(1)),
            _ => scientific(size, precision),
        };
        self.signed(value.is_sign_negative(), &digits)
    }
}

/// `%e`: an exponent of two digits at least.
fn scientific(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// `%g`: so many digits, without zeros at the end.
fn general(size: f64, digits: usize) -> String {
    let text = scientific(size, digits - 1);
    let exponent = text
        .split_once('e')
        .and_then(|(_, e)| e.parse::<i64>().ok());
    let exponent = exponent.unwrap_or(0);
    let short = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i64 {
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{power}", short(mantissa));
    }
    let precision = (digits as i64 - 1 - exponent).max(0) as usize;
    short(&format!("{size:.precision$}"))
}

impl Machine<'_> {
    /// The text that a call prints: its format is the first text that it gets.
    pub(super) fn printed(
        &mut self,
        call: &Call,
        arguments: &[u64],
        at: usize,
    ) -> Result<Vec<u8>, Fault> {
        let is_format = |handed: &Handed| *handed == Handed::Text;
        let format = call.handed.iter().position(is_format).unwrap_or(0);
        let mut pattern = Vec::new();
        self.characters(arguments[format], &mut pattern, at)?;
        pattern.pop();
        let mut rest = call.handed.iter().zip(arguments).skip(format + 1);
        let mut format = Format { rest: &pattern };
        let mut text = Vec::new();
        loop {
            let mut star = || match rest.next()? {
                (Handed::Number(kind), &value) => {
                    let value = arith::convert(*kind, Kind::I64, value).ok()?;
                    Some(value as i64)
                }
                _ => None,
            };
            match format.next(&mut star) {
                None => return Ok(text),
                Some(Part::Plain(c)) => text.push(c),
                Some(Part::Conversion(of)) => {
                    let one = match rest.next() {
                        Some((Handed::Text, &pointer)) => {
                            let most = of.precision.map_or(MOST_TEXT, |most| most as u64);
                            self.first_characters(pointer, most, at)?
                        }
                        Some((Handed::Number(kind), &value)) if of.letter == b'c' => {
                            let value = arith::convert(*kind, Kind::U8, value)?;
                            vec![value as u8]
                        }
                        Some((Handed::Number(kind), &value)) if kind.is_float() => {
                            let value = arith::convert(*kind, Kind::F64, value)?;
                            of.number(f64::from_bits(value)).into_bytes()
                        }
                        Some((Handed::Number(kind), &value)) => {
                            of.integer(*kind, value).ok_or(Fault::Fuel)?.into_bytes()
                        }
                        _ => return Err(Fault::Fuel),
                    };
                    let is_text = matches!(of.letter, b's' | b'c');
                    match String::from_utf8(one) {
                        Ok(one) if is_text && of.zeros => text.extend(one.into_bytes()),
                        Ok(one) => text.extend(of.padded(&one).into_bytes()),
                        Err(error) => text.extend(error.into_bytes()),
                    }
                }
            }
            if text.len() as u64 > MOST_TEXT {
                return Err(Fault::Fuel);
            }
        }
    }

    /// The characters from a pointer on, without the 0, and at most so many.
    fn first_characters(&mut self, from: u64, most: u64, at: usize) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        for offset in 0..most {
            match self.memory.load(from.wrapping_add(offset), 1, at)? as u8 {
                0 => return Ok(text),
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    /// Writes what a call reads, made of a number: how many conversions found something, or -1.
    pub(super) fn scanned(
        &mut self,
        call: &Call,
        arguments: &[u64],
        from: u64,
        at: usize,
    ) -> Result<u64, Fault> {
        let is_format = |handed: &Handed| *handed == Handed::Text;
        let format = call.handed.iter().rposition(is_format).unwrap_or(0);
        let mut pattern = Vec::new();
        self.characters(arguments[format], &mut pattern, at)?;
        pattern.pop();
        if mix(from, 0) % 16 == 0 {
            return Ok(u64::from(-1_i32 as u32));
        }
        let mut rest = call.handed.iter().zip(arguments).skip(format + 1);
        let mut format = Format { rest: &pattern };
        let mut found = 0;
        while let Some(part) = format.next(&mut || None) {
            let Part::Conversion(of) = part else {
                continue;
            };
            if of.skipped {
                continue;
            }
            let Some((Handed::Found(kind), &pointer)) = rest.next() else {
                return Err(Fault::Fuel);
            };
            found += 1;
            let value = mix(from, found);
            let letter = |k: u64| u64::from(b'a') + mix(value, k) % 26;
            match of.letter {
                b's' => {
                    let room = if of.width == 0 { 3 } else { of.width as u64 };
                    let length = 1 + value % room.min(3);
                    for k in 0..length {
                        self.memory.store(pointer + k, 1, letter(k), at)?;
                    }
                    self.memory.store(pointer + length, 1, 0, at)?;
                }
                b'c' => {
                    for k in 0..of.width.max(1) as u64 {
                        self.memory.store(pointer + k, 1, letter(k), at)?;
                    }
                }
                _ => {
                    let small = match kind.is_float() {
                        true => arith::convert(
                            Kind::F64,
                            *kind,
                            ((value % 400) as f64 / 4.0).to_bits(),
                        )?,
                        false => value % 100,
                    };
                    self.memory.store(pointer, kind.size(), small, at)?;
                }
            }
        }
        Ok(found)
    }
}
