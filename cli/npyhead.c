/* The header of an NPY file. */
#include "npyhead.h"

#include <stdio.h>
#include <stdlib.h>

#include "log.h"
#include "common/utf8.h"

enum { LENGTH_AT = 8, HEAD = 10, ALIGN = 64, ROWS_WIDTH = 21, LONGEST = 65535 };

static const char *type_of(cli_cell kind)
{
    return kind == CLI_CELL_INT ? "<i8" : kind == CLI_CELL_NUMBER ? "<f8" : "|u1";
}

/* A string of Python in ASCII, which is all that version 1.0 has room for. */
static void put_name(FILE *to, const char *name)
{
    fputc('\'', to);
    while (*name) {
        uint32_t code;
        int len = od_utf8_decode(name, OD_UTF8_LONGEST, &code);
        name += len ? len : 1;
        if (len == 0)
            fputs("\\ufffd", to);
        else if (code == '\'' || code == '\\')
            fprintf(to, "\\%c", (int)code);
        else if (code < 0x20 || code == 0x7F)
            fprintf(to, "\\x%02x", (unsigned)code);
        else if (code < 0x7F)
            fputc((int)code, to);
        else
            fprintf(to, code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
    }
    fputc('\'', to);
}

/* One column: its type; several: a list of names and types. */
static void put_types(FILE *to, const cli_out_column *columns, int count, int numeric)
{
    const char *before = "[";
    for (int i = 0; i < count; i++) {
        if (columns[i].kind == CLI_CELL_TEXT) continue;
        const char *type = type_of(columns[i].kind);
        if (numeric == 1) {
            fprintf(to, "'%s'", type);
            return;
        }
        fprintf(to, "%s(", before);
        put_name(to, columns[i].name);
        fprintf(to, ", '%s')", type);
        before = ", ";
    }
    fputc(']', to);
}

/* Blanks for a longer number of rows, then for the alignment of what follows, as NumPy does. */
static void put_blanks(FILE *to, int digits)
{
    fprintf(to, "%*s", ROWS_WIDTH - digits, "");
    long end = ftell(to) + 1;
    fprintf(to, "%*s\n", (int)(ALIGN - end % ALIGN), "");
}

static bool refuse(char *header, const char *why)
{
    free(header);
    cli_log("%s", why);
    return false;
}

bool cli_npyhead_make(const cli_out_column *columns, int count, int64_t rows, char **header, size_t *size)
{
    int numeric = 0;
    for (int i = 0; i < count; i++) numeric += columns[i].kind != CLI_CELL_TEXT;
    if (numeric == 0) return refuse(NULL, "NPY contains only numbers, and no column has any");

    FILE *to = open_memstream(header, size);
    if (!to) return refuse(NULL, "out of memory");
    fwrite("\x93NUMPY\x01\x00\x00\x00", 1, HEAD, to);
    fputs("{'descr': ", to);
    put_types(to, columns, count, numeric);
    fputs(", 'fortran_order': False, 'shape': (", to);
    int digits = fprintf(to, "%lld", (long long)rows);
    fputs(",), }", to);
    put_blanks(to, digits);
    bool fine = !ferror(to);
    if (fclose(to) != 0 || !fine) return refuse(*header, "out of memory");
    if (*size - HEAD > LONGEST) return refuse(*header, "the names of the columns are too long for NPY");

    (*header)[LENGTH_AT] = (char)((*size - HEAD) & 0xFF);
    (*header)[LENGTH_AT + 1] = (char)((*size - HEAD) >> 8);
    return true;
}
