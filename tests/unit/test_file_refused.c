/* tests: sections schema_file detector_file. Model files with anything wrong in them are refused, and the
 * message says why. */
#include "base/local_date.h"
#include "small_model.h"
#include "starve.h"

TEST(every_truncation_is_refused)
{
    for (size_t size = 0; size < saved_size; size++) {
        unsigned char *cut = malloc(size ? size : 1); /* so that a sanitizer sees a byte read too many */
        if (!cut) abort();
        memcpy(cut, saved, size);
        if (load(cut, size) != ODIM_ERR_FORMAT) TEST_SAY("cut to %zu bytes: accepted", size);
        free(cut);
    }
}

TEST(every_corrupt_byte_is_refused)
{
    for (size_t i = 0; i < saved_size; i++) {
        unsigned char old = saved[i];
        for (int k = 0; k < 3; k++) {
            saved[i] = (unsigned char)(k == 0 ? old ^ 0x20 : k == 1 ? ~old : old + 1);
            if (load(saved, saved_size) != ODIM_ERR_FORMAT) TEST_SAY("byte %zu: accepted", i);
        }
        saved[i] = old;
    }
    CHECK_INT(load(saved, saved_size), ODIM_OK);
}

/* The checksums are right, so the parsers see each of these. */
static void lie(const char *tag)
{
    size_t size;
    unsigned char *body = body_of(tag, &size);
    for (size_t i = 0; i < size; i++) {
        static const unsigned char lies[] = {0, 1, 0x7F, 0x80, 0xFF};
        unsigned char old = body[i];
        for (size_t j = 0; j < sizeof lies; j++) {
            body[i] = lies[j];
            odim_status status = load_with(tag, body, size);
            if (status && status != ODIM_ERR_FORMAT) TEST_SAY("%s, byte %zu: %s", tag, i, err.msg);
        }
        body[i] = old;
    }
    for (size_t cut = 0; cut < size; cut++)
        if (load_with(tag, body, cut) != ODIM_ERR_FORMAT && strcmp(tag, "PARM") != 0)
            TEST_SAY("%s cut to %zu bytes: accepted", tag, cut);
    if (load_with(tag, body, size + 1) != ODIM_ERR_FORMAT) TEST_SAY("%s with a byte too many", tag);
    free(body);
}

TEST(every_byte_may_lie)
{
    for (int k = 0; k < OD_PRIVACY; k++) lie(od_section_kinds[k].tag); /* this model is not a private one */
}

TEST(sections_that_are_not_known_or_not_there)
{
    for (int k = 0; k < OD_REQUIRED; k++) {
        char want[320];
        snprintf(want, sizeof want, "section %.4s: missing", od_section_kinds[k].tag);
        CHECK_INT(load_with(od_section_kinds[k].tag, NULL, 0), ODIM_ERR_FORMAT);
        CHECK_STR(err.msg, want);
    }
    CHECK_INT(load_with("hist", NULL, 0), ODIM_OK);
    CHECK_INT(load_with("priv", NULL, 0), ODIM_ERR_FORMAT); /* the parameters say that it must be there */
    CHECK_STR(err.msg, "section priv: missing, cut short, or a number is impossible");
    CHECK_INT(load_with("note", "made on a Monday", 16), ODIM_OK);
    CHECK_INT(load_with("Note", "made on a Monday", 16), ODIM_ERR_FORMAT);
    CHECK_STR(
        err.msg,
        "section Note: unknown: written by a newer odim; update odim, or fit the model again with this one");
}

static void refuse_params(const char *text, const char *why)
{
    CHECK_INT(load_with("PARM", text, strlen(text)), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, why);
}

