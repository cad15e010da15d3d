/* Finds the arrays X and y in an NPZ archive, and opens them. */
#include "io/npz.h"

#include <stdio.h>
#include <string.h>

/* Is it an array, and if `name` is given, that one? */
static bool is_array(const od_zip_member *m, const char *name)
{
    if (m->name_len < 4 || memcmp(m->name + m->name_len - 4, ".npy", 4) != 0) return false;
    return !name || (strlen(name) == m->name_len - 4 && memcmp(m->name, name, m->name_len - 4) == 0);
}

/* Counts the arrays of that name (NULL: any but y); *at is the last. */
static size_t count_arrays(const od_zip *zip, const char *name, size_t *at)
{
    size_t found = 0;
    for (size_t i = 0; i < zip->count; i++) {
        if (!is_array(&zip->members[i], name) || (!name && is_array(&zip->members[i], "y"))) continue;
        *at = i;
        found++;
    }
    return found;
}

static odim_status fail_without_x(const od_zip *zip, odim_error *err)
{
    char list[120] = "";
    size_t len = 0, shown = 0;
    for (; shown < zip->count && shown < 8; shown++) {
        char name[40];
        const od_zip_member *m = &zip->members[shown];
        od_printable(name, sizeof name, m->name, m->name_len);
        if (len + strlen(name) + 3 > sizeof list) break;
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", shown ? ", " : "", name);
    }
    char rest[32] = "";
    if (shown < zip->count) snprintf(rest, sizeof rest, " and %zu more", zip->count - shown);
    size_t at;
    if (count_arrays(zip, NULL, &at) == 0)
        return od_fail(
            err, ODIM_ERR_DATA,
            "a zip archive without an array to read (%s%s%s); if it is a spreadsheet, save it as CSV",
            zip->count ? "it holds " : "it is empty", list, rest);
    return od_fail(
        err, ODIM_ERR_DATA,
        "no array X among several (%s%s): save the rows under that name, numpy.savez(file, X=rows)", list,
        rest);
}

odim_status od_npz_open(od_npz *out, const unsigned char *bytes, size_t size, odim_error *err)
{
    *out = (od_npz){0};
    odim_status status = od_zip_open(&out->zip, bytes, size, err);
    if (status) return status;
    size_t x = count_arrays(&out->zip, "X", &out->x), y = count_arrays(&out->zip, "y", &out->y);
    out->has_y = y > 0;
    if (x > 1 || y > 1)
        status = od_fail(err, ODIM_ERR_DATA, "it holds several arrays named %s", x > 1 ? "X" : "y");
    else if (x == 0 && count_arrays(&out->zip, NULL, &out->x) != 1)
        status = fail_without_x(&out->zip, err);
    if (status) od_npz_close(out);
    return status;
}

void od_npz_close(od_npz *npz)
{
    od_zip_close(&npz->zip);
}

odim_status od_npz_blame(const od_npz *npz, size_t member, odim_status status, odim_error *err)
{
    char name[64];
    const od_zip_member *m = &npz->zip.members[member];
    return od_error_prefix(err, status, od_printable(name, sizeof name, m->name, m->name_len));
}

odim_status od_npz_member(const od_npz *npz, size_t member, od_source **src, od_dense *header,
                          odim_error *err)
{
    odim_status status = od_zip_source(&npz->zip, member, src, err);
    if (!status) status = od_npy_header(*src, header, err);
    if (status) {
        od_source_close(*src);
        *src = NULL;
    }
    return od_npz_blame(npz, member, status, err);
}
