//! What is expected beside what is seen.

use crate::read::Expected;
use crate::{Check, Message, Part, Seen};

/// An expectation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Where it stands, from 0.
    pub line: usize,
    /// What is expected, and what is seen in its place.
    pub words: String,
}

impl Part {
    /// What is not as it is expected.
    pub fn wrong(&self, seen: &Seen) -> Vec<Wrong> {
        let line = self.checks.first().map_or(self.end, |check| check.line);
        let of_all = |words: String| vec![Wrong { line, words }];
        if self.checks.is_empty() {
            return of_all("nothing is expected of this".to_owned());
        }
        // That something is accepted goes without saying.
        if seen.refused != self.is_refused() {
            let words = match seen.refused {
                true => "it is refused",
                false => "it is accepted, and not refused",
            };
            return of_all(format!("{words}{}", shown(&all(&seen.messages))));
        }
        let wrong = |check: &Check| {
            let words = check.expected.wrong(seen)?;
            let line = check.line;
            Some(Wrong { line, words })
        };
        self.checks.iter().filter_map(wrong).collect()
    }

    /// Whether it is to be refused.
    pub fn is_refused(&self) -> bool {
        let is = |check: &Check| match check.expected {
            Expected::Messages { refused, .. } | Expected::Message { refused, .. } => refused,
            _ => false,
        };
        self.checks.iter().any(is)
    }
}

impl Expected {
    /// What is wrong, where it is not met.
    pub fn wrong(&self, seen: &Seen) -> Option<String> {
        let said = || shown(&all(&seen.messages));
        match self {
            Expected::Messages { text, .. } => {
                let found = all(&seen.messages);
                let words = || format!("other messages{}", difference(text, &found));
                (found != *text).then(words)
            }
            Expected::Message {
                code, place, words, ..
            } => {
                let is = |message: &Message| {
                    says(message, code.as_deref(), words)
                        && place.is_none_or(|place| message.place == Some(place))
                };
                let none = !seen.messages.iter().any(is);
                none.then(|| format!("no message of this kind{}", said()))
            }
            Expected::Unsaid(words) => {
                let says = |message: &Message| message.text.contains(&**words);
                let said = seen.messages.iter().find(|message| says(message));
                said.map(|message| format!("`{words}` is said{}", shown(&message.text)))
            }
            Expected::Left(code) => {
                let warned = seen.messages.iter().any(|message| message.code == *code);
                match (seen.left, warned) {
                    (true, true) => None,
                    (true, false) => Some(format!("left as it was, without {code}{}", said())),
                    (false, _) => Some(format!("not left as it was{}", said())),
                }
            }
            Expected::Identical => match &seen.identical {
                Some(Ok(())) => None,
                Some(Err(why)) => Some(format!("not executed beside the original: {why}")),
                None => Some("nothing is executed here".to_owned()),
            },
            Expected::Text(topic, text) => {
                let found = seen.text(topic);
                (found != *text).then(|| format!("other {topic}{}", difference(text, found)))
            }
            Expected::Contains(topic, words) => {
                let found = seen.text(topic);
                let lacks = !found.contains(&**words);
                lacks.then(|| format!("`{words}` is not in the {topic}{}", shown(found)))
            }
            Expected::Lacks(topic, words) => {
                let found = seen.text(topic);
                let contains = found.contains(&**words);
                contains.then(|| format!("`{words}` is in the {topic}{}", shown(found)))
            }
            Expected::Lines(topic, lines) => {
                let found: Vec<&str> = seen.text(topic).lines().map(str::trim).collect();
                let lines: Vec<&str> = lines.lines().map(str::trim).collect();
                let has = found.windows(lines.len()).any(|part| part == lines);
                let words = || format!("no such lines in the {topic}{}", shown(seen.text(topic)));
                (!has).then(words)
            }
        }
    }
}

impl Seen {
    /// What came out under this name.
    pub fn text(&self, topic: &str) -> &str {
        self.texts
            .get(topic)
            .map_or("", |text| text.trim_end().trim_start_matches('\n'))
    }
}

/// Whether a message has this code and says this.
pub fn says(message: &Message, code: Option<&str>, words: &str) -> bool {
    code.is_none_or(|code| message.code == code) && message.text.contains(words)
}

/// All messages, as they are shown.
pub fn all(messages: &[Message]) -> String {
    let texts = messages.iter().map(|message| message.text.trim_end());
    texts.collect::<Vec<_>>().join("\n")
}

/// A text below a line of words.
fn shown(text: &str) -> String {
    match text.trim_end() {
        "" => "; there is none".to_owned(),
        text => format!(":\n    {}", text.replace('\n', "\n    ")),
    }
}

/// Two texts, as far as they differ: `-` what is expected, `+` what is seen.
fn difference(expected: &str, seen: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), seen.lines().collect());
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let behind = old[front..].iter().rev().zip(new[front..].iter().rev());
    let behind = behind.take_while(|(a, b)| a == b).count();
    let mut text = String::from(":");
    let mut line = |sign: char, line: &str| text += &format!("\n  {sign} {line}");
    old[front.saturating_sub(2)..front]
        .iter()
        .for_each(|words| line(' ', words));
    old[front..old.len() - behind]
        .iter()
        .for_each(|words| line('-', words));
    new[front..new.len() - behind]
        .iter()
        .for_each(|words| line('+', words));
    let rest = &new[new.len() - behind..];
    rest.iter().take(2).for_each(|words| line(' ', words));
    text
}
