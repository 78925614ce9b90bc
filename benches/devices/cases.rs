//! What is run: programs, their sizes, and versions.

/// Which experiment a program belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Pipelines: figure 25 of TACO 2019.
    Pipelines,
    /// Heat equations: figure 26 of TACO 2019.
    Heat,
    /// The five stencils of split tiling: figure 7 of GPGPU-6.
    Split,
}

/// One way to compile a program.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    pub name: &'static str,
    /// Options of the command line.
    pub options: &'static [&'static str],
    /// The shape of all groups, by its name in plans; none: some group has tiles.
    pub shape: Option<&'static str>,
}

/// A launch for every loop nest or time step.
const RECTANGULAR: Version = shaped("rectangular", "none");

const fn shaped(name: &'static str, shape: &'static str) -> Version {
    Version {
        name,
        options: match shape.as_bytes() {
            b"none" => &["--shape", "none"],
            b"split" => &["--shape", "split"],
            b"hexagonal" => &["--shape", "hexagonal"],
            _ => &["--shape", "scalene"],
        },
        shape: Some(shape),
    }
}

impl Figure {
    pub const ALL: [Figure; 3] = [Figure::Pipelines, Figure::Heat, Figure::Split];

    /// The first one is what the others are compared with.
    pub fn versions(self) -> &'static [Version] {
        const PLANNED: Version = Version {
            name: "overlapped",
            options: &[],
            shape: None,
        };
        const OVERLAPPED: Version = shaped("overlapped", "scalene");
        const HEXAGONAL: Version = shaped("hexagonal", "hexagonal");
        const SPLIT: Version = shaped("split", "split");
        match self {
            Figure::Pipelines => &[RECTANGULAR, PLANNED],
            Figure::Heat => &[RECTANGULAR, HEXAGONAL, OVERLAPPED],
            Figure::Split => &[RECTANGULAR, OVERLAPPED, HEXAGONAL, SPLIT],
        }
    }

    /// What it is called in tables.
    pub fn title(self) -> &'static str {
        match self {
            Figure::Pipelines => "image pipelines (TACO 2019, figure 25)",
            Figure::Heat => "heat equations (TACO 2019, figure 26)",
            Figure::Split => "the stencils of split tiling (GPGPU-6, figure 7)",
        }
    }
}

/// The rows of each experiment that has some.
pub fn sections<R>(rows: &[R], figure: impl Fn(&R) -> Figure) -> Vec<(Figure, Vec<&R>)> {
    let of = |wanted: Figure| rows.iter().filter(|row| figure(row) == wanted).collect();
    let mut all: Vec<(Figure, Vec<&R>)> = Figure::ALL.map(|one| (one, of(one))).into();
    all.retain(|(_, own)| !own.is_empty());
    all
}

/// How large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The papers', or what fills a GPU.
    Full,
    /// For a try.
    Quick,
    /// As small as there is something to run.
    Tiny,
}

/// What has to be moved between the device's memory and its processors at least.
#[derive(Clone, Copy, Debug)]
pub enum Traffic {
    /// Each array that the function is given, once.
    Arrays,
    /// For each sweep over the points, `bytes` for each point.
    Sweeps {
        /// Sweeps in an iteration of the time loop.
        sweeps: f64,
        dimensions: i32,
        /// Points at each end that stay as they are.
        rim: f64,
        bytes: f64,
    },
}

/// A program.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    /// Below `examples`.
    pub file: &'static str,
    pub figure: Figure,
    full: &'static str,
    quick: &'static str,
    tiny: &'static str,
    pub traffic: Traffic,
}

impl Case {
    /// Values of its parameters.
    pub fn values(&self, size: Size) -> &'static str {
        match size {
            Size::Full => self.full,
            Size::Quick => self.quick,
            Size::Tiny => self.tiny,
        }
    }
}

