//! A [`Scop`] as text: readable, deterministic, for `--emit scop` and for tests.

use std::fmt::Write;

use super::expression::{Action, BinaryOp, Expr, UnaryOp};
use super::{
    Access, AccessKind, Array, CheckKind, Divisor, Edge, Hidden, Inner, Memory, Origin, Pointers,
    Rows, Scop, Statement, Survey,
};
use isl::{DimType, ScheduleNode, ScheduleNodeType};

/// The whole scop, one fact a line, parts of a thing indented below it.
///
/// # Errors
/// isl's own.
pub fn dump(scop: &Scop) -> isl::Result<String> {
    let mut text = format!("region {} of {}\n", scop.place.index, scop.place.function);
    for param in &scop.params {
        line(
            &mut text,
            1,
            &format!(
                "param {} = {} {}",
                param.name, param.ctype.spelling, param.spelling
            ),
        );
    }
    line(&mut text, 1, &format!("context {}", scop.context));
    for check in &scop.conditions.checks.parameters {
        line(
            &mut text,
            1,
            &format!("{} {}: {}", verb(scop, check.kind), check.why, check.good),
        );
    }
    for (number, survey) in scop.conditions.checks.surveys.iter().enumerate() {
        let content = format!("survey {number} of {}", surveyed(survey));
        line(&mut text, 1, &content);
    }
    for [a, b] in &scop.conditions.checks.apart {
        let verb = verb(scop, CheckKind::Aliasing);
        let content = format!("{verb} {} and {} are apart", memory(a), memory(b));
        line(&mut text, 1, &content);
    }
    for rows in &scop.conditions.checks.distinct {
        let verb = verb(scop, CheckKind::Aliasing);
        line(&mut text, 1, &format!("{verb} {} are apart", memory(rows)));
    }
    for [a, b] in &scop.conditions.checks.promised {
        let content = format!("assume {} and {} are apart", a.place, b.place);
        line(&mut text, 1, &content);
    }
    for array in &scop.arrays {
        array_line(&mut text, array);
    }
    for statement in &scop.statements {
        statement_lines(&mut text, scop, statement)?;
    }
    for moved in &scop.edges.moves {
        line(&mut text, 1, &format!("then {moved}"));
    }
    line(&mut text, 1, "schedule");
    let root = scop.schedule.get_root()?;
    node_lines(&mut text, 2, &root)?;
    Ok(text)
}

fn verb(scop: &Scop, kind: CheckKind) -> &'static str {
    match scop.conditions.checks.trust.assumes(kind) {
        true => "assume",
        false => "check",
    }
}

fn line(text: &mut String, level: usize, content: &str) {
    text.push_str(&"  ".repeat(level));
    text.push_str(content);
    text.push('\n');
}

fn memory(memory: &Memory) -> String {
    let place = match &memory.pointers {
        None => memory.place.clone(),
        Some(Pointers { first, end, member }) => {
            let place = &memory.place;
            format!("{place}[from {first} to before {end}]{member}")
        }
    };
    let Some(rows) = &memory.rows else {
        return place;
    };
    format!("{place} ({})", range(rows))
}

/// A range of rows, or of numbers.
fn range(rows: &Rows) -> String {
    let stride = rows.stride.as_deref();
    let stride = stride.map_or(String::new(), |stride| format!(" of {stride}"));
    let mut text = format!("rows{stride} from {} to before {}", rows.first, rows.end);
    for inside in &rows.inside {
        let stride = inside.stride.as_deref().unwrap_or("1");
        text += &format!(", {stride} times {} to {}", inside.first, inside.end);
    }
    for data in &rows.data {
        let stride = data.stride.as_deref().unwrap_or("1");
        let sign = if data.negative { "-" } else { "" };
        let (least, greatest) = (edge(&data.least), edge(&data.greatest));
        text += &format!(", {sign}{stride} times {least} to {greatest}");
    }
    for one in &rows.computed {
        let stride = one.stride.as_deref().unwrap_or("1");
        let sign = if one.negative { "-" } else { "" };
        let by = match &one.by {
            Divisor::One => String::new(),
            Divisor::Shift(by) => format!(" >> {by}"),
            Divisor::Size(size) => format!(" / ({size})"),
        };
        let (sum, kind) = (range(&one.sum), one.kind.c_name());
        text += &format!(", {sign}{stride} times ({kind}) ({sum}){by}");
    }
    text
}

