//! Diagnostics in the manner of rustc, and as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer as Painter, Snippet};
use serde_json::{Value, json};
use std::ops::Range;
use tilewright::diagnostic::{Diagnostic, Severity};
use tilewright::source::Source;

/// Renders diagnostics.
pub struct Renderer {
    painter: Painter,
}

impl Renderer {
    /// With or without colours.
    pub fn new(colour: bool) -> Renderer {
        Renderer {
            painter: if colour {
                Painter::styled()
            } else {
                Painter::plain()
            },
        }
    }

    /// The text of one diagnostic, without a newline at its end.
    pub fn render(&self, diagnostic: &Diagnostic, source: Option<&Source>) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level
            .primary_title(&*diagnostic.message)
            .id(diagnostic.code);
        let mut main = Group::with_title(title);
        if let Some(source) = source.filter(|_| !diagnostic.labels.is_empty()) {
            let annotations = diagnostic.labels.iter().map(|label| {
                let kind = if label.primary {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
                };
                let annotation = kind.span(range(&source.text, label.start, label.end));
                annotation.label((!label.text.is_empty()).then_some(&*label.text))
            });
            main = main.element(
                Snippet::source(&*source.text)
                    .path(&*source.name)
                    .annotations(annotations),
            );
        }
        for note in &diagnostic.notes {
            main = main.element(Level::NOTE.message(&**note));
        }
        let place = source.zip(diagnostic.labels.iter().find(|label| label.primary));
        let rewrite = diagnostic.rewrite.as_deref();
        let mut groups = Vec::new();
        match (rewrite, place) {
            (Some(rewrite), Some((source, label))) => {
                groups.push(main);
                let help = diagnostic
                    .help
                    .as_deref()
                    .unwrap_or("this would be accepted");
                let patch = Patch::new(range(&source.text, label.start, label.end), rewrite);
                let snippet = Snippet::source(&*source.text)
                    .path(&*source.name)
                    .patch(patch);
                groups.push(Level::HELP.secondary_title(help).element(snippet));
            }
            (rewrite, _) => {
                if let Some(help) = &diagnostic.help {
                    main = main.element(Level::HELP.message(&**help));
                }
                if let Some(rewrite) = rewrite {
                    main = main.element(Level::HELP.message(rewrite));
                }
                groups.push(main);
            }
        }
        self.painter.render(&groups).trim_end().to_owned()
    }
}

/// A range of bytes that begins and ends between letters and does not end with line ends.
fn range(text: &str, start: usize, end: usize) -> Range<usize> {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (boundary(start), boundary(end));
    let end = start + text[start..end.max(start)].trim_end().len();
    start..end
}

/// Diagnostics with their places as lines and columns too.
pub fn to_json(diagnostics: &[Diagnostic], source: Option<&Source>) -> Value {
    let one = |diagnostic: &Diagnostic| {
        let mut value = json!(diagnostic);
        let place = diagnostic.labels.iter().find(|label| label.primary);
        if let Some((label, source)) = place.zip(source) {
            let (line, column) = source.line_column(label.start);
            value["file"] = json!(source.name);
            value["line"] = json!(line);
            value["column"] = json!(column);
        }
        value
    };
    diagnostics.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright::diagnostic::Code;
    use tilewright::source::Span;

    const TEXT: &str = "void f(int n, float a[n])\n{\n#pragma scop\n    for (int i = 0; i < n; i++) {\n        if (a[i] > 1) break; /* größer */\n        a[i] = 2;\n    }\n#pragma endscop\n}\n";

    fn source() -> Source {
        Source {
            name: "f.c".into(),
            text: TEXT.into(),
            preprocessed: String::new(),
            ..Source::default()
        }
    }

    fn span(words: &str) -> Span {
        let start = TEXT.find(words).unwrap();
        Span::new(start, start + words.len())
    }

    fn render(diagnostic: &Diagnostic) -> String {
        Renderer::new(false).render(diagnostic, Some(&source()))
    }

    #[test]
    fn with_places_and_a_rewrite() {
        let diagnostic = Diagnostic::error(Code::ControlFlow, "`break` inside the region")
            .at(span("break;"), "leaves the loop early")
            .also(span("#pragma scop"), "the region begins here")
            .note("every iteration of a loop in a region is executed")
            .help("guard what follows instead")
            .rewrite("done = 1;");
        insta::assert_snapshot!(render(&diagnostic));
    }

    #[test]
    fn without_places() {
        let diagnostic = Diagnostic::error(Code::MissingFile, "cannot read a.c: no such file")
            .note("one")
            .note("two\nlines")
            .help("look elsewhere")
            .rewrite("x = 1;");
        insta::assert_snapshot!(Renderer::new(false).render(&diagnostic, None));
    }

    #[test]
    fn warnings_over_several_lines() {
        let all = span("#pragma scop").to(span("#pragma endscop"));
        let diagnostic =
            Diagnostic::warning(Code::Fallback, "a simpler plan is used").at(all, "here");
        insta::assert_snapshot!(render(&diagnostic));
    }

    #[test]
    fn any_span_is_survived() {
        for start in 0..TEXT.len() + 3 {
            for end in [start, start + 1, start + 7, TEXT.len(), TEXT.len() + 9] {
                let diagnostic = Diagnostic::error(Code::Syntax, "odd")
                    .at(Span::new(start, end), "x")
                    .rewrite("y");
                assert!(render(&diagnostic).starts_with("error[TW0104]: odd"));
            }
        }
        let empty = Source {
            text: String::new(),
            ..source()
        };
        let diagnostic = Diagnostic::error(Code::Syntax, "odd").at(Span::new(0, 0), "x");
        assert!(
            Renderer::new(true)
                .render(&diagnostic, Some(&empty))
                .contains("odd")
        );
    }

    #[test]
    fn json_has_lines_and_columns() {
        let diagnostic = Diagnostic::error(Code::ControlFlow, "no").at(span("break;"), "");
        let json = to_json(&[diagnostic], Some(&source()));
        assert_eq!(
            (&json[0]["line"], &json[0]["column"]),
            (&json!(5), &json!(23))
        );
        assert_eq!(json[0]["code"], "TW0201");
        assert_eq!(json[0]["severity"], "error");
    }
}
