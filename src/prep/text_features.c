/*
 * Describes free texts by numbers.
 *
 * The length is in characters, and digits, upper case, punctuation and characters beyond ASCII are shares of
 * them. Three more features say how rare the parts of a text are in its column: characters, sequences (three
 * bytes in a row, with a blank before and after the text) and words (letters and digits in a row). Each part
 * counts 1/n if it is n times in the training cells. The rarest character tells, such as one of a wrong
 * encoding; of sequences the highest mean of STRETCH in a row, so that a strange part of a long text shows;
 * of words the mean. All three are near 0 for a text of common parts, and 1 for parts that no other text has.
 * Logarithms instead of 1/n would hide a rare part among common ones.
 *
 * A part of a training cell was counted there itself. A part that was never seen counts like one that was
 * seen once, so that training rows and new rows are treated alike.
 *
 * Case does not matter, and all digits are the same: otherwise each number would be a new word.
 */
#include "prep/text_features.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/mem.h"

/* Steps of the profile within a factor of two. */
#define STEPS 4
/* Sequences in a row that are taken together. */
#define STRETCH 8

/* ---- parts of a text -------------------------------------------------------------------------------- */

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(unsigned char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(unsigned char c)
{
    return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c >= 0x80;
}

/* White space is a blank, letters are small, a digit is a zero. */
static uint32_t fold(unsigned char c)
{
    if (is_upper(c)) return c + 32u;
    if (is_digit(c)) return '0';
    return c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
}

/* One of `slots` places, after `first` others. */
static uint32_t place(uint32_t hash, uint32_t slots, uint32_t first)
{
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    hash ^= hash >> 12;
    hash *= 0x297A2D39u;
    return first + (hash ^ hash >> 15) % slots;
}

/* Not the first byte of its character. */
static bool is_continued(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The character from byte i on. */
static uint32_t character(const char *text, size_t len, size_t i)
{
    uint32_t bytes = fold((unsigned char)text[i]);
    for (size_t k = i + 1; k < len && k < i + 4 && is_continued(text[k]); k++)
        bytes = bytes << 8 | (unsigned char)text[k];
    return place(bytes, OD_TEXT_CHARACTERS, 0);
}

/* The sequence around byte i. */
static uint32_t trigram(const char *text, size_t len, size_t i)
{
    uint32_t before = i ? fold((unsigned char)text[i - 1]) : ' ';
    uint32_t after = i + 1 < len ? fold((unsigned char)text[i + 1]) : ' ';
    return place(before << 16 | fold((unsigned char)text[i]) << 8 | after, OD_TEXT_TRIGRAMS,
                 OD_TEXT_CHARACTERS);
}

/* The next word from *at on; false: there is none. */
static bool next_word(const char *text, size_t len, size_t *at, uint32_t *out)
{
    size_t i = *at;
    uint32_t hash = 0x811C9DC5u;
    while (i < len && !is_word((unsigned char)text[i])) i++;
    if (i == len) return false;
    for (; i < len && is_word((unsigned char)text[i]); i++)
        hash = (hash ^ fold((unsigned char)text[i])) * 0x01000193u;
    *at = i;
    *out = place(hash, OD_TEXT_WORDS, OD_TEXT_CHARACTERS + OD_TEXT_TRIGRAMS);
    return true;
}

/* ---- counts ----------------------------------------------------------------------------------------- */

/* The highest count stays. */
static void add(uint32_t *count, uint32_t more)
{
    *count = *count > UINT32_MAX - more ? UINT32_MAX : *count + more;
}

odim_status od_text_counts_add(od_text_counts **counts, const char *text, size_t len, odim_error *err)
{
    if (!*counts && !(*counts = od_calloc(1, sizeof **counts))) return od_fail_nomem(err);
    uint32_t *part = (*counts)->part, word;
    for (size_t i = 0; i < len; i++) {
        add(&part[trigram(text, len, i)], 1);
        if (!is_continued(text[i])) add(&part[character(text, len, i)], 1);
    }
    for (size_t at = 0; next_word(text, len, &at, &word);) add(&part[word], 1);
    return ODIM_OK;
}

void od_text_counts_merge(od_text_counts *counts, const od_text_counts *other)
{
    for (int i = 0; i < OD_TEXT_SLOTS; i++) add(&counts->part[i], other->part[i]);
}

/* ---- profiles --------------------------------------------------------------------------------------- */

static uint8_t encode(uint32_t count)
{
    return count < 2 ? 0 : (uint8_t)lround(STEPS * log2((double)count));
}

odim_status od_text_profiles_add(od_text_profiles *p, const od_text_counts *counts, odim_error *err)
{
    od_text_profile *list = od_grow(p->list, p->count, p->count + 1, sizeof *list);
    if (!list) return od_fail_nomem(err);
    p->list = list;
    od_text_profile *own = &list[p->count++];
    for (int i = 0; i < OD_TEXT_SLOTS; i++) own->part[i] = counts ? encode(counts->part[i]) : 0;
    return ODIM_OK;
}

odim_status od_text_profiles_copy(od_text_profiles *to, const od_text_profiles *from, odim_error *err)
{
    if (!from->count) return ODIM_OK;
    if (!(to->list = od_alloc(from->count, sizeof *to->list))) return od_fail_nomem(err);
    memcpy(to->list, from->list, from->count * sizeof *to->list);
    to->count = from->count;
    return ODIM_OK;
}

void od_text_profiles_free(od_text_profiles *p)
{
    od_free(p->list);
    *p = (od_text_profiles){0};
}

/* ---- features --------------------------------------------------------------------------------------- */

/* 1/n of a code. The four roots are written out, so that every machine has the same bits. */
static double rarity(uint8_t code)
{
    static const double part[STEPS] = {1.0, 0.84089641525371454, 0.70710678118654752, 0.59460355750136053};
    return ldexp(part[code % STEPS], -(code / STEPS));
}

/* The highest mean of a stretch, or the mean of all sequences where there are fewer. */
static double strangest(const od_text_profile *p, const char *text, size_t len)
{
    double last[STRETCH] = {0.0}, most = 0.0;
    for (size_t i = 0; i < len; i++) {
        double sum = 0.0;
        last[i % STRETCH] = rarity(p->part[trigram(text, len, i)]);
        for (int k = 0; k < STRETCH; k++) sum += last[k];
        if (sum > most) most = sum;
    }
    return len ? most / (double)(len < STRETCH ? len : STRETCH) : 0.0;
}

void od_text_describe(const od_text_profile *p, const char *text, size_t len, od_text_values out)
{
    int64_t length = 0, digits = 0, upper = 0, marks = 0, beyond = 0, words = 0;
    double rarest = 0.0, word_sum = 0.0;
    uint32_t word;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (is_continued(text[i])) continue;
        rarest = fmax(rarest, rarity(p->part[character(text, len, i)]));
        length++;
        digits += is_digit(c);
        upper += is_upper(c);
        beyond += c >= 0x80;
        marks += !is_word(c) && fold(c) != ' ';
    }
    for (size_t at = 0; next_word(text, len, &at, &word); words++) word_sum += rarity(p->part[word]);
    double all = length ? (double)length : 1.0;
    out[OD_TEXT_LENGTH] = (double)length;
    out[OD_TEXT_DIGITS] = (double)digits / all;
    out[OD_TEXT_UPPER] = (double)upper / all;
    out[OD_TEXT_PUNCTUATION] = (double)marks / all;
    out[OD_TEXT_NON_ASCII] = (double)beyond / all;
    out[OD_TEXT_RARE_CHARACTERS] = rarest;
    out[OD_TEXT_RARE_SEQUENCES] = strangest(p, text, len);
    out[OD_TEXT_RARE_WORDS] = words ? word_sum / (double)words : 0.0;
}

/* ---- names ------------------------------------------------------------------------------------------ */

const char *od_text_suffix(od_text_feature feature)
{
    static const char *const suffix[OD_TEXT_FEATURES + 1] = {
        [OD_TEXT_NONE] = "",
        [OD_TEXT_LENGTH] = ": length",
        [OD_TEXT_DIGITS] = ": digits",
        [OD_TEXT_UPPER] = ": upper case",
        [OD_TEXT_PUNCTUATION] = ": punctuation",
        [OD_TEXT_NON_ASCII] = ": non-ASCII",
        [OD_TEXT_RARE_CHARACTERS] = ": rare characters",
        [OD_TEXT_RARE_SEQUENCES] = ": rare sequences",
        [OD_TEXT_RARE_WORDS] = ": rare words",
    };
    return suffix[feature];
}

size_t od_text_source(const char *name, od_text_feature feature)
{
    const char *suffix = od_text_suffix(feature);
    size_t len = strlen(name), cut = strlen(suffix);
    return len >= cut && strcmp(name + len - cut, suffix) == 0 ? len - cut : len;
}
