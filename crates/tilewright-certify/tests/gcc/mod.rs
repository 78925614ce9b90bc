//! The interpreter against a C compiler: each program is built and run, and what it stores must be
//! what the interpreter says, down to the bit.

mod data;
mod generated;
mod library;
mod programs;
mod statements;

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;
use tilewright_certify::{Options, Text, Verdict, certify};

/// A name, what stands in front of `void f(long o[restrict 48], double d[restrict 48])`, and its
/// body.
pub(crate) type Program = (&'static str, &'static str, &'static str);

/// Elements of `o` and of `d`.
const SLOTS: usize = 48;

/// A program whose text is made here.
struct Made {
    name: String,
    front: String,
    body: String,
}

impl Made {
    fn head(&self) -> String {
        format!(
            "{}\nvoid f(long o[restrict {SLOTS}], double d[restrict {SLOTS}])",
            self.front
        )
    }

    /// A file of C with the program as the function `program_N`.
    fn source(&self, number: usize) -> String {
        format!(
            "#define f program_{number}\n{}\n{{\n{}\n}}\n",
            self.head(),
            self.body
        )
    }
}

/// A `main` that calls all programs and prints the values of `o` and `d` as bits.
fn caller(count: usize) -> String {
    let mut text = format!(
        "#include <stdio.h>\nstatic void show(void (*f)(long *, double *)) {{ long o[{SLOTS}] = {{0}}; \
         double d[{SLOTS}] = {{0}}; f(o, d); for (int i = 0; i < {SLOTS}; i++) printf(\"%lx\\n\", \
         o[i]); for (int i = 0; i < {SLOTS}; i++) {{ union {{ double d; long l; }} u; u.d = d[i]; \
         printf(\"%lx\\n\", u.l); }} }}\n"
    );
    for k in 0..count {
        let _ = writeln!(text, "void program_{k}(long *, double *);");
    }
    text.push_str("int main(void) {\n");
    for k in 0..count {
        let _ = writeln!(text, "show(program_{k});");
    }
    text + "return 0; }\n"
}

/// Values of `o` and `d` as bits, from the programs built by the C compiler, which are kept: the
/// same texts are built once.
fn compiled(programs: &[Made]) -> Vec<Vec<u64>> {
    let mut files: Vec<String> = programs
        .iter()
        .enumerate()
        .map(|(k, p)| p.source(k))
        .collect();
    files.push(caller(programs.len()));
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let kept = folder.join(format!("gcc-{:016x}.txt", hasher.finish()));
    if !kept.is_file() {
        let folder = folder.join(format!(
            "gcc-{:016x}-{}",
            hasher.finish(),
            std::process::id()
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let mut names = Vec::new();
        for (k, text) in files.iter().enumerate() {
            names.push(format!("{k}.c"));
            std::fs::write(folder.join(&names[k]), text).unwrap();
        }
        let built = Command::new("gcc")
            .current_dir(&folder)
            .args(["-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-o", "all"])
            .args(&names)
            .arg("-lm")
            .status()
            .unwrap();
        assert!(built.success(), "gcc");
        let output = Command::new(folder.join("all")).output().unwrap();
        assert!(output.status.success(), "{:?}", output.status);
        std::fs::write(folder.join("values"), output.stdout).unwrap();
        std::fs::rename(folder.join("values"), &kept).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let text = std::fs::read_to_string(&kept).unwrap();
    let values: Vec<u64> = text
        .lines()
        .map(|line| u64::from_str_radix(line, 16).unwrap())
        .collect();
    assert_eq!(values.len(), 2 * SLOTS * programs.len());
    values.chunks(2 * SLOTS).map(<[u64]>::to_vec).collect()
}

fn preprocessed(text: &str) -> String {
    let mut text = text.to_owned();
    text.insert_str(0, "# 1 \"f.c\"\n");
    // What the headers declare and is called is known to the interpreter.
    text.lines()
        .filter(|line| !line.starts_with("#include"))
        .fold(String::new(), |all, line| all + line + "\n")
}

/// What is wrong with the interpreter's values of a program.
fn mistake(program: &Made, values: &[u64]) -> Option<String> {
    let zero = format!("for (int z = 0; z < {SLOTS}; z++) {{ o[z] = 0; d[z] = 0; }}");
    let original = format!("{}\n{{\n{zero}\n{}\n}}\n", program.head(), program.body);
    let mut result = format!("void f(long o[restrict {SLOTS}], double d[restrict {SLOTS}])\n{{\n");
    for (at, bits) in values.iter().enumerate() {
        let _ = if at < SLOTS {
            writeln!(result, "o[{at}] = (long)0x{bits:x}ul;")
        } else {
            writeln!(
                result,
                "*(unsigned long *)&d[{}] = 0x{bits:x}ul;",
                at - SLOTS
            )
        };
    }
    result.push_str("}\n");
    let (original, result) = (preprocessed(&original), preprocessed(&result));
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    let options = Options {
        steps: Some(600_000),
        ..Options::default()
    };
    // Objects of static storage are values of the original's, too: of them there are others.
    let found = certify(&text(&original), &text(&result), &options);
    match &found.verdict {
        Verdict::Differs(difference) if difference.place.starts_with(['o', 'd']) => {
            Some(format!("{}: {difference}", program.name))
        }
        Verdict::Unknown(why) => Some(format!("{}: {why}", program.name)),
        _ => None,
    }
}

#[track_caller]
fn all(programs: impl Iterator<Item = Made>) {
    let programs: Vec<Made> = programs.collect();
    let values = compiled(&programs);
    let wrong = programs
        .iter()
        .zip(&values)
        .filter_map(|(program, values)| mistake(program, values));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn table(programs: &[Program]) {
    all(programs.iter().map(|(name, front, body)| Made {
        name: (*name).to_owned(),
        front: (*front).to_owned(),
        body: (*body).to_owned(),
    }));
}

#[test]
fn programs_of_all_kinds() {
    table(programs::PROGRAMS);
}
