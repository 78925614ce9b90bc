//! Calls with hidden state: prints, random numbers, and functions that keep something from one call to
//! the next. What they leave behind is part of the result, and every function begins anew, since
//! originals and results run in one process.

use super::{Generator, Scalar, Typed};
use crate::tree::{Expr, Stmt, Type};

/// Which of them a function may call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effects {
    prints: bool,
    draws: bool,
    keeps: bool,
}

/// What functions that keep something are like: their text, how they begin anew, and a call that
/// says what they hold. Results are from 0 to 1023.
const KEPT: [(&str, &str, &str, &str); 4] = [
    (
        "ticket",
        "static int ticket(int x) { static int next; if (x < 0) return next & 1023; if (x > 4095) return next = 3; next += (x & 7) + 1; return next & 1023; }",
        "ticket(4096);",
        "ticket(-1)",
    ),
    (
        "drawn",
        "static unsigned drawn(int x) { static unsigned seed = 9; if (x > 4095) seed = 9; else if (x >= 0) { seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5; } return seed >> 22; }",
        "drawn(4096);",
        "drawn(-1)",
    ),
    (
        "ring",
        "static int ring(int x) { static short old[4]; static struct { int at, full; } r; if (x > 4095) { for (int k = 0; k < 4; k++) old[k] = k; r.at = r.full = 0; return 0; } if (x < 0) return (old[0] * 5 + old[1] * 3 + old[r.at]) & 1023; int was = old[r.at]; old[r.at] = x & 1023; r.at = (r.at + 1) % 4; return was; }",
        "ring(4096);",
        "ring(-1)",
    ),
    (
        "deep",
        "static int deep(int x) { static int calls; if (x > 4095) return calls = 0; if (x < 0) return calls & 1023; calls++; return x < 2 ? calls & 1023 : (deep(x / 2) + 1) & 1023; }",
        "deep(4096);",
        "deep(-1)",
    ),
];

const STREAM: &str = "struct _IO_FILE; extern int fprintf(struct _IO_FILE *, const char *, ...), fputs(const char *, struct _IO_FILE *), fputc(int, struct _IO_FILE *), fclose(struct _IO_FILE *), rand(void);
extern void srand(unsigned), free(void *);
extern struct _IO_FILE *open_memstream(char **, size_t *);
static struct _IO_FILE *g_told; static char *g_said; static size_t g_length;
static unsigned heard(void) { unsigned h = 1; fclose(g_told); for (size_t k = 0; k < g_length; k++) h = h * 31 + g_said[k]; free(g_said); return h; }";

impl Generator {
    /// Chooses what the function that is made next may call.
    pub(super) fn choose_effects(&mut self) {
        self.rules.effects = Effects::default();
        if !self.random.percent(14) {
            return;
        }
        let all = self.random.percent(20);
        let one = self.random.below(3);
        self.rules.effects = Effects {
            prints: all || one == 0,
            draws: all || one == 1,
            keeps: all || one == 2,
        };
    }

    /// A statement with such a call, where the function may have one.
    pub(super) fn effect(&mut self) -> Option<Vec<Stmt>> {
        let effects = self.rules.effects;
        let mut of = Vec::new();
        of.extend(effects.prints.then_some(0));
        of.extend(effects.draws.then_some(1));
        of.extend(effects.keeps.then_some(2));
        if of.is_empty() {
            return None;
        }
        match self.random.pick(&of) {
            0 => Some(vec![self.print()]),
            1 => {
                self.begins("srand(7);", "(rand() & 4095)");
                let mask = *self.random.pick(&[1, 7, 63, 1023]);
                Some(self.asked(format!("(rand() & {mask})"), mask))
            }
            _ => {
                let (name, text, begin, holds) = *self.random.pick(&KEPT);
                self.at_top(text);
                self.begins(begin, holds);
                let value = self.integer(1);
                let value = self.within(value, 0, 1000);
                Some(self.asked(format!("{name}({})", value.expr), 1023))
            }
        }
    }

    /// What a function does first, once, and what comes out behind its regions.
    fn begins(&mut self, first: &str, holds: &str) {
        self.at_top(STREAM);
        let first = Stmt::Raw(first.to_owned());
        if self.front.contains(&first) {
            return;
        }
        self.front.push(first);
        let held = Expr::Index("out".to_owned(), vec![Expr::atom("9")]);
        self.behind.push(Stmt::Set {
            target: held.clone(),
            op: "=",
            value: Expr::binary(
                "+",
                Expr::binary("*", held, Expr::atom("3")),
                Expr::atom(holds),
            ),
        });
    }

    /// A call of which the value is an integer from 0 to `most`: kept in a variable, stored, asked
    /// for, or of no interest.
    fn asked(&mut self, call: String, most: i64) -> Vec<Stmt> {
        let value = Typed {
            expr: Expr::atom(call.clone()),
            ty: Type::I32,
            low: 0,
            high: most.into(),
            below: None,
        };
        match self.random.below(5) {
            0 => {
                let then = self.block(0);
                vec![Stmt::If {
                    condition: Expr::binary(">", value.expr, Expr::atom((most / 3).to_string())),
                    then,
                    other: Vec::new(),
                }]
            }
            1 if !call.starts_with('(') => vec![Stmt::Raw(format!("{call};"))],
            2 => self.store(Some(value)),
            _ => {
                let name = self.fresh("d");
                let statement = Stmt::Declare {
                    ty: "int".to_owned(),
                    name: name.clone(),
                    value: Some(value.expr),
                };
                self.visible.scalars.push(Scalar {
                    name,
                    ty: Type::I32,
                    low: 0,
                    high: most.into(),
                    below: None,
                    assigned: false,
                    is_loop: false,
                });
                vec![statement]
            }
        }
    }

    fn print(&mut self) -> Stmt {
        let first = "g_told = open_memstream(&g_said, &g_length);";
        self.begins(first, "heard() % 4096");
        let float = self.rules.floats && self.random.percent(40);
        let value = self.value(1, float);
        Stmt::Raw(match self.random.below(4) {
            0 if float => format!("fprintf(g_told, \"%.9g;\", (double)({}));", value.expr),
            0 | 1 if !float => {
                let value = self.within(value, -1000, 1000);
                let (format, cast) =
                    *self
                        .random
                        .pick(&[("%d;", "int"), ("<%5u>", "unsigned"), ("%ld ", "long")]);
                format!("fprintf(g_told, \"{format}\", ({cast})({}));", value.expr)
            }
            2 => {
                let condition = self.condition(1);
                format!("fputs({condition} ? \"yes\" : \"no\", g_told);")
            }
            _ => {
                let value = self.integer(1);
                let value = self.masked(value, 15);
                format!("fputc('a' + (int)({}), g_told);", value.expr)
            }
        })
    }
}
