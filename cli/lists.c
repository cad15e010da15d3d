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

/* Cuts COLUMN=TYPE in two. False: it is something else. */
static bool cut_type(char *item, odim_type *type)
{
    char *sign = strrchr(item, '=');
    if (!sign) return false;
    const char *word = sign + 1 + strspn(sign + 1, " \t");
    int found = ODIM_NUMERIC;
    while (found < CLI_TYPES && strcmp(odim_type_text((odim_type)found), word) != 0) found++;
    *type = (odim_type)found;
    while (sign > item && is_blank(sign[-1])) sign--;
    if (found < CLI_TYPES) *sign = '\0';
    return found < CLI_TYPES;
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

static bool find_types(char **items, odim_type *type_of)
{
    for (size_t i = 0; items && items[i]; i++) {
        char shown[64];
        if (cut_type(items[i], &type_of[i])) continue;
        cli_log("--types: '%s' is not COLUMN=TYPE with numeric, boolean, categorical or time",
                odim_printable(items[i], shown, sizeof shown));
        return false;
    }
    return true;
}

bool cli_list_types(char **out[CLI_TYPES], const char *types, const char *numeric, const char *categorical)
{
    char **items = cli_list_split(types);
    char **list[CLI_TYPES] = {
        [ODIM_NUMERIC] = cli_list_split(numeric), [ODIM_CATEGORICAL] = cli_list_split(categorical)};
    odim_type *type_of = malloc((count_items(items) + 1) * sizeof *type_of);
    bool enough = type_of && (!types || items) && (!numeric || list[ODIM_NUMERIC]) &&
                  (!categorical || list[ODIM_CATEGORICAL]);
    bool fine = enough && find_types(items, type_of);
    for (int type = 0; fine && type < CLI_TYPES; type++) {
        bool any = list[type] != NULL;
        for (size_t i = 0; items && items[i]; i++) any |= type_of[i] == (odim_type)type;
        if (any && !(out[type] = join(list[type], items, type_of, (odim_type)type))) enough = fine = false;
    }
    if (!enough) cli_log("out of memory");
    for (int type = 0; type < CLI_TYPES; type++) free(list[type]);
    free(items);
    free(type_of);
    return fine;
}
