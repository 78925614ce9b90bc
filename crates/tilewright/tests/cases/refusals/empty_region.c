// Empty region.
void f(int n) {
#pragma scop
  ;
  /* nothing */
#pragma endscop
}
// refused:
//   error TW0107: the marked region holds no statement
//     --> 3:1 `#pragma scop` nothing follows this
//     help: put the loops between the two pragmas, or remove them