TEST(parameters)
{
    /* A parameter that is not there has its default; these must fit the network. */
    CHECK_INT(load_with("PARM", "members=2\nscore-samples=3\n", 26), ODIM_OK);
    refuse_params("members=2\nmembers=2\n", "section PARM: members is there twice");
    refuse_params("magic=2\n", "section PARM: unknown parameter 'magic': written by a newer odim; update "
                               "odim, or fit the model again with this one");
    refuse_params("threads=2\n", "section PARM: unknown parameter 'threads': written by a newer odim; update "
                                 "odim, or fit the model again with this one");
    refuse_params("members\n", "section PARM: a line is not of the form name=value");
    refuse_params("members=0\n", "section PARM: members must be a whole number from 1 to 10000, not '0'");
    refuse_params("members=2", "section PARM: not lines of text");
    CHECK_INT(load_with("PARM", "members=2\0\n", 11), ODIM_ERR_FORMAT);
    refuse_params("members=3\nscore-samples=3\n",
                  "section NETW: not the network that the parameters ask for");
    refuse_params("members=2\nscore-samples=4\n",
                  "section NETW: not the network that the parameters ask for");
    refuse_params("members=2\nscore-samples=3\nbatch-norm=off\n",
                  "section NETW: not the network that the parameters ask for");
    refuse_params("members=2\nscore-samples=3\nlikelihood=unit\n",
                  "section NETW: not the network that the parameters ask for");
}

/* Settings that are a preset's own, or another's, come back as they were. */
TEST(networks)
{
    static const char *const range = "NETW: cut short or out of range";
    refuse_number("NETW", 0, 0, 4, range);
    refuse_number("NETW", 0, 1 << 22, 4, range);
    refuse_number("NETW", 4, UINT32_MAX, 4, range);
    refuse_number("NETW", 8, 2, 4, range);
    refuse_number("NETW", 12, 4, 4, range);
    refuse_number("NETW", 24, 0, 4, range);
    refuse_number("NETW", 24, 9, 4, range);
    refuse_number("NETW", 24, 3, 4, range);
    refuse_number("NETW", 28, 0, 4, range);
    refuse_number("NETW", 28, 1 << 21, 4, "NETW: section WGTS must have 704643328 bytes and has 1600");
    refuse_number("NETW", 0, 13, 4, "NETW: section REAS must have 324 bytes and has 300");
    CHECK_INT(load_with("NOIS", saved, 44), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "section NETW: section NOIS must have 48 bytes and has 44");
    CHECK_INT(load_with("MEMB", saved, 0), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "section NETW: section MEMB must have 48 bytes and has 0");
}

/* Where the fields of the section COLS are; see make_schema. */
enum {
    C_ROWS = 0,
    C_COLS = 8,
    C_LENGTH = 12, /* the first column: its name and its length take 10 bytes, the rest 56 */
    C_TYPE = C_LENGTH + 10,
    C_IGNORED = C_TYPE + 1,
    C_CYCLES = C_TYPE + 2,
    C_INDICATOR = C_TYPE + 3,
    C_MISSING = C_TYPE + 4,
    C_LOW = C_TYPE + 12,
    C_FILL = C_LOW + 16,
    C_USUAL_HIGH = C_FILL + 16,
    C_LEVELS = C_USUAL_HIGH + 8,
    C_COLOUR = C_LEVELS + 4,
    C_COLOUR_FILL = C_COLOUR + 10 + 28,
    C_COLOUR_LEVELS = C_COLOUR + 10 + 52,
    C_LEVEL0 = C_COLOUR_LEVELS + 4, /* "" */
    C_LEVEL1 = C_LEVEL0 + 13,       /* "blue" */
    C_LEVEL2 = C_LEVEL1 + 17,       /* "green" */
};

TEST(columns)
{
    size_t size;
    free(body_of("COLS", &size));
    refuse_number("COLS", C_ROWS, UINT64_MAX, 8, "COLS: the number of rows or columns is impossible");
    refuse_number("COLS", C_COLS, UINT32_MAX, 4, "COLS: the number of rows or columns is impossible");
    refuse_number("COLS", C_COLS, 4, 4,
                  "COLS: the columns have 10 features, the scale is cut short or for 2");
    refuse_number("COLS", C_LENGTH, UINT32_MAX, 4, "COLS: column '': it is cut short or out of range");
    refuse_number("COLS", C_LENGTH + 6, 0, 1, "COLS: column '': it is cut short or out of range");
    refuse_number("COLS", C_TYPE, 4, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_IGNORED, 5, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_CYCLES, 1, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_INDICATOR, 2, 1, "COLS: column 'length': its type is impossible");
    refuse_number("COLS", C_IGNORED, 1, 1,
                  "COLS: the columns have 11 features, the scale is cut short or for 12");
    refuse_number("COLS", C_MISSING, 101, 8,
                  "COLS: column 'length': more cells are missing than there are rows");
    refuse_double("COLS", C_LOW, -INFINITY, "COLS: column 'length': a bound is infinite");
    refuse_double("COLS", C_USUAL_HIGH, INFINITY, "COLS: column 'length': a bound is infinite");
    refuse_double("COLS", C_FILL, NAN, "COLS: column 'length': what stands for a missing cell is impossible");
    refuse_number("COLS", C_LEVELS, 1, 4, "COLS: column 'length': its number of levels is impossible");
    refuse_double("COLS", size - 16 * FEATURES, INFINITY, "COLS: the scale of feature 1 is impossible");
    refuse_double("COLS", size - 8, -1.0, "COLS: the scale of feature 12 is impossible");
    refuse_number("COLS", size - 16 * FEATURES - 4, 11, 4,
                  "COLS: the columns have 12 features, the scale is cut short or for 11");
}

