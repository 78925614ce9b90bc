//! What a compiler was called for, from its arguments: which C files, and whether they are compiled so that
//! something is to be gained.
//!
//! Options are those of gcc and clang. What is not known is passed on as it is.

use std::ffi::{OsStr, OsString};

use std::path::{Path, PathBuf};

/// Programs that run the compiler that is named behind them.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "buildcache"];

/// Options whose value is the next argument, for the preprocessor, too.
const FOR_ALL: [&str; 25] = [
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-x",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-B",
    "-A",
    "-G",
    "--param",
    "-arch",
    "-target",
    "--sysroot",
    "-wrapper",
    "-dumpbase-ext",
];

/// The same of those that are not for the preprocessor.
const NOT_FOR_PREPROCESSOR: [&str; 15] = [
    "-o",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-e",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xassembler",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
];

/// Options with which a compiler does something else than compile, or something that has to do with the
/// original's lines or names.
const ELSEWHERE: [(&str, &str); 18] = [
    ("-E", "it is preprocessed only"),
    ("-S", "it is translated to assembly only"),
    ("-M", "its dependences are listed only"),
    ("-MM", "its dependences are listed only"),
    ("-", "it comes from the standard input"),
    ("-fsyntax-only", "it is checked only"),
    ("-save-temps", "what is made on the way is kept"),
    ("--coverage", "it is built for coverage"),
    ("-fprofile-arcs", "it is built for coverage"),
    ("-ftest-coverage", "it is built for coverage"),
    ("-fdump", "the compiler's own data is wanted"),
    ("-ansi", "C of 1990 has no declarations in loops"),
    ("-std=c89", "C of 1990 has no declarations in loops"),
    ("-std=c90", "C of 1990 has no declarations in loops"),
    ("-std=gnu89", "C of 1990 has no declarations in loops"),
    ("-std=gnu90", "C of 1990 has no declarations in loops"),
    ("-std=iso9899:199", "C of 1990 has no declarations in loops"),
    ("-emit-llvm", "it is translated to LLVM's language"),
];

/// A compiler that was called.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Its program, behind one that launches it, perhaps; at least one word.
    pub compiler: Vec<OsString>,
    /// What it was given.
    pub arguments: Vec<OsString>,
    /// Which of the arguments are C files, in order.
    pub sources: Vec<usize>,
    /// Whether a program or a shared library comes out.
    pub links: bool,
    /// Why nothing is done with the files, if that is so.
    pub left: Option<&'static str>,
}

impl Invocation {
    /// Reads a command line; `None` where there is no compiler.
    pub fn of(words: Vec<OsString>) -> Option<Invocation> {
        let mut words = words.into_iter().peekable();
        let mut compiler = vec![words.next()?];
        while compiler.last().is_some_and(|word| is_launcher(word)) {
            compiler.extend(words.next_if(|word| !starts(word, "-")));
            if compiler.last().is_some_and(|word| !is_launcher(word)) {
                break;
            }
            words.peek()?;
        }
        let arguments: Vec<OsString> = words.collect();
        let mut read = Invocation {
            compiler,
            arguments: Vec::new(),
            sources: Vec::new(),
            links: true,
            left: None,
        };
        let mut optimised = false;
        let mut inputs = 0;
        for (option, value) in Options(&arguments, 0) {
            let word = &arguments[option];
            if value.is_some() {
                if word == "-x" {
                    read.left = Some("the language is given by `-x`");
                }
                continue;
            }
            let text = word.to_string_lossy();
            if text.starts_with('@') {
                read.left = Some("arguments are in a file");
            } else if text.starts_with("-x") {
                read.left = Some("the language is given by `-x`");
            } else if text == "-c" {
                read.links = false;
            } else if let Some(level) = text.strip_prefix("-O") {
                optimised = matches!(level, "" | "1" | "2" | "3" | "4" | "fast");
            } else if text.starts_with('-') {
                let known = ELSEWHERE.iter().find(|(known, _)| {
                    text == *known || known.len() > 3 && text.starts_with(known)
                });
                if let Some((_, why)) = known {
                    read.left = Some(why);
                    read.links &= !matches!(&*text, "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only");
                }
            } else {
                inputs += 1;
                if text.ends_with(".c") {
                    read.sources.push(option);
                }
            }
        }
        read.links &= inputs > 0;
        if read.left.is_none() && !optimised && !read.sources.is_empty() {
            read.left = Some("it is built without optimisation");
        }
        read.arguments = arguments;
        Some(read)
    }

