/* duckdb_sql FILE STATEMENT...: runs SQL with libduckdb, in a DuckDB file or, if FILE is "", without one. For
 * the tests of the command. It exits with 77 where there is no libduckdb. */
#include "duckdb_sql.h"

int main(int argc, char **argv)
{
    if (!duckdb_is_there()) return 77;
    if (argc < 2) return 2;
    return duckdb_run(*argv[1] ? argv[1] : NULL, (const char *const *)argv + 2, argc - 2) ? 0 : 1;
}
