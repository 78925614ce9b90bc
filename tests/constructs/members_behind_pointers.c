// `img->data[y * img->stride + x]`: sizes and memory are members behind a pointer.
#include "calls.h"
struct picture { int w, h, stride; unsigned char *data; };
static struct picture *put(unsigned char *at, int w, int h, int stride, unsigned char *data) {
  struct picture all = { w, h, stride, data };
  return memcpy(at, &all, sizeof all);
}
void k(struct picture *img, const struct picture *from) {
#pragma scop
  for (int y = 0; y < img->h; y++)
    for (int x = 0; x < img->w; x++)
      img->data[y * img->stride + x] = from->data[y * from->stride + x] / 2;
#pragma endscop
}
// Rows count as a whole: eight of 16 bytes are 128, though 122 is where the last one ends.
// calls:
//   &(struct picture){ 10, 8, 16, B }, &(struct picture){ 10, 8, 12, B + 128 }: generated
//   &(struct picture){ 10, 8, 16, B }, &(struct picture){ 10, 8, 12, B + 127 }: original
//   &(struct picture){ 10, 8, 16, B }, &(struct picture){ 10, 8, 12, B + 121 }: original
//   &(struct picture){ 10, 8, 16, B }, &(struct picture){ 10, 8, 16, B }: original
//   &(struct picture){ 10, 8, 10, B + 94 }, &(struct picture){ 10, 8, 12, B }: generated
//   &(struct picture){ 10, 8, 10, B + 93 }, &(struct picture){ 10, 8, 12, B }: original
//   &(struct picture){ 10, 8, 10, B }, &(struct picture){ 10, 8, 9, B + 128 }: generated
//   &(struct picture){ 10, 8, 9, B }, &(struct picture){ 10, 8, 12, B + 128 }: original
//   &(struct picture){ 10, 8, 0, B }, &(struct picture){ 10, 8, 12, B + 128 }: original
//   &(struct picture){ 10, 8, -12, B + 84 }, &(struct picture){ 10, 8, 12, B + 128 }: original
//   put(B + 1024, 10, 8, 16, B), put(B + 1056, 10, 8, 12, B + 128): generated
//   put(B + 128, 10, 8, 16, B), put(B + 1056, 10, 8, 12, B + 256): generated
//   put(B + 96, 2, 8, 16, B), put(B + 1056, 2, 8, 12, B + 258): original
//   &(struct picture){ 10, 0, 16, 0 }, 0: original
//   &(struct picture){ 0, 10, 16, 0 }, 0: original

void by_tables(struct picture *img, const int *line, const int *at) {
#pragma scop
  for (int y = 0; y < img->h; y++)
    for (int x = 0; x < img->w; x++) img->data[line[at[y]] * img->stride + x] = 0;
#pragma endscop
}
// refused: TW0206 at 33:16 `img->data` and `line` may be the same memory
