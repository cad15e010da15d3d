#include "comm.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"
#include "base/status.h"
#include "out.h"
#include "log.h"

/* A message has at most so many bytes; MPI counts in int. */
#define PIECE ((size_t)64 << 20)
/* Seconds: between signs of life, and without one until a rank is taken for lost. */
#define BEAT    1.0
#define SILENCE 20.0

enum { TAG_PIECE = 1, TAG_BEAT = 2, HOST = 64 };

int job_comm_rank, job_comm_size;

/* A sign of life: to rank 0 with what was done, and back with what all know. */
typedef struct beat {
    int64_t stop;
    job_progress doing;
} beat;

static struct crowd {
    MPI_Comm comm, beats;
    char host[HOST];
    char (*hosts)[HOST]; /* (size) at rank 0 */
    MPI_File file;
    int64_t sent[JOB_STAGES];
    double seconds[JOB_STAGES], since; /* in each stage; the one in hand began then */
    double silence, beat;
    odim_error why; /* the job has failed */

    pthread_t thread;
    bool has_thread;
    _Atomic bool leave, stop, failed;
    _Atomic int64_t stage, done, all;
    pthread_mutex_t lock; /* of show */
    void (*show)(const job_progress *sum, void *ctx);
    void *ctx;
} crowd = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* ---- signs of life -------------------------------------------------------------------------------- */

/* What a rank knows of those it hears from: rank 0 of all others, the others of rank 0. */
typedef struct peer {
    double heard;
    beat last, out;
    MPI_Request request;
} peer;

static void lose(int rank, double seconds)
{
    if (job_comm_rank == 0)
        cli_log("rank %d (%s) has not been heard of for %.0f s: it, its machine or the link to it is down",
                rank, crowd.hosts[rank], seconds);
    else
        cli_log("rank %d (%s) has not heard of rank 0 for %.0f s, and ends", job_comm_rank, crowd.host,
                seconds);
    cli_out_abandon();
    fflush(stderr);
    /* An abort that cannot be told to all must not keep us either. */
    alarm(5);
    MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

static void hear(peer *peers, double now)
{
    for (;;) {
        int there = 0;
        MPI_Status from;
        beat b;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_BEAT, crowd.beats, &there, &from);
        if (!there) return;
        MPI_Recv(&b, sizeof b, MPI_BYTE, from.MPI_SOURCE, TAG_BEAT, crowd.beats, MPI_STATUS_IGNORE);
        peers[from.MPI_SOURCE].heard = now;
        peers[from.MPI_SOURCE].last = b;
        if (b.stop) crowd.stop = true;
    }
}

/* A sign that the last one has not left yet is left out. */
static void tell(peer *p, int to)
{
    int gone = 1;
    if (p->request != MPI_REQUEST_NULL) MPI_Test(&p->request, &gone, MPI_STATUS_IGNORE);
    if (!gone) return;
    p->out = (beat){crowd.stop || crowd.failed, {crowd.stage, crowd.done, crowd.all}};
    MPI_Isend(&p->out, sizeof p->out, MPI_BYTE, to, TAG_BEAT, crowd.beats, &p->request);
}

/* The stage that the slowest rank is in, and what was done in it. */
static void show_sum(const peer *peers)
{
    job_progress sum = {.stage = crowd.stage};
    for (int r = 1; r < job_comm_size; r++)
        if (peers[r].last.doing.stage < sum.stage) sum.stage = peers[r].last.doing.stage;
    for (int r = 0; r < job_comm_size; r++) {
        job_progress d = r ? peers[r].last.doing : (job_progress){crowd.stage, crowd.done, crowd.all};
        if (d.stage < sum.stage) continue;
        /* Who is in the next stage has done all there was to do in this one, but no longer says how much. */
        if (d.stage == sum.stage) {
            sum.done += d.done;
            if (d.all > sum.all) sum.all = d.all;
        }
    }
    pthread_mutex_lock(&crowd.lock);
    if (crowd.show) crowd.show(&sum, crowd.ctx);
    pthread_mutex_unlock(&crowd.lock);
}

