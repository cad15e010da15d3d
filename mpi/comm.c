/* MPI: messages between ranks, heartbeats, and the shared output file. */
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

/* The most bytes of one message: MPI counts them in an int. */
#define PIECE ((size_t)64 << 20)
/* Seconds between heartbeats, and seconds without one after which a rank counts as lost. */
#define BEAT    1.0
#define SILENCE 20.0

enum { TAG_PIECE = 1, TAG_BEAT = 2, HOST = 64 };

int job_comm_rank, job_comm_size;

/* A heartbeat, from each rank to rank 0 and back. */
typedef struct beat {
    int64_t stop; /* the job has failed */
    job_progress doing;
} beat;

static struct ranks {
    MPI_Comm comm, beats;
    char host[HOST];
    char (*hosts)[HOST]; /* (size) at rank 0 */
    MPI_File file;
    int64_t sent[JOB_STAGES];
    double seconds[JOB_STAGES], since; /* of each stage, and when the current one began */
    double silence, beat;
    odim_error why; /* why the job has failed */

    pthread_t thread;
    bool has_thread;
    _Atomic bool leave, stop, failed;
    _Atomic int64_t stage, done, all;
    pthread_mutex_t lock; /* protects show and ctx */
    void (*show)(const job_progress *sum, void *ctx);
    void *ctx;
} ranks = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

/* ---- heartbeats ----------------------------------------------------------------------------------- */

/* The other end of heartbeats: every other rank for rank 0, and rank 0 for the others. */
typedef struct peer {
    double heard;
    beat last, out;
    MPI_Request request;
} peer;

/* Reports that a rank has been silent for too long, and ends the job. */
static void give_up(int rank, double seconds)
{
    if (job_comm_rank == 0)
        cli_log("rank %d (%s) has not been heard of for %.0f s: it, its machine or the link to it is down",
                rank, ranks.hosts[rank], seconds);
    else
        cli_log("rank %d (%s) has not heard of rank 0 for %.0f s, and ends", job_comm_rank, ranks.host,
                seconds);
    cli_out_abandon();
    fflush(stderr);
    /* MPI_Abort may wait for the lost rank; do not wait with it. */
    alarm(5);
    MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

static void receive_beats(peer *peers, double now)
{
    for (;;) {
        int there = 0;
        MPI_Status from;
        beat b;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_BEAT, ranks.beats, &there, &from);
        if (!there) return;
        MPI_Recv(&b, sizeof b, MPI_BYTE, from.MPI_SOURCE, TAG_BEAT, ranks.beats, MPI_STATUS_IGNORE);
        peers[from.MPI_SOURCE].heard = now;
        peers[from.MPI_SOURCE].last = b;
        if (b.stop) ranks.stop = true;
    }
}

/* Skips a heartbeat if the last one is still being sent. */
static void send_beat(peer *p, int to)
{
    int gone = 1;
    if (p->request != MPI_REQUEST_NULL) MPI_Test(&p->request, &gone, MPI_STATUS_IGNORE);
    if (!gone) return;
    p->out = (beat){ranks.stop || ranks.failed, {ranks.stage, ranks.done, ranks.all}};
    MPI_Isend(&p->out, sizeof p->out, MPI_BYTE, to, TAG_BEAT, ranks.beats, &p->request);
}

/* Shows the progress of all ranks in the stage of the slowest. */
static void show_sum(const peer *peers)
{
    job_progress sum = {.stage = ranks.stage};
    for (int r = 1; r < job_comm_size; r++)
        if (peers[r].last.doing.stage < sum.stage) sum.stage = peers[r].last.doing.stage;
    for (int r = 0; r < job_comm_size; r++) {
        job_progress d = r ? peers[r].last.doing : (job_progress){ranks.stage, ranks.done, ranks.all};
        if (d.stage < sum.stage) continue;
        /* A rank that is already in a later stage no longer reports how much it did in this one. */
        if (d.stage == sum.stage) {
            sum.done += d.done;
            if (d.all > sum.all) sum.all = d.all;
        }
    }
    pthread_mutex_lock(&ranks.lock);
    if (ranks.show) ranks.show(&sum, ranks.ctx);
    pthread_mutex_unlock(&ranks.lock);
}

