/*
 * The checkpoint of a job, from which another run resumes. It is a folder with a file `job`, which describes
 * the job, and one file per finished member, per finished chunk of scores, and for the model. A file gets its
 * name only when it is complete. It ends with a seal that identifies file and job and has a hash of the
 * bytes. The folder may be shared, or there may be one per machine: every rank uses what it finds. One job at
 * a time uses a folder (folder.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"
#include "contents.h"
#include "folder.h"
#include "job.h"

#define MAGIC UINT64_C(0x31747261506d646f)
#define HEAD  "odim-mpi checkpoint 2\n"

static char folder[4000];
static bool temporary;
static uint64_t fingerprint;

/* The end of a file, after its contents. */
typedef struct seal {
    uint64_t magic, fingerprint, number, size, extra, hash;
} seal;

static odim_status fail_file(const char *path, odim_error *err)
{
    return od_fail(err, ODIM_ERR_IO, "%s: %s", path, strerror(errno));
}

static void name_file(char *path, size_t size, const char *name, int64_t number)
{
    snprintf(path, size, "%s/%s-%06lld", folder, name, (long long)number);
}

/* ---- the description of the job ------------------------------------------------------------------- */

/* Blanks and control characters are escaped, so that different options never give the same line. */
static void put_option(od_byte_writer *text, const char *name, const char *value)
{
    char code[8];
    if (!value) return;
    od_bytes_put(text, " ", 1);
    od_bytes_put(text, name, strlen(name));
    od_bytes_put(text, "=", 1);
    for (const char *at = value; *at; at++) {
        unsigned char c = (unsigned char)*at;
        bool plain = c > ' ' && c != '\\' && c != 127;
        if (!plain) snprintf(code, sizeof code, "\\%03o", c);
        od_bytes_put(text, plain ? at : code, plain ? 1 : 4);
    }
}

static void put_number(od_byte_writer *text, const char *name, int64_t value)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)value);
    put_option(text, name, number);
}

static void put_list(od_byte_writer *text, const char *name, const char *const *list)
{
    for (; list && *list; list++) put_option(text, name, *list);
}

static void put_line(od_byte_writer *text, const char *line)
{
    od_bytes_put(text, line, strlen(line));
}

/* One line per kind of setting that the result depends on, so that a message can say which has changed. */
static void describe(od_byte_writer *text, const job_context *job, uint64_t contents)
{
    const odim_read_options *o = &job->reading;
    char line[256];
    put_line(text, HEAD);
    snprintf(line, sizeof line, "version %s\ncommand %s\n", odim_version(), job->verb);
    put_line(text, line);
    put_line(text, "input");
    for (int64_t i = 0; i < job->files; i++) put_number(text, "bytes", job->file[i].size);
    snprintf(line, sizeof line, " contents=%016" PRIx64 "\n", contents);
    put_line(text, line);
    put_line(text, "parameters");
    for (int i = 0; job->params && odim_param_at(i); i++) {
        const odim_param_info *info = odim_param_at(i);
        if (strcmp(info->group, "Running") != 0)
            put_option(text, info->name, odim_params_get(job->params, info->name));
    }
    put_line(text, "\nreading");
    put_option(text, "format", o->format);
    put_option(text, "label", o->label);
    put_option(text, "id", o->id);
    put_option(text, "known", o->known);
    put_list(text, "ignore", o->ignore);
    put_list(text, "only", o->only);
    put_list(text, "numeric", o->numeric);
    put_list(text, "boolean", o->boolean);
    put_list(text, "categorical", o->categorical);
    put_list(text, "time", o->time);
    put_list(text, "na", o->na);
    put_number(text, "delimiter", o->delimiter);
    put_number(text, "header", o->header);
    put_line(text, "\nmodel");
    if (job->load && job->model) {
        char print[17];
        odim_model_fingerprint(job->model, print);
        put_option(text, "fingerprint", print);
    }
    put_line(text, "\noutput");
    if (job->set) {
        cli_row_format format = cli_writer_format(job->set->output_format, job->set->output);
        put_number(text, "format", format);
        put_number(text, "keep", job->set->keep);
        put_number(text, "explain", job->set->explain);
        if (job->set->raw_scores) put_number(text, "raw-scores", job->set->raw_scores);
        put_number(text, "provenance", job->set->provenance);
        put_option(text, "threshold", job->set->threshold);
        if (job->set->provenance) put_option(text, "file", job->file[0].path);
    }
    put_line(text, "\n");
}

