//! Accesses as they happen, for [`crate::storage::trace`].

use super::{Machine, Thread};
use crate::arith::wrap;
use crate::program::Known;
use crate::read::sites::Touch;
use crate::storage::memory::{Fault, Label, object_of};
use crate::storage::trace::{Access, Declared, Event, Noted, Run};
use crate::types::Kind;
use std::sync::Arc;

/// Events of one execution of a function: what takes more is too long.
const MOST_EVENTS: usize = 100_000;

/// Line, and byte in that line.
type Place = (u32, usize);

/// A call: its place, the statement around it, and the variables' values.
type Caller = (Place, Place, Arc<[Option<i64>]>);

/// What was recorded.
#[derive(Default)]
pub(crate) struct Recording {
    pub runs: Vec<Run>,
    /// Values that were noted since the last run began.
    notes: Vec<Noted>,
    /// How many calls around the region there are, while it is executed.
    depth: Option<usize>,
    events: usize,
    /// The call from the region that is being executed.
    caller: Option<Caller>,
}

impl Machine<'_> {
    /// A value that the text has noted.
    pub(super) fn note(&mut self, kind: Kind, pointer: bool, value: u64) {
        let noted = match pointer {
            true => Noted::Pointer {
                object: object_of(value),
                offset: self.memory.offset_of(value),
            },
            false if kind == Kind::U64 => Noted::Integer(value.into()),
            false => Noted::Integer((value as i64).into()),
        };
        self.recording.notes.push(noted);
    }

    pub(super) fn region(&mut self, thread: &Thread, on: bool) {
        let recording = &mut self.recording;
        recording.depth = on.then_some(thread.calls.frames.len());
        if on {
            recording.runs.push(Run {
                notes: std::mem::take(&mut recording.notes),
                ..Run::default()
            });
        }
    }

    /// Records an access that is about to happen, if a region is executed.
    pub(super) fn seen(
        &mut self,
        thread: &Thread,
        regs: &[u64],
        base: usize,
        site: u32,
    ) -> Result<(), Fault> {
        let Some(depth) = self.recording.depth else {
            return Ok(());
        };
        let program = self.program;
        let site = &program.recorded.sites[site as usize];
        let reg = |reg: u16| regs[base + reg as usize];
        let called = thread.calls.frames.len() > depth;
        let (place, statement, values) = match (called, &self.recording.caller) {
            (true, Some(caller)) => caller.clone(),
            _ => {
                let visible = site.visible.iter();
                let values = visible.map(|v| v.and_then(|(r, kind)| self.integer(reg(r), kind)));
                (site.place, site.statement, values.collect())
            }
        };
        let mut touched = |at: u64, size: u64, write: bool| {
            let Some(declared) = self.touched(thread, depth, at) else {
                return;
            };
            let recording = &mut self.recording;
            let Some(run) = recording.runs.last_mut() else {
                return;
            };
            let object = object_of(at);
            if let Some(declared) = declared {
                run.declared.entry(object).or_insert(declared);
            }
            recording.events += 1;
            run.events.push(Event {
                place,
                statement,
                called,
                access: Access {
                    object,
                    offset: self.memory.offset_of(at),
                    size,
                    write,
                },
                values: values.clone(),
            });
        };
        match site.touch {
            Touch::Load { at, size } => touched(reg(at), size, false),
            Touch::Store { at, size } => touched(reg(at), size, true),
            Touch::Copy { to, from, n } => {
                touched(reg(from), reg(n), false);
                touched(reg(to), reg(n), true);
            }
            Touch::Fill { to, n } => touched(reg(to), reg(n), true),
            Touch::Call if !called => self.recording.caller = Some((place, statement, values)),
            Touch::Call => {}
        }
        if self.recording.events < MOST_EVENTS {
            Ok(())
        } else {
            Err(Fault::Fuel)
        }
    }

    /// The value of a variable, without any trace that it was read.
    fn integer(&self, at: u64, kind: Kind) -> Option<i64> {
        let object = self.memory.objects.get(object_of(at))?;
        let offset = usize::try_from(self.memory.offset_of(at)).ok()?;
        let bytes = object.data.get(offset..offset + kind.size() as usize)?;
        let mut value = [0; 8];
        value[..bytes.len()].copy_from_slice(bytes);
        Some(wrap(kind, u64::from_le_bytes(value)) as i64)
    }

    /// Whether anybody but a called function knows an object: `None` where not. The declaration of
    /// what is a variable of the region's function.
    fn touched(&self, thread: &Thread, depth: usize, at: u64) -> Option<Option<Declared>> {
        let number = object_of(at);
        let object = self.memory.objects.get(number)?;
        let called = thread.calls.frames.len() > depth;
        let local = match object.label {
            Label::Local(local) => local,
            // What a called function keeps.
            Label::Global(global) if called => {
                let known = self.program.globals[global as usize].known;
                return (known != Known::Kept).then_some(None);
            }
            _ => return Some(None),
        };
        let inner = match thread.calls.frames.get(depth + 1) {
            Some(frame) => frame.locals,
            None if called => thread.calls.local_base,
            None => thread.calls.locals.len(),
        };
        let known = thread.calls.locals.iter().take(inner);
        if !known.into_iter().any(|l| *l as usize == number) {
            return None;
        }
        let declared = &self.program.locals[local as usize];
        Some(Some(Declared {
            name: declared.name.clone(),
            place: declared.place,
        }))
    }
}
