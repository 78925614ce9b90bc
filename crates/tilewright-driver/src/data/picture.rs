//! Pictures into arrays and arrays into pictures.

use super::Shape;
use super::element::{self, Value};
use image::{DynamicImage, GrayImage, ImageFormat, RgbImage, RgbaImage};
use std::io::Cursor;
use std::path::Path;

/// Extensions of files that are read and written as pictures.
pub const EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "ppm", "pgm", "pbm", "pnm"];

/// An array has to have this many rows and columns to be taken for a picture unasked.
const SMALLEST: usize = 16;

/// How an array holds a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planes {
    /// 1 (grey), 3 (red, green, blue) or 4 (and opacity).
    pub channels: usize,
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// Channels are the outermost dimension, otherwise the innermost.
    pub planar: bool,
}

impl Planes {
    /// Channel, row and column of the element with this number in the order of memory.
    pub fn place(&self, at: usize) -> (usize, usize, usize) {
        let (channel, pixel) = if self.planar {
            (
                at / (self.height * self.width),
                at % (self.height * self.width),
            )
        } else {
            (at % self.channels, at / self.channels)
        };
        (channel, pixel / self.width, pixel % self.width)
    }

    /// Number of an element in the order of memory.
    fn index(&self, channel: usize, row: usize, column: usize) -> usize {
        if self.planar {
            (channel * self.height + row) * self.width + column
        } else {
            (row * self.width + column) * self.channels + channel
        }
    }
}

/// Rows × columns, or with 1, 3 or 4 channels as the outermost or, failing that, the innermost
/// dimension.
pub fn planes(extents: &[usize]) -> Option<Planes> {
    match *extents {
        [height, width] => Some(Planes {
            channels: 1,
            height,
            width,
            planar: true,
        }),
        [channels @ (1 | 3 | 4), height, width] => Some(Planes {
            channels,
            height,
            width,
            planar: true,
        }),
        [height, width, channels @ (1 | 3 | 4)] => Some(Planes {
            channels,
            height,
            width,
            planar: false,
        }),
        _ => None,
    }
}

/// A float or byte array that could be a picture.
pub fn looks_like_one(shape: &Shape) -> bool {
    use tilewright::scop::ScalarKind::{F32, F64, U8};
    matches!(shape.element, F32 | F64 | U8)
        && planes(&shape.extents)
            .is_some_and(|planes| planes.height >= SMALLEST && planes.width >= SMALLEST)
}

