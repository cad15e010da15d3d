/* Recognizes the rules in tables that databases print for people. */
#include "io/csv_rules.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* One dash is a missing cell; two are a rule. */
bool od_csv_is_rule_line(const char *text, size_t len)
{
    size_t dashes = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\0' || !strchr("-=+|: \t\r", text[i])) return false;
        dashes += text[i] == '-' || text[i] == '=';
    }
    return dashes >= 2;
}

/* "(12 rows)", "12 rows in set (0.00 sec)", "(12 rows affected)" */
static bool is_count(const od_field *fields, size_t count)
{
    const char *p = fields[0].text, *end = p + fields[0].len;
    if (p < end && *p == '(') p++;
    const char *digits = p;
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p > digits && p == end && count > 1 && fields[1].len >= 3 &&
           strncasecmp(fields[1].text, "row", 3) == 0;
}

bool od_csv_is_rule(const od_field *fields, size_t count, bool runs)
{
    size_t dashes = 0;
    if (count == 1 && !runs) {
        size_t blanks = 0;
        while (blanks < fields[0].len && is_blank(fields[0].text[blanks])) blanks++;
        return blanks < fields[0].len; /* blank lines are told apart by the parser */
    }
    if (runs && is_count(fields, count)) return true;
    for (size_t i = 0; i < count; i++) {
        const od_field *f = &fields[i];
        if (f->quoted || (f->len && !od_csv_is_rule_line(f->text, f->len))) return false;
        dashes += f->len;
    }
    return dashes > 0;
}

void od_csv_trim(od_record *record, od_field *fields, bool bars)
{
    for (size_t i = 0; i < record->count; i++) {
        od_field *f = &fields[i];
        while (!f->quoted && f->len && is_blank(*f->text)) f->text++, f->len--;
        while (!f->quoted && f->len && is_blank(f->text[f->len - 1])) f->len--;
    }
    record->fields = fields;
    if (!bars || record->count < 3 || fields[0].len || fields[record->count - 1].len) return;
    record->fields++;
    record->count -= 2;
}

/* Takes the next line that is not blank off the text. */
static size_t take_line(const char **text, const char *end, const char **line)
{
    size_t len = 0;
    while (*text < end && !len) {
        const char *stop = *line = *text;
        while (stop < end && *stop != '\n') stop++;
        *text = stop < end ? stop + 1 : stop;
        while (stop > *line && is_blank(stop[-1])) stop--;
        while (*line < stop && is_blank(**line)) ++*line;
        len = (size_t)(stop - *line);
    }
    return len;
}

od_csv_rules od_csv_find_rules(const char *text, size_t len)
{
    const char *end = text + len, *first, *second, *third;
    size_t a = take_line(&text, end, &first), b = take_line(&text, end, &second);
    bool top = od_csv_is_rule_line(first, a);
    od_csv_rules r = {.found = a && b && top != od_csv_is_rule_line(second, b)};
    if (!r.found) return (od_csv_rules){.found = false, .delimiter = ' '};
    const char *names = top ? second : first, *rule = top ? first : second;
    size_t names_len = top ? b : a, rule_len = top ? a : b;
    r.delimiter = memchr(rule, '+', rule_len) || memchr(rule, '|', rule_len) ? '|' : ' ';
    /* A rule above the names has another below them; one of blanks only is always below. */
    size_t c = take_line(&text, end, &third);
    if (top && r.delimiter == '|') r.found &= od_csv_is_rule_line(third, c);
    if (r.delimiter == '|') r.found &= memchr(names, '|', names_len) != NULL;
    if (r.delimiter == ' ') r.found &= !top && memchr(rule, ' ', rule_len) && !memchr(rule, ':', rule_len);
    r.bars = r.found && r.delimiter == '|' && names_len > 1 && *names == '|' && names[names_len - 1] == '|';
    return r;
}

bool od_csv_is_drawn(const char *text, size_t len)
{
    static const char *const corners[] = {"\xE2\x94\x8C", "\xE2\x95\xAD", "\xE2\x95\x94", "\xE2\x94\x8F"};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        if (len >= 3 && memcmp(text, corners[i], 3) == 0) return true;
    return false;
}

bool od_csv_is_markup(const char *text, size_t len)
{
    static const char *const begins[] = {"<!doctype", "<html", "<?xml"};
    while (len && (*text == ' ' || *text == '\n' || *text == '\r')) text++, len--;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (len >= strlen(begins[i]) && strncasecmp(text, begins[i], strlen(begins[i])) == 0) return true;
    return false;
}
