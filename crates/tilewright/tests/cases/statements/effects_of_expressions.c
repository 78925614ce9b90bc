// Effects of expressions: statements in their order, or a message.
int abs(int), rand(void); void *malloc(unsigned long); int visible; typedef unsigned char byte;
struct p { float x; int y[2]; };
struct last { int n; int row[9]; }; struct front { int row[9]; int n; };
struct outer { int k; struct last in; }; struct other { struct last in; int k; };
struct nested { int k; struct front in; };

void f(int n, float a[restrict n], float b[restrict n], int d[restrict n], byte c[restrict n],
       struct last *restrict pl, struct front *restrict pf, struct outer *restrict po,
       struct other *restrict pt, struct nested *restrict pn, struct last v) {
    int count; static int kept; float real;
#pragma scop
    for (int i = 0; i < n; i++) { CASE }
#pragma endscop
}

// case: a[i]--;
// model lines:
//   a[i] = a[i] - 1

// case: ++a[i];
// model lines:
//   a[i] = a[i] + 1

// case: a[i] -= b[i];
// model lines:
//   a[i] = a[i] - b[i]

// case: d[i] <<= 2;
// model lines:
//   d[i] = d[i] << 2

// case: a[i] = b[i] = 2;
// model lines:
//   b[i] = 2
//   a[i] = b[i]

// case: a[i] += b[i] *= 2;
// model lines:
//   b[i] = b[i] * 2
//   a[i] = a[i] + b[i]

// case: a[i] = b[d[i]] = 2;
// model lines:
//   b[d[i]] = 2
//   a[i] = b[d[i]]

// case: a[i] = d[d[i]] = 2;
// refused: the value of an assignment that may change where it goes

// case: a[i] = d[2 * i + d[d[i] & 3]] += 2;
// refused: the value of an assignment that may change where it goes

// case: { int t = 2; d[d[i]] = t; a[i] = t; }
// model lines:
//   d[d[i]] = (int)2

// case: (void)a[i]; a[i] = 1; b[i]; i; 3;
// model lines:
//   a[i] = 1

// case: abs(d[i]);
// refused: `abs`

// case: (void)abs(d[i]);
// refused: `abs`

// case: a[i] %= 2;
// refused: TW0209 at 13:35 `a[i]` is a floating-point number, and `%` takes an integer

// case: d[i] %= 2;
// model lines:
//   d[i] = d[i] % 2

// case: i = 2;
// refused: nothing that the region does is to be seen behind it

// case: label: a[i] = 1;
// model lines:
//   a[i] = 1

// case: ({ a[i] = 1; });
// model lines:
//   a[i] = 1

// case: a[i] = ({ d[i]; });
// model lines:
//   a[i] = d[i]

// case: a[i] = d[i] && ({ d[i]++; });
// refused: statement expression

// case: asm("");
// refused: TW0205 at 13:35 `asm` may have side effects

// case: switch (n & 3) { case 0: a[i] = 1; }
// model lines:
//   a[i] = 1

// One case goes on in the next, an end in the middle, a label from outside of the list.
// case: switch (i) { case 0: a[i] = 1; case 1: d[i] = 2; }
// refused: `switch`

// case: switch (i) { case 0: if (n > 4) break; a[i] = 1; }
// refused: `switch`

// case: switch (i) { case 0: a[i] = 1; break; { case 1: d[i] = 2; } }
// refused: `switch`

// case: switch (d[i]++) { case 0: a[i] = 1; break; case 1: a[i] = 2; }
// refused: `switch`

// case: { do { a[i] = 1; } while (0); }
// model lines:
//   a[i] = 1

// case: { do { a[i] = 1; } while (n > 9); }
// model lines:
//   while 1
//   a[i] = 1
//   if !(n > 9)
//   leave

// case: return;
// model lines:
//   left = 1
//   leave

// case: if (rand() > 3) { int t = 7; } a[i] = 1;
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     array random: int random, of the library, live-in, live-out
//     array a: float a[n], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       if rand() > 3
//       read 0 [n] -> { S0[i] -> random[] }
//       write 1 [n] -> { S0[i] -> random[] }
//     statement [n] -> { S1[i] : 0 <= i < n }
//       a[i] = 1
//       write 0 [n] -> { S1[i] -> a[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
// warned: nothing

// case: if (rand() > 3) ; else if (rand() > 5) { } a[i] = 1;
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     array random: int random, of the library, live-in, live-out
//     array a: float a[n], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       if rand() > 3
//       else
//         if rand() > 5
//       read 0 [n] -> { S0[i] -> random[] }
//       write 1 [n] -> { S0[i] -> random[] }
//     statement [n] -> { S1[i] : 0 <= i < n }
//       a[i] = 1
//       write 0 [n] -> { S1[i] -> a[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
// warned: nothing

// case: if (i > 2 && rand() > 3) { int t = 7; }
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     array random: int random, of the library, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       if (i > 2) && (rand() > 3)
//       may read 0 [n] -> { S0[i] -> random[] : i >= 3 }
//       may write 1 [n] -> { S0[i] -> random[] : i >= 3 }
//     schedule
//       band i
// warned: nothing
