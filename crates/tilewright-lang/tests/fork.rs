//! Kernels in a process that was forked from one that has called kernels, whose threads are gone.

use std::time::{Duration, Instant};
use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_lang::*;

/// How long a child may take; without a deadline, one that waits for threads would do so for ever.
const PATIENCE: Duration = Duration::from_secs(60);

fn kernel(name: &str) -> Kernel {
    let mut p = Pipeline::new(name);
    let r = p.parameter("R");
    let [x, y] = p.variables(["x", "y"]);
    let img = p.image("img", F32, (r, 64));
    let out = p.output("out", F32, [x.below(r), y.below(64)]);
    p.define(out, img.at((x, y)) * 2);
    let mut options = Options {
        toolchain: Toolchain {
            cflags: split("-O1 -fopenmp"),
            ..Toolchain::default()
        },
        ..Options::default()
    };
    // However little there is to do.
    options.compile.wishes.processor.fork = 0;
    p.compile_with(&options).unwrap()
}

/// Whether a kernel gives what it should.
fn is_right(kernel: &Kernel) -> bool {
    let img: Vec<f32> = (0..64 * 64).map(|i| i as f32).collect();
    let mut out = vec![0.0f32; 64 * 64];
    let call = kernel.call().image("img", &img, &[64, 64]);
    let ran = call.output("out", &mut out).run().is_ok();
    ran && img.iter().zip(&out).all(|(a, b)| 2.0 * a == *b)
}

/// What a child makes of this: whether it ended by itself, and said that all is well.
fn in_child(work: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child runs `work` and leaves at once, without the test harness's ways out.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let status = i32::from(!work());
        // SAFETY: ends the child.
        unsafe { libc::_exit(status) };
    }
    assert!(child > 0);
    let begin = Instant::now();
    loop {
        let mut status = 0;
        // SAFETY: asks for a child of this process; the status is written to.
        let found = unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) };
        if found == child {
            return libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
        }
        if begin.elapsed() > PATIENCE {
            // SAFETY: ends a child of this process.
            unsafe { libc::kill(child, libc::SIGKILL) };
            panic!("the child hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn children_call_what_their_parent_has_called() {
    // SAFETY: no other thread of this process reads the environment: this is its only test.
    unsafe { std::env::set_var("OMP_NUM_THREADS", "4") };
    let (first, second) = (kernel("first"), kernel("second"));
    assert!(is_right(&first));
    // Called before, and never; several times; from several threads; in a child's child.
    assert!(in_child(|| is_right(&first)
        && is_right(&second)
        && is_right(&first)));
    assert!(in_child(|| {
        std::thread::scope(|scope| {
            let calls = [&first, &second, &first].map(|kernel| scope.spawn(|| is_right(kernel)));
            calls.into_iter().all(|call| call.join().unwrap_or(false))
        })
    }));
    assert!(in_child(|| is_right(&first)
        && in_child(|| is_right(&first))
        && is_right(&second)));
    // The parent goes on.
    assert!(is_right(&first) && is_right(&second));
}
