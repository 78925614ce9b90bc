//! For each mistake a program that shows it.

use super::super::made::Mistake;
use super::Program;
use crate::codegen::passes::Pass;
use crate::compile::{Options, Target};
use crate::plan::steps::LoopStep;
use crate::plan::{Fuse, Shape};
use crate::planner::{DeviceWishes, Inline};

/// What is printed, however little there is to do: not the file's own loops in shares.
fn plain(options: &mut Options) {
    options.wishes.processor.fork = 0;
}

fn as_written(options: &mut Options) {
    options.wishes.shape = Some(Shape::None);
    // Threads also where sizes are as small as those that are executed.
    options.wishes.processor.fork = 0;
}

fn sequential(options: &mut Options) {
    options.wishes.shape = Some(Shape::None);
    options.wishes.processor.parallel = false;
}

fn scalene(options: &mut Options) {
    options.wishes.shape = Some(Shape::Scalene);
    options.wishes.tile_sizes = Some(vec![8]);
}

fn skewed(options: &mut Options) {
    options.wishes.shape = Some(Shape::Parallelogram);
    options.wishes.tile_sizes = Some(vec![4]);
}

fn interchanged(options: &mut Options) {
    options.wishes.processor.parallel = false;
    options.wishes.loops = vec![LoopStep::Interchange {
        outer: "i".to_owned(),
        inner: "j".to_owned(),
    }];
}

fn fused(options: &mut Options) {
    options.wishes.fuse = Some(Fuse::Max);
    options.wishes.tile_sizes = Some(vec![0]);
}

fn on_device(options: &mut Options) {
    options.target = Target::OpenCl;
    options.wishes.device = Some(DeviceWishes::default());
}

