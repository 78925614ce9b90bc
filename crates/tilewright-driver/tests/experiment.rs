//! Original against result, with small C files for both: built, run, compared, timed.

use crate::runner;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::interface::{Argument, ArgumentKind, Interface};
use tilewright::scop::{ScalarKind, ScalarType};
use tilewright::source::Source;
use tilewright_driver::data::fill::Fill;
use tilewright_driver::host::toolchain::{Purpose, Toolchain, split};
use tilewright_driver::measure::contest::{Contest, Peer};
use tilewright_driver::measure::experiment::{Arguments, Experiment, Values};
use tilewright_driver::measure::job::{Comparison, Standing, Timing};
use tilewright_driver::measure::run::{Progress, Runner};

fn scalar(name: &str, kind: ScalarKind, spelling: &str) -> Argument {
    let ctype = ScalarType {
        kind,
        spelling: spelling.to_owned(),
    };
    Argument {
        name: name.to_owned(),
        kind: ArgumentKind::Scalar { ctype },
    }
}

fn array(name: &str, extents: &[&str], read_only: bool) -> Argument {
    let element = ScalarType {
        kind: ScalarKind::F32,
        spelling: "float".to_owned(),
    };
    let extents = extents.iter().map(|&extent| extent.to_owned()).collect();
    let pointer = "float *".to_owned();
    let kind = ArgumentKind::Array {
        element,
        pointer,
        extents,
        read_only,
        struct_bytes: None,
    };
    Argument {
        name: name.to_owned(),
        kind,
    }
}

/// `void f(int n, float gain, float out[n], const float in[n + 1])`
fn interface() -> Interface {
    Interface {
        function: "f".to_owned(),
        arguments: vec![
            scalar("n", ScalarKind::I32, "int"),
            scalar("gain", ScalarKind::F32, "float"),
            array("out", &["n"], false),
            array("in", &["n + 1"], true),
        ],
        globals: Vec::new(),
        init: None,
        asks: None,
    }
}

const HEAD: &str = "static void f(int n, float gain, float out[n], const float in[n + 1]) ";
const PLAIN: &str = "{ for (int i = 0; i < n; i++) out[i] = gain * in[i] + in[i + 1]; }";

/// A program in a file of its own, and how it is run.
struct Case {
    directory: TempDir,
    path: PathBuf,
    source: Source,
    result: String,
    interface: Interface,
    toolchain: Toolchain,
    runner: Runner,
    arguments: Arguments,
    notes: Vec<String>,
}

impl Case {
    fn new(original: &str, result: &str) -> Case {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("program.c");
        fs::write(&path, original).unwrap();
        let name = path.display().to_string();
        let source = Source {
            name,
            text: original.to_owned(),
            preprocessed: String::new(),
            ..Source::default()
        };
        Case {
            directory,
            path,
            source,
            result: result.to_owned(),
            interface: interface(),
            toolchain: Toolchain {
                cflags: split("-O1 -fopenmp"),
                ..Toolchain::default()
            },
            runner: runner(2),
            arguments: Arguments {
                values: Values::from([("n".to_owned(), "1000".to_owned())]),
                fill: Fill::Auto,
                seed: 1,
                inputs: Vec::new(),
                outputs: Vec::new(),
            },
            notes: Vec::new(),
        }
    }

    fn bodies(original: &str, result: &str) -> Case {
        Case::new(&format!("{HEAD}{original}"), &format!("{HEAD}{result}"))
    }

