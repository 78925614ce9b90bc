//! A region of C++ as a function of C, once the compiler has said what its names are.
//!
//! The function's statements are the region's. What the region uses of the function around it is a
//! parameter, where nothing else knows it, or a variable of the file: a reference, a member, a
//! global variable. Of these, pointers may point at any, as far as C's rules let them; references
//! may be the same object, which is compared when the program runs. Vectors are a pointer and a
//! length, taken in front of the region. Constants are their values.

use super::answers::{Answers, Kind, Layer};
use super::file::File;
use super::names::{Outer, Refusal, refuse};
use super::objects::{Object, Objects, leads_elsewhere};
use super::own::Around;
use super::pieces::{By, Piece};
use std::collections::BTreeMap;
use std::ops::Range;

/// Functions of C that are made for `std::min` and the like, by what they are and their type.
pub(super) type Choices = BTreeMap<(String, &'static str), String>;

/// What stands for a variable that is declared outside.
#[derive(Clone, Debug)]
enum Stands {
    /// Text: a value, or a name.
    Text(String),
    /// A pointer and a length.
    Elements { data: String, size: String },
}

/// What a region, or a function that it calls, takes from around it.
#[derive(Debug, Default)]
pub(super) struct Taken {
    stands: Vec<Stands>,
    /// Declarations of parameters, with the tokens where they are declared in the file.
    pub parameters: Vec<(usize, String)>,
    /// Declarations of variables of the file.
    pub objects: Vec<(usize, String, String)>,
    /// Statements of C++ in front of the generated text.
    pub openings: Vec<String>,
    /// Declarations, and names whose values are read behind the region.
    pub wanted: Vec<(String, String)>,
    pub known: Objects,
}

impl Taken {
    /// The names of variables of the file, in C++.
    pub fn variables(&self) -> Vec<&str> {
        self.known.names()
    }
}

/// What is needed to fill holes.
pub(super) struct Lift<'a> {
    pub file: &'a File<'a>,
    pub answers: &'a Answers,
    pub choices: &'a mut Choices,
    /// Makes names that nothing else has.
    pub fresh: &'a mut dyn FnMut(&str) -> String,
    /// Variables of the file so far: their declarations.
    pub globals: &'a mut BTreeMap<String, String>,
}

