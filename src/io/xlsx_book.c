/* Finds the sheets of an Excel workbook, and opens the files of its archive. */
#include "io/xlsx_book.h"

#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "base/hint.h"

/* Longer paths of files are not looked for. */
#define PATH_ROOM 256
/* More than any workbook has. */
#define RELATIONS_MOST 16384

/* ---- the archive ---------------------------------------------------------------------------------- */

/* Names of files are compared without regard to case, as the standard says. */
static bool find_member(const od_zip *zip, const char *path, size_t *out)
{
    size_t len = strlen(path);
    for (size_t i = 0; i < zip->count; i++) {
        const od_zip_member *m = &zip->members[i];
        if (m->name_len != len || strncasecmp(m->name, path, len) != 0) continue;
        *out = i;
        return true;
    }
    return false;
}

/* An OpenDocument file; *out: the file that has its content. */
static bool is_ods(const od_zip *zip, size_t *out)
{
    return find_member(zip, "mimetype", out) && find_member(zip, "content.xml", out);
}

bool od_book_is(const od_zip *zip)
{
    size_t at;
    return find_member(zip, "[Content_Types].xml", &at) || find_member(zip, "xl/workbook.xml", &at) ||
           is_ods(zip, &at);
}

odim_status od_book_blame(const od_book *b, size_t member, odim_status status, odim_error *err)
{
    char name[80];
    const od_zip_member *m = &b->zip.members[member];
    return od_error_prefix(err, status, od_printable(name, sizeof name, m->name, m->name_len));
}

odim_status od_book_xml(const od_book *b, size_t member, const od_xml_handler *handler, void *ctx,
                        od_xml **out, odim_error *err)
{
    od_source *src;
    *out = NULL;
    odim_status status = ODIM_OK;
    if (b->zip.members[member].size > b->limit)
        status = od_fail(err, ODIM_ERR_DATA,
                         "it unpacks to more than %.1f MB, the most that is allowed; if the file can be "
                         "trusted, allow more%s",
                         (double)b->limit / 1048576.0, OD_HINT("unpacked"));
    if (!status) status = od_zip_source(&b->zip, member, &src, err);
    if (!status) status = od_xml_open(out, src, handler, ctx, err);
    return od_book_blame(b, member, status, err);
}

odim_status od_book_run(const od_book *b, size_t member, const od_xml_handler *handler, void *ctx,
                        odim_error *err)
{
    od_xml *xml;
    bool end = false;
    odim_status status = od_book_xml(b, member, handler, ctx, &xml, err);
    if (status) return status;
    while (!status && !end) status = od_xml_run(xml, &end, err);
    od_xml_close(xml);
    return od_book_blame(b, member, status, err);
}

/* ---- relationships -------------------------------------------------------------------------------- */

typedef struct relations {
    od_strlist ids, types, targets;
} relations;

static odim_status add_relation(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    relations *r = ctx;
    const char *id = od_xml_attr(attrs, "Id"), *type = od_xml_attr(attrs, "Type"),
               *target = od_xml_attr(attrs, "Target");
    if (strcmp(name, "Relationship") != 0 || !id || !type || !target) return ODIM_OK;
    if (r->ids.count == RELATIONS_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "it names more than %d files", RELATIONS_MOST);
    const char *last = strrchr(type, '/'); /* what is before it differs between versions of the standard */
    type = last ? last + 1 : type;
    odim_status status = od_strlist_add(&r->ids, id, strlen(id), err);
    if (!status) status = od_strlist_add(&r->types, type, strlen(type), err);
    if (!status) status = od_strlist_add(&r->targets, target, strlen(target), err);
    return status;
}

static odim_status ignore_end(void *ctx, const char *name, odim_error *err)
{
    (void)ctx, (void)name, (void)err;
    return ODIM_OK;
}

static void free_relations(relations *r)
{
    od_strlist_free(&r->ids);
    od_strlist_free(&r->types);
    od_strlist_free(&r->targets);
}

/* Reads xl/_rels/workbook.xml.rels for xl/workbook.xml; for "" that of the archive. */
static odim_status read_relations(const od_book *b, const char *of, relations *out, odim_error *err)
{
    static const od_xml_handler handler = {add_relation, ignore_end, NULL};
    const char *slash = strrchr(of, '/');
    size_t folder = slash ? (size_t)(slash + 1 - of) : 0, len = strlen(of), member;
    char path[PATH_ROOM];
    if (len + sizeof "_rels/.rels" > sizeof path) return ODIM_OK;
    memcpy(path, of, folder);
    memcpy(path + folder, "_rels/", 6);
    memcpy(path + folder + 6, of + folder, len - folder);
    memcpy(path + len + 6, ".rels", 6);
    return find_member(&b->zip, path, &member) ? od_book_run(b, member, &handler, out, err) : ODIM_OK;
}

/* Where a target leads: it is absolute, or begins at the folder of the file that names it. */
static bool resolve(const char *of, const char *target, char path[PATH_ROOM])
{
    const char *slash = strrchr(of, '/');
    size_t len = *target == '/' || !slash ? 0 : (size_t)(slash + 1 - of);
    memcpy(path, of, len);
    while (*target == '/') target++;
    for (; strncmp(target, "./", 2) == 0 || strncmp(target, "../", 3) == 0; target = strchr(target, '/') + 1)
        if (target[1] == '.' && len)
            for (len--; len && path[len - 1] != '/';) len--;
    if (len + strlen(target) >= PATH_ROOM) return false;
    memcpy(path + len, target, strlen(target) + 1);
    return true;
}

/* The file of relation i. */
static bool find_target(const od_book *b, const char *of, const relations *r, size_t i, size_t *member)
{
    char path[PATH_ROOM];
    return resolve(of, od_strlist_at(&r->targets, i), path) && find_member(&b->zip, path, member);
}

