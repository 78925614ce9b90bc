// Calls and effects.
#include <stdio.h>
int seen;
static int bad(int x) { static int last; last = x; seen++; return x; }
void f(int n, float a[restrict n]) {
  int k = 0;
#pragma scop
  for (int j = 0; j < n; j++) {
    a[printf("%d", j)] = j;
    a[j] = bad(j);
    a[j] = undeclared;
    a[j] = a[k++] + k;
    a[j] = j > 2 && (k++, 1);
    a[j] = &seen != 0;
    a[j] = *"x";
  }
#pragma endscop
}
// refused:
//   error TW0205: `printf` changes what its next call does, and is called here where it is not known how often
//     --> 9:7 `printf("%d", j)` called here
//     help: assign its result to a variable in a statement of its own, in front of this
//   error TW0205: `bad` may have side effects
//     --> 10:12 `bad(j)` called here
//      -  4:1 `` defined here
//     note: a function counts as pure when it returns a value computed from its own scalar parameters and variables only
//     help: let it compute its result from its arguments alone, or move the call out of the region
//   error TW0211: `undeclared` is not declared
//     --> 11:12 `undeclared` no declaration in sight
//     help: include the header that declares it
//   error TW0208: `k` is changed in the middle of an expression
//     --> 12:14 `k++` a side effect
//     help: make it a statement of its own
//   error TW0208: a comma operator inside an expression
//     --> 13:21 `(k++, 1)` 
//     help: write separate statements
//   error TW0208: the string "x" has no name
//     --> 15:13 `"x"` read here
//     help: give it one in front of the region: `static const char text[] = "x";`
