/* Counts what the cells of a column are, and merges the counts of parts. */
#include <math.h>
#include <string.h>

#include "base/isotime.h"
#include "common/mem.h"
#include "common/numtext.h"
#include "prep/type_infer.h"

/* Up to eight bytes, the first one the lowest on any machine. */
static uint64_t load(const char *text, size_t len)
{
    uint64_t word = 0;
    for (size_t i = 0; i < len; i++) word |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return word;
}

static uint64_t hash(const char *text, size_t len)
{
    uint64_t h = 0x9E3779B97F4A7C15u ^ len;
    for (; len >= 8; text += 8, len -= 8) h = (h ^ load(text, 8)) * 0x9FB21C651E98DF25u, h ^= h >> 29;
    h = (h ^ load(text, len)) * 0x100000001B3u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

/* HyperLogLog (Flajolet et al., 2007): a register keeps the longest run of zeros that a hash of its part
 * begins with. */
static void count_distinct(uint8_t *registers, const char *text, size_t len)
{
    uint64_t h = hash(text, len);
    uint8_t zeros = 1;
    for (uint64_t rest = h / OD_DISTINCT; zeros < 50 && !(rest & 1); rest >>= 1) zeros++;
    uint8_t *r = &registers[h % OD_DISTINCT];
    if (zeros > *r) *r = zeros;
}

double od_type_votes_distinct(const od_type_votes *t)
{
    double sum = 0.0, m = OD_DISTINCT;
    int empty = 0;
    for (int i = 0; i < OD_DISTINCT; i++) {
        sum += ldexp(1.0, -t->distinct[i]);
        empty += t->distinct[i] == 0;
    }
    double estimate = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
    return estimate < 2.5 * m && empty ? m * log(m / empty) : estimate;
}

static void count_unit(od_type_votes *t, const char unit[OD_UNIT_ROOM], int64_t count)
{
    for (int i = 0; i < OD_UNITS; i++) {
        if (t->unit[i].count && !od_unit_same(t->unit[i].unit, unit)) continue;
        if (!t->unit[i].count) strcpy(t->unit[i].unit, unit);
        t->unit[i].count += count;
        return;
    }
    t->many_units = true;
}

static void follow_number(od_type_votes *t, double value)
{
    if (t->numbers++ == 0) {
        t->first = value;
    } else { /* without a branch, which no processor could predict */
        int rises = value > t->last;
        t->rises += rises;
        t->steps += rises & (value == t->last + 1.0);
    }
    t->last = value;
}

static bool is_digits(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return len > 0;
}

static void add_number(od_type_votes *t, const char *text, size_t len, double value)
{
    while (len && (*text == ' ' || *text == '\t')) text++, len--;
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t')) len--;
    unsigned fits = od_plain_notations(text, len);
    t->points += fits != OD_ALL_NUMBERS;
    t->thousands += fits == (OD_POINTS | 1u << OD_COMMA_POINT);
    if (fits == OD_ALL_NUMBERS && is_digits(text, len)) {
        t->zeros += *text == '0' && len > 1;
        t->digits[len < OD_DIGITS ? len : OD_DIGITS - 1]++;
    }
    t->seconds += len == 10 && fits == OD_ALL_NUMBERS && *text >= '0' && *text <= '9';
    t->milliseconds += len == 13 && fits == OD_ALL_NUMBERS && *text >= '0' && *text <= '9';
    follow_number(t, value);
}

/* A number or a date in a local form; false: neither. */
static bool add_local(od_type_votes *t, const char *text, size_t len)
{
    od_local_number n;
    od_local_date d;
    /* What is both is a date, such as 2024 Nov5; but that is rare, and what the column had so far is tried
     * first. */
    bool dates = t->order[OD_DATE_DMY] || t->order[OD_DATE_MDY] || t->order[OD_DATE_NAMED];
    bool number = !dates && od_local_number_scan(text, len, &n);
    if ((!number || n.digit_in_unit) && od_local_date_scan(text, len, &d)) {
        for (int i = 0; i < OD_DATE_ORDERS; i++) t->order[i] += d.orders >> i & 1;
        t->dates++;
        return true;
    }
    if (!number && !(dates && od_local_number_scan(text, len, &n))) return false;
    int64_t *count = t->notation;
    for (unsigned bits = n.notations; bits; bits >>= 1) *count++ += bits & 1;
    count_unit(t, n.unit, 1);
    return true;
}

/* A path or a URL, which is not an id. */
static bool is_path(const char *text, size_t len)
{
    while (len && (*text == ' ' || *text == '\t')) text++, len--;
    if (len && *text == '/') return true;
    for (size_t i = 0; i + 2 < len; i++)
        if (text[i] == ':' && text[i + 1] == '/' && text[i + 2] == '/') return true;
    return false;
}

bool od_type_votes_add(od_type_votes *t, const char *text, size_t len, const od_strlist *na, bool distinct)
{
    double value;
    /* Numbers first: they are most cells. Infinite ones count, and are refused when they are read. */
    od_num kind = od_num_parse(text, len, &value);
    if ((kind != OD_NUM_OK || na->count) && od_cell_is_missing(text, len, na)) return false;
    t->present++;
    if (kind == OD_NUM_OK || kind == OD_NUM_OVERFLOW || kind == OD_NUM_NONFINITE) {
        add_number(t, text, len, kind == OD_NUM_OK ? value : INFINITY);
        if (distinct || t->zeros)
            count_distinct(t->distinct, text, len);
        else if (t->in_part)
            count_distinct(t->before, text, len);
        return false;
    }
    count_distinct(t->distinct, text, len);
    bool is_text = false;
    if (od_time_parse(text, len, &value))
        t->times++;
    else if (!add_local(t, text, len)) {
        is_text = !od_cell_boolean(text, len, &value);
        t->booleans += !is_text;
    }
    t->length += (int64_t)len;
    t->blanks += memchr(text, ' ', len) != NULL;
    t->texts += is_text;
    t->paths += is_text && is_path(text, len);
    return is_text;
}

void od_type_votes_add_number(od_type_votes *t, double value)
{
    char text[OD_NUM_ROOM];
    if (isnan(value)) return;
    t->present++;
    if (fabs(value) < 1e15 && value == floor(value)) { /* may be a time in seconds */
        size_t len = od_num_int(text, (int64_t)value);
        add_number(t, text, len, value);
    } else {
        t->points++;
        follow_number(t, value);
    }
}

void od_type_votes_clear(od_type_votes *t, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        od_free(t[j].parts);
        if (t[j].levels) od_levels_free(t[j].levels);
        od_free(t[j].levels);
        t[j] = (od_type_votes){0};
    }
}