    /// The path of a C file.
    pub fn path(&self, source: usize) -> &Path {
        Path::new(&self.arguments[source])
    }

    /// Whether an option is among the arguments.
    pub fn has(&self, option: &str) -> bool {
        self.arguments.iter().any(|word| word == option)
    }

    /// Whether an option begins like this.
    pub fn has_beginning(&self, option: &str) -> bool {
        self.arguments.iter().any(|word| starts(word, option))
    }

    /// What the preprocessor has to be given to see a file as the compiler does.
    pub fn for_preprocessor(&self) -> Vec<OsString> {
        let mut flags = Vec::new();
        for (option, value) in Options(&self.arguments, 0) {
            let word = &self.arguments[option];
            let text = word.to_string_lossy();
            let known = NOT_FOR_PREPROCESSOR.contains(&&*text);
            let joined = [
                "-o", "-L", "-l", "-Wl,", "-MD", "-MMD", "-MP", "-MG", "-Wp,-M",
            ];
            let other = value.is_none()
                && (text == "-c" || joined.iter().any(|known| text.starts_with(known)));
            if !known && !other && text.starts_with('-') {
                flags.push(word.clone());
                flags.extend(value.map(|value| self.arguments[value].clone()));
            }
        }
        flags
    }

    /// The value of an option that is the next argument or joined with it, the last one that is given.
    pub fn value(&self, name: &str) -> Option<&OsStr> {
        let mut found = None;
        for (option, value) in Options(&self.arguments, 0) {
            let word = &self.arguments[option];
            if let Some(value) = value.filter(|_| word == name) {
                found = Some(self.arguments[value].as_os_str());
            } else if value.is_none() && starts(word, name) && word.len() > name.len() {
                found = word.to_str().map(|word| OsStr::new(&word[name.len()..]));
            }
        }
        found
    }

    /// The file that lists what the result depends on, where one is asked for beside the result.
    pub fn dependences(&self) -> Option<PathBuf> {
        for word in &self.arguments {
            let word = word.to_string_lossy();
            for option in ["-Wp,-MD,", "-Wp,-MMD,"] {
                if let Some(path) = word.strip_prefix(option) {
                    return Some(PathBuf::from(path.split(',').next().unwrap_or(path)));
                }
            }
        }
        if !self.has("-MD") && !self.has("-MMD") {
            return None;
        }
        if let Some(path) = self.value("-MF") {
            return Some(PathBuf::from(path));
        }
        let object = self.value("-o").map(PathBuf::from);
        let object = object.or_else(|| {
            let source = *self.sources.first()?;
            Some(PathBuf::from(self.path(source).file_name()?))
        });
        Some(object?.with_extension("d"))
    }

    /// Files that a linker is given: objects and archives, those named by `-l` included.
    pub fn linked(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        let mut files = Vec::new();
        for (option, value) in Options(&self.arguments, 0) {
            let word = self.arguments[option].to_string_lossy().into_owned();
            let value = value.map(|value| self.arguments[value].to_string_lossy().into_owned());
            let of = |name: &str| match &value {
                Some(value) if word == name => Some(value.clone()),
                None => word.strip_prefix(name).map(str::to_owned),
                Some(_) => None,
            };
            if let Some(folder) = of("-L") {
                folders.push(PathBuf::from(folder));
            } else if let Some(library) = of("-l") {
                let archives = folders.iter().map(|f| f.join(format!("lib{library}.a")));
                files.extend(archives.filter(|path| path.is_file()));
            } else if value.is_none() && !word.starts_with('-') {
                let path = PathBuf::from(word);
                let kind = path.extension().and_then(OsStr::to_str);
                if matches!(kind, Some("o" | "a" | "lo" | "obj")) {
                    files.push(path);
                }
            }
        }
        files
    }

    /// The arguments behind these words, which stand in front of all options.
    pub fn with_front(&self, words: Vec<OsString>, arguments: &[OsString]) -> Vec<OsString> {
        let first = arguments.iter().position(|word| starts(word, "-"));
        let at = first.unwrap_or(0);
        let (before, behind) = arguments.split_at(at);
        [before, &words, behind].concat()
    }
}

/// The arguments, each with the number of its value where it has one.
struct Options<'a>(&'a [OsString], usize);

impl Iterator for Options<'_> {
    type Item = (usize, Option<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.1;
        let word = self.0.get(at)?;
        let mut known = FOR_ALL.iter().chain(&NOT_FOR_PREPROCESSOR);
        let takes = known.any(|known| word == known) && at + 1 < self.0.len();
        self.1 += 1 + usize::from(takes);
        Some((at, takes.then_some(at + 1)))
    }
}

