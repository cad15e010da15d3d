/* Splits lists that are given with commas, and sorts columns by the type that is given for them. */
#include "lists.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Copies one item, without quotes and the blanks around it, and ends it. Returns what follows in the list. */
static const char *take_item(const char *at, char **to)
{
    char *start = *to, *end = start;
    bool quoted = false;
    while (is_blank(*at)) at++;
    for (; *at && (quoted || *at != ','); at++) {
        if (*at == '"' && quoted && at[1] == '"')
            at++; /* two quotes inside quotes are one */
        else if (*at == '"') {
            quoted = !quoted;
            end = *to; /* a blank inside quotes is part of the item */
            continue;
        }
        *(*to)++ = *at;
        if (quoted || !is_blank(*at)) end = *to;
    }
    *end = '\0';
    *to = end + 1;
    return *at ? at + 1 : NULL;
}

char **cli_list_split(const char *list)
{
    if (!list) return NULL;
    size_t most = 2, len = strlen(list) + 1;
    for (const char *c = list; *c; c++) most += *c == ',';
    char **item = malloc(most * sizeof *item + len + most);
    if (!item) return NULL;
    char *text = (char *)(item + most);
    size_t count = 0;
    while (list) {
        item[count++] = text;
        list = take_item(list, &text);
    }
    item[count] = NULL;
    return item;
}

static size_t count_items(char *const *items)
{
    size_t count = 0;
    while (items && items[count]) count++;
    return count;
}

bool cli_list_type(const char *text, odim_type *type, const char **format)
{
    static const struct {
        const char *word;
        odim_type type;
    } words[] = {{"number", ODIM_NUMERIC},
                 {"numeric", ODIM_NUMERIC},
                 {"boolean", ODIM_BOOLEAN},
                 {"category", ODIM_CATEGORICAL},
                 {"categorical", ODIM_CATEGORICAL},
                 {"date", ODIM_TIME},
                 {"time", ODIM_TIME}};
    const char *colon = strchr(text, ':');
    size_t found = 0, count = sizeof words / sizeof *words,
           len = colon ? (size_t)(colon - text) : strlen(text);
    while (found < count && (strncmp(words[found].word, text, len) != 0 || words[found].word[len])) found++;
    if (found == count) return false;
    *type = words[found].type;
    *format = colon ? colon + 1 : NULL;
    return true;
}

/* Cuts COLUMN=TYPE:FORMAT into its parts; *format is NULL if there is none. False: it is something else. */
static bool cut_type(char *item, odim_type *type, const char **format)
{
    char *sign = strrchr(item, '=');
    if (!sign || !cli_list_type(sign + 1 + strspn(sign + 1, " \t"), type, format)) return false;
    while (sign > item && is_blank(sign[-1])) sign--;
    *sign = '\0';
    return true;
}

/* One array, texts included, of the items of `list` and of those of `typed` that have the type. */
static char **join(char *const *list, char *const *typed, const odim_type *type_of, odim_type type)
{
    size_t many = count_items(list), more = count_items(typed), size = 0, count = 0;
    char *const *const from[] = {list, typed};
    for (size_t i = 0; i < many; i++) size += strlen(list[i]) + 1;
    for (size_t i = 0; i < more; i++) size += strlen(typed[i]) + 1;
    char **out = malloc((many + more + 1) * sizeof *out + size);
    if (!out) return NULL;
    char *text = (char *)(out + many + more + 1);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; from[k] && from[k][i]; i++) {
            if (k == 1 && type_of[i] != type) continue;
            out[count++] = strcpy(text, from[k][i]);
            text += strlen(text) + 1;
        }
    }
    out[count] = NULL;
    return out;
}

static bool find_types(char **items, odim_type *type_of, const char **format_of)
{
    for (size_t i = 0; items && items[i]; i++) {
        char shown[64];
        if (cut_type(items[i], &type_of[i], &format_of[i])) continue;
        cli_log("--types: '%s' is not COLUMN=TYPE with number, boolean, category or date",
                odim_printable(items[i], shown, sizeof shown));
        return false;
    }
    return true;
}

/* Pairs of a column and its format, texts included. */
static char **list_formats(char *const *items, const char *const *format_of)
{
    size_t count = 0, size = 0, at = 0;
    for (size_t i = 0; items && items[i]; i++) {
        count += 2 * (format_of[i] != NULL);
        if (format_of[i]) size += strlen(items[i]) + strlen(format_of[i]) + 2;
    }
    char **out = malloc((count + 1) * sizeof *out + size);
    if (!out) return NULL;
    char *text = (char *)(out + count + 1);
    for (size_t i = 0; items && items[i]; i++) {
        if (!format_of[i]) continue;
        out[at++] = strcpy(text, items[i]);
        text += strlen(text) + 1;
        out[at++] = strcpy(text, format_of[i]);
        text += strlen(text) + 1;
    }
    out[at] = NULL;
    return out;
}

bool cli_list_types(char **out[CLI_TYPES], char ***formats, const char *types, const char *numeric,
                    const char *categorical)
{
    char **items = cli_list_split(types);
    char **list[CLI_TYPES] = {
        [ODIM_NUMERIC] = cli_list_split(numeric), [ODIM_CATEGORICAL] = cli_list_split(categorical)};
    odim_type *type_of = malloc((count_items(items) + 1) * sizeof *type_of);
    const char **format_of = calloc(count_items(items) + 1, sizeof *format_of);
    bool enough = type_of && format_of && (!types || items) && (!numeric || list[ODIM_NUMERIC]) &&
                  (!categorical || list[ODIM_CATEGORICAL]);
    bool fine = enough && find_types(items, type_of, format_of);
    for (int type = 0; fine && type < CLI_TYPES; type++) {
        bool any = list[type] != NULL;
        for (size_t i = 0; items && items[i]; i++) any |= type_of[i] == (odim_type)type;
        if (any && !(out[type] = join(list[type], items, type_of, (odim_type)type))) enough = fine = false;
    }
    if (fine && !(*formats = list_formats(items, format_of))) enough = fine = false;
    if (!enough) cli_log("out of memory");
    for (int type = 0; type < CLI_TYPES; type++) free(list[type]);
    free(items);
    free(type_of);
    free(format_of);
    return fine;
}

void cli_lists_free(cli_lists *lists)
{
    free(lists->ignored);
    free(lists->chosen);
    free(lists->missing);
    for (int type = 0; type < CLI_TYPES; type++) free(lists->typed[type]);
    free(lists->formats);
    *lists = (cli_lists){0};
}
