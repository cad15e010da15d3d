/*
 * Model files. Nearly every mutation breaks a checksum, and then nothing behind it is ever reached: so all
 * checksums are put right first. What is accepted must save to bytes that are accepted again and save to the
 * same, and must score rows or say why not.
 */
#include <zlib.h>

#include "fuzz.h"
#include "../tests/reasons.h"

static uint64_t get(const uint8_t *at, int size)
{
    uint64_t v = 0;
    for (int i = 0; i < size; i++) v |= (uint64_t)at[i] << 8 * i;
    return v;
}

static void set_checksum(uint8_t *at, const uint8_t *bytes, size_t size)
{
    uint32_t crc = (uint32_t)crc32_z(0, bytes, size);
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(crc >> 8 * i);
}

/* docs/FORMAT.md: the header is 16 bytes, an entry of the table 24. */
static void repair(uint8_t *bytes, size_t size)
{
    if (size < 20) return;
    uint64_t count = get(bytes + 12, 4);
    if (count > (size - 20) / 24) return;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *entry = bytes + 16 + 24 * i;
        uint64_t start = get(entry + 8, 8), length = get(entry + 16, 8);
        if (start <= size && length <= size - start) set_checksum(entry + 4, bytes + start, length);
    }
    set_checksum(bytes + 16 + 24 * count, bytes, 16 + 24 * count);
}

static odim_status explain(const odim_model *m, const odim_table *t, odim_error *err)
{
    static const int64_t rows[3] = {0, 1, 2};
    odim_reason reasons[3][2];
    odim_status status = explain_rows(m, t, rows, 3, 2, &reasons[0][0], err);
    for (int i = 0; !status && i < 6; i++) {
        char text[80];
        const odim_reason *r = &reasons[i / 2][i % 2];
        MUST(r->col >= -1 && r->share >= 0 && r->share <= 1 + 1e-9);
        if (r->col >= 0) MUST(strlen(odim_reason_text(m, t, i / 2, r, text, sizeof text)) < sizeof text);
    }
    return status;
}

/* Rows with the columns that the models of the corpus have. */
static void score(const odim_model *m)
{
    static const char rows[] = "length,colour,since,ok,id\n"
                               "1.5,red,2024-05-01 09:30,yes,a\n"
                               ",mauve,,,\n"
                               "-1e30,,1970-01-01,no,b\n";
    odim_read_options like = {.size = sizeof(odim_read_options), .format = "csv", .like = m};
    odim_error err;
    odim_table *t;
    double scores[3];
    odim_status status = odim_table_read_memory(&t, rows, sizeof rows - 1, "rows", &like, &err);
    if (!status) status = odim_score(m, t, NULL, NULL, scores, &err);
    if (status) {
        check_error(status, &err);
    } else {
        for (int i = 0; i < 3; i++) {
            double p = odim_model_probability(m, scores[i]);
            MUST(isfinite(scores[i]) && p >= 0 && p <= 1);
        }
        status = explain(m, t, &err);
        if (status) check_error(status, &err);
    }
    odim_table_free(t);
}

static void check_model(const odim_model *m)
{
    void *bytes, *again;
    size_t size, again_size;
    odim_error err;
    odim_model *second;
    char name[17], second_name[17];
    MUST(!odim_model_save_memory(m, &bytes, &size, &err));
    MUST(!odim_model_load_memory(&second, bytes, size, &err));
    MUST(!odim_model_save_memory(second, &again, &again_size, &err));
    MUST(size == again_size && memcmp(bytes, again, size) == 0);
    odim_model_fingerprint(m, name);
    odim_model_fingerprint(second, second_name);
    MUST(strcmp(name, second_name) == 0);
    odim_free(bytes);
    odim_free(again);
    odim_model_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    MUST(bytes);
    memcpy(bytes, data, size);
    repair(bytes, size);
    odim_error err;
    odim_model *m;
    memset(&err, 0xA5, sizeof err); /* what is not filled in shows */
    odim_status status = odim_model_load_memory(&m, bytes, size, &err);
    free(bytes);
    if (status) {
        MUST(!m && (status == ODIM_ERR_FORMAT || status == ODIM_ERR_NOMEM));
        check_error(status, &err);
        return 0;
    }
    check_model(m);
    score(m);
    odim_model_free(m);
    return 0;
}
