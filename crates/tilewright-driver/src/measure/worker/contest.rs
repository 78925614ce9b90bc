//! A contest: any number of versions on the same memory, by turns.

use crate::Result;
use crate::measure::compare::compare;
use crate::measure::job::{Comparison, Entrant, Event, Standing, Turns};
use crate::measure::library::Program;
use crate::measure::worker::Worker;
use crate::measure::worker::state::Arrays;
use std::thread;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};

impl Worker<'_> {
    pub(crate) fn contest(&mut self, entrants: &[Entrant], turns: Turns) -> Result<Event> {
        let Turns { runs, least, .. } = turns;
        let pause = Duration::from_millis(turns.pause);
        let mut calls = 1;
        let mut programs = Vec::new();
        for entrant in entrants {
            programs.push(match &entrant.peer {
                Some((library, symbol)) => Program::load_peer(&entrant.library, library, symbol)?,
                None => Program::load(&entrant.library)?,
            });
        }
        if programs.is_empty() {
            return Ok(Event::Contested(Vec::new()));
        }
        let pristine = self.prepare(&programs.iter().collect::<Vec<_>>())?;

        // All versions work on the same memory, so that its place favours none.
        let mut arrays = Arrays::new(&pristine)?;
        let mut standings = Vec::new();
        let mut expected = Vec::new();
        for (entrant, program) in entrants.iter().zip(&programs) {
            thread::sleep(pause);
            self.turn(entrant, 0, runs);
            arrays.restore(&pristine, program);
            program.call(&mut arrays.addresses());
            arrays.take_globals(program);
            if let Some(name) = arrays.overrun() {
                let message = format!("`{}` wrote outside of `{name}`", entrant.name);
                let size = arrays.size_of(name);
                let note = format!("`{name}` was taken to have {size} elements");
                return Err(Box::new(
                    Diagnostic::error(Code::RunFailed, message).note(note),
                ));
            }
            if standings.is_empty() {
                expected = arrays.written();
            }
            let mut comparison = Comparison::default();
            for ((shape, bytes), expected) in arrays.all_written().zip(&expected) {
                let difference = compare(shape.element, expected, bytes);
                comparison.arrays.push((shape.clone(), difference));
            }
            standings.push(Standing {
                name: entrant.name.clone(),
                comparison,
                times: Vec::new(),
            });
        }
        drop(expected);
        if least > 0.0 {
            arrays.restore(&pristine, &programs[0]);
            let mut addresses = arrays.addresses();
            let time = self.clock.time(|| programs[0].call(&mut addresses));
            let fit = least / (time.as_secs_f64() * 1e3).max(1e-4);
            calls = (fit.ceil() as usize).max(1);
        }

        for run in 1..=runs {
            // Whoever comes after another finds other things in the caches: take turns in that.
            for at in (0..programs.len()).map(|at| (at + run - 1) % programs.len()) {
                let program = &programs[at];
                // The threads of another version's OpenMP go on looking for work for a while.
                thread::sleep(pause);
                self.turn(&entrants[at], run, runs);
                // A call that is not timed wakes this version's own threads.
                for timed in [false, true] {
                    arrays.restore(&pristine, program);
                    let mut addresses = arrays.addresses();
                    let calls = if timed { calls } else { 1 };
                    let time = self.clock.time(|| {
                        for _ in 0..calls {
                            program.call(&mut addresses);
                        }
                    });
                    if timed {
                        // Of a device without the copies.
                        let device = program.device_seconds();
                        let seconds = device.map_or(time.as_secs_f64(), |(own, _)| own);
                        standings[at].times.push(seconds * 1e3 / calls as f64);
                    }
                }
            }
        }
        Ok(Event::Contested(standings))
    }

    fn turn(&mut self, entrant: &Entrant, run: usize, of: usize) {
        self.tell(&Event::Turn {
            name: entrant.name.clone(),
            run,
            of,
        });
    }
}