/// Whether a file's name is that of a picture.
pub fn is_picture(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Puts a picture into an array: floats in 0..=1, integers in 0..=255. A larger picture is
/// cropped to its centre, a smaller one continued at its edges; the returned note says so.
///
/// # Errors
/// Why it cannot be, in words.
pub fn load(path: &Path, shape: &Shape, bytes: &mut [u8]) -> Result<Option<String>, String> {
    let planes = planes(&shape.extents).ok_or_else(|| {
        let size = shape.size();
        format!(
            "`{}` of {size} elements is no picture: rows × columns, or 1, 3 or 4 of them",
            shape.name
        )
    })?;
    let picture = image::ImageReader::open(path)
        .map_err(|error| crate::host::output::words(&error))?
        .with_guessed_format()
        .map_err(|error| crate::host::output::words(&error))?
        .decode()
        .map_err(|error| error.to_string())?;
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    if width == 0 || height == 0 {
        return Err("it has no pixels".to_owned());
    }
    let samples: Vec<f32> = match planes.channels {
        1 => picture.to_luma32f().into_raw(),
        3 => picture.to_rgb32f().into_raw(),
        _ => picture.to_rgba32f().into_raw(),
    };
    let float = shape.element.is_float();
    element::fill(shape.element, bytes, |at| {
        let (channel, row, column) = planes.place(at);
        let row = centred(row, planes.height, height);
        let column = centred(column, planes.width, width);
        let sample = samples[(row * width + column) * planes.channels + channel];
        Value::Float(if float {
            sample.into()
        } else {
            f64::from(sample) * 255.0
        })
    });
    let fits = |ours: usize, theirs: usize| match ours.cmp(&theirs) {
        std::cmp::Ordering::Less => Some("cropped"),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some("continued at the edges"),
    };
    let (rows, columns) = (fits(planes.height, height), fits(planes.width, width));
    let what = match (rows, columns) {
        (None, None) => return Ok(None),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (Some(one), Some(other)) if one == other => one.to_owned(),
        (Some(one), Some(other)) => format!("{one} in rows, {other} in columns"),
    };
    let (name, path) = (&shape.name, path.display());
    let ours = format!("{}×{}", planes.width, planes.height);
    Ok(Some(format!(
        "{path} has {width}×{height} pixels, `{name}` {ours}: {what}"
    )))
}

/// The row or column of a picture that belongs to one of an array with the same centre.
fn centred(at: usize, ours: usize, theirs: usize) -> usize {
    let shifted = at as i64 + (theirs as i64 - ours as i64).div_euclid(2);
    shifted.clamp(0, theirs as i64 - 1) as usize
}

/// A picture file's contents with this array: floats from 0..=1, integers from 0..=255, clamped;
/// the returned note says so where it matters.
///
/// # Errors
/// Why it cannot be, in words.
pub fn save(path: &Path, shape: &Shape, bytes: &[u8]) -> Result<(Vec<u8>, Option<String>), String> {
    let planes = planes(&shape.extents).ok_or_else(|| {
        let size = shape.size();
        format!(
            "`{}` of {size} elements is no picture: write an .npy file",
            shape.name
        )
    })?;
    let format = ImageFormat::from_path(path).map_err(|error| error.to_string())?;
    let scale = if shape.element.is_float() { 255.0 } else { 1.0 };
    let (mut least, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
    let size = shape.element.bytes();
    let mut pixels = Vec::with_capacity(shape.elements());
    for row in 0..planes.height {
        for column in 0..planes.width {
            for channel in 0..planes.channels {
                let at = planes.index(channel, row, column) * size;
                let value = element::get(shape.element, &bytes[at..at + size]).as_f64();
                (least, largest) = (least.min(value), largest.max(value));
                // Not a number becomes black.
                pixels.push((value * scale).clamp(0.0, 255.0).round() as u8);
            }
        }
    }
    let (width, height) = (planes.width as u32, planes.height as u32);
    let picture = match planes.channels {
        1 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        3 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        _ => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
    };
    let picture = picture.ok_or("it is too large")?;
    let mut file = Cursor::new(Vec::new());
    picture
        .write_to(&mut file, format)
        .map_err(|error| error.to_string())?;
    let top = 255.0 / scale;
    let clamped = least < 0.0 || largest > top;
    let note = clamped.then(|| {
        let (name, path) = (&shape.name, path.display());
        format!(
            "`{name}` holds values from {least:.4} to {largest:.4}, clamped to 0..{top} in {path}"
        )
    });
    Ok((file.into_inner(), note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright::scop::ScalarKind;

    fn shape(element: ScalarKind, extents: &[usize]) -> Shape {
        Shape {
            name: "img".into(),
            element,
            extents: extents.to_vec(),
        }
    }

    #[test]
    fn pictures_come_back() {
        let directory = tempfile::tempdir().unwrap();
        for extents in [
            &[3, 20, 30][..],
            &[20, 30, 3],
            &[4, 20, 30],
            &[20, 30],
            &[1, 20, 30],
        ] {
            let shape = shape(ScalarKind::U8, extents);
            let bytes: Vec<u8> = (0..shape.bytes()).map(|at| (at * 7 % 256) as u8).collect();
            let path = directory.path().join("a.png");
            let (file, note) = save(&path, &shape, &bytes).unwrap();
            assert_eq!(note, None);
            std::fs::write(&path, file).unwrap();
            let mut back = vec![0; bytes.len()];
            assert_eq!(load(&path, &shape, &mut back).unwrap(), None);
            assert_eq!(back, bytes, "{extents:?}");
        }
    }

    #[test]
    fn other_sizes_are_cropped_or_continued_with_a_note() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.pgm");
        let written = shape(ScalarKind::U8, &[4, 4]);
        let (file, _) = save(&path, &written, &(0..16).collect::<Vec<u8>>()).unwrap();
        std::fs::write(&path, file).unwrap();
        let mut bytes = vec![0; 12];
        let note = load(&path, &shape(ScalarKind::U8, &[2, 6]), &mut bytes)
            .unwrap()
            .unwrap();
        assert_eq!(bytes, [4, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 11]);
        assert!(note.ends_with("a.pgm has 4×4 pixels, `img` 6×2: cropped in rows, continued at the edges in columns"), "{note}");
    }

    #[test]
    fn floats_are_scaled_and_clamped() {
        let shape = shape(ScalarKind::F32, &[1, 4]);
        let bytes: Vec<u8> = [-1.0f32, 0.5, 1.0, 7.0]
            .iter()
            .flat_map(|value| value.to_ne_bytes())
            .collect();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.png");
        let (file, note) = save(&path, &shape, &bytes).unwrap();
        assert!(
            note.unwrap()
                .starts_with("`img` holds values from -1.0000 to 7.0000, clamped to 0..1")
        );
        std::fs::write(&path, file).unwrap();
        let mut back = vec![0; 16];
        load(&path, &shape, &mut back).unwrap();
        let back: Vec<f64> = element::values(ScalarKind::F32, &back)
            .map(Value::as_f64)
            .collect();
        assert_eq!(back, [0.0, f64::from(128.0f32 / 255.0), 1.0, 1.0]);
    }

    #[test]
    fn what_is_no_picture_is_said() {
        assert!(save(Path::new("a.png"), &shape(ScalarKind::U8, &[9]), &[0; 9]).is_err());
        assert!(!looks_like_one(&shape(ScalarKind::F32, &[3, 4])));
        assert!(looks_like_one(&shape(ScalarKind::F32, &[3, 40, 50])));
        assert!(!looks_like_one(&shape(ScalarKind::I32, &[3, 40, 50])));
        assert!(is_picture(Path::new("a/B.PNG")) && !is_picture(Path::new("png")));
    }
}
