//! What the book shows is true: its commands run, its programs compile.
//!
//! Fenced blocks of every page under `docs/src`, and of the README, by their info string:
//!
//! - `console`: lines that begin with `$ ` are commands for the shell, run in order in a
//!   directory that belongs to the page and in which `examples/` is the repository's. The other
//!   lines are what they print (both streams). Words behind `console`, separated by commas:
//!   `exact`: the output is compared, and rewritten by `UPDATE_BOOK=1`; `fails=N`: the last
//!   command ends with status N instead of 0; `code=TW0101`: its output holds that code;
//!   `picture=NAME`: afterwards there is a file of that name, the same as the one beside the page;
//!   compared and rewritten like `exact`.
//! - `c`: with a region in it, a program that `tilewright compile` must accept. `file=NAME`: it is
//!   also there for the page's commands under that name; `fails=TW0201`: it is refused with that
//!   code; `warns=TW0206`: it is accepted with that warning. `cpp`: the same in C++. `make,file=NAME`: it is
//!   there under that name. `region=NAME`: not a program, but
//!   the generated lines in the page's file of that name; compared and rewritten like `exact`.
//!
//! `UPDATE_BOOK=all` also rewrites the shown output of `console` blocks that are not exact.

use crate::running::in_parallel;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .find(|dir| dir.join("crates").is_dir())
        .unwrap()
        .to_path_buf()
}

fn pages() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut pending = vec![root().join("docs/src")];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A fenced block.
struct Block {
    /// Its language and the words behind.
    info: Vec<String>,
    /// Line number of its first line of text, from 0.
    first: usize,
    lines: Vec<String>,
}

impl Block {
    fn is(&self, language: &str) -> bool {
        self.info[0] == language
    }

    fn has(&self, word: &str) -> bool {
        self.info.iter().any(|w| w == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.info
            .iter()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(info) => {
                let info = info.split(',').map(|word| word.trim().to_owned()).collect();
                blocks.push(Block {
                    info,
                    first: number + 1,
                    lines: Vec::new(),
                });
                inside = true;
            }
            None if inside => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line.to_owned());
                }
            }
            None => {}
        }
    }
    assert!(!inside, "a block is not closed");
    blocks
}

/// What a command printed and how it ended.
struct Ended {
    status: i32,
    output: String,
}

fn shell(directory: &Path, command: &str) -> Ended {
    let binary = Path::new(env!("CARGO_BIN_EXE_tilewright"))
        .parent()
        .unwrap()
        .to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(binary).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1\n{command}"))
        .current_dir(directory)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("TILEWRIGHT_MACHINE", "none")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ended {
        status: output.status.code().unwrap_or(-1),
        output: output_text,
    }
}

/// Works through one page and returns what is wrong with it.
fn check(page: &Path, update: Option<&str>) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let directory = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("examples"), directory.path().join("examples")).unwrap();
    let mut wrong = Vec::new();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // From the last block on, lines can be replaced without moving the others.
    let mut replaced = Vec::new();
    for block in blocks(&text) {
        let at = format!("{}:{}", page.display(), block.first);
        if let Some(name) = block.value("region") {
            let shown = generated(&directory.path().join(name));
            if shown != block.lines && update.is_some() {
                replaced.push((block.first, block.lines.len(), shown));
            } else if shown != block.lines {
                wrong.push(format!("{at}: {name} holds\n{}\n", shown.join("\n")));
            }
        } else if block.is("c") || block.is("cpp") {
            wrong.extend(program(directory.path(), &block).map(|w| format!("{at}: {w}")));
        } else if let Some(name) = block.value("file").filter(|_| block.is("make")) {
            fs::write(directory.path().join(name), block.lines.join("\n") + "\n").unwrap();
        } else if block.is("console") {
            match console(directory.path(), &block) {
                Err(why) => wrong.push(format!("{at}: {why}")),
                Ok(shown) => {
                    let same = shown == block.lines;
                    let shows = block.lines.iter().any(|line| !line.starts_with("$ "));
                    let exact = block.has("exact");
                    if (exact && update.is_some()) || (shows && update == Some("all")) {
                        replaced.push((block.first, block.lines.len(), shown));
                    } else if exact && !same {
                        wrong.push(format!("{at}: it prints\n{}\n", shown.join("\n")));
                    }
                    if let Some(name) = block.value("picture") {
                        let made = fs::read(directory.path().join(name)).unwrap_or_default();
                        let beside = page.with_file_name(name);
                        let same = fs::read(&beside).is_ok_and(|there| there == made);
                        if !same && update.is_some() {
                            fs::write(&beside, made).unwrap();
                        } else if !same {
                            wrong.push(format!("{at}: {name} has changed"));
                        }
                    }
                }
            }
        }
    }
    if !replaced.is_empty() {
        for (first, count, shown) in replaced.into_iter().rev() {
            lines.splice(first..first + count, shown);
        }
        fs::write(page, lines.join("\n") + "\n").unwrap();
    }
    wrong
}

