//! NumPy's `.npy` files, versions 1 to 3, little endian, in C order.
//!
//! The format is `numpy.lib.format`: a magic string, the length of the header, the header as a
//! Python dictionary literal, the elements.

use super::Shape;
use tilewright::scop::ScalarKind;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Elements begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// NumPy's name for an element type.
fn descriptor(kind: ScalarKind) -> &'static str {
    use ScalarKind::*;
    match kind {
        Bool => "|b1",
        I8 => "|i1",
        U8 => "|u1",
        I16 => "<i2",
        U16 => "<u2",
        I32 => "<i4",
        U32 => "<u4",
        I64 => "<i8",
        U64 => "<u8",
        F32 => "<f4",
        F64 => "<f8",
        F16 => "<f2",
        F80 => "<f16",
        C32 => "<c8",
        C64 => "<c16",
        C80 => "<c32",
        // NumPy has none.
        F128 => "|V16",
        C128 => "|V32",
    }
}

/// The contents of a `.npy` file with this array.
pub fn write(shape: &Shape, bytes: &[u8]) -> Vec<u8> {
    let extents: Vec<String> = shape
        .extents
        .iter()
        .map(|extent| format!("{extent},"))
        .collect();
    let mut header = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
        descriptor(shape.element),
        extents.join(" ")
    );
    let prefix = MAGIC.len() + 4;
    let padded = (prefix + header.len() + 1).next_multiple_of(ALIGNMENT);
    header.extend(std::iter::repeat_n(' ', padded - prefix - header.len() - 1));
    header.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    // A header of 64 extents would still fit.
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(bytes);
    file
}

/// The elements of a `.npy` file that has to hold an array of this shape.
///
/// # Errors
/// What is wrong with the file, or how its array differs, in words.
pub fn read(file: &[u8], shape: &Shape) -> Result<Vec<u8>, String> {
    let not_npy = || "it is not an .npy file".to_owned();
    let rest = file.strip_prefix(MAGIC).ok_or_else(not_npy)?;
    let (&[major, _], rest) = rest.split_first_chunk().ok_or_else(not_npy)?;
    let (length, rest) = if major == 1 {
        let (length, rest) = rest.split_first_chunk().ok_or_else(not_npy)?;
        (u16::from_le_bytes(*length) as usize, rest)
    } else {
        let (length, rest) = rest.split_first_chunk().ok_or_else(not_npy)?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    if rest.len() < length {
        return Err("its header is cut short".to_owned());
    }
    let (header, elements) = rest.split_at(length);
    let header = std::str::from_utf8(header).map_err(|_| not_npy())?;
    let descr = entry(header, "descr").ok_or_else(not_npy)?;
    let descr = descr.trim_matches(['\'', '"']);
    let wanted = descriptor(shape.element);
    let native = descr.replace(['=', '|'], "<");
    if native != wanted.replace('|', "<") {
        return Err(format!(
            "its elements are `{descr}`, the program's are `{wanted}`"
        ));
    }
    let extents = entry(header, "shape").ok_or_else(not_npy)?;
    let extents: Vec<usize> = extents
        .trim_matches(['(', ')'])
        .split(',')
        .map(str::trim)
        .filter(|extent| !extent.is_empty())
        .map(|extent| extent.parse().map_err(|_| not_npy()))
        .collect::<Result<_, _>>()?;
    if extents != shape.extents {
        let found = Shape {
            extents,
            ..shape.clone()
        };
        return Err(format!(
            "its size is {}, the program's is {}",
            found.size(),
            shape.size()
        ));
    }
    if entry(header, "fortran_order") != Some("False") && shape.extents.len() > 1 {
        return Err("it is in Fortran order: save numpy.ascontiguousarray(…)".to_owned());
    }
    if elements.len() < shape.bytes() {
        return Err("it is cut short".to_owned());
    }
    Ok(elements[..shape.bytes()].to_vec())
}

/// The value of a key in the header.
fn entry<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let at = [format!("'{key}'"), format!("\"{key}\"")]
        .iter()
        .find_map(|quoted| Some(header.find(quoted.as_str())? + quoted.len()))?;
    let value = header[at..].trim_start().strip_prefix(':')?.trim_start();
    let end = match value.chars().next()? {
        '(' => value.find(')')? + 1,
        quote @ ('\'' | '"') => value[1..].find(quote)? + 2,
        _ => value.find([',', '}'])?,
    };
    Some(value[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(element: ScalarKind, extents: &[usize]) -> Shape {
        Shape {
            name: "a".into(),
            element,
            extents: extents.to_vec(),
        }
    }

    #[test]
    fn comes_back() {
        for extents in [&[][..], &[5], &[2, 3], &[2, 1, 4, 1]] {
            let shape = shape(ScalarKind::I16, extents);
            let bytes: Vec<u8> = (0..shape.bytes() as u8).collect();
            let file = write(&shape, &bytes);
            assert_eq!((file.len() - bytes.len()) % ALIGNMENT, 0);
            assert_eq!(read(&file, &shape), Ok(bytes));
        }
    }

    #[test]
    fn header_is_numpys() {
        let file = write(&shape(ScalarKind::F32, &[3]), &[0; 12]);
        let header = String::from_utf8_lossy(&file[10..128 - 12]);
        assert!(header.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"));
        let file = write(&shape(ScalarKind::F32, &[3, 4]), &[0; 48]);
        assert!(String::from_utf8_lossy(&file).contains("'shape': (3, 4,), }"));
    }

    #[test]
    fn says_what_differs() {
        let file = write(&shape(ScalarKind::F32, &[2, 3]), &[0; 24]);
        let error = |shape| read(&file, &shape).unwrap_err();
        assert_eq!(
            error(shape(ScalarKind::F32, &[3, 2])),
            "its size is 2×3, the program's is 3×2"
        );
        assert!(error(shape(ScalarKind::F64, &[2, 3])).contains("`<f4`"));
        assert!(read(&file[..file.len() - 1], &shape(ScalarKind::F32, &[2, 3])).is_err());
        assert!(
            read(b"PNG", &shape(ScalarKind::F32, &[2, 3]))
                .unwrap_err()
                .contains(".npy")
        );
        for end in 0..file.len() {
            assert!(read(&file[..end], &shape(ScalarKind::F32, &[2, 3])).is_err());
        }
    }
}