fn tiles_on_device(options: &mut Options) {
    on_device(options);
    options.wishes.shape = Some(Shape::Scalene);
    options.wishes.tile_sizes = Some(vec![8]);
    options.wishes.pipelines.inline = Inline::None;
}

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        mistake: Mistake::TemporariesOfData,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, const int a[restrict n], int b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++) { int t = a[i]; int u = t & 7; b[i] = u; }\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::NoWrapUpwards,
        pass: Pass::Lower,
        options: plain,
        text: "void f(unsigned n, int b[restrict n])\n{\n#pragma scop\nfor (unsigned i = 0; i < n; i++)\n    if (i * 0x10000000u > 5u)\n        b[i] = 1;\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::ConversionsAsIdentity,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, unsigned u, int b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    if (i > (int)u)\n        b[i] = 1;\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::AssumedNotToWrap,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, int q, int b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    if ((unsigned)(i + q) < (unsigned)n)\n        b[i] = 1;\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::FormsOfOtherConditions,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, const int x[restrict n], const int a[restrict 16], int b[restrict n])\n{\n\
               #pragma scop\nfor (int i = 0; i < n; i++)\n    if (x[i] > 0) {\n        if (i < 8)\n            \
               b[i] += a[i & 7];\n        else\n            b[i] += 2 * a[i & 7];\n    }\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PointersAtFirst,
        pass: Pass::Prepare,
        options: fused,
        text: "void f(int n, int *restrict c, const int *restrict row)\n{\n\
               #pragma scop\nfor (int i = 0; i < n; i++)\n    for (int k = row[i]; k < row[i + 1]; k++)\n        \
               c[k] = c[k] + i;\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::StructsByValue,
        pass: Pass::Prepare,
        options: plain,
        text: "typedef struct { float *out; } L;\nvoid f(int n, L l, const int *in)\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++) {\n    float m = -1;\n    for (int j = 0; j < 3; j++)\n        \
               m += in[3 * i + j];\n    l.out[i] = m;\n}\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PointersThatLeadNowhere,
        pass: Pass::Lower,
        options: plain,
        text: "struct s { int m; };\nvoid f(int n, const struct s *s, int b[restrict n])\n{\n\
               #pragma scop\nfor (int i = 0; i < n; i++)\n    for (int j = 0; j < s->m; j++)\n        \
               b[i] += j;\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PrepareWithoutConversion,
        pass: Pass::Prepare,
        options: |options| options.wishes.pipelines.inline = Inline::Pointwise,
        text: "void f(int n, int out[restrict n], const int in[restrict n])\n{\n\
               unsigned char t[n];\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    t[i] = in[i];\n\
               for (int i = 0; i < n; i++)\n    out[i] = t[i] / 2;\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::TransformUnchecked,
        pass: Pass::Transform,
        options: as_written,
        text: "void f(int n, int a[restrict n])\n{\n#pragma scop\n\
               for (int i = 1; i < n; i++)\n    a[i] = a[i - 1] + (a[i] & 7);\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::NestsOfTheFirst,
        pass: Pass::Nests,
        options: as_written,
        text: "void f(int n, int m, int k, int a[restrict n][n], int b[restrict n][n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) {\n    if (i < m)\n        for (int j = 0; j < n; j++)\n            a[i][j] = j;\n    if (i >= k)\n        for (int j = 0; j < n; j++)\n            b[i][j] = a[i][j] & 3;\n}\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::NarrowForgetsConstants,
        pass: Pass::Narrow,
        options: |options| options.wishes.shape = Some(Shape::Parallelogram),
        text: "void f(int n, int m, int a[restrict n][m], int b[restrict n][m])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {\n        if (m > 5)\n            a[i][j] = i;\n        b[i][j] = a[i][j] & 7;\n    }\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::BoxesOneBeyond,
        pass: Pass::Boxes,
        options: |options| {
            scalene(options);
            options.wishes.pipelines.inline = Inline::None;
        },
        text: "void *malloc(unsigned long);\nvoid free(void *);\nvoid f(int n, const float in[restrict n], float out[restrict n])\n{\n    float *restrict t = malloc(sizeof(float[n]));\n#pragma scop\n    for (int i = 0; i < n; i++)\n        t[i] = in[i] * in[i];\n    for (int i = 1; i < n - 1; i++)\n        out[i] = t[i - 1] * t[i + 1];\n#pragma endscop\n    free(t);\n}\n",
    },
    Program {
        mistake: Mistake::GuardsOfAny,
        pass: Pass::Guards,
        options: as_written,
        text: "void f(int n, int m, int k, int a[restrict n][n], int b[restrict n][n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) {\n    if (i < m)\n        for (int j = 0; j < n; j++)\n            a[i][j] = j;\n    if (i >= k)\n        for (int j = 0; j < n; j++)\n            b[i][j] = a[i][j] & 3;\n}\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::RestoreReadsTooEarly,
        pass: Pass::Restore,
        options: fused,
        text: "void f(int N, int W, const int a[restrict N], const int c[restrict N], long x[restrict 24][24], \
               int cnt[restrict 24])\n{\n#pragma scop\n\
               for (int i = 0; i < N; i++)\n    for (int j = 1; j < a[i]; j++) {\n        \
               for (int k = 0; k < W; k++)\n            x[j][i + 2] = x[k][j] + 3;\n        cnt[c[i]] += 1;\n    }\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::RestoreDropsStaticBound,
        pass: Pass::Restore,
        options: as_written,
        text: "void f(int n, int d, const int s[restrict d], const double v[restrict d][n], const double x[restrict n], double y[restrict n])\n{\n#pragma scop\nfor (int k = 0; k < d; k++)\n    for (int i = (0 > -s[k] ? 0 : -s[k]); i < (n < n - s[k] ? n : n - s[k]); i++)\n        y[i] += v[k][i] * x[i + s[k]];\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::IdleAskedOfOne,
        pass: Pass::Idle,
        options: skewed,
        text: "void f(int n, int m, int k, long a[restrict n][m], long b[restrict n][m])\n{\n#pragma scop\n\
               for (int i = 1; i < n; i++)\n    for (int j = 1; j < m; j++) {\n        \
               if (k > 3)\n            b[i][j] = a[i - 1][j] + i;\n        \
               a[i][j] = (a[i - 1][j] ^ a[i][j - 1]) + b[i][j];\n    }\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::AccumulatorsNotStored,
        pass: Pass::Accumulators,
        options: plain,
        text: "void f(int n, double A[restrict n][n], const double B[restrict n][n], const double C[restrict n][n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    for (int k = 0; k < n; k++)\n        for (int j = 0; j < n; j++)\n            \
               A[i][j] += B[i][k] * C[k][j];\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::UnrollOneTooMany,
        pass: Pass::Unroll,
        options: plain,
        text: "void f(int n, double A[restrict n][n], const double B[restrict n][n], const double C[restrict n][n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++) {\n    for (int j = 0; j < n; j++)\n        A[i][j] *= 3;\n    for (int k = 0; k < n; k++)\n        for (int j = 0; j < n; j++)\n            \
               A[i][j] += B[i][k] * C[k][j];\n}\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::IndexSetsOneTooFew,
        pass: Pass::IndexSets,
        options: sequential,
        text: "void f(int n, const int a[restrict n], int b[restrict n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    b[i] += i <= 2 ? a[i] & 15 : 2 * (a[i] & 7);\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::ChoiceOfOneSide,
        pass: Pass::IndexSets,
        options: sequential,
        text: "void f(int n, const int a[restrict n], int b[restrict n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    b[i] += i != 1 ? a[i] & 15 : 2 * (a[i] & 7);\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::CollapseOfAny,
        pass: Pass::Collapse,
        options: as_written,
        text: "void f(int n, int m, int a[restrict n][m])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    for (int j = 1; j < m; j++)\n        a[i][j] = a[i][j - 1] + (a[i][j] & 3);\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::RowsBeyond,
        pass: Pass::Rows,
        options: plain,
        text: "void f(int n, int m, const double a[restrict n][m], double y[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++) {\n    double s = 0;\n    for (int j = 0; j < m; j++)\n        s += a[i][j];\n    y[i] = s;\n}\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::ParityOfHalfABlock,
        pass: Pass::Parity,
        options: sequential,
        text: "void f(int n, const int a[restrict n], int b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    b[i] = a[i / 2] ^ i;\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PairsOfWhatIsLoaded,
        pass: Pass::Pairs,
        options: sequential,
        text: "void f(int n, const int a[restrict n], const int c[restrict n], const int d[restrict n], int b[restrict 2 * n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    b[2 * i] = a[i] ^ c[i] ^ d[i];\nfor (int i = 0; i < n - 1; i++)\n    b[2 * i + 1] = b[2 * i + 2] ^ a[i] ^ c[i] ^ d[i];\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::StripsLoseOne,
        pass: Pass::Strips,
        options: sequential,
        text: "void f(int n, const unsigned char t[restrict 256], const unsigned char a[restrict n], unsigned char b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    b[i] = t[a[i]];\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::StorageOfAllThreads,
        pass: Pass::Storage,
        options: scalene,
        text: "void f(int n, int s, double a[restrict n][40], double b[restrict n][40])\n{\n#pragma scop\nfor (int t = 0; t < s; t++)\n    for (int i = 0; i < n; i++) {\n        double m[40];\n        for (int j = 0; j < 40; j++)\n            m[j] = a[i][j] * 0.5;\n        for (int j = 0; j < 40; j++)\n            a[i][j] = m[39 - j] + b[i][j];\n    }\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::ExitsBeforeItComes,
        pass: Pass::Exits,
        options: interchanged,
        text: "void f(int n, const int first[restrict n], const int last[restrict n], double s[restrict 24], const double a[restrict 24][n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\n    for (int j = first[i]; j < last[i]; j++)\n        s[j] = s[j] * 0.5 + a[j][i];\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PrintLoadsEarly,
        pass: Pass::Print,
        options: plain,
        text: "void f(int n, double A[restrict n][n], const double B[restrict n][n], const double C[restrict n][n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++) {\n    for (int j = 0; j < n; j++)\n        A[i][j] *= 3;\n    for (int k = 0; k < n; k++)\n        for (int j = 0; j < n; j++)\n            \
               A[i][j] += B[i][k] * C[k][j];\n}\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PrintWithoutParentheses,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, const int a[restrict n], int b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    b[i] = (a[i] & 15) - (i - (a[i] & 3));\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::PrintTruncates,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, int m, int b[restrict 2 * n])\n{\n#pragma scop\nfor (int i = -n; i < n; i++)\n    if (3 * i <= m)\n        b[i + n] = 1;\n#pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::ConvertInclusive,
        pass: Pass::Lower,
        options: plain,
        text: "void f(int n, int b[restrict n])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    b[i] = i;\n\
               #pragma endscop\n}\n",
    },
    Program {
        mistake: Mistake::DeviceWithoutBarriers,
        pass: Pass::Lower,
        options: tiles_on_device,
        text: TWO_STAGES,
    },
    Program {
        mistake: Mistake::DeviceLocalAtFirst,
        pass: Pass::Transform,
        options: tiles_on_device,
        text: THREE_STAGES,
    },
    Program {
        mistake: Mistake::DeviceGridOneTooFew,
        pass: Pass::Transform,
        options: on_device,
        text: TWO_STAGES,
    },
    Program {
        mistake: Mistake::DeviceWithoutUpload,
        pass: Pass::Lower,
        options: on_device,
        text: TWO_STAGES,
    },
    Program {
        mistake: Mistake::DeviceWithoutDownload,
        pass: Pass::Lower,
        options: on_device,
        text: TWO_STAGES,
    },
    Program {
        mistake: Mistake::DeviceWithoutAtomics,
        pass: Pass::Transform,
        options: on_device,
        text: "void f(int n, const unsigned a[restrict n], int h[restrict 8])\n{\n#pragma scop\n\
               for (int i = 0; i < n; i++)\n    h[a[i] & 7] += 1;\n#pragma endscop\n}\n",
    },
];

/// Neighbours of neighbours: a tile has the first stage's values in local memory.
const TWO_STAGES: &str = "void f(int n, const unsigned a[restrict n], unsigned c[restrict n])\n{\n    \
    unsigned b[n + 1];\n#pragma scop\nfor (int i = 1; i < n - 1; i++)\n    \
    b[i] = a[i - 1] + a[i + 1];\nfor (int i = 2; i < n - 2; i++)\n    \
    c[i] = b[i - 1] ^ (b[i + 1] >> 1);\n#pragma endscop\n}\n";

const THREE_STAGES: &str = "void f(int n, const unsigned a[restrict n], unsigned d[restrict n])\n{\n    \
    unsigned b[n + 1], c[n + 1];\n#pragma scop\nfor (int i = 1; i < n - 1; i++)\n    \
    b[i] = a[i - 1] + a[i + 1];\nfor (int i = 2; i < n - 2; i++)\n    \
    c[i] = b[i - 1] ^ (b[i + 1] >> 1);\nfor (int i = 3; i < n - 3; i++)\n    \
    d[i] = b[i] + 3 * c[i - 1] + c[i + 1];\n#pragma endscop\n}\n";
