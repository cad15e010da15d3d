/* Input files of a verb that takes several: operands, or patterns such as 'logs/2024-*.csv'. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "input.h"
#include "run.h"

/*
 * Makes the operands the files of the run: run->path and, in the options for reading, the others. A pattern
 * stands for all files that match, sorted by name, unless a file has that very name. False: no file matches,
 * or a file to write is one of them, which has been reported.
 */
bool cli_files_take(cli_run *run, const cli_operands *operands, const cli_target *targets, int count,
                    odim_read_options *reading);
/* The size of all files together, as far as it is known; of Parquet files the size of their cells. */
double cli_files_size(const char *path, const odim_read_options *reading);

#endif
