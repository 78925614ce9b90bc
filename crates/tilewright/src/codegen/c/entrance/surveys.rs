//! What index arrays hold, as the text in front of a region looks it up: loops in a statement
//! expression, which gcc and clang have.

use super::apart::Side;
use super::checks::{LINE, Number, Writer, too_large};
use super::rows;
use crate::codegen::c::bodies::index::strength::*;
use crate::codegen::names::{Names, identifiers};
use crate::plan::defaults;
use crate::scop::checks::LARGEST;
use crate::scop::{Edge, Memory, Rows, ScalarKind, Scop, Survey};
use isl::{AstBuild, Result};
use std::collections::BTreeSet;

/// Variables of the surveys of a region, under names that nothing in it has.
pub(in crate::codegen::c) struct Words {
    least: Vec<String>,
    greatest: Vec<String>,
    ordered: Vec<String>,
    /// Whether all of them were made.
    looked: String,
    /// The variables of loops, by dimension.
    at: Vec<String>,
}

impl Words {
    pub fn of(scop: &Scop) -> Words {
        let mut names = Names::new(scop, &BTreeSet::new());
        let surveys = &scop.conditions.checks.surveys;
        // Where they are kept, other regions keep theirs beside them.
        let own = match &scop.conditions.checks.changing {
            Some(_) => format!("_of_{}", scop.place.index),
            None => String::new(),
        };
        let mut fresh = |word: &str| -> Vec<String> {
            let word = format!("{word}{own}");
            surveys.iter().map(|_| names.fresh(&word)).collect()
        };
        let (least, greatest, ordered) = (fresh("least"), fresh("greatest"), fresh("ordered"));
        let looked = names.fresh(&format!("looked{own}"));
        let dims = surveys.iter().map(|survey| survey.loops.len()).max();
        let at = (0..dims.unwrap_or(0)).map(|_| names.fresh("at")).collect();
        Words {
            least,
            greatest,
            ordered,
            looked,
            at,
        }
    }
}

impl Words {
    /// When there is nothing that a survey looks at.
    fn nothing(&self, survey: usize) -> String {
        format!("{} > {}", self.least[survey], self.greatest[survey])
    }
}

