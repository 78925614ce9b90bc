//! From the schedule tree to text: isl's AST generation, our kernel AST, printers.

pub mod kernel;