static void *active(void *unused)
{
    (void)unused;
    int first = job_comm_rank == 0 ? 1 : 0, last = job_comm_rank == 0 ? job_comm_size : 1;
    static peer *peers; /* MPI may still send from them when we leave */
    peers = calloc((size_t)job_comm_size, sizeof *peers);
    double now = clock_now(), told = 0;
    if (!peers) return NULL; /* without signs, as if MPI had no threads */
    for (int r = 0; r < job_comm_size; r++) {
        peers[r].heard = now;
        peers[r].request = MPI_REQUEST_NULL;
    }
    for (bool stopped = false; !crowd.leave; pause_for(0.1)) {
        now = clock_now();
        hear(peers, now);
        bool news = (crowd.stop || crowd.failed) && !stopped;
        if (now - told >= crowd.beat || news) {
            for (int r = first; r < last; r++) tell(&peers[r], r);
            told = now;
            stopped |= news;
        }
        if (job_comm_rank == 0) show_sum(peers);
        for (int r = first; r < last; r++)
            if (now - peers[r].heard > crowd.silence) lose(r, now - peers[r].heard);
    }
    for (int r = first; r < last; r++)
        if (peers[r].request != MPI_REQUEST_NULL) {
            MPI_Cancel(&peers[r].request);
            MPI_Request_free(&peers[r].request);
        }
    return NULL;
}

void job_comm_stage(enum job_stage stage, int64_t all)
{
    double now = clock_now();
    crowd.seconds[crowd.stage] += now - crowd.since;
    crowd.since = now;
    crowd.done = 0;
    crowd.all = all;
    crowd.stage = stage;
}

void job_comm_done(int64_t done)
{
    crowd.done = done;
}

bool job_comm_stopped(void)
{
    return crowd.stop;
}

void job_comm_watch(void (*show)(const job_progress *sum, void *ctx), void *ctx)
{
    pthread_mutex_lock(&crowd.lock);
    crowd.show = show;
    crowd.ctx = ctx;
    pthread_mutex_unlock(&crowd.lock);
}

/* ---- beginning and end ---------------------------------------------------------------------------- */

double job_comm_seconds(const char *name, double otherwise)
{
    const char *text = getenv(name);
    double value = text ? strtod(text, NULL) : 0;
    return value > 0 ? value : otherwise;
}

bool job_comm_begin(int *argc, char ***argv)
{
    int level, len;
    char host[MPI_MAX_PROCESSOR_NAME];
    if (MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) return false;
    MPI_Comm_dup(MPI_COMM_WORLD, &crowd.comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &crowd.beats);
    MPI_Comm_rank(crowd.comm, &job_comm_rank);
    MPI_Comm_size(crowd.comm, &job_comm_size);
    MPI_Get_processor_name(host, &len);
    snprintf(crowd.host, sizeof crowd.host, "%.*s", HOST - 1, host);
    crowd.hosts = calloc((size_t)job_comm_size, HOST);
    if (!crowd.hosts) return false;
    MPI_Gather(crowd.host, HOST, MPI_CHAR, crowd.hosts, HOST, MPI_CHAR, 0, crowd.comm);
    double every = job_comm_seconds("ODIM_MPI_EVERY", BEAT);
    crowd.silence = job_comm_seconds("ODIM_MPI_SILENCE", SILENCE);
    crowd.beat = every < BEAT ? every : BEAT;
    crowd.file = MPI_FILE_NULL;
    crowd.since = clock_now();
    if (level == MPI_THREAD_MULTIPLE) crowd.has_thread = !pthread_create(&crowd.thread, NULL, active, NULL);
    return true;
}

/* Done by one at a time: the others' signs of life are still wanted until all are here. */
static void wait_for(MPI_Request *request)
{
    int done = 0;
    double wait = 1e-5;
    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        pause_for(wait);
        if (wait < 2e-3) wait *= 1.5;
    }
}

static void barrier(void)
{
    MPI_Request request;
    MPI_Ibarrier(crowd.comm, &request);
    wait_for(&request);
}

void job_comm_end(void)
{
    barrier();
    crowd.leave = true;
    if (crowd.has_thread) pthread_join(crowd.thread, NULL);
    /* Signs that were sent to who does not listen any more. */
    barrier();
    for (int there = 1; there;) {
        beat b;
        MPI_Status from;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_BEAT, crowd.beats, &there, &from);
        if (there)
            MPI_Recv(&b, sizeof b, MPI_BYTE, from.MPI_SOURCE, TAG_BEAT, crowd.beats, MPI_STATUS_IGNORE);
    }
    free(crowd.hosts);
    MPI_Finalize();
}