TEST(levels)
{
    static const char *const fill = "COLS: column 'colour': what stands for a missing cell is impossible";
    static const char *const range = "COLS: column 'colour': its levels are cut short or out of range";
    static const char *const order = "COLS: column 'colour': its levels are not in order";
    refuse_double("COLS", C_COLOUR_FILL, 4.0, fill);
    refuse_double("COLS", C_COLOUR_FILL, 0.5, fill);
    refuse_double("COLS", C_COLOUR_FILL, -1.0, fill);
    refuse_double("COLS", C_COLOUR_FILL, NAN, fill);
    refuse_number("COLS", C_COLOUR_LEVELS, UINT32_MAX, 4,
                  "COLS: column 'colour': its number of levels is impossible");
    refuse_number("COLS", C_LEVEL1, UINT32_MAX, 4, range);
    refuse_number("COLS", C_LEVEL1 + 16, 2, 1, range);
    refuse_bytes("COLS", C_LEVEL2 + 4, "azure", 5, order);
    refuse_number("COLS", C_LEVEL1 + 8, 101, 8,
                  "COLS: column 'colour': a level is in more rows than there are");
    refuse_number("COLS", C_LEVEL1 + 16, 0, 1,
                  "COLS: the columns have 11 features, the scale is cut short or for 12");
}

TEST(numbers)
{
    refuse_number("CALB", 0, 3, 4, "CALB: 3 numbers instead of 8");
    refuse_double("CALB", 4, NAN, "CALB: a number is impossible");
    for (size_t i = 1; i < 7; i++) refuse_double("CALB", 4 + 8 * i, 0.0, "CALB: a number is impossible");
    refuse_double("CALB", 4 + 8 * 5, 0.5, "CALB: a number is impossible"); /* all rows above the centre */
    refuse_double("CALB", 4 + 8 * 7, INFINITY, "CALB: a number is impossible");
    refuse_double("THRS", 0, NAN, "THRS: not a number");
    refuse_double("REAS", 0, NAN, "REAS: not a score, or not 5 values a feature");
    refuse_number("REAS", 8, 6, 4, "REAS: not a score, or not 5 values a feature");
    refuse_float("REAS", 12, INFINITY, "REAS: a number is not finite");
    refuse_float("REAS", 12 + 4 * FEATURES, NAN, "REAS: a number is not finite");
    static const char *const privacy = "priv: missing, cut short, or a number is impossible";
    refuse_double("priv", 0, 0, privacy);     /* epsilon */
    refuse_double("priv", 8, 1, privacy);     /* delta */
    refuse_number("priv", 16, 0, 8, privacy); /* updates */
    refuse_double("priv", 24, 1.5, privacy);  /* rate */
    refuse_double("priv", 32, NAN, privacy);  /* noise */
    refuse_double("priv", 40, -1, privacy);   /* clip */
    refuse_double("priv", 48, INFINITY, privacy);
    refuse_number("priv", 56, 2, 1, privacy);
    refuse_number("priv", 58, 2, 1, privacy);
    refuse_float("WGTS", 8, NAN, "WGTS: a number is not finite");
    refuse_float("NOIS", 20, -INFINITY, "NOIS: a number is not finite");
    refuse_float("STAT", 16, -0.5f, "STAT: a variance is negative");
    refuse_float("STAT", 0, NAN, "STAT: a number is not finite");
    refuse_number("MEMB", 0, 39, 8, "MEMB: what is said of member 0 is impossible");
    refuse_number("MEMB", 24, UINT64_MAX, 8, "MEMB: what is said of member 1 is impossible");
    refuse_double("MEMB", 16, -1.0, "MEMB: what is said of member 0 is impossible");
    refuse_double("MEMB", 40, INFINITY, "MEMB: what is said of member 1 is impossible");
}

