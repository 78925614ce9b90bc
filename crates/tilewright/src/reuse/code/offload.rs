//! Text for OpenMP's `target`: local arrays are in the memory of a device, tiles compute there,
//! and the program's arrays stay on the host.
//!
//! What a tile loads is gathered into a contiguous buffer on the host, moved at once, and put in
//! its places by the device; stores go the other way (the bursts of section 2.2). With double
//! buffering (section 4) transfers and computations are tasks with three kinds of dependences:
//! transfers follow each other in the order `Load(I2)`, `Store(I1)`, `Load(I3)`, …, computations
//! follow each other, and a tile's load, computation and store do. Tiles two apart share the
//! variable for the third, so the store of one comes before the load of the other, as it does
//! among the transfers; nothing else is waited for within a row.

use super::phases::{Phase, STEP};
use super::{PREFIX, Target, Writer};
use crate::reuse::Result;
use crate::reuse::lifetimes::Overlap;
use isl::Map;

/// Threads of the host: one that moves data beside one that waits for the device.
const THREADS: usize = 2;

impl Writer<'_> {
    /// Whether tiles compute on a device.
    pub(super) fn is_offload(&self) -> bool {
        *self.program.target == Target::OpenMpTarget
    }

    /// Whether tiles are tasks.
    fn has_tasks(&self) -> bool {
        self.is_offload() && self.program.overlap == Overlap::Double
    }

    /// Opens what one thread creates tasks in, where there are tasks.
    pub(super) fn open_tasks(&mut self) {
        if self.has_tasks() {
            self.line(&format!("#pragma omp parallel num_threads({THREADS})"));
            self.line("#pragma omp single");
            self.open("{");
        }
    }

    pub(super) fn close_tasks(&mut self) {
        if self.has_tasks() {
            self.close();
        }
    }

    /// Declares the local arrays of a strip on the device, and the buffers they are filled from.
    pub(super) fn enter_device(&mut self) {
        for (name, element, cells) in self.stages() {
            self.line(&format!("const long {name}_cells = {cells};"));
            self.line(&format!(
                "{element} *{name} = ({element} *)__builtin_malloc(sizeof({element}) * \
                 {name}_cells);"
            ));
            self.line(&format!("if (!{name}) __builtin_trap();"));
        }
        for name in self.on_device() {
            self.line(&format!(
                "#pragma omp target enter data map(alloc: {name}[0:{name}_cells])"
            ));
        }
    }

    /// Takes them away again.
    pub(super) fn leave_device(&mut self) {
        for name in self.on_device().iter().rev() {
            self.line(&format!(
                "#pragma omp target exit data map(delete: {name}[0:{name}_cells])"
            ));
        }
        for (name, ..) in self.stages().iter().rev() {
            self.line(&format!("__builtin_free({name});"));
        }
    }

    /// Buffers for what passes between host and device: name, type of elements, and how many.
    /// What a tile moves of an array lives at once and so has different places in the local one,
    /// which is as large.
    fn stages(&self) -> Vec<(String, String, String)> {
        let mut all = Vec::new();
        for local in self.locals.iter().filter(|local| local.is_moved) {
            let array = &self.scop.arrays[local.array];
            let cells: Vec<String> = local
                .parts
                .iter()
                .map(|kept| format!("{}_cells", kept.name))
                .collect();
            all.push((
                stage(&array.name),
                array.element.spelling.clone(),
                cells.join(" + "),
            ));
        }
        all
    }

    /// Names of all that the device has.
    fn on_device(&self) -> Vec<String> {
        let parts = self.locals.iter().flat_map(|local| &local.parts);
        let names = parts.map(|kept| kept.name.clone());
        names
            .chain(self.stages().into_iter().map(|stage| stage.0))
            .collect()
    }

    /// Moves the cells of an array that a tile loads or stores.
    pub(super) fn transfer(&mut self, phase: Phase, array: &str, cells: &Map) -> Result<()> {
        let Some(cells) = self.cells_of_tile(cells)? else {
            return Ok(());
        };
        let (stage, count) = (stage(array), format!("{PREFIX}count"));
        self.open("{");
        self.line(&format!("long {count} = 0;"));
        if phase == Phase::Load {
            self.each_cell(&format!("{PREFIX}gather_{array}"), &cells)?;
            self.open(&format!("if ({count} > 0) {{"));
            self.line(&format!("#pragma omp target update to({stage}[0:{count}])"));
            self.line(&format!("{count} = 0;"));
            self.line("#pragma omp target");
            self.open("{");
            self.each_cell(&format!("{PREFIX}load_{array}"), &cells)?;
            self.close();
        } else {
            self.line(&format!("#pragma omp target map(tofrom: {count})"));
            self.open("{");
            self.each_cell(&format!("{PREFIX}store_{array}"), &cells)?;
            self.close();
            self.open(&format!("if ({count} > 0) {{"));
            self.line(&format!(
                "#pragma omp target update from({stage}[0:{count}])"
            ));
            self.line(&format!("{count} = 0;"));
            self.each_cell(&format!("{PREFIX}scatter_{array}"), &cells)?;
        }
        self.close();
        self.close();
        Ok(())
    }

    /// What stands in front of a phase of a tile that is `behind` tiles behind the step, where
    /// that is a task.
    pub(super) fn task(&self, phase: Phase, behind: usize, size: &str) -> Option<String> {
        let tile = match behind % 2 {
            0 => format!("{PREFIX}tile[({STEP} / {size}) & 1]"),
            _ => format!("{PREFIX}tile[({STEP} / {size} + 1) & 1]"),
        };
        self.has_tasks().then(|| match phase {
            Phase::Compute => {
                format!("#pragma omp target nowait depend(inout: {PREFIX}computations, {tile})")
            }
            _ => format!("#pragma omp task depend(inout: {PREFIX}transfers, {tile})"),
        })
    }

    /// Declares what the tasks of a row depend on.
    pub(super) fn open_row(&mut self) {
        if self.has_tasks() {
            self.line(&format!(
                "__attribute__((unused)) char {PREFIX}transfers, {PREFIX}computations, \
                 {PREFIX}tile[2];"
            ));
        }
    }

    /// Waits for them.
    pub(super) fn close_row(&mut self) {
        if self.has_tasks() {
            self.line("#pragma omp taskwait");
        }
    }
}

/// The buffer of an array.
pub(super) fn stage(array: &str) -> String {
    format!("{PREFIX}stage_{array}")
}
