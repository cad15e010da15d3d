/* Search in texts without regard to case: ASCII, Latin, Greek and Cyrillic letters. */
#ifndef SERVE_FOLD_H
#define SERVE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/* The text with lowercase letters, at most size bytes with the '\0'; a longer one is cut. Returns its length.
 * Bytes that are not UTF-8 stay. */
size_t serve_fold(const char *text, char *out, size_t size);
/* Whether the text contains the needle, which serve_fold has been applied to. */
bool serve_fold_contains(const char *text, const char *needle);
/* The order of two texts, without regard to case where that decides; numbers within them by their value. */
int serve_fold_compare(const char *a, const char *b);

#endif
