//! What a program does outside its memory, written down.

use super::Machine;
use super::texts::MOST_TEXT;
use crate::judging::compare::same;
use crate::judging::inputs::mix;
use crate::outside::{Gives, Handed, Of};
use crate::storage::memory::{Fault, Label, object_of};
use crate::types::Kind;

/// The most that is written down: what does more is too long.
const MOST_CALLS: usize = 20_000;

/// A call that was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Done {
    pub name: &'static str,
    /// Kinds and values of numbers; of streams, where they lead.
    values: Vec<(Option<Kind>, u64)>,
    /// Texts, and memory, one behind the other.
    bytes: Vec<u8>,
}

impl Done {
    /// In words, as far as a line goes.
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        if !self.bytes.is_empty() {
            let text = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(40)]);
            parts.push(format!("{text:?}"));
        }
        let numbers = self.values.iter();
        let numbers =
            numbers.filter_map(|(kind, value)| Some(crate::arith::show((*kind)?, *value)));
        parts.extend(numbers.take(6));
        format!("{}({})", self.name, parts.join(", "))
    }

    /// The state behind a call.
    fn mixed(&self, before: u64) -> u64 {
        let mut state = before.wrapping_add(1);
        let mut more = |value: u64| state = mix(state, value);
        self.name.bytes().for_each(|byte| more(byte.into()));
        self.values.iter().for_each(|(_, value)| more(*value));
        self.bytes.iter().for_each(|&byte| more(byte.into()));
        state
    }
}

/// The calls that were made which change the same.
#[derive(Clone, Debug, Default)]
struct Log {
    done: Vec<Done>,
    /// Of all that was done.
    state: u64,
}

/// The calls that were made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    streams: Log,
    random: Log,
}

impl Outside {
    /// Those that change the same, in order.
    pub fn done(&self, what: Of) -> &[Done] {
        match what {
            Of::Streams => &self.streams.done,
            Of::Random => &self.random.done,
        }
    }

    fn log(&mut self, what: Of) -> &mut Log {
        match what {
            Of::Streams => &mut self.streams,
            Of::Random => &mut self.random,
        }
    }
}

