//! Loops of a thread on a device: which of a loop's iterations it executes, and how many of them are
//! written as one.

use crate::codegen::c::{Context, Printer};
use crate::codegen::kernel::{Loop, Node};

impl Printer<'_> {
    /// Prints a loop that threads share where each of them has the same number of iterations,
    /// whatever the sizes; false for all others.
    pub(crate) fn even_turns(&mut self, each: &Loop, at: Context) -> bool {
        let Some((thread, threads)) = self.dealt(&each.var) else {
            return false;
        };
        let turns = match each.iterations() {
            Some(all) if all > 0 && all % threads == 0 => all / threads,
            _ => return false,
        };
        let (var, long) = (&each.var, self.index_type());
        let lower = self.index_at_sum(&each.lower);
        let first = match each.step {
            1 => format!("{lower} + {thread}"),
            step => format!("{lower} + {step} * {thread}"),
        };
        match turns {
            1 => {
                self.line(at, "{");
                self.line(at.deeper(), &format!("const {long} {var} = {first};"));
            }
            _ => {
                self.pragma_unroll(each, turns, at);
                // With the thread on both sides compilers see how many iterations there are.
                let by = each.step * threads;
                let beyond = by * turns;
                let header = format!(
                    "for ({long} {var} = {first}; {var} < {first} + {beyond}; {var} += {by}) {{"
                );
                self.line(at, &header);
            }
        }
        self.nodes(&each.body, at.deeper());
        self.line(at, "}");
        true
    }

    /// Prints a loop that threads share where none of them has a second iteration.
    pub(crate) fn one_turn(&mut self, each: &Loop, at: Context) -> bool {
        let Some((thread, threads)) = self.dealt(&each.var) else {
            return false;
        };
        let beyond = each.step * threads;
        if each.dynamic.ends_early || each.most().is_none_or(|most| most > beyond) {
            return false;
        }
        let (var, long) = (&each.var, self.index_type());
        self.line(at, "{");
        let inside = at.deeper();
        let bound = self.bound(each, inside);
        let lower = self.index_at_sum(&each.lower);
        let first = match each.step {
            1 => format!("{lower} + {thread}"),
            step => format!("{lower} + {step} * {thread}"),
        };
        self.line(inside, &format!("const {long} {var} = {first};"));
        self.line(inside, &format!("if ({var} {bound}) {{"));
        self.nodes(&each.body, inside.deeper());
        self.line(inside, "}");
        self.line(at, "}");
        true
    }

    /// A pragma in front of an innermost loop of which a thread executes so many iterations.
    pub(crate) fn pragma_unroll(&mut self, each: &Loop, iterations: i64, at: Context) {
        let wanted = self
            .spellings
            .device
            .as_ref()
            .map_or(1, |device| device.unroll);
        let innermost = !each.body.iter().any(Node::has_loop);
        let together = wanted.min(iterations);
        if innermost && together > 1 {
            self.line(at, &format!("#pragma unroll {together}"));
        }
    }
}
