//! A trial: one version alone, given up as soon as it is clear that it is slow.

use crate::Result;
use crate::measure::job::{Event, Side, Trial};
use crate::measure::library::Program;
use crate::measure::worker::Worker;
use crate::measure::worker::state::{Arrays, Pristine};
use crate::tune::is_clearly_slower;

impl Worker<'_> {
    pub(crate) fn trial(
        &mut self,
        pristine: &Pristine,
        result: &Program,
        first: usize,
        runs: usize,
        limit: Option<f64>,
    ) -> Result<Event> {
        self.at("copying the arrays");
        let mut arrays = Arrays::new(pristine)?;
        let mut trial = Trial::default();
        for run in 0..=runs {
            arrays.restore(pristine, result);
            let seconds = self.call(Side::Result, run, runs, result, &mut arrays);
            // Of a device only what depends on the plan: not the copies.
            let seconds = result.device_seconds().map_or(seconds, |(own, _)| own);
            // The first call warms up.
            if run > 0 {
                trial.times.push(seconds * 1e3);
            }
            let slow = limit.is_some_and(|limit| is_clearly_slower(&trial.times, limit));
            if run < runs && trial.times.len() >= first && slow {
                trial.stopped = true;
                break;
            }
        }
        Ok(Event::Tried(trial))
    }
}
