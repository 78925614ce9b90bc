//! Peers from the command line.

use crate::setting::Failure;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tilewright_driver::measure::contest::Peer;

/// Reads `PROGRAM=LIBRARY[:SYMBOL[:LABEL]]` and gives peers by their programs; symbol and label are
/// the program's function and the library's name unless given.
pub fn peers(
    texts: &[String],
    function: impl Fn(&str) -> String,
) -> Result<BTreeMap<String, Vec<Peer>>, Failure> {
    let mut all: BTreeMap<String, Vec<Peer>> = BTreeMap::new();
    for text in texts {
        let (program, place) = text
            .split_once('=')
            .ok_or("write --peer PROGRAM=LIBRARY[:SYMBOL[:LABEL]]")?;
        let mut parts = place.splitn(3, ':');
        let library = PathBuf::from(parts.next().unwrap_or_default());
        let symbol = parts.next().map(str::to_owned);
        let symbol = symbol.unwrap_or_else(|| function(program));
        let stem = library.file_stem().unwrap_or_default().to_string_lossy();
        let name = parts.next().map(str::to_owned);
        let peer = Peer {
            name: name.unwrap_or_else(|| stem.into_owned()),
            library,
            symbol,
        };
        all.entry(program.to_owned()).or_default().push(peer);
    }
    Ok(all)
}
