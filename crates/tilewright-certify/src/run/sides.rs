//! Which way conditions went, and how far they were from going the other way.

use crate::arith::Cond;
use crate::program::{Op, Program};

/// No instruction, or none that is a comparison of integers.
const FAR: u64 = u64::MAX;

/// What was seen at one jump.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// Whether it was taken, whether it was not.
    pub taken: bool,
    pub passed: bool,
    /// By how much its operands differ from ones for which it goes the other way, at least; far
    /// beyond all measure where that is not known.
    pub distance: u64,
}

const NOTHING: Side = Side {
    taken: false,
    passed: false,
    distance: FAR,
};

/// All jumps, by their instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides(pub Vec<Side>);

impl Sides {
    /// For the instructions of a program.
    pub fn new(program: &Program) -> Sides {
        Sides(vec![NOTHING; program.ops.len()])
    }

    /// A jump on a comparison.
    #[inline(always)]
    pub fn compares(&mut self, at: usize, cond: Cond, taken: bool, a: i64, b: i64) {
        let side = &mut self.0[at];
        side.taken |= taken;
        side.passed |= !taken;
        let holds = if taken { cond } else { cond.opposite() };
        let (less, more) = (b.saturating_sub(a), a.saturating_sub(b));
        let distance = match holds {
            Cond::Lt => less,
            Cond::Le => less.saturating_add(1),
            Cond::Gt => more,
            Cond::Ge => more.saturating_add(1),
            Cond::Eq => 1,
            Cond::Ne => less.max(more),
        };
        side.distance = side.distance.min(distance.unsigned_abs());
    }
}

/// The line of the next statement from an instruction on, where what else is asked holds.
fn line_from(program: &Program, mut at: usize) -> Option<u32> {
    for _ in 0..STRAIGHT {
        match *program.ops.get(at)? {
            Op::Mark { line, .. } => return Some(line),
            Op::Jump { to } => at = to as usize,
            // More conditions that are to hold, too, come one behind the other.
            Op::Return { .. } | Op::ReturnNothing | Op::Trap => return None,
            _ => at += 1,
        }
    }
    None
}

/// Instructions from a jump to the statement that it leads to.
const STRAIGHT: usize = 40;

/// Jumps on comparisons, each with the lines to which it leads when it is taken and when it is not.
pub(crate) fn leads(program: &Program) -> Vec<(usize, Option<u32>, Option<u32>)> {
    let jumps = program.ops.iter().enumerate();
    let jumps = jumps.filter_map(|(at, op)| match *op {
        Op::JumpCompare { to, .. } => Some((
            at,
            line_from(program, to as usize),
            line_from(program, at + 1),
        )),
        _ => None,
    });
    jumps.collect()
}
