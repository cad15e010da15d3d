/* Arrow files and streams; the first byte says what is done about bad rows, and which columns are used. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const nested[] = {"list", "struct", NULL}, *const first[] = {"1", NULL};
    if (size < 1) return 0;
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "arrow", .unpacked = 1 << 24};
    o.bad_rows = (odim_bad_rows)(data[0] % 3);
    o.keep = data[0] / 4 % 2;
    o.ignore = data[0] / 8 % 2 ? nested : NULL;
    o.only = data[0] / 16 % 2 ? first : NULL;
    odim_table *t;
    odim_error err;
    memset(&err, 0xA5, sizeof err);
    odim_status status = odim_table_read_memory(&t, data + 1, size - 1, "fuzz", &o, &err);
    if (status) {
        MUST(!t);
        check_error(status, &err);
    } else {
        check_table(t, (size_t)1 << 26, &o);
        odim_table_free(t);
    }
    return 0;
}
