//! Options of `cache`.

use clap::{Args, Subcommand};

/// Options of `cache`.
#[derive(Debug, Args)]
pub struct CacheArguments {
    /// What to do; without it, say where the cache is and what is in it.
    #[command(subcommand)]
    pub action: Option<CacheAction>,
    /// Print one JSON object.
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum CacheAction {
    /// Remove all entries.
    Clear,
}
