//! Texts with kernels in OpenCL C: right ones, and some with a mistake that is found.

use tilewright_certify::{Certificate, Kind, Options, Text, Verdict, certify};

fn judged(original: &str, result: &str) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    certify(&text(original), &text(result), &Options::default())
}

#[track_caller]
fn differs(original: &str, result: &str, kind: Kind, words: &[&str]) {
    let found = judged(original, result);
    let Verdict::Differs(difference) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    let text = difference.to_string();
    assert_eq!(difference.kind, kind, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

#[track_caller]
fn equal(original: &str, result: &str) -> Certificate {
    let found = judged(original, result);
    let verdict = &found.verdict;
    assert!(matches!(verdict, Verdict::Equal), "{verdict:?}");
    assert!(found.runs > 10, "{} runs", found.runs);
    found
}

#[track_caller]
fn unknown(original: &str, result: &str, words: &str) {
    let found = judged(original, result);
    let Verdict::Unknown(why) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert!(why.contains(words), "`{words}` is not in: {why}");
}

/// A sum of neighbours.
const ORIGINAL: &str = "void f(int n, const unsigned a[restrict n], unsigned b[restrict n])
{
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i] + 3 * a[i + 1];
}
";

/// The same by groups of four work-items, each with a tile of six elements.
const KERNEL: &str = "\
#ifndef T
#define T long
#endif
__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void k(const int n, __global const unsigned *restrict a, __global unsigned *restrict b)
{
    const T x = (T)get_local_id(0);
    const T first = 4 * (T)get_group_id(0);
    __local unsigned tile[6];
    for (T i = x; i < 6; i += 4)
        if (first + i < n)
            tile[i] = a[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + x + 2 < n)
        b[first + x + 1] = tile[x] + tile[x + 1] + 3 * tile[x + 2];
}
";

const BEGIN: &str = "#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static void check(cl_int status)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, \"error %d\\n\", (int)status);
        exit(1);
    }
}
static void start(void)
{
    if (queue)
        return;
    cl_int status;
    cl_platform_id platform;
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
}
static cl_kernel built(const char *text, const char *type)
{
    cl_int status;
    char options[64];
    start();
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status);
    snprintf(options, sizeof(options), \"-cl-std=CL%d.%d%s%s\", 1, 2, type ? \" -DT=\" : \"\", type ? type : \"\");
    check(clBuildProgram(program, 1, &device, options, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, \"k\", &status);
    check(status);
    check(clReleaseProgram(program));
    return kernel;
}
static cl_mem memory(size_t bytes)
{
    cl_int status;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status);
    return made;
}
static void upload(cl_mem to, const void *from, size_t bytes)
{
    check(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL));
}
static void download(void *to, cl_mem from, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}
static void launch(cl_kernel kernel, size_t groups, size_t items)
{
    const size_t all[1] = {groups * items}, some[1] = {items};
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, all, some, 0, NULL, NULL));
}
";

