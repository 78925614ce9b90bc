//! What was done with each region, what was not, and why: remarks as optimising compilers write them.

use crate::commands::report;
use crate::terminal::Failure;
use serde_json::{Value, json};
use std::path::Path;
use tilewright::compile::{Compiled, CompiledRegion};
use tilewright::plan::RegionPlan;
use tilewright::source::Source;

/// How remarks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line each.
    Text,
    /// The documents of LLVM's `-fsave-optimization-record`.
    Yaml,
    /// The Static Analysis Results Interchange Format, OASIS standard 2.1.0.
    Sarif,
}

impl Format {
    /// That of a file, by how its name ends.
    pub fn of(path: &Path) -> Result<Format, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            _ if path == Path::new("-") => Ok(Format::Text),
            Some("txt") => Ok(Format::Text),
            Some("yaml" | "yml") => Ok(Format::Yaml),
            Some("sarif") => Ok(Format::Sarif),
            _ => Err(Failure::usage(
                "--remarks FILE ends in .txt, .yaml or .sarif; `-` is text on standard error"
                    .to_owned(),
            )),
        }
    }
}

/// What a remark is about, as LLVM tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Passed,
    Missed,
    Analysis,
}

/// One remark.
struct Remark<'c> {
    kind: Kind,
    /// What it says, in one word.
    name: &'static str,
    function: &'c str,
    /// From 1.
    line: usize,
    column: usize,
    message: String,
}

/// The remarks of a file, in a format.
pub fn text(compiled: &Compiled, source: &Source, format: Format) -> String {
    let mut all = Vec::new();
    for (region, plan) in compiled.regions.iter().zip(&compiled.plan.regions) {
        of_region(region, plan, source, &mut all);
        let inside = |start: usize| (region.span.start..region.span.end).contains(&start);
        for warning in &compiled.warnings {
            let place = warning.labels.iter().find(|label| label.primary);
            let Some(place) = place.filter(|label| inside(label.start)) else {
                continue;
            };
            let (line, column) = source.line_column(place.start);
            all.push(Remark {
                kind: Kind::Missed,
                name: warning.code,
                function: &region.function,
                line,
                column,
                message: format!("{}.", warning.message),
            });
        }
    }
    match format {
        Format::Text => all.iter().map(|remark| remark.line(source)).collect(),
        Format::Yaml => all.iter().map(|remark| remark.document(source)).collect(),
        Format::Sarif => format!("{:#}\n", sarif(&all, source)),
    }
}

fn of_region<'c>(
    region: &'c CompiledRegion,
    plan: &RegionPlan,
    source: &Source,
    into: &mut Vec<Remark<'c>>,
) {
    let (line, column) = source.line_column(region.span.start);
    let mut add = |kind, name, text: &str| {
        let sentence = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !sentence.is_empty() {
            into.push(Remark {
                kind,
                name,
                function: &region.function,
                line,
                column,
                message: sentence,
            });
        }
    };
    if region.order.groups.is_empty() {
        add(Kind::Missed, "LeftAsWritten", &report::groups(region));
    }
    for group in &region.order.groups {
        add(Kind::Passed, "Transformed", &report::group(group));
    }
    for change in report::changes(plan).lines() {
        add(Kind::Passed, "Changed", change);
    }
    add(Kind::Analysis, "Predicted", &report::predicted(region));
    add(Kind::Analysis, "Condition", &report::stays(region));
    add(Kind::Analysis, "Checked", &report::checks(region));
    add(Kind::Analysis, "Executed", &report::certified(region));
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Passed => "Passed",
            Kind::Missed => "Missed",
            Kind::Analysis => "Analysis",
        }
    }
}

impl Remark<'_> {
    /// `file:line:column: remark: … [-Rpass=tilewright]`, as clang prints them.
    fn line(&self, source: &Source) -> String {
        let option = match self.kind {
            Kind::Passed => "-Rpass",
            Kind::Missed => "-Rpass-missed",
            Kind::Analysis => "-Rpass-analysis",
        };
        format!(
            "{}:{}:{}: remark: {}: {} [{option}=tilewright]\n",
            source.name, self.line, self.column, self.function, self.message
        )
    }

    fn document(&self, source: &Source) -> String {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        format!(
            "--- !{}\nPass:            tilewright\nName:            {}\n\
             DebugLoc:        {{ File: {}, Line: {}, Column: {} }}\nFunction:        {}\n\
             Args:\n  - String:          {}\n...\n",
            self.kind.name(),
            self.name,
            quoted(&source.name),
            self.line,
            self.column,
            self.function,
            quoted(&self.message),
        )
    }
}

fn sarif(all: &[Remark<'_>], source: &Source) -> Value {
    let result = |remark: &Remark<'_>| {
        let kind = match remark.kind {
            Kind::Passed => "pass",
            Kind::Missed => "open",
            Kind::Analysis => "informational",
        };
        json!({
            "ruleId": remark.name,
            "kind": kind,
            "level": "none",
            "message": { "text": remark.message },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": source.name },
                    "region": { "startLine": remark.line, "startColumn": remark.column },
                },
                "logicalLocations": [{ "name": remark.function, "kind": "function" }],
            }],
        })
    };
    let mut names: Vec<&str> = all.iter().map(|remark| remark.name).collect();
    names.sort_unstable();
    names.dedup();
    let rules: Vec<Value> = names.iter().map(|name| json!({ "id": name })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tilewright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": all.iter().map(result).collect::<Vec<Value>>(),
        }],
    })
}
