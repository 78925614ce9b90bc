//! What may be asked for, and with which shapes of tiles and which targets it has a meaning.
//!
//! One table: what it does not have is refused before anything is compiled, and the book's table of
//! options is made from it. Where no shape is asked for, a request holds for those regions whose
//! shape knows it. Overlapped tiles of a pipeline know more than those over time of an iterated
//! stencil: which of the two a region gets is known once it is planned, and what has no meaning
//! then is refused for the region.

use super::cost::Objective;
use super::{Fusion, Inline, InnerTile, Wishes};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{Group, Shape, defaults};
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

/// Something that overlapped tiles of pipelines know, and those over time do not.
struct Pipelines {
    option: &'static str,
    /// With these shapes.
    shapes: &'static [Shape],
    /// Only for processors; devices know it over time, too.
    processors: bool,
    asked: fn(&Wishes) -> bool,
}

const SCALENE_AND_RIGHT: &[Shape] = &[Shape::Scalene, Shape::Right];

const fn pipelines(option: &'static str, asked: fn(&Wishes) -> bool) -> Pipelines {
    Pipelines {
        option,
        shapes: SCALENE_AND_RIGHT,
        processors: false,
        asked,
    }
}

const OF_PIPELINES: [Pipelines; 10] = [
    pipelines("--fuse", |wishes| wishes.fuse.is_some()),
    Pipelines {
        processors: true,
        ..pipelines("--separate", |wishes| wishes.processor.separate)
    },
    pipelines("--inline pointwise", |wishes| {
        wishes.pipelines.inline == Inline::Pointwise
    }),
    Pipelines {
        shapes: &[Shape::Scalene],
        ..pipelines("--overlap", |wishes| wishes.pipelines.overlap.is_some())
    },
    pipelines("--overlap-tolerance", |wishes| {
        wishes.pipelines.overlap_tolerance != defaults::OVERLAP_TOLERANCE
    }),
    pipelines("--point-loops apart", |wishes| {
        !wishes.pipelines.share_loops
    }),
    pipelines("--fusion", |wishes| {
        wishes.pipelines.fusion != Fusion::Optimal
    }),
    pipelines("--group-limit", |wishes| {
        wishes.pipelines.group_limit.is_some()
    }),
    pipelines("--cost", |wishes| {
        matches!(wishes.objective, Objective::Toplas(_))
    }),
    pipelines("--inner-tile", |wishes| {
        matches!(
            wishes.pipelines.inner_tile,
            InnerTile::FirstCache | InnerTile::Rows(_)
        )
    }),
];

const ROWS: [Row; 24] = [
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
    row(
        "--fork-operations",
        &[Shape::None, Shape::Parallelogram],
        Some(Place::Processor),
    ),
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

/// Whether what is asked for has a meaning for the groups that a region with this shape asked for
/// gets; `cyclic`: whether its stages read each other in a circle.
///
/// # Errors
/// What has none.
pub fn check_groups(
    wishes: &Wishes,
    groups: &[Group],
    cyclic: bool,
) -> Result<(), Box<Diagnostic>> {
    let Some(shape) = wishes.shape else {
        return Ok(());
    };
    let refused = |what: String, help: &str| {
        let diagnostic = Diagnostic::error(Code::NoMeaning, what);
        Err(Box::new(diagnostic.help(help)))
    };
    if groups.iter().any(|group| group.overlaps_over_time(cyclic)) {
        let place = wishes.device.is_none();
        let unknown = |of: &&Pipelines| {
            of.shapes.contains(&shape) && (place || !of.processors) && (of.asked)(wishes)
        };
        if let Some(of) = OF_PIPELINES.iter().find(unknown) {
            return refused(
                format!(
                    "`{}` has no meaning with `--shape {}` for an iterated stencil",
                    of.option,
                    shape.name()
                ),
                "leave one of them out",
            );
        }
    } else if shape == Shape::Right
        && groups.iter().any(|group| group.overlapped().is_some())
        && groups.iter().all(|group| group.shape() != Shape::Right)
    {
        return if wishes.device.is_some() {
            refused(
                "`--shape right` has a meaning for iterated stencils on devices, and for \
                 pipelines on processors"
                    .to_owned(),
                "leave it out: pipelines have scalene tiles on devices",
            )
        } else {
            refused(
                "no tiles of this pipeline are right trapezoids: its stages cannot take turns"
                    .to_owned(),
                "use `--shape scalene`, or leave it out",
            )
        };
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
            let own = |of: &&Pipelines| of.option == row.option && of.shapes.contains(&shape);
            text.push_str(match OF_PIPELINES.iter().find(own) {
                _ if !row.shapes.contains(&shape) => " |",
                None => " ✓ |",
                Some(of) if of.processors => " P* |",
                Some(_) => " P |",
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
