/* tests: flatbuf. A small buffer made by hand, and every way to damage one byte of it. */
#include "io/flatbuf.h"

#include "test.h"

/* A table with a number, a text, two pairs of numbers, a child and two children. */
static const uint8_t good[] = {
    20,   0,    0,    0,                                                 /* the root is at 20 */
    16,   0,    24,   0,    4,   0,   8,   0, 12, 0, 16, 0, 20, 0, 0, 0, /* its slots, at 4 */
    16,   0,    0,    0,                                                 /* 20: they are 16 bytes before it */
    0xFE, 0xFF, 0xFF, 0xFF,                                              /* 24: slot 0, -2 */
    16,   0,    0,    0,                                                 /* 28: slot 1, the text at 44 */
    20,   0,    0,    0,                                                 /* 32: slot 2, the pairs at 52 */
    40,   0,    0,    0,                                                 /* 36: slot 3, the child at 76 */
    48,   0,    0,    0,                                                 /* 40: slot 4, the children at 88 */
    3,    0,    0,    0,    'a', 'b', 'c', 0,                            /* 44 */
    2,    0,    0,    0,    1,   0,   0,   0, 2,  0, 0,  0, 3,  0, 0, 0, 4, 0, 0, 0, /* 52 */
    6,    0,    5,    0,                                    /* 72: slots of the child */
    4,    0,    0,    0,    7,   0,   0,   0, 0,  0, 0,  0, /* 76 */
    2,    0,    0,    0,                                    /* 88 */
    0xFF, 0xFF, 0xFF, 0x7F,                                 /* 92: the first child is not there */
    0,    0,    0,    0,
};

TEST(a_table)
{
    od_flatbuf b = {good, sizeof good, false};
    od_flat_table root, child;
    size_t len;
    REQUIRE(od_flat_root(&b, &root));
    CHECK_INT(od_flat_int(&root, 0, 4, 5), -2);
    CHECK_INT(od_flat_int(&root, 0, 1, 5), -2);
    CHECK_INT(od_flat_int(&root, 9, 4, 5), 5);
    const char *text = od_flat_text(&root, 1, &len);
    CHECK(text && len == 3 && memcmp(text, "abc", 3) == 0);
    od_flat_vector v = od_flat_items(&root, 2, 8);
    CHECK_INT(v.count, 2);
    CHECK_INT(od_flat_item_int(&v, 1, 0, 4), 3);
    CHECK_INT(od_flat_item_int(&v, 1, 4, 4), 4);
    CHECK(od_flat_child(&root, 3, &child));
    CHECK_INT(od_flat_int(&child, 0, 1, 0), 7);
    CHECK(!od_flat_text(&root, 9, &len) && len == 0);
    CHECK_INT(od_flat_items(&root, 9, 4).count, 0);
    CHECK(!b.bad); /* nothing that is absent is a mistake */
}

TEST(outside)
{
    od_flatbuf b = {good, sizeof good, false};
    od_flat_table root, child;
    REQUIRE(od_flat_root(&b, &root));
    od_flat_vector v = od_flat_items(&root, 4, 4);
    CHECK_INT(v.count, 2);
    CHECK(!b.bad);
    CHECK(!od_flat_item_table(&v, 0, &child) && b.bad);
    b.bad = false;
    CHECK_INT(od_flat_items(&root, 2, 64).count, 0); /* items that would not fit */
    CHECK(b.bad);
}

/* No byte may lead outside; the sanitizers see it. */
static void read_all(const uint8_t *bytes, size_t size)
{
    od_flatbuf b = {bytes, size, false};
    od_flat_table root, child;
    size_t len;
    if (!od_flat_root(&b, &root)) return;
    for (int slot = 0; slot < 6; slot++) {
        od_flat_int(&root, slot, 8, 0);
        const char *text = od_flat_text(&root, slot, &len);
        if (text && len) CHECK((const uint8_t *)text + len <= bytes + size);
        od_flat_vector v = od_flat_items(&root, slot, 4);
        for (size_t i = 0; i < v.count; i++) {
            od_flat_item_int(&v, i, 0, 4);
            if (od_flat_item_table(&v, i, &child)) od_flat_int(&child, 0, 8, 0);
        }
        if (od_flat_child(&root, slot, &child)) od_flat_int(&child, 0, 8, 0);
    }
}

TEST(damage)
{
    for (size_t size = 0; size <= sizeof good; size++) {
        uint8_t *copy = malloc(size + 1); /* of the exact size, so that a step outside shows */
        memcpy(copy, good, size);
        read_all(copy, size);
        free(copy);
    }
    static const uint8_t values[] = {0, 1, 3, 4, 0x7F, 0x80, 0xFF};
    for (size_t at = 0; at < sizeof good; at++) {
        for (size_t k = 0; k < sizeof values; k++) {
            uint8_t *copy = malloc(sizeof good);
            memcpy(copy, good, sizeof good);
            copy[at] = values[k];
            read_all(copy, sizeof good);
            free(copy);
        }
    }
}

int main(void)
{
    RUN(a_table);
    RUN(outside);
    RUN(damage);
    return test_end();
}
