// `entry *e = &list[count++]`: entries that are added to a list.
#include "calls.h"
struct entry { int key, at, seen; };
void k(int n, const int *a, struct entry *list, int *place) {
  int count = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 100) {
      place[i] = -1;
      continue;
    }
    struct entry *e = &list[count++];
    place[i] = count;
    e->key = a[i];
    e->at = i;
    e->seen = 0;
  }
#pragma endscop
}
// calls:
//   30, I, (struct entry *)(I + 200), I + 100: generated
//   30, I, (struct entry *)(I + 20), I + 500: original
//   30, I, (struct entry *)(I + 200), I + 29: original
//   0, I, (struct entry *)I, I: generated

// Only under a condition, twice.
void twice(int n, const int *restrict a, struct entry *restrict list) {
  int count = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    struct entry *e = a[i] > 3 && count++ < 9 ? &list[count++] : &list[0];
    e->key = a[i];
  }
#pragma endscop
}
// refused: TW0207 at 31:18 the pointer `e` is not followed to an array
