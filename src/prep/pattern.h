/*
 * Patterns of codes: 02139 has the pattern 99999, and SKU-0101 has AAA-9999. A cell with another pattern than
 * nearly all cells of its column is wrong.
 */
#ifndef OD_PATTERN_H
#define OD_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strlist.h"

/* Longer texts have no pattern. */
#define OD_PATTERN_ROOM 32
/* Different patterns of a column, at most. */
#define OD_PATTERNS_MOST 8

/* The pattern of a text: 9 for a digit, A and a for letters, other characters as they are. False: it is too
 * long for one, or empty. */
bool od_pattern_of(const char *text, char pattern[OD_PATTERN_ROOM]);

/* The patterns of a column whose levels are in rows[i] rows each, the most frequent first. None, if its cells
 * have many patterns or its codes have no digits. */
odim_status od_patterns_find(od_strlist *patterns, const od_strlist *levels, const int64_t *rows,
                             odim_error *err);
/* Whether a text has one of the patterns. */
bool od_patterns_fit(const od_strlist *patterns, const char *text);

#endif
