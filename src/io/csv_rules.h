/* Rules in tables that databases print for people: psql, MySQL, sqlcmd, Markdown. */
#ifndef OD_CSV_RULES_H
#define OD_CSV_RULES_H

#include "io/fields.h"

/* Whether the line is a rule, such as ----+----, +---+---+, |:--|--:| or ---- ------. */
bool od_csv_is_rule_line(const char *text, size_t len);
/* Whether the record of a table with rules is not a row: a rule, or what counts the rows. Without blanks as
 * delimiters (`runs`), any line without a delimiter is none. */
bool od_csv_is_rule(const od_field *fields, size_t count, bool runs);

/* Takes off the blanks that fill cells up to the width of their column, and the empty fields outside the
 * bars. */
void od_csv_trim(od_record *record, od_field *fields, bool bars);

/* A table with rules at the beginning of a text. */
typedef struct od_csv_rules {
    bool found;
    bool bars;      /* at both ends of its lines */
    char delimiter; /* between its cells: | or a blank */
} od_csv_rules;

/* One of the first two lines is a rule. */
od_csv_rules od_csv_find_rules(const char *text, size_t len);
/* Whether the text begins like a table that is drawn with line characters, which is not read. */
bool od_csv_is_drawn(const char *text, size_t len);
/* Whether the text is a web page, which a download gives instead of a table if one must log in first. */
bool od_csv_is_markup(const char *text, size_t len);

#endif
