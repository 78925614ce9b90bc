//! A text cut into what stands outside of functions, so that only what is asked for is parsed: most
//! of a preprocessed file are its headers.

use super::{Prepared, Problem, without_type};
use crate::names::{NameSet, Names};
use std::ops::Range;

/// One declaration or function of a text.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// From its first byte to behind its last.
    pub range: Range<usize>,
    /// The function that it defines, where it does.
    pub function: Option<String>,
    pub is_static: bool,
    /// Where a function's body begins.
    body: Option<usize>,
    /// Names that it may give a meaning: those of what it declares, of structures and enumerators.
    names: Vec<String>,
}

impl Piece {
    /// The names that it may give a meaning outside of functions, where it is no function itself.
    pub fn declared(&self) -> impl Iterator<Item = &String> {
        self.names.iter().filter(|_| self.function.is_none())
    }
}

/// A word or another character, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Word(&'t str),
    Mark(u8),
}

/// Words that give nothing a meaning.
const KEYWORDS: [&str; 34] = [
    "typedef", "extern", "static", "inline", "const", "volatile", "restrict", "signed", "unsigned",
    "void", "char", "short", "int", "long", "float", "double", "struct", "union", "enum", "return",
    "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "sizeof",
    "register", "goto", "auto",
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The tokens of a text; literals are one mark, numbers are words.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, Token<'t>);

    fn next(&mut self) -> Option<(usize, Token<'t>)> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        let start = self.at;
        let first = bytes[start];
        if is_word(first) {
            let rest = bytes[start..].iter();
            self.at += rest.take_while(|b| is_word(**b)).count();
            return Some((start, Token::Word(&self.text[start..self.at])));
        }
        self.at += 1;
        if first == b'"' || first == b'\'' {
            while let Some(&byte) = bytes.get(self.at) {
                self.at += 1;
                match byte {
                    b'\\' => self.at += 1,
                    b'\n' => break,
                    _ if byte == first => break,
                    _ => {}
                }
            }
            self.at = self.at.min(bytes.len());
        }
        Some((start, Token::Mark(first)))
    }
}

/// What is known of a piece while it is read.
struct Begun<'t> {
    start: usize,
    names: Vec<&'t str>,
    /// Those of structures, unions and enumerations.
    tags: Vec<&'t str>,
    /// The word in front of the first bracket.
    called: Option<&'t str>,
    has_bracket: bool,
    is_static: bool,
    is_extern: bool,
    /// Whether a value or the members of a type were given.
    has_value: bool,
    has_members: bool,
    is_enum: bool,
    body: Option<usize>,
}

impl Begun<'_> {
    fn new(start: usize) -> Self {
        Begun {
            start,
            names: Vec::new(),
            tags: Vec::new(),
            called: None,
            has_bracket: false,
            is_static: false,
            is_extern: false,
            has_value: false,
            has_members: false,
            is_enum: false,
            body: None,
        }
    }

    fn piece(&self, end: usize, is_function: bool) -> Piece {
        let called = self.called.filter(|name| !KEYWORDS.contains(name));
        let function = called.filter(|_| is_function).map(str::to_owned);
        let names = match &function {
            // Those of parameters have no meaning elsewhere.
            Some(name) => vec![name.as_str()],
            None => self.names.clone(),
        };
        let names = names.iter().chain(&self.tags);
        let names = names.filter(|n| !KEYWORDS.contains(n));
        Piece {
            range: self.start..end,
            names: names.map(|n| (*n).to_owned()).collect(),
            function,
            is_static: self.is_static,
            body: self.body,
        }
    }
}

