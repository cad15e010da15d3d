/*
 * Text that is not UTF-8, taken as Windows-1252: Latin-1 with letters and signs in the place of most control
 * characters, which is what spreadsheets of Western Europe write. The five bytes that stand for nothing (81,
 * 8D, 8F, 90 and 9D) become U+FFFD, not control characters, which a terminal might obey.
 */
#ifndef OD_WINDOWS1252_H
#define OD_WINDOWS1252_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text is valid UTF-8. */
bool od_is_utf8(const char *text, size_t len);
/* A byte becomes at most so many. */
#define OD_WINDOWS1252_MOST 3
/* Writes the text as UTF-8; returns the length. */
size_t od_windows1252_to_utf8(const char *text, size_t len, char *out);

#endif
