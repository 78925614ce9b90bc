//! One C file: what tilewright made of it, and the object file that the C compiler makes of that.

use crate::environment::Environment;
use crate::{Error, rendered, rust, shim, written};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tilewright::compile::Compiled;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::rewrite::generated_for;
use tilewright::source::Source;
use tilewright_driver::host::toolchain::{Toolchain, is_about_a_file};

/// A compiled file.
pub(super) struct Unit {
    /// As it was read.
    pub source: Source,
    /// As it was compiled.
    pub compiled: Compiled,
    /// Where what it includes is looked for first.
    pub directory: PathBuf,
}

impl Unit {
    /// All functions with regions.
    pub fn all(&self) -> impl Iterator<Item = rust::Kernel<'_>> {
        let pairs = self
            .compiled
            .interfaces
            .iter()
            .zip(&self.compiled.contracts);
        pairs.map(|(interface, contract)| rust::Kernel {
            interface,
            contract,
            file: &self.source.name,
        })
    }

    /// Builds an object file.
    pub fn build(
        &self,
        library: &str,
        stem: &str,
        kernels: &[rust::Kernel],
        toolchain: &Toolchain,
        environment: &Environment,
    ) -> Result<PathBuf, Error> {
        let at = |extension: &str| environment.out_dir.join(format!("{stem}.{extension}"));
        let (generated, shim, object) = (at("tiled.c"), at("shim.c"), at("o"));
        written(&generated, &self.compiled.text)?;
        written(&shim, &shim::text(library, &generated, kernels))?;
        // Empty: the file is in the current directory.
        let directory = if self.directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &self.directory
        };
        let text = Source {
            name: generated.display().to_string(),
            text: self.compiled.text.clone(),
            preprocessed: String::new(),
            ..Source::default()
        };
        let built = toolchain.build_object(&shim, &object, directory, Some(&text));
        built.map_err(|error| Error(self.why_not_built(*error, toolchain, environment, &text)))?;
        Ok(object)
    }

    /// What the C compiler complains of, in terms of the user's file.
    fn why_not_built(
        &self,
        error: Diagnostic,
        toolchain: &Toolchain,
        environment: &Environment,
        generated: &Source,
    ) -> String {
        // Not about C at all.
        if !is_about_a_file(&error) {
            return rendered(&[error], None);
        }
        // The file itself may not be C.
        if let Err(own) = toolchain.check(&self.source) {
            return rendered(&[*own], Some(&self.source));
        }
        if let Some((_, said)) = error.message.split_once(shim::ASSERTION) {
            let said = said.trim_end_matches('"');
            let target = &environment.target;
            let message = format!("{}: {said}, {target}", self.source.name);
            let help = "use a type whose size is the same everywhere, such as `int64_t`";
            let error = Diagnostic::error(Code::UnsupportedType, message).help(help);
            return rendered(&[error], None);
        }
        let place = error.labels.first().map(|label| label.start);
        let function = place.and_then(|place| generated_for(&generated.text, place));
        let name = &self.source.name;
        let what = match function {
            Some(function) => format!("`{function}` of {name}"),
            None => name.clone(),
        };
        let message = format!("the C compiler refuses what was generated for {what}");
        let help = "generated C needs C99 and the names that begin with `tw_`; unless a flag or macro \
                    takes these away, this is a mistake of tilewright: please report it with the \
                    file";
        let refused = Diagnostic::error(Code::CompilerFailed, message)
            .note(format!("what was generated is in {}", generated.name));
        rendered(&[refused.help(help)], None)
    }
}

/// The files that a file includes, but the system's: what the preprocessor's line markers name,
/// `# 1 "weights.h" 1`, without those that end with the 3 of system headers.
pub(super) fn included(source: &Source) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in source.preprocessed.lines() {
        let Some(rest) = line.strip_prefix("# ") else {
            continue;
        };
        let Some((_, rest)) = rest.split_once(" \"") else {
            continue;
        };
        let Some((file, marks)) = rest.rsplit_once('"') else {
            continue;
        };
        let system = marks.split_whitespace().any(|mark| mark == "3");
        if !system && !file.starts_with('<') && file != source.name {
            found.insert(file.replace("\\\"", "\"").replace("\\\\", "\\"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_those_of_the_user() {
        let markers = "# 0 \"k/a.c\"\n# 0 \"<built-in>\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\n\
                       # 2 \"k/a.c\" 2\n# 1 \"k/b \\\"c\\\".h\" 1\nint x;\n# 3 \"k/a.c\" 2\n# pragma x\n";
        let source = Source {
            name: "k/a.c".to_owned(),
            text: String::new(),
            preprocessed: markers.to_owned(),
            ..Source::default()
        };
        let found: Vec<String> = included(&source).into_iter().collect();
        assert_eq!(found, ["k/b \"c\".h"]);
    }
}
