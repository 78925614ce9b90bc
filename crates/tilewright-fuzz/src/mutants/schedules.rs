//! Schedule trees that are not as the transform made them.
//!
//! A tree is changed in isl's own text: loops swapped, turned round, shifted, skewed or left out,
//! loops marked parallel, marks moved, doubled or gone, sequences in
//! another order or with a part twice.

use crate::random::Random;
use tilewright::transform::Transformed;

/// isl's text of a schedule tree.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    /// Keys with their values; a node of the tree.
    Map(Vec<(String, Tree)>),
    List(Vec<Tree>),
    /// What stands in quotes.
    Text(String),
    /// What does not.
    Word(String),
}

impl Tree {
    fn parse(text: &str) -> Option<Tree> {
        let mut rest = text;
        let tree = Tree::read(&mut rest)?;
        rest.trim().is_empty().then_some(tree)
    }

    fn read(rest: &mut &str) -> Option<Tree> {
        *rest = rest.trim_start();
        let first = rest.chars().next()?;
        match first {
            '"' => {
                let (text, behind) = rest[1..].split_once('"')?;
                *rest = behind;
                Some(Tree::Text(text.to_owned()))
            }
            '{' => {
                *rest = &rest[1..];
                let mut entries = Vec::new();
                while !closed(rest, '}')? {
                    let (key, behind) = rest.split_once(':')?;
                    *rest = behind;
                    let key = key.trim().trim_matches('"').to_owned();
                    entries.push((key, Tree::read(rest)?));
                }
                Some(Tree::Map(entries))
            }
            '[' => {
                *rest = &rest[1..];
                let mut items = Vec::new();
                while !closed(rest, ']')? {
                    items.push(Tree::read(rest)?);
                }
                Some(Tree::List(items))
            }
            _ => {
                let end = rest.find([',', '}', ']', ' ', '\n'])?;
                let word = rest[..end].to_owned();
                *rest = &rest[end..];
                Some(Tree::Word(word))
            }
        }
    }

