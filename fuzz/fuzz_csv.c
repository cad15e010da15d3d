/* CSV and TSV. The first two bytes choose the options, the rest is the file. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {NULL, "1", "2", "a", "y", "x3", "id", "nothing"};
    static const char *const lists[] = {NULL, "1", "b,2", "a, x3"};
    static const char delimiters[] = {0, 0, 0, ',', ';', '\t', '|', ' '};
    if (size < 2) return 0;
    odim_read_options o = {.format = data[0] & 1 ? "tsv" : "csv",
                           .header = (data[0] >> 1 & 3) == 1   ? 1
                                     : (data[0] >> 1 & 3) == 2 ? -1
                                                               : 0,
                           .delimiter = delimiters[data[0] >> 3 & 7],
                           .ignore = lists[data[0] >> 6],
                           .label = columns[data[1] & 7],
                           .id = columns[data[1] >> 3 & 7],
                           .only = lists[data[1] >> 6]};
    return fuzz_read(data + 2, size - 2, &o);
}
