/*
 * A column whose present cells are all numbers is numeric; all true or false, yes or no: boolean; all dates
 * or times: time; otherwise categorical. Where nine cells in ten are numbers (or times) and the rest is not,
 * the rest is taken for mistakes: better an error that shows the first of them than a column of numbers
 * treated as words.
 *
 * Numbers are plain (12.5, 1e-3) or in one local notation, with at most one unit, the same in all cells. A
 * notation is possible if every cell fits it. 1,234 alone may be a thousand or a little more than one: it is
 * what the other columns of the file say, then what the delimiter suggests (a file with semicolons most
 * likely has decimal commas), then a thousand. 1.234 is a little more than one unless other columns have
 * decimal commas and not decimal points, or nothing but whole numbers stands beside it in a file with
 * semicolons: decimals without their last zeros would be of all lengths, and with them in all cells.
 *
 * Dates are in one order. 05/06/2024 alone is a day of June if the file has decimal commas, another column
 * with days first, or a currency other than dollars; otherwise of May.
 *
 * Whole numbers that begin with zeros, such as 02139, are codes, and codes are categories. So are numbers of
 * one length in a column that is called like a postal code or a telephone number.
 *
 * Whole numbers that all have ten digits are seconds since 1970 if the column is called like a time; with
 * thirteen digits they are milliseconds.
 *
 * A column names the rows, and is not a feature, if nearly every cell is different and it is called like an
 * id, or is text without blanks; or if it counts the rows: 1, 2, 3.
 *
 * Any other text of which nearly every cell is different is free text, such as a comment or a URL. It is
 * described by numbers: see prep/text_features.h.
 */
#include "prep/type_infer.h"

#include <math.h>
#include <string.h>

/* Rows from which on a column of different texts is an id. */
#define ID_ROWS 20
/* Different texts that a category may have even if each is in one row only. */
#define TEXT_LEVELS 20
/* Numbers with leading zeros that make a code: so many cells, and one in so many. */
#define CODE_ZEROS      2
#define CODE_ZERO_SHARE 100
/* Codes that are known by the name of their column have so many digits, and the column so many cells. */
#define CODE_DIGITS 4
#define CODE_ROWS   20
/* Nine in ten. */
#define NEARLY(part, all) ((part)*10 >= (all)*9)
/* Bytes of an id, on average at most. */
#define ID_LENGTH 48

/* Cells that are numbers in a notation, whatever their unit. */
static int64_t count_notation(const od_type_votes *t, int notation)
{
    int64_t plain = t->numbers - t->points;
    if (OD_POINTS >> notation & 1) plain = t->numbers;
    if (notation == OD_COMMA_POINT) plain += t->thousands;
    return plain + t->notation[notation];
}

/* Cells with a unit; plain numbers have none. */
static int64_t count_with_unit(const od_type_votes *t, const char *unit)
{
    int64_t n = *unit ? 0 : t->numbers;
    for (int i = 0; i < OD_UNITS; i++)
        if (t->unit[i].count && od_unit_equal(t->unit[i].unit, unit)) n += t->unit[i].count;
    return n;
}

/* The unit of most numbers. Which of too many units are counted depends on how the rows are divided. */
static const char *best_unit(const od_type_votes *t)
{
    const char *best = "";
    for (int i = 0; i < OD_UNITS && !t->many_units; i++)
        if (count_with_unit(t, t->unit[i].unit) > count_with_unit(t, best)) best = t->unit[i].unit;
    return best;
}

/* Notations of a set that as many cells fit as fit any of the set; *count: how many. */
static unsigned best_notations(const od_type_votes *t, unsigned set, int64_t *count)
{
    unsigned best = 0;
    *count = 0;
    for (int i = 0; i < OD_NOTATIONS; i++) {
        int64_t n = count_notation(t, i);
        if (!(set >> i & 1) || n < *count) continue;
        best = n > *count ? 1u << i : best | 1u << i;
        *count = n;
    }
    return best;
}

/* Evidence of the whole file. */
typedef struct evidence {
    int64_t points, commas; /* columns whose decimal mark is certain */
    int64_t days, months;   /* columns of dates that certainly have the day first, the month first */
    bool dollars, other_money;
} evidence;