const HOST: &str = "\
void f(int n, const unsigned a[restrict n], unsigned b[restrict n])
{
    if (n < 3)
        return;
    const size_t bytes = sizeof(unsigned) * n;
    cl_kernel kernel = built(source, n > 20 ? NULL : \"int\");
    cl_mem x = memory(bytes), y = memory(bytes);
    upload(x, a, bytes);
    upload(y, b, bytes);
    check(clSetKernelArg(kernel, 0, sizeof(n), &n));
    check(clSetKernelArg(kernel, 1, sizeof(x), &x));
    check(clSetKernelArg(kernel, 2, sizeof(y), &y));
    launch(kernel, (n + 1) / 4, 4);
    check(clFinish(queue));
    download(b, y, bytes);
    check(clReleaseMemObject(y));
    check(clReleaseMemObject(x));
}
";

fn program(kernel: &str, host: &str) -> String {
    let mut text = BEGIN.to_owned();
    text += "static const char *const source =\n";
    for line in kernel.lines() {
        text += &format!("    \"{}\\n\"\n", line.replace('"', "\\\""));
    }
    text + "    ;\n" + host
}

/// With parts of the kernel and of the host replaced.
fn changed(changes: &[(&str, &str)]) -> String {
    let (mut kernel, mut host) = (KERNEL.to_owned(), HOST.to_owned());
    for (old, new) in changes {
        let found = kernel.matches(old).count() + host.matches(old).count();
        assert_eq!(found, 1, "{old}");
        kernel = kernel.replace(old, new);
        host = host.replace(old, new);
    }
    program(&kernel, &host)
}

#[track_caller]
fn found(changes: &[(&str, &str)], kind: Kind, words: &[&str]) {
    differs(ORIGINAL, &changed(changes), kind, words);
}

#[test]
fn groups_with_tiles_compute_the_same() {
    let certificate = equal(ORIGINAL, &changed(&[]));
    let coverage = certificate.coverage;
    assert_eq!(coverage.reached, coverage.lines, "{:?}", coverage.never);
    assert!(coverage.lines > 10);
}

#[test]
fn a_missing_barrier_is_a_race_in_a_group() {
    let words = ["between work-items of a group", "tile["];
    found(
        &[("    barrier(CLK_LOCAL_MEM_FENCE);\n", "")],
        Kind::Race,
        &words,
    );
}

/// Work-items that vote write the same; others race.
#[test]
fn votes_are_no_race() {
    let barrier = "    barrier(CLK_LOCAL_MEM_FENCE);\n";
    let vote = |value: &str| {
        format!("    __local int vote[1];\n    if (x != 1)\n        vote[0] = {value};\n{barrier}")
    };
    equal(ORIGINAL, &changed(&[(barrier, &vote("7"))]));
    let words = ["between work-items of a group", "vote["];
    found(&[(barrier, &vote("(int)x"))], Kind::Race, &words);
    let read = format!("    int all = vote[0];\n{barrier}    if (all) b[0] = b[0];\n");
    let read = vote("7").replace(barrier, &read);
    found(&[(barrier, &read)], Kind::Race, &words);
}

#[test]
fn a_barrier_orders_the_memory_that_it_names() {
    let global = [(
        "barrier(CLK_LOCAL_MEM_FENCE)",
        "barrier(CLK_GLOBAL_MEM_FENCE)",
    )];
    found(&global, Kind::Race, &["work-items", "tile["]);
    equal(
        ORIGINAL,
        &changed(&[(
            "barrier(CLK_LOCAL_MEM_FENCE)",
            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
        )]),
    );
    // What one work-item leaves for another in memory of the device.
    let through = |fence: &str| {
        let kernel = format!(
            "__kernel void k(const int n, __global const unsigned *a, __global unsigned *b)\n{{\n    \
             const int x = get_local_id(0), first = 4 * (int)get_group_id(0) + 1;\n    \
             if (first + x < n - 1)\n        b[first + x] = a[first + x];\n    \
             barrier({fence});\n    \
             const int other = 3 - x;\n    unsigned sum = 0;\n    \
             if (first + other < n - 1)\n        sum = b[first + other];\n    \
             barrier({fence});\n    \
             if (first + other < n - 1)\n        \
             b[first + other] = a[first + other - 1] + sum + 3 * a[first + other + 1];\n}}\n"
        );
        program(&kernel, HOST)
    };
    equal(ORIGINAL, &through("CLK_GLOBAL_MEM_FENCE"));
    differs(
        ORIGINAL,
        &through("CLK_LOCAL_MEM_FENCE"),
        Kind::Race,
        &["b[", "`k`"],
    );
}

#[test]
fn a_condition_around_a_barrier() {
    let barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
    let some = [(barrier, "if (x < 3)\n        barrier(CLK_LOCAL_MEM_FENCE);")];
    found(&some, Kind::Barrier, &["not all work-items"]);
    // Not the same one.
    let other = "if (x < 3)\n        barrier(CLK_LOCAL_MEM_FENCE);\n    else\n        \
                 barrier(CLK_LOCAL_MEM_FENCE);";
    found(&[(barrier, other)], Kind::Barrier, &[]);
    // Not as often.
    let times = "for (int t = 0; t < 2 + (x == 0); t++)\n        barrier(CLK_LOCAL_MEM_FENCE);";
    found(&[(barrier, times)], Kind::Barrier, &[]);
    // One that is the same for all.
    let all = "if (n > 2)\n        barrier(CLK_LOCAL_MEM_FENCE);";
    equal(ORIGINAL, &changed(&[(barrier, all)]));
}

#[test]
fn subscripts_outside_of_buffers_and_tiles() {
    let beyond = [("if (first + x + 2 < n)", "if (first + x + 1 < n)")];
    found(&beyond, Kind::Unwritten, &[]);
    let words = ["a read of 4 bytes", "a[", "`k`"];
    found(
        &[("if (first + i < n)", "if (first + i <= n)")],
        Kind::Outside,
        &words,
    );
    let small = [("unsigned tile[6];", "unsigned tile[5];")];
    found(&small, Kind::Outside, &["tile[5]"]);
}

#[test]
fn a_wrong_index_is_another_value() {
    found(
        &[("3 * tile[x + 2]", "3 * tile[x + 1]")],
        Kind::Value,
        &["b["],
    );
    found(
        &[("b[first + x + 1]", "b[first + x]")],
        Kind::Value,
        &["b["],
    );
}

#[test]
fn copies_that_are_missing() {
    found(
        &[("    upload(x, a, bytes);\n", "")],
        Kind::Unwritten,
        &["b["],
    );
    found(
        &[("    upload(y, b, bytes);\n", "")],
        Kind::Value,
        &["b[0]"],
    );
    found(
        &[("    download(b, y, bytes);\n", "")],
        Kind::Value,
        &["b["],
    );
    found(
        &[("upload(x, a, bytes)", "upload(x, a, bytes - 4)")],
        Kind::Unwritten,
        &["b["],
    );
    found(
        &[("download(b, y, bytes)", "download(b, x, bytes)")],
        Kind::Value,
        &["b["],
    );
    // More than there is.
    let more = [("download(b, y, bytes)", "download(b, y, bytes + 4)")];
    found(&more, Kind::Trap, &[]);
}

#[test]
fn races_between_groups() {
    let shared = [("b[first + x + 1] =", "b[first / 2 + x + 1] =")];
    found(&shared, Kind::Race, &["between work-groups", "b["]);
    let sum = "void f(int n, const unsigned a[restrict n], unsigned b[restrict 1])\n{\n    \
               for (int i = 0; i < n; i++)\n        b[0] += a[i];\n}\n";
    let kernel = "__kernel void k(const int n, __global const unsigned *a, __global unsigned *b)\n{\n    \
                  const int i = get_global_id(0);\n    if (i < n)\n        ADD;\n}\n";
    let host = HOST
        .replace("b[restrict n]", "b[restrict 1]")
        .replace("upload(y, b, bytes)", "upload(y, b, sizeof(unsigned))")
        .replace("download(b, y, bytes)", "download(b, y, sizeof(unsigned))")
        .replace("if (n < 3)", "if (n < 1)")
        .replace("(n + 1) / 4", "(n + 3) / 4");
    let with = |add| program(&kernel.replace("ADD", add), &host);
    equal(sum, &with("atomic_add(&b[0], a[i])"));
    differs(sum, &with("b[0] += a[i]"), Kind::Race, &["b[0]"]);
    differs(
        sum,
        &with("atomic_xchg(&b[0], a[i])"),
        Kind::Value,
        &["b[0]"],
    );
    // What others update is not read by the way.
    differs(
        sum,
        &with("if (b[0] < 7)\n        atomic_add(&b[0], a[i])"),
        Kind::Race,
        &["b[0]"],
    );
}

#[test]
fn sums_of_floats_by_exchange() {
    let sum = "void f(int n, const float a[restrict n], float b[restrict 1])\n{\n    \
               float s = b[0];\n    for (int i = 0; i < n; i++)\n        s = s + a[i];\n    b[0] = s;\n}\n";
    let kernel = "static void add(volatile __global float *at, float value)\n{\n    \
                  volatile __global int *bits = (volatile __global int *)at;\n    \
                  int seen = *bits, before;\n    do {\n        before = seen;\n        \
                  seen = atomic_cmpxchg(bits, before, as_int(as_float(before) + value));\n    \
                  } while (seen != before);\n}\n\
                  __kernel void k(const int n, __global const float *a, __global float *b)\n{\n    \
                  const int i = get_global_id(0);\n    if (i < n)\n        add(&b[0], a[i]);\n}\n";
    let host = HOST
        .replace("unsigned", "float")
        .replace("b[restrict n]", "b[restrict 1]")
        .replace("upload(y, b, bytes)", "upload(y, b, sizeof(float))")
        .replace("download(b, y, bytes)", "download(b, y, sizeof(float))")
        .replace("if (n < 3)", "if (n < 1)")
        .replace("(n + 1) / 4", "(n + 3) / 4");
    // In another order the sums are others: the first input has so few elements that they are not.
    let Verdict::Differs(difference) = judged(sum, &program(kernel, &host)).verdict else {
        panic!("float sums in any order are the same");
    };
    assert_eq!(difference.kind, Kind::Value, "{difference}");
    let host = host.replace("launch(kernel, (n + 3) / 4, 4)", "launch(kernel, n, 1)");
    let kernel = kernel.replace(
        "if (i < n)\n        add(&b[0], a[i]);",
        "if (i == 0)\n        for (int j = 0; j < n; j++)\n            add(&b[0], a[j]);",
    );
    equal(sum, &program(&kernel, &host));
}

#[test]
fn arguments_and_sizes_are_checked() {
    // An argument that is never set, or of another size, and groups that are not as the kernel says.
    found(
        &[("    check(clSetKernelArg(kernel, 0, sizeof(n), &n));\n", "")],
        Kind::Trap,
        &[],
    );
    found(
        &[("kernel, 0, sizeof(n), &n", "kernel, 0, 8, &bytes")],
        Kind::Trap,
        &[],
    );
    found(
        &[(
            "launch(kernel, (n + 1) / 4, 4)",
            "launch(kernel, (n + 1) / 2, 2)",
        )],
        Kind::Trap,
        &[],
    );
    // Too few groups.
    found(&[("(n + 1) / 4", "(n + 9) / 8")], Kind::Value, &["b["]);
    // Memory that is given back too early, and the host's in place of the device's.
    found(
        &[
            ("    check(clReleaseMemObject(y));\n", ""),
            (
                "    launch(",
                "    check(clReleaseMemObject(y));\n    launch(",
            ),
        ],
        Kind::Pointer,
        &[],
    );
    found(&[("sizeof(x), &x", "sizeof(a), &a")], Kind::Trap, &[]);
    found(
        &[(
            "    download(b, y, bytes);\n",
            "    for (int i = 1; i < n - 1; i++)\n        b[i] = ((unsigned *)y)[i];\n",
        )],
        Kind::Outside,
        &[],
    );
}

#[test]
fn what_is_not_known_is_no_alarm() {
    unknown(
        ORIGINAL,
        &changed(&[("unsigned tile[6]", "uint4 tile[6]")]),
        "in kernels",
    );
    unknown(
        ORIGINAL,
        &changed(&[("tile[x] + tile", "popcount(tile[x]) + tile")]),
        "`popcount`",
    );
    let later = changed(&[]).replace("to, CL_TRUE", "to, CL_FALSE");
    unknown(ORIGINAL, &later, "nobody waits");
}

#[test]
fn kernels_that_are_long_for_every_input_are_executed_on_one() {
    let busy = "for (int t = 0; t < 80000; t++)\n        busy += t & 1;\n    \
                if (first + x + 2 < n)";
    let kernel = KERNEL.replace("if (first + x + 2 < n)", busy);
    let kernel = kernel.replace("    const T x =", "    unsigned busy = 0;\n    const T x =");
    let found = judged(ORIGINAL, &program(&kernel, HOST));
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    assert!((1..10).contains(&found.runs), "{} runs", found.runs);
}

#[test]
fn headers_of_opencl_are_passed_over() {
    // As a preprocessor leaves them: the header's own types are not read, what it takes in is.
    let header = "# 1 \"/usr/include/CL/cl.h\" 1 3 4\ntypedef nothing we (know) of;\n\
                  # 1 \"/usr/include/stdint.h\" 1 3 4\ntypedef unsigned int uint32_t;\n\
                  # 2 \"/usr/include/CL/cl.h\" 2 3 4\nneither this\n# 1 \"f.c\" 2\n";
    let result = changed(&[(
        "cl_kernel kernel = built",
        "uint32_t unused = 0;\n    cl_kernel kernel = built",
    )]);
    let result = result.replace("#include <CL/cl.h>\n", header);
    equal(ORIGINAL, &format!("# 0 \"f.c\"\n{result}"));
}
