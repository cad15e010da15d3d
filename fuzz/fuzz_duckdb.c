/*
 * Values of DuckDB's types as text. The first byte is the type, the second the way it is stored and the third
 * the scale; the rest is a vector. Texts fit their room, and numbers are read back as they are.
 */
#include <math.h>
#include <stdbool.h>

#include "common/numtext.h"
#include "fuzz.h"
#include "io/duckdb_text.h"

static void check_value(const od_ddb_kind *kind, const void *data, size_t i)
{
    char buf[OD_DDB_ROOM];
    const char *text;
    double value, back;
    size_t len = od_ddb_write(kind, data, i, buf, &text);
    if (len == SIZE_MAX) {
        MUST(kind->type == OD_DDB_VARCHAR || kind->type == OD_DDB_ENUM);
        return;
    }
    MUST(len <= OD_DDB_ROOM && !memchr(text, '\0', len));
    od_num num = od_num_parse(text, len, &back);
    if (od_ddb_is_number(kind->type) && od_ddb_number(kind->type, data, i, &value))
        MUST(isnan(value) ? len == 0 : num == OD_NUM_OK && back == value);
    if (kind->type == OD_DDB_DECIMAL || kind->type == OD_DDB_HUGEINT || kind->type == OD_DDB_UHUGEINT)
        MUST(num == OD_NUM_OK);
    if (kind->type == OD_DDB_FLOAT && isfinite(((const float *)data)[i]))
        MUST(num == OD_NUM_OK && (float)back == ((const float *)data)[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int decimals[] = {OD_DDB_SMALLINT, OD_DDB_INTEGER, OD_DDB_BIGINT, OD_DDB_HUGEINT};
    static const int levels[] = {OD_DDB_UTINYINT, OD_DDB_USMALLINT, OD_DDB_UINTEGER, OD_DDB_UTINYINT};
    union {
        od_ddb_huge align;
        unsigned char bytes[64];
    } vector = {{0, 0}};
    if (size < 3) return 0;
    od_ddb_kind kind = {.type = data[0] % 40, .scale = data[2] % 39};
    if (!od_ddb_is_readable(kind.type)) return 0;
    kind.stored = kind.type == OD_DDB_ENUM ? levels[data[1] % 4] : decimals[data[1] % 4];
    MUST(!od_strlist_add(&kind.levels, "level", 5, NULL));
    memcpy(vector.bytes, data + 3, size - 3 < sizeof vector ? size - 3 : sizeof vector);
    /* A long text is behind a pointer, which only the library can make. */
    for (size_t i = 0; kind.type == OD_DDB_VARCHAR && i < 4; i++) vector.bytes[16 * i] %= 13;
    for (size_t i = 0; kind.type == OD_DDB_VARCHAR && i < 4; i++) memset(&vector.bytes[16 * i + 1], 0, 3);
    for (size_t i = 0; i < 4; i++) check_value(&kind, vector.bytes, i);
    od_strlist_free(&kind.levels);
    return 0;
}
