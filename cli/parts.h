/*
 * Parts of a file, for those who have only a queue. A fit has two passes over the rows: a scan, which finds
 * the types of the columns, and the part itself. Both are files that merge.
 */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "input.h"
#include "run.h"

/* Part `part` of `parts`, from 1; 0 of 0: none. */
typedef struct cli_part {
    int64_t part, parts;
} cli_part;

/* Takes "3/8", or NULL, which is none. False: it is something else, which has been reported. */
bool cli_part_take(cli_part *p, const char *option, const char *text);

/* Scans a part of the file of the run. Returns the exit code. */
int cli_parts_scan(cli_run *run, const odim_read_options *reading, const cli_part *part, cli_out *out);
/* Loads the merged scans of so many parts (--scanned). Free *scan, also after a failure. */
int cli_parts_load_scan(odim_scan **scan, const char *path, int64_t parts);
/* Collects what a fit takes from a part. scanned: the merged scans, or NULL: the whole file is scanned. */
int cli_parts_collect(cli_run *run, const odim_read_options *reading, const cli_part *part,
                      const char *scanned, cli_out *out);
/* Merges the files of the run: scans into a scan, which goes to `out`; parts into a model, which does not. */
int cli_parts_merge(cli_run *run, odim_model **model, cli_out *out);

#endif