/* What is refused in the file of a flow, and what the other tests try with every file. */
TEST(flows)
{
    static const char *const range = "NETW: cut short or out of range";
    static const char *const another = "NETW: not the network that the parameters ask for";
    static const char *const order = "STAT: not an order of the features";
    unsigned char *other = saved;
    size_t other_size = saved_size;
    void *bytes;
    odim_model *m = make_kind(OD_NET_FLOW, false);
    REQUIRE(odim_model_save_memory(m, &bytes, &saved_size, &err) == ODIM_OK);
    saved = bytes;
    CHECK_INT(load(saved, saved_size), ODIM_OK);
    refuse_number("NETW", 8, 1, 4, range);
    refuse_number("NETW", 12, 1, 4, range);
    refuse_number("NETW", 20, 1, 4, another); /* noise: there is none */
    refuse_number("NETW", 36, 0, 4, range);
    refuse_number("NETW", 36, 65, 4, range);
    refuse_number("NETW", 36, 3, 4, "NETW: section WGTS must have 6072 bytes and has 4048");
    refuse_number("NETW", 4, LATENT, 4, "NETW: not the network that the parameters ask for");
    refuse_params("members=2\n", "section NETW: not the network that the parameters ask for");
    refuse_float("STAT", 0, 5, order);
    refuse_float("STAT", 4, 0.5f, order);
    refuse_float("STAT", 4, -1, order);
    refuse_float("STAT", 4 * FEATURES, FEATURES, order);
    refuse_float("STAT", 0, NAN, "STAT: a number is not finite");
    CHECK_INT(load_with("NOIS", saved, 4), ODIM_ERR_FORMAT);
    test_every_byte_may_lie();
    odim_model_free(m);
    odim_free(bytes);
    saved = other;
    saved_size = other_size;
}

/* A model of rows in a view of their own, with a companion. */
TEST(views)
{
    unsigned char *other = saved;
    size_t other_size = saved_size;
    void *bytes;
    axes = 2;
    odim_model *m = make_model(true);
    axes = 0;
    REQUIRE(odim_model_save_memory(m, &bytes, &saved_size, &err) == ODIM_OK);
    saved = bytes;
    static const char *const another = "NETW: not the network for the view that is there";
    size_t first_spread = 8 + 4 * FEATURES,
           first_width = 8 + 4 * (od_transform_count(FEATURES, 2) - FEATURES - 2);
    refuse_number("VIEW", 0, FEATURES - 1, 4, another);
    refuse_number("VIEW", 4, 3, 4, another);
    refuse_number("VIEW", 4, OD_TRANSFORM_AXES + 1, 4, another);
    refuse_float("VIEW", first_spread, 0, "VIEW: a width is not positive");
    refuse_float("VIEW", first_width, -1, "VIEW: a width is not positive");
    refuse_float("VIEW", 8, INFINITY, "VIEW: a number is not finite");
    CHECK_INT(load_with("VIEW", NULL, 0), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "section NETW: not the network for the view that is there");
    static const char *const range = "COMP: cut short, or out of range";
    static const char *const asked = "COMP: not the detectors that the parameters ask for";
    refuse_number("COMP", 0, 0, 4, asked);
    refuse_number("COMP", 0, 2, 4, asked);
    refuse_number("COMP", 4, OD_METHOD_IFOREST, 4, asked);
    refuse_number("COMP", 4, 0, 4, range);
    refuse_number("COMP", 4, 77, 4, range);
    refuse_number("COMP", 8, 1, 4, asked); /* in the view */
    refuse_number("COMP", 8, 2, 4, range);
    refuse_double("COMP", 12, -1, range);
    refuse_double("COMP", 12, NAN, range);
    refuse_number("COMP", 20, 3, 8, "COMP: not 1 to 16 groups of 1 to 64 rows");
    refuse_number("COMP", 20, UINT64_MAX, 8, range);
    refuse_number("COMP", 52, 4, 4, range); /* the kind of the first part */
    refuse_number("COMP", 56, 2 * 3 * FEATURES + 8, 8, range);
    refuse_number("COMP", 56, 0, 8, range);
    refuse_float("COMP", 64, NAN, "COMP: a number is not finite");
    CHECK_INT(load_with("COMP", NULL, 0), ODIM_ERR_FORMAT);
    for (int k = OD_TRANSFORM; k <= OD_DETECTORS; k++) lie(od_section_kinds[k].tag);
    odim_model_free(m);
    odim_free(bytes);
    /* Parts that the parameters do not ask for. */
    unsigned char *with = saved = other;
    saved_size = other_size;
    CHECK_INT(load_with("VIEW", with, 8), ODIM_ERR_FORMAT);
    CHECK_INT(load_with("COMP", with, 8), ODIM_ERR_FORMAT);
}

