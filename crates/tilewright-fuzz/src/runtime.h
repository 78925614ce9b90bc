/* A program, its original and one result, and the runs on which they are compared. */
struct fuzz_check {
    int program, version;
    void (*original)(const long *, void **);
    void (*result)(const long *, void **);
    int runs, count, arrays;
    const long *numbers;
    const long *counts;
    const long *highs;
    const int *types;
    const long *lows;
    const int *sorted;
};
extern const struct fuzz_check fuzz_checks[];
extern const int fuzz_check_count;
