// arguments: 30 int:30
// choices: 
void kernel(int n, int b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned t0 = i + 1;
        unsigned t1 = t0 + t0;
        unsigned t2 = t1 + t1;
        unsigned t3 = t2 + t2;
        unsigned t4 = t3 + t3;
        unsigned t5 = t4 + t4;
        unsigned t6 = t5 + t5;
        unsigned t7 = t6 + t6;
        unsigned t8 = t7 + t7;
        unsigned t9 = t8 + t8;
        unsigned u1 = t9 + t9;
        unsigned u2 = u1 + u1;
        unsigned u3 = u2 + u2;
        unsigned u4 = u3 + u3;
        unsigned u5 = u4 + u4;
        unsigned u6 = u5 + u5;
        unsigned u7 = u6 + u6;
        unsigned u8 = u7 + u7;
        unsigned u9 = u8 + u8;
        unsigned v1 = u9 + u9;
        unsigned v2 = v1 + v1;
        unsigned v3 = v2 + v2;
        b[i] = (v3 >> 3) + i;
    }
#pragma endscop
}
