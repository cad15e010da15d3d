#include "buffer.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/read_file.h"
#include "log.h"

bool cli_buffer_load(cli_buffer *b, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    b->name = standard ? "<stdin>" : path;
    const char *what = od_read_file(standard ? NULL : path, "", SIZE_MAX, &b->bytes, &b->size);
    if (what) cli_log("%s: %s: %s", b->name, what, strerror(errno));
    return !what;
}

void cli_buffer_free(cli_buffer *b)
{
    od_free(b->bytes);
    b->bytes = NULL;
}

static bool is_json(const cli_buffer *b)
{
    size_t at = 1;
    if (b->size < 2 || b->bytes[0] != '{') return false;
    while (at < b->size && strchr(" \t\r\n", b->bytes[at]) && b->bytes[at]) at++;
    return at < b->size && b->bytes[at] == '"';
}

static bool is_structured(const cli_buffer *b)
{
    enum { HEAD = 200 };
    static const char magic[] = "\x93NUMPY";
    char head[HEAD + 1] = "";
    if (b->size < HEAD || memcmp(b->bytes, magic, strlen(magic)) != 0) return false;
    for (int i = 0; i < HEAD; i++) head[i] = b->bytes[i] ? b->bytes[i] : ' ';
    return strstr(head, "'descr': [") != NULL;
}

odim_status cli_buffer_check(const cli_buffer *b, odim_error *err)
{
    const char *what = is_json(b) ? "JSON" : is_structured(b) ? "an NPY file of named fields" : NULL;
    if (!what) return ODIM_OK;
    *err = (odim_error){.status = ODIM_ERR_FORMAT, .row = -1, .col = -1};
    snprintf(err->msg, sizeof err->msg,
             "%s: is %s; scores are read from CSV or TSV, as 'odim detect -o scores.csv' writes them",
             b->name, what);
    return err->status;
}

static odim_status parse(odim_table **out, const cli_buffer *b, const char *const *only, odim_error *err)
{
    odim_read_options reading = {.size = sizeof reading, .only = only, .numeric = only};
    return odim_table_read_memory(out, b->bytes, b->size, b->name, &reading, err);
}

odim_status cli_buffer_scores(cli_score_file *out, const cli_buffer *b, const char *score, odim_error *err)
{
    const char *const both[] = {"row", score, NULL};
    *out = (cli_score_file){.row = -1};
    odim_status status = cli_buffer_check(b, err);
    if (status) return status;
    status = parse(&out->table, b, both, err);
    /* A complaint about a cell counts; any other may mean that there is no 'row', and is made again if not.
     */
    if (status && err->row >= 0) return status;
    if (status && (status = parse(&out->table, b, both + 1, err))) return status;
    if (odim_table_cols(out->table) == 2)
        out->row = strcmp(odim_table_name(out->table, 0), "row") == 0 ? 0 : 1;
    out->score = out->row == 0 ? 1 : 0;
    return ODIM_OK;
}
