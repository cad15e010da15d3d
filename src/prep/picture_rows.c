/* Reads a folder of pictures, one picture at a time. */
#include "prep/picture_rows.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "io/picture.h"
#include "prep/pixels.h"

#define DEFAULT_SIDE 16
#define TEXT_ROOM    4 /* of a number up to 255 */

typedef struct picture_rows {
    od_records base;
    od_strlist files;
    size_t at;
    char *path; /* of the folder, and room for a name */
    size_t folder_len, path_room;
    od_pixels pixels;
    size_t most;          /* bytes that a picture may take */
    size_t first;         /* number of columns before the pixels: 1 or 0 */
    unsigned char *cells; /* (pixels) */
    char *texts;          /* (pixels, TEXT_ROOM) */
    od_field *fields;     /* (columns) */
} picture_rows;

bool od_picture_rows_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- the grid --------------------------------------------------------------------------------------- */

static odim_status parse_pixels(od_pixels *p, const char *text, odim_error *err)
{
    char shown[40], *end;
    long cols = strtol(text, &end, 10), rows = 0;
    bool fine = *text >= '1' && *text <= '9' && *end == 'x' && end[1] >= '1' && end[1] <= '9';
    if (fine) rows = strtol(end + 1, &end, 10);
    p->color = fine && strcmp(end, ":color") == 0;
    if (!fine || (*end && !p->color) || cols > OD_PIXELS_SIDE || rows > OD_PIXELS_SIDE)
        return od_fail(
            err, ODIM_ERR_PARAM,
            "pixels must be columns x rows, each at most %d, such as 32x32 or 32x32:color, not '%s'",
            OD_PIXELS_SIDE, od_printable(shown, sizeof shown, text, strlen(text)));
    p->cols = (int)cols;
    p->rows = (int)rows;
    return ODIM_OK;
}

/* The grid that the names of a model's columns tell, of which some may have been ignored. False: they are
 * others. */
static bool find_pixels(od_pixels *p, const od_schema *like)
{
    od_pixels found = {0};
    for (int64_t k = 0; k < like->cols; k++) {
        unsigned row, col;
        char dot = 0;
        if (sscanf(like->col[k].name, "r%3uc%3u%c", &row, &col, &dot) < 2) return false;
        if (row < 1 || col < 1 || row > OD_PIXELS_SIDE || col > OD_PIXELS_SIDE) return false;
        if ((int)row > found.rows) found.rows = (int)row;
        if ((int)col > found.cols) found.cols = (int)col;
        found.color |= dot == '.';
    }
    if (found.rows) *p = found;
    return found.rows > 0;
}

static odim_status name_columns(picture_rows *p, odim_error *err)
{
    odim_status status =
        p->first ? od_strlist_add(&p->base.names, OD_PICTURE_FILE, strlen(OD_PICTURE_FILE), err) : ODIM_OK;
    for (int i = 0; !status && i < od_pixels_count(&p->pixels); i++) {
        char name[32];
        od_pixels_name(&p->pixels, i, name, sizeof name);
        status = od_strlist_add(&p->base.names, name, strlen(name), err);
    }
    return status;
}

/* ---- the folder ------------------------------------------------------------------------------------- */

static bool is_called_picture(const char *name)
{
    static const char *const ends[] = {".png", ".jpg", ".jpeg", ".jpe", ".jfif"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(dot, ends[i]) == 0) return true;
    return false;
}

static odim_status set_name(picture_rows *p, const char *name, odim_error *err)
{
    size_t need = p->folder_len + strlen(name) + 1;
    if (need > p->path_room) {
        char *path = od_grow(p->path, p->folder_len, 2 * need, 1);
        if (!path) return od_fail_nomem(err);
        p->path = path;
        p->path_room = 2 * need;
    }
    memcpy(p->path + p->folder_len, name, strlen(name) + 1);
    return ODIM_OK;
}

