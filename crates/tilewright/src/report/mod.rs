//! Explanations of what was decided and why.
