//! Loops that end early and that several threads execute: those of a block leave it together, and
//! the host leaves a loop around launches.
//!
//! What threads note ([`Node::GoesOn`](crate::codegen::kernel::Node::GoesOn)) is a variable of each.
//! CUDA and HIP have a barrier that says whether one of them is set. In OpenCL the votes of turn
//! `t`, counted over the whole kernel, are in one of two cells of local memory: who votes writes
//! `t`, and behind a barrier all look whether `t` is there. What is written in the next turn goes
//! to the other cell, and who writes in the one after that has met all others in between, so that
//! one barrier for each turn is enough. All that write at the same time write the same.
//!
//! For the host, threads that noted something write 1 to a cell of the device's memory. The host
//! looks at it every [`EXIT_PERIOD`] iterations.

use crate::codegen::c::devices::languages::Words;
use crate::codegen::c::{Context, Printer, goes_on};
use crate::codegen::kernel::Index;
use crate::plan::defaults::EXIT_PERIOD;

/// The cells in which threads vote, and the number of the turn.
pub(crate) const VOTE: &str = "tw_vote";
pub(crate) const TURN: &str = "tw_turn";

/// What says where a kernel's threads note that a loop on the host goes on.
pub(crate) fn flag(var: &str) -> String {
    format!("{var}_flag")
}

impl Printer<'_> {
    /// The first lines of a loop that all threads of a block leave together.
    pub(crate) fn open_voted(
        &mut self,
        (var, lower, upper, step): (&str, &Index, &Index, i64),
        words: Words,
        at: Context,
    ) {
        match words.any {
            Some(_) => self.open_loop(var, lower, upper, step, at),
            // Compilers that execute threads one after another know loops with barriers by their
            // bounds.
            None => {
                let (lower, upper) = (self.index(lower), self.index(upper));
                let next = match step {
                    1 => format!("{var}++"),
                    step => format!("{var} += {step}"),
                };
                self.line(at, &format!("long {var}_end = {upper};"));
                self.line(
                    at,
                    &format!("for (long {var} = {lower}; {var} <= {var}_end; {next}) {{"),
                );
            }
        }
        self.line(at.deeper(), &format!("int {} = 0;", goes_on(var)));
    }

    /// Its last lines: the vote.
    pub(crate) fn vote(&mut self, var: &str, words: Words, at: Context) {
        let (inside, own) = (at.deeper(), goes_on(var));
        if let Some(any) = words.any {
            self.line(at, &format!("if (!{any}({own}))"));
            self.line(inside, "break;");
            return;
        }
        let cell = format!("{VOTE}[{TURN} & 1]");
        self.line(at, &format!("{TURN}++;"));
        self.line(at, &format!("if ({own})"));
        self.line(inside, &format!("{cell} = {TURN};"));
        self.line(at, words.barrier);
        self.line(at, &format!("if ({cell} != {TURN})"));
        self.line(inside, &format!("{var}_end = {var};"));
    }

    /// What stands in front of a loop that the host leaves.
    pub(crate) fn open_flag(&mut self, var: &str, words: Words, at: Context) {
        let (own, flag, prefix) = (goes_on(var), flag(var), words.prefix);
        self.line(at, &format!("int {own} = 0, {var}_turn = 0;"));
        let new = format!("{prefix}_new(sizeof(int))");
        let line = if words.in_one {
            format!("int *const {flag} = (int *){new};")
        } else {
            format!("cl_mem {flag} = {new};")
        };
        self.line(at, &line);
        self.line(
            at,
            &format!("{prefix}_upload({flag}, &{own}, sizeof(int));"),
        );
    }

    /// The end of its body.
    pub(crate) fn look_at_flag(&mut self, var: &str, words: Words, at: Context) {
        let (own, flag, prefix) = (goes_on(var), flag(var), words.prefix);
        let (inside, deep) = (at.deeper(), at.deeper().deeper());
        self.line(at, &format!("if (++{var}_turn % {EXIT_PERIOD} == 0) {{"));
        self.line(inside, &format!("if (!{own})"));
        self.line(
            deep,
            &format!("{prefix}_download(&{own}, {flag}, sizeof(int));"),
        );
        self.line(inside, &format!("if (!{own})"));
        self.line(deep, "break;");
        self.line(inside, &format!("{own} = 0;"));
        self.line(
            inside,
            &format!("{prefix}_upload({flag}, &{own}, sizeof(int));"),
        );
        self.line(at, "}");
    }

    /// What stands behind it.
    pub(crate) fn close_flag(&mut self, var: &str, words: Words, at: Context) {
        self.line(at, &format!("{}_free({});", words.prefix, flag(var)));
    }
}

/// In front of a kernel's body whose threads vote in local memory.
pub(crate) fn votes(words: Words, thread: &str) -> String {
    format!(
        "    {}unsigned int {VOTE}[2];\n    unsigned int {TURN} = 0;\n    if ({thread} == 0)\n        \
         {VOTE}[0] = {VOTE}[1] = 0;\n    {}\n",
        words.local, words.barrier
    )
}