static void gather(const od_type_votes *t, evidence *e)
{
    int64_t points, commas, all = t->present;
    best_notations(t, OD_POINTS, &points);
    best_notations(t, OD_COMMAS, &commas);
    if (all && NEARLY(points, all) && points > commas) e->points++;
    if (all && NEARLY(commas, all) && commas > points) e->commas++;
    if (all && NEARLY(t->order[OD_DATE_DMY], all) && t->order[OD_DATE_DMY] > t->order[OD_DATE_MDY]) e->days++;
    if (all && NEARLY(t->order[OD_DATE_MDY], all) && t->order[OD_DATE_MDY] > t->order[OD_DATE_DMY])
        e->months++;
    const char *unit = best_unit(t);
    if (strcmp(unit, "$") == 0 || strcmp(unit, "USD") == 0) e->dollars = true;
    if (strcmp(unit, "EUR") == 0 || strcmp(unit, "GBP") == 0 || strcmp(unit, "INR") == 0 ||
        strcmp(unit, "CHF") == 0)
        e->other_money = true;
}

/* Whether a column that fits both decimal marks has commas. */
static bool prefers_comma(const od_type_votes *t, const evidence *e, const od_type_hints *hints)
{
    if (e->points || e->commas) return e->commas > e->points;
    if (e->dollars) return false;
    bool mixed = t->points && t->points == t->thousands && t->points < t->numbers;
    return hints->semicolon && (mixed || t->numbers < t->present);
}

/* What decide_number finds. */
typedef struct number_votes {
    int64_t fit; /* cells that are numbers of that format */
    int64_t any; /* cells that are numbers in the better notation, whatever the caller says */
} number_votes;

static number_votes decide_number(const od_type_votes *t, const evidence *e, const od_type_hints *hints,
                                  od_cell_kind *out)
{
    int64_t points, commas;
    unsigned point = best_notations(t, OD_POINTS, &points), comma = best_notations(t, OD_COMMAS, &commas);
    const char *unit = best_unit(t);
    bool plain = t->numbers == t->present, use_comma = commas > points;
    /* The value depends on the notation only where a comma or a point may stand between thousands. */
    bool either = points == commas && (point == 1u << OD_POINT_COMMA || comma == 1u << OD_COMMA_POINT);
    if (points == commas) use_comma = prefers_comma(t, e, hints);
    if (hints->decimal) use_comma = hints->decimal == ',';
    bool told = hints->decimal || (e->dollars && !use_comma);
    out->ambiguous = either && t->present && !told && (!plain || use_comma);
    int64_t fit = use_comma ? commas : points, same = t->many_units ? t->numbers : count_with_unit(t, unit);
    number_votes votes = {fit < same ? fit : same, points > commas ? points : commas};
    if (votes.any > same) votes.any = same;
    /* Plain numbers need no notation, unless a file with decimal commas has only whole ones here: new rows
     * may have others. */
    if (!use_comma && plain) return votes;
    strcpy(out->format.unit, unit);
    out->format.notations = (uint8_t)(use_comma ? comma : point);
    if (!use_comma && votes.fit <= t->numbers && !*unit) out->format.notations = 0;
    return votes;
}

/* The dates of a column; returns how many cells are dates of that format. */
static int64_t decide_date(const od_type_votes *t, const evidence *e, od_cell_kind *out)
{
    int64_t ymd = t->order[OD_DATE_YMD] + t->times, dmy = t->order[OD_DATE_DMY], mdy = t->order[OD_DATE_MDY];
    int64_t best = t->times;
    out->format.order = OD_DATE_ISO;
    if (ymd > best) best = ymd, out->format.order = OD_DATE_YMD;
    if (t->order[OD_DATE_NAMED] > best) best = t->order[OD_DATE_NAMED], out->format.order = OD_DATE_NAMED;
    if (dmy <= best && mdy <= best) return best;
    bool months = mdy > dmy;
    if (mdy == dmy) {
        out->ambiguous = true;
        months = e->days != e->months ? e->months > e->days : !e->commas && (e->dollars || !e->other_money);
    }
    out->format.order = months ? OD_DATE_MDY : OD_DATE_DMY;
    return months ? mdy : dmy;
}

/* Seconds or milliseconds since 1970. */
static bool is_unix(const od_type_votes *t, const char *name, od_cell_kind *out)
{
    if (!t->present || !od_type_is_time_name(name)) return false;
    if (t->numbers < t->present) return false;
    if (NEARLY(t->seconds, t->present))
        out->format.order = OD_DATE_SECONDS;
    else if (NEARLY(t->milliseconds, t->present))
        out->format.order = OD_DATE_MILLISECONDS;
    else
        return false;
    out->type = ODIM_TIME;
    return true;
}

/*
 * Whole numbers that are names and not amounts: nobody adds up postal codes. They begin with zeros and nearly
 * all have one length, or many begin with zeros, or the column is called like that and its numbers are long.
 */
