/* Opens the table in a zip archive. */
#include "prep/archive.h"

#include <string.h>

#include "common/mem.h"
#include "io/zip_pick.h"

/* A member may be an NPZ file or a workbook, but not an archive of files once more. */
static odim_status refuse_nested(od_source *inner, const odim_read_options *o, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    od_zip zip;
    odim_status status = od_source_peek(inner, &bytes, &size, err);
    if (status || !od_zip_is(bytes, size)) return status;
    od_source_limit(inner, od_mem_limit(o->unpacked));
    status = od_source_map(inner, &bytes, &size, err);
    if (!status) status = od_zip_open(&zip, bytes, size, err);
    if (status) return status;
    if (od_zip_is_folder(&zip))
        status = od_fail(err, ODIM_ERR_FORMAT, "a zip archive in a zip archive is not read; unpack it first");
    od_zip_close(&zip);
    return status;
}

static odim_status open_member(od_archive *a, od_source **src, const odim_read_options *o, odim_error *err)
{
    size_t at = 0;
    od_source *inner = NULL;
    odim_status status = od_zip_pick(&a->zip, o->entry, &at, err);
    if (status) return status;
    const od_zip_member *m = &a->zip.members[at];
    size_t len = m->name_len < sizeof a->name ? m->name_len : sizeof a->name - 1;
    memcpy(a->name, m->name + m->name_len - len, len);
    a->name[len] = '\0';
    status = od_zip_source(&a->zip, at, &inner, err);
    if (!status) status = od_source_find_filters(&inner, err);
    if (!status) status = refuse_nested(inner, o, err);
    if (status) {
        char shown[80];
        od_source_close(inner);
        return od_error_prefix(err, status, od_printable(shown, sizeof shown, a->name, len));
    }
    a->outer = *src;
    *src = inner;
    return ODIM_OK;
}

odim_status od_archive_enter(od_archive *a, od_source **src, od_format format, const odim_read_options *o,
                             odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    odim_status status = od_source_peek(*src, &bytes, &size, err);
    if (status) return status;
    if (!od_zip_is(bytes, size))
        return o->entry ? od_fail(err, ODIM_ERR_DATA, "it is not a zip archive: entry does not apply")
                        : ODIM_OK;
    if (format == OD_FORMAT_NPZ && !o->entry) return ODIM_OK;
    od_source_limit(*src, od_mem_limit(o->unpacked));
    status = od_source_map(*src, &bytes, &size, err);
    if (!status) status = od_zip_open(&a->zip, bytes, size, err);
    if (!status && (o->entry || od_zip_is_folder(&a->zip))) status = open_member(a, src, o, err);
    if (!a->outer) od_zip_close(&a->zip);
    return status;
}

void od_archive_close(od_archive *a)
{
    od_zip_close(&a->zip);
    od_source_close(a->outer);
    *a = (od_archive){0};
}
