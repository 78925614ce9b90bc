//! Makes the preprocessor's output ready for the parser.
//!
//! Line markers and pragmas are blanked out at the same offsets, and remembered: where each line
//! comes from, and each pragma with its words. Attributes that are of no interest are blanked out, as
//! the parser does not know all of them, and words that it does not know are replaced (`parts`). Nothing
//! else changes.

use crate::frontend::c::spans::Place;
use crate::source::{Source, main_name, marker};

/// A pragma of the preprocessed text.
#[derive(Clone, Debug)]
pub(in crate::frontend) struct Pragma {
    /// Its first byte in the preprocessed text.
    pub offset: usize,
    /// What follows `#pragma`, with single blanks (`omp parallel for`).
    pub words: String,
    /// Where it comes from.
    pub place: Place,
}

impl Pragma {
    /// The first word.
    pub fn keyword(&self) -> &str {
        self.words.split(' ').next().unwrap_or("")
    }
}

/// The preprocessed text without directives.
#[derive(Debug)]
pub(in crate::frontend) struct Prepared {
    /// As long as the preprocessed text, directives replaced by blanks.
    pub text: String,
    /// Where each line comes from.
    pub places: Vec<Place>,
    /// Pragmas in order.
    pub pragmas: Vec<Pragma>,
    /// Where attributes stood that make of what is declared something else, in order.
    pub strange: Vec<usize>,
}

/// Blanks out directives, and attributes that say nothing to us.
pub(in crate::frontend) fn prepare(source: &Source) -> Prepared {
    let main = main_name(&source.name, &source.preprocessed);
    let mut prepared = Prepared {
        text: String::with_capacity(source.preprocessed.len()),
        places: vec![],
        pragmas: vec![],
        strange: vec![],
    };
    let mut place = Place::Main(0);
    let mut last_main = 0;
    for line in source.preprocessed.split_inclusive('\n') {
        prepared.places.push(place);
        if let Place::Main(l) = place {
            last_main = l;
        }
        let directive = line.trim_start().strip_prefix('#');
        let Some(directive) = directive else {
            prepared.text.push_str(line);
            if let Place::Main(l) = place {
                place = Place::Main(l + 1);
            }
            continue;
        };
        let offset = prepared.text.len();
        prepared.text.extend(line.bytes().map(|b| {
            if matches!(b, b'\n' | b'\r') {
                b as char
            } else {
                ' '
            }
        }));
        if let Some((number, file)) = marker(directive) {
            place = match &main {
                Some(name) if *name != file => Place::Included(last_main),
                _ => Place::Main(number.saturating_sub(1)),
            };
            continue;
        }
        if let Some(words) = directive.trim_start().strip_prefix("pragma") {
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            prepared.pragmas.push(Pragma {
                offset,
                words,
                place,
            });
        }
        if let Place::Main(l) = place {
            place = Place::Main(l + 1);
        }
    }
    prepared.places.push(place);
    (prepared.text, prepared.strange) =
        crate::frontend::c::parse::attributes::ours_only(&prepared.text);
    prepared.text = crate::frontend::c::parse::parts::with_signs(prepared.text);
    prepared
}
