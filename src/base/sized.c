#include "base/sized.h"

#include <string.h>

static odim_status find_size(const void *sized, const char *name, size_t *size, odim_error *err)
{
    memcpy(size, sized, sizeof *size);
    if (*size >= sizeof *size) return ODIM_OK;
    return od_fail(err, ODIM_ERR_PARAM, "%s: its size is %zu; it must be set to the sizeof of the struct",
                   name, *size);
}

odim_status od_sized_in(void *to, size_t known, const void *from, const char *name, odim_error *err)
{
    memset(to, 0, known);
    memcpy(to, &known, sizeof known);
    if (!from) return ODIM_OK;
    size_t size;
    odim_status status = find_size(from, name, &size, err);
    if (status) return status;
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i])
            return od_fail(err, ODIM_ERR_PARAM,
                           "%s: it sets something that this version of the library (%s) does not know", name,
                           odim_version());
    memcpy(to, from, size < known ? size : known);
    memcpy(to, &known, sizeof known);
    return ODIM_OK;
}

odim_status od_sized_out(void *to, const void *from, size_t known, const char *name, odim_error *err)
{
    size_t size;
    odim_status status = find_size(to, name, &size, err);
    if (status) return status;
    memset(to, 0, size);
    memcpy(to, from, size < known ? size : known);
    memcpy(to, &size, sizeof size);
    return ODIM_OK;
}