    fn with<T>(
        &mut self,
        work: impl FnOnce(&Experiment<'_>, &mut dyn FnMut(Progress)) -> Result<T, Box<Diagnostic>>,
    ) -> Result<T, Box<Diagnostic>> {
        let experiment = Experiment {
            source: &self.source,
            path: &self.path,
            result: &self.result,
            device: None,
            interface: &self.interface,
            toolchain: &self.toolchain,
            runner: self.runner.clone(),
            arguments: self.arguments.clone(),
            runs: Some(3),
        };
        let notes = &mut self.notes;
        work(&experiment, &mut |progress| {
            if let Progress::Note(note) = progress {
                notes.push(note);
            }
        })
    }

    fn check(&mut self) -> Result<Comparison, Box<Diagnostic>> {
        self.with(|experiment, progress| experiment.check(&experiment.build()?, progress))
    }

    fn time(&mut self) -> Result<Timing, Box<Diagnostic>> {
        self.with(|experiment, progress| experiment.time(&experiment.build()?, progress))
    }

    fn time_alone(&mut self) -> Result<Timing, Box<Diagnostic>> {
        self.with(|experiment, progress| experiment.time_alone(&experiment.build()?, progress))
    }

    /// Original and result, built twice, and a peer with this body.
    fn contest(&mut self, peer: &str) -> Result<Vec<Standing>, Box<Diagnostic>> {
        let text = self.directory.path().join("peer.c");
        let library = text.with_extension("so");
        let head = "void g(int n, float gain, float *out, const float *in)";
        fs::write(&text, format!("{head} {peer}")).unwrap();
        let compiler = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .args([&library, &text])
            .status();
        assert!(compiler.unwrap().success());
        self.with(|experiment, progress| {
            let built = experiment.build()?;
            let contest = Contest {
                builds: vec![
                    ("once".to_owned(), experiment, &built),
                    ("twice".to_owned(), experiment, &built),
                ],
                peers: ["first", "second"]
                    .map(|name| Peer {
                        name: name.to_owned(),
                        library: library.clone(),
                        symbol: "g".to_owned(),
                    })
                    .to_vec(),
                originals: true,
                turns: tilewright_driver::measure::job::Turns::of_one_call(2),
            };
            contest.run(progress)
        })
    }

    fn refusal(&mut self) -> Diagnostic {
        *self.check().expect_err("this should have failed")
    }
}

#[test]
fn the_same_is_identical() {
    let other_order = "{ for (int i = n - 1; i >= 0; i--) out[i] = gain * in[i] + in[i + 1]; }";
    let comparison = Case::bodies(PLAIN, other_order).check().unwrap();
    assert!(comparison.identical(), "{comparison:?}");
    assert_eq!(comparison.arrays.len(), 2);
    assert_eq!(comparison.arrays[0].0.extents, [1000]);
    assert_eq!(comparison.arrays[1].0.extents, [1001]);
}

#[test]
fn contraction_of_products_and_sums_is_kept_out_of_the_comparison() {
    // With contraction, gcc turns the plain form into fused multiply-add, the other not.
    let apart = "{ for (int i = 0; i < n; i++) { volatile float p = gain * in[i]; \
                 out[i] = p + in[i + 1]; } }";
    let mut case = Case::bodies(PLAIN, apart);
    case.toolchain.cflags = split("-O3 -ffast-math");
    case.arguments
        .values
        .insert("gain".to_owned(), "0.3".to_owned());
    assert!(case.check().unwrap().identical());
}

#[test]
fn complex_products_are_not_contracted_at_other_places_than_the_originals() {
    // gcc 12 contracts the vectorised part of this loop under -ffp-contract=off, and not its end.
    let head = HEAD.replace('[', "[restrict ");
    let step = "out[i] = gain * in[i] - in[i + 1] * in[i + 1]; \
                out[i + 1] = gain * in[i + 1] + in[i + 1] * in[i];";
    let whole = format!("{head}{{ for (int i = 0; i + 1 < n; i += 2) {{ {step} }} }}");
    let parts = format!(
        "{head}{{ for (int o = 0; o < n; o += 14) \
         for (int i = o; i + 1 < n && i < o + 14; i += 2) {{ {step} }} }}"
    );
    let mut case = Case::new(&whole, &parts);
    // Half of a number is exact.
    case.arguments
        .values
        .insert("gain".to_owned(), "0.3".to_owned());
    case.toolchain.cflags = split("-O3 -march=native -fopenmp");
    assert!(case.check().unwrap().identical());
    // Also where another program is to translate the rest.
    case.toolchain.cflags = split("-O3 -march=native -fopenmp -flto");
    assert!(case.check().unwrap().identical());
}

#[test]
fn builds_leave_their_library_alone() {
    let directory = tempfile::tempdir().unwrap();
    let (input, library) = (directory.path().join("f.c"), directory.path().join("f.so"));
    fs::write(&input, "float f(float a) { return a * a; }").unwrap();
    for purpose in [Purpose::Check, Purpose::Time] {
        let toolchain = Toolchain::default();
        let built = toolchain.build(&input, &library, purpose, None, None);
        assert!(built.is_ok());
        let entries = fs::read_dir(directory.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["f.c", "f.so"]);
    }
}

#[test]
fn a_difference_is_found_and_placed() {
    let wrong = "{ for (int i = 0; i < n; i++) out[i] = gain * in[i] + in[i + 1]; out[17] += 1; }";
    let comparison = Case::bodies(PLAIN, wrong).check().unwrap();
    assert!(!comparison.identical());
    let (shape, difference) = &comparison.arrays[0];
    assert_eq!((difference.differing, difference.first), (1, Some(17)));
    assert_eq!(shape.subscripts(17), "[17]");
    assert_eq!(comparison.max_abs_diff(), 1.0);
}

#[test]
fn globals_are_each_versions_own() {
    let text = "static float acc[4]; float table[2] = {2, 3}; int calls; int steps;\n\
                void f(int n, float gain, float out[n], const float in[n + 1]) {\n\
                for (int i = 0; i < n; i++) acc[i % 4] += in[i] * table[i % 2];\n\
                for (int i = 0; i < n; i++) out[i] = acc[i % 4] + steps; calls++; }";
    let mut case = Case::new(text, text);
    let mut global = |name: &str, extent: &str| {
        let mut argument = array(name, &[extent], false);
        if let ArgumentKind::Array { pointer, .. } = &mut argument.kind {
            pointer.clear();
        }
        case.interface.globals.push(argument);
    };
    global("acc", "4");
    global("table", "2");
    case.interface
        .globals
        .push(scalar("calls", ScalarKind::I32, "int"));
    case.interface
        .globals
        .push(scalar("steps", ScalarKind::I32, "int"));
    case.arguments
        .values
        .insert("steps".to_owned(), "7".to_owned());
    let comparison = case.check().unwrap();
    assert!(comparison.identical());
    assert_eq!(comparison.arrays.len(), 6);
    let timing = case.time().unwrap();
    assert_eq!((timing.original.len(), timing.result.len()), (3, 3));
    assert_eq!(timing.max_abs_diff, Some(0.0), "restored before each run");
    let timing = case.time_alone().unwrap();
    assert_eq!((timing.original.len(), timing.result.len()), (0, 3));
    assert_eq!(timing.max_abs_diff, None);
    // A difference in a global alone is found too.
    case.result = text.replace("calls++", "calls += 2");
    let comparison = case.check().unwrap();
    let differing: Vec<&str> = comparison
        .arrays
        .iter()
        .filter(|(_, difference)| difference.differing > 0)
        .map(|(shape, _)| &shape.name[..])
        .collect();
    assert_eq!(differing, ["calls"]);
}

#[test]
fn init_functions_fill_the_arrays() {
    let init = "void f_init(int n, float gain, float *out, float *in) \
                { for (int i = 0; i <= n; i++) in[i] = 2; for (int i = 0; i < n; i++) out[i] = 0; }";
    let doubling = "{ for (int i = 0; i < n; i++) out[i] += in[i] * in[i + 1]; }";
    let text = format!("{init}\n{HEAD}{doubling}");
    let mut case = Case::new(&text, &text);
    case.interface.init = Some("f_init".to_owned());
    let path = case.directory.path().join("out.npy");
    case.arguments.outputs = vec![("out".to_owned(), path.clone())];
    assert!(case.check().unwrap().identical());
    let file = fs::read(&path).unwrap();
    assert_eq!(&file[file.len() - 4..], 4.0_f32.to_ne_bytes());
    assert_eq!(case.time().unwrap().max_abs_diff, Some(0.0));
}

#[test]
fn arrays_come_from_files() {
    let mut case = Case::bodies(PLAIN, PLAIN);
    case.arguments.values.insert("n".to_owned(), "3".to_owned());
    let output = case.directory.path().join("out.npy");
    let input = case.directory.path().join("in.npy");
    case.arguments.outputs = vec![
        ("in".to_owned(), input.clone()),
        ("out".to_owned(), output.clone()),
    ];
    case.check().unwrap();
    let first = fs::read(&output).unwrap();
    case.arguments.inputs = vec![("in".to_owned(), input.clone())];
    case.arguments.outputs.remove(0);
    case.check().unwrap();
    assert_eq!(fs::read(&output).unwrap(), first);

    case.arguments.values.insert("n".to_owned(), "4".to_owned());
    let refusal = case.refusal();
    assert_eq!(refusal.code, "TW0505");
    assert!(
        refusal
            .message
            .ends_with("its size is 4, the program's is 5"),
        "{}",
        refusal.message
    );
    case.arguments.inputs = vec![("in".to_owned(), case.directory.path().join("none.npy"))];
    assert!(case.refusal().message.contains("no such file"));
}

#[test]
fn crashes_are_told_apart() {
    let crash = "{ for (int i = 0; i < n; i++) *(volatile float *)(16L + i) = 0; }";
    let refusal = Case::bodies(PLAIN, crash).refusal();
    assert_eq!(refusal.code, "TW0502");
    assert_eq!(
        refusal.message,
        "the result crashed: segmentation fault, signal 11"
    );
    let refusal = Case::bodies(crash, PLAIN).refusal();
    assert!(
        refusal.message.starts_with("the original crashed"),
        "{}",
        refusal.message
    );
    assert!(refusal.help.is_some());
    let exit = format!(
        "#include <stdlib.h>\n#include <stdio.h>\n{HEAD}{{ puts(\"no\"); fputs(\"why\\n\", stderr); exit(3); }}"
    );
    let refusal = Case::new(&exit, &exit).refusal();
    assert_eq!(refusal.message, "the original crashed: it called exit(3)");
    assert_eq!(refusal.notes, ["it said: why"]);
}

#[test]
fn endless_loops_come_to_an_end() {
    let endless = "{ volatile int x = 1; while (x) ; }";
    let mut case = Case::bodies(PLAIN, endless);
    case.runner.limit = Duration::from_millis(500);
    let begin = Instant::now();
    let refusal = case.refusal();
    assert_eq!(refusal.code, "TW0502");
    assert_eq!(
        refusal.message,
        "the result did not come to an end within 0.5 s"
    );
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn writing_beside_an_array_is_noticed() {
    let beside = "{ for (int i = 0; i <= n; i++) out[i] = gain * in[i] + in[i > 0 ? i - 1 : 0]; }";
    let refusal = Case::bodies(PLAIN, beside).refusal();
    assert_eq!(refusal.message, "the result wrote outside of `out`");
    assert_eq!(refusal.notes, ["`out` was taken to have 1000 elements"]);
}

#[test]
fn c_errors_are_readable() {
    let mut case = Case::new(&format!("{HEAD}{{ out[0] = nonsense; }}"), "");
    let refusal = case.refusal();
    assert_eq!(refusal.code, "TW0501");
    assert!(
        refusal.message.starts_with("the C compiler `cc` failed: "),
        "{}",
        refusal.message
    );
    assert!(refusal.message.contains("nonsense"));
    let label = &refusal.labels[0];
    assert!(case.source.text[label.start..].starts_with("nonsense"));

    let refusal = Case::bodies(PLAIN, "{ syntax error }").refusal();
    assert_eq!(refusal.code, "TW0501");
    assert!(
        refusal.notes.iter().any(|note| note.contains("generated")),
        "{refusal:?}"
    );

    let mut case = Case::bodies(PLAIN, PLAIN);
    case.toolchain.cc = "no-such-compiler".to_owned();
    let refusal = case.refusal();
    assert!(
        refusal.message.contains("`no-such-compiler`: no such file"),
        "{}",
        refusal.message
    );
}

#[test]
fn unusable_values_are_refused() {
    let mut case = Case::bodies(PLAIN, PLAIN);
    let mut message = |value: &str| {
        case.arguments
            .values
            .insert("n".to_owned(), value.to_owned());
        let refusal = case.refusal();
        assert_eq!(refusal.code, "TW0504");
        refusal.message
    };
    assert_eq!(message("-3"), "the extent `n` of `out` is -3");
    assert!(message("3000000000").contains("int holds -2147483648 to 2147483647"));
    assert!(message("ten").contains("no integer"));
}

#[test]
fn functions_that_are_never_called_may_be_missing() {
    let text = format!(
        "void nowhere(void); void other(void) {{ nowhere(); }}\n{HEAD}{PLAIN}\n\
                        int main(void) {{ nowhere(); return 0; }}"
    );
    assert!(Case::new(&text, &text).check().unwrap().identical());
}

#[test]
fn times_are_measured() {
    let slow = "{ for (int k = 0; k < 20000; k++) for (int i = 0; i < n; i++) \
                { volatile float x = in[i]; out[i] = x + gain; } }";
    let quick = "{ for (int i = 0; i < n; i++) out[i] = in[i] + gain; }";
    let timing = Case::bodies(slow, quick).time().unwrap();
    assert_eq!((timing.original.len(), timing.result.len()), (3, 3));
    assert_eq!(timing.max_abs_diff, Some(0.0));
    assert!(
        timing
            .original
            .iter()
            .all(|slow| timing.result.iter().all(|quick| slow > quick))
    );
}

#[test]
fn threads_are_set() {
    let threads = "{ for (int i = 0; i < n; i++) out[i] = omp_get_max_threads(); }";
    let two = "{ for (int i = 0; i < n; i++) out[i] = 2; }";
    let text = |body: &str| format!("#include <omp.h>\n{HEAD}{body}");
    assert!(
        Case::new(&text(threads), &text(two))
            .check()
            .unwrap()
            .identical()
    );
}

#[test]
fn threads_that_wait_for_work_survive_the_end() {
    let parallel =
        "{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) out[i] = in[i] * gain; }";
    for _ in 0..4 {
        let timing = Case::bodies(parallel, parallel).time().unwrap();
        assert_eq!(timing.result.len(), 3);
    }
}

#[test]
fn peers_are_compared_with_the_first_original() {
    let peer = "{ for (int i = 0; i < n; i++) out[i] = gain * in[i] + in[i + 1]; out[3] += 1; }";
    let standings = Case::bodies(PLAIN, PLAIN).contest(peer).unwrap();
    let names: Vec<&str> = standings.iter().map(|one| &*one.name).collect();
    let expected = [
        "original (once)",
        "tilewright (once)",
        "original (twice)",
        "tilewright (twice)",
        "first",
        "second",
    ];
    assert_eq!(names, expected);
    assert!(standings.iter().all(|one| one.times.len() == 2));
    assert!(standings[..4].iter().all(|one| one.comparison.identical()));
    for peer in &standings[4..] {
        assert_eq!(peer.comparison.arrays.len(), 1, "what may be written");
        assert_eq!(peer.comparison.max_abs_diff(), 1.0);
        assert_eq!(peer.comparison.share_differing(), 0.001);
    }
}

#[test]
fn peers_that_go_wrong_are_named() {
    let contest = |peer: &str| {
        let mut case = Case::bodies(PLAIN, PLAIN);
        *case.contest(peer).expect_err("this should have failed")
    };
    let diagnostic = contest("{ out[n] = 0; }");
    assert_eq!(diagnostic.message, "`first` wrote outside of `out`");
    let diagnostic = contest("{ __builtin_trap(); }");
    assert!(
        diagnostic.message.starts_with("`first` crashed: "),
        "{}",
        diagnostic.message
    );
}
