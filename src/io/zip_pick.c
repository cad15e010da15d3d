/* Picks the member of a zip archive that is the table. */
#include "io/zip_pick.h"
#include "base/hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const od_zip_member *m, size_t len, const char *end)
{
    size_t n = strlen(end);
    return len > n && strncasecmp(m->name + len - n, end, n) == 0;
}

static bool begins_with(const od_zip_member *m, const char *text)
{
    size_t n = strlen(text);
    return m->name_len >= n && memcmp(m->name, text, n) == 0;
}

static bool is_named(const od_zip_member *m, const char *name)
{
    return strlen(name) == m->name_len && begins_with(m, name);
}

static bool is_file(const od_zip_member *m)
{
    size_t base = m->name_len;
    if (m->name_len == 0 || m->name[m->name_len - 1] == '/' || begins_with(m, "__MACOSX/")) return false;
    while (base && m->name[base - 1] != '/') base--;
    return m->name[base] != '.';
}

static bool is_table(const od_zip_member *m)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    static const char *const ends[] = {".csv",    ".tsv",  ".tab",  ".json", ".jsonl",
                                       ".ndjson", ".xlsx", ".xlsm", ".ods"};
    size_t len = m->name_len;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_with(m, len, packed[i])) len -= strlen(packed[i]);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(m, len, ends[i])) return is_file(m);
    return false;
}

bool od_zip_is_folder(const od_zip *zip)
{
    bool files = false;
    for (size_t i = 0; i < zip->count; i++) {
        const od_zip_member *m = &zip->members[i];
        if (is_named(m, "[Content_Types].xml") || is_named(m, "mimetype") ||
            ends_with(m, m->name_len, ".npy"))
            return false;
        files |= is_file(m);
    }
    return files;
}

/* The files, or only the tables, as many as fit into a message. */
static void list_files(const od_zip *zip, bool tables, char *list, size_t room)
{
    size_t len = 0, left = 0;
    *list = '\0';
    for (size_t i = 0; i < zip->count; i++) {
        const od_zip_member *m = &zip->members[i];
        char name[64];
        if (tables ? !is_table(m) : !is_file(m)) continue;
        od_printable(name, sizeof name, m->name, m->name_len);
        if (left || len + strlen(name) + 32 > room)
            left++;
        else
            len += (size_t)snprintf(list + len, room - len, "%s%s", len ? ", " : "", name);
    }
    if (left) snprintf(list + len, room - len, " and %zu more", left);
}

odim_status od_zip_pick(const od_zip *zip, const char *wanted, size_t *member, odim_error *err)
{
    size_t files = 0, tables = 0, named = 0, file = 0;
    char list[240], shown[64];
    for (size_t i = 0; i < zip->count; i++) {
        const od_zip_member *m = &zip->members[i];
        if (wanted && is_named(m, wanted)) {
            *member = i;
            named++;
        }
        if (is_file(m)) {
            file = i;
            files++;
        }
        if (!wanted && is_table(m)) {
            *member = i;
            tables++;
        }
    }
    if (wanted) {
        if (named == 1) return ODIM_OK;
        list_files(zip, false, list, sizeof list);
        return od_fail(err, ODIM_ERR_DATA, "%s '%s' in the zip archive; it has %s",
                       named ? "several files are called" : "there is no file",
                       od_printable(shown, sizeof shown, wanted, strlen(wanted)), *list ? list : "none");
    }
    if (tables == 1) return ODIM_OK;
    if (tables == 0 && files == 1) {
        *member = file;
        return ODIM_OK;
    }
    list_files(zip, tables > 1, list, sizeof list);
    if (files == 0) return od_fail(err, ODIM_ERR_DATA, "the zip archive has no files");
    return od_fail(err, ODIM_ERR_DATA, "the zip archive has %zu files (%s): name one%s",
                   tables ? tables : files, list, OD_HINT("entry"));
}
