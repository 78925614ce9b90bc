//! Peers from the command line.

use crate::setting::Failure;
use std::path::PathBuf;
use tilewright_driver::contest::Peer;

/// Reads `PROGRAM=LIBRARY[:SYMBOL[:LABEL]]`; symbol and label are the program's and the library's
/// name unless given.
pub fn peer(text: &str) -> Result<(String, Peer), Failure> {
    let (program, place) = text
        .split_once('=')
        .ok_or("write --peer PROGRAM=LIBRARY[:SYMBOL[:LABEL]]")?;
    let mut parts = place.splitn(3, ':');
    let library = PathBuf::from(parts.next().unwrap_or_default());
    let symbol = parts.next().unwrap_or(program).to_owned();
    let stem = library.file_stem().unwrap_or_default().to_string_lossy();
    let name = parts
        .next()
        .map_or_else(|| stem.into_owned(), str::to_owned);
    Ok((
        program.to_owned(),
        Peer {
            name,
            library,
            symbol,
        },
    ))
}
