//! What may be asked for, and with which shapes of tiles and which targets it has a meaning.
//!
//! One table: what it does not have is refused before anything is compiled, and the book's table of
//! options is made from it. Where no shape is asked for, a request holds for those regions whose
//! shape knows it; and what it has for overlapped tiles are those of pipelines: which of it tiles
//! over time of an iterated stencil have is not asked.

use crate::diagnostic::{Code, Diagnostic};
use crate::plan::Shape;
use std::fmt::Write;

const OVERLAPPED: &[Shape] = &[Shape::Scalene, Shape::Right, Shape::Polymage];

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Threads of a processor.
    Processor,
    /// A device.
    Device,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Processor => "processors",
            Place::Device => "devices",
        }
    }
}

/// Something that may be asked for, as the command line spells it, and where it has a meaning.
struct Row {
    option: &'static str,
    /// With these shapes.
    shapes: &'static [Shape],
    /// Only there; `None`: everywhere.
    place: Option<Place>,
}

const fn row(option: &'static str, shapes: &'static [Shape], place: Option<Place>) -> Row {
    Row {
        option,
        shapes,
        place,
    }
}

const ROWS: [Row; 23] = [
    row(
        "--tile-sizes",
        &[
            Shape::Parallelogram,
            Shape::Scalene,
            Shape::Right,
            Shape::Polymage,
            Shape::Split,
            Shape::Diamond,
            Shape::Hexagonal,
        ],
        None,
    ),
    row(
        "--fuse",
        &[
            Shape::Parallelogram,
            Shape::Scalene,
            Shape::Right,
            Shape::Polymage,
        ],
        None,
    ),
    row(
        "--separate",
        &[
            Shape::Parallelogram,
            Shape::Scalene,
            Shape::Right,
            Shape::Polymage,
        ],
        None,
    ),
    row("--loops", &[Shape::None, Shape::Parallelogram], None),
    row("--inline pointwise", &[Shape::Scalene, Shape::Right], None),
    row("--overlap", OVERLAPPED, None),
    row("--overlap-tolerance", OVERLAPPED, None),
    row("--point-loops apart", OVERLAPPED, None),
    row("--fusion", OVERLAPPED, None),
    row("--group-limit", OVERLAPPED, None),
    row("--cost", OVERLAPPED, None),
    row("--inner-tile", OVERLAPPED, Some(Place::Processor)),
    row("--portions", &Shape::ALL, Some(Place::Processor)),
    row("--device", &Shape::ALL, Some(Place::Device)),
    row("--block-size", &Shape::ALL, Some(Place::Device)),
    row("--sink-bounds", &Shape::ALL, Some(Place::Device)),
    row("--grid", &Shape::ALL, Some(Place::Device)),
    row("--full-tiles", &Shape::ALL, Some(Place::Device)),
    row("--unroll", &Shape::ALL, Some(Place::Device)),
    row("--index-bits", &Shape::ALL, Some(Place::Device)),
    row("--max-shared-memory", &Shape::ALL, Some(Place::Device)),
    row("--local-memory", &Shape::ALL, Some(Place::Device)),
    row("--replay", &Shape::ALL, Some(Place::Device)),
];

/// Whether all that is asked for (`options`, as the command line spells them) has a meaning for the
/// shape that is asked for, if one is, and for who does the work. Options that the table does not
/// have hold everywhere.
///
/// # Errors
/// Which one has none, and where it would have one.
pub fn check(options: &[&str], shape: Option<Shape>, place: Place) -> Result<(), Box<Diagnostic>> {
    for row in ROWS.iter().filter(|row| options.contains(&row.option)) {
        let option = row.option;
        let refused = |what: String, help: String| {
            let diagnostic = Diagnostic::error(Code::NoMeaning, what);
            Err(Box::new(diagnostic.help(help)))
        };
        if let Some(only) = row.place.filter(|only| *only != place) {
            return refused(
                format!("`{option}` has a meaning for {} only", only.name()),
                match only {
                    Place::Device => {
                        "leave it out, or choose a device with `--target`: `opencl`, `cuda`, `hip`"
                    }
                    Place::Processor => "leave it out, or generate code with `--target openmp`",
                }
                .to_owned(),
            );
        }
        if let Some(shape) = shape.filter(|shape| !row.shapes.contains(shape)) {
            let known: Vec<String> = row
                .shapes
                .iter()
                .map(|s| format!("`{}`", s.name()))
                .collect();
            return refused(
                format!("`{option}` has no meaning with `--shape {}`", shape.name()),
                format!(
                    "leave one of them out; shapes with it: {}",
                    known.join(", ")
                ),
            );
        }
    }
    Ok(())
}

/// The table as the book has it.
pub fn table() -> String {
    let mut text = String::from("| option |");
    for shape in Shape::ALL {
        let _ = write!(text, " {} |", shape.name());
    }
    text.push_str(" for |\n|---|");
    text.push_str(&":-:|".repeat(Shape::ALL.len()));
    text.push_str("---|\n");
    for row in &ROWS {
        let _ = write!(text, "| `{}` |", row.option);
        for shape in Shape::ALL {
            text.push_str(if row.shapes.contains(&shape) {
                " ✓ |"
            } else {
                " |"
            });
        }
        let place = row.place.map_or("both", Place::name);
        let _ = writeln!(text, " {place} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each option with each shape and place is taken or refused as the table has it.
    #[test]
    fn what_has_no_meaning_is_refused() {
        let mut refused = 0;
        for row in &ROWS {
            for shape in Shape::ALL {
                for place in [Place::Processor, Place::Device] {
                    let found = check(&["--no-simd", row.option], Some(shape), place);
                    let meant = row.shapes.contains(&shape) && row.place.is_none_or(|p| p == place);
                    assert_eq!(found.is_ok(), meant, "{} {shape:?} {place:?}", row.option);
                    refused += usize::from(!meant);
                }
            }
        }
        assert!(refused > 100, "{refused}");
        // Where no shape is asked for, regions may have any.
        for row in ROWS.iter().filter(|row| row.place.is_none()) {
            assert!(check(&[row.option], None, Place::Processor).is_ok());
        }
    }
}