fn is_launcher(word: &OsStr) -> bool {
    let name = Path::new(word).file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| LAUNCHERS.contains(&name))
}

fn starts(word: &OsStr, with: &str) -> bool {
    word.as_encoded_bytes().starts_with(with.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::Invocation;
    use std::ffi::OsString;
    use std::path::PathBuf;

    fn read(line: &str) -> Invocation {
        let words = line.split_whitespace().map(OsString::from).collect();
        Invocation::of(words).expect("a compiler")
    }

    #[test]
    fn c_files_of_builds_with_optimisation_are_taken() {
        for (line, sources, links) in [
            ("gcc -O2 -c a.c -o a.o", 1, false),
            ("gcc -o a.c -O3 b.c", 1, true),
            ("cc -O a.c b.c -lm", 2, true),
            ("ccache gcc -g -O2 -I x.c -c y/b.c", 1, false),
            (
                "gcc -O2 -DHAVE_CONFIG_H -MT a.lo -MD -MP -MF .deps/a.Tpo -c a.c -fPIC -o .libs/a.o",
                1,
                false,
            ),
        ] {
            let read = read(line);
            assert_eq!(read.left, None, "{line}");
            assert_eq!((read.sources.len(), read.links), (sources, links), "{line}");
        }
    }

    #[test]
    fn everything_else_is_left() {
        for (line, why) in [
            ("gcc -c a.c", "it is built without optimisation"),
            ("gcc -O2 -O0 -c a.c", "it is built without optimisation"),
            ("gcc -Os -c a.c", "it is built without optimisation"),
            ("gcc -O2 -E a.c", "it is preprocessed only"),
            ("gcc -O2 -M a.c", "its dependences are listed only"),
            ("gcc -O2 -S a.c", "it is translated to assembly only"),
            ("gcc -O2 -x c++ a.c", "the language is given by `-x`"),
            ("gcc -O2 -xc++ a.c", "the language is given by `-x`"),
            ("gcc -O2 @arguments", "arguments are in a file"),
            ("gcc -O2 -c -", "it comes from the standard input"),
            (
                "gcc -O2 -std=c89 -c a.c",
                "C of 1990 has no declarations in loops",
            ),
            ("gcc -O2 --coverage -c a.c", "it is built for coverage"),
        ] {
            assert_eq!(read(line).left, Some(why), "{line}");
        }
        for line in [
            "gcc a.o b.o -o p",
            "gcc -shared -o l.so a.o",
            "gcc --version",
            "g++ -O2 -c a.cpp",
        ] {
            assert!(read(line).sources.is_empty(), "{line}");
        }
        assert!(!read("gcc --version").links);
        assert!(read("gcc a.o -o p").links);
    }

    #[test]
    fn compilers_have_launchers() {
        let words = |line: &str| {
            let compiler = read(line).compiler;
            compiler
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(words("gcc -c a.c"), ["gcc"]);
        assert_eq!(
            words("/usr/bin/ccache gcc -c a.c"),
            ["/usr/bin/ccache", "gcc"]
        );
        assert_eq!(
            words("ccache distcc gcc -c a.c"),
            ["ccache", "distcc", "gcc"]
        );
        assert!(Invocation::of(Vec::new()).is_none());
    }

    #[test]
    fn what_is_listed_beside_objects_is_found() {
        let file = |line: &str| read(line).dependences();
        assert_eq!(file("gcc -O2 -c a.c"), None);
        assert_eq!(file("gcc -MD -c x/a.c"), Some(PathBuf::from("a.d")));
        assert_eq!(
            file("gcc -MMD -c x/a.c -o y/b.o"),
            Some(PathBuf::from("y/b.d"))
        );
        assert_eq!(file("gcc -MD -MF z.d -c a.c"), Some(PathBuf::from("z.d")));
        assert_eq!(file("gcc -Wp,-MD,k.d -c a.c"), Some(PathBuf::from("k.d")));
    }

    #[test]
    fn preprocessors_see_what_compilers_see() {
        let flags = read(
            "gcc -O2 -march=native -DA=1 -D B -I x -Ly -lz -MD -MF d -Wl,-s -c a.c -o a.o b.o",
        );
        let flags = flags.for_preprocessor();
        assert_eq!(
            flags,
            ["-O2", "-march=native", "-DA=1", "-D", "B", "-I", "x"]
        );
    }
}
