//! `tilewright cache`

use super::Outcome;
use crate::arguments::{CacheAction, CacheArguments};
use crate::terminal::{Failure, print, print_json, say};
use serde_json::json;
use tilewright_driver::cache::{Cache, Contents};

/// Says what is kept on disk, or removes it.
pub fn run(arguments: &CacheArguments) -> Result<Outcome, Failure> {
    let cache = Cache::open();
    let cleared = matches!(arguments.action, Some(CacheAction::Clear));
    let contents = if cleared {
        cache.clear()?
    } else {
        cache.contents()
    };
    if let Some(words) = cache.warning() {
        say(format_args!("warning: {words}\n"));
    }
    if arguments.json {
        print_json(&json!({ "cleared": cleared, "cache": contents }))?;
    } else {
        print(&text(&contents, cleared))?;
    }
    Ok(Outcome::Done)
}

fn text(contents: &Contents, cleared: bool) -> String {
    let Some(directory) = &contents.directory else {
        return "nothing is kept on disk\n".to_owned();
    };
    let plural = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {more}"),
    };
    let entries = plural(contents.entries, "entry", "entries");
    let all = size(contents.bytes);
    let place = directory.display();
    if cleared {
        return format!("removed {entries} with {all} from {place}\n");
    }
    let kernels = plural(contents.libraries, "kernel", "kernels");
    let limit = size(contents.limit);
    format!("{place}: {entries}, {kernels} among them, {all} of at most {limit}\n")
}

/// Bytes as people say them.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_240 => format!("{bytes} bytes"),
        10_240..10_485_760 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}
