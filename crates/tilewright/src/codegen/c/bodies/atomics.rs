//! Atomic updates of sums ([`Transformed::atomic`](crate::transform::Transformed::atomic)):
//! `#pragma omp atomic` on processors, functions of OpenCL C, CUDA C and HIP on devices.

use crate::analysis::reductions::{added, update_of};
use crate::codegen::Target;
use crate::codegen::c::devices::languages::Words;
use crate::codegen::c::{Context, Printer};
use crate::codegen::kernel::Instance;
use crate::mistakes::mistake;
use crate::scop::{AccessId, BinaryOp, Expr, ScalarKind, Scop};
use crate::transform::Transformed;
use std::fmt::Write;

/// What OpenCL C 1.2 lacks: sums of 64 bits, and of floating-point numbers, which are compared and
/// exchanged until nobody else was there in between.
const FUNCTIONS: [(ScalarKind, &str); 4] = [
    (
        ScalarKind::F32,
        "static void tw_atomic_add_float(volatile __global float *at, float value)
{
    volatile __global int *bits = (volatile __global int *)at;
    int seen = *bits, before;
    do {
        before = seen;
        seen = atomic_cmpxchg(bits, before, as_int(as_float(before) + value));
    } while (seen != before);
}
",
    ),
    (
        ScalarKind::F64,
        "static void tw_atomic_add_double(volatile __global double *at, double value)
{
    volatile __global long *bits = (volatile __global long *)at;
    long seen = *bits, before;
    do {
        before = seen;
        seen = atom_cmpxchg(bits, before, as_long(as_double(before) + value));
    } while (seen != before);
}
",
    ),
    (
        ScalarKind::I64,
        "static void tw_atomic_add_long(volatile __global long *at, long value)
{
    atom_add(at, value);
}
",
    ),
    (
        ScalarKind::U64,
        "static void tw_atomic_add_ulong(volatile __global unsigned long *at, unsigned long value)
{
    atom_add(at, value);
}
",
    ),
];

/// The types of elements that are updated atomically.
fn kinds(scop: &Scop, transformed: &Transformed) -> Vec<(String, ScalarKind)> {
    let mut all = Vec::new();
    for &id in &transformed.atomic {
        for (array, a) in scop.arrays.iter().enumerate() {
            if update_of(scop, id, array).is_some() {
                all.push((a.name.clone(), a.element.kind));
            }
        }
    }
    all
}

/// The functions that a device needs for the atomic updates of a region.
///
/// # Errors
/// Which array has elements that devices do not update atomically.
pub(in crate::codegen::c) fn functions(
    scop: &Scop,
    transformed: &Transformed,
    target: Target,
) -> Result<String, String> {
    use ScalarKind::{F32, F64, I32, I64, U32, U64};
    let kinds = kinds(scop, transformed);
    for (name, kind) in &kinds {
        if ![I32, U32, I64, U64, F32, F64].contains(kind) {
            return Err(format!(
                "elements of `{name}` are of type {}, which devices do not update atomically: use \
                 `int`, or `--reductions none`",
                kind.c_name()
            ));
        }
    }
    let mut text = String::new();
    if Words::of(target).in_one {
        return Ok(text);
    }
    if kinds.iter().any(|(_, kind)| kind.bytes() == 8) {
        text.push_str("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
    }
    for (kind, function) in FUNCTIONS {
        if kinds.iter().any(|(_, other)| *other == kind) {
            let _ = write!(text, "{function}");
        }
    }
    Ok(text)
}

impl Printer<'_> {
    /// Prints an assignment as an atomic update; false where it is none.
    pub(in crate::codegen::c) fn atomic_update(
        &mut self,
        instance: &Instance,
        target: AccessId,
        value: &Expr,
        at: Context,
    ) -> bool {
        let id = instance.statement;
        let accesses = &self.scop.statements[id].accesses;
        let array = accesses[target].array;
        let listed = self.transformed.atomic.contains(&id);
        let update = update_of(self.scop, id, array).filter(|_| listed);
        let Some(update) = update else { return false };
        let place = self.place(&instance.accesses[target], instance);
        if self.spellings.device.is_none() {
            if self.options.target == Target::OpenMp {
                self.line(at, "#pragma omp atomic");
            }
            // The place once: what makes sure that it is the same one twice may be more than a
            // compiler's comparison of two places understands (checks of a division in it).
            let line = match added(value, update.read) {
                Some(by) => {
                    let minus = matches!(value, Expr::Binary(BinaryOp::Sub, ..));
                    let sign = if minus { '-' } else { '+' };
                    format!("{place} {sign}= {};", self.expr(by, instance))
                }
                None => format!("{place} = {};", self.expr(value, instance)),
            };
            self.line(at, &line);
            return true;
        }
        let Some(by) = added(value, update.read) else {
            return false;
        };
        let minus = matches!(value, Expr::Binary(BinaryOp::Sub, ..));
        let kind = self.scop.arrays[array].element.kind;
        let ctype = kind.c_name();
        let by = self.expr_at(by, instance, super::index::strength::UNARY);
        let sign = if minus { "-" } else { "" };
        let by = format!("{sign}({ctype}){by}");
        let in_one = Words::of(self.options.target).in_one;
        let line = match (in_one, kind) {
            (true, ScalarKind::I64 | ScalarKind::U64) => {
                format!("atomicAdd((unsigned long long *)&{place}, (unsigned long long)({by}));")
            }
            (false, _) if mistake!(DeviceWithoutAtomics) => format!("{place} += {by};"),
            (true, _) => format!("atomicAdd(&{place}, {by});"),
            (_, ScalarKind::F32) => format!("tw_atomic_add_float(&{place}, {by});"),
            (_, ScalarKind::F64) => format!("tw_atomic_add_double(&{place}, {by});"),
            (_, ScalarKind::I64) => format!("tw_atomic_add_long(&{place}, {by});"),
            (_, ScalarKind::U64) => format!("tw_atomic_add_ulong(&{place}, {by});"),
            _ => format!("atomic_add(&{place}, {by});"),
        };
        self.line(at, &line);
        true
    }
}
