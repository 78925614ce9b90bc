//! Transformed programs from isl text.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::scop::Scop;
use crate::transform::{Buffer, BufferKind, Lifted, Transformed};
use crate::validate::{Violation, validate, validate_with};

/// Builds a [`Transformed`].
pub(super) struct Build<'a> {
    scop: &'a Scop,
    statements: Vec<Lifted>,
    buffers: Vec<Buffer>,
}

impl<'a> Build<'a> {
    /// All arrays in full, no statements.
    pub fn new(scop: &'a Scop) -> Build<'a> {
        let buffers = scop
            .arrays
            .iter()
            .enumerate()
            .map(|(array, a)| Buffer {
                name: a.name.clone(),
                array,
                kind: BufferKind::Full,
            })
            .collect();
        Build {
            scop,
            statements: Vec::new(),
            buffers,
        }
    }

    /// All statements as they are.
    pub fn unlifted(scop: &'a Scop) -> Build<'a> {
        let mut build = Build::new(scop);
        for (statement, original) in scop.statements.iter().enumerate() {
            build.statements.push(Lifted {
                name: original.name.clone(),
                statement,
                group: 0,
                tile_dims: 0,
                domain: original.domain.clone(),
                bindings: original.accesses.iter().map(|a| a.array).collect(),
            });
        }
        build
    }

    /// A local buffer; per dimension its origin, its extent, and whether it is folded.
    pub fn local(
        mut self,
        name: &str,
        array: &str,
        scope: usize,
        dims: &[(&str, i64, bool)],
    ) -> Self {
        self.buffers.push(Buffer {
            name: name.to_owned(),
            array: self.scop.array_named(array).unwrap(),
            kind: BufferKind::Local {
                scope,
                origin: dims
                    .iter()
                    .map(|(aff, _, _)| isl::Aff::read_from_str(&self.scop.ctx, aff).unwrap())
                    .collect(),
                extents: dims.iter().map(|d| d.1).collect(),
                folded: dims.iter().map(|d| d.2).collect(),
            },
        });
        self
    }

    /// A statement whose accesses go to the named local buffers, and to full arrays elsewhere.
    pub fn lifted(
        mut self,
        statement: &str,
        tile_dims: usize,
        domain: &str,
        local: &[&str],
    ) -> Self {
        let domain = isl::Set::read_from_str(&self.scop.ctx, domain).unwrap();
        let statement = self.scop.statement_named(statement).unwrap();
        let bindings = self.scop.statements[statement]
            .accesses
            .iter()
            .map(|access| {
                self.buffers
                    .iter()
                    .position(|b| b.array == access.array && local.contains(&b.name.as_str()))
                    .unwrap_or(access.array)
            })
            .collect();
        self.statements.push(Lifted {
            name: domain.get_tuple_name().unwrap(),
            statement,
            group: 0,
            tile_dims,
            domain,
            bindings,
        });
        self
    }

    /// Binds all accesses to an array to a local buffer.
    pub fn bind(mut self, name: &str) -> Self {
        let id = self.buffers.iter().position(|b| b.name == name).unwrap();
        for lifted in &mut self.statements {
            let accesses = &self.scop.statements[lifted.statement].accesses;
            for (binding, access) in lifted.bindings.iter_mut().zip(accesses) {
                if access.array == self.buffers[id].array {
                    *binding = id;
                }
            }
        }
        self
    }

    /// Finishes, with a schedule in isl's text.
    pub fn schedule(self, text: &str) -> Transformed {
        let schedule = isl::Schedule::read_from_str(&self.scop.ctx, text).unwrap();
        Transformed {
            schedule,
            statements: self.statements,
            buffers: self.buffers,
            shared: Vec::new(),
            atomic: Vec::new(),
            reordered: Vec::new(),
            tiled: Vec::new(),
        }
    }

    /// Finishes, with the original schedule.
    pub fn original_order(self) -> Transformed {
        let schedule = self.scop.schedule.clone();
        Transformed {
            schedule,
            statements: self.statements,
            buffers: self.buffers,
            shared: Vec::new(),
            atomic: Vec::new(),
            reordered: Vec::new(),
            tiled: Vec::new(),
        }
    }

    /// Finishes, each statement a nest of its own (`nests` in their order, each a band given as
    /// isl text), below the tile loops over the leading `tile` members of a common band.
    pub fn tiles(self, tile: &str, marks: &[&str], nests: &[&str]) -> Transformed {
        let domains: Vec<String> = self
            .statements
            .iter()
            .map(|lifted| lifted.domain.to_string())
            .collect();
        let mut domain = isl::UnionSet::empty_ctx(&self.scop.ctx).unwrap();
        for text in &domains {
            let set = isl::UnionSet::read_from_str(&self.scop.ctx, text).unwrap();
            domain = domain.union(&set).unwrap();
        }
        let mut text = format!("{{ domain: \"{domain}\", child: ");
        let mut close = 1;
        for mark in marks.iter().filter(|mark| !mark.starts_with("scope")) {
            text += &format!("{{ mark: \"{mark}\", child: ");
            close += 1;
        }
        text += &format!("{{ schedule: \"{tile}\", child: ");
        close += 1;
        for mark in marks.iter().filter(|mark| mark.starts_with("scope")) {
            text += &format!("{{ mark: \"{mark}\", child: ");
            close += 1;
        }
        let nests: Vec<String> = self
            .statements
            .iter()
            .zip(nests)
            .map(|(lifted, nest)| {
                let filter = lifted.domain.get_space().unwrap();
                let filter = isl::Set::universe(&filter).unwrap();
                format!("{{ filter: \"{filter}\", child: {{ schedule: \"{nest}\" }} }}")
            })
            .collect();
        text += &format!("{{ sequence: [ {} ]", nests.join(", "));
        close += 1;
        text += &" }".repeat(close);
        self.schedule(&text)
    }
}

/// The verdict.
pub(super) fn verdict(scop: &Scop, transformed: &Transformed) -> Option<Violation> {
    let dataflow = Dataflow::compute(scop).unwrap();
    validate(scop, &dataflow, transformed).unwrap()
}

/// The same without shortcuts.
pub(super) fn exact_verdict(scop: &Scop, transformed: &Transformed) -> Option<Violation> {
    let dataflow = Dataflow::compute(scop).unwrap();
    validate_with(scop, &dataflow, transformed, false).unwrap()
}

/// Kind, sentence and parameters in one line.
pub(super) fn refusal(scop: &Scop, transformed: &Transformed) -> String {
    let found = verdict(scop, transformed);
    let exact = exact_verdict(scop, transformed);
    assert_eq!(found, exact, "the verdict with shortcuts and that without");
    match found {
        None => "accepted".to_owned(),
        Some(v) if v.parameters.is_empty() => format!("{:?}: {}", v.kind, v.message),
        Some(v) => format!("{:?}: {} ({})", v.kind, v.message, v.parameters),
    }
}
