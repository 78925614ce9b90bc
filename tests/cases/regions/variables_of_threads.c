// Each thread would have its own, in gcc's words, too.
static CASE float t[99];
void f(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        t[i] = i;
#pragma endscop
}

// case: __thread
// compile:
// left: TW0209
// warned: left as it was

// case: _Thread_local
// compile:
// left: TW0209
// warned: left as it was
