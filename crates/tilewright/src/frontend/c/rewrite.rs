//! Generated text into the original file.
//!
//! What changes: the statements between the pragmas become the generated text, and the two
//! pragmas become comments, so that the result is plain C (`-Wunknown-pragmas` stays silent) and
//! is not taken for input a second time. Comments on the pragmas' lines stay. Everything else is
//! kept byte for byte: line ends, tabs, a missing line end at the end of the file. Where only parts
//! of a region could be modelled, each of them becomes a block in its place.
//!
//! The generated text is indented as the first line of the region was, and gets the line ends of
//! the line of `#pragma scop`.

pub mod shares;
mod threads;

use super::shielded;
use super::syntax::Region;
use super::tokens::{Token, tokens};
use crate::source::GENERATED;
use crate::source::{Source, Span};
use std::collections::BTreeSet;
use threads::{count, count_known, counted_once};

/// What `#pragma scop` becomes.
pub const BEGIN: &str = "/* tilewright: begin */";
/// What `#pragma endscop` becomes.
pub const END: &str = "/* tilewright: end */";

/// What the pragmas of a region become of which parts are regions by themselves.
const PARTS: &str = "/* tilewright: region in parts */";
const END_OF_PARTS: &str = "/* tilewright: end of region */";

/// Margin of what stands inside of a condition.
const INSIDE: &str = "    ";

/// The function whose generated region this place of a compiled file is in.
pub fn generated_for(text: &str, place: usize) -> Option<&str> {
    let begin = text.get(..place)?.rfind(GENERATED)?;
    if text[begin..place].contains(END) {
        return None;
    }
    let head = text[begin + GENERATED.len()..].split(" */").next()?;
    head.split_once(" of ").map(|(_, function)| function)
}

/// What stands around generated text in a file of C++.
#[derive(Clone, Debug, Default)]
pub struct Surrounding {
    /// Statements in front of it.
    pub statements: Vec<String>,
    /// A condition in C++ on what they declare, like [`Replacement::check`].
    pub condition: Option<String>,
}

/// What stands in place of a region.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// What it replaces: the region's [`span`](crate::scop::RegionPlace::span).
    pub span: Span,
    /// The generated text.
    pub branch: Branch,
    /// Another one for where that does not stand.
    pub otherwise: Option<Branch>,
    /// What stands around it, where the file is C++.
    pub around: Option<Surrounding>,
    /// A condition in C. Where it does not hold, the region's own statements are executed, which
    /// stand behind the generated text byte for byte.
    pub check: Option<String>,
    /// Declarations of variables in which the condition keeps what it looks up: at the beginning of
    /// the marked region of which this is a part.
    pub kept: Vec<String>,
    /// Whether the statements stand behind the generated text in any case, so that compilers see what they
    /// name.
    pub stays: bool,
    /// Whether it stands in place of statements, not of the lines between two pragmas
    /// ([`Region::is_run`]).
    pub is_run: bool,
}

/// Generated text, and where it stands for the region.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// Statements in C on lines of their own.
    pub text: String,
    /// A condition in C like [`Replacement::check`]: whether there is enough to do for what the text
    /// costs.
    pub enough: Option<String>,
    /// The same, where it has nothing to offer but threads: there is more than one. A variable
    /// that nothing else in the file is called, for their number.
    pub threads: Option<String>,
    /// Where there is one, it still has where this condition holds.
    pub alone_if: Option<String>,
    /// A condition in C: whether the library is there that the text needs at run time.
    pub library: Option<String>,
    /// Another variable, for whether all holds that is compared. The branches behind one test: with
    /// dozens of jumps into the original statements, gcc 12 was seen to leave loops in them without
    /// vectors that have some where nothing stands beside them.
    pub holds: Option<String>,
    /// Functions that the text calls, and a place in front of the region's function. The text is the
    /// file's own then, in which macros mean what they do there.
    pub in_front: Option<(usize, String)>,
}