impl Machine<'_> {
    /// Makes a call: what it gives. The arguments are in order.
    pub(super) fn outside(
        &mut self,
        call: u32,
        arguments: &[u64],
        at: usize,
    ) -> Result<u64, Fault> {
        let program = self.program;
        // Hosts of devices print what goes wrong there.
        if program.device.has_kernels {
            return Ok(0);
        }
        let call = &program.recorded.outside[call as usize];
        let log = self.noted.outside.log(call.changes);
        // What is in memory alone depends on nothing else.
        let before = if call.in_memory { 0 } else { log.state };
        if log.done.len() >= MOST_CALLS {
            return Err(Fault::Fuel);
        }
        let mut length = 0;
        let mut done = Done {
            name: call.name,
            values: Vec::new(),
            bytes: Vec::new(),
        };
        let argument = |index: usize| arguments.get(index).copied().unwrap_or(0);
        for (index, (handed, &value)) in call.handed.iter().zip(arguments).enumerate() {
            match handed {
                Handed::Number(kind) => done.values.push((Some(*kind), plain(*kind, value))),
                Handed::Stream => {
                    let place = self.leads_to(value);
                    done.values.push((None, place));
                }
                Handed::Text => {
                    let before = done.bytes.len();
                    self.characters(value, &mut done.bytes, at)?;
                    done.values.push((None, (done.bytes.len() - before) as u64));
                }
                Handed::Bytes => {
                    let bytes = argument(index + 1).checked_mul(argument(index + 2));
                    let bytes = bytes
                        .filter(|bytes| *bytes <= MOST_TEXT)
                        .ok_or(Fault::Fuel)?;
                    for byte in 0..bytes {
                        done.bytes
                            .push(self.memory.load(value + byte, 1, at)? as u8);
                    }
                }
                Handed::Filled => {
                    let bytes = argument(index + 1).checked_mul(argument(index + 2));
                    let bytes = bytes
                        .filter(|bytes| *bytes <= MOST_TEXT)
                        .ok_or(Fault::Fuel)?;
                    for byte in 0..bytes {
                        let new = mix(before, byte) & 0xff;
                        self.memory.store(value + byte, 1, new, at)?;
                    }
                }
                Handed::Printed => {
                    let text = self.printed(call, arguments, at)?;
                    length = text.len() as u64;
                    let room = match call.handed.get(index + 1) {
                        Some(Handed::Number(_)) => argument(index + 1),
                        _ => u64::MAX,
                    };
                    if let Some(most) = room.checked_sub(1) {
                        let kept = &text[..text.len().min(most.min(MOST_TEXT) as usize)];
                        for (&byte, place) in kept.iter().chain(&[0]).zip(value..) {
                            self.memory.store(place, 1, byte.into(), at)?;
                        }
                    }
                }
                // Behind all that says what is read.
                Handed::Found(_) => {}
                Handed::Line => {
                    let room = (argument(index + 1) as i64).clamp(0, MOST_TEXT as i64) as u64;
                    let length = mix(before, 1) % room.max(1);
                    for byte in 0..length {
                        let letter = u64::from(b'a') + mix(before, byte) % 26;
                        self.memory.store(value + byte, 1, letter, at)?;
                    }
                    if room > 0 {
                        self.memory.store(value + length, 1, 0, at)?;
                    }
                }
            }
        }
        let cost = (done.bytes.len() as u64 + length) / 8 + 4;
        self.effort.fuel = self.effort.fuel.checked_sub(cost).ok_or(Fault::Fuel)?;
        self.effort.steps += cost;
        let state = done.mixed(before);
        let found = match call.gives {
            Gives::Found => self.scanned(call, arguments, state, at)?,
            _ => 0,
        };
        if !call.in_memory {
            let log = self.noted.outside.log(call.changes);
            log.state = state;
            log.done.push(done);
        }
        Ok(match call.gives {
            Gives::Nothing => 0,
            Gives::Number(Kind::I32) => mix(state, 2) % 100,
            Gives::Number(_) => mix(state, 2) % 1000,
            Gives::Random(_) => mix(state, 3) >> 33,
            Gives::Fraction => ((mix(state, 4) >> 11) as f64 / (1_u64 << 53) as f64).to_bits(),
            Gives::Character => match mix(state, 5) % 100 {
                0 => u64::from(-1_i32 as u32),
                value => value + 28,
            },
            Gives::Length => length,
            Gives::Found => found,
            Gives::Count => argument(2),
            Gives::First => argument(0),
        })
    }

    /// The characters from a pointer on, with the 0 behind them.
    pub(super) fn characters(
        &mut self,
        from: u64,
        text: &mut Vec<u8>,
        at: usize,
    ) -> Result<(), Fault> {
        for offset in 0..MOST_TEXT {
            let byte = self.memory.load(from.wrapping_add(offset), 1, at)? as u8;
            text.push(byte);
            if byte == 0 {
                return Ok(());
            }
        }
        Err(Fault::Fuel)
    }

    /// A number for what a pointer leads to that is the same in both programs.
    fn leads_to(&self, pointer: u64) -> u64 {
        let object = self.memory.objects.get(object_of(pointer));
        let offset = self.memory.offset_of(pointer) as u64;
        match object.map(|object| object.label) {
            Some(Label::Input(number)) => mix(u64::from(number) + 1, offset),
            Some(Label::Global(number)) => {
                let name = &self.program.globals[number as usize].name;
                name.bytes().fold(offset, |all, byte| mix(all, byte.into()))
            }
            _ => u64::from(pointer != 0),
        }
    }
}

/// All NaN are the same.
fn plain(kind: Kind, value: u64) -> u64 {
    match same(kind, value, !0) {
        true => !0,
        false => value,
    }
}
