/*
 * Scans of parts that were saved. What is accepted must save to bytes that are accepted again, must merge
 * with nothing, and must decide the types of a table or say why not.
 */
#include "fuzz.h"

static void build(const odim_scan *s)
{
    static const int32_t codes[] = {0, 1, 2, 3, 4, -1};
    static const char *const texts[] = {"1,5", "03/04/2024", "x y", "2", "7 kg"};
    const odim_column a = {.size = sizeof a, .name = "a", .codes = codes, .texts = texts, .text_count = 5};
    odim_column b = a, c = a;
    const odim_column *columns[] = {&a, &b, &c};
    odim_table *t;
    odim_error err;
    b.name = "b";
    c.name = "c";
    if (odim_scan_table(s, columns, 3, 6, &t, &err) == ODIM_OK) odim_table_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_error err;
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) return 0;
    memcpy(bytes, data, size);
    fuzz_repair(bytes, size);
    odim_scan *s, *again, *copy;
    odim_status status = odim_scan_load_memory(&s, bytes, size, &err);
    if (status) {
        check_error(status, &err);
    } else {
        void *saved;
        size_t len;
        MUST(!odim_scan_save_memory(s, &saved, &len, &err) &&
             !odim_scan_load_memory(&again, saved, len, &err) && !odim_scan_new(&copy, &err));
        MUST(!odim_scan_merge(copy, again, &err) && odim_scan_parts(copy) == odim_scan_parts(s));
        build(copy);
        odim_scan_free(copy);
        odim_scan_free(again);
        odim_scan_free(s);
        odim_free(saved);
    }
    free(bytes);
    return 0;
}