/// Runs the commands of a block; returns its lines as they should be.
fn console(directory: &Path, block: &Block) -> Result<Vec<String>, String> {
    let commands: Vec<&str> = block
        .lines
        .iter()
        .filter_map(|l| l.strip_prefix("$ "))
        .collect();
    let mut shown = Vec::new();
    for (number, command) in commands.iter().enumerate() {
        let ended = shell(directory, command);
        let last = number + 1 == commands.len();
        let fails = block
            .value("fails")
            .filter(|_| last)
            .map_or(0, |n| n.parse().unwrap());
        if ended.status != fails {
            let Ended { status, output } = ended;
            return Err(format!(
                "`{command}` ended with {status} instead of {fails}\n{output}"
            ));
        }
        if let Some(code) = block.value("code").filter(|_| last) {
            if !ended.output.contains(code) {
                return Err(format!(
                    "`{command}` does not print {code}\n{}",
                    ended.output
                ));
            }
        }
        shown.push(format!("$ {command}"));
        shown.extend(ended.output.lines().map(|line| line.trim_end().to_owned()));
    }
    if commands.is_empty() {
        return Err("no line begins with `$ `".to_owned());
    }
    Ok(shown)
}

/// The lines of a compiled file that stand for its regions, or in front of their functions, without
/// their common indentation.
fn generated(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut inside = false;
    let mut in_function = false;
    let (mut functions, mut lines) = (Vec::new(), Vec::new());
    for line in text.lines() {
        in_function |= line.starts_with("/* tilewright: some iterations");
        if in_function {
            in_function = line != "}";
            functions.push(line.to_owned());
            if !in_function {
                functions.push(String::new());
            }
            continue;
        }
        match line.trim() {
            "/* tilewright: begin */" => inside = true,
            "/* tilewright: end */" => inside = false,
            _ if inside => lines.push(line.to_owned()),
            _ => {}
        }
    }
    let indentation = |line: &String| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let common = filled.map(indentation).min().unwrap_or(0);
    let lines = lines.iter();
    let lines = lines.map(|line| line.get(common..).unwrap_or("").to_owned());
    functions.into_iter().chain(lines).collect()
}

/// Compiles a program in C or C++; returns what is wrong.
fn program(directory: &Path, block: &Block) -> Option<String> {
    let text = block.lines.join("\n") + "\n";
    let language = &*block.info[0];
    let of_block = format!("block.{language}");
    let name = block.value("file").unwrap_or(&of_block);
    fs::write(directory.join(name), &text).unwrap();
    let fails = block.value("fails");
    if fails.is_none() && !text.contains("#pragma scop") {
        return None;
    }
    let ended = shell(
        directory,
        &format!("tilewright compile {name} -o block.out.{language}"),
    );
    let (status, expected) = match fails {
        Some(code) => (1, code),
        None => (0, block.value("warns").unwrap_or("")),
    };
    if ended.status != status || !ended.output.contains(expected) {
        return Some(format!(
            "expected status {status} {expected}, got {}\n{}",
            ended.status, ended.output
        ));
    }
    if status == 0 {
        let flags = "-fopenmp -fsyntax-only -Wno-unknown-pragmas";
        let compiler = match language {
            "cpp" => "${CXX:-c++} -std=gnu++17",
            _ => "${CC:-cc} -std=gnu11",
        };
        let compiled = shell(
            directory,
            &format!("{compiler} {flags} block.out.{language}"),
        );
        if compiled.status != 0 {
            return Some(format!(
                "what comes out is not {language}:\n{}",
                compiled.output
            ));
        }
    }
    None
}

#[test]
fn examples_of_the_book_work() {
    let update = std::env::var("UPDATE_BOOK").ok();
    let wrong = in_parallel(&pages(), |page| {
        let wrong = check(page, update.as_deref());
        (!wrong.is_empty()).then(|| wrong.join("\n"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `--option`s that a text mentions.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words
        .filter(|w| w.len() > 3 && w.starts_with("--"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_option_is_in_the_reference() {
    let directory = tempfile::tempdir().unwrap();
    let help = shell(directory.path(), "tilewright --help").output;
    let (_, commands) = help
        .split_once("Commands:")
        .expect("the help lists commands");
    let commands = commands
        .lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty());
    let names: Vec<&str> = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(
        names.contains(&"compile") && names.contains(&"run"),
        "{help}"
    );
    let reference = fs::read_to_string(root().join("docs/src/options.md")).unwrap();
    let together = tilewright::planner::requests::table();
    assert!(
        reference.contains(&together),
        "docs/src/options.md lacks this table:\n{together}"
    );
    let documented = options(&reference);
    let mut known = options(&help);
    for name in &names {
        let heading = format!("## `tilewright {name}`");
        assert!(
            reference.contains(&heading),
            "docs/src/options.md has no heading {heading}"
        );
        known.extend(options(
            &shell(directory.path(), &format!("tilewright {name} --help")).output,
        ));
    }
    let missing: Vec<&String> = known.difference(&documented).collect();
    assert!(
        missing.is_empty(),
        "options that docs/src/options.md does not have: {missing:?}"
    );
    let gone: Vec<&String> = documented.difference(&known).collect();
    assert!(
        gone.is_empty(),
        "options in docs/src/options.md that do not exist: {gone:?}"
    );
}