static odim_status list_files(picture_rows *p, DIR *dir, od_strlist *notes, odim_error *err)
{
    struct stat info;
    size_t others = 0, folders = 0;
    odim_status status = ODIM_OK;
    for (const struct dirent *e; !status && (e = readdir(dir));) {
        if (*e->d_name == '.') continue;
        if ((status = set_name(p, e->d_name, err))) break;
        bool there = stat(p->path, &info) == 0;
        if (there && S_ISDIR(info.st_mode))
            folders++;
        else if ((there && !S_ISREG(info.st_mode)) || !is_called_picture(e->d_name))
            others++;
        else
            status = od_strlist_add(&p->files, e->d_name, strlen(e->d_name), err);
    }
    if (!status && p->files.count == 0)
        status = od_fail(err, ODIM_ERR_DATA, "the folder has no pictures (.png, .jpg, .jpeg)");
    if (status || others + folders == 0) return status;
    char text[160];
    snprintf(text, sizeof text, "%zu other file%s and %zu folder%s beside the pictures: ignored", others,
             others == 1 ? "" : "s", folders, folders == 1 ? "" : "s");
    return od_strlist_add(notes, text, strlen(text), err);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static odim_status sort_files(picture_rows *p, odim_error *err)
{
    size_t n = p->files.count;
    const char **names = od_alloc(n, sizeof *names);
    if (!names) return od_fail_nomem(err);
    od_strlist sorted = {0};
    odim_status status = ODIM_OK;
    for (size_t i = 0; i < n; i++) names[i] = od_strlist_at(&p->files, i);
    qsort(names, n, sizeof *names, compare);
    for (size_t i = 0; !status && i < n; i++)
        status = od_strlist_add(&sorted, names[i], strlen(names[i]), err);
    od_free(names);
    od_strlist_free(&p->files);
    p->files = sorted;
    return status;
}

static odim_status find_files(picture_rows *p, const char *path, od_strlist *notes, odim_error *err)
{
    size_t len = strlen(path);
    p->folder_len = len + 1;
    p->path_room = len + 300;
    if (!(p->path = od_alloc(p->path_room, 1))) return od_fail_nomem(err);
    memcpy(p->path, path, len);
    p->path[len] = '/';
    DIR *dir = opendir(path);
    if (!dir) return od_fail(err, ODIM_ERR_IO, "cannot be opened: %s", strerror(errno));
    odim_status status = list_files(p, dir, notes, err);
    closedir(dir);
    return status ? status : sort_files(p, err);
}

/* ---- the records ------------------------------------------------------------------------------------ */

/* A picture that cannot be read is a bad row, whatever the reason. */
static odim_status blame(const picture_rows *p, const char *name, odim_status status, odim_error *err)
{
    char shown[100], why[sizeof err->msg];
    if (!status || status == ODIM_ERR_NOMEM || status == ODIM_ERR_CANCELLED) return status;
    memcpy(why, err->msg, sizeof why);
    return od_fail_at(err, ODIM_ERR_FORMAT, (int64_t)p->at, 0, "row %zu (%s): %s", p->at,
                      od_printable(shown, sizeof shown, name, strlen(name)), why);
}

static odim_status read_picture(picture_rows *p, const char *name, odim_error *err)
{
    od_source *src;
    odim_status status = set_name(p, name, err);
    if (status) return status;
    if ((status = od_source_open(&src, p->path, err))) return status;
    status = od_picture_read(src, &p->pixels, p->most, p->cells, err);
    od_source_close(src);
    return status;
}

static void give_cells(picture_rows *p)
{
    for (size_t i = 0; i < (size_t)od_pixels_count(&p->pixels); i++) {
        size_t col = p->first + i;
        char *text = p->texts + i * TEXT_ROOM;
        bool bare = p->base.as[col] == OD_CELLS_BARE;
        int len = bare ? 0 : snprintf(text, TEXT_ROOM, "%d", p->cells[i]);
        p->base.number[col] = p->cells[i];
        p->fields[col] = (od_field){.text = text, .len = (size_t)len};
    }
}

static odim_status next(od_records *r, od_record *out, odim_error *err)
{
    picture_rows *p = (picture_rows *)r;
    *out = (od_record){0};
    if (p->at == p->files.count) return ODIM_OK;
    const char *name = od_strlist_at(&p->files, p->at++);
    r->bad_id = name;
    odim_status status = blame(p, name, read_picture(p, name, err), err);
    if (status) return status;
    if (p->first) p->fields[0] = (od_field){.text = name, .len = strlen(name)};
    give_cells(p);
    *out = (od_record){.fields = p->fields, .count = r->names.count, .row = (int64_t)p->at};
    return ODIM_OK;
}

static odim_status rewind_pictures(od_records *r, odim_error *err)
{
    (void)err;
    ((picture_rows *)r)->at = 0;
    return ODIM_OK;
}

static void close_pictures(od_records *r)
{
    picture_rows *p = (picture_rows *)r;
    od_strlist_free(&r->names);
    od_strlist_free(&p->files);
    od_free(r->as);
    od_free(r->number);
    od_free(p->path);
    od_free(p->cells);
    od_free(p->texts);
    od_free(p->fields);
    od_free(p);
}

static odim_status make_room(picture_rows *p, odim_error *err)
{
    size_t pixels = (size_t)od_pixels_count(&p->pixels), columns = p->first + pixels;
    p->cells = od_alloc(pixels, 1);
    p->texts = od_calloc(pixels, TEXT_ROOM);
    p->fields = od_calloc(columns, sizeof *p->fields);
    p->base.as = od_alloc(columns, sizeof *p->base.as);
    p->base.number = od_calloc(columns, sizeof *p->base.number);
    if (!p->cells || !p->texts || !p->fields || !p->base.as || !p->base.number) return od_fail_nomem(err);
    for (size_t j = 0; j < columns; j++) p->base.as[j] = j < p->first ? OD_CELLS_TEXT : OD_CELLS_NUMBER;
    return name_columns(p, err);
}

odim_status od_picture_rows_open(od_records **out, const char *path, const od_table_input *in,
                                 od_strlist *notes, odim_error *err)
{
    const odim_read_options *o = in->options;
    odim_status status = ODIM_OK;
    picture_rows *p = od_calloc(1, sizeof *p);
    *out = NULL;
    if (!p) return od_fail_nomem(err);
    p->base =
        (od_records){.next = next, .rewind = rewind_pictures, .close = close_pictures, .only_numbers = true};
    p->pixels = (od_pixels){.cols = DEFAULT_SIDE, .rows = DEFAULT_SIDE};
    p->most = od_mem_limit(o->unpacked);
    p->first = !(o->id && !*o->id);
    if (o->pixels)
        status = parse_pixels(&p->pixels, o->pixels, err);
    else if (in->like)
        find_pixels(&p->pixels, in->like);
    if (!status) status = find_files(p, path, notes, err);
    if (!status) status = make_room(p, err);
    if (status)
        close_pictures(&p->base);
    else
        *out = &p->base;
    return status;
}