/// What stands in place of regions, in the order of the file. They may come in any order; one that overlaps
/// an earlier one is left as it was. `divided` are the lines of the two pragmas of regions of which parts
/// are among the others.
pub fn edits(source: &Source, regions: &[Replacement], divided: &[[Span; 2]]) -> Vec<Edit> {
    let text = source.text.as_str();
    let tokens = tokens(text);
    let at_most = counted_once(text, regions, divided);
    let holds = |[opening, closing]: &[Span; 2], span: Span| {
        opening.start <= span.start && span.end <= closing.end
    };
    let kept = |(marked, at_most): (&[Span; 2], &Option<String>)| -> String {
        let [opening, closing] = marked;
        let counted = at_most.as_ref().map(|name| count(name, None, false));
        let parts = regions.iter().filter(|region| holds(marked, region.span));
        let kept = parts.flat_map(|region| region.kept.iter().cloned());
        let mut lines = counted.into_iter().flatten().chain(kept).peekable();
        let margin = indentation(&text[opening.end..closing.start]).unwrap_or("");
        let end = line_end(text, line_start(text, opening.start));
        // A label is one of a statement.
        let labelled = text[..opening.start].trim_end().ends_with(':');
        let first = match labelled && lines.peek().is_some() {
            true => format!("{end}{margin};"),
            false => String::new(),
        };
        let lines = lines.map(|line| format!("{end}{margin}{line}"));
        first + &lines.collect::<String>()
    };
    let texts = regions;
    let regions = regions.iter().filter_map(|region| {
        let line = source.line_column(region.span.start).0;
        let macros = region.named(&shielded::active(&source.macros, line));
        let mut marked = divided.iter().zip(&at_most);
        let at_most = marked.find_map(|(marked, name)| {
            let own = holds(marked, region.span) && region.around.is_none();
            name.as_deref().filter(|_| own)
        });
        if region.is_run {
            region.statements(text, &macros, at_most)
        } else {
            region.lines(text, &tokens, &macros, at_most)
        }
    });
    let comments = divided.iter().zip(&at_most).flat_map(|both| {
        let [opening, closing] = both.0;
        let comment = |line: &Span, text: String| Edit {
            span: line_behind(&tokens, line.start).unwrap_or(*line),
            text,
        };
        [
            comment(opening, format!("{PARTS}{}", kept(both))),
            comment(closing, END_OF_PARTS.to_owned()),
        ]
    });
    let branches = texts.iter().flat_map(|region| {
        let branches = std::iter::once(&region.branch).chain(&region.otherwise);
        branches.filter_map(|branch| branch.in_front.as_ref())
    });
    let functions = branches.map(|(place, functions)| Edit {
        span: Span::new(*place, *place),
        text: functions.clone(),
    });
    let mut edits: Vec<Edit> = regions.chain(comments).chain(functions).collect();
    edits.sort_by_key(|edit| edit.span.start);
    let mut behind = 0;
    edits.retain(|edit| {
        let fits = text.get(behind..edit.span.start).is_some();
        if fits {
            behind = edit.span.end;
        }
        fits
    });
    edits
}

/// A text with edits, which are in order and do not overlap.
pub fn put_in(text: &str, edits: &[Edit]) -> String {
    let generated: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut out = String::with_capacity(text.len() + generated);
    let mut copied = 0;
    for Edit { span, text: new } in edits {
        out.push_str(text.get(copied..span.start).unwrap_or(""));
        out.push_str(new);
        copied = span.end;
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    out
}

/// Generated text on lines of its own in front of a place outside functions.
pub fn in_front(source: &Source, place: usize, generated: &str) -> String {
    let line = source.line_column(place).0;
    let macros = shielded::named(&shielded::active(&source.macros, line), [generated]);
    let aside = shielded::aside(&macros);
    let back = shielded::back(&macros);
    let lines = |lines: &[String]| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    format!("{}{generated}{}", lines(&aside), lines(&back))
}

/// What stands in place of some bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// These bytes.
    pub span: Span,
    /// What stands there.
    pub text: String,
}

impl Replacement {
    /// A text that stands in any case.
    pub fn always(span: Span, text: String) -> Replacement {
        Replacement {
            span,
            branch: Branch {
                text,
                ..Branch::default()
            },
            otherwise: None,
            around: None,
            check: None,
            kept: Vec::new(),
            stays: false,
            is_run: false,
        }
    }

    /// In place of the lines between two pragmas, which become comments.
    fn lines(
        &self,
        text: &str,
        tokens: &[Token],
        macros: &[&str],
        at_most: Option<&str>,
    ) -> Option<Edit> {
        let span = self.span;
        let opening = line_before(tokens, span.start);
        let closing = line_behind(tokens, span.end);
        let first = opening.map_or(span.start, |s| s.start);
        let old = text.get(span.start..span.end)?;
        let mut out = String::new();
        if let Some(opening) = opening {
            out.push_str(BEGIN);
            out.push_str(text.get(opening.end..span.start)?);
        }
        let indentation = indentation(old)
            .or_else(|| indentation(&text[line_start(text, first)..]))
            .unwrap_or("");
        let margin = (indentation, line_end(text, span.start));
        self.put(&mut out, margin, old, (macros, at_most));
        let mut last = span.end;
        if let Some(closing) = closing {
            out.push_str(text.get(span.end..closing.start)?);
            out.push_str(END);
            last = closing.end;
        }
        Some(Edit {
            span: Span::new(first, last),
            text: out,
        })
    }

