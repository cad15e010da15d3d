/* Scans, collects and merges parts of a fit. */
#include "parts.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/read_file.h"
#include "log.h"

#define BLOCK_ROWS 8192
#define MAGIC      8 /* letters at the beginning of a file */
#define SCAN       "ODIMSCAN"
#define PART       "ODIMPART"

bool cli_part_take(cli_part *p, const char *option, const char *text)
{
    enum { MOST_PARTS = 1000000 };
    char *end = NULL;
    *p = (cli_part){0};
    if (!text) return true;
    p->part = strtoll(text, &end, 10);
    if (end != text && *end == '/') {
        const char *rest = end + 1;
        p->parts = strtoll(rest, &end, 10);
        if (end == rest) p->parts = 0;
    }
    if (!*end && p->part >= 1 && p->part <= p->parts && p->parts <= MOST_PARTS) return true;
    cli_log("--%s %s must be a part of how many, such as 1/8", option, text);
    return false;
}

/* Bytes that are the library's go to the output. */
static int write_out(void *bytes, size_t size, cli_out *out)
{
    cli_out_bytes(out, bytes, size);
    odim_free(bytes);
    return cli_out_commit(out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int write_scan(const odim_scan *scan, cli_out *out)
{
    odim_error err;
    void *bytes;
    size_t size;
    if (odim_scan_save_memory(scan, &bytes, &size, &err)) return cli_run_fail(&err, NULL);
    return write_out(bytes, size, out);
}

/* ---- one part ------------------------------------------------------------------------------------------ */

/* Adds part `part`, from 0, to a scan. */
static int add_scan(cli_run *run, odim_scan *scan, const odim_read_options *reading, int64_t part,
                    int64_t parts)
{
    odim_error err;
    odim_hooks hooks = cli_run_hooks(run);
    odim_read_options o = *reading;
    o.hooks = &hooks;
    cli_run_begin();
    odim_status status = odim_scan_file(scan, part, parts, run->path, &o, &err);
    return cli_run_end(status, &err, NULL);
}

int cli_parts_scan(cli_run *run, const odim_read_options *reading, const cli_part *part, cli_out *out)
{
    odim_error err;
    odim_scan *scan;
    if (odim_scan_new(&scan, &err)) return cli_run_fail(&err, NULL);
    int code = add_scan(run, scan, reading, part->part - 1, part->parts);
    if (!code) code = write_scan(scan, out);
    odim_scan_free(scan);
    return code;
}

static int add_rows(cli_run *run, odim_partial *partial, odim_reader *reader, int64_t first, bool notes)
{
    odim_error err;
    const odim_table *block;
    cli_run_begin();
    odim_status status = odim_reader_next(reader, BLOCK_ROWS, &block, &err);
    if (!status && notes) cli_run_notes(run, block);
    while (!status && odim_table_rows(block) > 0) {
        odim_progress now = {.stage = ODIM_STAGE_READING, .rows_done = odim_partial_rows(partial)};
        status = odim_partial_add(partial, block, first + odim_partial_rows(partial), &err);
        odim_hooks hooks = cli_run_hooks(run);
        if (!status && hooks.progress(&now, hooks.user)) break; /* cli_run_end says so */
        if (!status) status = odim_reader_next(reader, BLOCK_ROWS, &block, &err);
    }
    return cli_run_end(status, &err, NULL);
}

static int write_part(const odim_partial *partial, cli_out *out)
{
    odim_error err;
    void *bytes;
    size_t size;
    if (odim_partial_save_memory(partial, &bytes, &size, &err)) return cli_run_fail(&err, NULL);
    return write_out(bytes, size, out);
}

static int collect(cli_run *run, const odim_scan *scan, const odim_read_options *reading,
                   const cli_part *part, cli_out *out)
{
    odim_error err;
    odim_partial *partial = NULL;
    odim_reader *reader = NULL;
    int64_t number = part->part - 1;
    int code = CLI_EXIT_OK;
    if (odim_partial_new(&partial, run->params, &err) ||
        odim_scan_open(scan, number, run->path, reading, &reader, &err))
        code = cli_run_fail(&err, NULL);
    if (!code) code = add_rows(run, partial, reader, odim_scan_first(scan, number), number == 0);
    if (!code &&
        odim_partial_rows(partial) != odim_scan_first(scan, number + 1) - odim_scan_first(scan, number)) {
        cli_log("%s: changed after it was scanned", run->path);
        code = CLI_EXIT_FAILED;
    }
    if (!code) code = write_part(partial, out);
    odim_reader_free(reader);
    odim_partial_free(partial);
    return code;
}

int cli_parts_collect(cli_run *run, const odim_read_options *reading, const cli_part *part,
                      const char *scanned, cli_out *out)
{
    odim_error err;
    odim_scan *scan = NULL;
    int code = CLI_EXIT_OK;
    if (scanned)
        code = cli_parts_load_scan(&scan, scanned, part->parts);
    else if (odim_scan_new(&scan, &err))
        code = cli_run_fail(&err, NULL);
    for (int64_t i = 0; !scanned && !code && i < part->parts; i++)
        code = add_scan(run, scan, reading, i, part->parts);
    if (!code) code = collect(run, scan, reading, part, out);
    odim_scan_free(scan);
    return code;
}

/* ---- merging ------------------------------------------------------------------------------------------- */

/* False: it cannot be read, which has been reported. */
static bool read_file(const char *path, char **bytes, size_t *size)
{
    const char *what = od_read_file(path, "ODIM", SIZE_MAX / 2, bytes, size);
    if (what) cli_log("%s: %s: %s", path, what, strerror(errno));
    return !what;
}

static bool begins_with(const char *bytes, size_t size, const char *magic)
{
    return size >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

int cli_parts_load_scan(odim_scan **scan, const char *path, int64_t parts)
{
    odim_error err;
    char *bytes;
    size_t size;
    *scan = NULL;
    if (!read_file(path, &bytes, &size)) return CLI_EXIT_FAILED;
    odim_status status = odim_scan_load_memory(scan, bytes, size, &err);
    od_free(bytes);
    if (status) return cli_run_fail(&err, path);
    if (odim_scan_parts(*scan) == parts) return CLI_EXIT_OK;
    cli_log("%s: has scans of %lld parts, not of %lld", path, (long long)odim_scan_parts(*scan),
            (long long)parts);
    return CLI_EXIT_FAILED;
}

/* What has been merged so far: scans or parts. */
typedef struct merged {
    odim_scan *scan;
    odim_partial *partial;
} merged;

static odim_status add_bytes(merged *all, const char *bytes, size_t size, const odim_params *params,
                             odim_error *err)
{
    odim_scan *scan = NULL;
    odim_partial *part = NULL;
    odim_status status;
    if (begins_with(bytes, size, SCAN)) {
        status = odim_scan_load_memory(&scan, bytes, size, err);
        if (!status && !all->scan) status = odim_scan_new(&all->scan, err);
        if (!status) status = odim_scan_merge(all->scan, scan, err);
    } else {
        status = odim_partial_load_memory(&part, bytes, size, err);
        if (!status && !all->partial) status = odim_partial_new(&all->partial, params, err);
        if (!status) status = odim_partial_merge(all->partial, part, err);
    }
    odim_scan_free(scan);
    odim_partial_free(part);
    return status;
}

static int add_file(cli_run *run, merged *all, const char *path)
{
    odim_error err;
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) return CLI_EXIT_FAILED;
    int code = CLI_EXIT_FAILED;
    bool is_scan = begins_with(bytes, size, SCAN);
    if (!is_scan && !begins_with(bytes, size, PART))
        cli_log("%s: is not a part: --merge takes the files that --part and --scan write", path);
    else if (is_scan ? all->partial != NULL : all->scan != NULL)
        cli_log("%s: is a %s, but the files before it are not: merge scans and parts separately", path,
                is_scan ? "scan" : "part");
    else
        code = add_bytes(all, bytes, size, run->params, &err) ? cli_run_fail(&err, path) : CLI_EXIT_OK;
    od_free(bytes);
    return code;
}

int cli_parts_merge(cli_run *run, odim_model **model, cli_out *out)
{
    odim_error err;
    merged all = {0};
    int code = CLI_EXIT_OK;
    for (int i = 0; !code && i < run->file_count; i++) code = add_file(run, &all, run->files[i]);
    if (!code && all.scan) code = write_scan(all.scan, out);
    if (!code && all.partial) {
        odim_hooks hooks = cli_run_hooks(run);
        cli_run_begin();
        odim_status status = odim_partial_fit(all.partial, run->params, &hooks, model, &err);
        code = cli_run_end(status, &err, NULL);
    }
    odim_scan_free(all.scan);
    odim_partial_free(all.partial);
    return code;
}
