//! The C++ front end: regions in functions of C++ as functions of C, which [`super::c`] reads.
//!
//! What a region means depends on the file around it: types, overloads, templates, namespaces. No
//! parser of ours knows them. So only the region's own statements, and those of functions that it calls,
//! are taken apart, token by token; what a name or a call is, the C++ compiler is asked ([`answers`]).
//! What comes out is a function of C for each region, on the lines of the original file, so that messages
//! point into that and generated text is put there. What has no counterpart in C leaves its region as
//! it was.
//!
//! [`read`] → the caller gives [`Reading::question`] to the compiler → [`Reading::lift`].

mod answers;
mod calls;
mod declarations;
mod expressions;
mod file;
mod lift;
mod names;
mod objects;
mod own;
mod pieces;
mod printed;
mod translate;
mod types;

#[cfg(test)]
mod tests;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::frontend::c;
use crate::source::Source;
use answers::{Answers, Question};
use file::{Enclosing, File};
use lift::{Choices, Lift, Taken};
use names::{Names, Outer, Questions, Refusal};
use own::Around;
use pieces::{Piece, marker};
pub use printed::{generated_for, printed};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use translate::{Helper, Helpers, Translator, used_behind};

/// What stands around the generated text of a region in C++.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Statements in front of it.
    pub statements: Vec<String>,
    /// A condition without which the original is executed.
    pub condition: Option<String>,
    /// What functions of C are called in C++.
    pub names: BTreeMap<String, String>,
    /// Whether the region stays as it was: the compiler did not take its text.
    pub stays: bool,
}

/// Regions of C++ by the names of their functions in C.
pub type Openings = BTreeMap<String, Opening>;

/// A file of C++ in C.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// The original text, with C in place of what the preprocessor made of it; `None` where no
    /// region could be read.
    pub source: Option<Source>,
    /// What stands around generated text.
    pub openings: Openings,
    /// Why regions are left as they were.
    pub warnings: Vec<Diagnostic>,
}

/// A region behind the translator.
#[derive(Debug)]
struct Draft {
    function: Enclosing,
    tokens: Range<usize>,
    pieces: Vec<Piece>,
    outers: Vec<Outer>,
    /// The numbers of the functions that it calls, and of those that they call.
    calls: BTreeSet<usize>,
    /// The questions for the parameters of the template that it is in.
    parameters: Vec<Question>,
}

/// A file whose regions were read, before the compiler is asked.
pub struct Reading<'a> {
    file: File<'a>,
    names: Names,
    questions: Questions,
    helpers: Helpers,
    regions: Vec<Result<Draft, Refusal>>,
}

/// Reads a preprocessed file of C++.
///
/// # Errors
/// Pragmas that do not pair up, or none.
pub fn read(source: &Source) -> Result<Reading<'_>, Vec<Diagnostic>> {
    let file = File::new(source);
    let marked = file.regions()?;
    if marked.is_empty() {
        let message = format!("{} has no marked region", source.name);
        let help = "put `#pragma scop` on a line before the loops and `#pragma endscop` on a line behind them";
        return Err(vec![Diagnostic::error(Code::NoRegion, message).help(help)]);
    }
    let mut names = Names::new(&file);
    let mut questions = Questions::default();
    let mut helpers = Helpers::default();
    let mut regions = Vec::new();
    for region in &marked {
        let pragmas = [region.start, region.end];
        let of_file = (&mut names, &mut questions, &mut helpers);
        let draft = match &region.fixed {
            Some(mistake) => Err(mistake.clone()),
            None => draft(&file, of_file, pragmas),
        };
        regions.push(draft);
    }
    Ok(Reading {
        file,
        names,
        questions,
        helpers,
        regions,
    })
}

fn draft(
    file: &File,
    of_file: (&mut Names, &mut Questions, &mut Helpers),
    pragmas: [usize; 2],
) -> Result<Draft, Refusal> {
    let [start, end] = pragmas;
    let tokens = file.between(start, end);
    let function = file.enclosing(&tokens)?;
    let begin = file.offset(tokens.start);
    let mut translator = Translator::new(file, of_file, (start, begin));
    let mut parameters = Vec::new();
    for parameter in &function.parameters {
        let name = &parameter.name;
        let question = match parameter.is_type {
            true => {
                translator.names.declare_type(name);
                translator.questions.statement(begin, name, None)
            }
            false => {
                let of = format!("decltype({name})");
                translator.questions.statement(begin, &of, Some(name))
            }
        };
        parameters.push(question);
    }
    translator.statements(tokens.clone())?;
    translator.writer.pragmas(end + 1);
    for (name, _) in &translator.declared {
        let behind = tokens.end..function.body.end;
        if let Some(at) = behind.into_iter().find(|&at| file.text(at) == name) {
            return Err(used_behind(file, at));
        }
    }
    Ok(Draft {
        function,
        tokens,
        pieces: translator.writer.pieces,
        outers: translator.outers,
        calls: translator.calls,
        parameters,
    })
}