static void *beat_loop(void *unused)
{
    (void)unused;
    int first = job_comm_rank == 0 ? 1 : 0, last = job_comm_rank == 0 ? job_comm_size : 1;
    static peer *peers; /* never freed: MPI may still be sending from them at the end */
    peers = calloc((size_t)job_comm_size, sizeof *peers);
    double now = clock_now(), told = 0;
    if (!peers) return NULL; /* no heartbeats, as if MPI had no threads */
    for (int r = 0; r < job_comm_size; r++) {
        peers[r].heard = now;
        peers[r].request = MPI_REQUEST_NULL;
    }
    for (bool stopped = false; !ranks.leave; pause_for(0.1)) {
        now = clock_now();
        receive_beats(peers, now);
        bool news = (ranks.stop || ranks.failed) && !stopped;
        if (now - told >= ranks.beat || news) {
            for (int r = first; r < last; r++) send_beat(&peers[r], r);
            told = now;
            stopped |= news;
        }
        if (job_comm_rank == 0) show_sum(peers);
        for (int r = first; r < last; r++)
            if (now - peers[r].heard > ranks.silence) give_up(r, now - peers[r].heard);
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
    ranks.seconds[ranks.stage] += now - ranks.since;
    ranks.since = now;
    ranks.done = 0;
    ranks.all = all;
    ranks.stage = stage;
}

void job_comm_done(int64_t done)
{
    ranks.done = done;
}

bool job_comm_stopped(void)
{
    return ranks.stop;
}

void job_comm_watch(void (*show)(const job_progress *sum, void *ctx), void *ctx)
{
    pthread_mutex_lock(&ranks.lock);
    ranks.show = show;
    ranks.ctx = ctx;
    pthread_mutex_unlock(&ranks.lock);
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
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks.comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks.beats);
    MPI_Comm_rank(ranks.comm, &job_comm_rank);
    MPI_Comm_size(ranks.comm, &job_comm_size);
    MPI_Get_processor_name(host, &len);
    snprintf(ranks.host, sizeof ranks.host, "%.*s", HOST - 1, host);
    ranks.hosts = calloc((size_t)job_comm_size, HOST);
    if (!ranks.hosts) return false;
    MPI_Gather(ranks.host, HOST, MPI_CHAR, ranks.hosts, HOST, MPI_CHAR, 0, ranks.comm);
    double every = job_comm_seconds("ODIM_MPI_EVERY", BEAT);
    ranks.silence = job_comm_seconds("ODIM_MPI_SILENCE", SILENCE);
    ranks.beat = every < BEAT ? every : BEAT;
    ranks.file = MPI_FILE_NULL;
    ranks.since = clock_now();
    if (level == MPI_THREAD_MULTIPLE)
        ranks.has_thread = !pthread_create(&ranks.thread, NULL, beat_loop, NULL);
    return true;
}

/* Waits for a request without using up a core. */
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
    MPI_Ibarrier(ranks.comm, &request);
    wait_for(&request);
}

void job_comm_end(void)
{
    barrier();
    ranks.leave = true;
    if (ranks.has_thread) pthread_join(ranks.thread, NULL);
    barrier();
    /* Receive the heartbeats that arrived after the threads had ended. */
    for (int there = 1; there;) {
        beat b;
        MPI_Status from;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_BEAT, ranks.beats, &there, &from);
        if (there)
            MPI_Recv(&b, sizeof b, MPI_BYTE, from.MPI_SOURCE, TAG_BEAT, ranks.beats, MPI_STATUS_IGNORE);
    }
    free(ranks.hosts);
    MPI_Finalize();
}

int job_comm_neighbors(void)
{
    MPI_Comm near;
    int count = 1;
    MPI_Comm_split_type(ranks.comm, MPI_COMM_TYPE_SHARED, job_comm_rank, MPI_INFO_NULL, &near);
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
        MPI_Isend(bytes + at, (int)piece, MPI_BYTE, 0, TAG_PIECE, ranks.comm, &request);
        wait_for(&request);
    }
    ranks.sent[ranks.stage] += (int64_t)size;
}

static void take_pieces(unsigned char *bytes, size_t size, int from)
{
    for (size_t at = 0; at < size; at += PIECE) {
        MPI_Request request;
        size_t piece = size - at < PIECE ? size - at : PIECE;
        MPI_Irecv(bytes + at, (int)piece, MPI_BYTE, from, TAG_PIECE, ranks.comm, &request);
        wait_for(&request);
    }
}

/* Collects a number from every rank, on all ranks. */
static void exchange(int64_t mine, int64_t *all)
{
    MPI_Request request;
    MPI_Iallgather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, ranks.comm, &request);
    wait_for(&request);
    ranks.sent[ranks.stage] += (int64_t)sizeof mine * (job_comm_size - 1);
}

/* Succeeds if all ranks have their memory. */
static odim_status all_have_memory(bool mine, odim_error *err)
{
    return job_comm_sum(!mine) || !mine ? od_fail_nomem(err) : ODIM_OK;
}