/* The file of the first relation of that type. */
static bool find_type(const od_book *b, const char *of, const relations *r, const char *type, size_t *member)
{
    for (size_t i = 0; i < r->ids.count; i++)
        if (strcmp(od_strlist_at(&r->types, i), type) == 0) return find_target(b, of, r, i, member);
    return false;
}

odim_status od_book_add_sheet(od_book *b, const char *name, od_book_sheet sheet, odim_error *err)
{
    if (b->names.count == b->sheets_cap) {
        size_t cap = b->sheets_cap ? b->sheets_cap * 2 : 16;
        od_book_sheet *sheets = od_grow(b->sheets, b->sheets_cap, cap, sizeof *sheets);
        if (!sheets) return od_fail_nomem(err);
        b->sheets = sheets;
        b->sheets_cap = cap;
    }
    b->sheets[b->names.count] = sheet;
    return od_strlist_add(&b->names, name, strlen(name), err);
}

/* ---- the workbook --------------------------------------------------------------------------------- */

typedef struct workbook {
    od_book *book;
    const char *path;
    const relations *relations;
} workbook;

static odim_status add_sheet(workbook *w, const char **attrs, odim_error *err)
{
    od_book *b = w->book;
    const char *name = od_xml_attr(attrs, "name"), *id = od_xml_attr(attrs, "id"),
               *state = od_xml_attr(attrs, "state");
    size_t i = 0, member;
    if (b->names.count == RELATIONS_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "it has more than %d sheets", RELATIONS_MOST);
    while (id && i < w->relations->ids.count && strcmp(od_strlist_at(&w->relations->ids, i), id) != 0) i++;
    if (!id || !name || i == w->relations->ids.count) return ODIM_OK;
    if (strcmp(od_strlist_at(&w->relations->types, i), "worksheet") != 0) return ODIM_OK; /* a chart */
    if (!find_target(b, w->path, w->relations, i, &member)) {
        char shown[60];
        return od_fail(err, ODIM_ERR_FORMAT, "the archive lacks the file of sheet '%s'",
                       od_printable(shown, sizeof shown, name, strlen(name)));
    }
    bool hidden = state && strcmp(state, "visible") != 0;
    return od_book_add_sheet(b, name, (od_book_sheet){member, hidden}, err);
}

static odim_status start_workbook(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    workbook *w = ctx;
    if (strcmp(name, "workbookPr") == 0) {
        const char *from = od_xml_attr(attrs, "date1904");
        w->book->from_1904 = from && (strcmp(from, "1") == 0 || strcmp(from, "true") == 0);
    }
    return strcmp(name, "sheet") == 0 ? add_sheet(w, attrs, err) : ODIM_OK;
}

/* What cells refer to. A workbook of numbers needs neither file. */
static odim_status read_shared(od_book *b, const char *path, const relations *r, odim_error *err)
{
    size_t member;
    odim_status status = ODIM_OK;
    if (find_type(b, path, r, "sharedStrings", &member)) status = od_book_read_strings(b, member, err);
    if (!status && find_type(b, path, r, "styles", &member)) status = od_book_read_styles(b, member, err);
    return status;
}

static odim_status read_workbook(od_book *b, const char *path, size_t member, odim_error *err)
{
    static const od_xml_handler handler = {start_workbook, ignore_end, NULL};
    relations r = {0};
    odim_status status = read_relations(b, path, &r, err);
    if (!status) status = od_book_run(b, member, &handler, &(workbook){b, path, &r}, err);
    if (!status && b->names.count == 0) status = od_fail(err, ODIM_ERR_DATA, "the workbook has no sheets");
    if (!status) status = read_shared(b, path, &r, err);
    free_relations(&r);
    return status;
}

static odim_status find_workbook(od_book *b, odim_error *err)
{
    relations r = {0};
    char path[PATH_ROOM] = "xl/workbook.xml";
    size_t member;
    odim_status status = read_relations(b, "", &r, err);
    for (size_t i = 0; !status && i < r.ids.count; i++)
        if (strcmp(od_strlist_at(&r.types, i), "officeDocument") == 0)
            if (!resolve("", od_strlist_at(&r.targets, i), path)) *path = '\0';
    free_relations(&r);
    if (status) return status;
    size_t len = strlen(path);
    if (find_member(&b->zip, "xl/workbook.bin", &member) || (len > 4 && !strcmp(path + len - 4, ".bin")))
        return od_fail(err, ODIM_ERR_FORMAT,
                       "it is a binary workbook (.xlsb), which cannot be read; save it "
                       "as .xlsx or CSV");
    if (!find_member(&b->zip, path, &member) || strncasecmp(path, "xl/", 3) != 0)
        return od_fail(err, ODIM_ERR_FORMAT,
                       "it is an Office file without a workbook; save the table as "
                       ".xlsx or CSV");
    return read_workbook(b, path, member, err);
}

odim_status od_book_open(od_book *b, const unsigned char *bytes, size_t size, size_t limit, odim_error *err)
{
    *b = (od_book){.limit = limit};
    size_t content, manifest;
    odim_status status = od_zip_open(&b->zip, bytes, size, err);
    if (!status && is_ods(&b->zip, &content)) {
        bool listed = find_member(&b->zip, "META-INF/manifest.xml", &manifest);
        status = od_book_read_ods(b, content, listed ? &manifest : NULL, err);
    } else if (!status) {
        status = find_workbook(b, err);
    }
    if (status) od_book_close(b);
    return status;
}

void od_book_close(od_book *b)
{
    od_zip_close(&b->zip);
    od_strlist_free(&b->names);
    od_strlist_free(&b->strings);
    od_free(b->sheets);
    od_free(b->dates);
    *b = (od_book){0};
}