    /// In place of statements, as a block on lines of its own.
    fn statements(&self, text: &str, macros: &[&str], at_most: Option<&str>) -> Option<Edit> {
        let span = self.span;
        let old = text.get(span.start..span.end)?;
        let line = line_start(text, span.start);
        let before = text.get(line..span.start)?;
        let behind = text[span.end..].lines().next().unwrap_or("");
        let indentation = &before[..before.len() - before.trim_start().len()];
        let is_first = before.trim().is_empty();
        let end = match text[line..].split_inclusive('\n').next() {
            Some(line) if line.ends_with("\r\n") => "\r\n",
            _ => "\n",
        };
        let mut out = String::new();
        if !is_first {
            out.push_str(end);
        }
        out.push_str(&format!("{indentation}{BEGIN}{end}{indentation}{{{end}"));
        let within = format!("{indentation}{INSIDE}");
        let old = format!("{within}{old}{end}");
        self.put(&mut out, (&within, end), &old, (macros, at_most));
        out.push_str(&format!("{indentation}}}{end}{indentation}{END}"));
        let blanks = behind.len() - behind.trim_start().len();
        if !behind.trim().is_empty() {
            out.push_str(&format!("{end}{indentation}"));
        }
        let first = if is_first {
            line
        } else {
            line + before.trim_end().len()
        };
        Some(Edit {
            span: Span::new(first, span.end + blanks),
            text: out,
        })
    }

    /// The macros that the generated text names.
    fn named<'t>(&self, macros: &BTreeSet<&'t str>) -> Vec<&'t str> {
        let around = self.around.iter().flat_map(|around| {
            let statements = around.statements.iter();
            statements.chain(&around.condition)
        });
        let branches = std::iter::once(&self.branch).chain(&self.otherwise);
        let branches = branches.flat_map(|branch| {
            let conditions = branch.enough.iter().chain(&branch.alone_if);
            let text = Some(&branch.text).filter(|_| branch.in_front.is_none());
            text.into_iter().chain(conditions)
        });
        shielded::named(macros, branches.chain(around).chain(&self.check))
    }

    /// The generated text on lines with an indentation and line ends, with the original statements,
    /// which end a line, where a condition does not hold. `macros`: those that are none in it; `at_most`:
    /// a variable that has the number of threads.
    fn put(
        &self,
        out: &mut String,
        (indentation, line_end): (&str, &str),
        old: &str,
        (macros, at_most): (&[&str], Option<&str>),
    ) {
        let lines = |out: &mut String, margin: &str, lines: &str| {
            for line in lines.lines() {
                let line = line.trim_end();
                if !line.is_empty() {
                    out.push_str(indentation);
                    out.push_str(margin);
                    out.push_str(line);
                }
                out.push_str(line_end);
            }
        };
        for line in shielded::aside(macros) {
            lines(out, "", &line);
        }
        let mut margin = String::new();
        let mut closing = Vec::new();
        let mut always = false;
        let mut is_aside = true;
        for (number, branch) in std::iter::once(&self.branch)
            .chain(&self.otherwise)
            .enumerate()
        {
            let opening = match &self.around {
                Some(around) if number == 0 => &around.statements[..],
                _ => &[],
            };
            let conditions = self.conditions(branch);
            let condition = conditions.join(" && ");
            let several = condition.contains("&&") || condition.contains("||");
            let holds = branch.holds.as_ref().filter(|_| several);
            // A block around it makes it one statement.
            if branch.threads.is_some() || holds.is_some() || !opening.is_empty() {
                lines(out, &margin, "{");
                closing.push(margin.clone());
                margin.push_str(INSIDE);
            }
            for line in opening {
                lines(out, &margin, line);
            }
            if let Some(name) = &branch.threads {
                let enough = branch.enough.as_deref();
                let counted = match at_most {
                    Some(at_most) => count_known(name, enough, at_most),
                    None => count(name, enough, self.around.is_some()),
                };
                for line in counted {
                    lines(out, &margin, &line);
                }
            }
            let mut back = |out: &mut String| {
                if branch.in_front.is_some() && std::mem::take(&mut is_aside) {
                    for line in shielded::back(macros) {
                        lines(out, "", &line);
                    }
                }
            };
            if conditions.is_empty() {
                back(out);
                lines(out, &margin, &branch.text);
                always = true;
                break;
            }
            match holds {
                Some(holds) => {
                    lines(out, &margin, &format!("const int {holds} = {condition};"));
                    lines(out, &margin, &format!("if ({holds}) {{"));
                }
                None => lines(out, &margin, &format!("if ({condition}) {{")),
            }
            back(out);
            lines(out, &format!("{margin}{INSIDE}"), &branch.text);
            lines(out, &margin, "} else {");
            closing.push(margin.clone());
            margin.push_str(INSIDE);
        }
        for line in shielded::back(macros).iter().filter(|_| is_aside) {
            lines(out, "", line);
        }
        if !always {
            out.push_str(old);
            if !old.ends_with('\n') {
                out.push_str(line_end);
            }
        }
        for margin in closing.iter().rev() {
            lines(out, margin, "}");
        }
    }

    /// What has to hold for a text to stand in the region's place, the cheapest first.
    fn conditions(&self, branch: &Branch) -> Vec<String> {
        let mut conditions = Vec::new();
        match (&branch.threads, &branch.enough) {
            (Some(name), _) => {
                conditions.push(match &branch.alone_if {
                    Some(all) if all.contains("&&") => format!("{name} > 1 || ({all})"),
                    Some(alone_if) => format!("{name} > 1 || {alone_if}"),
                    None => format!("{name} > 1"),
                });
            }
            (None, Some(enough)) => conditions.push(enough.clone()),
            (None, None) => {}
        }
        conditions.extend(branch.library.clone());
        let around = self.around.as_ref();
        conditions.extend(around.and_then(|around| around.condition.clone()));
        conditions.extend(self.check.clone());
        if conditions.is_empty() && self.stays {
            conditions.push("1".to_owned());
        }
        if let [_, _, ..] = conditions[..] {
            for one in conditions.iter_mut().filter(|one| one.contains("||")) {
                *one = format!("({one})");
            }
        }
        conditions
    }
}