const fn pipeline(
    name: &'static str,
    file: &'static str,
    [full, quick, tiny]: [&'static str; 3],
) -> Case {
    Case {
        name,
        file,
        figure: Figure::Pipelines,
        full,
        quick,
        tiny,
        traffic: Traffic::Arrays,
    }
}

/// The old value of a point in, the new one out.
const POINT: f64 = 16.0;

const fn sweeps(sweeps: f64, dimensions: i32, rim: f64, bytes: f64) -> Traffic {
    Traffic::Sweeps {
        sweeps,
        dimensions,
        rim,
        bytes,
    }
}

const fn stencil(
    name: &'static str,
    file: &'static str,
    figure: Figure,
    [full, quick, tiny]: [&'static str; 3],
    traffic: Traffic,
) -> Case {
    Case {
        name,
        file,
        figure,
        full,
        quick,
        tiny,
        traffic,
    }
}

/// All programs. Sizes of the heat equations are table 8's of TACO 2019.
pub const CASES: &[Case] = &[
    pipeline(
        "bilateral_grid",
        "pipelines/bilateral_grid.c",
        ["R=2616 C=1592", "R=312 C=312", "R=61 C=75"],
    ),
    pipeline(
        "camera_pipe",
        "pipelines/camera_pipe.c",
        [
            "R=1968 C=2592 colour_temp=3700 contrast=50 gamma=2",
            "R=248 C=328 colour_temp=3700 contrast=50 gamma=2",
            "R=77 C=91 colour_temp=3700 contrast=50 gamma=2",
        ],
    ),
    pipeline(
        "harris",
        "pipelines/harris.c",
        ["R=4256 C=2832", "R=512 C=512", "R=61 C=75"],
    ),
    pipeline(
        "interpolate",
        "pipelines/interpolate.c",
        ["R=2560 C=1536", "R=256 C=256", "R=61 C=75"],
    ),
    pipeline(
        "local_laplacian",
        "pipelines/local_laplacian.c",
        [
            "R=2560 C=1536 alpha=1 beta=1",
            "R=256 C=256 alpha=1 beta=1",
            "R=61 C=75 alpha=1 beta=1",
        ],
    ),
    pipeline(
        "pyramid_blending",
        "pipelines/pyramid_blending.c",
        ["R=2108 C=2108", "R=316 C=316", "R=101 C=97"],
    ),
    pipeline(
        "unsharp_mask",
        "pipelines/unsharp_mask.c",
        [
            "R=4256 C=2832 threshold=0.01 weight=3",
            "R=512 C=512 threshold=0.01 weight=3",
            "R=61 C=75 threshold=0.01 weight=3",
        ],
    ),
    stencil(
        "heat-1d",
        "stencils/heat-1d.c",
        Figure::Heat,
        [
            "tsteps=1000 n=160000",
            "tsteps=64 n=16000",
            "tsteps=8 n=133",
        ],
        sweeps(1.0, 1, 1.0, POINT),
    ),
    stencil(
        "heat-2d",
        "stencils/heat-2d.c",
        Figure::Heat,
        ["tsteps=1000 n=4000", "tsteps=16 n=300", "tsteps=8 n=45"],
        sweeps(1.0, 2, 1.0, POINT),
    ),
    stencil(
        "heat-3d",
        "stencils/heat-3d.c",
        Figure::Heat,
        ["tsteps=50 n=150", "tsteps=8 n=40", "tsteps=4 n=15"],
        // There and back.
        sweeps(2.0, 3, 1.0, POINT),
    ),
    stencil(
        "jacobi-1d",
        "stencils/jacobi-1d.c",
        Figure::Split,
        ["tsteps=500 n=4194304", "tsteps=32 n=16000", "tsteps=8 n=99"],
        sweeps(2.0, 1, 1.0, POINT),
    ),
    stencil(
        "jacobi-1d-5pt",
        "stencils/jacobi-1d-5pt.c",
        Figure::Split,
        [
            "tsteps=1000 n=4194304",
            "tsteps=64 n=16000",
            "tsteps=8 n=99",
        ],
        sweeps(1.0, 1, 2.0, POINT),
    ),
    stencil(
        "jacobi-1d-7pt",
        "stencils/jacobi-1d-7pt.c",
        Figure::Split,
        // An array of all steps: 2 GiB.
        ["tsteps=255 n=1048576", "tsteps=64 n=16000", "tsteps=8 n=99"],
        sweeps(1.0, 1, 3.0, POINT),
    ),
    stencil(
        "jacobi-2d",
        "stencils/jacobi-2d.c",
        Figure::Split,
        ["tsteps=500 n=4000", "tsteps=16 n=300", "tsteps=4 n=35"],
        sweeps(2.0, 2, 1.0, POINT),
    ),
    stencil(
        "poisson-2d",
        "stencils/poisson-2d.c",
        Figure::Split,
        ["tsteps=500 n=4000", "tsteps=16 n=300", "tsteps=4 n=35"],
        // And the right-hand side in.
        sweeps(1.0, 2, 1.0, POINT + 8.0),
    ),
];
