/*
 * Quicksort of numbers: parts of few are left to insertion, and parts that shrink too slowly to a heap, so
 * that no input takes long.
 */
#include "common/sort.h"

#include <math.h>

#define FEW 24

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