/* Shares rank 0's description with all ranks, and sets the fingerprint. */
static odim_status share_description(const job_context *job, uint64_t contents, char **text, odim_error *err)
{
    od_byte_writer out = {0};
    if (job_comm_rank == 0) {
        describe(&out, job, contents);
        od_bytes_put_u8(&out, 0);
    }
    odim_status status = job_comm_agree(out.nomem ? od_fail_nomem(err) : ODIM_OK, err);
    void *bytes = out.bytes;
    size_t size = out.size;
    if (!status) status = job_comm_broadcast(&bytes, &size, err);
    if (status) return status;
    od_byte_writer hasher = od_bytes_hasher();
    od_bytes_put(&hasher, bytes, size);
    fingerprint = hasher.hash;
    *text = bytes;
    return ODIM_OK;
}

/* Names the first line that differs by its first word. */
static odim_status fail_other(const char *path, const char *old, const char *new, odim_error *err)
{
    size_t line = 0;
    for (size_t i = 0; old[i] && old[i] == new[i]; i++)
        if (old[i] == '\n') line = i + 1;
    int len = (int)strcspn(new + line, " \n");
    return od_fail(err, ODIM_ERR_PARAM,
                   "%s: is the checkpoint of another job (different %.*s); use another folder, or remove it",
                   path, len, new + line);
}

static odim_status check_job(const char *text, odim_error *err)
{
    char path[4096], temp[4096 + 32];
    snprintf(path, sizeof path, "%s/job", folder);
    snprintf(temp, sizeof temp, "%s.%d.tmp", path, job_comm_rank);
    size_t size = strlen(text), got = 0;
    char *old = od_calloc(size + 2, 1);
    if (!old) return od_fail_nomem(err);
    FILE *f = fopen(path, "r");
    odim_status status = ODIM_OK;
    if (f) {
        got = fread(old, 1, size + 1, f);
        fclose(f);
        if (got != size || memcmp(old, text, size) != 0) status = fail_other(folder, old, text, err);
    } else if (errno != ENOENT || !(f = fopen(temp, "w"))) {
        status = fail_file(path, err);
    } else {
        bool fine = fwrite(text, 1, size, f) == size;
        fine = fclose(f) == 0 && fine && rename(temp, path) == 0;
        if (!fine) status = fail_file(path, err);
    }
    od_free(old);
    return status;
}

/* Without --checkpoint: rank 0 makes a folder next to the output, and shares its name. */
static odim_status make_temporary(const job_context *job, odim_error *err)
{
    odim_status status = ODIM_OK;
    temporary = true;
    if (job_comm_rank == 0) {
        const char *out = job->set->output, *slash = strrchr(out, '/');
        snprintf(folder, sizeof folder, "%.*s.odim-mpi-%ld-%lld", slash ? (int)(slash - out) + 1 : 0, out,
                 (long)getpid(), (long long)time(NULL));
        if (mkdir(folder, 0777)) status = fail_file(folder, err);
    }
    status = job_comm_agree(status, err);
    if (!status) job_comm_share(folder, sizeof folder);
    return status;
}

/* Locks the folder that --checkpoint names. */
static odim_status take_folder(const job_context *job, odim_error *err)
{
    bool locks;
    char note[sizeof folder + 128];
    if (strlen(job->checkpoint) >= sizeof folder)
        return job_comm_agree(od_fail(err, ODIM_ERR_PARAM, "the name of the checkpoint folder is too long"),
                              err);
    snprintf(folder, sizeof folder, "%s", job->checkpoint);
    odim_status status = job_folder_take(folder, &locks, err);
    snprintf(note, sizeof note,
             "%s: the file system has no locks; make sure that no other job uses this folder", folder);
    if (!status && !locks) cli_run_note(job->work, note);
    return status;
}

odim_status job_checkpoint_open(job_context *job, odim_error *err)
{
    char *text = NULL;
    uint64_t contents = 0;
    odim_status status = ODIM_OK;
    if (job->checkpoint) {
        status = take_folder(job, err);
        if (!status) status = job_contents_hash(job, &contents, err);
    } else if (job->set) {
        status = make_temporary(job, err);
    }
    if (!status) status = share_description(job, contents, &text, err);
    if (!status && job->checkpoint) status = check_job(text, err);
    od_free(text);
    return job_comm_agree(status, err);
}

/* ---- files ---------------------------------------------------------------------------------------- */

FILE *job_checkpoint_read(const char *name, int64_t number, int64_t *size, uint64_t *extra)
{
    char path[4096];
    seal s;
    name_file(path, sizeof path, name, number);
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    bool fine = fseeko(f, -(off_t)sizeof s, SEEK_END) == 0 && fread(&s, sizeof s, 1, f) == 1;
    fine = fine && s.magic == MAGIC && s.fingerprint == fingerprint && s.number == (uint64_t)number;
    fine = fine && (uint64_t)ftello(f) == s.size + sizeof s && fseeko(f, 0, SEEK_SET) == 0;
    if (!fine) {
        fclose(f);
        return NULL;
    }
    *size = (int64_t)s.size;
    if (extra) *extra = s.extra;
    return f;
}

