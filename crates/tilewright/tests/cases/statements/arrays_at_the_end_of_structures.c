// A last array of a structure behind a pointer may be longer than it says.
int abs(int); void *malloc(unsigned long); int visible; typedef unsigned char byte;
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

// case: pl->row[i] = 1;
// model lines:
//   array pl_row: int pl->row[?], parameter, live-in, live-out

// case: pf->row[i] = 1;
// model lines:
//   array pf_row: int pf->row[9], parameter, live-in, live-out

// case: po->in.row[i] = 1;
// model lines:
//   array po_in_row: int po->in.row[?], parameter, live-in, live-out

// case: pt->in.row[i] = 1;
// model lines:
//   array pt_in_row: int pt->in.row[9], parameter, live-in, live-out

// case: pn->in.row[i] = 1;
// model lines:
//   array pn_in_row: int pn->in.row[9], parameter, live-in, live-out

// case: v.row[i] = 1;
// model lines:
//   array v_row: int v.row[9], parameter, live-in
