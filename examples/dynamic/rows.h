/* How many of `all` things each of n rows has: what the index arrays of these
 * examples are made of.
 *
 *   shape 0   uneven rows, every third of them empty
 *   shape 1   all rows empty
 *   shape 2   everything in one row
 *   shape 3   as even as possible
 *   others    at random, by their number: some rows are empty, some long; the
 *             rows of odd ones have a tenth of all things together
 */
static inline unsigned random_weight(int k, int shape)
{
    unsigned mixed = k * 2654435761u + shape * 2246822519u;
    mixed = (mixed ^ mixed >> 15) * 3266489917u;
    mixed ^= mixed >> 13;
    return mixed % 3 == 0 ? 0 : mixed % 16 == 1 ? 100 : 1 + mixed / 16 % 6;
}

static inline long weight_before(int i, int shape)
{
    long sum = 0;
    for (int k = 0; k < i && shape != 3; k++)
        sum += shape != 0 ? random_weight(k, shape) : k % 3 == 0 ? 0 : 1 + k % 5;
    return shape == 3 ? i : sum;
}

/* The first of row i; row n begins behind the last. */
static inline int row_begin(int i, int n, int all, int shape)
{
    if (shape == 1)
        return 0;
    if (shape == 2)
        return i <= n / 2 ? 0 : all;
    long whole = weight_before(n, shape);
    long some = shape > 3 && shape % 2 ? all / 10 : all;
    return whole == 0 ? 0 : (int)(some * weight_before(i, shape) / whole);
}

/* A number from 0 to `range - 1` for the k-th of something. */
static inline int spread(int k, int range)
{
    return (int)((k * 2654435761u >> 7) % (unsigned)range);
}

/* A number between -1 and 1. */
static inline double value(int k)
{
    return spread(k, 2000) / 1000.0 - 1.0;
}
