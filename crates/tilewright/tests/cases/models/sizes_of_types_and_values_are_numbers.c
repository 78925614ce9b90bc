// Sizes of types and values are numbers.
struct pair { int x, y; };
void f(int n, long A[restrict n], const short *restrict b, float c[restrict 3][7]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    char t = 1;
    A[i] = sizeof(int) + sizeof t + sizeof b[i] + sizeof(b) + sizeof c + sizeof c[0];
    A[i] += sizeof(b[i] + 1) + sizeof(struct pair) + sizeof(double[4]);
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     array A: long A[n], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       A[i] = ((((4ul + 1ul) + 2ul) + 8ul) + 8ul) + 28ul
//       write 0 [n] -> { S0[i] -> A[i] }
//     statement [n] -> { S1[i] : 0 <= i < n }
//       A[i] = A[i] + ((4ul + sizeof(struct pair)) + 32ul)
//       read 0 [n] -> { S1[i] -> A[i] }
//       write 1 [n] -> { S1[i] -> A[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
// warned: nothing