/// A function that regions call, in C.
struct Own {
    text: String,
    taken: Taken,
}

/// A region in C.
struct Written {
    name: String,
    text: String,
    opening: Opening,
    /// Declarations of variables of the file.
    objects: Vec<String>,
    calls: BTreeSet<usize>,
    draft: usize,
}

impl Reading<'_> {
    /// The file with questions for the compiler, preprocessed; `None` where there is none to ask.
    pub fn question(&self) -> Option<String> {
        let tops = self
            .regions
            .iter()
            .flatten()
            .map(|draft| draft.function.top);
        let top = self.file.offset(tops.min()?);
        let text = &self.file.source.preprocessed;
        let library = names::Edit {
            offset: top,
            closes: false,
            text: format!("\n{}\n", answers::library(text)),
        };
        let mut questions = Questions::default();
        questions.edits.push(library);
        questions.edits.extend(self.questions.edits.iter().cloned());
        Some(answers::opening() + &questions.put_into(text))
    }

    /// Whether the compiler answered what it has to answer.
    pub fn is_answered(&self, messages: &str) -> bool {
        let answers = Answers::read(messages);
        let drafts = self.regions.iter().flatten();
        drafts
            .flat_map(|draft| &draft.outers)
            .all(|outer| answers.get(outer.question).is_some())
    }

    /// The file in C, with what the compiler said of the questions.
    pub fn lift(mut self, messages: &str) -> Lifted {
        let answers = Answers::read(messages);
        let regions = std::mem::take(&mut self.regions);
        let helpers = std::mem::take(&mut self.helpers);
        let (file, names) = (&self.file, &mut self.names);
        let mut warnings = Vec::new();
        let mut choices = Choices::new();
        let mut globals = BTreeMap::new();
        let mut made: BTreeSet<String> = BTreeSet::new();
        let shared = (0..file.len()).any(|at| file.text(at) == "union" && file.line(at).is_some());
        // Made outside of the closure that makes names, which borrows them.
        let own_names = names.clone();
        let mut fresh = |stem: &str| names.fresh(stem);
        let mut lift = Lift {
            file,
            answers: &answers,
            choices: &mut choices,
            fresh: &mut fresh,
            globals: &mut globals,
        };
        let mut own: Vec<Result<Own, Refusal>> = Vec::new();
        for helper in &helpers.done {
            let done = lift.take(&helper.outers, None).and_then(|taken| {
                let text = lift.fill(&helper.pieces, &taken)?;
                Ok(Own { text, taken })
            });
            own.push(done);
        }
        let mut written: Vec<Written> = Vec::new();
        let mut drafts = Vec::new();
        for region in regions {
            let done = region.and_then(|draft| {
                if let Some(Err(refusal)) = draft
                    .calls
                    .iter()
                    .map(|&call| &own[call])
                    .find(|own| own.is_err())
                {
                    return Err(refusal.clone());
                }
                let around = Around {
                    file,
                    names: &own_names,
                    function: &draft.function,
                    region: draft.tokens.clone(),
                };
                let only = instance(&draft, &lift)?;
                for &call in &draft.calls {
                    let taken = own[call].as_ref().map(|own| &own.taken);
                    is_visible(file, &draft, &helpers.done[call], taken.ok())?;
                }
                let mut taken = lift.take(&draft.outers, Some(&around))?;
                for other in draft.calls.iter().flat_map(|&call| &own[call]) {
                    taken.known.also(&other.taken.known);
                }
                let statements = lift.fill(&draft.pieces, &taken)?;
                let name = match made.insert(draft.function.name.clone()) {
                    true => draft.function.name.clone(),
                    false => (lift.fresh)(&draft.function.name),
                };
                let text = function(file, &draft, &name, &taken, &statements);
                let mut objects = objects(file, &taken.objects, draft.function.head.start);
                for other in draft.calls.iter().flat_map(|&call| &own[call]) {
                    objects.extend(self::objects(
                        file,
                        &other.taken.objects,
                        draft.function.head.start,
                    ));
                }
                let wanted = taken
                    .wanted
                    .iter()
                    .map(|(declaration, _)| format!("{declaration};"));
                objects.extend(wanted);
                let mut statements = only;
                let of_calls = draft.calls.iter().flat_map(|&call| &own[call]);
                let of_calls = of_calls.map(|own| &own.taken);
                statements.extend(of_calls.flat_map(|taken| taken.openings.clone()));
                statements.extend(taken.openings.clone());
                let opening = Opening {
                    statements,
                    condition: taken.known.condition(shared),
                    names: called(&helpers, &lift),
                    stays: false,
                };
                let calls = draft.calls.clone();
                drafts.push(draft);
                Ok(Written {
                    name,
                    text,
                    opening,
                    objects,
                    calls,
                    draft: drafts.len() - 1,
                })
            });
            match done {
                Ok(done) => written.push(done),
                Err(refusal) => warnings.push(left(*refusal)),
            }
        }
        let assemble = |regions: &[Written]| {
            let first = regions
                .first()
                .map_or(0, |region| drafts[region.draft].function.head.start);
            let line = file.line(first).unwrap_or(1);
            let mut text = marker(line, &file.source.name);
            for ((name, base), own) in &choices {
                text.push_str(&lift::choice(name, base, own));
                text.push(' ');
            }
            let mut seen = BTreeSet::new();
            for object in regions.iter().flat_map(|region| &region.objects) {
                if seen.insert(object.rsplit('\n').next().unwrap_or("").to_owned()) {
                    text.push_str(object);
                }
            }
            let calls = regions
                .iter()
                .flat_map(|region| &region.calls)
                .collect::<BTreeSet<_>>();
            for own in calls.iter().flat_map(|&&call| &own[call]) {
                text.push_str(&marker(line, &file.source.name));
                text.push_str(&own.text);
            }
            for region in regions {
                text.push_str(&region.text);
            }
            text.push('\n');
            Source {
                name: file.source.name.clone(),
                text: file.source.text.clone(),
                preprocessed: text,
                macros: file.source.macros.clone(),
                chosen: file.source.chosen,
            }
        };
        let source = assemble(&written);
        if !written.is_empty() && c::parse::parse(&source).is_err() {
            let parse =
                |region: Written| match c::parse::parse(&assemble(std::slice::from_ref(&region))) {
                    Ok(_) => Some(region),
                    Err(errors) => {
                        warnings.extend(errors.into_iter().map(left));
                        None
                    }
                };
            written = written.into_iter().filter_map(parse).collect();
        }
        let source = (!written.is_empty()).then(|| assemble(&written));
        let openings = written
            .into_iter()
            .map(|region| (region.name, region.opening));
        Lifted {
            source,
            openings: openings.collect(),
            warnings,
        }
    }
}