/// Cuts a text. Attributes are to be blank. Declarations of functions of other files are left out,
/// which nothing here asks for: headers are full of them.
///
/// # Errors
/// A body that belongs to nothing, as behind declarations of parameters in the old way, and what
/// does not end.
pub(crate) fn pieces(prepared: &Prepared) -> Result<Vec<Piece>, Problem> {
    let text = prepared.text.as_str();
    let mut found = Vec::new();
    let mut begun: Option<Begun> = None;
    let mut before = Token::Mark(b';');
    // Brackets and braces that are open.
    let (mut depth, mut braces, mut body) = (0usize, 0usize, false);
    for (at, token) in (Tokens { text, at: 0 }) {
        let piece = begun.get_or_insert_with(|| Begun::new(at));
        let problem = |what: &str| {
            let line = prepared.line(at);
            let what = what.to_owned();
            Problem { what, line }
        };
        match token {
            Token::Word(word) if !body => match word {
                "static" => piece.is_static |= depth == 0,
                "extern" => piece.is_extern |= depth == 0,
                "enum" => piece.is_enum = true,
                _ if matches!(before, Token::Word("struct" | "union" | "enum")) => {
                    piece.tags.push(word);
                }
                "__asm__" | "__asm" | "asm" => {
                    if let Token::Word(name) = before {
                        piece.names.push(name);
                    }
                }
                _ => {}
            },
            Token::Word(_) => {}
            Token::Mark(mark) => {
                if let (Token::Word(name), false) = (before, body) {
                    // Names of members have no meaning by themselves.
                    let declares = match mark {
                        b'(' | b')' | b';' | b',' | b'=' | b'[' | b':' => {
                            braces == 0 || piece.is_enum
                        }
                        b'}' => piece.is_enum,
                        _ => false,
                    };
                    if declares && !name.starts_with(|c: char| c.is_ascii_digit()) {
                        piece.names.push(name);
                    }
                    if mark == b'(' && depth == 0 && piece.called.is_none() {
                        piece.called = Some(name);
                    }
                }
                match mark {
                    b'(' | b'[' => {
                        piece.has_bracket |= mark == b'(' && depth == 0;
                        depth += 1;
                    }
                    b')' | b']' => depth = depth.saturating_sub(1),
                    b'{' => {
                        if depth == 0 {
                            if matches!(before, Token::Mark(b';')) {
                                return Err(problem("a body that belongs to nothing"));
                            }
                            body = before == Token::Mark(b')') && !piece.has_value;
                            piece.has_members |= !body;
                            piece.body = body.then_some(at);
                        }
                        depth += 1;
                        braces += 1;
                    }
                    b'}' => {
                        depth = depth.saturating_sub(1);
                        braces = braces.saturating_sub(1);
                        if depth == 0 && body {
                            found.push(piece.piece(at + 1, true));
                            (begun, body, braces) = (None, false, 0);
                            before = Token::Mark(b';');
                            continue;
                        }
                    }
                    b'=' if depth == 0 => piece.has_value = true,
                    b';' if depth == 0 => {
                        let more = piece.has_value || piece.has_members;
                        let foreign = piece.is_extern && piece.has_bracket && !more;
                        // Semicolons may stand alone.
                        if !foreign && at > piece.start {
                            found.push(piece.piece(at + 1, false));
                        }
                        (begun, braces) = (None, 0);
                    }
                    _ => {}
                }
            }
        }
        before = token;
    }
    match begun {
        None => Ok(found),
        Some(piece) => {
            let near: String = text[piece.start..].chars().take(30).collect();
            let near = near.split('\n').next().unwrap_or("");
            Err(Problem {
                what: format!("syntax: what begins with `{near}` does not end"),
                line: prepared.line(piece.start),
            })
        }
    }
}

/// The pieces that functions need: their own, those of what these mention, and so on; and those that
/// are `wanted` in any case.
pub(crate) fn needed(
    prepared: &Prepared,
    pieces: &[Piece],
    functions: &[String],
    wanted: &dyn Fn(&Piece) -> bool,
) -> Vec<usize> {
    let mut index: Names<&str, Vec<usize>> = Names::default();
    for (number, piece) in pieces.iter().enumerate() {
        for name in &piece.names {
            index.entry(name).or_default().push(number);
        }
    }
    let mut chosen = vec![false; pieces.len()];
    let mut asked: NameSet<&str> = NameSet::default();
    let mut open: Vec<usize> = Vec::new();
    let starts = functions.iter().filter_map(|name| index.get(name.as_str()));
    open.extend(starts.flatten());
    open.extend((0..pieces.len()).filter(|number| wanted(&pieces[*number])));
    while let Some(number) = open.pop() {
        if std::mem::replace(&mut chosen[number], true) {
            continue;
        }
        let text = &prepared.text[pieces[number].range.clone()];
        for (_, token) in (Tokens { text, at: 0 }) {
            if let Token::Word(word) = token {
                if asked.insert(word) {
                    open.extend(index.get(word).into_iter().flatten());
                    if prepared.is_cuda {
                        open.extend(index.get(without_type(word)).into_iter().flatten());
                    }
                }
            }
        }
    }
    (0..pieces.len()).filter(|number| chosen[*number]).collect()
}

