//! Which of many cases are run each time.

/// Whether what is else left to a share of the cases is to be done with all: where
/// `TILEWRIGHT_TEST_ALL` is set.
pub fn all() -> bool {
    std::env::var_os("TILEWRIGHT_TEST_ALL").is_some()
}

/// One in `every`, the first of which has the number `from`; [`all`] where they are wanted.
pub fn share<T>(items: impl IntoIterator<Item = T>, every: usize, from: usize) -> Vec<T> {
    shared(items, every, from, all())
}

fn shared<T>(items: impl IntoIterator<Item = T>, every: usize, from: usize, all: bool) -> Vec<T> {
    let numbered = items.into_iter().enumerate();
    let mine = numbered.filter(|(number, _)| all || number % every == from);
    mine.map(|(_, item)| item).collect()
}

/// So many of them, or as many as there are in all.
pub fn amount(each_time: usize, in_all: usize) -> usize {
    if all() { in_all } else { each_time }
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn shares_are_all_together() {
        let parts = [0, 1, 2].map(|from| shared(0..8, 3, from, false));
        assert_eq!(parts, [vec![0, 3, 6], vec![1, 4, 7], vec![2, 5]]);
        assert_eq!(shared(0..8, 3, 1, true).len(), 8);
    }
}
