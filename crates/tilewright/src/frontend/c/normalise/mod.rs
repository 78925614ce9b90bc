//! What C has several words for, in the words that lowering knows: region → region that computes the
//! same.
//!
//! Each pass is in a file of its own, and rewrites what it can; what it cannot stays, and lowering
//! says what it thinks of it. Spans stay those of the text that an expression comes from. What is
//! declared here has a symbol of the region.

mod arith;
mod build;
mod calls;
mod dead;
mod front;
mod loops;
mod pointers;
mod tree;
mod values;

use super::syntax::{Stmt, Unit};
use crate::source::Span;

/// A pass: the unit, in which the number's region has no statements meanwhile, and these. The body of
/// the region's function has them as they were before the pass.
type Pass = fn(&mut Unit, usize, &mut Vec<Stmt>);

/// In their order.
const PASSES: [Pass; 44] = [
    // Before what leaves the statements under `do` alone.
    loops::repeats::unfold,
    // Leaves `continue`, `break` and loops, and what leaves the region.
    loops::jumps::labels::follow,
    // Leaves loops that are left by `break` alone.
    loops::jumps::returns::leave,
    // What calls may get as arguments.
    values::literals::name,
    // Leaves arrays, which bodies of functions may get, and what fills them as calls.
    pointers::heaps::declare,
    // Leaves elements of arrays, which calls may get as arguments.
    pointers::parity::choose,
    // Before others ask whose addresses are taken.
    calls::exchange,
    // Early, as bodies bring constructs of every other kind.
    calls::inline,
    // Of the region and of bodies in it.
    values::tables::gather,
    // Behind it, as lists of constants are tables.
    values::initials::fill,
    // Leaves heads that set variables, and steps in front of loops.
    loops::firsts::set,
    // Leaves steps in heads, and in front of loops and behind them.
    loops::heads::conditions::step,
    // Leaves steps as statements, the only form that the passes behind it look for.
    values::steps::apart,
    // Members, before pointers to structures are followed, whose copies it takes apart.
    values::members::copy,
    // Leaves bodies that run to their ends, which heads need.
    loops::jumps::continues::guard,
    // Leaves pointers that iterations set before they use them.
    pointers::early::set,
    // Leaves tests and steps where heads have them.
    loops::exits::count,
    // Leaves numbers of turns, which are followed as other counters are.
    pointers::parity::toggle,
    // Leaves fewer pointers that are set.
    pointers::rotations::fold,
    // Leaves variables of one value each, which settle next.
    values::lives::part,
    // Leaves indices that get their values at once, which pointers may be set by.
    values::settled::settle,
    // Leaves heads in which numbers count.
    pointers::cursors::count,
    // Leaves two steps in one head.
    loops::meetings::gather,
    // Leaves heads that set what they step.
    loops::heads::held::set,
    // Leaves variables that are moved behind the region.
    loops::heads::entered::set,
    // Before what leaves heads of one variable, where nobody reads what is left in the others.
    loops::meetings::set,
    // Leaves heads of one variable; pointers among the others move in the body.
    loops::pairs::part,
    // Leaves pointers that stay, which are followed next.
    pointers::moves::count,
    // Leaves pointers of one value.
    |unit, number, statements| pointers::optional::choose(unit, number, statements),
    pointers::set_once::substitute,
    // What is left of copies.
    values::members::copy_pointers,
    // Once they stand for each other.
    pointers::cursors::compare,
    // Tests of two pointers are those of what they have moved by.
    loops::exits::count,
    // Once what they are set by is in their places.
    pointers::presence::ask,
    // Leaves loops that count by numbers, and what is left behind them as statements.
    loops::strides::count,
    // Leaves what loops by one set behind them, too.
    loops::lasts::set,
    // Leaves loops that count, and `while` loops that do not.
    loops::repeats::whiles,
    // Leaves fewer loops that begin with what a variable holds.
    loops::begins::know,
    // Leaves counters that end with 0.
    loops::wraps::count,
    loops::heads::count,
    // Once heads say how they count.
    loops::upwards::count,
    // Loops inside those got heads meanwhile.
    loops::repeats::whiles,
    // Needs to know how often loops run, and closes what moves and pairs count.
    loops::inductions::substitute,
    // Once it is closed.
    pointers::moves::close,
];

pub(super) use pointers::moves::{behind, turned};

/// Rewrites the regions of a file, also where they stand in their functions.
pub fn normalise(unit: &mut Unit) {
    for number in 0..unit.regions.len() {
        let mut statements = std::mem::take(&mut unit.regions[number].statements);
        for pass in PASSES {
            let before = statements.clone();
            pass(unit, number, &mut statements);
            if statements != before {
                let region = &unit.regions[number];
                let (function, pragma) = (region.function, region.pragma.start);
                put(&mut unit.functions[function].body, pragma, &statements);
            }
        }
        unit.regions[number].statements = statements;
        move_behind(unit, number);
    }
}

/// Lets the region's function move pointers behind the region, where other regions look for what
/// changes them.
fn move_behind(unit: &mut Unit, number: usize) {
    let region = &unit.regions[number];
    let (function, pragma, end) = (region.function, region.pragma.start, region.span.end);
    let span = Span::new(end, end);
    let moved = region.edges.moves.iter().map(|one| behind(one, span));
    let moved: Vec<Stmt> = moved.collect();
    if !moved.is_empty() {
        let mut statements = unit.regions[number].statements.clone();
        statements.extend(moved);
        put(&mut unit.functions[function].body, pragma, &statements);
    }
}

/// Puts the statements of a region in the place of those between its pragmas.
fn put(stmt: &mut Stmt, pragma: usize, statements: &[Stmt]) -> bool {
    tree::at_region(stmt, pragma, &mut |list, between| {
        list.splice(between, statements.iter().cloned());
    })
}