/* The section FILE of a model of a text file: see od_file_columns_write. */
enum {
    F_COUNT = 0,
    F_ID = 4,            /* "id" and its role take 7 bytes */
    F_LENGTH = F_ID + 7, /* "length" takes 11 */
    F_COLOUR = F_LENGTH + 11,
    F_COLS = F_COLOUR + 11 + 10 + 5 + 7, /* "since", "", "ok" */
    F_FORMAT = F_COLS + 4,               /* of length: two bytes, "EUR" */
    F_SINCE = F_FORMAT + 9 + 6,
};

static void name_file(od_schema *s)
{
    static const uint8_t roles[] = {OD_ROLE_ID,      OD_ROLE_FEATURE, OD_ROLE_FEATURE,
                                    OD_ROLE_FEATURE, OD_ROLE_FEATURE, OD_ROLE_FEATURE};
    s->file.role = od_alloc(sizeof roles, 1);
    memcpy(s->file.role, roles, sizeof roles);
    if (od_strlist_add(&s->file.names, "id", 2, NULL)) abort();
    for (int k = 0; k < COLS; k++)
        if (od_strlist_add(&s->file.names, s->col[k].name, strlen(s->col[k].name), NULL)) abort();
    s->col[0].format =
        (od_cell_format){.notations = 1u << OD_COMMA_POINT | 1u << OD_COMMA_SPACE, .unit = "EUR"};
    s->col[2].format.order = OD_DATE_DMY;
}

static void use_saved(odim_model *m)
{
    void *bytes;
    if (odim_model_save_memory(m, &bytes, &saved_size, &err)) abort();
    saved = bytes;
    odim_model_free(m);
}

TEST(columns_of_a_file)
{
    unsigned char *other = saved;
    size_t other_size = saved_size, size;
    odim_model *m = make_model(true), *again;
    name_file(&m->schema);
    use_saved(m);
    CHECK_INT(load(saved, saved_size), ODIM_OK);
    REQUIRE(odim_model_load_memory(&again, saved, saved_size, &err) == ODIM_OK);
    const od_schema *s = &again->schema;
    CHECK_INT(s->file.names.count, 6);
    CHECK_STR(od_strlist_at(&s->file.names, 0), "id");
    CHECK_STR(od_strlist_at(&s->file.names, 1), "length");
    CHECK(s->file.role[0] == OD_ROLE_ID && s->file.role[5] == OD_ROLE_FEATURE);
    CHECK_STR(s->col[0].format.unit, "EUR");
    CHECK_INT(s->col[0].format.notations, 1u << OD_COMMA_POINT | 1u << OD_COMMA_SPACE);
    CHECK(s->col[2].format.order == OD_DATE_DMY && s->col[1].format.order == 0 && !*s->col[1].format.unit);
    odim_model_free(again);

    free(body_of("FILE", &size));
    CHECK_INT(size, F_SINCE + 6 + 6 + 6);
    refuse_number("FILE", F_COUNT, UINT32_MAX, 4, "FILE: the number of columns is impossible");
    refuse_number("FILE", F_COUNT, 5, 4, "FILE: the number of formats is not that of columns");
    refuse_number("FILE", F_ID, UINT32_MAX, 4, "FILE: column 1 is cut short or out of range");
    refuse_number("FILE", F_ID + 4, 0, 1,
                  "FILE: column 1 is cut short or out of range"); /* a zero in a text */
    refuse_number("FILE", F_ID + 6, OD_ROLES, 1, "FILE: column 1 is cut short or out of range");
    refuse_number("FILE", F_LENGTH + 10, 255, 1, "FILE: column 2 is cut short or out of range");
    refuse_number("FILE", F_ID + 6, OD_ROLE_FEATURE, 1, "FILE: it has 6 features, the model has 5 columns");
    refuse_number("FILE", F_LENGTH + 10, OD_ROLE_ID, 1, "FILE: it has 2 ids");
    refuse_number("FILE", F_LENGTH + 10, OD_ROLE_IGNORED, 1,
                  "FILE: it has 4 features, the model has 5 columns");
    refuse_number("FILE", F_COLS, 4, 4, "FILE: the number of formats is not that of columns");
    refuse_number("FILE", F_COLS, UINT32_MAX, 4, "FILE: the number of formats is not that of columns");
    refuse_number("FILE", F_FORMAT, OD_ALL_NUMBERS + 1, 1, "FILE: column 'length': its format is impossible");
    refuse_number("FILE", F_FORMAT, 1u << OD_POINT_COMMA | 1u << OD_COMMA_POINT, 1,
                  "FILE: column 'length': its format is impossible");
    refuse_number("FILE", F_FORMAT + 1, OD_DATE_ORDERS, 1, "FILE: column 'length': its format is impossible");
    refuse_number("FILE", F_FORMAT + 2, OD_UNIT_ROOM, 4, "FILE: column 'length': its format is impossible");
    refuse_number("FILE", F_FORMAT + 6, 0, 1, "FILE: column 'length': its format is impossible");
    refuse_number("FILE", F_SINCE + 1, 77, 1, "FILE: column 'since': its format is impossible");
    lie("FILE");

    /* Formats without names: of a table that was built. */
    odim_free(saved);
    m = make_model(true);
    m->schema.col[0].format.notations = OD_COMMAS;
    use_saved(m);
    CHECK_INT(load(saved, saved_size), ODIM_OK);
    free(body_of("FILE", &size));
    CHECK_INT(size, 4 + 4 + 6 * COLS);
    CHECK_INT(load_with("FILE", NULL, 0), ODIM_OK); /* as an older odim wrote it: plain numbers */
    odim_free(saved);
    saved = other;
    saved_size = other_size;
}

