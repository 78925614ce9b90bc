//! Who answers what the checks ask: [`crate::validate::numbers::model`] at once, or isl.

/// What may be answered at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    /// Whether an access is in the life of its buffer.
    Life,
    /// Whether an access stays in its buffer.
    Bounds,
    /// Whether a life of a buffer has one tile.
    Tile,
    /// Whether a folded buffer is used as a sliding window by two accesses.
    Window,
    /// Whether dependent instances of two statements come in order.
    Order,
    /// Whether a read finds what it reads.
    Sources,
    /// Whether the iterations of a loop are apart.
    Loop,
    /// Whether two buffers that share memory are needed in turns.
    Turns,
    /// Whether loops whose iterations are interleaved use one of them each.
    Lanes,
}

/// How often a question was answered at once, and how often it was left to isl.
#[cfg(test)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    pub at_once: usize,
    pub by_isl: usize,
}
