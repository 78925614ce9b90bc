//! Which memory a function accesses in a marked part of it, in order.
//!
//! A text marks the part itself: between `__tw_region(1);` and `__tw_region(0);` accesses are
//! recorded. In front of the first, `__tw_note(e);` notes the value of an integer or a pointer. Both
//! stand where statements may stand. Loops are executed in the order in which they are written,
//! whatever pragmas say.
//!
//! Variables of the function are objects in memory here, so that accesses to them are among those
//! that are recorded. Those of functions that it calls are not, while what these do to other memory
//! is part of the call.

use crate::judging::inputs::Inputs;
use crate::judging::setup::Reach;
use crate::judging::trial::{Pair, Stopped, reach_of};
use crate::read::{self};
use crate::run::recording::Recording;
use crate::storage::memory::Fault;
use crate::text::Problem;
use crate::verdict::Text;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Inputs that may be thrown away for each one that is wanted.
const REFUSED: usize = 12;
/// Sizes as large as this are no extents: they are there for what they are after a conversion.
const FAR: u64 = 60_000;
/// Stack for reading texts.
const STACK_BYTES: usize = 64 << 20;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The function with the marks.
    pub function: &'a str,
    /// Integer variables whose values are recorded with each access.
    pub variables: &'a [String],
    /// On how many inputs; and on up to a third as many with integers at the ends of their types.
    pub inputs: usize,
    /// No other size is larger.
    pub largest: i64,
    /// Instructions of one execution.
    pub steps: u64,
    /// Where random choices begin.
    pub seed: u64,
}

/// The function on one input.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The arguments, as text.
    pub arguments: String,
    /// One for each time that the marked part was executed.
    pub runs: Vec<Run>,
}

/// The marked part, executed once.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What was noted in front of it, in order.
    pub notes: Vec<Noted>,
    /// Accesses, in order.
    pub events: Vec<Event>,
    /// The function's variables among the objects that were accessed, by number.
    pub declared: HashMap<usize, Declared>,
}

/// A value that was noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// An integer.
    Integer(i128),
    /// A pointer: the number of its object, and how many bytes behind its first it points.
    Pointer {
        /// The object.
        object: usize,
        /// Bytes.
        offset: i64,
    },
}

/// A variable of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Where its declaration begins: line, and byte in that line without its indentation.
    pub place: (u32, usize),
}

/// One access.
#[derive(Clone, Debug)]
pub struct Event {
    /// The line, and the byte in that line without its indentation, of an expression that the access
    /// is part of; of a call that it is part of.
    pub place: (u32, usize),
    /// Where the statement or declaration around it begins.
    pub statement: (u32, usize),
    /// Whether a called function does it.
    pub called: bool,
    /// What is accessed.
    pub access: Access,
    /// Values of the variables that were asked for, where they are declared and integers.
    pub values: Arc<[Option<i64>]>,
}

/// Bytes that are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The object's number.
    pub object: usize,
    /// The first byte, counted from the object's first.
    pub offset: i64,
    /// How many bytes.
    pub size: u64,
    /// Whether it is written.
    pub write: bool,
}

/// Executes a function on small inputs on which it is defined.
///
/// # Errors
/// Why that cannot be done: what the reader does not know, or that no such input was found.
pub fn trace(text: &Text, request: &Request) -> Result<Vec<Trace>, String> {
    let traced = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("trace".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || traces(text, request))
            .map(|thread| thread.join())
    });
    match traced {
        Ok(Ok(traced)) => traced,
        Ok(Err(_)) => Err("the interpreter stopped".to_owned()),
        Err(error) => Err(format!("no memory for the interpreter: {error}")),
    }
}

fn traces(text: &Text, request: &Request) -> Result<Vec<Trace>, String> {
    let described = |Problem { what, line }| format!("line {line}: {what}");
    let parsed = read::cut(text.name, text.preprocessed).map_err(described)?;
    let mut names = vec![request.function.to_owned()];
    let init = format!("{}_init", request.function);
    if parsed.functions().iter().any(|f| f.name == init) {
        names.push(init.clone());
    }
    let program = parsed.parse_with_places(names).map_err(described)?;
    let program = program.compile_traced(request.variables);
    let program = program.map_err(described)?;
    let number = |name: &str| program.functions.iter().position(|f| f.name == name);
    let Some(function) = number(request.function) else {
        return Err(format!("there is no function `{}`", request.function));
    };
    let params = |f: usize| program.functions[f].params.iter().map(|p| (&p.name, &p.ty));
    let init = number(&init).filter(|init| params(*init).eq(params(function)));
    let buffers = Rc::default();
    let halved = crate::judging::setup::Halved::default();
    let pair = Pair {
        original: &program,
        result: &program,
        functions: (function, function),
        init,
        buffers: &buffers,
        halved: &halved,
    };
    let mut inputs = Inputs::new(
        &program,
        &program.functions[function],
        request.seed,
        init.is_some(),
    );
    let (mut done, mut why) = (Vec::new(), "there is no small input".to_owned());
    // Small ones, and a few on which conversions change values.
    let mut wanted = [request.inputs, request.inputs.div_ceil(3)];
    for _ in 0..REFUSED * (request.inputs + 4) {
        let input = inputs.next();
        let within = -request.largest..=request.largest;
        let far = |s: &i64| !within.contains(s) && s.unsigned_abs() < FAR;
        let extreme = !input.sizes.iter().all(|s| within.contains(s));
        let left = &mut wanted[usize::from(extreme)];
        if *left == 0 || input.sizes.iter().any(far) {
            continue;
        }
        let execute = |reach: Option<&Reach>| pair.original(&input, reach, 0x41, request.steps);
        let executed = execute(None).and_then(|(mut ready, before, value)| {
            if !ready.arguments.made.iter().any(|m| m.elastic) {
                return Ok((ready, before, value));
            }
            execute(Some(&reach_of(&mut ready)))
        });
        let (mut ready, ..) = match executed {
            Ok(executed) => executed,
            Err(Stopped { fault, line, .. }) => {
                if fault != Fault::Fuel {
                    inputs.learn(&input, false, false);
                }
                why = format!("line {line}: {fault:?}");
                continue;
            }
        };
        let machine = &mut ready.machine;
        let unwritten = machine.memory.unwritten > 0 || machine.noted.undefined.is_some();
        if unwritten || machine.noted.outside_row.is_some() {
            why = "it reads what was never written, or leaves a row of an array".to_owned();
            inputs.learn(&input, false, false);
            continue;
        }
        inputs.learn(&input, true, false);
        let Recording { runs, .. } = std::mem::take(&mut machine.recording);
        *left -= 1;
        done.push(Trace {
            arguments: ready.arguments.text,
            runs,
        });
    }
    if done.is_empty() { Err(why) } else { Ok(done) }
}