impl Lift<'_> {
    /// Finds what stands for the variables that are declared outside. `around` is the region's
    /// function; functions that are called have no variables of it.
    pub fn take(&mut self, outers: &[Outer], around: Option<&Around>) -> Result<Taken, Refusal> {
        let mut taken = Taken::default();
        for outer in outers {
            if let Some(moved) = leads_elsewhere(outer, outers) {
                let message = format!("`{moved}` changes in the region");
                let help = "name what it points at by a reference in front of the region";
                return Err(refuse(self.file, outer.at.clone(), &message, help));
            }
            let stands = self.one(outer, around, &mut taken)?;
            taken.stands.push(stands);
        }
        Ok(taken)
    }

    fn one(
        &mut self,
        outer: &Outer,
        around: Option<&Around>,
        taken: &mut Taken,
    ) -> Result<Stands, Refusal> {
        let file = self.file;
        let name = &outer.spelling;
        let at = || outer.at.clone();
        let Some(answer) = self.answers.get(outer.question) else {
            let message = format!("what `{name}` is could not be found out");
            return Err(refuse(
                file,
                at(),
                &message,
                "name its value or its address in front of the region",
            ));
        };
        // Members may be of one object, whatever it is called.
        let is_member = name.trim_start_matches("this->").contains(['.', '>']);
        let is_reference = answer.kind.is(Layer::Reference) || is_member;
        let bare = answer.kind.without(&[Layer::Reference]);
        let is_const = bare.is(Layer::Const);
        let kind = bare.without(&[Layer::Const]);
        if kind.is(Layer::Vector) || kind.is(Layer::FixedArray) {
            return self.elements(outer, &kind, is_const, around, taken);
        }
        let mut kind = match kind.layers.first() {
            Some(Layer::Array) => kind,
            _ => bare.without(&[Layer::Const]),
        };
        let value = outer.value.and_then(|value| self.answers.get(value)?.value);
        if let Some(value) =
            value.filter(|_| kind.is_integer() && !is_reference && (is_const || !outer.written))
        {
            let only_constants =
                is_const || around.is_none_or(|around| around.declaration(name).is_none());
            if only_constants {
                return Ok(Stands::Text(literal(value, &kind)));
            }
        }
        let Some(known) = kind
            .declaration("x")
            .filter(|_| kind.base != Some("void") || !kind.layers.is_empty())
        else {
            let message = match kind.is_enum {
                true => format!("`{name}` is of an enumeration"),
                false => format!("`{name}` is of a type that C does not have"),
            };
            let help = "convert it to a number or a pointer in front of the region";
            return Err(refuse(file, at(), &message, help));
        };
        drop(known);
        let is_simple = super::file::is_word(name) && !name.contains(['>', ':', '.']);
        let declared = around.and_then(|around| around.declaration(name).filter(|_| is_simple));
        let place = declared.unwrap_or(outer.at.start);
        let is_array = kind.is(Layer::Array);
        let is_own = declared.is_some_and(|_| around.is_some_and(|around| !around.escapes(name)));
        // A constant is what it is wherever it stands; nothing else knows the function's own.
        if kind.is(Layer::Restrict)
            && !around.is_some_and(|around| is_own && !around.is_copied(name))
        {
            // Others may point at the same because they come from it.
            kind.layers[0] = Layer::Pointer;
        }
        let is_value = !is_array && !is_reference && (is_const || is_own) && around.is_some();
        let text = match is_simple {
            true => name.clone(),
            false => {
                let stem: String = name
                    .rsplit([':', '>', '.'])
                    .next()
                    .unwrap_or("x")
                    .to_owned();
                let own = (self.fresh)(&stem);
                taken.openings.push(format!("auto &{own} = {name};"));
                own
            }
        };
        if is_value {
            let constant = if is_const && kind.layers.is_empty() {
                "const "
            } else {
                ""
            };
            let declaration = kind.declaration(&text).unwrap_or_default();
            taken
                .parameters
                .push((place, format!("{constant}{declaration}")));
            if !is_const && around.is_some_and(|around| around.is_wanted(name)) {
                let wanted = (self.fresh)(&format!("{text}_behind"));
                taken.wanted.push((
                    kind.declaration(&wanted).unwrap_or_default(),
                    format!("{wanted} = {text};"),
                ));
            }
            return Ok(Stands::Text(text));
        }
        if self.answers.get(outer.address).is_none() {
            let message = format!("`{name}` has no address");
            let help = "take its value in front of the region";
            return Err(refuse(file, at(), &message, help));
        }
        let text = self.global(
            outer,
            &kind,
            text,
            is_const && is_array && !is_reference,
            taken,
            place,
        );
        taken.known.add(Object {
            spelling: name.clone(),
            written: outer.written || is_array,
            kind,
            is_reference,
        });
        Ok(Stands::Text(text))
    }

    /// A variable of the file; its name in C.
    fn global(
        &mut self,
        outer: &Outer,
        kind: &Kind,
        text: String,
        is_const: bool,
        taken: &mut Taken,
        place: usize,
    ) -> String {
        let constant = if is_const { "extern const " } else { "" };
        let declaration =
            |name: &str| format!("{constant}{}", kind.declaration(name).unwrap_or_default());
        let mut text = text;
        if self
            .globals
            .get(&text)
            .is_some_and(|known| *known != declaration(&text))
        {
            text = (self.fresh)(&text);
            taken
                .openings
                .push(format!("auto &{text} = {};", outer.spelling));
        }
        self.globals.insert(text.clone(), declaration(&text));
        taken
            .objects
            .push((place, text.clone(), declaration(&text)));
        text
    }

    /// A vector, or an array of the library.
    fn elements(
        &mut self,
        outer: &Outer,
        kind: &Kind,
        is_const: bool,
        around: Option<&Around>,
        taken: &mut Taken,
    ) -> Result<Stands, Refusal> {
        let name = &outer.spelling;
        let no =
            |message: String, help: &str| Err(refuse(self.file, outer.at.clone(), &message, help));
        let mut element = Kind {
            layers: kind.layers[1..].to_vec(),
            ..kind.clone()
        };
        let is_fixed = kind.is(Layer::FixedArray);
        let mut length = None;
        if is_fixed {
            length = element.extents.first().copied();
            element.extents = element.extents.split_off(1.min(element.extents.len()));
        }
        let is_const = (is_const && is_fixed) || element.layers.contains(&Layer::Const);
        let inner = element.without(&[Layer::Const]);
        let is_row = inner.is(Layer::FixedArray)
            && inner
                .without(&[Layer::FixedArray, Layer::Const])
                .is_number();
        if !(inner.is_number() || is_row) || (inner.base == Some("_Bool") && !is_fixed) {
            return no(
                format!("`{name}` holds something else than numbers"),
                "use a vector of numbers with one subscript, or pointers that are taken in front of the region",
            );
        }
        let Some(around) = around else {
            return no(
                format!("a function uses `{name}`"),
                "give the function a pointer",
            );
        };
        let stem: String = name
            .rsplit([':', '>', '.'])
            .next()
            .unwrap_or("x")
            .to_owned();
        let data = (self.fresh)(&format!("{stem}_data"));
        let place = around.declaration(name).unwrap_or(outer.at.start);
        let base = inner.base.unwrap_or_default();
        let constant = if is_const { "const " } else { "" };
        if is_row {
            let row = inner.extents.first().copied().unwrap_or(0);
            taken
                .parameters
                .push((place, format!("{constant}{base} (*{data})[{row}]")));
            taken.openings.push(format!(
                "auto *const {data} = reinterpret_cast<{constant}{} (*)[{row}]>({name}.data());",
                cpp(base)
            ));
        } else {
            taken
                .parameters
                .push((place, format!("{constant}{base} *{data}")));
            taken
                .openings
                .push(format!("auto *const {data} = {name}.data();"));
        }
        let size = match length {
            Some(length) => format!("{length}ul"),
            None if !outer.sized => "0ul".to_owned(),
            None => {
                let size = (self.fresh)(&format!("{stem}_size"));
                taken
                    .parameters
                    .push((place, format!("const unsigned long {size}")));
                taken
                    .openings
                    .push(format!("const unsigned long {size} = {name}.size();"));
                size
            }
        };
        Ok(Stands::Elements { data, size })
    }

    /// Text with its holes filled.
    pub fn fill(&mut self, pieces: &[Piece], taken: &Taken) -> Result<String, Refusal> {
        let mut out = String::new();
        for piece in pieces {
            out.push(' ');
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Base(question, at) => {
                    let kind = self.kind(*question, at)?.without(&[Layer::Const]);
                    let plain = kind
                        .layers
                        .iter()
                        .all(|layer| matches!(layer, Layer::Pointer | Layer::Const));
                    match kind.declaration("").filter(|_| plain) {
                        Some(text) => out.push_str(text.trim_end()),
                        None => return Err(self.no_type(at)),
                    }
                }
                Piece::Declare(question, name, by, at) => {
                    let kind = self.kind(*question, at)?;
                    // A reference to a value is an array with that value.
                    let by_value = *by == By::Reference && !kind.is(Layer::Reference);
                    let text = match by_value {
                        true => declared(&kind, &format!("{name}[1]"), By::Value),
                        false => declared(&kind, name, *by),
                    };
                    match text {
                        Some(text) => out.push_str(&text),
                        None => return Err(self.no_type(at)),
                    }
                }
                Piece::AddressOf(question) => {
                    if !self.is_place(*question) {
                        out.push('{');
                        continue;
                    }
                    out.push('&');
                }
                Piece::EndOf(question) => {
                    if !self.is_place(*question) {
                        out.push('}');
                    }
                }
                Piece::Callee(question, is_one, at) => {
                    let answer = self.answers.get(*question);
                    let fits = answer.map_or(!is_one, |answer| answer.kind.is_function);
                    if !fits {
                        let message = "a call of what is not one function";
                        let help = "call a function that has no overloads and is no template";
                        return Err(refuse(self.file, at.clone(), message, help));
                    }
                }
                Piece::Outer {
                    number,
                    subscripted,
                    at,
                } => match &taken.stands[*number] {
                    Stands::Text(text) => out.push_str(text),
                    Stands::Elements { data, .. } if *subscripted => out.push_str(data),
                    Stands::Elements { .. } => {
                        let message = "a container that is used as a whole";
                        return Err(refuse(self.file, at.clone(), message, "name its elements"));
                    }
                },
                Piece::Member { number, member, at } => {
                    out.push_str(&self.member(&taken.stands[*number], member, at)?);
                }
                Piece::Library { name, question, at } => {
                    let kind = self
                        .kind(*question, at)?
                        .without(&[Layer::Reference, Layer::Const]);
                    let text = self.library(name, &kind);
                    match text {
                        Some(text) => out.push_str(&text),
                        None => {
                            let message = format!("`{name}` of a type that C has no function for");
                            return Err(refuse(
                                self.file,
                                at.clone(),
                                &message,
                                "convert what it is given",
                            ));
                        }
                    }
                }
                Piece::Value(question, at) => {
                    let answer = self.answers.get(*question);
                    let value = answer.and_then(|answer| Some((answer.value?, &answer.kind)));
                    match value.filter(|(_, kind)| kind.is_integer()) {
                        Some((value, kind)) => out.push_str(&literal(value, kind)),
                        None => {
                            let message = "a value that the compiler does not say";
                            return Err(refuse(self.file, at.clone(), message, "write the number"));
                        }
                    }
                }
            }
        }
        Ok(out)
    }

    /// Whether an expression is a place in memory.
    fn is_place(&self, question: usize) -> bool {
        let answer = self.answers.get(question);
        answer.is_some_and(|answer| answer.kind.is(Layer::Reference))
    }

    fn kind(&self, question: usize, at: &Range<usize>) -> Result<Kind, Refusal> {
        let answer = self.answers.get(question);
        answer.map(|answer| answer.kind.clone()).ok_or_else(|| {
            let text = self.file.spelling(at.clone()).to_owned();
            let message = format!("of what type `{text}` is could not be found out");
            let help = "write the type; a template must be used with one type only";
            refuse(self.file, at.clone(), &message, help)
        })
    }

    fn no_type(&self, at: &Range<usize>) -> Refusal {
        let text = self.file.spelling(at.clone()).to_owned();
        let message = format!("`{text}` is of a type that C does not have");
        refuse(
            self.file,
            at.clone(),
            &message,
            "use numbers, and pointers to them",
        )
    }

    fn member(&self, stands: &Stands, member: &str, at: &Range<usize>) -> Result<String, Refusal> {
        let Stands::Elements { data, size } = stands else {
            return match (stands, member) {
                (Stands::Text(text), "element") => Ok(text.clone()),
                _ => Err(refuse(
                    self.file,
                    at.clone(),
                    "a call of a member function",
                    "call it in front of the region",
                )),
            };
        };
        Ok(match member {
            "size" => size.clone(),
            "empty" => format!("({size} == 0)"),
            _ => data.clone(),
        })
    }

    /// The function of C for one of the library, which returns this.
    fn library(&mut self, name: &str, kind: &Kind) -> Option<String> {
        let base = kind.base.filter(|_| kind.is_number())?;
        if super::calls::CHOICES.contains(&name) {
            let key = (name.to_owned(), base);
            if let Some(known) = self.choices.get(&key) {
                return Some(known.clone());
            }
            let own = (self.fresh)(&format!(
                "{name}_of_{}",
                base.trim_start_matches('_').replace(' ', "_")
            ));
            self.choices.insert(key, own.clone());
            return Some(own);
        }
        match (name, base) {
            ("abs", "int" | "long" | "long long") => {
                let own = ["abs", "labs", "llabs"];
                let number = ["int", "long", "long long"]
                    .iter()
                    .position(|&one| one == base)?;
                Some(own[number].to_owned())
            }
            ("abs", "float" | "double") => self.library("fabs", kind),
            (_, "float") => Some(format!("{name}f")),
            (_, "double") => Some(name.to_owned()),
            _ => None,
        }
    }
}

