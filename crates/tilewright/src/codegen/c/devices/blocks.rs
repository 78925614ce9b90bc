//! Blocks of a launch: which of a device's three dimensions of blocks the loops of a grid are.
//!
//! The outermost loop of three is along z, the one in it along y, and what is inside along x, so that
//! a block reads its variables off its numbers. Only where more than one loop is left for x does it
//! divide. Neighbours along x are neighbours of the innermost loop.
//!
//! A launch has at most [`MOST_BLOCKS`] blocks along y and z. A longer loop is launched in parts, each
//! of which is told with which value it begins; blocks do not depend on each other.

use crate::codegen::c::devices::languages::Words;
use crate::codegen::c::{Context, Printer};
use crate::codegen::gpu::program::GridLoop;
use crate::mistakes::mistake;
use std::fmt::Write;

/// Blocks along y, and along z: CUDA C++ Programming Guide, table of technical specifications. Other
/// devices allow as many.
const MOST_BLOCKS: i64 = 65_535;

/// The loops of a grid along x, y and z, outermost first.
fn dimensions(grid: &[GridLoop]) -> [&[GridLoop]; 3] {
    let (outer, along_x) = grid.split_at(grid.len().saturating_sub(1).min(2));
    match outer {
        [_, _] => [along_x, &outer[1..], &outer[..1]],
        _ => [along_x, outer, &[]],
    }
}

/// Whether a loop along y or z may have more blocks than a launch.
fn may_be_long(each: &GridLoop) -> bool {
    let extent = each.upper.distance(&each.lower);
    extent.is_none_or(|extent| extent / each.step >= MOST_BLOCKS)
}

/// The host's name for the first value of a loop in one launch; kernels call it `{var}_first`.
fn first_in_part(each: &GridLoop) -> String {
    format!("{}_begin", each.var)
}

/// What the host writes around a launch.
pub(crate) struct Launches {
    /// Number of blocks along x, y and z.
    pub blocks: [String; 3],
    /// How many loops were opened.
    pub opened: usize,
    /// Arguments with other names on the host: the kernel's and the host's.
    pub renamed: Vec<(String, String)>,
}

impl Printer<'_> {
    /// What a block computes of its numbers.
    pub(crate) fn own_values(&self, grid: &[GridLoop], words: Words) -> String {
        let long = self.index_type();
        let mut text = String::new();
        let line = |text: &mut String, each: &GridLoop, number: &str| {
            let var = &each.var;
            let step = match each.step {
                1 => String::new(),
                step => format!("{step} * "),
            };
            let _ = writeln!(
                text,
                "    const {long} {var} = {var}_first + {step}{number};"
            );
        };
        let [along_x, others @ ..] = dimensions(grid);
        for (loops, number) in others.iter().zip(&words.blocks[1..]).rev() {
            for each in *loops {
                line(&mut text, each, &format!("({long}){number}"));
            }
        }
        match along_x {
            [] => {}
            [one] => line(&mut text, one, &format!("({long}){}", words.blocks[0])),
            [first, more @ ..] => {
                let number = words.blocks[0];
                let _ = writeln!(text, "    {long} tw_block = ({long}){number};");
                for each in more.iter().rev() {
                    let var = &each.var;
                    line(&mut text, each, &format!("(tw_block % {var}_count)"));
                    let _ = writeln!(text, "    tw_block /= {var}_count;");
                }
                line(&mut text, first, "tw_block");
            }
        }
        text
    }

    /// Bounds of the grid, as constants, and whether there is something to launch.
    pub(crate) fn grid(&mut self, grid: &[GridLoop], at: Context) -> Option<String> {
        let mut some = Vec::new();
        for each in grid {
            let var = &each.var;
            let lower = self.index(&each.lower);
            let upper = self
                .index_of_type_long(&each.upper, crate::codegen::c::bodies::index::strength::SUM);
            self.line(at, &format!("const long {var}_first = {lower};"));
            let count = match each.step {
                1 if mistake!(DeviceGridOneTooFew) => format!("{upper} - {var}_first"),
                1 => format!("{upper} - {var}_first + 1"),
                step => format!("({upper} - {var}_first + {step}) / {step}"),
            };
            self.line(at, &format!("const long {var}_count = {count};"));
            some.push(format!("{var}_count > 0"));
        }
        (!some.is_empty()).then(|| some.join(" && "))
    }

    /// Opens a loop over launches for each loop of a grid that may be too long for one.
    pub(crate) fn open_launches(
        &mut self,
        grid: &[GridLoop],
        prefix: &str,
        mut at: Context,
    ) -> Launches {
        let [along_x, along_y, along_z] = dimensions(grid);
        let count = |loops: &[GridLoop]| match loops {
            [] => "1".to_owned(),
            loops => {
                let counts: Vec<String> =
                    loops.iter().map(|l| format!("{}_count", l.var)).collect();
                counts.join(" * ")
            }
        };
        let mut all = Launches {
            blocks: [along_x, along_y, along_z].map(count),
            opened: 0,
            renamed: Vec::new(),
        };
        for (dimension, loops) in [(2, along_z), (1, along_y)] {
            for each in loops.iter().filter(|each| may_be_long(each)) {
                let (var, begin) = (&each.var, first_in_part(each));
                let done = format!("{var}_done");
                self.line(
                    at,
                    &format!(
                        "for (long {done} = 0; {done} < {var}_count; {done} += {MOST_BLOCKS}) {{"
                    ),
                );
                at = at.deeper();
                let step = match each.step {
                    1 => String::new(),
                    step => format!("{step} * "),
                };
                let value = format!("{var}_first + {step}{done}");
                self.line(at, &format!("const long {begin} = {value};"));
                all.blocks[dimension] =
                    format!("{prefix}_at_most({var}_count - {done}, {MOST_BLOCKS})");
                all.opened += 1;
                all.renamed.push((format!("{var}_first"), begin));
            }
        }
        all
    }
}

/// What the host calls an argument of a kernel.
pub(crate) fn on_host<'a>(launches: &'a Launches, name: &'a str) -> &'a str {
    let renamed = launches.renamed.iter().find(|(own, _)| own == name);
    renamed.map_or(name, |(_, host)| host)
}
