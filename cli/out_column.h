/* A column of the rows that the command writes: its name and the kind of its values. */
#ifndef CLI_OUT_COLUMN_H
#define CLI_OUT_COLUMN_H

typedef enum cli_cell {
    CLI_CELL_INT,
    CLI_CELL_NUMBER, /* nine significant digits, or all of it in NPY */
    CLI_CELL_TEXT,
    CLI_CELL_FLAG /* 0 or 1 */
} cli_cell;

typedef struct cli_out_column {
    const char *name;
    cli_cell kind;
} cli_out_column;

#endif