/// A value as a literal of a type.
fn literal(value: i64, kind: &Kind) -> String {
    let text = match kind.base {
        Some("int") => value.to_string(),
        Some("unsigned int") => format!("{}u", value as u32),
        Some("long") => format!("{value}l"),
        Some("unsigned long") => format!("{}ul", value as u64),
        Some("long long") => format!("{value}ll"),
        Some("unsigned long long") => format!("{}ull", value as u64),
        base => format!("({}){value}", base.unwrap_or("int")),
    };
    match text.starts_with(['-', '(']) {
        true if value == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        true if value == i64::MIN => "(-9223372036854775807l - 1)".to_owned(),
        true => format!("({text})"),
        false => text,
    }
}

/// A declaration for a hole.
fn declared(kind: &Kind, name: &str, by: By) -> Option<String> {
    let bare = kind.without(&[Layer::Reference]);
    match by {
        By::Value => {
            let mut kind = bare.without(&[Layer::Const]);
            if kind.is(Layer::Array) {
                kind.layers[0] = Layer::Pointer;
                kind.extents.remove(0);
            }
            kind.declaration(name)
        }
        By::Reference | By::Pointer => {
            let mut kind = bare;
            kind.layers.insert(0, Layer::Pointer);
            kind.declaration(name)
        }
    }
}

/// The text of a function of C for `std::min` and the like.
pub(super) fn choice(name: &str, base: &str, own: &str) -> String {
    let value = match name {
        "min" => "b < a ? b : a",
        "max" => "a < b ? b : a",
        _ => "a < b ? b : c < a ? c : a",
    };
    let third = if name == "clamp" {
        format!(", {base} c")
    } else {
        String::new()
    };
    format!("static {base} {own}({base} a, {base} b{third}) {{ return {value}; }}")
}

/// C's spelling of a type in C++.
fn cpp(base: &str) -> &str {
    match base {
        "_Bool" => "bool",
        base => base,
    }
}
