//! Memory in C: variables of blocks, per-thread allocations, temporaries of the whole region.

use super::{Context, Printer, Threads};
use crate::codegen::Target;
use crate::codegen::kernel::{Kernel, LocalBuffer, Node};
use crate::codegen::passes::storage::{bytes, uses};
use crate::scop::{AccessKind, Action};
use crate::transform::BufferId;

/// Bytes to which local buffers are aligned: a cache line, and the widest vector.
pub const ALIGNMENT: i64 = 64;

/// Bytes between two local buffers: one line, so that rows of equal number in buffers whose size
/// is a power of two do not fall into the same cache set.
pub const PADDING: i64 = 64;

/// `[516]` per extent from `first` on.
fn brackets(extents: &[i64], first: usize) -> String {
    extents
        .iter()
        .skip(first)
        .map(|extent| format!("[{extent}]"))
        .collect()
}

/// A pointer to the rows of an array, declared with this name.
fn declarator(element: &str, name: &str, rows: &str) -> String {
    if rows.is_empty() {
        format!("{element} *{name}")
    } else {
        format!("{element} (*{name}){rows}")
    }
}

/// The same for memory that has no other name.
fn restricted(element: &str, name: &str, rows: &str) -> String {
    declarator(element, &format!("restrict {name}"), rows)
}

