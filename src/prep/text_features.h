/*
 * Numbers that describe a free text: comments, URLs, user agents. The essay is in text_features.c.
 *
 * A column of free text becomes OD_TEXT_FEATURES numeric columns of the table, next to each other. Their
 * names are that of the column and what they say: "comment: length".
 */
#ifndef OD_TEXT_FEATURES_H
#define OD_TEXT_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* What a numeric column says about a text. Numbers are stored in model files. */
typedef enum od_text_feature {
    OD_TEXT_NONE, /* nothing: its cells are numbers themselves */
    OD_TEXT_LENGTH,
    OD_TEXT_DIGITS,
    OD_TEXT_UPPER,
    OD_TEXT_PUNCTUATION,
    OD_TEXT_NON_ASCII,
    OD_TEXT_RARE_CHARACTERS,
    OD_TEXT_RARE_SEQUENCES,
    OD_TEXT_RARE_WORDS,
    OD_TEXT_FEATURES = OD_TEXT_RARE_WORDS
} od_text_feature;

/* Places where hashes are counted: of characters, of trigrams, and of words. */
#define OD_TEXT_CHARACTERS 4096
#define OD_TEXT_TRIGRAMS   16384
#define OD_TEXT_WORDS      16384
#define OD_TEXT_SLOTS      (OD_TEXT_CHARACTERS + OD_TEXT_TRIGRAMS + OD_TEXT_WORDS)

/* How often each part is in the cells of a column. */
typedef struct od_text_counts {
    uint32_t part[OD_TEXT_SLOTS];
} od_text_counts;

/* What a model keeps of the counts: four times the binary logarithm, so that one and none are the same. */
typedef struct od_text_profile {
    uint8_t part[OD_TEXT_SLOTS];
} od_text_profile;

/* The profiles of a table's columns of free text. */
typedef struct od_text_profiles {
    od_text_profile *list; /* (count) */
    size_t count;
} od_text_profiles;

/* Counts the parts of a cell; *counts is allocated if it is NULL. */
odim_status od_text_counts_add(od_text_counts **counts, const char *text, size_t len, odim_error *err);
/* Adds those of other cells. */
void od_text_counts_merge(od_text_counts *counts, const od_text_counts *other);

/* Adds the profile of a column; counts NULL: no part is known. */
odim_status od_text_profiles_add(od_text_profiles *p, const od_text_counts *counts, odim_error *err);
odim_status od_text_profiles_copy(od_text_profiles *to, const od_text_profiles *from, odim_error *err);
void od_text_profiles_free(od_text_profiles *p);

/* A value for each feature, at its number; that of OD_TEXT_NONE is not used. */
typedef double od_text_values[OD_TEXT_FEATURES + 1];

void od_text_describe(const od_text_profile *p, const char *text, size_t len, od_text_values out);

/* What follows the name of the column in the name of a feature: ": length". */
const char *od_text_suffix(od_text_feature feature);
/* Length of the column's name within the name of a feature; the whole name where feature is OD_TEXT_NONE or
 * the name does not end as it should. */
size_t od_text_source(const char *name, od_text_feature feature);

#endif
