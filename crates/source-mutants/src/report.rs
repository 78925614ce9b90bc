//! What became of the mutants: kept in a file, and shown as a table and a list.

use crate::list::Mutant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What became of a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Fate {
    /// It does not compile, or is in a constant.
    NotBuilt,
    /// No test reaches it.
    NotReached,
    /// All tests that reach it pass.
    Survived,
    /// A test fails.
    Killed(String),
    /// A test does not end, or takes all memory.
    RanAway(String),
}

impl Fate {
    /// Whether nobody noticed it.
    pub fn is_open(&self) -> bool {
        matches!(self, Fate::NotReached | Fate::Survived)
    }

    /// It in words.
    pub fn word(&self) -> &'static str {
        match self {
            Fate::NotBuilt => "not built",
            Fate::NotReached => "never reached",
            Fate::Survived => "survived",
            Fate::Killed(_) => "killed",
            Fate::RanAway(_) => "ran away",
        }
    }
}

/// Results by the mutants' keys.
#[derive(Default)]
pub struct Results(BTreeMap<String, Fate>);

/// Where they are kept.
const FILE: &str = "results.json";

impl Results {
    /// Those that are in a folder; none when there are none.
    pub fn read(work: &Path) -> Results {
        let text = std::fs::read_to_string(work.join(FILE)).unwrap_or_default();
        Results(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The fate of a mutant that has one.
    pub fn of(&self, key: &str) -> Option<&Fate> {
        self.0.get(key)
    }

    /// Notes a fate.
    pub fn set(&mut self, key: &str, fate: Fate) {
        self.0.insert(key.to_owned(), fate);
    }

    /// Writes results, table (`report.md`) and list (`survivors.txt`); returns the table.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, work: &Path, mutants: &[Mutant]) -> Result<String, String> {
        let mut table = String::from(
            "| file | listed | built | tried | killed | of these ran away | survived | never reached |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
        for mutant in mutants {
            by_file.entry(&mutant.file).or_default().push(mutant);
        }
        let all = mutants.iter().collect();
        for (file, mutants) in by_file.iter().chain([(&"all", &all)]) {
            self.row(&mut table, file, mutants);
        }
        let mut open = String::new();
        for mutant in mutants {
            if let Some(fate) = self.of(&mutant.key).filter(|fate| fate.is_open()) {
                let _ = writeln!(open, "{} ({})", mutant.name, fate.word());
            }
        }
        let results = serde_json::to_string_pretty(&self.0).map_err(|e| e.to_string())?;
        for (name, text) in [
            (FILE, &results),
            ("report.md", &table),
            ("survivors.txt", &open),
        ] {
            let path = work.join(name);
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(table)
    }

    fn row(&self, table: &mut String, name: &str, mutants: &[&Mutant]) {
        let count = |is: &dyn Fn(&Fate) -> bool| {
            mutants
                .iter()
                .filter(|mutant| self.of(&mutant.key).is_some_and(is))
                .count()
        };
        let unbuilt = count(&|fate| matches!(fate, Fate::NotBuilt));
        let killed = count(&|fate| matches!(fate, Fate::Killed(_) | Fate::RanAway(_)));
        let ran_away = count(&|fate| matches!(fate, Fate::RanAway(_)));
        let survived = count(&|fate| matches!(fate, Fate::Survived));
        let unreached = count(&|fate| matches!(fate, Fate::NotReached));
        let tried = killed + survived + unreached;
        let percent = if tried == 0 {
            0.0
        } else {
            killed as f64 * 100.0 / tried as f64
        };
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {tried} | {killed} ({percent:.1} %) | {ran_away} | {survived} | {unreached} |",
            mutants.len(),
            mutants.len() - unbuilt,
        );
    }
}