/// The line end in front of an offset at which a line begins.
fn line_end(text: &str, offset: usize) -> &'static str {
    if text[..offset].ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    }
}

/// The preprocessed text with one region replaced, as [`edits`] do it in the file itself, but
/// however much there is to do; `check` is [`Replacement::check`] with [`Replacement::kept`]. Macros that the generated text defines are not expanded.
pub fn splice_preprocessed(
    source: &Source,
    region: &Region,
    generated: &str,
    check: Option<(&str, &[String])>,
) -> String {
    let text = source.preprocessed.as_str();
    let place = region.preprocessed;
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or("");
    let behind = source.line_column(region.span.end).0 + usize::from(!region.is_run);
    let mut out = String::with_capacity(text.len() + 2 * generated.len());
    out.push_str(part(0, place.start));
    if region.is_run {
        out.push_str("{\n");
    }
    for line in check.iter().flat_map(|(_, kept)| *kept) {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str(BEGIN);
    out.push('\n');
    match check {
        None => out.push_str(generated),
        Some((check, _)) => {
            out.push_str(&format!("if ({check}) {{\n{generated}\n}} else {{\n"));
            let old = part(place.start, place.end);
            for line in old.lines() {
                let words: Vec<&str> = line.split_whitespace().collect();
                let mark = matches!(words[..], ["#pragma", "scop" | "endscop", ..])
                    || matches!(words[..], ["#", "pragma", "scop" | "endscop", ..]);
                out.push_str(if mark { "" } else { line });
                out.push('\n');
            }
            out.push('}');
        }
    }
    out.push_str(&format!("\n{END}\n"));
    if region.is_run {
        out.push_str("}\n");
    }
    out.push_str(&format!("# {behind} {:?}\n", source.name));
    out.push_str(part(place.end, text.len()));
    out
}

/// The tokens of the line that ends before `offset`.
fn line_before(tokens: &[Token], offset: usize) -> Option<Span> {
    let behind = tokens.partition_point(|t| t.end <= offset);
    let last = tokens.get(behind.checked_sub(1)?)?;
    let first = tokens[..behind]
        .iter()
        .rev()
        .take_while(|t| t.logical_line == last.logical_line)
        .last()?;
    Some(Span::new(first.start, last.end))
}

/// The tokens of the line that begins at `offset`.
fn line_behind(tokens: &[Token], offset: usize) -> Option<Span> {
    let at = tokens.partition_point(|t| t.start < offset);
    let first = tokens.get(at)?;
    let last = tokens[at..]
        .iter()
        .take_while(|t| t.logical_line == first.logical_line)
        .last()?;
    Some(Span::new(first.start, last.end))
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |p| p + 1)
}

/// The blanks before the first line that holds something other than a directive.
fn indentation(text: &str) -> Option<&str> {
    let mut lines = text.lines().filter(|l| !l.trim().is_empty());
    let line = lines
        .clone()
        .find(|l| !l.trim_start().starts_with('#'))
        .or_else(|| lines.next())?;
    Some(&line[..line.len() - line.trim_start().len()])
}