odim_status od_type_votes_copy(od_type_votes *to, const od_type_votes *from, odim_error *err)
{
    *to = *from;
    to->parts = NULL;
    to->levels = NULL;
    if (from->parts) {
        if (!(to->parts = od_alloc(1, sizeof *to->parts))) return od_fail_nomem(err);
        *to->parts = *from->parts;
    }
    if (!from->levels) return ODIM_OK;
    to->levels = od_calloc(1, sizeof *to->levels);
    return to->levels ? od_levels_copy(to->levels, from->levels, err) : od_fail_nomem(err);
}

odim_status od_type_votes_add_level(od_type_votes *t, const char *text, size_t len, odim_error *err)
{
    uint32_t code;
    if (!t->levels && !(t->levels = od_calloc(1, sizeof *t->levels))) return od_fail_nomem(err);
    return od_levels_code(t->levels, text, len, &code, err);
}

static odim_status merge_levels(od_type_votes *t, od_type_votes *later, odim_error *err)
{
    if (!later->levels) return ODIM_OK;
    if (!t->levels) {
        t->levels = later->levels;
        later->levels = NULL;
        return ODIM_OK;
    }
    uint32_t *code = od_alloc((size_t)od_levels_count(later->levels) + 1, sizeof *code);
    odim_status status = code ? od_levels_merge(t->levels, later->levels, code, err) : od_fail_nomem(err);
    od_free(code);
    return status;
}

static void merge_distinct(uint8_t *registers, const uint8_t *other)
{
    for (int i = 0; i < OD_DISTINCT; i++)
        if (other[i] > registers[i]) registers[i] = other[i];
}

odim_status od_type_votes_merge(od_type_votes *t, od_type_votes *later, odim_error *err)
{
    odim_status status = merge_levels(t, later, err);
    if (status) return status;
    merge_distinct(t->distinct, later->distinct);
    merge_distinct(t->zeros ? t->distinct : t->before, later->before);
    if (t->numbers && later->numbers && later->first > t->last) {
        t->rises++;
        t->steps += later->first == t->last + 1.0;
    }
    if (!t->numbers) t->first = later->first;
    if (later->numbers) t->last = later->last;
    t->present += later->present;
    t->numbers += later->numbers;
    t->points += later->points;
    t->thousands += later->thousands;
    t->seconds += later->seconds;
    t->milliseconds += later->milliseconds;
    t->zeros += later->zeros;
    for (int i = 0; i < OD_DIGITS; i++) t->digits[i] += later->digits[i];
    t->rises += later->rises;
    t->steps += later->steps;
    t->times += later->times;
    t->booleans += later->booleans;
    t->dates += later->dates;
    for (int i = 0; i < OD_NOTATIONS; i++) t->notation[i] += later->notation[i];
    for (int i = 0; i < OD_DATE_ORDERS; i++) t->order[i] += later->order[i];
    t->many_units |= later->many_units;
    for (int i = 0; i < OD_UNITS; i++)
        if (later->unit[i].count) count_unit(t, later->unit[i].unit, later->unit[i].count);
    t->length += later->length;
    t->blanks += later->blanks;
    t->texts += later->texts;
    t->paths += later->paths;
    if (t->parts && later->parts)
        od_text_counts_merge(t->parts, later->parts);
    else if (later->parts) {
        t->parts = later->parts;
        later->parts = NULL;
    }
    return ODIM_OK;
}
