//! The certifier by what it says of pairs of texts, in one program: it is linked once.

mod arguments;
mod common;
mod coverage;
mod cuda;
mod device;
mod forms;
mod functions;
mod gcc;
mod host;
mod language;
mod messages;
mod mistakes;
mod numbers;
mod opencl;
mod openmp;
mod outside;
mod printed;
mod refusals;
mod threads;
mod traces;
mod undefined;
mod wide;