    fn print(&self, out: &mut String) {
        match self {
            Tree::Text(text) => {
                out.push('"');
                out.push_str(text);
                out.push('"');
            }
            Tree::Word(word) => out.push_str(word),
            Tree::List(items) => {
                out.push('[');
                for (k, item) in items.iter().enumerate() {
                    out.push_str(if k == 0 { " " } else { ", " });
                    item.print(out);
                }
                out.push_str(" ]");
            }
            Tree::Map(entries) => {
                out.push('{');
                for (k, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if k == 0 { " " } else { ", " });
                    out.push_str(key);
                    out.push_str(": ");
                    value.print(out);
                }
                out.push_str(" }");
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Tree> {
        match self {
            Tree::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut Tree> {
        match self {
            Tree::Map(entries) => entries.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// Calls `f` on every node of the tree, outer ones first.
    fn nodes<'a>(&'a mut self, f: &mut dyn FnMut(&mut Tree)) {
        if matches!(self, Tree::Map(_)) {
            f(self);
        }
        match self {
            Tree::Map(entries) => entries.iter_mut().for_each(|(_, v)| v.nodes(f)),
            Tree::List(items) => items.iter_mut().for_each(|v| v.nodes(f)),
            _ => {}
        }
    }
}

/// Whether what is open ends here; steps over a comma.
fn closed(rest: &mut &str, end: char) -> Option<bool> {
    *rest = rest.trim_start();
    if let Some(behind) = rest.strip_prefix(',') {
        *rest = behind.trim_start();
    }
    let first = rest.chars().next()?;
    if first == end {
        *rest = &rest[1..];
    }
    Some(first == end)
}

/// The loops of a band: what stands in front, and each loop's values by statement.
struct Loops {
    front: String,
    members: Vec<Vec<String>>,
}

impl Loops {
    fn parse(text: &str) -> Option<Loops> {
        let at = text.find("[{")?;
        let body = text[at..].strip_prefix('[')?.strip_suffix(']')?;
        let members = body.split("},").map(|member| {
            let inner = member.trim().trim_start_matches('{').trim_end_matches('}');
            inner.split(';').map(|p| p.trim().to_owned()).collect()
        });
        Some(Loops {
            front: text[..at].to_owned(),
            members: members.collect(),
        })
    }

    fn text(&self) -> String {
        let members: Vec<String> = self
            .members
            .iter()
            .map(|pieces| format!("{{ {} }}", pieces.join("; ")))
            .collect();
        format!("{}[{}]", self.front, members.join(", "))
    }
}

/// The value of a statement in a loop: what stands before, the value, and the condition.
fn value(piece: &str) -> Option<(&str, &str, &str)> {
    let at = piece.rfind("-> [")? + 4;
    let end = at + piece[at..].find(']')?;
    // A statement's own brackets stand before.
    Some((&piece[..at], &piece[at..end], &piece[end..]))
}

fn with_value(piece: &str, f: impl Fn(&str) -> String) -> Option<String> {
    let (before, value, behind) = value(piece)?;
    Some(format!("{before}{}{behind}", f(value)))
}

/// The schedule with one change, and what was done; nothing where that is no change, or isl cannot
/// read it.
pub fn mutate(transformed: &Transformed, random: &mut Random) -> Option<(Transformed, String)> {
    let text = transformed.schedule.to_string();
    let mut tree = Tree::parse(&text)?;
    let done = change(&mut tree, random)?;
    let mut changed = String::new();
    tree.print(&mut changed);
    let schedule = isl::Schedule::read_from_str(transformed.schedule.ctx(), &changed).ok()?;
    if schedule.to_string() == text {
        return None;
    }
    let mutant = Transformed {
        schedule,
        ..transformed.clone()
    };
    Some((mutant, done.to_owned()))
}

fn change(tree: &mut Tree, random: &mut Random) -> Option<&'static str> {
    let key = random.weighted(&[(7, "schedule"), (2, "sequence"), (2, "mark")]);
    let mut count = 0;
    tree.nodes(&mut |node| count += usize::from(node.get(key).is_some()));
    if count == 0 {
        return None;
    }
    let (at, mut seen, mut done) = (random.below(count), 0, None);
    tree.nodes(&mut |node| {
        if node.get(key).is_some() {
            if seen == at {
                done = match key {
                    "schedule" => change_band(node, random),
                    "sequence" => change_sequence(node, random),
                    _ => change_mark(node, random),
                };
            }
            seen += 1;
        }
    });
    done
}

fn change_band(node: &mut Tree, random: &mut Random) -> Option<&'static str> {
    let Some(Tree::Text(text)) = node.get("schedule") else {
        return None;
    };
    let mut loops = Loops::parse(text)?;
    let count = loops.members.len();
    let at = random.below(count);
    let piece = random.below(loops.members[at].len());
    let (all, number) = (random.percent(50), *random.pick(&[-2, -1, 1, 2]));
    let mut each = |f: &dyn Fn(&str) -> String| -> Option<()> {
        for (k, own) in loops.members[at].iter_mut().enumerate() {
            if all || k == piece {
                *own = with_value(own, f)?;
            }
        }
        Some(())
    };
    let done = match random.below(9) {
        0 if count > 1 => {
            let other = random.below(count);
            loops.members.swap(at, other);
            "loops swapped"
        }
        1 if count > 1 => {
            loops.members.reverse();
            "loops in reverse order"
        }
        2 if count > 1 => {
            loops.members.remove(at);
            "a loop left out"
        }
        3 => {
            each(&|v| format!("-({v})"))?;
            "a loop turned round"
        }
        4 => {
            each(&|v| format!("{number} + ({v})"))?;
            "a loop shifted"
        }
        5 => {
            each(&|_| "0".to_owned())?;
            "a loop of one iteration"
        }
        6 => {
            each(&|v| format!("floor(({v})/2)"))?;
            "iterations of a loop joined"
        }
        7 if count > 1 => {
            let other = (at + 1 + random.below(count - 1)) % count;
            let from = loops.members[other].clone();
            for own in &mut loops.members[at] {
                let Some((name, _)) = own.split_once('[') else {
                    continue;
                };
                let name = format!("{name}[");
                let Some(found) = from.iter().find(|p| p.starts_with(&name)) else {
                    continue;
                };
                let (_, more, _) = value(found)?;
                *own = with_value(own, |v| format!("{v} + {number} * ({more})"))?;
            }
            "a loop skewed"
        }
        _ => return mark_parallel(node, &loops, at),
    };
    *node.get_mut("schedule")? = Tree::Text(loops.text());
    if let Tree::Map(entries) = node {
        entries.retain(|(key, _)| key != "coincident" && key != "options");
    }
    Some(done)
}

/// The band in up to three, and a mark above the middle one's only loop.
fn mark_parallel(node: &mut Tree, loops: &Loops, at: usize) -> Option<&'static str> {
    let Tree::Map(entries) = node else {
        return None;
    };
    let inner = entries.iter().find(|(key, _)| key == "child").cloned();
    let band = |members: &[Vec<String>], child: Option<(String, Tree)>| {
        if members.is_empty() {
            return child;
        }
        let own = Loops {
            front: loops.front.clone(),
            members: members.to_vec(),
        };
        let mut entries = vec![("schedule".to_owned(), Tree::Text(own.text()))];
        entries.extend(child);
        Some(("child".to_owned(), Tree::Map(entries)))
    };
    let behind = band(&loops.members[at + 1..], inner);
    let own = band(&loops.members[at..=at], behind)?;
    let mark = vec![("mark".to_owned(), Tree::Text("parallel".to_owned())), own];
    let mark = Some(("child".to_owned(), Tree::Map(mark)));
    let (_, whole) = band(&loops.members[..at], mark)?;
    *node = whole;
    Some("a loop marked parallel")
}

fn change_sequence(node: &mut Tree, random: &mut Random) -> Option<&'static str> {
    let Some(Tree::List(parts)) = node.get_mut("sequence") else {
        return None;
    };
    let count = parts.len();
    if count < 2 {
        return None;
    }
    let (at, other) = (random.below(count), random.below(count));
    Some(match random.below(5) {
        4 => {
            parts.push(parts[at].clone());
            "a part of a sequence twice"
        }
        0 => {
            parts.reverse();
            "a sequence in reverse order"
        }
        1 => {
            parts.rotate_left(1);
            "a sequence that begins with its second part"
        }
        2 => {
            parts.remove(at);
            "a part of a sequence left out"
        }
        _ => {
            parts.swap(at, other);
            "parts of a sequence swapped"
        }
    })
}

fn change_mark(node: &mut Tree, random: &mut Random) -> Option<&'static str> {
    let Some(Tree::Text(name)) = node.get("mark") else {
        return None;
    };
    let name = name.clone();
    match (random.below(4), name.strip_prefix("scope:")) {
        (3, Some(_)) => {
            let own = node.clone();
            *node.get_mut("child")? = own;
            Some("a mark inside itself")
        }
        (0, Some(scope)) => {
            let scope: i64 = scope.parse().ok()?;
            let other = if scope > 0 { scope - 1 } else { 1 };
            *node.get_mut("mark")? = Tree::Text(format!("scope:{other}"));
            Some("a scope's mark with another number")
        }
        (1, _) => {
            // The mark below what stands below it.
            let child = node.get("child")?.clone();
            let inner = child.get("child")?.clone();
            let Tree::Map(mut below) = child else {
                return None;
            };
            let mark = Tree::Map(vec![
                ("mark".to_owned(), Tree::Text(name.clone())),
                ("child".to_owned(), inner),
            ]);
            below.iter_mut().find(|(key, _)| key == "child")?.1 = mark;
            *node = Tree::Map(below);
            Some("a mark further inside")
        }
        _ => {
            *node = node.get("child")?.clone();
            Some("a mark left out")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_read_and_printed() {
        let text = r#"{ domain: "[n] -> { S[i, j] : 0 <= i, j < n }", child: { mark: "parallel", child: { schedule: "[n] -> [{ S[i, j] -> [(i)] }]", permutable: 1, coincident: [ 1 ] } } }"#;
        let mut printed = String::new();
        Tree::parse(text).unwrap().print(&mut printed);
        assert_eq!(printed, text);
        let ctx = isl::Ctx::new();
        assert!(isl::Schedule::read_from_str(&ctx, &printed).is_ok());
    }

    #[test]
    fn loops_are_read_and_printed() {
        let text =
            "[n] -> [{ S[i, j] -> [(i)]; T[i] -> [(i + 1)] }, { S[i, j] -> [(j)]; T[i] -> [(0)] }]";
        let loops = Loops::parse(text).unwrap();
        assert_eq!(loops.members.len(), 2);
        assert_eq!(loops.members[0].len(), 2);
        assert_eq!(loops.text(), text);
        let shifted = with_value("T[i] -> [(i + 1)]", |v| format!("1 + {v}"));
        assert_eq!(shifted.unwrap(), "T[i] -> [1 + (i + 1)]");
    }
}