TEST(no_memory_for_columns_of_a_file)
{
    odim_model *m = make_model(true), *again;
    void *bytes;
    size_t size;
    odim_status status;
    name_file(&m->schema);
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    odim_model_free(m);
    EACH_ALLOCATION_FAILS(status, 20)
    {
        status = odim_model_load_memory(&again, bytes, size, &err);
        odim_model_free(again);
    }
    odim_free(bytes);
}

/* Two checks of member 0, three of member 1: each a u64 and an f64 behind a u32. */
TEST(histories)
{
    static const char why[] = "hist: what is said of member 0 is impossible";
    refuse_number("hist", 4, 0, 8, why);        /* the first update is 0 */
    refuse_number("hist", 4 + 16, 40, 8, why);  /* the second is not later */
    refuse_number("hist", 4 + 16, 101, 8, why); /* or after the last of training */
    refuse_double("hist", 4 + 8, -0.1, why);    /* distances */
    refuse_double("hist", 4 + 8, INFINITY, why);
    refuse_number("hist", 0, 100, 4, why); /* more checks than bytes */
    refuse_number("hist", 36 + 4, 0, 8, "hist: what is said of member 1 is impossible");
    /* A model that does not remember has no such section; nor has one that is not private. */
    odim_model *m = make_model(true);
    m->privacy = (odim_privacy_info){0};
    for (int b = 0; b < MEMBERS; b++) m->member[b].history.count = 0;
    void *bytes;
    size_t size;
    od_container c;
    REQUIRE(odim_model_save_memory(m, &bytes, &size, &err) == ODIM_OK);
    REQUIRE(od_container_open(&c, bytes, size, &err) == ODIM_OK);
    CHECK_INT(c.count, OD_REQUIRED);
    odim_free(bytes);
    odim_model_free(m);
}

int main(void)
{
    save_small_model();
    RUN(every_truncation_is_refused);
    RUN(every_corrupt_byte_is_refused);
    RUN(every_byte_may_lie);
    RUN(sections_that_are_not_known_or_not_there);
    RUN(parameters);
    RUN(networks);
    RUN(columns);
    RUN(levels);
    RUN(numbers);
    RUN(flows);
    RUN(views);
    RUN(columns_of_a_file);
    RUN(no_memory_for_columns_of_a_file);
    RUN(histories);
    odim_free(saved);
    return test_end();
}
