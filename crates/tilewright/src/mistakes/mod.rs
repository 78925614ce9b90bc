//! Mistakes that tests make on purpose, to see that they are found.
//!
//! Each is a mistake that was made once, or could be: a condition that is dropped, a bound that is one
//! off. Where it would be made stands `mistake!(Name)`, which is `false` in every build but that of this
//! crate's own unit tests. There a mistake is made by one thread as long as its [`Made`] lives.

/// Whether a mistake is to be made: never, outside of unit tests.
#[cfg(not(test))]
macro_rules! mistake {
    ($name:ident) => {
        false
    };
}

/// Whether a mistake is to be made by this thread.
#[cfg(test)]
macro_rules! mistake {
    ($name:ident) => {
        crate::mistakes::is_made(crate::mistakes::Mistake::$name)
    };
}

pub(crate) use mistake;

#[cfg(test)]
mod made {
    use std::cell::Cell;

    /// A mistake that can be switched on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Mistake {
        /// A variable of the region that is made from one that holds data stands for its initialiser.
        TemporariesOfData,
        /// Unsigned values are asked whether they are negative, not whether they are too large.
        NoWrapUpwards,
        /// Conversions to types of 32 bits and more change nothing.
        ConversionsAsIdentity,
        /// Sizes for which a value wraps around are taken not to occur.
        AssumedNotToWrap,
        /// An element that was named under one condition is the same under any other.
        FormsOfOtherConditions,
        /// Nothing stands in front of where a pointer points.
        PointersAtFirst,
        /// What is behind a pointer in a structure dies with the structure.
        StructsByValue,
        /// Every pointer leads to something.
        PointersThatLeadNowhere,
        /// Inlined values are not converted to the type of the array that they were read from.
        PrepareWithoutConversion,
        /// All loops are parallel, and nobody validates that.
        TransformUnchecked,
        /// The loops that nests share run over the values of the first nest.
        NestsOfTheFirst,
        /// A condition on parameters is dropped if one with other constants is known.
        NarrowForgetsConstants,
        /// A loop over a box ends one too late.
        BoxesOneBeyond,
        /// Neighbouring guards are joined whatever their conditions are.
        GuardsOfAny,
        /// Only the first statement of a loop is asked whether anything is executed.
        IdleAskedOfOne,
        /// What is kept over a loop is not stored behind it.
        AccumulatorsNotStored,
        /// A bound of data is read in front of a loop wherever the loop stands.
        RestoreReadsTooEarly,
        /// A static bound is dropped for data that does not imply it.
        RestoreDropsStaticBound,
        /// The version for `n` iterations is taken for one fewer.
        UnrollOneTooMany,
        /// The piece behind a point begins with the point.
        IndexSetsOneTooFew,
        /// What is not equal is taken to be less.
        ChoiceOfOneSide,
        /// Loops that are not parallel are distributed with those around them.
        CollapseOfAny,
        /// Iterations run side by side of which the last one is left out of the loop.
        RowsBeyond,
        /// A last block is executed where only a part of it is left.
        ParityOfHalfABlock,
        /// Loops are joined that load what they store.
        PairsOfWhatIsLoaded,
        /// What is left behind the strips begins one too late.
        StripsLoseOne,
        /// Threads share memory that each of them is to have.
        StorageOfAllThreads,
        /// A loop is left although a condition in it is still to come.
        ExitsBeforeItComes,
        /// Copies load what earlier ones are still to store.
        PrintLoadsEarly,
        /// The right operand of `-` and `/` stands without parentheses.
        PrintWithoutParentheses,
        /// Quotients are rounded towards zero.
        PrintTruncates,
        /// The bound of isl's `<` is taken to be inclusive.
        ConvertInclusive,
        /// On devices: work-items of a group do not wait for each other.
        DeviceWithoutBarriers,
        /// Arrays of a group all begin at the same byte of its memory.
        DeviceLocalAtFirst,
        /// The last block of a grid is left out.
        DeviceGridOneTooFew,
        /// Arrays that are written need not be copied to the device.
        DeviceWithoutUpload,
        /// The last array that is written stays on the device.
        DeviceWithoutDownload,
        /// A sum of many work-items is added up without an atomic function.
        DeviceWithoutAtomics,
    }

    thread_local! {
        static NOW: Cell<Option<Mistake>> = const { Cell::new(None) };
    }

    /// Whether this thread makes a mistake.
    pub(crate) fn is_made(mistake: Mistake) -> bool {
        NOW.get() == Some(mistake)
    }

    /// This thread makes a mistake as long as this lives.
    pub(super) struct Made(());

    impl Made {
        /// From here on.
        pub fn now(mistake: Mistake) -> Made {
            NOW.set(Some(mistake));
            Made(())
        }
    }

    impl Drop for Made {
        fn drop(&mut self) {
            NOW.set(None);
        }
    }
}

#[cfg(test)]
pub(crate) use made::{Mistake, is_made};

#[cfg(test)]
mod tests;
