/* The input files of a verb that takes several. */
#include "files.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

/* Patterns of Parquet files are the library's: DuckDB reads them as one table. */
static bool is_pattern(const char *text)
{
    struct stat info;
    size_t len = strlen(text);
    if (len > 8 && strcmp(text + len - 8, ".parquet") == 0) return false;
    return strpbrk(text, "*?[") && stat(text, &info) != 0;
}

/* Adds a copy of a path to the files of the run, which end with NULL. */
static bool add(cli_run *run, const char *path)
{
    int n = run->file_count;
    char **more = realloc(run->files, (size_t)(n + 2) * sizeof *more);
    if (more) run->files = more;
    if (more && (more[n] = strdup(path))) {
        more[n + 1] = NULL;
        run->file_count++;
        return true;
    }
    cli_log("out of memory");
    return false;
}

static bool add_matches(cli_run *run, const char *pattern)
{
    glob_t found;
    int code = glob(pattern, 0, NULL, &found);
    bool fine = code == 0;
    if (code == GLOB_NOMATCH)
        cli_log("no file matches '%s'", pattern);
    else if (code)
        cli_log("cannot look for '%s'", pattern);
    for (size_t i = 0; fine && i < found.gl_pathc; i++) fine = add(run, found.gl_pathv[i]);
    if (code == 0) globfree(&found);
    return fine;
}

bool cli_files_take(cli_run *run, const cli_operands *operands, const cli_target *targets, int count,
                    odim_read_options *reading)
{
    for (int i = 0; i < operands->count; i++) {
        const char *text = operands->text[i];
        if (!(is_pattern(text) ? add_matches(run, text) : add(run, text))) return false;
    }
    if (run->file_count == 0) return true;
    run->path = run->files[0];
    reading->more_files = run->file_count > 1 ? (const char *const *)run->files + 1 : NULL;
    for (int i = 0; i < run->file_count; i++)
        if (!cli_input_check_targets((const char *const[CLI_INPUTS]){run->files[i]}, targets, count))
            return false;
    return true;
}

static bool is_parquet(const char *path)
{
    char magic[4] = "";
    size_t len = strlen(path);
    struct stat info;
    if (stat(path, &info) != 0) return len > 8 && strcmp(path + len - 8, ".parquet") == 0; /* a pattern */
    FILE *file = S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    bool found = file && fread(magic, 1, 4, file) == 4 && memcmp(magic, "PAR1", 4) == 0;
    if (file) fclose(file);
    return found;
}

static void put_quoted(const char *path, FILE *to)
{
    fputc('\'', to);
    for (; *path; path++) {
        if (*path == '\'') fputc('\'', to);
        fputc(*path, to);
    }
    fputc('\'', to);
}

/* The size of the cells of Parquet files, which are packed; 0: not known. Reading them will say why. */
static double parquet_size(const char *path)
{
    odim_table *table;
    char *sql = NULL;
    size_t size;
    FILE *text = open_memstream(&sql, &size);
    if (!text) return 0;
    /* Both counts come from the ends of the files. */
    fputs("SELECT 8.0 * count(*) * (SELECT count(*) FROM (DESCRIBE SELECT * FROM read_parquet(", text);
    put_quoted(path, text);
    fputs("))) AS bytes FROM read_parquet(", text);
    put_quoted(path, text);
    fputs(")", text);
    bool written = fclose(text) == 0; /* only now `sql` is set */
    double bytes = 0;
    odim_read_options asked = {.size = sizeof asked, .sql = sql, .id = ""}; /* its only column is not an id */
    if (written && !odim_table_read(&table, "", &asked, NULL)) {
        bytes = odim_table_rows(table) == 1 ? odim_table_value(table, 0, 0) : 0;
        odim_table_free(table);
    }
    free(sql);
    return bytes > 0 ? bytes : 0;
}

static double file_size(const char *path)
{
    struct stat info;
    double size = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (double)info.st_size : 0;
    double cells = is_parquet(path) ? parquet_size(path) : 0;
    return cells > size ? cells : size;
}

double cli_files_size(const char *path, const odim_read_options *reading)
{
    double size = file_size(path);
    for (const char *const *more = reading->more_files; more && *more; more++) size += file_size(*more);
    return size;
}
