//! What the C++ compiler is asked about a file: types of names and expressions, values of constants.
//!
//! The file, preprocessed, is given to the compiler with questions put into it. Each is
//! `sizeof(tilewright_asks::probe<NUMBER, CODE, …>)`, where `CODE` is a number that class templates
//! make of a type. The structure has a bit-field that is too wide: compilers warn of that with the
//! template's arguments in numbers, and the program means what it meant. The same text serves g++ and
//! clang++, and whatever else has these templates in its messages.

use std::collections::HashMap;
use std::fmt::Write;

/// The number of a question.
pub(super) type Question = usize;

/// Built-in types, in the order of their codes.
const SCALARS: [&str; 17] = [
    "void",
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "decltype(nullptr)",
];
const FIRST_CODE: u64 = 10;
const ENUM: u64 = 27;
/// What has no constants: functions.
const FUNCTION: u64 = 29;

/// What stands around a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Const,
    Pointer,
    Restrict,
    Array,
    Reference,
    Volatile,
    /// `std::vector` and `std::span`: a pointer and a length.
    Vector,
    /// `std::array`
    FixedArray,
}

const LAYERS: [Layer; 8] = [
    Layer::Const,
    Layer::Pointer,
    Layer::Array,
    Layer::Reference,
    Layer::Restrict,
    Layer::Volatile,
    Layer::Vector,
    Layer::FixedArray,
];

/// A type as the compiler knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// C's spelling of the innermost type; `None`: none that C has.
    pub base: Option<&'static str>,
    /// Whether the innermost is an enumeration.
    pub is_enum: bool,
    /// Whether it is a function.
    pub is_function: bool,
    /// What is around it, the outermost first.
    pub layers: Vec<Layer>,
    /// Extents of arrays, the outermost first.
    pub extents: Vec<u64>,
}

/// What the compiler says.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub kind: Kind,
    /// The value of a constant.
    pub value: Option<i64>,
}

/// All answers to the questions of a file.
#[derive(Debug, Default)]
pub(super) struct Answers(HashMap<Question, Option<Answer>>);

impl Answers {
    /// Reads the compiler's messages. A question with two answers has none.
    pub fn read(messages: &str) -> Answers {
        let mut found: HashMap<Question, Option<Answer>> = HashMap::new();
        let mut seen: HashMap<Question, String> = HashMap::new();
        for part in messages.split("probe<").skip(1) {
            let Some((inside, _)) = part.split_once('>') else {
                continue;
            };
            let numbers: Vec<i64> = inside
                .split(',')
                .filter_map(|word| {
                    word.trim()
                        .trim_end_matches(char::is_alphabetic)
                        .parse()
                        .ok()
                })
                .collect();
            let [question, code, first, second, third, is_constant, value] = numbers[..] else {
                continue;
            };
            let (Ok(question), Ok(code)) = (Question::try_from(question), u64::try_from(code))
            else {
                continue;
            };
            let answer = Answer {
                kind: Kind::decoded(code, [first, second, third]),
                value: (is_constant != 0).then_some(value),
            };
            match seen.get(&question) {
                Some(before) if before != inside => {
                    found.insert(question, None);
                }
                Some(_) => {}
                None => {
                    seen.insert(question, inside.to_owned());
                    found.insert(question, Some(answer));
                }
            }
        }
        Answers(found)
    }

    /// The answer to a question, where there is one.
    pub fn get(&self, question: Question) -> Option<&Answer> {
        self.0.get(&question)?.as_ref()
    }
}

impl Kind {
    fn decoded(code: u64, extents: [i64; 3]) -> Kind {
        let mut layers = Vec::new();
        let mut code = code;
        while code >= 32 {
            let layer = usize::try_from(code % 32)
                .ok()
                .and_then(|k| k.checked_sub(1));
            match layer.and_then(|k| LAYERS.get(k)) {
                Some(layer) => layers.push(*layer),
                None => break,
            }
            code /= 32;
        }
        let base = code
            .checked_sub(FIRST_CODE)
            .and_then(|k| usize::try_from(k).ok());
        let extents = extents.iter().filter_map(|&e| u64::try_from(e).ok());
        Kind {
            base: base.and_then(|k| SCALARS.get(k)).map(|name| match *name {
                "bool" => "_Bool",
                name => name,
            }),
            is_enum: code == ENUM,
            is_function: code == FUNCTION && layers.is_empty(),
            layers,
            extents: extents.filter(|&extent| extent > 0).collect(),
        }
    }

    /// Without the outermost of these layers.
    pub fn without(&self, layers: &[Layer]) -> Kind {
        let skipped = self
            .layers
            .iter()
            .take_while(|layer| layers.contains(layer));
        Kind {
            layers: self.layers[skipped.count()..].to_vec(),
            ..self.clone()
        }
    }

    /// Whether the outermost layer is this.
    pub fn is(&self, layer: Layer) -> bool {
        self.layers.first() == Some(&layer)
    }

    /// Whether it is a number: no pointer, nothing around it but `const`.
    pub fn is_number(&self) -> bool {
        let plain = self.without(&[Layer::Const]);
        plain.layers.is_empty() && self.is_known() && !matches!(self.base, Some("void"))
    }

    /// Whether C has the innermost type, and the front end knows it.
    pub fn is_known(&self) -> bool {
        !matches!(self.base, None | Some("long double" | "decltype(nullptr)"))
    }

