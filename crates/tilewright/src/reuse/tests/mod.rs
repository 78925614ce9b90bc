//! The paper's examples, and its properties by enumeration.

mod code;
mod jacobi;
mod kernels;
mod machine;
mod more;
mod pieces;
mod properties;
mod table;
mod times;
mod traffic;
