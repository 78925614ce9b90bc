//! What goes wrong behind the language is said about functions and variables, never about the C in
//! between.

use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::Shape;
use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_lang::*;

/// A blur whose first stage has this name.
fn blur(first: &str) -> Pipeline {
    let mut p = Pipeline::new("blur");
    let [r, c] = p.parameters(["R", "C"]);
    let [x, y] = p.variables(["x", "y"]);
    let img = p.image("img", F32, (r + 2, c));
    let blurx = p.function(first, F32, [x.below(r), y.below(c)]);
    p.define(blurx, img.stencil((x + 1, y), [[1.0], [2.0], [1.0]]));
    let blury = p.output("blury", F32, [x.below(r), y.over(1, c - 2)]);
    p.define(blury, blurx.stencil((x, y), [[1.0, 2.0, 1.0]]));
    p
}

fn options() -> Options {
    Options {
        toolchain: Toolchain {
            cflags: split("-O0"),
            ..Toolchain::default()
        },
        uncached: true,
        ..Options::default()
    }
}

#[test]
fn what_the_c_compiler_says_of_generated_c_is_not_repeated() {
    let mut options = options();
    // A loop variable of generated code.
    options.toolchain.defines = vec!["c0=5".to_owned()];
    let p = blur("blurx");
    let said = p.compile_with(&options).unwrap_err().to_string();
    let refusal = "pipeline blur: the C compiler `cc` refuses the C that was made of the pipeline";
    let (first, help) = said.split_once("\n  help: ").unwrap();
    assert_eq!(first, refusal);
    assert!(
        help.contains("please report it with the pipeline"),
        "{help}"
    );
    assert!(!said.contains("c0"), "{said}");
    options.toolchain.defines.clear();
    options.toolchain.cflags = split("-std=gnu90");
    let again = p.compile_with(&options).unwrap_err().to_string();
    assert_eq!(again, said, "about another line of generated C");
    // What the user can do something about is.
    options.toolchain.cflags = split("-fno-such-flag");
    let said = p.compile_with(&options).unwrap_err().to_string();
    assert!(said.contains("-fno-such-flag"), "{said}");
    assert!(!said.contains("mistake of tilewright"), "{said}");
    options.toolchain.cc = "/no/such/compiler".to_owned();
    let said = p.compile_with(&options).unwrap_err().to_string();
    assert_eq!(
        said,
        "pipeline blur: cannot start the C compiler `/no/such/compiler`: no such file or \
         directory\n  help: install gcc or clang, or name one in the environment variable CC"
    );
}

/// A plan that computes the stages in the wrong order.
#[test]
fn a_plan_that_would_change_values_is_refused_with_functions() {
    let mut options = options();
    options.compile.wishes.shape = Some(Shape::None);
    let p = blur("blurx");
    let mut wrong = p.compile_with(&options).unwrap().plan().clone();
    let groups = &mut wrong.regions[0].groups;
    assert_eq!(groups[0].stages, ["blurx", "blury"]);
    let mut first = groups[0].clone();
    first.stages.remove(0);
    groups[0].stages.remove(1);
    groups.insert(0, first);
    options.plan = Some(wrong);
    let said = p.compile_with(&options).unwrap_err().to_string();
    assert!(
        said.starts_with("pipeline blur: the plan would change what the program computes: blury(x"),
        "{said}"
    );
    assert!(said.contains("blurx(x") && !said.contains("S1("), "{said}");
    assert!(said.contains("for example with "), "{said}");
}

#[test]
fn statements_are_called_like_their_functions() {
    let said = "the group is not tiled: S1(x=3, y=4) would read what S0(x=3, y=4) has not yet \
                written; S7 and ASS0 are no statements, nor is `S1_a`";
    let warning = Diagnostic::warning(Code::Fallback, said);
    let problem = blur("blurx").program().unwrap().problem(&warning);
    assert_eq!(
        problem.message,
        "pipeline blur: the group is not tiled: blury(x=3, y=4) would read what blurx(x=3, y=4) \
         has not yet written; S7 and ASS0 are no statements, nor is `S1_a`"
    );
    // A function that is called like a statement keeps its name.
    let problem = blur("S1").program().unwrap().problem(&warning);
    assert!(problem.message.contains("S1(x=3, y=4) would read what S1("));
}
