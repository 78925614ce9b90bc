// Where only the data says what is touched through names that may mean the same memory, no order but
// that of the program is right.
void pick(int n, int *a, const int *b, const int *which)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            a[i] = b[which[i]];
#pragma endscop
}
// compile:
// left: TW0206
// warned:
//   warning[TW0206]: the region is left as it was: `a` and `b` may be the same memory
//    --> same_memory.c:3:18
//     |
//   3 | void pick(int n, int *a, const int *b, const int *which)
//     |                  ^^^^^^ a pointer without `restrict`
//   ...
//   8 |             a[i] = b[which[i]];
//     |             ----   ----------- `b` is accessed here
//     |             |
//     |             `a` is written here
//     |
//   help: if they never overlap, declare `a` with `restrict`
//     |
//   3 | void pick(int n, int *restrict a, const int *b, const int *which)
//     |                       ++++++++
