//! A small preprocessor for macros that a text defines and uses itself.

use crate::names::Names;

#[derive(Clone, Debug)]
struct Macro {
    /// Parameters, where it has a list of them.
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Blank,
    /// Numbers, literals, operators.
    Other(String),
}

/// The macros that are defined at some place.
pub(super) struct Macros {
    all: Names<String, Macro>,
}

/// What the compiler defines and the printers use.
const PREDEFINED: [(&str, &str); 14] = [
    ("__UINTPTR_TYPE__", "unsigned long"),
    ("__INTPTR_TYPE__", "long"),
    ("__SIZE_TYPE__", "unsigned long"),
    ("__PTRDIFF_TYPE__", "long"),
    ("__INT8_TYPE__", "signed char"),
    ("__INT16_TYPE__", "short"),
    ("__INT32_TYPE__", "int"),
    ("__INT64_TYPE__", "long"),
    ("__UINT8_TYPE__", "unsigned char"),
    ("__UINT16_TYPE__", "unsigned short"),
    ("__UINT32_TYPE__", "unsigned"),
    ("__UINT64_TYPE__", "unsigned long"),
    ("__INT_MAX__", "0x7fffffff"),
    ("__LONG_MAX__", "0x7fffffffffffffffL"),
];

/// Bytes that one line may expand to.
const LONGEST: usize = 4 << 20;
const DEEPEST: usize = 200;

impl Macros {
    pub fn predefined() -> Macros {
        let mut all = Names::default();
        for (name, text) in PREDEFINED {
            let body = tokens(text);
            all.insert(name.to_owned(), Macro { params: None, body });
        }
        Macros { all }
    }

    /// What stands behind `#define`.
    pub fn define(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim();
        let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        if name.is_empty() {
            return Err("a #define without a name".into());
        }
        let mut params = None;
        if let Some(list) = rest.strip_prefix('(') {
            let Some((list, body)) = list.split_once(')') else {
                return Err(format!("the parameters of macro `{name}`"));
            };
            let names = list.split(',').map(|p| p.trim().to_owned());
            params = Some(names.filter(|p| !p.is_empty()).collect());
            rest = body;
        }
        if rest.contains('#') || rest.contains("__VA_ARGS__") {
            return Err(format!("the operators of macro `{name}`"));
        }
        let body = tokens(rest.trim());
        self.all.insert(name.to_owned(), Macro { params, body });
        Ok(())
    }

    pub fn is_defined(&self, name: &str) -> bool {
        self.all.contains_key(name)
    }

    pub fn undefine(&mut self, name: &str) {
        self.all.remove(name);
    }

    /// A line with its macros expanded; `None` where the arguments of one go on behind it.
    pub fn expand(&self, line: &str) -> Result<Option<String>, String> {
        let mut words = line.split(|c: char| !is_word(c));
        if !words.any(|word| self.all.contains_key(word)) {
            return Ok(Some(line.to_owned()));
        }
        let mut out = Vec::new();
        let mut size = 0;
        if !self.run(&tokens(line), &mut Vec::new(), &mut out, &mut size)? {
            return Ok(None);
        }
        let mut text = String::with_capacity(size);
        // Blanks in front stay, so that columns are recognised.
        for token in &out {
            match token {
                Token::Word(word) | Token::Other(word) => text.push_str(word),
                Token::Blank => text.push(' '),
            }
        }
        Ok(Some(text))
    }

    /// False where a call is not complete.
    fn run(
        &self,
        tokens: &[Token],
        hidden: &mut Vec<String>,
        out: &mut Vec<Token>,
        size: &mut usize,
    ) -> Result<bool, String> {
        if hidden.len() > DEEPEST {
            return Err("macros nested too deeply".into());
        }
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            let found = match token {
                Token::Word(name) if !hidden.contains(name) => {
                    self.all.get(name).map(|found| (name, found))
                }
                _ => None,
            };
            let Some((name, found)) = found else {
                *size += match token {
                    Token::Word(word) | Token::Other(word) => word.len(),
                    Token::Blank => 1,
                };
                if *size > LONGEST {
                    return Err("a line that grows beyond 4 MB".into());
                }
                out.push(token.clone());
                continue;
            };
            let Some(params) = &found.params else {
                hidden.push(name.clone());
                let whole = self.run(&found.body, hidden, out, size)?;
                hidden.pop();
                if !whole {
                    return Ok(false);
                }
                continue;
            };
            let mut open = at;
            while tokens.get(open) == Some(&Token::Blank) {
                open += 1;
            }
            match tokens.get(open) {
                Some(Token::Other(paren)) if paren == "(" => {}
                _ => {
                    out.push(token.clone());
                    continue;
                }
            }
            let Some((arguments, end)) = arguments(tokens, open + 1) else {
                return Ok(false);
            };
            at = end;
            let none = params.is_empty() && arguments.iter().all(|a| a.is_empty());
            if !none && arguments.len() != params.len() {
                return Err(format!("a call of macro `{name}`"));
            }
            let mut expanded = Vec::new();
            for argument in &arguments {
                let mut one = Vec::new();
                if !self.run(argument, hidden, &mut one, size)? {
                    return Ok(false);
                }
                expanded.push(one);
            }
            let mut body = Vec::new();
            for token in &found.body {
                let param = match token {
                    Token::Word(word) => params.iter().position(|p| p == word),
                    _ => None,
                };
                match param {
                    Some(index) => body.extend(expanded[index].iter().cloned()),
                    None => body.push(token.clone()),
                }
                if body.len() > LONGEST {
                    return Err("a line that grows beyond 4 MB".into());
                }
            }
            hidden.push(name.clone());
            let whole = self.run(&body, hidden, out, size)?;
            hidden.pop();
            if !whole {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Arguments from behind the bracket on, and where the tokens behind the call begin.
fn arguments(tokens: &[Token], from: usize) -> Option<(Vec<&[Token]>, usize)> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, from);
    for (at, token) in tokens.iter().enumerate().skip(from) {
        let Token::Other(text) = token else { continue };
        match text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" if depth == 0 => {
                found.push(trimmed(&tokens[start..at]));
                return Some((found, at + 1));
            }
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                found.push(trimmed(&tokens[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

fn trimmed(mut tokens: &[Token]) -> &[Token] {
    while let [Token::Blank, rest @ ..] = tokens {
        tokens = rest;
    }
    while let [rest @ .., Token::Blank] = tokens {
        tokens = rest;
    }
    tokens
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            found.push(Token::Blank);
            first.len_utf8()
        } else if first.is_ascii_digit() {
            // A dot in front of it is as good as a part of it.
            let end = number(rest);
            found.push(Token::Other(rest[..end].to_owned()));
            end
        } else if is_word(first) {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            found.push(Token::Word(rest[..end].to_owned()));
            end
        } else if first == '"' || first == '\'' {
            let end = literal(rest, first);
            found.push(Token::Other(rest[..end].to_owned()));
            end
        } else {
            found.push(Token::Other(first.to_string()));
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// The length of a number, with its suffix and exponent.
fn number(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let sign = (c == '+' || c == '-') && "eEpP".contains(before);
        if !(is_word(c) || c == '.' || sign) {
            return at;
        }
        before = c;
    }
    text.len()
}

fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
