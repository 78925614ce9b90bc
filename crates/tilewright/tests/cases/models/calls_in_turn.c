// A call in a condition is in front of what C evaluates behind it, and under what is in front of it;
// structures are copied where functions get them by value and change them.
typedef struct { float x, y; } v2;
static int hit(float lo, float x, float *t) { *t = x - lo; return x > lo; }
static v2 add(v2 a, v2 b) { v2 r = {a.x + b.x, a.y + b.y}; return r; }
static v2 scale(v2 a, float s) { a.x *= s; a.y *= s; return a; }

void f(int n, const float b[restrict n], const int on[restrict n], float best[restrict n], float x,
       v2 p[restrict n], const v2 v[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { float t = 0; CASE }
#pragma endscop
}

// case: if (hit(b[i], x, &t) && t < best[i]) best[i] = t;
// model lines:
//   float t = 0
//   float lo = b[i]
//   t = x - lo
//   int hit_value = x > lo
//   if hit_value && (t < best[i])
//     best[i] = t
// warned: nothing

// case: if (on[i] && hit(b[i], x, &t) && t < best[i]) best[i] = t; best[i] += t;
// model lines:
//   float t = 0
//   if on[i]
//     float lo = b[i]
//     t = x - lo
//     int hit_value = x > lo
//     if hit_value && (t < best[i])
//       best[i] = t
//   best[i] = best[i] + t
// warned: nothing

// case: if (on[i] || hit(b[i], x, &t) || t > 3) best[i] = t; else best[i] = 2;
// model lines:
//   float t = 0
//   int holds = 0
//   if on[i]
//     holds = 1
//   else
//     float lo = b[i]
//     t = x - lo
//     int hit_value = x > lo
//     if hit_value || (t > 3)
//       holds = 1
//   best[i] = holds ? (float)t : (float)2
// warned: nothing

// case: if (on[i] && hit(b[i], x, &t)) best[i] = t; else best[i] = 2;
// model lines:
//   float t = 0
//   int holds = 0
//   if on[i]
//     float lo = b[i]
//     t = x - lo
//     int hit_value = x > lo
//     if hit_value
//       holds = 1
//   best[i] = holds ? (float)t : (float)2
// warned: nothing

// case: if (t < best[i] || on[i] && hit(b[i], x, &t)) best[i] = t;
// model lines:
//   float t = 0
//   int holds = 0
//   if t < best[i]
//     holds = 1
//   else
//     if on[i]
//       float lo = b[i]
//       t = x - lo
//       int hit_value = x > lo
//       if hit_value
//         holds = 1
//   if holds
//     best[i] = t
// warned: nothing

// case: p[i] = add(p[i], scale(v[i], x));
// model lines:
//   r_x[i] = p_x[i] + a_x[i]
//   r_y[i] = p_y[i] + a_y[i]
// warned: nothing

// case: v2 s = scale(v[i], x); p[i] = add(p[i], s);
// model lines:
//   r_x[i] = p_x[i] + s_x[i]
//   r_y[i] = p_y[i] + s_y[i]
// warned: nothing

// What is not behind the call in C's order may be read in front of it or behind it.
// case: if (t + hit(b[i], x, &t) > 1 && on[i]) best[i] = t;
// refused: TW0205 `hit` may have side effects
