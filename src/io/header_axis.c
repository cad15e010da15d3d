/* Tells whether the numbers of a record rise or fall all along. */
#include "io/header_axis.h"

#include <math.h>
#include <string.h>

#include "common/numtext.h"

#define LEAST     10   /* numbers, if their steps are even, */
#define MANY      30   /* and if they are not: rows of so many are hardly ever sorted by chance */
#define UNEVEN    0.01 /* of a step, that is due to rounding */
#define TEXT_MOST 24   /* of a number */

/* A number and what is behind it, its unit. */
typedef struct mark {
    double value;
    const char *unit;
    size_t unit_len;
} mark;

static bool is_part(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == ',' || c == '-' || c == '+';
}

/* With a decimal comma, too; the delimiter is another then. */
static bool read_mark(const od_field *f, mark *out)
{
    char text[TEXT_MOST];
    size_t len = 0, at = 0;
    while (at < f->len && f->text[at] == ' ') at++;
    for (; at < f->len && is_part(f->text[at]) && len < sizeof text; at++)
        text[len++] = f->text[at] == ',' ? '.' : f->text[at];
    *out = (mark){.unit = f->text + at, .unit_len = f->len - at};
    return len && len < sizeof text && od_num_parse(text, len, &out->value) == OD_NUM_OK;
}

/* A name begins with something else than a number. */
static bool is_name(const od_field *f)
{
    return f->len == 0 || !is_part(*f->text);
}

int od_header_axis(const od_record *r, bool header)
{
    mark last = {0}, m;
    size_t count = 0;
    double first_step = 0.0;
    bool rises = true, falls = true, even = true;
    for (size_t j = 0; j < r->count; j++) {
        if (!read_mark(&r->fields[j], &m)) {
            if (header && !is_name(&r->fields[j])) return 0;
            continue;
        }
        if (count && (m.unit_len != last.unit_len || memcmp(m.unit, last.unit, m.unit_len) != 0)) return 0;
        double step = m.value - last.value;
        if (count == 1) first_step = step;
        if (count) {
            rises &= step > 0.0;
            falls &= step < 0.0;
            even &= fabs(step - first_step) <= UNEVEN * fabs(first_step);
        }
        if (count && !rises && !falls) return 0;
        last = m;
        count++;
    }
    if (count < (header && even ? LEAST : header ? MANY : 2)) return 0;
    return rises ? 1 : -1;
}