static bool is_code(const od_type_votes *t, const char *name)
{
    int64_t whole = 0, same = 0, most = 0;
    for (int i = 0; i < OD_DIGITS; i++) {
        whole += t->digits[i];
        same = t->digits[i] > same ? t->digits[i] : same;
        if (i >= CODE_DIGITS) most += t->digits[i];
    }
    if (!NEARLY(whole, t->present) || t->points * 100 > t->present) return false;
    if (t->zeros >= CODE_ZEROS && t->zeros * CODE_ZERO_SHARE >= t->present)
        return NEARLY(same, t->present) || t->zeros * 2 >= t->present;
    return t->present >= CODE_ROWS && NEARLY(most, t->present) && NEARLY(same, t->present) &&
           od_type_is_code_name(name);
}

static void decide_type(const od_type_votes *t, const char *name, const evidence *e,
                        const od_type_hints *hints, signed char fixed, od_cell_kind *out)
{
    od_cell_kind number = {.type = ODIM_NUMERIC}, date = {.type = ODIM_TIME}, unix_time = {.type = ODIM_TIME};
    number_votes votes = decide_number(t, e, hints, &number);
    int64_t numbers = votes.fit, dates = decide_date(t, e, &date);
    bool counted = is_unix(t, name, &unix_time);
    *out = (od_cell_kind){.type = fixed >= 0 ? (odim_type)fixed : ODIM_CATEGORICAL};
    if (fixed < 0 && !counted && is_code(t, name))
        out->code = true;
    else if (fixed == ODIM_NUMERIC || (fixed < 0 && numbers == t->present && !counted))
        *out = number;
    else if (fixed == ODIM_TIME && t->seconds + t->milliseconds > dates)
        out->format.order = t->seconds >= t->milliseconds ? OD_DATE_SECONDS : OD_DATE_MILLISECONDS;
    else if (fixed == ODIM_TIME || (fixed < 0 && dates == t->present && t->present))
        *out = date;
    else if (fixed < 0 && counted)
        *out = unix_time;
    else if (fixed < 0 && t->booleans == t->present)
        out->type = ODIM_BOOLEAN;
    else if (fixed < 0 && (NEARLY(votes.any, t->present) || NEARLY(dates, t->present))) {
        *out = votes.any >= dates ? number : date;
        out->doubt = true;
    }
}

/* Whether the column names the rows. */
static void decide_id(const od_type_votes *t, const char *name, od_cell_kind *out)
{
    bool named = od_type_is_id_name(name);
    out->id = false;
    if (t->present < ID_ROWS || out->doubt) return;
    if (out->type == ODIM_NUMERIC && t->numbers == t->present && (!out->format.notations || !t->points)) {
        bool whole = t->points == 0;
        out->running = whole && (t->steps == t->present - 1 || (named && t->rises == t->present - 1));
        out->id = out->running || (whole && named && od_type_votes_distinct(t) >= 0.9 * (double)t->present);
    } else if (out->type == ODIM_CATEGORICAL) {
        bool tokens = t->blanks * 20 <= t->present && t->paths * 2 <= t->present;
        bool short_text = t->length <= ID_LENGTH * t->present && (named || tokens);
        bool values = t->numbers * 2 > t->present || (t->times + t->dates) * 2 > t->present;
        out->running = out->code && t->steps == t->present - 1;
        out->id = out->running || (short_text && (out->code || !values) &&
                                   od_type_votes_distinct(t) >= 0.9 * (double)t->present);
    }
}

/* A category of more than a few levels, nearly all in one row only or more than can be kept. */
static void decide_free(const od_type_votes *t, od_cell_kind *out)
{
    double distinct = od_type_votes_distinct(t);
    out->free = out->type == ODIM_CATEGORICAL && !out->id && NEARLY(t->texts, t->present) &&
                distinct > TEXT_LEVELS && (distinct > OD_LEVELS_MOST || distinct >= 0.9 * (double)t->present);
}

void od_type_decide(const od_type_votes *votes, const char *const *names, const signed char *fixed,
                    int64_t cols, const od_type_hints *hints, od_cell_kind *out)
{
    evidence e = {0};
    for (int64_t j = 0; j < cols; j++) gather(&votes[j], &e);
    for (int64_t j = 0; j < cols; j++) {
        decide_type(&votes[j], names[j], &e, hints, fixed ? fixed[j] : -1, &out[j]);
        if (fixed && fixed[j] >= 0) continue;
        decide_id(&votes[j], names[j], &out[j]);
        decide_free(&votes[j], &out[j]);
    }
}
