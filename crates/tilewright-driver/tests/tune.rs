//! The autotuner's bench on this machine: real builds, one of them with a mistake put into it.

use crate::runner;
use std::fs;
use tilewright::compile::{Options, compile};
use tilewright_driver::data::fill::Fill;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::measure::experiment::{Arguments, Experiment, Values};
use tilewright_driver::tune::{Bench, Candidate, Laboratory, Measurement, Version};

const BLUR: &str = "\
void blur(int n, float out[restrict n], const float in[restrict n + 2])
{
    float sum[n + 1];
#pragma scop
    for (int i = 0; i < n + 1; i++)
        sum[i] = in[i] + in[i + 1];
    for (int i = 0; i < n; i++)
        out[i] = 0.25f * sum[i] + sum[i + 1];
#pragma endscop
}
";

#[test]
fn versions_are_compared_before_they_are_timed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("blur.c");
    fs::write(&path, BLUR).unwrap();
    let toolchain = Toolchain::default();
    let source = preprocess(&path, &toolchain).unwrap();
    let options = Options::default();
    let compiled = compile(&source, &options, None, &mut |_| {}).unwrap();
    let experiment = Experiment {
        source: &source,
        path: &path,
        result: "",
        device: None,
        interface: &compiled.interfaces[0],
        toolchain: &toolchain,
        runner: runner(1),
        arguments: Arguments {
            values: Values::from([("n".to_owned(), "5000".to_owned())]),
            fill: Fill::Random,
            seed: 1,
            inputs: Vec::new(),
            outputs: Vec::new(),
        },
        runs: None,
    };
    let mut bench = Laboratory::new(experiment, options, compiled.plan, &|_| {}).unwrap();
    let right = bench.compile(&Candidate::planners_choice()).unwrap();
    assert_eq!(right.text, compiled.text);
    assert_eq!(bench.replay(&right.plan).unwrap(), right);

    let Measurement::Timed {
        times, original, ..
    } = bench.measure_with_original(&right, 3).unwrap()
    else {
        panic!("it computes what the original does");
    };
    assert_eq!((times.len(), original.len()), (3, 3));

    // No run is shorter than nothing: the first ones are enough.
    let trial = bench.measure(&right, 5, 0.0).unwrap();
    let Measurement::Timed { times, stopped, .. } = trial else {
        panic!("it computes what the original does");
    };
    assert_eq!((times.len(), stopped), (2, true));
    let trial = bench.measure(&right, 5, 1e9).unwrap();
    assert!(matches!(trial, Measurement::Timed { times, stopped: false, .. } if times.len() == 5));

    let wrong = Version {
        text: right.text.replace("0.25f", "0.26f"),
        ..right.clone()
    };
    assert_ne!(wrong.text, right.text);
    let Measurement::Differs(reason) = bench.measure(&wrong, 5, 1e9).unwrap() else {
        panic!("it computes something else");
    };
    assert!(reason.contains("of 5000 elements of `out`"), "{reason}");

    let broken = Version {
        text: "int".to_owned(),
        ..right.clone()
    };
    assert_eq!(bench.measure(&broken, 5, 1e9).unwrap_err().code, "TW0501");

    // The original first, then as many as take part, those whose builds are gone too.
    bench.keep(&[]);
    let times = bench.contest(&[right.clone(), right], 2).unwrap();
    assert_eq!(times.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
}
