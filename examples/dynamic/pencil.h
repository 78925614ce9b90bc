/* PENCIL's statements about a program, for a C compiler that does not know
 * them: nothing. tilewright defines __PENCIL__ while it reads a file. */
#ifdef __PENCIL__
void __pencil_assume(int condition);
void __pencil_kill();
void __pencil_use();
void __pencil_def();
int __pencil_maybe();
#define ACCESS(summary) __attribute__((pencil_access(summary)))
#else
#define __pencil_assume(condition) ((void)0)
#define __pencil_kill(...) ((void)0)
#define __pencil_use(...) ((void)0)
#define __pencil_def(...) ((void)0)
#define __pencil_maybe() 1
#define ACCESS(summary)
#endif
