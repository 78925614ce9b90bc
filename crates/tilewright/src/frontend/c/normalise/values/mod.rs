//! Values: constants, steps in expressions, members, tables, and variables that are set in steps.

pub(super) mod initials;
pub(super) mod literals;
pub(super) mod lives;
pub(super) mod members;
pub(super) mod settled;
pub(super) mod steps;
pub(super) mod tables;