odim_status job_comm_gather(const od_byte_writer *mine, od_byte_reader *all, odim_error *err)
{
    int64_t *size = od_alloc((size_t)job_comm_size, sizeof *size);
    bool fine = size && !mine->nomem;
    for (int r = 0; r < job_comm_size; r++) all[r] = (od_byte_reader){0};
    odim_status status = all_have_memory(fine, err);
    if (!status) {
        exchange((int64_t)mine->size, size);
        for (int r = 0; job_comm_rank == 0 && r < job_comm_size; r++) {
            all[r].at = od_alloc((size_t)size[r], 1);
            all[r].left = (size_t)size[r];
            fine = fine && all[r].at;
        }
        status = all_have_memory(fine, err);
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

/* Reading moves `at`, so callers read from copies, and what is freed here is what was allocated. */
void job_comm_drop(od_byte_reader *all)
{
    for (int r = 0; all && r < job_comm_size; r++) {
        od_free((void *)all[r].at);
        all[r] = (od_byte_reader){0};
    }
}

static void broadcast(void *bytes, size_t size, int from)
{
    for (size_t at = 0; at < size; at += PIECE) {
        MPI_Request request;
        size_t piece = size - at < PIECE ? size - at : PIECE;
        MPI_Ibcast((unsigned char *)bytes + at, (int)piece, MPI_BYTE, from, ranks.comm, &request);
        wait_for(&request);
    }
}

void job_comm_share(void *bytes, size_t size)
{
    broadcast(bytes, size, 0);
    if (job_comm_rank == 0) ranks.sent[ranks.stage] += (int64_t)size * (job_comm_size - 1);
}

odim_status job_comm_broadcast(void **bytes, size_t *size, odim_error *err)
{
    int64_t total = (int64_t)*size;
    broadcast(&total, sizeof total, 0);
    if (job_comm_rank) *bytes = od_alloc((size_t)total, 1);
    *size = (size_t)total;
    odim_status status = all_have_memory(*bytes != NULL || total == 0, err);
    if (!status) job_comm_share(*bytes, *size);
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
    MPI_Iallreduce(&mine, &all, 1, MPI_INT64_T, op, ranks.comm, &request);
    wait_for(&request);
    ranks.sent[ranks.stage] += (int64_t)sizeof mine;
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
    if (ranks.why.status) { /* all ranks know it already */
        *err = ranks.why;
        return err->status;
    }
    /* Report the first rank that failed itself; a rank that was cancelled only stopped because of others. */
    if (status) ranks.failed = true;
    int64_t least = job_comm_least(status == ODIM_OK              ? 2 * job_comm_size
                                   : status == ODIM_ERR_CANCELLED ? job_comm_size + job_comm_rank
                                                                  : job_comm_rank);
    if (least == 2 * job_comm_size) return ODIM_OK;
    int from = (int)(least % job_comm_size);
    odim_error told = *err;
    if (from == job_comm_rank && job_comm_size > 1 && told.msg[0]) {
        char who[HOST + 32];
        snprintf(who, sizeof who, "rank %d (%s)", job_comm_rank, ranks.host);
        od_error_prefix(&told, status, who);
    }
    broadcast(&told, sizeof told, from);
    *err = ranks.why = told;
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
    if (name) snprintf(path, sizeof path, "%s", name);
    broadcast(path, sizeof path, 0);
    int code = MPI_File_open(ranks.comm, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &ranks.file);
    return code == MPI_SUCCESS ? ODIM_OK : fail_io(code, err);
}

odim_status job_comm_write(int64_t at, const void *bytes, size_t size, odim_error *err)
{
    MPI_Status status;
    int count = 0, code = MPI_File_write_at(ranks.file, at, bytes, (int)size, MPI_BYTE, &status);
    if (code != MPI_SUCCESS) return fail_io(code, err);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count != (int)size) return od_fail(err, ODIM_ERR_IO, "cannot write the scores: the disk is full");
    return ODIM_OK;
}

odim_status job_comm_close(odim_error *err)
{
    if (ranks.file == MPI_FILE_NULL) return ODIM_OK;
    int synced = MPI_File_sync(ranks.file), code = MPI_File_close(&ranks.file);
    if (synced != MPI_SUCCESS) return fail_io(synced, err);
    return code == MPI_SUCCESS ? ODIM_OK : fail_io(code, err);
}

void job_comm_traffic(FILE *to)
{
    static const char *const names[] = {"begin", "scan", "stats", "train", "score", "write"};
    int64_t sum[JOB_STAGES], total = 0;
    MPI_Reduce(ranks.sent, sum, JOB_STAGES, MPI_INT64_T, MPI_SUM, 0, ranks.comm);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    int64_t peak = used.ru_maxrss, most = 0; /* KiB */
    double cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    double cpus = 0;
    MPI_Reduce(&peak, &most, 1, MPI_INT64_T, MPI_MAX, 0, ranks.comm);
    MPI_Reduce(&cpu, &cpus, 1, MPI_DOUBLE, MPI_SUM, 0, ranks.comm);
    if (job_comm_rank) return;
    job_comm_stage(ranks.stage, 0);
    double seconds = 0;
    for (int i = 0; i < JOB_STAGES; i++) {
        fprintf(to, "%-7s %10.2f s %14lld bytes\n", names[i], ranks.seconds[i], (long long)sum[i]);
        total += sum[i];
        seconds += ranks.seconds[i];
    }
    fprintf(to, "%-7s %10.2f s %14lld bytes, %.1f s of CPU time, at most %lld MiB of memory per rank\n",
            "all", seconds, (long long)total, cpus, (long long)(most >> 10));
}
