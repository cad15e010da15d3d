/* JSON and JSON lines, the first byte says which; also what comes behind a bad row. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    odim_read_options o = {.size = sizeof(odim_read_options), .format = data[0] & 1 ? "jsonl" : "json"};
    o.bad_rows = (odim_bad_rows)(data[0] / 2 % 3);
    o.keep = data[0] / 8 % 2;
    return fuzz_read(data + 1, size - 1, &o);
}