    /// Whether it is a type of integers.
    pub fn is_integer(&self) -> bool {
        self.is_number() && !matches!(self.base, Some("float" | "double"))
    }

    /// The declaration of a name with this type in C; `None` where C has no such type.
    pub fn declaration(&self, name: &str) -> Option<String> {
        if !self.is_known() {
            return None;
        }
        let mut declarator = name.to_owned();
        let mut extents = self.extents.iter();
        let mut constant = "";
        let mut behind_pointer = false;
        for layer in &self.layers {
            match layer {
                Layer::Array => {
                    if behind_pointer {
                        declarator = format!("({declarator})");
                    }
                    declarator.push_str(&format!("[{}]", extents.next()?));
                    behind_pointer = false;
                }
                Layer::Pointer | Layer::Restrict => {
                    let own = match layer {
                        Layer::Restrict => "restrict ",
                        _ => "",
                    };
                    declarator = format!("*{own}{constant}{declarator}");
                    constant = "";
                    behind_pointer = true;
                }
                Layer::Const => constant = "const ",
                Layer::Volatile => constant = "volatile ",
                Layer::Reference | Layer::Vector | Layer::FixedArray => return None,
            }
        }
        Some(format!("{constant}{} {declarator}", self.base?))
    }
}

/// What stands in front of the file for its questions.
pub(super) fn opening() -> String {
    let mut text = String::from(
        "namespace tilewright_asks {\n\
         template <class T> struct is_const { enum { value = 0 }; };\n\
         template <class T> struct is_const<const T> { enum { value = 1 }; };\n\
         template <class T> struct type { enum { a = 0, b = 0, c = 0 };\n\
         static const unsigned long long code = __is_enum(T) ? 27 : is_const<const T>::value ? 28 : 29; };\n",
    );
    for (number, name) in SCALARS.iter().enumerate() {
        let code = FIRST_CODE + number as u64;
        let _ = writeln!(
            text,
            "template <> struct type<{name}> {{ enum {{ a = 0, b = 0, c = 0 }};\n\
             static const unsigned long long code = {code}; }};"
        );
    }
    let same = "enum { a = type<T>::a, b = type<T>::b, c = type<T>::c };";
    for (pattern, layer) in [
        ("const T", 1),
        ("T *", 2),
        ("T &", 4),
        ("T &&", 4),
        ("T *__restrict", 5),
    ] {
        let _ = writeln!(
            text,
            "template <class T> struct type<{pattern}> {{ {same}\n\
             static const unsigned long long code = type<T>::code * 32 + {layer}; }};"
        );
    }
    for pattern in ["volatile T", "const volatile T"] {
        let _ = writeln!(
            text,
            "template <class T> struct type<{pattern}> {{ {same}\n\
             static const unsigned long long code = type<T>::code * 32 + 6; }};"
        );
    }
    for (pattern, inner) in [("T[N]", "T"), ("const T[N]", "const T")] {
        let _ = writeln!(
            text,
            "template <class T, unsigned long N> struct type<{pattern}> {{\n\
             enum {{ a = N, b = type<{inner}>::a, c = type<{inner}>::b }};\n\
             static const unsigned long long code = type<{inner}>::code * 32 + 3; }};"
        );
    }
    text.push_str(
        "template <int P, unsigned long long C, long long A, long long B, long long D, int K, long long V>\n\
         struct probe { int too_wide : P * 0 + 40; };\n\
         }\n",
    );
    text
}

/// What stands in front of the function, for the classes of the library that the file includes.
pub(super) fn library(preprocessed: &str) -> String {
    let has =
        |header: &str, class: &str| preprocessed.contains(header) && preprocessed.contains(class);
    let mut text = String::from("namespace tilewright_asks {\n");
    let mut put = |parameters: &str, name: &str, extents: &str, layer: usize| {
        for constant in ["", "const "] {
            let _ = writeln!(
                text,
                "template <class T, {parameters}> struct type<{constant}::std::{name}> {{\n\
                 enum {{ {extents} }};\n\
                 static const unsigned long long code = {}::code * 32 + {layer}; }};",
                match layer {
                    7 if name.starts_with("span") => "type<T>".to_owned(),
                    _ => format!("type<{constant}T>"),
                }
            );
        }
    };
    let inner = "a = type<T>::a, b = type<T>::b, c = type<T>::c";
    if has("/vector\"", "class vector") || has("/vector\"", "vector") {
        put("class A", "vector<T, A>", inner, 7);
    }
    if has("/array\"", "struct array") {
        let own = "a = N, b = type<T>::a, c = type<T>::b";
        put("unsigned long N", "array<T, N>", own, 8);
    }
    if has("/span\"", "class span") {
        put("unsigned long N", "span<T, N>", inner, 7);
    }
    text.push_str("}\n");
    text
}

/// A question about a type; with `value`, whether that is a constant, and which.
pub(super) fn ask(question: Question, of: &str, value: Option<&str>) -> String {
    let own = format!("::tilewright_asks::type<{of}>");
    let (is_constant, value) = match value {
        Some(value) => (
            format!("__builtin_constant_p({value})"),
            format!("(__builtin_constant_p({value}) ? (long long)({value}) : 0)"),
        ),
        None => ("0".to_owned(), "0".to_owned()),
    };
    format!(
        "(void)sizeof(::tilewright_asks::probe<{question}, {own}::code, (long long){own}::a, \
         (long long){own}::b, (long long){own}::c, {is_constant}, {value}>)"
    )
}
