//! Everything from one end to the other, through the command: from C to C that is built and run, its
//! pages, and the rules of the repository. One program, so that it is linked once.

mod assumptions;
mod book;
mod command_line;
mod constructs;
mod coverage;
mod cplusplus;
mod devices;
mod dialects;
mod dynamic;
mod everyday;
mod examples;
mod figures;
mod inspection;
mod loops;
mod matrices;
mod numbers;
mod pencil;
mod programs;
mod projects;
mod reductions;
mod repository;
mod reuse;
mod rings;
mod running;
mod sparse;
mod surroundings;
mod versions;
