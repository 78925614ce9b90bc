// Calls that no region can hold.
static int faculty(int n) { return n < 2 ? 1 : n * faculty(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static double first(int n, const double *x) { for (int k = 0; k < n; k++) for (int l = 0; l < k; l++) if (x[k] > x[l]) return x[k]; return 0; }
static int *seen;
static void nothing(int n) { static int last; last = n; seen = &last; }
static int counted(int n) { static int calls; return n + *seen + calls++; }
void f(int n, int a[restrict n], double x[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = faculty(i);
    a[i] = even(i);
    x[i] = first(n, x);
    nothing(i);
    a[i] = counted(i);
  }
#pragma endscop
}
// refused:
//   error TW0205: `faculty` may have side effects
//     --> 13:12 `faculty(i)` called here
//      -  2:1 `` defined here
//     note: `faculty` calls itself: how deep is known only when it runs
//     help: change that, or move the call out of the region
//   error TW0205: `even` may have side effects
//     --> 14:12 `even(i)` called here
//      -  4:1 `` defined here
//     note: `even` calls itself: how deep is known only when it runs
//     help: change that, or move the call out of the region
//   error TW0205: `first` may have side effects
//     --> 15:12 `first(n, x)` called here
//      -  6:1 `` defined here
//     note: `first` gets `x`, and its body cannot stand in place of the call: an access summary (`pencil_access`) would say what it reads and writes there
//     help: say with an access summary (`pencil_access`) what it reads and writes, or move the call out of the region
//   error TW0205: `nothing` may have side effects
//     --> 16:5 `nothing(i)` called here
//      -  8:1 `` defined here
//     note: `nothing` returns nothing, and its body cannot stand in place of the call
//     help: change that, or move the call out of the region
//   error TW0205: `counted` may have side effects
//     --> 17:12 `counted(i)` called here
//      -  9:1 `` defined here
//     note: a function counts as pure when it returns a value computed from its own scalar parameters and variables only
//     help: let it compute its result from its arguments alone, or move the call out of the region