/// Refuses a function whose variables, or whose own calls, may mean something else where the region
/// stands, as its statements may come to stand there.
fn is_visible(
    file: &File,
    draft: &Draft,
    helper: &Helper,
    taken: Option<&Taken>,
) -> Result<(), Refusal> {
    let function = &draft.function;
    let scope = |at: usize| {
        let all = file.scope(at).into_iter();
        let named =
            all.filter(|words| words.split_whitespace().collect::<String>() != "namespace{");
        named.collect::<Vec<_>>()
    };
    // Whether a name may be declared in the function, or is at least no call's.
    let mentions = |name: &str, call: bool| {
        let outside = |at: &usize| file.text(*at) == name && !draft.tokens.contains(at);
        let all = function
            .head
            .clone()
            .chain(function.body.clone())
            .filter(outside);
        all.into_iter().any(|at| {
            let (before, behind) = (file.text(at.saturating_sub(1)), file.text(at + 1));
            let is_typed = matches!(before, "*" | "&" | ">")
                || (file::is_word(before) && !matches!(before, "return" | "else" | "case" | "not"));
            let is_listed = matches!(before, "," | "[" | "(" | ";")
                && matches!(behind, "=" | "," | ";" | "{" | "[" | "]");
            match call {
                true => behind != "(",
                false => is_typed || is_listed,
            }
        })
    };
    let variables: Vec<&str> = taken.iter().flat_map(|taken| taken.variables()).collect();
    let is_member = function.head.clone().any(|at| {
        file.text(at) == function.name && types::colons(file, at.saturating_sub(2)).is_some()
    });
    let elsewhere = is_member || scope(helper.at) != scope(function.head.start);
    let hidden = variables.iter().any(|name| mentions(name, false));
    if (!variables.is_empty() && (elsewhere || hidden)) || mentions(&helper.name, true) {
        let message = format!(
            "a call of `{}`, which uses names that may mean something else here",
            helper.spelling
        );
        let help = "give the function what it needs as parameters";
        return Err(names::refuse(
            file,
            helper.at..helper.at + 1,
            &message,
            help,
        ));
    }
    Ok(())
}