impl Writer<'_> {
    /// When pieces of memory have nothing in common of which some are where data says: an operand of
    /// `&&`.
    pub(in crate::codegen::c) fn surveyed(&mut self, pairs: &[&[Memory; 2]]) -> Result<String> {
        let words = Words::of(self.scop);
        let surveys = &self.scop.conditions.checks.surveys;
        let mut wanted = BTreeSet::new();
        for memory in pairs.iter().copied().flatten() {
            wanted.extend(memory.rows.iter().flat_map(Rows::surveys));
        }
        // Bounds come before what they bound.
        for number in (0..surveys.len()).rev() {
            if wanted.contains(&number) {
                wanted.extend(surveys[number].edges().filter_map(Edge::survey));
            }
        }
        let (mut declared, mut lines) = (Vec::new(), Vec::new());
        let mut all = Vec::new();
        for number in wanted {
            for needed in self.survey(number, &words, (&mut declared, &mut lines))? {
                if !all.contains(&needed) {
                    all.push(needed);
                }
            }
        }
        let lines = self.looked_up(&words, declared, lines);
        for pair in pairs {
            all.push(self.apart(pair)?);
        }
        let width: usize = all.iter().map(String::len).sum();
        let between = if width > LINE { " &&\n     " } else { " && " };
        let last = format!("{};", all.join(between));
        let lines: Vec<String> = lines.into_iter().chain([last]).collect();
        Ok(rows::expression(&lines, self.scop))
    }

    /// Statements that look something up, behind the declarations of what they find: once, where it is
    /// the same whenever the region is executed.
    fn looked_up(
        &mut self,
        words: &Words,
        declared: Vec<String>,
        lines: Vec<String>,
    ) -> Vec<String> {
        let steady = |changing: &BTreeSet<String>| {
            let fronts = rows::fronts(&lines, self.scop);
            let mut texts = lines.iter().map(String::as_str).chain(fronts);
            !texts.any(|text| !identifiers(text).is_disjoint(changing))
        };
        let changing = self.scop.conditions.checks.changing.as_ref();
        if !changing.is_some_and(steady) {
            return declared.into_iter().chain(lines).collect();
        }
        let looked = &words.looked;
        self.kept.push(format!("int {looked} = 0;"));
        self.kept.extend(declared);
        let lines = lines.into_iter().map(|line| match line.starts_with('#') {
            true => line,
            false => format!("    {line}"),
        });
        let mut all = vec![format!("if (!{looked}) {{")];
        all.extend(lines);
        all.extend([format!("    {looked} = 1;"), "}".to_owned()]);
        all
    }

    /// Declares and finds what one survey finds; gives what has to hold besides.
    fn survey(
        &mut self,
        number: usize,
        words: &Words,
        (declared, lines): (&mut Vec<String>, &mut Vec<String>),
    ) -> Result<Vec<String>> {
        let survey = &self.scop.conditions.checks.surveys[number];
        let (least, greatest) = (&words.least[number], &words.greatest[number]);
        let ctype = match survey.kind {
            ScalarKind::Bool => ScalarKind::U8.c_name(),
            kind => kind.c_name(),
        };
        let Some((low, high)) = limits(survey.kind) else {
            return Err(too_large());
        };
        if survey.loops.is_empty() {
            let place = format!("{}{}", survey.place, survey.members.path());
            declared.push(format!("{ctype} {least} = 0, {greatest} = 0;"));
            lines.push(format!("{least} = {greatest} = {place};"));
            return Ok(Vec::new());
        }
        declared.push(format!("{ctype} {least} = {high}, {greatest} = {low};"));
        let mut conditions = Vec::new();
        if !self.known.is_subset(&survey.some)? {
            let some = survey.some.gist(&self.known)?.coalesce()?;
            conditions.push(self.holds(&some)?);
        }
        let known = self.known.intersect(&survey.some)?;
        let build = AstBuild::from_context(&known)?;
        let mut needed = Vec::new();
        if survey.ordered {
            needed.push(words.ordered[number].clone());
        }
        let mut limits = Vec::new();
        let mut ranges = Vec::new();
        for sweep in &survey.loops {
            let mut text = |edge: &Edge| -> Result<String> {
                if let Some(bound) = edge.survey() {
                    let bounding = &self.scop.conditions.checks.surveys[bound];
                    if bounding.ordered && !conditions.contains(&words.ordered[bound]) {
                        conditions.push(words.ordered[bound].clone());
                    }
                    // What is empty has no ends.
                    let (a, b) = (&words.least[bound], &words.greatest[bound]);
                    let some = format!("{a} <= {b}");
                    if !conditions.contains(&some) {
                        conditions.push(some);
                    }
                }
                let number = match edge {
                    Edge::At(value) => {
                        let value = value.gist(&known)?.coalesce()?;
                        self.number(&build.expr_from_pw_aff(&value)?)?
                    }
                    data => self.edge(data, words, &mut limits)?,
                };
                Ok(number.operand(SUM))
            };
            let step = match sweep.step {
                1 => "++".to_owned(),
                step => format!(" += {step}"),
            };
            ranges.push((text(&sweep.first)?, text(&sweep.end)?, step));
        }
        if !limits.is_empty() {
            // Where nothing bounds it there is nothing to come to.
            let bounds: BTreeSet<usize> = survey.edges().filter_map(Edge::survey).collect();
            let mut parts: Vec<String> = bounds.into_iter().map(|n| words.nothing(n)).collect();
            parts.push(format!("({})", limits.join(" && ")));
            needed.push(format!("({})", parts.join(" || ")));
            conditions.extend(limits);
        }
        let element = element(survey, words);
        let mut reductions = format!("reduction(min:{least}) reduction(max:{greatest})");
        let mut margin = String::new();
        if survey.ordered {
            let ordered = &words.ordered[number];
            declared.push(format!("int {ordered} = 1;"));
            reductions += &format!(" reduction(&:{ordered})");
        }
        if !conditions.is_empty() {
            lines.push(format!("if ({})", conditions.join(" && ")));
            margin += "    ";
        }
        let (first, end, _) = &ranges[0];
        let length = match &**first {
            "0" => end.clone(),
            _ => format!("{end} - {first}"),
        };
        let simd = if ranges.len() == 1 { " simd" } else { "" };
        let enough = defaults::SURVEYED_IN_PARALLEL;
        // A pragma is no statement, and what it is about is one with it.
        if !conditions.is_empty() {
            if let Some(last) = lines.last_mut() {
                last.push_str(" {");
            }
        }
        lines.push(format!(
            "#pragma omp parallel for{simd} {reductions} if({length} >= {enough})"
        ));
        for (dim, (first, end, step)) in ranges.iter().enumerate() {
            let at = &words.at[dim];
            let brace = if dim + 1 == ranges.len() { " {" } else { "" };
            lines.push(format!(
                "{margin}for (long {at} = {first}; {at} < {end}; {at}{step}){brace}"
            ));
            margin += "    ";
        }
        lines.push(format!(
            "{margin}{least} = {element} < {least} ? {element} : {least};"
        ));
        lines.push(format!(
            "{margin}{greatest} = {element} > {greatest} ? {element} : {greatest};"
        ));
        if survey.ordered {
            let (at, ordered) = (&words.at[0], &words.ordered[number]);
            let before = survey.members.place(&[format!("[{at} - 1]")]);
            lines.push(format!(
                "{margin}{ordered} &= {at} == {first} || {}{before} <= {element};",
                survey.place
            ));
        }
        lines.push(format!("{}}}", &margin[4 * ranges.len()..]));
        if !conditions.is_empty() {
            lines.push("}".to_owned());
        }
        Ok(needed)
    }

    /// A bound that a survey finds, and what has to hold so that computing with it does not overflow.
    fn edge(&mut self, edge: &Edge, words: &Words, conditions: &mut Vec<String>) -> Result<Number> {
        let (name, survey, by) = match edge {
            Edge::At(_) => return Err(too_large()),
            Edge::Least(survey, by) => (&words.least[*survey], *survey, *by),
            Edge::Greatest(survey, by) => (&words.greatest[*survey], *survey, *by),
        };
        let kind = self.scop.conditions.checks.surveys[survey].kind;
        let wide = matches!(kind, ScalarKind::I64 | ScalarKind::U64);
        if wide {
            let mut more = vec![format!("{name} <= {LARGEST}")];
            if kind == ScalarKind::I64 {
                more.push(format!("{name} >= -{LARGEST}"));
            }
            more.retain(|condition| !conditions.contains(condition));
            conditions.extend(more);
        }
        let text = match kind {
            ScalarKind::I64 => name.clone(),
            _ => format!("(long){name}"),
        };
        let strength = if kind == ScalarKind::I64 {
            PRIMARY
        } else {
            UNARY
        };
        let magnitude = match wide {
            true => i128::from(LARGEST),
            false => 1 << (8 * kind.bytes()),
        };
        Ok(match by {
            0 => Number {
                text,
                strength,
                magnitude,
            },
            by => {
                let sign = if by < 0 { '-' } else { '+' };
                Number {
                    text: format!("{text} {sign} {}", by.unsigned_abs()),
                    strength: SUM,
                    magnitude: magnitude + i128::from(by.unsigned_abs()),
                }
            }
        })
    }

    /// What data adds to one end of a range.
    pub(in crate::codegen::c) fn data(
        &mut self,
        rows: &Rows,
        side: Side,
        conditions: &mut Vec<String>,
    ) -> Result<Vec<(bool, Number)>> {
        let words = Words::of(self.scop);
        let known = self.known.intersect(&rows.some)?;
        let build = AstBuild::from_context(&known)?;
        let mut all = Vec::new();
        for data in &rows.data {
            let edge = match data.negative {
                false => side.of(&data.least, &data.greatest),
                true => side.of(&data.greatest, &data.least),
            };
            let number = match edge {
                Edge::At(value) => {
                    let value = value.gist(&known)?.coalesce()?;
                    self.number(&build.expr_from_pw_aff(&value)?)?
                }
                found => self.edge(found, &words, conditions)?,
            };
            let number = match &data.stride {
                None => number,
                Some(stride) => self.strided(&number, stride, conditions),
            };
            all.push((data.negative, number));
        }
        Ok(all)
    }

    /// When a survey finds nothing that a piece of memory depends on: alternatives.
    pub(in crate::codegen::c) fn nothing_surveyed(&self, rows: &Rows) -> Vec<String> {
        if rows.data.is_empty() {
            return Vec::new();
        }
        let words = Words::of(self.scop);
        let surveys: BTreeSet<usize> = rows.surveys().collect();
        let some = surveys
            .into_iter()
            .filter(|&n| !self.scop.conditions.checks.surveys[n].loops.is_empty());
        some.map(|n| words.nothing(n)).collect()
    }
}