impl Printer<'_> {
    fn local_buffer(&self, id: BufferId) -> Option<&LocalBuffer> {
        self.kernel
            .buffers
            .iter()
            .find(|buffer| buffer.buffer == id)
    }

    /// The buffers, those that are the same memory together.
    fn by_memory(&self, buffers: &[BufferId]) -> Vec<Vec<&LocalBuffer>> {
        let mut all: Vec<Vec<&LocalBuffer>> = Vec::new();
        for buffer in buffers.iter().filter_map(|&id| self.local_buffer(id)) {
            let same = |list: &&mut Vec<&LocalBuffer>| list[0].shared == buffer.shared;
            match all.iter_mut().find(same) {
                Some(list) if buffer.shared.is_some() => list.push(buffer),
                _ => all.push(vec![buffer]),
            }
        }
        all
    }

    /// Declares the variables of a block, or leaves it to the assignments that define them.
    pub(super) fn declare_variables(&mut self, variables: &[BufferId], body: &[Node], at: Context) {
        for &id in variables {
            let Some(buffer) = self.local_buffer(id) else {
                continue;
            };
            if buffer.extents.is_empty() && self.defined_by_assignment(id, body) {
                self.here.undeclared.push(id);
                continue;
            }
            let text = format!(
                "{} {}{};",
                self.type_name(&buffer.element),
                self.spellings.bases[id],
                brackets(&buffer.extents, 0)
            );
            self.line(at, &text);
        }
    }

    /// Whether the first use of a variable, directly in its block, is a statement that does
    /// nothing but assign to it.
    fn defined_by_assignment(&self, variable: BufferId, body: &[Node]) -> bool {
        let Some(Node::Statement(instance)) = body.iter().find(|node| uses(node, variable)) else {
            return false;
        };
        let statement = &self.scop.statements[instance.statement];
        let actions = instance.actions(self.scop);
        let [Action::Assign { target, .. }] = &*actions else {
            return false;
        };
        let is_variable = |access: usize| instance.accesses[access].buffer == variable;
        let reads = statement.accesses.iter().enumerate();
        let mut reads = reads.filter(|(_, access)| access.kind == AccessKind::Read);
        is_variable(*target) && !reads.any(|(access, _)| is_variable(access))
    }

    /// One block of memory per thread for the buffers, around the nodes.
    ///
    /// Pointers to buffers that share memory come from one `restrict` pointer and are none
    /// themselves: what is accessed through one may be accessed through the others.
    pub(super) fn allocation(&mut self, buffers: &[BufferId], body: &[Node], at: Context) {
        let parallel = match body {
            [Node::For(each)] if each.parallel => Some(each),
            _ => None,
        };
        let parallel = parallel
            .filter(|_| self.options.target == Target::OpenMp && at.threads == Threads::One);
        let starts_threads = parallel.is_some();
        if let Some(each) = parallel {
            let worth = each.worth.as_ref().map(|worth| self.worth(worth));
            let clause = worth.map_or(String::new(), |condition| format!(" if ({condition})"));
            self.line(at, &format!("#pragma omp parallel{clause}"));
        }
        let captures = starts_threads.then(|| self.captures());
        self.line(at, "{");
        let mut inside = at.deeper();
        if starts_threads {
            inside.threads = Threads::Team;
        }
        let mut names = self.spellings.names.clone();
        let memory = names.fresh("memory");
        let aligned = names.fresh("aligned");
        let mut offset = 0;
        let mut declarations = Vec::new();
        for sharing in self.by_memory(buffers) {
            let place = match offset {
                0 => aligned.clone(),
                _ => format!("({aligned} + {offset})"),
            };
            let size = sharing
                .iter()
                .map(|buffer| bytes(buffer))
                .max()
                .unwrap_or(0);
            offset += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + PADDING;
            let element = &sharing[0].element.spelling;
            let pointer = |buffer: &LocalBuffer, declarator: fn(&str, &str, &str) -> String| {
                let rows = brackets(&buffer.extents, 1);
                declarator(element, &self.spellings.bases[buffer.buffer], &rows)
            };
            if let [alone] = sharing[..] {
                let pointer = pointer(alone, restricted);
                declarations.push(format!("{pointer} = (void *){place};"));
                continue;
            }
            let memory = names.fresh("shared");
            let pointers = sharing.iter().map(|buffer| pointer(buffer, declarator));
            let all = restricted(element, &memory, "");
            declarations.push(format!("{all} = (void *){place};"));
            declarations.extend(pointers.map(|pointer| format!("{pointer} = (void *){memory};")));
        }
        self.spellings.names = names;
        let size = offset + ALIGNMENT - 1;
        self.line(
            inside,
            &format!("char *const {memory} = __builtin_malloc({size});"),
        );
        self.line(inside, &format!("if (!{memory})"));
        self.line(inside.deeper(), "__builtin_trap();");
        self.line(
            inside,
            &format!(
                "char *const {aligned} = {memory} + (-(__UINTPTR_TYPE__){memory} & {});",
                ALIGNMENT - 1
            ),
        );
        for declaration in declarations {
            self.line(inside, &declaration);
        }
        self.nodes(body, inside);
        self.line(inside, &format!("__builtin_free({memory});"));
        self.line(at, "}");
        if let Some(region) = captures {
            self.captured(region);
        }
    }

    /// Declares the temporaries that live as long as the region runs.
    pub(super) fn temporaries(&mut self, kernel: &Kernel, at: Context) {
        for temporary in &kernel.temporaries {
            let element = &temporary.element.spelling;
            let name = &temporary.name;
            if temporary.extents.is_empty() {
                self.line(at, &format!("{element} {name} = 0;"));
                continue;
            }
            let extents: Vec<String> = temporary
                .extents
                .iter()
                .map(|extent| self.index(extent))
                .collect();
            let rows: String = extents.iter().skip(1).map(|e| format!("[{e}]")).collect();
            let all: String = extents.iter().map(|e| format!("[{e}]")).collect();
            let pointer = restricted(element, name, &rows);
            let bytes = match &temporary.accessed {
                Some(condition) => {
                    let condition = self.index(condition);
                    format!("{condition} ? sizeof({element}{all}) : sizeof({element})")
                }
                None => format!("sizeof({element}{all})"),
            };
            self.line(at, &format!("{pointer} = __builtin_malloc({bytes});"));
            self.line(at, &format!("if (!{name})"));
            self.line(at.deeper(), "__builtin_trap();");
        }
    }

    pub(super) fn free_temporaries(&mut self, kernel: &Kernel, at: Context) {
        for temporary in kernel
            .temporaries
            .iter()
            .rev()
            .filter(|t| !t.extents.is_empty())
        {
            self.line(at, &format!("__builtin_free({});", temporary.name));
        }
    }
}
