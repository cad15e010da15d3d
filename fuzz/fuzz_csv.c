/* CSV and TSV. The first bytes choose the options, the rest is the file. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < FUZZ_OPTIONS) return 0;
    odim_read_options o = fuzz_options(data);
    return fuzz_read(data + FUZZ_OPTIONS, size - FUZZ_OPTIONS, &o);
}