fn edge(edge: &Edge) -> String {
    match edge {
        Edge::At(value) => value.to_string(),
        Edge::Least(survey, by) => format!("least {survey} + {by}"),
        Edge::Greatest(survey, by) => format!("greatest {survey} + {by}"),
    }
}

fn surveyed(survey: &Survey) -> String {
    let ranges = survey.loops.iter().map(|sweep| {
        let (first, end) = (edge(&sweep.first), edge(&sweep.end));
        let step = match sweep.step {
            1 => String::new(),
            step => format!(" by {step}"),
        };
        format!("[{first} to before {end}{step}]")
    });
    let ranges: Vec<String> = ranges.collect();
    let strides = survey.strides.as_ref();
    let strides = strides.map_or(String::new(), |s| format!(", strides ({})", s.join(", ")));
    let ordered = if survey.ordered { ", in order" } else { "" };
    format!(
        "{}{}{strides}{ordered}",
        survey.place,
        survey.members.place(&ranges)
    )
}

fn array_line(text: &mut String, array: &Array) {
    let mut content = format!(
        "array {}: {} {}",
        array.name, array.element.spelling, array.base
    );
    let mut extents = Vec::new();
    for extent in &array.extents {
        let spelling = match (&extent.spelling, &extent.affine) {
            (Some(spelling), Some(_)) => spelling.clone(),
            (Some(spelling), None) => format!("{spelling} (not affine)"),
            (None, Some(affine)) => affine.to_string(),
            (None, None) => "?".to_owned(),
        };
        extents.push(format!("[{spelling}]"));
    }
    content.push_str(&array.members.place(&extents));
    if let Some(linear) = array.layout.linear() {
        let _ = write!(content, ", strides ({})", linear.texts().join(", "));
        if linear.before > 0 || linear.strides.len() < array.extents.len() {
            let dims = linear.dims();
            let _ = write!(content, " of dimensions {} to {}", dims.start, dims.end - 1);
        }
        content.push_str(match linear.inner {
            Inner::Inside => "",
            Inner::Moved => " that begin elsewhere",
            Inner::Anywhere => " that may overlap",
        });
    }
    content.push_str(match array.origin {
        Origin::Parameter => ", parameter",
        Origin::Local => ", local",
        Origin::Global => ", global",
        Origin::Region { .. } => ", of the region",
        Origin::Hidden(Hidden::Kept(_)) => ", kept by a function",
        Origin::Hidden(_) => ", of the library",
    });
    if let Origin::Region { depth } = array.origin {
        let _ = write!(content, " under {depth} loops");
    }
    if array.live_in {
        content.push_str(", live-in");
    }
    if array.live_out {
        content.push_str(", live-out");
    }
    line(text, 1, &content);
}

fn statement_lines(text: &mut String, scop: &Scop, statement: &Statement) -> isl::Result<()> {
    line(
        text,
        1,
        &format!("statement {}", statement.domain.gist_params(&scop.context)?),
    );
    for action in &statement.body {
        action_lines(text, 2, scop, statement, action);
    }
    for (number, access) in statement.accesses.iter().enumerate() {
        line(text, 2, &access_line(scop, statement, number, access)?);
    }
    Ok(())
}

fn access_line(
    scop: &Scop,
    statement: &Statement,
    number: usize,
    access: &Access,
) -> isl::Result<String> {
    let kind = match access.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let may = if access.exact { "" } else { "may " };
    let relation = access
        .relation
        .gist_params(&scop.context)?
        .gist_domain(&statement.domain.gist_params(&scop.context)?)?;
    Ok(format!("{may}{kind} {number} {relation}"))
}

fn action_lines(
    text: &mut String,
    level: usize,
    scop: &Scop,
    statement: &Statement,
    action: &Action,
) {
    let value = |e: &Expr| expression(scop, statement, e);
    match action {
        Action::Assign { target, value: v } => {
            let target = place(scop, statement, *target);
            line(text, level, &format!("{target} = {}", value(v)));
        }
        Action::Local {
            name,
            ctype,
            value: Some(v),
        } => {
            line(
                text,
                level,
                &format!("{} {name} = {}", ctype.spelling, value(v)),
            );
        }
        Action::Local {
            name,
            ctype,
            value: None,
        } => {
            line(text, level, &format!("{} {name}", ctype.spelling));
        }
        Action::Call(call) => line(text, level, &value(call)),
        Action::SetLocal { name, value: v } => line(text, level, &format!("{name} = {}", value(v))),
        Action::If {
            condition,
            then,
            otherwise,
        } => {
            line(text, level, &format!("if {}", value(condition)));
            for action in then {
                action_lines(text, level + 1, scop, statement, action);
            }
            if !otherwise.is_empty() {
                line(text, level, "else");
                for action in otherwise {
                    action_lines(text, level + 1, scop, statement, action);
                }
            }
        }
        Action::Repeat { condition, body } => {
            line(text, level, &format!("while {}", value(condition)));
            for action in body {
                action_lines(text, level + 1, scop, statement, action);
            }
        }
        Action::Leave => line(text, level, "leave"),
    }
}