/* True if the bytes are those that were written. */
static bool is_whole(FILE *f, int64_t size)
{
    static char buf[1 << 16];
    od_byte_writer hasher = od_bytes_hasher();
    seal s;
    for (int64_t left = size; left > 0;) {
        size_t want = left < (int64_t)sizeof buf ? (size_t)left : sizeof buf;
        if (fread(buf, 1, want, f) != want) return false;
        od_bytes_put(&hasher, buf, want);
        left -= (int64_t)want;
    }
    return fread(&s, sizeof s, 1, f) == 1 && s.hash == hasher.hash;
}

bool job_checkpoint_has(const char *name, int64_t number)
{
    int64_t size;
    FILE *f = job_checkpoint_read(name, number, &size, NULL);
    bool whole = f && is_whole(f, size);
    if (f) fclose(f);
    return whole;
}

odim_status job_checkpoint_load(const char *name, int64_t number, void **bytes, size_t *size, odim_error *err)
{
    int64_t count = 0;
    FILE *f = job_checkpoint_read(name, number, &count, NULL);
    *size = (size_t)count;
    *bytes = f ? od_alloc(*size, 1) : NULL;
    bool fine = *bytes && fread(*bytes, 1, *size, f) == *size;
    if (f) fclose(f);
    if (fine) return ODIM_OK;
    od_free(*bytes);
    *bytes = NULL;
    return od_fail(err, ODIM_ERR_IO, "%s: %s %lld can no longer be read", folder, name, (long long)number);
}

odim_status job_checkpoint_begin(job_kept *k, const char *name, int64_t number, odim_error *err)
{
    *k = (job_kept){.number = (uint64_t)number, .hash = od_bytes_hasher().hash};
    name_file(k->path, sizeof k->path, name, number);
    snprintf(k->temp, sizeof k->temp, "%s.%d.tmp", k->path, job_comm_rank);
    k->file = fopen(k->temp, "wb");
    return k->file ? ODIM_OK : fail_file(k->temp, err);
}

odim_status job_checkpoint_add(job_kept *k, const void *bytes, size_t size, odim_error *err)
{
    od_byte_writer hasher = od_bytes_hasher();
    hasher.hash = k->hash;
    od_bytes_put(&hasher, bytes, size);
    k->hash = hasher.hash;
    k->size += size;
    return fwrite(bytes, 1, size, k->file) == size ? ODIM_OK : fail_file(k->path, err);
}

odim_status job_checkpoint_end(job_kept *k, uint64_t extra, odim_error *err)
{
    seal s = {MAGIC, fingerprint, k->number, k->size, extra, k->hash};
    bool fine = fwrite(&s, sizeof s, 1, k->file) == 1 && fflush(k->file) == 0;
    fine = fine && (temporary || fsync(fileno(k->file)) == 0);
    odim_status status = fine ? ODIM_OK : fail_file(k->path, err);
    if (fclose(k->file) && !status) status = fail_file(k->path, err);
    k->file = NULL;
    if (!status && rename(k->temp, k->path)) status = fail_file(k->path, err);
    if (status) unlink(k->temp);
    return status;
}

void job_checkpoint_discard(job_kept *k)
{
    if (!k->file) return;
    fclose(k->file);
    k->file = NULL;
    unlink(k->temp);
}

odim_status job_checkpoint_save(const char *name, int64_t number, const void *bytes, size_t size,
                                odim_error *err)
{
    job_kept k;
    odim_status status = job_checkpoint_begin(&k, name, number, err);
    if (!status) status = job_checkpoint_add(&k, bytes, size, err);
    if (!status) status = job_checkpoint_end(&k, 0, err);
    job_checkpoint_discard(&k);
    return status;
}

/* True for names of our files, such as job, chunk-000001, and chunk-000001.2.tmp of a killed run. The folder
 * is the user's and may hold other files. */
static bool is_ours(const char *name)
{
    static const char *const kinds[] = {"job", "member-", "chunk-", "model-"}; /* the lock is removed last */
    static const char digits[] = "0123456789";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t len = strlen(kinds[i]);
        if (strncmp(name, kinds[i], len) != 0) continue;
        const char *rest = name + len;
        size_t number = strspn(rest, digits);
        if (i == 0 ? number > 0 : number < 6) return false;
        rest += number;
        if (*rest == '\0') return true;
        return *rest == '.' && strcmp(rest + 1 + strspn(rest + 1, digits), ".tmp") == 0;
    }
    return false;
}

static void remove_ours(void)
{
    char path[4096 + 256];
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir));) {
        if (!is_ours(e->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    closedir(dir);
    snprintf(path, sizeof path, "%s/%s", folder, JOB_FOLDER_LOCK);
    if (!temporary) unlink(path);
    rmdir(folder);
}

void job_checkpoint_close(bool done)
{
    if (folder[0] && (temporary || (done && job_folder_is_mine()))) remove_ours();
    folder[0] = '\0';
    job_folder_leave();
}