int job_comm_neighbors(void)
{
    MPI_Comm near;
    int count = 1;
    MPI_Comm_split_type(crowd.comm, MPI_COMM_TYPE_SHARED, job_comm_rank, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &count);
    MPI_Comm_free(&near);
    return count;
}

/* ---- bytes ---------------------------------------------------------------------------------------- */

static void send_pieces(const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += PIECE) {
        MPI_Request request;
        size_t piece = size - at < PIECE ? size - at : PIECE;
        MPI_Isend(bytes + at, (int)piece, MPI_BYTE, 0, TAG_PIECE, crowd.comm, &request);
        wait_for(&request);
    }
    crowd.sent[crowd.stage] += (int64_t)size;
}

static void take_pieces(unsigned char *bytes, size_t size, int from)
{
    for (size_t at = 0; at < size; at += PIECE) {
        MPI_Request request;
        size_t piece = size - at < PIECE ? size - at : PIECE;
        MPI_Irecv(bytes + at, (int)piece, MPI_BYTE, from, TAG_PIECE, crowd.comm, &request);
        wait_for(&request);
    }
}

/* A number of every rank, to all. */
static void exchange(int64_t mine, int64_t *all)
{
    MPI_Request request;
    MPI_Iallgather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, crowd.comm, &request);
    wait_for(&request);
    crowd.sent[crowd.stage] += (int64_t)sizeof mine * (job_comm_size - 1);
}

/* The memory for it is there everywhere, or nowhere. */
static odim_status is_there(bool mine, odim_error *err)
{
    return job_comm_sum(!mine) || !mine ? od_fail_nomem(err) : ODIM_OK;
}

odim_status job_comm_gather(const od_byte_writer *mine, od_byte_reader *all, odim_error *err)
{
    int64_t *size = od_alloc((size_t)job_comm_size, sizeof *size);
    bool fine = size && !mine->nomem;
    for (int r = 0; r < job_comm_size; r++) all[r] = (od_byte_reader){0};
    odim_status status = is_there(fine, err);
    if (!status) {
        exchange((int64_t)mine->size, size);
        for (int r = 0; job_comm_rank == 0 && r < job_comm_size; r++) {
            all[r].at = od_alloc((size_t)size[r], 1);
            all[r].left = (size_t)size[r];
            fine = fine && all[r].at;
        }
        status = is_there(fine, err);
    }
    if (!status && job_comm_rank) send_pieces(mine->bytes, mine->size);
    for (int r = 0; !status && job_comm_rank == 0 && r < job_comm_size; r++) {
        unsigned char *to = (unsigned char *)all[r].at;
        if (r)
            take_pieces(to, (size_t)size[r], r);
        else if (mine->size)
            memcpy(to, mine->bytes, mine->size);
    }
    if (status && job_comm_rank == 0) job_comm_drop(all);
    od_free(size);
    return status;
}

/* The reading of the bytes moves `at`: what is freed is what was given, so callers read copies. */
void job_comm_drop(od_byte_reader *all)
{
    for (int r = 0; all && r < job_comm_size; r++) {
        od_free((void *)all[r].at);
        all[r] = (od_byte_reader){0};
    }
}