/// An element of what is looked at, in C.
fn element(survey: &Survey, words: &Words) -> String {
    let subscripts: Vec<String> = match &survey.strides {
        None => {
            let at = words.at[..survey.loops.len()].iter();
            at.map(|at| format!("[{at}]")).collect()
        }
        Some(strides) => {
            let terms = strides
                .iter()
                .zip(&words.at)
                .map(|(stride, at)| match &**stride {
                    "1" => at.clone(),
                    stride if stride.contains(' ') => format!("{at} * ({stride})"),
                    stride => format!("{at} * {stride}"),
                });
            let terms: Vec<String> = terms.collect();
            vec![format!("[{}]", terms.join(" + "))]
        }
    };
    format!("{}{}", survey.place, survey.members.place(&subscripts))
}

/// The least and greatest value of a type, in C.
fn limits(kind: ScalarKind) -> Option<(&'static str, &'static str)> {
    use ScalarKind::*;
    Some(match kind {
        Bool => ("0", "1"),
        I8 => ("-128", "127"),
        U8 => ("0", "255"),
        I16 => ("-32768", "32767"),
        U16 => ("0", "65535"),
        I32 => ("-2147483647 - 1", "2147483647"),
        U32 => ("0", "4294967295u"),
        I64 => ("-9223372036854775807 - 1", "9223372036854775807"),
        U64 => ("0", "18446744073709551615u"),
        F16 | F32 | F64 | F80 | F128 | C32 | C64 | C80 | C128 => return None,
    })
}
