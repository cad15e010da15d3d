/* Numbers in a text file: a line a row, tabs between, first the keys of the row and then its values. The
 * first line that is no comment ('#') names the columns. */
#ifndef TSV_H
#define TSV_H

enum { TSV_MOST = 32, TSV_NAME = 64, TSV_LINE = 4096 };

typedef struct tsv_row {
    char key[3][TSV_NAME];
    double value[TSV_MOST]; /* NaN where there is none ("" or "-") */
} tsv_row;

typedef struct tsv {
    int keys; /* columns that are keys: 1 to 3 */
    int columns;
    char names[TSV_MOST][TSV_NAME]; /* of the values */
    tsv_row *rows;
    int count;
} tsv;

/* The program ends where a file cannot be read or has a line that does not fit. */
tsv *tsv_read(const char *path, int keys);
/* Ends it so: line `number` of the file does not fit. */
__attribute__((noreturn)) void tsv_die(const char *path, int number, const char *line);
void tsv_free(tsv *t);

/* Reads one line, without its end, of a row of `t` or of its names. 0: it does not fit. */
int tsv_parse_names(tsv *t, const char *line);
int tsv_parse_row(const tsv *t, const char *line, tsv_row *out);
void tsv_add(tsv *t, const tsv_row *row);

int tsv_column(const tsv *t, const char *name); /* -1: there is none */
/* The row with these keys, as many as the table has; the others are not looked at. */
const tsv_row *tsv_find(const tsv *t, const char *key0, const char *key1, const char *key2);
/* NaN: there is no such row or column, or no number there. */
double tsv_value(const tsv *t, const tsv_row *row, const char *name);

#endif
