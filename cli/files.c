/* The input files of a verb that takes several. */
#include "files.h"

#include <glob.h>
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

double cli_files_size(const char *path, const odim_read_options *reading)
{
    struct stat info;
    double size = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (double)info.st_size : 0;
    for (const char *const *more = reading->more_files; more && *more; more++)
        if (stat(*more, &info) == 0 && S_ISREG(info.st_mode)) size += (double)info.st_size;
    return size;
}