/// The text of some pieces alone, one below the other.
pub(crate) fn only(prepared: &Prepared, pieces: &[Piece], chosen: &[usize]) -> Prepared {
    let mut out = Prepared {
        within: prepared.within,
        is_cuda: prepared.is_cuda,
        templates: prepared.templates.clone(),
        ..Prepared::default()
    };
    for number in chosen {
        let range = pieces[*number].range.clone();
        let to = out.text.len();
        let moved = |at: usize| at.clamp(range.start, range.end) - range.start + to;
        out.lines.push((to, prepared.line(range.start)));
        let first = prepared.lines.partition_point(|(at, _)| *at <= range.start);
        let within = prepared.lines[first..].iter();
        let within = within.take_while(|(at, _)| *at < range.end);
        out.lines
            .extend(within.map(|(at, line)| (moved(*at), *line)));
        for (at, pragmas) in &prepared.pragmas {
            if range.contains(at) {
                let mut pragmas = pragmas.clone();
                pragmas.iter_mut().for_each(|one| one.at = moved(one.at));
                out.pragmas.insert(moved(*at), pragmas);
            }
        }
        let body = pieces[*number].body;
        out.bodies
            .extend(body.map(|body| moved(body)..moved(range.end)));
        let generated = prepared.generated.iter();
        // Those for devices hold functions, too.
        let generated = generated.filter(|g| g.start < range.end && range.start < g.end);
        out.generated
            .extend(generated.map(|g| moved(g.start)..moved(g.end)));
        out.text.push_str(&prepared.text[range]);
        out.text.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::prepare;

    fn cut(text: &str) -> (Prepared, Vec<Piece>) {
        let prepared = prepare("f.c", text).expect("it is prepared");
        let found = pieces(&prepared).expect("it is cut");
        (prepared, found)
    }

    /// What is asked for with what it mentions, in the order of the text, and nothing else.
    #[test]
    fn what_is_mentioned_is_needed() {
        let text = "typedef unsigned long size;\ntypedef size other;\nextern int puts(const char *);\n\
                    enum e { A, B = 2 };\nstruct s { struct t *t; };\nstruct t { other v; };\n\
                    static int (*table[2])(long);\nint one(void) { return B; }\n\
                    void two(struct s *s) { s->t->v = one(); }\nint three(int v) { return table[v] != 0; }\n";
        let (prepared, found) = cut(text);
        let wanted = |name: &str| {
            let chosen = needed(&prepared, &found, &[name.to_owned()], &|_| false);
            only(&prepared, &found, &chosen).text
        };
        assert_eq!(
            wanted("one"),
            "enum e { A, B = 2 };\nint one(void) { return B; }\n"
        );
        assert_eq!(
            wanted("two"),
            "typedef unsigned long size;\ntypedef size other;\nenum e { A, B = 2 };\n\
             struct s { struct t *t; };\nstruct t { other v; };\nint one(void) { return B; }\n\
             void two(struct s *s) { s->t->v = one(); }\n"
        );
        assert_eq!(
            wanted("three"),
            "static int (*table[2])(long);\n\
             int three(int v) { return table[v] != 0; }\n"
        );
    }

    #[test]
    fn functions_and_their_names() {
        let text = "static struct s { int v; } f(int a) { return (struct s){a}; }\n\
                    int x = 3, y[2] = {1, 2};\nvoid g(int n, int a[n]) { for (;;) { } }\n;\n";
        let (_, found) = cut(text);
        let functions: Vec<_> = found.iter().map(|p| p.function.as_deref()).collect();
        assert_eq!(functions, [Some("f"), None, Some("g")]);
        assert!(found[0].is_static && !found[2].is_static);
        assert_eq!(found[0].names, ["f", "s"]);
        assert_eq!(found[1].names, ["x", "y"]);
    }

    #[test]
    fn what_does_not_end() {
        for text in [
            "void f(void) { if (1) {",
            "int x",
            "int f(a) int a; { return a; }",
        ] {
            let prepared = prepare("f.c", text).expect("it is prepared");
            assert!(pieces(&prepared).is_err(), "{text}");
        }
    }
}
