//! What a program does when there is no memory: the instructions behind an allocation, executed as if
//! it had failed, as far as they test that.

use super::Machine;
use crate::arith;
use crate::program::{Op, Reg};

/// Instructions from an allocation to where the program stops.
const MOST: usize = 40;

impl Machine<'_> {
    /// Follows what is behind an allocation, which gives `d`, as if it had failed. Lines count as
    /// reached where it comes to a trap before it touches memory; else nothing is known.
    #[cold]
    pub(super) fn without_memory(&mut self, frame: &[u64], mut pc: usize, d: Reg) {
        let program = self.program;
        let mut regs = frame.to_vec();
        regs[d as usize] = 0;
        let mut lines = Vec::new();
        for _ in 0..MOST {
            let Some(op) = program.ops.get(pc) else {
                return;
            };
            pc += 1;
            macro_rules! r {
                ($a:expr) => {
                    regs[$a as usize]
                };
            }
            match *op {
                Op::Nop => {}
                Op::Mark { line, .. } => lines.push(line),
                Op::Imm { d, value } => r!(d) = i64::from(value) as u64,
                Op::Constant { d, index } => r!(d) = program.constants[index as usize],
                Op::Move { d, a } => r!(d) = r!(a),
                Op::Undefined { flag, .. } => r!(flag) = 0,
                Op::Compare { cond, how, d, a, b } => {
                    r!(d) = arith::compare(cond, how, r!(a), r!(b)).into();
                }
                Op::Convert { from, to, d, a } => match arith::convert(from, to, r!(a)) {
                    Ok(value) => r!(d) = value,
                    Err(_) => return,
                },
                Op::Jump { to } => pc = to as usize,
                Op::JumpIf { a, to } if r!(a) != 0 => pc = to as usize,
                Op::JumpUnless { a, to } if r!(a) == 0 => pc = to as usize,
                Op::JumpCompare { cond, a, b, to } if cond.holds(r!(a) as i64, r!(b) as i64) => {
                    pc = to as usize;
                }
                Op::JumpIf { .. } | Op::JumpUnless { .. } | Op::JumpCompare { .. } => {}
                Op::Trap => {
                    for line in lines {
                        self.reached[line as usize] = true;
                    }
                    return;
                }
                _ => return,
            }
        }
    }
}