fn place(scop: &Scop, statement: &Statement, number: usize) -> String {
    let Some(access) = statement.accesses.get(number) else {
        return format!("<access {number}>");
    };
    let mut text = scop
        .arrays
        .get(access.array)
        .map_or("?", |a| &a.name)
        .to_owned();
    for subscript in &access.subscripts {
        let _ = write!(text, "[{}]", expression(scop, statement, subscript));
    }
    text
}

/// An expression with every operand of an operator in parentheses unless it is simple.
pub(crate) fn expression(scop: &Scop, statement: &Statement, expr: &Expr) -> String {
    let inner = |e: &Expr| {
        let text = expression(scop, statement, e);
        match e {
            Expr::Binary(..) | Expr::Conditional(..) => format!("({text})"),
            _ => text,
        }
    };
    match expr {
        Expr::Literal(text) | Expr::Invariant(text) | Expr::Local(text) => text.clone(),
        Expr::Iterator(position) => statement
            .iterators
            .get(*position)
            .map_or("?", |i| &i.name)
            .to_owned(),
        Expr::Param(id) => scop.params.get(*id).map_or("?", |p| &p.name).to_owned(),
        Expr::Access(number) => place(scop, statement, *number),
        Expr::Row { accesses, given } => {
            let access = accesses.first().map(|&number| &statement.accesses[number]);
            access.map_or_else(String::new, |access| {
                let mut text = scop.arrays[access.array].name.clone();
                for subscript in &access.subscripts[..*given] {
                    text.push_str(&format!("[{}]", expression(scop, statement, subscript)));
                }
                text
            })
        }
        Expr::Unary(op, a) => {
            let sign = match op {
                UnaryOp::Minus => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            format!("{sign}{}", inner(a))
        }
        Expr::Binary(op, a, b) => format!("{} {} {}", inner(a), BinaryOp::spelling(*op), inner(b)),
        Expr::Conditional(c, a, b) => format!("{} ? {} : {}", inner(c), inner(a), inner(b)),
        Expr::Cast(ctype, a) => format!("({}){}", ctype.spelling, inner(a)),
        Expr::Call(name, arguments)
        | Expr::Effect {
            function: name,
            arguments,
            ..
        } => {
            let arguments: Vec<_> = arguments
                .iter()
                .map(|a| expression(scop, statement, a))
                .collect();
            format!("{name}({})", arguments.join(", "))
        }
    }
}

fn node_lines(text: &mut String, level: usize, node: &ScheduleNode) -> isl::Result<()> {
    let mut next = level + 1;
    match node.get_type()? {
        ScheduleNodeType::Band => {
            let partial = node.band_get_partial_schedule()?;
            let mut members = Vec::new();
            for position in 0..partial.dim(DimType::Set)? {
                // One statement's expression stands for all of them: they share the loop.
                let parts = partial.get_union_pw_aff(position)?.pw_affs()?;
                let part = parts.first().map(ToString::to_string).unwrap_or_default();
                let value = part.split_once("-> [(").map_or(part.as_str(), |(_, v)| v);
                let end = value.find(")]").unwrap_or(value.len());
                members.push(value[..end].to_owned());
            }
            line(text, level, &format!("band {}", members.join(", ")));
        }
        ScheduleNodeType::Filter => {
            let sets = node.filter_get_filter()?.sets()?;
            let mut names = Vec::new();
            for set in &sets {
                names.push(set.tuple_name()?.unwrap_or_default());
            }
            names.sort_by_key(|n| (n.len(), n.clone()));
            line(text, level, &format!("filter {}", names.join(", ")));
        }
        ScheduleNodeType::Leaf => return Ok(()),
        ScheduleNodeType::Domain => next = level,
        ScheduleNodeType::Sequence => line(text, level, "sequence"),
        other => line(text, level, &format!("{other:?}").to_lowercase()),
    }
    for child in node.children()? {
        node_lines(text, next, &child)?;
    }
    Ok(())
}
