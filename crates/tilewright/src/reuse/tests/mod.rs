//! The paper's examples, and its properties by enumeration.

mod choices;
mod code;
mod differences;
mod jacobi;
mod kernels;
mod machine;
mod pieces;
mod properties;
mod table;
mod times;
mod traffic;