odim_status job_comm_broadcast(void **bytes, size_t *size, odim_error *err)
{
    int64_t total = (int64_t)*size;
    MPI_Request request;
    MPI_Ibcast(&total, 1, MPI_INT64_T, 0, crowd.comm, &request);
    wait_for(&request);
    if (job_comm_rank) *bytes = od_alloc((size_t)total, 1);
    *size = (size_t)total;
    odim_status status = is_there(*bytes != NULL || total == 0, err);
    for (size_t at = 0; !status && at < *size; at += PIECE) {
        size_t piece = *size - at < PIECE ? *size - at : PIECE;
        MPI_Ibcast((unsigned char *)*bytes + at, (int)piece, MPI_BYTE, 0, crowd.comm, &request);
        wait_for(&request);
    }
    if (job_comm_rank == 0) crowd.sent[crowd.stage] += total * (job_comm_size - 1);
    if (status && job_comm_rank) {
        od_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

static int64_t reduce(int64_t mine, MPI_Op op)
{
    int64_t all = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT64_T, op, crowd.comm, &request);
    wait_for(&request);
    crowd.sent[crowd.stage] += (int64_t)sizeof mine;
    return all;
}

int64_t job_comm_sum(int64_t mine)
{
    return reduce(mine, MPI_SUM);
}

int64_t job_comm_least(int64_t mine)
{
    return reduce(mine, MPI_MIN);
}

odim_status job_comm_settle(odim_status status, odim_error *err)
{
    if (crowd.why.status) { /* which all ranks know */
        *err = crowd.why;
        return err->status;
    }
    /* The first rank that has a reason of its own; one that only stopped because of others has none. */
    if (status) crowd.failed = true;
    int64_t least = job_comm_least(status == ODIM_OK              ? 2 * job_comm_size
                                   : status == ODIM_ERR_CANCELLED ? job_comm_size + job_comm_rank
                                                                  : job_comm_rank);
    if (least == 2 * job_comm_size) return ODIM_OK;
    int from = (int)(least % job_comm_size);
    MPI_Request request;
    odim_error told = *err;
    if (from == job_comm_rank && job_comm_size > 1 && told.msg[0]) {
        char who[HOST + 32];
        snprintf(who, sizeof who, "rank %d (%s)", job_comm_rank, crowd.host);
        od_error_prefix(&told, status, who);
    }
    MPI_Ibcast(&told, sizeof told, MPI_BYTE, from, crowd.comm, &request);
    wait_for(&request);
    *err = crowd.why = told;
    return told.status;
}

/* ---- the output ----------------------------------------------------------------------------------- */

static odim_status fail_io(int code, odim_error *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;
    MPI_Error_string(code, text, &len);
    return od_fail(err, ODIM_ERR_IO, "cannot write the scores: %s", text);
}

odim_status job_comm_open(const char *name, odim_error *err)
{
    char path[4096] = "";
    MPI_Request request;
    if (name) snprintf(path, sizeof path, "%s", name);
    MPI_Ibcast(path, sizeof path, MPI_CHAR, 0, crowd.comm, &request);
    wait_for(&request);
    int code = MPI_File_open(crowd.comm, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &crowd.file);
    return code == MPI_SUCCESS ? ODIM_OK : fail_io(code, err);
}

odim_status job_comm_write(int64_t at, const void *bytes, size_t size, odim_error *err)
{
    MPI_Status status;
    int count = 0, code = MPI_File_write_at(crowd.file, at, bytes, (int)size, MPI_BYTE, &status);
    if (code != MPI_SUCCESS) return fail_io(code, err);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count != (int)size) return od_fail(err, ODIM_ERR_IO, "cannot write the scores: the disk is full");
    return ODIM_OK;
}

odim_status job_comm_close(odim_error *err)
{
    if (crowd.file == MPI_FILE_NULL) return ODIM_OK;
    int synced = MPI_File_sync(crowd.file), code = MPI_File_close(&crowd.file);
    if (synced != MPI_SUCCESS) return fail_io(synced, err);
    return code == MPI_SUCCESS ? ODIM_OK : fail_io(code, err);
}

void job_comm_traffic(FILE *to)
{
    static const char *const names[] = {"begin", "lay", "survey", "train", "score", "write"};
    int64_t sum[JOB_STAGES], total = 0;
    MPI_Reduce(crowd.sent, sum, JOB_STAGES, MPI_INT64_T, MPI_SUM, 0, crowd.comm);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    int64_t peak = used.ru_maxrss, most = 0; /* KiB */
    double cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    double cpus = 0;
    MPI_Reduce(&peak, &most, 1, MPI_INT64_T, MPI_MAX, 0, crowd.comm);
    MPI_Reduce(&cpu, &cpus, 1, MPI_DOUBLE, MPI_SUM, 0, crowd.comm);
    if (job_comm_rank) return;
    job_comm_stage(crowd.stage, 0);
    double seconds = 0;
    for (int i = 0; i < JOB_STAGES; i++) {
        fprintf(to, "%-7s %10.2f s %14lld bytes\n", names[i], crowd.seconds[i], (long long)sum[i]);
        total += sum[i];
        seconds += crowd.seconds[i];
    }
    fprintf(to, "%-7s %10.2f s %14lld bytes, %.1f s of processors, at most %lld MiB of memory in a rank\n",
            "all", seconds, (long long)total, cpus, (long long)(most >> 10));
}
