/* Tells whether two levels of a category are spelled nearly the same. */
#ifndef OD_SPELLING_H
#define OD_SPELLING_H

#include <stdbool.h>

/*
 * Whether a text may be a misspelling of a level: it differs in letter case, in surrounding blanks, or by one
 * edit, which inserts, deletes or replaces a character or swaps two neighbours. Numbers are not misspelt:
 * where the difference is a digit, the texts name different things.
 */
bool od_spelling_near(const char *text, const char *level);

#endif