/// Statements that no other instance of a region's template takes than the one that was read.
fn instance(draft: &Draft, lift: &Lift) -> Result<Vec<String>, Refusal> {
    let mut statements = Vec::new();
    for (parameter, &question) in draft.function.parameters.iter().zip(&draft.parameters) {
        let name = &parameter.name;
        let answer = lift.answers.get(question);
        let only = answer.and_then(|answer| match parameter.is_type {
            true => {
                let own = answer
                    .kind
                    .declaration("")
                    .filter(|_| answer.kind.is_number())?;
                let own = own.trim_end().replace("_Bool", "bool");
                Some(format!(
                    "(void)static_cast<{own} *>(static_cast<{name} *>(nullptr));"
                ))
            }
            false => Some(format!("static_assert({name} == {}, \"\");", answer.value?)),
        });
        match only {
            Some(only) => statements.push(only),
            None => {
                let message = format!("a region in a template that is not used with one `{name}`");
                let help = "use it with one type in the file, or put the region into a function for a type, and call that";
                let at = draft.function.head.clone();
                return Err(names::refuse(lift.file, at, &message, help));
            }
        }
    }
    Ok(statements)
}

/// What functions of C are called in C++.
fn called(helpers: &Helpers, lift: &Lift) -> BTreeMap<String, String> {
    let own = helpers.done.iter().filter_map(|helper| {
        let kinds = helper
            .types
            .iter()
            .map(|&question| lift.answers.get(question));
        let types: Option<Vec<String>> = kinds.map(|answer| answer?.kind.declaration("")).collect();
        let types = types.unwrap_or_default();
        let types: Vec<&str> = types.iter().map(|one| one.trim_end()).collect();
        let types = types.join(", ").replace("_Bool", "bool");
        let spelling = match helper.types.is_empty() {
            true => helper.spelling.clone(),
            false => format!("{}<{types}>", helper.spelling),
        };
        (spelling != helper.name).then(|| (helper.name.clone(), spelling))
    });
    let library = lift.choices.iter().map(|((name, base), own)| {
        let base = if *base == "_Bool" { "bool" } else { base };
        (own.clone(), format!("std::{name}<{base}>"))
    });
    own.chain(library).collect()
}

/// A region as a function of C.
fn function(file: &File, draft: &Draft, name: &str, taken: &Taken, statements: &str) -> String {
    let line = |at: usize| {
        file.line(at)
            .or(file.line(draft.function.head.start))
            .unwrap_or(1)
    };
    let mark = |at: usize| marker(line(at), &file.source.name);
    let mut text = format!("{}void {name}(", mark(draft.function.head.start));
    for (number, (at, declaration)) in taken.parameters.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        text.push_str(&format!("{comma}{}{declaration}", mark(*at)));
    }
    if taken.parameters.is_empty() {
        text.push_str("void");
    }
    text.push_str(&format!(
        "{}) {{\n{statements}\n",
        mark(draft.tokens.start.max(1) - 1)
    ));
    text.push_str(&mark(draft.tokens.end));
    for (_, assignment) in &taken.wanted {
        text.push_str(&format!(" {assignment}"));
    }
    text.push_str(" }\n");
    text
}

/// Declarations of variables of the file, each on its line.
fn objects(file: &File, objects: &[(usize, String, String)], head: usize) -> Vec<String> {
    let line = |at: usize| file.line(at).or(file.line(head)).unwrap_or(1);
    let one = |(at, _, declaration): &(usize, String, String)| {
        format!("{}{declaration};", marker(line(*at), &file.source.name))
    };
    objects.iter().map(one).collect()
}

/// A warning of what keeps a region as it was.
fn left(refusal: Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        message: format!("the region is left as it was: {}", refusal.message),
        ..refusal
    }
}
