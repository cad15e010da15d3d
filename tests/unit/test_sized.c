#include "base/sized.h"

#include "test.h"

/* A struct as this version has it, as an older and as a newer program. */
typedef struct now {
    size_t size;
    int64_t a, b;
} now;
typedef struct before {
    size_t size;
    int64_t a;
} before;
typedef struct later {
    size_t size;
    int64_t a, b, c;
} later;

static odim_error err;

TEST(in_of_the_same_version)
{
    now to, from = {sizeof from, 1, 2};
    CHECK_INT(od_sized_in(&to, sizeof to, &from, "x", &err), ODIM_OK);
    CHECK(to.size == sizeof to && to.a == 1 && to.b == 2);
    CHECK_INT(od_sized_in(&to, sizeof to, NULL, "x", &err), ODIM_OK);
    CHECK(to.size == sizeof to && to.a == 0 && to.b == 0);
}

TEST(in_of_other_versions)
{
    now to;
    before old = {sizeof old, 1};
    CHECK_INT(od_sized_in(&to, sizeof to, &old, "x", &err), ODIM_OK);
    CHECK(to.size == sizeof to && to.a == 1 && to.b == 0);
    later new = {sizeof new, 1, 2, 0};
    CHECK_INT(od_sized_in(&to, sizeof to, &new, "x", &err), ODIM_OK);
    CHECK(to.size == sizeof to && to.a == 1 && to.b == 2);
    new.c = 3;
    CHECK_INT(od_sized_in(&to, sizeof to, &new, "x", &err), ODIM_ERR_PARAM);
    CHECK(strstr(err.msg, "x: it sets something that this version of the library") == err.msg);
}

TEST(no_size)
{
    now to, from = {0, 1, 2};
    CHECK_INT(od_sized_in(&to, sizeof to, &from, "x", &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "x: its size is 0; it must be set to the sizeof of the struct");
    CHECK_INT(od_sized_out(&from, &to, sizeof to, "x", &err), ODIM_ERR_PARAM);
    CHECK(from.a == 1 && from.b == 2);
    from.size = 3;
    CHECK_INT(od_sized_in(&to, sizeof to, &from, "x", &err), ODIM_ERR_PARAM);
}

TEST(out)
{
    const now from = {sizeof from, 1, 2};
    now same = {sizeof same, 8, 8};
    CHECK_INT(od_sized_out(&same, &from, sizeof from, "x", &err), ODIM_OK);
    CHECK(same.size == sizeof same && same.a == 1 && same.b == 2);
    struct {
        before old;
        int64_t behind;
    } room = {{sizeof(before), 8}, 9};
    CHECK_INT(od_sized_out(&room.old, &from, sizeof from, "x", &err), ODIM_OK);
    CHECK(room.old.size == sizeof(before) && room.old.a == 1 && room.behind == 9);
    later new = {sizeof new, 8, 8, 8};
    CHECK_INT(od_sized_out(&new, &from, sizeof from, "x", &err), ODIM_OK);
    CHECK(new.size == sizeof new &&new.a == 1 && new.b == 2 && new.c == 0);
}

int main(void)
{
    RUN(in_of_the_same_version);
    RUN(in_of_other_versions);
    RUN(no_size);
    RUN(out);
    return test_end();
}
