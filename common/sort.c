/*
 * Quicksort of numbers: parts of few are left to insertion, and parts that shrink too slowly to a heap, so
 * that no input takes long.
 *
 * With room for a copy, many numbers are sorted by the bytes of their bits instead, from the last byte to the
 * first: as integers, in the order of the numbers. Bytes that all numbers share are left out, as most columns
 * have some: whole numbers, and what was single precision.
 */
#include "common/sort.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FEW  24
#define MANY 256 /* from which on sorting by bytes is faster */

#define DEFINE_SORT(type, name)                                                                              \
    static void name##_insert(type *x, int64_t n)                                                            \
    {                                                                                                        \
        for (int64_t i = 1; i < n; i++) {                                                                    \
            type v = x[i];                                                                                   \
            int64_t j = i;                                                                                   \
            for (; j > 0 && x[j - 1] > v; j--) x[j] = x[j - 1];                                              \
            x[j] = v;                                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void name##_sift(type *x, int64_t at, int64_t n)                                                  \
    {                                                                                                        \
        type v = x[at];                                                                                      \
        for (int64_t child; (child = 2 * at + 1) < n; at = child) {                                          \
            if (child + 1 < n && x[child + 1] > x[child]) child++;                                           \
            if (!(x[child] > v)) break;                                                                      \
            x[at] = x[child];                                                                                \
        }                                                                                                    \
        x[at] = v;                                                                                           \
    }                                                                                                        \
    static void name##_heap(type *x, int64_t n)                                                              \
    {                                                                                                        \
        for (int64_t i = n / 2; i-- > 0;) name##_sift(x, i, n);                                              \
        for (int64_t i = n; --i > 0;) {                                                                      \
            type v = x[0];                                                                                   \
            x[0] = x[i];                                                                                     \
            x[i] = v;                                                                                        \
            name##_sift(x, 0, i);                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static type name##_middle(type a, type b, type c)                                                        \
    {                                                                                                        \
        return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);                            \
    }                                                                                                        \
    static void name##_part(type *x, int64_t n, int depth)                                                   \
    {                                                                                                        \
        while (n > FEW) {                                                                                    \
            if (depth-- == 0) {                                                                              \
                name##_heap(x, n);                                                                           \
                return;                                                                                      \
            }                                                                                                \
            type cut = name##_middle(x[0], x[n / 2], x[n - 1]);                                              \
            int64_t i = 0, j = n - 1;                                                                        \
            for (;;) {                                                                                       \
                while (x[i] < cut) i++;                                                                      \
                while (cut < x[j]) j--;                                                                      \
                if (i >= j) break;                                                                           \
                type v = x[i];                                                                               \
                x[i++] = x[j];                                                                               \
                x[j--] = v;                                                                                  \
            }                                                                                                \
            int64_t left = j + 1; /* the longer part is left for the loop */                                 \
            if (left < n - left) {                                                                           \
                name##_part(x, left, depth);                                                                 \
                x += left;                                                                                   \
                n -= left;                                                                                   \
            } else {                                                                                         \
                name##_part(x + left, n - left, depth);                                                      \
                n = left;                                                                                    \
            }                                                                                                \
        }                                                                                                    \
        name##_insert(x, n);                                                                                 \
    }                                                                                                        \
    void name(type *x, int64_t n)                                                                            \
    {                                                                                                        \
        int64_t end = n;                                                                                     \
        for (int64_t i = 0; i < end;) {                                                                      \
            if (!isnan(x[i])) {                                                                              \
                i++;                                                                                         \
                continue;                                                                                    \
            }                                                                                                \
            type v = x[i];                                                                                   \
            x[i] = x[--end];                                                                                 \
            x[end] = v;                                                                                      \
        }                                                                                                    \
        int depth = 2;                                                                                       \
        for (int64_t rest = end; rest > 0; rest /= 2) depth += 2;                                            \
        name##_part(x, end, depth);                                                                          \
    }

DEFINE_SORT(double, od_sort_double)
DEFINE_SORT(float, od_sort_float)

/* Hoare's find. Parts that shrink too slowly are sorted instead. */
double od_select_double(double *x, int64_t n, int64_t at)
{
    int64_t lo = 0, hi = n - 1;
    for (int turns = 64; lo < hi; turns--) {
        if (turns == 0) {
            od_sort_double(x + lo, hi - lo + 1);
            break;
        }
        double cut = od_sort_double_middle(x[lo], x[lo + (hi - lo) / 2], x[hi]);
        int64_t i = lo, j = hi;
        while (i <= j) {
            while (x[i] < cut) i++;
            while (cut < x[j]) j--;
            if (i > j) break;
            double t = x[i];
            x[i++] = x[j];
            x[j--] = t;
        }
        if (at <= j) {
            hi = j;
        } else if (at >= i) {
            lo = i;
        } else {
            break;
        }
    }
    return x[at];
}

#define BYTES  8
#define VALUES 256

/* Bits that have the order of the numbers: those of negative ones are turned around. */
static uint64_t to_key(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(1) << 63);
}

static double from_key(uint64_t key)
{
    double v;
    key ^= key >> 63 ? UINT64_C(1) << 63 : UINT64_MAX;
    memcpy(&v, &key, sizeof v);
    return v;
}

static uint64_t key_at(const double *x, int64_t i)
{
    uint64_t key;
    memcpy(&key, x + i, sizeof key);
    return key;
}

/* Where the keys with each value of a byte begin; false: all keys have the same value. */
static bool find_starts(const uint32_t *count, uint32_t *start, int64_t n)
{
    uint32_t at = 0;
    for (int v = 0; v < VALUES; v++) {
        if ((int64_t)count[v] == n) return false;
        start[v] = at;
        at += count[v];
    }
    return true;
}

/* x and room hold keys from here on. */
static void sort_keys(double *x, int64_t n, double *room, uint32_t count[BYTES][VALUES])
{
    double *from = x, *to = room;
    for (int b = 0; b < BYTES; b++) {
        uint32_t start[VALUES];
        if (!find_starts(count[b], start, n)) continue;
        for (int64_t i = 0; i < n; i++) {
            uint64_t key = key_at(from, i);
            memcpy(to + start[key >> 8 * b & 255]++, &key, sizeof key);
        }
        double *other = from;
        from = to;
        to = other;
    }
    for (int64_t i = 0; i < n; i++) x[i] = from_key(key_at(from, i));
}

void od_sort_double_with(double *x, int64_t n, double *room)
{
    uint32_t count[BYTES][VALUES] = {{0}};
    const uint64_t minus_zero = to_key(-0.0);
    bool rising = true, odd = n < MANY || n > UINT32_MAX; /* or it has NaN, or -0, which is equal to 0 */
    for (int64_t i = 0; !odd && i < n; i++) {
        uint64_t key = to_key(x[i]);
        odd = isnan(x[i]) || key == minus_zero;
        rising &= i == 0 || x[i - 1] <= x[i];
        for (int b = 0; b < BYTES; b++) count[b][key >> 8 * b & 255]++;
    }
    if (odd) {
        od_sort_double(x, n);
        return;
    }
    if (rising) return;
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = to_key(x[i]);
        memcpy(x + i, &key, sizeof key);
    }
    sort_keys(x, n, room, count);
}
