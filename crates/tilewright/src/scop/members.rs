//! What stands between an array's subscripts: members of structures, and pointers to rows.

/// Members of structures behind subscripts: `.x` in `p[i].x`, `.a` and `.y` in `s[i].a[j].y`; and
/// whether its rows are behind pointers in it: `p[i][j]` where `p[i]` is a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Members {
    /// The first subscript is that of an array of pointers, and what the others are subscripts of is
    /// behind these.
    pointers: bool,
    /// Behind how many subscripts, one at least, and what stands there in C; in order, each number
    /// once.
    all: Vec<(usize, String)>,
}

impl Members {
    /// What stands behind so many subscripts, more than those of what was added before or as many.
    pub fn add(&mut self, behind: usize, text: &str) {
        match self.all.last_mut() {
            Some((last, known)) if *last == behind => known.push_str(text),
            _ => self.all.push((behind, text.to_owned())),
        }
    }

    /// What stands behind so many subscripts in C: `.a`, or nothing.
    pub fn member_at(&self, behind: usize) -> &str {
        let own = self.all.iter().find(|(n, _)| *n == behind);
        own.map_or("", |(_, text)| text)
    }

    /// From here on, behind the first subscript and its members, all is behind a pointer there.
    pub fn follow(&mut self) {
        self.pointers = true;
    }

    /// Whether rows are behind pointers.
    pub fn are_behind_pointers(&self) -> bool {
        self.pointers
    }

    /// Whether elements are no structures.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether arrays are in the structures: there are subscripts behind a member.
    pub fn hold_arrays(&self, subscripts: usize) -> bool {
        self.all.iter().any(|(behind, _)| *behind < subscripts)
    }

    /// The whole path without subscripts: `.a.y`.
    pub fn path(&self) -> String {
        self.all.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The names of the members behind so many subscripts, from outside to inside.
    pub fn behind(&self, subscripts: usize) -> impl Iterator<Item = &str> {
        let own = self.all.iter().filter(move |(n, _)| *n == subscripts);
        own.flat_map(|(_, text)| text.split('.').skip(1))
    }

    /// Subscripts (`[i]` each) with the members between and behind them: `[i].a[j].y`.
    pub fn place(&self, subscripts: &[String]) -> String {
        self.text(subscripts, subscripts.len())
    }

    /// The same without the members behind the last one: `[i].a[j]`.
    pub fn row(&self, subscripts: &[String]) -> String {
        self.text(subscripts, subscripts.len().saturating_sub(1))
    }

    fn text(&self, subscripts: &[String], last: usize) -> String {
        let mut text = String::new();
        for count in 0..=subscripts.len() {
            let own = self
                .all
                .iter()
                .filter(|(n, _)| *n == count && count <= last);
            own.for_each(|(_, member)| text.push_str(member));
            text.push_str(subscripts.get(count).map_or("", String::as_str));
        }
        text
    }
}
