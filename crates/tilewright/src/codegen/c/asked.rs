//! Loops whose threads are worth starting only where there is enough to do, again and again.
//!
//! An `if` clause starts a parallel region of one thread, which takes half a microsecond: much for a
//! short loop that another one goes through thousands of times. There the text asks itself:
//!
//! ```c
//! for (long t = 0; t < steps; t++) {
//!     if (n >= 200000) {
//!         #pragma omp parallel for
//!         for (long i = 0; i < n; i++) …
//!     } else {
//!         for (long i = 0; i < n; i++) …
//!     }
//! }
//! ```

use super::{Context, Printer, Threads};
use crate::codegen::Target;
use crate::codegen::kernel::{Loop, Node};

/// Statements in a loop without loops inside that may stand there twice.
const FEW: usize = 4;

/// The same of any loop that is gone through in more than one loop around: some hundred lines are
/// better than as many thousand clauses.
const SOME: usize = 32;

impl Printer<'_> {
    /// Writes a loop with threads and one without, where that is better than a clause; else `false`.
    pub(super) fn asked_outside(&mut self, each: &Loop, at: Context) -> bool {
        let again = !self.here.around.is_empty() && at.threads == Threads::One;
        let asks = each.parallel && again && self.options.target == Target::OpenMp;
        let often = self.here.around.len() > 1;
        let Some(worth) = each
            .worth
            .as_ref()
            .filter(|_| asks && is_short(each, often))
        else {
            return false;
        };
        let with_threads = Loop {
            worth: None,
            ..each.clone()
        };
        let without = Loop {
            parallel: false,
            ..with_threads.clone()
        };
        let condition = self.worth(worth);
        self.line(at, &format!("if ({condition}) {{"));
        self.each(&with_threads, at.deeper());
        self.line(at, "} else {");
        self.each(&without, at.deeper());
        self.line(at, "}");
        true
    }
}

/// Whether a loop has few statements, and no loops inside but one over a portion; `often`: some, and
/// any loops.
fn is_short(each: &Loop, often: bool) -> bool {
    let mut statements = 0;
    for node in &each.body {
        node.instances(&mut |_| statements += 1);
    }
    let inner = match &each.body[..] {
        [Node::For(portion)] => &portion.body,
        body => body,
    };
    let few = statements <= FEW && !inner.iter().any(Node::has_loop);
    each.collapse == 1 && (few || often && statements <= SOME)
}
